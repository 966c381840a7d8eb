/**
 * `npm run proof:year`: a year in an hour. Days of a store pass on the clock of the sandbox with retention on. When all that is
 * kept for a time has been there once, nothing may grow any more: neither the rows of any table, nor the size of the database, nor
 * the time that a day takes; and doctor finds nothing at the end.
 */
import { sql } from 'kysely';
import pg from 'pg';
import type { Store } from '../src/platform/storage/db.ts';
import { tableNames } from '../src/platform/storage/sums.ts';
import { ruleFindings } from '../src/service/cli/doctor.ts';
import { integrityFaults } from '../src/service/cli/verify.ts';
import { type Campaign, main, type Work } from './campaign.ts';
import { type Day, flatYear } from './year/flat.ts';
import { YearStore } from './year/store.ts';

/** Orders of a day, of a long run and of a short one. */
const ORDERS = { long: 50, short: 5 };
const LONG_DAYS = 100;
/** A server's own vacuum comes once a minute; a day of it passes in a second. */
const VACUUM_DAYS = 5;
/** An order that nobody collects ends when its wait is over and its goods are back; a short run has none. */
const WAIT_DAYS = { long: 11, short: 2 };

export const year: Campaign = {
  name: 'year',
  unit: 'days',
  count: 365,
  control: { planted: 'a service that keeps everything', count: 14 },
  run: pass,
};

async function pass(work: Work): Promise<void> {
  const url = await work.database();
  // In a short run less is kept, so that there is a time after it.
  const kept = String(Math.max(2, Math.min(30, Math.floor(work.count / 12))));
  const names = ['ORDER_DAYS', 'EVENT_DAYS', 'SHIPMENT_DAYS', 'STOCK_DAYS', 'KEY_DAYS', 'ACCESS_LOG_DAYS'];
  const settings = work.planted ? {} : Object.fromEntries(names.map((name) => [name, kept]));
  const store = await YearStore.open(url, settings, work.seed);
  const days: Day[] = [];
  const length = work.count >= LONG_DAYS ? 'long' : 'short';
  const orders = ORDERS[length];
  try {
    for (let day = 0; day < work.count; day += 1) {
      const began = performance.now();
      try {
        await store.day(day, orders, length === 'long');
      } catch (error) {
        work.fail(`day ${day}: ${(error as Error).message}`);
        return;
      }
      const ms = performance.now() - began;
      if (work.engine === 'postgres' && day % VACUUM_DAYS === 0) await vacuum(url);
      days.push({ ms, rows: await rowsOf(store.store), bytes: await bytesOf(store.store) });
      work.done();
    }
    for (const { check, ok, found } of await ruleFindings(store.store)) if (!ok) work.fail(`${check}: ${found}`);
    if (store.store.engine === 'sqlite') for (const fault of await integrityFaults(store.store)) work.fail(fault);
  } finally {
    await store.close();
  }
  const { faults, figures } = flatYear(days, Number(kept) + WAIT_DAYS[length]);
  for (const fault of faults) work.fail(fault);
  if (work.planted) return;
  for (const [name, value] of Object.entries(figures)) work.figure(name, value);
  work.figure('ordersOfADay', orders);
  work.figure('daysKept', Number(kept));
}

async function vacuum(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('vacuum (analyze)');
  } finally {
    await client.end();
  }
}

async function rowsOf(store: Store): Promise<Record<string, number>> {
  const each = tableNames().map(
    (name) => sql`select ${sql.lit(name)} as name, count(*) as rows from ${sql.table(name)}`,
  );
  const { rows } = await store.read((db) =>
    sql<{ name: string; rows: number }>`${sql.join(each, sql` union all `)}`.execute(db),
  );
  return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]));
}

/** Of a file all of its pages, the free ones included. */
async function bytesOf(store: Store): Promise<number> {
  const text =
    store.engine === 'sqlite'
      ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
  const { rows } = await store.read((db) => text.execute(db));
  return rows[0]!.bytes;
}

await main(year, import.meta.url);
