/**
 * Orders that wait for pick, the earliest due first. One tap takes the next orders in a wave; or the user chooses 1 to
 * 50 orders.
 */
import { ListChecks, PackageCheck, ShoppingBasket, UserRoundCheck } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { components } from '../../../contract/client.d.ts';
import { ApiError, api, send } from '../../api.ts';
import { choices, useChoices } from '../../choices.ts';
import { outbox } from '../../offline/index.ts';
import { now, online } from '../../preferences.ts';
import { readAll } from '../../read-all.ts';
import { at, go, href, ticketPath } from '../../router.ts';
import { isOneOf } from '../../scan/codes.ts';
import { pushScan } from '../../scan/queue.ts';
import { may, place, session } from '../../session.ts';
import { loadTexts, minutesTo, number, t, word } from '../../texts/index.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { ClosableBand } from '../../ui/closable-band.tsx';
import { Icon } from '../../ui/icon.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Empty, Show, useAction, useLoad } from '../../ui/load.tsx';
import { dueText, ErrorNotice, Notice } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { NO_SUB, Screen } from '../../ui/screen.tsx';
import { useIsOpen } from '../../ui/use-is-open.ts';
import { generateFor } from '../../work/give-work.ts';
import { watchWork, work } from '../../work/node-work.ts';
import { SyncState } from '../../work/sync-state.tsx';
import { useKeys, useScan } from '../../work/use-scan.ts';
import { sumsOf } from './ticket-work.ts';

type Order = components['schemas']['NodeOrder'];

/** Maximum number of orders on a ticket, as in the service. */
const WAVE_MAX = 50;
/** Number of orders that one tap takes. */
const NEXT = 10;
/** Maximum number of rows that are shown. Users do not scroll further to choose an order, so no more orders are read. */
const ROWS = 200;
/** Number of orders that are read after the scan of an order that is due later. */
const SCANNED = 2_000;

/** Only leads assign work to other users, so the dialog loads on demand. */
const GiveTo = lazy(async () => (await Promise.all([import('../../work/give-to.tsx'), loadTexts('lead')]))[0].GiveTo);

export default function Queue({ query }: ScreenProps) {
  const { nodeId } = place.value!;
  const queueId = query.get('queueId') ?? '';
  useChoices();
  useEffect(watchWork, [nodeId]);
  const known = work.value?.queues.filter((one) => one.kind === 'PICK') ?? [];
  const shown = known.find((one) => one.queueId === queueId);
  const { queue, types, units } = t();
  const free = shown === undefined ? 0 : shown.orders - shown.inWork;
  if (queueId === '') return <ChooseQueue />;
  return (
    <Waiting
      key={`${nodeId} ${queueId}`}
      nodeId={nodeId}
      queueId={queueId}
      free={free}
      taken={shown?.inWork ?? 0}
      sub={shown === undefined ? NO_SUB : queue.sub(word(types, shown.fulfillmentType), units.orders(free))}
    />
  );
}

function ChooseQueue() {
  const { queue, types } = t();
  const known = work.value?.queues.filter((one) => one.kind === 'PICK') ?? [];
  return (
    <Screen title={queue.noQueue} tools={<SyncState />}>
      <div class="list">
        {known.map((one) => (
          <a class="row" href={href('/queue', { queueId: one.queueId })}>
            <Icon of={ShoppingBasket} />
            <span class="grow strong">{word(types, one.fulfillmentType)}</span>
            <span class="big">{number(one.orders - one.inWork)}</span>
          </a>
        ))}
      </div>
    </Screen>
  );
}

interface WaitingProps {
  nodeId: string;
  queueId: string;
  /** Number of orders that wait; 0 until the work of the node is loaded. */
  free: number;
  /** Number of orders that are being picked. */
  taken: number;
  sub: string | undefined;
}

/** Loads the free orders of the queue, the earliest due first, up to the page in which more than `most` are known. */
function useOrders({ nodeId, queueId }: WaitingProps) {
  const most = useRef(ROWS);
  const path = { clientId: place.value!.clientId, nodeId };
  const load = (signal: AbortSignal) => {
    let rows = 0;
    return readAll(async (page) => {
      const params = { path, query: { ...page, queueId } };
      const { orders, next } = await send(
        api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/orders', { params, signal }),
      );
      const free = orders.filter(isFree);
      rows += free.length;
      return { rows: free, next: rows > most.current ? undefined : next };
    });
  };
  const loaded = useLoad(`${nodeId} ${queueId}`, load, undefined, work.value?.revision);
  return { ...loaded, most };
}

/** Manages the orders of the next ticket: the chosen orders, or the next wave if the user has chosen none. */
function useWave({ queueId }: WaitingProps, { data, most, reload }: ReturnType<typeof useOrders>) {
  const free = data.value ?? [];
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const isOpen = useIsOpen();
  const take = useAction(async (orders: readonly Order[], isExact: boolean) => {
    try {
      const { storeId } = orders[0]!;
      const id = await generate(queueId, orders, isExact, session.peek()!.user.userId);
      if (isOpen()) go(at('pick', storeId, id), {}, true);
    } catch (error) {
      await reload();
      throw error;
    }
  });
  const picked = free.filter(({ fulfillmentOrderId }) => chosen.has(fulfillmentOrderId));
  const next = nextWave(free, NEXT);
  const isExact = picked.length > 0;
  const orders = isExact ? picked : next;
  const run = () => {
    if (orders.length > 0) void take.run(orders, isExact);
  };
  const toggle = (order: Order) => {
    const changed = new Set(chosen);
    if (!changed.delete(order.fulfillmentOrderId)) changed.add(order.fulfillmentOrderId);
    setChosen(changed);
  };
  useScan((scan) => {
    if (scan.command === 'OK') {
      run();
      return undefined;
    }
    const known = data.peek() ?? [];
    const order = known.find(({ fulfillmentOrderId }) => isOneOf(scan.text, [fulfillmentOrderId]));
    if (order === undefined) {
      if (known.length <= ROWS || most.current > ROWS) return false;
      most.current = SCANNED;
      return reload().then(() => pushScan({ ...scan, isMeant: true }));
    }
    const id = order.fulfillmentOrderId;
    if (!chosen.has(id) && blockOf(order, picked) === undefined) toggle(order);
    document.getElementById(`order-${id}`)?.scrollIntoView({ block: 'center' });
    return undefined;
  });
  useKeys('/queue', { t: run });
  const leftOut = isExact ? [] : leftOutOf(free, next);
  const clear = () => setChosen(new Set());
  /** The same orders for another user. They stay the same when the list changes later. */
  const gift = {
    orders,
    give: async (userId: string) => {
      await generate(queueId, orders, isExact, userId);
      clear();
    },
  };
  return { picked, next, leftOut, take, run, toggle, clear, gift };
}

function Waiting(props: WaitingProps) {
  const { queue, units } = t();
  const loaded = useOrders(props);
  const free = loaded.data.value ?? [];
  const wave = useWave(props, loaded);
  const { picked, take, toggle } = wave;
  const [gift, setGift] = useState<typeof wave.gift | undefined>();
  const [given, setGiven] = useState<string | undefined>();
  // A ticket is taken at the service. Without it and without data, the screen shows what the user can do instead.
  const error = loaded.error.value;
  const isAway = loaded.data.value === undefined && error instanceof ApiError && error.passes;
  const chosenUnits = picked.reduce((sum, order) => sum + order.units, 0);
  return (
    <Screen
      title={queue.title}
      sub={picked.length > 0 ? queue.chosen(picked.length, units.units(chosenUnits)) : props.sub}
      tools={<SyncState />}
      onBack={() => go('/')}
      below={
        given !== undefined && (
          <ClosableBand look="right" onClose={() => setGiven(undefined)}>
            {given}
          </ClosableBand>
        )
      }
      actions={free.length === 0 ? undefined : <WaveActions of={wave} onGive={() => setGift(wave.gift)} />}
    >
      {take.error !== undefined && <ErrorNotice error={take.error} />}
      {isAway ? (
        <OwnTickets />
      ) : (
        <Show of={loaded}>
          {() =>
            free.length === 0 ? (
              <Empty
                icon={PackageCheck}
                title={queue.empty}
                action={<LinkButton to={href('/')}>{t().nav.home}</LinkButton>}
              >
                {queue.emptyHint}
              </Empty>
            ) : (
              <Orders
                orders={free}
                all={props.free}
                picked={picked}
                leftOut={wave.leftOut}
                next={wave.next}
                toggle={toggle}
              />
            )
          }
        </Show>
      )}
      {props.taken > 0 && <p class="quiet">{queue.taken(props.taken)}</p>}
      {gift !== undefined && (
        <GiveTo
          what={units.orders(gift.orders.length)}
          without={session.value?.user.userId}
          give={gift.give}
          onDone={(name) => {
            setGift(undefined);
            setGiven(name === undefined ? undefined : queue.given(name));
            void loaded.reload();
          }}
        />
      )}
    </Screen>
  );
}

function WaveActions({ of: wave, onGive }: { of: ReturnType<typeof useWave>; onGive: () => void }) {
  const { picked, next, leftOut, take, run, clear } = wave;
  const { queue } = t();
  const main = { look: 'main', isBusy: take.isBusy, blocked: online.value ? undefined : queue.needsNetwork } as const;
  const give = may('supervise') && (
    <Button icon={UserRoundCheck} blocked={main.blocked} onClick={onGive}>
      {queue.giveTo}
    </Button>
  );
  return picked.length > 0 ? (
    <>
      <Button onClick={clear}>{queue.clear}</Button>
      {give}
      <Button {...main} icon={ListChecks} onClick={run}>
        {queue.pick(picked.length)}
      </Button>
    </>
  ) : (
    <>
      {give}
      <Button {...main} icon={ShoppingBasket} shortcut="T" onClick={run}>
        {next.length === 1 ? queue.takeOne : queue.takeNext(next.length)}
        {leftOut[0] !== undefined && (
          <span class="hint">{queue.without(leftOut[0].customer.name, leftOut.length - 1)}</span>
        )}
      </Button>
    </>
  );
}

/** Lists the tickets on this device. They can be picked without the network; new orders cannot. */
function OwnTickets() {
  const { queue, pick } = t();
  const own = outbox.snapshot.tickets.value.filter(({ confirmed }) => confirmed === undefined);
  return (
    <>
      <Notice look="risk" title={queue.needsNetwork}>
        <p>{own.length === 0 ? queue.awayNone : queue.away}</p>
      </Notice>
      {own.length > 0 && (
        <div class="list">
          {own.map(({ ticket, items }) => {
            const { done, quantity } = sumsOf(items);
            return (
              <a class="row" href={href(ticketPath(ticket))}>
                <span class="grow strong code">{ticket.pickTicketId}</span>
                <span class="big">{pick.of(done, quantity)}</span>
              </a>
            );
          })}
        </div>
      )}
    </>
  );
}

function Orders({
  orders,
  all,
  picked,
  next,
  leftOut,
  toggle,
}: {
  orders: readonly Order[];
  /** Number of the orders on the queue. `orders` has those that are due first. */
  all: number;
  picked: readonly Order[];
  next: readonly Order[];
  leftOut: readonly Order[];
  toggle: (order: Order) => void;
}) {
  const { queue, units } = t();
  const nowMs = now.value;
  const areMixed = new Set(orders.map(({ storeId }) => storeId)).size > 1;
  return (
    <>
      <div class="list">
        {orders.slice(0, ROWS).map((order) => {
          const { fulfillmentOrderId, customer, slaDate, storeId } = order;
          const isChosen = picked.includes(order);
          const block = isChosen ? undefined : blockOf(order, picked);
          const why = leftOut.includes(order) ? blockOf(order, next) : block;
          return (
            <label
              class="order"
              key={fulfillmentOrderId}
              id={`order-${fulfillmentOrderId}`}
              data-off={block !== undefined ? '' : undefined}
            >
              <input
                type="checkbox"
                checked={isChosen}
                aria-label={queue.choose(customer.name)}
                aria-disabled={block !== undefined ? 'true' : undefined}
                onClick={(event) => {
                  if (block !== undefined) event.preventDefault();
                }}
                onChange={() => {
                  if (block === undefined) toggle(order);
                }}
              />
              <span class="grow">
                <span class="split">
                  <span class="who">{customer.name}</span>
                  <span class="code">{units.units(order.units)}</span>
                </span>
                <span class="facts-line">
                  {slaDate && <DueText at={slaDate.value} nowMs={nowMs} />}
                  <span class="code">{fulfillmentOrderId}</span>
                  {areMixed && <span>{storeName(storeId)}</span>}
                </span>
                {why !== undefined && <span class="small">{why}</span>}
              </span>
            </label>
          );
        })}
      </div>
      {orders.length > ROWS && <p class="quiet">{queue.more(Math.max(all, orders.length) - ROWS)}</p>}
    </>
  );
}

function DueText({ at: due, nowMs }: { at: string; nowMs: number }) {
  const minutes = minutesTo(due, nowMs);
  return <span class={minutes < 0 ? 'due wrong' : minutes < 15 ? 'due risk' : 'due'}>{dueText(minutes, true)}</span>;
}

/** Returns the reason why an order cannot join the chosen orders; undefined if it can. */
function blockOf(order: Order, [first, ...others]: readonly Order[]): string | undefined {
  const { queue } = t();
  if (first === undefined) return undefined;
  if (order.storeId !== first.storeId) return queue.otherStore;
  if (order.fulfillmentType !== first.fulfillmentType) return queue.otherType;
  if (order.currency !== first.currency) return queue.otherCurrency;
  return others.length + 1 >= WAVE_MAX ? queue.most(WAVE_MAX) : undefined;
}

/**
 * Waves that are due within this time after the earliest order count as equally urgent. The largest of them goes first.
 */
const TOGETHER_MS = 15 * 60_000;

/**
 * Returns the next wave: of the waves that are due first, the one with the most orders, at most `most`. The orders of a
 * wave have the same web store, fulfillment type and currency, because a ticket requires it. `orders` must be sorted by
 * due time.
 */
function nextWave(orders: readonly Order[], most: number): Order[] {
  const keyOf = ({ storeId, fulfillmentType, currency }: Order) => `${storeId} ${fulfillmentType} ${currency}`;
  const groups = [...Map.groupBy(orders, keyOf).values()];
  const soonest = orders[0] === undefined ? 0 : dueOf(orders[0]);
  const waves = groups.filter(([first]) => dueOf(first!) <= soonest + TOGETHER_MS).map((group) => group.slice(0, most));
  return waves.reduce<Order[]>((best, wave) => (wave.length > best.length ? wave : best), []);
}

/**
 * Returns the orders that come before the last order of the next wave but are not in it. The screen names them, because
 * users expect them to be next.
 */
function leftOutOf(orders: readonly Order[], next: readonly Order[]): Order[] {
  const last = orders.findLastIndex((order) => next.includes(order));
  return orders.slice(0, last + 1).filter((order) => !next.includes(order));
}

function storeName(storeId: string): string {
  const known = choices.value?.stores.find((one) => one.storeId === storeId);
  return known?.name ?? t().queue.store(storeId);
}

function isFree({ pickTicketId }: Order): boolean {
  return pickTicketId === undefined;
}

function dueOf({ slaDate }: Order): number {
  return slaDate === undefined ? Number.POSITIVE_INFINITY : Date.parse(slaDate.value);
}

/** Number of tries per tap. Several users may take the next orders at the same time. */
const TRIES = 4;

/**
 * Creates a ticket for a user; returns its id. With `isExact`, it contains all of these orders or fails; otherwise it
 * leaves out orders that were assigned to another user in the meantime.
 */
async function generate(queueId: string, orders: readonly Order[], isExact: boolean, userId: string): Promise<string> {
  const { storeId } = orders[0]!;
  let ids = orders.map(({ fulfillmentOrderId }) => fulfillmentOrderId);
  for (let tries = 1; ; tries += 1) {
    try {
      return await generateFor({ storeId, queueId }, ids, userId);
    } catch (error) {
      const left = isExact || tries === TRIES ? [] : withoutTaken(ids, error);
      if (left.length === 0 || left.length === ids.length) throw error;
      ids = left;
    }
  }
}

/** Returns the orders that the error does not name as assigned to other users; empty for another error. */
function withoutTaken(ids: readonly string[], error: unknown): string[] {
  if (!(error instanceof ApiError) || error.status !== 409 || !Array.isArray(error.body['orders'])) return [];
  const taken = new Set(
    (error.body['orders'] as { fulfillmentOrderId?: string }[]).map((one) => one.fulfillmentOrderId),
  );
  return ids.filter((id) => !taken.has(id));
}
