/** The orders with the earliest due times, for wide screens that show them next to the work of the node. */
import { api, send } from '../api.ts';
import { now } from '../preferences.ts';
import { at, href } from '../router.ts';
import { place } from '../session.ts';
import { t, word } from '../texts/index.ts';
import { useLoad } from '../ui/load.tsx';
import { Due } from '../ui/notice.tsx';
import { isBeforePick } from '../work/order-steps.ts';

const MANY = 8;

export default function DueOrders({ revision }: { revision: string }) {
  const { queue, states, units } = t();
  const path = place.value!;
  const load = async (signal: AbortSignal) => {
    const params = { path, query: { view: 'OPEN' as const, limit: MANY } };
    return (await send(api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/orders', { params, signal }))).orders;
  };
  const loaded = useLoad(`due ${path.nodeId}`, load, undefined, revision);
  const orders = loaded.data.value ?? [];
  if (orders.length === 0) return null;
  return (
    <section class="stack tight" aria-label={queue.dueFirst}>
      <h2>{queue.dueFirst}</h2>
      <div class="list">
        {orders.map(({ storeId, fulfillmentOrderId, customer, status, slaDate, holdLocation, units: count }) => (
          <a class="row" key={fulfillmentOrderId} href={href(at('office', 'orders', storeId, fulfillmentOrderId))}>
            <span class="grow">
              <span class="strong">{customer.name}</span>
              <span class="quiet small"> · {units.units(count)}</span>
              <br />
              <span class="quiet small">{word(states, status)}</span>
            </span>
            {holdLocation !== undefined && <span class="strong code">{holdLocation}</span>}
            <Due at={slaDate?.value} nowMs={now.value} isStart={isBeforePick(status)} />
          </a>
        ))}
      </div>
    </section>
  );
}
