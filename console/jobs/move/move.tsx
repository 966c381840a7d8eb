/** Moving held goods: scan the goods, scan the place. */
import { MapPin, Move as MoveIcon } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { components } from '../../../contract/client.d.ts';
import { api, newId, send } from '../../api.ts';
import { readChoices } from '../../choices.ts';
import { online } from '../../preferences.ts';
import { go } from '../../router.ts';
import { feedback } from '../../scan/feedback.ts';
import { focusScanTarget, ScanTarget } from '../../scan/target.tsx';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty } from '../../ui/load.tsx';
import { Band, ErrorNotice, type Look, Notice } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { keyOf, type OrderName, ordersOfCode } from '../../work/counter.ts';
import { moveGoods } from '../../work/move-goods.tsx';
import { PlacePicker } from '../../work/place-picker.tsx';
import { SyncState } from '../../work/sync-state.tsx';
import { useScan } from '../../work/use-scan.ts';
import { PLACE_MAX } from '../pick/ticket-work.ts';

type Order = components['schemas']['OrderDetails'];

export default function Move(_: ScreenProps) {
  const { counter, actions } = t();
  const [goods, setGoods] = useState<Order | undefined>();
  const [choice, setChoice] = useState<readonly OrderName[]>([]);
  const [to, setTo] = useState('');
  const [said, setSaid] = useState<{ look: Look; text: string } | undefined>();
  const [error, setError] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const current = useRef<Order | undefined>(undefined);
  const id = useRef({ key: '', moveId: '' });
  useEffect(() => {
    void readChoices().catch(setError);
  }, []);
  const failed = (failure: unknown) => {
    feedback('wrong');
    setError(failure);
  };
  const take = async (name: OrderName) => {
    const path = '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}';
    const order = await send(api.GET(path, { params: { path: name } }));
    setChoice([]);
    if (order.holdLocation === undefined) {
      feedback('wrong');
      setSaid({ look: 'wrong', text: counter.moveEmpty });
      return;
    }
    feedback('right');
    setSaid(undefined);
    current.current = order;
    setGoods(order);
  };
  const put = async (target: string) => {
    const order = current.current!;
    const key = `${keyOf(order)} ${target}`;
    if (id.current.key !== key) id.current = { key, moveId: newId() };
    setBusy(true);
    try {
      await moveGoods(order, id.current.moveId, target, order.holdLocation);
      feedback('done');
      setSaid({
        look: 'right',
        text: `${counter.moved(target)} · ${order.customer?.name ?? order.fulfillmentOrderId}`,
      });
      current.current = undefined;
      setGoods(undefined);
      setTo('');
      setError(undefined);
    } catch (failure) {
      failed(failure);
      await take(order).catch(() => undefined);
    } finally {
      setBusy(false);
      focusScanTarget();
    }
  };
  useScan(async ({ text, command }) => {
    if (command !== undefined) return false;
    setError(undefined);
    try {
      if (current.current !== undefined) {
        await put(text.slice(0, PLACE_MAX));
        return undefined;
      }
      const found = await ordersOfCode('HAND_OVER', text, []);
      if (found.length === 1) await take(found[0]!);
      else if (found.length > 1) setChoice(found);
      else {
        feedback('wrong');
        setSaid({ look: 'wrong', text: counter.unknownCode(text) });
      }
    } catch (failure) {
      failed(failure);
    }
    return undefined;
  });
  return (
    <Screen
      title={counter.move}
      onBack={() => go('/')}
      tools={<SyncState />}
      below={said !== undefined && <Band look={said.look}>{said.text}</Band>}
      {...(goods !== undefined && {
        actions: (
          <>
            <Button
              onClick={() => {
                current.current = undefined;
                setGoods(undefined);
                focusScanTarget();
              }}
            >
              {actions.cancel}
            </Button>
            <Button
              look="main"
              isBusy={isBusy}
              blocked={!online.value ? counter.needsNetwork : to.trim() === '' ? counter.moveScan : undefined}
              onClick={() => void put(to.trim())}
            >
              {counter.move}
            </Button>
          </>
        ),
      })}
    >
      {!online.value && <Notice look="risk" title={counter.needsNetwork} />}
      <ScanTarget label={goods === undefined ? counter.moveScanGoods : counter.moveScan} />
      {error !== undefined && <ErrorNotice error={error} />}
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
        <Empty icon={MoveIcon} title={said?.look === 'right' ? counter.moveNext : counter.moveScanGoods}>
          {counter.moveHint}
        </Empty>
      ) : (
        <>
          <section class="counter-lies">
            <span class="counter-lies-icon">
              <Icon of={MapPin} />
            </span>
            <span class="grow">
              <span class="quiet">{goods.customer?.name ?? goods.fulfillmentOrderId}</span>
              <span class="huge code">{goods.holdLocation}</span>
            </span>
          </section>
          <PlacePicker label={counter.moveTitle} value={to} onInput={setTo} without={goods.holdLocation!} />
        </>
      )}
    </Screen>
  );
}
