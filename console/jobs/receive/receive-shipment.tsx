/** Receiving a shipment: a scanned carton is done, or is counted by pieces; a PO and goods without papers are counted here. */

import { signal } from '@preact/signals';
import { Boxes, ClipboardCheck, Hash, Link2, PackageCheck, Truck } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Carton, KeySums, Shipment } from '../../offline/inbound.ts';
import { arrivedOf } from '../../offline/inbound.ts';
import { AnnouncedBy, InboundConflict } from '../../offline/inbound-conflict.tsx';
import type { InboundView } from '../../offline/inbound-view.ts';
import { addInbound } from '../../offline/shipments.ts';
import { online } from '../../preferences.ts';
import { go } from '../../router.ts';
import { isOneOf } from '../../scan/codes.ts';
import { feedback } from '../../scan/feedback.ts';
import { focusScanTarget, ScanTarget } from '../../scan/target.tsx';
import { t, time, word } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Empty, Skeleton } from '../../ui/load.tsx';
import { ErrorNotice, type Look, Notice, State } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { PrintButton } from '../../work/print-button.tsx';
import { SyncState } from '../../work/sync-state.tsx';
import { useKeys, useScan } from '../../work/use-scan.ts';
import { useWakeLock } from '../../work/wake-lock.ts';
import { ReceiveLines } from './receive-lines.tsx';
import { isDone, namesIn, Parts, Progress, WantedNotice } from './receive-parts.tsx';
import { ReceiveTo } from './receive-to.tsx';
import {
  type Arrival,
  alreadyWords,
  isAway,
  isCodeOf,
  isLabelOf,
  lookUp,
  nameOf,
  receiptOf,
  shipmentHref,
  shortLabel,
} from './receiving.ts';
import { type Receiving, SaidBand, type Shipping, useReceiving, useShipment } from './use-shipment.tsx';

const MatchDialog = lazy(async () => (await import('./receive-match.tsx')).MatchDialog);

type Mode = 'whole' | 'pieces';
const MODE = 'backroom.receive';
/** What a scanned carton means on this device. */
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
  return (
    <Screen
      title={<span class="code">{names.number}</span>}
      sub={receive.types[names.type]}
      onBack={() => go('/receive')}
      tools={<SyncState />}
    >
      {error === undefined ? (
        <Skeleton lines={5} onRetry={() => void reload()} />
      ) : (
        <ErrorNotice error={error} onRetry={() => void reload()} />
      )}
    </Screen>
  );
}

function Work({ shipping, view }: { shipping: Shipping; view: InboundView }) {
  const { receive } = t();
  const receiving = useReceiving(shipping);
  useWakeLock();
  const [isMatching, setMatching] = useState(false);
  const { shipment } = view;
  const hasCartons = shipment.type === 'ASN' || shipment.cartons.length > 0;
  const blocked = shipment.state === 'CLOSED' ? receive.closed : undefined;
  const close = () => {
    location.hash = shipmentHref(shipment, 'close').slice(1);
  };
  useKeys('/receive/:type/:number', {
    u: () => void receiving.undo(),
    'Ctrl+z': () => void receiving.undo(),
    c: close,
  });
  const arrive = () =>
    addInbound({ kind: 'arrive', subject: { ...shipping.subject, part: 'arrive' }, at: Date.now() }).then(
      () => {
        feedback('right');
        receiving.say({ look: 'right', title: receive.arrivedAt(time(Date.now())) });
      },
      () => receiving.wrong(t().pick.noStorage),
    );
  const hasArrived = shipment.arrivedAt !== undefined || shipment.state !== 'EXPECTED';
  return (
    <Screen
      title={<span class="code">{shipment.number}</span>}
      sub={
        <>
          {receive.types[shipment.type]}
          {shipment.arrivedAt !== undefined && ` · ${receive.arrivedAt(time(shipment.arrivedAt))}`}
        </>
      }
      onBack={() => go('/receive')}
      tools={<SyncState />}
      below={<Progress shipment={shipment} />}
      band={<SaidBand said={receiving.said} undo={receiving.undo} />}
      actions={
        blocked !== undefined ? (
          <Button isWide look="main" icon={ClipboardCheck} onClick={close}>
            {receive.statement}
          </Button>
        ) : (
          <>
            {!hasArrived && (
              <Button icon={Truck} onClick={() => void arrive()}>
                {receive.arrive}
              </Button>
            )}
            {shipment.type === 'BLIND' && (
              <Button
                icon={Link2}
                blocked={online.value ? undefined : receive.closeOffline}
                onClick={() => setMatching(true)}
              >
                {receive.match}
              </Button>
            )}
            <Button look={shipment.complete ? 'main' : undefined} icon={ClipboardCheck} onClick={close}>
              {receive.close}
            </Button>
          </>
        )
      }
    >
      {blocked === undefined ? (
        <>
          <ScanTarget label={labelOf(hasCartons)} />
          <ReceiveTo subject={shipping.subject} />
        </>
      ) : (
        <Notice look="info" title={blocked}>
          {shipment.matchedTo === undefined ? (
            <p>{receive.closedHint}</p>
          ) : (
            <p>
              <a href={shipmentHref(shipment.matchedTo)}>{receive.matched(shipment.matchedTo.number)}</a>
            </p>
          )}
        </Notice>
      )}
      {view.conflicts.map((conflict) => (
        <InboundConflict key={conflict.lane} conflict={conflict} />
      ))}
      {!online.value && <State look="risk">{t().shell.staleOffline(time(view.at))}</State>}
      <WantedNotice receiving={receiving} />
      {hasCartons ? (
        <Cartons shipping={shipping} shipment={shipment} receiving={receiving} blocked={blocked} />
      ) : (
        <Pieces shipping={shipping} shipment={shipment} receiving={receiving} blocked={blocked} />
      )}
      {isMatching && <MatchDialog shipping={shipping} onClose={() => setMatching(false)} />}
    </Screen>
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
/** Rows that are shown at once; more are found by scanning. */
const ROWS = 80;

type Asked =
  | { kind: 'unknown'; code: string; isOffline: boolean }
  | { kind: 'elsewhere'; cartonId: string; node: string }
  | { kind: 'other'; cartonId: string; names: Names }
  | { kind: 'several'; cartonId: string; names: readonly Names[] };
type Names = Pick<Arrival, 'type' | 'number' | 'sellerId'>;

interface PartProps {
  shipping: Shipping;
  shipment: Shipment;
  receiving: Receiving;
  blocked: string | undefined;
}

function Cartons({ shipping, shipment, receiving, blocked }: PartProps) {
  const { receive } = t();
  const [which, setWhich] = useState<Which | undefined>();
  const [asked, setAsked] = useState<Asked | undefined>();
  const [isAll, setAll] = useState(false);
  const toCarton = (cartonId: string) => {
    location.hash = shipmentHref(shipment, 'carton', cartonId).slice(1);
  };
  const lists: Record<Which, Carton[]> = {
    open: shipment.cartons
      .filter((one) => !isDone(one))
      .toSorted((a, b) => Number(b.state === 'COUNTING') - Number(a.state === 'COUNTING')),
    done: shipment.cartons.filter(isDone),
    problems: shipment.cartons.filter(({ cartonId, state }) => PROBLEMS.has(state) || isOff(shipment, cartonId)),
  };
  const shown = which ?? (lists.open.length > 0 ? 'open' : 'done');
  const units = (cartonId: string) => {
    const sums = shipment.sums.cartons.find((one) => one.cartonId === cartonId);
    return sums === undefined ? 0 : Math.max(sums.announced, arrivedOf(sums));
  };
  const whole = async (now: Shipment, carton: Carton) => {
    const { cartonId, state, holder } = carton;
    if (state === 'COUNTING') {
      receiving.wrong(receive.counting(holder?.userId ?? '?'), receive.countingHint);
      return;
    }
    if (state !== 'EXPECTED') {
      receiving.wrong(...alreadyWords(now, cartonId));
      return;
    }
    await receiving.take(
      { cartonId, as: 'GOOD' },
      { look: 'right', title: receive.gotCarton(shortLabel(cartonId), units(cartonId)) },
    );
  };
  useScan(async ({ text, command }) => {
    if (asked !== undefined) {
      if (command === 'OK') takeAsked();
      else feedback('wrong');
      return undefined;
    }
    if (command === 'UNDO') return receiving.undo();
    if (command !== undefined) return false;
    if (blocked !== undefined) {
      receiving.wrong(blocked, receive.closedHint);
      return undefined;
    }
    const now = shipping.fresh()?.shipment ?? shipment;
    const carton = now.cartons.find(({ cartonId }) => isLabelOf(text, cartonId));
    if (carton !== undefined) {
      if (mode.peek() === 'whole') return whole(now, carton);
      feedback('right');
      toCarton(carton.cartonId);
      return undefined;
    }
    const item = now.sums.items.find(({ itemId }) => {
      const key = now.sums.keys.find((one) => one.itemId === itemId)!;
      return isCodeOf(text, key);
    });
    if (item !== undefined) {
      receiving.wrong(receive.cartonFirst, receive.cartonFirstHint(nameOf(item)));
      return undefined;
    }
    return find(text);
  });
  const find = async (code: string) => {
    feedback('wrong');
    try {
      const matches = await lookUp(code);
      const fitting = matches.filter(
        ({ kind, number }) => (kind === 'CARTON' || kind === 'SHIPMENT') && number !== undefined,
      );
      const namesOf = ({ type, number, sellerId = '' }: (typeof fitting)[number]) => ({
        type: type!,
        number: number!,
        sellerId,
      });
      const here = fitting.filter(({ kind, nodeId }) => kind === 'CARTON' && nodeId === undefined);
      if (here.length > 1) {
        setAsked({ kind: 'several', cartonId: here[0]!.id, names: here.map(namesOf) });
        return;
      }
      const [match] = fitting;
      if (match === undefined) {
        const item = matches.find(({ kind }) => kind === 'ITEM');
        if (item === undefined) setAsked({ kind: 'unknown', code, isOffline: false });
        else receiving.say({ look: 'wrong', title: receive.cartonFirst, detail: receive.cartonFirstHint(item.label) });
      } else if (match.nodeId === undefined) {
        setAsked({ kind: 'other', cartonId: match.kind === 'CARTON' ? match.id : code, names: namesOf(match) });
      } else setAsked({ kind: 'elsewhere', cartonId: match.id, node: match.nodeId });
    } catch (error) {
      if (isAway(error)) setAsked({ kind: 'unknown', code, isOffline: true });
      else receiving.wrong(receive.unknown(code));
    }
  };
  const takeAsked = () => {
    if (asked === undefined || asked.kind === 'several') return;
    setAsked(undefined);
    if (asked.kind === 'other') location.hash = shipmentHref(asked.names).slice(1);
    else if (asked.kind === 'elsewhere') {
      const { cartonId } = asked;
      const title = receive.gotCartonAs(shortLabel(cartonId), receive.buckets.held);
      void receiving.take({ cartonId, as: 'GOOD' }, { look: 'risk', title }, true);
    } else toCarton(asked.code.slice(0, 64));
  };
  useKeys('/receive/:type/:number', { m: () => setMode(mode.peek() === 'whole' ? 'pieces' : 'whole') });
  const rows = isAll ? lists[shown] : lists[shown].slice(0, ROWS);
  return (
    <>
      {blocked === undefined && (
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
      )}
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
          {shown === 'open' && receive.noOpenHint}
        </Empty>
      ) : (
        <ul class="list" aria-label={receive.cartons}>
          {rows.map((carton) => (
            <li key={carton.cartonId}>
              <CartonRow shipment={shipment} carton={carton} units={units(carton.cartonId)} />
            </li>
          ))}
        </ul>
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
      {asked !== undefined && <AskDialog asked={asked} onTake={takeAsked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

/** Whether something of a carton is not simply good. */
function isOff({ sums }: Shipment, cartonId: string): boolean {
  const own = sums.cartons.find((one) => one.cartonId === cartonId);
  return own !== undefined && own.damaged + own.refused + own.held + own.over + own.short > 0;
}

function CartonRow({ shipment, carton, units }: { shipment: Shipment; carton: Carton; units: number }) {
  const { receive } = t();
  const { cartonId, state, holder } = carton;
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
          {holder !== undefined && <span class="small quiet">{receive.heldBy(holder.userId, time(holder.since))}</span>}
          {by !== undefined && <span class="small quiet">{receive.receivedBy(by.userId, time(by.at))}</span>}
          {sums !== undefined && state !== 'DAMAGED' && state !== 'REFUSED' && <Parts of={{ ...sums, announced: 1 }} />}
        </span>
      </span>
      <span class="big receive-count">
        {state === 'COUNTING' && sums !== undefined ? (
          <>
            {arrivedOf(sums)}
            <span class="quiet">/{sums.announced}</span>
          </>
        ) : (
          units
        )}
      </span>
    </a>
  );
}

function AskDialog({ asked, onTake, onClose }: { asked: Asked; onTake: () => void; onClose: () => void }) {
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

/** Items of a PO, or of goods without papers. */
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
          if (!isOneOf(code, [shipment.number])) return false;
          feedback('right');
          return true;
        }}
      />
    </>
  );
}
