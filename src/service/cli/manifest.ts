/** What a backup held when it was taken, in a file beside it: rows and a hash of each table, and of the file itself. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { openStore, type Store } from '../../platform/storage/db.ts';
import { currentVersion } from '../../platform/storage/migrate.ts';
import { type Sum, sumsOf } from '../../platform/storage/sums.ts';
import { isPostgres, placeOf } from '../../platform/storage/url.ts';
import { VERSION } from '../../platform/version.ts';

const FORMAT = 1;

/** What a database holds, and at which migration. */
export interface Content {
  schema: number;
  tables: Record<string, Sum>;
}

export interface Manifest extends Content {
  format: typeof FORMAT;
  /** Version of the program that took the backup. */
  program: string;
  engine: Store['engine'];
  /** The backup has everything that was acknowledged before, date-time in UTC. */
  takenAt: string;
  file: { bytes: number; sha256: string };
}

export const manifestFile = (backup: string): string => `${backup}.manifest.json`;

/** One hash for all tables: whoever keeps it elsewhere notices a manifest that was changed together with its backup. */
export function digestOf({ schema, tables }: Content): string {
  const names = Object.keys(tables).sort();
  const text = JSON.stringify([schema, names.map((name) => [name, tables[name]!.rows, tables[name]!.hash])]);
  return createHash('sha256').update(text).digest('hex');
}

/** Reads every row of a database. On PostgreSQL it is one snapshot, on SQLite nobody may write meanwhile. */
export async function contentOf(url: string): Promise<Content> {
  const store = await openStore(url, { readers: 1, connections: 2 });
  try {
    const schema = await currentVersion(store);
    if (schema === 0) throw new Error(`${placeOf(url)} is no database of backroom.`);
    if (!isPostgres(url)) return { schema, tables: await sumsOf(store, schema) };
    const { withSnapshot } = await import('../../platform/storage/postgres-snapshot.ts');
    return { schema, tables: await withSnapshot(url, (_, stream) => sumsOf(store, schema, stream)) };
  } finally {
    await store.close();
  }
}

/** Writes the manifest of `file` under the name of `backup`; it is on disk then. */
export async function writeManifest(
  backup: string,
  file: string,
  told: Pick<Manifest, 'engine' | 'takenAt'> & Content,
): Promise<Manifest> {
  const { engine, takenAt, schema, tables } = told;
  const manifest: Manifest = {
    format: FORMAT,
    program: VERSION,
    engine,
    takenAt,
    schema,
    file: await hashOf(file),
    tables,
  };
  const partial = `${manifestFile(backup)}.partial`;
  const target = await open(partial, 'w', 0o600);
  try {
    await target.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await target.sync();
  } finally {
    await target.close();
  }
  await rename(partial, manifestFile(backup));
  return manifest;
}

/**
 * The manifest of a backup; undefined where it has none.
 * @throws Error with a sentence when the file beside it cannot be read as one.
 */
export function readManifest(backup: string): Manifest | undefined {
  const file = manifestFile(backup);
  if (!existsSync(file)) return undefined;
  let found: Unread;
  try {
    found = JSON.parse(readFileSync(file, 'utf8')) as Unread;
  } catch (error) {
    throw new Error(`${file} is damaged: ${(error as Error).message}`, { cause: error });
  }
  if (typeof found.format === 'number' && found.format > FORMAT) {
    throw new Error(`${file} was written by the newer program ${found.program}: use that one.`);
  }
  if (!isManifest(found)) throw new Error(`${file} is damaged: it is no manifest of a backup.`);
  return found;
}

/** A manifest of which nothing is known yet. */
interface Unread extends Partial<Omit<Manifest, 'format' | 'file' | 'tables'>> {
  format?: number;
  file?: Partial<Manifest['file']>;
  tables?: Record<string, Partial<Sum>>;
}

function isManifest(found: Unread): found is Manifest {
  const tables = Object.values(found.tables ?? {});
  const isSum = ({ rows, hash }: Partial<Sum>) => Number.isInteger(rows) && typeof hash === 'string';
  const { bytes, sha256 } = found.file ?? {};
  return (
    found.format === FORMAT &&
    Number.isInteger(found.schema) &&
    Number.isInteger(bytes) &&
    typeof sha256 === 'string' &&
    tables.length > 0 &&
    tables.every(isSum)
  );
}

/** One sentence for each table that differs; none when the content is what the manifest says. */
export function differences(manifest: Content, found: Content): string[] {
  if (found.schema !== manifest.schema) {
    return [`the schema is ${found.schema}, in the backup it is ${manifest.schema}`];
  }
  const names = new Set([...Object.keys(manifest.tables), ...Object.keys(found.tables)]);
  return [...names].flatMap((name) => {
    const [must, is] = [manifest.tables[name], found.tables[name]];
    if (must === undefined || is === undefined)
      return [`${name}: the table is ${is === undefined ? 'missing' : 'new'}`];
    if (must.rows !== is.rows) return [`${name}: ${is.rows} rows, in the backup ${must.rows}`];
    return must.hash === is.hash ? [] : [`${name}: ${is.rows} rows, but not the same`];
  });
}

/** Whether the bytes of a backup are those that were written. */
export async function isSameFile(manifest: Manifest, file: string): Promise<boolean> {
  const { bytes, sha256 } = manifest.file;
  return statSync(file).size === bytes && (await hashOf(file)).sha256 === sha256;
}

async function hashOf(file: string): Promise<Manifest['file']> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
