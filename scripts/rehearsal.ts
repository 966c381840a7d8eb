/**
 * `npx node scripts/rehearsal.ts [--clients 50] [--nodes 100] [--orders 20000] [--json]`: measures requests on one
 * PostgreSQL with the orders of one client, and again with the orders of many clients. The first client gets its orders
 * by requests. SQL statements then copy its rows to the other clients and distribute the orders over their nodes.
 * docs/scale.md has the last figures.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { loadConfig } from '../src/platform/config.ts';
import { examine } from '../src/service/cli/doctor.ts';
import { inTurn } from '../town/callers.ts';
import { freePort } from '../town/free-port.ts';
import { QUEUE, Requests, WHERE } from '../town/order-requests.ts';
import { PostgresServer } from '../town/postgres-server.ts';
import { randomOf } from '../town/random.ts';
import { oneConnection, SECRET, ServiceProcess, send } from '../town/service-process.ts';
import { makeTown } from '../town/small-town.ts';
import { GENERATE, generateBody, pathOf } from '../town/tickets.ts';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '50' },
    nodes: { type: 'string', default: '100' },
    orders: { type: 'string', default: '20000' },
    json: { type: 'boolean', default: false },
  },
});
const [clients, nodes, orders] = [Number(values.clients), Number(values.nodes), Number(values.orders)];
const CALLERS = 16;
const ORDERS_A_REQUEST = 50;
const REPEATS = 100;
const NODE = pathOf(WHERE);

/** Tables of a client that are copied. A table is listed after the tables that its rows refer to. */
const COPIED = [
  'clients',
  'stores',
  'nodes',
  'items',
  'node_items',
  'counters',
  'event_heads',
  'fulfillment_orders',
  'order_lines',
  'pick_tickets',
  'pick_ticket_items',
  'pick_ticket_lines',
  'events',
];

const say = (line: string) => process.stderr.write(`rehearsal: ${line}\n`);
const server = await PostgresServer.start({
  settings: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', autovacuum: 'on', max_wal_size: '4GB' },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void server.remove().finally(() => process.exit(1)));
}
try {
  await rehearse();
} finally {
  await server.remove();
}

async function rehearse(): Promise<void> {
  const credential = await makeTown(server.url);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const port = await freePort();
  const env = { MAX_IN_FLIGHT: '100000', MAX_WAIT_MS: '600000', DATABASE_POOL: '16' };
  const service = await ServiceProcess.start({ databaseUrl: server.url, port, env });
  try {
    const requests = new Requests(credential, 'r', randomOf(1));
    await takeIn(port, requests, client);
    await settle(client);
    const alone = await told('alone', () => costs(service.base, credential, requests, client));
    const before = await sizes(client);
    for (let one = 1; one < clients; one += 1) {
      await copyClient(client, one);
      if (one % 10 === 0) say(`${one} of ${clients - 1} clients are copied`);
    }
    const { seconds: settleSeconds } = await timed(() => settle(client));
    const after = await told('sizes', () => sizes(client));
    const among = await told('among', () => costs(service.base, credential, requests, client));
    const result = {
      server: server.version,
      clients,
      nodes: (await one(client, 'select count(*) from nodes')) as string,
      orders: after.orders,
      gigabytes: Math.round(after.bytes / 1e8) / 10,
      bytesAnOrder: Math.round((after.bytes - before.bytes) / (after.orders - before.orders)),
      settleSeconds,
      alone,
      among,
      ...(await told('upkeep', () => upkeep(client))),
    };
    console.log(values.json ? JSON.stringify(result) : JSON.stringify(result, null, 2));
  } finally {
    await client.end();
    await service.stop();
  }
}

/** Prints each part of the result when it is measured, because a later part may fail. */
async function told<T>(part: string, work: () => Promise<T>): Promise<T> {
  const value = await work();
  say(`${part}: ${JSON.stringify(value)}`);
  return value;
}

async function takeIn(port: number, requests: Requests, client: pg.Client): Promise<void> {
  const plan = {
    port,
    next: () => requests.next(ORDERS_A_REQUEST),
    seconds: 5,
    warmUp: 0,
    patienceMs: 60_000,
    unclear: console.error,
  };
  for (;;) {
    await inTurn(plan, CALLERS);
    const there = Number(await one(client, 'select count(*) from fulfillment_orders'));
    say(`${there} of ${orders} orders are in`);
    if (there >= orders) return;
  }
}

/** Copies the rows of TOWN to a new client, and distributes its orders over `nodes` nodes. */
async function copyClient(client: pg.Client, number: number): Promise<void> {
  const other = `R${number}`;
  // All tables are read from one snapshot, because the service continues to write.
  await client.query('begin isolation level repeatable read');
  // Switches off the checks of foreign keys: the references of the copied rows are valid, and the checks would take
  // most of the time.
  await client.query(`set local session_replication_role = replica`);
  for (const table of COPIED) {
    const { rows } = await client.query<{ name: string }>(
      'select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped',
      [table],
    );
    const names = rows.map(({ name }) => name);
    const order = names.includes('fulfillment_order_id') ? 'fulfillment_order_id' : undefined;
    const shown = names.map((name) => {
      if (name === 'client_id') return `'${other}'`;
      // The stock levels belong to one node, but the copied orders are at many nodes, so the copies keep no stock.
      if (table === 'nodes' && name === 'stock') return `'NOT_KEPT'`;
      if (name === 'store_id') return `store_id || '_${number}'`;
      if (name !== 'node_id') return `"${name}"`;
      if (table === 'nodes') return `node_id || '-' || place`;
      return order === undefined
        ? `node_id || '-0'`
        : `node_id || '-' || (abs(hashtext(coalesce(${order}, ''))) % ${nodes})`;
    });
    const places = table === 'nodes' ? `, generate_series(0, ${nodes - 1}) place` : '';
    // The town has two nodes. The node with the orders is copied `nodes` times, the second node once.
    const some = table === 'nodes' ? ` and (node_id = '${WHERE.nodeId}' or place = 0)` : '';
    await client.query(
      `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')}) select ${shown.join(', ')} from ${table}${places} where client_id = 'TOWN'${some}`,
    );
  }
  await client.query('commit');
}

/** Measures a hundred consecutive requests of each kind. Returns the median and the 95th percentile in milliseconds. */
async function costs(
  base: string,
  credential: Record<string, string>,
  requests: Requests,
  client: pg.Client,
): Promise<Record<string, { p50: number; p95: number }>> {
  const agent = oneConnection();
  const headers = { ...credential, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await send(
      base,
      { method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) },
      { agent },
    );
    if (answer === undefined || answer.status >= 300) throw new Error(`${method} ${path}: ${answer?.text}`);
    return path === '/metrics' ? undefined : (JSON.parse(answer.text) as unknown);
  };
  const { rows } = await client.query<{ id: string }>(
    `select fulfillment_order_id as id from fulfillment_orders where client_id = 'TOWN' and status = 1100 and fulfillment_order_id like 'r-%' order by random() limit 1000`,
  );
  const ids = rows.map(({ id }) => id);
  const head = Number(await one(client, `select position from event_heads where client_id = 'TOWN'`));
  const kinds: Record<string, (n: number) => Promise<unknown>> = {
    'queue search': () => call('POST', `${NODE}/fulfillmentOrders?queueId=${QUEUE}`, { ...WHERE, queueId: QUEUE }),
    'order search by number': (n) =>
      call('POST', `/stores/${WHERE.storeId}/fulfillmentOrder/search`, { ...WHERE, webOrderId: ids[n] }),
    'read of an order': (n) => call('GET', `/operator/v1/stores/${WHERE.storeId}/fulfillmentOrders/${ids[n]}`),
    'read of an item': () => call('GET', `/item-service/stores/${WHERE.storeId}/items/21-MUG-WHT`),
    'page of events': (n) => call('GET', `/operator/v1/events?after=${Math.max(0, head - 200 - n)}&limit=100`),
    intake: async () => {
      const [head, body] = requests.next().split('\r\n\r\n');
      return await call('POST', head!.split(' ')[1]!, JSON.parse(body!));
    },
    metrics: () => call('GET', '/metrics'),
    'ticket of ten': (n) =>
      call('POST', NODE + GENERATE, generateBody(WHERE, QUEUE, ids.slice(n * 10, n * 10 + 10), 'rehearsal')),
  };
  const result: Record<string, { p50: number; p95: number }> = {};
  for (const [name, ask] of Object.entries(kinds)) {
    const times: number[] = [];
    for (let n = 0; n < REPEATS; n += 1) {
      const since = performance.now();
      await ask(n);
      times.push(performance.now() - since);
    }
    times.sort((a, b) => a - b);
    const at = (part: number) => Math.round(times[Math.floor(REPEATS * part)]! * 10) / 10;
    result[name] = { p50: at(0.5), p95: at(0.95) };
  }
  agent.destroy();
  return result;
}

/**
 * Vacuums and analyzes the database, writes a checkpoint, and waits until all events have positions, about 10 s at
 * most.
 */
async function settle(client: pg.Client): Promise<void> {
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  for (let turn = 0; turn < 50; turn += 1) {
    if (Number(await one(client, 'select count(*) from events where position is null')) === 0) return;
    await sleep(200);
  }
}

/** Measures work that runs occasionally, vacuum and doctor, in seconds. */
async function upkeep(
  client: pg.Client,
): Promise<{ vacuumSeconds: number; doctorSeconds: number; findings: string[] }> {
  const vacuum = await timed(() => client.query('vacuum (disable_page_skipping) fulfillment_orders'));
  const config = loadConfig({ DATABASE_URL: server.url, BACKROOM_SECRET: SECRET });
  const doctor = await timed(() => examine(config, Date.now(), say));
  const findings = doctor.value.filter(({ level }) => level !== 'ok').map(({ check, found }) => `${check}: ${found}`);
  return { vacuumSeconds: vacuum.seconds, doctorSeconds: doctor.seconds, findings };
}

async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; value: T }> {
  const since = performance.now();
  const value = await work();
  return { seconds: Math.round((performance.now() - since) / 100) / 10, value };
}

async function sizes(client: pg.Client): Promise<{ bytes: number; orders: number }> {
  return {
    bytes: Number(await one(client, 'select pg_database_size(current_database())')),
    orders: Number(await one(client, 'select count(*) from fulfillment_orders')),
  };
}

async function one(client: pg.Client, text: string): Promise<unknown> {
  const { rows } = await client.query<Record<string, unknown>>(text);
  return Object.values(rows[0]!)[0];
}
