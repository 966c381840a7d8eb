/**
 * The notice about held units of a shipment or carton: their number, and the button for the decision, or the role that
 * decides.
 */
import { Gavel } from 'lucide';
import { useState } from 'preact/hooks';
import type { Shipment } from '../../offline/inbound.ts';
import { may } from '../../session.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Shipping } from './use-shipment.tsx';

const ApproveDialog = lazy(async () => (await import('./receive-approve.tsx')).ApproveDialog);

/**
 * Shows the held units of one carton or of the shipment, with the button for the decision, and afterwards the decision.
 * Shows nothing for a closed shipment or without held units.
 */
export function HeldNotice({
  shipping,
  shipment,
  cartonId,
}: {
  shipping: Shipping;
  shipment: Shipment;
  cartonId?: string;
}) {
  const { receive } = t();
  const [isAsking, setAsking] = useState(false);
  const [decided, setDecided] = useState<string | undefined>();
  const held = shipment.sums.keys.filter(
    (key) => key.held > 0 && (cartonId === undefined || key.cartonId === cartonId),
  );
  if (shipment.state === 'CLOSED') return null;
  if (held.length === 0) {
    return decided === undefined ? null : (
      <div role="status">
        <Notice look="right" title={decided} />
      </div>
    );
  }
  const isLead = may('receipts.approve');
  const units = held.reduce((sum, key) => sum + key.held, 0);
  return (
    <Notice look="risk" title={receive.heldTitle(units)}>
      <p>{isLead ? receive.heldHint : receive.heldAsk}</p>
      {isLead && (
        <div>
          <Button icon={Gavel} onClick={() => setAsking(true)}>
            {receive.approveOpen}
          </Button>
        </div>
      )}
      {isAsking && (
        <ApproveDialog
          shipping={shipping}
          held={held}
          onClose={(saved) => {
            setDecided(saved);
            setAsking(false);
          }}
        />
      )}
    </Notice>
  );
}
