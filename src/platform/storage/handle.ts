/** The Kysely handle of a job: it builds statements and passes each to the engine; it cannot open a transaction. */
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

/**
 * A statement that SQLite runs once for the parameters of each row. There is no server, so this costs no round trips.
 */
export interface Batch extends CompiledQuery {
  readonly each: readonly (readonly unknown[])[];
}

let watcher: ((text: string) => void) | undefined;

/** Passes the text of every statement to `watch`; undefined stops this. Only tests of the statements use it. */
export function watchStatements(watch: ((text: string) => void) | undefined): void {
  watcher = watch;
}

/** Reports a statement that does not go through a handle. */
export function showStatement(text: string): void {
  watcher?.(text);
}

class NoTransactions extends DummyDriver {
  override beginTransaction(): Promise<void> {
    return Promise.reject(new Error('read() and write() are already one transaction: use their handle directly.'));
  }
}

const driver = new NoTransactions();

/**
 * Rejects statements and streams that use a connection directly instead of the handle. `NoTransactions` rejects
 * transactions.
 */
const NO_CONNECTION = {
  executeQuery: (): never => {
    throw new Error('A job has no connection of its own: use the handle.');
  },
  streamQuery: (): never => {
    throw new Error('Use stream() of the store: a cached statement is never iterated.');
  },
};

/** Passes statements on directly: Kysely's way of acquiring and releasing a connection costs 2 us per statement. */
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
 * Returns the function that creates the handles of an engine. Each job gets a new handle (about 1 us), so that the
 * handle can be closed when the job ends. Its statements go to `execute` immediately, in the order of the calls.
 */
export function handleMaker(adapter: DialectAdapter, compiler: QueryCompiler): <DB>(execute: Execute) => Kysely<DB> {
  const dialect = {
    createAdapter: () => adapter,
    createDriver: () => driver,
    createQueryCompiler: () => compiler,
    createIntrospector: (): never => {
      throw new Error('The tables are known from the migrations: introspection is not supported.');
    },
  };
  return <DB>(execute: Execute) => {
    const executor = new Executor(compiler, adapter, execute);
    return new Kysely<DB>({ config: { dialect }, dialect, driver, executor });
  };
}
