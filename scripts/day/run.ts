/**
 * A fresh installation, all of the data, one trading day. Stores, items and orders come in by the import; everything else
 * goes over HTTP to a listening server.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { examine } from '../../src/cli/doctor.ts';
import { totalOf } from '../../src/cli/import.ts';
import { loadConfig } from '../../src/config.ts';
import { type ImportKind, loadMapping } from '../../src/import/mapping.ts';
import type { Counts } from '../../src/import/progress.ts';
import { type ImportSummary, type Installation, importFile } from '../../src/import/run.ts';
import { createLog } from '../../src/log.ts';
import { systemPorts } from '../../src/ports.ts';
import { createSealer, loadSecret } from '../../src/secrets.ts';
import { createServer } from '../../src/server.ts';
import { openStore, type Store } from '../../src/storage/db.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { disagreements, type Units, unitsOfDatabase, unitsOfFiles } from './accounts.ts';
import { Caller, type Credentials } from './http.ts';
import { type Tally, workDay } from './work.ts';

const CLIENT = 'RETAIL';
const STORE = 'RETAIL_WEB';
const CATALOG = 'UK';
const EXAMPLE = fileURLToPath(new URL('../../examples/online-retail/', import.meta.url));

export interface DayInput {
  /** Folder with `stores.json` and CSV files of invoices (also in a folder below). */
  data: string;
  /** Trading day, `YYYY-MM-DD`; `all` works every order; default: the day with most orders. */
  date?: string;
  /** Hears what is going on. */
  say: (line: string) => void;
}

export interface DaySummary extends Counts {
  units: Units;
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
  const folder = mkdtempSync(join(tmpdir(), 'backroom-day-'));
  const log = createLog('warn');
  const ports = systemPorts(log);
  const operatorKey = ports.randomBytes(24).toString('hex');
  const config = loadConfig({
    PORT: '0',
    DATABASE_URL: `sqlite:${join(folder, 'day.db')}`,
    BACKROOM_OPERATOR_KEY: operatorKey,
    LOG_LEVEL: 'warn',
  });
  await migrate(config.databaseUrl, { now: ports.now });
  const store = await openStore(config.databaseUrl);
  const server = await createServer(config, ports, store);
  try {
    const operator = Caller.operator(await server.listen(), operatorKey);
    const caller = operator.as(await provision(operator));
    const installation = { store, ports, sealer: createSealer(loadSecret(config)) };
    const read = (kind: ImportKind, mapping: string, files: readonly string[]) =>
      importAll(installation, kind, mapping, files, join(folder, kind), say);
    const nodes = await read('nodes', 'nodes.ts', [join(data, 'stores.json')]);
    const items = await read('items', 'items.ts', invoices);
    const orders = await read('orders', 'orders.ts', invoices);
    const worked = date ?? (await busiestDay(store));
    const tally = await workDay(caller, {
      storeId: STORE,
      nodeIds: await nodeIds(store),
      date: worked === 'all' ? undefined : worked,
      onProgress: everyTenth((done, total) => say(`${worked}: ${done} of ${total} stores have worked their queues`)),
    });
    const refused = orders.flatMap(({ rejectFile }) => rejectFile ?? []);
    const units = {
      in: unitsOfFiles(invoices) - unitsOfFiles(refused),
      picked: tally.picked,
      declined: tally.declined,
    };
    const ours: Units = { ...units, open: units.in - units.picked - units.declined };
    const rows = totalOf(orders);
    const ill = (await examine(config, ports.now())).filter((finding) => !finding.ok && finding.check !== 'disk');
    const faults = [
      ...disagreements(rows, ours, await unitsOfDatabase(store, CLIENT)),
      ...ill.map(({ check, found }) => `doctor, ${check}: ${found}`),
    ];
    const summary = { ...rows, units: ours, operations: sorted(operator.counts) };
    return { summary, date: worked, tally, items: totalOf(items), nodes: totalOf(nodes), faults };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function invoiceFiles(data: string): string[] {
  const names = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) => /\.csv(\.gz)?$/.test(name));
  if (names.length === 0)
    throw new Error(`There are no CSV files in ${data}; examples/online-retail/README.md says where to get them.`);
  return names.sort().map((name) => join(data, name));
}

async function provision(operator: Caller): Promise<Credentials> {
  const client = `/operator/v1/clients/${CLIENT}`;
  await operator.send('PUT', client, { name: 'Online retailer', catalogIds: [CATALOG] });
  await operator.send('PUT', `${client}/stores/${STORE}`, {
    name: 'Web store',
    catalogId: CATALOG,
    sellerId: 'RETAIL',
    storeCode: 'WEB',
    currency: 'GBP',
  });
  return operator.send<Credentials>('POST', `${client}/credentials`, { label: 'The day' });
}

async function importAll(
  installation: Installation,
  kind: ImportKind,
  mappingFile: string,
  files: readonly string[],
  rejectFolder: string,
  say: (line: string) => void,
): Promise<ImportSummary[]> {
  mkdirSync(rejectFolder, { recursive: true });
  const mapping = await loadMapping(join(EXAMPLE, mappingFile), kind);
  const done: ImportSummary[] = [];
  for (const file of files) {
    done.push(await importFile(installation, { kind, clientId: CLIENT, storeId: STORE, file, mapping, rejectFolder }));
  }
  const { rowsRead, rowsImported, rowsRefused } = totalOf(done);
  say(`${kind}: ${rowsRead} rows read, ${rowsImported} imported, refused ${JSON.stringify(rowsRefused)}`);
  return done;
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

async function nodeIds(store: Store): Promise<string[]> {
  const rows = await store.read((db) =>
    db.selectFrom('nodes').select('node_id').where('client_id', '=', CLIENT).orderBy('node_id').execute(),
  );
  return rows.map((row) => row.node_id);
}

function everyTenth(report: (done: number, total: number) => void): (done: number, total: number) => void {
  return (done, total) => {
    if (done === total || done % Math.max(1, Math.ceil(total / 10)) === 0) report(done, total);
  };
}

function sorted(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort());
}
