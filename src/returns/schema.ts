/**
 * Request and response schemas of returns: a return with its lines, receipts and refunds, and the requests of its
 * operations.
 */
import { allowedActions } from '../kernel/allowed.ts';
import { RETURN_RULES } from '../kernel/returns/eligibility.ts';
import { limitParam } from '../platform/http/list-page.ts';
import { PAGE_SIZE_MAX } from '../platform/http/page.ts';
import {
  dateTime,
  exact,
  flag,
  identifier,
  integer,
  list,
  named,
  object,
  oneOf,
  ref,
  type Static,
  type TSchema,
  Type,
  text,
} from '../platform/schema.ts';
import { LINES_MAX, QUANTITY_MAX } from '../shared/limits.ts';
import { DISPOSALS, DISPOSITIONS } from '../shared/return-settings.ts';
import { REFUND_STATES, RETURN_STATES } from '../shared/return-states.ts';
import { ContactFilter, Currency, ID_MAX, id, login } from '../shared/shapes.ts';
import { statusFields } from '../shared/status.ts';

const { Optional } = Type;

/** Maximum number of lines of a request or receipt. */
const RETURN_LINES_MAX = 1_000;
/** Upper bound of lists without a documented limit. */
const MANY = 10_000_000;
const SUM_MAX = Number.MAX_SAFE_INTEGER;

const number = (description: string) => identifier(ID_MAX, { description });
const commandId = (description: string) => identifier(64, { description });
const position = (description: string) => integer(1, 1_000_000, { description });
const quantity = (description: string) => integer(1, QUANTITY_MAX, { description });
const sum = (description: string) => integer(0, SUM_MAX, { description });
const note = (description: string) => Optional(text(1, 1_000, { description, 'x-secret': true }));
const reasonCode = (description: string) => Optional(identifier(40, { description }));
const words = (description: string) => text(1, 200, { description });
const trackingNumber = (description: string) => Optional(number(description));
const customerRef = Optional(
  identifier(ID_MAX, {
    description: 'Your reference for the customer. The service removes the reference with the data of the customer',
    'x-secret': true,
  }),
);
const amount = (description: string) => exact({ integer: 28, fraction: 4, min: 0 }, { description });

const RETURN_KINDS = ['IN_STORE', 'BY_MAIL', 'CARRIER', 'BLIND'] as const;
const kind = oneOf(RETURN_KINDS, {
  description: 'Way in which the goods are returned. BLIND: in a store, without an order',
});
const state = oneOf(RETURN_STATES, { description: 'State of the return' });

const sums = {
  requested: sum('Units that the request announced'),
  sellable: sum('Returned units that are for sale'),
  damaged: sum('Returned units that are not for sale'),
  held: sum('Returned units that wait for a decision'),
  givenBack: sum('Inspected units that the customer keeps'),
  missing: sum('Units that did not arrive'),
  over: sum('Units that arrived without a request'),
  open: sum('Units that may still arrive'),
};

const ofOrder = {
  fulfillmentOrderId: Optional(id('Order of the units. Absent for units without an order')),
  webLineId: Optional(id('Line of the order')),
};

const returnLine = object({
  position: position('Line of the return, from 1'),
  ...ofOrder,
  itemId: identifier(128, { description: 'Item of the units' }),
  reason: reasonCode('Reason of the customer'),
  note: Optional(text(1, MANY, { description: 'Note on the line', 'x-secret': true })),
  ...sums,
});

const receiptEntry = object({
  position: position('Line that has the units'),
  itemId: identifier(128, { description: 'Item of the units' }),
  quantity: integer(-SUM_MAX, SUM_MAX, { description: 'Number of units. Negative in a correction' }),
  condition: Optional(identifier(40, { description: 'Condition as sent' })),
  disposition: oneOf(DISPOSITIONS, { description: 'Place of the units' }),
  reason: reasonCode('Reason as sent'),
  note: note('Note as sent'),
});

const receipt = named(
  'ReturnReceipt',
  object({
    receiptId: commandId('Id that the caller chose'),
    nodeId: id('Node that has the goods'),
    userId: login('User who counted the units'),
    at: dateTime({ description: 'Time at which the goods were counted' }),
    corrects: Optional(commandId('Receipt that this receipt corrects')),
    lines: list(receiptEntry, { max: MANY }, { description: 'Counted units by line of the return' }),
  }),
);

const wants = object(
  { itemId: identifier(128, { description: 'Item that the customer wants' }), quantity: quantity('Units') },
  { description: 'Items that the customer wants instead of the line' },
);

const exchange = object({
  line: position('Line of the return'),
  wants,
  fulfillmentOrderId: Optional(id('Order for the exchange')),
});

/** The money of a refund. */
const refundAmounts = {
  fulfillmentOrderId: id('Order whose charge is refunded'),
  amount: amount('Amount to refund, in the minor digits of the currency'),
  currency: Currency,
  collectedAtDoor: amount('Part of the amount that was paid in cash'),
  shipping: amount(
    'Header charges and header tax in the refund, such as shipping; at most `amount` and `fee` together',
  ),
  fee: amount('Fee of the return, already subtracted from the amount'),
  basis: oneOf(['CHARGED', 'COMPUTED'], {
    description:
      'CHARGED: the refund is from recorded charges; COMPUTED: a charge has no recorded amounts, so the service computed the refund',
  }),
};

export const refund = named(
  'Refund',
  object({
    refundId: identifier(64, { description: 'Id of the refund, assigned by the service' }),
    returnId: identifier(64, { description: 'Return that causes the refund' }),
    number: number('Number of the return'),
    storeId: id('Web store of the return'),
    ...refundAmounts,
    status: oneOf(REFUND_STATES, {
      description:
        'DUE: the outcome is not reported yet; DONE: the customer has the money; FAILED: the payment failed, but the refund can still become DONE; CANCELED: the refund is no longer due',
    }),
    reference: Optional(text(1, 100, { description: 'Your reference for the payment' })),
    failure: Optional(text(1, 200, { description: 'Reason why the payment of the refund failed' })),
    dueAt: dateTime({ description: 'Time at which the refund became due' }),
    answeredAt: Optional(dateTime({ description: 'Time at which the outcome of the refund was reported' })),
  }),
);
export type Refund = Static<typeof refund>;

const returnMembers = {
  returnId: identifier(64, {
    description: 'Id of the return, assigned by the service. Paths with a nodeId use this id',
  }),
  number: number('Number of the return in the web store. Paths with a storeId use this number'),
  storeId: id('Web store'),
  kind,
  state,
  revision: sum('Revision of the return, which increases with every change'),
  expectedNodeId: Optional(id('Node at which the goods are expected')),
  nodeId: Optional(
    id('Node of the first receipt since the return was last REQUESTED, CANCELED or EXPIRED; absent in these states'),
  ),
  trackingNumber: trackingNumber('Tracking number of the parcel'),
  inTransitAt: Optional(dateTime({ description: 'Time at which the carrier got the parcel' })),
  expiresAt: Optional(dateTime({ description: 'Time at which the return expires if its goods do not arrive' })),
  closedAt: Optional(dateTime({ description: 'Time at which the return was closed' })),
  customerRef,
  note: note('Note on the return'),
  overrideReason: Optional(words('Reason why a lead accepted the return after the return window')),
  createdAt: dateTime({ description: 'Time at which the return was created' }),
  createdBy: text(1, 200, { description: 'Caller who created the return, written like the actor of an event' }),
  lines: list(returnLine, { max: MANY }, { description: 'Lines by position' }),
  totals: object(sums, { description: 'Units of all lines' }),
  allowedActions,
};

const customerName = Optional(
  text(1, 255, {
    description:
      'Name of the customer. Absent if you have no permission to read the order, or if the data is anonymized',
    'x-secret': true,
  }),
);

/** A return without receipts, refunds and exchanges, for the search. */
export const returnSummary = named(
  'ReturnSummary',
  object({
    ...returnMembers,
    orders: list(
      object({
        fulfillmentOrderId: id('Order'),
        webOrderId: id('Identifier of the order in the web store'),
        customerName,
      }),
      { max: MANY },
      { description: 'Orders of the lines, in the order of the lines. Empty if all units are without an order' },
    ),
  }),
);
export type ReturnSummary = Static<typeof returnSummary>;

export const returnDetails = named(
  'Return',
  object({
    ...returnMembers,
    receipts: list(
      ref<Static<typeof receipt>>('ReturnReceipt'),
      { max: MANY },
      { description: 'Receipts, oldest first' },
    ),
    refunds: list(ref<Refund>('Refund'), { max: MANY }, { description: 'Refunds of the return, oldest first' }),
    exchanges: list(exchange, { max: MANY }, { description: 'Exchanges that the customer wants' }),
    stateChanges: Optional(
      list(
        object({
          state: oneOf(['CANCELED', 'EXPIRED', 'RECEIVING'], {
            description: 'State after the change. RECEIVING: a user reopened the closed return',
          }),
          at: dateTime({ description: 'Time of the change' }),
          actor: text(1, 200, { description: 'Caller, written like the actor of an event' }),
          userId: Optional(login('User who reopened the return')),
          name: Optional(
            text(1, 200, {
              description:
                'Name of this user or, without one, of the caller; for a credential its purpose. Absent if there is none',
            }),
          ),
          reason: Optional(words('Reason as sent')),
        }),
        { max: MANY },
        {
          description:
            'Cancellations, expiries and reopenings, oldest first, as long as the feed keeps their events. Only in the response of readReturn; absent if there is none',
        },
      ),
    ),
  }),
);
export type Return = Static<typeof returnDetails>;
export type ShownReceipt = Static<typeof receipt>;

export const receiptReply = named(
  'ReturnReceiptReply',
  object({
    receipt: ref<ShownReceipt>('ReturnReceipt'),
    return: ref<Return>('Return', { description: 'The return after the receipt' }),
  }),
);

const returnPointer = object({
  number: number('Number of the return'),
  returnId: identifier(64, { description: 'Id of the return, assigned by the service' }),
  state,
  lines: list(
    object({
      ...ofOrder,
      itemId: identifier(128, { description: 'Item of the units' }),
      quantity: sum('Announced and extra units of the line'),
    }),
    { max: MANY },
    { description: 'Units of the return by line' },
  ),
});

export const CheckMessage = named(
  'ReturnCheck',
  object({
    webOrderId: Optional(
      id('Number of the order in the web store. The result has all fulfillment orders of this order'),
    ),
    fulfillmentOrderId: Optional(id('Only this order')),
    trackingNumber: Optional(number('Tracking number of a package of the order, or of the return')),
    code: Optional(
      text(1, 500, {
        description:
          'Scanned code: id or number of an order, number of a return, or tracking number of a package or return',
      }),
    ),
  }),
);

export const checkReply = named(
  'ReturnCheckReply',
  object({
    orders: list(
      object({
        fulfillmentOrderId: id('Order'),
        webOrderId: id('Identifier of the order in the web store'),
        customerName,
        nodeId: id('Node of the order'),
        ...statusFields,
        currency: Currency,
        until: Optional(dateTime({ description: 'Last instant at which any line can be returned' })),
        lines: list(
          object({
            webLineId: id('Line of the order'),
            itemId: identifier(128, { description: 'Item' }),
            itemDesc: text(0, 4_000, { description: 'Description of the item at order intake' }),
            handedOverQuantity: sum('Units handed over to the customer or the carrier'),
            cameBackQuantity: sum('Units that were returned'),
            comingBackQuantity: sum('Units that open returns expect'),
            returnableQuantity: sum('Units that can be returned now'),
            refundAmount: amount('Refund for the returnable units, without header charges, header tax and fee'),
            until: Optional(dateTime({ description: 'Last instant at which the line can be returned' })),
            reasons: list(
              object({
                rule: oneOf(RETURN_RULES, { description: 'Rule that forbids the return' }),
                message: text(1, 1_000, { description: 'Text of the rule' }),
              }),
              { max: RETURN_RULES.length },
              { description: 'Rules that forbid the return of the line. Empty if the line can be returned' },
            ),
          }),
          { max: LINES_MAX },
        ),
      }),
      { max: MANY },
      { description: 'Orders found' },
    ),
    returns: list(
      returnPointer,
      { max: MANY },
      { description: 'Returns of these orders, and returns that match the field directly' },
    ),
  }),
);

const exchangeLines = Optional(
  list(
    object({ line: position('Line of the return. List a line only once'), wants }),
    { max: RETURN_LINES_MAX },
    { description: 'Items that the customer wants instead. Each entry causes an event exchange.requested' },
  ),
);
const overrideReason = Optional(
  words(
    'Reason to accept the return despite WINDOW_OVER, as free text. Allowed only with the permission or group `supervise`. The service removes the reason with the data of the customer',
  ),
);

export const CreateMessage = named(
  'ReturnRequest',
  object({
    number: Optional(number('Number of the return, unique in the store. Default: the next number of the service')),
    kind: Optional(
      oneOf(['BY_MAIL', 'CARRIER', 'IN_STORE'], {
        description: 'Way in which the goods are returned; default BY_MAIL',
      }),
    ),
    lines: list(
      object({
        fulfillmentOrderId: id('Order of the units; it must belong to the web store of the return'),
        webLineId: id('Line of the order'),
        quantity: quantity('Units to return'),
        reason: reasonCode('Reason of the customer, one of returns.reasons'),
        note: note('Note. Required with some reasons'),
      }),
      { min: 1, max: RETURN_LINES_MAX },
      { description: 'Units to return by order line. The service adds up lines with the same order line and reason' },
    ),
    expectedNodeId: Optional(id('Node at which the goods are expected')),
    trackingNumber: trackingNumber('Tracking number of the parcel'),
    expiresAt: Optional(
      dateTime({
        description:
          'Time at which the return expires if its goods do not arrive. Default: after the days in the setting returns.expireDays',
      }),
    ),
    customerRef,
    note: note('Note on the return'),
    exchangeLines,
    overrideReason,
  }),
);
export type CreateMessage = Static<typeof CreateMessage>;

export const CancelMessage = named(
  'ReturnCancel',
  object({ reason: Optional(words('Reason, as free text without names of customers')) }),
);

export const InTransitMessage = named(
  'ReturnInTransit',
  object({
    at: Optional(
      dateTime({ description: 'Time at which the carrier got the parcel, at most a day in the future; default: now' }),
    ),
    trackingNumber: trackingNumber('Tracking number of the parcel. If you leave it out, the number does not change'),
  }),
);

export const PageQuery = object({
  limit: limitParam(),
  after: Optional(identifier(64, { description: 'Begins after this record. Send `next` of the previous page' })),
});

export const SearchQuery = object({
  ...PageQuery.properties,
  order: Optional(
    oneOf(['asc', 'desc'], {
      description:
        'asc (default): the oldest return first. desc: the newest return first. Send the same `order` for every page',
    }),
  ),
});

export const SearchMessage = named(
  'ReturnSearch',
  object({
    number: Optional(number('Number of the return')),
    trackingNumber: Optional(number('Tracking number of the return')),
    webOrderId: Optional(id('Only returns of orders of this order of the web store')),
    fulfillmentOrderId: Optional(id('Only returns of this order')),
    customerRef,
    customer: Optional(ContactFilter),
    nodeId: Optional(id('Only returns that are expected or were received at this node')),
    states: Optional(
      list(state, { min: 1, max: RETURN_STATES.length }, { description: 'Only returns in one of these states' }),
    ),
    kind: Optional(kind),
    held: Optional(flag({ description: 'true: only returns with held units; false: only returns without held units' })),
    from: Optional(dateTime({ description: 'Only returns that were created at this instant or later' })),
    to: Optional(dateTime({ description: 'Only returns that were created at this instant or earlier' })),
  }),
);
export type SearchMessage = Static<typeof SearchMessage>;

/** A refund in the list of the client's refunds. */
export const listedRefund = named('ListedRefund', object({ ...refund.properties, customerName }));

/** Returns the schema of a page with records under `name`. */
export function pageOf<N extends string, S extends TSchema>(name: N, item: S) {
  return object({
    [name]: list(item, { max: PAGE_SIZE_MAX }, { description: 'Records of the page, sorted by time' }),
    next: Optional(text(1, 64, { description: 'Value of `after` for the next page; absent on the last page' })),
  });
}

const condition = (description: string) => identifier(40, { description });
const disposition = Optional(
  oneOf(DISPOSITIONS, { description: 'Place of the units. Default: the place of the condition in returns.conditions' }),
);

const takeLines = list(
  object({
    fulfillmentOrderId: Optional(id('Order of the units. Leave it out for units without papers')),
    webLineId: Optional(id('Line of the order. Default: the lines of the item that can be returned')),
    itemId: Optional(identifier(128, { description: 'Item. Required if you do not send webLineId' })),
    quantity: quantity('Units'),
    condition: condition('Condition of the units, one of returns.conditions'),
    disposition,
    reason: reasonCode('Reason of the customer, one of returns.reasons'),
    note: note('Note. Required with some reasons'),
  }),
  { min: 1, max: RETURN_LINES_MAX },
  { description: 'Units that the customer brings back' },
);
const keepOpen = Optional(flag({ description: 'true: the return stays open for further receipts; default false' }));

export const TakeMessage = named(
  'ReturnTake',
  object({
    takeId: commandId('Id of your choice, unique in the client. A request with the same id is a retry'),
    userId: login('User who takes the goods'),
    storeId: id('Web store of the orders'),
    number: Optional(number('Number of the return, unique in the store. Default: the next number of the service')),
    lines: takeLines,
    customerRef,
    note: note('Note on the return'),
    exchangeLines,
    overrideReason,
    keepOpen,
  }),
);
export type TakeMessage = Static<typeof TakeMessage>;

export const PreviewMessage = named(
  'ReturnPreviewMessage',
  object({
    returnId: Optional(identifier(64, { description: 'Return to close' })),
    userId: Optional(login('User who takes the goods or closes the return. Default: the signed-in user')),
    storeId: Optional(id('Web store of the orders')),
    lines: Optional(takeLines),
    overrideReason,
    keepOpen,
  }),
);

export type PreviewMessage = Static<typeof PreviewMessage>;

export const previewReply = named(
  'ReturnPreview',
  object({
    state: oneOf(['RECEIVING', 'CLOSED'], { description: 'State that the return would have' }),
    refunds: list(
      object(refundAmounts),
      { max: MANY },
      { description: 'Refunds that would become due, by order. Empty if no refund would become due' },
    ),
    canceledRefundIds: Optional(
      list(
        identifier(64),
        { max: MANY },
        {
          description:
            'Unpaid refunds of the orders, also of their other returns, that would be canceled; `refunds` has what remains of them. Absent if there is none',
        },
      ),
    ),
  }),
);

export const ReceiveMessage = named(
  'ReturnReceiptMessage',
  object({
    receiptId: commandId('Id of your choice, unique in the return. A request with the same id is a retry'),
    userId: login('User who counts'),
    at: Optional(
      dateTime({
        description:
          'Time at which the goods were counted, by the clock of the device; default: now. If the time is more than 5 minutes ahead of the service, or more than 366 days behind, the clock is wrong. The service then stores its own time in `at` of the receipt, and does not keep the time of the device',
      }),
    ),
    lines: list(
      object({
        position: Optional(position('Line of the return. Required if you do not send itemId')),
        itemId: Optional(
          identifier(128, {
            description:
              'Item of the units. Required if you do not send `position`. The line that expects this item gets the units',
          }),
        ),
        quantity: integer(-QUANTITY_MAX, QUANTITY_MAX, {
          description: 'Number of units. Negative if you send `corrects`',
        }),
        condition: Optional(
          condition('Condition of the units, one of returns.conditions. Required if you do not send `disposition`'),
        ),
        disposition,
        reason: reasonCode('Reason of the customer, one of returns.reasons'),
        note: note('Note. Required with some reasons'),
      }),
      { min: 1, max: RETURN_LINES_MAX },
      { description: 'Counted units by line of the return or by item' },
    ),
    corrects: Optional(
      commandId('Receipt to correct. All lines of this message must then be negative and have position and place'),
    ),
    over: Optional(
      flag({ description: 'true: the service also receives units that were not requested; default false' }),
    ),
  }),
);
export type ReceiveMessage = Static<typeof ReceiveMessage>;

export const DisposeMessage = named(
  'ReturnDispose',
  object({
    disposeId: commandId('Id of your choice, unique in the return. A request with the same id is a retry'),
    userId: login('User who decides'),
    lines: list(
      object({
        position: position('Line of the return'),
        quantity: quantity('Number of units, at most the held units at this node'),
        to: oneOf(DISPOSALS, {
          description:
            'Decision on the units. SHELF: for sale; DAMAGED: kept as damaged; SUPPLIER: returned to the vendor; COUNT: written off; CUSTOMER: given back to the customer',
        }),
        reason: Optional(words('Reason, as free text without names of customers')),
      }),
      { min: 1, max: RETURN_LINES_MAX },
      { description: 'Decisions on held units by line of the return' },
    ),
  }),
);

export const MatchMessage = named(
  'ReturnMatch',
  object({
    matchId: commandId('Id of your choice, unique in the return. A request with the same id is a retry'),
    userId: login('User who matches'),
    lines: list(
      object({
        position: position('Line of the return without an order'),
        fulfillmentOrderId: id('Order with which the units are matched; it must belong to the web store of the return'),
        webLineId: id('Line of the order; it must have the same item'),
        quantity: quantity('Units'),
      }),
      { min: 1, max: RETURN_LINES_MAX },
      { description: 'Units without papers, with the order lines to which the units belong' },
    ),
  }),
);
export type MatchMessage = Static<typeof MatchMessage>;

export const CloseMessage = named(
  'ReturnClose',
  object({
    closeId: commandId('Id of your choice, unique in the return. A request with the same id is a retry'),
    userId: login('User who closes'),
  }),
);

export const ReopenMessage = named(
  'ReturnReopen',
  object({ userId: login('User who reopens'), reason: words('Reason, as free text without names of customers') }),
);

export const AnswerMessage = named(
  'RefundAnswer',
  object({
    outcome: oneOf(['DONE', 'FAILED'], {
      description: 'DONE: the customer has the money; FAILED: the customer does not have it yet',
    }),
    reference: Optional(text(1, 100, { description: 'Your reference for the payment' })),
    failure: Optional(words('Reason of the failure. Allowed only with the outcome FAILED')),
  }),
);

/** Named schemas of returns, for the OpenAPI document. */
export const returnSchemas = [
  receipt,
  refund,
  returnSummary,
  listedRefund,
  returnDetails,
  receiptReply,
  CheckMessage,
  checkReply,
  CreateMessage,
  CancelMessage,
  InTransitMessage,
  SearchMessage,
  TakeMessage,
  PreviewMessage,
  previewReply,
  ReceiveMessage,
  DisposeMessage,
  MatchMessage,
  CloseMessage,
  ReopenMessage,
  AnswerMessage,
] as const;
