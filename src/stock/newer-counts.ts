/** Finds posted counts that an older count would overwrite. */
import { sql } from 'kysely';
import type { StockNode, StockPlace } from '../kernel/stock-terms.ts';
import type { ReadCtx } from '../platform/ctx.ts';

/** A line of a count that is not posted yet. */
export interface OlderLine {
  itemId: string;
  place: StockPlace;
  revision: number;
  /** When the count was sent. */
  at: number;
}

/** A posted count that is newer than a line of the same item. */
export interface NewerCount {
  itemId: string;
  countId: string;
}

type NewerCtx = Pick<ReadCtx, 'db' | 'dialect'>;

const LINE = { line_index: 'integer', item_id: 'text', place: 'text', revision: 'integer', at: 'integer' } as const;

/**
 * Selects the posted counts that are newer than a line of the same item and place. A count is newer at a later revision
 * of the level, or at the same revision if it was sent later. For a line of a count plan, the time of its last count
 * matters, because the plan can be approved much later. Lock the levels first, because every count locks them before it
 * is posted.
 */
export function newerCounts(
  { dialect }: Pick<NewerCtx, 'dialect'>,
  { clientId, nodeId }: StockNode,
  lines: readonly OlderLine[],
) {
  const rows = lines.map(({ itemId, ...line }, line_index) => ({ ...line, line_index, item_id: itemId }));
  // SQLite keeps the order of a cross join; otherwise it would read the posted lines of the whole node.
  return sql`
    select own.line_index, own.item_id as "itemId", later.count_id as "countId", later.revision
    from ${dialect.rowsOf(rows, LINE)} own cross join stock_count_lines later
    join stock_counts sent on sent.client_id = later.client_id and sent.node_id = later.node_id
      and sent.count_id = later.count_id
    left join count_plan_lines planned on planned.client_id = later.client_id and planned.node_id = later.node_id
      and planned.plan_id = later.count_id and planned.line_index = later.line_index
    where later.client_id = ${clientId} and later.node_id = ${nodeId}
      and later.item_id = own.item_id and later.place = own.place and later.state = 'POSTED' and later.revision >= own.revision
      and (later.revision > own.revision or coalesce(planned.second_at, planned.first_at, sent.at) > own.at)`;
}

/** Returns for each line with a newer posted count the id of the newest one, by the index of the line. */
export async function findOlder(
  ctx: NewerCtx,
  node: StockNode,
  lines: readonly OlderLine[],
): Promise<Map<number, string>> {
  if (lines.length === 0) return new Map();
  const { rows } = await sql<{ line_index: number; countId: string }>`
    select line_index, "countId" from (${newerCounts(ctx, node, lines)}) newer
    order by line_index, revision, "countId" desc`.execute(ctx.db);
  return new Map(rows.map(({ line_index, countId }) => [line_index, countId]));
}

/** Returns a posted count that is newer than one of the lines, or undefined. */
export async function findNewer(
  ctx: NewerCtx,
  node: StockNode,
  lines: readonly OlderLine[],
): Promise<NewerCount | undefined> {
  if (lines.length === 0) return undefined;
  const { rows } = await sql<NewerCount>`
    select "itemId", "countId" from (${newerCounts(ctx, node, lines)}) newer
    order by line_index, revision desc, "countId" limit 1`.execute(ctx.db);
  return rows[0];
}
