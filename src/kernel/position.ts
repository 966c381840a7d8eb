/** The position of an order: its state, its queue and the times of its step. */

import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { DAY_MS } from '../platform/time.ts';
import type { FulfillmentType, SlaStep } from '../shared/client-settings.ts';
import { type NodeSettings, slaOf } from '../sla/engine.ts';
import { IN_STORE_CHECKIN_QUEUE, type OrderState, QUEUES, SLA_STEP, State } from './states.ts';

/** The columns of the position. Times are epoch milliseconds. */
export interface OrderPosition {
  status: OrderState;
  queue_id: string | null;
  queued_at: number;
  sla_type: SlaStep | null;
  /** The time at which the step expires; null without a step. */
  sla_at: number | null;
  /**
   * When the scheduler next handles the order: to release it, open an alert, expire it, or anonymize its personal data.
   */
  due_at: number | null;
  ended_at: number | null;
}

/** The columns of an order that `positionIn` needs. A new order lacks the optional columns. */
export type Positioned = Pick<FulfillmentOrderRow, 'fulfillment_type' | 'in_store' | 'queue_id' | 'queued_at'> &
  Partial<Pick<FulfillmentOrderRow, 'sla_type' | 'sla_at' | 'due_at' | 'ended_at' | 'blanked_at'>>;

/**
 * Returns the position of an order that enters `status`. An order that stays on its queue keeps its queue time, and the
 * times of a step remain while the order is in that step. `settings` are the settings at the order's node (`atNode`).
 */
export function positionIn(settings: NodeSettings, order: Positioned, status: OrderState, now: number): OrderPosition {
  const plain = plainQueue(order, status);
  const queueId = plain === null ? null : (settings.queueIds[plain] ?? plain);
  const queuedAt = queueId !== null && queueId === order.queue_id ? order.queued_at : now;
  const step = SLA_STEP[status];
  const place = { status, queue_id: queueId, queued_at: queuedAt, sla_type: step };
  if (status === State.HELD) return { ...place, sla_at: null, due_at: order.due_at ?? null, ended_at: null };
  if (step === null) return { ...place, sla_at: null, ...endOf(settings, order, now) };
  const isSameStep = step === order.sla_type && queueId === order.queue_id;
  const { sla_at: slaAt = null, due_at: dueAt = null } = order;
  if (isSameStep && slaAt !== null) return { ...place, sla_at: slaAt, due_at: dueAt, ended_at: null };
  const { approachingAt, expiredAt } = slaOf(settings, order.fulfillment_type as FulfillmentType, step, queuedAt);
  return { ...place, sla_at: expiredAt, due_at: approachingAt, ended_at: null };
}

/**
 * Returns the time at which an order first ended, and the time at which to anonymize the customer's data. An order that
 * was anonymized before its end is anonymized again a day after its end, because its hand-over may have stored a
 * signature. During that day, the service still recognizes retries of the hand-over.
 */
function endOf(settings: NodeSettings, order: Positioned, now: number): Pick<OrderPosition, 'due_at' | 'ended_at'> {
  const endedAt = order.ended_at ?? now;
  if ((order.blanked_at ?? null) === null) {
    return { ended_at: endedAt, due_at: endedAt + settings.blankAfterDays * DAY_MS };
  }
  return { ended_at: endedAt, due_at: (order.ended_at ?? null) === null ? now + DAY_MS : (order.due_at ?? null) };
}

function plainQueue(order: { fulfillment_type: string; in_store: number }, status: OrderState): string | null {
  if (status === State.WAITING_FOR_CHECK_IN && order.in_store === 1) return IN_STORE_CHECKIN_QUEUE;
  return QUEUES[order.fulfillment_type as FulfillmentType][status];
}

/** Returns the current position of an order. */
export function positionOf(order: FulfillmentOrderRow): OrderPosition {
  const { queue_id, queued_at, sla_at, due_at, ended_at } = order;
  const [status, sla_type] = [stateOf(order), order.sla_type as SlaStep | null];
  return { status, queue_id, queued_at, sla_type, sla_at, due_at, ended_at };
}

/** Returns the status of an order as an `OrderState`, the type of the state tables. */
export function stateOf(order: Pick<FulfillmentOrderRow, 'status'>): OrderState {
  return order.status as OrderState;
}
