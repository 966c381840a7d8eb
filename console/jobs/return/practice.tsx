/** Lists the handed-over orders of a training, to practice returns: a training has no customers with a slip. */
import type { components } from '../../../contract/client.d.ts';
import { call } from '../../api.ts';
import { readChoices } from '../../choices.ts';
import { at, href } from '../../router.ts';
import { place } from '../../session.ts';
import { takeBackTexts } from '../../texts/index.ts';
import { useLoad } from '../../ui/load.tsx';
import { OrderId } from '../../work/order-id.tsx';
import { toOrder } from './returning.ts';

type Page = components['schemas']['OrderSearchReply'];

/** The status codes from shipped to delivered. */
const HANDED_OVER = { from: 3700, to: 3900 };

/** Returns the orders of the training whose goods can be returned. @throws ApiError */
async function readHandedOver(signal: AbortSignal): Promise<Page['fulfillmentOrders']> {
  const { nodeId } = place.peek()!;
  const { stores } = await readChoices();
  const pages = await Promise.all(
    stores.map(({ storeId }) => {
      const body = { storeId, nodeId, fulfillmentOrder: { statuses: HANDED_OVER } };
      return call<Page>('POST', at('stores', storeId, 'fulfillmentOrder', 'search'), { body, signal });
    }),
  );
  return pages.flatMap(({ fulfillmentOrders }) => fulfillmentOrders);
}

export function Practice() {
  const texts = takeBackTexts();
  const { data } = useLoad('orders to practice with', readHandedOver);
  const orders = data.value ?? [];
  if (orders.length === 0) return null;
  return (
    <section class="stack tight" aria-label={texts.practice}>
      <h2 class="small quiet">{texts.practice}</h2>
      <div class="list">
        {orders.map(({ storeId, fulfillmentOrderId, customer }) => (
          <a class="row" key={fulfillmentOrderId} href={href(toOrder(storeId, fulfillmentOrderId))}>
            <span class="grow">
              <OrderId id={fulfillmentOrderId} />
            </span>
            <span class="quiet">{customer.name}</span>
          </a>
        ))}
      </div>
    </section>
  );
}
