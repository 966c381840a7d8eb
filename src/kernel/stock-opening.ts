/**
 * Opens the stock ledger of a node: closes the old levels, moves the held units of orders to STAGE, and reserves the
 * open units of orders. Also imports opening quantities.
 */
import { sql } from 'kysely';
import { type Effect, recordAll } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { readJson } from '../platform/json-column.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { BoundText, Columns } from '../platform/storage/dialect.ts';
import { portions } from '../platform/storage/insert.ts';
import { change, statement } from '../platform/storage/statement.ts';
import type { StockLevelRow } from '../platform/storage/tables.ts';
import { changedEvent, PLACE_COLUMNS, post, type StockClaim, saveLevels } from './stock.ts';
import { Ledger } from './stock-ledger.ts';
import { STOCK_CAUSE, STOCK_PLACES, type StockMove, type StockNode, type StockPlace } from './stock-terms.ts';
import { bookMoves } from './stock-transactions.ts';
import { ON_HAND_UNITS, RESERVED_UNITS } from './units.ts';

/** Maximum number of levels that are closed in one posting. */
const PAGE = 500;

/**
 * Opens the ledger of a node that kept no stock until now. Old levels move to OPENING. The held units of orders move
 * from there to STAGE, and their open units are reserved. The first count of each item sets its shelf quantity.
 */
export async function openStock(ctx: Ctx, node: StockNode): Promise<void> {
  await closeLevels(ctx, node);
  const claimed = await selectClaimed(ctx.db, node);
  const userId = ctx.actor.id;
  for (const some of portions(claimed)) {
    const moves = some.flatMap(({ item_id: itemId, staged }): StockMove[] =>
      staged > 0 ? [{ ...opening(itemId, userId), from: 'OPENING', to: 'STAGE', quantity: staged, ofOrder: true }] : [],
    );
    const claims = some.map(({ item_id: itemId, reserved }): StockClaim => ({ itemId, units: reserved }));
    await recordAll(ctx, await post(ctx, node, { moves, claims }));
  }
}

function opening(itemId: string, userId: string) {
  return { itemId, cause: STOCK_CAUSE.OPENING, reference: STOCK_CAUSE.OPENING, userId };
}

async function closeLevels(ctx: Ctx, node: StockNode): Promise<void> {
  for (let after = ''; ; ) {
    const levels = await selectPage(ctx.db, { ...node, after });
    const last = levels.at(-1);
    if (last === undefined) break;
    after = last.item_id;
    await recordAll(ctx, await closed(ctx, node, levels));
  }
  // Each level gets a new revision, so that a count at an earlier revision is recognized.
  await ctx.db
    .updateTable('stock_levels')
    .set({ opened_at: null, wanted_since: null, wanted_cause: null, loose: 0, openings: null })
    .set((eb) => ({ revision: eb('revision', '+', 1), kept_since: eb('revision', '+', 1) }))
    .where('client_id', '=', node.clientId)
    .where('node_id', '=', node.nodeId)
    .execute();
}

function closed(ctx: Ctx, node: StockNode, levels: readonly StockLevelRow[]): Promise<Effect[]> {
  const moves = levels.flatMap((level) =>
    STOCK_PLACES.flatMap((from): StockMove[] => {
      const quantity = level[PLACE_COLUMNS[from]];
      return quantity === 0 ? [] : [{ ...opening(level.item_id, ctx.actor.id), from, to: 'OPENING', quantity }];
    }),
  );
  const claims = levels.map(({ item_id: itemId, reserved }) => ({ itemId, units: -reserved }));
  return post(ctx, node, { moves, claims });
}

const selectPage = statement((db, { clientId, nodeId, after }: StockNode & { after: string }) =>
  db
    .selectFrom('stock_levels')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('item_id', '>', after)
    .orderBy('item_id')
    .limit(PAGE),
);

/** Units of each item for orders of the node: held units (`staged`) and open units (`reserved`). */
const selectClaimed = statement((db, { clientId, nodeId }: StockNode) =>
  db
    .selectFrom('fulfillment_orders as o')
    // SQLite keeps the order of a cross join. Without the cross join, SQLite would read the lines of all nodes.
    .crossJoin('order_lines as line')
    .whereRef('line.client_id', '=', 'o.client_id')
    .whereRef('line.fulfillment_order_id', '=', 'o.fulfillment_order_id')
    .select([
      'line.item_id',
      sql<number>`cast(sum(${ON_HAND_UNITS}) as bigint)`.as('staged'),
      sql<number>`cast(sum(${RESERVED_UNITS}) as bigint)`.as('reserved'),
    ])
    .where('o.client_id', '=', clientId)
    .where('o.node_id', '=', nodeId)
    .groupBy('line.item_id')
    .having((eb) => eb.or([sql<boolean>`sum(${ON_HAND_UNITS}) <> 0`, sql<boolean>`sum(${RESERVED_UNITS}) <> 0`]))
    .orderBy('line.item_id'),
);

/** The opening quantity of an item in a place of a node. */
export interface ItemPlace {
  nodeId: string;
  itemId: string;
  place: StockPlace;
  /** Number of units, at least 0. */
  quantity: number;
}

/**
 * The outcome for an item place. Only OPENED changes the level. REPEATED: an earlier import set the same quantity, even
 * if units have moved since. COUNTED: a counted item cannot be opened. `imported`: an earlier import set this other
 * quantity.
 */
export type Opened = 'OPENED' | 'REPEATED' | 'COUNTED' | { imported: number };

/**
 * Opens item places at nodes that keep stock, each once: an OPENING move adjusts the level to the quantity. `reference`
 * is the name of the import. Returns outcomes in the order of `places`. The number of statements does not grow with the
 * number of nodes.
 */
export async function openPlaces(
  ctx: Ctx,
  clientId: string,
  places: readonly ItemPlace[],
  reference: string,
): Promise<Opened[]> {
  const levels = await lockLevelsOfNodes(ctx, clientId, places);
  const outcomes: Opened[] = [];
  const ledger = new Ledger();
  const posted: (StockMove & Pick<StockNode, 'nodeId'>)[] = [];
  const written = new Set<StockLevelRow>();
  const changed = new Set<StockLevelRow>();
  for (const { nodeId, itemId, place, quantity } of places) {
    const level = levels.get(keyOf(nodeId, itemId))!;
    const openings = level.openings === null ? {} : readJson(level.openings);
    const before = openings[place];
    if (before !== undefined || (level.opened_at !== null && level.openings === null)) {
      outcomes.push(before === undefined ? 'COUNTED' : before === quantity ? 'REPEATED' : { imported: before });
      continue;
    }
    outcomes.push('OPENED');
    const column = PLACE_COLUMNS[place];
    const more = quantity - level[column];
    if (more !== 0) {
      const spots = more > 0 ? { from: 'OPENING' as const, to: place } : { from: place, to: 'OPENING' as const };
      const move = { ...opening(itemId, ctx.actor.id), ...spots, quantity: Math.abs(more), reference };
      ledger.add(level, move, ctx.now);
      posted.push({ ...move, nodeId });
      level[column] = quantity;
      if (place === 'STAGE') level.loose += more;
      changed.add(level);
    }
    level.opened_at ??= ctx.now;
    const openedNow = stringifyJson({ ...openings, [place]: quantity });
    Object.assign(level, { openings: openedNow, counted_at: ctx.now, wanted_since: null, wanted_cause: null });
    written.add(level);
  }
  await saveLevels(ctx, clientId, [...written]);
  await ledger.save(ctx);
  for (const [nodeId, moves] of [...Map.groupBy(posted, (move) => move.nodeId)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await bookMoves(ctx, { clientId, nodeId }, moves);
  }
  const byNode = [...Map.groupBy(changed, (level) => level.node_id)];
  await recordAll(
    ctx,
    byNode.flatMap(([nodeId, all]) => portions(all).map((some) => changedEvent({ clientId, nodeId }, some))),
  );
  return outcomes;
}

function keyOf(nodeId: string, itemId: string): string {
  return `${nodeId}\n${itemId}`;
}

type LevelKey = Pick<StockLevelRow, 'node_id' | 'item_id'>;

const KEY_COLUMNS: Columns<LevelKey> = { node_id: 'text', item_id: 'text' };

/**
 * Locks the levels of items at nodes until the transaction ends, and returns them. A missing level is created with
 * zeros.
 */
async function lockLevelsOfNodes(
  ctx: Ctx,
  clientId: string,
  places: readonly Pick<ItemPlace, 'nodeId' | 'itemId'>[],
): Promise<Map<string, StockLevelRow>> {
  const found = new Map<string, StockLevelRow>();
  const wanted = new Map(
    places.map(({ nodeId, itemId }) => [keyOf(nodeId, itemId), { node_id: nodeId, item_id: itemId }]),
  );
  const keys = [...wanted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
  const lock = async (some: readonly LevelKey[]) => {
    const rows = await selectByKeys(ctx.db, { clientId, keys: ctx.dialect.rowsText(some, KEY_COLUMNS) });
    for (const row of rows) found.set(keyOf(row.node_id, row.item_id), { ...row });
  };
  for (const some of portions(keys)) {
    await lock(some);
    const missing = some.filter((key) => !found.has(keyOf(key.node_id, key.item_id)));
    if (missing.length === 0) continue;
    await insertAtZero(ctx.db, { clientId, now: ctx.now, keys: ctx.dialect.rowsText(missing, KEY_COLUMNS) });
    await lock(missing);
  }
  return found;
}

interface ByKeys {
  clientId: string;
  keys: BoundText;
}

/**
 * The wanted keys are materialized and come first in the join; otherwise SQLite reads all levels of the client. For the
 * same reason, SQLite sorts by columns of `wanted`. PostgreSQL must sort by columns of `level`: all other locks of
 * levels are in the order of the bytes, and `wanted` has another collation.
 */
const selectByKeys = statement((db, { clientId, keys }: ByKeys, dialect) => {
  const sorted = dialect.engine === 'postgres' ? 'level' : 'wanted';
  return db
    .with(
      (cte) => cte('wanted').materialized(),
      () => dialect.rowsOf<LevelKey>(keys, KEY_COLUMNS),
    )
    .selectFrom('wanted')
    .innerJoin('stock_levels as level', (join) =>
      join
        .on('level.client_id', '=', clientId)
        .onRef('level.node_id', '=', 'wanted.node_id')
        .onRef('level.item_id', '=', 'wanted.item_id'),
    )
    .selectAll('level')
    .orderBy(`${sorted}.node_id`)
    .orderBy(`${sorted}.item_id`)
    .modifyEnd(dialect.forUpdate);
});

const insertAtZero = change((db, { clientId, now, keys }: ByKeys & { now: number }, dialect) =>
  db
    .insertInto('stock_levels')
    .columns(['node_id', 'item_id', 'client_id', 'updated_at'])
    .expression(
      dialect
        .rowsOf<LevelKey>(keys, KEY_COLUMNS)
        .select((eb) => [
          eb.cast<string>(eb.val(clientId), 'text').as('client_id'),
          eb.cast<number>(eb.val(now), 'bigint').as('updated_at'),
        ]),
    )
    .onConflict((on) => on.columns(['client_id', 'node_id', 'item_id']).doNothing()),
);
