/**
 * The orders of a return: the name of the customer, and the names of the items. A user without permission to read
 * orders gets none.
 */
import { may } from '../session.ts';
import { type Loaded, useLoad } from '../ui/load.tsx';
import { type Details, readOrder } from './order-details.ts';
import type { Return } from './returns-data.ts';

/**
 * Maximum number of orders of a return that are read. A return of more orders is rare, and the page names the first
 * ones.
 */
const ORDERS_MAX = 5;

/** Returns the ids of the orders of a return. Goods without papers have none. */
export function orderIdsOf({ lines }: Pick<Return, 'lines'>): string[] {
  return [...new Set(lines.flatMap(({ fulfillmentOrderId }) => fulfillmentOrderId ?? []))];
}

/** Loads the orders of a return. */
export function useReturnOrders(of: Return | undefined): Loaded<readonly Details[]> {
  const ids = of === undefined ? [] : orderIdsOf(of).slice(0, ORDERS_MAX);
  const storeId = of?.storeId ?? '';
  return useLoad(`orders of a return ${storeId} ${ids.join(' ')}`, async (signal) => {
    if (!may('fulfillment.read', 'orders.change')) return [];
    const read = (id: string) => readOrder(storeId, id, signal).catch(() => undefined);
    return (await Promise.all(ids.map(read))).filter((one) => one !== undefined);
  });
}

/** Returns a function that names an item of the orders. An item without an order has its id only. */
export function itemNames(orders: readonly Details[]): (itemId: string) => string {
  const names = new Map(orders.flatMap(({ lines }) => lines.map((line) => [line.itemId, line.itemDesc] as const)));
  return (itemId) => names.get(itemId) || itemId;
}

/** Returns the names of the customers of the orders. */
export function customersOf(orders: readonly Details[]): string {
  return [...new Set(orders.flatMap(({ customer }) => customer?.name ?? []))].filter(Boolean).join(', ');
}
