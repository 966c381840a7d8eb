/** The decision on held units. */
import { useState } from 'preact/hooks';
import { call, newId } from '../../api.ts';
import type { KeySums } from '../../offline/inbound.ts';
import { inboundPath } from '../../offline/inbound-wire.ts';
import { online } from '../../preferences.ts';
import { feedback } from '../../scan/feedback.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Stepper } from '../../ui/field.tsx';
import { useAction } from '../../ui/load.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { ownId } from '../../work/own-id.ts';
import { nameOf, shortLabel } from './receiving.ts';
import type { Shipping } from './use-shipment.tsx';

/** The name of a line of a shipment. */
export const keyName = ({ cartonId, itemId }: { cartonId?: string; itemId: string }) => `${cartonId ?? ''} ${itemId}`;

/** What becomes of held units: good, damaged or back with the driver. */
export function ApproveDialog({
  shipping,
  held,
  onClose,
}: {
  shipping: Shipping;
  held: readonly KeySums[];
  onClose: () => void;
}) {
  const { receive, actions } = t();
  type Decided = { good: number; damaged: number; refused: number };
  const [decided, setDecided] = useState<Readonly<Record<string, Decided>>>({});
  const [approvalId, setApprovalId] = useState(newId);
  const of = (key: KeySums): Decided => decided[keyName(key)] ?? { good: 0, damaged: 0, refused: 0 };
  const set = (key: KeySums, change: Partial<Decided>) => {
    setDecided({ ...decided, [keyName(key)]: { ...of(key), ...change } });
    setApprovalId(newId());
  };
  const sumOf = ({ good, damaged, refused }: Decided) => good + damaged + refused;
  const all = held.reduce((sum, key) => sum + key.held, 0);
  const done = held.reduce((sum, key) => sum + sumOf(of(key)), 0);
  const save = useAction(async () => {
    const lines = held.flatMap((key) => {
      const units = of(key);
      const given = Object.fromEntries(Object.entries(units).filter(([, quantity]) => quantity > 0));
      const { cartonId, itemId } = key;
      return sumOf(units) === 0 ? [] : [{ ...(cartonId !== undefined && { cartonId }), itemId, ...given }];
    });
    await call('POST', inboundPath(shipping.subject, '/approve'), { body: { approvalId, userId: ownId(), lines } });
    feedback('done');
    await shipping.reload();
    onClose();
  });
  const blocked = !online.value ? receive.closeOffline : done === 0 ? receive.approveSum(done, all) : undefined;
  return (
    <Dialog
      title={receive.heldTitle(all)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{actions.cancel}</Button>
          <Button look="main" isBusy={save.isBusy} blocked={blocked} onClick={() => void save.run()}>
            {receive.approve}
          </Button>
        </>
      }
    >
      <p role="status">{receive.approveSum(done, all)}</p>
      <div>
        <Button
          onClick={() => {
            setDecided(
              Object.fromEntries(held.map((key) => [keyName(key), { good: key.held, damaged: 0, refused: 0 }])),
            );
            setApprovalId(newId());
          }}
        >
          {receive.approveAllGood}
        </Button>
      </div>
      {held.map((key) => {
        const own = of(key);
        const left = key.held - sumOf(own);
        return (
          <fieldset class="stack tight card" key={keyName(key)}>
            <legend class="strong">
              {nameOf(key)}
              {key.cartonId !== undefined && ` · ${receive.carton(shortLabel(key.cartonId))}`}
            </legend>
            <p class="quiet">{receive.heldTitle(key.held)}</p>
            {(['good', 'damaged', 'refused'] as const).map((bucket) => (
              <Stepper
                label={receive.buckets[bucket]}
                value={own[bucket]}
                max={own[bucket] + left}
                onInput={(value) => set(key, { [bucket]: value })}
              />
            ))}
          </fieldset>
        );
      })}
      {save.error !== undefined && <ErrorNotice error={save.error} />}
    </Dialog>
  );
}
