/** Cancels the order or some of its units: asks for a reason and waits for the response of the service. */
import { useState } from 'preact/hooks';
import { api, newId, send } from '../api.ts';
import { fittingReasons } from '../choices.ts';
import { clientId, may } from '../session.ts';
import { o, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Check, Choices, Stepper } from '../ui/field.tsx';
import { Show, useAction, useLoad } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import type { Details } from './order-details.ts';

export function CancelOrder({ order, onDone }: { order: Details; onDone: () => void }) {
  const { order: texts } = o();
  const lines = order.lines.filter((line) => line.leftQuantity > 0);
  const [quantities, setQuantities] = useState<Record<string, number>>(
    Object.fromEntries(lines.map((line) => [line.webLineId, line.leftQuantity])),
  );
  const reasons = useReasons(order);
  const [chosenReason, setReason] = useState<string | undefined>();
  const reasonCode = chosenReason ?? reasons.data.value?.[0]?.value ?? '';
  const [key] = useState(newId);
  const chosen = lines
    .map((line) => ({ line, quantity: quantities[line.webLineId] ?? 0 }))
    .filter(({ quantity }) => quantity > 0);
  const units = chosen.reduce((sum, { quantity }) => sum + quantity, 0);
  const declined = useOpenRequests(order).data.value ?? 0;
  const isAll = lines.every((line) => quantities[line.webLineId] === line.leftQuantity);
  const canClose = isAll && declined > 0 && lines.length > 0;
  const [wantsClose, setWantsClose] = useState(true);
  const action = useAction(async () => {
    // Without `lines`, the service also closes the re-source requests of the order.
    const sent = lines.length === 0 || (canClose && wantsClose) ? undefined : chosen;
    await cancel(order, reasonCode, sent, key);
    onDone();
  });
  // The button names the item if only one line is chosen. For several lines it has the number of units, and the list
  // above shows the lines.
  const [only, ...others] = chosen;
  const named =
    only !== undefined && others.length === 0
      ? texts.cancelUnits(only.quantity, only.line.itemDesc)
      : o().units.units(units);
  return (
    <Dialog
      title={texts.cancelTitle(order.fulfillmentOrderId)}
      onClose={onDone}
      actions={
        <>
          <Button onClick={onDone}>{t().actions.back}</Button>
          <Button
            look="danger"
            isBusy={action.isBusy || reasonCode === ''}
            blocked={lines.length > 0 && chosen.length === 0 ? texts.cancelNothing : undefined}
            onClick={() => void action.run()}
          >
            {lines.length === 0 ? texts.cancel : texts.cancelNow(named)}
          </Button>
        </>
      }
    >
      <p>{lines.length === 0 ? texts.cancelRequests : texts.cancelHint}</p>
      {lines.map((line) => (
        <Stepper
          label={texts.cancelOf(line.itemDesc, line.leftQuantity)}
          value={quantities[line.webLineId] ?? 0}
          max={line.leftQuantity}
          onInput={(quantity) => setQuantities({ ...quantities, [line.webLineId]: quantity })}
        />
      ))}
      {canClose && (
        <Check label={texts.cancelSearch(o().units.units(declined))} isChecked={wantsClose} onChange={setWantsClose} />
      )}
      <Show of={reasons} lines={4}>
        {(options) => <Choices label={texts.reason} value={reasonCode} onInput={setReason} options={options} />}
      </Show>
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </Dialog>
  );
}

interface Chosen {
  line: Details['lines'][number];
  quantity: number;
}

async function cancel(
  { storeId, fulfillmentOrderId }: Details,
  reasonCode: string,
  chosen: readonly Chosen[] | undefined,
  key: string,
): Promise<void> {
  await send(
    api.POST('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/cancel', {
      params: { path: { storeId, fulfillmentOrderId } },
      headers: { 'idempotency-key': key },
      body: {
        reasonCode,
        ...(chosen !== undefined && {
          // The service expects the total of a line's canceled units, including units that were canceled before.
          lines: chosen.map(({ line, quantity }) => ({
            webLineId: line.webLineId,
            quantity: canceledOf(line) + quantity,
          })),
        }),
      },
    }),
  );
}

/** Loads the number of declined units that the store still looks for at other nodes. */
function useOpenRequests({ storeId, fulfillmentOrderId, lines }: Details) {
  return useLoad(`requests ${fulfillmentOrderId}`, async (signal) => {
    const isPossible = lines.some((line) => line.declinedQuantity > 0) && may('reroute.read', 'decline');
    if (!isPossible) return 0;
    const params = { path: { storeId }, query: { status: 'OPEN', fulfillmentOrderId, limit: 200 } as const };
    const { resourceRequests } = await send(
      api.GET('/operator/v1/stores/{storeId}/resourceRequests', { params, signal }),
    );
    const units = resourceRequests.flatMap((request) => request.lines.map(({ quantity }) => quantity));
    return units.reduce((sum, quantity) => sum + quantity, 0);
  });
}

/** Loads the reasons that the client of the order accepts, in the words of the office. */
function useReasons({ nodeId }: Details) {
  const own = clientId.value;
  const usual = o().order.reasons;
  return useLoad(`reasons ${own} ${nodeId}`, async (signal) => {
    // A user of the operator can open an order before choosing a client. Then the reasons of the client are unknown.
    if (own === undefined) return Object.entries(usual).map(([value, label]) => ({ value, label }));
    const params = { path: { clientId: own, nodeId } };
    const path = '/operator/v1/clients/{clientId}/nodes/{nodeId}/settings';
    return fittingReasons(usual, (await send(api.GET(path, { params, signal }))).cancelReasons);
  });
}

/** Returns the units of a line that were canceled before, in every state. */
function canceledOf(line: Details['lines'][number]): number {
  return line.canceledQuantity + line.cancelingQuantity + line.returnedQuantity + line.missingQuantity;
}
