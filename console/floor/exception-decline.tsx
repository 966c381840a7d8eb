/** Declines one order or several, with a reason. */
import { useState } from 'preact/hooks';
import { call, newId } from '../api.ts';
import { choices, fittingReasons, useChoices } from '../choices.ts';
import { place, session } from '../session.ts';
import { leadTexts, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Choices } from '../ui/field.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';

interface Declined {
  declined: { fulfillmentOrderId: string }[];
  refused: { fulfillmentOrderId: string; code: string; description: string }[];
}

/** Declines orders before their pick begins, so that another node can serve them. */
export function DeclineOrders({ orderIds, onDone }: { orderIds: readonly string[]; onDone: () => void }) {
  const { exceptions } = leadTexts();
  useChoices();
  const reasons = fittingReasons(exceptions.reasons, choices.value?.cancelReasons);
  const [chosen, setReason] = useState<string | undefined>();
  const reasonCode = chosen ?? reasons[0]?.value ?? '';
  const [declineId] = useState(newId);
  const [result, setResult] = useState<Declined | undefined>();
  const action = useAction(async () => {
    const { clientId: own, nodeId } = place.value!;
    setResult(
      await call<Declined>(
        'POST',
        `/operator/v1/clients/${encodeURIComponent(own)}/nodes/${encodeURIComponent(nodeId)}/decline`,
        {
          body: { declineId, userId: session.value!.user.userId, reasonCode, fulfillmentOrderIds: orderIds },
        },
      ),
    );
  });
  return (
    <Dialog
      title={exceptions.declineTitle(orderIds.length)}
      onClose={onDone}
      actions={
        result === undefined ? (
          <>
            <Button onClick={onDone}>{t().actions.back}</Button>
            <Button look="danger" isBusy={action.isBusy} onClick={() => void action.run()}>
              {exceptions.decline}
            </Button>
          </>
        ) : (
          <Button look="main" onClick={onDone}>
            {t().actions.ok}
          </Button>
        )
      }
    >
      {result === undefined ? (
        <>
          <p>{exceptions.declineHint}</p>
          <Choices label={exceptions.reason} value={reasonCode} onInput={setReason} options={reasons} />
          {action.error !== undefined && <ErrorNotice error={action.error} />}
        </>
      ) : (
        <Outcome result={result} />
      )}
    </Dialog>
  );
}

/** Shows the declined orders, and the orders that could not be declined because they no longer wait for pick. */
function Outcome({ result: { declined, refused } }: { result: Declined }) {
  const { exceptions } = leadTexts();
  return (
    <>
      <Notice look="right" title={exceptions.declined(declined.length)} />
      {refused.map(({ fulfillmentOrderId }) => (
        <Notice look="risk" title={fulfillmentOrderId} key={fulfillmentOrderId}>
          <p>{exceptions.notDeclined}</p>
        </Notice>
      ))}
    </>
  );
}
