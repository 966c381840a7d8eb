/**
 * A fresh installation, all of the data, one trading day with the delivery before it. Stores, items and orders come in by the
 * import; everything else goes over HTTP to a listening server.
 */
import { join } from 'node:path';
import type { Store } from '../../src/platform/storage/db.ts';
import { examine } from '../../src/service/cli/doctor.ts';
import { totalOf } from '../../src/service/cli/import.ts';
import type { Counts } from '../../src/service/import/progress.ts';
import { disagreements, type Units, unitsOfDatabase, unitsOfFiles } from './accounts.ts';
import { type Delivery, deliver } from './delivery.ts';
import {
  CATALOG,
  CLIENT,
  everyTenth,
  invoiceFiles,
  openDay,
  SELLER,
  STORE,
  STORE_CODE,
  sorted,
} from './installation.ts';
import { countShelves, type Shelves } from './shelves.ts';
import { type Tally, workDay } from './work.ts';

export interface DayInput {
  /** Folder with `stores.json` and CSV files of invoices (also in a folder below). */
  data: string;
  /** Trading day, `YYYY-MM-DD`; `all` works every order; default: the day with most orders. */
  date?: string;
  /** Hears what is going on. */
  say: (line: string) => void;
}

interface DaySummary extends Counts {
  units: Units;
  /** The goods that were received before the day, and what the stores that keep stock have at its end. */
  received: Delivery['received'] & Pick<Delivery, 'stores' | 'cartons'>;
  stock: Shelves;
  operations: Record<string, number>;
}

export interface DayResult {
  summary: DaySummary;
  /** The trading day that was worked. */
  date: string;
  tally: Tally;
  items: Counts;
  nodes: Counts;
  /** What does not agree; empty when all is well. */
  faults: string[];
}

/** @throws Error with a sentence when there is no data, or when the service refuses something of the day. */
export async function runDay({ data, date, say }: DayInput): Promise<DayResult> {
  const invoices = invoiceFiles(data);
  const day = await openDay(say);
  const { store, config } = day;
  try {
    const nodes = await day.read('nodes', 'nodes.ts', [join(data, 'stores.json')]);
    const items = await day.read('items', 'items.ts', invoices);
    const orders = await day.read('orders', 'orders.ts', invoices);
    const worked = date ?? (await busiestDay(store));
    const deliveredOf = worked === 'all' ? undefined : worked;
    const delivery = await deliver({
      operator: day.operator,
      caller: day.caller,
      store,
      clientId: CLIENT,
      sellerId: SELLER,
      storeCode: STORE_CODE,
      catalogId: CATALOG,
      date: deliveredOf,
    });
    const { received, stores, cartons } = delivery;
    say(`${cartons} cartons of ${received.announced} units were received in ${stores} stores`);
    const tally = await workDay(day.caller, {
      storeId: STORE,
      nodeIds: await nodeIds(store),
      date: deliveredOf,
      onProgress: everyTenth((done, total) => say(`${worked}: ${done} of ${total} stores have worked their queues`)),
    });
    const refused = orders.flatMap(({ rejectFile }) => rejectFile ?? []);
    const units = {
      in: unitsOfFiles(invoices) - unitsOfFiles(refused),
      picked: tally.picked,
      declined: tally.declined,
    };
    const ours: Units = { ...units, open: units.in - units.picked - units.declined };
    const { shelves, faults: ofStock } = await countShelves(day.caller, CLIENT, delivery, tally);
    const rows = totalOf(orders);
    const ill = (await examine(config, day.now())).filter((finding) => !finding.ok && finding.check !== 'disk');
    const faults = [
      ...disagreements(rows, ours, await unitsOfDatabase(store, CLIENT)),
      ...delivery.faults,
      ...ofStock.slice(0, 10),
      ...ill.map(({ check, found }) => `doctor, ${check}: ${found}`),
    ];
    const goods = { received: { stores, cartons, ...received }, stock: shelves };
    const summary = { ...rows, units: ours, ...goods, operations: sorted(day.operator.counts) };
    return { summary, date: worked, tally, items: totalOf(items), nodes: totalOf(nodes), faults };
  } finally {
    await day.close();
  }
}

/** The day with most orders; of equals the first. */
async function busiestDay(store: Store): Promise<string> {
  const orders = await store.read((db) =>
    db
      .selectFrom('fulfillment_orders')
      .select('order_date')
      .where('client_id', '=', CLIENT)
      .orderBy('order_date')
      .execute(),
  );
  const days = Map.groupBy(orders, (order) => new Date(order.order_date).toISOString().slice(0, 10));
  const [busiest] = [...days].sort(([, a], [, b]) => b.length - a.length);
  if (busiest === undefined) throw new Error('No order was imported, so there is no day to work.');
  return busiest[0];
}

/** Stores that have orders. */
async function nodeIds(store: Store): Promise<string[]> {
  const rows = await store.read((db) =>
    db
      .selectFrom('fulfillment_orders')
      .select('node_id')
      .distinct()
      .where('client_id', '=', CLIENT)
      .orderBy('node_id')
      .execute(),
  );
  return rows.map((row) => row.node_id);
}
