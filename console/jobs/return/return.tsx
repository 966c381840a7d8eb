/**
 * The counter for customer returns: the user scans the slip, the parcel or the return, then chooses among the matches.
 */
import { PackageX, Undo2 } from 'lucide';
import { useState } from 'preact/hooks';
import { ApiError, giveUpAfter } from '../../api.ts';
import { choices, useChoices } from '../../choices.ts';
import type { ReturnView } from '../../offline/return-view.ts';
import { isOpen } from '../../offline/returned.ts';
import { online } from '../../preferences.ts';
import { at, go, href } from '../../router.ts';
import { may, session } from '../../session.ts';
import { t, takeBackTexts, word } from '../../texts/index.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Empty, Skeleton, useLoad } from '../../ui/load.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { useCover } from '../../ui/use-cover.ts';
import { useIsOpen } from '../../ui/use-is-open.ts';
import { OrderId } from '../../work/order-id.tsx';
import { useSaid } from '../../work/said.tsx';
import { WorkScreen } from '../../work/work-screen.tsx';
import { findByName } from './find-by-name.ts';
import { Practice } from './practice.tsx';
import {
  type CheckedOrder,
  CODE_MAX,
  canComeBack,
  type Found,
  type FoundReturn,
  findReturnable,
  toOrder,
  toReturn,
} from './returning.ts';
import { keepWaiting, onDevice, waitingReturns } from './waiting.ts';
import { WaitingList, type WaitingOrders } from './waiting-list.tsx';

/** Interval for reading the announced returns again. */
const EVERY_MS = 60_000;

/** Time limit of the search for a code of a return on this device. Then the return on the device is used. */
const LATE_MS = 3_000;

/** Text that can be a name. Numbers of orders and returns have digits. */
const NAME = /^[^\d]*\p{L}{2}[^\d]*$/u;

export default function TakeBack() {
  const texts = takeBackTexts();
  const said = useSaid();
  const [text, setText] = useState('');
  const { find, found, shared, error } = useFinding(said);
  const { isKnown, orders } = useKept();
  useChoices();
  // The links need the web stores.
  useCover(choices.value === undefined);
  const waiting = shared === '' ? waitingReturns() : onDevice(shared);
  return (
    <WorkScreen
      job={{
        title: texts.title,
        onBack: () => go('/'),
        scanLabel: texts.scan,
        onCode: ({ text: code, command }) => (command === undefined ? find(code) : false),
        said: said.said,
        needsNetwork: { title: texts.offlineFind, hint: texts.offlineFindHint },
        error,
      }}
    >
      <SearchBox
        label={texts.search}
        value={text}
        onInput={setText}
        onSearch={(code) => void find(code, true)}
        max={CODE_MAX}
      />
      {found.map((one) => (
        <Choice key={one.storeId} of={one} />
      ))}
      {found.length === 0 && <Expected of={waiting} isKnown={isKnown} orders={orders} />}
      {session.value?.training === true && may('fulfillment.write') && <Practice />}
      {isKnown && may('fulfillment.write') && <BlindLinks />}
    </WorkScreen>
  );
}

/**
 * Finds what a code or a name means. One match opens; `found` has several ones to choose from. `shared` is a code of
 * several returns on this device, if the service could not be asked.
 */
function useFinding(said: ReturnType<typeof useSaid>) {
  const texts = takeBackTexts();
  const [found, setFound] = useState<readonly Found[]>([]);
  const [shared, setShared] = useState('');
  const [error, setError] = useState<unknown>();
  const isOpenNow = useIsOpen();
  const findHere = (code: string) => {
    const [one, ...more] = onDevice(code);
    if (one === undefined) said.wrong(texts.notOnDevice(code), texts.notOnDeviceHint);
    else if (more.length === 0) go(toReturn(one.returned.storeId, one.returned.number));
    else {
      said.say({ look: 'info', title: texts.choose }, 'right');
      setFound([]);
      setShared(code);
    }
  };
  const find = async (code: string, isTyped = false) => {
    if (code === '') return undefined;
    setError(undefined);
    setShared('');
    try {
      const exact = await (onDevice(code).length > 0 ? findInTime(code) : findReturnable(code));
      const isName = isTyped && exact.length === 0 && NAME.test(code) && may('fulfillment.write');
      const { all, isCut } = isName ? await findByName(code) : { all: exact, isCut: false };
      if (!isOpenNow()) return undefined;
      // Another customer may have the same name. So the user chooses the order, even if the search finds only one
      // order.
      if (isName && all.length > 0) {
        said.say({ look: 'info', title: isCut ? texts.more : texts.choose }, 'right');
        setFound(all);
        return undefined;
      }
      // A scanned item does not close the list of orders that wait for a choice.
      if (all.length === 0 && found.length > 0 && !isTyped) {
        said.wrong(texts.notFound(code), texts.choose);
        return undefined;
      }
      const ways = all.flatMap((one) => waysOf(one));
      if (ways.length === 1) go(ways[0]!);
      else if (ways.length === 0 && all.length > 0) said.wrong(t().shell.noRight);
      else if (ways.length === 0) said.wrong(texts.notFound(code), isCut ? texts.more : texts.notFoundHint);
      else said.say({ look: 'info', title: texts.choose }, 'right');
      setFound(ways.length > 1 ? all : []);
    } catch (failure) {
      if (!isOpenNow()) return undefined;
      if (failure instanceof DOMException || (failure instanceof ApiError && failure.passes)) findHere(code);
      else setError(failure);
    }
    return undefined;
  };
  return { find, found, shared, error };
}

/** Searches as `findReturnable` does. @throws ApiError, and a DOMException after `LATE_MS` */
function findInTime(code: string): Promise<Found[]> {
  const late = giveUpAfter(LATE_MS);
  // The read of the settings, which other screens share, does not end with the signal.
  const ended = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(late.reason as DOMException));
  });
  return Promise.race([findReturnable(code, late), ended]);
}

/** Links to receive goods without papers, by web store. */
function BlindLinks() {
  const texts = takeBackTexts();
  const stores = choices.value?.stores ?? [];
  return (
    <div class="stack tight">
      {stores.map(({ storeId, name }) => (
        <LinkButton isWide icon={PackageX} to={href(at('return', storeId, 'blind'))}>
          {stores.length > 1 ? `${texts.blind} · ${name}` : texts.blind}
        </LinkButton>
      ))}
    </div>
  );
}

/**
 * Keeps the announced returns on this device, and returns their orders. `isKnown` is false while the first response is
 * expected: the list can be incomplete until then.
 */
function useKept(): { isKnown: boolean; orders: WaitingOrders } {
  const { data, error } = useLoad('waiting returns', keepWaiting, EVERY_MS);
  return { isKnown: data.value !== undefined || error.value !== undefined || !online.value, orders: data.value };
}

interface ExpectedProps {
  of: readonly ReturnView[];
  isKnown: boolean;
  orders: WaitingOrders;
}

/** The announced returns on this device. Without any, the screen waits for the first response. */
function Expected({ of, isKnown, orders }: ExpectedProps) {
  const texts = takeBackTexts();
  if (of.length > 0) return <WaitingList of={of} isKnown={isKnown} orders={orders} />;
  if (!isKnown) return <Skeleton lines={2} />;
  if (!online.value) return null;
  return (
    <Empty icon={Undo2} title={texts.empty}>
      {texts.emptyHint}
    </Empty>
  );
}

/**
 * Returns the announced returns that the user can receive: the open returns, the canceled and expired returns of the
 * scanned parcel, and the return whose number is the code.
 */
function announcedIn({ check: { returns }, parcels = [], own }: Found): FoundReturn[] {
  return may('receive') ? returns.filter((one) => isOpen(one) || parcels.includes(one.number) || one === own) : [];
}

/**
 * Returns the orders to choose from. Announced units are already on their way, so an order without further units is
 * left out.
 */
function ordersIn(found: Found): CheckedOrder[] {
  const { orders } = found.check;
  if (!may('fulfillment.write')) return [];
  if (found.isNamed === true) return orders.filter(canComeBack);
  if (announcedIn(found).length === 0) return orders;
  const others = new Set(othersIn(found));
  return orders.filter((one) => others.has(one) || one.lines.some((line) => line.returnableQuantity > 0));
}

/** Returns the orders that have the number of a return, and are not orders of this return. */
function othersIn({ check: { orders }, own }: Found): CheckedOrder[] {
  if (own === undefined) return [];
  return orders.filter((one) => !own.lines.some((line) => line.fulfillmentOrderId === one.fulfillmentOrderId));
}

/**
 * Returns the paths of the screens for a code: those of the announced returns, then those of the orders. If the code is
 * the number of a return, or the parcel of only one ended return, the result is only the screen of this return. This
 * does not apply if another order has the same number.
 */
function waysOf(found: Found): string[] {
  const { storeId, check, parcels = [] } = found;
  // `own` is the number of the return that the code names by its number or parcel. Other returns of the same order do not
  // matter.
  const [ended] = parcels.length === 1 && !check.returns.some(isOpen) ? parcels : [];
  const own = found.own?.number ?? ended;
  const isShared = may('fulfillment.write') && othersIn(found).length > 0;
  if (own !== undefined && may('receive') && !isShared) return [toReturn(storeId, own)];
  return [
    ...announcedIn(found).map(({ number }) => toReturn(storeId, number)),
    ...ordersIn(found).map(({ fulfillmentOrderId }) => toOrder(storeId, fulfillmentOrderId)),
  ];
}

function Choice({ of }: { of: Found }) {
  const texts = takeBackTexts();
  const { storeId } = of;
  return (
    <section class="list">
      {announcedIn(of).map((one) => (
        <Announced key={one.number} of={one} found={of} />
      ))}
      {ordersIn(of).map(({ fulfillmentOrderId, lines, customerName }) => (
        <a class="row" href={href(toOrder(storeId, fulfillmentOrderId))}>
          <span class="grow stack tight">
            {customerName !== undefined && <span class="strong">{customerName}</span>}
            <OrderId id={fulfillmentOrderId} />
            <span>{goodsOf(lines)}</span>
            <span class="quiet">
              {texts.canComeBack(lines.reduce((sum, line) => sum + line.returnableQuantity, 0))}
            </span>
          </span>
        </a>
      ))}
    </section>
  );
}

/** An announced return with its customers, its orders and its items. */
function Announced({ of: { number, state, lines }, found }: { of: FoundReturn; found: Found }) {
  const texts = takeBackTexts();
  const { storeId, check } = found;
  const orderIds = new Set(lines.map(({ fulfillmentOrderId }) => fulfillmentOrderId));
  const orders = check.orders.filter(({ fulfillmentOrderId }) => orderIds.has(fulfillmentOrderId));
  const names = new Set(orders.flatMap(({ customerName }) => customerName ?? []));
  const nameOf = ({ fulfillmentOrderId, webLineId, itemId }: FoundReturn['lines'][number]) =>
    orders
      .find((one) => one.fulfillmentOrderId === fulfillmentOrderId)
      ?.lines.find((line) => line.webLineId === webLineId)?.itemDesc ?? itemId;
  return (
    <a class="row" href={href(toReturn(storeId, number))}>
      <span class="grow stack tight">
        {names.size > 0 && <span class="strong">{[...names].join(', ')}</span>}
        <span>{texts.announced(number)}</span>
        {orders.map(({ fulfillmentOrderId }) => (
          <span>
            {t().find.kinds.ORDER} <OrderId id={fulfillmentOrderId} />
          </span>
        ))}
        <span>{lines.map((line) => `${line.quantity} × ${nameOf(line)}`).join(', ')}</span>
      </span>
      <span class="quiet">{word(texts.states, state)}</span>
    </a>
  );
}

/** Returns the handed-over goods of an order as text. */
function goodsOf(lines: CheckedOrder['lines']): string {
  const gone = lines.filter(({ handedOverQuantity }) => handedOverQuantity > 0);
  return gone.map(({ handedOverQuantity, itemDesc }) => `${handedOverQuantity} × ${itemDesc}`).join(', ');
}
