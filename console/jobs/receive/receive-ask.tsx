/** Asks about a scanned code that is not in the shipment. */
import type { ComponentChildren } from 'preact';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { AnnouncedBy } from '../../work/announced-by.tsx';
import { type Arrival, shortLabel } from './receiving.ts';

export type Asked =
  | { kind: 'unknown'; code: string; isOffline: boolean }
  | { kind: 'elsewhere'; cartonId: string; node: string }
  | { kind: 'other'; cartonId: string; names: Names }
  | { kind: 'several'; cartonId: string; names: readonly Names[] };
type Names = Pick<Arrival, 'type' | 'number' | 'sellerId'>;

export function CartonDialog({ asked, onTake, onClose }: { asked: Asked; onTake: () => void; onClose: () => void }) {
  const { receive, actions } = t();
  if (asked.kind === 'several') {
    return (
      <Dialog title={receive.ambiguous} onClose={onClose} actions={<Button onClick={onClose}>{actions.close}</Button>}>
        <p>{receive.ambiguousHint}</p>
        <AnnouncedBy shipments={asked.names} />
      </Dialog>
    );
  }
  const { title, hint, yes }: { title: string; hint: ComponentChildren; yes: string } =
    asked.kind === 'other'
      ? {
          title: receive.otherShipment(shortLabel(asked.cartonId), asked.names.number),
          hint: null,
          yes: receive.openIt(asked.names.number),
        }
      : asked.kind === 'elsewhere'
        ? {
            title: receive.askElsewhere(shortLabel(asked.cartonId), asked.node),
            hint: receive.askElsewhereHint,
            yes: receive.takeIn,
          }
        : asked.isOffline
          ? { title: receive.askOffline(asked.code), hint: receive.askOfflineHint, yes: receive.takeIn }
          : { title: receive.askCarton(asked.code), hint: receive.askCartonHint, yes: receive.takeIn };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={onTake}
      actions={
        <>
          <Button onClick={onClose}>{receive.leaveIt}</Button>
          <Button look="main" onClick={onTake}>
            {yes}
          </Button>
        </>
      }
    >
      {hint !== null && <p>{hint}</p>}
    </Dialog>
  );
}
