/** The search box "scan or find anything" in the head of the home screens. A scan or Enter opens the result. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { go, route } from '../router.ts';
import { shellTexts as t } from '../texts/index.ts';
import { SearchBox } from '../ui/search-box.tsx';

export function FindBox({ value = '' }: { value?: string }) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The user opens the find screen in order to type.
    if (route.peek().path === '/find' && value === '') input.current?.focus();
  }, []);
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
      input={input}
    />
  );
}
