/** Records a new place of held goods. Every search then shows the new place. */
import { useRef, useState } from 'preact/hooks';
import { api, newId, send } from '../api.ts';
import { online } from '../preferences.ts';
import { feedback } from '../scan/feedback.ts';
import { ScanTarget } from '../scan/target.tsx';
import { t } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import type { OrderName } from './counter.ts';
import { ownId } from './own-id.ts';
import { PlacePicker } from './place-picker.tsx';
import { usePlace } from './use-place.tsx';
import { useScan } from './use-scan.ts';

/**
 * Records the new place of an order's goods. Send the same `moveId` with every retry for the same place, so that a
 * retry moves nothing twice.
 * @throws ApiError
 */
export async function moveGoods(order: OrderName, moveId: string, holdLocation: string, from?: string): Promise<void> {
  await send(
    api.POST('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/move', {
      params: { path: order },
      body: { moveId, userId: ownId(), holdLocation, ...(from !== undefined && { from }) },
    }),
  );
}

export function MoveDialog({
  order,
  from,
  onMoved,
  onClose,
}: {
  order: OrderName;
  from: string;
  onMoved: (to: string) => void;
  onClose: () => void;
}) {
  const { counter } = t();
  const [to, setTo] = useState('');
  const id = useRef({ to: '', moveId: '' });
  const action = useAction(async (target: string) => {
    if (id.current.to !== target) id.current = { to: target, moveId: newId() };
    await moveGoods(order, id.current.moveId, target, from);
    feedback('done');
    onMoved(target);
  });
  const [wrong, setWrong] = useState<readonly [title: string, detail?: string] | undefined>();
  const { isPlace, question } = usePlace((...why) => {
    feedback('wrong');
    setWrong(why);
  });
  const put = async (text: string) => {
    setWrong(undefined);
    const move = (target: string) => {
      setTo(target);
      if (target !== from) return action.run(target);
      feedback('wrong');
      setWrong([`${counter.lies} ${target}`]);
      return undefined;
    };
    await isPlace(text, { use: move });
  };
  useScan(({ text, command }) => (command === undefined ? put(text.trim()) : false));
  return (
    <>
      <AskDialog
        title={counter.moveTitle}
        onClose={onClose}
        act={counter.move}
        isBusy={action.isBusy}
        blocked={!online.value ? counter.needsNetwork : to.trim() === '' ? counter.moveScan : undefined}
        onAct={() => void put(to.trim())}
      >
        <ScanTarget label={counter.moveScan} />
        <PlacePicker label={counter.place} value={to} onInput={setTo} without={from} />
        {wrong !== undefined && (
          <Notice look="wrong" title={wrong[0]}>
            <p class="code">{wrong[1]}</p>
          </Notice>
        )}
        {action.error !== undefined && <ErrorNotice error={action.error} />}
      </AskDialog>
      {question}
    </>
  );
}
