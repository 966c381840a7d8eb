/**
 * Waiting for a node's work to change. One loop for each store looks for everybody who waits: it holds no transaction, reads one
 * number where nothing has changed, and spends at most a fifth of its time on reading (docs/decisions/231).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BeforeRead } from '../platform/http/operation.ts';
import type { Store } from '../platform/storage/db.ts';
import type { NodeRow } from '../platform/storage/tables.ts';
import { countEvents, findWork } from './state.ts';

/** How often the loop looks. Where other processes write, it must ask the database each time. */
const LOOK_EVERY_MS = { sqlite: 250, postgres: 500 } as const;
/** Most callers that wait in a process; more are answered at once. */
const WAITING_MAX = 1_000;
/** For each millisecond of reading so many of rest. */
const REST = 4;

/** A node for whose work somebody waits. */
interface Place {
  node: NodeRow;
  revision: string;
  events: number;
  until: number;
  /** Those who wait. */
  wake: Set<() => void>;
}

interface Watch {
  places: Map<string, Place>;
  callers: number;
  running: boolean;
}

const watches = new WeakMap<Store, Watch>();

/** Returns when the work of a node has another revision than `since`, when the time is over, or when the caller has gone. */
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
    // Only then: what is committed from now on is seen by the loop.
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
  // Access may have ended meanwhile.
  await checkAccess();
}

/** Looks as long as anybody waits. An error wakes them all: their own read then says what is wrong. */
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

/** Looks at the places that may have changed: by an event of their client, or because an instant has come. */
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
