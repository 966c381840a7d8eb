/** Asks why units are missing, damaged or not wanted: a reason of the step, and the number of units. */
import { useState } from 'preact/hooks';
import { likelyReason, reasonsOf, rememberReason, type Step } from '../choices.ts';
import { t } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Choices, Stepper } from '../ui/field.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useScan } from './use-scan.ts';

export function Reasons({
  step,
  label,
  value,
  onInput,
  error,
}: {
  step: Step;
  label: string;
  value: string;
  onInput: (reason: string) => void;
  error?: string | undefined;
}) {
  return <Choices label={label} value={value} options={reasonsOf(step)} onInput={onInput} error={error} />;
}

interface ReasonProps {
  step: Step;
  title: string;
  label: string;
  /** The affected item or order, and the consequence. */
  what?: string;
  hint?: string;
  /** The number of units to enter. Without it, the dialog is about all units, or about a number in its title. */
  units?: { label: string; first: number; min?: number; max: number };
  /** The current reason. Default: the most likely reason. */
  reason?: string;
  main: (units: number) => string;
  run: (units: number, reason: string) => void | Promise<void>;
  onClose: () => void;
}

export function ReasonDialog(props: ReasonProps) {
  const { step, title, label, what, hint, units, main, onClose } = props;
  const [count, setCount] = useState(units?.first ?? 0);
  const [reason, setReason] = useState(() => likelyReason(step, props.reason));
  const [error, setError] = useState<string | undefined>();
  const counted = units === undefined ? 0 : Math.min(count, units.max);
  const save = useAction(async () => {
    rememberReason(step, reason);
    await props.run(counted, reason);
  });
  const run = () => {
    if (reason === '') setError(t().pick.shortReasonMissing);
    else void save.run();
  };
  useScan(({ command }) => {
    if (command === 'OK') run();
    else if (command === 'UNDO') onClose();
    // If a missing unit is found and scanned, the scan counts as usual.
    return command === undefined ? false : undefined;
  });
  return (
    <AskDialog title={title} onClose={onClose} act={main(counted)} isBusy={save.isBusy} onAct={run} takesEnter>
      {what !== undefined && <p>{what}</p>}
      {units !== undefined && (
        <Stepper label={units.label} value={counted} min={units.min ?? 1} max={units.max} onInput={setCount} />
      )}
      <Reasons step={step} label={label} value={reason} onInput={setReason} error={error} />
      {hint !== undefined && <p class="small quiet">{hint}</p>}
      {save.error !== undefined && <ErrorNotice error={save.error} />}
    </AskDialog>
  );
}
