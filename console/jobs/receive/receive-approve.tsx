/** The decision on held units. */
import { useState } from 'preact/hooks';
import { call, newId } from '../../api.ts';
import { useChoices } from '../../choices.ts';
import type { KeySums, Shipment } from '../../offline/inbound.ts';
import { inboundPath } from '../../offline/inbound-wire.ts';
import { online } from '../../preferences.ts';
import { feedback } from '../../scan/feedback.ts';
import { t } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Stepper } from '../../ui/field.tsx';
import { useAction } from '../../ui/load.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { ownId } from '../../work/own-id.ts';
import { goodToWord, withPlace } from './good-to.ts';
import { keyName } from './key-name.ts';
import { Parts } from './receive-parts.tsx';
import { nameOf, reasonWord, shortLabel } from './receiving.ts';
import type { Shipping } from './use-shipment.tsx';

const BUCKETS = ['good', 'damaged', 'refused'] as const;
type Decided = Readonly<Record<(typeof BUCKETS)[number], number>>;

const NONE: Decided = { good: 0, damaged: 0, refused: 0 };
const sumOf = ({ good, damaged, refused }: Decided) => good + damaged + refused;

interface ApproveDialogProps {
  shipping: Shipping;
  held: readonly KeySums[];
  /** Closes the dialog; `decided` is the sentence about the saved decision. */
  onClose: (decided?: string) => void;
}

/** Asks for the decision on held units: good, damaged, or back with the driver. */
export function ApproveDialog({ shipping, held, onClose }: ApproveDialogProps) {
  const { receive } = t();
  useChoices();
  const [decided, setDecided] = useState<Readonly<Record<string, Decided>>>({});
  const [approvalId, setApprovalId] = useState(newId);
  const of = (key: KeySums): Decided => decided[keyName(key)] ?? NONE;
  const decide = (next: Readonly<Record<string, Decided>>) => {
    setDecided(next);
    // A decision with other content is another decision, so it gets a new id.
    setApprovalId(newId());
  };
  const all = held.reduce((sum, key) => sum + key.held, 0);
  const done = held.reduce((sum, key) => sum + sumOf(of(key)), 0);
  const save = useAction(async () => {
    const lines = held.flatMap((key) => {
      const units = of(key);
      const given = Object.fromEntries(Object.entries(units).filter(([, quantity]) => quantity > 0));
      const { cartonId, itemId } = key;
      return sumOf(units) === 0
        ? []
        : [withPlace(shipping.subject, { ...(cartonId !== undefined && { cartonId }), itemId, ...given })];
    });
    await call('POST', inboundPath(shipping.subject, '/approve'), { body: { approvalId, userId: ownId(), lines } });
    feedback('done');
    await shipping.reload();
    onClose(savedWord(Object.values(decided), goodToWord(shipping.subject)));
  });
  const blocked = !online.value ? receive.closeOffline : done === 0 ? receive.approveSum(done, all) : undefined;
  return (
    <AskDialog
      title={receive.heldTitle(all)}
      onClose={() => onClose()}
      act={receive.approve}
      isBusy={save.isBusy}
      blocked={blocked}
      onAct={() => void save.run()}
    >
      <p role="status">{receive.approveSum(done, all)}</p>
      <div>
        <Button
          onClick={() => decide(Object.fromEntries(held.map((key) => [keyName(key), { ...NONE, good: key.held }])))}
        >
          {receive.approveAllGood}
        </Button>
      </div>
      <p class="quiet">{goodToWord(shipping.subject)}</p>
      {held.map((key) => (
        <HeldKey
          key={keyName(key)}
          of={key}
          reasons={reasonsFor(shipping.view?.shipment, key)}
          units={of(key)}
          onChange={(units) => decide({ ...decided, [keyName(key)]: units })}
        />
      ))}
      {save.error !== undefined && <ErrorNotice error={save.error} />}
    </AskDialog>
  );
}

/** Returns the sentence about a saved decision: the units of each kind, and the place of the good units. */
function savedWord(units: readonly Decided[], goodTo: string): string {
  const { receive } = t();
  const sums = BUCKETS.map((bucket) => [bucket, units.reduce((sum, one) => sum + one[bucket], 0)] as const);
  const parts = sums.filter(([, sum]) => sum > 0).map(([bucket, sum]) => receive.counted(sum, receive.buckets[bucket]));
  return [...parts, ...(sums[0]![1] > 0 ? [goodTo] : [])].join(' · ');
}

/** Returns the reasons that users gave when they put units of the line on hold. */
function reasonsFor(shipment: Shipment | undefined, { cartonId, itemId }: KeySums): string[] {
  const receipts = shipment?.receipts ?? [];
  const given = receipts.flatMap(({ cartons, lines }) => [
    ...cartons.filter((one) => one.as === 'HELD' && one.cartonId === cartonId),
    ...lines.filter((one) => one.held > 0 && one.cartonId === cartonId && one.itemId === itemId),
  ]);
  return [...new Set(given.flatMap(({ reason }) => reason ?? []))];
}

interface HeldKeyProps {
  of: KeySums;
  reasons: readonly string[];
  units: Decided;
  onChange: (units: Decided) => void;
}

/** Fields for the held units of one line. */
function HeldKey({ of, reasons, units, onChange }: HeldKeyProps) {
  const { receive } = t();
  const left = of.held - sumOf(units);
  return (
    <fieldset class="stack tight card">
      <legend class="strong">
        {nameOf(of)}
        {of.cartonId !== undefined && ` · ${receive.carton(shortLabel(of.cartonId))}`}
      </legend>
      <p class="quiet">{receive.heldTitle(of.held)}</p>
      <Parts of={{ ...of, held: 0 }} />
      {reasons.length > 0 && <p>{reasons.map(reasonWord).join(', ')}</p>}
      {BUCKETS.map((bucket) => (
        <Stepper
          label={receive.buckets[bucket]}
          value={units[bucket]}
          max={units[bucket] + left}
          onInput={(value) => onChange({ ...units, [bucket]: value })}
        />
      ))}
    </fieldset>
  );
}
