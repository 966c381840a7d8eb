/** Watches the statements of the reads of a store. */
import type { CompiledQuery, QueryExecutor, QueryResult } from 'kysely';
import { vi } from 'vitest';
import type { Store } from '../../src/platform/storage/db.ts';
import { planOf } from './store.ts';

type Row = Record<string, unknown>;

/** Calls `seen` with each statement of a read and its result. Returns a function that ends the watch. */
export function watchReads(
  store: Store,
  seen: (sql: string, result: QueryResult<Row>, query: CompiledQuery) => void,
): () => void {
  const read = store.read.bind(store);
  const watched = new Set<QueryExecutor>();
  const watch = (executor: QueryExecutor) => {
    if (watched.has(executor)) return;
    watched.add(executor);
    const execute = executor.executeQuery.bind(executor);
    const executeQuery = async (query: CompiledQuery<Row>) => {
      const result = await execute<Row>(query);
      seen(query.sql, result, query);
      return result;
    };
    Object.assign(executor, { executeQuery });
  };
  const spy = vi.spyOn(store, 'read').mockImplementation((inside, ...more) =>
    read(
      (db) => {
        watch(db.getExecutor());
        return inside(db);
      },
      ...more,
    ),
  );
  return () => {
    spy.mockRestore();
    for (const executor of watched) Reflect.deleteProperty(executor, 'executeQuery');
  };
}

/** Returns the statements of the reads during `work`. */
export async function statementsOf(store: Store, work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const end = watchReads(store, (sql) => statements.push(sql));
  await work().finally(end);
  return statements;
}

/** Returns the plan of each statement on `table` of the reads during `work`. */
export async function plansOf(store: Store, table: string, work: () => Promise<unknown>): Promise<string[]> {
  const queries: CompiledQuery[] = [];
  const end = watchReads(store, (sql, _result, query) => {
    if (sql.includes(`from "${table}"`)) queries.push(query);
  });
  await work().finally(end);
  const plans: string[] = [];
  for (const query of queries) plans.push((await planOf(store, query)).text);
  return plans;
}
