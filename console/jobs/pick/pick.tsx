/**
 * Picks a ticket. The device stores each scan, then beeps and counts it. The screen shows the last state from the
 * service plus the commands that are not sent yet, so it works the same offline.
 */

import { PackageX, Pause, RotateCcw, SkipForward } from 'lucide';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useChoices } from '../../choices.ts';
import { laneOf, type TicketSubject } from '../../offline/commands.ts';
import { outbox } from '../../offline/index.ts';
import { keepTicket, useTicketNow } from '../../offline/ticket-now.ts';
import type { ItemView, TicketView } from '../../offline/view.ts';
import { now, online } from '../../preferences.ts';
import { go, href } from '../../router.ts';
import { place as here, may, session, whenBack } from '../../session.ts';
import { t, time } from '../../texts/index.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Due, Notice } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { PrintButton } from '../../work/print-button.tsx';
import { useSaid } from '../../work/said.tsx';
import { useOnce } from '../../work/use-once.ts';
import { useKeys } from '../../work/use-scan.ts';
import { type JobHead, JobScreen, JobWaiting, type MainAction, WorkScreen } from '../../work/work-screen.tsx';
import { PickItem } from './pick-item.tsx';
import { Items, TicketNotes } from './pick-list.tsx';
import { codesOf, type Ending, type Picked, type Picking, useEnding, usePicking } from './picking.ts';
import { isKnown, nextOpen, sumsOf } from './ticket-work.ts';

const ShortDialog = lazy(async () => (await import('./short.tsx')).ShortDialog);
const AfterTicket = lazy(async () => (await import('./pick-away.tsx')).AfterTicket);
const Confirmed = lazy(async () => (await import('./pick-away.tsx')).Confirmed);
const PutAway = lazy(async () => (await import('./pick-away.tsx')).PutAway);
// These parts need the network anyway, so nothing preloads them.
const GiveBack = lazy(async () => (await import('./pick-owner.tsx')).GiveBack);
const GiveOn = lazy(async () => (await import('./pick-owner.tsx')).GiveOn);
const Others = lazy(async () => (await import('./pick-owner.tsx')).Others);

export default function Pick({ params }: ScreenProps) {
  return <Ticket storeId={params['storeId']!} ticketId={params['ticketId']!} isBack={false} />;
}

/**
 * A pick ticket, or a reverse ticket, which brings goods back to their shelf. The kind comes from the ticket; the route
 * (`isBack`) counts only until the ticket is loaded. A reverse ticket that is shown as a pick would make the user fetch
 * goods.
 */
export function Ticket({ storeId, ticketId, isBack }: { storeId: string; ticketId: string; isBack: boolean }) {
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
  useChoices();
  useEffect(() => {
    void load();
    // Loads the dialog for missing units and the last steps now, because they may be needed without the network.
    for (const part of [ShortDialog, PutAway]) part.preload();
    return whenBack(() => void load());
  }, [subject]);
  const view = outbox.snapshot.ticket(subject);
  const isReverse = view === undefined ? isBack : view.ticket.pickTicketType === 'REVERSE_PICK_TICKET';
  const { pick, units } = t();
  const head = {
    title: ticketId,
    sub: isReverse ? pick.reverseSub : view === undefined ? pick.sub : units.orders(view.ticket.orders.length),
    onBack: () => go('/'),
  };
  if (view === undefined) return <JobWaiting head={head} error={error} reload={load} />;
  return <Work head={head} subject={subject} view={view} isReverse={isReverse} reload={load} />;
}

interface WorkProps extends Picked {
  head: JobHead;
  reload: () => Promise<void>;
}

function Work({ head, subject, view, isReverse, reload }: WorkProps) {
  const { pick } = t();
  const { ticket } = view;
  const { userId } = session.value!.user;
  const isMine = ticket.userId === userId || (ticket.userId === '' && view.confirmed === undefined);
  const mayWork = may('fulfillment.write');
  useOpening(view, subject, isMine && mayWork);
  const wasWaiting = useRef(view.waiting);
  useEffect(() => {
    // Reloads after the outbox is sent: the service decides which order does not get all of its units, and which
    // actions a closed ticket allows.
    if (wasWaiting.current > 0 && view.waiting === 0) void reload();
    wasWaiting.current = view.waiting;
  }, [view.waiting]);
  if (ticket.outcome === 'RESET') {
    return (
      <JobScreen head={head}>
        <Notice look="info" title={pick.closedReset}>
          <p>{pick.closedHint}</p>
        </Notice>
        <LinkButton to={href('/')}>{t().nav.home}</LinkButton>
      </JobScreen>
    );
  }
  if (view.conflict !== undefined && isMine)
    return <Halted head={head} subject={subject} view={view} isReverse={isReverse} />;
  if (view.confirmed !== undefined && view.conflict === undefined) {
    return (
      <JobScreen head={head} actions={<AfterTicket queueId={ticket.queueId} isReverse={isReverse} />}>
        <Confirmed view={view} isReverse={isReverse} />
      </JobScreen>
    );
  }
  if (!isMine || !mayWork) {
    return (
      <JobScreen head={head} below={<Head view={view} isReverse={isReverse} />}>
        <Others view={view} subject={subject} isReverse={isReverse} reload={reload} />
        <Items view={view} shownId={undefined} />
      </JobScreen>
    );
  }
  return <PickingScreen head={head} subject={subject} view={view} isReverse={isReverse} />;
}

/** Reports to the service that the user works on the ticket. The ticket of another user is not reported. */
function useOpening(view: TicketView, subject: TicketSubject, isOwn: boolean): void {
  const { status } = view.ticket;
  useEffect(() => {
    if (status !== 'NEW' || !isOwn || view.conflict !== undefined) return;
    const { clientId, userId, name } = session.peek()!.user;
    const lane = laneOf({ userId, name, ...(clientId !== undefined && { clientId }) }, subject);
    if (outbox.commandsOf(lane).length === 0) void outbox.add({ kind: 'open', subject });
  }, [status, isOwn]);
}

/**
 * Stops the ticket after the service rejected a command. Nothing more is counted or confirmed until the user has
 * decided on the conflict.
 */
function Halted({ head, subject, view, isReverse }: Omit<WorkProps, 'reload'>) {
  const { pick } = t();
  const conflict = view.conflict!;
  const present = useTicketNow(subject, conflict.lane);
  const said = useSaid();
  return (
    <WorkScreen
      job={{
        ...head,
        progress: <Head view={view} isReverse={isReverse} />,
        scanLabel: pick.scanItem,
        isScanAtThumb: true,
        onCode: () => said.wrong(pick.stopped, pick.stoppedScan),
        said: said.said,
        conflict: {
          ...conflict,
          ...(conflict.holder !== undefined && { holder: present?.userName ?? conflict.holder }),
        },
        main: { label: pick.settle, run: () => go('/sync') },
      }}
    >
      <Items view={view} shownId={undefined} />
    </WorkScreen>
  );
}

function Head({ view, isReverse }: { view: TicketView; isReverse: boolean }) {
  const { pick } = t();
  const { done, quantity } = sumsOf(view.items);
  const { pickSLADate } = view.ticket;
  return (
    <div class="pick-head">
      <div class="split">
        {isReverse && <span class="strong">{pick.from(view.ticket.holdLocation)}</span>}
        <Due at={pickSLADate} nowMs={now.value} isEnd />
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

function PickingScreen({ head, subject, view, isReverse }: Omit<WorkProps, 'reload'>) {
  const { pick } = t();
  const picking = usePicking({ subject, view, isReverse });
  const ending = useEnding(picking, view.ticket.holdLocation);
  const [asks, setAsks] = useState<'short' | 'rest' | 'give-back' | undefined>();
  const { shown, show, said, undo } = picking;
  const sums = sumsOf(view.items);
  const isDone = sums.done === sums.quantity;
  const next = nextOpen(view.items, shown.id);
  const openShort = () => {
    if ((picking.current()?.left ?? 0) > 0) setAsks('short');
  };
  const one = useOnce(async () => {
    const item = picking.current();
    if (item !== undefined && item.left > 0) await picking.count(item);
  });
  const toNext = () => show(next?.id);
  const toBefore = () => show(nextOpen(view.items, shown.id, -1)?.id);
  useKeys('/pick/:storeId/:ticketId', {
    F2: openShort,
    F4: () => void one(),
    F8: () => void undo(),
    'Ctrl+z': () => void undo(),
    F9: () => void (isDone && ending.confirm()),
    ArrowDown: toNext,
    ArrowUp: toBefore,
    PageDown: toNext,
    PageUp: toBefore,
  });
  useEffect(() => {
    if (asks === 'short' && shown.left === 0) setAsks(undefined);
  }, [shown.left]);
  return (
    <WorkScreen
      job={{
        ...head,
        progress: <Head view={view} isReverse={isReverse} />,
        scanLabel: isDone ? (isReverse ? pick.finishReverse : pick.scanPlace) : pick.scanItem,
        isScanAtThumb: true,
        onCode: codesOf(picking, ending, openShort),
        knows: (text) => isKnown(picking.index, text),
        said: said.said,
        ...(isDone
          ? { main: confirmAction(ending, view, isReverse) }
          : { others: <Steps shown={shown} next={next} onShort={openShort} onNext={toNext} /> }),
      }}
    >
      <TicketNotes ticket={view.ticket} />
      {isDone ? (
        <PutAway view={view} isReverse={isReverse} ending={ending} />
      ) : (
        <PickItem
          view={view}
          shown={shown}
          isReverse={isReverse}
          onOne={() => void one()}
          onLeaveOut={() => void picking.leaveOut(shown)}
        />
      )}
      <Items view={view} shownId={isDone ? undefined : shown.id} onShow={show} />
      <TicketMenu
        view={view}
        picking={picking}
        onRest={isDone ? undefined : () => setAsks('rest')}
        onGiveBack={() => setAsks('give-back')}
      />
      {asks !== undefined && (
        <Asks asks={asks} picking={picking} left={sums.quantity - sums.done} onClose={() => setAsks(undefined)} />
      )}
      {ending.question}
    </WorkScreen>
  );
}

/** Maximum number of places whose names the main button shows. */
const PLACES_SHOWN = 3;

function confirmAction({ place, own, confirm }: Ending, { ticket }: TicketView, isReverse: boolean): MainAction {
  const { pick } = t();
  const places = [...new Set(ticket.orders.map(({ fulfillmentOrderId: id }) => own.get(id) ?? place))];
  const where = places.length > PLACES_SHOWN ? pick.places(places.length) : places.join(', ');
  return {
    label: isReverse ? pick.confirmReverse : pick.confirm(where),
    shortcut: 'F9',
    blocked: !isReverse && place.trim() === '' ? pick.confirmNeedsPlace : undefined,
    run: confirm,
  };
}

function Steps({
  shown,
  next,
  onShort,
  onNext,
}: {
  shown: ItemView;
  next: ItemView | undefined;
  onShort: () => void;
  onNext: () => void;
}) {
  const { pick } = t();
  const isLast = next === undefined || next.id === shown.id;
  const isOpen = shown.left > 0;
  return (
    <>
      <Button icon={PackageX} shortcut="F2" blocked={isOpen ? undefined : pick.itemDone} onClick={onShort}>
        {pick.short}
      </Button>
      <Button
        look="main"
        icon={SkipForward}
        shortcut="ArrowDown"
        blocked={isLast && isOpen ? pick.lastPlace : undefined}
        onClick={onNext}
      >
        {pick.nextPlace}
      </Button>
    </>
  );
}

interface AsksProps {
  asks: 'short' | 'rest' | 'give-back';
  picking: Picking;
  left: number;
  onClose: () => void;
}

function Asks({ asks, picking, left, onClose }: AsksProps) {
  const { pick } = t();
  const { shown, subject, isReverse, short, shortRest } = picking;
  if (asks === 'give-back') return <GiveBack subject={subject} isReverse={isReverse} onClose={onClose} />;
  const isOne = asks === 'short';
  return (
    <ShortDialog
      title={isOne ? pick.shortTitle : pick.finishEarlyTitle(left)}
      item={isOne ? shown : undefined}
      onClose={onClose}
      onShort={(units, reason) => {
        onClose();
        void (isOne ? short(shown, units, reason) : shortRest(reason));
      }}
    />
  );
}

interface MenuProps {
  view: TicketView;
  picking: Picking;
  /** Reports all open units as missing; undefined if no unit is open. */
  onRest: (() => void) | undefined;
  onGiveBack: () => void;
}

/** Actions on the whole ticket. */
function TicketMenu({ view, picking, onRest, onGiveBack }: MenuProps) {
  const { pick } = t();
  return (
    <section class="stack tight" aria-label={pick.ticketMenu}>
      <h2>{pick.ticketMenu}</h2>
      <Button isWide icon={Pause} onClick={() => go('/')}>
        {pick.pause}
        <span class="hint">{pick.pauseHint}</span>
      </Button>
      {view.ticket.leaseUntil !== undefined && <p class="small quiet">{pick.until(time(view.ticket.leaseUntil))}</p>}
      {onRest !== undefined && (
        <>
          <PrintButton
            isWide
            print={async () => (await import('../../work/counter-print.ts')).printPickList(picking.fresh().ticket)}
          >
            {t().counter.papers[view.ticket.pickTicketType === 'REVERSE_PICK_TICKET' ? 'bringBack' : 'pickList']}
          </PrintButton>
          <Button isWide icon={PackageX} onClick={onRest}>
            {pick.finishEarly}
          </Button>
        </>
      )}
      {may('supervise') && <GiveOn subject={picking.subject} />}
      <Button
        isWide
        icon={RotateCcw}
        blocked={online.value ? undefined : t().errors.codes['OFFLINE']}
        onClick={onGiveBack}
      >
        {pick.giveBack}
      </Button>
    </section>
  );
}
