const plural = new Intl.PluralRules('es');
const count = (n: number, one: string, many: string) => `${n} ${plural.select(n) === 'one' ? one : many}`;

/** Spanish texts for waiting and rejected commands. */
export const sync = {
  title: 'Sincronización',
  hints: {
    SENT: 'El servicio tiene todo lo que se hizo en este dispositivo.',
    SENDING: 'Su trabajo está en camino.',
    WAITING: 'Su trabajo está en este dispositivo y se vuelve a enviar solo.',
    OFFLINE: 'No se puede conectar con el servicio. Lo que haga queda en este dispositivo y se envía cuando vuelva.',
    SIGN_IN: 'Su trabajo está en este dispositivo. Se envía cuando vuelva a iniciar sesión.',
    CONFLICT: 'El servicio no aceptó parte de su trabajo. Decida abajo qué hacer.',
    NO_STORAGE:
      'Este navegador no guarda nada, así que nada funciona sin conexión. Salga del modo privado o libere espacio.',
  },
  givenUp: (n: number) =>
    `Todo está enviado, salvo ${count(n, 'acción a la que renunció', 'acciones a las que renunció')}.`,
  waiting: (n: number) => count(n, 'acción por enviar', 'acciones por enviar'),
  others: (n: number) => `${count(n, 'acción', 'acciones')} de otras personas en este dispositivo`,
  left: (n: number, names: string) =>
    `${count(n, 'acción', 'acciones')} de ${names} ${n === 1 ? 'espera' : 'esperan'} un inicio de sesión o una decisión con ese nombre.`,
  leftHint: 'Si eso no va a ocurrir, guarde el trabajo como archivo y bórrelo aquí. El servicio nunca lo recibirá.',
  leftDelete: 'Borrar el trabajo guardado',
  notPersisted: 'El navegador puede borrar este trabajo si falta espacio. Instale la consola en la pantalla de inicio.',
  sendNow: 'Enviar ahora',
  conflicts: 'Por resolver',
  ticket: (id: string) => `Hoja ${id}`,
  checkIn: (id: string) => `Llegada ${id}`,
  mine: 'Lo mío',
  now: 'Ahora',
  mineUnits: (picked: number, missing: number) => `Preparadas: ${picked}; sin encontrar: ${missing}; sin enviar`,
  mineConfirm: 'Su confirmación no se ha enviado',
  mineCheckIn: (n: number) => count(n, 'conteo sin enviar', 'conteos sin enviar'),
  nowUnknown: 'No se puede leer ahora',
  nowWith: (name: string) => `Con ${name}`,
  nowMine: 'Es suya',
  nowConfirmed: (name: string) => `Confirmada por ${name}`,
  nowReset: 'Devuelta a la cola',
  nowCounts: (picked: number, all: number) => `${picked} de ${all} preparadas`,
  why: {
    TAKEN_OVER: 'Otra persona tomó la hoja.',
    RESET: 'La hoja volvió a la cola: nadie trabajó en ella durante demasiado tiempo, o alguien la devolvió.',
    CONFIRMED: 'Otra persona confirmó la hoja.',
    GONE: 'Ya no está.',
    DENIED: 'Ya no puede hacer esto.',
    WRONG: 'El servicio no acepta lo contado.',
    OTHER: 'El servicio no lo acepta ahora.',
  },
  retry: 'Enviar de nuevo',
  takeBack: 'Recuperarla y enviar lo mío',
  onlyLeads: 'Lo puede hacer un responsable',
  leaveOut: (n: number) => `Omitir ${count(n, 'lectura', 'lecturas')} y enviar el resto`,
  setAside: 'Renunciar a lo mío',
  setAsideHint: 'Lo que deje queda en el archivo de abajo hasta que lo borre.',
  file: 'Guardar como archivo',
  fileHint: 'Todo lo suyo que el servicio no tiene, con horas y números.',
  deleteAside: 'Borrar lo que dejó',
  signOutTitle: '¿Cerrar sesión con trabajo sin enviar?',
  signOutHint: (n: number) =>
    `${count(n, 'acción', 'acciones')} por enviar. Todo queda en este dispositivo con su nombre y se envía cuando vuelva a entrar aquí, o solo, en un día, si el dispositivo es compartido.`,
  signOutAnyway: 'Cerrar sesión igualmente',
};
