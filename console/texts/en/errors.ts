/**
 * The meaning of an error code for the user, and what to do next. The description from the service is shown below it.
 */
export const errors = {
  unknown: 'This did not work',
  codes: {
    OFFLINE: 'No connection to the service. Your work is kept; check the network.',
    INVALID_REQUEST: 'Something is not right. Correct the marked fields and send again.',
    CONFLICT: 'Another change was faster. Check the present state.',
    NOT_FOUND: 'It is not there. It may have been removed, or the number is wrong.',
    ACCESS_DENIED: 'Your role or store does not allow this. Ask your lead.',
    CROSS_ORIGIN: 'The browser sent this from another address. Open the console at its own address.',
    SIGN_IN_FAILED: 'Name, badge, password or PIN is wrong.',
    CREDENTIALS_INVALID: 'Name, badge, password or PIN is wrong.',
    SESSION_LOCKED: 'This device is locked. Sign in again to go on.',
    SIGN_IN_AGAIN: 'For this, sign in again with your password first.',
    IN_TRAINING: 'You are in a training. Leave it first.',
    TRAINING_FULL: 'Too many people are training now. Try again later.',
    PASSKEYS_OFF: 'Passkeys need an address with a host name. Ask the operator.',
    PRINTER_UNREACHABLE: 'The printer is off, busy or not on the network. Nothing was printed.',
    PRINTER_TIMEOUT: 'The printer did not take all labels. Is it paused, open or out of paper?',
    PRINTER_ADDRESS: 'The address of the printer is not allowed. Ask the operator.',
    PIN_CHANGE_REQUIRED: 'Choose your own PIN first.',
    LOCKED: 'Too many wrong tries. Wait, or ask your lead for a new PIN.',
    TOO_MANY_REQUESTS: 'Too many requests at once. Wait a moment and try again.',
    UNAVAILABLE: 'The service cannot reach its database now. Nothing was changed; try again.',
    OVERLOADED: 'The service is busy. Try again in a moment.',
    INTERNAL: 'The service has an error. You did not cause it; report the request id.',
    HELD_BY_OTHER: 'Somebody else works on it.',
    NOT_AVAILABLE: 'There is not enough stock for this.',
  } as Record<string, string>,
};
