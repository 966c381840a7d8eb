/**
 * Signature or photo of a hand-over in the timeline of its order. It is read only on request, because each read is in
 * the access log.
 */
import { useState } from 'preact/hooks';
import { api, send } from '../api.ts';
import { may } from '../session.ts';
import { o, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Show, useLoad } from '../ui/load.tsx';

type Kind = 'SIGNATURE' | 'PHOTO';

interface ProofButtonProps {
  event: { type: string; data: Record<string, unknown> };
  order: { storeId: string; fulfillmentOrderId: string };
}

export function ProofButton({ event: { type, data }, order }: ProofButtonProps) {
  const { history } = o();
  const [isOpen, setOpen] = useState(false);
  const { proof: kind, handOverId } = data;
  const isKind = (value: unknown): value is Kind => value === 'SIGNATURE' || value === 'PHOTO';
  if (type !== 'order.handedOver' || typeof handOverId !== 'string' || !isKind(kind)) return null;
  if (!may('proofs.read')) return null;
  return (
    <>
      <Button look="plain" onClick={() => setOpen(true)}>
        {history.showProof[kind]}
      </Button>
      {isOpen && <ProofDialog kind={kind} order={order} handOverId={handOverId} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ProofDialogProps {
  kind: Kind;
  order: ProofButtonProps['order'];
  handOverId: string;
  onClose: () => void;
}

function ProofDialog({ kind, order, handOverId, onClose }: ProofDialogProps) {
  const { history, settings } = o();
  const { storeId, fulfillmentOrderId } = order;
  const loaded = useLoad(`proof ${fulfillmentOrderId} ${handOverId}`, (signal) =>
    send(
      api.GET('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/handOvers/{handOverId}/proof', {
        params: { path: { storeId, fulfillmentOrderId, handOverId } },
        signal,
      }),
    ),
  );
  const title = settings.proofKinds[kind];
  return (
    <Dialog title={title} onClose={onClose} actions={<Button onClick={onClose}>{t().actions.close}</Button>}>
      <Show of={loaded}>
        {({ mediaType, data }) => <img class="proof-picture" src={`data:${mediaType};base64,${data}`} alt={title} />}
      </Show>
      <p class="small quiet">{history.proofLogged}</p>
    </Dialog>
  );
}
