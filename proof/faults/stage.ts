/** The stage of every fault: a town, a service under load, and the checks during the fault and after it. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../src/platform/storage/db.ts';
import { freePort } from '../../town/free-port.ts';
import type { PostgresServer } from '../../town/postgres-server.ts';
import { type PlantedOptions, ServiceProcess, send } from '../../town/service-process.ts';
import { type Credential, makeTown } from '../../town/small-town.ts';
import { judge } from '../support/judge.ts';
import { inShort, Load } from '../support/load.ts';
import { MAY_SEND } from '../support/receiver.ts';

/** Number of requests that must get the expected response within `WITHIN_MS`, before the fault and again after it. */
const WRITES = 20;
const WITHIN_MS = 30_000;
/** The limit of a response time, in milliseconds, during every fault. */
const SLOWEST_MS = 20_000;
const CLIENTS = 4;

export interface StageOptions {
  url: string;
  seed: number;
  name: string;
  planted: PlantedOptions | undefined;
  server?: PostgresServer;
}

export class Stage {
  readonly load: Load;
  readonly faults: string[] = [];
  readonly server: PostgresServer | undefined;
  readonly #url: string;
  readonly #credential: Credential;
  readonly #port: number;
  readonly #planted: PlantedOptions | undefined;
  #service: ServiceProcess;
  /** The number of 503 responses at the last check, or at the start. */
  #refusedBefore = 0;

  private constructor(
    options: StageOptions,
    credential: Credential,
    port: number,
    service: ServiceProcess,
    load: Load,
  ) {
    this.#url = options.url;
    this.server = options.server;
    this.#planted = options.planted;
    this.#credential = credential;
    this.#port = port;
    this.#service = service;
    this.load = load;
  }

  /** Makes a town with a service under load. Waits until the load has got `WRITES` expected responses. */
  static async set(options: StageOptions): Promise<Stage> {
    const credential = await makeTown(options.url);
    const port = await freePort();
    const { planted } = options;
    const service = await ServiceProcess.start({
      databaseUrl: options.url,
      port,
      env: MAY_SEND,
      ...(planted && { planted }),
    });
    const load = await Load.open(options.name, credential, options.seed, CLIENTS);
    const stage = new Stage(options, credential, port, service, load);
    stage.load.start(service.base);
    await stage.goesOn('before the fault');
    return stage;
  }

  get url(): string {
    return this.#url;
  }

  get pid(): number {
    return this.#service.pid;
  }

  /**
   * Waits until at least one write has got 503 since the last check. Errors from before this call count, too. If the
   * fault makes the outcome of a commit unknown, all clerks with a write in this commit stop. Then no further write
   * gets 503.
   */
  async refuses(): Promise<void> {
    if (!(await this.#comes(() => this.load.count(503) > this.#refusedBefore)))
      this.faults.push('no write was rejected');
    this.#refusedBefore = this.load.count(503);
  }

  /**
   * Requests `/readyz` and a read during the fault. `reads` is the expected status of the read; `maybe` also allows a
   * clear error.
   */
  async tells(readyz: 200 | 503, reads: 200 | 'maybe'): Promise<void> {
    const ready = await this.#service.readyz();
    if (ready !== readyz) this.faults.push(`/readyz returned ${ready} during the fault, not ${readyz}`);
    const read = await send(this.#service.base, {
      method: 'GET',
      path: '/item-service/stores/TOWN_US/items/21-MUG-WHT',
      headers: this.#credential,
    });
    const isClear = read?.status === 503 && read.headers['retry-after'] !== undefined;
    if (read?.status !== 200 && !(reads === 'maybe' && isClear)) {
      this.faults.push(`a read during the fault: ${inShort(read)}`);
    }
  }

  /**
   * Checks that the service recovers without help: `/readyz` returns 200 and requests get the expected responses again.
   */
  async recovers(): Promise<void> {
    await this.#service.ready(WITHIN_MS).catch((error: unknown) => this.faults.push((error as Error).message));
    await this.goesOn('after the fault');
  }

  async goesOn(when: string): Promise<void> {
    // A clerk stops after a request without a clear outcome. The comparison reads the outcome from the database.
    if (this.load.lost().size > 0) await this.#compare();
    const before = this.load.acknowledged;
    if (!(await this.#comes(() => this.load.acknowledged >= before + WRITES))) {
      this.faults.push(`only ${this.load.acknowledged - before} writes were acknowledged ${when}`);
    }
    this.#refusedBefore = this.load.count(503);
  }

  /**
   * Kills the service and starts it again without the fault. Scenes call it for faults from which the service does not
   * recover by itself.
   */
  async restart(): Promise<void> {
    await this.load.stop();
    await this.#service.kill();
    const plant = this.#planted?.plant;
    const planted = plant && { planted: { plant } };
    this.#service = await ServiceProcess.start({ databaseUrl: this.#url, port: this.#port, env: MAY_SEND, ...planted });
    await this.#compare();
  }

  /** Ends the load and compares the database with the acknowledged writes. Returns all errors. */
  async end(): Promise<string[]> {
    await this.#compare(false);
    if (this.load.slowest > SLOWEST_MS) this.faults.push(`a response took ${Math.round(this.load.slowest)} ms`);
    return this.faults;
  }

  async remove(): Promise<void> {
    await this.#service.kill();
    await this.load.stop();
  }

  async #compare(goOn = true): Promise<void> {
    await this.load.stop();
    const store = await openStore(this.#url, { readers: 1, connections: 1 });
    try {
      const lost = this.load.lost();
      const { faults } = await judge(store, this.load);
      this.faults.push(...this.load.faults.splice(0), ...faults);
      this.faults.push(...(await this.load.repeat(this.#service.base, lost)));
    } finally {
      await store.close();
    }
    if (goOn) this.load.start(this.#service.base);
  }

  async #comes(isTrue: () => boolean): Promise<boolean> {
    for (const until = performance.now() + WITHIN_MS; !isTrue(); ) {
      if (performance.now() > until) return false;
      await sleep(5);
    }
    return true;
  }
}

/**
 * Makes system calls of a running process fail. Returns a function that makes the calls work again. @throws Error if
 * the process cannot be traced.
 */
export async function injectErrors(pid: number, calls: string, error: string): Promise<() => Promise<void>> {
  const words = ['-f', '-qq', '-p', String(pid), '-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}`];
  const child = spawn('strace', [...words, '-o', '/dev/null'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const failed = new Promise<never>((_resolve, reject) => child.once('error', reject));
  while (!isTraced(pid)) {
    await Promise.race([sleep(5), failed]);
    if (child.exitCode !== null) throw new Error(`strace ended: ${String(child.stderr.read())}`);
  }
  return async () => {
    child.kill('SIGTERM');
    await exited;
  };
}

/** Returns whether every thread of the process has a tracer. */
function isTraced(pid: number): boolean {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).every((task) => !/^TracerPid:\s+0$/m.test(readFileSync(`${tasks}/${task}/status`, 'utf8')));
}
