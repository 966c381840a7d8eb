/** The errors of the campaign `doctor`: SQL statements that damage a field, a row or a part of the schema. */
import { sql } from 'kysely';
import { TYPES } from '../../src/platform/storage/columns.ts';
import type { Store } from '../../src/platform/storage/db.ts';
import { readMigrations } from '../../src/platform/storage/migrate.ts';
import { tableNames, tableOf } from '../../src/platform/storage/sums.ts';

/** A planted error. */
export interface Fault {
  /** `table.column`, `table` or `schema`, as in the list of free places (free.ts). */
  place: string;
  /** Name of the damage, such as `null` or `a row is gone`. */
  way: string;
  statements: readonly string[];
}

/** Returns the errors of a column by its type: another value, an empty value, null or a cut document. */
function ofColumn(table: string, column: string, type: string): [way: string, value: string][] {
  const isDocument = TYPES[`${table}.${column}`]?.startsWith('Json<') === true;
  if (isDocument) return [['cut', `substr(${column}, 1, length(${column}) - 1)`]];
  if (type === 'text') {
    return [
      ['another', `${column} || '7'`],
      ['empty', `''`],
      ['null', 'null'],
    ];
  }
  return [
    ['more', `${column} + 1`],
    ['null', 'null'],
  ];
}

/** Returns all errors to plant, in the tables that have rows and in the parts of the schema. */
export async function faultsOf(store: Store): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const name of tableNames()) {
    const { columns, key } = await tableOf(store, name);
    const { rows } = await store.read((db) =>
      sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db),
    );
    if (rows[0]!.count === 0) continue;
    for (const { name: column, type } of columns) {
      for (const [way, value] of ofColumn(name, column, type)) {
        // The statement must change a value. If the column is null, a change to null would change nothing.
        const changed = `${column} is not null`;
        const first = key.map((part) => `a.${part} = ${name}.${part}`).join(' and ');
        const order = key.join(', ');
        const one = `exists (select 1 from (select ${order} from ${name} where ${changed} order by ${order} limit 1) a where ${first})`;
        const statements = [`update ${name} set ${column} = ${value} where ${one}`];
        faults.push({ place: `${name}.${column}`, way, statements });
      }
    }
    const first = key.map((part) => `a.${part} = ${name}.${part}`).join(' and ');
    const one = `exists (select 1 from (select ${key.join(', ')} from ${name} order by ${key.join(', ')} limit 1) a where ${first})`;
    faults.push({ place: name, way: 'a row is gone', statements: [`delete from ${name} where ${one}`] });
    faults.push({ place: name, way: 'all rows are gone', statements: [`delete from ${name}`] });
  }
  const text = readMigrations()
    .map((migration) => migration.text)
    .join('\n');
  const indexes = await indexesOf(store, text);
  for (const index of indexes)
    faults.push({ place: 'schema', way: `index ${index} is gone`, statements: [`drop index ${index}`] });
  for (const { number } of readMigrations()) {
    const statements = [`delete from migrations where number = ${number}`];
    faults.push({ place: 'schema', way: `the row of migration ${number} is gone`, statements });
  }
  return faults;
}

/** Returns the indexes that a migration names and that the database has. */
async function indexesOf(store: Store, text: string): Promise<string[]> {
  const named = new Set([...text.matchAll(/create (?:unique )?index (\w+)/gi)].map(([, name]) => name!));
  const { rows } = await store.read((db) =>
    (store.engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'index'`
      : sql<{ name: string }>`select indexname::text as name from pg_indexes where schemaname = current_schema()`
    ).execute(db),
  );
  return rows
    .map(({ name }) => name)
    .filter((name) => named.has(name))
    .sort();
}
