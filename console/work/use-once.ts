/** Actions that a double tap runs once, and actions that run one after the other. */
import { useRef } from 'preact/hooks';

/**
 * Returns an action that ignores further calls while it runs. Its button may stay until the device has stored the
 * action.
 */
export function useOnce(action: () => Promise<unknown>): () => Promise<void> {
  const isRunning = useRef(false);
  return async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      await action();
    } finally {
      isRunning.current = false;
    }
  };
}

/** Runs actions one after the other, because each action needs the state after the previous one. */
export function useTurns() {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  return <T>(action: () => Promise<T>): Promise<T> => {
    const done = last.current.then(action);
    last.current = done.catch(() => undefined);
    return done;
  };
}
