/** Says why an action is not possible for an order or a ticket in its state, and what to do next. */
import { blocked as de } from '../texts/de/blocked.ts';
import { blocked as en } from '../texts/en/blocked.ts';
import { blocked as es } from '../texts/es/blocked.ts';
import { language, pseudo } from '../texts/index.ts';
import { Why } from '../ui/why.tsx';

// These texts load with this part. Code that loads the texts on demand would enlarge the shell, whose size is at its
// limit.
const TEXTS = { en, de, es };

interface BlockedProps {
  /** The order or the ticket, with its actions. */
  of: {
    status: string;
    outcome?: string | undefined;
    allowedActions: readonly { action: string; reason?: string | undefined }[];
  };
  action: string;
}

export function Blocked({ of: { status, outcome, allowedActions }, action }: BlockedProps) {
  const { why, ...texts } = pseudo(TEXTS[language.value]);
  const states: Readonly<Record<string, string | undefined>> = texts.states;
  const next = states[outcome ?? status];
  return (
    <div class="stack tight">
      {next !== undefined && <p>{next}</p>}
      <Why label={why}>{allowedActions.find((one) => one.action === action)?.reason}</Why>
    </div>
  );
}
