/**
 * Statements on a hot path: built and compiled at their first use on an engine, afterwards only bound. Building takes 20 to
 * 60 us of a write, and a text that is made anew each time must be read whole to find what was prepared for it.
 */
import type { Compilable, CompiledQuery, DialectAdapter, QueryResult } from 'kysely';
import { type Dialect, dialectOf } from './dialect.ts';
import type { Reader, Writer } from './store.ts';

/** Stands in a built statement for a value that comes with each call. */
class Placeholder {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

const placeholders = new Proxy({}, { get: (_target, name) => new Placeholder(name) });

interface Compiled<R> {
  query: CompiledQuery<R>;
  /** For each parameter its value, or where to take it from. */
  parameters: readonly unknown[];
}

/** What a change did. */
export interface Changed<R> {
  /** Those of `returning`. */
  rows: R[];
  /** Rows that it inserted, updated or deleted. */
  count: number;
}

/**
 * A select. `build` sees `values` as placeholders, so it names them, hands them on as they are and decides nothing by them;
 * lists and rows go in as the text of `dialect.listText` and `dialect.rowsText`.
 */
export function statement<V extends object, R>(
  build: (db: Reader, values: V, dialect: Dialect) => Compilable<R>,
): (db: Reader, values: V) => Promise<R[]> {
  const run = bound(build as Build<V, R>);
  return async (db, values) => (await run(db as Writer, values)).rows;
}

/** An insert, update or delete, alike. */
export function change<V extends object, R>(
  build: (db: Writer, values: V, dialect: Dialect) => Compilable<R>,
): (db: Writer, values: V) => Promise<Changed<R>> {
  const run = bound(build);
  return async (db, values) => {
    const { rows, numAffectedRows } = await run(db, values);
    return { rows, count: Number(numAffectedRows ?? rows.length) };
  };
}

/**
 * A change whose columns differ from call to call: one statement for each set of names. A field that is undefined is none
 * of them, as in `set()`.
 */
export function changeOf<V extends object, C extends object, R>(
  build: (db: Writer, values: V, columns: C, dialect: Dialect) => Compilable<R>,
): (db: Writer, values: V, columns: C) => Promise<Changed<R>> {
  const shapes = new Map<string, (db: Writer, values: V & C) => Promise<Changed<R>>>();
  return (db, values, columns) => {
    const names = (Object.keys(columns) as (keyof C & string)[]).filter((name) => columns[name] !== undefined);
    const shape = names.join();
    let run = shapes.get(shape);
    if (run === undefined) {
      run = change((tx, all: V & C, dialect) =>
        build(tx, all, Object.fromEntries(names.map((name) => [name, all[name]])) as C, dialect),
      );
      shapes.set(shape, run);
    }
    return run(db, { ...values, ...columns });
  };
}

type Build<V, R> = (db: Writer, values: V, dialect: Dialect) => Compilable<R>;

function bound<V extends object, R>(build: Build<V, R>): (db: Writer, values: V) => Promise<QueryResult<R>> {
  const compiled = new WeakMap<DialectAdapter, Compiled<R>>();
  return (db, values) => {
    const executor = db.getExecutor();
    const { adapter } = executor;
    let known = compiled.get(adapter);
    if (known === undefined) {
      const query = build(db, placeholders as V, dialectOf(adapter)).compile();
      known = { query, parameters: query.parameters };
      compiled.set(adapter, known);
    }
    const parameters = known.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof V] : parameter,
    );
    return executor.executeQuery<R>({ ...known.query, parameters });
  };
}
