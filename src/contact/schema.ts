/** Request and response schemas of messages to customers (docs/contact.md). */
import { dateTime, flag, identifier, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import { CONTACT_KINDS } from '../shared/client-settings.ts';
import { login } from '../shared/shapes.ts';

const { Optional } = Type;

const kind = oneOf(CONTACT_KINDS, {
  description:
    'Kind of the message. READY: the order can be collected; PARTLY_READY: a part of the order can be collected; LATE: the order takes longer than promised; REMINDER: the order still waits to be collected',
});

export const CustomerMessageRequest = named(
  'CustomerMessageRequest',
  object(
    {
      messageId: identifier(64, {
        description:
          'Id of your choice for the message, unique within the client. A second request with the same messageId sends no message',
      }),
      kind,
      userId: login('Login of the user who requests the message'),
    },
    { description: 'A request for a message to the customer of an order' },
  ),
);
export type CustomerMessageRequest = Static<typeof CustomerMessageRequest>;

export const CustomerMessage = named(
  'CustomerMessage',
  object(
    {
      messageId: identifier(64, { description: 'Id of the message' }),
      kind,
      sentBy: oneOf(['EVENTS', 'MAIL'], {
        description:
          'EVENTS: a system of the retailer sends the message when this system reads the event; MAIL: this service sends the message',
      }),
      status: oneOf(['TOLD', 'WAITING', 'SENDING', 'SENT', 'FAILED'], {
        description:
          'TOLD: the event is in the feed; WAITING: the mail is not sent yet; SENDING: the service is sending the mail now; SENT: the mail server accepted the mail; FAILED: the mail was not sent, or the outcome is unknown',
      }),
      userId: Optional(
        text(1, 128, { description: 'User who requested the message; absent if the service requested it' }),
      ),
      failure: Optional(
        text(1, 60, {
          description:
            'Reason of the failure: NO_ADDRESS, REJECTED with the code of the mail server, TOO_LATE, or OUTCOME_UNKNOWN. The reason never contains an address',
        }),
      ),
      createdAt: dateTime({ description: 'Time at which the message was requested' }),
      endedAt: Optional(dateTime({ description: 'Time at which the message was sent or failed' })),
    },
    { description: 'A message to a customer, and its outcome' },
  ),
);
export type CustomerMessage = Static<typeof CustomerMessage>;

const Offer = object({
  kind,
  allowed: flag({ description: 'Whether the message can be sent in the current state of the order' }),
  subject: text(1, 300, { description: 'Subject as the customer gets it' }),
  text: text(1, 4_000, { description: 'Text as the customer gets it' }),
});

export const CustomerContact = named(
  'CustomerContact',
  object(
    {
      fulfillmentOrderId: identifier(40, { description: 'Order' }),
      messages: list(CustomerMessage, { max: 500 }, { description: 'Messages of the order, the earliest first' }),
      offers: list(
        Offer,
        { max: CONTACT_KINDS.length },
        { description: 'Messages that can be sent, with their texts' },
      ),
    },
    { description: 'Messages to the customer of an order, and messages that can be sent' },
  ),
);

export const contactSchemas = [CustomerMessageRequest, CustomerMessage, CustomerContact];
