/** Wire shapes of changing an order after intake and of moving its goods. */
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

/** An optional field that accepts `null`, which removes its value. */
const removable = <T extends TSchema>(schema: T, description: string) =>
  Optional(Type.Union([schema, Type.Null()], { description }));

const { personName, address, phone, email } = Destination.properties;

export const OrderChangeRequest = named(
  'OrderChangeRequest',
  object({
    changeId: commandId('Your id of this change; sending it again changes nothing'),
    userId: login('Login of the user who changes the order'),
    contact: Optional(
      object(SentContact.properties, { description: 'The customer; replaces the whole earlier contact' }),
    ),
    shippingAddress: Optional(
      object(
        { personName, address, phone, email },
        { description: 'The address that the order goes to; replaces the whole earlier address' },
      ),
    ),
    proxy: removable(
      SentContact,
      'The person who may collect or receive the order for the customer; null removes the proxy',
    ),
    pin: removable(
      identifier(20, { 'x-secret': true }),
      'PIN of the hand-over; null removes it. The count of wrong PINs starts again at 0',
    ),
    carrier: Optional(text(1, ID_MAX, { description: 'Carrier' })),
    service: Optional(text(1, ID_MAX, { description: 'Service level of the carrier' })),
    shipMethod: Optional(
      text(1, 2 * ID_MAX + 1, { description: 'Default if carrier or service is sent: carrier_service' }),
    ),
    giftMessage: removable(
      text(1, 1000, { 'x-secret': true }),
      'Gift message; null removes it. It applies to the lines in giftMessageLines; without them to the lines that have a gift message, else to the first line',
    ),
    giftMessageLines: Optional(
      list(
        id('A line of the order'),
        { min: 1, max: LINES_MAX },
        { description: 'The lines that giftMessage applies to' },
      ),
    ),
    pickupDeadline: removable(
      dateTime(),
      'The time until which the customer can collect; in the future and at most 366 days away; null restores the deadline of the client’s SLA',
    ),
    note: Optional(text(1, 1000, { description: 'A note for the readers of the order', 'x-secret': true })),
  }),
);
export type OrderChangeRequest = Static<typeof OrderChangeRequest>;

export const OrderMove = named(
  'OrderMove',
  object({
    moveId: commandId('Your id of this move; sending it again changes nothing'),
    userId: login('Login of the user who moves the goods'),
    holdLocation: id('The new location of the goods'),
    from: Optional(id('The expected old location; if the goods are elsewhere, the move is a 409')),
  }),
);
export type OrderMove = Static<typeof OrderMove>;

/** Named schemas of changes, for the OpenAPI document. */
export const changeSchemas = [OrderChangeRequest, OrderMove];
