/**
 * A field to choose a PIN. The PIN can be made visible, so it is typed only once. If the service rejects the PIN, the
 * field shows one message for the violated rule.
 */
import { Eye, EyeOff } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import { shellTexts as t } from '../texts/index.ts';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';

export function PinField({
  value,
  onInput,
  error,
  hasFocus,
}: {
  value: string;
  onInput: (value: string) => void;
  /** The error of the last save. */
  error: unknown;
  hasFocus?: boolean;
}) {
  const { signIn } = t();
  const [isShown, setShown] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const wrong = error instanceof ApiError ? error.errors.find(({ pointer }) => pointer === '/pin') : undefined;
  // The field shows its own message for these two rules. The messages of the service name the field of the request,
  // because they are for programs.
  const isForm = wrong?.rule === 'minLength' || wrong?.rule === 'pattern';
  useEffect(() => {
    if (hasFocus === true || wrong !== undefined) box.current?.querySelector('input')?.focus();
  }, [wrong]);
  return (
    <div ref={box} class="stack tight">
      <TextField
        label={signIn.pin}
        hint={signIn.newPinHint}
        type={isShown ? 'text' : 'password'}
        inputMode="numeric"
        value={value}
        onInput={onInput}
        maxLength={8}
        name="pin"
        isRequired
        error={isForm ? signIn.pinDigits : wrong?.message}
      />
      <div>
        <Button look="plain" icon={isShown ? EyeOff : Eye} onClick={() => setShown(!isShown)}>
          {isShown ? signIn.hidePin : signIn.showPin}
        </Button>
      </div>
    </div>
  );
}
