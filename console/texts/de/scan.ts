/** German texts for scanner, camera and sound. */
export const scan = {
  target: 'Code scannen',
  type: 'Code eintippen',
  cameraOn: 'Mit der Kamera scannen',
  cameraOff: 'Kamera ausschalten',
  muted: 'Der Ton beginnt mit dem ersten Tippen.',
};
