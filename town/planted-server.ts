/**
 * `backroom serve` with a planted bug or other time-outs, for controls and for failures that would otherwise take
 * minutes. The argument is a `PlantedOptions` as JSON. This file is not part of the product.
 */
import { openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { loadConfig } from '../src/platform/config.ts';
import { Hashing } from '../src/platform/hashing.ts';
import { Load } from '../src/platform/http/overload.ts';
import { createLog } from '../src/platform/log.ts';
import { systemPorts } from '../src/platform/ports.ts';
import { openStore, StorageUnavailable, type Store } from '../src/platform/storage/db.ts';
import { stopped } from '../src/service/cli/serve.ts';
import { migrate } from '../src/service/migrate.ts';
import { createServer } from '../src/service/server.ts';
import type { PlantedOptions } from './service-process.ts';

const { plant, maxPages, aheadMs = 0, ...storeOptions } = JSON.parse(process.argv[2] ?? '{}') as PlantedOptions;

/** Milliseconds from an early response to its commit, so that a kill at a random instant can happen between the two. */
const AHEAD_MS = 5;

const config = loadConfig(process.env);
const system = systemPorts(createLog(config.logLevel));
const ports = { ...system, now: () => system.now() + aheadMs };
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
if (plant === 'weakSync') weakenPragma();
await migrate(config.databaseUrl, { now: ports.now });
if (maxPages !== undefined) limitPages(maxPages);
if (plant === 'oneLine') shareOneLine();
const opened = await openStore(config.databaseUrl, storeOptions);
const wrap = { earlyReply, swallow, leak, busy };
const isOfStore = plant !== undefined && plant in wrap;
const server = await createServer(config, ports, isOfStore ? wrap[plant as keyof typeof wrap](opened) : opened);
await server.listen();
await stopped(stop.signal);
await server.close();

function earlyReply(store: Store): Store {
  return withWrite(store, (fn) => {
    return new Promise((resolve, reject) => {
      store
        .write(async (tx, onCommit) => {
          const value = await fn(tx, onCommit);
          resolve(value);
          await sleep(AHEAD_MS);
        })
        .catch(reject);
    });
  });
}

function swallow(store: Store): Store {
  return withWrite(store, async <T>(fn: Parameters<Store['write']>[0]) => {
    let value: T | undefined;
    try {
      return await store.write(async (tx, onCommit) => {
        value = (await fn(tx, onCommit)) as T;
        return value;
      });
    } catch (error) {
      if (error instanceof StorageUnavailable && value !== undefined) return value;
      throw error;
    }
  });
}

function leak(store: Store): Store {
  const kept: Buffer[] = [];
  return withWrite(store, (fn) => {
    kept.push(Buffer.alloc(100_000, 1));
    openSync('/dev/null', 'r');
    return store.write(fn);
  });
}

function busy(store: Store): Store {
  return withWrite(store, (fn) => {
    const used = () => process.threadCpuUsage().user;
    for (const until = used() + 300_000; used() < until; );
    return store.write(fn);
  });
}

/**
 * Returns the store with another `write`. It is a proxy, because the methods of the store need the original store as
 * `this`.
 */
function withWrite(store: Store, write: (fn: Parameters<Store['write']>[0]) => Promise<unknown>): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function shareOneLine(): void {
  Load.prototype.aside = (_kind, work) => work();
  const enter: Hashing['enter'] = Reflect.get(Hashing.prototype, 'enter');
  let callers = 0;
  Hashing.prototype.enter = function (this: Hashing) {
    callers += 1;
    // The planted bug: each request counts as a separate device, so the limits per network, client and device have no
    // effect. Only the limit of all queued hash computations remains.
    return enter.call(this, { kind: 'device', key: String(callers) });
  };
}

function weakenPragma(): void {
  onPragma((text) => text.replace('synchronous = FULL', 'synchronous = NORMAL'));
}

function limitPages(pages: number): void {
  const limited = new WeakSet<Database.Database>();
  onPragma((text, database) => {
    if (!limited.has(database)) {
      limited.add(database);
      database.pragma(`max_page_count = ${pages}`);
    }
    return text;
  });
}

function onPragma(change: (text: string, database: Database.Database) => string): void {
  const pragma: unknown = Reflect.get(Database.prototype, 'pragma');
  Database.prototype.pragma = function (this: Database.Database, text: string, options?: Database.PragmaOptions) {
    return Reflect.apply(pragma as CallableFunction, this, [change(text, this), options]) as unknown;
  };
}
