/** Wire shapes of the pick ticket operations beyond the interface's two: search, details, saved progress, take-over (docs/interface.md#operations-of-the-same-family). */

import { allowedActions } from '../kernel/allowed.ts';
import { lastPageId, PAGE_SIZE_MAX, pageEcho, pageMembers, totalsEcho } from '../platform/http/page.ts';
import {
  dateTime,
  identifier,
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
import { FULFILLMENT_TYPES } from '../shared/client-settings.ts';
import { itemExtras } from '../shared/extras.ts';
import { Currency, DateRange, id, login } from '../shared/shapes.ts';
import {
  ITEMS_MAX,
  imageUrl,
  itemInstructions,
  ORDERS_MAX,
  type PickTicketItemDetails,
  type PickTicketOrder,
  type PickTicketShare,
  price,
  units,
} from './schema.ts';

const { Optional } = Type;

const STATUSES = ['NEW', 'IN_PROGRESS', 'CLOSED'] as const;
const TYPES = ['PICK_TICKET', 'REVERSE_PICK_TICKET'] as const;
/** Most scans of one message. */
const SCANS_MAX = 500;

/** Filters of the pick ticket search. */
export const PickTicketSearch = named(
  'PickTicketSearch',
  object({
    storeId: id('Web store, as in the path'),
    nodeId: id('Node, as in the path'),
    queueId: id('Queue the tickets are for'),
    userId: login('Login of the user who searches; filters nothing'),
    pickTicket: Optional(
      object({
        pickTicketId: Optional(id('One ticket')),
        userId: Optional(login('Only tickets of this user')),
        fulfillmentTypes: Optional(
          list(oneOf(FULFILLMENT_TYPES), { min: 1, max: FULFILLMENT_TYPES.length }, { description: 'Any of these' }),
        ),
        pickTicketDateRange: Optional(DateRange),
        pickSLADateRange: Optional(DateRange),
        statuses: list(oneOf(STATUSES), { min: 1, max: STATUSES.length }, { description: 'Any of these' }),
      }),
    ),
    ...pageMembers,
    lastPageId,
  }),
);
export type PickTicketSearch = Static<typeof PickTicketSearch>;

const header = {
  pickTicketId: text(1, 40),
  storeId: text(1, 40),
  nodeId: text(1, 40),
  queueId: text(1, 40),
  userId: text(0, 64, {
    description: 'Login of the user who picks; "" on a reverse pick ticket that nobody has opened',
  }),
  status: oneOf(STATUSES, { description: 'Status of the ticket' }),
  outcome: Optional(oneOf(['CONFIRMED', 'RESET'], { description: 'How a closed ticket was closed' })),
  holdLocation: text(1, 40),
  fulfillmentType: oneOf(FULFILLMENT_TYPES),
  pickTicketType: oneOf(TYPES, { description: 'REVERSE_PICK_TICKET: brings picked units back to their shelf' }),
  pickTicketDate: dateTime(),
  pickSLADate: dateTime({ description: 'Earliest time by which an order of the ticket must be picked' }),
  leaseUntil: Optional(
    dateTime({
      description: 'When an opened ticket on which nobody works goes back to its queue; only while it is IN_PROGRESS',
    }),
  ),
  closedDate: Optional(dateTime()),
  currency: Currency,
  totalFulfillmentOrders: integer(1, ORDERS_MAX),
  totalSKUs: integer(1, ITEMS_MAX, { description: 'Distinct items' }),
  totalQuantity: units(1, 'Units of all items'),
  allowedActions,
};

export const PickTicketHeader = named('PickTicketHeader', object(header));
export type PickTicketHeader = Omit<Static<typeof PickTicketHeader>, 'fulfillmentType'> & { fulfillmentType: string };

export const PickTicketSearchReply = named(
  'PickTicketSearchReply',
  object({
    pickTickets: list(ref<PickTicketHeader>('PickTicketHeader'), { max: PAGE_SIZE_MAX }),
    ...pageEcho,
    ...totalsEcho,
  }),
);

/** What names the ticket whose details are wanted. */
export const PickTicketOpen = named(
  'PickTicketOpen',
  object({
    storeId: id('Web store, as in the path'),
    nodeId: id('Node, as in the path'),
    pickTicketId: id('Ticket, as in the path'),
    userId: Optional(
      login('Login of the user who opens it; only the ticket’s user opens a NEW ticket, others just read it'),
    ),
  }),
);
export type PickTicketOpen = Static<typeof PickTicketOpen>;

/** An item of a ticket with what has been done of it. */
export const PickTicketItemProgress = named(
  'PickTicketItemProgress',
  object({
    id: integer(1, ITEMS_MAX, { description: 'Number of the item on the ticket, 1 to n' }),
    itemDetails: ref<PickTicketItemDetails>('PickTicketItemDetails'),
    quantity: units(1, 'Units to pick'),
    unitPrice: price('Price of one unit on the orders'),
    retailPrice: Optional(price('Price on the shelf; only where the node item feed has one', 0.01)),
    pickLocation: Optional(text(1, 40, { description: 'Where the item lies' })),
    pickedQuantity: units(0, 'Units found so far, or in the end'),
    canceledQuantity: units(0, 'Units declined so far, or in the end'),
    cancellationReasonCode: Optional(
      text(1, 40, { description: 'Reason given last; only where canceledQuantity is above 0' }),
    ),
    customerCanceledQuantity: Optional(
      units(1, 'Units that the customer has canceled meanwhile: they need not be picked'),
    ),
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
export type PickTicketItemProgress = Static<typeof PickTicketItemProgress>;

const PickTicketDetails = named(
  'PickTicketDetails',
  object({
    ...header,
    fulfillmentOrderIds: list(text(1, 40), { min: 1, max: ORDERS_MAX }, { description: 'Orders of the ticket' }),
    orders: list(
      ref<PickTicketOrder>('PickTicketOrder'),
      { min: 1, max: ORDERS_MAX },
      { description: 'The same orders, with whose they are' },
    ),
    pickTicketItems: list(ref<PickTicketItemProgress>('PickTicketItemProgress'), { min: 1, max: ITEMS_MAX }),
  }),
);

export const PickTicketOpened = named('PickTicketOpened', object({ pickTicketDetails: ref('PickTicketDetails') }));

export const Scan = object({
  scanId: identifier(64, { description: 'The caller’s id of this scan: sending it again changes nothing' }),
  id: Optional(integer(1, ITEMS_MAX, { description: 'Number of the item on the ticket; or send code' })),
  code: Optional(identifier(40, { description: 'Scanned UPC, or the itemId; or send id' })),
  pickedQuantity: Optional(units(0, 'Units found with this scan; default 1 where nothing else is said')),
  canceledQuantity: Optional(units(0, 'Units found missing or broken')),
  cancellationReasonCode: Optional(text(0, 40, { description: 'Required where canceledQuantity is above 0' })),
  undoes: Optional(
    identifier(64, { description: 'scanId of the scan that this one takes back; then no quantity is sent' }),
  ),
});
export type Scan = Static<typeof Scan>;

export const PickProgress = named(
  'PickProgress',
  object({
    userId: login('Login of the user who picks: the ticket’s'),
    scans: list(Scan, { min: 1, max: SCANS_MAX }, { description: 'In the order in which they were made' }),
  }),
);
export type PickProgress = Static<typeof PickProgress>;

export const PickProgressReply = named(
  'PickProgressReply',
  object({
    pickTicketId: text(1, 40),
    status: oneOf(STATUSES, { description: 'Status of the ticket' }),
    saved: integer(0, SCANS_MAX, { description: 'Scans that were new' }),
    repeated: integer(0, SCANS_MAX, { description: 'Scans that were there already' }),
    leaseUntil: dateTime(),
    pickTicketItems: list(
      object({
        id: integer(1, ITEMS_MAX, { description: 'Number of the item on the ticket' }),
        itemId: text(1, 40),
        quantity: units(1, 'Units to pick'),
        pickedQuantity: units(0, 'Units found so far'),
        canceledQuantity: units(0, 'Units declined so far'),
      }),
      { min: 1, max: ITEMS_MAX },
    ),
    allowedActions,
  }),
);

/** What was found in truth of a confirmed ticket. */
export const PickTicketCorrection = named(
  'PickTicketCorrection',
  object({
    correctionId: identifier(64, { description: 'Your id of this correction: the same again changes nothing' }),
    userId: login('Login of the user who corrects'),
    reason: text(1, 200, { description: 'Why, in your words; names no customer' }),
    pickTicketItems: list(
      object({
        id: integer(1, ITEMS_MAX, { description: 'Number of the item on the ticket; once' }),
        pickedQuantity: units(0, 'Units found in all'),
        canceledQuantity: Optional(units(0, 'Units not found in all; default: the rest')),
        cancellationReasonCode: Optional(
          text(1, 40, { description: 'Reason of units not found; default: the one of the CONFIRM, where it had one' }),
        ),
      }),
      { min: 1, max: ITEMS_MAX },
      { description: 'The items that were mis-keyed; the others stay as they are' },
    ),
    holdLocation: Optional(id('Where the goods of the ticket wait; default: where the CONFIRM said')),
  }),
);
export type PickTicketCorrection = Static<typeof PickTicketCorrection>;

export const PickTicketTakeOver = named(
  'PickTicketTakeOver',
  object({
    userId: login('Login of the user who goes on with the ticket'),
    fromUserId: login('Login of the user it is taken from: who the caller believes has it'),
    modifyAssociateId: login('Associate who makes the change'),
  }),
);
export type PickTicketTakeOver = Static<typeof PickTicketTakeOver>;

/** Named schemas of these operations, for the document. */
export const ticketSchemas = [
  PickTicketSearch,
  PickTicketHeader,
  PickTicketSearchReply,
  PickTicketOpen,
  PickTicketItemProgress,
  PickTicketDetails,
  PickTicketOpened,
  PickProgress,
  PickProgressReply,
  PickTicketTakeOver,
  PickTicketCorrection,
];
