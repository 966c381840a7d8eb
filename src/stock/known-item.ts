/** Checks the item id of lists that are about one item: a misspelled id must not look like an item without stock. */
import { findItemIds } from '../items/find.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import { quote } from '../platform/message/words.ts';
import { say } from './sentences.ts';

/** Adds an error if the client has neither the item nor stock of it. A deleted item can still have units at a node. */
export async function mustKnowItem(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  itemId: string | undefined,
  errors: FieldErrors,
): Promise<void> {
  if (itemId === undefined || (await findItemIds(ctx, clientId, [itemId])).size > 0) return;
  const stocked = await ctx.db
    .selectFrom('stock_levels')
    .select('item_id')
    .where('client_id', '=', clientId)
    .where('item_id', '=', itemId)
    .limit(1)
    .executeTakeFirst();
  if (stocked !== undefined) return;
  errors.add(
    'query:itemId',
    'unknown',
    say('the client has no item {itemId}; send the itemId of one of its items', { itemId: quote(itemId) }),
  );
}
