/** The orders of a customer who has no number. */
import { api, send } from '../../api.ts';
import { readChoices } from '../../choices.ts';
import { place } from '../../session.ts';
import { check, type Found, lateUnits } from './returning.ts';

/** Maximum number of orders of a name that are checked. The newest orders are checked. */
const NAMED_MAX = 20;

/** Finds the collected and shipped orders of a customer by name, with units that can come back. @throws ApiError */
export async function findByName(name: string): Promise<Found[]> {
  const { stores } = await readChoices();
  const all = await Promise.all(stores.map(({ storeId }) => namedIn(storeId, name)));
  return all.filter((one) => one.check.orders.length > 0);
}

/** States with units that were handed over or shipped. */
const GONE = { from: 3700, to: 3900 };

async function namedIn(storeId: string, name: string): Promise<Found> {
  const { nodeId } = place.peek()!;
  const { fulfillmentOrders } = await send(
    api.POST('/stores/{storeId}/fulfillmentOrder/search', {
      params: { path: { storeId } },
      body: {
        storeId,
        nodeId,
        pageSize: 100,
        fulfillmentOrder: { customer: { name, email: '', phone: '' }, statuses: GONE },
      },
    }),
  );
  const newest = fulfillmentOrders.slice(-NAMED_MAX).reverse();
  const checks = await Promise.all(newest.map(({ fulfillmentOrderId }) => check(storeId, { fulfillmentOrderId })));
  const orders = checks.flatMap((one) => one.orders);
  const returns = checks.flatMap((one) => one.returns);
  return {
    storeId,
    check: {
      orders: once(orders, (one) => one.fulfillmentOrderId).filter(({ lines }) =>
        lines.some((line) => line.returnableQuantity > 0 || lateUnits(line) > 0),
      ),
      returns: once(returns, (one) => one.number),
    },
    names: new Map(newest.map(({ fulfillmentOrderId, customer }) => [fulfillmentOrderId, customer.name])),
  };
}

function once<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  return [...new Map(all.map((one) => [keyOf(one), one])).values()];
}
