/** Access to catalogs. A credential that is limited to stores has access only to the catalogs of these stores. */
import type { Actor } from '../platform/ctx.ts';
import { denied } from '../platform/http/errors.ts';
import type { Reader } from '../platform/storage/db.ts';
import { catalogOf } from '../shared/item-id.ts';
import { say } from './sentences.ts';

/** Returns the catalogs to which a credential has access; undefined means all catalogs of its client. */
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

/**
 * Checks that a credential has access to the catalog of an item.
 * @throws Refusal 403 if it has no access
 */
export async function requireCatalog(db: Reader, actor: Actor, clientId: string, itemId: string): Promise<void> {
  const catalogs = await catalogsOf(db, actor, clientId);
  if (catalogs !== undefined && !catalogs.includes(catalogOf(itemId)))
    throw denied(
      say('the catalog of the itemId belongs to no store of this key; use the key of a store with this catalog'),
    );
}
