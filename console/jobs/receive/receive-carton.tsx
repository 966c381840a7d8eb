/** One carton: received as it is, damaged, refused or on hold as a whole, or counted by pieces. */
import { PackageCheck, PackageX, Undo2 } from 'lucide';
import { useState } from 'preact/hooks';
import type { Carton, Shipment, WholeScan } from '../../offline/inbound.ts';
import { arrivedOf } from '../../offline/inbound.ts';
import { InboundConflict } from '../../offline/inbound-conflict.tsx';
import type { InboundView } from '../../offline/inbound-view.ts';
import { online } from '../../preferences.ts';
import { feedback } from '../../scan/feedback.ts';
import { ScanTarget } from '../../scan/target.tsx';
import { t, time, word } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Skeleton } from '../../ui/load.tsx';
import { ErrorNotice, Notice, State } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { PrintButton } from '../../work/print-button.tsx';
import { SyncState } from '../../work/sync-state.tsx';
import { useKeys, useScan } from '../../work/use-scan.ts';
import { useWakeLock } from '../../work/wake-lock.ts';
import { ReceiveLines } from './receive-lines.tsx';
import { namesIn, WantedNotice } from './receive-parts.tsx';
import { WholeDialog } from './receive-quantity.tsx';
import { ReceiveTo } from './receive-to.tsx';
import { alreadyWords, isLabelOf, receiptOf, shipmentHref, shortLabel } from './receiving.ts';
import { type Said, SaidBand, type Shipping, useReceiving, useShipment } from './use-shipment.tsx';

export default function ReceiveCarton(props: ScreenProps) {
  const names = namesIn(props);
  const cartonId = props.params['cartonId']!;
  const shipping = useShipment(names);
  const { view, error, reload } = shipping;
  const back = () => {
    location.hash = shipmentHref(names).slice(1);
  };
  if (view !== undefined) {
    return <Counting key={cartonId} shipping={shipping} view={view} cartonId={cartonId} onBack={back} />;
  }
  return (
    <Screen title={<span class="code">{shortLabel(cartonId)}</span>} onBack={back} tools={<SyncState />}>
      {error === undefined ? (
        <Skeleton lines={5} onRetry={() => void reload()} />
      ) : (
        <ErrorNotice error={error} onRetry={() => void reload()} />
      )}
    </Screen>
  );
}

function Counting({
  shipping,
  view,
  cartonId,
  onBack,
}: {
  shipping: Shipping;
  view: InboundView;
  cartonId: string;
  onBack: () => void;
}) {
  const { receive } = t();
  const receiving = useReceiving(shipping);
  useWakeLock();
  const [asked, setAsked] = useState<'DAMAGED' | 'REFUSED' | 'HELD' | undefined>();
  const { shipment } = view;
  const carton: Carton = shipment.cartons.find((one) => one.cartonId === cartonId) ?? { cartonId, state: 'UNEXPECTED' };
  const keysOf = (one: Shipment) => one.sums.keys.filter((key) => key.cartonId === cartonId);
  const keys = keysOf(shipment);
  const sums = shipment.sums.cartons.find((one) => one.cartonId === cartonId);
  const arrived = sums === undefined ? 0 : arrivedOf(sums);
  const isWhole = carton.state === 'EXPECTED' && keys.length > 0;
  const by = receiptOf(shipment, cartonId);
  const isDone = ['RECEIVED', 'DAMAGED', 'REFUSED'].includes(carton.state);
  // Pieces of a carton that was scanned whole are refused: that receipt is taken back first.
  const takenWhole = isDone && by?.cartons.some((one) => one.cartonId === cartonId) === true;
  const blocked =
    shipment.state === 'CLOSED' ? receive.closed : takenWhole ? receive.already(shortLabel(cartonId)) : undefined;
  /** Takes the whole carton and goes back to the shipment, where the next one is scanned. */
  const takeWhole = async (carton: WholeScan, words: Omit<Said, 'undoes'>): Promise<boolean> => {
    if (!(await receiving.take(carton, words))) return true;
    receiving.carry();
    onBack();
    return true;
  };
  const takeGood = () =>
    takeWhole(
      { cartonId, as: 'GOOD' },
      { look: 'right', title: receive.gotCarton(shortLabel(cartonId), sums?.open ?? 0) },
    );
  const main = () => {
    if (isWhole && blocked === undefined) return takeGood();
    onBack();
    return undefined;
  };
  useKeys('/receive/:type/:number/carton/:cartonId', {
    u: () => void receiving.undo(),
    'Ctrl+z': () => void receiving.undo(),
  });
  useScan(({ command }) => {
    if (command === 'UNDO') return receiving.undo();
    return command === 'OK' ? main() : false;
  });
  const other = (code: string): boolean | Promise<boolean> => {
    const now = shipping.fresh()?.shipment ?? shipment;
    const next = now.cartons.find((one) => isLabelOf(code, one.cartonId));
    if (next !== undefined && next.cartonId !== cartonId) {
      feedback('right');
      location.hash = shipmentHref(shipment, 'carton', next.cartonId).slice(1);
      return true;
    }
    if (!isLabelOf(code, cartonId)) return false;
    if (now.state === 'CLOSED') receiving.wrong(receive.closed, receive.closedHint);
    else if (next?.state === 'EXPECTED' && keysOf(now).length > 0) return takeGood();
    else if (takenWhole) receiving.wrong(...alreadyWords(now, cartonId));
    // Counted by pieces: it is complete as it is.
    else feedback('right');
    return true;
  };
  return (
    <Screen
      title={<span class="code">{shortLabel(cartonId)}</span>}
      sub={receive.cartonIn(shipment.number)}
      onBack={onBack}
      tools={<SyncState />}
      band={<SaidBand said={receiving.said} undo={receiving.undo} />}
      actions={
        isWhole && blocked === undefined ? (
          <Button isWide look="main" icon={PackageCheck} onClick={() => void main()}>
            {receive.whole(sums?.open ?? 0)}
          </Button>
        ) : (
          <Button isWide look="main" icon={Undo2} onClick={onBack}>
            {receive.back}
          </Button>
        )
      }
    >
      <ScanTarget label={blocked === undefined ? receive.scanInCarton : receive.scanNext} />
      {blocked === undefined && <ReceiveTo subject={shipping.subject} />}
      <p class="code receive-full">{cartonId}</p>
      {view.conflicts
        .filter(({ subject }) => subject.kind === 'inbound' && subject.part === `carton ${cartonId}`)
        .map((conflict) => (
          <InboundConflict key={conflict.lane} conflict={conflict} />
        ))}
      {!online.value && <State look="risk">{t().shell.staleOffline(time(view.at))}</State>}
      {blocked !== undefined && (
        <Notice look={carton.state === 'RECEIVED' ? 'right' : 'info'} title={blocked}>
          {by !== undefined && <p>{receive.receivedBy(by.userId, time(by.at))}</p>}
        </Notice>
      )}
      {blocked === undefined && carton.state !== 'EXPECTED' && (
        <div class="inline">
          <State look={carton.state === 'RECEIVED' ? 'right' : carton.state === 'UNEXPECTED' ? 'risk' : 'info'}>
            {word(receive.cartonStates, carton.state)}
          </State>
          {carton.holder !== undefined && (
            <span class="small quiet">{receive.heldBy(carton.holder.userId, time(carton.holder.since))}</span>
          )}
          {sums !== undefined && <span class="strong">{receive.unitsOf(arrived, sums.announced)}</span>}
        </div>
      )}
      <WantedNotice receiving={receiving} />
      {keys.length === 0 && (
        <Empty icon={PackageX} title={receive.emptyCarton}>
          {receive.emptyCartonHint}
        </Empty>
      )}
      <ReceiveLines
        receiving={receiving}
        keys={keys}
        freshKeys={() => keysOf(shipping.fresh()?.shipment ?? shipment)}
        cartonId={cartonId}
        isBlind={shipment.type === 'BLIND'}
        blocked={blocked}
        other={other}
      />
      {isWhole && blocked === undefined && (
        <section class="stack tight" aria-label={receive.wholeAs}>
          <h2>{receive.wholeAs}</h2>
          <div class="receive-whole">
            <Button onClick={() => setAsked('DAMAGED')}>{receive.buckets.damaged}</Button>
            <Button onClick={() => setAsked('REFUSED')}>{receive.buckets.refused}</Button>
            <Button onClick={() => setAsked('HELD')}>{receive.buckets.held}</Button>
          </div>
        </section>
      )}
      <PrintButton
        isWide
        print={async () => (await import('../../work/counter-print.ts')).printCartonLabels(shipment, [carton])}
      >
        {receive.printLabel}
      </PrintButton>
      {asked !== undefined && (
        <WholeDialog
          as={asked}
          title={receive.carton(shortLabel(cartonId))}
          onClose={() => setAsked(undefined)}
          onBook={(reason) => {
            setAsked(undefined);
            const words = receive.buckets[asked.toLowerCase() as 'damaged'];
            void takeWhole(
              { cartonId, as: asked, reason },
              { look: 'risk', title: receive.gotCartonAs(shortLabel(cartonId), words) },
            );
          }}
        />
      )}
    </Screen>
  );
}
