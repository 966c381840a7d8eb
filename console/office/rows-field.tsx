/** A list of rows with a few fields each. A button removes a row, another one adds a row. */
import { Plus, X } from 'lucide';
import { useId } from 'preact/hooks';
import { o } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { focusAdd } from '../ui/list-field.tsx';

export interface RowField<N extends string> {
  name: N;
  label: string;
  /** The values to choose from. Without them, the field is a text field. */
  options?: readonly { value: string; label: string }[];
  inputMode?: 'decimal' | 'numeric';
  /** True if the field is as wide as a number. */
  isShort?: boolean;
}

export function RowsField<R extends Readonly<Record<string, string>>>({
  label,
  hint,
  empty,
  fields,
  rows,
  onChange,
  fresh,
  errorOf,
}: {
  label: string;
  hint?: string;
  /** The text for an empty list. */
  empty: string;
  fields: readonly RowField<keyof R & string>[];
  rows: readonly R[];
  onChange: (rows: readonly R[]) => void;
  /** The values of a new row. */
  fresh: R;
  /** Returns the error of a row, by its index. */
  errorOf?: (row: number) => string | undefined;
}) {
  return (
    <fieldset class="stack tight">
      <legend class="strong">{label}</legend>
      {hint !== undefined && <p class="small quiet">{hint}</p>}
      {rows.length === 0 && <p class="small quiet">{empty}</p>}
      {rows.map((row, index) => (
        <div class="rows-field" key={index}>
          {fields.map((field) => (
            <Cell
              field={field}
              value={row[field.name] ?? ''}
              isFirst={index === 0}
              onInput={(value) =>
                onChange(rows.map((one, at) => (at === index ? { ...one, [field.name]: value } : one)))
              }
            />
          ))}
          <button
            type="button"
            class="button plain"
            aria-label={o().common.remove(row[fields[0]!.name] ?? '')}
            onClick={({ currentTarget }) => {
              focusAdd(currentTarget);
              onChange(rows.filter((_, at) => at !== index));
            }}
          >
            <Icon of={X} />
          </button>
          {errorOf?.(index) !== undefined && (
            <p class="error" role="alert">
              {errorOf(index)}
            </p>
          )}
        </div>
      ))}
      <div>
        <Button icon={Plus} label={o().common.addTo(label)} onClick={() => onChange([...rows, fresh])}>
          {o().common.add}
        </Button>
      </div>
    </fieldset>
  );
}

function Cell<N extends string>({
  field: { label, options, inputMode, isShort },
  value,
  isFirst,
  onInput,
}: {
  field: RowField<N>;
  value: string;
  isFirst: boolean;
  onInput: (value: string) => void;
}) {
  const id = useId();
  return (
    <div class={isShort === true ? 'cell short' : 'cell'}>
      <label for={id} class={isFirst ? 'small quiet' : 'visually-hidden'}>
        {label}
      </label>
      {options === undefined ? (
        <input
          id={id}
          class="input"
          value={value}
          inputMode={inputMode}
          autoComplete="off"
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      ) : (
        <select id={id} class="input" value={value} onChange={(event) => onInput(event.currentTarget.value)}>
          {options.map((one) => (
            <option value={one.value} selected={one.value === value}>
              {one.label}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
