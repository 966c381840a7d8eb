/** Loads a list page by page: the first page with the screen, each next page with a button. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { shellTexts as t } from '../texts/index.ts';
import { Button } from './button.tsx';
import { useAction, useLoad } from './load.tsx';
import { ErrorNotice } from './notice.tsx';

interface Page<T> {
  rows: readonly T[];
  /** Start of the next page; undefined on the last page. */
  next: string | undefined;
}

/**
 * Loads the first page when the screen opens or `key` changes, and the next page on request. When the user returns, it
 * reads as many pages again as are shown.
 */
export function useMore<T>(key: string, load: (after: string | undefined, signal?: AbortSignal) => Promise<Page<T>>) {
  const [more, setMore] = useState<readonly T[]>([]);
  const [next, setNext] = useState<string | undefined>();
  const shown = useMemo(() => ({ pages: 1 }), [key]);
  const present = useRef(shown);
  present.current = shown;
  const loaded = useLoad(key, async (signal) => {
    const first = await load(undefined, signal);
    const further: T[] = [];
    let { next: after } = first;
    for (let pages = 1; pages < shown.pages && after !== undefined; pages += 1) {
      const page = await load(after, signal);
      further.push(...page.rows);
      after = page.next;
    }
    setMore(further);
    setNext(after);
    return first.rows;
  });
  const loading = useAction(async () => {
    const page = await load(next);
    // The user has begun another search in the meantime.
    if (present.current !== shown) return;
    shown.pages += 1;
    setMore((before) => [...before, ...page.rows]);
    setNext(page.next);
  });
  return { loaded, more, loading, hasMore: next !== undefined };
}

export function MoreButton({
  of: { loading, hasMore },
}: {
  of: Pick<ReturnType<typeof useMore>, 'loading' | 'hasMore'>;
}) {
  return (
    <>
      {hasMore && (
        <Button isWide isBusy={loading.isBusy} onClick={() => void loading.run()}>
          {t().actions.more}
        </Button>
      )}
      {loading.error !== undefined && <ErrorNotice error={loading.error} />}
    </>
  );
}
