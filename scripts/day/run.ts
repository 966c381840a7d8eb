/**
 * Plays one trading day on a new installation with all of the data, after a delivery. The import loads stores, items
 * and orders; all other steps use HTTP.
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
  /** Folder with `stores.json` and CSV files of invoices. The CSV files can be in subfolders. */
  data: string;
  /** Trading day, `YYYY-MM-DD`; `all` processes every order; default: the day with the most orders. */
  date?: string;
  /** Receives progress messages. */
  say: (line: string) => void;
}

interface DaySummary extends Counts {
  units: Units;
  /**
   * `received`: the goods that were received before the day; `stock`: the stock at the end of the day, in stores that
   * keep stock.
   */
  received: Delivery['received'] & Pick<Delivery, 'stores' | 'cartons'>;
  stock: Shelves;
  operations: Record<string, number>;
}

export interface DayResult {
  summary: DaySummary;
  /** The trading day that was played. */
  date: string;
  tally: Tally;
  items: Counts;
  nodes: Counts;
  /** One sentence for each difference; empty if all accounts agree. */
  faults: string[];
}

/** @throws Error if there is no data, or if the service rejects a request of the day. */
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

/** Returns the day with the most orders; of several such days, the first. */
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

/** Returns the stores that have orders. */
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
