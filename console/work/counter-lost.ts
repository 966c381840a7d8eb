/** A command whose answer was lost: the service is asked what is true until it says so, and nothing is shown before. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ApiError } from '../api.ts';

/** Whether the service may have done it although it looks like a failure: no response, or that of a proxy that got none. */
function mayBeDone(error: unknown): boolean {
  return error instanceof ApiError && [0, 408, 502, 504].includes(error.status);
}

const AGAIN_MS = 2_000;

/** `asking`: it is not known yet. `notDone`: the service says that nothing was recorded. */
export type Lost = 'asking' | 'notDone' | undefined;

/**
 * Runs a command once and finds out what came of it.
 *
 * @param isDone asks the service; it throws while the service cannot be reached
 */
export function useCommand() {
  const [lost, setLost] = useState<Lost>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const left = useMemo(() => new AbortController(), []);
  useEffect(() => () => left.abort(), []);
  return {
    lost,
    isBusy,
    error,
    clear: () => {
      setError(undefined);
      setLost(undefined);
    },
    /** Resolves with whether it was done. */
    run: async (command: () => Promise<unknown>, isDone: () => Promise<boolean>): Promise<boolean> => {
      setBusy(true);
      setError(undefined);
      setLost(undefined);
      try {
        await command();
        return true;
      } catch (failure) {
        if (!mayBeDone(failure)) {
          setError(failure);
          return false;
        }
        setLost('asking');
        const done = await askUntilKnown(isDone, left.signal);
        setLost(done ? undefined : 'notDone');
        return done;
      } finally {
        setBusy(false);
      }
    },
  };
}

/** A screen that was left does not ask any more: it shows what was recorded when it opens again. */
async function askUntilKnown(isDone: () => Promise<boolean>, left: AbortSignal): Promise<boolean> {
  while (!left.aborted) {
    try {
      // A request that is still under way may be recorded a moment after its connection has gone.
      if (await isDone()) return true;
      await pause();
      return await isDone();
    } catch (failure) {
      if (failure instanceof ApiError && !failure.passes && failure.status < 500) throw failure;
    }
    await pause();
  }
  return false;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
}
