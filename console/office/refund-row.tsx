/** A refund on the screen of its return, and the dialog that records its result. The list of refunds has the dialog, too. */
import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { may } from '../session.ts';
import { dateTime, money, returnTexts, t, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Choices, TextField } from '../ui/field.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { ReturnState } from './return-state.tsx';
import { hasAllNodes, type Refund, refundPath } from './returns-data.ts';

/** Shows a refund with its parts, and a button to record its result. */
export function RefundRow({ refund, onDone }: { refund: Refund; onDone: () => void }) {
  const texts = returnTexts();
  const [isOpen, setOpen] = useState(false);
  const parts = [
    refund.shipping > 0 && texts.shippingPart(money(refund.shipping, refund.currency)),
    refund.fee > 0 && texts.feePart(money(refund.fee, refund.currency)),
    refund.collectedAtDoor > 0 && texts.doorPart(money(refund.collectedAtDoor, refund.currency)),
    refund.basis === 'COMPUTED' && texts.computed,
  ].filter((part) => part !== false);
  return (
    <div class="card split">
      <span>
        <span class="strong">{money(refund.amount, refund.currency)}</span> <ReturnState of={refund.status} />
        <span class="small quiet">
          {' '}
          {texts.order(refund.fulfillmentOrderId)} · {dateTime(refund.answeredAt ?? refund.dueAt)}
        </span>
        {parts.length > 0 && <span class="small quiet"> {parts.join(' · ')}</span>}
        {(refund.reference ?? refund.failure) !== undefined && (
          <span class="small"> {refund.reference ?? refund.failure}</span>
        )}
      </span>
      {canRespond(refund) && <Button onClick={() => setOpen(true)}>{texts.respond}</Button>}
      {isOpen && (
        <RespondDialog
          refund={refund}
          onClose={(isDone) => {
            setOpen(false);
            if (isDone) onDone();
          }}
        />
      )}
    </div>
  );
}

function canRespond({ status }: Refund): boolean {
  return (status === 'DUE' || status === 'FAILED') && may('orders.change') && hasAllNodes();
}

/** Shows a refund, and asks for its result if it has none yet. */
export function RespondDialog({ refund, onClose }: { refund: Refund; onClose: (isDone: boolean) => void }) {
  const texts = returnTexts();
  const [outcome, setOutcome] = useState<'DONE' | 'FAILED'>('DONE');
  const [text, setText] = useState('');
  const act = useAction(async () => {
    const words = text.trim();
    const said = words === '' ? {} : outcome === 'DONE' ? { reference: words } : { failure: words };
    await call('POST', refundPath(refund.refundId, 'answer'), { body: { outcome, ...said } });
    onClose(true);
  });
  return (
    <Dialog
      title={texts.refundOf(money(refund.amount, refund.currency), refund.number)}
      onClose={() => onClose(false)}
      onSubmit={() => void act.run()}
      actions={
        <>
          <Button onClick={() => onClose(false)}>{t().actions.back}</Button>
          {canRespond(refund) && (
            <Button look="main" isBusy={act.isBusy} onClick={() => void act.run()}>
              {texts.outcomes[outcome]}
            </Button>
          )}
        </>
      }
    >
      {canRespond(refund) ? (
        <>
          <Choices
            label={texts.outcome}
            value={outcome}
            onInput={(value) => setOutcome(value as 'DONE')}
            options={(['DONE', 'FAILED'] as const).map((value) => ({ value, label: texts.outcomes[value] }))}
          />
          <TextField
            label={outcome === 'DONE' ? texts.reference : texts.failure}
            value={text}
            onInput={setText}
            maxLength={outcome === 'DONE' ? 100 : 200}
          />
        </>
      ) : (
        <p>{word(texts.refundStates, refund.status)}</p>
      )}
      {act.error !== undefined && <ErrorNotice error={act.error} />}
    </Dialog>
  );
}
