/** All of something, or only those that are ticked. "All" is a choice of its own: the last tick that goes does not widen a right. */
import { useState } from 'preact/hooks';
import { o } from '../texts/index.ts';
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
  /** What "all" is called here: `All nodes`. */
  all: string;
  options: readonly ScopeOption[];
  /** `undefined`: all. An empty list is a choice that is not made yet. */
  values: readonly string[] | undefined;
  onChange: (values: readonly string[] | undefined) => void;
  error?: string | undefined;
}) {
  const [last, setLast] = useState(values ?? []);
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
          {options.map(({ id, name }) => (
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

/** Why a choice cannot be saved: nothing is ticked. */
export function lacksChoice(values: readonly string[] | undefined): boolean {
  return values !== undefined && values.length === 0;
}
