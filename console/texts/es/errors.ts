/**
 * Spanish: the meaning of an error code for the user, and what to do next. The description from the service is shown
 * below it.
 */
export const errors = {
  unknown: 'No ha funcionado',
  codes: {
    OFFLINE: 'Sin conexión con el servicio. Su trabajo se conserva; compruebe la red.',
    INVALID_REQUEST: 'Hay datos incorrectos. Corrija lo marcado y vuelva a enviar.',
    CONFLICT: 'Otro cambio se adelantó. Revise el estado.',
    NOT_FOUND: 'No se encuentra: eliminado o número incorrecto.',
    ACCESS_DENIED: 'Su rol o tienda no lo permite. Consulte a su responsable.',
    CROSS_ORIGIN: 'La página tiene otra dirección. Abra la consola en la suya.',
    SIGN_IN_FAILED: 'Nombre, tarjeta, contraseña o PIN incorrecto.',
    CREDENTIALS_INVALID: 'Nombre, tarjeta, contraseña o PIN incorrecto.',
    SESSION_LOCKED: 'Este dispositivo está bloqueado. Inicie sesión otra vez.',
    SIGN_IN_AGAIN: 'Inicie sesión otra vez con su contraseña.',
    IN_TRAINING: 'Salga primero de las prácticas.',
    TRAINING_FULL: 'Demasiadas personas en prácticas. Inténtelo más tarde.',
    PASSKEYS_OFF: 'Las claves de acceso necesitan un nombre de host. Pregunte al operador.',
    PRINTER_UNREACHABLE: 'La impresora está apagada, ocupada o sin red. No se imprimió nada.',
    PRINTER_TIMEOUT: 'La impresora no aceptó todas las etiquetas. ¿Está en pausa, abierta o sin papel?',
    PRINTER_ADDRESS: 'La dirección de la impresora no está permitida. Pregunte al operador.',
    PIN_CHANGE_REQUIRED: 'Elija primero su PIN.',
    LOCKED: 'Demasiados intentos. Espere o pida un PIN nuevo a su responsable.',
    TOO_MANY_REQUESTS: 'Demasiadas solicitudes. Espere un momento y vuelva a intentarlo.',
    UNAVAILABLE: 'El servicio no llega a su base de datos. Nada ha cambiado; vuelva a intentarlo.',
    OVERLOADED: 'El servicio está ocupado. Espere un momento y vuelva a intentarlo.',
    INTERNAL: 'El fallo es del servicio, no suyo; comunique el ID de la solicitud.',
    HELD_BY_OTHER: 'Otra persona trabaja en ello.',
    NOT_AVAILABLE: 'No hay existencias suficientes.',
  } as Record<string, string>,
};
