/**
 * Writes src/platform/storage/tables.ts, the types of the rows, from the schema that the migrations create and the
 * notes in src/platform/storage/columns.ts. With --check it writes nothing and exits with 1 if the file is stale.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { NOTES, TYPES } from '../src/platform/storage/columns.ts';
import { openStore, type Reader } from '../src/platform/storage/db.ts';
import { migrate } from '../src/service/migrate.ts';

const FILE = new URL('../src/platform/storage/tables.ts', import.meta.url);
const COMMAND = 'npx node scripts/row-types.ts';

/** The table of applied migrations, whose types are in another module. */
const NOT_OURS = 'migrations';
/** Maximum length of a line, as in biome.json. */
const LINE_WIDTH = 120;
const TYPE_OF: Readonly<Record<string, string>> = { TEXT: 'string', INTEGER: 'number', REAL: 'number' };

const folder = mkdtempSync(join(tmpdir(), 'backroom-rows-'));
try {
  const url = `sqlite:${join(folder, 'rows.db')}`;
  await migrate(url, { now: () => 0 });
  const store = await openStore(url);
  const text = await store.read(rowTypes);
  await store.close();
  if (!process.argv.includes('--check')) writeFileSync(FILE, text);
  else if (readFileSync(FILE, 'utf8') !== text) {
    console.error(`src/platform/storage/tables.ts differs from the schema of the migrations. Run: ${COMMAND}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function rowTypes(db: Reader): Promise<string> {
  const { rows: tables } = await sql<{ name: string; sql: string }>`select name, sql from sqlite_schema
    where type = 'table' and name not like 'sqlite|_%' escape '|' and name <> ${NOT_OURS} order by name`.execute(db);
  const unused = new Set([...Object.keys(TYPES), ...Object.keys(NOTES)]);
  const used = (name: string) => unused.delete(name);
  const rows: string[] = [];
  for (const { name, sql: definition } of tables) {
    used(name);
    const columns = await columnsOf(db, name);
    const fields = columns.map((column) => {
      used(`${name}.${column.name}`);
      return `${noteOf(`${name}.${column.name}`, '  ')}${field(column.name, typeOf(name, column, definition))}`;
    });
    rows.push(`${noteOf(name, '')}export interface ${rowName(name)} {\n${fields.join('')}}\n`);
  }
  if (unused.size > 0)
    throw new Error(`src/platform/storage/columns.ts names columns that do not exist: ${[...unused].join(', ')}`);
  return [
    `/** Generated from migrations/ and columns.ts by: ${COMMAND} */\nimport type { Json, Shape } from '../json-column.ts';\n`,
    ...rows,
    `export interface Tables {\n${tables.map(({ name }) => `  ${name}: ${rowName(name)};\n`).join('')}}\n`,
  ].join('\n');
}

/** Returns a field in the format of the sources: a long union has a line for each value. */
function field(name: string, type: string): string {
  const line = `  ${name}: ${type};\n`;
  if (line.length <= LINE_WIDTH + 1 || !type.includes(' | ')) return line;
  const values = type.split(' | ').map((value) => `\n    | ${value}`);
  return `  ${name}:${values.join('')};\n`;
}

interface Column {
  name: string;
  type: string;
  isNullable: number;
}

async function columnsOf(db: Reader, table: string): Promise<Column[]> {
  const { rows } = await sql<Column>`select name, type, "notnull" = 0 and pk = 0 as isNullable
    from pragma_table_info(${table}) order by cid`.execute(db);
  return rows;
}

function typeOf(table: string, { name, type, isNullable }: Column, definition: string): string {
  const is = TYPES[`${table}.${name}`] ?? valuesOf(name, definition) ?? TYPE_OF[type];
  if (is === undefined) throw new Error(`${table}.${name} has the type ${type}, which has no TypeScript type`);
  return isNullable === 1 ? `${is} | null` : is;
}

/**
 * Returns the values that the check constraint of a column allows, as a union. Returns undefined for a column without
 * this constraint, and for a flag of 0 and 1, which remains a number.
 */
function valuesOf(column: string, definition: string): string | undefined {
  const values = new RegExp(`check \\(${column} in \\(([^)]+)\\)`).exec(definition)?.[1];
  return values === undefined || values === '0, 1' ? undefined : values.split(/,\s*/).join(' | ');
}

/** Returns the name of the row type of a table: `HandOverRow` for `hand_overs`. */
function rowName(table: string): string {
  const one = table === 'people' ? 'person' : table.replace(/ies$/, 'y').replace(/s$/, '');
  return `${one.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Row`;
}

function noteOf(name: string, indent: string): string {
  const note = NOTES[name];
  return note === undefined ? '' : `${indent}/** ${note} */\n`;
}
