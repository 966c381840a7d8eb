/** The Kysely that a job sees: it builds statements and hands each to the engine; it opens no transaction of its own. */
import {
  type CompiledQuery,
  DefaultQueryExecutor,
  type DialectAdapter,
  DummyDriver,
  Kysely,
  type QueryCompiler,
  type QueryResult,
} from 'kysely';
import { inSpan, isTracing } from './spans.ts';

/** Runs one statement of a job. */
export type Execute = <R>(query: CompiledQuery) => Promise<QueryResult<R>>;

/** A change that SQLite makes for the parameters of many rows, one after the other: no server is asked in between. */
export interface Batch extends CompiledQuery {
  readonly each: readonly (readonly unknown[])[];
}

let watcher: ((text: string) => void) | undefined;

/** Shows the text of every statement to `watch`, until it is called with undefined. For tests of what is asked. */
export function watchStatements(watch: ((text: string) => void) | undefined): void {
  watcher = watch;
}

/** For statements that go past a handle. */
export function showStatement(text: string): void {
  watcher?.(text);
}

class NoTransactions extends DummyDriver {
  override beginTransaction(): Promise<void> {
    return Promise.reject(new Error('read() and write() are one transaction already: use their handle as it is.'));
  }
}

const driver = new NoTransactions();

/** What is asked of a connection by itself: a stream, or what would begin a transaction. */
const NO_CONNECTION = {
  executeQuery: (): never => {
    throw new Error('There is no connection to have: use the handle.');
  },
  streamQuery: (): never => {
    throw new Error('Use stream() of the store: a cached statement is never iterated.');
  },
};

/** Hands statements on at once: the way through a connection that is provided and given back costs 2 us of each. */
class Executor extends DefaultQueryExecutor {
  readonly #execute: Execute;

  constructor(compiler: QueryCompiler, adapter: DialectAdapter, execute: Execute) {
    super(compiler, adapter, { provideConnection: (consumer) => consumer(NO_CONNECTION) });
    this.#execute = execute;
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    watcher?.(query.sql);
    return isTracing() ? inSpan(query.sql, () => this.#execute<R>(query)) : this.#execute<R>(query);
  }
}

/**
 * Makes handles for an engine. A handle is made anew for each job (about 1 us), so that it can be closed when the job ends;
 * its statements go to `execute` at once and in the order of the calls.
 */
export function handleMaker(adapter: DialectAdapter, compiler: QueryCompiler): <DB>(execute: Execute) => Kysely<DB> {
  const dialect = {
    createAdapter: () => adapter,
    createDriver: () => driver,
    createQueryCompiler: () => compiler,
    createIntrospector: (): never => {
      throw new Error('The tables are known from migrations: there is nothing to introspect.');
    },
  };
  return <DB>(execute: Execute) => {
    const executor = new Executor(compiler, adapter, execute);
    return new Kysely<DB>({ config: { dialect }, dialect, driver, executor });
  };
}
