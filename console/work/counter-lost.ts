/**
 * Handles a command whose response was lost: reads the state from the service until it is known, and shows no result
 * before.
 */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import { isLocked } from '../session.ts';

/** Returns whether the service may have carried out the command despite the error: no response, or a 408. */
export function mayBeDone(error: unknown): boolean {
  return error instanceof ApiError && [0, 408].includes(error.status);
}

const AGAIN_MS = 2_000;

/** `asking`: the result is not known yet. `notDone`: the service has recorded nothing. */
export type Lost = 'asking' | 'notDone' | undefined;

/**
 * Runs a command once and finds out whether it was carried out. The `isDone` of `run` asks the service, and throws
 * while the service cannot be reached.
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
    /** Resolves to true if the command was carried out. */
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
        try {
          const done = await askUntilKnown(isDone, left.signal);
          setLost(done ? undefined : 'notDone');
          return done;
        } catch (rejected) {
          setLost(undefined);
          setError(rejected);
          return false;
        }
      } finally {
        setBusy(false);
      }
    },
  };
}

/**
 * Asks until the result is known or the user leaves the screen. When the screen opens again, it shows the recorded
 * state.
 * @throws ApiError if the service rejects the read, for example if the order no longer exists
 */
async function askUntilKnown(isDone: () => Promise<boolean>, left: AbortSignal): Promise<boolean> {
  while (!left.aborted) {
    // The screen remains while it is locked. If another user signs in, it is closed.
    if (isLocked.peek()) {
      await pause();
      continue;
    }
    try {
      // The service may record a running request shortly after its connection was lost, so a second read follows.
      if (await isDone()) return true;
      await pause();
      return await isDone();
    } catch (failure) {
      const isRejected = failure instanceof ApiError && !failure.passes && failure.status < 500;
      // A 401 locks the screen or closes it.
      if (isRejected && failure.status !== 401) throw failure;
    }
    await pause();
  }
  return false;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
}
