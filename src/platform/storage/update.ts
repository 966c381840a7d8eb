/** Updates of many rows, each to its own values. SQLite runs one prepared statement per row, as in insert.ts. */
import { CompiledQuery, sql } from 'kysely';
import type { BoundText, Columns, Dialect } from './dialect.ts';
import { namesOf, portions, type RowValues, runEach } from './insert.ts';
import { change } from './statement.ts';
import type { Writer } from './store.ts';
import type { Tables } from './tables.ts';

/** Columns by which an update finds the table row for each given row. */
interface Which<R> {
  /** Columns of the primary key after `client_id`. */
  key: readonly (keyof R & string)[];
  /**
   * Conditions, by column: the column must still have the value of this field of the given row. The field is not
   * written.
   */
  guard?: Readonly<Record<string, keyof R & string>>;
}

/**
 * Returns an update of rows of one client by their keys. The update returns the number of changed rows. Each key must
 * occur once.
 */
export function updateRows<R extends RowValues<R>>(
  table: keyof Tables,
  columns: Columns<R>,
  { key, guard = {} }: Which<R>,
): (ctx: { db: Writer; dialect: Dialect }, clientId: string, rows: readonly R[]) => Promise<number> {
  const found: (readonly [column: string, member: keyof R & string])[] = [
    ...key.map((name) => [name, name] as const),
    ...Object.entries(guard),
  ];
  const members = new Set(found.map(([, member]) => member));
  const written = namesOf(columns).filter((name) => !members.has(name));

  const each = CompiledQuery.raw(
    `update "${table}" set ${written.map((name) => `"${name}" = ?`).join(', ')}
      where "client_id" = ? and ${found.map(([column]) => `"${column}" = ?`).join(' and ')}`,
  );
  // `materialized`: without it the engine may read all given rows again for each row of the table.
  const together = change((db, { clientId, rows }: { clientId: string; rows: BoundText }, dialect) => ({
    compile: () =>
      sql`with moved as materialized (${dialect.rowsOf<R>(rows, columns)})
          update ${sql.table(table)}
          set ${sql.join(written.map((name) => sql`${sql.ref(name)} = ${sql.ref(`moved.${name}`)}`))}
          from moved
          where ${sql.ref(`${table}.client_id`)} = ${clientId}
            and ${sql.join(
              found.map(([column, member]) => sql`${sql.ref(`${table}.${column}`)} = ${sql.ref(`moved.${member}`)}`),
              sql` and `,
            )}`.compile(db),
  }));
  return async ({ db, dialect }, clientId, rows) => {
    if (dialect.engine === 'sqlite') {
      return await runEach(db, each, rows, (row) => [
        ...written.map((name) => row[name] ?? null),
        clientId,
        ...found.map(([, member]) => row[member] ?? null),
      ]);
    }
    let count = 0;
    for (const some of portions(rows)) {
      count += (await together(db, { clientId, rows: dialect.rowsText(some, columns) })).count;
    }
    return count;
  };
}
