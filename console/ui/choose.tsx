/** Choices among many records, such as the nodes of a large client: a search box narrows the list. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { SelectField, TextField } from './field.tsx';

/** Maximum number of records that a list shows without a search box. */
const SHOWN_MAX = 12;

/** Returns a text for comparison: without case and accents. */
const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/**
 * Returns the records whose text contains every typed word, and the search box if the list is long. Enter in the box
 * calls `onEnter` with the first match.
 */
export function useSearch<T>(
  all: readonly T[],
  textOf: (one: T) => string,
  { label, onEnter }: { label?: string; onEnter: (first: T) => void },
): { found: readonly T[]; search: ComponentChildren } {
  const { counter, find } = t();
  const [text, setText] = useState('');
  if (all.length <= SHOWN_MAX) return { found: all, search: undefined };
  const words = plain(text).split(/\s+/);
  const found = all.filter((one) => words.every((word) => plain(textOf(one)).includes(word)));
  return {
    found,
    search: (
      <>
        <TextField
          label={label === undefined ? counter.findLabel : `${label}: ${counter.findLabel}`}
          type="search"
          value={text}
          maxLength={100}
          onInput={setText}
          onEnter={() => found[0] !== undefined && onEnter(found[0])}
        />
        {found.length === 0 && (
          <p class="quiet" role="status">
            {find.nothing(text.trim())}
          </p>
        )}
      </>
    ),
  };
}

interface Option {
  value: string;
  label: string;
}

/**
 * A choice of one record in a select, with a search box if there are many records. `all` has the choices that are
 * listed above the records.
 */
export function ChooseField({
  label,
  value,
  onInput,
  options,
  all = [],
}: {
  label: string;
  value: string;
  onInput: (value: string) => void;
  options: readonly Option[];
  all?: readonly Option[];
}) {
  const { found, search } = useSearch(options, (one) => `${one.label} ${one.value}`, {
    label,
    onEnter: (first) => onInput(first.value),
  });
  // The select shows the chosen record also while the search does not match it.
  const chosen = options.filter((one) => one.value === value && !found.includes(one));
  return (
    <>
      {search}
      <SelectField label={label} value={value} onInput={onInput} options={[...all, ...chosen, ...found]} />
    </>
  );
}
