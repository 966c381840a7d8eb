/** Spanish texts for the state of unsent work, which every screen shows in its head. */
export const syncStates = {
  SENT: 'Todo enviado',
  SENDING: 'Enviando',
  WAITING: 'Por enviar',
  OFFLINE: 'Sin conexión',
  SIGN_IN: 'Inicie sesión para enviar',
  CONFLICT: 'Por resolver',
  NO_STORAGE: 'No puede guardar',
};
