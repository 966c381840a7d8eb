/**
 * Waits for changes of a node's work. One loop per database serves all waiting callers. It has no open transaction
 * while it waits, reads at most one number for each client if nothing has changed, and spends at most a fifth of its
 * time on reading (docs/decisions/231).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BeforeRead } from '../platform/http/operation.ts';
import type { Store } from '../platform/storage/db.ts';
import type { NodeRow } from '../platform/storage/tables.ts';
import { countEvents, findWork } from './state.ts';

/** Pause between two checks. On PostgreSQL other processes write too, so every check reads the database. */
const LOOK_EVERY_MS = { sqlite: 250, postgres: 500 } as const;
/** Maximum number of waiting callers in a process. Further callers get their response without waiting. */
const WAITING_MAX = 1_000;
/** Milliseconds of rest for each millisecond of reading. */
const REST = 4;

/** A node with waiting callers. */
interface Place {
  node: NodeRow;
  revision: string;
  events: number;
  until: number;
  /** One function per waiting caller. */
  wake: Set<() => void>;
}

interface Watch {
  places: Map<string, Place>;
  callers: number;
  running: boolean;
}

const watches = new WeakMap<Store, Watch>();

/**
 * Resolves when the revision of a node's work differs from `since`, after `seconds`, or when the caller disconnects or
 * the service stops. With `WAITING_MAX` waiting callers, it resolves immediately.
 */
export async function waitForWork(parts: BeforeRead, node: NodeRow, since: string, seconds: number): Promise<void> {
  const { store, signal, idle, checkAccess } = parts;
  const until = performance.now() + seconds * 1_000;
  const watch = watches.get(store) ?? { places: new Map<string, Place>(), callers: 0, running: false };
  watches.set(store, watch);
  if (watch.callers >= WAITING_MAX) return;
  const key = JSON.stringify([node.client_id, node.node_id]);
  const place = watch.places.get(key) ?? { node, revision: '', events: -1, until: 0, wake: new Set() };
  place.node = node;
  watch.places.set(key, place);
  const gone = new AbortController();
  const wake = () => gone.abort();
  place.wake.add(wake);
  watch.callers += 1;
  try {
    // The loop starts after the place is registered, so that it sees every later commit.
    void follow(watch, parts);
    await look(parts, place);
    const left = until - performance.now();
    if (place.revision !== since || left <= 0) return;
    await idle(sleep(left, undefined, { signal: AbortSignal.any([signal, gone.signal]) }).catch(() => undefined));
  } finally {
    watch.callers -= 1;
    place.wake.delete(wake);
    if (place.wake.size === 0) watch.places.delete(key);
  }
  // The caller's access may have ended during the wait.
  await checkAccess();
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
    const { revision } = place;
    await look(parts, place);
    if (place.revision !== revision) wakeAll(place);
    await sleep((performance.now() - began) * REST, undefined, { ref: false });
  }
}

async function look({ store, now, config }: BeforeRead, place: Place): Promise<void> {
  const { events, until, work } = await store.read((db) =>
    findWork({ db, dialect: store.dialect, now: now(), config }, place.node),
  );
  Object.assign(place, { events, until, revision: work.revision });
}

function wakeAll(place: Place): void {
  for (const wake of place.wake) wake();
}
