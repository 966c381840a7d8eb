/**
 * A field to choose a PIN. The PIN can be made visible, so it is typed only once. If the PIN is weak, the field shows one message in the
 * user's language.
 */
import { Eye, EyeOff } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import { shellTexts as t } from '../texts/index.ts';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';

export function PinField({
  value,
  onInput,
  isWeak,
  hasFocus,
}: {
  value: string;
  onInput: (value: string) => void;
  /** True if the service has rejected the PIN as weak. */
  isWeak: boolean;
  hasFocus?: boolean;
}) {
  const { signIn } = t();
  const [isShown, setShown] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hasFocus === true || isWeak) box.current?.querySelector('input')?.focus();
  }, [isWeak]);
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
        error={isWeak ? signIn.weakPin : undefined}
      />
      <div>
        <Button look="plain" icon={isShown ? EyeOff : Eye} onClick={() => setShown(!isShown)}>
          {isShown ? signIn.hidePin : signIn.showPin}
        </Button>
      </div>
    </div>
  );
}
