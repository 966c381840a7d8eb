/**
 * Maintains events that are partitioned by month. It creates the partitions of the next months in advance, and drops a
 * month as a whole at the end of its retention (docs/scale.md#partitions-of-events-by-month).
 */
import { sql } from 'kysely';
import type { DueKind, Parts } from '../../platform/due-kind.ts';
import type { Reader } from '../../platform/storage/db.ts';
import {
  boundAt,
  instantOf,
  isMissing,
  type Month,
  missingMonths,
  monthStatements,
  type Part,
  partsOf,
} from '../../platform/storage/partitions.ts';
import { DAY_MS, isPaused } from '../../platform/time.ts';
import { carrySequences, lastSent, NEEDS, type Needs } from './events.ts';

const LOOK_EVERY_MS = 60_000;
const REST_MS = 600_000;
/**
 * Maximum number of event positions for which one transaction saves the last sequence numbers before a month is
 * dropped.
 */
const CARRIED_TOGETHER = 10_000;
/** Maximum number of events of the default partition that one transaction deletes. */
const CLEARED_TOGETHER = 1_000;
/**
 * Maximum wait for a lock on the table `events`. Other transactions wait behind this lock, so the wait must be short.
 * After that time the work is retried later.
 */
const LOCK_WAIT_MS = 2_000;

/** One step in the maintenance of partitioned events. */
export type Step = { clear: Part } | { month: Month } | { drop: Part };

/** Returns the steps that are possible now, and can make others possible; empty if events are not partitioned. */
export async function stepsOf(db: Reader, now: number, eventDays: number | undefined): Promise<Step[]> {
  const parts = await partsOf(db);
  if (parts.length === 0) return [];
  const later = parts.find(({ isDefault }) => isDefault);
  const clear = await laterWithGone(db, parts);
  const steps: Step[] = clear === undefined ? [] : [{ clear }];
  for (const month of missingMonths(parts, now)) {
    // If the default partition already has events of this month, the partition cannot be created until `clearLater` has
    // deleted them.
    if (later === undefined || (await isFree(db, later, month))) steps.push({ month });
  }
  for (const drop of parts.filter((part) => isOver(part, now, eventDays))) {
    // Events are deleted in order, so a later month is not dropped before this month.
    if (!(await lastPositions(db, drop, now, eventDays!)).mayGo) break;
    steps.push({ drop });
  }
  return steps;
}

async function isFree(db: Reader, later: Part, { year, month }: Month): Promise<boolean> {
  const [from, to] = [boundAt(Date.UTC(year, month)), boundAt(Date.UTC(year, month + 1))];
  const { rows } = await sql`
    select 1 from ${sql.table(later.name)} where event_id >= ${from} and event_id < ${to} limit 1`.execute(db);
  return rows.length === 0;
}

/**
 * Deletes a batch of events that are left in the default partition although a later month was dropped; `dropPart` has
 * saved their sequence numbers and counted them. They are from a time when the clock of a machine was ahead, or from a
 * month without a partition. Returns whether it deleted any.
 */
export async function clearLater(write: Write, later: Part, lockWaitMs = LOCK_WAIT_MS): Promise<boolean> {
  return write(async ({ db }) => {
    await limitWaiting(db, lockWaitMs);
    const { numAffectedRows } = await sql.raw(clearStatement(later, CLEARED_TOGETHER)).execute(db);
    return numAffectedRows !== 0n;
  });
}

/** Returns the statement of `clearLater`; without `limit` for all events. */
export function clearStatement(later: Part, limit?: number): string {
  return `delete from ${later.name} where (client_id, event_id) in (${goneIn(later, limit)})`;
}

/** Returns the default partition if it has events that readers no longer get, and the role can delete them. */
async function laterWithGone(db: Reader, parts: readonly Part[]): Promise<Part | undefined> {
  const later = parts.find(isCleared);
  if (later === undefined) return undefined;
  return (await sql.raw(goneIn(later, 1)).execute(db)).rows.length > 0 ? later : undefined;
}

/** Whether `clearLater` can delete events of a partition. */
function isCleared({ isDefault, mayDelete }: Part): boolean {
  return isDefault && mayDelete;
}

/** Returns a select of the events of a partition that readers no longer get. */
function goneIn({ name }: Part, limit?: number): string {
  const all = `select e.client_id, e.event_id from event_heads h join ${name} e on e.client_id = h.client_id and e.position <= h.gone`;
  return limit === undefined ? all : `${all} limit ${limit}`;
}

/**
 * Whether all events of a partition have reached the end of their retention. Partitions are by event id, and ids are
 * assigned before positions. The last events of a partition can therefore have later positions than the first events of
 * the next partition, so the function waits one more day.
 */
function isOver({ to }: Part, now: number, eventDays: number | undefined): boolean {
  return eventDays !== undefined && to !== undefined && instantOf(to) + DAY_MS <= now - eventDays * DAY_MS;
}

interface Last {
  clientId: string;
  /** Last position of the partition. */
  last: number;
  /** Last deleted position of the client. */
  gone: number;
}

/**
 * Returns the last position of each client in a partition. `mayGo` is true if every event has a position, no webhook or
 * EDI partner still needs an event of the partition, and every event before a last position has reached the end of its
 * retention. If the clock of a machine was behind, an event of the partition can have a position after younger events;
 * these must stay readable.
 */
async function lastPositions(
  db: Reader,
  { name }: Part,
  now: number,
  eventDays: number,
): Promise<{ mayGo: boolean; clients: Last[] }> {
  const { rows: unplaced } = await sql`select 1 from ${sql.table(name)} where position is null limit 1`.execute(db);
  if (unplaced.length > 0) return { mayGo: false, clients: [] };
  // An event whose time is after the present, or more than a day after its writing by the clock of the server, is from a
  // clock that was ahead and does not count.
  const [from, until] = [boundAt(now - eventDays * DAY_MS), boundAt(now)];
  const { rows } = await sql<Omit<Last, 'last'> & { last: number | null; hasYoung: boolean } & Needs>`
    select h.*, exists (select 1 from events e where e.client_id = h."clientId" and e.position > h.gone and e.position <= h.last
      and e.event_id >= ${from} and e.event_id < ${until} and e.at <= e.written / 1000 + ${DAY_MS}) as "hasYoung"
    from (select h.client_id as "clientId", h.gone,
      (select max(e.position) from ${sql.table(name)} e where e.client_id = h.client_id) as last, ${NEEDS}
      from event_heads h) as h order by h."clientId"`.execute(db);
  const clients = rows.flatMap(({ last, ...row }) => (last === null ? [] : [{ ...row, last }]));
  return { mayGo: clients.every((client) => !client.hasYoung && lastSent(client) >= client.last), clients };
}

const END = { client: 'text', last: 'integer' } as const;

type Write = Parts['write'];

/** Creates the partition of a month, unless another process has created it meanwhile. */
export async function makeMonth(write: Write, month: Month, lockWaitMs = LOCK_WAIT_MS): Promise<void> {
  await write(async ({ db }) => {
    await limitWaiting(db, lockWaitMs);
    // Attaching the partition needs this lock anyway. It is taken before the check, so that a second process waits and
    // then sees the partition.
    await sql`lock table events in share update exclusive mode`.execute(db);
    if (!isMissing(await partsOf(db), month)) return;
    for (const text of monthStatements(month)) await sql.raw(text).execute(db);
  });
}

/** The last position whose sequence numbers were saved, by client. */
export type Progress = Map<string, number>;

/**
 * Runs one step of dropping a partition: saves the sequence numbers of some resources, or, if all are saved, drops the
 * partition. Returns the number of deleted events; 'MORE' if further steps are needed; 'NEEDED' if an event of the
 * month must stay meanwhile, for example because of a replay.
 */
export async function dropPart(
  write: Write,
  part: Part,
  eventDays: number,
  progress: Progress,
  lockWaitMs = LOCK_WAIT_MS,
): Promise<number | 'MORE' | 'NEEDED'> {
  const outcome = await write(async (ctx) => {
    const { mayGo, clients } = await lastPositions(ctx.db, part, ctx.now, eventDays);
    if (!mayGo) return 'NEEDED';
    for (const { clientId, last, gone } of clients) {
      const done = progress.get(clientId) ?? gone;
      if (done >= last) continue;
      const next = Math.min(last, done + CARRIED_TOGETHER);
      await carrySequences(ctx, clientId, done, next);
      return { clientId, next };
    }
    await limitWaiting(ctx.db, lockWaitMs);
    // A replay holds the row of its client until its commit, and can have queued events of this month meanwhile.
    await ctx.db
      .selectFrom('event_heads')
      .select('client_id')
      .orderBy('client_id')
      .modifyEnd(ctx.dialect.forUpdate)
      .execute();
    if (!(await lastPositions(ctx.db, part, ctx.now, eventDays)).mayGo) return 'NEEDED';
    const ends = clients.map(({ clientId, last }) => ({ client: clientId, last }));
    await sql`
      update event_heads set gone = ends.last from ${ctx.dialect.rowsOf(ends, END)} as ends
      where event_heads.client_id = ends.client and event_heads.gone < ends.last`.execute(ctx.db);
    await sql`drop table ${sql.table(part.name)}`.execute(ctx.db);
    return clients.reduce((sum, { last, gone }) => sum + Math.max(0, last - gone), 0);
  });
  if (typeof outcome !== 'object') return outcome;
  // Only now the numbers are stored. The store runs a job that was rolled back again, and it must then save them again.
  progress.set(outcome.clientId, outcome.next);
  return 'MORE';
}

async function limitWaiting(db: Reader, lockWaitMs: number): Promise<void> {
  await sql.raw(`set local lock_timeout = ${Math.round(lockWaitMs)}`).execute(db);
}

/** Returns the maintenance of partitioned events, for one scheduler. */
export function months(): DueKind {
  const progress = new Map<string, Progress>();
  let restsUntil = 0;
  let turn = 0;
  return {
    name: 'months of events',
    upkeepEveryMs: LOOK_EVERY_MS,
    due: async (db, now, _limit, { eventDays }) => {
      if (isPaused(now, restsUntil, REST_MS)) return [];
      const parts = await partsOf(db);
      const isToDo =
        parts.length > 0 &&
        (missingMonths(parts, now).length > 0 ||
          // Only `run` looks for events that can be cleared: this search has one statement.
          parts.some((part) => isOver(part, now, eventDays) || isCleared(part)));
      // The number makes the id of each step unique.
      return isToDo ? [{ at: now, clientId: '', id: String(turn) }] : [];
    },
    run: async (parts) => {
      const { store, write, removed, ports, config } = parts;
      turn += 1;
      let step: Step | undefined;
      try {
        [step] = await store.read((db) => stepsOf(db, ports.now(), config.eventDays));
        if (step === undefined) {
          // No step is possible now. For example, a webhook still has to send events of the oldest month.
          restsUntil = ports.now() + REST_MS;
          return false;
        }
        if ('clear' in step) {
          await clearLater(write, step.clear);
          return true;
        }
        if ('month' in step) {
          await makeMonth(write, step.month);
          return true;
        }
        const own = progress.get(step.drop.name) ?? new Map<string, number>();
        progress.set(step.drop.name, own);
        const count = await dropPart(write, step.drop, config.eventDays!, own);
        if (count === 'MORE') return true;
        if (count === 'NEEDED') {
          restsUntil = ports.now() + REST_MS;
          return false;
        }
        progress.delete(step.drop.name);
        removed('events', count);
        ports.log.info({ partition: step.drop.name, events: count }, 'a month of events was dropped');
        return true;
      } catch (error) {
        // Partitions exist for some months ahead, so a later attempt is early enough.
        if (!isOf(error, [LOCK_NOT_AVAILABLE, NOT_ALLOWED, GONE])) throw error;
        restsUntil = ports.now() + REST_MS;
        // Another process has dropped the month while this process worked on it.
        if (isOf(error, [GONE])) return false;
        ports.log.warn({ err: error, step }, 'partitions of events wait: see backroom partitions');
        return false;
      }
    },
  };
}

/** Error codes of PostgreSQL: the lock was not available in time; the role does not own the table; no such table. */
export const LOCK_NOT_AVAILABLE = '55P03';
export const NOT_ALLOWED = '42501';
export const GONE = '42P01';

/** Whether PostgreSQL rejected a statement with one of these codes. */
export function isOf(error: unknown, codes: readonly unknown[]): boolean {
  return [error, error instanceof Error ? error.cause : undefined].some(
    (one) => one instanceof Error && 'code' in one && codes.includes(one.code),
  );
}
