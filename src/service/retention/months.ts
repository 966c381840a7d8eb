/**
 * Events that are partitioned by month: parts of the next months are made before they are needed, and a month whose events are all
 * past their time is dropped at once (docs/decisions/306).
 */
import { sql } from 'kysely';
import type { DueKind, Parts } from '../../platform/due-kind.ts';
import type { Reader } from '../../platform/storage/db.ts';
import {
  boundAt,
  instantOf,
  type Month,
  missingMonths,
  monthStatements,
  type Part,
  partsOf,
} from '../../platform/storage/partitions.ts';
import { DAY_MS } from '../../platform/time.ts';
import { carrySequences } from './events.ts';

const LOOK_EVERY_MS = 60_000;
const REST_MS = 600_000;
/** Positions whose numbers are carried forward in one transaction. */
const CARRIED_TOGETHER = 10_000;
/** Who wants all of `events` for itself keeps everybody waiting: it gives up after so long, and comes again. */
const LOCK_WAIT_MS = 2_000;

/** One step of the upkeep of partitioned events. */
export type Step = { month: Month } | { drop: Part };

/** What is to be done now; nothing where events are not partitioned. */
export async function stepsOf(db: Reader, now: number, eventDays: number | undefined): Promise<Step[]> {
  const parts = await partsOf(db);
  if (parts.length === 0) return [];
  const later = parts.find(({ isDefault }) => isDefault);
  const steps: Step[] = [];
  for (const month of missingMonths(parts, now)) {
    // Rows that came while no part was there stay where they are.
    if (later === undefined || (await isFree(db, later, month))) steps.push({ month });
  }
  for (const drop of parts.filter((part) => isOver(part, now, eventDays))) {
    // Later ones wait for it: events go from the front.
    if (!(await lastPositions(db, drop)).isSent) break;
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
 * Whether all events of a part are past their time. Positions are given after ids, so some events of the part's last moments
 * may have positions behind those of the next part's first: a day more, and these are past their time too.
 */
function isOver({ to }: Part, now: number, eventDays: number | undefined): boolean {
  return eventDays !== undefined && to !== undefined && instantOf(to) + DAY_MS <= now - eventDays * DAY_MS;
}

interface Last {
  clientId: string;
  /** Of the part. */
  last: number;
  /** Of the client: gone before. */
  gone: number;
}

/** Last position of each client in a part, and whether all events of it have one and no webhook still has to send one. */
async function lastPositions(db: Reader, { name }: Part): Promise<{ isSent: boolean; clients: Last[] }> {
  const { rows: unplaced } = await sql`select 1 from ${sql.table(name)} where position is null limit 1`.execute(db);
  if (unplaced.length > 0) return { isSent: false, clients: [] };
  const { rows } = await sql<Omit<Last, 'last'> & { last: number | null; hook: number | null; pending: number | null }>`
    select h.client_id as "clientId", h.gone,
      (select max(e.position) from ${sql.table(name)} e where e.client_id = h.client_id) as last,
      (select min(w.position) from webhooks w where w.client_id = h.client_id) as hook,
      (select min(d.position) from webhook_deliveries d
        where d.client_id = h.client_id and d.status = 'PENDING') as pending
    from event_heads h order by h.client_id`.execute(db);
  const isSent = rows.every(
    ({ last, hook, pending }) => last === null || ((hook ?? last) >= last && (pending ?? last + 1) > last),
  );
  return { isSent, clients: rows.flatMap(({ last, ...row }) => (last === null ? [] : [{ ...row, last }])) };
}

type Write = Parts['write'];

/** Makes the part of a month. */
export async function makeMonth(write: Write, month: Month, lockWaitMs = LOCK_WAIT_MS): Promise<void> {
  await write(async ({ db }) => {
    await limitWaiting(db, lockWaitMs);
    for (const text of monthStatements(month)) await sql.raw(text).execute(db);
  });
}

/** How far the numbers of a part were carried forward, by client. */
export type Progress = Map<string, number>;

/**
 * One step of dropping a part: carries some numbers of resources forward, and when all are, drops it. Returns how many events went;
 * undefined while there is more to do.
 */
export async function dropPart(
  write: Write,
  part: Part,
  progress: Progress,
  lockWaitMs = LOCK_WAIT_MS,
): Promise<number | undefined> {
  return write(async (ctx) => {
    const { isSent, clients } = await lastPositions(ctx.db, part);
    if (!isSent) return 0;
    for (const { clientId, last, gone } of clients) {
      const done = progress.get(clientId) ?? gone;
      if (done >= last) continue;
      const next = Math.min(last, done + CARRIED_TOGETHER);
      await carrySequences(ctx, clientId, done, next);
      progress.set(clientId, next);
      return undefined;
    }
    await limitWaiting(ctx.db, lockWaitMs);
    const ends = clients.map(({ clientId, last }) => ({ client: clientId, last }));
    await sql`
      update event_heads set gone = ends.last
      from ${ctx.dialect.rowsOf(ends, { client: 'text', last: 'integer' })} as ends
      where event_heads.client_id = ends.client and event_heads.gone < ends.last`.execute(ctx.db);
    await sql`drop table ${sql.table(part.name)}`.execute(ctx.db);
    return clients.reduce((sum, { last, gone }) => sum + Math.max(0, last - gone), 0);
  });
}

async function limitWaiting(db: Reader, lockWaitMs: number): Promise<void> {
  await sql.raw(`set local lock_timeout = ${Math.round(lockWaitMs)}`).execute(db);
}

/** The upkeep of partitioned events, for one scheduler. */
export function months(): DueKind {
  const progress = new Map<string, Progress>();
  let restsUntil = 0;
  let turn = 0;
  return {
    name: 'months of events',
    upkeepEveryMs: LOOK_EVERY_MS,
    due: async (db, now, _limit, { eventDays }) => {
      if (now < restsUntil) return [];
      const parts = await partsOf(db);
      const isToDo =
        parts.length > 0 &&
        (missingMonths(parts, now).length > 0 || parts.some((part) => isOver(part, now, eventDays)));
      // A number tells one step from the next.
      return isToDo ? [{ at: now, clientId: '', id: String(turn) }] : [];
    },
    run: async ({ store, write, removed, ports, config }) => {
      turn += 1;
      const [step] = await store.read((db) => stepsOf(db, ports.now(), config.eventDays));
      if (step === undefined) {
        // A webhook holds the month.
        restsUntil = ports.now() + REST_MS;
        return false;
      }
      try {
        if ('month' in step) {
          await makeMonth(write, step.month);
          return true;
        }
        const own = progress.get(step.drop.name) ?? new Map<string, number>();
        progress.set(step.drop.name, own);
        const count = await dropPart(write, step.drop, own);
        if (count === undefined) return true;
        progress.delete(step.drop.name);
        removed('events', count);
        ports.log.info({ partition: step.drop.name, events: count }, 'a month of events was dropped');
        return true;
      } catch (error) {
        // There are months ahead, so nothing is lost by coming again.
        if (!isHindered(error)) throw error;
        restsUntil = ports.now() + REST_MS;
        ports.log.warn({ err: error, step }, 'partitions of events wait: see backroom partitions');
        return false;
      }
    },
  };
}

/** PostgreSQL's codes: others used events all the time; only the owner of a table may do this. */
export const LOCK_NOT_AVAILABLE = '55P03';
export const NOT_ALLOWED = '42501';

function isHindered(error: unknown): boolean {
  return [error, error instanceof Error ? error.cause : undefined].some(
    (one) => one instanceof Error && 'code' in one && (one.code === LOCK_NOT_AVAILABLE || one.code === NOT_ALLOWED),
  );
}
