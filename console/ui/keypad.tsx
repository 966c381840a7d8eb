/**
 * A number pad with large keys, to enter a quantity with a thumb or with gloves. Digits of a keyboard work, too; scans
 * do not change the quantity.
 */
import { Delete } from 'lucide';
import { useId } from 'preact/hooks';
import { Icon } from './icon.tsx';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '00', '0'] as const;

export function Keypad({
  label,
  value,
  onInput,
  max = 99_999,
  clear,
}: {
  label: string;
  value: number;
  onInput: (value: number) => void;
  max?: number;
  /** Label of the key that deletes the last digit. */
  clear: string;
}) {
  const id = useId();
  const set = (text: string) => {
    const typed = Number.parseInt(text === '' ? '0' : text, 10);
    if (typed <= max) onInput(typed);
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input keypad-value"
        inputMode="none"
        autoComplete="off"
        value={value}
        data-scan="restore"
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => {
          const digits = event.currentTarget.value.replace(/\D/g, '');
          set(digits);
          // A digit beyond the maximum does nothing, like its key, so that the field and the button show the same
          // number.
          if (Number(digits) > max) event.currentTarget.value = String(value);
        }}
      />
      <div class="keypad">
        {KEYS.map((key) => (
          <button type="button" class="button" onClick={() => set(`${value}${key}`)}>
            {key}
          </button>
        ))}
        <button type="button" class="button" aria-label={clear} onClick={() => set(String(value).slice(0, -1))}>
          <Icon of={Delete} />
        </button>
      </div>
    </div>
  );
}
