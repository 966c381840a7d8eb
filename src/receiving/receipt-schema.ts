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
  oneOf(['SHELF', 'STAGE'], { description: 'Destination of good units. Default: `receiveTo` of the node' }),
);
const location = Optional(identifier(40, { description: 'Bin of the units, kept as sent' }));

const inboundSums = named(
  'InboundSums',
  object({
    announced: sum('Units announced'),
    good: sum('Good units, for sale'),
    damaged: sum('Damaged units, kept but not for sale'),
    refused: sum('Units sent back with the driver'),
    held: sum('Received units that wait for a decision'),
    over: sum('Units in addition to the announced units'),
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
          'Sums for each carton and item of an ASN, or for each item of a PO, with or without receipts. Goods that were not announced are at the end',
      },
    ),
    cartons: list(object({ cartonId: cartonId(), ...sumMembers }), { max: MANY }, { description: 'Sums per carton' }),
    items: list(object({ itemId: itemId(), ...sumMembers }), { max: MANY }, { description: 'Sums per item' }),
    total: ref<InboundSums>('InboundSums', {
      description:
        'Sums over all keys of the shipment. Missing units of one key are not offset against excess units of another key',
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
    { description: 'Open orders of the node with these items, the earliest due first. A hint, not a reservation' },
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
  itemId: Optional(itemId('Item. Required if you do not send `clientItemId`')),
  clientItemId: Optional(
    identifier(128, { description: 'Item id of the retailer. Required if you do not send `itemId`' }),
  ),
  good: signed('Units for sale'),
  damaged: signed('Damaged units that are kept'),
  refused: signed('Units sent back with the driver'),
  held: signed('Received units on which a user must decide later'),
  reason: Optional(reason('Reason why the units are damaged, `refused` or held')),
  to,
  location,
});

export const ReceiptMessage = named(
  'InboundReceiptMessage',
  object({
    receiptId: commandId('Id of your choice, unique in the shipment. A request with the same id is a retry'),
    userId: login('User who receives'),
    at: Optional(
      dateTime({
        description:
          'Time at which the goods were received; default: now. If the clock of the device is wrong, `at` of the receipt is the time of the service, and `deviceAt` is the time of the device',
      }),
    ),
    cartons: Optional(list(wholeCarton, { max: ENTRIES_MAX }, { description: 'Cartons that were scanned whole' })),
    lines: Optional(
      list(
        receiptLine,
        { max: ENTRIES_MAX },
        {
          description:
            'Counted units of this receipt, not running totals. Units can be negative only if you send `corrects`',
        },
      ),
    ),
    unannounced: Optional(
      flag({
        description:
          'true: the service also accepts unannounced goods, and holds these goods until a user approves them',
      }),
    ),
    corrects: Optional(
      identifier(200, { description: 'Receipt or match to correct. With this field, lines can have negative units' }),
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
      description: 'Id of the receipt. For a match: the other shipment of the match',
    }),
    userId: login('User who received'),
    at: dateTime({
      description: 'Time of the receipt as sent. If the clock of the device is wrong: the time of the service',
    }),
    ...clockMembers,
    corrects: Optional(text(1, 200, { description: 'Receipt that this receipt corrects' })),
    unannounced: Optional(Type.Literal(true, { description: 'true: the receipt also accepted unannounced goods' })),
    matched: Optional(matchedShipment),
    cartons: list(wholeCarton, { max: ENTRIES_MAX }, { description: 'Cartons scanned whole' }),
    lines: list(
      object(entryMembers),
      { max: MANY },
      { description: 'Booked units. Units that a correction takes back are negative' },
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
  held: sum('Always 0, because users decide on held units before the close'),
  short: sum('Missing units'),
  over: sum('Units in addition to the announced units'),
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
    version: integer(1, UNITS_MAX, {
      description: 'Version of the statement. Each close issues the next version; older versions stay readable',
    }),
    closeId: text(1, 64, { description: 'Id of the close of the shipment' }),
    userId: login('User who closed the shipment'),
    closedAt: dateTime(),
    lines: list(
      statementLine,
      { max: MANY },
      { description: 'Lines of the statement. ASN: one line for each item in a carton. PO: one line for each item' },
    ),
    totals: ref<InboundSums>('InboundSums', { description: 'Sums over the lines' }),
  }),
);
export type InboundStatement = Static<typeof inboundStatement>;

const holder = object(
  {
    userId: login('User who counts the carton'),
    userName: Optional(text(1, 200, { description: 'Name of the user who counts the carton' })),
    since: dateTime({ description: 'Start of the count' }),
  },
  {
    description:
      'User who is counting the carton. Until this count ends or lapses, the carton cannot be received with one scan',
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
  lines: list(object(entryMembers), { max: MANY }, { description: 'Units of the decision by their result' }),
});

const nodeInboundMembers = {
  type: oneOf(INBOUND_TYPES, { description: 'ASN, PO, or BLIND: goods without papers' }),
  number: identifier(64, { description: 'Number of the shipment' }),
  sellerId: text(0, 40, { description: 'Seller. Empty if the seller is unknown' }),
  state: shipmentState,
  expectedDate: Optional(plainDate({ description: 'Expected day of arrival, as sent' })),
};

export const nodeInbound = named(
  'NodeInbound',
  object({
    ...nodeInboundMembers,
    arrivedAt: Optional(dateTime({ description: 'Time at which the shipment arrived at the door' })),
    complete: flag({ description: 'true: the shipment has no open units' }),
    lines: list(announcedLine, { max: MANY }, { description: 'The announced lines' }),
    sums: ref<ShipmentSums>('InboundShipmentSums'),
    cartons: list(
      object({
        cartonId: cartonId(),
        state: oneOf(CARTON_STATES, {
          description:
            'EXPECTED: no unit was received; COUNTING: counted in part; RECEIVED: scanned whole or counted completely, or counted in part before the close of the shipment; DAMAGED, REFUSED: scanned whole with this result; MISSING: not received when the shipment was closed; UNEXPECTED: not announced',
        }),
        holder: Optional(holder),
      }),
      { max: MANY },
      { description: 'Announced cartons in the order of their lines, then unexpected cartons' },
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
        { description: 'Ordered, announced and arrived units of each item. Present only for a PO' },
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
      { description: 'All versions of the statement. Each version is complete' },
    ),
    reopenings: Optional(
      list(
        object({
          userId: login('User who reopened the shipment'),
          at: dateTime({ description: 'Time of the reopening' }),
          reason: reason('Reason as sent'),
        }),
        { max: MANY },
        {
          description:
            'Reopenings of the shipment, oldest first, as long as the feed keeps their events. Absent if there is none',
        },
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
        'true: the expected day is before today at the node, the shipment is not closed, and `coveredByAsns` is absent',
    }),
    coveredByAsns: Optional(
      flag({
        description:
          'true: the shipment is a PO in the state EXPECTED, and its ASNs together announce at least the units of the PO. The service expects the goods with these ASNs. Close the PO after the ASNs',
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
              sellerId: Optional(
                text(0, 40, { description: 'Seller of the other shipment. Empty if the seller is unknown' }),
              ),
            },
            {
              description:
                'The other shipment. The type, number and seller are present only if the caller has access to the other shipment',
            },
          ),
        }),
        { max: MANY },
        {
          description:
            'Cartons that another open shipment also announces. Present only with the parameter `duplicateCartons`',
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
  q: Optional(
    text(1, 64, {
      description: 'Part of the number of a shipment, in upper or lower case, or the whole id of a carton',
    }),
  ),
  duplicateCartons: Optional(
    oneOf(['true'], {
      description:
        'true: only open shipments with duplicate cartons, at most 500 shipments. A carton is duplicate if another open shipment also announces it. The shipments were expected today or in the last 7 days. `exceptions.duplicateCartons` in the work of the node counts these cartons',
    }),
  ),
  order: Optional(
    oneOf(['asc', 'desc'], {
      description:
        'asc (default): the earliest expected day first. desc: the latest expected day first. Send the same `order` for every page',
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
      description: 'Number of your choice, unique for the seller, for example the number of the delivery note',
    }),
    userId: login('User who receives'),
    sellerId: Optional(identifier(40, { description: 'Seller of the goods. Leave it out if the seller is unknown' })),
  }),
);

export const MatchMessage = named(
  'InboundMatch',
  object({
    type: oneOf(['ASN', 'PO'], { description: 'Type of the late announcement: an ASN or a PO of this node' }),
    number: identifier(15, { description: 'Number of the ASN or PO that was announced late' }),
    sellerId: Optional(
      identifier(40, { description: 'Seller of the ASN or PO. Required if several sellers use the number' }),
    ),
    userId: Optional(
      login(
        'User who matches the goods. Default: the signed-in user. Default without a session: the user who opened the shipment of type BLIND',
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
  cartonId: Optional(
    text(0, 64, { description: 'Carton that the reason applies to. Empty for the units without a carton' }),
  ),
  itemId: Optional(itemId('Item that the reason applies to')),
  reason: reason('Reason in your words. A reason without carton and item applies to the whole shipment'),
});

export const CloseMessage = named(
  'InboundClose',
  object({
    closeId: commandId('Id of your choice, unique in the shipment. A request with the same id is a retry'),
    userId: login('User who closes'),
    reasons: Optional(list(closeReason, { max: 20_000 }, { description: 'Reasons for short, over or damaged units' })),
  }),
);

export type CloseMessage = Static<typeof CloseMessage>;

export const ReopenMessage = named(
  'InboundReopen',
  object({ userId: login('User who reopens'), reason: reason('Reason in your words') }),
);

const decided = (description: string) => Optional(units(description));

export const ApproveMessage = named(
  'InboundApproval',
  object({
    approvalId: commandId('Id of your choice, unique in the shipment. A request with the same id is a retry'),
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
      { description: 'Decisions on held units by item. If the goods have cartons, also send the carton of the item' },
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
