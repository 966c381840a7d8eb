/** Migrations on PostgreSQL: the same text, with its types in that engine's words, under one advisory lock. */
import pg from 'pg';
import { translated } from './errors.ts';
import { APPLIED, type Applied, type Migration } from './migration.ts';
import { postgresSettings, unreachable } from './postgres-connection.ts';
import { HAS_CATALOG, NO_MIGRATION, SPREAD_TABLES } from './spread.ts';

/** Any number that is ours: starters of one database wait for each other on it. */
const LOCK = 8_217_364;

/**
 * Applies what `pending` names, each migration in one transaction, which holds the lock by itself: through a pooler the
 * connection may be another one after it.
 */
export async function migratePostgres(
  url: string,
  known: readonly Migration[],
  pending: (known: readonly Migration[], applied: readonly Applied[]) => Migration[],
  options: { now: () => number; lockWaitMs: number },
): Promise<Migration[]> {
  // Building an index may take longer than any statement of the service may.
  const client = new pg.Client({ ...postgresSettings(url, options), statement_timeout: 0 });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw unreachable(error);
  }
  const done: Migration[] = [];
  try {
    for (;;) {
      await client.query('begin');
      // A pooler may have taken the limit out of the connection's settings.
      await client.query(`set local lock_timeout = ${Math.round(options.lockWaitMs)}`);
      await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
      await client.query(
        `create table if not exists migrations (
          number bigint primary key, name text not null, hash text not null, applied_at bigint not null
        )`,
      );
      const applied = await client.query<Applied>(APPLIED);
      const next = pending(known, applied.rows)[0];
      if (next !== undefined) {
        if (await isSpread(client)) throw new Error(NO_MIGRATION);
        await client.query('insert into migrations (number, name, hash, applied_at) values ($1, $2, $3, $4)', [
          next.number,
          next.name,
          next.hash,
          options.now(),
        ]);
        await client.query(postgresText(next.text));
      }
      await client.query('commit');
      if (next === undefined) return done;
      done.push(next);
    }
  } catch (error) {
    throw translated(error);
  } finally {
    await client.end();
  }
}

async function isSpread(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ hasCatalog: boolean }>(HAS_CATALOG);
  return rows[0]!.hasCatalog && (await client.query(SPREAD_TABLES)).rows.length > 0;
}

/**
 * A migration's text for PostgreSQL: integers are 64 bits wide, texts compare by their bytes as in SQLite (the same order
 * of keys on both), and tables need no word to be strict.
 */
export function postgresText(text: string): string {
  return text
    .replace(/^--.*$/gm, '')
    .replace(/^((?:alter table \w+ add column)?\s+\w+) integer\b/gm, '$1 bigint')
    .replace(/^((?:alter table \w+ add column)?\s+\w+) text\b/gm, '$1 text collate "C"')
    .replace(/^\) strict(?:, without rowid)?;/gm, ');');
}
