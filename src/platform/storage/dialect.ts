/**
 * The named differences between the engines: parts of statements that need another SQL text on each engine
 * (docs/storage.md#conventions-of-the-rows).
 */
import {
  type DialectAdapter,
  expressionBuilder,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  SqliteAdapter,
  sql,
} from 'kysely';

/** Column types of `rowsOf`; STRICT tables reject values of other types. */
export type ColumnType = 'text' | 'integer' | 'real';

type Row = Record<string, string | number | null | undefined>;

/** The type of every field, in the order of the columns. */
export type Columns<R> = { readonly [K in keyof R & string]-?: ColumnType };

type Stored<R> = { [K in keyof R & string]-?: undefined extends R[K] ? Exclude<R[K], undefined> | null : R[K] };

/** Rows or a list as JSON text, to bind them to a statement that is compiled once. */
export type BoundText = string & { readonly bound: true };

/** A select over rows that are bound as one parameter. */
type RowsOf<R> = SelectQueryBuilder<unknown, never, Stored<R>>;

export interface Dialect {
  readonly engine: 'sqlite' | 'postgres';

  /** True if a sharding engine runs the statements. In this case, `returning` of an insert cannot contain a select. */
  readonly isSharded: boolean;

  /**
   * Many rows as ONE parameter, in their order; the statement's text does not depend on their number. Missing fields
   * are null. On PostgreSQL this is `json_to_recordset` with the column types.
   *
   * As the source of an insert, where columns are matched by position and `onConflict` can follow:
   * `tx.insertInto('t').columns(['id', 'n']).expression(dialect.rowsOf(rows, { id: 'text', n: 'integer' }))`.
   * As a table: `db.selectFrom(dialect.rowsOf(rows, {...}).as('r'))`.
   */
  rowsOf<R extends { [K in keyof R]: Row[string] }>(rows: readonly R[] | BoundText, columns: Columns<R>): RowsOf<R>;

  /** The text that `rowsOf` binds for the rows. */
  rowsText<R extends { [K in keyof R]: Row[string] }>(rows: readonly R[], columns: Columns<R>): BoundText;

  /**
   * A list for `where('id', 'in', dialect.listOf(ids, 'text'))`: one parameter of any length. An empty list matches
   * nothing.
   */
  listOf<V extends string | number>(values: readonly V[] | BoundText, type: ColumnType): RowsOf<{ value: V }>;

  /** The text that `listOf` binds for the list. */
  listText(values: readonly (string | number)[]): BoundText;

  /** A statement that returns one row if a table has this name. */
  tableNamed(name: string): RawBuilder<unknown>;

  /**
   * The end of a select of rows that a write will change. It locks them in the order of the select, so that two writes
   * of the same rows wait for each other instead of causing a deadlock. Empty for an engine with one writer.
   */
  readonly forUpdate: RawBuilder<unknown>;

  /** Like `forUpdate`, but other transactions can still add rows that refer to the locked row by a foreign key. */
  readonly forNoKeyUpdate: RawBuilder<unknown>;

  /**
   * Locks the table until the end of the transaction: other transactions can neither write nor lock its rows. Undefined
   * for an engine with one writer.
   */
  lockTable?(table: string): RawBuilder<unknown>;

  /**
   * The value of `events.written`: on PostgreSQL the clock of the server; on SQLite 0, because rowids have the order of
   * writing.
   */
  readonly written: RawBuilder<number>;

  /** The second sort key of `events`, after `written`: on SQLite the order of writing, on PostgreSQL the event's id. */
  readonly writtenNext: RawBuilder<unknown>;

  /**
   * The end of a table's alias: the index along which the table is read. SQLite has no statistics, and reads a table
   * without rowid by its primary key even if a partial index has the same columns and few rows. Empty on PostgreSQL.
   */
  indexedBy(index: string): RawBuilder<unknown>;

  /** The columns of a table in their order. `key` is the position in the primary key, from 1; 0: not in the key. */
  columnsOf(table: string): RawBuilder<{ name: string; type: string; key: number }>;

  /**
   * Reserves `name` until the transaction ends; false if another transaction of any process has reserved it. Undefined
   * if only one process serves the database, because a set in memory is then enough.
   */
  tryLock(name: string): RawBuilder<{ locked: boolean }> | undefined;
}

export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  isSharded: false,

  rowsOf<R extends { [K in keyof R]: Row[string] }>(rows: readonly R[] | BoundText, columns: Columns<R>) {
    const text = Array.isArray(rows) ? this.rowsText(rows as readonly R[], columns) : (rows as BoundText);
    const members = Object.keys(columns).map((name, index) => sql`value ->> ${sql.lit(index)}`.as(name));
    return typed(fromJson(text).select(members));
  },

  rowsText<R extends { [K in keyof R]: Row[string] }>(rows: readonly R[], columns: Columns<R>) {
    const names = Object.keys(columns) as (keyof R & string)[];
    return JSON.stringify(rows.map((row) => names.map((name) => row[name] ?? null))) as BoundText;
  },

  listOf<V extends string | number>(values: readonly V[] | BoundText) {
    return typed(fromJson(textOfList(values)).select(sql`value`.as('value')));
  },

  listText: (values) => JSON.stringify(values) as BoundText,

  tableNamed: (name) => sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`,

  forUpdate: sql``,
  forNoKeyUpdate: sql``,

  written: sql<number>`0`,

  writtenNext: sql`events.rowid`,

  indexedBy: (index) => sql` indexed by ${sql.ref(index)}`,

  columnsOf: (table) => sql`select name, lower(type) as type, pk as key from pragma_table_info(${table}) order by cid`,

  tryLock: () => undefined,
};

/** The column names of a select from JSON are known only at run time, so the compiler cannot check them. */
function typed<R>(select: unknown): RowsOf<R> {
  return select as RowsOf<R>;
}

function textOfList(values: readonly (string | number)[] | BoundText): BoundText {
  return Array.isArray(values) ? (JSON.stringify(values) as BoundText) : (values as BoundText);
}

/**
 * All lists share one builder, because it has no state. A builder for each list would take a tenth of the time that a
 * ticket spends on statements.
 */
const builder = expressionBuilder<unknown>();

/** Without `where true`, SQLite would read the `on conflict` of an insert from this select as a join condition. */
function fromJson(json: BoundText) {
  return builder.selectFrom(sql`json_each(${json})`.as('elements')).where(sql<boolean>`true`);
}

/**
 * A hint for the planner, not a limit. The planner expects 100 rows from a JSON function, and would then read a table
 * of 10,000 rows instead of using the index. With a computed limit, the planner expects a tenth: 10 rows.
 */
const FEW = sql<number>`(select 2147483647)`;

/**
 * A sharding engine cannot send a select as a limit to its shards, so its limit is this literal. The literal is not a
 * hint: the planner expects 100 rows.
 */
const FEW_LITERAL = sql<number>`2147483647`;

const POSTGRES_TYPES: Record<ColumnType, string> = { text: 'text', integer: 'bigint', real: 'double precision' };

const postgresOf = (few: RawBuilder<number>, isSharded: boolean): Dialect => ({
  engine: 'postgres',
  isSharded,

  rowsOf<R extends { [K in keyof R]: Row[string] }>(rows: readonly R[] | BoundText, columns: Columns<R>) {
    const text = Array.isArray(rows) ? this.rowsText(rows as readonly R[], columns) : rows;
    const names = Object.keys(columns) as (keyof R & string)[];
    const shape = names.map((name) => `"${name}" ${POSTGRES_TYPES[columns[name]]}`).join(', ');
    return typed(
      builder
        .selectFrom(sql`json_to_recordset(${text}::json)`.as(sql.raw(`elements(${shape})`)))
        .select(names.map((name) => sql.ref(`elements.${name}`).as(name)))
        .limit(few),
    );
  },

  rowsText: (rows) => JSON.stringify(rows) as BoundText,

  listOf<V extends string | number>(values: readonly V[] | BoundText, type: ColumnType) {
    const cast = sql.raw(POSTGRES_TYPES[type]);
    return typed(
      builder
        .selectFrom(sql`json_array_elements_text(${textOfList(values)}::json)`.as(sql.raw('elements(value)')))
        .select(sql`elements.value::${cast}`.as('value'))
        .limit(few),
    );
  },

  listText: (values) => JSON.stringify(values) as BoundText,

  tableNamed: (name) =>
    sql`select 1 from information_schema.tables where table_schema = current_schema() and table_name = ${name}`,

  forUpdate: sql`for update`,
  forNoKeyUpdate: sql`for no key update`,

  lockTable: (table) => sql`lock table ${sql.table(table)} in exclusive mode`,

  written: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)`,

  writtenNext: sql`events.event_id`,

  indexedBy: () => sql``,

  columnsOf: (table) => sql`
    select c.column_name::text as name, c.data_type::text as type, coalesce(k.ordinal_position, 0)::int as key
    from information_schema.columns c
    left join (
      information_schema.key_column_usage k join information_schema.table_constraints p
        on p.constraint_schema = k.constraint_schema and p.constraint_name = k.constraint_name
        and p.constraint_type = 'PRIMARY KEY'
    ) on k.table_schema = c.table_schema and k.table_name = c.table_name and k.column_name = c.column_name
    where c.table_schema = current_schema() and c.table_name = ${table}
    order by c.ordinal_position`,

  tryLock: (name) => sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`,
});

export const postgresDialect = postgresOf(FEW, false);

/**
 * PostgreSQL with a sharding engine that distributes the tables
 * (docs/scale.md#a-sharding-engine-of-the-postgresql-family).
 */
export const shardedDialect = postgresOf(FEW_LITERAL, true);

/** Marks the handles of a sharding engine. */
export class ShardedAdapter extends PostgresAdapter {}

/** The dialect of a handle. */
export function dialectOf(adapter: DialectAdapter): Dialect {
  if (adapter instanceof SqliteAdapter) return sqliteDialect;
  return adapter instanceof ShardedAdapter ? shardedDialect : postgresDialect;
}
