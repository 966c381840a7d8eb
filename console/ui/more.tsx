/** A list of the floor with pages. The first page loads with the screen, and a button loads the next page. */
import { useState } from 'preact/hooks';
import { shellTexts as t } from '../texts/index.ts';
import { Button } from './button.tsx';
import { useAction, useLoad } from './load.tsx';
import { ErrorNotice } from './notice.tsx';

interface Page<T> {
  rows: readonly T[];
  /** Start of the next page; undefined on the last page. */
  next: string | undefined;
}

/** Loads the first page when the screen opens or `key` changes, and the next page on request. */
export function useMore<T>(key: string, load: (after: string | undefined, signal?: AbortSignal) => Promise<Page<T>>) {
  const [more, setMore] = useState<readonly T[]>([]);
  const [next, setNext] = useState<string | undefined>();
  const loaded = useLoad(key, async (signal) => {
    const page = await load(undefined, signal);
    setMore([]);
    setNext(page.next);
    return page.rows;
  });
  const loading = useAction(async () => {
    const page = await load(next);
    setMore([...more, ...page.rows]);
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
