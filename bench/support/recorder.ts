/**
 * Records the write transactions of the service on SQLite, with their values, and replays them without the service. The
 * service must run in this process. Replayed statements have `?` for each value, as in the manual of the library.
 * Statements of the service have `+?` (docs/decisions/208), so the measured ratio includes the cost of the plus sign.
 */
import Database from 'better-sqlite3';

export interface Statement {
  text: string;
  values: readonly unknown[];
  /** Whether the statement returns rows. */
  reads: boolean;
}

type Transaction = Statement[];

interface RawStatement {
  source: string;
  reader: boolean;
  database: Database.Database;
}

/** Records the statements of every write transaction while `work` runs, in one list per transaction. */
export async function recorded(work: () => Promise<void>): Promise<Transaction[]> {
  const probe = new Database(':memory:');
  const prototype = Object.getPrototypeOf(probe.prepare('select 1')) as Record<
    'all' | 'run',
    (...args: unknown[]) => unknown
  >;
  probe.close();
  const { all, run } = prototype;
  const transactions: Transaction[] = [];
  let writer: Database.Database | undefined;
  const wrap = (original: (...args: unknown[]) => unknown) =>
    function wrapped(this: RawStatement, ...args: unknown[]) {
      const { source, database } = this;
      if (source === 'begin immediate') {
        writer = database;
        transactions.push([]);
      } else if (database === writer && !/^(commit|rollback|savepoint|release)/.test(source)) {
        transactions
          .at(-1)!
          .push({ text: source.replaceAll('+?', '?'), values: (args[0] ?? []) as unknown[], reads: this.reader });
      }
      return original.apply(this, args);
    };
  prototype.all = wrap(all);
  prototype.run = wrap(run);
  try {
    await work();
  } finally {
    prototype.all = all;
    prototype.run = run;
  }
  return transactions.filter((transaction) => transaction.length > 0);
}

/** Replays recorded transactions, each with its own commit. It prepares each statement once, like hand-written code. */
export class Replayer {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(file: string) {
    this.#db = new Database(file);
    this.#db.pragma('journal_mode = WAL');
    this.#db.pragma('synchronous = FULL');
    this.#db.pragma('foreign_keys = ON');
  }

  run(transaction: Transaction): void {
    this.#one('begin immediate', [], false);
    for (const { text, values, reads } of transaction) this.#one(text, values, reads);
    this.#one('commit', [], false);
  }

  close(): void {
    this.#db.close();
  }

  #one(text: string, values: readonly unknown[], reads: boolean): void {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#db.prepare(text);
      this.#statements.set(text, statement);
    }
    if (reads) statement.all(values);
    else statement.run(values);
  }
}
