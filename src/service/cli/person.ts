import { findOrdersOfPerson } from '../../orders/person.ts';
import type { Reader } from '../../platform/storage/db.ts';
import type { FulfillmentOrderRow } from '../../platform/storage/tables.ts';

/**
 * Returns the fulfillment orders of a web order, which are all of one customer.
 * @throws Error if there is none.
 * @throws Error if no store is given and several stores have this number, because these orders are of different people
 */
export async function mustFindOrdersOfPerson(
  db: Reader,
  { client, webOrder, store }: { client: string; webOrder: string; store?: string },
): Promise<FulfillmentOrderRow[]> {
  const orders = await findOrdersOfPerson(db, client, webOrder, store);
  const number = JSON.stringify(webOrder);
  if (orders.length === 0) {
    const where = store === undefined ? '' : ` in store ${JSON.stringify(store)}`;
    throw new Error(`Client ${JSON.stringify(client)} has no orders of web order ${number}${where}.`);
  }
  const storeIds = [...new Set(orders.map((row) => row.store_id))].sort();
  if (storeIds.length > 1) {
    const stores = storeIds.map((id) => JSON.stringify(id)).join(', ');
    throw new Error(`Web order ${number} is in several stores: ${stores}. Add --store with one of them.`);
  }
  return orders;
}
