/** The orders that a lead must look at, each in the group of the action that it needs. */
import type { components } from '../../contract/client.d.ts';
import { api, send } from '../api.ts';
import { now } from '../preferences.ts';
import { readAll } from '../read-all.ts';
import { place } from '../session.ts';
import { type Loaded, useLoad } from '../ui/load.tsx';
import { work } from '../work/node-work.ts';

export const GROUPS = [
  'PICK',
  'IN_WORK',
  'PACK',
  'CHECK_IN',
  'DELIVER',
  'BRING_BACK',
  'PIN',
  'SOON',
  'COLLECT',
] as const;
export type Group = (typeof GROUPS)[number];

type NodeOrder = components['schemas']['NodeOrder'];

/** Reads a view, the earliest due first, up to the page for which `isLast` is true. */
function view(
  one: 'OPEN' | 'LATE' | 'NOT_COLLECTED' | 'PIN_LOCKED',
  signal: AbortSignal,
  isLast?: (orders: readonly NodeOrder[]) => boolean,
): Promise<NodeOrder[]> {
  const path = place.value!;
  return readAll(async (page) => {
    const params = { path, query: { ...page, view: one } };
    const { orders, next } = await send(
      api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/orders', { params, signal }),
    );
    return { rows: orders, next };
  }, isLast);
}

export type Exception = NodeOrder & {
  isPinLocked?: boolean;
  /** True if the step is due within `SOON_MS`. */
  isSoon?: boolean;
};

/** Every screen shows an order in amber if the order is due within this time. */
const SOON_MS = 15 * 60_000;

/** Returns late orders, orders that are due soon, orders with a locked PIN and uncollected orders, each order once. */
export async function findExceptions(signal: AbortSignal): Promise<readonly Exception[]> {
  const [locked, late, forgotten, open] = await Promise.all([
    view('PIN_LOCKED', signal),
    view('LATE', signal),
    view('NOT_COLLECTED', signal),
    // The list is sorted by due time. Reading ends with the first page whose last order is not due soon.
    view('OPEN', signal, (orders) => !isDueBy(orders.at(-1), now.peek() + SOON_MS)),
  ]);
  const found = new Map<string, Exception>();
  for (const order of locked) found.set(order.fulfillmentOrderId, { ...order, isPinLocked: true });
  for (const order of [...late, ...forgotten, ...open.filter(isSoon).map((one) => ({ ...one, isSoon: true }))])
    if (!found.has(order.fulfillmentOrderId)) found.set(order.fulfillmentOrderId, order);
  return [...found.values()];
}

/**
 * Returns whether the step of an order is due soon. An order that waits for its customer does not count, because the
 * store has no work on it before the pickup time ends.
 */
function isSoon(order: Exception): boolean {
  return BY_STATE[order.status] !== 'COLLECT' && isDueBy(order, now.peek() + SOON_MS);
}

function isDueBy(order: Pick<NodeOrder, 'slaDate'> | undefined, at: number): boolean {
  return order?.slaDate !== undefined && Date.parse(order.slaDate.value) < at;
}

export function useExceptions(find: typeof findExceptions): Loaded<readonly Exception[]> {
  return useLoad(`exceptions ${place.value?.nodeId}`, find, 30_000, work.value?.revision);
}

type Step = Exclude<Group, 'SOON'>;

const BY_STATE: Readonly<Record<string, Step>> = {
  1100: 'PICK',
  1150: 'IN_WORK',
  1200: 'PACK',
  1300: 'CHECK_IN',
  1400: 'COLLECT',
  1500: 'DELIVER',
  8000: 'BRING_BACK',
};

/** Returns the step at which the order waits. */
export function stepOf({ isPinLocked, status }: Exception): Step {
  return isPinLocked === true ? 'PIN' : (BY_STATE[status] ?? 'IN_WORK');
}

export function groupOf(order: Exception): Group {
  return order.isSoon === true ? 'SOON' : stepOf(order);
}

/**
 * Returns the number of orders with late goods to bring back that the list does not show under the step of bringing
 * back. Such orders were canceled in part and wait for another step, or they are done. The list shows each order once,
 * by its own step.
 */
export function partsToBringBack(orders: readonly Exception[]): number {
  const queues = work.value?.queues.filter(({ kind }) => kind === 'BRING_BACK') ?? [];
  const late = queues.reduce((sum, queue) => sum + queue.late, 0);
  return Math.max(0, late - orders.filter((order) => groupOf(order) === 'BRING_BACK').length);
}
