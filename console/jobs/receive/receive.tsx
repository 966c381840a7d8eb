/**
 * Arrivals of the node: in progress, late, due today or later. A scanned carton or number opens its shipment. Goods
 * without papers start here.
 */

import { ArrowDownToLine, FileQuestion, Search } from 'lucide';
import { useState } from 'preact/hooks';
import { call, giveUpAfter } from '../../api.ts';
import { choices, useChoices } from '../../choices.ts';
import { outbox } from '../../offline/index.ts';
import { now, online } from '../../preferences.ts';
import { go, setQuery } from '../../router.ts';
import { contentOf } from '../../scan/codes.ts';
import { feedback } from '../../scan/feedback.ts';
import { ScanTarget } from '../../scan/target.tsx';
import { place } from '../../session.ts';
import { day, t, time } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { ClosableBand } from '../../ui/closable-band.tsx';
import { TextField } from '../../ui/field.tsx';
import { Empty, Show, useAction, useLoad } from '../../ui/load.tsx';
import { ErrorNotice, explain, State } from '../../ui/notice.tsx';
import { QueryBox } from '../../ui/query-box.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { NO_SUB, Screen } from '../../ui/screen.tsx';
import { useCover } from '../../ui/use-cover.ts';
import { useIsOpen } from '../../ui/use-is-open.ts';
import { ownId } from '../../work/own-id.ts';
import { PrintButton } from '../../work/print-button.tsx';
import { SyncState } from '../../work/sync-state.tsx';
import { useKeys, useScan } from '../../work/use-scan.ts';
import { groupOf, inGroups } from './arrival-groups.ts';
import { type Arrivals, findArrivals, keepArrivals, shipmentsOnDevice } from './arrivals.ts';
import {
  type Arrival,
  dayAt,
  isAway,
  isLabelOf,
  lookUp,
  type Match,
  nodePath,
  shipmentHref,
  typeWord,
} from './receiving.ts';

/** Time limit of the look-up of a code that this device knows. */
const ASK_MS = 3_000;
/** Interval for reading the list again. */
const EVERY_MS = 20_000;

interface Told {
  look: 'wrong' | 'risk';
  text: string;
  hint?: string;
  /** Link to the only open shipment on this device that has the code. Set only if the service is slow. */
  open?: { name: string; to: string };
}

export default function Receive({ query }: ScreenProps) {
  const { receive, counter } = t();
  const wanted = query.get('q') ?? '';
  const isClosed = query.get('show') === 'closed';
  const [said, setSaid] = useState<Told | undefined>();
  const [isBlind, setBlind] = useState(false);
  useChoices();
  // The groups need the time zone of the node.
  useCover(choices.value === undefined);
  const loaded = useArrivals(wanted, isClosed);
  const find = useFinding(setSaid);
  useScan(({ text: code, command }) => {
    if (command !== undefined || isBlind) return false;
    setSaid(undefined);
    return find(code);
  });
  useKeys('/receive', { b: () => setBlind(true) });
  // The subtitle counts the arrivals that are in work or due by today. Home counts them by their day alone, and only those
  // of the last 30 days. A PO in the group COVERED does not count, because its ASNs count.
  const today = todayHere();
  const listed = loaded.data.value?.body.inbound;
  const groups = listed?.map((one) => groupOf(one, today)) ?? [];
  const [later, covered] = (['LATER', 'COVERED'] as const).map((group) => groups.filter((one) => one === group).length);
  return (
    <Screen
      title={receive.title}
      sub={listed === undefined ? NO_SUB : receive.sub(listed.length - later! - covered!, later!)}
      onBack={() => go('/')}
      tools={<SyncState />}
      below={said !== undefined && <ToldBand of={said} onClose={() => setSaid(undefined)} />}
      actions={
        <Button isWide icon={FileQuestion} onClick={() => setBlind(true)}>
          {receive.blind}
        </Button>
      }
    >
      <ScanTarget label={receive.scanAny} />
      <QueryBox
        label={receive.search}
        q={wanted}
        onSearch={(q) => {
          setSaid(undefined);
          setQuery({ q });
        }}
        max={64}
      />
      <div class="receive-switch" role="group" aria-label={receive.title}>
        <button type="button" class="button" aria-pressed={!isClosed} onClick={() => setQuery({ show: undefined })}>
          {receive.filters.open}
        </button>
        <button type="button" class="button" aria-pressed={isClosed} onClick={() => setQuery({ show: 'closed' })}>
          {receive.filters.closed}
        </button>
      </div>
      <Show of={loaded} lines={5}>
        {({ body, at: foundAt, isStale }) => (
          <>
            {(isStale || !online.value) && <State look="risk">{t().shell.staleOffline(time(foundAt))}</State>}
            <List of={body} today={today} wanted={wanted} isClosed={isClosed} />
            {body.isCut && <p class="quiet">{counter.more}</p>}
          </>
        )}
      </Show>
      {isBlind && <BlindDialog onClose={() => setBlind(false)} onStarted={openShipment} />}
    </Screen>
  );
}

function ToldBand({ of: { look, text, hint, open }, onClose }: { of: Told; onClose: () => void }) {
  return (
    <ClosableBand look={look} onClose={onClose}>
      {text}
      {hint !== undefined && <span class="receive-hint">{hint}</span>}
      {open !== undefined && <LinkButton to={open.to}>{t().receive.openIt(open.name)}</LinkButton>}
    </ClosableBand>
  );
}

/** Returns the date at the node. */
function todayHere(): string {
  return dayAt(choices.value?.timeZone, now.peek());
}

/**
 * Loads the arrivals of the node, or the arrivals that match a search. The device keeps the open arrivals for work
 * without the network.
 */
function useArrivals(wanted: string, isClosed: boolean) {
  const key = `receive ${place.value!.nodeId} ${isClosed ? 'closed' : 'open'} ${wanted}`;
  return useLoad(
    key,
    async (stop) => {
      const load = () => findArrivals(wanted, isClosed, stop);
      if (wanted !== '') return { body: await load(), at: Date.now(), isStale: false };
      const found = await outbox.snapshot.cached(key, load);
      if (!isClosed && !found.isStale) keepArrivals(found.body, todayHere());
      return found;
    },
    EVERY_MS,
  );
}

type Names = Pick<Arrival, 'type' | 'number' | 'sellerId'>;

function hrefOf(one: Names, cartonId?: string): string {
  return shipmentHref(one, ...(cartonId === undefined ? [] : ['carton', cartonId]));
}

function openShipment(one: Names, cartonId?: string): void {
  location.hash = hrefOf(one, cartonId).slice(1);
}

/**
 * Opens the only shipment of this node that has the code. If several shipments have the code, the list shows only
 * these. If no shipment has the code, or the service cannot be reached, opens the only shipment on this device that has
 * the code. Without such a shipment, a message says why. If the service is slow, the message links to the shipment on
 * this device.
 */
function useFinding(setSaid: (said: Told) => void) {
  const { receive } = t();
  const isOpen = useIsOpen();
  return async (code: string) => {
    const here = shipmentsOnDevice(code).filter(({ state }) => state !== 'CLOSED');
    const [only] = here.length === 1 ? here : [];
    const cartonId = only?.cartons.find((one) => isLabelOf(code, one.cartonId))?.cartonId;
    const openHere = () => {
      if (only === undefined) return false;
      feedback('right');
      openShipment(only, cartonId);
      return true;
    };
    if (!online.peek() && openHere()) return;
    try {
      const matches = await lookUp(code, only !== undefined ? giveUpAfter(ASK_MS) : undefined);
      if (!isOpen()) return;
      const known = matches.filter(
        ({ kind, number }) => (kind === 'CARTON' || kind === 'SHIPMENT') && number !== undefined,
      );
      const own = shipmentsIn(known);
      if (own.length === 1) {
        feedback('right');
        openShipment(...own[0]!);
      } else if (own.length > 1) {
        feedback('right');
        setSaid({ look: 'risk', text: receive.several(code) });
        const isClosed = known.every((one) => one.nodeId !== undefined || isEnded(one));
        setQuery({ q: contentOf(code), show: isClosed ? 'closed' : undefined });
      } else if (!openHere()) {
        feedback('wrong');
        const [other] = known;
        setSaid({
          look: 'wrong',
          ...(other === undefined
            ? { text: receive.notHere(code), hint: receive.notHereHint }
            : { text: receive.elsewhere(code, other.nodeId!) }),
        });
      }
    } catch (error) {
      if (!isOpen() || (isAway(error) && openHere())) return;
      feedback('wrong');
      if (only !== undefined && (error as Error).name === 'AbortError') {
        const name = [typeWord(only), only.number, only.sellerId !== '' && receive.of(only.sellerId)];
        const open = { name: name.filter(Boolean).join(' '), to: hrefOf(only, cartonId) };
        setSaid({ look: 'risk', text: receive.slow(code), hint: receive.slowHint, open });
        return;
      }
      setSaid({ look: 'wrong', text: isAway(error) ? receive.needsNetwork(code) : explain(error).what });
    }
  };
}

/** Returns whether the shipment of a match is closed. */
function isEnded({ state, shipmentState }: Match): boolean {
  return (shipmentState ?? state) === 'CLOSED';
}

/**
 * Returns the shipments of this node among the matches of a code. Each shipment is returned once, with the carton that
 * has the code. If one of them is open, the closed ones are left out, because numbers and carton ids are used again.
 */
function shipmentsIn(matches: readonly Match[]): Parameters<typeof openShipment>[] {
  const here = matches.filter(({ nodeId }) => nodeId === undefined);
  const open = here.filter((one) => !isEnded(one));
  const byShipment = Map.groupBy(open.length > 0 ? open : here, ({ type, number, sellerId }) =>
    JSON.stringify([type, number, sellerId]),
  );
  return [...byShipment.values()].map((all) => {
    const { type, number, sellerId } = all[0]!;
    return [{ type: type!, number: number!, sellerId: sellerId ?? '' }, all.find(({ kind }) => kind === 'CARTON')?.id];
  });
}

interface ListProps {
  of: Arrivals;
  today: string;
  wanted: string;
  isClosed: boolean;
}

function List({ of: { inbound }, today, wanted, isClosed }: ListProps) {
  const { receive, counter } = t();
  if (inbound.length === 0) {
    return wanted === '' ? (
      <Empty icon={ArrowDownToLine} title={isClosed ? receive.emptyClosed : receive.empty}>
        {isClosed ? receive.emptyClosedHint : receive.emptyHint}
      </Empty>
    ) : (
      <Empty
        icon={Search}
        title={receive.noneFound(wanted)}
        action={<Button onClick={() => setQuery({ q: undefined })}>{counter.clear}</Button>}
      >
        {receive.notHereHint}
      </Empty>
    );
  }
  // The rows show their seller only if they have different sellers.
  const isMixed = new Set(inbound.map(({ sellerId }) => sellerId)).size > 1;
  return inGroups(inbound, today).map(({ group, own }) => (
    <section key={group} class="stack tight" aria-label={receive.groups[group]}>
      <h2 class="receive-group">{receive.groups[group]}</h2>
      <ul class="list">
        {own.map((one) => (
          <li key={`${one.type} ${one.sellerId} ${one.number}`}>
            <Row arrival={one} isMixed={isMixed} />
          </li>
        ))}
      </ul>
    </section>
  ));
}

function Row({ arrival, isMixed }: { arrival: Arrival; isMixed: boolean }) {
  const { receive, units } = t();
  const { number, sellerId, state, expectedDate, late, announcedQuantity, receivedQuantity, coveredByAsns } = arrival;
  const { cartons, cartonsDone, openQuantity, heldQuantity } = arrival;
  const all = announcedQuantity === 0 ? receivedQuantity : announcedQuantity;
  return (
    <a class="row receive-row" href={shipmentHref(arrival)}>
      <span class="grow">
        <span class="inline">
          {typeWord(arrival) !== undefined && <span class="small quiet">{typeWord(arrival)}</span>}
          <span class="strong code">{number}</span>
          {isMixed && sellerId !== '' && <span class="small quiet">{receive.of(sellerId)}</span>}
        </span>
        <span class="quiet receive-facts">
          {cartons > 0 ? receive.cartonsOf(cartonsDone, cartons) : receive.unitsOf(receivedQuantity, all)}
          {expectedDate !== undefined && state !== 'CLOSED' && (
            <span class={late ? 'receive-late' : ''}>
              {late ? receive.lateSince(day(expectedDate)) : receive.expectedOn(day(expectedDate))}
            </span>
          )}
        </span>
        {heldQuantity > 0 && <State look="risk">{receive.heldTitle(heldQuantity)}</State>}
        {state === 'RECEIVING' && (
          <progress
            class="progress"
            value={receivedQuantity}
            max={Math.max(1, all)}
            aria-label={receive.unitsOf(receivedQuantity, all)}
          />
        )}
      </span>
      {state === 'RECEIVING' && openQuantity === 0 ? (
        <State look="right">{receive.allHere}</State>
      ) : (
        state !== 'CLOSED' &&
        !coveredByAsns && (
          <span class="strong receive-open">
            {cartons > 0 ? units.cartons(cartons - cartonsDone) : units.units(openQuantity)}
          </span>
        )
      )}
    </a>
  );
}

function BlindDialog({ onClose, onStarted }: { onClose: () => void; onStarted: (one: Arrival) => void }) {
  const { receive } = t();
  const [number, setNumber] = useState(() => {
    const date = new Date();
    const part = (value: number) => String(value).padStart(2, '0');
    return `B${part(date.getMonth() + 1)}${part(date.getDate())}-${part(date.getHours())}${part(date.getMinutes())}`;
  });
  const start = useAction(async () => {
    const own = number.trim();
    const made = await call<Partial<Arrival>>('POST', `${nodePath()}/inbound/BLIND`, {
      body: { number: own, userId: ownId() },
    });
    onStarted({ type: 'BLIND', number: own, sellerId: made.sellerId ?? '' } as Arrival);
  });
  const run = () => void start.run();
  return (
    <AskDialog
      title={receive.blind}
      onClose={onClose}
      act={receive.blindStart}
      isBusy={start.isBusy}
      blocked={online.value ? undefined : receive.blindOnline}
      onAct={run}
      takesEnter
    >
      <p>{receive.blindHint}</p>
      <TextField
        label={receive.blindNumber}
        hint={receive.blindNumberHint}
        value={number}
        onInput={setNumber}
        maxLength={40}
        error={start.of('number')}
      />
      <PrintButton
        isWide
        blocked={number.trim() === '' ? receive.blindNumberHint : undefined}
        print={async () => (await import('../../work/counter-print.ts')).printGoodsLabel(number.trim())}
      >
        {receive.blindLabel}
      </PrintButton>
      {start.error !== undefined && <ErrorNotice error={start.error} />}
    </AskDialog>
  );
}
