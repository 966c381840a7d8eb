/** Chooses the items of a count plan by its rule. */
import { type RawBuilder, sql } from 'kysely';
import type { StockNode, StockPlace } from '../../kernel/stock-terms.ts';
import type { ReadCtx } from '../../platform/ctx.ts';

/** Rules that choose the items of a plan. */
export const COUNT_RULES = ['NEVER_COUNTED', 'MOVED_MOST', 'BELOW_ZERO', 'BINS', 'ITEMS'] as const;

/** The rule of a plan with its limits. */
export interface CountRule {
  type: (typeof COUNT_RULES)[number];
  /** For the rule BINS: the beginnings of pick locations. */
  bins?: string[];
  places: StockPlace[];
  maxItems: number;
}

declare module '../../platform/json-column.ts' {
  interface Shapes {
    CountRule: CountRule;
  }
}

/** An item to count, and its pick location. */
export interface Chosen {
  itemId: string;
  bin: string | null;
}

/** Returns the items of a node that a rule finds, at most `maxItems`, in the order of their pick locations. */
export async function chooseItems({ db }: Pick<ReadCtx, 'db'>, node: StockNode, rule: CountRule): Promise<Chosen[]> {
  if (rule.type === 'ITEMS') return [];
  const { rows } = await statementOf(node, { ...rule, type: rule.type }).execute(db);
  // The items are sorted by pick location, which is the order in which a user walks; items without a location come
  // last.
  return rows.sort(
    (a, b) => compare(a.bin === null, b.bin === null) || compare(a.bin, b.bin) || compare(a.itemId, b.itemId),
  );
}

/** Returns the pick locations of items at a node, by item id. An item without a location has null or no entry. */
export async function findBins(
  { db, dialect }: Pick<ReadCtx, 'db' | 'dialect'>,
  { clientId, nodeId }: StockNode,
  itemIds: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom('node_items')
    .select(['item_id', 'pick_location'])
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('item_id', 'in', dialect.listOf(itemIds, 'text'))
    .execute();
  return new Map(rows.map((row) => [row.item_id, row.pick_location]));
}

function compare<T extends string | boolean | null>(a: T, b: T): number {
  if (a === b) return 0;
  return a === null || (b !== null && a < b) ? -1 : 1;
}

/** Selects levels of the node, with the pick locations of their items. */
function levels({ clientId, nodeId }: StockNode, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`from stock_levels l
    left join node_items i on i.client_id = l.client_id and i.node_id = l.node_id and i.item_id = l.item_id
    where l.client_id = ${clientId} and l.node_id = ${nodeId} and ${condition}`;
}

/**
 * Whether an item is to be counted: it is in the catalog, or the level `l` has units of it. `node_items` keeps the pick
 * locations of deleted items.
 */
function isStocked({ clientId }: StockNode, itemId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(coalesce(l.shelf + l.staged + l.damaged + l.held + l.missing, 0) > 0
    or exists (select 1 from items known where known.client_id = ${clientId} and known.item_id = ${itemId}))`;
}

/** A rule that searches items. */
type Search = CountRule & { type: Exclude<CountRule['type'], 'ITEMS'> };

function statementOf(node: StockNode, rule: Search): RawBuilder<Chosen> {
  const { clientId, nodeId } = node;
  const limit = sql`limit ${rule.maxItems}`;
  const columns = sql`select l.item_id as "itemId", i.pick_location as bin`;
  switch (rule.type) {
    case 'BELOW_ZERO':
      return sql<Chosen>`${columns} ${levels(node, sql`(l.shelf < l.reserved or l.wanted_since is not null)`)}
        order by l.shelf - l.reserved, l.item_id ${limit}`;
    case 'MOVED_MOST':
      return sql<Chosen>`${columns} ${levels(node, sql`l.moves > l.moves_counted`)}
        order by l.moves - l.moves_counted desc, l.item_id ${limit}`;
    case 'NEVER_COUNTED':
      return sql<Chosen>`select * from (
          ${columns} ${levels(node, sql`(l.counted_at is null or l.opened_at is null) and ${isStocked(node, sql`l.item_id`)}`)}
          union all
          select i.item_id as "itemId", i.pick_location as bin from node_items i
          left join stock_levels l on l.client_id = i.client_id and l.node_id = i.node_id and l.item_id = i.item_id
          where i.client_id = ${clientId} and i.node_id = ${nodeId} and l.item_id is null and ${isStocked(node, sql`i.item_id`)}
        ) never order by bin is null, bin, "itemId" ${limit}`;
    case 'BINS':
      return sql<Chosen>`select i.item_id as "itemId", i.pick_location as bin from node_items i
        left join stock_levels l on l.client_id = i.client_id and l.node_id = i.node_id and l.item_id = i.item_id
        where i.client_id = ${clientId} and i.node_id = ${nodeId} and ${isStocked(node, sql`i.item_id`)}
          and (${sql.join(
            (rule.bins ?? []).map(
              (bin) => sql`substr(i.pick_location, 1, length(cast(${bin} as text))) = cast(${bin} as text)`,
            ),
            sql` or `,
          )})
        order by i.pick_location, i.item_id ${limit}`;
  }
}
