/**
 * The returns of an order as steps of its timeline: announcements, receipts with their units, changes of the state and
 * refunds.
 */
import type { Details } from './order-details.ts';
import { type Refund, type Return, readReturn } from './returns-data.ts';

type StateChange = NonNullable<Return['stateChanges']>[number];
type Disposition = Return['receipts'][number]['lines'][number]['disposition'];

/** A step of a return. */
export interface ReturnStep {
  at: string;
  number: string;
  what: 'announced' | 'inTransit' | 'received' | 'corrected' | 'closed' | StateChange['state'] | Refund['status'];
  /** The actor in the format of the history. Set only if the service knows the actor. */
  actor?: string;
  nodeId?: string;
  /** Units of the order by their place; empty for a step that counts no units. */
  units: readonly (readonly [to: Disposition, quantity: number])[];
  refund?: Refund;
  /** Reason of a cancellation or a reopening. */
  reason?: string | undefined;
}

/** Reads the returns of an order, and returns their steps. @throws ApiError */
export async function readReturnSteps(order: Details, signal: AbortSignal): Promise<ReturnStep[]> {
  const all = await Promise.all(order.returns.map(({ number }) => readReturn(order.storeId, number, signal)));
  return all.flatMap((one) => stepsOf(one, order.fulfillmentOrderId));
}

/** Returns the steps of a return with the units of one order. A return can have units of several orders. */
export function stepsOf(of: Return, orderId: string): ReturnStep[] {
  const { number, receipts, inTransitAt, expiresAt, closedAt, createdAt, createdBy, stateChanges = [] } = of;
  const own = new Set(of.lines.filter((line) => line.fulfillmentOrderId === orderId).map(({ position }) => position));
  const counted = receipts
    .map((receipt) => ({ receipt, units: unitsOf(receipt.lines.filter(({ position }) => own.has(position))) }))
    .filter(({ units }) => units.length > 0);
  // Only announced returns expire.
  const isAnnounced = expiresAt !== undefined;
  // A return at the counter is received and closed at once.
  const isClosedApart = closedAt !== undefined && !receipts.some(({ at }) => at === closedAt);
  return [
    ...(isAnnounced ? [{ at: createdAt, number, what: 'announced' as const, actor: createdBy, units: [] }] : []),
    ...(inTransitAt === undefined ? [] : [{ at: inTransitAt, number, what: 'inTransit' as const, units: [] }]),
    ...counted.map(({ receipt: { at, userId, nodeId, corrects }, units }) => ({
      at,
      number,
      what: corrects === undefined ? ('received' as const) : ('corrected' as const),
      actor: `user:${userId}`,
      nodeId,
      units,
    })),
    ...stateChanges.map(({ state, at, actor, userId, reason }) => ({
      at,
      number,
      what: state,
      actor: userId === undefined ? actor : `user:${userId}`,
      units: [],
      reason,
    })),
    ...(isClosedApart ? [{ at: closedAt, number, what: 'closed' as const, units: [] }] : []),
    ...of.refunds.filter((refund) => refund.fulfillmentOrderId === orderId).flatMap(stepsOfRefund),
  ];
}

/** Returns the steps of a refund: when it became due, and its result. A canceled refund has no steps. */
function stepsOfRefund(refund: Refund): ReturnStep[] {
  const { number, status, dueAt, answeredAt } = refund;
  if (status === 'CANCELED') return [];
  const due = { at: dueAt, number, what: 'DUE' as const, units: [], refund };
  return answeredAt === undefined ? [due] : [due, { at: answeredAt, number, what: status, units: [], refund }];
}

function unitsOf(lines: Return['receipts'][number]['lines']): [Disposition, number][] {
  const sums = new Map<Disposition, number>();
  for (const { disposition, quantity } of lines) sums.set(disposition, (sums.get(disposition) ?? 0) + quantity);
  return [...sums];
}
