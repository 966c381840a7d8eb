/**
 * The list of orders that wait for one kind of work at the counter. The user scans an order, searches for one, or opens
 * the most urgent one.
 */

import { type IconNode, MapPin, Search, X } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { outbox } from '../offline/index.ts';
import { now, online } from '../preferences.ts';
import { at, go, href, setQuery } from '../router.ts';
import { contentOf } from '../scan/codes.ts';
import { feedback } from '../scan/feedback.ts';
import { ScanTarget } from '../scan/target.tsx';
import { place } from '../session.ts';
import { t, time } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { ClosableBand } from '../ui/closable-band.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty, Show, useLoad } from '../ui/load.tsx';
import { Due, explain, State } from '../ui/notice.tsx';
import { QueryBox } from '../ui/query-box.tsx';
import { NO_SUB, Screen } from '../ui/screen.tsx';
import { useIsOpen } from '../ui/use-is-open.ts';
import { type CounterKind, type Found, findWaiting, keyOf, ordersOfCode, type QueuedOrder } from './counter.ts';
import { SyncState } from './sync-state.tsx';
import { useScan } from './use-scan.ts';

/** Interval for reading the list again. */
const EVERY_MS = 15_000;

interface CounterListProps {
  kind: CounterKind;
  /** First part of the path of an order. */
  path: string;
  title: string;
  sub: (n: number) => string;
  empty: { icon: IconNode; title: string; hint: string };
  scanLabel?: string;
  /** Further content of a row besides customer and place. */
  more: (order: QueuedOrder) => ComponentChildren;
  /** Notices above the list. */
  above?: ComponentChildren;
  query: URLSearchParams;
  onLoaded?: (found: Found) => void;
}

export function CounterList(props: CounterListProps) {
  const { kind, path, title, sub, scanLabel, above, query, onLoaded } = props;
  const { counter } = t();
  const wanted = query.get('q') ?? '';
  const loaded = useWaiting(kind, wanted, onLoaded);
  const found: Partial<Found> = loaded.data.value?.body ?? {};
  // A list that an earlier version stored for use offline has no total.
  const { orders = [], total = orders.length } = found;
  const [unknown, setUnknown] = useFinding(kind, path, orders);
  return (
    <Screen
      title={title}
      sub={loaded.data.value === undefined ? NO_SUB : sub(total)}
      onBack={() => go('/')}
      tools={<SyncState />}
      below={
        unknown !== undefined && (
          <ClosableBand look="wrong" onClose={() => setUnknown(undefined)}>
            {unknown}
          </ClosableBand>
        )
      }
    >
      <ScanTarget label={scanLabel ?? counter.scanLabel} />
      <QueryBox
        label={counter.findLabel}
        q={wanted}
        onSearch={(q) => {
          setUnknown(undefined);
          setQuery({ q });
        }}
        max={100}
      />
      {above}
      {wanted !== '' && (
        <div class="split">
          <p role="status">{loaded.data.value !== undefined && counter.found(total, wanted)}</p>
          <Button look="plain" icon={X} onClick={() => setQuery({ q: undefined })}>
            {counter.clear}
          </Button>
        </div>
      )}
      <Show of={loaded} lines={5}>
        {({ body, at: foundAt, isStale }) => (
          <>
            {(isStale || !online.value) && <State look="risk">{t().shell.staleOffline(time(foundAt))}</State>}
            <Orders {...props} orders={body.orders} wanted={wanted} />
            {body.isCut && <p class="quiet">{counter.more}</p>}
          </>
        )}
      </Show>
    </Screen>
  );
}

/**
 * Returns the list without e-mail addresses, telephone numbers and PINs. The list is stored on the device, and no
 * screen needs them from there.
 */
function withoutContact<T>(list: T): T {
  const isContact = (name: string) => ['email', 'phone', 'pinNumber'].includes(name);
  return JSON.parse(JSON.stringify(list, (name, value: unknown) => (isContact(name) ? '' : value))) as T;
}

/** Loads the waiting orders, or the orders that match a search. Without the network, only the last list is shown. */
function useWaiting(kind: CounterKind, wanted: string, onLoaded: CounterListProps['onLoaded']) {
  const key = `${kind} ${place.value!.nodeId} ${wanted}`;
  return useLoad(
    key,
    async (signal) => {
      const load = () => findWaiting(kind, wanted, signal);
      const found =
        wanted === ''
          ? await outbox.snapshot.cached(`list ${key}`, async () => withoutContact(await load()))
          : { body: await load(), at: Date.now(), isStale: false };
      onLoaded?.(found.body);
      return found;
    },
    EVERY_MS,
  );
}

/**
 * Opens the order of a scanned code. If the code has several orders, searches for the code. Returns the message for a
 * code that opened nothing.
 */
function useFinding(kind: CounterKind, path: string, orders: readonly QueuedOrder[]) {
  const [unknown, setUnknown] = useState<string | undefined>();
  const isOpen = useIsOpen();
  useScan(async ({ text: code, command }) => {
    if (command !== undefined) return false;
    try {
      const found = await ordersOfCode(kind, code, orders);
      if (!isOpen()) return undefined;
      feedback(found.length === 0 ? 'wrong' : 'right');
      if (found.length === 1) {
        go(at(path, found[0]!.storeId, found[0]!.fulfillmentOrderId));
      } else if (found.length > 1) {
        setUnknown(undefined);
        setQuery({ q: contentOf(code) });
      } else setUnknown(t().counter.unknownCode(code));
    } catch (error) {
      if (!isOpen()) return undefined;
      feedback('wrong');
      setUnknown(explain(error).what);
    }
    return undefined;
  });
  return [unknown, setUnknown] as const;
}

type OrdersProps = Pick<CounterListProps, 'path' | 'title' | 'empty' | 'more'> & {
  orders: readonly QueuedOrder[];
  wanted: string;
};

function Orders({ orders, wanted, path, title, empty, more }: OrdersProps) {
  const { counter } = t();
  if (orders.length === 0) {
    return wanted === '' ? (
      <Empty icon={empty.icon} title={empty.title}>
        {empty.hint}
      </Empty>
    ) : (
      <Empty icon={Search} title={counter.notFound(wanted)}>
        {counter.notFoundHint}
      </Empty>
    );
  }
  return (
    <ul class="list" aria-label={title}>
      {orders.map((order) => (
        <WaitingOrder key={keyOf(order)} order={order} path={path} more={more} />
      ))}
    </ul>
  );
}

/** An order as a row that opens it. */
export function WaitingOrder({
  order,
  path,
  more,
}: {
  order: QueuedOrder;
  path: string;
  more: CounterListProps['more'];
}) {
  return (
    <li>
      <a class="row counter-row" href={href(at(path, order.storeId, order.fulfillmentOrderId))}>
        <span class="grow">
          <span class="strong">{order.customer?.name ?? order.fulfillmentOrderId}</span>
          <span class="small quiet code"> {order.fulfillmentOrderId}</span>
          <span class="counter-row-more dotted quiet">
            <span>{t().units.units(Number(order.totalQuantity))}</span>
            {more(order)}
          </span>
          <Due at={order.slaDate.value} nowMs={now.value} />
        </span>
        {order.holdLocation !== undefined && (
          <span class="counter-place">
            <Icon of={MapPin} />
            <span class="big code">{order.holdLocation}</span>
          </span>
        )}
      </a>
    </li>
  );
}
