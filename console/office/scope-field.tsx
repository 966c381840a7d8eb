/**
 * A choice between all options and single options. "All" is a separate choice, so removing the last tick does not grant
 * access to everything.
 */
import { useState } from 'preact/hooks';
import { o } from '../texts/index.ts';
import { useSearch } from '../ui/choose.tsx';
import { Check, Choices } from '../ui/field.tsx';

export interface ScopeOption {
  id: string;
  name: string;
}

export function ScopeField({
  label,
  all,
  options,
  values,
  onChange,
  error,
}: {
  label: string;
  /** The label of "all", for example `All nodes`. */
  all: string;
  options: readonly ScopeOption[];
  /** `undefined`: all. An empty list: the user has not chosen yet. */
  values: readonly string[] | undefined;
  onChange: (values: readonly string[] | undefined) => void;
  error?: string | undefined;
}) {
  const [last, setLast] = useState(values ?? []);
  const { found, search } = useSearch(options, ({ id, name }) => `${name} ${id}`, {
    label,
    onEnter: ({ id }) => values?.includes(id) !== true && set([...(values ?? []), id]),
  });
  const set = (some: readonly string[]) => {
    setLast(some);
    onChange(some);
  };
  return (
    <div class="stack tight">
      <Choices
        label={label}
        value={values === undefined ? 'all' : 'some'}
        options={[
          { value: 'all', label: all },
          { value: 'some', label: o().common.onlyThese },
        ]}
        onInput={(one) => (one === 'all' ? onChange(undefined) : onChange(last))}
        error={error}
      />
      {values !== undefined && (
        <div class="stack tight scope-options" role="group" aria-label={label}>
          {search}
          {found.map(({ id, name }) => (
            <Check
              label={name}
              hint={id}
              isChecked={values.includes(id)}
              onChange={(is) => set(is ? [...values, id] : values.filter((one) => one !== id))}
            />
          ))}
        </div>
      )}
    </div>
  );
}

/** Returns whether the choice cannot be saved because nothing is ticked. */
export function lacksChoice(values: readonly string[] | undefined): boolean {
  return values !== undefined && values.length === 0;
}
