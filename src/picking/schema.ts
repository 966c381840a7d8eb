/**
 * Request and response schemas of pick tickets (docs/interface.md#generate-a-pick-ticket and
 * docs/interface.md#update-a-pick-ticket). The interface specifies no lengths; the limits are Backroom's.
 */

import { ITEMS_MAX } from '../kernel/tickets/generate.ts';
import {
  dateTime,
  identifier,
  ignoredFields,
  integer,
  list,
  named,
  object,
  oneOf,
  ref,
  type Static,
  Type,
  text,
} from '../platform/schema.ts';
import { ignoredExtras, itemExtras } from '../shared/extras.ts';
import { associate, Currency, id, login } from '../shared/shapes.ts';
import { imageUrl, itemInstructions, ORDERS_MAX, price, units } from './shapes.ts';

const holdLocation = (description: string) => identifier(40, { description });

export const PickTicketGenerate = named(
  'PickTicketGenerate',
  object({
    storeId: id('Web store of the orders, as in the path'),
    nodeId: id('Node of the orders, as in the path'),
    queueId: id('Queue the orders are on'),
    userId: login('Login of the user who picks'),
    fulfillmentOrderIds: list(
      id('A fulfillment order'),
      { min: 1, max: ORDERS_MAX },
      {
        description:
          'Orders to pick together, without repetition. All must have the same currency and fulfillment type',
      },
    ),
    ...associate('Associate who generates the ticket'),
  }),
);
export type PickTicketGenerate = Static<typeof PickTicketGenerate>;

/** The item that the order line stores. Fields that the item lacked are "". */
export const PickTicketItemDetails = named(
  'PickTicketItemDetails',
  object({
    itemId: Type.String(),
    itemDesc: Type.String(),
    color: Type.String(),
    colorCode: Type.String(),
    size: Type.String(),
    sizeCode: Type.String(),
    style: Type.String(),
    upcs: Type.Array(
      object({
        type: Type.String({ description: 'Type of the bar code. You can ignore this type' }),
        value: Type.String({ description: 'The scanned code' }),
      }),
    ),
  }),
);
export type PickTicketItemDetails = Static<typeof PickTicketItemDetails>;

const tote = text(1, 2, {
  description:
    'Letter of the tote for the units of the order. The letters A, B, C follow the order of the fulfillmentOrderIds',
});

/** The orders of a ticket, each with its tote. */
export const PickTicketOrder = named(
  'PickTicketOrder',
  object({
    fulfillmentOrderId: id('An order of the ticket'),
    tote,
    customerName: Type.Optional(
      text(1, 255, {
        description: 'Name of the customer; absent after anonymization',
        'x-secret': true,
      }),
    ),
    dueAt: Type.Optional(
      dateTime({
        description: 'Time by which the order must be picked, or brought back. Present only while the ticket is open',
      }),
    ),
    holdLocation: Type.Optional(
      text(1, 40, {
        description:
          'Hold location of the goods of the order, or their last one if they have left. Present only on a confirmed pick ticket',
      }),
    ),
  }),
);
export type PickTicketOrder = Static<typeof PickTicketOrder>;

/** Units of an item for one order. */
export const PickTicketShare = named(
  'PickTicketShare',
  object({
    fulfillmentOrderId: id('The order that waits for these units'),
    tote,
    quantity: units(1, 'Units of the item for this order'),
    pickedQuantity: Type.Optional(
      units(
        0,
        'Units found for this order; while the ticket is open, found units go to the orders in the order of their totes',
      ),
    ),
    canceledQuantity: Type.Optional(
      units(1, 'Units that this order lacks because units of the item were declined; absent if 0'),
    ),
    customerCanceledQuantity: Type.Optional(
      units(
        1,
        'Units that the customer has canceled in the meantime. Present only while the ticket is open, and if above 0',
      ),
    ),
  }),
);
export type PickTicketShare = Static<typeof PickTicketShare>;

/** The first fields of an item of a ticket. */
export const itemOfTicket = {
  id: integer(1, ITEMS_MAX, { description: 'Number of the item on the ticket, 1 to n' }),
  itemDetails: ref<PickTicketItemDetails>('PickTicketItemDetails'),
  quantity: units(1, 'Units to pick'),
  unitPrice: price('Price of one unit on the orders'),
  retailPrice: Type.Optional(price('Price on the shelf. Present only if the node item feed has a price', 0.01)),
};

/** The last fields of an item of a ticket. */
export const restOfItem = {
  instructions: itemInstructions(),
  imageUrl,
  orders: list(
    ref<PickTicketShare>('PickTicketShare'),
    { min: 1, max: ORDERS_MAX },
    { description: 'Orders to which the units belong' },
  ),
  ...itemExtras,
};

/** Units of one item at one unit price, of all the ticket's orders. */
export const PickTicketItem = named(
  'PickTicketItem',
  object({
    ...itemOfTicket,
    pickLocation: Type.Optional(
      text(1, 40, { description: 'Pick location of the item. Present only if the node item feed has a location' }),
    ),
    pickedQuantity: Type.Optional(units(0, 'Units found; absent on a new ticket')),
    canceledQuantity: Type.Optional(units(0, 'Units declined; absent on a new ticket')),
    cancellationReasonCode: Type.Optional(
      text(0, 40, { description: 'Reason of the declined units. Present only if canceledQuantity is above 0' }),
    ),
    ...restOfItem,
  }),
);
export type PickTicketItem = Static<typeof PickTicketItem>;

export const PickTicket = named(
  'PickTicket',
  object({
    pickTicketId: text(1, 40),
    storeId: text(1, 40),
    nodeId: text(1, 40),
    queueId: text(1, 40),
    userId: text(1, 64, { description: 'Login of the user for whom the ticket was generated' }),
    status: oneOf(['NEW'], { description: 'Status of the ticket. A new ticket is NEW' }),
    holdLocation: text(1, 40, {
      description: 'Suggested hold location for the picked goods: the location of the node with the least use',
    }),
    fulfillmentType: text(1, 40),
    pickTicketType: oneOf(['PICK_TICKET']),
    pickTicketDate: dateTime(),
    pickSLADate: dateTime({ description: 'Earliest time by which an order of the ticket must be picked' }),
    currency: Currency,
    totalFulfillmentOrders: integer(1, ORDERS_MAX),
    totalSKUs: integer(1, ITEMS_MAX, { description: 'Distinct items' }),
    totalQuantity: units(1, 'Units of all items'),
    orders: list(
      ref<PickTicketOrder>('PickTicketOrder'),
      { min: 1, max: ORDERS_MAX },
      { description: 'Orders of the ticket' },
    ),
    pickTicketItems: list(ref<PickTicketItem>('PickTicketItem'), { min: 1, max: ITEMS_MAX }),
  }),
);
export type PickTicket = Static<typeof PickTicket>;

export const PickTicketGenerated = named(
  'PickTicketGenerated',
  object({ pickTicketDetails: list(ref<PickTicket>('PickTicket'), { min: 1, max: 1 }) }),
);

/**
 * The other fields of an item in the response of generate and in the ticket as read. A message may have these fields,
 * but the service ignores them (docs/interface.md#fields-sent-back).
 */
const shownOfItem = {
  ...ignoredFields('unitPrice', 'retailPrice', 'pickLocation', 'instructions', 'imageUrl', 'orders'),
  ...ignoredFields('customerCanceledQuantity'),
  ...ignoredExtras,
};

export const PickTicketItemAnswer = named(
  'PickTicketItemAnswer',
  object({
    id: integer(1, ITEMS_MAX, { description: 'Number of the item on the ticket' }),
    itemId: id('Item that has this number (`id`) on the ticket'),
    quantity: Type.Optional(units(0, 'Units to pick, as on the ticket')),
    pickedQuantity: Type.Optional(units(0, 'Units found; default: the units that are not in canceledQuantity')),
    canceledQuantity: Type.Optional(units(0, 'Units declined; default: the units that are not in pickedQuantity')),
    cancellationReasonCode: Type.Optional(
      text(0, 40, {
        description:
          'Cancel reason of the client, or the reason that the ticket has saved for the item; required if canceledQuantity is above 0',
      }),
    ),
    itemDetails: Type.Optional(
      object({
        itemId: Type.Optional(id('Must equal itemId')),
        ...ignoredFields('itemDesc', 'color', 'colorCode', 'size', 'sizeCode', 'style', 'upcs'),
      }),
    ),
    ...shownOfItem,
  }),
);
export type PickTicketItemAnswer = Static<typeof PickTicketItemAnswer>;

const common = {
  pickTicketId: id('The ticket'),
  storeId: id('Web store of the ticket, as in the path'),
  nodeId: id('Node of the ticket, as in the path'),
  userId: login('Login of the user'),
  ...ignoredFields('queueId', 'status', 'fulfillmentType', 'pickTicketType', 'pickTicketDate', 'pickSLADate'),
  ...ignoredFields('currency', 'totalFulfillmentOrders', 'totalSKUs', 'totalQuantity', 'orders'),
  ...ignoredFields('userName', 'outcome', 'leaseUntil', 'closedDate', 'fulfillmentOrderIds', 'notes', 'allowedActions'),
};

export const PickTicketConfirm = named(
  'PickTicketConfirm',
  object({
    action: oneOf(['CONFIRM'], { description: 'CONFIRM closes the ticket with the result of every item' }),
    ...common,
    holdLocation: holdLocation('Location of the picked goods'),
    orderHoldLocations: Type.Optional(
      list(
        object({
          fulfillmentOrderId: identifier(40, { description: 'An order of the ticket' }),
          holdLocation: holdLocation('Location of the goods of this order'),
        }),
        { min: 1, max: 50 },
        { description: 'Hold locations of the goods by order. Default: `holdLocation` for all orders' },
      ),
    ),
    pickTicketItems: list(
      ref<PickTicketItemAnswer>('PickTicketItemAnswer'),
      { min: 1, max: ITEMS_MAX },
      { description: 'The result of every item of the ticket' },
    ),
  }),
);
export type PickTicketConfirm = Static<typeof PickTicketConfirm>;

export const PickTicketReset = named(
  'PickTicketReset',
  object({
    action: oneOf(['RESET'], {
      description:
        'RESET returns the orders to their state before the ticket, and closes the ticket. A reverse ticket is not closed, but becomes NEW without a user',
    }),
    ...common,
    ...ignoredFields('holdLocation', 'orderHoldLocations', 'pickTicketItems'),
  }),
);
export type PickTicketReset = Static<typeof PickTicketReset>;

export const PickTicketUpdate = named(
  'PickTicketUpdate',
  object({
    ...associate('Associate who makes the change'),
    pickTicketDetails: Type.Unsafe<PickTicketConfirm | PickTicketReset>({
      anyOf: [ref('PickTicketConfirm'), ref('PickTicketReset')],
      description: 'CONFIRM has the result of every item. RESET has no results',
    }),
  }),
);
export type PickTicketUpdate = Static<typeof PickTicketUpdate>;

/** Named schemas of picking, for the OpenAPI document. */
export const pickingSchemas = [
  PickTicketGenerate,
  PickTicketItemDetails,
  PickTicketOrder,
  PickTicketShare,
  PickTicketItem,
  PickTicket,
  PickTicketGenerated,
  PickTicketItemAnswer,
  PickTicketConfirm,
  PickTicketReset,
  PickTicketUpdate,
];
