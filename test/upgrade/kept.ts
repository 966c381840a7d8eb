/** The kept databases of released versions (see make.ts). */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { makeDatabase } from '../support/postgres.ts';
import { ENGINE } from '../support/store.ts';

/**
 * Returns the path of a file of a release: its database (`db.gz`, as statements `sql.gz`), the key of its PINs
 * (`db.secret`), or a credential (`json`).
 */
export const kept = (version: string, end: 'db.gz' | 'sql.gz' | 'db.secret' | 'json') =>
  new URL(`backroom-${version}.${end}`, import.meta.url);

/**
 * Copies the stored database of a release for the database engine of this test run: to a file in the folder, or to a
 * new PostgreSQL database. Returns its settings.
 */
export async function openKept(version: string, folder: string): Promise<Record<string, string>> {
  const env = { BACKROOM_SECRET: readFileSync(kept(version, 'db.secret'), 'utf8').trim() };
  if (ENGINE === 'sqlite') {
    const file = join(folder, `${version}.db`);
    writeFileSync(file, gunzipSync(readFileSync(kept(version, 'db.gz'))), { mode: 0o600 });
    cpSync(kept(version, 'db.secret'), `${file}.secret`);
    return { ...env, DATABASE_URL: `sqlite:${file}` };
  }
  const url = await makeDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(gunzipSync(readFileSync(kept(version, 'sql.gz'))).toString());
  await client.end();
  return { ...env, DATABASE_URL: url };
}
