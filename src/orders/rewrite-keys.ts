/**
 * Rewrites the filter keys of orders of older releases after a migration (docs/operating.md#upgrade). Each batch is one
 * transaction, so an interrupted run resumes, and other writes wait only briefly.
 */

import { sql } from 'kysely';
import { KEY_FORM, keyColumns } from '../kernel/keys.ts';
import { readJson } from '../platform/json-column.ts';
import { openStore, type Writer } from '../platform/storage/db.ts';
import type { Columns, Dialect } from '../platform/storage/dialect.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';

const BATCH = 500;

/** Rewrites all filter keys of older forms in the database of `url` and returns the number of orders. */
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

/** The new keys of an order. Null leaves a key unchanged. */
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

/** Returns the new keys of an order. An anonymized order keeps its empty keys. */
function anew({ client_id, fulfillment_order_id, revision: seen, contacts, blanked_at }: OldOrder): Anew {
  const keys = blanked_at === null ? keyColumns(readJson(contacts)) : undefined;
  return {
    client_id,
    fulfillment_order_id,
    seen,
    customer_name: keys?.customer_name_key ?? null,
    customer_phone: keys?.customer_phone_key ?? null,
    proxy_name: keys?.proxy_name_key ?? null,
    proxy_phone: keys?.proxy_phone_key ?? null,
  };
}

/**
 * Writes the keys of unchanged orders. An order that was changed or anonymized in the meantime is left to the next
 * batch.
 */
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
