/** The orders that a lead must look at, each in the group of the action that it needs. */
import { api, send } from '../api.ts';
import { place } from '../session.ts';
import { type Loaded, useLoad } from '../ui/load.tsx';

export const GROUPS = ['PICK', 'IN_WORK', 'PACK', 'CHECK_IN', 'DELIVER', 'BRING_BACK', 'PIN', 'COLLECT'] as const;
export type Group = (typeof GROUPS)[number];

async function view(one: 'LATE' | 'NOT_COLLECTED' | 'PIN_LOCKED', signal: AbortSignal) {
  const params = { path: place.value!, query: { view: one, limit: 200 } };
  const { orders } = await send(api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/orders', { params, signal }));
  return orders;
}

export type Exception = Awaited<ReturnType<typeof view>>[number] & { isPinLocked?: boolean };

/** Returns late orders, orders with a locked PIN and uncollected orders, each order once. */
export async function findExceptions(signal: AbortSignal): Promise<readonly Exception[]> {
  const [locked, late, forgotten] = await Promise.all([
    view('PIN_LOCKED', signal),
    view('LATE', signal),
    view('NOT_COLLECTED', signal),
  ]);
  const isLocked = new Set(locked.map(({ fulfillmentOrderId }) => fulfillmentOrderId));
  const others = [...late, ...forgotten].filter(({ fulfillmentOrderId }) => !isLocked.has(fulfillmentOrderId));
  return [...locked.map((order) => ({ ...order, isPinLocked: true })), ...others];
}

export function useExceptions(find: typeof findExceptions): Loaded<readonly Exception[]> {
  return useLoad(`exceptions ${place.value?.nodeId}`, find, 30_000);
}

const BY_STATE: Readonly<Record<string, Group>> = {
  1100: 'PICK',
  1150: 'IN_WORK',
  1200: 'PACK',
  1300: 'CHECK_IN',
  1400: 'COLLECT',
  1500: 'DELIVER',
  8000: 'BRING_BACK',
};

export function groupOf({ isPinLocked, status }: Exception): Group {
  return isPinLocked === true ? 'PIN' : (BY_STATE[status] ?? 'IN_WORK');
}
