/**
 * The data of the services under load: one client with a store, two nodes, a credential, and a given number of items.
 */
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { openStore, type Store } from '../../src/platform/storage/db.ts';
import { itemKey } from './keys.ts';
import { OPERATOR_KEY, type Service, startBackroom } from './processes.ts';

export const CLIENT = 'BENCH';
export const STORE = 'BENCH_US';
export const NODE = 'BENCH-Store001';

const BATCH = 1000;

/** A filled database and the values that a caller needs. */
export interface Filled {
  url: string;
  /** The values of the headers `apiKey` and `Authorization`. */
  credentials: { apikey: string; authorization: string };
}

/**
 * Returns an SQLite database with `count` items, created now or by an earlier scenario. `doc` is the text of one item.
 */
export async function filledWithItems(folder: string, count: number): Promise<Filled & { doc: string }> {
  const file = join(folder, `items-${count}.db`);
  const note = `${file}.json`;
  if (existsSync(note)) return JSON.parse(readFileSync(note, 'utf8')) as Filled & { doc: string };
  const url = `sqlite:${file}`;
  const credentials = await setUp(url);
  const doc = await fillItems(url, credentials, count);
  const filled = { url, credentials, doc };
  writeFileSync(`${note}.part`, JSON.stringify(filled));
  renameSync(`${note}.part`, note);
  return filled;
}

/** Copies a database that no service has open. */
export function copyOf(filled: Filled, name: string): Filled & { file: string } {
  const from = filled.url.slice('sqlite:'.length);
  const file = join(dirname(from), `${name}.db`);
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  copyFileSync(from, file);
  return { ...filled, url: `sqlite:${file}`, file };
}

/** Creates the client, its store and its nodes over HTTP. */
export async function setUp(url: string): Promise<Filled['credentials']> {
  const service = await startBackroom(url);
  try {
    return await makePlaces(service);
  } finally {
    await service.stop();
  }
}

async function makePlaces(service: Pick<Service, 'port'>): Promise<Filled['credentials']> {
  const own = `/operator/v1/clients/${CLIENT}`;
  const operator = { authorization: `Bearer ${OPERATOR_KEY}` };
  await send(service, 'PUT', own, operator, { name: 'Bench', catalogIds: ['21'] });
  await send(service, 'PUT', `${own}/stores/${STORE}`, operator, {
    name: 'Bench online',
    catalogId: '21',
    sellerId: 'BENCH',
    storeCode: '1',
    currency: 'USD',
  });
  const address = {
    line1: '1 Harbour Street',
    city: 'Newport',
    mainDivisionCode: 'RI',
    postalCode: '02840',
    countryCode: 'US',
  };
  await send(service, 'PUT', `${own}/nodes/BENCH-DC001`, operator, {
    name: 'Depot',
    nodeType: 'WAREHOUSE',
    timeZone: 'America/New_York',
    address,
    phone: '+1 401 555 0009',
    openingHours: [],
    holdLocations: [],
    fulfillmentTypes: ['SHIP_TO_HOME'],
    receivingWarehouseId: 'DC001',
  });
  await send(service, 'PUT', `${own}/nodes/${NODE}`, operator, {
    name: 'Harbour Street',
    nodeType: 'STORE',
    timeZone: 'America/New_York',
    address,
    phone: '+1 401 555 0001',
    openingHours: [],
    holdLocations: ['A1', 'A2', 'B1'],
    fulfillmentTypes: ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'],
  });
  const made = (await send(service, 'POST', `${own}/credentials`, operator, { label: 'Load' })) as {
    apiKey: string;
    username: string;
    password: string;
  };
  const basic = Buffer.from(`${made.username}:${made.password}`).toString('base64');
  return { apikey: made.apiKey, authorization: `Basic ${basic}` };
}

/** Replaces fields of a node. With `as`, writes the result as another node. */
export async function changeNode(
  service: Pick<Service, 'port'>,
  nodeId: string,
  members: Record<string, unknown>,
  as = nodeId,
): Promise<void> {
  const operator = { authorization: `Bearer ${OPERATOR_KEY}` };
  const nodes = `/operator/v1/clients/${CLIENT}/nodes`;
  const node = (await send(service, 'GET', `${nodes}/${nodeId}`, operator)) as Record<string, unknown>;
  await send(service, 'PUT', `${nodes}/${as}`, operator, { ...node, ...members });
}

/** Sends one request and returns the body of the response. @throws Error if the status is not 2xx. */
async function send(
  { port }: Pick<Service, 'port'>,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${text.slice(0, 500)}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Returns the text of a request for the load generator. */
export function requestText(method: string, path: string, headers: Record<string, string>, body?: string): string {
  const lines = Object.entries({
    host: '127.0.0.1',
    ...headers,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

/**
 * Fills the table of items with copies of one item of 2.5 KB. A copy has the row that a PUT writes in this table, but
 * neither events nor search terms. Returns the text of the item.
 */
export async function fillItems(url: string, credentials: Filled['credentials'], count: number): Promise<string> {
  const service = await startBackroom(url);
  let doc: string;
  try {
    const id = itemKey(0);
    await send(service, 'PUT', `/item-service/clients/${CLIENT}/items/${id}`, credentials, benchItem(0));
    doc = JSON.stringify(await send(service, 'GET', `/item-service/stores/${STORE}/items/${id}`, credentials));
  } finally {
    await service.stop();
  }
  if (url.startsWith('sqlite:')) {
    fillFile(url.slice('sqlite:'.length), doc, count);
    return doc;
  }
  const store = await openStore(url);
  try {
    for (let first = 1; first < count; first += BATCH)
      await fillBatch(store, doc, first, Math.min(first + BATCH, count));
  } finally {
    await store.close();
  }
  return doc;
}

/**
 * Inserts items, ten million in minutes. The journal is off until the end, so a failed fill must start again from the
 * beginning.
 */
function fillFile(file: string, doc: string, count: number): void {
  const db = new Database(file);
  try {
    db.pragma('journal_mode = OFF');
    db.pragma('synchronous = OFF');
    db.pragma('cache_size = -200000');
    const insert = db.prepare('insert into items values (?, ?, 1, ?, 0, 0, 1)');
    const batch = db.transaction((first: number, end: number) => {
      for (let n = first; n < end; n++) insert.run(CLIENT, itemKey(n), doc.replaceAll(itemKey(0), itemKey(n)));
    });
    for (let first = 1; first < count; first += 50 * BATCH) batch(first, Math.min(first + 50 * BATCH, count));
    db.pragma('journal_mode = WAL');
  } finally {
    db.close();
  }
}

async function fillBatch(store: Store, doc: string, first: number, end: number): Promise<void> {
  const columns = {
    client_id: 'text',
    item_id: 'text',
    revision: 'integer',
    doc: 'text',
    created_at: 'integer',
    updated_at: 'integer',
    // Marks the search terms as built. Otherwise the service would build the terms of all items after its start.
    term_form: 'integer',
  } as const;
  const rows = Array.from({ length: end - first }, (_, index) => ({
    client_id: CLIENT,
    item_id: itemKey(first + index),
    revision: 1,
    doc: doc.replaceAll(itemKey(0), itemKey(first + index)),
    created_at: 0,
    updated_at: 0,
    term_form: 1,
  }));
  await store.write((tx) =>
    tx
      .insertInto('items')
      .columns(Object.keys(columns) as (keyof typeof columns)[])
      .expression(store.dialect.rowsOf(rows, columns))
      .execute(),
  );
}

/** Returns a shoe with all fields that a retailer fills: about 2.5 KB in the database. */
export function benchItem(n: number): Record<string, unknown> {
  const itemId = itemKey(n);
  const words =
    'Waterproof full-grain leather upper, cushioned removable insole, recycled rubber outsole with deep lugs. ';
  return {
    catalogId: '21',
    clientId: CLIENT,
    itemId,
    clientItemId: itemId.slice(3),
    type: 'MERCH',
    status: 'Active',
    salesClass: 'stock',
    description: words.slice(0, 100),
    productId: `P${n % 10_000}`,
    productTitle: 'Dock boot, brown',
    styleId: 'BOOT',
    styleDescription: 'Lace-up boot for wet decks',
    taxCode: '76800',
    countryOfOrigin: 'PT',
    freightClass: 'ANY',
    associateDeliveryEligible: true,
    images: ['main', 'side', 'sole'].map((view) => ({
      url: `https://images.bench.example/boots/dock-boot-brown/${view}-1200.jpg`,
      type: 'prod_main',
      view,
      height: 1200,
      width: 900,
    })),
    color: {
      code: '210',
      descriptions: [
        { locale: 'en_US', description: 'Brown' },
        { locale: 'fr_CA', description: 'Brun' },
      ],
    },
    sizes: [
      { locale: 'en_US', code: '42', description: 'US 9' },
      { locale: 'fr_CA', code: '42', description: 'Pointure 42' },
    ],
    upcs: [
      { upcType: 'UPC', upc: '400000000077' },
      { upcType: 'EAN', upc: '4000000000774' },
    ],
    brand: { name: 'Quayside', descriptions: [{ locale: 'en_US', description: 'Clothes for the waterfront' }] },
    manufacturer: { name: 'Porto Shoe Works', id: 'PSW-77', manufacturingDate: '2025-09-30' },
    supplier: { name: 'Northside Trading', id: 'NT-3', partNumber: 'PSW77-BR' },
    unitCost: { currency: 'USD', value: 41.1 },
    customDynamicAttributes: ['sole', 'upper', 'lining', 'closure', 'care', 'season'].map((name) => ({
      name,
      value: `What the label says of it: ${words.slice(0, 40)}`,
    })),
    hierarchy: {
      deptNumber: 992,
      deptDescription: 'Clothing',
      subDeptNumber: 998,
      subDeptDescription: 'Everyday',
      classNumber: 17,
      classDescription: 'Footwear',
      subClassNumber: 1,
      subClassDescription: 'All',
    },
    shippingMassDimensions: { unit: 'lb', weight: 3.9 },
    shippingPackagingDimensions: { unit: 'in', width: 9, length: 14, height: 5 },
  };
}
