/** Wire shapes of pick tickets (docs/interface.md#generate-a-pick-ticket and docs/interface.md#update-a-pick-ticket). Lengths are ours; the interface has none. */

import {
  dateTime,
  exact,
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

/** Most orders of one ticket (docs/interface.md#generate-a-pick-ticket). */
export const ORDERS_MAX = 50;
/** Most items of one ticket: with all their fields they still fit in one CONFIRM (docs/decisions/052). */
export const ITEMS_MAX = 4000;
/** Units of a line, and so of an answer to it, are far below this. */
const UNITS_MAX = 1_000_000_000;

export const units = (min: number, description: string) => integer(min, UNITS_MAX, { description });
export const price = (description: string, min = 0) => exact({ integer: 19, fraction: 4, min }, { description });
const holdLocation = (description: string) => identifier(40, { description });

export const PickTicketGenerate = named(
  'PickTicketGenerate',
  object({
    storeId: id('Web store of the orders, as in the path'),
    nodeId: id('Node of the orders, as in the path'),
    queueId: id('Queue the orders are on'),
    userId: login('Login of the user who will pick'),
    fulfillmentOrderIds: list(
      id('A fulfillment order'),
      { min: 1, max: ORDERS_MAX },
      { description: 'Orders to pick together, each once; of one currency and one fulfillment type' },
    ),
    ...associate('Associate who makes the change'),
  }),
);
export type PickTicketGenerate = Static<typeof PickTicketGenerate>;

/** The item as the order's line keeps it; a field the item lacked is "". */
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
        type: Type.String({ description: 'May be ignored' }),
        value: Type.String({ description: 'The scanned code' }),
      }),
    ),
  }),
);
export type PickTicketItemDetails = Static<typeof PickTicketItemDetails>;

/** What customers asked for lines that an item stands for, a gift message for example. */
export const itemInstructions = () =>
  Type.Optional(
    Type.Array(
      object({
        fulfillmentOrderId: id('Order of the line'),
        webLineId: id('Line of the web order'),
        type: text(1, 40, { description: 'For example GIFT_MESSAGE' }),
        text: text(0, 1000, { description: 'The text', 'x-secret': true }),
      }),
      { description: 'Instructions of the lines that the item is for; left out where there are none' },
    ),
  );

const tote = text(1, 2, {
  description: 'Letter of the tote that the units of the order go into: A, B, C in the order of the ids',
});

/** The orders of a ticket: for each the tote that its units go into. */
export const PickTicketOrder = named(
  'PickTicketOrder',
  object({
    fulfillmentOrderId: id('An order of the ticket'),
    tote,
    customerName: Type.Optional(
      text(1, 200, {
        description: 'Name of the customer; left out once it is anonymized',
        'x-secret': true,
      }),
    ),
    dueAt: Type.Optional(
      dateTime({ description: 'When the order must be picked, or brought back; only while the ticket is open' }),
    ),
  }),
);
export type PickTicketOrder = Static<typeof PickTicketOrder>;

/** Units of an item that are for one order. */
export const PickTicketShare = named(
  'PickTicketShare',
  object({
    fulfillmentOrderId: id('The order that waits for these units'),
    tote,
    quantity: units(1, 'Units of the item for this order'),
    pickedQuantity: Type.Optional(
      units(0, 'Units found that go to this order; while the ticket is open, orders are filled from A on'),
    ),
    canceledQuantity: Type.Optional(
      units(1, 'Units that this order goes without, by what has been declined so far; left out where there are none'),
    ),
    customerCanceledQuantity: Type.Optional(
      units(1, 'Units that the customer has canceled meanwhile; only while the ticket is open and where there are any'),
    ),
  }),
);
export type PickTicketShare = Static<typeof PickTicketShare>;

/** Address of an item's picture, as the order's line keeps it. */
export const imageUrl = Type.Optional(text(1, 255, { description: 'Address of a picture of the item' }));

/** Units of one item at one unit price, of all the ticket's orders. */
export const PickTicketItem = named(
  'PickTicketItem',
  object({
    id: integer(1, ITEMS_MAX, { description: 'Number of the item on the ticket, 1 to n' }),
    itemDetails: ref<PickTicketItemDetails>('PickTicketItemDetails'),
    quantity: units(1, 'Units to pick'),
    unitPrice: price('Price of one unit on the orders'),
    retailPrice: Type.Optional(price('Price on the shelf; only where the node item feed has one', 0.01)),
    pickLocation: Type.Optional(text(1, 40, { description: 'Where the item lies; only from the node item feed' })),
    pickedQuantity: Type.Optional(units(0, 'Units found; absent on a new ticket')),
    canceledQuantity: Type.Optional(units(0, 'Units declined; absent on a new ticket')),
    cancellationReasonCode: Type.Optional(text(0, 40, { description: 'Only where canceledQuantity is above 0' })),
    instructions: itemInstructions(),
    imageUrl,
    orders: list(
      ref<PickTicketShare>('PickTicketShare'),
      { min: 1, max: ORDERS_MAX },
      { description: 'The orders that the units are for' },
    ),
    ...itemExtras,
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
    userId: text(1, 64),
    status: oneOf(['NEW'], { description: 'Status of the ticket: a new one is NEW' }),
    holdLocation: text(1, 40, { description: 'Suggested place for the picked goods: the node’s least used one' }),
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

/** What generate answers for an item beside its number; accepted and not read (docs/interface.md#fields-sent-back). */
const shownOfItem = {
  ...ignoredFields('unitPrice', 'retailPrice', 'pickLocation', 'instructions', 'imageUrl', 'orders'),
  ...ignoredExtras,
};

export const PickTicketItemAnswer = named(
  'PickTicketItemAnswer',
  object({
    id: integer(1, ITEMS_MAX, { description: 'Number of the item on the ticket' }),
    itemId: id('Item of that number'),
    quantity: Type.Optional(units(0, 'Units to pick, as on the ticket')),
    pickedQuantity: Type.Optional(units(0, 'Units found; left out: the rest of canceledQuantity')),
    canceledQuantity: Type.Optional(units(0, 'Units declined; left out: the rest of pickedQuantity')),
    cancellationReasonCode: Type.Optional(
      text(0, 40, { description: 'Cancel reason of the client; required where canceledQuantity is above 0' }),
    ),
    itemDetails: Type.Optional(
      object({
        itemId: Type.Optional(id('Must agree with itemId')),
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
};

export const PickTicketConfirm = named(
  'PickTicketConfirm',
  object({
    action: oneOf(['CONFIRM'], { description: 'CONFIRM answers for every item and closes the ticket' }),
    ...common,
    holdLocation: holdLocation('Where the picked goods were put'),
    pickTicketItems: list(
      ref<PickTicketItemAnswer>('PickTicketItemAnswer'),
      { min: 1, max: ITEMS_MAX },
      { description: 'An answer for every item of the ticket' },
    ),
  }),
);
export type PickTicketConfirm = Static<typeof PickTicketConfirm>;

export const PickTicketReset = named(
  'PickTicketReset',
  object({
    action: oneOf(['RESET'], { description: 'RESET gives the orders back as they were and closes the ticket' }),
    ...common,
    ...ignoredFields('holdLocation', 'pickTicketItems'),
  }),
);
export type PickTicketReset = Static<typeof PickTicketReset>;

export const PickTicketUpdate = named(
  'PickTicketUpdate',
  object({
    ...associate('Associate who makes the change'),
    pickTicketDetails: Type.Unsafe<PickTicketConfirm | PickTicketReset>({
      anyOf: [ref('PickTicketConfirm'), ref('PickTicketReset')],
      description: 'CONFIRM answers for every item; RESET carries only the common fields',
    }),
  }),
);
export type PickTicketUpdate = Static<typeof PickTicketUpdate>;

/** Named schemas of picking, for the document. */
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
