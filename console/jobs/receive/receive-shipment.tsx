/**
 * Receives a shipment. A scan of a carton receives it whole, or opens it to count its pieces. Pieces of a PO and of
 * goods without papers are counted here.
 */

import { signal } from '@preact/signals';
import { Boxes, ClipboardCheck, Hash, Link2, PackageCheck, Truck } from 'lucide';
import { useState } from 'preact/hooks';
import type { Carton, KeySums, Shipment } from '../../offline/inbound.ts';
import { arrivedOf } from '../../offline/inbound.ts';
import type { InboundView } from '../../offline/inbound-view.ts';
import { addInbound } from '../../offline/shipments.ts';
import { online } from '../../preferences.ts';
import { go } from '../../router.ts';
import { isOneOf } from '../../scan/codes.ts';
import { feedback } from '../../scan/feedback.ts';
import { focusScanTarget } from '../../scan/target.tsx';
import { t, time, word } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Empty } from '../../ui/load.tsx';
import { explain, type Look, State } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { useKeys, useScan } from '../../work/use-scan.ts';
import { JobWaiting, WorkScreen } from '../../work/work-screen.tsx';
import type { Asked } from './receive-ask.tsx';
import { ReceiveLines } from './receive-lines.tsx';
import { isDone, isPartlyCounted, namesIn, Parts, Progress } from './receive-parts.tsx';
import { ReceiveTo } from './receive-to.tsx';
import { alreadyWords, isCodeOf, isLabelOf, nameOf, receiptOf, shipmentHref, shortLabel } from './receiving.ts';
import { type Receiving, type Shipping, saidOf, useReceiving, useShipment } from './use-shipment.tsx';

const CartonDialog = lazy(async () => (await import('./receive-ask.tsx')).CartonDialog);
const HeldNotice = lazy(async () => (await import('./receive-held.tsx')).HeldNotice);
const InboundConflict = lazy(async () => (await import('../../offline/inbound-conflict.tsx')).InboundConflict);
const MatchDialog = lazy(async () => (await import('./receive-match.tsx')).MatchDialog);
const PrintButton = lazy(async () => (await import('../../work/print-button.tsx')).PrintButton, true);
const ReceiptList = lazy(async () => (await import('./receive-receipts.tsx')).ReceiptList, true);
const Closed = lazy(async () => (await import('./receive-closed.tsx')).Closed);
const WantedNotice = lazy(async () => (await import('./receive-wanted.tsx')).WantedNotice);

type Mode = 'whole' | 'pieces';
const MODE = 'backroom.receive';
/**
 * The effect of a scan of a carton on this device: `whole` receives the whole carton, `pieces` opens it to count its
 * pieces.
 */
const mode = signal<Mode>(localStorage.getItem(MODE) === 'pieces' ? 'pieces' : 'whole');

function setMode(one: Mode): void {
  mode.value = one;
  localStorage.setItem(MODE, one);
  focusScanTarget();
}

export default function ReceiveShipment(props: ScreenProps) {
  const names = namesIn(props);
  const shipping = useShipment(names);
  const { view, error, reload } = shipping;
  const { receive } = t();
  if (view !== undefined) return <Work shipping={shipping} view={view} />;
  const title = <span class="code">{names.number}</span>;
  const head = { title, sub: receive.types[names.type], onBack: () => go('/receive') };
  return <JobWaiting head={head} error={error} reload={reload} />;
}

function Work({ shipping, view }: { shipping: Shipping; view: InboundView }) {
  const { receive } = t();
  const receiving = useReceiving(shipping);
  const [isMatching, setMatching] = useState(false);
  const { shipment } = view;
  // Goods without papers are counted by pieces, even if another system counted some of their cartons.
  const hasCartons = shipment.type === 'ASN';
  const blocked = shipment.state === 'CLOSED' ? receive.closed : undefined;
  const close = () => {
    location.hash = shipmentHref(shipment, 'close').slice(1);
  };
  useKeys('/receive/:type/:number', {
    u: () => void receiving.undo(),
    'Ctrl+z': () => void receiving.undo(),
    c: close,
  });
  const Lines = hasCartons ? Cartons : Pieces;
  return (
    <WorkScreen
      job={{
        title: <span class="code">{shipment.number}</span>,
        sub: subOf(shipment),
        onBack: () => go('/receive'),
        progress: <Progress shipment={shipment} />,
        scanLabel: blocked === undefined ? labelOf(hasCartons) : undefined,
        onCode: () => false,
        said: saidOf(receiving),
        asOf: online.value ? undefined : view.at,
        others: (
          <Actions
            shipping={shipping}
            shipment={shipment}
            receiving={receiving}
            blocked={blocked}
            onClose={close}
            onMatch={() => setMatching(true)}
          />
        ),
      }}
    >
      {blocked === undefined ? (
        <ReceiveTo subject={shipping.subject} />
      ) : (
        <Closed shipment={shipment} title={blocked} />
      )}
      {view.conflicts.map((conflict) => (
        <InboundConflict key={conflict.lane} conflict={conflict} />
      ))}
      {receiving.wanted.length > 0 && <WantedNotice receiving={receiving} />}
      <HeldNotice shipping={shipping} shipment={shipment} />
      <Lines shipping={shipping} shipment={shipment} receiving={receiving} blocked={blocked} />
      <ReceiptList shipping={shipping} view={view} receiving={receiving} />
      {isMatching && <MatchDialog shipping={shipping} onClose={() => setMatching(false)} />}
    </WorkScreen>
  );
}

function subOf({ type, arrivedAt }: Shipment): string {
  const { receive } = t();
  return arrivedAt === undefined
    ? receive.types[type]
    : `${receive.types[type]} · ${receive.arrivedAt(time(arrivedAt))}`;
}

function Actions({
  shipping,
  shipment,
  receiving,
  blocked,
  onClose,
  onMatch,
}: PartProps & { onClose: () => void; onMatch: () => void }) {
  const { receive } = t();
  const arrive = async () => {
    try {
      await addInbound({ kind: 'arrive', subject: { ...shipping.subject, part: 'arrive' }, at: Date.now() });
      feedback('right');
      receiving.say({ look: 'right', title: receive.arrivedAt(time(Date.now())) });
    } catch (error) {
      receiving.wrong(explain(error, t().pick.noStorage).what);
    }
  };
  if (blocked !== undefined) {
    return (
      <Button isWide look="main" icon={ClipboardCheck} onClick={onClose}>
        {receive.statement}
      </Button>
    );
  }
  const hasArrived = shipment.arrivedAt !== undefined || shipment.state !== 'EXPECTED';
  return (
    <>
      {!hasArrived && (
        <Button icon={Truck} onClick={() => void arrive()}>
          {receive.arrive}
        </Button>
      )}
      {shipment.type === 'BLIND' && (
        <Button icon={Link2} blocked={online.value ? undefined : receive.closeOffline} onClick={onMatch}>
          {receive.match}
        </Button>
      )}
      <Button look={shipment.complete ? 'main' : undefined} icon={ClipboardCheck} onClick={onClose}>
        {receive.close}
      </Button>
    </>
  );
}

function labelOf(hasCartons: boolean): string {
  const { receive } = t();
  if (!hasCartons) return receive.scanItem;
  return mode.value === 'whole' ? receive.scanWhole : receive.scanToCount;
}

const PROBLEMS = new Set<Carton['state']>(['DAMAGED', 'REFUSED', 'MISSING', 'UNEXPECTED']);
const LOOKS: Partial<Record<Carton['state'], Look>> = {
  COUNTING: 'info',
  RECEIVED: 'right',
  DAMAGED: 'risk',
  REFUSED: 'risk',
  MISSING: 'wrong',
  UNEXPECTED: 'risk',
};

type Which = 'open' | 'done' | 'problems';
/** Number of rows that are shown at first. Other rows are found by scanning. */
const ROWS = 80;

interface PartProps {
  shipping: Shipping;
  shipment: Shipment;
  receiving: Receiving;
  blocked: string | undefined;
}

function openCarton(shipment: Shipment, { cartonId }: Pick<Carton, 'cartonId'>): void {
  location.hash = shipmentHref(shipment, 'carton', cartonId).slice(1);
}

/** Handles codes on a shipment with cartons, and asks about codes that are not in the shipment. */
function useCartonCodes({ shipping, shipment, receiving, blocked }: PartProps) {
  const { receive } = t();
  const [asked, setAsked] = useState<Asked | undefined>();
  const whole = async (now: Shipment, carton: Carton) => {
    const { cartonId, state, holder } = carton;
    const open = now.sums.cartons.find((one) => one.cartonId === cartonId)?.open ?? 0;
    if (state === 'EXPECTED') {
      const title = receive.gotCarton(shortLabel(cartonId), open);
      await receiving.take({ cartonId, as: 'GOOD' }, { look: 'right', title });
    } else if (isPartlyCounted(carton)) {
      feedback('wrong');
      receiving.say({ look: 'risk', title: receive.partly(shortLabel(cartonId), open), detail: receive.partlyHint });
      receiving.carry();
      openCarton(shipment, carton);
    } else if (state === 'COUNTING') {
      receiving.wrong(receive.counting(shipping.personOf(holder!)), receive.countingHint);
    } else receiving.wrong(...alreadyWords(now, cartonId, shipping.personOf));
  };
  const find = async (code: string) => {
    feedback('wrong');
    try {
      const found = await (await import('./receive-ask.tsx')).askOf(code);
      if ('kind' in found) setAsked(found);
      else receiving.say(found);
    } catch (error) {
      receiving.say({ look: 'wrong', title: explain(error).what });
    }
  };
  const takeAsked = () => {
    if (asked === undefined || asked.kind === 'several') return;
    const { cartonId } = asked;
    setAsked(undefined);
    if (asked.kind === 'other') location.hash = shipmentHref(asked.names).slice(1);
    else if (asked.kind === 'elsewhere') {
      const title = receive.gotCartonAs(shortLabel(cartonId), receive.buckets.held);
      void receiving.take({ cartonId, as: 'GOOD' }, { look: 'risk', title }, true);
    } else openCarton(shipment, asked);
  };
  const take = async (text: string) => {
    if (blocked !== undefined) {
      receiving.wrong(blocked, receive.closedHint);
      return undefined;
    }
    const now = shipping.fresh()?.shipment ?? shipment;
    const carton = now.cartons.find(({ cartonId }) => isLabelOf(text, cartonId));
    if (carton !== undefined) {
      if (mode.peek() === 'whole') return whole(now, carton);
      feedback('right');
      openCarton(shipment, carton);
      return undefined;
    }
    const item = now.sums.items.find(({ itemId }) => {
      const key = now.sums.keys.find((one) => one.itemId === itemId)!;
      return isCodeOf(text, key);
    });
    if (item === undefined) return find(text);
    receiving.wrong(receive.cartonFirst, receive.cartonFirstHint(nameOf(item)));
    return undefined;
  };
  useScan(({ text, command }) => {
    if (asked !== undefined) {
      if (command !== 'OK') return false;
      takeAsked();
      return undefined;
    }
    if (command === 'UNDO') return receiving.undo();
    return command === undefined && take(text);
  });
  return { asked, takeAsked, leave: () => setAsked(undefined) };
}

/** Returns the announced units of a carton, or the arrived units if more units arrived. */
function unitsOf({ sums }: Shipment, cartonId: string): number {
  const own = sums.cartons.find((one) => one.cartonId === cartonId);
  return own === undefined ? 0 : Math.max(own.announced, arrivedOf(own));
}

function listsOf(shipment: Shipment): Record<Which, Carton[]> {
  const open = shipment.cartons.filter((one) => !isDone(one));
  return {
    open: open.toSorted((a, b) => Number(b.state === 'COUNTING') - Number(a.state === 'COUNTING')),
    done: shipment.cartons.filter(isDone),
    problems: shipment.cartons.filter(({ cartonId, state }) => PROBLEMS.has(state) || isOff(shipment, cartonId)),
  };
}

function Cartons(props: PartProps) {
  const { shipment, blocked } = props;
  const { receive } = t();
  const codes = useCartonCodes(props);
  const [which, setWhich] = useState<Which | undefined>();
  const [isAll, setAll] = useState(false);
  const lists = listsOf(shipment);
  const shown = which ?? (lists.open.length > 0 ? 'open' : 'done');
  useKeys('/receive/:type/:number', { m: () => setMode(mode.peek() === 'whole' ? 'pieces' : 'whole') });
  const rows = isAll ? lists[shown] : lists[shown].slice(0, ROWS);
  return (
    <>
      {blocked === undefined && <Modes />}
      <div class="receive-tabs" role="group" aria-label={receive.cartons}>
        {(['open', 'done', 'problems'] as const).map((one) => (
          <button
            type="button"
            class="button plain"
            aria-pressed={one === shown}
            onClick={() => {
              setWhich(one);
              setAll(false);
            }}
          >
            {receive[one](lists[one].length)}
          </button>
        ))}
      </div>
      {rows.length === 0 ? (
        <Empty icon={PackageCheck} title={shown === 'open' ? receive.noOpen : receive.noneHere}>
          {shown === 'open' ? receive.noOpenHint : receive.noneHereHint}
        </Empty>
      ) : (
        <CartonRows shipping={props.shipping} shipment={shipment} rows={rows} />
      )}
      {rows.length < lists[shown].length && (
        <Button isWide onClick={() => setAll(true)}>
          {receive.moreRows(lists[shown].length - rows.length)}
        </Button>
      )}
      {rows.length > 0 && (
        <PrintButton
          isWide
          print={async () => (await import('../../work/counter-print.ts')).printCartonLabels(shipment, rows)}
        >
          {receive.printLabels}
        </PrintButton>
      )}
      {codes.asked !== undefined && <CartonDialog asked={codes.asked} onTake={codes.takeAsked} onClose={codes.leave} />}
    </>
  );
}

/** Buttons for the effect of a scan of a carton: received whole, or opened to count its pieces. */
function Modes() {
  const { receive } = t();
  return (
    <div class="receive-switch" role="group" aria-label={receive.how}>
      <button type="button" class="button" aria-pressed={mode.value === 'whole'} onClick={() => setMode('whole')}>
        <Icon of={PackageCheck} />
        {receive.byCarton}
      </button>
      <button type="button" class="button" aria-pressed={mode.value === 'pieces'} onClick={() => setMode('pieces')}>
        <Icon of={Hash} />
        {receive.byPiece}
      </button>
    </div>
  );
}

/** Returns whether a carton has damaged, rejected, held, surplus or missing units. */
function isOff({ sums }: Shipment, cartonId: string): boolean {
  const own = sums.cartons.find((one) => one.cartonId === cartonId);
  return own !== undefined && own.damaged + own.refused + own.held + own.over + own.short > 0;
}

function CartonRows({ rows, ...of }: Pick<PartProps, 'shipping' | 'shipment'> & { rows: readonly Carton[] }) {
  return (
    <ul class="list" aria-label={t().receive.cartons}>
      {rows.map((carton) => (
        <li key={carton.cartonId}>
          <CartonRow {...of} carton={carton} />
        </li>
      ))}
    </ul>
  );
}

function CartonRow({ shipping, shipment, carton }: Pick<PartProps, 'shipping' | 'shipment'> & { carton: Carton }) {
  const { receive } = t();
  const { cartonId, state, holder } = carton;
  const units = unitsOf(shipment, cartonId);
  const sums = shipment.sums.cartons.find((one) => one.cartonId === cartonId);
  const by = state === 'EXPECTED' || state === 'COUNTING' ? undefined : receiptOf(shipment, cartonId);
  return (
    <a class="row receive-carton" href={shipmentHref(shipment, 'carton', cartonId)}>
      <Icon of={Boxes} />
      <span class="grow stack tight">
        <span class="code strong receive-label">
          <span class="quiet">{cartonId.slice(0, -6)}</span>
          {cartonId.slice(-6)}
        </span>
        <span class="inline">
          {state !== 'EXPECTED' && <State look={LOOKS[state]}>{word(receive.cartonStates, state)}</State>}
          {holder !== undefined && (
            <span class="small quiet">{receive.heldBy(shipping.personOf(holder), time(holder.since))}</span>
          )}
          {by !== undefined && (
            <span class="small quiet">{receive.receivedBy(shipping.personOf(by), time(by.at))}</span>
          )}
          {sums !== undefined && state !== 'DAMAGED' && state !== 'REFUSED' && <Parts of={{ ...sums, announced: 1 }} />}
        </span>
      </span>
      {state === 'COUNTING' && sums !== undefined ? (
        <span class="big work-count receive-count">
          {arrivedOf(sums)}
          <span class="quiet">/{sums.announced}</span>
        </span>
      ) : (
        <span class="strong receive-open">{receive.toUnits(units)}</span>
      )}
    </a>
  );
}

/** Counts the items of a PO. For goods without papers, counts the items that have no carton. */
function Pieces({ shipping, shipment, receiving, blocked }: PartProps) {
  const { receive } = t();
  const loose = (one: Shipment) => one.sums.keys.filter(({ cartonId }) => cartonId === undefined);
  const keys = loose(shipment).toSorted((a: KeySums, b: KeySums) => Number(b.open > 0) - Number(a.open > 0));
  useScan(({ command }) => {
    if (command !== 'UNDO') return false;
    return receiving.undo();
  });
  return (
    <>
      {keys.length === 0 && (
        <Empty icon={Hash} title={receive.emptyCarton}>
          {receive.emptyCartonHint}
        </Empty>
      )}
      <ReceiveLines
        receiving={receiving}
        keys={keys}
        freshKeys={() => loose(shipping.fresh()?.shipment ?? shipment)}
        isBlind={shipment.type === 'BLIND'}
        blocked={blocked}
        other={(code) => {
          const carton = shipment.cartons.find(({ cartonId }) => isLabelOf(code, cartonId));
          if (carton === undefined && !isOneOf(code, [shipment.number])) return false;
          feedback('right');
          if (carton !== undefined) openCarton(shipment, carton);
          return true;
        }}
      />
      {shipment.cartons.length > 0 && <CartonRows shipping={shipping} shipment={shipment} rows={shipment.cartons} />}
    </>
  );
}
