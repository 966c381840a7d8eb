/** Ajustes propios de una persona. */
export const me = {
  language: 'Idioma',
  theme: 'Apariencia',
  themeAuto: 'Como el dispositivo',
  themeLight: 'Claro',
  themeDark: 'Oscuro',
  pinTitle: 'Su PIN',
  passwordTitle: 'Su contraseña',
  oldPassword: 'Contraseña actual',
  newPassword: 'Contraseña nueva',
  passwordHint: 'Al menos 12 caracteres, u 8 si no es una contraseña común.',
  saved: 'Guardado',
  lock: 'Bloquear este dispositivo',
  signOut: 'Cerrar sesión',
};
