/** Actions that a double tap runs once. */
import { useRef } from 'preact/hooks';

/** Returns the action; while it runs, a further tap does nothing. Its button may stay until the device has stored it. */
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
