/**
 * Finds orders at the counter: orders on a queue of this node by name, number or phone, and the orders of a scanned
 * code.
 */
import type { components } from '../../contract/client.d.ts';
import { ApiError, api, call, send } from '../api.ts';
import { place } from '../session.ts';
import { IDENTIFIER } from './identifier.ts';
import { readWork, type WorkKind } from './node-work.ts';
import { readPages } from './pages.ts';

export type QueuedOrder = components['schemas']['QueueSearchReply']['fulfillmentOrders'][number];

export type CounterKind = Extract<WorkKind, 'HAND_OVER' | 'CHECK_IN' | 'PACK' | 'DELIVER'>;

export interface Found {
  /** The orders to show, the most urgent first. */
  orders: QueuedOrder[];
  /** Number of orders that were found. */
  total: number;
  /** True if more orders exist than are shown. */
  isCut: boolean;
}

/** Maximum number of orders that a list shows. */
const SHOWN_MAX = 60;
/** Maximum number of pages that are read for each store, queue and filter. */
const PAGES_MAX = 5;
/** Minimum digits of a phone number. Fewer digits are searched only as the number of an order, a parcel or a ticket. */
const PHONE_DIGITS = 7;

/** Maximum number of orders with one number of the OMS that a search shows. */
const NAMED_MAX = 10;

export type Filter = Pick<
  components['schemas']['QueueSearch'],
  'customer' | 'proxyDetails' | 'fulfillmentOrderId' | 'webOrderId' | 'trackingNumber' | 'pickTicketId'
>;

const ANY = { name: '', email: '', phone: '' };

/** Maximum characters of a name, an e-mail address or a phone number. */
const CONTACT_MAX = 255;

/** Returns the filters that a text may mean. Each filter is searched, and all results are shown. */
function filtersOf(text: string): Filter[] {
  const wanted = text.trim();
  if (wanted === '') return [{}];
  const digits = wanted.replace(/\D/g, '');
  const people = (who: typeof ANY): Filter[] =>
    wanted.length > CONTACT_MAX ? [] : [{ customer: who }, { proxyDetails: who }];
  const numbers: Filter[] = IDENTIFIER.test(wanted)
    ? [{ fulfillmentOrderId: wanted }, { webOrderId: wanted }, { trackingNumber: wanted }, { pickTicketId: wanted }]
    : [];
  if (wanted.includes('@')) return people({ ...ANY, email: wanted });
  if (/\p{L}/u.test(wanted) && digits.length < PHONE_DIGITS) {
    // A number may have letters, such as W-700. Several words without a digit can only be a name.
    return [...people({ ...ANY, name: wanted }), ...(/\d|^\S+$/.test(wanted) ? numbers : [])];
  }
  const isPhone = digits.length >= PHONE_DIGITS && digits.length <= 15;
  return [...numbers, ...(isPhone ? people({ ...ANY, phone: wanted }) : [])];
}

/** Finds the orders on the queues of a kind of work, the most urgent first; `text` filters them. @throws ApiError */
export async function findWaiting(kind: CounterKind, text: string, signal: AbortSignal): Promise<Found> {
  const filters = filtersOf(text);
  const found = await findBy(kind, filters, signal);
  // A text without a digit is a name, for which the list would send a scan with each read.
  const isNumber = /\d/.test(text) && filters.some(({ fulfillmentOrderId }) => fulfillmentOrderId !== undefined);
  if (found.total > 0 || !isNumber) return found;
  // The search of a queue has no filter for the number of the OMS. This number can have several orders here.
  const ids = (await ordersNamed(text, signal)).map(({ fulfillmentOrderId }) => ({ fulfillmentOrderId }));
  return ids.length === 0 ? found : findBy(kind, ids.slice(0, NAMED_MAX), signal);
}

/**
 * Finds the orders on the queues of a kind of work that match one of the filters. Reads at most the 500 oldest orders
 * of each store, queue and filter, and returns the 60 most urgent orders.
 * @throws ApiError
 */
export async function findBy(kind: CounterKind, filters: readonly Filter[], signal: AbortSignal): Promise<Found> {
  const { nodeId } = place.peek()!;
  const queues = await queuesOf(kind, signal);
  const asks = queues.flatMap((queue) => filters.map((filter) => ({ ...queue, filter })));
  const lists = await Promise.all(
    asks.map(({ storeId, queueId, filter }) =>
      readPages(PAGES_MAX, async (page) => {
        const { fulfillmentOrders } = await send(
          api.POST('/stores/{storeId}/nodes/{nodeId}/fulfillmentOrders', {
            params: { path: { storeId, nodeId }, query: { queueId } },
            body: { storeId, nodeId, queueId, ...page, ...filter },
            signal,
          }),
        );
        return fulfillmentOrders;
      }),
    ),
  );
  const byId = new Map(lists.flatMap(({ orders }) => orders).map((order) => [keyOf(order), order]));
  const due = ({ slaDate }: QueuedOrder) => Date.parse(slaDate.value);
  return {
    orders: [...byId.values()].sort((a, b) => due(a) - due(b)).slice(0, SHOWN_MAX),
    total: byId.size,
    isCut: byId.size > SHOWN_MAX || lists.some(({ isCut }) => isCut),
  };
}

/**
 * Returns the queues of a kind of work that have orders, by web store. A client can have 500 web stores, and the queues
 * of a node have orders of few of them.
 */
async function queuesOf(kind: CounterKind, signal: AbortSignal): Promise<{ storeId: string; queueId: string }[]> {
  const { queues } = await readWork(signal);
  const storesOf = Map.groupBy(
    queues.filter((queue) => queue.kind === kind),
    ({ queueId }) => queueId,
  );
  return [...storesOf].flatMap(([queueId, own]) =>
    [...new Set(own.flatMap(({ storeIds }) => storeIds))].map((storeId) => ({ storeId, queueId })),
  );
}

/** Returns a key of an order that is unique across the client's stores. */
export function keyOf({ storeId, fulfillmentOrderId }: { storeId: string; fulfillmentOrderId: string }): string {
  return `${storeId} ${fulfillmentOrderId}`;
}

export interface OrderName {
  storeId: string;
  fulfillmentOrderId: string;
}

/** Reads an order in full. @throws ApiError */
export function readOrder(
  storeId: string,
  fulfillmentOrderId: string,
  signal?: AbortSignal,
): Promise<components['schemas']['OrderDetails']> {
  const path = '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}';
  return send(api.GET(path, { params: { path: { storeId, fulfillmentOrderId } }, ...(signal && { signal }) }));
}

interface Match {
  kind: string;
  id: string;
  storeId?: string;
  /** The node of the found order. Present only if it is not the user's node. */
  nodeId?: string;
  /** Order of a package. */
  fulfillmentOrderId?: string;
}

/**
 * Returns the orders of a scanned code: an order number, a hold ticket, a pick ticket, a package or a tracking number.
 * @throws ApiError
 */
export async function ordersOfCode(
  kind: CounterKind,
  code: string,
  known: readonly QueuedOrder[],
): Promise<OrderName[]> {
  const wanted = code.trim().toLowerCase();
  const here = known.filter((order) =>
    [order.fulfillmentOrderId, order.omsOrderId, order.pickTicketId, ...(order.trackingNumbers ?? [])].some(
      (one) => one?.toLowerCase() === wanted,
    ),
  );
  if (here.length > 0) return here;
  const { signal } = new AbortController();
  const named = await ordersNamed(code, signal);
  return named.length > 0 ? named : (await findBy(kind, filtersOf(code), signal)).orders;
}

/** Returns the orders of this node that have a number, a ticket or a package with this code. @throws ApiError */
async function ordersNamed(code: string, signal: AbortSignal): Promise<OrderName[]> {
  const at = place.peek()!;
  const path = `/operator/v1/clients/${encodeURIComponent(at.clientId)}/nodes/${encodeURIComponent(at.nodeId)}/scan`;
  const matches = await call<{ matches: Match[] }>('POST', path, { body: { code }, signal }).then(
    (answer) => answer.matches,
    (error: unknown) => {
      // 404: an older service lacks the operation. 400: the text is not a code.
      if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return [];
      throw error;
    },
  );
  const named = matches.flatMap(({ kind: what, id, storeId, nodeId, fulfillmentOrderId }) => {
    const orderId = what === 'ORDER' ? id : fulfillmentOrderId;
    return storeId === undefined || nodeId !== undefined || orderId === undefined
      ? []
      : [{ storeId, fulfillmentOrderId: orderId }];
  });
  return [...new Map(named.map((one) => [keyOf(one), one])).values()];
}
