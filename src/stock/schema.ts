/** Messages of the stock ledger: levels, moves, transactions, counts. */
import { STOCK_PLACES, STOCK_SPOTS } from '../kernel/stock-terms.ts';
import { TRANSACTION_TYPES } from '../kernel/stock-transactions.ts';
import { limitParam, listParams, nextFields, oldName } from '../platform/http/list-page.ts';
import { nextPosition, PAGE_SIZE_MAX } from '../platform/http/page.ts';
import {
  dateTime,
  exact,
  identifier,
  integer,
  list,
  named,
  object,
  oneOf,
  plainDate,
  ref,
  type Static,
  type TSchema,
  Type,
  text,
} from '../platform/schema.ts';
import { COUNT_STATES } from './count-states.ts';
import { say } from './sentences.ts';

const { Optional } = Type;

/** Maximum number of lines in one count or one message of moves. */
const LINES_MAX = 1_000;
/** Maximum number of units in one line. */
const UNITS_MAX = 1_000_000_000;

/** Parameters of a list that is sorted by identifiers of at most `max` characters. */
const page = (max = 40) => listParams('records', (description) => Optional(identifier(max, { description })));
export const sequence = (description: string) =>
  Optional(
    text(1, 16, {
      pattern: '^(?:0|[1-9][0-9]{0,14})$',
      'x-hint': say('send a whole number, 0 or more, with at most 15 digits'),
      'x-whole': { minimum: 0 },
      description,
    }),
  );

const level = (description: string) => integer(0, Number.MAX_SAFE_INTEGER, { description });
const itemId = (description = 'Item of the client') => text(1, 40, { description });

export const levels = {
  shelf: level('Units on the shelf'),
  staged: level('Picked or received units that wait on STAGE'),
  damaged: level('Damaged units'),
  held: level('Units that wait for a decision'),
  missing: level('Units that were not found'),
  reserved: level('Units of the shelf that are promised to orders'),
  available: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, {
    description: '`shelf` minus `reserved`. Negative if more units are promised than are on the shelf',
  }),
  revision: level(
    'Revision of the item at the node, which increases with each change. Send this revision with a count',
  ),
};

export const StockQuery = object({
  itemId: Optional(identifier(40, { description: 'Only this item' })),
  belowZero: Optional(
    oneOf(['true', 'false'], { description: 'true: only items with more promised units than units on the shelf' }),
  ),
  q: Optional(
    text(1, 200, {
      description: 'A bar code, an itemId, or prefixes of words in the description, title or brand',
    }),
  ),
  ...page(),
});

export const StockLevel = named(
  'StockLevel',
  object({
    itemId: itemId(),
    ...levels,
    putAway: Optional(
      level(
        'Units of `staged` without an order. Only these staged units can be moved by hand. Absent if all staged units belong to orders',
      ),
    ),
    incoming: list(
      object({
        date: plainDate({ description: 'Expected day of arrival, in the time zone of the node' }),
        quantity: integer(1, Number.MAX_SAFE_INTEGER, { description: 'Units that are announced and not received yet' }),
      }),
      { max: 10_000 },
      { description: 'Expected units of announced shipments, by day' },
    ),
  }),
);
export type StockLevel = Static<typeof StockLevel>;

export const StockPage = named(
  'StockPage',
  object({
    stock: list(ref<StockLevel>('StockLevel'), { max: PAGE_SIZE_MAX }, { description: 'Levels, sorted by itemId' }),
    ...nextFields(40),
  }),
);

export const MovesQuery = object(listParams('moves', sequence));

const spot = (description: string) => oneOf(STOCK_SPOTS, { description });

export const StockMoveShown = named(
  'StockMove',
  object({
    itemId: itemId(),
    from: spot('Place that the units left'),
    to: spot('Place that the units went to'),
    quantity: integer(1, Number.MAX_SAFE_INTEGER, { description: 'Units' }),
    cause: text(1, 40, { description: 'Cause of the move, such as PICKED, RECEIPT, COUNT, MOVE or LEDGER_BEHIND' }),
    reference: text(1, 128, { description: 'Order, shipment, count or move that the move belongs to' }),
    lineNumber: Optional(text(1, 128, { description: 'Line of the reference' })),
    reason: Optional(text(1, 40, { description: 'Reason that the user gave' })),
    userId: text(1, 128, { description: 'Login of the user who made the move' }),
    revision: integer(1, Number.MAX_SAFE_INTEGER, { description: 'Revision of the level after the move' }),
    at: dateTime({ description: 'Time at which the move was posted' }),
  }),
);
export type StockMoveShown = Static<typeof StockMoveShown>;

const carriedUnit = (place: string) =>
  integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, { description: `Units ${place}` });
const carriedUnits = {
  shelf: carriedUnit('on the shelf'),
  staged: carriedUnit('staged'),
  damaged: carriedUnit('damaged'),
  held: carriedUnit('held'),
  missing: carriedUnit('missing'),
  revision: integer(1, Number.MAX_SAFE_INTEGER, { description: 'Revision of the last deleted move' }),
};

export const StockMoves = named(
  'StockMoves',
  object({
    moves: list(
      ref<StockMoveShown>('StockMove'),
      { max: PAGE_SIZE_MAX },
      { description: 'Moves of the item, the oldest first' },
    ),
    carried: Optional(
      object(carriedUnits, {
        description:
          'Sums, by place, of the old moves that were deleted after STOCK_DAYS. These sums and the remaining moves add up to the levels. Present only on the first page',
      }),
    ),
    ...nextFields(40),
  }),
);

export const NodesStockQuery = object({
  itemId: identifier(40, { description: 'The item' }),
  ...page(),
});

export const NodeStock = named(
  'NodeStock',
  object({
    nodeId: text(1, 40, { description: 'Node that keeps stock' }),
    itemId: itemId(),
    ...levels,
    updatedAt: Optional(dateTime({ description: 'Time of the last change. Absent if the node never had the item' })),
    countedAt: Optional(dateTime({ description: 'Time of the last count. Absent if there was no count' })),
  }),
);
export type NodeStock = Static<typeof NodeStock>;

export const NodesStock = named(
  'NodesStock',
  object({
    stock: list(ref<NodeStock>('NodeStock'), { max: PAGE_SIZE_MAX }, { description: 'Levels, sorted by nodeId' }),
    ...nextFields(40),
  }),
);

export const TransactionsQuery = object({
  after: sequence(
    'Begins after this number. Send `next` of the previous page. Default: the list begins with the oldest stored transaction',
  ),
  limit: limitParam(),
  pageSize: oldName('limit', limitParam()),
});

export const StockTransaction = named(
  'StockTransaction',
  object(
    {
      number: integer(1, Number.MAX_SAFE_INTEGER, {
        description:
          'Number of the transaction at the node, without gaps. Use the number to post each transaction only once',
      }),
      type: Type.Union(
        TRANSACTION_TYPES.map((type) => Type.Literal(type)),
        {
          description:
            'Type of the transaction. 31: receipt; 51: return to the supplier; 61: adjustment; 71: count. Only with the setting stock.transactions ALL: 41: shipment; 42: arrival by carrier; 72: found at a pick; 73: opening; 81: damaged; 82: missing',
        },
      ),
      at: dateTime({ description: 'Time at which the transaction was posted' }),
      nodeId: text(1, 40, { description: 'Node of the stock' }),
      itemId: itemId(),
      quantity: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, {
        description:
          'Number of units: positive if units came to the node, negative if they left. Types 81 and 82: negative if units became damaged or missing',
      }),
      from: Optional(oneOf(STOCK_SPOTS, { description: 'Place that the units left' })),
      to: Optional(oneOf(STOCK_SPOTS, { description: 'Place that the units went to' })),
      reference: text(1, 128, { description: 'Number of the ASN or PO, or the id of the order, count or move' }),
      lineNumber: Optional(text(1, 128, { description: 'Line of the reference' })),
      sellerId: Optional(
        text(1, 40, { description: 'Seller of the ASN or PO. A number is unique only for each seller' }),
      ),
      receiptId: Optional(text(1, 200, { description: 'Receipt, approval or match that booked the units' })),
      itemCost: Optional(
        exact(
          { integer: 64, fraction: 64, min: 0, max: 999_999 },
          { description: 'Unit cost in the ASN or PO. Absent if the lines of the item have different costs' },
        ),
      ),
      reason: Optional(text(1, 4_000, { description: 'Reason that the user gave' })),
      userId: Optional(text(1, 128, { description: 'Login of the user' })),
    },
    {
      description:
        'A change of stock for an ERP system. Transactions of releases before 0.4.0 have no from, to, sellerId, receiptId, itemCost, reason and userId.',
    },
  ),
);
export type StockTransaction = Static<typeof StockTransaction>;

export const StockTransactions = named(
  'StockTransactions',
  object({
    transactions: list(
      ref<StockTransaction>('StockTransaction'),
      { max: PAGE_SIZE_MAX },
      { description: 'Transactions in the order in which they were posted' },
    ),
    ...nextPosition,
  }),
);

const userId = identifier(64, { description: 'Login of the user' });

/** A row of an import of opening stock. */
export const StockOpening = object({
  nodeId: identifier(40, { description: 'Node that keeps stock' }),
  itemId: identifier(40, { description: 'Item of the client' }),
  place: Optional(oneOf(STOCK_PLACES, { description: 'Place of the units; default SHELF' })),
  quantity: integer(0, UNITS_MAX, { description: 'Units in the place now' }),
});
export type StockOpening = Static<typeof StockOpening>;

export const CountPost = named(
  'CountPost',
  object({
    countId: identifier(64, { description: 'Your id for the count. If you send the id again, nothing changes' }),
    userId,
    lines: list(
      object({
        itemId: identifier(40, { description: 'Item that was counted' }),
        place: Optional(oneOf(STOCK_PLACES, { description: 'Place of the count; default SHELF' })),
        counted: integer(0, UNITS_MAX, { description: 'Counted units' }),
        revision: integer(0, Number.MAX_SAFE_INTEGER, {
          description:
            'Revision in the stock of the node at the time of the count. 0 if the stock does not have the item',
        }),
      }),
      { min: 1, max: LINES_MAX },
      { description: 'Counted items and places, without repetition' },
    ),
  }),
);
export type CountPost = Static<typeof CountPost>;

const countState = oneOf(['POSTED', 'WAITING', 'REJECTED'], {
  description:
    'POSTED: the levels include the count; WAITING: the count differs by more than the tolerance and waits for approval; REJECTED: a user rejected the waiting lines, which are not posted',
});

export const Count = named(
  'Count',
  object({
    countId: text(1, 64, { description: 'Id of the count' }),
    state: countState,
    userId: text(1, 64, { description: 'Login of the user who counted' }),
    at: dateTime({ description: 'Time at which the count was sent' }),
    approvedBy: Optional(text(1, 64, { description: 'Login of the user who approved the count' })),
    approvedAt: Optional(dateTime({ description: 'Time at which the count was approved' })),
    rejectedBy: Optional(text(1, 64, { description: 'Login of the user who rejected the count' })),
    rejectedAt: Optional(dateTime({ description: 'Time at which the count was rejected' })),
    rejectReason: Optional(text(1, 200, { description: 'Reason of the rejection' })),
    lines: list(
      object({
        itemId: itemId(),
        place: oneOf(STOCK_PLACES, { description: 'Place of the count' }),
        counted: integer(0, UNITS_MAX, { description: 'Counted units' }),
        revision: level('Revision of the level to which the count refers'),
        difference: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, {
          description:
            '`counted` minus the level at `revision`, with the corrections of the ledger since then. After an approval: the difference that was posted. 0 if the line was within the tolerance and older than a posted count',
        }),
        state: countState,
        newerCountId: Optional(
          text(1, 64, {
            description:
              'Newer posted count of the item and place. This line was not posted because of the newer count. Present only in the first response',
          }),
        ),
      }),
      { max: LINES_MAX },
      { description: 'Lines of the count' },
    ),
  }),
);
export type Count = Static<typeof Count>;

export const CountApproval = named('CountApproval', object({ userId }));

export const CountRejection = named(
  'CountRejection',
  object({
    userId,
    reason: text(1, 200, { pattern: '\\S', description: 'Reason of the rejection, in your words' }),
  }),
);

export const CountsQuery = object({
  state: Optional(oneOf(COUNT_STATES, { description: 'Only counts in this state' })),
  ...page(64),
});

export const Counts = named(
  'Counts',
  object({
    counts: list(ref<Count>('Count'), { max: PAGE_SIZE_MAX }, { description: 'Counts, sorted by countId' }),
    ...nextFields(64),
  }),
);

export const WantedQuery = object(page());

export const WantedCounts = named(
  'WantedCounts',
  object({
    wanted: list(
      object({
        itemId: itemId('Item to count'),
        since: dateTime({ description: 'Time at which the count was first requested' }),
        cause: text(1, 40, {
          description:
            'LEDGER_BEHIND: more units were taken than the ledger had; COUNT_REJECTED: a count of the item was rejected',
        }),
      }),
      { max: PAGE_SIZE_MAX },
      { description: 'Items to count, sorted by itemId' },
    ),
    ...nextFields(40),
  }),
);

const MOVABLE = [...STOCK_PLACES, 'SUPPLIER', 'COUNT'] as const;

export const StockMovesPost = named(
  'StockMovesPost',
  object({
    moveId: identifier(64, { description: 'Your id for the moves. If you send the id again, nothing changes' }),
    userId,
    lines: list(
      object({
        itemId: identifier(40, { description: 'Item that is moved' }),
        from: oneOf([...STOCK_PLACES, 'COUNT'], {
          description: 'Place that the units leave. COUNT: the units were found',
        }),
        to: oneOf(MOVABLE, {
          description: 'Place to which the units go. SUPPLIER: return to the vendor; COUNT: write-off',
        }),
        quantity: integer(1, UNITS_MAX, { description: 'Units' }),
        reason: identifier(40, { description: 'Reason, in your words' }),
      }),
      { min: 1, max: LINES_MAX },
      { description: 'Moves, in the order in which they are posted' },
    ),
  }),
);
export type StockMovesPost = Static<typeof StockMovesPost>;

export const StockMoved = named(
  'StockMoved',
  object({
    moveId: text(1, 64, { description: 'Id of the moves' }),
    stock: list(
      object({ itemId: itemId(), ...levels }),
      { max: LINES_MAX },
      { description: 'Levels of the items after the moves, sorted by itemId' },
    ),
  }),
);

export type StockMoved = Static<typeof StockMoved>;

export const stockSchemas: readonly TSchema[] = [
  StockLevel,
  StockPage,
  StockMoveShown,
  StockMoves,
  NodeStock,
  NodesStock,
  StockTransaction,
  StockTransactions,
  CountPost,
  Count,
  CountApproval,
  CountRejection,
  Counts,
  WantedCounts,
  StockMovesPost,
  StockMoved,
];
