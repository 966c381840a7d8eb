/** German: the user's own settings. */
export const me = {
  theme: 'Darstellung',
  themeAuto: 'Wie das Gerät',
  themeLight: 'Hell',
  themeDark: 'Dunkel',
  pinTitle: 'Ihre PIN',
  passwordTitle: 'Ihr Passwort',
  oldPassword: 'Bisheriges Passwort',
  newPassword: 'Neues Passwort',
  passwordHint: 'Mindestens 12 Zeichen, oder 8, wenn es kein gängiges Passwort ist.',
  saved: 'Gespeichert',
  lock: 'Dieses Gerät sperren',
  training: 'Übung',
  trainingHint: 'Üben Sie in einer eigenen kleinen Stadt. Nichts darin ist echt, und sie wird am Ende verworfen.',
  trainingStart: 'Übung beginnen',
  trainingLeave: 'Übung beenden',
};
