/** Moves held goods: the user scans the goods, then the place. */
import { Move as MoveIcon } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { components } from '../../../contract/client.d.ts';
import { newId } from '../../api.ts';
import { readChoices, useChoices } from '../../choices.ts';
import { online } from '../../preferences.ts';
import { go } from '../../router.ts';
import { feedback } from '../../scan/feedback.ts';
import { focusScanTarget } from '../../scan/target.tsx';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/load.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { keyOf, type OrderName, ordersOfCode, readOrder } from '../../work/counter.ts';
import { moveGoods } from '../../work/move-goods.tsx';
import { PlacePicker } from '../../work/place-picker.tsx';
import { useSaid } from '../../work/said.tsx';
import { usePlace } from '../../work/use-place.tsx';
import { WorkScreen } from '../../work/work-screen.tsx';

type Order = components['schemas']['OrderDetails'];

export default function Move(_: ScreenProps) {
  const { counter, actions } = t();
  const said = useSaid();
  const [to, setTo] = useState('');
  const moving = useMoving(said, () => setTo(''));
  const { goods, choice, take, put, drop, failed, question } = moving;
  const blocked = !online.value ? counter.needsNetwork : to.trim() === '' ? counter.moveScan : undefined;
  return (
    <WorkScreen
      job={{
        title: counter.move,
        onBack: () => go('/'),
        scanLabel: goods === undefined ? counter.moveScanGoods : counter.moveScan,
        onCode: ({ text, command }) => (command === undefined ? moving.onText(text) : false),
        said: said.said,
        needsNetwork: { title: counter.needsNetwork },
        error: moving.error,
        ...(goods !== undefined && {
          lies: { place: goods.holdLocation!, label: goods.customer?.name ?? goods.fulfillmentOrderId },
          others: <Button onClick={drop}>{actions.cancel}</Button>,
          main: { label: counter.move, isBusy: moving.isBusy, blocked, run: () => put(to.trim()) },
        }),
      }}
    >
      {choice.length > 0 && (
        <ul class="list">
          {choice.map((one) => (
            <li>
              <button type="button" class="row" onClick={() => void take(one).catch(failed)}>
                <span class="grow strong code">{one.fulfillmentOrderId}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {goods === undefined ? (
        <Empty icon={MoveIcon} title={said.said?.look === 'right' ? counter.moveNext : counter.moveScanGoods}>
          {counter.moveHint}
        </Empty>
      ) : (
        <PlacePicker label={counter.moveTitle} value={to} onInput={setTo} without={goods.holdLocation!} />
      )}
      {question}
    </WorkScreen>
  );
}

/** Says why goods cannot be moved: the store has none, or their check-in is not confirmed. */
function unmovedWords({ checkIn }: Order): [title: string, detail?: string] {
  const { counter } = t();
  const saved = checkIn?.savedHoldLocation;
  return saved === undefined ? [counter.moveEmpty] : [`${counter.lies} ${saved}`, counter.moveLater];
}

function useMoving(said: ReturnType<typeof useSaid>, onMoved: () => void) {
  const { counter } = t();
  const [goods, setGoods] = useState<Order | undefined>();
  const [choice, setChoice] = useState<readonly OrderName[]>([]);
  const [error, setError] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const current = useRef<Order | undefined>(undefined);
  const id = useRef({ key: '', moveId: '' });
  useEffect(() => void readChoices().catch(setError), []);
  useChoices();
  const hold = (order: Order | undefined) => {
    current.current = order;
    setGoods(order);
  };
  const failed = (failure: unknown) => {
    feedback('wrong');
    setError(failure);
  };
  const take = async ({ storeId, fulfillmentOrderId }: OrderName) => {
    const order = await readOrder(storeId, fulfillmentOrderId);
    setChoice([]);
    if (order.holdLocation === undefined) {
      said.wrong(...unmovedWords(order));
      return;
    }
    said.say(undefined, 'right');
    hold(order);
  };
  const { isPlace, question } = usePlace(said.wrong);
  const move = async (target: string) => {
    const order = current.current!;
    if (target === order.holdLocation) {
      said.wrong(`${counter.lies} ${target}`);
      return;
    }
    const key = `${keyOf(order)} ${target}`;
    if (id.current.key !== key) id.current = { key, moveId: newId() };
    setBusy(true);
    try {
      await moveGoods(order, id.current.moveId, target, order.holdLocation);
      const title = `${counter.moved(target)} · ${order.customer?.name ?? order.fulfillmentOrderId}`;
      said.say({ look: 'right', title }, 'done');
      hold(undefined);
      onMoved();
      setError(undefined);
    } catch (failure) {
      failed(failure);
      await take(order).catch(() => undefined);
    } finally {
      setBusy(false);
      focusScanTarget();
    }
  };
  const put = (text: string) => isPlace(text, { use: move }).then(() => undefined);
  const find = async (text: string) => {
    if (current.current !== undefined) return put(text.trim());
    const found = await ordersOfCode('HAND_OVER', text, []);
    if (found.length === 1) return take(found[0]!);
    if (found.length > 1) setChoice(found);
    else said.wrong(counter.unknownCode(text));
  };
  return {
    goods,
    choice,
    error,
    isBusy,
    take,
    put,
    question,
    failed,
    drop: () => {
      hold(undefined);
      focusScanTarget();
    },
    onText: (text: string) => {
      setError(undefined);
      return find(text).catch(failed);
    },
  };
}
