/** Which catalogs a credential reaches: one narrowed to stores writes only into the catalogs of these stores. */
import type { Actor } from '../platform/ctx.ts';
import { denied } from '../platform/http/errors.ts';
import type { Reader } from '../platform/storage/db.ts';

/** The catalogs a credential may write into; undefined is all of its client's. */
export async function catalogsOf(db: Reader, actor: Actor, clientId: string): Promise<readonly string[] | undefined> {
  if (actor.storeIds === null || actor.storeIds === undefined) return undefined;
  const narrowed = new Set(actor.storeIds);
  const stores = await db
    .selectFrom('stores')
    .select(['store_id', 'catalog_id'])
    .where('client_id', '=', clientId)
    .execute();
  return stores.filter((store) => narrowed.has(store.store_id)).map((store) => store.catalog_id);
}

/** @throws Refusal 403 when the item's catalog, named by its itemId, is out of the credential's reach. */
export async function requireCatalog(db: Reader, actor: Actor, clientId: string, itemId: string): Promise<void> {
  const catalogs = await catalogsOf(db, actor, clientId);
  if (catalogs !== undefined && !catalogs.includes(catalogOf(itemId)))
    throw denied('the catalog of the itemId is of no store that this key is for');
}

/** The catalog that an itemId begins with; no catalogId has a hyphen. */
export function catalogOf(itemId: string): string {
  return itemId.split('-', 1)[0]!;
}
