/** Removes broken or missing units from the order. */
import { useRef } from 'preact/hooks';
import { api, newId, send } from '../../api.ts';
import { t } from '../../texts/index.ts';
import { mayBeDone } from '../../work/counter-lost.ts';
import { ownId } from '../../work/own-id.ts';
import { ReasonDialog } from '../../work/reasons.tsx';
import type { PackDetail, PackLine } from './packing.ts';

interface DeclineProps {
  line: PackLine;
  detail: PackDetail;
  onDone: (count: number) => Promise<void>;
  onFailed: () => void;
  onClose: () => void;
}

export function DeclineDialog({ line, detail, onDone, onFailed, onClose }: DeclineProps) {
  const { pack, counter } = t();
  const open = useRef<{ key: string; quantity: number; reasonCode: string } | undefined>(undefined);
  const decline = async (units: number, reason: string) => {
    // Quantities add up in the service. If a response was lost, the retry therefore sends the same units with the same
    // key, also if the user has changed them; the screen then shows the units that were recorded.
    open.current ??= { key: newId(), quantity: units, reasonCode: reason };
    const { key, quantity, reasonCode } = open.current;
    const { storeId, fulfillmentOrderId, nodeId } = detail;
    await send(
      api.POST('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/decline', {
        params: { path: { storeId, fulfillmentOrderId }, header: { 'Idempotency-Key': key } },
        body: { nodeId, modifyAssociateId: ownId(), lines: [{ webLineId: line.webLineId, quantity, reasonCode }] },
      }),
    ).catch((error: unknown) => {
      if (!mayBeDone(error)) open.current = undefined;
      onFailed();
      throw error;
    });
    await onDone(quantity);
  };
  return (
    <ReasonDialog
      step="pack"
      title={line.itemDesc}
      label={counter.reason}
      hint={pack.declineHint}
      units={{ label: pack.declineUnits, first: 1, max: line.wantedQuantity }}
      main={() => pack.declineMain}
      run={decline}
      onClose={onClose}
    />
  );
}
