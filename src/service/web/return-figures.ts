/**
 * Figures of returns and refunds for the metrics of the installation (docs/returns.md#metrics). The queries cross
 * tenants.
 */
import { sql } from 'kysely';
import { readJson } from '../../platform/json-column.ts';
import type { Reader, Store } from '../../platform/storage/db.ts';
import { literals } from '../../platform/storage/literals.ts';
import { textWithoutIndex } from '../../platform/storage/without-index.ts';
import { HOUR_MS } from '../../platform/time.ts';
import { settingsOf } from '../../shared/client-settings.ts';
import { returnsOfStore } from '../../shared/return-settings.ts';
import { OPEN_RETURNS, UNPAID_REFUNDS } from '../../shared/return-states.ts';
import { hourly } from './hourly.ts';

/** Leaves out the rows of trainings, which are invented. */
export const NO_TRAINING = sql<boolean>`client_id not in (select client_id from trainings)`;

export interface ReturnFigures {
  returns: ReturnCount[];
  /** Refunds that are not done, by status. */
  refunds: { DUE: number; FAILED: number };
  /** Time at which the oldest DUE refund became due. */
  oldestDue: number | undefined;
  /** Earliest time at which a DUE refund is late, by the setting `refundHours` of its store. */
  lateFrom: number | undefined;
  heldUnits: number;
  oldestHeld: number | undefined;
}

interface ReturnCount {
  kind: string;
  state: string;
  count: number;
}

/**
 * Counts ended returns at most once an hour, because returns are kept as long as their orders. It counts those of
 * trainings, too, because the index of this count does not have the client.
 */
const readEnded = hourly(countEnded);

export async function readReturnFigures(db: Reader, store: Store, now: number): Promise<ReturnFigures> {
  // With the plain column, SQLite would read the index by kind, which has all returns.
  const kind = textWithoutIndex('kind');
  const open = await db
    .selectFrom('returns')
    .select((eb) => [kind.as('kind'), 'status as state', eb.fn.countAll<number>().as('count')])
    .where(sql<boolean>`status in (${literals(...OPEN_RETURNS)})`)
    .where(NO_TRAINING)
    .groupBy([kind, 'status'])
    .execute();
  const ended = await readEnded(db, store, now);
  const waiting = await db
    .selectFrom('refunds')
    .select((eb) => [
      'client_id as clientId',
      'store_id as storeId',
      'status',
      eb.fn.countAll<number>().as('count'),
      sql<number>`min(due_at)`.as('first'),
    ])
    // SQLite uses the index `refunds_unanswered` only with its condition on the status and a condition on `due_at`.
    .where(sql<boolean>`status in (${literals(...UNPAID_REFUNDS)}) and due_at >= 0`)
    .where(NO_TRAINING)
    .groupBy(['client_id', 'store_id', 'status'])
    .execute();
  const held = await db
    .selectFrom('return_held')
    .select([
      sql<number>`cast(coalesce(sum(units), 0) as bigint)`.as('units'),
      sql<number | null>`min(since)`.as('oldest'),
    ])
    .where(NO_TRAINING)
    .executeTakeFirstOrThrow();
  const due = waiting.filter(({ status }) => status === 'DUE');
  const hours = await refundHoursOf(db, due);
  const sumOf = (status: string) =>
    waiting.filter((one) => one.status === status).reduce((sum, { count }) => sum + count, 0);
  return {
    returns: [...open, ...ended],
    refunds: { DUE: sumOf('DUE'), FAILED: sumOf('FAILED') },
    oldestDue: earliest(due.map(({ first }) => first)),
    lateFrom: earliest(due.map((one) => one.first + hours.get(keyOf(one))! * HOUR_MS)),
    heldUnits: held.units,
    oldestHeld: held.oldest ?? undefined,
  };
}

function countEnded(db: Reader): Promise<ReturnCount[]> {
  return db
    .selectFrom('returns')
    .select((eb) => ['kind', 'status as state', eb.fn.countAll<number>().as('count')])
    .where(sql<boolean>`status not in (${literals(...OPEN_RETURNS)})`)
    .groupBy(['kind', 'status'])
    .execute();
}

interface OfStore {
  clientId: string;
  storeId: string;
}

function keyOf({ clientId, storeId }: OfStore): string {
  return JSON.stringify([clientId, storeId]);
}

function earliest(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Returns the setting `refundHours` of each store. */
async function refundHoursOf(db: Reader, stores: readonly OfStore[]): Promise<Map<string, number>> {
  if (stores.length === 0) return new Map();
  const rows = await db
    .selectFrom('stores')
    .innerJoin('clients', 'clients.client_id', 'stores.client_id')
    .select(['stores.client_id as clientId', 'stores.store_id as storeId', 'clients.settings', 'stores.returns'])
    .where('stores.client_id', 'in', [...new Set(stores.map(({ clientId }) => clientId))])
    .execute();
  return new Map(
    rows.map((row) => {
      const own = row.returns === null ? null : readJson(row.returns);
      return [keyOf(row), returnsOfStore(settingsOf(row).returns, own).refundHours];
    }),
  );
}
