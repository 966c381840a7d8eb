/** Work home: what waits in this store, my tickets, what is late. One request waits for the next change. */
import {
  ArrowDownToLine,
  CirclePlay,
  HandHelping,
  type IconNode,
  Package,
  PackageCheck,
  ShoppingBasket,
  TriangleAlert,
  Truck,
  Undo2,
} from 'lucide';
import { useEffect } from 'preact/hooks';
import { outbox } from '../offline/index.ts';
import { now, online } from '../preferences.ts';
import { at, href } from '../router.ts';
import { may, place, session } from '../session.ts';
import { number, percent, shellTexts as t, time, word } from '../texts/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty, Skeleton } from '../ui/load.tsx';
import { MenuButton, ScreenList } from '../ui/menu.tsx';
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

export default function Home() {
  const works = may('fulfillment.read', 'checkin.read');
  useEffect(() => (works ? watchWork() : undefined), [place.value?.nodeId]);
  const shown = work.value;
  const who = session.value!;
  return (
    <Screen
      title={who.user.name}
      sub={shown?.name ?? place.value?.nodeId}
      isHome
      tools={
        <>
          <SyncState />
          <MenuButton />
        </>
      }
    >
      <FindBox />
      {shown !== undefined && !online.value && <State look="risk">{t().shell.staleOffline(time(shown.at))}</State>}
      {workError.value !== undefined && shown === undefined && (
        <ErrorNotice error={workError.value} onRetry={() => watchWork()} />
      )}
      {!works ? (
        <ScreenList />
      ) : shown === undefined ? (
        workError.value === undefined && <Skeleton lines={5} />
      ) : (
        <Shown work={withOwn(shown)} />
      )}
    </Screen>
  );
}

function Shown({ work: shown }: { work: Work }) {
  const { home, types, units } = t();
  const [own, ...others] = shown.myTickets;
  const nowMs = now.value;
  const tiles = tilesOf(shown.queues);
  const queues = tiles.filter(({ orders }) => orders > 0);
  return (
    <>
      {own !== undefined && (
        <section class="card stack" aria-label={home.myTickets}>
          <div class="split">
            <h2>{home.continueTicket(own.pickTicketId)}</h2>
            <Due at={own.dueAt} nowMs={nowMs} isEnd />
          </div>
          <progress
            class="progress"
            value={own.done}
            max={own.quantity}
            aria-label={home.leftOf(own.quantity - own.done, own.quantity)}
          />
          <p class="quiet">
            {home.leftOf(own.quantity - own.done, own.quantity)} · {units.orders(own.orders)}
          </p>
          <LinkButton look="main" isWide icon={CirclePlay} to={href(ticketPath(own))}>
            {t().actions.goOn}
          </LinkButton>
        </section>
      )}
      {others.length > 0 && (
        <section class="list" aria-label={home.myTickets}>
          {others.map((ticket) => (
            <a class="row" href={href(ticketPath(ticket))}>
              <span class="grow">
                <span class="strong code">{ticket.pickTicketId}</span>{' '}
                <span class="quiet">{home.leftOf(ticket.quantity - ticket.done, ticket.quantity)}</span>
              </span>
              <Due at={ticket.dueAt} nowMs={nowMs} isEnd />
            </a>
          ))}
        </section>
      )}
      {queues.length === 0 && own === undefined ? (
        <Empty icon={PackageCheck} title={home.allDone}>
          {home.allDoneHint}
        </Empty>
      ) : (
        <section class="list tiles" aria-label={home.queues}>
          {tiles.map((queue) => {
            const { icon, path } = KINDS[queue.kind];
            const minutes =
              queue.nextDueAt === undefined ? undefined : Math.floor((Date.parse(queue.nextDueAt) - nowMs) / 60_000);
            return (
              <a
                class="row tile"
                href={href(path, queue.kind === 'PICK' || queue.kind === 'PACK' ? { queueId: queue.queueId } : {})}
                data-empty={queue.orders === 0 ? '' : undefined}
              >
                <Icon of={icon} />
                <span class="grow">
                  <span class="strong">{home.kinds[queue.kind]}</span>
                  {(queue.kind === 'PICK' || queue.kind === 'PACK') && (
                    <span class="quiet"> · {word(types, queue.fulfillmentType)}</span>
                  )}
                  {queue.orders > 0 && minutes !== undefined && (
                    <span class={minutes < 0 ? 'due wrong' : minutes < 15 ? 'due risk' : 'due'}>
                      {dueText(minutes, queue.kind === 'PICK')}
                      {queue.late > 0 && ` · ${home.late(queue.late)}`}
                    </span>
                  )}
                </span>
                <span class="big count">{number(queue.orders)}</span>
              </a>
            );
          })}
          {may('receive') && (
            <a class="row tile" href={href('/receive')} data-empty={shown.inbound.expected === 0 ? '' : undefined}>
              <Icon of={ArrowDownToLine} />
              <span class="grow">
                <span class="strong">{home.receive}</span>
                {shown.inbound.late > 0 && <span class="due wrong">{home.late(shown.inbound.late)}</span>}
              </span>
              <span class="big count">{number(shown.inbound.expected)}</span>
            </a>
          )}
        </section>
      )}
      {may('supervise') && <Exceptions {...shown.exceptions} />}
      <Today {...shown.today} />
    </>
  );
}

/** The work of the node without the tickets that are confirmed on this device: the service counts their orders until it has the CONFIRM. */
function withOwn(shown: Work): Work {
  const done = outbox.snapshot.tickets.value
    .filter(({ confirmed }) => confirmed === 'WAITING')
    .map(({ ticket }) => ticket);
  if (done.length === 0) return shown;
  const ids = new Set(done.map(({ pickTicketId }) => pickTicketId));
  return {
    ...shown,
    myTickets: shown.myTickets.filter(({ pickTicketId }) => !ids.has(pickTicketId)),
    queues: shown.queues.map((queue) => {
      const own = done.filter(({ queueId }) => queueId === queue.queueId);
      const orders = own.reduce((sum, ticket) => sum + ticket.orders.length, 0);
      return { ...queue, orders: Math.max(0, queue.orders - orders) };
    }),
  };
}

type Queue = Work['queues'][number];

/** One tile a kind of work; picking and packing have one for each way in which orders leave. */
function tilesOf(queues: readonly Queue[]): Queue[] {
  const tiles = new Map<string, Queue>();
  for (const queue of queues) {
    const key = queue.kind === 'PICK' || queue.kind === 'PACK' ? `${queue.kind} ${queue.fulfillmentType}` : queue.kind;
    const known = tiles.get(key);
    tiles.set(key, known === undefined ? queue : sumOf(known, queue));
  }
  return [...tiles.values()];
}

function sumOf(one: Queue, other: Queue): Queue {
  const nextDueAt = [one.nextDueAt, other.nextDueAt].filter((at) => at !== undefined).sort()[0];
  return {
    ...one,
    orders: one.orders + other.orders,
    units: one.units + other.units,
    late: one.late + other.late,
    ...(nextDueAt !== undefined && { nextDueAt }),
  };
}

function ticketPath({ storeId, pickTicketId, pickTicketType }: Work['myTickets'][number]): string {
  return at(pickTicketType === 'REVERSE_PICK_TICKET' ? 'bring-back' : 'pick', storeId, pickTicketId);
}

function Exceptions(counts: Work['exceptions']) {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  return (
    <a class="row card" href={href('/exceptions')}>
      <Icon of={TriangleAlert} />
      <span class="grow strong">{t().nav.exceptions}</span>
      <State look="risk">{t().home.exceptions(all)}</State>
    </a>
  );
}

function Today({ linesPerHour, unitsPicked, unitsShort }: Work['today']) {
  const { home } = t();
  if (unitsPicked + unitsShort === 0) return null;
  return (
    <p class="inline quiet">
      <span>{home.picked(number(unitsPicked))}</span>
      {linesPerHour !== undefined && <span>· {home.linesPerHour(Math.round(linesPerHour))}</span>}
      <span>· {home.short(percent(unitsShort / (unitsPicked + unitsShort)))}</span>
    </p>
  );
}
