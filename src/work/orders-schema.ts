/** Request and response schemas of the open orders of a node. */
import { wholeParam } from '../platform/http/page.ts';
import { dateTime, integer, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import { FULFILLMENT_TYPES } from '../shared/client-settings.ts';
import { QUANTITY_MAX } from '../shared/limits.ts';
import { Contact, Currency, id, OrderText } from '../shared/shapes.ts';
import { statusFields } from '../shared/status.ts';
import { say } from './sentences.ts';

const { Optional } = Type;

export const ORDERS_DEFAULT = 100;
const ORDERS_MAX = 500;
/** Maximum number of items that a list shows for an order. */
export const ITEMS_SHOWN = 3;

/** Selections of open orders. */
const ORDER_VIEWS = ['OPEN', 'LATE', 'READY', 'NOT_COLLECTED', 'PIN_LOCKED'] as const;
export type OrderView = (typeof ORDER_VIEWS)[number];

export const NodeOrdersQuery = object({
  view: Optional(
    oneOf(ORDER_VIEWS, {
      description:
        'OPEN (default): all orders on a queue; LATE: orders past the due time of their step, except orders that wait for their customer; READY: orders that wait for their customer; NOT_COLLECTED: READY orders past their due time; PIN_LOCKED: orders whose PIN is locked now, except canceled orders whose goods are brought back',
    }),
  ),
  fulfillmentType: Optional(oneOf(FULFILLMENT_TYPES)),
  queueId: Optional(id('Queue of the orders')),
  holdLocation: Optional(id('Hold location of the goods')),
  text: OrderText,
  limit: wholeParam('Maximum number of orders in the page', { min: 1, max: ORDERS_MAX, default: ORDERS_DEFAULT }),
  after: Optional(
    text(3, 80, {
      pattern: '^[0-9]{1,16}[.][\\s\\S]{1,40}$',
      'x-hint': say('send `next` of the previous page, or leave it out'),
      description: '`next` of the previous page',
    }),
  ),
});
export type NodeOrdersQuery = Static<typeof NodeOrdersQuery>;

/** An open order in a list. */
export const NodeOrder = named(
  'NodeOrder',
  object(
    {
      fulfillmentOrderId: id('Order'),
      storeId: id('Web store'),
      webOrderId: id('Order of the web store'),
      omsOrderId: id('Identifier of the order in the order management system'),
      fulfillmentType: oneOf(FULFILLMENT_TYPES),
      ...statusFields,
      queueId: id('Queue of the order'),
      queuedDate: dateTime({ description: 'Time at which the order entered its queue' }),
      slaDate: Optional(
        object({
          slaTypeId: id('The current step'),
          value: dateTime({ description: 'Time at which the step is due' }),
        }),
      ),
      orderDate: dateTime(),
      currency: Currency,
      holdLocation: Optional(id('Hold location of the goods')),
      pickTicketId: Optional(
        id('Open pick ticket of the order. In state 8000: the open reverse pick ticket of the order'),
      ),
      userId: Optional(text(1, 64, { description: 'Login of the user who has the ticket' })),
      userName: Optional(text(1, 200, { description: 'Name of the user who has the ticket' })),
      pinLockedUntil: Optional(dateTime({ description: 'End of the lock of the order’s PIN' })),
      units: integer(0, 1_000_000_000, { description: 'Units that the customer can still get' }),
      lines: integer(0, 1_000_000_000, { description: 'Lines with units that the customer can still get' }),
      items: list(
        object({
          itemId: id('Item'),
          itemDesc: text(0, 4000, { description: 'Description of the item at order intake' }),
          quantity: integer(1, QUANTITY_MAX, { description: 'Units that the customer can still get' }),
          imageUrl: Optional(text(1, 2000, { description: 'Address of the main picture of the item' })),
        }),
        { max: ITEMS_SHOWN },
        { description: `The first ${ITEMS_SHOWN} items` },
      ),
      customer: Contact,
      city: Optional(text(0, 120, { description: 'Town of the shipping address' })),
    },
    { description: 'An order of a node, with its place, units and due time' },
  ),
);
export type NodeOrder = Omit<Static<typeof NodeOrder>, 'fulfillmentType'> & { fulfillmentType: string };

export const NodeOrders = named(
  'NodeOrders',
  object(
    {
      orders: list(NodeOrder, { max: ORDERS_MAX }, { description: 'The orders, the earliest due first' }),
      next: Optional(text(1, 80, { description: 'Value of `after` for the next page; absent on the last page' })),
    },
    { description: 'A page of the orders of a node' },
  ),
);

/** Named schemas of the orders of a node, for the OpenAPI document. */
export const nodeOrdersSchemas = [NodeOrder, NodeOrders];
