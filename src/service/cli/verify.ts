/** Is a file a whole database of this program? */
import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { openStore, type Store } from '../../platform/storage/db.ts';
import { currentVersion, pendingMigrations } from '../../platform/storage/migrate.ts';

/** Tables whose rows are counted in a report. */
export const COUNTED = [
  'clients',
  'stores',
  'nodes',
  'items',
  'fulfillment_orders',
  'pick_tickets',
  'inbound_shipments',
  'inbound_receipts',
  'stock_levels',
  'stock_moves',
  'events',
];

export interface Verified {
  version: number;
  /** Migrations it lacks; `backroom migrate` adds them. */
  pending: number;
  counts: Record<string, number>;
}

/**
 * Reads every page of a database, and counts.
 * @throws Error with a sentence when it is damaged, is none, or is newer than this program.
 */
export async function verifyDatabase(file: string): Promise<Verified> {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  const store = await openStore(`sqlite:${file}`, { readers: 1 }).catch((error: unknown) => {
    throw new Error(`${file} is damaged, or no database: ${(error as Error).message}`, { cause: error });
  });
  try {
    const faults = await integrityFaults(store);
    if (faults.length > 0) throw new Error(`${file} is damaged: ${faults[0]}`);
    const version = await currentVersion(store);
    if (version === 0) throw new Error(`${file} is no database of backroom.`);
    const pending = await pendingMigrations(store);
    return { version, pending: pending.length, counts: await countRows(store) };
  } finally {
    await store.close();
  }
}

/** What SQLite finds wrong with the file and its foreign keys; nothing when it is whole. */
export async function integrityFaults(store: Store): Promise<string[]> {
  try {
    return await store.read(async (db) => {
      const integrity = await sql<{ integrity_check: string }>`pragma integrity_check(20)`.execute(db);
      const damage = integrity.rows.map((row) => row.integrity_check).filter((word) => word !== 'ok');
      // References cannot be followed over pages that cannot be read.
      if (damage.length > 0) return damage;
      const keys = await sql<{ table: string }>`pragma foreign_key_check`.execute(db);
      return keys.rows.slice(0, 20).map((row) => `a row of ${row.table} refers to what is not there`);
    });
  } catch (error) {
    // Too damaged even to be examined.
    return [error instanceof Error ? error.message : String(error)];
  }
}

// Crosses tenants: a report of the whole installation (docs/decisions/190).
/** Rows of each of these tables that is there: the database of an older release has fewer. */
export function countRows(store: Store, tables: readonly string[] = COUNTED): Promise<Record<string, number>> {
  return store.read(async (db) => {
    const counts: Record<string, number> = {};
    for (const table of tables) {
      if ((await store.dialect.tableNamed(table).execute(db)).rows.length === 0) continue;
      const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(db);
      counts[table] = rows[0]!.rows;
    }
    return counts;
  });
}
