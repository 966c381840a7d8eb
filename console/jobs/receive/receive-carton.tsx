/** One carton: received complete, damaged, rejected or on hold as a whole, or counted by pieces. */
import { PackageCheck, PackageX, Undo2 } from 'lucide';
import { useRef, useState } from 'preact/hooks';
import { arrivedOf, type Carton, type Shipment, type WholeScan } from '../../offline/inbound.ts';
import { type InboundView, stops } from '../../offline/inbound-view.ts';
import { isTakenWhole } from '../../offline/taken-whole.ts';
import { online } from '../../preferences.ts';
import { feedback } from '../../scan/feedback.ts';
import { t, time, word } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Empty } from '../../ui/load.tsx';
import { Notice, State } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { useKeys } from '../../work/use-scan.ts';
import { JobWaiting, WorkScreen } from '../../work/work-screen.tsx';
import { HeldNotice } from './receive-held.tsx';
import { ReceiveLines } from './receive-lines.tsx';
import { isPartlyCounted, namesIn } from './receive-parts.tsx';
import { ReceiveTo } from './receive-to.tsx';
import { alreadyWords, isLabelOf, receiptOf, shipmentHref, shortLabel } from './receiving.ts';
import { type Said, type Shipping, saidOf, useReceiving, useShipment } from './use-shipment.tsx';

const WholeDialog = lazy(async () => (await import('./receive-quantity.tsx')).WholeDialog);
const ReceiptList = lazy(async () => (await import('./receive-receipts.tsx')).ReceiptList, true);
const PrintButton = lazy(async () => (await import('../../work/print-button.tsx')).PrintButton, true);
const WantedNotice = lazy(async () => (await import('./receive-wanted.tsx')).WantedNotice);
const InboundConflict = lazy(async () => (await import('../../offline/inbound-conflict.tsx')).InboundConflict);

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
  const head = { title: <span class="code">{shortLabel(cartonId)}</span>, onBack: back };
  return <JobWaiting head={head} error={error} reload={reload} />;
}

interface CountingProps {
  shipping: Shipping;
  view: InboundView;
  cartonId: string;
  onBack: () => void;
}

/** Manages the count of a carton. */
function useCarton({ shipping, view, cartonId, onBack }: CountingProps) {
  const { receive } = t();
  const receiving = useReceiving(shipping);
  const { shipment } = view;
  const carton: Carton = shipment.cartons.find((one) => one.cartonId === cartonId) ?? { cartonId, state: 'UNEXPECTED' };
  const keysOf = (one: Shipment) => one.sums.keys.filter((key) => key.cartonId === cartonId);
  const keys = keysOf(shipment);
  const sums = shipment.sums.cartons.find((one) => one.cartonId === cartonId);
  const by = receiptOf(shipment, cartonId);
  const isUnexpected = carton.state === 'UNEXPECTED' && sums !== undefined && arrivedOf(sums) > 0;
  const isDone = isUnexpected || ['RECEIVED', 'DAMAGED', 'REFUSED'].includes(carton.state);
  // The service rejects pieces of a carton that was scanned whole. The user must undo that receipt first.
  const takenWhole =
    isDone && (isTakenWhole(view, cartonId) || by?.cartons.some((one) => one.cartonId === cartonId) === true);
  const blocked =
    shipment.state === 'CLOSED' ? receive.closed : takenWhole ? receive.already(shortLabel(cartonId)) : undefined;
  const isTaken = useRef(false);
  /** Receives the whole carton and returns to the shipment, where the next carton is scanned. */
  const takeWhole = async (whole: WholeScan, words: Omit<Said, 'undoes'>): Promise<boolean> => {
    // The button stays until the next screen is drawn, so a double tap is one receipt.
    if (isTaken.current) return true;
    isTaken.current = true;
    if (await receiving.take(whole, words)) {
      receiving.carry();
      onBack();
    } else isTaken.current = false;
    return true;
  };
  const got = receive.gotCarton(shortLabel(cartonId), sums?.open ?? 0);
  const takeGood = () => takeWhole({ cartonId, as: 'GOOD' }, { look: 'right', title: got });
  const now = () => shipping.fresh()?.shipment ?? shipment;
  return {
    receiving,
    shipment,
    carton,
    keys,
    sums,
    by,
    personOf: shipping.personOf,
    blocked,
    canBeWhole: carton.state === 'EXPECTED' && keys.length > 0 && blocked === undefined,
    hasRest: isPartlyCounted(carton) && (sums?.open ?? 0) > 0 && blocked === undefined,
    freshKeys: () => keysOf(now()),
    takeWhole,
    takeGood,
    /** Handles a code that is not an item: the next carton, or this carton. */
    other: (code: string): boolean | Promise<boolean> => {
      const next = now().cartons.find((one) => isLabelOf(code, one.cartonId));
      if (next !== undefined && next.cartonId !== cartonId) {
        feedback('right');
        location.hash = shipmentHref(shipment, 'carton', next.cartonId).slice(1);
        return true;
      }
      if (!isLabelOf(code, cartonId)) return false;
      if (now().state === 'CLOSED') receiving.wrong(receive.closed, receive.closedHint);
      else if (next?.state === 'EXPECTED' && keysOf(now()).length > 0) return takeGood();
      else if (takenWhole) receiving.wrong(...alreadyWords(now(), cartonId, shipping.personOf));
      // The carton was counted by pieces, so scanning it again changes nothing.
      else feedback('right');
      return true;
    },
  };
}

function Counting(props: CountingProps) {
  const { shipping, view, cartonId, onBack } = props;
  const { receive } = t();
  const of = useCarton(props);
  const { receiving, shipment, keys, sums, blocked, canBeWhole, hasRest } = of;
  const main = () => (canBeWhole ? of.takeGood() : onBack());
  useKeys('/receive/:type/:number/carton/:cartonId', {
    u: () => void receiving.undo(),
    'Ctrl+z': () => void receiving.undo(),
  });
  return (
    <WorkScreen
      job={{
        title: <span class="code">{shortLabel(cartonId)}</span>,
        sub: receive.cartonIn(shipment.number),
        onBack,
        scanLabel: blocked === undefined ? receive.scanInCarton : receive.scanNext,
        onCode: ({ command }) => {
          if (command === 'UNDO') return receiving.undo();
          return command === 'OK' ? main() : false;
        },
        said: saidOf(receiving),
        asOf: online.value ? undefined : view.at,
        main: canBeWhole
          ? { label: receive.whole(sums?.open ?? 0), icon: PackageCheck, run: main }
          : { label: receive.back, icon: Undo2, run: onBack },
        others: hasRest && (
          <Button icon={PackageCheck} onClick={() => void of.takeGood()}>
            {receive.rest(sums?.open ?? 0)}
          </Button>
        ),
      }}
    >
      {blocked === undefined && <ReceiveTo subject={shipping.subject} />}
      <p class="code receive-full">{cartonId}</p>
      <Conflicts view={view} cartonId={cartonId} />
      <CartonState of={of} />
      <HeldNotice shipping={shipping} shipment={shipment} cartonId={cartonId} />
      {receiving.wanted.length > 0 && <WantedNotice receiving={receiving} />}
      {keys.length === 0 && (
        <Empty icon={PackageX} title={receive.emptyCarton}>
          {receive.emptyCartonHint}
        </Empty>
      )}
      <ReceiveLines
        receiving={receiving}
        keys={keys}
        freshKeys={of.freshKeys}
        cartonId={cartonId}
        isBlind={shipment.type === 'BLIND'}
        blocked={blocked}
        other={of.other}
      />
      {canBeWhole && <WholeAs cartonId={cartonId} takeWhole={of.takeWhole} />}
      <ReceiptList shipping={shipping} view={view} receiving={receiving} cartonId={cartonId} />
      <PrintButton
        isWide
        print={async () => (await import('../../work/counter-print.ts')).printCartonLabels(shipment, [of.carton])}
      >
        {receive.printLabel}
      </PrintButton>
    </WorkScreen>
  );
}

function Conflicts({ view, cartonId }: { view: InboundView; cartonId: string }) {
  return (
    <>
      {view.conflicts
        .filter((conflict) => stops(conflict, `carton ${cartonId}`))
        .map((conflict) => (
          <InboundConflict key={conflict.lane} conflict={conflict} />
        ))}
    </>
  );
}

function CartonState({ of: { carton, by, blocked, sums, personOf } }: { of: ReturnType<typeof useCarton> }) {
  const { receive } = t();
  const { state, holder } = carton;
  if (blocked !== undefined) {
    return (
      <Notice look={state === 'RECEIVED' ? 'right' : 'info'} title={blocked}>
        {by !== undefined && <p>{receive.receivedBy(personOf(by), time(by.at))}</p>}
      </Notice>
    );
  }
  if (state === 'EXPECTED') return null;
  return (
    <div class="inline">
      <State look={state === 'RECEIVED' ? 'right' : state === 'UNEXPECTED' ? 'risk' : 'info'}>
        {word(receive.cartonStates, state)}
      </State>
      {holder !== undefined && <span class="small quiet">{receive.heldBy(personOf(holder), time(holder.since))}</span>}
      {sums !== undefined && <span class="strong">{receive.unitsOf(arrivedOf(sums), sums.announced)}</span>}
    </div>
  );
}

/** Receives the whole carton as damaged, rejected or on hold. */
function WholeAs({
  cartonId,
  takeWhole,
}: {
  cartonId: string;
  takeWhole: (carton: WholeScan, words: Omit<Said, 'undoes'>) => Promise<boolean>;
}) {
  const { receive } = t();
  const [asked, setAsked] = useState<'DAMAGED' | 'REFUSED' | 'HELD' | undefined>();
  return (
    <section class="stack tight" aria-label={receive.wholeAs}>
      <h2>{receive.wholeAs}</h2>
      <div class="receive-whole">
        <Button onClick={() => setAsked('DAMAGED')}>{receive.buckets.damaged}</Button>
        <Button onClick={() => setAsked('REFUSED')}>{receive.buckets.refused}</Button>
        <Button onClick={() => setAsked('HELD')}>{receive.buckets.held}</Button>
      </div>
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
    </section>
  );
}
