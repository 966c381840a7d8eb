/** Removes broken or missing units from the order. */
import { useRef } from 'preact/hooks';
import { api, newId, send } from '../../api.ts';
import { t } from '../../texts/index.ts';
import { ownId } from '../../work/own-id.ts';
import { ReasonDialog } from '../../work/reasons.tsx';
import type { PackDetail, PackLine } from './packing.ts';

interface DeclineProps {
  line: PackLine;
  detail: PackDetail;
  onDone: (count: number) => Promise<void>;
  onClose: () => void;
}

export function DeclineDialog({ line, detail, onDone, onClose }: DeclineProps) {
  const { pack, counter } = t();
  const key = useRef({ content: '', id: '' });
  const decline = async (quantity: number, reasonCode: string) => {
    const content = `${quantity} ${reasonCode}`;
    // Quantities add up in the service, so a retry must use the same key.
    if (key.current.content !== content) key.current = { content, id: newId() };
    const { storeId, fulfillmentOrderId, nodeId } = detail;
    await send(
      api.POST('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/decline', {
        params: { path: { storeId, fulfillmentOrderId }, header: { 'Idempotency-Key': key.current.id } },
        body: { nodeId, modifyAssociateId: ownId(), lines: [{ webLineId: line.webLineId, quantity, reasonCode }] },
      }),
    );
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
