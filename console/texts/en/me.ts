/** The user's own settings. */
export const me = {
  theme: 'Look',
  themeAuto: 'As the device',
  themeLight: 'Light',
  themeDark: 'Dark',
  pinTitle: 'Your PIN',
  passwordTitle: 'Your password',
  oldPassword: 'Present password',
  newPassword: 'New password',
  passwordHint: 'At least 12 characters, or 8 that are not a common password.',
  saved: 'Saved',
  lock: 'Lock this device',
  training: 'Training',
  trainingHint: 'Practise in a small town of your own. Nothing in it is real, and it is thrown away when you leave.',
  trainingStart: 'Start training',
  trainingLeave: 'Leave training',
};
