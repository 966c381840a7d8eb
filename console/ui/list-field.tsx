/** A list of words. Each word has a button that removes it, and a field adds one. */
import { Plus, X } from 'lucide';
import { useId, useState } from 'preact/hooks';
import { o } from '../texts/index.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface ListFieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  values: readonly string[];
  onChange: (values: readonly string[]) => void;
  placeholder?: string;
  /** The suggestions of the field. */
  suggestions?: readonly string[];
  /** The text for an empty list. */
  empty?: string;
  type?: 'text' | 'date' | 'url';
}

/** Moves the focus from a button that is removed with its row to the last button of the list, which adds a row. */
export function focusAdd(removed: HTMLElement): void {
  [...removed.closest('fieldset')!.querySelectorAll('button')].at(-1)?.focus();
}

export function ListField(props: ListFieldProps) {
  const { label, hint, error, values, onChange, placeholder, suggestions = [], empty, type = 'text' } = props;
  const id = useId();
  const [text, setText] = useState('');
  const add = () => {
    const one = text.trim();
    if (one !== '' && !values.includes(one)) onChange([...values, one]);
    setText('');
  };
  return (
    <fieldset class="stack tight list-field">
      <legend class="strong small">{label}</legend>
      {values.length === 0 && empty !== undefined && <p class="small quiet">{empty}</p>}
      {values.length > 0 && (
        <ul class="chips">
          {values.map((one) => (
            <li key={one} class="chip">
              <span>{one}</span>
              <button
                type="button"
                aria-label={o().common.remove(one)}
                onClick={({ currentTarget }) => {
                  focusAdd(currentTarget);
                  onChange(values.filter((other) => other !== one));
                }}
              >
                <Icon of={X} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="inline list-field-new">
        <input
          class="input"
          type={type}
          value={text}
          placeholder={placeholder}
          list={suggestions.length > 0 ? id : undefined}
          aria-label={o().common.addTo(label)}
          autoComplete="off"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <Button icon={Plus} onClick={add}>
          {o().common.add}
        </Button>
        {suggestions.length > 0 && (
          <datalist id={id}>
            {suggestions.map((one) => (
              <option value={one} />
            ))}
          </datalist>
        )}
      </div>
      {hint !== undefined && <p class="small quiet">{hint}</p>}
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
