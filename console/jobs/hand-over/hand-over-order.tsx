/**
 * One order for the customer at the counter: the place of the goods, the recipient, and the units to hand over. The
 * screen shows success only after the response of the service.
 */
import { useState } from 'preact/hooks';
import { ApiError, api, send } from '../../api.ts';
import { readChoices } from '../../choices.ts';
import { at, go } from '../../router.ts';
import { place } from '../../session.ts';
import { t, time, word } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Empty, useLoad } from '../../ui/load.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Blocked } from '../../work/blocked.ts';
import { readOrder } from '../../work/counter.ts';
import { GivenScreen } from '../../work/given-screen.tsx';
import { OrderId } from '../../work/order-id.tsx';
import { type JobHead, JobLoading } from '../../work/work-screen.tsx';
import { Counter, type HandedOver } from './counter-screen.tsx';
import type { Order, Pickup } from './hand-over-job.ts';

// Most customers have one order here, so the list of further orders loads on demand.
const MoreOrderList = lazy(async () => (await import('./more-order-list.tsx')).default);

/** Interval for reading a locked order again, because another device may unlock it. */
const LOOK_AGAIN_MS = 5_000;

export default function HandOverOrder({ params }: ScreenProps) {
  const storeId = params['storeId']!;
  const orderId = params['orderId']!;
  const { nodeId } = place.value!;
  const { handOver, counter } = t();
  const [given, setGiven] = useState<HandedOver | undefined>();
  const loaded = useLoad(
    `hand-over ${nodeId} ${storeId} ${orderId}`,
    (signal) => readPickup({ storeId, nodeId, fulfillmentOrderId: orderId }, signal),
    LOOK_AGAIN_MS,
  );
  const known = loaded.data.value;
  const toList = () => go('/hand-over');
  const head = {
    title: known?.pickup?.customer.name ?? known?.order.customer?.name ?? counter.order(orderId),
    isName: true,
    sub: <OrderId id={orderId} />,
    onBack: toList,
  };
  if (given !== undefined) {
    const rest = () => void loaded.reload().then(() => setGiven(undefined));
    return <Done head={head} given={given} onRest={rest} />;
  }
  if (known?.pickup?.status === '1400' && known.pickup.totalCustomerPickQuantity > 0) {
    return (
      <Counter
        key={orderId}
        head={head}
        pickup={known.pickup}
        order={known.order}
        reload={loaded.reload}
        isStale={loaded.error.value !== undefined}
        onGiven={setGiven}
      />
    );
  }
  return (
    <JobLoading
      head={head}
      of={loaded}
      ended={({ order }) => (
        <Empty
          title={handOver.endedBefore(word(t().states, order.status))}
          action={
            <>
              <Blocked of={order} action="handOver" />
              <Button onClick={toList}>{counter.openList}</Button>
            </>
          }
        >
          {order.endedDate !== undefined && handOver.at(time(order.endedDate))}
        </Empty>
      )}
    />
  );
}

/** The result. The next step is another order of the same person, if one waits here. */
function Done({ head, given, onRest }: { head: JobHead; given: HandedOver; onRest: () => void }) {
  const { handOver, counter } = t();
  const { more, who } = given;
  const customer = { path: '/hand-over', label: handOver.next };
  const [first] = more;
  const steps =
    first === undefined
      ? { next: customer }
      : {
          next: {
            path: at('hand-over', first.storeId, first.fulfillmentOrderId),
            label: handOver.nextOrder(first.holdLocation ?? counter.noPlace),
          },
          other: customer,
        };
  return (
    <GivenScreen head={head} given={given} {...steps} onRest={onRest}>
      {more.length > 0 && <MoreOrderList of={more} who={who} />}
    </GivenScreen>
  );
}

async function readPickup(
  path: { storeId: string; nodeId: string; fulfillmentOrderId: string },
  signal: AbortSignal,
): Promise<{ pickup: Pickup | undefined; order: Order }> {
  await readChoices();
  const [pickup, order] = await Promise.all([
    send(
      api.POST('/stores/{storeId}/nodes/{nodeId}/customerPickUps/{fulfillmentOrderId}', {
        params: { path },
        body: path,
        signal,
      }),
    ).then(
      ({ customerPickUpDetails }) => customerPickUpDetails,
      (error: unknown) => {
        // The order is not ready or was already handed over. `readOrder` gets its state.
        if (error instanceof ApiError && error.status === 409) return undefined;
        throw error;
      },
    ),
    readOrder(path.storeId, path.fulfillmentOrderId, signal),
  ]);
  return { pickup, order };
}
