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
import type { Exception } from './exception-orders.ts';

interface Declined {
  declined: { fulfillmentOrderId: string; status: string }[];
  refused: { fulfillmentOrderId: string; code: string; description: string }[];
}

/** Declines orders before their pick begins, so that another node can serve them. */
export function DeclineOrders({ orders, onDone }: { orders: readonly Exception[]; onDone: () => void }) {
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
          body: {
            declineId,
            userId: session.value!.user.userId,
            reasonCode,
            fulfillmentOrderIds: orders.map((order) => order.fulfillmentOrderId),
          },
        },
      ),
    );
  });
  return (
    <Dialog
      title={exceptions.declineTitle(orders.length)}
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
          <Fates asked={orders.filter(isAsked).length} all={orders.length} />
          <Choices label={exceptions.reason} value={reasonCode} onInput={setReason} options={reasons} />
          {action.error !== undefined && <ErrorNotice error={action.error} />}
        </>
      ) : (
        <Outcome result={result} />
      )}
    </Dialog>
  );
}

/**
 * Whether a decline asks for another node that serves the order. Other orders are canceled. Choices that this device
 * keeps from an older release lack the types.
 */
function isAsked({ fulfillmentType: type }: Exception): boolean {
  const types: readonly string[] | undefined = choices.value?.resourceTypes;
  return type === 'SHIP_TO_HOME' || types?.includes(type) === true;
}

/** Says how many of all orders wait for another store, and how many are canceled. */
function Fates({ asked, all }: { asked: number; all: number }) {
  const { exceptions } = leadTexts();
  return (
    <>
      {asked > 0 && <p>{exceptions.toOtherStore(asked)}</p>}
      {asked < all && <p class="strong">{exceptions.toNoStore(all - asked)}</p>}
    </>
  );
}

/** Shows the declined orders, and the orders that could not be declined because they no longer wait for pick. */
function Outcome({ result: { declined, refused } }: { result: Declined }) {
  const { exceptions } = leadTexts();
  return (
    <>
      <Notice look="right" title={exceptions.declined(declined.length)}>
        <Fates asked={declined.filter(({ status }) => status === '9100').length} all={declined.length} />
      </Notice>
      {refused.map(({ fulfillmentOrderId }) => (
        <Notice look="risk" title={fulfillmentOrderId} key={fulfillmentOrderId}>
          <p>{exceptions.notDeclined}</p>
        </Notice>
      ))}
    </>
  );
}
