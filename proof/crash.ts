/**
 * `npm run proof:crash`: eight clients make mixed writes, and kill -9 ends the service at a random instant. On
 * PostgreSQL, every second kill ends the database server instead. Acknowledged writes must be stored, rejected writes
 * must not be stored, and no write may be partial.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store } from '../src/platform/storage/db.ts';
import { freePort } from '../town/free-port.ts';
import { PostgresServer, type ServerOptions } from '../town/postgres-server.ts';
import { type PlantedOptions, type ServiceOptions, ServiceProcess } from '../town/service-process.ts';
import { createDatabase, makeTown } from '../town/small-town.ts';
import { type Campaign, main, type Work } from './campaign.ts';
import type { Due } from './support/clerk/clerk.ts';
import { judge } from './support/judge.ts';
import { Load } from './support/load.ts';
import { letTimePass } from './support/passing-time.ts';
import { MAY_SEND } from './support/receiver.ts';

/**
 * Number of kills in one series. Each series has a new database, because the comparison takes longer as the database
 * grows.
 */
const LOAD_KILLS = 25;

/**
 * One in this number of kills happens in the first milliseconds (`SCHEDULER_WORKS_MS`) of the scheduler. The scheduler
 * starts a second after the service (`SCHEDULER_LOOKS_MS`).
 */
const AT_SCHEDULER = 4;
const SCHEDULER_LOOKS_MS = 1_000;
const SCHEDULER_WORKS_MS = 150;

export const crash: Campaign = {
  name: 'crash',
  unit: 'kills',
  count: 1_000,
  control: { planted: 'a store that returns 5 ms before its commit', count: 20 },
  async run(work) {
    const server = work.engine === 'postgres' ? await durablePostgres() : undefined;
    try {
      await killInTurns(work, server);
    } finally {
      await server?.remove();
    }
  },
};

/**
 * Kills the service and the PostgreSQL server alternately. Without `server`, kills only the service, and each series
 * has a new database of the campaign.
 */
export async function killInTurns(work: Work, server?: PostgresServer): Promise<void> {
  const crashes = new Crashes(work, server);
  for (let done = 0; done < work.count && !work.enough(); done += LOAD_KILLS) {
    await crashes.series(Math.min(LOAD_KILLS, work.count - done));
  }
  if (!work.planted) work.say(crashes.summary());
}

/** Starts a PostgreSQL server that keeps every commit that it has confirmed. */
export function durablePostgres(more: Pick<ServerOptions, 'folder' | 'initdb'> = {}): Promise<PostgresServer> {
  return PostgresServer.start({ ...more, settings: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } });
}

class Crashes {
  readonly #work: Work;
  readonly #server: PostgresServer | undefined;
  readonly #planted: PlantedOptions | undefined;
  #kills = 0;
  #acknowledged = 0;
  #lost = { carriedOut: 0, notCarriedOut: 0 };
  #came: Due['kind'][] = [];
  #readyAt = 0;

  constructor(work: Work, server: PostgresServer | undefined) {
    this.#work = work;
    this.#server = server;
    this.#planted = work.planted ? { plant: 'earlyReply' } : undefined;
  }

  summary(): string {
    const { carriedOut, notCarriedOut } = this.#lost;
    const lost = `${carriedOut} had been carried out, ${notCarriedOut} not`;
    const came = Object.entries(Object.groupBy(this.#came, (kind) => kind)).map(
      ([kind, all]) => `${all.length} ${kind}`,
    );
    return `${this.#acknowledged} requests acknowledged; of those without a response ${lost}; from the scheduler ${came.join(', ')}`;
  }

  /** Runs `count` kills on one new database. */
  async series(count: number): Promise<void> {
    const { seed } = this.#work;
    const url = await this.#database();
    const credential = await makeTown(url);
    const load = await Load.open(`k${this.#kills}`, credential, seed + this.#kills);
    const port = await freePort();
    const options = { databaseUrl: url, port, env: MAY_SEND, ...(this.#planted && { planted: this.#planted }) };
    let service = await this.#start(options);
    const store = await openStore(url, { readers: 1, connections: 2 });
    try {
      for (let kill = 0; kill < count && !this.#work.enough(); kill += 1) {
        const ofDatabase = this.#server !== undefined && this.#kills % 2 === 1;
        load.start(service.base, { mayBreak: !ofDatabase });
        await load.instant(this.#work.random);
        if (this.#kills % AT_SCHEDULER === AT_SCHEDULER - 1) await this.#schedulerLooks();
        if (ofDatabase) await this.#killDatabase(service, load);
        else service = await this.#killService(service, load, options);
        await this.#judge(service, load, store);
        await letTimePass(store, load.clerks);
        this.#kills += 1;
        this.#work.done();
      }
    } finally {
      await service.kill();
      await store.close();
      for (const [status, count] of load.statuses) if (status < 300) this.#acknowledged += count;
    }
  }

  async #database(): Promise<string> {
    if (this.#server !== undefined) return createDatabase(this.#server.url, `crash_${this.#kills}`);
    if (this.#work.engine === 'sqlite') return `sqlite:${join(this.#work.folder(), 'backroom.db')}`;
    return this.#work.database();
  }

  async #killService(service: ServiceProcess, load: Load, options: ServiceOptions): Promise<ServiceProcess> {
    await service.kill();
    await load.stop();
    return this.#start(options);
  }

  async #start(options: ServiceOptions): Promise<ServiceProcess> {
    const service = await ServiceProcess.start(options);
    this.#readyAt = performance.now();
    return service;
  }

  async #schedulerLooks(): Promise<void> {
    const at = this.#readyAt + SCHEDULER_LOOKS_MS + this.#work.random() * SCHEDULER_WORKS_MS;
    await sleep(Math.max(0, at - performance.now()));
  }

  /** Kills the database server. The service keeps running and must recover without help. */
  async #killDatabase(service: ServiceProcess, load: Load): Promise<void> {
    await this.#server!.kill();
    await sleep(20);
    await load.stop();
    await this.#server!.startAgain();
    await service.ready(30_000);
  }

  async #judge(service: ServiceProcess, load: Load, store: Store): Promise<void> {
    const lost = load.lost();
    const { faults, carriedOut, notCarriedOut, came } = await judge(store, load);
    this.#lost.carriedOut += carriedOut;
    this.#lost.notCarriedOut += notCarriedOut;
    this.#came.push(...came);
    const all = [...load.faults.splice(0), ...faults, ...(await load.repeat(service.base, lost))];
    if (all.length === 0) return;
    this.#work.fail(`kill ${this.#kills}: ${all.slice(0, 3).join('; ')} (${all.length} in all) ${service.log}`);
  }
}

await main(crash, import.meta.url);
