/**
 * Partitions of events by month on PostgreSQL (docs/scale.md#partitions-of-events-by-month). An event's id begins with
 * the milliseconds of its time, so a range of ids is a range of time. The partition key must be part of the primary
 * key, and the id is part of it already.
 */
import { type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../time.ts';
import { dialectOf } from './dialect.ts';
import { spreading } from './spread.ts';
import type { Reader } from './store.ts';

/**
 * A partition of `events`: ids from `from` (inclusive) to `to` (exclusive); undefined: no bound. The default partition
 * has neither bound.
 */
export interface Part {
  name: string;
  from: string | undefined;
  to: string | undefined;
  isDefault: boolean;
  /** Whether the role of the connection can delete rows of the partition. */
  mayDelete: boolean;
}

/** A month in UTC. */
export interface Month {
  year: number;
  /** Number of the month, from 0. */
  month: number;
}

/** Number of months after the present one that have a separate partition. */
const MONTHS_AHEAD = 3;
/**
 * All events before a bound share one partition. The bound is the end of the present month or, in the last
 * `NEAR_END_MS` of a month, the end of the next month. No new event can then reach the bound while the statements run.
 */
const NEAR_END_MS = 2 * DAY_MS;

/** The lower bound of the ids of events at an instant: the beginning of such an id. */
export function boundAt(instant: number): string {
  const hex = instant.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** The instant of a bound, or of the beginning of an event's id. */
export function instantOf(bound: string): number {
  return Number.parseInt(bound.replace('-', '').slice(0, 12), 16);
}

/** The month of an instant, or `later` months after it. */
function monthAt(instant: number, later = 0): Month {
  const date = new Date(instant);
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later));
  return { year: first.getUTCFullYear(), month: first.getUTCMonth() };
}

function startOf({ year, month }: Month): number {
  return Date.UTC(year, month);
}

function labelOf({ year, month }: Month): string {
  return `${year}_${String(month + 1).padStart(2, '0')}`;
}

/** The name of the partition of a month. */
export function nameOf(month: Month): string {
  return `events_${labelOf(month)}`;
}

/** Condition that `events` is not partitioned; always true on SQLite. */
export function isWhole(db: Reader): RawBuilder<boolean> {
  if (dialectOf(db.getExecutor().adapter).engine === 'sqlite') return sql<boolean>`1 = 1`;
  return sql<boolean>`not exists (select 1 from pg_inherits where inhparent = to_regclass('events'))`;
}

/**
 * Returns the partitions of `events`, the oldest first, the default last; an empty list if `events` is not partitioned.
 * Runs one statement on PostgreSQL, none on SQLite.
 */
export async function partsOf(db: Reader): Promise<Part[]> {
  if (dialectOf(db.getExecutor().adapter).engine === 'sqlite') return [];
  const { rows } = await sql<{ name: string; bound: string; may: boolean }>`
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound, has_table_privilege(c.oid, 'DELETE') as may
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('events')`.execute(db);
  const parts = rows.map(({ name, bound, may }): Part => {
    const [, from, to] = /FROM \((?:'([^']*)'|MINVALUE)\) TO \((?:'([^']*)'|MAXVALUE)\)/.exec(bound) ?? [];
    return { name, from, to, isDefault: bound === 'DEFAULT', mayDelete: may };
  });
  return parts.sort((a, b) => Number(a.isDefault) - Number(b.isDefault) || ((a.from ?? '') < (b.from ?? '') ? -1 : 1));
}

/** Returns the months, from the month of `now` to `MONTHS_AHEAD` months later, that lack a partition. */
export function missingMonths(parts: readonly Part[], now: number): Month[] {
  const months = Array.from({ length: MONTHS_AHEAD + 1 }, (_none, later) => monthAt(now, later));
  return months.filter((month) => isMissing(parts, month));
}

/** Whether no partition has the month. */
export function isMissing(parts: readonly Part[], month: Month): boolean {
  const bound = boundAt(startOf(month));
  return !parts.some(
    ({ from, to, isDefault }) =>
      !isDefault && (from === undefined || from <= bound) && (to === undefined || to > bound),
  );
}

/**
 * The statements that create the partition of a month as a separate table and attach it. They block no other
 * statements, except that attaching locks the default partition.
 */
export function monthStatements(month: Month): string[] {
  const name = nameOf(month);
  const from = boundAt(startOf(month));
  const to = boundAt(startOf({ year: month.year, month: month.month + 1 }));
  return [
    `create table ${name} (like events including defaults including constraints)`,
    `alter table events attach partition ${name} for values from ('${from}') to ('${to}')`,
  ];
}

/** The statements that make `events` a partitioned table, in the order of the steps. */
export interface Partitioning {
  /**
   * Statements to run one by one, outside of a transaction. They read the whole table, but block other statements only
   * for a moment.
   */
  before: string[];
  /** Statements to run together in one transaction, which briefly blocks all reads and writes of events. */
  exchange: string[];
}

/**
 * The statements that partition `events` at `now`. All events before the bound (see `NEAR_END_MS`) become one
 * partition. If a sharding engine spreads the tables, the new table and its partitions are spread too.
 */
export function partitioning(now: number, { isSharded }: { isSharded: boolean }): Partitioning {
  const next = monthAt(now + NEAR_END_MS, 1);
  const before = `events_before_${labelOf(next)}`;
  const bound = boundAt(startOf(next));
  const months = Array.from({ length: MONTHS_AHEAD }, (_none, later) => monthAt(startOf(next), later));
  return {
    before: [
      `create index concurrently if not exists ${before}_position on events (client_id, position) where position is not null`,
      `create index concurrently if not exists ${before}_sequence on events (client_id, resource_type, resource_id, sequence) where sequence is not null`,
      `alter table events add constraint ${before}_ids check (event_id < '${bound}') not valid`,
      `alter table events validate constraint ${before}_ids`,
    ],
    exchange: [
      `alter table events rename to ${before}`,
      `alter index events_pkey rename to ${before}_pkey`,
      `drop index events_by_position`,
      `drop index events_by_sequence`,
      `alter index events_of_items rename to ${before}_items`,
      `alter index events_unplaced rename to ${before}_unplaced`,
      `create table events (like ${before} including defaults including constraints) partition by range (event_id)`,
      ...(isSharded ? [spreading('events')] : []),
      `alter table events drop constraint ${before}_ids`,
      `alter table events add constraint events_pkey primary key (client_id, event_id)`,
      `create index events_by_position on events (client_id, position) where position is not null`,
      `create index events_by_sequence on events (client_id, resource_type, resource_id, sequence) where sequence is not null`,
      `create index events_of_items on events (client_id, resource_id, event_id) where resource_type = 'item'`,
      `create index events_unplaced on events (client_id, written) where position is null`,
      `alter table events attach partition ${before} for values from (minvalue) to ('${bound}')`,
      `alter table ${before} drop constraint ${before}_ids`,
      ...months.flatMap(monthStatements),
      `create table events_later (like events including defaults including constraints)`,
      `alter table events attach partition events_later default`,
    ],
  };
}
