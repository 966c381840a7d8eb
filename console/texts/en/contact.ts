/** Texts of the messages to a customer. */
export const contact = {
  title: 'Messages to the customer',
  none: 'No message yet.',
  nothing: 'No message fits the present state. Call or write to the customer with the data of the order.',
  cannot: 'You may read the messages. Customer service, managers and associates send them.',
  act: 'Send',
  ask: (kind: string) => `Send: ${kind}`,
  hint: 'The customer gets this text; the name takes the place of the dots. Your system or the mail server sends it.',
  kinds: {
    READY: 'Ready for pickup',
    PARTLY_READY: 'Partly ready',
    LATE: 'It takes longer',
    REMINDER: 'Reminder',
  } as Record<string, string>,
  states: {
    TOLD: 'passed to your system, which sends it',
    WAITING: 'waits to be sent',
    SENDING: 'is being sent',
    SENT: 'sent by mail',
    FAILED: 'not sent',
  } as Record<string, string>,
  failures: {
    NO_ADDRESS: 'the order has no e-mail address',
    TOO_LATE: 'too late, because the order had changed or no mail server was available',
    REJECTED: 'the mail server rejected it; check the e-mail address',
    OUTCOME_UNKNOWN: 'it is not known whether it was sent',
  } as Record<string, string>,
};
