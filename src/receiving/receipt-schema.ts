/** Wire shapes of goods in: the worklist of a node, a shipment with its sums, and what is done with arrived goods. */
import { allowedActions } from '../kernel/allowed.ts';
import { CARTON_STATES, SHIPMENT_STATES, WHOLE_AS } from '../kernel/inbound.ts';
import { wholeParam } from '../platform/http/page.ts';
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
import { login } from '../shared/shapes.ts';
import { INBOUND_TYPES } from './schema.ts';

const { Optional } = Type;

/** Most cartons and lines of one receipt together. */
export const ENTRIES_MAX = 1_000;
const UNITS_MAX = 1_000_000;
const SUM_MAX = Number.MAX_SAFE_INTEGER;
/** Records of lists that no limit of ours bounds: a shipment of 20,000 lines, and what came beside it. */
const MANY = 10_000_000;
const REASON_MAX = 40;

const cartonId = (description = 'Carton, as it was announced or as its label says') => identifier(64, { description });
const itemId = (description = 'Item') => identifier(128, { description });
const reason = (description: string) => text(1, REASON_MAX, { description });
const commandId = (description: string) => identifier(64, { description });
const sum = (description: string) => integer(0, SUM_MAX, { description });
const units = (description: string) => integer(1, UNITS_MAX, { description });

const to = Optional(
  oneOf(['SHELF', 'STAGE'], { description: 'Where good units are put; default: receiveTo of the node' }),
);
const location = Optional(identifier(40, { description: 'Bin in which they lie, kept as sent' }));

const inboundSums = named(
  'InboundSums',
  object({
    announced: sum('Units announced (N)'),
    good: sum('Units taken in for sale (G)'),
    damaged: sum('Units kept, but not for sale (D)'),
    refused: sum('Units that went back with the driver (R)'),
    held: sum('Units taken in and not decided yet (H)'),
    over: sum('Units beyond those announced (O)'),
    short: sum('Units that did not come, once the shipment is closed (S)'),
    open: sum('Units that may still come, while it is not closed'),
  }),
);
export type InboundSums = Static<typeof inboundSums>;

const sumMembers = inboundSums.properties;
const keyMembers = {
  cartonId: Optional(cartonId()),
  itemId: itemId(),
  clientItemId: identifier(128, { description: 'Item as its retailer calls it' }),
  lineNumbers: list(text(0, 64), { max: MANY }, { description: "The partner's numbers of its lines" }),
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
        description: 'Each carton and item of an ASN, each item of a PO, untouched ones too; and what came beside them',
      },
    ),
    cartons: list(object({ cartonId: cartonId(), ...sumMembers }), { max: MANY }, { description: 'By carton' }),
    items: list(object({ itemId: itemId(), ...sumMembers }), { max: MANY }, { description: 'By item' }),
    total: ref<InboundSums>('InboundSums', { description: 'Of the whole shipment; nothing is netted between keys' }),
  }),
);
export type ShipmentSums = Static<typeof shipmentSums>;

const shipmentState = oneOf(SHIPMENT_STATES, {
  description: 'EXPECTED: nothing was received; RECEIVING; CLOSED: what is missing is short',
});

const wantedOrder = object({
  itemId: itemId(),
  fulfillmentOrderId: identifier(40, { description: 'Open order of the node' }),
  storeId: identifier(40, { description: 'Web store of the order' }),
  quantity: integer(1, UNITS_MAX, { description: 'Units that are still to be picked' }),
  dueAt: Optional(dateTime({ description: 'When its step is due' })),
});
/** Most orders that a hint names. */
export const WANTED_MAX = 50;
const wanted = Optional(
  list(
    wantedOrder,
    { max: WANTED_MAX },
    { description: 'Open orders of the node that want these items, soonest first: a hint, no reservation' },
  ),
);

const wholeCarton = object({
  cartonId: cartonId('A carton, scanned whole'),
  as: oneOf(WHOLE_AS, { description: 'What all units that are open of it are booked as' }),
  reason: Optional(reason('Why, for example of damaged or refused ones')),
  to,
  location,
});

const signed = (description: string) => Optional(integer(-UNITS_MAX, UNITS_MAX, { description }));

const receiptLine = object({
  cartonId: Optional(cartonId('Carton that the units were in')),
  itemId: Optional(itemId('Item, by its id ...')),
  clientItemId: Optional(identifier(128, { description: '... or as its retailer calls it' })),
  good: signed('Units for sale'),
  damaged: signed('Damaged units that are kept'),
  refused: signed('Units that went back with the driver'),
  held: signed('Units taken in that somebody must decide'),
  reason: Optional(reason('Why they are damaged, refused or held')),
  to,
  location,
});

export const ReceiptMessage = named(
  'InboundReceiptMessage',
  object({
    receiptId: commandId('Id of your choice, unique in the shipment; the same again is a repeat'),
    userId: login('Who receives'),
    at: Optional(dateTime({ description: 'When the goods were received; default: now' })),
    cartons: Optional(list(wholeCarton, { max: ENTRIES_MAX }, { description: 'Cartons that were scanned whole' })),
    lines: Optional(
      list(
        receiptLine,
        { max: ENTRIES_MAX },
        {
          description:
            'Units that were counted: what this receipt brings, no running totals. Negative only with corrects',
        },
      ),
    ),
    unannounced: Optional(flag({ description: 'Takes what was not announced too; it is held until approved' })),
    corrects: Optional(
      identifier(200, { description: 'The receipt or match that these lines correct; they may mix signs' }),
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
  reason: Optional(reason('As it was given')),
  to: Optional(oneOf(['SHELF', 'STAGE'], { description: 'Where the good units were put' })),
  location: Optional(identifier(40, { description: 'Bin in which they lie' })),
};

const matchedShipment = object({
  type: oneOf(INBOUND_TYPES, { description: 'ASN, PO or BLIND' }),
  number: identifier(64, { description: 'Its number' }),
  sellerId: text(0, 40, { description: 'Its seller' }),
});

const inboundReceived = named(
  'InboundBookedReceipt',
  object({
    receiptId: text(1, 200, { description: 'Its id; of a match, the shipment that the goods came from or went to' }),
    userId: login('Who received'),
    at: dateTime({ description: 'When, as was said' }),
    corrects: Optional(text(1, 200, { description: 'The receipt that it corrects' })),
    unannounced: Optional(Type.Literal(true, { description: 'It also took what was not announced' })),
    matched: Optional(matchedShipment),
    cartons: list(wholeCarton, { max: ENTRIES_MAX }, { description: 'Cartons that it took whole' }),
    lines: list(object(entryMembers), { max: MANY }, { description: 'What it booked, signed' }),
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
  held: sum('Always 0: held units are decided before'),
  short: sum('Units that did not come'),
  over: sum('Units beyond those announced'),
  reasons: list(reason('Of an entry or of the close'), { max: MANY }),
});

export const inboundStatement = named(
  'InboundStatement',
  object({
    version: integer(1, UNITS_MAX, { description: 'Each close makes the next; older ones stay readable' }),
    closeId: text(1, 64, { description: 'Id of the close' }),
    userId: login('Who closed'),
    closedAt: dateTime(),
    lines: list(statementLine, { max: MANY }, { description: 'Each key of the shipment' }),
    totals: ref<InboundSums>('InboundSums', { description: 'Their sums' }),
  }),
);
export type InboundStatement = Static<typeof inboundStatement>;

const holder = object(
  { userId: login('Who counts it'), since: dateTime({ description: 'Since when' }) },
  { description: 'Whoever counts a carton in part: meanwhile nobody scans it whole' },
);

const announcedLine = object({
  cartonId: Optional(cartonId()),
  itemId: itemId(),
  clientItemId: identifier(128, { description: 'Item as its retailer calls it' }),
  lineNumber: Optional(text(0, 64, { description: "The partner's number of the line" })),
  announced: integer(1, UNITS_MAX, { description: 'Units announced' }),
  trailerNumber: Optional(text(1, 25)),
  purchaseOrder: Optional(text(1, 255, { description: 'Purchase order that the line delivers' })),
});

const approval = object({
  approvalId: text(1, 64),
  userId: login('Who approved'),
  at: dateTime({ description: 'When' }),
  lines: list(object(entryMembers), { max: MANY }),
});

const nodeInboundMembers = {
  type: oneOf(INBOUND_TYPES, { description: 'ASN, PO, or BLIND: goods without papers' }),
  number: identifier(64, { description: 'Number of the ASN or PO' }),
  sellerId: text(0, 40, { description: 'Seller; empty for goods of which nobody knows it' }),
  state: shipmentState,
  expectedDate: Optional(plainDate({ description: 'Day of the expected arrival, as it was sent' })),
};

export const nodeInbound = named(
  'NodeInbound',
  object({
    ...nodeInboundMembers,
    arrivedAt: Optional(dateTime({ description: 'When it stood at the door' })),
    complete: flag({ description: 'Nothing is open' }),
    lines: list(announcedLine, { max: MANY }, { description: 'The announced lines' }),
    sums: ref<ShipmentSums>('InboundShipmentSums'),
    cartons: list(
      object({
        cartonId: cartonId(),
        state: oneOf(CARTON_STATES, {
          description:
            'EXPECTED; COUNTING: counted in part; RECEIVED, DAMAGED, REFUSED; MISSING: closed without it; UNEXPECTED: not announced',
        }),
        holder: Optional(holder),
      }),
      { max: MANY },
      { description: 'Announced cartons in the order of their lines, then those that came unexpectedly' },
    ),
    orders: Optional(
      list(
        object({
          itemId: itemId(),
          ordered: sum('Units of the purchase order'),
          announced: sum('Units that its ASNs announce'),
          arrived: sum('Units that arrived, of its ASNs and without one'),
        }),
        { max: MANY },
        { description: 'Of a PO: ordered, announced and arrived units by item' },
      ),
    ),
    receipts: list(ref<InboundReceived>('InboundBookedReceipt'), { max: MANY }, { description: 'Oldest first' }),
    approvals: list(approval, { max: MANY }, { description: 'Decisions on held units, oldest first' }),
    statements: list(ref<InboundStatement>('InboundStatement'), { max: MANY }, { description: 'Every version, whole' }),
    matchedTo: Optional(matchedShipment),
    allowedActions,
  }),
);

const nodeInboundSummary = named(
  'NodeInboundSummary',
  object({
    ...nodeInboundMembers,
    announcedQuantity: sum('Units announced'),
    receivedQuantity: sum('Units that arrived, whatever became of them'),
    cartons: sum('Cartons announced, and those that came unexpectedly'),
    cartonsDone: sum('Cartons that are neither expected nor being counted'),
    openQuantity: sum('Units that may still come'),
    late: flag({ description: 'Expected before today at the node, and not closed' }),
  }),
);
type NodeInboundSummary = Static<typeof nodeInboundSummary>;

/** Shipments of a page of the worklist where nothing is said, and most of them. */
export const PAGE_DEFAULT = 50;
const PAGE_MAX = 500;
export const WorklistQuery = object({
  status: Optional(oneOf(SHIPMENT_STATES, { description: 'Only shipments in this state' })),
  type: Optional(oneOf(INBOUND_TYPES, { description: 'Only ASNs, POs or goods without papers' })),
  expectedFrom: Optional(plainDate({ description: 'First day of the expected arrival' })),
  expectedTo: Optional(plainDate({ description: 'Last day of the expected arrival, included' })),
  q: Optional(text(1, 64, { description: 'A part of a number in upper or lower case, or the whole id of a carton' })),
  pageSize: wholeParam('Most shipments of the response', { min: 1, max: PAGE_MAX, default: PAGE_DEFAULT }),
  lastRecordId: Optional(text(1, 1_000, { description: '`lastRecordId` of the page before: goes on after it' })),
});

export const worklistPage = object({
  inbound: list(ref<NodeInboundSummary>('NodeInboundSummary'), { max: PAGE_MAX }),
  lastRecordId: Optional(Type.String({ description: 'Of the next page; left out on the last' })),
});

export const ArriveMessage = named(
  'InboundArrival',
  object({
    userId: login('Who says so'),
    at: Optional(dateTime({ description: 'When the goods stood at the door; default: now' })),
  }),
);

export const BlindMessage = named(
  'InboundBlind',
  object({
    number: identifier(40, { description: 'Number of your choice, unique per seller; a delivery note has one' }),
    userId: login('Who receives'),
    sellerId: Optional(identifier(40, { description: 'Seller of the goods, where it is known' })),
  }),
);

export const MatchMessage = named(
  'InboundMatch',
  object({
    type: oneOf(['ASN', 'PO'], { description: 'What came late: an ASN or a PO of this node' }),
    number: identifier(15, { description: 'Its number' }),
    sellerId: Optional(identifier(40, { description: 'Its seller; needed where several use the number' })),
    userId: Optional(login('Who matches; default: the signed-in user, else whoever opened the goods without papers')),
  }),
);

export const matchReply = named(
  'InboundMatchReply',
  object({
    type: oneOf(['ASN', 'PO'], { description: 'ASN or PO' }),
    number: identifier(15, { description: 'Its number' }),
    sellerId: identifier(40, { description: 'Its seller' }),
    state: shipmentState,
    sums: ref<ShipmentSums>('InboundShipmentSums', { description: 'Of the shipment that has the goods now' }),
  }),
);

const closeReason = object({
  cartonId: Optional(cartonId('Only for this carton')),
  itemId: Optional(itemId('Only for this item')),
  reason: reason('Any text; with neither carton nor item it is for all'),
});

export const CloseMessage = named(
  'InboundClose',
  object({
    closeId: commandId('Id of your choice; the same again is a repeat'),
    userId: login('Who closes'),
    reasons: Optional(list(closeReason, { max: 20_000 }, { description: 'Why units are short, over or damaged' })),
  }),
);

export type CloseMessage = Static<typeof CloseMessage>;

export const ReopenMessage = named(
  'InboundReopen',
  object({ userId: login('Who reopens'), reason: reason('Why, any text') }),
);

const decided = (description: string) => Optional(units(description));

export const ApproveMessage = named(
  'InboundApproval',
  object({
    approvalId: commandId('Id of your choice; the same again is a repeat'),
    userId: login('Who decides'),
    lines: list(
      object({
        cartonId: Optional(cartonId()),
        itemId: itemId(),
        good: decided('Held units that are for sale'),
        damaged: decided('Held units that are damaged'),
        refused: decided('Held units that go back'),
        to,
        location,
      }),
      { min: 1, max: ENTRIES_MAX },
    ),
  }),
);

export type ApproveMessage = Static<typeof ApproveMessage>;

export const stateReply = named(
  'InboundStateReply',
  object({ sums: ref<ShipmentSums>('InboundShipmentSums'), state: shipmentState }),
);

/** Named schemas of goods in, for the document. */
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
