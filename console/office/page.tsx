/** The frame of a desk screen: title, tools, filters, content. Also lists with pages. */
import { ArrowLeft } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { HelpButton } from '../help/open.tsx';
import { hash } from '../router.ts';
import { clientId, session } from '../session.ts';
import { o } from '../texts/index.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Empty, type Loaded, Show, useLoad } from '../ui/load.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { useHeading } from '../ui/screen.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { whole } from '../ui/whole.tsx';

/** Addresses of lists with their filters, to which the pages of their rows lead back. */
const lists = new Map<string, string>();

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
  const heading = useHeading();
  // Browsers are shared, so each user has own filters.
  const own = `${session.value?.user.userId} ${clientId.value} `;
  if (backTo === undefined) lists.set(own + hash.value.split('?')[0]!, hash.value);
  return (
    <main id="main" class="desk desk-page" tabIndex={-1}>
      <div class="head">
        <div class="inline grow">
          <MenuButton />
          {backTo && (
            <LinkButton look="plain" icon={ArrowLeft} to={lists.get(own + backTo.to) ?? backTo.to}>
              {backTo.label}
            </LinkButton>
          )}
          <div>
            <h1 ref={heading} tabIndex={-1}>
              {whole(title)}
            </h1>
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

interface Page<T> {
  rows: readonly T[];
  /** Start of the next page; undefined on the last page. */
  next: string | undefined;
}

/** A list that loads page by page. */
export interface Pages<T> {
  /** The rows of all read pages, and the start of the next page. */
  loaded: Loaded<Page<T>>;
  rows: readonly T[] | undefined;
  hasMore: boolean;
  loadMore: () => void;
  reload: () => void;
}

/**
 * Loads the first page when the screen opens or `key` changes, and the next page on request. When the user returns and
 * after a change, reads all shown pages again. A new read ends the previous one and reads the same number of pages, so
 * no page is lost.
 */
export function usePages<T>(
  key: string,
  load: (after: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
): Pages<T> {
  const shown = useMemo(() => ({ pages: 1, isMore: false }), [key]);
  const loaded: Loaded<Page<T>> = useLoad(key, async (signal) => {
    // For one more page, the pages before it are not read again.
    const known = shown.isMore ? loaded.data.peek() : undefined;
    shown.isMore = false;
    let { rows, next } = known ?? (await load(undefined, signal));
    for (let pages = known === undefined ? 1 : shown.pages - 1; pages < shown.pages && next !== undefined; pages += 1) {
      const page = await load(next, signal);
      rows = [...rows, ...page.rows];
      next = page.next;
    }
    return { rows, next };
  });
  const { value } = loaded.data;
  return {
    loaded,
    rows: value?.rows,
    hasMore: value?.next !== undefined,
    loadMore: () => {
      shown.pages += 1;
      shown.isMore = true;
      void loaded.reload();
    },
    reload: () => void loaded.reload(),
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
  return (
    <Show of={of.loaded} lines={6}>
      {({ rows }) => {
        const [onMore, isLoadingMore] = [of.hasMore ? of.loadMore : undefined, of.loaded.isLoading.value];
        if (rows.length > 0) return <Table {...table} rows={rows} onMore={onMore} isLoadingMore={isLoadingMore} />;
        const more = onMore && (
          <Button isBusy={isLoadingMore} onClick={onMore}>
            {o().table.more}
          </Button>
        );
        return (
          <Empty title={empty.title} action={more ?? empty.action}>
            {empty.hint}
          </Empty>
        );
      }}
    </Show>
  );
}
