/**
 * The search box "scan or find anything" of the home screen and of the find screen. A scan or Enter opens the result.
 */
import { useState } from 'preact/hooks';
import { go } from '../router.ts';
import { shellTexts as t } from '../texts/index.ts';
import { SearchBox } from '../ui/search-box.tsx';

export function FindBox({ value = '' }: { value?: string }) {
  const [text, setText] = useState(value);
  return (
    <SearchBox
      label={t().shell.find}
      value={text}
      onInput={setText}
      onSearch={(code) => {
        if (code !== '') go('/find', { code });
      }}
      max={200}
      id="find-anything"
    />
  );
}
