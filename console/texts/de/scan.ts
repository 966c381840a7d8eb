/** German texts for scanner, camera and sound. */
export const scan = {
  target: 'Code scannen',
  type: 'Code eintippen',
  cameraOn: 'Mit der Kamera scannen',
  cameraOff: 'Kamera ausschalten',
  cameraNotLoaded: 'Die Kamera braucht einmal das Netz. Versuchen Sie es wieder, wenn Sie verbunden sind.',
  muted: 'Der Ton beginnt mit dem ersten Tippen.',
};
