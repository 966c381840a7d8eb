/** English texts for the state of unsent work, which every screen shows in its head. */
export const syncStates = {
  SENT: 'All sent',
  SENDING: 'Sending',
  WAITING: 'Waiting to be sent',
  OFFLINE: 'Offline',
  SIGN_IN: 'Sign in to send',
  CONFLICT: 'Needs you',
  NO_STORAGE: 'Cannot keep work',
};
