/** Opens the decision on the held units of a shipment from a list. The lines of the shipment are read first. */
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/load.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { ApproveDialog } from './receive-approve.tsx';
import type { Arrival } from './receiving.ts';
import { useShipment } from './use-shipment.tsx';

interface DecideProps {
  of: Pick<Arrival, 'type' | 'number' | 'sellerId'>;
  onClose: (decided?: string) => void;
}

export function Decide({ of, onClose }: DecideProps) {
  const shipping = useShipment(of);
  const { view, error, reload } = shipping;
  if (view !== undefined) {
    const held = view.shipment.sums.keys.filter((key) => key.held > 0);
    return <ApproveDialog shipping={shipping} held={held} onClose={onClose} />;
  }
  return (
    <Dialog
      title={of.number}
      onClose={() => onClose()}
      actions={<Button onClick={() => onClose()}>{t().actions.cancel}</Button>}
    >
      {error === undefined ? <Skeleton /> : <ErrorNotice error={error} onRetry={() => void reload()} />}
    </Dialog>
  );
}
