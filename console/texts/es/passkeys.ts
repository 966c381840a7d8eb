/** Spanish texts for the user's own passkeys. */
export const passkeys = {
  title: 'Claves de acceso',
  about: 'Con una clave de acceso inicia sesión sin contraseña: con huella, cara o el PIN de su equipo.',
  none: 'Aún no hay claves de acceso',
  noneHint: 'Añada una para cada dispositivo con el que inicie sesión.',
  add: 'Añadir clave de acceso',
  name: 'Nombre',
  nameHint: 'Para reconocerla, por ejemplo: equipo de la oficina',
  nameFirst: 'Escriba un nombre',
  remove: 'Quitar',
  removeHint: 'Ya no podrá iniciar sesión con ella. Sus otras formas de iniciar sesión siguen igual.',
  notHere: 'Este navegador o esta dirección no tiene claves de acceso',
  made: (at: string) => `Creada ${at}`,
  used: (at: string) => `Último uso ${at}`,
  removeOne: (name: string) => `Quitar ${name}`,
};
