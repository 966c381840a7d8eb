/** The content of a database, and the check that a file is a complete database of this program. */
import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { openStore, type Store, useStore } from '../../platform/storage/db.ts';
import { isDamage } from '../../platform/storage/errors.ts';
import { currentVersion, pendingMigrations } from '../../platform/storage/migrate.ts';
import { type Sum, sumsOf } from '../../platform/storage/sums.ts';
import { isPostgres, placeOf } from '../../platform/storage/url.ts';

/** The schema version of a database, and the row count and hash of each table. */
export interface Content {
  schema: number;
  tables: Record<string, Sum>;
}

/** Tables whose rows a report counts. */
const COUNTED = [
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
  'edi_partners',
  'events',
];

/**
 * Reads every row of a database. On PostgreSQL it reads one snapshot. On SQLite the caller must prevent writes
 * meanwhile.
 */
export function contentOf(url: string): Promise<Content> {
  return useStore(url, { readers: 1, connections: 2 }, async (store) => {
    const schema = await currentVersion(store);
    if (schema === 0) throw new Error(`${placeOf(url)} is not a database of backroom.`);
    if (!isPostgres(url)) return { schema, tables: await sumsOf(store, schema) };
    const { withSnapshot } = await import('../../platform/storage/postgres-snapshot.ts');
    return { schema, tables: await withSnapshot(url, (_, stream) => sumsOf(store, schema, stream)) };
  });
}

/** Reads every page of an SQLite file, then every row. Throws the errors of `verifyFile`. */
export async function contentOfFile(file: string, shown = file): Promise<Content> {
  await verifyFile(file, shown);
  return contentOf(`sqlite:${file}`);
}

/**
 * Reads every page of an SQLite file. Errors name the file `shown`.
 * @throws Error with a sentence if the file is missing, damaged, not a database, newer than this program, or cannot be
 * opened.
 */
async function verifyFile(file: string, shown: string): Promise<void> {
  if (!existsSync(file)) throw new Error(`There is no file ${shown}.`);
  const store = await openStore(`sqlite:${file}`, { readers: 1 }).catch((error: unknown) => {
    const { message } = error as Error;
    const what = isDamage(error) ? 'is damaged, or not a database' : 'cannot be opened';
    throw new Error(`${shown} ${what}: ${message}`, { cause: error });
  });
  try {
    const faults = await integrityFaults(store);
    if (faults.length > 0) throw new Error(`${shown} is damaged: ${faults[0]}`);
    if ((await currentVersion(store)) === 0) throw new Error(`${shown} is not a database of backroom.`);
    // Rejects the database of a newer program.
    await pendingMigrations(store);
  } finally {
    await store.close();
  }
}

/** Errors that SQLite finds in the file and its foreign keys. */
export async function integrityFaults(store: Store): Promise<string[]> {
  try {
    return await store.read(async (db) => {
      const integrity = await sql<{ integrity_check: string }>`pragma integrity_check(20)`.execute(db);
      const damage = integrity.rows.map((row) => row.integrity_check).filter((word) => word !== 'ok');
      // SQLite cannot check the foreign keys of a file with damaged pages.
      if (damage.length > 0) return damage;
      const keys = await sql<{ table: string }>`pragma foreign_key_check`.execute(db);
      return keys.rows.slice(0, 20).map((row) => `a row of ${row.table} refers to a missing row`);
    });
  } catch (error) {
    // The file is too damaged for the check.
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Returns the number of rows by table, for the tables whose rows a report counts. */
export function countsOf({ tables }: Content): Record<string, number> {
  return Object.fromEntries(COUNTED.flatMap((name) => (tables[name] === undefined ? [] : [[name, tables[name].rows]])));
}

// Crosses tenants: a report of the whole installation (docs/decisions/190).
/**
 * Returns the number of rows of each table in `tables`; the database of an older release may lack some of these tables.
 */
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
