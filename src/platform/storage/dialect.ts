/** What differs between the engines and cannot be one SQL text (docs/storage.md#conventions-of-the-rows), each difference with a name. */
import {
  type DialectAdapter,
  expressionBuilder,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  SqliteAdapter,
  sql,
} from 'kysely';

/** Column types that `rowsOf` can carry; STRICT tables refuse a value of another type on insert. */
export type ColumnType = 'text' | 'integer' | 'real';

type Row = Record<string, string | number | null | undefined>;

/** The type of every field, in the order in which the columns come. */
export type Columns<R> = { readonly [K in keyof R & string]-?: ColumnType };

type Stored<R> = { [K in keyof R & string]-?: undefined extends R[K] ? Exclude<R[K], undefined> | null : R[K] };

/** Rows or a list as the text that is bound for them: what a statement that is compiled once gets. */
export type BoundText = string & { readonly bound: true };

/** A select over rows that are bound as one parameter. */
type RowsOf<R> = SelectQueryBuilder<unknown, never, Stored<R>>;

export interface Dialect {
  readonly engine: 'sqlite' | 'postgres';

  /** A sharding engine runs the statements: what an insert returns has no select of its own. */
  readonly isSharded: boolean;

  /**
   * Many rows as ONE parameter, in their order; the statement's text does not depend on how many. Missing fields are
   * null. On PostgreSQL this is `json_to_recordset` with the column types.
   *
   * As the source of an insert: `tx.insertInto('t').columns(['id', 'n']).expression(dialect.rowsOf(rows, { id: 'text', n: 'integer' }))`
   * (the columns are matched by position, and `onConflict` may follow); as a table: `db.selectFrom(dialect.rowsOf(rows, {...}).as('r'))`.
   */
  rowsOf<R extends { [K in keyof R]: Row[string] }>(rows: readonly R[] | BoundText, columns: Columns<R>): RowsOf<R>;

  /** The rows as `rowsOf` binds them. */
  rowsText<R extends { [K in keyof R]: Row[string] }>(rows: readonly R[], columns: Columns<R>): BoundText;

  /** A list for `where('id', 'in', dialect.listOf(ids, 'text'))`: one parameter however long, an empty list matches nothing. */
  listOf<V extends string | number>(values: readonly V[] | BoundText, type: ColumnType): RowsOf<{ value: V }>;

  /** The list as `listOf` binds it. */
  listText(values: readonly (string | number)[]): BoundText;

  /** A statement that answers one row when there is a table of this name. */
  tableNamed(name: string): RawBuilder<unknown>;

  /**
   * Ends a select whose rows a write is about to change: they are locked in the order of the select, so that two writes
   * that want several of the same rows queue up instead of meeting crosswise. Empty where there is one writer.
   */
  readonly forUpdate: RawBuilder<unknown>;

  /** Ends when no other transaction has rows of the table locked; until this one ends none locks or writes any. Undefined where there is one writer. */
  lockTable?(table: string): RawBuilder<unknown>;

  /** What a row of `events` gets as `written`: the server's clock, where writers are many; 0 where the row's own order says it. */
  readonly written: RawBuilder<number>;

  /** Orders rows of `events` as they were written, behind `written`: rows of one instant are of one transaction. */
  readonly writtenNext: RawBuilder<unknown>;

  /** The columns of a table in their order; `key` is a column's place in the primary key, from 1, or 0. */
  columnsOf(table: string): RawBuilder<{ name: string; type: string; key: number }>;

  /**
   * Whether this transaction is the only one, in any process, that has `name` until it ends. Undefined where one process
   * serves the database and a set in memory says the same.
   */
  tryLock(name: string): RawBuilder<{ locked: boolean }> | undefined;
}

export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  isSharded: false,

  rowsOf<R extends { [K in keyof R]: Row[string] }>(rows: readonly R[] | BoundText, columns: Columns<R>) {
    const text = Array.isArray(rows) ? this.rowsText(rows as readonly R[], columns) : (rows as BoundText);
    const members = Object.keys(columns).map((name, index) => sql`value ->> ${sql.lit(index)}`.as(name));
    return fromJson(text).select(members) as unknown as RowsOf<R>;
  },

  rowsText<R extends { [K in keyof R]: Row[string] }>(rows: readonly R[], columns: Columns<R>) {
    const names = Object.keys(columns) as (keyof R & string)[];
    return JSON.stringify(rows.map((row) => names.map((name) => row[name] ?? null))) as BoundText;
  },

  listOf<V extends string | number>(values: readonly V[] | BoundText) {
    return fromJson(textOfList(values)).select(sql`value`.as('value')) as unknown as RowsOf<{ value: V }>;
  },

  listText: (values) => JSON.stringify(values) as BoundText,

  tableNamed: (name) => sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`,

  forUpdate: sql``,

  written: sql<number>`0`,

  writtenNext: sql`events.rowid`,

  columnsOf: (table) => sql`select name, lower(type) as type, pk as key from pragma_table_info(${table}) order by cid`,

  tryLock: () => undefined,
};

function textOfList(values: readonly (string | number)[] | BoundText): BoundText {
  return Array.isArray(values) ? (JSON.stringify(values) as BoundText) : (values as BoundText);
}

/** Of nothing: it keeps no state, and making one for each list is a tenth of what a ticket spends on its statements. */
const builder = expressionBuilder<unknown>();

/** `where true` keeps `on conflict` after an insert from this select from being read as a join condition. */
function fromJson(json: BoundText) {
  return builder.selectFrom(sql`json_each(${json})`.as('elements')).where(sql<boolean>`true`);
}

/**
 * No limit, but the planner takes a limit that it must compute for a tenth of what there is: 10 rows instead of the 100 that it
 * believes of every JSON function, for which it would rather read a table of 10,000 rows than ask its index.
 */
const FEW = sql<number>`(select 2147483647)`;

/** The same where a sharding engine cannot send a select as a limit to its shards; its planner then believes in 100 rows. */
const FEW_LITERAL = sql<number>`2147483647`;

const POSTGRES_TYPES: Record<ColumnType, string> = { text: 'text', integer: 'bigint', real: 'double precision' };

const postgresOf = (few: RawBuilder<number>, isSharded: boolean): Dialect => ({
  engine: 'postgres',
  isSharded,

  rowsOf<R extends { [K in keyof R]: Row[string] }>(rows: readonly R[] | BoundText, columns: Columns<R>) {
    const text = Array.isArray(rows) ? this.rowsText(rows as readonly R[], columns) : rows;
    const names = Object.keys(columns) as (keyof R & string)[];
    const shape = names.map((name) => `"${name}" ${POSTGRES_TYPES[columns[name]]}`).join(', ');
    return builder
      .selectFrom(sql`json_to_recordset(${text}::json)`.as(sql.raw(`elements(${shape})`)))
      .select(names.map((name) => sql.ref(`elements.${name}`).as(name)))
      .limit(few) as unknown as RowsOf<R>;
  },

  rowsText: (rows) => JSON.stringify(rows) as BoundText,

  listOf<V extends string | number>(values: readonly V[] | BoundText, type: ColumnType) {
    const cast = sql.raw(POSTGRES_TYPES[type]);
    return builder
      .selectFrom(sql`json_array_elements_text(${textOfList(values)}::json)`.as(sql.raw('elements(value)')))
      .select(sql`elements.value::${cast}`.as('value'))
      .limit(few) as unknown as RowsOf<{ value: V }>;
  },

  listText: (values) => JSON.stringify(values) as BoundText,

  tableNamed: (name) =>
    sql`select 1 from information_schema.tables where table_schema = current_schema() and table_name = ${name}`,

  forUpdate: sql`for update`,

  lockTable: (table) => sql`lock table ${sql.table(table)} in exclusive mode`,

  written: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)`,

  writtenNext: sql`events.event_id`,

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

/** PostgreSQL whose tables are distributed by a sharding engine (docs/scale.md#a-sharding-engine-of-the-postgresql-family). */
export const shardedDialect = postgresOf(FEW_LITERAL, true);

/** Marks the handles of a sharding engine. */
export class ShardedAdapter extends PostgresAdapter {}

/** The dialect of a handle. */
export function dialectOf(adapter: DialectAdapter): Dialect {
  if (adapter instanceof SqliteAdapter) return sqliteDialect;
  return adapter instanceof ShardedAdapter ? shardedDialect : postgresDialect;
}
