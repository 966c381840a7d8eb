/** Messages of the stock ledger: levels, moves, transactions, counts. */
import { STOCK_PLACES, STOCK_SPOTS } from '../kernel/stock.ts';
import { wholeParam } from '../platform/http/page.ts';
import {
  dateTime,
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

const { Optional } = Type;

const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 500;
/** Lines of one count or of one message of moves. */
const LINES_MAX = 1_000;
/** Units of one line. */
const UNITS_MAX = 1_000_000_000;

const pageSize = wholeParam('Most records of a page', { min: 1, max: PAGE_SIZE_MAX, default: PAGE_SIZE_DEFAULT });
const lastRecordId = (of: string) =>
  Optional(identifier(40, { description: `Goes on after this ${of}: lastRecordId of the page before` }));
const sequence = (description: string) =>
  Optional(text(1, 16, { pattern: '^(?:0|[1-9][0-9]{0,14})$', 'x-hint': 'send a whole number from 0', description }));
const nextPage = Optional(
  text(1, 40, { description: 'Value of lastRecordId for the next page; left out where there is nothing more' }),
);

/** Rows to read for a page: one more than it has, to know whether there is another. */
export function sizeOf(query: { pageSize?: string }): number {
  return Number(query.pageSize ?? PAGE_SIZE_DEFAULT);
}

const level = (description: string) => integer(0, Number.MAX_SAFE_INTEGER, { description });
const itemId = (description = 'Item of the client') => text(1, 40, { description });

const levels = {
  shelf: level('Units on the shelf'),
  staged: level('Units that were picked or received and wait'),
  damaged: level('Damaged units'),
  held: level('Units that are not decided yet'),
  missing: level('Units that were not found'),
  reserved: level('Units of the shelf that are promised to orders'),
  available: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, {
    description: 'shelf - reserved; negative where more is promised than there is',
  }),
  revision: level('Rises with each change of the item at the node; name it in a count'),
};

export const StockQuery = object({
  itemId: Optional(identifier(40, { description: 'Only this item' })),
  belowZero: Optional(
    oneOf(['true', 'false'], { description: 'true: only items of which more is promised than there is' }),
  ),
  q: Optional(
    text(1, 200, {
      description: 'A bar code or itemId, or words of the description, title or brand, each by its beginning',
    }),
  ),
  pageSize,
  lastRecordId: lastRecordId('itemId'),
});

export const StockLevel = named(
  'StockLevel',
  object({
    itemId: itemId(),
    ...levels,
    incoming: list(
      object({
        date: plainDate({ description: 'Day of the expected arrival, local at the node' }),
        quantity: integer(1, Number.MAX_SAFE_INTEGER, { description: 'Units that are announced and not received yet' }),
      }),
      { max: 10_000 },
      { description: 'What announced shipments bring, by day' },
    ),
  }),
);
export type StockLevel = Static<typeof StockLevel>;

export const StockPage = named(
  'StockPage',
  object({
    stock: list(ref<StockLevel>('StockLevel'), { max: PAGE_SIZE_MAX }, { description: 'By itemId' }),
    lastRecordId: nextPage,
  }),
);

export const MovesQuery = object({ pageSize, lastRecordId: sequence('Goes on after the move of this revision') });

const spot = (description: string) => oneOf(STOCK_SPOTS, { description });

export const StockMoveShown = named(
  'StockMove',
  object({
    itemId: itemId(),
    from: spot('Place that the units left'),
    to: spot('Place that they went to'),
    quantity: integer(1, Number.MAX_SAFE_INTEGER, { description: 'Units' }),
    cause: text(1, 40, { description: 'Why, as a word such as PICKED, RECEIPT, COUNT, MOVE or LEDGER_BEHIND' }),
    reference: text(1, 128, { description: 'Order, shipment, count or move that it belongs to' }),
    lineNumber: Optional(text(1, 128, { description: 'Line of it' })),
    reason: Optional(text(1, 40, { description: 'What the person gave as the reason' })),
    userId: text(1, 128, { description: 'Who did it' }),
    revision: integer(1, Number.MAX_SAFE_INTEGER, { description: 'Revision of the level after the move' }),
    at: dateTime({ description: 'When it was posted' }),
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
  revision: integer(1, Number.MAX_SAFE_INTEGER, { description: 'Of the last move that is gone' }),
};

export const StockMoves = named(
  'StockMoves',
  object({
    moves: list(ref<StockMoveShown>('StockMove'), { max: PAGE_SIZE_MAX }, { description: 'The oldest first' }),
    carried: Optional(
      object(carriedUnits, {
        description:
          'On the first page, where moves are no longer kept (STOCK_DAYS): the units that they brought to each place. With the moves that follow they make the levels',
      }),
    ),
    lastRecordId: nextPage,
  }),
);

export const NodesStockQuery = object({
  itemId: identifier(40, { description: 'The item' }),
  pageSize,
  lastRecordId: lastRecordId('nodeId'),
});

export const NodeStock = named(
  'NodeStock',
  object({
    nodeId: text(1, 40, { description: 'Node that keeps stock' }),
    itemId: itemId(),
    ...levels,
    updatedAt: Optional(dateTime({ description: 'Last change; left out where the node never had the item' })),
    countedAt: Optional(dateTime({ description: 'Last count; left out where there was none' })),
  }),
);
export type NodeStock = Static<typeof NodeStock>;

export const NodesStock = named(
  'NodesStock',
  object({
    stock: list(ref<NodeStock>('NodeStock'), { max: PAGE_SIZE_MAX }, { description: 'By nodeId' }),
    lastRecordId: nextPage,
  }),
);

export const TransactionsQuery = object({
  after: sequence('Goes on after this: nextAfter of the page before; default: from the oldest that is kept'),
  pageSize,
});

export const StockTransaction = named(
  'StockTransaction',
  object({
    type: Type.Union([Type.Literal(31), Type.Literal(51), Type.Literal(61), Type.Literal(71)], {
      description: '31 receipt, 51 return to the supplier, 61 adjustment, 71 count',
    }),
    itemId: itemId(),
    quantity: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, { description: 'Signed units' }),
    reference: text(1, 128, { description: 'Number of the ASN or PO, or the id of the count or move' }),
    lineNumber: Optional(text(1, 128, { description: 'Line of it' })),
  }),
);
export type StockTransaction = Static<typeof StockTransaction>;

export const StockTransactions = named(
  'StockTransactions',
  object({
    transactions: list(ref<StockTransaction>('StockTransaction'), { max: PAGE_SIZE_MAX }, { description: 'In order' }),
    nextAfter: integer(0, Number.MAX_SAFE_INTEGER, { description: 'Value of `after` for what comes next' }),
  }),
);

const userId = identifier(64, { description: 'Who did it' });

/** A row of an import of opening stock. */
export const StockOpening = object({
  nodeId: identifier(40, { description: 'Node that keeps stock' }),
  itemId: identifier(40, { description: 'Item of the client' }),
  place: Optional(oneOf(STOCK_PLACES, { description: 'Where; default SHELF' })),
  quantity: integer(0, UNITS_MAX, { description: 'Units that lie there now' }),
});
export type StockOpening = Static<typeof StockOpening>;

export const CountPost = named(
  'CountPost',
  object({
    countId: identifier(64, { description: 'Your id of the count: the same again changes nothing' }),
    userId,
    lines: list(
      object({
        itemId: identifier(40, { description: 'Item that was counted' }),
        place: Optional(oneOf(STOCK_PLACES, { description: 'Where; default SHELF' })),
        counted: integer(0, UNITS_MAX, { description: 'Units that are there' }),
        revision: integer(0, Number.MAX_SAFE_INTEGER, {
          description: 'Revision of the level when it was counted, as the stock shows it; 0 where it shows none',
        }),
      }),
      { min: 1, max: LINES_MAX },
      { description: 'Each item and place once' },
    ),
  }),
);
export type CountPost = Static<typeof CountPost>;

const countState = oneOf(['POSTED', 'WAITING'], {
  description: 'POSTED: the levels have it; WAITING: it differs by more than the tolerance and is to be approved',
});

export const Count = named(
  'Count',
  object({
    countId: text(1, 64, { description: 'Id of the count' }),
    state: countState,
    userId: text(1, 64, { description: 'Who counted' }),
    at: dateTime({ description: 'When it was sent' }),
    approvedBy: Optional(text(1, 64, { description: 'Who approved it' })),
    approvedAt: Optional(dateTime({ description: 'When it was approved' })),
    lines: list(
      object({
        itemId: itemId(),
        place: oneOf(STOCK_PLACES, { description: 'Where' }),
        counted: integer(0, UNITS_MAX, { description: 'Units that are there' }),
        revision: level('Revision that was counted'),
        difference: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, {
          description: 'counted less the level at that revision',
        }),
        state: countState,
      }),
      { max: LINES_MAX },
      { description: 'Lines of the count' },
    ),
  }),
);
export type Count = Static<typeof Count>;

export const CountApproval = named('CountApproval', object({ userId }));

export const CountsQuery = object({
  state: Optional(oneOf(['POSTED', 'WAITING'], { description: 'Only counts in this state' })),
  pageSize,
  lastRecordId: Optional(
    identifier(64, { description: 'Goes on after this countId: lastRecordId of the page before' }),
  ),
});

export const Counts = named(
  'Counts',
  object({
    counts: list(ref<Count>('Count'), { max: PAGE_SIZE_MAX }, { description: 'By countId' }),
    lastRecordId: Optional(
      text(1, 64, { description: 'Value of lastRecordId for the next page; left out where there is nothing more' }),
    ),
  }),
);

export const WantedQuery = object({ pageSize, lastRecordId: lastRecordId('itemId') });

export const WantedCounts = named(
  'WantedCounts',
  object({
    wanted: list(
      object({
        itemId: itemId('Item to count'),
        since: dateTime({ description: 'When it was first wanted' }),
        cause: text(1, 40, { description: 'LEDGER_BEHIND: more was taken than the ledger had' }),
      }),
      { max: PAGE_SIZE_MAX },
      { description: 'By itemId' },
    ),
    lastRecordId: nextPage,
  }),
);

const MOVABLE = [...STOCK_PLACES, 'SUPPLIER', 'COUNT'] as const;

export const StockMovesPost = named(
  'StockMovesPost',
  object({
    moveId: identifier(64, { description: 'Your id of the moves: the same again changes nothing' }),
    userId,
    lines: list(
      object({
        itemId: identifier(40, { description: 'Item that is moved' }),
        from: oneOf([...STOCK_PLACES, 'COUNT'], { description: 'Place it leaves; COUNT: units that are found' }),
        to: oneOf(MOVABLE, {
          description: 'Place it goes to; SUPPLIER: return to vendor; COUNT: units that are written off',
        }),
        quantity: integer(1, UNITS_MAX, { description: 'Units' }),
        reason: identifier(40, { description: 'Why, in your words' }),
      }),
      { min: 1, max: LINES_MAX },
      { description: 'Posted in this order' },
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
      { description: 'Levels of the items afterwards, by itemId' },
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
  Counts,
  WantedCounts,
  StockMovesPost,
  StockMoved,
];
