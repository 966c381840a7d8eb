/**
 * Runs the commands of the program on a distributed database, as an operator does, and checks their effect on the rows.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../../town/citus-cluster.ts';
import { freePort } from '../../town/free-port.ts';
import { SECRET, ServiceProcess } from '../../town/service-process.ts';
import { makeTown } from '../../town/small-town.ts';
import { Load } from '../support/load.ts';
import { MAY_SEND } from '../support/receiver.ts';
import { type Scene, type Stage, spreadRows, wellSpread } from './scene.ts';

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname;
const LIMIT_MS = 120_000;
const LOAD_MS = 8_000;

/** The rows of TOWN that an export must contain. An export of shipments has only announced shipments. */
const EXPORTED = {
  items: `items where client_id = 'TOWN'`,
  orders: `fulfillment_orders where client_id = 'TOWN'`,
  nodes: `nodes where client_id = 'TOWN'`,
  inbound: `inbound_shipments where client_id = 'TOWN' and type <> 'BLIND'`,
} as const;

interface Said {
  code: number;
  out: string;
  err: string;
}

export const commands: Scene = async (stage) => {
  const url = await stage.cluster.database();
  await fill(url, stage);
  const desk = new Desk(url, stage);
  await desk.must('migrate');
  await desk.must('partitions', '--apply');
  await desk.doctor();
  await desk.exports();
  await desk.forget();
  await desk.bundle();
  await desk.backup();
  await desk.copies();
  await desk.must('partitions', '--check');
  await desk.upgrade();
  await wellSpread(stage, url);
  return `${desk.count} commands, ${await spreadRows(url)} orders and events on the shards`;
};

/** Creates the small town, and runs the mixed load on it for some seconds. */
async function fill(url: string, { seed, fail }: Stage): Promise<void> {
  const credential = await makeTown(url);
  const service = await ServiceProcess.start({ databaseUrl: url, port: await freePort(), env: MAY_SEND });
  try {
    const load = await Load.open('cli', credential, seed);
    load.start(service.base);
    await sleep(LOAD_MS);
    await load.stop();
    for (const fault of load.faults) fail(fault);
  } finally {
    await service.stop();
  }
}

class Desk {
  count = 0;
  readonly #url: string;
  readonly #stage: Stage;
  readonly #folder: string;

  constructor(url: string, stage: Stage) {
    this.#url = url;
    this.#stage = stage;
    this.#folder = mkdtempSync(join(stage.folder, 'desk-'));
  }

  run(...args: string[]): Promise<Said> {
    this.count += 1;
    const env = { PATH: process.env['PATH'], DATABASE_URL: this.#url, BACKROOM_SECRET: SECRET, LOG_LEVEL: 'warn' };
    return new Promise((resolve) => {
      const options = { env, timeout: LIMIT_MS, maxBuffer: 2 ** 28 };
      const child = execFile(process.execPath, [MAIN, ...args], options, (_error, out, err) => {
        resolve({ code: child.exitCode ?? -1, out, err });
      });
    });
  }

  /** Returns the output of the command; notes a failure if its exit code is not 0. */
  async must(...args: string[]): Promise<string> {
    const { code, out, err } = await this.run(...args);
    this.#expect(code === 0, `${args.join(' ')} ended with ${code}: ${err} ${out}`);
    return out;
  }

  #expect(isSo: boolean, what: string): void {
    if (!isSo) this.#stage.fail(what.slice(0, 1_000));
  }

  async doctor(): Promise<void> {
    const { out, err } = await this.run('doctor', '--json');
    const { findings } = JSON.parse(out === '' ? '{"findings":[]}' : out) as {
      findings: { check: string; ok: boolean; found: string }[];
    };
    this.#expect(findings.length > 0, `doctor said nothing: ${err}`);
    for (const { check, ok, found } of findings) this.#expect(ok || check === 'durability', `${check}: ${found}`);
  }

  async exports(): Promise<void> {
    for (const [kind, rows] of Object.entries(EXPORTED)) {
      const lines = (await this.must('export', kind, '--client', 'TOWN')).split('\n').length - 1;
      const [row] = await ask(this.#url, `select count(*) as count from ${rows}`);
      this.#expect(
        lines === Number(row!['count']) && lines > 0,
        `export ${kind}: ${lines} of ${String(row!['count'])}`,
      );
    }
    const stock = await this.must('export', 'stock', '--client', 'TOWN');
    this.#expect(stock.length > 0, 'export stock wrote nothing');
  }

  /** Exports all data of one customer, then anonymizes the customer. */
  async forget(): Promise<void> {
    const [order] = await ask(
      this.#url,
      `select web_order_id as id from fulfillment_orders where client_id = 'TOWN' and contacts is not null and blanked_at is null limit 1`,
    );
    const id = String(order!['id']);
    const names = ['--client', 'TOWN', '--web-order', id];
    const person = await this.must('export', 'person', ...names);
    this.#expect(person.includes(id), `export person of ${id}: ${person.slice(0, 200)}`);
    await this.must('forget', ...names);
    const left = await ask(
      this.#url,
      `select 1 from fulfillment_orders where client_id = 'TOWN' and web_order_id = $1 and blanked_at is null`,
      [id],
    );
    this.#expect(left.length === 0, `${left.length} orders of ${id} are not anonymized`);
  }

  async bundle(): Promise<void> {
    const file = join(this.#folder, 'bundle.json');
    await this.must('support-bundle', '-o', file);
    const { doctor, database } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    this.#expect(doctor !== undefined && database !== undefined, 'the bundle lacks the database');
  }

  /**
   * `backup` must fail with an error about the sharding engine: a backup of several servers is not one consistent
   * snapshot.
   */
  async backup(): Promise<void> {
    const file = join(this.#folder, 'backup');
    const { code, err } = await this.run('backup', file);
    this.#expect(code === 1 && err.includes('sharding engine'), `backup ended with ${code}: ${err}`);
    this.#expect(!existsSync(file), 'backup left a file');
  }

  /**
   * Removes the record of the last migration, so that the database seems to be of an earlier release. Citus rejects
   * statements of migrations, so `migrate` must fail with an error that gives this reason.
   */
  async upgrade(): Promise<void> {
    const [last] = await ask(
      this.#url,
      'delete from migrations where number = (select max(number) from migrations) returning *',
    );
    const { code, err } = await this.run('migrate');
    this.#expect(
      code === 1 && err.includes('rejects the statements of migrations'),
      `migrate ended with ${code}: ${err}`,
    );
    await ask(
      this.#url,
      'insert into migrations (number, name, hash, applied_at) values ($1, $2, $3, $4)',
      Object.values(last!),
    );
    await this.must('migrate');
  }

  /** Copies the database to a file, and from there to another database of the cluster. All rows must be the same. */
  async copies(): Promise<void> {
    const file = `sqlite:${join(this.#folder, 'copy.db')}`;
    const other = await this.#stage.cluster.database();
    for (const [from, to] of [
      [this.#url, file],
      [file, other],
    ] as const) {
      const { same } = JSON.parse(await this.must('copy', '--from', from, '--to', to, '--json')) as { same: boolean };
      this.#expect(same, `copy to ${to} differs`);
    }
    const twins = await Promise.all([this.#url, other].map(spreadRows));
    this.#expect(twins[0] === twins[1], `${twins[0]} rows here, ${twins[1]} there`);
    await wellSpread(this.#stage, other);
  }
}
