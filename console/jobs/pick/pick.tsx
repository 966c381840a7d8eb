/**
 * Picking a ticket. A scan is kept on the device, then it beeps and counts: what is shown is what the service said last and what has
 * not been sent yet. Offline it is the same.
 */

import { PackageX, Pause, RotateCcw, SkipForward } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { choices, loadChoices } from '../../choices.ts';
import { laneOf, type StoreCommand, type TicketSubject } from '../../offline/commands.ts';
import { keepTicket, outbox } from '../../offline/index.ts';
import { confirmItems, type ItemView, type TicketView } from '../../offline/view.ts';
import { now, online } from '../../preferences.ts';
import { go, href } from '../../router.ts';
import { feedback } from '../../scan/feedback.ts';
import type { Scan } from '../../scan/queue.ts';
import { focusScanTarget, ScanTarget } from '../../scan/target.tsx';
import { place as here, may, session, whenBack } from '../../session.ts';
import { t, time } from '../../texts/index.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/load.tsx';
import { Band, Due, ErrorNotice, type Look, Notice } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { printPickList } from '../../work/counter-print.ts';
import { PrintButton } from '../../work/print-button.tsx';
import { SyncState } from '../../work/sync-state.tsx';
import { useKeys, useScan } from '../../work/use-scan.ts';
import { useWakeLock } from '../../work/wake-lock.ts';
import { AfterTicket, AskPlace, Confirmed, PutAway, placeVerdict } from './pick-away.tsx';
import { PickItem } from './pick-item.tsx';
import { Items } from './pick-list.tsx';
import { GiveBack, Others, Stopped } from './pick-owner.tsx';
import { ShortDialog } from './pick-short.tsx';
import { indexOf, isKnown, judgeScan, nextOpen, nextTote, sumsOf } from './ticket-work.ts';

export default function Pick({ params }: ScreenProps) {
  return <Ticket storeId={params['storeId']!} ticketId={params['ticketId']!} isReverse={false} />;
}

/** A pick ticket, or a reverse one that brings goods back to their shelf. */
export function Ticket({ storeId, ticketId, isReverse }: { storeId: string; ticketId: string; isReverse: boolean }) {
  const { nodeId } = here.value!;
  const subject = useMemo<TicketSubject>(
    () => ({ kind: 'ticket', storeId, nodeId, id: ticketId }),
    [storeId, nodeId, ticketId],
  );
  const [error, setError] = useState<unknown>(undefined);
  const load = () =>
    keepTicket(subject).then(
      () => setError(undefined),
      (failure: unknown) => setError(failure),
    );
  useEffect(() => {
    loadChoices();
    void load();
    return whenBack(() => void load());
  }, [subject]);
  const view = outbox.snapshot.ticket(subject);
  if (view !== undefined) return <Work subject={subject} view={view} isReverse={isReverse} reload={load} />;
  const { pick } = t();
  return (
    <Screen title={ticketId} sub={isReverse ? pick.reverseSub : pick.sub} onBack={() => go('/')} tools={<SyncState />}>
      {error === undefined ? (
        <Skeleton lines={5} onRetry={() => void load()} />
      ) : (
        <ErrorNotice error={error} onRetry={() => void load()} />
      )}
    </Screen>
  );
}

interface WorkProps {
  subject: TicketSubject;
  view: TicketView;
  isReverse: boolean;
  reload: () => Promise<void>;
}

function Work({ subject, view, isReverse, reload }: WorkProps) {
  const { ticket } = view;
  const { userId } = session.value!.user;
  const isNobodys = ticket.userId === '';
  const isMine = ticket.userId === userId || (isNobodys && view.confirmed === undefined);
  const mayWork = may('fulfillment.write');
  useEffect(() => {
    // Opening says that somebody works on it: only its own user's does.
    if (ticket.status !== 'NEW' || !isMine || !mayWork || view.conflict !== undefined) return;
    const { clientId, name } = session.peek()!.user;
    const lane = laneOf({ userId, name, ...(clientId !== undefined && { clientId }) }, subject);
    if (outbox.commandsOf(lane).length === 0) void outbox.add({ kind: 'open', subject });
  }, [ticket.status, isMine]);
  const wasWaiting = useRef(view.waiting);
  useEffect(() => {
    // The service says which order goes short, and what may be done with a closed ticket.
    if (wasWaiting.current > 0 && view.waiting === 0) void reload();
    wasWaiting.current = view.waiting;
  }, [view.waiting]);
  const { pick } = t();
  const head = <Head view={view} isReverse={isReverse} />;
  const title = ticket.pickTicketId;
  const sub = isReverse ? pick.reverseSub : t().units.orders(ticket.orders.length);
  if (ticket.outcome === 'RESET') {
    return (
      <Screen title={title} sub={sub} onBack={() => go('/')} tools={<SyncState />}>
        <Notice look="info" title={pick.closedReset}>
          <p>{pick.closedHint}</p>
        </Notice>
        <LinkButton to={href('/')}>{t().nav.home}</LinkButton>
      </Screen>
    );
  }
  if (view.confirmed !== undefined && view.conflict === undefined) {
    return (
      <Screen
        title={title}
        sub={sub}
        tools={<SyncState />}
        onBack={() => go('/')}
        actions={<AfterTicket queueId={ticket.queueId} isReverse={isReverse} />}
      >
        <Confirmed view={view} isReverse={isReverse} />
      </Screen>
    );
  }
  if (!isMine || !mayWork) {
    return (
      <Screen title={title} sub={sub} onBack={() => go('/')} tools={<SyncState />} below={head}>
        <Others view={view} subject={subject} isReverse={isReverse} reload={reload} />
        <Items view={view} shownId={undefined} />
      </Screen>
    );
  }
  return <Picking subject={subject} view={view} isReverse={isReverse} title={title} sub={sub} head={head} />;
}

function Head({ view, isReverse }: { view: TicketView; isReverse: boolean }) {
  const { pick } = t();
  const { done, quantity } = sumsOf(view.items);
  const { pickSLADate } = view.ticket;
  return (
    <div class="pick-head">
      <div class="split">
        {isReverse && <span class="strong">{pick.from(view.ticket.holdLocation)}</span>}
        <Due at={pickSLADate} nowMs={now.value} />
        <span class="strong pick-sum">
          {done}/{quantity}
        </span>
      </div>
      <progress
        class={done === quantity ? 'progress right' : 'progress'}
        value={done}
        max={quantity}
        aria-label={pick.progress(done, quantity)}
      />
    </div>
  );
}

/** What the last scan or tap did. */
interface Said {
  look: Look;
  title: string;
  detail?: string;
  /** The scan that it counted may be taken back. */
  isUndoable?: boolean;
}

interface PickingProps extends Omit<WorkProps, 'reload'> {
  title: string;
  sub: string;
  head: ComponentChildren;
}

function Picking({ subject, view, isReverse, title, sub, head }: PickingProps) {
  const { pick } = t();
  const index = useMemo(() => indexOf(view.items), [subject, view.items.length]);
  const [shownId, setShownId] = useState<number | undefined>(() => nextOpen(view.items)?.id);
  const [said, setSaid] = useState<Said | undefined>();
  const [asks, setAsks] = useState<'short' | 'rest' | 'give-back' | undefined>();
  const [place, setPlace] = useState(view.ticket.holdLocation);
  /** A text that is no place of the store; scanned, or typed and to be confirmed. */
  const [asksPlace, setAsksPlace] = useState<{ text: string; isConfirmed: boolean } | undefined>();
  /** What the person has said to be a place all the same. */
  const insisted = useRef<string | undefined>(undefined);
  useWakeLock();
  const sums = sumsOf(view.items);
  const isAnswered = sums.done === sums.quantity;
  const shown = view.items.find(({ id }) => id === shownId) ?? nextOpen(view.items) ?? view.items[0]!;
  const next = nextOpen(view.items, shown.id);
  const isLast = next === undefined || next.id === shown.id;
  // A scan that waited for another one sees what that one has changed.
  const fresh = () => outbox.snapshot.ticket(subject) ?? view;
  const shownNow = useRef(shown.id);
  shownNow.current = shown.id;
  const show = (id: number | undefined) => {
    if (id === undefined) return;
    // Scrolling makes the browser lay the page out at once: not for a unit of the same item.
    if (id !== shownNow.current) scrollTo({ top: 0 });
    shownNow.current = id;
    setShownId(id);
    focusScanTarget();
  };
  const wrong = (titleOf: string, detail?: string) => {
    feedback('wrong');
    setSaid({ look: 'wrong', title: titleOf, ...(detail !== undefined && { detail }) });
  };
  const kept = async (command: StoreCommand): Promise<boolean> => {
    if (fresh().conflict !== undefined) {
      wrong(pick.stopped, pick.stoppedHint);
      return false;
    }
    try {
      await outbox.add(command);
      return true;
    } catch {
      wrong(pick.noStorage);
      return false;
    }
  };
  const moveOn = (id: number) => {
    const { items } = fresh();
    const item = items.find((one) => one.id === id);
    show(item !== undefined && item.left > 0 ? id : (nextOpen(items, id)?.id ?? id));
  };
  const count = async (item: ItemView) => {
    const tote = view.ticket.orders.length > 1 ? nextTote(item) : undefined;
    if (!(await kept({ kind: 'scan', subject, item: item.id, picked: 1, canceled: 0 }))) return;
    feedback('right');
    const needed = item.quantity - item.canceled;
    const line = [item.picked + 1, needed] as const;
    setSaid({
      look: 'right',
      title: tote === undefined ? pick.right : pick.rightTote(tote),
      detail: `${pick.of(...line)} · ${item.item.itemDetails.itemDesc}`,
      isUndoable: true,
    });
    moveOn(item.id);
  };
  const one = () => {
    const item = fresh().items.find(({ id }) => id === shownNow.current);
    if (item === undefined || item.left === 0) return;
    return count(item);
  };
  const short = async (item: ItemView, units: number, reason: string) => {
    const command = { kind: 'scan', subject, item: item.id, picked: 0, canceled: units, reason } as const;
    if (!(await kept(command))) return;
    feedback('right');
    setSaid({ look: 'risk', title: pick.shorted(units), detail: item.item.itemDetails.itemDesc, isUndoable: true });
    moveOn(item.id);
  };
  const shortRest = async (reason: string) => {
    setAsks(undefined);
    for (const item of fresh().items) if (item.left > 0) await short(item, item.left, reason);
  };
  const undo = async () => {
    const scan = fresh().scans.at(-1);
    if (scan === undefined) {
      wrong(pick.nothingToUndo);
      return;
    }
    const { scanId, isSent: _, ...of } = scan;
    if (!(await kept({ kind: 'undo', subject, undoes: scanId, of }))) return;
    const item = fresh().items.find(({ id }) => id === scan.item);
    feedback('right');
    setSaid({ look: 'info', title: pick.undone(item?.item.itemDetails.itemDesc ?? '') });
    show(scan.item);
  };
  const confirm = async () => {
    const now = fresh();
    const left = now.items.reduce((sum, item) => sum + item.left, 0);
    if (left > 0) {
      wrong(pick.confirmNeedsAll(left));
      return;
    }
    const holdLocation = isReverse ? now.ticket.holdLocation : place.trim();
    if (holdLocation === '') {
      wrong(pick.confirmNeedsPlace);
      return;
    }
    if (!isReverse && !(await isPlace(holdLocation, true))) return;
    if (await kept({ kind: 'confirm', subject, holdLocation, items: confirmItems(now) })) feedback('done');
  };
  const putInto = (text: string) => {
    feedback('right');
    setPlace(text);
    setSaid({ look: 'right', title: pick.atPlace(text) });
  };
  /** Whether goods may be put there; else it says why not, or asks. What is confirmed was looked up when it was scanned. */
  const isPlace = async (text: string, isConfirmed: boolean): Promise<boolean> => {
    if (text === insisted.current) return true;
    const verdict = await placeVerdict(text, { view: fresh(), index, isAsking: !isConfirmed });
    if (verdict.kind === 'place') {
      if (!isConfirmed) putInto(verdict.place);
      return true;
    }
    if (verdict.kind === 'unknown') {
      feedback('wrong');
      setAsksPlace({ text, isConfirmed });
    } else wrong(pick.noPlaces[verdict.kind], text);
    return false;
  };
  const useAnyway = () => {
    if (asksPlace === undefined) return;
    const { text, isConfirmed } = asksPlace;
    insisted.current = text;
    setAsksPlace(undefined);
    if (isConfirmed) void confirm();
    else putInto(text);
  };
  const main = () => (isAnswered ? confirm() : undefined);
  const openShort = () => {
    const item = fresh().items.find(({ id }) => id === shownNow.current);
    if (item !== undefined && item.left > 0) setAsks('short');
  };
  useScan(
    ({ text, command }: Scan) => {
      if (command === 'UNDO') return undo();
      if (command === 'SHORT') {
        openShort();
        return undefined;
      }
      if (command === 'OK') return main();
      const { items } = fresh();
      const verdict = judgeScan(items, index, text, shownNow.current);
      if (verdict.kind === 'right') return count(verdict.item);
      const isOpen = items.some(({ left }) => left > 0);
      if (!isOpen && !isReverse && verdict.kind !== 'over') {
        return isPlace(text.trim(), false).then(() => undefined);
      }
      switch (verdict.kind) {
        case 'over': {
          const { itemDetails } = verdict.item.item;
          wrong(pick.over, pick.overHint(itemDetails.itemDesc, verdict.item.quantity));
          return undefined;
        }
        case 'component':
          wrong(pick.component, pick.componentHint(verdict.name, verdict.item.item.itemDetails.itemDesc));
          return undefined;
        case 'place': {
          feedback('right');
          setSaid({ look: 'info', title: pick.atPlace(text) });
          show(verdict.item.id);
          return undefined;
        }
        default:
          wrong(pick.wrong, pick.wrongHint(text));
          return undefined;
      }
    },
    (text) => isKnown(index, text),
  );
  useKeys('/pick/:storeId/:ticketId', {
    F2: openShort,
    F4: () => void one(),
    F8: () => void undo(),
    'Ctrl+z': () => void undo(),
    F9: () => void main(),
    ArrowDown: () => show(nextOpen(view.items, shown.id)?.id),
    ArrowUp: () => show(nextOpen(view.items, shown.id, -1)?.id),
    PageDown: () => show(nextOpen(view.items, shown.id)?.id),
    PageUp: () => show(nextOpen(view.items, shown.id, -1)?.id),
  });
  useEffect(() => {
    if (asks === 'short' && shown.left === 0) setAsks(undefined);
  }, [shown.left]);
  const hint = isAnswered ? (isReverse ? pick.finishReverse : pick.scanPlace) : pick.scanItem;
  return (
    <Screen
      title={title}
      sub={sub}
      tools={<SyncState />}
      onBack={() => go('/')}
      below={head}
      band={
        <>
          <div class="pick-scan">
            <ScanTarget label={hint} />
          </div>
          {said !== undefined && <Result said={said} onUndo={() => void undo()} />}
        </>
      }
      actions={
        isAnswered ? (
          <Button
            look="main"
            shortcut="F9"
            onClick={() => void confirm()}
            blocked={!isReverse && place.trim() === '' ? pick.confirmNeedsPlace : undefined}
          >
            {isReverse ? pick.confirmReverse : pick.confirm(place)}
          </Button>
        ) : (
          <>
            <Button
              icon={PackageX}
              shortcut="F2"
              blocked={shown.left === 0 ? pick.itemDone : undefined}
              onClick={openShort}
            >
              {pick.short}
            </Button>
            <Button
              look="main"
              icon={SkipForward}
              shortcut="ArrowDown"
              blocked={isLast && shown.left > 0 ? pick.lastPlace : undefined}
              onClick={() => show(next?.id)}
            >
              {pick.nextPlace}
            </Button>
          </>
        )
      }
    >
      {view.conflict !== undefined && <Stopped view={view} />}
      {isAnswered ? (
        <PutAway view={view} isReverse={isReverse} place={place} onPlace={setPlace} />
      ) : (
        <PickItem
          view={view}
          shown={shown}
          isReverse={isReverse}
          onOne={() => void one()}
          onLeaveOut={(units) => void short(shown, units, leaveOutReason())}
        />
      )}
      <Items view={view} shownId={isAnswered ? undefined : shown.id} onShow={show} />
      <section class="stack tight" aria-label={pick.ticketMenu}>
        <h2>{pick.ticketMenu}</h2>
        <Button isWide icon={Pause} onClick={() => go('/')}>
          {pick.pause}
          <span class="hint">{pick.pauseHint}</span>
        </Button>
        {view.ticket.leaseUntil !== undefined && <p class="small quiet">{pick.until(time(view.ticket.leaseUntil))}</p>}
        <PrintButton isWide print={() => printPickList(fresh().ticket)}>
          {t().counter.papers.pickList}
        </PrintButton>
        {!isAnswered && (
          <Button isWide icon={PackageX} onClick={() => setAsks('rest')}>
            {pick.finishEarly}
          </Button>
        )}
        <Button
          isWide
          icon={RotateCcw}
          blocked={online.value ? undefined : t().errors.codes['OFFLINE']}
          onClick={() => setAsks('give-back')}
        >
          {pick.giveBack}
        </Button>
      </section>
      {asks === 'short' && (
        <ShortDialog
          title={pick.shortTitle}
          item={shown}
          onClose={() => setAsks(undefined)}
          onShort={(units, reason) => {
            setAsks(undefined);
            void short(shown, units, reason);
          }}
        />
      )}
      {asks === 'rest' && (
        <ShortDialog
          title={pick.finishEarlyTitle(sums.quantity - sums.done)}
          onClose={() => setAsks(undefined)}
          onShort={(_, reason) => void shortRest(reason)}
        />
      )}
      {asksPlace !== undefined && (
        <AskPlace place={asksPlace.text} onUse={useAnyway} onClose={() => setAsksPlace(undefined)} />
      )}
      {asks === 'give-back' && <GiveBack subject={subject} isReverse={isReverse} onClose={() => setAsks(undefined)} />}
    </Screen>
  );
}

/** What the last scan did, above the buttons. */
function Result({ said, onUndo }: { said: Said; onUndo: () => void }) {
  return (
    <div class="pick-band">
      <Band
        look={said.look}
        action={
          said.isUndoable === true && (
            <Button shortcut="F8" onClick={onUndo}>
              {t().actions.undo}
            </Button>
          )
        }
      >
        {said.title}
        {said.detail !== undefined && <span class="pick-detail">{said.detail}</span>}
      </Band>
    </div>
  );
}

/** Units that the customer has canceled are left out under that reason where the client has it. */
function leaveOutReason(): string {
  const codes = choices.value?.cancelReasons.map(({ code }) => code) ?? [];
  const own = 'CancelCustomerInitiated';
  return codes.length === 0 || codes.includes(own) ? own : codes[0]!;
}
