/** Adds the present bar codes of items to snapshots, so that a scan finds an item by a code that it got later. */
import { sql } from 'kysely';
import type { ReadCtx } from '../platform/ctx.ts';
import { type Json, readJson } from '../platform/json-column.ts';
import { parseJson, stringifyJson } from '../platform/message/json.ts';
import type { BoundText } from '../platform/storage/dialect.ts';
import { statement } from '../platform/storage/statement.ts';
import { codeForm } from '../shared/gs1.ts';
import type { ItemDetails, Snapshot } from '../shared/snapshot.ts';

/**
 * Returns the rows with the present codes of their items, and of the components of bundles, after the codes of the
 * snapshots. These remain, because goods with an old label exist, and because the item can be deleted.
 */
export async function withPresentCodes<R extends { snapshot: Json<Snapshot> }>(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  rows: readonly R[],
): Promise<R[]> {
  const read = rows.map((row) => ({ row, details: detailsIn(readJson(row.snapshot)) }));
  const itemIds = [...new Set(read.flatMap(({ details }) => details.map(({ itemId }) => itemId)))];
  const stored = await selectCodes(ctx.db, { clientId, itemIds: ctx.dialect.listText(itemIds) });
  const upcsOf = new Map(stored.map(({ item_id, upcs }) => [item_id, upcs]));
  const addedTo = ({ itemId, upcs }: ItemDetails) => {
    const text = upcsOf.get(itemId) ?? null;
    // Usually nothing has changed, and comparing the codes as they are is enough.
    const others = text === null ? [] : readJson(text).filter(({ upc }) => upcs.every(({ value }) => value !== upc));
    if (others.length === 0) return [];
    const own = new Set(upcs.map(({ value }) => codeForm(value)));
    const added = others.filter(({ upc }) => !own.has(codeForm(upc)));
    return added.map(({ upcType, upc }) => ({ type: upcType, value: upc }));
  };
  return read.map(({ row, details }) => {
    if (details.every((one) => addedTo(one).length === 0)) return row;
    const snapshot = parseJson(row.snapshot);
    for (const one of detailsIn(snapshot)) one.upcs.push(...addedTo(one));
    return { ...row, snapshot: stringifyJson(snapshot) };
  });
}

function detailsIn({ itemDetails, components = [] }: Snapshot): ItemDetails[] {
  return [itemDetails, ...components.map((one) => one.itemDetails)];
}

type Upcs = Json<{ upcType: string; upc: string }[]>;

const selectCodes = statement((db, { clientId, itemIds }: { clientId: string; itemIds: BoundText }, dialect) => {
  const upcs =
    dialect.engine === 'sqlite' ? sql<Upcs | null>`doc -> 'upcs'` : sql<Upcs | null>`(doc::json -> 'upcs')::text`;
  return db
    .selectFrom('items')
    .select(['item_id', upcs.as('upcs')])
    .where('client_id', '=', clientId)
    .where('item_id', 'in', dialect.listOf<string>(itemIds, 'text'));
});
