/** Spanish: the user's own settings. */
export const me = {
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
  training: 'Prácticas',
  trainingHint: 'Practique en una pequeña ciudad propia. Nada en ella es real y se descarta al salir.',
  trainingStart: 'Empezar las prácticas',
  trainingLeave: 'Salir de las prácticas',
};
