/** The text field below the listed values of a choice, for a value that is not listed. */
import { useRef } from 'preact/hooks';
import { TextField } from './field.tsx';

/**
 * Asks for a value that is not in `listed`. The field keeps a typed text that equals a listed value, because the user
 * may still be typing: `A1` on the way to `A12`.
 */
export function OtherField({
  value,
  listed,
  onInput,
  ...field
}: {
  label: string;
  value: string;
  listed: readonly string[];
  maxLength: number;
  onInput: (value: string) => void;
  name?: string;
}) {
  const typed = useRef('');
  // A tap or a scan has replaced the typed text.
  if (value !== typed.current) typed.current = '';
  return (
    <TextField
      {...field}
      value={typed.current === '' && listed.includes(value) ? '' : value}
      onInput={(text) => {
        typed.current = text;
        onInput(text);
      }}
    />
  );
}
