/** A PIN that somebody chooses: shown on demand, so that it is typed once; a weak one is told in the person's words, once. */
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
  /** The service has rejected it. */
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
