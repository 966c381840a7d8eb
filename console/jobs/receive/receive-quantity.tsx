/** Asks for the quantity of an item and its state: good, damaged, rejected or on hold, with the reason. */
import { useState } from 'preact/hooks';
import type { Bucket, KeySums } from '../../offline/inbound.ts';
import { BUCKETS } from '../../offline/inbound.ts';
import { t } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Choices } from '../../ui/field.tsx';
import { Keypad } from '../../ui/keypad.tsx';
import { OtherField } from '../../ui/other-field.tsx';
import { nameOf } from './receiving.ts';

/** The most frequent reasons, by the state of the units. */
const REASONS_OF: Record<Exclude<Bucket, 'good'>, readonly string[]> = {
  damaged: ['CRUSHED', 'WET', 'BROKEN', 'EXPIRED'],
  refused: ['CRUSHED', 'WET', 'WRONG_ITEM', 'NOT_ORDERED', 'TOO_MANY', 'EXPIRED'],
  held: ['TO_BE_CHECKED', 'QUALITY', 'WRONG_ITEM', 'TOO_MANY'],
};

/** Maximum length of a reason, in characters. */
export const REASON_MAX = 40;

/** Offers the usual reasons or a free text. */
export function ReasonPicker({
  label,
  codes,
  value,
  onInput,
}: {
  label: string;
  codes: readonly string[];
  value: string;
  onInput: (reason: string) => void;
}) {
  const { receive } = t();
  return (
    <div class="stack tight">
      <Choices
        label={label}
        value={value}
        onInput={onInput}
        options={codes.map((code) => ({ value: code, label: receive.reasons[code] ?? code }))}
      />
      <OtherField
        label={receive.whyOther}
        value={value}
        listed={codes}
        maxLength={REASON_MAX}
        onInput={(text) => onInput(text.trimStart())}
      />
    </div>
  );
}

export interface Quantity {
  bucket: Bucket;
  units: number;
  reason?: string;
}

export function QuantityDialog({
  of,
  onClose,
  onBook,
}: {
  of: KeySums;
  onClose: () => void;
  onBook: (quantity: Quantity) => void;
}) {
  const { receive, actions } = t();
  const [units, setUnits] = useState(0);
  const [bucket, setBucket] = useState<Bucket>('good');
  const [reason, setReason] = useState('');
  const blocked =
    units === 0 ? receive.quantityMissing : bucket !== 'good' && reason.trim() === '' ? receive.whyMissing : undefined;
  const book = () => {
    if (blocked !== undefined) return;
    onBook({ bucket, units, ...(bucket !== 'good' && { reason: reason.trim() }) });
  };
  return (
    <AskDialog title={nameOf(of)} onClose={onClose} act={receive.book(units)} blocked={blocked} onAct={book} takesEnter>
      <Keypad label={receive.howMany} value={units} onInput={setUnits} clear={actions.delete} />
      <fieldset class="receive-buckets">
        <legend class="strong">{receive.what}</legend>
        {BUCKETS.map((one) => (
          <button
            type="button"
            class="button"
            aria-pressed={one === bucket}
            onClick={() => {
              setBucket(one);
              setReason('');
            }}
          >
            {receive.buckets[one]}
          </button>
        ))}
      </fieldset>
      {bucket !== 'good' && (
        <ReasonPicker label={receive.why} codes={REASONS_OF[bucket]} value={reason} onInput={setReason} />
      )}
    </AskDialog>
  );
}

/** Asks for the reason if a whole carton is not good. */
export function WholeDialog({
  as,
  title,
  onClose,
  onBook,
}: {
  as: 'DAMAGED' | 'REFUSED' | 'HELD';
  title: string;
  onClose: () => void;
  onBook: (reason: string) => void;
}) {
  const { receive } = t();
  const [reason, setReason] = useState('');
  const bucket = as.toLowerCase() as Exclude<Bucket, 'good'>;
  const blocked = reason.trim() === '' ? receive.whyMissing : undefined;
  return (
    <AskDialog
      title={title}
      onClose={onClose}
      act={receive.buckets[bucket]}
      blocked={blocked}
      onAct={() => onBook(reason.trim())}
      takesEnter
    >
      <ReasonPicker label={receive.why} codes={REASONS_OF[bucket]} value={reason} onInput={setReason} />
    </AskDialog>
  );
}
