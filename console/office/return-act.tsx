/** The dialog of an action on a return: asks for the input of the action and sends it. */
import { useState } from 'preact/hooks';
import { call, newId } from '../api.ts';
import { returnTexts, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { ownId } from '../work/own-id.ts';
import { actingNode, nodeReturnPath, type Return, type ReturnAction, returnPath } from './returns-data.ts';

/** The input that each action asks for. */
const ASKS: Readonly<Record<ReturnAction, 'tracking' | 'reason' | undefined>> = {
  markInTransit: 'tracking',
  cancel: 'reason',
  close: undefined,
  reopen: 'reason',
};

export function ActionDialog({
  of,
  action,
  onClose,
}: {
  of: Return;
  action: ReturnAction;
  onClose: (isDone: boolean) => void;
}) {
  const texts = returnTexts();
  const [text, setText] = useState('');
  const [id] = useState(newId);
  const asks = ASKS[action];
  const act = useAction(async () => {
    await sendAction(of, action, text.trim(), id);
    onClose(true);
  });
  return (
    <Dialog
      title={`${texts.actions[action]} · ${texts.called(of.number)}`}
      onClose={() => onClose(false)}
      onSubmit={() => void act.run()}
      actions={
        <>
          <Button onClick={() => onClose(false)}>{t().actions.back}</Button>
          <Button
            look={action === 'cancel' ? 'danger' : 'main'}
            isBusy={act.isBusy}
            blocked={action === 'reopen' && text.trim() === '' ? texts.needsReason : undefined}
            onClick={() => void act.run()}
          >
            {texts.actions[action]}
          </Button>
        </>
      }
    >
      <p>{action === 'close' ? texts.closeHint(of.totals.open) : texts.hints[action]}</p>
      {asks !== undefined && <TextField label={texts.asks[asks]} value={text} onInput={setText} maxLength={200} />}
      {act.error !== undefined && <ErrorNotice error={act.error} />}
    </Dialog>
  );
}

/** Actions of the OMS use the path of the store. Actions of the floor use the path of the node with the goods. */
async function sendAction(of: Return, action: ReturnAction, text: string, id: string): Promise<void> {
  const nodeId = actingNode(of) ?? '';
  switch (action) {
    case 'markInTransit':
      await call('POST', returnPath(of.storeId, of.number, 'inTransit'), {
        body: text === '' ? {} : { trackingNumber: text },
      });
      return;
    case 'cancel':
      await call('POST', returnPath(of.storeId, of.number, 'cancel'), { body: text === '' ? {} : { reason: text } });
      return;
    case 'close':
      await call('POST', nodeReturnPath(nodeId, of.returnId, 'close'), { body: { closeId: id, userId: ownId() } });
      return;
    case 'reopen':
      await call('POST', nodeReturnPath(nodeId, of.returnId, 'reopen'), { body: { reason: text, userId: ownId() } });
  }
}
