/** The service as `serve --workers N` on PostgreSQL. Its worker processes accept connections in turn. */
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
  /** Opens a new connection for each request, so that the workers serve the requests in turn. */
  readonly #agent = new Agent({ keepAlive: false });

  private constructor(port: number, service: ServiceProcess) {
    this.port = port;
    this.#service = service;
  }

  /** Starts the workers and waits until each worker serves. @throws Error if the workers do not serve in time. */
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

  /** Sends a request. @throws Error if there is no response. */
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

  /** Ends the leading process, which ends the workers. */
  stop(): Promise<void> {
    return this.#service.stop();
  }
}

/** A copy of the rows of a database, with the means to restore them. */
export class KeptRows {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Copies all rows into another schema. After this, a trigger records each table that a statement changes. */
  static async of(url: string): Promise<KeptRows> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations' order by 1`,
    );
    const statements = [
      'create schema kept',
      // The table has no key, because two transactions that record the same table must not wait for each other.
      'create table kept.changed (name text not null)',
      `create function kept.note() returns trigger language plpgsql as $$
         begin insert into kept.changed values (tg_table_name); return null; end $$`,
      ...rows.flatMap(({ name }) => [
        `create table kept.${name} as table public.${name}`,
        `create trigger kept_note after insert or update or delete on public.${name} for each statement execute function kept.note()`,
      ]),
    ];
    await client.query(statements.join(';\n'));
    return new KeptRows(client);
  }

  /** Replaces the rows of the changed tables by the copies. */
  async putBack(): Promise<void> {
    await this.#client.query('set session_replication_role = replica');
    await this.#client.query('begin');
    // The service writes the access log a moment after a read. An entry between the restore of the heads and the
    // restore of the events would use a position a second time. So the table is locked.
    await this.#client.query('lock table public.access_heads in exclusive mode');
    const { rows } = await this.#client.query<{ name: string }>('select distinct name from kept.changed');
    const statements = rows.flatMap(({ name }) => [
      `delete from public.${name}`,
      `insert into public.${name} select * from kept.${name}`,
    ]);
    await this.#client.query([...statements, 'delete from kept.changed', 'commit'].join(';\n'));
  }

  end(): Promise<void> {
    return this.#client.end();
  }
}
