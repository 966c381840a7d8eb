/**
 * The manifest of a backup, in a file beside it: the number of rows and a hash for each table, and the hash of the
 * backup file.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { writePrivate } from '../../platform/private-files.ts';
import type { Store } from '../../platform/storage/db.ts';
import type { Sum } from '../../platform/storage/sums.ts';
import { VERSION } from '../../platform/version.ts';
import type { Content } from './content.ts';

const FORMAT = 1;

export interface Manifest extends Content {
  format: typeof FORMAT;
  /** Version of the program that took the backup. */
  program: string;
  /** Engine of the file: a portable backup of PostgreSQL is an SQLite file. */
  engine: Store['engine'];
  /** Date-time in UTC; the backup contains every write that was acknowledged before this time. */
  takenAt: string;
  file: { bytes: number; sha256: string };
}

export const manifestFile = (backup: string): string => `${backup}.manifest.json`;

/**
 * Returns one hash of all tables. A copy of the hash in another place shows whether manifest and backup were changed
 * together.
 */
export function digestOf({ schema, tables }: Content): string {
  const names = Object.keys(tables).sort();
  const text = JSON.stringify([schema, names.map((name) => [name, tables[name]!.rows, tables[name]!.hash])]);
  return createHash('sha256').update(text).digest('hex');
}

/** Writes the manifest of the backup `backup`, durably. `file` is the backup under its temporary name. */
export async function writeManifest(
  backup: string,
  file: string,
  { engine, takenAt, schema, tables }: Pick<Manifest, 'engine' | 'takenAt'> & Content,
): Promise<Manifest> {
  const hashed = await hashOf(file);
  const manifest: Manifest = { format: FORMAT, program: VERSION, engine, takenAt, schema, file: hashed, tables };
  const partial = `${manifestFile(backup)}.partial`;
  await writePrivate(partial, `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(partial, manifestFile(backup));
  return manifest;
}

/**
 * Returns the manifest of a backup; undefined if the backup has no manifest.
 * @throws Error with a sentence if the file is not a manifest.
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
    throw new Error(`${file} was written by the newer program ${found.program}: use that program.`);
  }
  if (!isManifest(found)) throw new Error(`${file} is damaged: it is not a manifest of a backup.`);
  return found;
}

/** A manifest before its fields are checked. */
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

/**
 * Returns a sentence for each table that differs from the manifest. If the schema differs, returns only a sentence
 * about the schema.
 */
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
    return must.hash === is.hash ? [] : [`${name}: ${is.rows} rows, but with other content`];
  });
}

/** Whether the bytes of a backup are unchanged. */
export async function isSameFile(manifest: Manifest, file: string): Promise<boolean> {
  const { bytes, sha256 } = manifest.file;
  return statSync(file).size === bytes && (await hashOf(file)).sha256 === sha256;
}

async function hashOf(file: string): Promise<Manifest['file']> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return { bytes: statSync(file).size, sha256: hash.digest('hex') };
}
