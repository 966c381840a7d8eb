/** The service in process, with the small town in it: what the campaigns send their requests to. */
import { loadConfig } from '../src/platform/config.ts';
import type { HashCost } from '../src/platform/hashing.ts';
import { createLog } from '../src/platform/log.ts';
import { parseJson, stringifyJson } from '../src/platform/message/json.ts';
import { seededPorts } from '../src/platform/ports.ts';
import { openStore, type Store, type StoreOptions } from '../src/platform/storage/db.ts';
import { loadTown, type Secrets, type Town, type TownOptions } from '../src/service/demo/town.ts';
import { createServer, type Server } from '../src/service/server.ts';
import type { Lasting } from './campaign.ts';
import { SECRET } from './support/process.ts';
import { keepRows, putBack, Workers } from './support/workers.ts';

export const OPERATOR_KEY = 'operator-key-of-the-campaigns';

/** Noon of a working day: 2026-03-02T12:00:00Z. */
export const NOON = Date.UTC(2026, 2, 2, 12);

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Call {
  method: Method;
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Buffer;
}

export interface Answer {
  status: number;
  body: unknown;
  text: string;
  headers: Record<string, string | undefined>;
}

export interface Service {
  town: Town;
  store: Store;
  /** URL of the database. */
  url: string;
  /** The tree of routes as the framework prints it; empty with workers. */
  routes: string;
  /** Epoch milliseconds of the service. */
  clock: { now: number };
  /** Sends a request to the servers in turn. */
  call: (call: Call) => Promise<Answer>;
  /** With the credential of the town, or another. */
  client: (method: Method, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  operator: (method: Method, path: string, body?: unknown) => Promise<Answer>;
  /** Ports that are listened on, one for each server; only with `listen`. */
  tcpPorts: readonly number[];
  close: () => Promise<void>;
}

export interface ServiceOptions {
  /** Servers on the one database, each with its own connections; on PostgreSQL 2 unless said otherwise, on SQLite always 1. */
  servers?: number;
  listen?: boolean;
  neighbours?: boolean;
  upTo?: TownOptions['upTo'];
  /** Time moves by the operation that advances the sandbox's clock; else only the campaign moves it. */
  sandbox?: boolean;
  /** What stands between the servers and their store, once they are made. */
  wrap?: (store: Store) => Store;
  env?: Record<string, string>;
  /** Of the store, where other than usual. */
  store?: StoreOptions;
  /**
   * On PostgreSQL two worker processes serve instead, with the bug of this name of the campaign in their
   * stores; `wrap`, `env` and `servers` are for SQLite then.
   */
  workers?: { campaign: string; bug: string | undefined };
  /** A town that was loaded before, in a database that nobody has open: it is copied instead of loaded. */
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
/** A hash of a password or PIN at the cost of production takes 40 ms, which is not what any campaign looks at. */
const HASH_COST: HashCost = { memory: 64, passes: 1, parallelism: 1 };
const OPERATOR = { authorization: `Bearer ${OPERATOR_KEY}` };

/** Opens the service at NOON on a new database of the run with the town, which is loaded once a campaign. */
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
  // Identifiers of two servers must not meet, nor those of a copy and of what it copies: each has randomness of its own.
  const ports = stores.map((_, index) =>
    seededPorts(`proof ${work.seed} ${opened} ${index}`, clock, createLog('silent')),
  );
  const servers: Server[] = [];
  const parts = options.sandbox === true ? { clock } : {};
  for (const [index, store] of seen.entries()) {
    servers.push(await createServer(config, ports[index]!, store, { ...parts, hashCost: HASH_COST }));
  }
  let turn = 0;
  const call = (request: Call) => send(servers[turn++ % servers.length]!, request);
  const { town } = from;
  isOpen = true;
  const tcpPorts =
    options.listen === true
      ? await Promise.all(servers.map(async (server) => Number(new URL(await server.listen()).port)))
      : [];
  const headers = credentialHeaders(town.credential);
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
      (method, path, { as, body }) =>
        send(server, { method, path, body, headers: as === 'operator' ? OPERATOR : credentialHeaders(as) }),
      { now: LOADED_AT, ...(neighbours !== undefined && { neighbours }), ...(upTo !== undefined && { upTo }) },
    );
    return { url, town };
  } finally {
    await server.close();
  }
}

const shared = new WeakMap<object, Promise<{ url: string; workers: Workers }>>();

/**
 * Workers on a loaded town. Those of a kept town are started once a run, and its rows put back each time, because starting them
 * takes seconds: `endWorkers` ends them.
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
      await keepRows(url);
      return { url, workers: await Workers.start(url, plan) };
    };
    shared.set(work, start());
  }
  const { url, workers } = await shared.get(work)!;
  if (!isNew) await putBack(url);
  return served(workers, url, from.town, async () => undefined);
}

/** Ends the workers of a run. */
export async function endWorkers(work: object): Promise<void> {
  await (await shared.get(work))?.workers.stop();
}

async function served(workers: Workers, url: string, town: Town, end: () => Promise<void>): Promise<Service> {
  const store = await openStore(url, { connections: 2 });
  const headers = credentialHeaders(town.credential);
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
    close: async () => {
      await store.close();
      await end();
    },
  };
}

/** `Authorization` and `apiKey` of a credential: enough for every operation of a client. */
export function credentialHeaders({ apiKey, username, password }: Secrets) {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`, apikey: apiKey };
}

/** One request in process, without a socket. */
export async function send(server: Server, request: Call): Promise<Answer> {
  const payload = request.raw ?? (request.body === undefined ? undefined : stringifyJson(request.body));
  const response = await server.app.inject({
    method: request.method,
    url: request.path,
    headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...request.headers },
    ...(payload !== undefined && { payload }),
  });
  const headers = response.headers as Answer['headers'];
  return { status: response.statusCode, body: bodyOf(response.payload, headers), text: response.payload, headers };
}

function bodyOf(text: string, headers: Answer['headers']): unknown {
  return /json/.test(headers['content-type'] ?? '') && text !== '' ? parseJson(text) : undefined;
}

/** `first` until `isNow`, then `then`. */
function switched(first: Store, then: Store, isNow: () => boolean): Store {
  return new Proxy(first, {
    get: (_target, name) => {
      const store = isNow() ? then : first;
      const member: unknown = Reflect.get(store, name, store);
      return typeof member === 'function' ? (member.bind(store) as unknown) : member;
    },
  });
}
