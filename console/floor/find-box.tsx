/** Scan or find anything: in the head of every screen's home. A scan or Enter leads to what it is. */
import { Search } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import { go, route } from '../router.ts';
import { shellTexts as t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';

export function FindBox({ value = '' }: { value?: string }) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Who comes to the screen of it comes to type.
    if (route.peek().path === '/find' && value === '') input.current?.focus();
  }, []);
  const { shell, actions } = t();
  return (
    <form
      class="find-box"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') go('/find', { code: text.trim() });
      }}
    >
      <input
        ref={input}
        class="input"
        type="search"
        value={text}
        placeholder={shell.find}
        aria-label={shell.find}
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        maxLength={200}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="button" aria-label={actions.search}>
        <Icon of={Search} />
      </button>
    </form>
  );
}
