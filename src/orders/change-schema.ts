/** Wire shapes of changes of an order after it came in, and of moving its goods. */
import {
  dateTime,
  identifier,
  list,
  named,
  object,
  type Static,
  type TSchema,
  Type,
  text,
} from '../platform/schema.ts';
import { LINES_MAX } from '../shared/limits.ts';
import { Destination, ID_MAX, id, login, SentContact } from '../shared/shapes.ts';

const { Optional } = Type;
const commandId = (description: string) => identifier(64, { description });

/** A field that `null` removes. */
const removable = <T extends TSchema>(schema: T, description: string) =>
  Optional(Type.Union([schema, Type.Null()], { description }));

const { personName, address, phone, email } = Destination.properties;

export const OrderChangeRequest = named(
  'OrderChangeRequest',
  object({
    changeId: commandId('Your id of this change: the same again changes nothing'),
    userId: login('Who changes it'),
    contact: Optional(object(SentContact.properties, { description: 'The customer, as a whole' })),
    shippingAddress: Optional(
      object(
        { personName, address, phone, email },
        { description: 'Where the order goes; replaces all of what it had' },
      ),
    ),
    proxy: removable(SentContact, 'Who may collect or receive it for the customer; null: nobody'),
    pin: removable(identifier(20, { 'x-secret': true }), 'PIN of the hand-over; null: none. Wrong PINs are forgotten'),
    carrier: Optional(text(1, ID_MAX, { description: 'Carrier' })),
    service: Optional(text(1, ID_MAX, { description: 'Service level of the carrier' })),
    shipMethod: Optional(
      text(1, 2 * ID_MAX + 1, { description: 'Default, where carrier or service is sent: carrier_service' }),
    ),
    giftMessage: removable(
      text(1, 1000, { 'x-secret': true }),
      'Gift message of the lines in giftMessageLines, else of those that have one, else of the first line; null removes it',
    ),
    giftMessageLines: Optional(
      list(id('A line of the order'), { min: 1, max: LINES_MAX }, { description: 'The lines of giftMessage' }),
    ),
    pickupDeadline: removable(
      dateTime(),
      'Until when the customer is waited for, in the future and at most a year away; null: as the client’s SLA says',
    ),
    note: Optional(text(1, 1000, { description: 'A note for whoever reads the order', 'x-secret': true })),
  }),
);
export type OrderChangeRequest = Static<typeof OrderChangeRequest>;

export const OrderMove = named(
  'OrderMove',
  object({
    moveId: commandId('Your id of this move: the same again changes nothing'),
    userId: login('Who moves the goods'),
    holdLocation: id('Where they lie now'),
    from: Optional(id('Where they lay; when it is sent and the order says otherwise, nothing is changed')),
  }),
);
export type OrderMove = Static<typeof OrderMove>;

/** Named schemas of changes, for the document. */
export const changeSchemas = [OrderChangeRequest, OrderMove];
