/** A search field. Enter or its button starts the search. */
import { Search } from 'lucide';
import { shellTexts as t } from '../texts/index.ts';
import { Icon } from './icon.tsx';

export interface SearchBoxProps {
  label: string;
  value: string;
  onInput: (text: string) => void;
  /** Called with the trimmed text. */
  onSearch: (text: string) => void;
  /** Maximum length that the service accepts. */
  max: number;
  id?: string;
}

export function SearchBox({ label, value, onInput, onSearch, max, id }: SearchBoxProps) {
  return (
    <form
      class="find-box"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(value.trim());
      }}
    >
      <input
        {...(id !== undefined && { id })}
        class="input"
        type="search"
        value={value}
        placeholder={label}
        aria-label={label}
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        maxLength={max}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <button type="submit" class="button" aria-label={t().actions.search}>
        <Icon of={Search} />
      </button>
    </form>
  );
}
