import type { BundleMessages } from '../messages.ts';

export const contact: BundleMessages['desk']['contact'] = {
  title: 'Mensajes al cliente',
  none: 'Todavía no hay mensajes.',
  nothing: 'Ningún mensaje corresponde al estado actual. Llame o escriba al cliente con los datos del pedido.',
  cannot: 'Usted puede leer los mensajes. Los envían atención al cliente, encargados y empleados.',
  act: 'Enviar',
  ask: (kind) => `Enviar: ${kind}`,
  hint: 'El cliente recibe este texto, con su nombre en lugar de los puntos. Lo envía su sistema o el servidor de correo.',
  kinds: { READY: 'Listo para recoger', PARTLY_READY: 'Listo en parte', LATE: 'Tarda más', REMINDER: 'Recordatorio' },
  states: {
    TOLD: 'pasado a su sistema, que lo envía',
    WAITING: 'espera el envío',
    SENDING: 'se está enviando',
    SENT: 'enviado por correo',
    FAILED: 'no enviado',
  },
  failures: {
    NO_ADDRESS: 'el pedido no tiene correo electrónico',
    TOO_LATE: 'demasiado tarde, porque el pedido había cambiado o no había ningún servidor de correo disponible',
    REJECTED: 'el servidor de correo lo rechazó; compruebe la dirección de correo',
    OUTCOME_UNKNOWN: 'no se sabe si se envió',
  },
};
