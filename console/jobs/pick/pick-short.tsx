/** Units that are not there: how many, and why. */
import { useState } from 'preact/hooks';
import { choices, reasonText } from '../../choices.ts';
import type { ItemView } from '../../offline/view.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choices, Stepper } from '../../ui/field.tsx';
import { useScan } from '../../work/use-scan.ts';

/** Reasons of other work than picking: they stand behind "more". */
const ELSEWHERE = new Set([
  'CancelMXCustomerAbandon',
  'CancelMXCreditCustomerRefusal',
  'CancelMXStoreInactivity',
  'CancelCustomerInitiated',
  'STSProductReceivedDamagedExterior',
  'STSProductReceivedDamagedInterior',
  'STSPackageNotReceived',
  'STSProductNotReceived',
  'STSWrongProductReceived',
]);
/** What is missing most often is simply not there. */
const USUAL = 'CancelMXOutOfStock';
/** The reason given last on this device comes first the next time. */
let last: string | undefined;

/** The reasons to choose from, those of picking first. */
function reasons(): { usual: string | undefined; near: string[]; far: string[] } {
  const codes = choices.value?.cancelReasons.map(({ code }) => code) ?? [USUAL];
  const near = codes.filter((code) => !ELSEWHERE.has(code));
  const usual = [last, USUAL, near[0]].find((code) => code !== undefined && codes.includes(code));
  const first = near.filter((code) => code === usual);
  return {
    usual,
    near: [...first, ...near.filter((code) => code !== usual)],
    far: codes.filter((code) => ELSEWHERE.has(code)),
  };
}

interface ShortProps {
  title: string;
  /** Of one item: how many may be missing. Absent: all that is open of the ticket. */
  item?: ItemView | undefined;
  onShort: (units: number, reason: string) => void;
  onClose: () => void;
}

export function ShortDialog({ title, item, onShort, onClose }: ShortProps) {
  const { pick, actions } = t();
  const [units, setUnits] = useState(item?.left ?? 0);
  const [reason, setReason] = useState(usualReason() ?? '');
  const [error, setError] = useState<string | undefined>();
  const most = item?.left ?? 0;
  const counted = Math.min(units, most);
  const run = () => {
    if (reason === '') {
      setError(pick.shortReasonMissing);
      return;
    }
    last = reason;
    onShort(counted, reason);
  };
  useScan(({ command }) => {
    if (command === 'OK') {
      run();
      return undefined;
    }
    if (command === 'UNDO') {
      onClose();
      return undefined;
    }
    // A unit that turns up after all counts as always.
    return command === undefined ? false : undefined;
  });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={run}
      actions={
        <>
          <Button onClick={onClose}>{actions.cancel}</Button>
          <Button look="main" onClick={run}>
            {item === undefined ? pick.short : pick.shortDo(counted)}
          </Button>
        </>
      }
    >
      {item !== undefined && (
        <>
          <p>{item.item.itemDetails.itemDesc}</p>
          <Stepper label={pick.shortQuantity} value={counted} min={1} max={most} onInput={setUnits} />
        </>
      )}
      <Reasons value={reason} onInput={setReason} error={error} />
    </Dialog>
  );
}

/** The reason that is most likely meant. */
export function usualReason(): string | undefined {
  return reasons().usual;
}

/** The reasons to choose from; those of other work than picking come by a tap. */
export function Reasons({
  value,
  onInput,
  error,
}: {
  value: string;
  onInput: (reason: string) => void;
  error?: string | undefined;
}) {
  const { pick } = t();
  const { near, far } = reasons();
  const [isAll, setAll] = useState(far.includes(value));
  const option = (code: string) => ({ value: code, label: labelOf(code) });
  const shown = isAll ? [...near, ...far] : near;
  return (
    <>
      <Choices label={pick.shortReason} value={value} options={shown.map(option)} onInput={onInput} error={error} />
      {!isAll && far.length > 0 && (
        <Button look="plain" onClick={() => setAll(true)}>
          {pick.moreReasons}
        </Button>
      )}
    </>
  );
}

function labelOf(code: string): string {
  const known = choices.value?.cancelReasons.find((one) => one.code === code);
  return reasonText(known ?? { code, description: code });
}
