/**
 * Database access for taking an interchange, in a request or in a dry run. due.ts has the database access of the
 * scheduler.
 */
import type { Ctx } from '../../platform/ctx.ts';
import type { PrepareParts } from '../../platform/http/operation.ts';
import type { Store } from '../../platform/storage/db.ts';
import type { Desk } from './take.ts';

const taking = new WeakMap<Store, Set<string>>();

/** Returns the keys of the interchanges that this process is taking into a database now. */
export function runningIn(store: Store): Set<string> {
  const running = taking.get(store) ?? new Set();
  taking.set(store, running);
  return running;
}

/** Returns the database access of a request: each step has its own transaction. */
export function deskOf({ store, present, ctx }: Pick<PrepareParts, 'store' | 'present' | 'ctx'>): Desk {
  return {
    dialect: store.dialect,
    read: (work) => store.read(work),
    write: (work) => store.write((tx) => work(ctx(tx))),
    running: runningIn(store),
    present,
  };
}

/** Carries the result out of a transaction that is rolled back. */
class RolledBack extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('a dry run is rolled back');
    this.result = result;
  }
}

/** Runs `work` in one transaction, which is then rolled back. Returns the result of `work`. */
export async function dryRun<T>(
  { store, present, ctx }: Pick<PrepareParts, 'store' | 'present' | 'ctx'>,
  work: (desk: Desk, ctx: Ctx) => Promise<T>,
): Promise<T> {
  try {
    return await store.write(async (tx) => {
      const own = ctx(tx);
      const desk: Desk = {
        dialect: store.dialect,
        read: (read) => read(tx),
        write: (write) => write(own),
        running: new Set(),
        present,
      };
      throw new RolledBack(await work(desk, own));
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T;
    throw error;
  }
}
