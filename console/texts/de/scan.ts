/** German texts for scanner, camera and sound. */
export const scan = {
  target: 'Code scannen',
  type: 'Code eintippen',
  cameraOn: 'Mit der Kamera scannen',
  cameraOff: 'Kamera ausschalten',
  cameraView: 'Bild der Kamera',
  cameraDenied: 'Der Browser darf die Kamera nicht benutzen',
  cameraDeniedHint: 'Öffnen Sie im Browser die Einstellungen dieser Seite und erlauben Sie die Kamera.',
  cameraNone: 'Keine Kamera gefunden',
  cameraNoneHint: 'Benutzen Sie einen Scanner oder tippen Sie den Code ein.',
  cameraNotLoaded: 'Die Kamera braucht einmal das Netz. Versuchen Sie es wieder, wenn Sie verbunden sind.',
  lightOn: 'Licht an',
  lightOff: 'Licht aus',
  muted: 'Der Ton beginnt mit dem ersten Tippen.',
};
