/**
 * Deletes stock moves, transactions, counts and count plans at the end of their retention. The sums of deleted moves
 * are kept (docs/stock.md#moves-by-action).
 */
import { sql } from 'kysely';
import { removeSequences } from '../../events/sequences.ts';
import { scopeOf } from '../../kernel/commands.ts';
import { lockLevels, PLACE_COLUMNS } from '../../kernel/stock.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { lastOld } from '../../platform/last-old.ts';
import type { Reader } from '../../platform/storage/db.ts';
import type { StockCarriedRow } from '../../platform/storage/tables.ts';
import { along, type Mark, type Sweep } from './sweep.ts';

type Move = Mark & { node: string; revision: number };

export const stockMoves: Sweep<Move> = {
  name: 'stock moves past their time',
  days: ({ stockDays }) => stockDays,
  batch: 500,
  find: findOld,
  remove: async (ctx, rows) => {
    let count = 0;
    const places = Map.groupBy(rows, ({ clientId, node }) => JSON.stringify([clientId, node]));
    // Deleting moves locks the levels of their node. All sweeps lock nodes in the same order, so they do not deadlock.
    for (const place of [...places.keys()].sort()) {
      const own = places.get(place)!;
      if (!(await hasWaitingCount(ctx, own[0]!))) count += await carryMoves(ctx, own);
    }
    return { 'stock moves': count };
  },
};

const BEFORE_ALL: Move = { clientId: '', at: 0, node: '', id: '', revision: 0 };
const ORDER = sql`at, node_id, item_id, revision`;

/**
 * Returns the oldest moves after the mark `after`: first the moves of the mark's client, then the moves of the next
 * client. The index by time begins with the client.
 */
async function findOld(db: Reader, upTo: number, after = BEFORE_ALL, limit: number): Promise<Move[]> {
  const { clientId, at, node, id, revision } = after;
  const next = sql`(select c.client_id from clients c where c.client_id > ${clientId}
    and exists (select 1 from stock_moves m where m.client_id = c.client_id and m.at <= ${upTo})
    order by c.client_id limit 1)`;
  const { rows } = await sql<Move>`
    select client_id as "clientId", at, node_id as node, item_id as id, revision from (
      select * from (select * from stock_moves
        where client_id = ${clientId} and at >= ${at} and at <= ${upTo} and (${ORDER}) > (${at}, ${node}, ${id}, ${revision})
        order by ${ORDER} limit ${limit}) own
      union all
      select * from (select * from stock_moves where client_id = ${next} and at <= ${upTo} order by ${ORDER} limit ${limit}) others
    ) old order by client_id, ${ORDER} limit ${limit}`.execute(db);
  return rows;
}

/**
 * Whether a count of the node waits for approval, or a count plan is not finished. The approval compares the counted
 * units with the level at their revision. It therefore needs the moves since that revision, and newer counts and plans.
 */
async function hasWaitingCount({ db }: Ctx, { clientId, node }: Pick<Move, 'clientId' | 'node'>): Promise<boolean> {
  const waiting = await db
    .selectFrom('stock_counts')
    .select('count_id')
    .where('client_id', '=', clientId)
    .where('node_id', '=', node)
    .where('state', '=', sql.lit('WAITING'))
    .limit(1)
    .execute();
  if (waiting.length > 0) return true;
  const plans = await db
    .selectFrom('count_plans')
    .select('plan_id')
    .where('client_id', '=', clientId)
    .where('node_id', '=', node)
    .where(sql<boolean>`state in ('OPEN', 'COUNTED')`)
    .limit(1)
    .execute();
  return plans.length > 0;
}

const MOVE_KEY = { at: 'integer', item_id: 'text', revision: 'integer' } as const;
const MARK_KEY = { item_id: 'text', revision: 'integer' } as const;
const CARRIED = {
  client_id: 'text',
  node_id: 'text',
  item_id: 'text',
  shelf: 'integer',
  staged: 'integer',
  damaged: 'integer',
  held: 'integer',
  missing: 'integer',
  revision: 'integer',
} as const;

/**
 * Deletes moves of one node and adds their quantities to `stock_carried`. Only rows that the statement returns as
 * deleted are added.
 */
async function carryMoves(ctx: Ctx, moves: readonly Move[]): Promise<number> {
  const { clientId, node: nodeId } = moves[0]!;
  await lockLevels(ctx, { clientId, nodeId }, [...new Set(moves.map(({ id }) => id))].sort());
  const keys = moves.map(({ at, id, revision }) => ({ at, item_id: id, revision }));
  const { rows } = await sql<{ item: string; revision: number; from: string; to: string; quantity: number }>`
    delete from stock_moves where client_id = ${clientId} and node_id = ${nodeId}
      and (at, item_id, revision) in ${ctx.dialect.rowsOf(keys, MOVE_KEY)}
    returning item_id as item, revision, from_spot as "from", to_spot as "to", quantity`.execute(ctx.db);
  const sums = new Map<string, StockCarriedRow>();
  for (const { item, revision, from, to, quantity } of rows) {
    const sum = sums.get(item) ?? nothing(clientId, nodeId, item);
    sums.set(item, sum);
    if (isColumn(from)) sum[PLACE_COLUMNS[from]] -= quantity;
    if (isColumn(to)) sum[PLACE_COLUMNS[to]] += quantity;
    sum.revision = Math.max(sum.revision, revision);
  }
  if (sums.size === 0) return 0;
  await sql`delete from stock_move_marks where client_id = ${clientId} and node_id = ${nodeId}
    and (item_id, revision) in ${ctx.dialect.rowsOf(
      keys.map(({ item_id, revision }) => ({ item_id, revision })),
      MARK_KEY,
    )}`.execute(ctx.db);
  const columns = Object.keys(CARRIED) as (keyof typeof CARRIED)[];
  await ctx.db
    .insertInto('stock_carried')
    .columns(columns)
    .expression(ctx.dialect.rowsOf([...sums.values()], CARRIED))
    .onConflict((on) =>
      on.columns(['client_id', 'node_id', 'item_id']).doUpdateSet((eb) => ({
        ...Object.fromEntries(
          Object.values(PLACE_COLUMNS).map((name) => [
            name,
            eb(`stock_carried.${name}`, '+', eb.ref(`excluded.${name}`)),
          ]),
        ),
        revision: sql<number>`case when excluded.revision > stock_carried.revision then excluded.revision else stock_carried.revision end`,
      })),
    )
    .execute();
  return rows.length;
}

function nothing(client_id: string, node_id: string, item_id: string): StockCarriedRow {
  return { client_id, node_id, item_id, shelf: 0, staged: 0, damaged: 0, held: 0, missing: 0, revision: 0 };
}

function isColumn(spot: string): spot is keyof typeof PLACE_COLUMNS {
  return spot in PLACE_COLUMNS;
}

/** A stock transaction; `id` is its node. */
type Transaction = Mark & { sequence: number };

export const stockTransactions: Sweep<Transaction> = {
  name: 'stock transactions past their time',
  days: ({ stockDays }) => stockDays,
  batch: 1_000,
  find: along('stock_transactions', { at: 'at', clientId: 'client_id', id: 'node_id', sequence: 'sequence' }),
  remove: async ({ db, now, dialect }, found, upTo) => {
    let count = 0;
    const places = Map.groupBy(found, ({ clientId, id }) => JSON.stringify([clientId, id]));
    for (const place of [...places.keys()].sort()) {
      const own = places.get(place)!;
      const { clientId, id: node } = own[0]!;
      const head = await db
        .selectFrom('stock_heads')
        .select('gone')
        .where('client_id', '=', clientId)
        .where('node_id', '=', node)
        .modifyEnd(dialect.forUpdate)
        .executeTakeFirst();
      // Transactions are deleted in order, so a reader needs only one number (`gone`) to know which transactions are
      // deleted.
      const rows = sql<{ position: number; at: number }>`
        select sequence as position, at from stock_transactions
        where client_id = ${clientId} and node_id = ${node} and sequence > ${head?.gone ?? 0}`;
      const last = await lastOld(db, rows, { upTo, now, limit: own.length });
      if (last === undefined) continue;
      await db
        .updateTable('stock_heads')
        .set({ gone: last })
        .where('client_id', '=', clientId)
        .where('node_id', '=', node)
        .execute();
      const done = await db
        .deleteFrom('stock_transactions')
        .where('client_id', '=', clientId)
        .where('node_id', '=', node)
        .where('sequence', '<=', last)
        .executeTakeFirst();
      count += Number(done.numDeletedRows);
    }
    return { 'stock transactions': count };
  },
};

type Count = Mark & { node: string };

/** Returns the rows of nodes without a waiting count. */
async function withoutWaiting(ctx: Ctx, rows: readonly Count[]): Promise<Count[]> {
  const waiting = new Map<string, boolean>();
  for (const { clientId, node } of rows) {
    const place = JSON.stringify([clientId, node]);
    if (!waiting.has(place)) waiting.set(place, await hasWaitingCount(ctx, { clientId, node }));
  }
  return rows.filter(({ clientId, node }) => waiting.get(JSON.stringify([clientId, node])) === false);
}

export const stockCounts: Sweep<Count> = {
  name: 'counts past their time',
  days: ({ stockDays }) => stockDays,
  batch: 50,
  find: along(
    'stock_counts',
    { at: 'at', clientId: 'client_id', node: 'node_id', id: 'count_id' },
    sql`state = 'POSTED'`,
  ),
  remove: async (ctx, rows) => {
    let counts = 0;
    for (const { clientId, node, id } of await withoutWaiting(ctx, rows)) {
      for (const table of ['stock_count_lines', 'stock_counts'] as const) {
        const done = await ctx.db
          .deleteFrom(table as 'stock_counts')
          .where('client_id', '=', clientId)
          .where('node_id', '=', node)
          .where('count_id', '=', id)
          .executeTakeFirst();
        if (table === 'stock_counts') counts += Number(done.numDeletedRows);
      }
      await ctx.db
        .deleteFrom('commands')
        .where('client_id', '=', clientId)
        .where('scope', '=', scopeOf('count', node))
        .where('command_id', '=', id)
        .execute();
      await removeSequences(ctx, clientId, 'count', [`${node}/${id}`]);
    }
    return { counts };
  },
};

export const countPlans: Sweep<Count> = {
  name: 'count plans past their time',
  days: ({ stockDays }) => stockDays,
  batch: 50,
  find: along(
    'count_plans',
    { at: 'approved_at', clientId: 'client_id', node: 'node_id', id: 'plan_id' },
    sql`state = 'APPROVED'`,
  ),
  remove: async (ctx, rows) => {
    let plans = 0;
    // A plan is not deleted while a count of its node waits: the times in its lines decide whether the waiting count is
    // older.
    for (const { clientId, node, id } of await withoutWaiting(ctx, rows)) {
      for (const table of ['count_plan_lines', 'count_plans'] as const) {
        const done = await ctx.db
          .deleteFrom(table as 'count_plans')
          .where('client_id', '=', clientId)
          .where('node_id', '=', node)
          .where('plan_id', '=', id)
          .executeTakeFirst();
        if (table === 'count_plans') plans += Number(done.numDeletedRows);
      }
      await removeSequences(ctx, clientId, 'countPlan', [`${node}/${id}`]);
    }
    return { 'count plans': plans };
  },
};
