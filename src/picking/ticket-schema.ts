/**
 * Request and response schemas of the pick ticket operations other than generate and update: search, details, saved
 * progress, take-over (docs/interface.md#operations-of-the-same-family).
 */

import { allowedActions } from '../kernel/allowed.ts';
import { ITEMS_MAX } from '../kernel/tickets/generate.ts';
import { lastPageId, PAGE_SIZE_MAX, pageEcho, pageMembers, totalsEcho } from '../platform/http/page.ts';
import {
  dateTime,
  flag,
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
import { Currency, DateRange, id, login } from '../shared/shapes.ts';
import { PickProgress, PickProgressReply, STATUSES } from './progress-schema.ts';
import { itemOfTicket, type PickTicketOrder, restOfItem } from './schema.ts';
import { ORDERS_MAX, TICKET_NOTES_MAX, units } from './shapes.ts';

const { Optional } = Type;

const TYPES = ['PICK_TICKET', 'REVERSE_PICK_TICKET'] as const;
/** Filters of the pick ticket search. */
export const PickTicketSearch = named(
  'PickTicketSearch',
  object({
    storeId: id('Web store, as in the path'),
    nodeId: id('Node, as in the path'),
    queueId: id('Queue of the tickets'),
    userId: login('Login of the user who searches. Does not filter the result'),
    pickTicket: Optional(
      object({
        pickTicketId: Optional(id('Only this ticket')),
        userId: Optional(login('Only tickets of this user')),
        fulfillmentTypes: Optional(
          list(
            oneOf(FULFILLMENT_TYPES),
            { min: 1, max: FULFILLMENT_TYPES.length },
            { description: 'Only tickets of these types' },
          ),
        ),
        pickTicketDateRange: Optional(DateRange),
        pickSLADateRange: Optional(DateRange),
        statuses: list(
          oneOf(STATUSES),
          { min: 1, max: STATUSES.length },
          { description: 'Only tickets in these statuses' },
        ),
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
    description: 'Login of the user who picks. "" on a reverse pick ticket that was not opened yet',
  }),
  status: oneOf(STATUSES, { description: 'Status of the ticket' }),
  outcome: Optional(oneOf(['CONFIRMED', 'RESET'], { description: 'Result of a closed ticket' })),
  holdLocation: text(1, 40),
  fulfillmentType: oneOf(FULFILLMENT_TYPES),
  pickTicketType: oneOf(TYPES, { description: 'A REVERSE_PICK_TICKET brings picked units back to their shelves' }),
  pickTicketDate: dateTime(),
  pickSLADate: dateTime({ description: 'Earliest time by which an order of the ticket must be picked' }),
  leaseUntil: Optional(
    dateTime({
      description:
        'End of the lease. If no work is saved until then, the ticket returns to its queue. Present only while the ticket is IN_PROGRESS',
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

/** Identifies the ticket to read or open. */
export const PickTicketOpen = named(
  'PickTicketOpen',
  object({
    storeId: id('Web store, as in the path'),
    nodeId: id('Node, as in the path'),
    pickTicketId: id('Ticket, as in the path'),
    userId: Optional(
      login(
        'Login of the user who opens the ticket. Only the user of the ticket can open a NEW ticket; other users only read the ticket',
      ),
    ),
    onlyRead: Optional(
      flag({ description: 'true: the request reads a NEW ticket and does not open it; default false' }),
    ),
  }),
);
export type PickTicketOpen = Static<typeof PickTicketOpen>;

/** An item of a ticket with its progress. */
export const PickTicketItemProgress = named(
  'PickTicketItemProgress',
  object({
    ...itemOfTicket,
    pickLocation: Optional(text(1, 40, { description: 'Pick location of the item' })),
    pickedQuantity: units(0, 'Units found so far; final once the ticket is closed'),
    canceledQuantity: units(0, 'Units declined so far; final once the ticket is closed'),
    cancellationReasonCode: Optional(
      text(1, 40, { description: 'Latest reason of the canceled units. Present only if canceledQuantity is above 0' }),
    ),
    customerCanceledQuantity: Optional(
      units(1, 'Units that the customer has canceled in the meantime; they need not be picked'),
    ),
    ...restOfItem,
  }),
);
export type PickTicketItemProgress = Static<typeof PickTicketItemProgress>;

const PickTicketDetails = named(
  'PickTicketDetails',
  object({
    ...header,
    userName: Optional(
      text(1, 200, { description: 'Name of the user of the ticket. Absent if the ticket has no user' }),
    ),
    fulfillmentOrderIds: list(text(1, 40), { min: 1, max: ORDERS_MAX }, { description: 'Orders of the ticket' }),
    orders: list(
      ref<PickTicketOrder>('PickTicketOrder'),
      { min: 1, max: ORDERS_MAX },
      { description: 'The orders of the ticket, with customer, tote and due time' },
    ),
    pickTicketItems: list(ref<PickTicketItemProgress>('PickTicketItemProgress'), { min: 1, max: ITEMS_MAX }),
    notes: Optional(
      list(
        object({
          fulfillmentOrderId: id('The order of the note'),
          notedDate: dateTime({ description: 'Time at which the note was added, in UTC' }),
          note: text(1, 1000, { description: 'The note', 'x-secret': true }),
        }),
        { min: 1, max: TICKET_NOTES_MAX },
        { description: 'The latest notes of the orders, the latest first. Present only while a pick ticket is open' },
      ),
    ),
  }),
);

export const PickTicketOpened = named('PickTicketOpened', object({ pickTicketDetails: ref('PickTicketDetails') }));

/** The corrected units of a confirmed ticket. */
export const PickTicketCorrection = named(
  'PickTicketCorrection',
  object({
    correctionId: identifier(64, {
      description: 'Your id for this correction. If you send the id again, nothing changes',
    }),
    userId: login('Login of the user who corrects'),
    reason: text(1, 200, { description: 'The reason, as free text without names of customers' }),
    pickTicketItems: list(
      object({
        id: integer(1, ITEMS_MAX, { description: 'Number of the item on the ticket. List an item only once' }),
        pickedQuantity: units(0, 'Number of all units that were found'),
        canceledQuantity: Optional(
          units(0, 'Number of all units that were not found. Default: the rest of the quantity'),
        ),
        cancellationReasonCode: Optional(
          text(1, 40, {
            description: 'Reason of the units that were not found. Default: the reason in the CONFIRM, if any',
          }),
        ),
      }),
      { min: 1, max: ITEMS_MAX },
      { description: 'Items whose quantities were wrong. The other items do not change' },
    ),
    holdLocation: Optional(id('Location of the goods; default: the location in the CONFIRM')),
  }),
);
export type PickTicketCorrection = Static<typeof PickTicketCorrection>;

export const PickTicketTakeOver = named(
  'PickTicketTakeOver',
  object({
    userId: login('Login of the user who takes over the ticket'),
    fromUserId: login(
      'Login of the user who has the ticket now. If another user has the ticket, the service rejects the request',
    ),
    modifyAssociateId: login('Associate who makes the change'),
  }),
);
export type PickTicketTakeOver = Static<typeof PickTicketTakeOver>;

/** Named schemas of the pick ticket operations in this file, for the OpenAPI document. */
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
