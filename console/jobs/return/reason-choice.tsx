/**
 * The question why the goods come back: one tap on a reason. No reason is chosen at first; the customer may also give
 * none.
 */
import { useState } from 'preact/hooks';
import { ownWord } from '../../choices.ts';
import { findScanTarget } from '../../scan/target.tsx';
import { takeBackTexts } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import type { ReturnChoices } from './returning.ts';

/** The value if the customer gives no reason. The service gets no reason then. */
export const NOT_SAID = '';

interface ReasonProps {
  reasons: ReturnChoices['reasons'];
  /** Undefined until the user has chosen. */
  value: string | undefined;
  onInput: (reason: string) => void;
}

export function ReasonChoice({ reasons, value, onInput }: ReasonProps) {
  const texts = takeBackTexts();
  const [isOpen, setOpen] = useState(true);
  if (reasons.length === 0) return null;
  const options = [
    ...reasons.map((one) => ({ code: one.code, label: ownWord(one) })),
    { code: NOT_SAID, label: texts.notSaid },
  ];
  const chosen = options.find(({ code }) => code === value);
  if (chosen !== undefined && !isOpen)
    return (
      <div class="split return-reason">
        <span>
          <span class="quiet">{texts.reason}:</span> <span class="strong">{chosen.label}</span>
        </span>
        <Button onClick={() => setOpen(true)}>{texts.changeReason}</Button>
      </div>
    );
  return (
    <fieldset class="stack tight return-reason">
      <legend class="strong">{texts.reason}</legend>
      <div class="return-reasons">
        {options.map(({ code, label }) => (
          <button
            type="button"
            class="button"
            aria-pressed={code === value ? 'true' : 'false'}
            onClick={() => {
              onInput(code);
              setOpen(false);
              setTimeout(findScanTarget);
            }}
          >
            {label}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** Returns the text that asks for a choice, if the user has not chosen a reason yet; otherwise undefined. */
export function reasonBlock(reasons: ReturnChoices['reasons'], value: string | undefined): string | undefined {
  return reasons.length > 0 && value === undefined ? takeBackTexts().chooseReason : undefined;
}
