/** Items: found by text, code, type and status. */

import { Search } from 'lucide';
import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { at, href, setQuery } from '../router.ts';
import { ownClient } from '../session.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Empty, Show, useLoad } from '../ui/load.tsx';
import { State } from '../ui/notice.tsx';
import { Picture } from '../ui/picture.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { Screen } from '../ui/screen.tsx';

/** An item as the search shows it. */
interface FoundItem {
  itemId: string;
  clientItemId: string;
  type: string;
  status: string;
  description: string;
  color?: string;
  size?: string;
  imageUrl?: string;
}

export default function Items({ query }: ScreenProps) {
  const { items } = t();
  const wanted = query.get('q') ?? '';
  const [text, setText] = useState(wanted);
  const [more, setMore] = useState<readonly FoundItem[]>([]);
  const [next, setNext] = useState<string | undefined>();
  const path = `/operator/v1/clients/${encodeURIComponent(ownClient())}/items`;
  // A code is digits; everything else is words of the description.
  const filter = (): Record<string, string> =>
    wanted === '' ? {} : /^\d{6,}$/.test(wanted) ? { code: wanted } : { q: wanted };
  const load = (after: string | undefined, signal?: AbortSignal) =>
    call<{ items: FoundItem[]; lastRecordId?: string }>(
      'GET',
      `${path}?${new URLSearchParams({ ...filter(), pageSize: '50', ...(after !== undefined && { lastRecordId: after }) })}`,
      signal && { signal },
    );
  const loaded = useLoad(`items ${ownClient()} ${wanted}`, async (signal) => {
    const page = await load(undefined, signal);
    setMore([]);
    setNext(page.lastRecordId);
    return page.items;
  });
  return (
    <Screen title={t().nav.items}>
      <form
        class="find-box"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery({ q: text.trim() });
        }}
      >
        <div class="grow">
          <TextField label={items.search} type="search" value={text} onInput={setText} />
        </div>
        <div class="at-end">
          <Button type="submit" icon={Search} label={t().actions.search}>
            {''}
          </Button>
        </div>
      </form>
      <Show of={loaded}>
        {(first) =>
          first.length === 0 ? (
            <Empty title={items.none}>{items.noneHint}</Empty>
          ) : (
            <>
              <div class="list">
                {[...first, ...more].map((item) => (
                  <a class="row" key={item.itemId} href={href(at('item', item.itemId))}>
                    <Picture url={item.imageUrl} label={item.description} isSmall />
                    <span class="grow">
                      <span class="strong">{item.description}</span>
                      <br />
                      <span class="code quiet small">{item.clientItemId}</span>{' '}
                      <span class="quiet small">{[item.color, item.size].filter(Boolean).join(' · ')}</span>
                    </span>
                    {item.status !== '' && item.status !== 'Active' && <State look="risk">{item.status}</State>}
                  </a>
                ))}
              </div>
              {next !== undefined && (
                <Button
                  isWide
                  onClick={() =>
                    void load(next).then((page) => {
                      setMore([...more, ...page.items]);
                      setNext(page.lastRecordId);
                    })
                  }
                >
                  {t().actions.more}
                </Button>
              )}
            </>
          )
        }
      </Show>
    </Screen>
  );
}
