/** A person's own settings. */
export const me = {
  language: 'Language',
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
  signOut: 'Sign out',
};
