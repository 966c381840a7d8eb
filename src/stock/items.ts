/** Items of the client that messages name. */
import type { ReadCtx } from '../platform/ctx.ts';

/** Those of the items that the client has not. */
export async function unknownItems(
  { db, dialect }: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  itemIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('items')
    .select('item_id')
    .where('client_id', '=', clientId)
    .where('item_id', 'in', dialect.listOf([...new Set(itemIds)], 'text'))
    .execute();
  const known = new Set(rows.map((row) => row.item_id));
  return new Set(itemIds.filter((id) => !known.has(id)));
}

/** Whether the client has the item. */
export async function isItem(ctx: Pick<ReadCtx, 'db' | 'dialect'>, clientId: string, itemId: string): Promise<boolean> {
  return (await unknownItems(ctx, clientId, [itemId])).size === 0;
}
