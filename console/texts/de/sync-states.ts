/** Was das Zeichen auf jedem Bildschirm sagt. */
export const syncStates = {
  SENT: 'Alles gesendet',
  SENDING: 'Wird gesendet',
  WAITING: 'Wartet auf das Senden',
  OFFLINE: 'Offline',
  SIGN_IN: 'Zum Senden anmelden',
  CONFLICT: 'Braucht Sie',
  NO_STORAGE: 'Kann nichts aufheben',
};
