/** The frame of a desk screen: title, tools, filters, content. Also lists with pages. */
import { signal } from '@preact/signals';
import { ArrowLeft } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { HelpButton } from '../help/open.tsx';
import { o } from '../texts/index.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Empty, Skeleton } from '../ui/load.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { whole } from '../ui/whole.tsx';

export function Page({
  title,
  sub,
  tools,
  filters,
  children,
  backTo,
}: {
  title: ComponentChildren;
  sub?: ComponentChildren;
  tools?: ComponentChildren;
  filters?: ComponentChildren;
  children: ComponentChildren;
  backTo?: { to: string; label: string };
}) {
  return (
    <main id="main" class="desk desk-page" tabIndex={-1}>
      <div class="head">
        <div class="inline grow">
          <MenuButton />
          {backTo && (
            <LinkButton look="plain" icon={ArrowLeft} to={backTo.to}>
              {backTo.label}
            </LinkButton>
          )}
          <div>
            <h1>{whole(title)}</h1>
            {sub !== undefined && <p class="quiet">{sub}</p>}
          </div>
        </div>
        {tools !== undefined && <div class="inline tools">{tools}</div>}
        <HelpButton />
      </div>
      {filters !== undefined && <div class="filters">{filters}</div>}
      {children}
    </main>
  );
}

/** A list that loads page by page. */
export interface Pages<T> {
  rows: readonly T[] | undefined;
  error: unknown;
  hasMore: boolean;
  isLoading: boolean;
  loadMore: () => void;
  reload: () => void;
}

/** Loads the first page when the screen opens or `key` changes, and the next page on request. */
export function usePages<T>(
  key: string,
  load: (after: string | undefined, signal: AbortSignal) => Promise<{ rows: readonly T[]; next: string | undefined }>,
): Pages<T> {
  const [again, setAgain] = useState(0);
  const state = useMemo(
    () => ({
      rows: signal<readonly T[] | undefined>(undefined),
      next: signal<string | undefined>(undefined),
      error: signal<unknown>(undefined),
      isLoading: signal(true),
    }),
    [key],
  );
  const get = async (after: string | undefined, stop: AbortSignal) => {
    state.isLoading.value = true;
    try {
      const page = await load(after, stop);
      if (stop.aborted) return;
      state.rows.value = after === undefined ? page.rows : [...(state.rows.peek() ?? []), ...page.rows];
      state.next.value = page.next;
      state.error.value = undefined;
    } catch (error) {
      if (!stop.aborted) state.error.value = error;
    } finally {
      if (!stop.aborted) state.isLoading.value = false;
    }
  };
  useEffect(() => {
    const stop = new AbortController();
    void get(undefined, stop.signal);
    return () => stop.abort();
  }, [state, again]);
  return {
    rows: state.rows.value,
    error: state.error.value,
    hasMore: state.next.value !== undefined,
    isLoading: state.isLoading.value,
    loadMore: () => void get(state.next.value, new AbortController().signal),
    reload: () => setAgain(again + 1),
  };
}

/** A table with pages and its states: loading, error, empty. */
export function PagedTable<T>({
  of,
  empty,
  ...table
}: {
  of: Pages<T>;
  empty: { title: string; hint: string; action?: ComponentChildren };
  caption: string;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  onOpen?: (row: T) => void;
  selected?: ReadonlySet<string>;
  onSelect?: (selected: Set<string>) => void;
  bulk?: ComponentChildren;
  csvName?: string;
}) {
  if (of.rows === undefined) {
    return of.error === undefined ? (
      <Skeleton lines={6} onRetry={of.reload} />
    ) : (
      <ErrorNotice error={of.error} onRetry={of.reload} />
    );
  }
  if (of.rows.length === 0) {
    return (
      <Empty
        title={empty.title}
        action={
          of.hasMore ? (
            <Button isBusy={of.isLoading} onClick={of.loadMore}>
              {o().table.more}
            </Button>
          ) : (
            empty.action
          )
        }
      >
        {empty.hint}
      </Empty>
    );
  }
  return (
    <>
      {of.error !== undefined && <ErrorNotice error={of.error} onRetry={of.reload} />}
      <Table {...table} rows={of.rows} onMore={of.hasMore ? of.loadMore : undefined} isLoadingMore={of.isLoading} />
    </>
  );
}
