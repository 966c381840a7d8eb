/** Items, found by a code or by words of the description. */

import { Search } from 'lucide';
import { useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import { at, href, setQuery } from '../router.ts';
import { ownClient } from '../session.ts';
import { t, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Empty, Show } from '../ui/load.tsx';
import { MoreButton, useMore } from '../ui/more.tsx';
import { State } from '../ui/notice.tsx';
import { Picture } from '../ui/picture.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { Screen } from '../ui/screen.tsx';
import { searchItems } from './search-items.ts';

/** An item of the search. */
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

/** Maximum length of a code in a search. */
const CODE_MAX = 100;

/**
 * Reads a page of the items with this text as a code. If no item has the code, reads a page of the items with all words
 * of the text. All items of a code are on one page. @throws ApiError
 */
async function search(text: string, after: string | undefined, signal: AbortSignal | undefined) {
  const [own, page] = [ownClient(), { pageSize: '50' }];
  if (text === '') return searchItems<FoundItem>(own, page, after, signal);
  if (after === undefined && text.length <= CODE_MAX) {
    const { rows } = await searchItems<FoundItem>(own, { ...page, code: text }, undefined, signal).catch(
      (error: unknown) => {
        // A text with invisible characters, for example from a web page, is no code.
        if (error instanceof ApiError && error.status === 400) return { rows: [] };
        throw error;
      },
    );
    if (rows.length > 0) return { rows, next: undefined };
  }
  return searchItems<FoundItem>(own, { ...page, q: text }, after, signal);
}

export default function Items({ query }: ScreenProps) {
  const { items } = t();
  const wanted = query.get('q')?.trim() ?? '';
  const [text, setText] = useState(wanted);
  const pages = useMore(`items ${ownClient()} ${wanted}`, (after, signal) => search(wanted, after, signal));
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
      <Show of={pages.loaded}>
        {(first) => (
          <>
            {first.length + pages.more.length === 0 ? (
              <Empty title={wanted === '' ? items.noneYet : items.none}>
                {wanted === '' ? items.noneYetHint : items.noneHint}
              </Empty>
            ) : (
              <div class="list">
                {[...first, ...pages.more].map((item) => (
                  <ItemRow key={item.itemId} of={item} />
                ))}
              </div>
            )}
            <MoreButton of={pages} />
          </>
        )}
      </Show>
    </Screen>
  );
}

function ItemRow({ of: { itemId, clientItemId, description, color, size, status, imageUrl } }: { of: FoundItem }) {
  return (
    <a class="row" href={href(at('item', itemId))}>
      <Picture url={imageUrl} label={description} isSmall />
      <span class="grow">
        <span class="strong">{description}</span>
        <br />
        <span class="code quiet small">{clientItemId}</span>{' '}
        <span class="quiet small">{[color, size].filter(Boolean).join(' · ')}</span>
      </span>
      {status !== '' && status !== 'Active' && <State look="risk">{word(t().find.states, status)}</State>}
    </a>
  );
}
