/** What a customer brings back: scan the slip, the parcel or the return, then choose what was found. */
import { Undo2 } from 'lucide';
import { useState } from 'preact/hooks';
import { online } from '../../preferences.ts';
import { at, go, href } from '../../router.ts';
import { may } from '../../session.ts';
import { returnTexts, t, word } from '../../texts/index.ts';
import { Empty } from '../../ui/load.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { OrderId } from '../../work/order-id.tsx';
import { useSaid } from '../../work/said.tsx';
import { WorkScreen } from '../../work/work-screen.tsx';
import { type Found, findReturnable } from './returning.ts';

/** Characters of a code that the service takes. */
const CODE_MAX = 500;

/** Where an order, or an announced return, is taken back. */
const toOrder = (storeId: string, orderId: string) => at('return', storeId, 'order', orderId);
const toReturn = (storeId: string, number: string) => at('return', storeId, 'announced', number);

export default function TakeBack() {
  const { counter: texts } = returnTexts();
  const said = useSaid();
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Found[]>([]);
  const [error, setError] = useState<unknown>();
  const find = async (code: string) => {
    if (code === '') return undefined;
    setError(undefined);
    try {
      const all = await findReturnable(code);
      const ways = all.flatMap((one) => waysOf(one, code));
      if (ways.length === 1) go(ways[0]!);
      else if (ways.length === 0 && all.length > 0) said.wrong(t().shell.noRight);
      else if (ways.length === 0) said.wrong(texts.notFound(code), texts.notFoundHint);
      else said.say({ look: 'info', title: texts.choose }, 'right');
      setFound(ways.length > 1 ? all : []);
    } catch (failure) {
      setError(failure);
    }
    return undefined;
  };
  return (
    <WorkScreen
      job={{
        title: texts.title,
        onBack: () => go('/'),
        scanLabel: texts.scan,
        onCode: ({ text: code, command }) => (command === undefined ? find(code) : false),
        said: said.said,
        needsNetwork: { title: texts.needsNetwork, hint: texts.needsNetworkHint },
        error,
      }}
    >
      <SearchBox
        label={texts.search}
        value={text}
        onInput={setText}
        onSearch={(code) => void find(code)}
        max={CODE_MAX}
      />
      {found.length === 0 && online.value && (
        <Empty icon={Undo2} title={texts.empty}>
          {texts.emptyHint}
        </Empty>
      )}
      {found.map((one) => (
        <Choice key={one.storeId} of={one} />
      ))}
    </WorkScreen>
  );
}

/** An announced return that the person can still receive. */
const isOpen = ({ state }: Found['check']['returns'][number]) =>
  may('receive') && (state === 'REQUESTED' || state === 'RECEIVING');

/** The screens that a code leads to: its own return, else announced returns before their order. */
function waysOf({ storeId, check: { orders, returns } }: Found, code: string): string[] {
  const open = returns.filter(isOpen);
  // The order of a return may have further returns.
  const own = open.find(({ number }) => number === code);
  if (own !== undefined) return [toReturn(storeId, own.number)];
  // What is announced is on its way, so the order has no more of it.
  const rest = takenFrom(orders).filter(
    ({ lines }) => open.length === 0 || lines.some((line) => line.returnableQuantity > 0),
  );
  return [
    ...open.map(({ number }) => toReturn(storeId, number)),
    ...rest.map(({ fulfillmentOrderId }) => toOrder(storeId, fulfillmentOrderId)),
  ];
}

/** Orders, for a person who may take their goods back. */
function takenFrom(orders: Found['check']['orders']) {
  return may('fulfillment.write') ? orders : [];
}

function Choice({ of: { storeId, check } }: { of: Found }) {
  const { counter: texts, states } = returnTexts();
  return (
    <section class="list">
      {check.returns.filter(isOpen).map(({ number, state }) => (
        <a class="row" href={href(toReturn(storeId, number))}>
          <span class="grow strong">{texts.announced(number)}</span>
          <span class="quiet">{word(states, state)}</span>
        </a>
      ))}
      {takenFrom(check.orders).map(({ fulfillmentOrderId, lines }) => (
        <a class="row" href={href(toOrder(storeId, fulfillmentOrderId))}>
          <span class="grow">
            <OrderId id={fulfillmentOrderId} />
          </span>
          <span class="quiet">{texts.canComeBack(lines.reduce((sum, line) => sum + line.returnableQuantity, 0))}</span>
        </a>
      ))}
    </section>
  );
}
