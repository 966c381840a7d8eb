/** What the sign of every screen says of work that is to be sent. */
export const syncStates = {
  SENT: 'All sent',
  SENDING: 'Sending',
  WAITING: 'Waiting to be sent',
  OFFLINE: 'Offline',
  SIGN_IN: 'Sign in to send',
  CONFLICT: 'Needs you',
  NO_STORAGE: 'Cannot keep work',
};
