/** Work home: the next thing to do, then the rest of the waiting work. A long poll waits for the next change. */
import {
  ArrowDownToLine,
  ClipboardList,
  HandHelping,
  type IconNode,
  Package,
  PackageCheck,
  ShoppingBasket,
  Truck,
  Undo2,
} from 'lucide';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { ApiError } from '../api.ts';
import { device, keepDevice } from '../device.ts';
import { outbox } from '../offline/index.ts';
import { now, online } from '../preferences.ts';
import { href, ticketPath } from '../router.ts';
import { may, place, session } from '../session.ts';
import { loadTexts, minutesTo, number, shellTexts as t, time, word } from '../texts/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Empty, Skeleton } from '../ui/load.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { Due, dueText, ErrorNotice, State } from '../ui/notice.tsx';
import { Screen } from '../ui/screen.tsx';
import { type Work, type WorkKind, watchWork, work, workError } from '../work/node-work.ts';
import { SyncState } from '../work/sync-state.tsx';
import { FindBox } from './find-box.tsx';

const KINDS: Record<WorkKind, { icon: IconNode; path: string }> = {
  PICK: { icon: ShoppingBasket, path: '/queue' },
  PACK: { icon: Package, path: '/pack' },
  CHECK_IN: { icon: PackageCheck, path: '/check-in' },
  HAND_OVER: { icon: HandHelping, path: '/hand-over' },
  DELIVER: { icon: Truck, path: '/deliver' },
  BRING_BACK: { icon: Undo2, path: '/bring-back' },
};

/** Returns a part of Home that loads separately, together with the texts that it needs. */
function part<P extends object>(load: () => Promise<{ default: ComponentType<P> }>, isLast?: boolean) {
  return lazy(async () => (await Promise.all([load(), loadTexts('floor')]))[0].default, isLast);
}
const TrainingOffer = part(() => import('./training-offer.tsx'));
const HomeFoot = part(() => import('./home-foot.tsx'), true);
const DueOrders = part(() => import('./due-orders.tsx'));
const LeadCards = part(async () => (await Promise.all([import('./lead-cards.tsx'), loadTexts('lead')]))[0]);
const OfficeHome = lazy(
  async () => (await Promise.all([import('./office-home.tsx'), loadTexts('floor', 'office', 'desk')]))[0].default,
);

export default function Home() {
  const works = may('fulfillment.read', 'checkin.read');
  useEffect(() => {
    if (!works) return undefined;
    const leave = watchWork();
    // These parts load at the same time as the work, so that Home does not wait for them afterwards.
    if (offerKey() !== undefined) TrainingOffer.preload();
    if (may('supervise')) LeadCards.preload();
    if (hasRoom()) DueOrders.preload();
    return leave;
  }, [place.value?.nodeId]);
  const shown = work.value;
  const error = workError.value;
  const who = session.value!;
  useEffect(() => {
    const own = device.peek();
    if (own !== undefined && shown !== undefined && own.nodeName !== shown.name)
      keepDevice({ ...own, nodeName: shown.name });
  }, [shown?.name]);
  return (
    <Screen
      title={who.user.name}
      sub={works ? (shown?.name ?? place.value?.nodeId) : word(t().roles, who.user.role)}
      isHome
      tools={
        <>
          <SyncState />
          <MenuButton />
        </>
      }
    >
      {works && <FindBox />}
      {shown !== undefined && !online.value && <State look="risk">{t().shell.staleOffline(time(shown.at))}</State>}
      {error !== undefined && (shown === undefined || !(error instanceof ApiError && error.passes)) && (
        <ErrorNotice error={error} onRetry={() => watchWork()} />
      )}
      {!works ? (
        <OfficeHome />
      ) : shown === undefined ? (
        error === undefined && <Skeleton lines={5} />
      ) : (
        <Shown work={withOwn(shown)} />
      )}
    </Screen>
  );
}

function Shown({ work: shown }: { work: Work }) {
  const { home } = t();
  const [own, ...others] = shown.myTickets;
  const tiles = tilesOf(shown.queues);
  const next = own === undefined ? nextOf(tiles) : undefined;
  const isIdle = own === undefined && next === undefined && tiles.every(({ orders }) => orders === 0);
  const offer = offerKey();
  return (
    <div class="home">
      <div class="stack">
        {offer !== undefined && <TrainingOffer hasPicked={shown.today.unitsPicked > 0} storedAs={offer} />}
        {own !== undefined && <OwnTicket ticket={own} />}
        {next !== undefined && <NextWork queue={next} />}
        {others.length > 0 && <OtherTickets tickets={others} />}
        {isIdle && (
          <Empty icon={PackageCheck} title={home.allDone}>
            {home.allDoneHint}
          </Empty>
        )}
        {may('supervise') && (
          <LeadCards counts={shown.exceptions} held={may('receipts.approve') ? (shown.inbound.held ?? 0) : 0} />
        )}
        <Groups tiles={tiles} work={shown} />
        <HomeFoot {...shown.today} />
      </div>
      {hasRoom() && may('fulfillment.read') && <DueOrders revision={shown.revision} />}
    </div>
  );
}

/**
 * Returns the storage key for the offer of the training to this user; undefined if the user needs no offer. The browser
 * stores the key when it has made the offer.
 */
function offerKey(): string | undefined {
  const { user, training } = session.value!;
  const key = `backroom.training.${user.clientId}.${user.userId}`;
  return may('fulfillment.write', 'receive') &&
    training !== true &&
    user.clientId !== undefined &&
    localStorage.getItem(key) === null
    ? key
    : undefined;
}

/** Returns whether the screen is wide enough to show the orders next to the work. */
function hasRoom(): boolean {
  return matchMedia('(min-width: 1024px)').matches;
}

type Ticket = Work['myTickets'][number];

function OwnTicket({ ticket: own }: { ticket: Ticket }) {
  const { home, units } = t();
  const left = home.leftOf(own.quantity - own.done, own.quantity);
  return (
    <section class="card stack" aria-label={home.myTickets}>
      <div class="split">
        <h2>{home.continueTicket(own.pickTicketId)}</h2>
        <Due at={own.dueAt} nowMs={now.value} isEnd />
      </div>
      <progress class="progress" value={own.done} max={own.quantity} aria-label={left} />
      <p class="quiet">
        {left} · {units.orders(own.orders)}
      </p>
      <LinkButton look="main" isWide icon={ShoppingBasket} to={href(ticketPath(own))}>
        {t().actions.goOn}
      </LinkButton>
    </section>
  );
}

function OtherTickets({ tickets }: { tickets: readonly Ticket[] }) {
  const { home } = t();
  return (
    <section class="list" aria-label={home.myTickets}>
      {tickets.map((ticket) => (
        <a class="row" href={href(ticketPath(ticket))}>
          <span class="grow">
            <span class="strong code">{ticket.pickTicketId}</span>{' '}
            <span class="quiet">{home.leftOf(ticket.quantity - ticket.done, ticket.quantity)}</span>
          </span>
          <Due at={ticket.dueAt} nowMs={now.value} isEnd />
        </a>
      ))}
    </section>
  );
}

/** Returns the queue with the earliest due order among those that the user has the permission to work on. */
function nextOf(tiles: readonly Queue[]): Queue | undefined {
  const mine = tiles.filter(
    ({ orders, kind }) => orders > 0 && may(kind === 'CHECK_IN' ? 'checkin.write' : 'fulfillment.write'),
  );
  // Orders that wait for their customer are not late work. They are suggested only if no other work is waiting.
  const due = ({ kind, nextDueAt }: Queue) => (kind === 'HAND_OVER' ? '~' : (nextDueAt ?? '~'));
  return mine.toSorted((one, other) => (due(one) < due(other) ? -1 : due(one) > due(other) ? 1 : 0))[0];
}

function NextWork({ queue }: { queue: Queue }) {
  const { home, types, units } = t();
  const { icon, path } = KINDS[queue.kind];
  const name = home.kinds[queue.kind];
  return (
    <section class="card stack next" aria-label={home.next}>
      <div class="split">
        <h2>
          <span class="quiet small">{home.next}</span>
          <br />
          {units.orders(queue.orders)}
          {isTyped(queue) && <span class="quiet"> · {word(types, queue.fulfillmentType)}</span>}
        </h2>
        {queue.kind !== 'HAND_OVER' && <Due at={queue.nextDueAt} nowMs={now.value} isStart={queue.kind === 'PICK'} />}
      </div>
      <LinkButton look="main" isWide icon={icon} to={href(path, isTyped(queue) ? { queueId: queue.queueId } : {})}>
        {name}
      </LinkButton>
    </section>
  );
}

/** The groups of work, by the place in the store: the aisles, the counter, the dock. */
const GROUPS = {
  pick: ['PICK', 'PACK', 'BRING_BACK'],
  counter: ['HAND_OVER', 'DELIVER'],
  dock: ['CHECK_IN'],
} as const satisfies Record<string, readonly WorkKind[]>;

const NO_RETURNS = { expected: 0, receiving: 0 };
const NO_PLANS = { open: 0, counted: 0 };

function Groups({ tiles, work: shown }: { tiles: readonly Queue[]; work: Work }) {
  const { home, nav } = t();
  const { inbound, returns = NO_RETURNS, countPlans: plans = NO_PLANS } = shown;
  const toApprove = may('stock.adjust') ? plans.counted : 0;
  const own: Record<string, Other> = {
    ...(may('stock.count', 'fulfillment.write') && {
      pick: { icon: ClipboardList, path: '/stock/plans', name: home.countPlans, waiting: plans.open + toApprove },
    }),
    ...(may('receive') && {
      counter: { icon: Undo2, path: '/return', name: nav.takeBack, waiting: returns.expected + returns.receiving },
      dock: {
        icon: ArrowDownToLine,
        path: '/receive',
        name: home.receive,
        waiting: inbound.expected + inbound.late,
        late: inbound.late,
        ...(may('receipts.approve') && { undecided: inbound.held ?? 0 }),
      },
    }),
  };
  const busy = tiles.filter(({ orders }) => orders > 0);
  const idle = tiles.filter(({ orders }) => orders === 0);
  const isIdle = ({ waiting, undecided = 0 }: Other) => waiting === 0 && undecided === 0;
  const others = Object.values(own).filter(isIdle);
  return (
    <>
      {(['pick', 'counter', 'dock'] as const).map((group) => {
        const queues = busy.filter(({ kind }) => (GROUPS[group] as readonly WorkKind[]).includes(kind));
        const found = own[group];
        const other = found === undefined || isIdle(found) ? undefined : found;
        if (queues.length === 0 && other === undefined) return null;
        return (
          <section class="stack tight" aria-label={home.groups[group]} key={group}>
            <h2 class="small quiet">{home.groups[group]}</h2>
            <div class="list tiles">
              {queues.map((queue) => (
                <Tile queue={queue} />
              ))}
              {other !== undefined && <OtherTile {...other} />}
            </div>
          </section>
        );
      })}
      {idle.length + others.length > 0 && (
        <details class="idle">
          <summary>{home.nothingWaits}</summary>
          <div class="list tiles">
            {idle.map((queue) => (
              <Tile queue={queue} />
            ))}
            {others.map((other) => (
              <OtherTile {...other} />
            ))}
          </div>
        </details>
      )}
    </>
  );
}

function Tile({ queue }: { queue: Queue }) {
  const { home, types } = t();
  const { icon, path } = KINDS[queue.kind];
  const minutes = queue.nextDueAt === undefined ? undefined : minutesTo(queue.nextDueAt, now.value);
  return (
    <a
      class="row tile"
      href={href(path, isTyped(queue) ? { queueId: queue.queueId } : {})}
      data-empty={queue.orders === 0 ? '' : undefined}
    >
      <Icon of={icon} />
      <span class="grow">
        <span class="strong">{home.kinds[queue.kind]}</span>
        {isTyped(queue) && <span class="quiet"> · {word(types, queue.fulfillmentType)}</span>}
        {queue.orders > 0 && minutes !== undefined && (
          <span class={minutes < 0 ? 'due wrong' : minutes < 15 ? 'due risk' : 'due'}>
            {dueText(minutes, queue.kind === 'PICK')}
            {queue.late > 0 && ` · ${home.late(queue.late)}`}
          </span>
        )}
        {queue.inWork > 0 && <span class="due">{home.inWork(queue.inWork)}</span>}
      </span>
      <span class="big count">{number(queue.orders)}</span>
    </a>
  );
}

/** Work without a queue of orders: shipments, returns, count plans. */
interface Other {
  icon: IconNode;
  path: string;
  name: string;
  waiting: number;
  late?: number;
  /** Number of shipments with held units, for users who can decide on them. */
  undecided?: number;
}

function OtherTile({ icon, path, name, waiting, late = 0, undecided = 0 }: Other) {
  return (
    <a class="row tile" href={href(path)} data-empty={waiting === 0 ? '' : undefined}>
      <Icon of={icon} />
      <span class="grow">
        <span class="strong">{name}</span>
        {late > 0 && <span class="due wrong">{t().home.late(late)}</span>}
        {undecided > 0 && <span class="due risk">{t().home.toDecide(undecided)}</span>}
      </span>
      <span class="big count">{number(waiting)}</span>
    </a>
  );
}

/**
 * Returns the work that the user can take: without orders that are being picked, and without tickets that this device
 * has confirmed. The service counts the orders of those tickets until it receives the CONFIRM.
 */
function withOwn(shown: Work): Work {
  const done = outbox.snapshot.tickets.value
    .filter(({ confirmed }) => confirmed === 'WAITING')
    .map(({ ticket }) => ticket);
  const ids = new Set(done.map(({ pickTicketId }) => pickTicketId));
  return {
    ...shown,
    myTickets: shown.myTickets.filter(({ pickTicketId }) => !ids.has(pickTicketId)),
    queues: shown.queues.map((queue) => {
      const { kind, queueId, orders, inWork, late, lateInWork, nextFreeDueAt: nextDueAt } = queue;
      const own = kind === 'PICK' ? [] : done.filter((ticket) => ticket.queueId === queueId);
      const sent = own.reduce((sum, ticket) => sum + ticket.orders.length, 0);
      return { ...queue, orders: Math.max(0, orders - inWork - sent), late: late - lateInWork, nextDueAt };
    }),
  };
}

type Queue = Work['queues'][number];

/** Returns whether a kind of work has one tile per fulfillment type: picking and packing do. */
const isTyped = ({ kind }: Queue) => kind === 'PICK' || kind === 'PACK';

/** Merges the queues into one tile per kind of work. Picking and packing have one tile per fulfillment type. */
function tilesOf(queues: readonly Queue[]): Queue[] {
  const tiles = new Map<string, Queue>();
  for (const queue of queues) {
    const key = isTyped(queue) ? `${queue.kind} ${queue.fulfillmentType}` : queue.kind;
    const known = tiles.get(key);
    tiles.set(key, known === undefined ? queue : sumOf(known, queue));
  }
  return [...tiles.values()];
}

function sumOf(one: Queue, other: Queue): Queue {
  // `sort` puts undefined last.
  const [nextDueAt] = [one.nextDueAt, other.nextDueAt].sort();
  return {
    ...one,
    orders: one.orders + other.orders,
    inWork: one.inWork + other.inWork,
    late: one.late + other.late,
    nextDueAt,
  };
}
