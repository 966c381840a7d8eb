/**
 * The stock ledger of a node. Every change of stock except the import of opening quantities (`stock-opening.ts`) is
 * posted here, in the caller's transaction. Moves are only added, and levels are the sums of the moves (docs/stock.md).
 * The ledger rejects no move: if a place has too few units, it first adds the difference (LEDGER_BEHIND). Moves of
 * units that were not found for orders are an exception: they move only the units that the place has.
 */
import { type Effect, recordAll } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { Refusal } from '../platform/http/errors.ts';
import { sequence } from '../platform/message/sentence.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { BoundText, Columns } from '../platform/storage/dialect.ts';
import { portions } from '../platform/storage/insert.ts';
import { change, statement } from '../platform/storage/statement.ts';
import type { StockLevelRow } from '../platform/storage/tables.ts';
import { updateRows } from '../platform/storage/update.ts';
import { say } from './sentences.ts';
import { Ledger } from './stock-ledger.ts';
import {
  isPlace,
  STOCK_CAUSE,
  type StockCtx,
  type StockMove,
  type StockNode,
  type StockPlace,
  type StockSpot,
} from './stock-terms.ts';
import { bookMoves, bookReceipts } from './stock-transactions.ts';

declare module '../platform/json-column.ts' {
  interface Shapes {
    Openings: Partial<Record<StockPlace, number>>;
  }
}

/** The column of a level for each place. */
export const PLACE_COLUMNS = {
  SHELF: 'shelf',
  STAGE: 'staged',
  DAMAGED: 'damaged',
  HELD: 'held',
  MISSING: 'missing',
} as const satisfies Record<StockPlace, keyof StockLevelRow>;

/** Units to reserve (> 0) or to release (< 0). */
export interface StockClaim {
  itemId: string;
  units: number;
  /** Whether the claim is rejected if it exceeds the available units. */
  guarded?: boolean;
}

/**
 * Posts moves of a node. Writes the moves, the levels (locked in the order of itemId) and one event `stock.changed`,
 * with one statement per table. A node with stock NOT_KEPT gets only the transactions of receipts of ASNs and POs (31).
 */
export async function postStock(ctx: StockCtx, node: StockNode, moves: readonly StockMove[]): Promise<void> {
  if (moves.length === 0) return;
  const [row] = await selectKeeping(ctx.db, node);
  if (row?.stock === 'KEPT') await postKept(ctx, node, { moves });
  else await bookReceipts(ctx, node, moves);
}

/** Posts moves and claims at a node that keeps stock, with their event and transactions. */
export async function postKept(ctx: StockCtx, node: StockNode, posting: Posting): Promise<void> {
  await recordAll(ctx, await post(ctx, node, posting));
}

const selectKeeping = statement((db, { clientId, nodeId }: StockNode) =>
  db.selectFrom('nodes').select('stock').where('client_id', '=', clientId).where('node_id', '=', nodeId),
);

/** Moves, claims and counts that are posted together. */
export interface Posting {
  moves?: readonly StockMove[];
  claims?: readonly StockClaim[];
  /** Counted items. They are removed from the list of items to count, and their ledger counts as opened. */
  counted?: readonly string[];
}

/**
 * Posts moves and claims at a node that keeps stock, with their transactions. Returns their event, or no event if no
 * quantity changed.
 * @throws NotAvailable if guarded claims exceed the available units; it lists all of these claims
 */
export async function post(
  ctx: StockCtx,
  node: StockNode,
  { moves = [], claims = [], counted = [] }: Posting,
): Promise<Effect[]> {
  const itemIds = [...new Set([...moves, ...claims].map(({ itemId }) => itemId).concat(counted))].sort();
  if (itemIds.length === 0) return [];
  const levels = await lockLevels(ctx, node, itemIds);
  const lacking = unavailableOf(node, levels, claims);
  if (lacking.length > 0) throw new NotAvailable(lacking);
  const ledger = new Ledger();
  const posted: StockMove[] = [];
  let isUsual = counted.length === 0;
  const touched = new Set<StockLevelRow>();
  for (const itemId of counted) {
    const level = levels.get(itemId)!;
    level.opened_at ??= ctx.now;
    Object.assign(level, { counted_at: ctx.now, wanted_since: null, wanted_cause: null });
  }
  const add = (level: StockLevelRow, move: StockMove) => {
    ledger.add(level, move, ctx.now);
    posted.push(move);
  };
  for (const wanted of moves) {
    const level = levels.get(wanted.itemId)!;
    const move = isNotFound(wanted) ? { ...wanted, quantity: atMost(level, wanted) } : wanted;
    if (move.quantity === 0) continue;
    const back = putAwayUnits(level, move);
    if (back > 0) {
      const returned = { ...move, from: 'SHELF', to: 'STAGE', cause: STOCK_CAUSE.MOVE, quantity: back } as const;
      take(level, returned);
      put(level, returned);
      add(level, returned);
    }
    const gap = take(level, move);
    isUsual &&= gap === 0 && isUsualSpot(move.from) && isUsualSpot(move.to);
    if (gap > 0) {
      add(level, { ...move, ...behind(move.from), quantity: gap });
      level.wanted_since ??= ctx.now;
      level.wanted_cause ??= STOCK_CAUSE.LEDGER_BEHIND;
    }
    put(level, move);
    add(level, move);
    touched.add(level);
  }
  for (const { itemId, units } of claims) {
    if (units === 0) continue;
    const level = levels.get(itemId)!;
    level.reserved = Math.max(0, level.reserved + units);
    if (!touched.has(level)) level.revision += 1;
    touched.add(level);
  }
  const isCounted = new Set(counted);
  for (const itemId of isCounted) {
    const level = levels.get(itemId)!;
    level.moves_counted = level.moves;
  }
  const written = [...levels.values()].filter((level) => touched.has(level) || isCounted.has(level.item_id));
  await saveLevels(ctx, node.clientId, written, isUsual ? updateShelves : updateLevels);
  await ledger.save(ctx);
  await bookMoves(ctx, node, posted);
  const changed = [...levels.values()].filter((level) => touched.has(level));
  return changed.length === 0 ? [] : [changedEvent(node, changed)];
}

/**
 * Returns the units of a move that are no longer on STAGE but on SHELF. Only moves of receipts can have such units: a
 * correction names STAGE also for units that were put away since.
 */
function putAwayUnits(level: StockLevelRow, move: StockMove): number {
  if (move.receipt === undefined || move.from !== 'STAGE') return 0;
  return Math.min(level.shelf, Math.max(0, move.quantity - unitsFor(level, move, 'STAGE')));
}

/** Returns the units in a place that a move can take. A move of a receipt never takes the staged units of orders. */
function unitsFor(level: StockLevelRow, { receipt }: StockMove, place: StockPlace): number {
  return place === 'STAGE' && receipt !== undefined ? Math.max(0, level.loose) : level[PLACE_COLUMNS[place]];
}

/**
 * Whether a move records that units of an order were not found, or reverses this. Such a move does not prove that the
 * place had more units than the ledger, so the ledger adds no units for it.
 */
function isNotFound({ from, to, ofOrder }: StockMove): boolean {
  return ofOrder === true && ((from === 'SHELF' && to === 'MISSING') || (from === 'MISSING' && to === 'SHELF'));
}

/** Returns the units of a move that the ledger has at its place `from`. */
function atMost(level: StockLevelRow, { from, quantity }: StockMove): number {
  return isPlace(from) ? Math.min(quantity, level[PLACE_COLUMNS[from]]) : quantity;
}

/** Removes the units of a move from the place `from`. Returns the number of units that the place lacks. */
function take(level: StockLevelRow, move: StockMove): number {
  const { from, quantity, ofOrder } = move;
  if (!isPlace(from)) return 0;
  const column = PLACE_COLUMNS[from];
  const gap = Math.max(0, quantity - unitsFor(level, move, from));
  level[column] += gap - quantity;
  // Units that the ledger adds belong to no order.
  if (from === 'STAGE') level.loose += gap - (ofOrder === true ? 0 : quantity);
  return gap;
}

function put(level: StockLevelRow, { to, quantity, ofOrder }: StockMove): void {
  if (!isPlace(to)) return;
  level[PLACE_COLUMNS[to]] += quantity;
  if (to === 'STAGE' && ofOrder !== true) level.loose += quantity;
}

/** Whether a spot is neither DAMAGED nor HELD nor MISSING. */
function isUsualSpot(spot: StockSpot): boolean {
  return spot === 'SHELF' || spot === 'STAGE' || !isPlace(spot);
}

function behind(from: StockSpot) {
  return { from: 'COUNT', to: from, cause: STOCK_CAUSE.LEDGER_BEHIND } as const;
}

/** Returns the available units of an item; may be negative. */
export function availableOf({ shelf, reserved }: Pick<StockLevelRow, 'shelf' | 'reserved'>): number {
  return shelf - reserved;
}

/** An item with fewer available units at a node than an order wants. */
interface Unavailable {
  nodeId: string;
  itemId: string;
  wanted: number;
  available: number;
}

function unavailableOf(
  { nodeId }: StockNode,
  levels: ReadonlyMap<string, StockLevelRow>,
  claims: readonly StockClaim[],
): Unavailable[] {
  const wanted = new Map<string, number>();
  for (const { itemId, units, guarded } of claims) {
    if (guarded === true) wanted.set(itemId, (wanted.get(itemId) ?? 0) + units);
  }
  return [...wanted].flatMap(([itemId, units]) => {
    const available = availableOf(levels.get(itemId)!);
    return units > 0 && units > available ? [{ nodeId, itemId, wanted: units, available }] : [];
  });
}

/** The 409 for orders that want more units than are available at their nodes. */
export class NotAvailable extends Refusal {
  readonly items: readonly Unavailable[];

  constructor(items: readonly Unavailable[]) {
    const named = items.slice(0, 5).map(({ nodeId, itemId, wanted, available }) => {
      return say('{available} of {itemId} at {nodeId} ({wanted} wanted)', {
        available,
        itemId: JSON.stringify(itemId),
        nodeId: JSON.stringify(nodeId),
        wanted,
      });
    });
    const others =
      items.length > named.length ? say(' and {n} more {n|item|items}', { n: items.length - named.length }) : '';
    super(
      409,
      'STATE',
      'NOT_AVAILABLE',
      say(
        'Too few units are available: {named}{others}. No order was created; send fewer units, or name another node.',
        {
          named: sequence(named, ', '),
          others,
        },
      ),
      { extra: { items } },
    );
    this.items = items;
  }
}

/**
 * Locks the levels of items until the transaction ends, and returns them by item id. A missing level is created with
 * zeros.
 */
export async function lockLevels(
  ctx: Pick<Ctx, 'db' | 'dialect' | 'now'>,
  node: StockNode,
  itemIds: readonly string[],
): Promise<Map<string, StockLevelRow>> {
  const found = new Map<string, StockLevelRow>();
  const lock = async (ids: readonly string[]) => {
    const rows = await selectToLock(ctx.db, { ...node, itemIds: ctx.dialect.listText(ids) });
    for (const row of rows) found.set(row.item_id, { ...row });
  };
  await lock(itemIds);
  const missing = itemIds.filter((itemId) => !found.has(itemId));
  if (missing.length > 0) {
    for (const some of portions(missing.map((itemId) => ({ item_id: itemId })))) {
      await insertLevels(ctx.db, { ...node, now: ctx.now, rows: ctx.dialect.rowsText(some, { item_id: 'text' }) });
    }
    await lock(missing);
  }
  return found;
}

interface ByItems extends StockNode {
  itemIds: BoundText;
}

const selectToLock = statement((db, { clientId, nodeId, itemIds }: ByItems, dialect) =>
  db
    .selectFrom('stock_levels')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('item_id', 'in', dialect.listOf<string>(itemIds, 'text'))
    .orderBy('item_id')
    .modifyEnd(dialect.forUpdate),
);

const insertLevels = change(
  (db, { clientId, nodeId, now, rows }: StockNode & { now: number; rows: BoundText }, dialect) =>
    db
      .insertInto('stock_levels')
      .columns(['item_id', 'client_id', 'node_id', 'updated_at'])
      .expression(
        dialect
          .rowsOf<{ item_id: string }>(rows, { item_id: 'text' })
          .select((eb) => [
            eb.cast<string>(eb.val(clientId), 'text').as('client_id'),
            eb.cast<string>(eb.val(nodeId), 'text').as('node_id'),
            eb.cast<number>(eb.val(now), 'bigint').as('updated_at'),
          ]),
      )
      .onConflict((on) => on.columns(['client_id', 'node_id', 'item_id']).doNothing()),
);

/** The columns of a level that change in moves between SHELF, STAGE and spots outside the node. */
const SHELF_COLUMNS = {
  node_id: 'text',
  item_id: 'text',
  shelf: 'integer',
  staged: 'integer',
  reserved: 'integer',
  loose: 'integer',
  revision: 'integer',
  moved_at: 'integer',
  moved_revision: 'integer',
  moves: 'integer',
  updated_at: 'integer',
} as const satisfies Partial<Columns<StockLevelRow>>;

const LEVEL_COLUMNS: Columns<Omit<StockLevelRow, 'client_id' | 'kept_since'>> = {
  ...SHELF_COLUMNS,
  damaged: 'integer',
  held: 'integer',
  missing: 'integer',
  opened_at: 'integer',
  counted_at: 'integer',
  wanted_since: 'integer',
  wanted_cause: 'text',
  openings: 'text',
  moves_counted: 'integer',
};

const LEVEL_KEY = ['node_id', 'item_id'] as const;
type UpdateLevels = (ctx: StockCtx, clientId: string, levels: readonly StockLevelRow[]) => Promise<number>;
const updateLevels: UpdateLevels = updateRows('stock_levels', LEVEL_COLUMNS, { key: [...LEVEL_KEY] });
/**
 * This statement takes a third less time than `updateLevels`, because it writes fewer columns, with fewer CHECK
 * constraints and only one index.
 */
const updateShelves: UpdateLevels = updateRows('stock_levels', SHELF_COLUMNS, { key: [...LEVEL_KEY] });

/** Writes locked levels of a client. */
export async function saveLevels(
  ctx: StockCtx,
  clientId: string,
  levels: readonly StockLevelRow[],
  update = updateLevels,
): Promise<void> {
  for (const level of levels) level.updated_at = ctx.now;
  const count = await update(ctx, clientId, levels);
  if (count !== levels.length) throw new Error('a locked stock level was changed');
}

export function changedEvent({ clientId, nodeId }: StockNode, levels: readonly StockLevelRow[]): Effect {
  const items = levels.map(({ item_id: itemId, shelf, staged, damaged, held, missing, reserved, revision }) => {
    return { itemId, shelf, staged, damaged, held, missing, reserved, revision };
  });
  return { clientId, type: 'stock.changed', resource: 'stock', resourceId: nodeId, data: { nodeId, items } };
}

/** Returns the levels of items at a node, by item id, without locks. */
export async function findLevels(
  ctx: { db: Reader; dialect: Ctx['dialect'] },
  node: StockNode,
  itemIds: readonly string[],
): Promise<Map<string, StockLevelRow>> {
  const rows = await selectLevels(ctx.db, { ...node, itemIds: ctx.dialect.listText(itemIds) });
  return new Map(rows.map((row) => [row.item_id, row]));
}

const selectLevels = statement((db, { clientId, nodeId, itemIds }: ByItems, dialect) =>
  db
    .selectFrom('stock_levels')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('item_id', 'in', dialect.listOf<string>(itemIds, 'text')),
);
