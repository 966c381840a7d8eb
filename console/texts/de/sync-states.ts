/** German: the state of unsent work, in the head of every screen. */
export const syncStates = {
  SENT: 'Alles gesendet',
  SENDING: 'Wird gesendet',
  WAITING: 'Wird noch gesendet',
  OFFLINE: 'Offline',
  SIGN_IN: 'Zum Senden anmelden',
  CONFLICT: 'Zu klären',
  NO_STORAGE: 'Speichert nichts',
};
