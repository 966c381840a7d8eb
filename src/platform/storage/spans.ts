/**
 * Statements of a request that is traced. Off, which is usual, a statement costs one comparison more; on, the request that it is
 * made for is found by the async context.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Begins the span of a statement; what it returns ends it, with the error where there was one. */
export type BeginStatement = (text: string) => (error?: unknown) => void;

const current = new AsyncLocalStorage<BeginStatement>();
let isOn = false;

/** Whether any request of this process was ever traced. */
export function isTracing(): boolean {
  return isOn;
}

/** Runs the work of a request whose statements are spans. */
export function withStatements<T>(begin: BeginStatement, work: () => T): T {
  isOn = true;
  return current.run(begin, work);
}

/** The work as it runs later, perhaps for somebody else: its statements stay those of the request that it is of now. */
export function ofThisRequest<F extends (...args: never[]) => unknown>(work: F): F {
  return isOn ? AsyncLocalStorage.bind<F>(work) : work;
}

/** Runs a statement in its span, where its request is traced. */
export async function inSpan<R>(text: string, run: () => Promise<R>): Promise<R> {
  const end = current.getStore()?.(text);
  if (end === undefined) return run();
  try {
    const result = await run();
    end();
    return result;
  } catch (error) {
    end(error);
    throw error;
  }
}
