/** Records a delivery attempt at which the customer was not at home. The goods come back to the store. */
import { useRef } from 'preact/hooks';
import type { components } from '../../../contract/client.d.ts';
import { api, newId, send } from '../../api.ts';
import { online } from '../../preferences.ts';
import { feedback } from '../../scan/feedback.ts';
import { place } from '../../session.ts';
import { t } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { useAction } from '../../ui/load.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { ownId } from '../../work/own-id.ts';

type Order = components['schemas']['OrderDetails'];

export function AwayDialog({ order, onDone, onClose }: { order: Order; onDone: () => void; onClose: () => void }) {
  const { deliver, counter } = t();
  const { nodeId } = place.value!;
  const { storeId, fulfillmentOrderId } = order;
  const id = useRef(newId());
  const action = useAction(async () => {
    await send(
      api.POST('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/deliver', {
        params: { path: { storeId, fulfillmentOrderId }, header: { 'Idempotency-Key': id.current } },
        body: { nodeId, modifyAssociateId: ownId(), notAtHome: true },
      }),
    );
    feedback('done');
    onDone();
  });
  return (
    <AskDialog
      title={deliver.notHomeTitle}
      onClose={onClose}
      act={deliver.notHomeMain}
      isBusy={action.isBusy}
      blocked={online.value ? undefined : counter.needsNetwork}
      onAct={() => void action.run()}
    >
      <p>{deliver.notHomeHint}</p>
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </AskDialog>
  );
}
