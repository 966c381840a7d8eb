/** Request and response schemas of changing an order after intake and of moving its goods. */
import { dateTime, identifier, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import { LINES_MAX } from '../shared/limits.ts';
import { Destination, ID_MAX, id, login, SentContact } from '../shared/shapes.ts';
import { say } from './sentences.ts';

const { Optional } = Type;
const commandId = (description: string) => identifier(64, { description });

/** Fields whose value `remove` can remove. */
const REMOVABLE = ['proxy', 'pin', 'giftMessage', 'pickupDeadline'] as const;

const { personName, address, phone, email } = Destination.properties;

const QUANTITIES = say(
  'quantities cannot be changed here; to lower them, cancel units with .../cancel, and for more units create another order',
);

export const OrderChangeRequest = named(
  'OrderChangeRequest',
  object(
    {
      changeId: commandId('Your id for this change. If you send the id again, nothing changes'),
      userId: login('Login of the user who changes the order'),
      contact: Optional(
        object(SentContact.properties, { description: 'The customer. Replaces all fields of the earlier contact' }),
      ),
      shippingAddress: Optional(
        object(
          { personName, address, phone, email },
          { description: 'Address to which the order goes. Replaces all fields of the earlier address' },
        ),
      ),
      proxy: Optional(
        object(SentContact.properties, {
          description: 'The person who can collect or receive the order for the customer',
        }),
      ),
      pin: Optional(
        identifier(20, {
          description: 'PIN of the hand-over. The count of wrong PINs starts again at 0',
          'x-secret': true,
        }),
      ),
      carrier: Optional(text(1, ID_MAX, { description: 'Carrier' })),
      service: Optional(text(1, ID_MAX, { description: 'Service level of the carrier' })),
      shipMethod: Optional(
        text(1, 2 * ID_MAX + 1, {
          description:
            'Carrier and service level in one text. Default if you send `carrier` or `service`: `<carrier>_<service>`',
        }),
      ),
      giftMessage: Optional(
        text(1, 1000, {
          description:
            'Gift message. It applies to the lines in giftMessageLines. If giftMessageLines is absent, it applies to the lines that have a gift message; if no line has one, to the first line',
          'x-secret': true,
        }),
      ),
      giftMessageLines: Optional(
        list(
          id('A line of the order'),
          { min: 1, max: LINES_MAX },
          { description: 'Lines to which giftMessage or the removal of the gift message applies' },
        ),
      ),
      pickupDeadline: Optional(
        dateTime({
          description:
            'Time until which the customer can collect the order. Must be in the future, at most 366 days away',
        }),
      ),
      remove: Optional(
        list(
          oneOf(REMOVABLE),
          { min: 1, max: REMOVABLE.length },
          {
            description:
              'Fields to remove. `pickupDeadline` restores the deadline of the client’s SLA, which must not have passed. Removing a field that the order does not have changes nothing',
          },
        ),
      ),
      note: Optional(text(1, 1000, { description: 'A note for people who read the order', 'x-secret': true })),
    },
    { 'x-elsewhere': { lines: QUANTITIES, quantity: QUANTITIES } },
  ),
);
export type OrderChangeRequest = Static<typeof OrderChangeRequest>;

/** The form of a change that the rules use: `null` removes the value of a field. */
export type OrderChanges = Omit<OrderChangeRequest, 'remove' | Removable> & {
  [F in Removable]?: OrderChangeRequest[F] | null;
};
type Removable = (typeof REMOVABLE)[number];

/** Returns the change that a message requests. */
export function changesOf({ remove = [], ...fields }: OrderChangeRequest): OrderChanges {
  return { ...fields, ...Object.fromEntries(remove.map((field) => [field, null])) };
}

export const OrderMove = named(
  'OrderMove',
  object({
    moveId: commandId('Your id for this move. If you send the id again, nothing changes'),
    userId: login('Login of the user who moves the goods'),
    holdLocation: id('The new location of the goods'),
    from: Optional(id('Expected present location. If the goods are at another location, the response is 409')),
  }),
);
export type OrderMove = Static<typeof OrderMove>;

/** Named schemas of changes, for the OpenAPI document. */
export const changeSchemas = [OrderChangeRequest, OrderMove];
