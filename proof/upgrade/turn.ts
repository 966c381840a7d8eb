/** Upgrades a program under load, as in docs/how-to/upgrade.md, and checks the result. */
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { openStore } from '../../src/platform/storage/db.ts';
import { currentVersion } from '../../src/platform/storage/migrate.ts';
import { freePort } from '../../town/free-port.ts';
import { OPERATOR_KEY, SECRET, ServiceProcess, send } from '../../town/service-process.ts';
import { type Credential, createDatabase, makeTown } from '../../town/small-town.ts';
import type { Engine } from '../campaign.ts';
import type { Duties } from '../support/clerk/clerk.ts';
import { dutiesOf, keepsStock } from '../support/clerk/moves.ts';
import { NODE_ID, OTHER_NODE_ID } from '../support/clerk/words.ts';
import { judge } from '../support/judge.ts';
import { Load } from '../support/load.ts';
import { MAY_SEND } from '../support/receiver.ts';
import { Balancer } from './balancer.ts';
import { isRolling, type Program } from './releases.ts';

/** Pause of a clerk between two requests, in milliseconds. */
const PAUSE_MS = 20;
/** Maximum number of requests that are sent again at the end. */
const REPEATED_MAX = 200;
/** Minimum number of requests of each clerk in a stage. */
const STAGE_REQUESTS = 8;
const STAGE_MOST_MS = 30_000;

export interface Plan {
  from: Program;
  to: Program;
  engine: Engine;
  seed: number;
  clients: number;
  /** Length of each stage under load. */
  seconds: number;
  /** True to run `migrate` while the older version serves, although the guide does not allow it. */
  force?: boolean;
  folder: string;
  /** URL of the PostgreSQL server. */
  serverUrl: string | undefined;
}

export interface Outcome {
  /** The kind of upgrade according to the table of the guide. */
  how: 'rolling' | 'stop';
  acknowledged: number;
  /** Acknowledged requests with an Idempotency-Key that were sent again at the end. */
  repeated: number;
  /** Number of 503 responses. A 503 without Retry-After is also in `faults`. */
  unavailable: number;
  /** Number of other 5xx responses. */
  broken: number;
  /** Acknowledged data that is missing or different in the database. */
  lost: string[];
  /** Errors that callers and operators should not see. */
  faults: string[];
  /** Reason why the turn was not finished. */
  brokenOff?: string;
}

interface Place {
  url: string;
  env: Record<string, string>;
  credential: Credential;
  duties: Duties | undefined;
}

let turns = 0;

/** Plays the upgrade and checks the result. */
export async function play(plan: Plan): Promise<Outcome> {
  turns += 1;
  const turn = new Turn(plan, await placeOf(plan), await Balancer.open());
  try {
    return await turn.play();
  } finally {
    await turn.end();
  }
}

class Turn {
  readonly #plan: Plan;
  readonly #place: Place;
  readonly #balancer: Balancer;
  readonly #faults: string[] = [];
  #services: ServiceProcess[] = [];
  #load: Load | undefined;

  constructor(plan: Plan, place: Place, balancer: Balancer) {
    this.#plan = plan;
    this.#place = place;
    this.#balancer = balancer;
  }

  async play(): Promise<Outcome> {
    const { from, to, engine, seed, clients } = this.#plan;
    const how = engine === 'postgres' && isRolling(from, to) ? 'rolling' : 'stop';
    await this.#start(from);
    if (engine === 'postgres') await this.#start(from);
    await this.#prepareNodes();
    const load = await Load.open(`u${turns}`, this.#place.credential, seed, clients, this.#place.duties);
    load.start(this.#balancer.base, { pauseMs: PAUSE_MS });
    this.#load = load;
    await this.#wait();
    let brokenOff: string | undefined;
    try {
      if (how === 'rolling') await this.#roll();
      else if (this.#plan.force === true) await this.#force();
      else await this.#stopAndGo();
    } catch (error) {
      brokenOff = `the turn was interrupted: ${(error as Error).stack}`;
      this.#faults.push(brokenOff);
    }
    await load.stop();
    const open = load.lost();
    const store = await openStore(this.#place.url, { readers: 1, connections: 2 });
    let lost: string[];
    try {
      lost = (await judge(store, load)).faults;
    } finally {
      await store.close();
    }
    this.#faults.push(...load.faults.splice(0), ...(await load.repeat(this.#balancer.base, open)));
    const repeated = await this.#repeat();
    await this.#doctor();
    const count = (wanted: (status: number) => boolean) =>
      [...load.statuses].reduce((sum, [status, times]) => sum + (wanted(status) ? times : 0), 0);
    return {
      how,
      acknowledged: load.acknowledged,
      repeated,
      unavailable: count((status) => status === 503),
      broken: count((status) => status >= 500 && status !== 503),
      lost,
      faults: this.#faults,
      ...(brokenOff !== undefined && { brokenOff }),
    };
  }

  async end(): Promise<void> {
    this.#balancer.close();
    for (const service of this.#services) await service.kill();
  }

  /**
   * Migrates while two processes of the older version serve. Then replaces one process by the newer version, goes back
   * to the older version, and replaces both processes, one after the other.
   */
  async #roll(): Promise<void> {
    const { from, to } = this.#plan;
    const { code, said } = await this.#run(to, 'migrate');
    if (code !== 0) this.#faults.push(`migrate of ${to.name} ended with ${code}: ${said}`);
    await this.#wait();
    const [first, second] = this.#services as [ServiceProcess, ServiceProcess];
    const replaced = await this.#replace(first, to);
    const back = await this.#replace(replaced, from);
    for (const older of [back, second]) await this.#replace(older, to);
  }

  async #replace(service: ServiceProcess, program: Program): Promise<ServiceProcess> {
    await this.#drain(service);
    const started = await this.#start(program);
    await this.#wait();
    return started;
  }

  /**
   * Upgrades with a stop of the service. `migrate` must fail while the older version serves, unless no migration is
   * pending. Then all processes of the older version stop, and the newer version starts.
   */
  async #stopAndGo(): Promise<void> {
    const { from, to, engine } = this.#plan;
    const refused = await this.#run(to, 'migrate');
    const mustFail = to.schema > from.schema;
    if (
      mustFail &&
      (refused.code !== 1 || !/Stop (the service|every process of the older version)/.test(refused.said))
    ) {
      this.#faults.push(`migrate while ${from.name} serves ended with ${refused.code}: ${refused.said}`);
    }
    const schema = await this.#schema();
    if (schema !== from.schema) this.#faults.push(`the database is at ${schema} after a migrate that was rejected`);
    await this.#wait();
    for (const service of [...this.#services]) await this.#drain(service);
    // Version 0.1.0 created this file readable for other users, which doctor would report.
    if (engine === 'sqlite') chmodSync(`${this.#place.url.slice('sqlite:'.length)}.serve`, 0o600);
    const { code, said } = await this.#run(to, 'migrate');
    if (code !== 0) this.#faults.push(`migrate ended with ${code}: ${said}`);
    await this.#start(to);
    if (engine === 'postgres') await this.#start(to);
    await this.#wait();
  }

  /**
   * Upgrades without a stop, although the table in docs/how-to/upgrade.md requires one: runs `migrate --force`, then
   * replaces one process after the other.
   */
  async #force(): Promise<void> {
    const { to } = this.#plan;
    await this.#run(to, 'migrate', '--force');
    await this.#wait();
    for (const service of [...this.#services]) {
      await this.#drain(service);
      await this.#start(to);
    }
    await this.#wait();
  }

  async #start(program: Program): Promise<ServiceProcess> {
    const { url, env } = this.#place;
    const port = await freePort();
    const options = { databaseUrl: url, port, env: { ...MAY_SEND, ...env }, program: [program.main, 'serve'] };
    const service = await ServiceProcess.start(options);
    this.#services.push(service);
    this.#balancer.add(service.base);
    return service;
  }

  /** Removes the process from the balancer, then ends it. */
  async #drain(service: ServiceProcess): Promise<void> {
    await this.#balancer.drain(service.base);
    await service.stop();
    this.#services = this.#services.filter((one) => one !== service);
  }

  /** Runs a command of the program; `said` is its output on stderr. */
  #run(program: Program, ...words: string[]): Promise<{ code: number | null; said: string; out: string }> {
    const { url, env } = this.#place;
    const settings = { PATH: process.env['PATH'], DATABASE_URL: url, BACKROOM_SECRET: SECRET, ...env };
    const child = spawn(process.execPath, [program.main, ...words], { env: settings });
    const texts = { said: '', out: '' };
    child.stderr.on('data', (chunk: Buffer) => (texts.said += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString()));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...texts })));
  }

  /**
   * Runs `doctor`. Ignores its finding about durability, because a server of the campaign does not wait for its disk.
   */
  async #doctor(): Promise<void> {
    const { out, said } = await this.#run(this.#plan.to, 'doctor', '--json');
    try {
      const { findings } = JSON.parse(out) as {
        findings: { check: string; ok: boolean; found: string; level?: string }[];
      };
      for (const { check, ok, found } of findings) {
        if (!ok && check !== 'durability') this.#faults.push(`doctor: ${check}: ${found}`);
      }
    } catch {
      this.#faults.push(`doctor: ${said}`);
    }
  }

  /**
   * Sends acknowledged requests again. The new version must return the same responses. Returns the number of these
   * requests.
   */
  async #repeat(): Promise<number> {
    const all = [...this.#balancer.acknowledged.values()];
    const each = Math.ceil(all.length / REPEATED_MAX);
    const some = all.filter((_one, index) => index % each === 0);
    for (const { status, text, ...request } of some) {
      const answer = await send(this.#balancer.base, request);
      const isSame =
        answer?.status === status && answer.text === text && answer.headers['idempotent-replayed'] === 'true';
      if (isSame) continue;
      const { method, path, headers } = request;
      this.#faults.push(
        `${headers['idempotency-key']} (${method} ${path}) sent again: ${answer?.status} ${answer?.text}`,
      );
    }
    return some.length;
  }

  async #schema(): Promise<number> {
    const store = await openStore(this.#place.url, { readers: 1, connections: 1 });
    try {
      return await currentVersion(store);
    } finally {
      await store.close();
    }
  }

  /**
   * Configures the nodes as the clerks expect: declined items are on hold until they are released, and the nodes keep
   * stock.
   */
  async #prepareNodes(): Promise<void> {
    const { released } = this.#plan.from;
    const stock = released === undefined || keepsStock(released) ? { stock: 'KEPT' } : {};
    await this.#changeNode(NODE_ID, { declinePolicy: 'HOLD_UNTIL_RELEASED', ...stock });
    await this.#changeNode(OTHER_NODE_ID, stock);
  }

  async #changeNode(nodeId: string, changes: Record<string, string>): Promise<void> {
    const path = `/operator/v1/clients/TOWN/nodes/${nodeId}`;
    const headers = { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' };
    const { base } = this.#balancer;
    const node = JSON.parse((await send(base, { method: 'GET', path, headers }))!.text) as object;
    const put = await send(base, { method: 'PUT', path, headers, body: JSON.stringify({ ...node, ...changes }) });
    if (put?.status !== 200) throw new Error(`PUT ${path} returned ${put?.status} ${put?.text}`);
  }

  /**
   * Waits for the length of a stage, and until the clerks have sent enough requests, which takes longer on a slow
   * machine.
   */
  async #wait(): Promise<void> {
    const { seconds, clients } = this.#plan;
    const done = this.#load!.acknowledged + clients * STAGE_REQUESTS;
    await sleep(seconds * 1_000);
    const until = performance.now() + STAGE_MOST_MS;
    while (this.#load!.acknowledged < done && performance.now() < until) await sleep(100);
    if (this.#load!.acknowledged < done) this.#faults.push('the clerks got nothing done');
  }
}

/** Creates the database before the upgrade: the stored database of a release, or the small town of this program. */
async function placeOf({ from, engine, folder, serverUrl }: Plan): Promise<Place> {
  const name = `upgrade_${turns}`;
  const url = serverUrl === undefined ? `sqlite:${join(folder, `${name}.db`)}` : await createDatabase(serverUrl, name);
  if (from.released === undefined) return { url, env: {}, credential: await makeTown(url), duties: undefined };
  const kept = (end: string) => new URL(`../../test/upgrade/backroom-${from.released}.${end}`, import.meta.url);
  const secret = readFileSync(kept('db.secret'), 'utf8').trim();
  if (engine === 'sqlite') {
    const file = url.slice('sqlite:'.length);
    writeFileSync(file, gunzipSync(readFileSync(kept('db.gz'))), { mode: 0o600 });
    cpSync(kept('db.secret'), `${file}.secret`);
  } else {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(gunzipSync(readFileSync(kept('sql.gz'))).toString());
    await client.end();
  }
  const { apiKey, basic } = JSON.parse(readFileSync(kept('json'), 'utf8')) as { apiKey: string; basic: string };
  const credential = { apikey: apiKey, authorization: `Basic ${Buffer.from(basic).toString('base64')}` };
  return { url, env: { BACKROOM_SECRET: secret }, credential, duties: dutiesOf(from.released) };
}
