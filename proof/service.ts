/**
 * Runs the service in this process or in worker processes, on a database with the small town. Campaigns send their
 * requests to it.
 */
import { loadConfig } from '../src/platform/config.ts';
import type { HashCost } from '../src/platform/hashing.ts';
import { createLog } from '../src/platform/log.ts';
import { seededPorts } from '../src/platform/ports.ts';
import { openStore, type Store, type StoreOptions } from '../src/platform/storage/db.ts';
import { loadTown, type Town, type TownOptions } from '../src/service/demo/town.ts';
import { createServer, type Server } from '../src/service/server.ts';
import { type Answer, type Call, clientHeaders, type Method, operatorHeaders, townCall } from '../town/call.ts';
import { inject } from '../town/in-process.ts';
import { SECRET } from '../town/service-process.ts';
import type { Lasting } from './campaign.ts';
import { KeptRows, Workers } from './support/workers.ts';

export const OPERATOR_KEY = 'operator-key-of-the-campaigns';

/** Noon of a working day: 2026-03-02T12:00:00Z. */
export const NOON = Date.UTC(2026, 2, 2, 12);

export interface Service {
  town: Town;
  store: Store;
  /** URL of the database. */
  url: string;
  /** The tree of routes as the framework prints it; empty with workers. */
  routes: string;
  /** The current time of the service, in epoch milliseconds. */
  clock: { now: number };
  /** Sends a request. Successive requests go to the servers in turn. */
  call: (call: Call) => Promise<Answer>;
  /** Sends a request with the credential of the town, or with other headers. */
  client: (method: Method, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  operator: (method: Method, path: string, body?: unknown) => Promise<Answer>;
  /** With `listen`, the port of each server; with workers, the port that they share; otherwise empty. */
  tcpPorts: readonly number[];
  /** Does the work that is due now, as the scheduler would. Worker processes have their own schedulers. */
  runDue: () => Promise<unknown>;
  close: () => Promise<void>;
}

export interface ServiceOptions {
  /**
   * Number of servers on the database, each with its own connections. The default is 2 on PostgreSQL; on SQLite it is
   * always 1.
   */
  servers?: number;
  listen?: boolean;
  neighbours?: boolean;
  upTo?: TownOptions['upTo'];
  /**
   * True if only the sandbox operation that advances the clock changes the time. By default, only the campaign changes
   * it.
   */
  sandbox?: boolean;
  /** Wraps the store of each server, for example to plant a bug. */
  wrap?: (store: Store) => Store;
  env?: Record<string, string>;
  /** Options of the store that differ from the defaults. */
  store?: StoreOptions;
  /**
   * On PostgreSQL, two worker processes serve the requests; `bug` is the bug that the campaign plants in their stores.
   * The options `wrap`, `listen`, `env` and `servers` then apply only to SQLite.
   */
  workers?: { campaign: string; bug: string | undefined };
  /**
   * A loaded town in a database without open connections. The service then runs on a copy of this database and loads no
   * town.
   */
  from?: Kept;
}

/** A loaded town whose service is closed. */
export interface Kept {
  url: string;
  town: Town;
}

let opened = 0;

const LOADED_AT = NOON - 30 * 60_000;
const CONFIG = {
  BACKROOM_OPERATOR_KEY: OPERATOR_KEY,
  BACKROOM_SECRET: SECRET,
  LOG_LEVEL: 'silent',
  FAILED_SIGN_IN_LIMIT: 'none',
  HOST: '127.0.0.1',
  PORT: '0',
};
/**
 * A low cost of hashing. With the production cost, a hash takes 40 ms for each password or PIN, and no campaign
 * measures hashing.
 */
const HASH_COST: HashCost = { memory: 64, passes: 1, parallelism: 1 };
const OPERATOR = operatorHeaders(OPERATOR_KEY);

/**
 * Opens the service at NOON on a new database of the run. The database is a copy of a town that is loaded once for each
 * campaign.
 */
export async function openService(work: Lasting, options: ServiceOptions = {}): Promise<Service> {
  if (options.workers !== undefined && work.engine === 'postgres') {
    const { workers, wrap: _wrap, listen: _listen, ...rest } = options;
    return openWorkers(work, workers, rest);
  }
  const { neighbours, upTo } = options;
  const from = options.from ?? (await work.once(`town ${neighbours} ${upTo}`, (whole) => loaded(whole, options)));
  const url = await work.database(from.url);
  opened += 1;
  const clock = { now: NOON };
  const config = loadConfig({ ...CONFIG, ...options.env });
  const count = work.engine === 'sqlite' ? 1 : (options.servers ?? 2);
  const stores = await Promise.all(Array.from({ length: count }, () => openStore(url, options.store)));
  let isOpen = false;
  const wrap = options.wrap;
  const seen = wrap === undefined ? stores : stores.map((store) => switched(store, wrap(store), () => isOpen));
  // Two servers must not create the same identifiers. A copy and its original must not, either. So each server has
  // separate random numbers.
  const ports = stores.map((_, index) =>
    seededPorts(`proof ${work.seed} ${opened} ${index}`, clock, createLog('silent')),
  );
  const servers: Server[] = [];
  const parts = options.sandbox === true ? { clock } : {};
  for (const [index, store] of seen.entries()) {
    servers.push(await createServer(config, ports[index]!, store, { ...parts, hashCost: HASH_COST }));
  }
  let turn = 0;
  const call = (request: Call) => inject(servers[turn++ % servers.length]!, request);
  const { town } = from;
  isOpen = true;
  const tcpPorts =
    options.listen === true
      ? await Promise.all(servers.map(async (server) => Number(new URL(await server.listen()).port)))
      : [];
  const headers = clientHeaders(town.credential);
  return {
    town,
    store: stores[0]!,
    url,
    routes: servers[0]!.app.printRoutes({ commonPrefix: false }),
    clock,
    call,
    client: (method, path, body, more) => call({ method, path, body, headers: { ...headers, ...more } }),
    operator: (method, path, body) => call({ method, path, body, headers: OPERATOR }),
    tcpPorts,
    runDue: () => servers[0]!.runDue(),
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

/** Loads the town half an hour before NOON. */
async function loaded(work: Lasting, { neighbours, upTo }: ServiceOptions): Promise<Kept> {
  const url = await work.database();
  const clock = { now: LOADED_AT };
  const ports = seededPorts(`proof ${work.seed} town`, clock, createLog('silent'));
  const server = await createServer(loadConfig(CONFIG), ports, await openStore(url), { hashCost: HASH_COST });
  try {
    const town = await loadTown(
      townCall((call) => inject(server, call), OPERATOR_KEY),
      { now: LOADED_AT, ...(neighbours !== undefined && { neighbours }), ...(upTo !== undefined && { upTo }) },
    );
    return { url, town };
  } finally {
    await server.close();
  }
}

interface SharedWorkers {
  url: string;
  kept: KeptRows;
  workers: Workers;
}

const shared = new WeakMap<object, Promise<SharedWorkers>>();

/**
 * Opens worker processes on a loaded town. Starting them takes seconds, so the workers of a kept town are started once
 * in a run. The rows of the town are restored for each use. `endWorkers` ends the workers.
 */
async function openWorkers(
  work: Lasting,
  { campaign, bug }: NonNullable<ServiceOptions['workers']>,
  options: ServiceOptions,
): Promise<Service> {
  const plan = { workers: 2, now: NOON, campaign, ...(bug !== undefined && { bug }) };
  if (options.from === undefined) {
    const { url, town, close } = await openService(work, { ...options, servers: 1 });
    await close();
    const workers = await Workers.start(url, plan);
    return served(workers, url, town, () => workers.stop());
  }
  const { from } = options;
  let isNew = false;
  if (!shared.has(work)) {
    isNew = true;
    const start = async () => {
      const url = await work.database(from.url);
      const kept = await KeptRows.of(url);
      return { url, kept, workers: await Workers.start(url, plan) };
    };
    shared.set(work, start());
  }
  const { url, kept, workers } = await shared.get(work)!;
  if (!isNew) await kept.putBack();
  return served(workers, url, from.town, async () => undefined);
}

/** Ends the workers of a run. */
export async function endWorkers(work: object): Promise<void> {
  const one = await shared.get(work);
  await one?.workers.stop();
  await one?.kept.end();
}

async function served(workers: Workers, url: string, town: Town, end: () => Promise<void>): Promise<Service> {
  const store = await openStore(url, { connections: 2 });
  const headers = clientHeaders(town.credential);
  const call = (request: Call) => workers.call(request);
  return {
    town,
    store,
    url,
    routes: '',
    clock: { now: NOON },
    call,
    client: (method, path, body, more) => call({ method, path, body, headers: { ...headers, ...more } }),
    operator: (method, path, body) => call({ method, path, body, headers: OPERATOR }),
    tcpPorts: [workers.port],
    runDue: async () => undefined,
    close: async () => {
      await store.close();
      await end();
    },
  };
}

/** Returns a store that uses `first` until `isNow` returns true, and `then` afterwards. */
function switched(first: Store, then: Store, isNow: () => boolean): Store {
  return new Proxy(first, {
    get: (_target, name) => {
      const store = isNow() ? then : first;
      const member: unknown = Reflect.get(store, name, store);
      return typeof member === 'function' ? (member.bind(store) as unknown) : member;
    },
  });
}
