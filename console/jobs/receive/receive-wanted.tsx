/** The orders of the node that wait for goods that have just arrived. */
import { ShoppingBag } from 'lucide';
import { t } from '../../texts/index.ts';
import { Icon } from '../../ui/icon.tsx';
import { firstOrders, nameOf } from './receiving.ts';
import type { Receiving } from './use-shipment.tsx';

/** Shows the node's orders that need the units received just now. */
export function WantedNotice({ receiving }: { receiving: Receiving }) {
  const { receive } = t();
  const items = Map.groupBy(receiving.wanted, ({ itemId }) => itemId);
  return (
    <div class="notice info">
      <Icon of={ShoppingBag} />
      <ul class="grow">
        {[...items].map(([itemId, orders]) => (
          <li class="strong">
            {receive.wantedBy(
              nameOf({ itemId }),
              orders.reduce((sum, { quantity }) => sum + quantity, 0),
              firstOrders(orders),
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
