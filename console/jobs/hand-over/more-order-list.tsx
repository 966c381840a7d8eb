/** Lists the other orders of a person after one of the orders was handed over. */
import { t } from '../../texts/index.ts';
import { keyOf, type QueuedOrder } from '../../work/counter.ts';
import { WaitingOrder } from '../../work/counter-list.tsx';

export default function MoreOrderList({ of, who }: { of: readonly QueuedOrder[]; who: string }) {
  const { handOver } = t();
  const title = handOver.moreOrders(of.length, who);
  return (
    <section class="stack tight">
      <h2>{title}</h2>
      <ul class="list" aria-label={title}>
        {of.map((order) => (
          <WaitingOrder
            key={keyOf(order)}
            order={order}
            path="hand-over"
            more={() => order.proxyDetails !== undefined && <span>{handOver.forProxy(order.proxyDetails.name)}</span>}
          />
        ))}
      </ul>
    </section>
  );
}
