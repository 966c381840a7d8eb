/**
 * The one scheduler: does what has become due. It keeps nothing: what is due stands in the rows, so it survives restarts; and
 * several may run over one database, each thing being done by the one whose guarded statement finds it first. Every thing is a
 * transaction of its own, so no other write waits for more than one.
 */

import { PERSONAL_TABLES } from '../../orders/anonymize.ts';
import type { Config } from '../../platform/config.ts';
import { type Actor, makeCtx } from '../../platform/ctx.ts';
import type { Due } from '../../platform/due.ts';
import type { DueKind, Parts } from '../../platform/due-kind.ts';
import type { Ports } from '../../platform/ports.ts';
import type { Sealer } from '../../platform/secrets.ts';
import type { Reader, Store } from '../../platform/storage/db.ts';
import type { Tracing } from '../../platform/tracing.ts';
import { REMOVED_KINDS } from '../retention/kinds.ts';
import { dueKinds } from './kinds.ts';

const LOOK_EVERY_MS = 1_000;
/** So many of a kind are read at once. */
const BATCH = 100;
/** After so many things a tick ends, and the next begins a moment later. */
const TICK_MAX = 500;
const AGAIN_AFTER_MS = 20;
/** A thing that fails is tried again after 1 s, 2 s, 4 s, at last every ten minutes. */
const FIRST_DELAY_MS = 1_000;
const LAST_DELAY_MS = 600_000;

const SCHEDULER: Actor = { kind: 'system', id: 'system:scheduler' };

export interface SchedulerOptions {
  config: Config;
  ports: Ports;
  store: Store;
  sealer: Sealer;
  kinds?: readonly DueKind[];
  tracing?: Tracing | undefined;
}

/** What a kind has done and how late it is, for the metrics. */
export interface KindState {
  done: number;
  /** Found by this scheduler, done by another one. */
  missed: number;
  failed: number;
  /** How long the oldest thing had been due when it was looked for last. */
  lagMs: number;
}

interface Found extends Due {
  kind: DueKind;
}

export class Scheduler {
  readonly #parts: Parts;
  readonly #kinds: readonly DueKind[];
  readonly #states = new Map<string, KindState>();
  readonly #removed = new Map<string, number>(REMOVED_KINDS.map((kind) => [kind, 0]));
  /** Things that failed: how often, and when they are tried again. */
  readonly #failures = new Map<string, { times: number; at: number }>();
  readonly #lookedAt = new Map<DueKind, number>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  #hasBlanked = false;

  constructor({ config, ports, store, sealer, kinds = dueKinds(), tracing }: SchedulerOptions) {
    const write: Parts['write'] = (work) =>
      store.write((db, onCommit) =>
        work(makeCtx({ config, ports, store, sealer }, { db, actor: SCHEDULER, onCommit })),
      );
    const blanked = () => {
      this.#hasBlanked = true;
    };
    const removed = (kind: string, rows: number) => {
      this.#removed.set(kind, (this.#removed.get(kind) ?? 0) + rows);
    };
    this.#parts = { config, ports, store, write, tracing, blanked, removed };
    this.#kinds = kinds;
    for (const { name } of kinds) this.#states.set(name, { done: 0, missed: 0, failed: 0, lagMs: 0 });
  }

  /** By name of the kind. */
  get states(): ReadonlyMap<string, Readonly<KindState>> {
    return this.#states;
  }

  /** Rows that were removed because their time was over, by kind of data. */
  get removed(): ReadonlyMap<string, number> {
    return this.#removed;
  }

  /** Looks for what is due every second, until `stop`. */
  start(): void {
    const tick = async () => {
      const count = await this.runDue(TICK_MAX);
      if (!this.#isStopped) this.#timer = setTimeout(next, count < TICK_MAX ? LOOK_EVERY_MS : AGAIN_AFTER_MS).unref();
    };
    const next = () => {
      this.#running = tick();
    };
    this.#timer = setTimeout(next, LOOK_EVERY_MS).unref();
  }

  /** Takes up nothing more; resolves when what was begun is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /**
   * Does what is due now in the order of its time, what becomes due meanwhile included; at most `max` things. Returns how many
   * it looked at. Nothing is tried twice. It rejects for nothing: what fails is logged and tried again later.
   */
  async runDue(max = Number.POSITIVE_INFINITY): Promise<number> {
    const tried = new Set<string>();
    const looked = new Set<DueKind>();
    while (tried.size < max && this.#goesOn()) {
      const found = (await this.#find(looked)).filter((due) => !tried.has(keyOf(due)));
      if (found.length === 0) break;
      for (const due of found.slice(0, max - tried.size)) {
        if (!this.#goesOn()) break;
        tried.add(keyOf(due));
        await this.#run(due);
      }
    }
    if (this.#hasBlanked) await this.#scrub();
    return tried.size;
  }

  /** Tried again with the next look where others were reading all the time. */
  async #scrub(): Promise<void> {
    const { store, ports } = this.#parts;
    try {
      this.#hasBlanked = !(await store.scrub(PERSONAL_TABLES));
    } catch (error) {
      ports.log.warn({ err: error }, 'what was forgotten could not be removed from the files; it is tried again');
    }
  }

  #goesOn(): boolean {
    return !this.#isStopped;
  }

  /** What becomes due first after an instant, upkeep aside. */
  async next(db: Reader, after: number): Promise<(Due & { kind: string }) | undefined> {
    let first: (Due & { kind: string }) | undefined;
    for (const { name, next } of this.#kinds) {
      const due = await next?.(db, after);
      if (due !== undefined && (first === undefined || due.at < first.at)) first = { ...due, kind: name };
    }
    return first;
  }

  /** Of every kind the oldest due things, together in the order of their time. */
  async #find(looked: Set<DueKind>): Promise<Found[]> {
    const { store, ports, config } = this.#parts;
    const now = ports.now();
    const all: Found[] = [];
    for (const kind of this.#kinds) {
      if (!this.#isToLookFor(kind, looked, now)) continue;
      try {
        // Things that failed must not hide the others behind them.
        const limit = BATCH + this.#failures.size;
        const due = await store.read((db) => kind.due(db, now, limit, config), { single: true });
        this.#states.get(kind.name)!.lagMs = due[0] === undefined ? 0 : now - due[0].at;
        for (const one of due) if (!this.#isDelayed({ ...one, kind }, now)) all.push({ ...one, kind });
      } catch (error) {
        ports.log.warn({ err: error, kind: kind.name }, 'the scheduler cannot see what is due; it looks again');
      }
    }
    return all.sort((a, b) => a.at - b.at);
  }

  #isToLookFor(kind: DueKind, looked: Set<DueKind>, now: number): boolean {
    if (kind.upkeepEveryMs === undefined) return true;
    if (looked.has(kind)) return kind.neverEnds !== true;
    const last = this.#lookedAt.get(kind);
    if (last !== undefined && now < last + kind.upkeepEveryMs) return false;
    this.#lookedAt.set(kind, now);
    looked.add(kind);
    return true;
  }

  async #run(due: Found): Promise<void> {
    const state = this.#states.get(due.kind.name)!;
    const { log, now } = this.#parts.ports;
    try {
      if (await due.kind.run(this.#parts, due)) state.done++;
      else state.missed++;
      this.#failures.delete(keyOf(due));
    } catch (error) {
      state.failed++;
      const times = (this.#failures.get(keyOf(due))?.times ?? 0) + 1;
      const delay = Math.min(FIRST_DELAY_MS * 2 ** (times - 1), LAST_DELAY_MS);
      this.#failures.set(keyOf(due), { times, at: now() + delay });
      const { clientId, id, kind } = due;
      log.error({ err: error, kind: kind.name, clientId, id, times }, 'what was due failed; it is tried again');
    }
  }

  #isDelayed(due: Found, now: number): boolean {
    const failure = this.#failures.get(keyOf(due));
    return failure !== undefined && failure.at > now;
  }
}

function keyOf({ kind, clientId, id, at }: Found): string {
  return `${kind.name}\n${clientId}\n${id}\n${at}`;
}
