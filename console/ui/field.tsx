/** Form fields: a label above, a hint below, the error at the field. */

import { CircleAlert } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface FieldProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
}

function Frame({ label, hint, error, id, children }: FieldProps & { id: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="error" id={`${id}-error`} role="alert">
          <Icon of={CircleAlert} />
          {error}
        </p>
      )}
    </div>
  );
}

/** Returns the ids of the hint and the error. Browsers ignore the id of an absent one. */
const describedBy = (id: string) => `${id}-hint ${id}-error`;

interface TextFieldProps extends FieldProps {
  value: string;
  onInput: (value: string) => void;
  type?: 'text' | 'password' | 'search' | 'tel' | 'email' | 'date' | 'datetime-local' | 'url' | undefined;
  inputMode?: 'text' | 'numeric' | 'decimal' | 'tel' | 'email' | 'none' | undefined;
  autoComplete?: string | undefined;
  isRequired?: boolean | undefined;
  maxLength?: number | undefined;
  name?: string | undefined;
  isMultiline?: boolean | undefined;
  placeholder?: string | undefined;
  autoFocus?: boolean | undefined;
  /** Enter in the field runs the action of the screen. */
  onEnter?: (() => void) | undefined;
}

export function TextField({
  label,
  hint,
  error,
  value,
  onInput,
  type = 'text',
  inputMode,
  autoComplete = 'off',
  isRequired,
  maxLength,
  name,
  isMultiline,
  placeholder,
  autoFocus,
  onEnter,
}: TextFieldProps) {
  const id = useId();
  const common = {
    id,
    class: 'input',
    value,
    name,
    maxLength,
    placeholder,
    required: isRequired,
    autoFocus,
    'aria-invalid': error !== undefined ? ('true' as const) : undefined,
    'aria-describedby': describedBy(id),
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
    onKeyDown:
      onEnter &&
      ((event: KeyboardEvent) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        onEnter();
      }),
  };
  // Preact has a separate type for each kind of input; here one input has several kinds.
  const kind = { type, inputMode, autoComplete } as { type: 'text' };
  return (
    <Frame label={label} hint={hint} error={error} id={id}>
      {isMultiline === true ? (
        <textarea {...common} rows={3} />
      ) : (
        <input {...common} {...kind} autoCapitalize="off" spellcheck={false} />
      )}
    </Frame>
  );
}

/** A choice of one value in a native select. */
export function SelectField({
  label,
  hint,
  error,
  value,
  onInput,
  options,
}: FieldProps & {
  value: string;
  onInput: (value: string) => void;
  options: readonly { value: string; label: string }[];
}) {
  const id = useId();
  return (
    <Frame label={label} hint={hint} error={error} id={id}>
      <select
        id={id}
        class="input"
        value={value}
        aria-invalid={error !== undefined ? 'true' : undefined}
        aria-describedby={describedBy(id)}
        onChange={(event) => onInput(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

/** A checkbox with its whole row as the label. */
export function Check({
  label,
  hint,
  isChecked,
  onChange,
}: {
  label: string;
  hint?: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}) {
  return (
    <label class="choice">
      <input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {hint !== undefined && <span class="small quiet"> {hint}</span>}
      </span>
    </label>
  );
}

/** A choice of one value from a short list. All values are visible, so one tap chooses. */
export function Choices({
  label,
  value,
  options,
  onInput,
  error,
}: {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onInput: (value: string) => void;
  error?: string | undefined;
}) {
  const id = useId();
  return (
    <fieldset class="stack tight" aria-invalid={error !== undefined ? 'true' : undefined}>
      <legend class="strong">{label}</legend>
      {options.map((option) => (
        <label class="choice">
          <input
            type="radio"
            name={id}
            value={option.value}
            checked={option.value === value}
            onChange={() => onInput(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** A quantity with buttons for one less and one more. It can be typed, but scans do not change it. */
export function Stepper({
  label,
  value,
  min = 0,
  max,
  onInput,
}: {
  label: string;
  value: number;
  min?: number;
  max: number;
  onInput: (value: number) => void;
}) {
  const id = useId();
  // An empty field counts as the minimum. It stays empty until it loses the focus, so that a number can be typed.
  const [isEmpty, setEmpty] = useState(false);
  const limited = (next: number) => Math.max(min, Math.min(max, next));
  const set = (next: number) => {
    setEmpty(false);
    onInput(limited(next));
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="stepper">
        <button
          type="button"
          class="button"
          aria-label={`${label} −1`}
          disabled={value <= min}
          onClick={() => set(value - 1)}
        >
          −
        </button>
        <input
          id={id}
          class="input"
          inputMode="numeric"
          value={isEmpty ? '' : value}
          data-scan="restore"
          onInput={({ currentTarget: field }) => {
            const typed = Number.parseInt(field.value, 10);
            const hasNumber = Number.isFinite(typed);
            const next = hasNumber ? limited(typed) : min;
            // If the quantity does not change, Preact does not draw the field again and the typed text would remain. The handler
            // therefore sets the text of the field.
            field.value = hasNumber ? String(next) : '';
            setEmpty(!hasNumber);
            onInput(next);
          }}
          onBlur={() => setEmpty(false)}
        />
        <button
          type="button"
          class="button"
          aria-label={`${label} +1`}
          disabled={value >= max}
          onClick={() => set(value + 1)}
        >
          +
        </button>
      </div>
    </div>
  );
}
