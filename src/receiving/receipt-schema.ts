/**
 * Request and response schemas of arriving goods: the worklist of a node, a shipment with its sums, and the requests
 * for receiving.
 */
import { allowedActions } from '../kernel/allowed.ts';
import { CARTON_STATES } from '../kernel/arrivals/carton-states.ts';
import { SHIPMENT_STATES } from '../kernel/arrivals/states.ts';
import { WHOLE_AS } from '../kernel/arrivals/sums.ts';
import { listParams, nextFields } from '../platform/http/list-page.ts';
import { PAGE_SIZE_MAX } from '../platform/http/page.ts';
import {
  dateTime,
  flag,
  identifier,
  integer,
  list,
  named,
  object,
  oneOf,
  plainDate,
  ref,
  type Static,
  Type,
  text,
} from '../platform/schema.ts';
import { clockMembers } from '../shared/device-time.ts';
import { login } from '../shared/shapes.ts';
import { ediSource, INBOUND_TYPES } from './schema.ts';

const { Optional } = Type;

/** Maximum number of cartons and lines of one receipt, counted together. */
export const ENTRIES_MAX = 1_000;
const UNITS_MAX = 1_000_000;
const SUM_MAX = Number.MAX_SAFE_INTEGER;
/**
 * Upper bound of lists without a documented limit. It exceeds the 20,000 lines of a shipment and its unannounced keys.
 */
const MANY = 10_000_000;
const REASON_MAX = 40;

const cartonId = (description = 'Carton, as announced or as on its label') => identifier(64, { description });
const itemId = (description = 'Item') => identifier(128, { description });
const reason = (description: string) => text(1, REASON_MAX, { description });
const commandId = (description: string) => identifier(64, { description });
const sum = (description: string) => integer(0, SUM_MAX, { description });
const units = (description: string) => integer(1, UNITS_MAX, { description });

const to = Optional(
  oneOf(['SHELF', 'STAGE'], { description: 'Destination of good units; default: `receiveTo` of the node' }),
);
const location = Optional(identifier(40, { description: 'Bin of the units, kept as sent' }));

const inboundSums = named(
  'InboundSums',
  object({
    announced: sum('Units announced'),
    good: sum('Good units, for sale'),
    damaged: sum('Damaged units, kept but not for sale'),
    refused: sum('Units sent back with the driver'),
    held: sum('Units received but not decided yet'),
    over: sum('Units beyond those announced'),
    short: sum('Missing units of a closed shipment'),
    open: sum('Units that may still arrive while the shipment is not closed'),
  }),
);
export type InboundSums = Static<typeof inboundSums>;

const sumMembers = inboundSums.properties;
const keyMembers = {
  cartonId: Optional(cartonId()),
  itemId: itemId(),
  clientItemId: identifier(128, { description: 'Item id of the retailer' }),
  lineNumbers: list(text(0, 64), { max: MANY }, { description: "The partner's numbers of the lines with these units" }),
};

const keySums = named('InboundKeySums', object({ ...keyMembers, ...sumMembers }));
type KeySums = Static<typeof keySums>;

const shipmentSums = named(
  'InboundShipmentSums',
  object({
    keys: list(
      ref<KeySums>('InboundKeySums'),
      { max: MANY },
      {
        description:
          'Each carton and item of an ASN or each item of a PO, with or without receipts; then the unannounced keys',
      },
    ),
    cartons: list(object({ cartonId: cartonId(), ...sumMembers }), { max: MANY }, { description: 'Sums per carton' }),
    items: list(object({ itemId: itemId(), ...sumMembers }), { max: MANY }, { description: 'Sums per item' }),
    total: ref<InboundSums>('InboundSums', {
      description:
        'Sums over all keys of the shipment; missing units of one key are not offset against excess units of another',
    }),
  }),
);
export type ShipmentSums = Static<typeof shipmentSums>;

const shipmentState = oneOf(SHIPMENT_STATES, {
  description:
    'EXPECTED: nothing was received; RECEIVING: receiving has started; CLOSED: no more units are expected, and missing units count as `short`',
});

const wantedOrder = object({
  itemId: itemId(),
  fulfillmentOrderId: identifier(40, { description: 'Open order of the node' }),
  storeId: identifier(40, { description: 'Web store of the order' }),
  quantity: integer(1, UNITS_MAX, { description: 'Units still to be picked' }),
  dueAt: Optional(dateTime({ description: 'Time at which the current step of the order is due' })),
});
/** Maximum number of orders in a hint. */
export const WANTED_MAX = 50;
const wanted = Optional(
  list(
    wantedOrder,
    { max: WANTED_MAX },
    { description: 'Open orders of the node with these items, soonest due first: a hint, not a reservation' },
  ),
);

const wholeCarton = object({
  cartonId: cartonId('Carton that was scanned whole'),
  as: oneOf(WHOLE_AS, { description: 'How all open units of the carton are booked' }),
  reason: Optional(reason('Reason, for example for the damage')),
  to,
  location,
});

const signed = (description: string) => Optional(integer(-UNITS_MAX, UNITS_MAX, { description }));

const receiptLine = object({
  cartonId: Optional(cartonId('Carton of the units')),
  itemId: Optional(itemId('Item; required without `clientItemId`')),
  clientItemId: Optional(identifier(128, { description: 'Item id of the retailer; required without `itemId`' })),
  good: signed('Units for sale'),
  damaged: signed('Damaged units that are kept'),
  refused: signed('Units sent back with the driver'),
  held: signed('Units received that a user must decide later'),
  reason: Optional(reason('Why the units are damaged, `refused` or held')),
  to,
  location,
});

export const ReceiptMessage = named(
  'InboundReceiptMessage',
  object({
    receiptId: commandId('Id of your choice, unique in the shipment; sending it again is a retry'),
    userId: login('User who receives'),
    at: Optional(
      dateTime({
        description:
          'Time at which the goods were received; default: now. If the clock of the device is wrong, the receipt has the time of the service, and `deviceAt` has the time of the device',
      }),
    ),
    cartons: Optional(list(wholeCarton, { max: ENTRIES_MAX }, { description: 'Cartons that were scanned whole' })),
    lines: Optional(
      list(
        receiptLine,
        { max: ENTRIES_MAX },
        {
          description: 'Counted units of this receipt, not running totals. Negative only with `corrects`',
        },
      ),
    ),
    unannounced: Optional(flag({ description: 'true: also accepts unannounced goods, which are held until approved' })),
    corrects: Optional(
      identifier(200, { description: 'Receipt or match to correct; the lines sent can then have negative units' }),
    ),
  }),
);
export type ReceiptMessage = Static<typeof ReceiptMessage>;

const entryMembers = {
  ...keyMembers,
  good: integer(-SUM_MAX, SUM_MAX),
  damaged: integer(-SUM_MAX, SUM_MAX),
  refused: integer(-SUM_MAX, SUM_MAX),
  held: integer(-SUM_MAX, SUM_MAX),
  reason: Optional(reason('Reason as sent')),
  to: Optional(oneOf(['SHELF', 'STAGE'], { description: 'Destination of the good units' })),
  location: Optional(identifier(40, { description: 'Bin of the units' })),
};

const matchedShipment = object({
  type: oneOf(INBOUND_TYPES, { description: 'ASN, PO or BLIND' }),
  number: identifier(64, { description: 'Number of the shipment' }),
  sellerId: text(0, 40, { description: 'Seller of the shipment' }),
});

const inboundReceived = named(
  'InboundBookedReceipt',
  object({
    receiptId: text(1, 200, {
      description: 'Id of the receipt; for a match, the shipment that the goods came from or went to',
    }),
    userId: login('User who received'),
    at: dateTime({
      description:
        'Time at which the goods were received, as sent, or the time of the service if the clock of the device is wrong',
    }),
    ...clockMembers,
    corrects: Optional(text(1, 200, { description: 'Receipt that this receipt corrects' })),
    unannounced: Optional(Type.Literal(true, { description: 'The receipt also accepted unannounced goods' })),
    matched: Optional(matchedShipment),
    cartons: list(wholeCarton, { max: ENTRIES_MAX }, { description: 'Cartons scanned whole' }),
    lines: list(
      object(entryMembers),
      { max: MANY },
      { description: 'Booked units; negative if a correction takes them back' },
    ),
    wanted,
  }),
);
export type InboundReceived = Static<typeof inboundReceived>;

export const receiptReply = named(
  'InboundReceiptReply',
  object({
    receipt: ref<InboundReceived>('InboundBookedReceipt'),
    sums: ref<ShipmentSums>('InboundShipmentSums'),
    state: shipmentState,
  }),
);

const statementLine = object({
  ...keyMembers,
  announced: sum('Units announced'),
  good: sum('Units for sale'),
  damaged: sum('Damaged units'),
  refused: sum('Units sent back'),
  held: sum('Always 0: held units are decided before the close'),
  short: sum('Missing units'),
  over: sum('Units beyond those announced'),
  reasons: list(reason('Reason from a receipt or from the close'), { max: MANY }),
  broughtByAsns: Optional(
    integer(1, SUM_MAX, {
      description:
        'The part of the `short` units that had arrived with ASNs of the PO before the close. Present only for a PO',
    }),
  ),
});

export const inboundStatement = named(
  'InboundStatement',
  object({
    version: integer(1, UNITS_MAX, { description: 'Each close adds one; older versions stay readable' }),
    closeId: text(1, 64, { description: 'Id of the close of the shipment' }),
    userId: login('User who closed the shipment'),
    closedAt: dateTime(),
    lines: list(
      statementLine,
      { max: MANY },
      { description: 'ASN: one line for each item in each carton. PO: one line for each item' },
    ),
    totals: ref<InboundSums>('InboundSums', { description: 'Sums of the lines' }),
  }),
);
export type InboundStatement = Static<typeof inboundStatement>;

const holder = object(
  {
    userId: login('User who counts the carton'),
    userName: Optional(text(1, 200, { description: 'Name of that user' })),
    since: dateTime({ description: 'Start of the count' }),
  },
  {
    description:
      'User who is counting the carton. Until this count ends or lapses, no user can receive the carton with one scan',
  },
);

const announcedLine = object({
  cartonId: Optional(cartonId()),
  itemId: itemId(),
  clientItemId: identifier(128, { description: 'Item id of the retailer' }),
  lineNumber: Optional(text(0, 64, { description: "The partner's number of the line" })),
  announced: integer(1, UNITS_MAX, { description: 'Units announced' }),
  trailerNumber: Optional(text(1, 25)),
  purchaseOrder: Optional(text(1, 255, { description: 'Purchase order that the line delivers' })),
});

const approval = object({
  approvalId: text(1, 64),
  userId: login('User who approved'),
  at: dateTime({ description: 'Time of the approval' }),
  lines: list(object(entryMembers), { max: MANY }, { description: 'Units by the result of the decision' }),
});

const nodeInboundMembers = {
  type: oneOf(INBOUND_TYPES, { description: 'ASN, PO, or BLIND: goods without papers' }),
  number: identifier(64, { description: 'Number of the ASN or PO' }),
  sellerId: text(0, 40, { description: 'Seller; empty if unknown' }),
  state: shipmentState,
  expectedDate: Optional(plainDate({ description: 'Expected day of arrival, as sent' })),
};

export const nodeInbound = named(
  'NodeInbound',
  object({
    ...nodeInboundMembers,
    arrivedAt: Optional(dateTime({ description: 'Time at which the shipment arrived at the door' })),
    complete: flag({ description: 'true: no units are open' }),
    lines: list(announcedLine, { max: MANY }, { description: 'The announced lines' }),
    sums: ref<ShipmentSums>('InboundShipmentSums'),
    cartons: list(
      object({
        cartonId: cartonId(),
        state: oneOf(CARTON_STATES, {
          description:
            'EXPECTED: no unit was received; COUNTING: counted in part; RECEIVED: scanned whole or counted completely, or counted in part when the shipment was closed; DAMAGED, REFUSED: scanned whole with this result; MISSING: not received when the shipment was closed; UNEXPECTED: not announced',
        }),
        holder: Optional(holder),
      }),
      { max: MANY },
      { description: 'Announced cartons in the order of their lines, then the unexpected ones' },
    ),
    orders: Optional(
      list(
        object({
          itemId: itemId(),
          ordered: sum('Units of the purchase order'),
          announced: sum('Units that ASNs of the purchase order announce'),
          arrived: sum('Units that arrived, with or without an ASN'),
        }),
        { max: MANY },
        { description: 'Only for a PO: ordered, announced and arrived units per item' },
      ),
    ),
    receipts: list(
      ref<InboundReceived>('InboundBookedReceipt'),
      { max: MANY },
      { description: 'Receipts, oldest first' },
    ),
    approvals: list(approval, { max: MANY }, { description: 'Decisions on held units, oldest first' }),
    statements: list(
      ref<InboundStatement>('InboundStatement'),
      { max: MANY },
      { description: 'All versions of the statement, each complete' },
    ),
    reopenings: Optional(
      list(
        object({
          userId: login('User who reopened the shipment'),
          at: dateTime({ description: 'Time of the reopening' }),
          reason: reason('Reason as sent'),
        }),
        { max: MANY },
        { description: 'Reopenings, oldest first, as long as the feed keeps their events; absent if there is none' },
      ),
    ),
    matchedTo: Optional(matchedShipment),
    edi: Optional(ediSource()),
    allowedActions,
  }),
);

const nodeInboundSummary = named(
  'NodeInboundSummary',
  object({
    ...nodeInboundMembers,
    announcedQuantity: sum('Units announced'),
    receivedQuantity: sum('Units that arrived, in any condition'),
    cartons: sum('Announced and unexpected cartons'),
    cartonsDone: sum('Cartons that are neither expected nor being counted'),
    openQuantity: sum('Units that may still arrive'),
    heldQuantity: sum('Held units that wait for a decision'),
    late: flag({
      description:
        'true: the shipment was expected before today at the node, is not closed, and has no `coveredByAsns`',
    }),
    coveredByAsns: Optional(
      flag({
        description:
          'true: the shipment is a PO in the state EXPECTED, and its ASNs together have at least as many units. The goods are expected with these ASNs; close the PO after the ASNs',
      }),
    ),
    duplicateCartons: Optional(
      list(
        object({
          cartonId: text(1, 64, { description: 'Carton of this shipment' }),
          alsoIn: object(
            {
              nodeId: identifier(40, { description: 'Node of the other shipment' }),
              type: Optional(oneOf(INBOUND_TYPES, { description: 'Type of the other shipment' })),
              number: Optional(text(1, 64, { description: 'Number of the other shipment' })),
              sellerId: Optional(text(0, 40, { description: 'Seller of the other shipment; empty if unknown' })),
            },
            {
              description:
                'The other shipment. Its type, number and seller are present only if the caller has access to this shipment',
            },
          ),
        }),
        { max: MANY },
        {
          description: 'Only with the parameter `duplicateCartons`: cartons that another open shipment also announces',
        },
      ),
    ),
  }),
);
type NodeInboundSummary = Static<typeof nodeInboundSummary>;

export const WorklistQuery = object({
  status: Optional(oneOf(SHIPMENT_STATES, { description: 'Only shipments in this state' })),
  type: Optional(oneOf(INBOUND_TYPES, { description: 'Only ASNs, POs or goods without papers' })),
  expectedFrom: Optional(plainDate({ description: 'Only shipments that are expected on this day or later' })),
  expectedTo: Optional(plainDate({ description: 'Only shipments that are expected on this day or earlier' })),
  q: Optional(text(1, 64, { description: 'Part of a number in upper or lower case, or the whole id of a carton' })),
  duplicateCartons: Optional(
    oneOf(['true'], {
      description:
        'true: only open shipments that were expected today or in the last 7 days, and that have a carton which another open shipment also announces; at most 500. These are the cartons that `exceptions.duplicateCartons` in the work of the node counts',
    }),
  ),
  order: Optional(
    oneOf(['asc', 'desc'], {
      description:
        'desc: the shipments with the latest expected day first; send the same `order` with each page. Default asc',
    }),
  ),
  ...listParams('shipments', (description) => Optional(text(1, 1_000, { description }))),
});

export const worklistPage = object({
  inbound: list(
    ref<NodeInboundSummary>('NodeInboundSummary'),
    { max: PAGE_SIZE_MAX },
    { description: 'Shipments of the node, ordered by their expected day' },
  ),
  ...nextFields(1_000),
});

export const ArriveMessage = named(
  'InboundArrival',
  object({
    userId: login('User who reports the arrival'),
    at: Optional(dateTime({ description: 'Time at which the goods arrived at the door; default: now' })),
  }),
);

export const BlindMessage = named(
  'InboundBlind',
  object({
    number: identifier(40, {
      description: 'Number of your choice, unique per seller, for example the number of the delivery note',
    }),
    userId: login('User who receives'),
    sellerId: Optional(identifier(40, { description: 'Seller of the goods, if known' })),
  }),
);

export const MatchMessage = named(
  'InboundMatch',
  object({
    type: oneOf(['ASN', 'PO'], { description: 'Type of the late announcement: an ASN or a PO of this node' }),
    number: identifier(15, { description: 'Number of that ASN or PO' }),
    sellerId: Optional(
      identifier(40, { description: 'Seller of that ASN or PO; required if several sellers use the number' }),
    ),
    userId: Optional(
      login(
        'User who matches; default: the signed-in user, or without a session the user who opened the goods without papers',
      ),
    ),
  }),
);

export const matchReply = named(
  'InboundMatchReply',
  object({
    type: oneOf(['ASN', 'PO'], { description: 'ASN or PO' }),
    number: identifier(15, { description: 'Number of the ASN or PO' }),
    sellerId: identifier(40, { description: 'Seller of the ASN or PO' }),
    state: shipmentState,
    sums: ref<ShipmentSums>('InboundShipmentSums', { description: 'Sums of the shipment that has the goods now' }),
  }),
);

const closeReason = object({
  cartonId: Optional(cartonId('Carton that the reason applies to')),
  itemId: Optional(itemId('Item that the reason applies to')),
  reason: reason('Reason, as any text; without carton and item it applies to the whole shipment'),
});

export const CloseMessage = named(
  'InboundClose',
  object({
    closeId: commandId('Id of your choice; sending it again is a retry'),
    userId: login('User who closes'),
    reasons: Optional(list(closeReason, { max: 20_000 }, { description: 'Why units are short, over or damaged' })),
  }),
);

export type CloseMessage = Static<typeof CloseMessage>;

export const ReopenMessage = named(
  'InboundReopen',
  object({ userId: login('User who reopens'), reason: reason('Reason, any text') }),
);

const decided = (description: string) => Optional(units(description));

export const ApproveMessage = named(
  'InboundApproval',
  object({
    approvalId: commandId('Id of your choice; sending it again is a retry'),
    userId: login('User who decides'),
    lines: list(
      object({
        cartonId: Optional(cartonId()),
        itemId: itemId(),
        good: decided('Held units that are for sale'),
        damaged: decided('Held units that are damaged'),
        refused: decided('Held units that are sent back'),
        to,
        location,
      }),
      { min: 1, max: ENTRIES_MAX },
      { description: 'Decisions on held units by item, with its carton if the goods have cartons' },
    ),
  }),
);

export type ApproveMessage = Static<typeof ApproveMessage>;

export const stateReply = named(
  'InboundStateReply',
  object({ sums: ref<ShipmentSums>('InboundShipmentSums'), state: shipmentState }),
);

/** Named schemas of goods in, for the OpenAPI document. */
export const receiptSchemas = [
  inboundSums,
  keySums,
  shipmentSums,
  ReceiptMessage,
  inboundReceived,
  receiptReply,
  inboundStatement,
  nodeInbound,
  nodeInboundSummary,
  ArriveMessage,
  BlindMessage,
  MatchMessage,
  matchReply,
  CloseMessage,
  ReopenMessage,
  ApproveMessage,
  stateReply,
] as const;
