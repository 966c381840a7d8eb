/**
 * Reads a node's work, and waits for its changes. One read at a time serves all callers of a node. One loop per
 * database serves all waiting callers (docs/decisions/231). The loop has no open transaction while it waits, and spends
 * at most a fifth of its time on reading. If nothing has changed, it reads at most one number for each client.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BeforeRead } from '../platform/http/operation.ts';
import type { Store } from '../platform/storage/db.ts';
import type { NodeRow } from '../platform/storage/tables.ts';
import { countEvents, findWork, type Kept } from './state.ts';

/** Pause between two checks. On PostgreSQL other processes write too, so every check reads the database. */
const LOOK_EVERY_MS = { sqlite: 250, postgres: 500 } as const;
/** Maximum number of waiting callers in a process. Further callers get their response without waiting. */
const WAITING_MAX = 1_000;
/** Milliseconds of rest for each millisecond of reading. */
const REST = 4;

/** A node with waiting callers. */
interface Place {
  node: NodeRow;
  events: number;
  until: number;
  /** One function per waiting caller. */
  wake: Set<(news?: Kept) => void>;
}

interface Watch {
  places: Map<string, Place>;
  callers: number;
  running: boolean;
}

const watches = new WeakMap<Store, Watch>();

/** A read of a node's work, for all callers that ask for it before it begins. */
interface Reading {
  hasBegun: boolean;
  result: Promise<Kept>;
}

const readings = new WeakMap<Store, Map<string, Reading>>();

/**
 * Returns the work of a node from a read that begins after the call. Callers that come during a read share the next
 * read, so there is one read at a time for any number of callers. Without this, each caller would read: on a busy day,
 * every event of the client makes the cached work invalid.
 */
export function readShared(parts: BeforeRead, node: NodeRow): Promise<Kept> {
  const { store, now, config } = parts;
  const all = readings.get(store) ?? new Map<string, Reading>();
  readings.set(store, all);
  const key = JSON.stringify([node.client_id, node.node_id, node.updated_at]);
  const last = all.get(key);
  if (last?.hasBegun === false) return last.result;
  const own: Reading = { hasBegun: false, result: read() };
  all.set(key, own);
  return own.result;

  async function read(): Promise<Kept> {
    await last?.result.catch(() => undefined);
    own.hasBegun = true;
    try {
      return await store.read((db) => findWork({ db, dialect: store.dialect, now: now(), config }, node));
    } finally {
      if (all.get(key) === own) all.delete(key);
    }
  }
}

/**
 * Returns the work of a node as soon as its revision differs from `since`, after `seconds`, or when the caller
 * disconnects or the service stops. With `WAITING_MAX` waiting callers, it returns the work immediately.
 */
export async function waitForWork(parts: BeforeRead, node: NodeRow, since: string, seconds: number): Promise<Kept> {
  const { store, signal, idle, checkAccess } = parts;
  const until = performance.now() + seconds * 1_000;
  const watch = watches.get(store) ?? { places: new Map<string, Place>(), callers: 0, running: false };
  watches.set(store, watch);
  if (watch.callers >= WAITING_MAX) return await readShared(parts, node);
  const key = JSON.stringify([node.client_id, node.node_id]);
  const place = watch.places.get(key) ?? { node, events: -1, until: 0, wake: new Set() };
  place.node = node;
  watch.places.set(key, place);
  const gone = new AbortController();
  let found: Kept | undefined;
  const wake = (news?: Kept) => {
    if (news?.work.revision === since) return;
    found = news;
    gone.abort();
  };
  place.wake.add(wake);
  watch.callers += 1;
  try {
    // The loop starts after the place is registered, so that it sees every later commit.
    void follow(watch, parts);
    const first = await look(parts, place);
    const left = until - performance.now();
    if (first.work.revision !== since || left <= 0) return first;
    await idle(sleep(left, undefined, { signal: AbortSignal.any([signal, gone.signal]) }).catch(() => undefined));
  } finally {
    watch.callers -= 1;
    place.wake.delete(wake);
    if (place.wake.size === 0) watch.places.delete(key);
  }
  // The caller's access may have ended during the wait.
  await checkAccess();
  return found ?? (await readShared(parts, node));
}

/**
 * Checks the nodes of the waiting callers until no caller waits. An error wakes all callers, and their own read then
 * reports it.
 */
async function follow(watch: Watch, parts: BeforeRead): Promise<void> {
  if (watch.running) return;
  watch.running = true;
  const { store } = parts;
  try {
    for (let seen = store.version(); watch.places.size > 0; ) {
      await sleep(LOOK_EVERY_MS[store.engine], undefined, { ref: false });
      const version = store.version();
      const isWritten = version !== seen;
      seen = version;
      await lookAround(watch, parts, isWritten);
    }
  } catch {
    for (const place of watch.places.values()) wakeAll(place);
  } finally {
    watch.running = false;
  }
}

/** Checks each place that may have changed: its client has new events, or a due time has passed. */
async function lookAround(watch: Watch, parts: BeforeRead, isWritten: boolean): Promise<void> {
  const { store, now } = parts;
  const counted = new Map<string, number>();
  for (const place of [...watch.places.values()]) {
    const { client_id: clientId } = place.node;
    const isTime = now() >= place.until;
    if (!isWritten && !isTime) continue;
    let events = counted.get(clientId);
    if (events === undefined) {
      events = await store.read((db) => countEvents(db, clientId), { single: true });
      counted.set(clientId, events);
    }
    if (events === place.events && !isTime) continue;
    const began = performance.now();
    await look(parts, place);
    await sleep((performance.now() - began) * REST, undefined, { ref: false });
  }
}

/** Reads the work of a place, and wakes the callers that have another revision. */
async function look(parts: BeforeRead, place: Place): Promise<Kept> {
  const found = await readShared(parts, place.node);
  const { events, until } = found;
  Object.assign(place, { events, until });
  wakeAll(place, found);
  return found;
}

/** Wakes the callers that have another revision; without `news`, all callers. */
function wakeAll({ wake }: Place, news?: Kept): void {
  for (const one of wake) one(news);
}
