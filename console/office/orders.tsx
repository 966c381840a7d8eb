/**
 * Orders of the chosen nodes: views of open orders, the earliest due first; and all orders in any state, by number,
 * customer or date.
 */

import { href, setQuery } from '../router.ts';
import { o, t } from '../texts/index.ts';
import { ChooseField } from '../ui/choose.tsx';
import { Show } from '../ui/load.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { AllOrders } from './all-orders.tsx';
import { isView, OpenOrders, VIEWS } from './open-orders.tsx';
import { Page } from './page.tsx';
import { chosenNodes, useNodes } from './places.ts';

/** Returns the view in the address. An older link with search filters but no view opens all orders. */
function viewOf(query: URLSearchParams): string {
  const asked = query.get('view');
  if (asked !== null) return asked;
  return ['number', 'status', 'from', 'storeId'].some((name) => (query.get(name) ?? '') !== '') ? 'ALL' : 'OPEN';
}

export default function Orders({ query }: ScreenProps) {
  const { orders } = o();
  const nodes = useNodes();
  const view = viewOf(query);
  return (
    <Page title={t().nav.orders}>
      <nav class="tabs" aria-label={orders.views}>
        {[...VIEWS, 'ALL' as const].map((one) => (
          <a
            href={href('/office/orders', { view: one })}
            aria-current={one === view ? 'page' : undefined}
            onClick={(event) => {
              event.preventDefault();
              setQuery({ view: one });
            }}
          >
            {orders.viewNames[one]}
          </a>
        ))}
      </nav>
      <Show of={nodes}>
        {(all) => {
          const { nodeIds, ...shown } = chosenNodes(all, query.get('node'), {
            all: orders.allStores,
            isSearch: !isView(view),
          });
          const choice = all.length > 1 && (
            <ChooseField label={o().order.node} onInput={(node) => setQuery({ node, view })} {...shown} />
          );
          const at = { nodeIds, choice, query };
          return isView(view) ? <OpenOrders key={view} view={view} {...at} /> : <AllOrders {...at} />;
        }}
      </Show>
    </Page>
  );
}
