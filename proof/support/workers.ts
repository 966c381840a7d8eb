/** The service as `serve --workers 2` on PostgreSQL: real processes that accept connections in turn. */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { parseJson, stringifyJson } from '../../src/platform/message/json.ts';
import type { Answer, Call } from '../../town/call.ts';
import { freePort } from '../../town/free-port.ts';
import { ServiceProcess, send } from '../../town/service-process.ts';
import type { WorkerPlan } from './worker-server.ts';

const PROGRAM = new URL('./worker-server.ts', import.meta.url).pathname;
const READY_MS = 600_000;

/** Limits that are never reached, because a contest on a busy machine is not an overload. */
const NO_SHEDDING = { MAX_IN_FLIGHT: '100000', MAX_WAIT_MS: '600000' };

export class Workers {
  readonly port: number;
  readonly #service: ServiceProcess;
  /** A connection for each request, so that the workers take turns. */
  readonly #agent = new Agent({ keepAlive: false });

  private constructor(port: number, service: ServiceProcess) {
    this.port = port;
    this.#service = service;
  }

  /** Starts the workers and waits until each one serves. @throws Error with their output if one does not. */
  static async start(databaseUrl: string, plan: WorkerPlan): Promise<Workers> {
    const port = await freePort();
    const program = [PROGRAM, JSON.stringify(plan)];
    const workers = new Workers(port, await ServiceProcess.start({ databaseUrl, port, program, env: NO_SHEDDING }));
    const all = new RegExp(`^backroom_workers ${plan.workers}$`, 'm');
    for (const until = performance.now() + READY_MS; ; ) {
      const { text } = await workers.call({ method: 'GET', path: '/metrics' });
      if (all.test(text)) return workers;
      if (performance.now() > until) throw new Error(`Not all of ${plan.workers} workers serve.`);
      await sleep(50);
    }
  }

  /** @throws Error without a response. */
  async call({ method, path, headers, body, raw }: Call): Promise<Answer> {
    const payload = raw === undefined ? (body === undefined ? undefined : stringifyJson(body)) : raw.toString();
    const answer = await send(
      this.#service.base,
      {
        method,
        path,
        headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(payload !== undefined && { body: payload }),
      },
      { agent: this.#agent },
    );
    if (answer === undefined) throw new Error(`${method} ${path}: no response; ${this.#service.log}`);
    const said = answer.headers as Answer['headers'];
    const isJson = /[/+]json/.test(said['content-type'] ?? '') && answer.text !== '';
    return {
      status: answer.status,
      text: answer.text,
      headers: said,
      body: isJson ? parseJson(answer.text) : undefined,
    };
  }

  /** Ends the leading process, and with it the workers. */
  stop(): Promise<void> {
    return this.#service.stop();
  }
}

/** Copies the rows of a database into another schema of it. */
export async function keepRows(url: string): Promise<void> {
  await onTables(url, (tables) => [
    'create schema kept',
    ...tables.map((table) => `create table kept.${table} as table public.${table}`),
  ]);
}

/** Replaces all rows by the copies. */
export async function putBack(url: string): Promise<void> {
  await onTables(url, (tables) => [
    'set session_replication_role = replica',
    'begin',
    // Reads are logged a moment later. A log entry between the restore of the heads and the restore of the events would
    // use a position twice.
    'lock table public.access_heads in exclusive mode',
    ...tables.flatMap((table) => [
      `delete from public.${table}`,
      `insert into public.${table} select * from kept.${table}`,
    ]),
    'commit',
  ]);
}

async function onTables(url: string, statements: (tables: string[]) => string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations' order by 1`,
    );
    await client.query(statements(rows.map(({ name }) => name)).join(';\n'));
  } finally {
    await client.end();
  }
}
