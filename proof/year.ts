/**
 * `npm run proof:year`: simulates many days of a store with the sandbox clock, with retention on. After every retention
 * time has passed once, the rows of each table, the size of the database and the processing time of a day must not
 * grow. At the end the data rules of doctor must find no violation.
 */
import { sql } from 'kysely';
import pg from 'pg';
import type { Store } from '../src/platform/storage/db.ts';
import { tableNames } from '../src/platform/storage/sums.ts';
import { integrityFaults } from '../src/service/backup/content.ts';
import { ruleFindings } from '../src/service/cli/doctor.ts';
import { type Campaign, main, type Work } from './campaign.ts';
import { type Day, flatYear } from './year/flat.ts';
import { YearStore } from './year/store.ts';

/** Orders per day of a long run and of a short run. */
const ORDERS = { long: 50, short: 5 };
const LONG_DAYS = 100;
/** Days between vacuums. A real server vacuums about once a minute, but in this campaign a day takes only a second. */
const VACUUM_DAYS = 5;
/** Days until an uncollected order has expired and its goods are back on the shelf. A short run has no such orders. */
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
  // A short run has shorter retention times, so that they pass before the run ends.
  const kept = String(Math.max(2, Math.min(30, Math.floor(work.count / 12))));
  const names = ['ORDER_DAYS', 'EVENT_DAYS', 'SHIPMENT_DAYS', 'STOCK_DAYS', 'EDI_DAYS', 'KEY_DAYS', 'ACCESS_LOG_DAYS'];
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

/** Returns the size of the database. The size of an SQLite file includes free pages. */
async function bytesOf(store: Store): Promise<number> {
  const text =
    store.engine === 'sqlite'
      ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
  const { rows } = await store.read((db) => text.execute(db));
  return rows[0]!.bytes;
}

await main(year, import.meta.url);
