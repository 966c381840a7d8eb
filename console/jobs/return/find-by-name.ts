/** The orders and announced returns of a customer who has no number. */
import type { components } from '../../../contract/client.d.ts';
import { api, call, send } from '../../api.ts';
import { readChoices } from '../../choices.ts';
import { isOpen, OPEN_RETURNS } from '../../offline/returned.ts';
import { at } from '../../router.ts';
import { place } from '../../session.ts';
import { readPages } from '../../work/pages.ts';
import { canComeBack, check, type Found } from './returning.ts';

/**
 * Maximum number of records that are checked for a name. The limit applies separately to the newest orders without
 * units in the store, to the newest other orders, and to the announced returns: first the newest ones of this node, then
 * the newest of all nodes.
 */
const NAMED_MAX = 20;
/** Maximum number of pages of orders that are read, the oldest orders first. Orders on later pages are not found. */
const PAGES_MAX = 20;

/**
 * Finds the goods of a customer by name: orders with units that can come back, and announced returns. `isCut` is true if
 * there are more orders or announced returns of the name than were checked.
 * @throws ApiError
 */
export async function findByName(name: string): Promise<{ all: Found[]; isCut: boolean }> {
  const { stores } = await readChoices();
  const named = await Promise.all(stores.map(({ storeId }) => namedIn(storeId, name)));
  return {
    all: named.filter(({ check: { orders, returns } }) => orders.some(canComeBack) || returns.some(isOpen)),
    isCut: named.some(({ isCut }) => isCut),
  };
}

/** States of orders that can have handed-over units. An order keeps its state while it still has units in the store. */
const SEARCHED = { from: 1400, to: 3900 };
/** First state in which all units were handed over or shipped. */
const GONE = 3700;

/** The orders of a name that are checked; `isCut` is true if there are more. */
interface Named {
  ids: string[];
  isCut: boolean;
}

async function namedIn(storeId: string, name: string): Promise<Found & { isCut: boolean }> {
  const lists = await Promise.all([ordersOf(storeId, name), announcedOf(storeId, name)]);
  const ids = [...new Set(lists.flatMap((one) => one.ids))];
  const checks = await Promise.all(ids.map((fulfillmentOrderId) => check(storeId, { fulfillmentOrderId })));
  const orders = checks.flatMap((one) => one.orders);
  const returns = checks.flatMap((one) => one.returns);
  return {
    storeId,
    isNamed: true,
    isCut: lists.some(({ isCut }) => isCut),
    check: {
      orders: once(orders, (one) => one.fulfillmentOrderId),
      returns: once(returns, (one) => one.number),
    },
  };
}

/** Returns the orders of the customers with this name at this node, the newest first. */
async function ordersOf(storeId: string, name: string): Promise<Named> {
  const { nodeId } = place.peek()!;
  const { orders, isCut } = await readPages(PAGES_MAX, async (page) => {
    const { fulfillmentOrders } = await send(
      api.POST('/stores/{storeId}/fulfillmentOrder/search', {
        params: { path: { storeId } },
        body: {
          storeId,
          nodeId,
          ...page,
          fulfillmentOrder: { customer: { name, email: '', phone: '' }, statuses: SEARCHED },
        },
      }),
    );
    return fulfillmentOrders;
  });
  const isGone = ({ status }: { status: string }) => Number(status) >= GONE;
  const newest = [orders.filter(isGone), orders.filter((one) => !isGone(one))].flatMap((all) => all.slice(-NAMED_MAX));
  const ids = orders
    .filter((one) => newest.includes(one))
    .reverse()
    .map(({ fulfillmentOrderId }) => fulfillmentOrderId);
  return { ids, isCut: isCut || newest.length < orders.length };
}

/**
 * Returns the orders of customers with this name that have an announced return. The orders can be of any node and in
 * any state.
 */
async function announcedOf(storeId: string, name: string): Promise<Named> {
  const { nodeId } = place.peek()!;
  const path = `${at('operator', 'v1', 'stores', storeId, 'returns', 'search')}?limit=${NAMED_MAX}&order=desc`;
  const body = { customer: { name, email: '', phone: '' }, states: OPEN_RETURNS };
  const search = (wanted: object) =>
    call<{ returns: components['schemas']['ReturnSummary'][]; next?: string }>('POST', path, { body: wanted });
  const [here, all] = await Promise.all([search({ ...body, nodeId }), search(body)]);
  const returns = once([...here.returns, ...all.returns], ({ number }) => number).slice(0, NAMED_MAX);
  const ids = returns.flatMap(({ orders }) => orders.map(({ fulfillmentOrderId }) => fulfillmentOrderId));
  return { ids, isCut: all.next !== undefined };
}

function once<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  return [...new Map(all.map((one) => [keyOf(one), one])).values()];
}
