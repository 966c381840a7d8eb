/**
 * `npx node scripts/capacity.ts [--orders 2000] [--workers 1] [--json]`: measures the cost of an order on this machine,
 * for the service and one PostgreSQL: processor time, rows, bytes, write-ahead log. The server is temporary, with fsync
 * on. docs/scale.md uses these figures. The number of orders is fixed, so that bytes and log do not depend on the load
 * of the machine.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { freePort } from '../town/free-port.ts';
import { QUEUE, Requests, WHERE } from '../town/order-requests.ts';
import { PostgresServer } from '../town/postgres-server.ts';
import { randomOf } from '../town/random.ts';
import { type Answer, oneConnection, ServiceProcess, send } from '../town/service-process.ts';
import { makeTown } from '../town/small-town.ts';
import { confirmBody, GENERATE, generateBody, pathOf, ticketIn, UPDATE } from '../town/tickets.ts';

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '2000' },
    workers: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const ORDERS = Number(values.orders);
const CALLERS = 16;
const PER_TICKET = 10;
const INTAKE = '/operator/v1/stores/TOWN_US/fulfillmentOrders';
/** Clock ticks per second: Linux counts processor time in ticks. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

interface Stage {
  stage: string;
  perSecond: number;
  /** Processor time per unit of work, in milliseconds. */
  serviceMs: number;
  databaseMs: number;
  /** Bytes of write-ahead log per unit of work. */
  walBytes: number;
}

const server = await PostgresServer.start({
  settings: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', autovacuum: 'on' },
});
try {
  await measure();
} finally {
  await server.remove();
}

async function measure(): Promise<void> {
  const credential = await makeTown(server.url);
  const port = await freePort();
  const service = await ServiceProcess.start({
    databaseUrl: server.url,
    port,
    args: ['--workers', values.workers],
    // High limits, so that the service does not reject requests under full load.
    env: { MAX_IN_FLIGHT: '100000', MAX_WAIT_MS: '600000', DATABASE_POOL: '16' },
  });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    const requests = new Requests(credential, 'cap', randomOf(1));
    const before = await counted(client);
    const intake = await staged('intake of an order of two lines', client, service.pid, async () => {
      let left = ORDERS;
      const caller = async () => {
        const agent = oneConnection();
        while (left > 0) {
          left -= 1;
          const body = JSON.stringify(requests.order());
          const headers = { ...credential, 'content-type': 'application/json' };
          const answer = await send(service.base, { method: 'POST', path: INTAKE, headers, body }, { agent });
          if (answer?.status !== 201) throw new Error(answer?.text ?? 'no response');
        }
        agent.destroy();
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      return ORDERS;
    });
    const taken = await counted(client);
    const tickets = await staged('ticket of ten orders, generated and confirmed', client, service.pid, () =>
      workTickets(service.base, credential, client),
    );
    const done = await counted(client);
    const orders = taken.orders - before.orders;
    const picked = tickets.count * PER_TICKET;
    const perOrder = {
      rowsAtIntake: (taken.rows - before.rows) / orders,
      bytesAtIntake: (taken.bytes - before.bytes) / orders,
      rowsAtPicking: (done.rows - taken.rows) / picked,
      bytesAtPicking: (done.bytes - taken.bytes) / picked,
      byTable: {
        intake: differences(before.byTable, taken.byTable, orders),
        picking: differences(taken.byTable, done.byTable, picked),
      },
    };
    const result = { server: server.version, orders, stages: [intake.stage, tickets.stage], perOrder };
    console.log(values.json ? JSON.stringify(result) : JSON.stringify(result, null, 2));
  } finally {
    await client.end();
    await service.stop();
  }
}

async function staged(
  stage: string,
  client: pg.Client,
  pid: number,
  work: () => Promise<number>,
): Promise<{ stage: Stage; count: number }> {
  const read = async () => {
    const { rows } = await client.query<{ wal: string }>(`select pg_current_wal_lsn() - '0/0' as wal`);
    const backends = await client.query<{ pid: number }>('select pid from pg_stat_activity');
    return {
      at: performance.now(),
      wal: Number(rows[0]!.wal),
      service: [pid, ...childrenOf(pid)].reduce((sum, one) => sum + cpuMs(one), 0),
      database: backends.rows.reduce((sum, one) => sum + cpuMs(one.pid), 0),
    };
  };
  const before = await read();
  const count = await work();
  const after = await read();
  const each = (key: 'service' | 'database' | 'wal') => Math.round(((after[key] - before[key]) / count) * 100) / 100;
  const perSecond = Math.round((count / (after.at - before.at)) * 1_000);
  return {
    count,
    stage: { stage, perSecond, serviceMs: each('service'), databaseMs: each('database'), walBytes: each('wal') },
  };
}

/** Sixteen associates work concurrently, each on separate orders. Returns the number of confirmed tickets. */
async function workTickets(base: string, credential: Record<string, string>, client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ id: string }>(
    `select fulfillment_order_id as id from fulfillment_orders where status = 1100 and fulfillment_order_id like 'cap-%' order by 1`,
  );
  const headers = { ...credential, 'content-type': 'application/json' };
  let confirmed = 0;
  const associate = async () => {
    const agent = oneConnection();
    const call = async (method: string, path: string, body: unknown): Promise<Answer> => {
      const answer = await send(
        base,
        { method, path: pathOf(WHERE) + path, headers, body: JSON.stringify(body) },
        { agent },
      );
      if (answer === undefined || answer.status >= 300) throw new Error(answer?.text ?? 'no response');
      return answer;
    };
    while (rows.length >= PER_TICKET) {
      const ids = rows.splice(0, PER_TICKET).map(({ id }) => id);
      const made = await call('POST', GENERATE, generateBody(WHERE, QUEUE, ids, 'capacity'));
      await call('PUT', UPDATE, confirmBody(WHERE, ticketIn(JSON.parse(made.text)), 'capacity'));
      confirmed += 1;
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: CALLERS }, associate));
  return confirmed;
}

interface Counted {
  rows: number;
  bytes: number;
  orders: number;
  byTable: Map<string, number>;
}

/** Returns the change in the number of rows of each table that has changed, divided by `count`. */
function differences(before: Counted['byTable'], after: Counted['byTable'], count: number): Record<string, number> {
  const more = [...after].map(([name, rows]) => [name, (rows - before.get(name)!) / count] as const);
  return Object.fromEntries(more.filter(([, rows]) => rows !== 0));
}

/** Counts the rows and bytes (with indexes) of all tables. */
async function counted(client: pg.Client): Promise<Counted> {
  const tables = await client.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
  );
  const byTable = new Map<string, number>();
  for (const { name } of tables.rows) {
    const { rows: answer } = await client.query<{ count: string }>(`select count(*) as count from ${name}`);
    byTable.set(name, Number(answer[0]!.count));
  }
  const rows = [...byTable.values()].reduce((sum, count) => sum + count, 0);
  return {
    rows,
    byTable,
    orders: byTable.get('fulfillment_orders')!,
    bytes: tables.rows.reduce((sum, { bytes }) => sum + Number(bytes), 0),
  };
}

function cpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS;
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}
