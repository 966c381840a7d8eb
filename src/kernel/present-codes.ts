/** Adds the present bar codes of items to snapshots, so that a scan finds an item by a code that it got later. */
import { sql } from 'kysely';
import type { ReadCtx } from '../platform/ctx.ts';
import { type Json, readJson } from '../platform/json-column.ts';
import { parseJson, stringifyJson } from '../platform/message/json.ts';
import type { BoundText } from '../platform/storage/dialect.ts';
import { statement } from '../platform/storage/statement.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { codeForm } from '../shared/gs1.ts';
import type { ItemDetails, Snapshot } from '../shared/snapshot.ts';
import { componentsOf } from './tickets/merge-lines.ts';

/** Margin for the clocks of several processes, and for changes of items that waited for the database. */
const MARGIN_MS = 60_000;

/**
 * Returns the rows of `orders` with the present codes of their items, and of the components of bundles, after the codes
 * of the snapshots. These remain, because goods with an old label exist, and because the item can be deleted.
 */
export async function withPresentCodes<R extends Coded>(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  orders: readonly Pick<FulfillmentOrderRow, 'created_at' | 'resourced_from'>[],
  rows: readonly R[],
): Promise<R[]> {
  const itemIds = ctx.dialect.listText([...new Set(rows.flatMap(itemIdsOf))]);
  // An order that was re-sourced has the snapshots of an earlier order.
  const since = Math.min(...orders.map((one) => (one.resourced_from === null ? one.created_at - MARGIN_MS : 0)));
  const changed = await selectCodes(ctx.db, { clientId, itemIds, since });
  if (changed.length === 0) return [...rows];
  const upcsOf = new Map(changed.map(({ item_id, upcs }) => [item_id, upcs === null ? [] : readJson(upcs)]));
  const addedTo = ({ itemId, upcs }: ItemDetails) => {
    const isKnown = (upc: string) => upcs.some(({ value }) => value === upc || codeForm(value) === codeForm(upc));
    return (upcsOf.get(itemId) ?? []).filter(({ upc }) => !isKnown(upc));
  };
  return rows.map((row) => {
    if (detailsIn(readJson(row.snapshot)).every((details) => addedTo(details).length === 0)) return row;
    const snapshot = parseJson(row.snapshot);
    for (const details of detailsIn(snapshot))
      details.upcs.push(...addedTo(details).map(({ upcType, upc }) => ({ type: upcType, value: upc })));
    return { ...row, snapshot: stringifyJson(snapshot) };
  });
}

/** A row of a line or of an item of a ticket. */
type Coded = { snapshot: Json<Snapshot> } & ({ item_id: string } | { itemId: string });

function itemIdsOf(row: Coded): string[] {
  const components = componentsOf(row) ?? [];
  return ['itemId' in row ? row.itemId : row.item_id, ...components.map((one) => one.itemDetails.itemId)];
}

function detailsIn({ itemDetails, components = [] }: Snapshot): ItemDetails[] {
  return [itemDetails, ...components.map((one) => one.itemDetails)];
}

type Upcs = Json<{ upcType: string; upc: string }[]>;

interface Changed {
  clientId: string;
  itemIds: BoundText;
  since: number;
}

/** Reads the codes of the items that have changed. SQLite takes longer to parse an item than for all the rest. */
const selectCodes = statement((db, { clientId, itemIds, since }: Changed, dialect) => {
  const upcs =
    dialect.engine === 'sqlite' ? sql<Upcs | null>`doc -> 'upcs'` : sql<Upcs | null>`(doc::json -> 'upcs')::text`;
  return db
    .selectFrom('items')
    .select(['item_id', upcs.as('upcs')])
    .where('client_id', '=', clientId)
    .where('item_id', 'in', dialect.listOf<string>(itemIds, 'text'))
    .where('updated_at', '>=', since);
});
