/** Items that a caller may ask stock of. */
import { sql } from 'kysely';
import { catalogOf, catalogsOf } from '../items/access.ts';
import type { ReadCtx } from '../platform/ctx.ts';

/** Condition on `item_id`: the items of the catalogs that the caller reaches; undefined: all. */
export async function reachOf(ctx: Pick<ReadCtx, 'db' | 'actor'>, clientId: string) {
  const catalogs = await catalogsOf(ctx.db, ctx.actor, clientId);
  if (catalogs === undefined) return undefined;
  const parts = catalogs.map((id) => sql<boolean>`(item_id >= ${`${id}-`} and item_id < ${`${id}.`})`);
  return parts.length === 0 ? sql<boolean>`(1 = 0)` : sql<boolean>`(${sql.join(parts, sql` or `)})`;
}

/** Those of the items that the client has not, or the caller does not reach. */
export async function unknownItems(
  ctx: Pick<ReadCtx, 'db' | 'actor' | 'dialect'>,
  clientId: string,
  itemIds: readonly string[],
): Promise<Set<string>> {
  const catalogs = await catalogsOf(ctx.db, ctx.actor, clientId);
  const rows = await ctx.db
    .selectFrom('items')
    .select('item_id')
    .where('client_id', '=', clientId)
    .where('item_id', 'in', ctx.dialect.listOf([...new Set(itemIds)], 'text'))
    .execute();
  const known = new Set(rows.map((row) => row.item_id));
  return new Set(
    itemIds.filter((id) => !known.has(id) || (catalogs !== undefined && !catalogs.includes(catalogOf(id)))),
  );
}
