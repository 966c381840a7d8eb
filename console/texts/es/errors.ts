/** Qué significa un código para quien lo ve y qué hacer ahora. Debajo van las palabras del servicio. */
export const errors = {
  unknown: 'No ha funcionado',
  codes: {
    OFFLINE: 'Sin conexión con el servicio. Lo que hizo se conserva; compruebe la red.',
    INVALID_REQUEST: 'Algún dato no es correcto. Corrija lo marcado y vuelva a enviar.',
    CONFLICT: 'Otra persona o sistema se adelantó. Revise el estado actual.',
    NOT_FOUND: 'No se encuentra. Puede que se haya eliminado o que el número sea incorrecto.',
    ACCESS_DENIED: 'Su rol o su tienda no lo permite. Consulte a su responsable.',
    CROSS_ORIGIN: 'El navegador lo envió desde otra dirección. Abra la consola en su propia dirección.',
    SIGN_IN_FAILED: 'El nombre, la tarjeta, la contraseña o el PIN no es correcto.',
    CREDENTIALS_INVALID: 'El nombre, la tarjeta, la contraseña o el PIN no es correcto.',
    SESSION_LOCKED: 'Este dispositivo está bloqueado. Inicie sesión otra vez para seguir.',
    SIGN_IN_AGAIN: 'Para esto, inicie sesión de nuevo con su contraseña.',
    IN_TRAINING: 'Está en unas prácticas. Salga de ellas primero.',
    TRAINING_FULL: 'Hay demasiadas personas en prácticas. Inténtelo más tarde.',
    PASSKEYS_OFF:
      'Las claves de acceso necesitan una dirección con nombre de host. Pregunte a quien opera el servicio.',
    PIN_CHANGE_REQUIRED: 'Elija primero su propio PIN.',
    LOCKED: 'Demasiados intentos fallidos. Espere o pida un PIN nuevo a su responsable.',
    TOO_MANY_REQUESTS: 'Demasiadas solicitudes a la vez. Espere un momento y vuelva a intentarlo.',
    UNAVAILABLE: 'El servicio no puede acceder a su base de datos. No se ha cambiado nada; vuelva a intentarlo.',
    OVERLOADED: 'El servicio está ocupado. Vuelva a intentarlo en un momento.',
    INTERNAL: 'El servicio tiene un fallo. No es culpa suya; comunique el ID de la solicitud.',
    HELD_BY_OTHER: 'Otra persona está trabajando en ello.',
    NOT_AVAILABLE: 'No hay stock suficiente para esto.',
  } as Record<string, string>,
};
