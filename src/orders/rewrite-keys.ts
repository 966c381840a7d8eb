/**
 * Makes the filter keys anew of orders that an older release took in, after a migration (docs/decisions/152): in batches of one
 * transaction each, so that an interrupted run goes on where it was, and no other write waits long.
 */
import { sql } from 'kysely';
import { contactKeys, KEY_FORM } from '../kernel/keys.ts';
import type { Contacts } from '../kernel/orders.ts';
import { openStore, type Writer } from '../platform/storage/db.ts';
import type { Columns, Dialect } from '../platform/storage/dialect.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';

const BATCH = 500;

/** Rewrites what is left of older forms in the database of `url`; returns how many orders that were. */
export async function rewriteKeys(url: string): Promise<number> {
  const store = await openStore(url, { readers: 1, connections: 1 });
  try {
    let count = 0;
    for (;;) {
      const orders = await store.read(selectOld, { single: true });
      if (orders.length === 0) return count;
      await store.write((tx) => updateKeys(tx, store.dialect, orders.map(anew)));
      count += orders.length;
    }
  } finally {
    await store.close();
  }
}

type OldOrder = Pick<
  FulfillmentOrderRow,
  'client_id' | 'fulfillment_order_id' | 'revision' | 'contacts' | 'blanked_at'
>;

function selectOld(db: Pick<Writer, 'selectFrom'>): Promise<OldOrder[]> {
  return db
    .selectFrom('fulfillment_orders')
    .select(['client_id', 'fulfillment_order_id', 'revision', 'contacts', 'blanked_at'])
    .where(sql<boolean>`key_form = 0`)
    .orderBy('client_id')
    .orderBy('fulfillment_order_id')
    .limit(BATCH)
    .execute();
}

/** Null where a key stays as it is. */
interface Anew {
  client_id: string;
  fulfillment_order_id: string;
  seen: number;
  customer_name: string | null;
  customer_phone: string | null;
  proxy_name: string | null;
  proxy_phone: string | null;
}

const COLUMNS: Columns<Anew> = {
  client_id: 'text',
  fulfillment_order_id: 'text',
  seen: 'integer',
  customer_name: 'text',
  customer_phone: 'text',
  proxy_name: 'text',
  proxy_phone: 'text',
};

/** Nobody is named in an order that was forgotten. */
function anew({ client_id, fulfillment_order_id, revision: seen, contacts, blanked_at }: OldOrder): Anew {
  const people = blanked_at === null ? (JSON.parse(contacts) as Contacts) : undefined;
  const customer = people && contactKeys(people.customer);
  const proxy = people?.proxyDetails && contactKeys(people.proxyDetails);
  return {
    client_id,
    fulfillment_order_id,
    seen,
    customer_name: customer?.name ?? null,
    customer_phone: customer?.phone ?? null,
    proxy_name: proxy?.name ?? null,
    proxy_phone: proxy?.phone ?? null,
  };
}

/** An order that was changed meanwhile, perhaps forgotten, is read again. */
async function updateKeys(tx: Writer, dialect: Dialect, rows: readonly Anew[]): Promise<void> {
  await tx
    .with(
      (cte) => cte('anew').materialized(),
      () => dialect.rowsOf(rows, COLUMNS),
    )
    .updateTable('fulfillment_orders')
    .from('anew')
    .set((eb) => ({
      customer_name_key: eb.fn.coalesce('anew.customer_name', 'customer_name_key'),
      customer_phone_key: eb.fn.coalesce('anew.customer_phone', 'customer_phone_key'),
      proxy_name_key: eb.fn.coalesce('anew.proxy_name', 'proxy_name_key'),
      proxy_phone_key: eb.fn.coalesce('anew.proxy_phone', 'proxy_phone_key'),
      key_form: KEY_FORM,
    }))
    .whereRef('fulfillment_orders.client_id', '=', 'anew.client_id')
    .whereRef('fulfillment_orders.fulfillment_order_id', '=', 'anew.fulfillment_order_id')
    .whereRef('fulfillment_orders.revision', '=', 'anew.seen')
    .execute();
}
