/** A search whose text is in the address. */
import { useEffect, useState } from 'preact/hooks';
import { SearchBox, type SearchBoxProps } from './search-box.tsx';

/** A search box whose text follows `q` in the address. */
export function QueryBox({ q, ...box }: { q: string } & Pick<SearchBoxProps, 'label' | 'onSearch' | 'max'>) {
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  return <SearchBox {...box} value={text} onInput={setText} />;
}
