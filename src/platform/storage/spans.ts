/**
 * Spans of the statements of traced requests. Without tracing (the default), a statement costs one more comparison.
 * With tracing, the async context gives the request of a statement.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Begins the span of a statement. The returned function ends it, with the error if there was one. */
export type BeginStatement = (text: string) => (error?: unknown) => void;

const current = new AsyncLocalStorage<BeginStatement>();
let isOn = false;

/** Whether this process has traced any request. */
export function isTracing(): boolean {
  return isOn;
}

/** Runs the work of a request whose statements are spans. */
export function withStatements<T>(begin: BeginStatement, work: () => T): T {
  isOn = true;
  return current.run(begin, work);
}

/** Binds work that runs later, possibly in the context of another request, to the trace of the present request. */
export function ofThisRequest<F extends (...args: never[]) => unknown>(work: F): F {
  return isOn ? AsyncLocalStorage.bind<F>(work) : work;
}

/** Runs a statement in a span if its request is traced. */
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
