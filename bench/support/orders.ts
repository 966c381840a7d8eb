/**
 * Open orders for the benches. Some orders are created through the interface; the other orders are copies of their
 * rows.
 */
import Database from 'better-sqlite3';
import { Client } from './client.ts';
import { type Filled, NODE, STORE } from './data.ts';
import { itemKey } from './keys.ts';
import type { Service } from './processes.ts';

export const QUEUE = 'WAITING_FOR_PICK_ISPU';

/** Number of items in the orders. The items must exist. */
export const ORDER_ITEMS = 200;

/** Returns the n-th order: an order with two lines for pickup. */
export function orderBody(n: number): Record<string, unknown> {
  const id = String(n).padStart(9, '0');
  const person = { name: 'Ada Lovelace', email: 'ada.lovelace@mail.example', phone: '+1 401 555 0101' };
  return {
    fulfillmentOrderId: `1${id}001`,
    omsOrderId: `1${id}`,
    webOrderId: `W${id}`,
    nodeId: NODE,
    fulfillmentType: 'STORE_PICK_UP',
    orderDate: '2026-03-02T10:35:00Z',
    fulfillmentOrderDate: '2026-03-02T10:40:00Z',
    currency: 'USD',
    carrier: '',
    service: '',
    customer: person,
    destinations: [
      {
        destinationId: 'home',
        destinationType: 'MAILING_ADDRESS',
        personName: { firstName: 'Ada', lastName: 'Lovelace' },
        address: {
          line1: '12 Engine Row',
          city: 'Newport',
          mainDivisionCode: 'RI',
          postalCode: '02840',
          countryCode: 'US',
        },
        phone: person.phone,
        email: person.email,
      },
    ],
    billToAddress: { destinationId: 'home' },
    shippingAddress: { destinationId: 'home' },
    lines: [0, 1].map((line) => ({
      webLineId: String(line + 1),
      itemId: itemKey((n * 7 + line * 3) % ORDER_ITEMS),
      quantity: 1 + ((n + line) % 3),
      unitPrice: 19.99,
      tax: 1.4,
    })),
  };
}

/** Sends `count` orders through the interface, beginning with the number `first`. Returns their ids. */
export async function takeOrders(
  service: Pick<Service, 'port'>,
  credentials: Filled['credentials'],
  first: number,
  count: number,
): Promise<string[]> {
  const client = await Client.open(service.port, credentials);
  const ids: string[] = [];
  try {
    for (let done = 0; done < count; done += 200) {
      const bodies = Array.from({ length: Math.min(200, count - done) }, (_, index) => orderBody(first + done + index));
      await client.send('POST', `/operator/v1/stores/${STORE}/fulfillmentOrders`, bodies);
      ids.push(...bodies.map((body) => String(body['fulfillmentOrderId'])));
    }
  } finally {
    client.close();
  }
  return ids;
}

/** Copies the open orders of an SQLite database until it has `count` of them. No service may have the database open. */
export function growOrders(file: string, count: number): void {
  const db = new Database(file);
  try {
    db.pragma('synchronous = OFF');
    db.pragma('cache_size = -200000');
    const originals = db
      .prepare(`select count(*) from fulfillment_orders where fulfillment_order_id not like '%-%'`)
      .pluck()
      .get() as number;
    const have = db.prepare('select count(*) from fulfillment_orders').pluck().get() as number;
    const copies = Math.ceil(count / originals);
    db.exec('create temp table copies (n integer primary key)');
    for (const table of ['fulfillment_orders', 'order_lines']) {
      db.exec(
        `create temp table original_${table} as select * from ${table} where fulfillment_order_id not like '%-%'`,
      );
    }
    const number = db.prepare('insert into copies values (?)');
    const some = 50;
    for (let from = Math.round(have / originals); from < copies; from += some) {
      db.transaction(() => {
        db.exec('delete from copies');
        for (let n = from; n < Math.min(from + some, copies); n++) number.run(n);
        copyRows(db, 'fulfillment_orders', {
          fulfillment_order_id: `t.fulfillment_order_id || '-' || n`,
          fulfillment_id: `t.fulfillment_id + ${originals} * n`,
          fulfillment_order_date: 't.fulfillment_order_date + n * 1000',
          oms_order_id: `t.oms_order_id || '-' || n`,
          web_order_id: `t.web_order_id || '-' || n`,
        });
        copyRows(db, 'order_lines', { fulfillment_order_id: `t.fulfillment_order_id || '-' || n` });
      })();
    }
    db.exec('analyze');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

function copyRows(db: Database.Database, table: string, changed: Record<string, string>): void {
  const columns = (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const values = columns.map((name) => changed[name] ?? `t.${name}`);
  db.exec(`insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from copies, original_${table} t`);
}
