/** Loads data of the service for a screen, with the states loading, error, empty and stale. */
import { type Signal, signal } from '@preact/signals';
import type { IconNode } from 'lucide';
import { Inbox } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import { online } from '../preferences.ts';
import { whenBack } from '../session.ts';
import { shellTexts as t, time } from '../texts/index.ts';
import { cover } from './cover.ts';
import { Icon } from './icon.tsx';
import { ErrorNotice, State } from './notice.tsx';
import { whole } from './whole.tsx';

/** The loaded data, its time, and the last error. */
export interface Loaded<T> {
  data: Signal<T | undefined>;
  error: Signal<unknown>;
  /** Time of the data, epoch milliseconds. */
  at: Signal<number | undefined>;
  isLoading: Signal<boolean>;
  reload: () => Promise<void>;
}

/** Time after which a read counts as lost. Over a slow network, a long list can take longer than its interval. */
const LOST_MS = 60_000;

/**
 * Loads when the screen opens, when `key` changes, when the user returns, and every `everyMs` unless it is busy. Loads
 * again when `revision` changes. The data remains visible during the next read, also if this read fails.
 */
export function useLoad<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  everyMs?: number,
  revision?: string,
): Loaded<T> {
  const loaded = useMemo(() => makeLoaded(load), [key]);
  // A layout effect runs before the first paint, so a new screen is covered in time. Without the network, a screen does
  // not wait for its data.
  useLayoutEffect(() => {
    void loaded.reload().then(online.peek() ? cover() : undefined);
    const leave = whenBack((isTick) => {
      if (!isTick || !loaded.isBusy()) void loaded.reload();
    }, everyMs);
    return () => {
      leave();
      loaded.stop();
    };
  }, [loaded]);
  useLayoutEffect(() => loaded.follow(revision), [loaded, revision]);
  return loaded;
}

interface Making<T> extends Loaded<T> {
  /** Returns whether a read that began less than `LOST_MS` ago is running, or ended less time ago than it took. */
  isBusy: () => boolean;
  /**
   * Loads again if `revision` is not the last one, but only when it is not busy. In a busy store, each change would
   * otherwise stop the read of the last one, and no read would end.
   */
  follow: (revision: string | undefined) => void;
  stop: () => void;
}

function makeLoaded<T>(load: (signal: AbortSignal) => Promise<T>): Making<T> {
  const [data, error, at] = [
    signal<T | undefined>(undefined),
    signal<unknown>(undefined),
    signal<number | undefined>(undefined),
  ];
  const isLoading = signal(true);
  let running: AbortController | undefined;
  let startedAt = 0;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let last: string | undefined;
  let isChanged = false;
  const isBusy = () => Date.now() - startedAt < LOST_MS;
  const stop = () => {
    running?.abort();
    clearTimeout(rest);
    isChanged = false;
  };
  const reload = async () => {
    stop();
    running = new AbortController();
    const own = running.signal;
    startedAt = Date.now();
    isLoading.value = true;
    try {
      const result = await load(own);
      if (own.aborted) return;
      data.value = result;
      error.value = undefined;
      at.value = Date.now();
    } catch (failure) {
      if (own.aborted) return;
      error.value = failure;
      if (failure instanceof ApiError && failure.status === 0) online.value = false;
    }
    isLoading.value = false;
    rest = setTimeout(() => {
      startedAt = 0;
      if (isChanged) void reload();
    }, Date.now() - startedAt);
  };
  return {
    data,
    error,
    at,
    isLoading,
    isBusy,
    reload,
    stop,
    follow(revision) {
      isChanged ||= last !== undefined && revision !== last;
      last = revision;
      if (isChanged && !isBusy()) void reload();
    },
  };
}

/**
 * Shows the loaded data, or its state: a skeleton after 300 ms, or the error with a retry. If a later read fails, the
 * data remains, with the error above it. Without the network, the time of the data replaces the error.
 */
export function Show<T>({
  of,
  children,
  lines = 4,
}: {
  of: Loaded<T>;
  children: (data: T) => ComponentChildren;
  lines?: number;
}) {
  const { data, error, at } = of;
  if (data.value === undefined) {
    if (error.value !== undefined) return <ErrorNotice error={error.value} onRetry={() => void of.reload()} />;
    return <Skeleton lines={lines} onRetry={() => void of.reload()} />;
  }
  return (
    <>
      {error.value !== undefined &&
        (error.value instanceof ApiError && error.value.status === 0 ? (
          <State look="risk">{t().shell.staleOffline(time(at.value!))}</State>
        ) : (
          <ErrorNotice error={error.value} onRetry={() => void of.reload()} />
        ))}
      {children(data.value)}
    </>
  );
}

/** Shows grey placeholder lines after 300 ms, and a text with the retry button after 10 s. */
export function Skeleton({ lines = 4, onRetry }: { lines?: number; onRetry?: () => void }) {
  const [step, setStep] = useState(0);
  useLayoutEffect(() => {
    const uncover = cover();
    const timers = [setTimeout(() => setStep(1), 300), setTimeout(() => setStep(2), 10_000)];
    return () => {
      uncover();
      timers.forEach(clearTimeout);
    };
  }, []);
  if (step === 0) return <div aria-busy="true" />;
  return (
    <div class="stack" aria-busy="true" aria-label={t().shell.loading} role="status">
      {step === 2 && (
        <p>
          {t().shell.takingLong}{' '}
          {onRetry && (
            <button type="button" class="button" onClick={onRetry}>
              {t().actions.reload}
            </button>
          )}
        </p>
      )}
      {Array.from({ length: lines }, () => (
        <div class="skeleton" />
      ))}
    </div>
  );
}

/** An empty list. It explains what the list will contain, and offers one action. */
export function Empty({
  icon = Inbox,
  title,
  children,
  action,
}: {
  icon?: IconNode;
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon of={icon} />
      <h2>{whole(title)}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Runs a change, one at a time, and keeps its error. */
export function useAction<A extends unknown[]>(run: (...args: A) => Promise<void>) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  return {
    isBusy,
    error,
    clear: () => setError(undefined),
    /** Returns the message of a field's error. */
    of: (field: string) => (error instanceof ApiError ? error.of(field) : undefined),
    run: async (...args: A) => {
      if (isBusy) return;
      setBusy(true);
      setError(undefined);
      try {
        await run(...args);
      } catch (failure) {
        setError(failure);
      } finally {
        setBusy(false);
      }
    },
  };
}
