/**
 * The states of a fulfillment order and what may be done in each (design 6). Every table here is total: a missing cell is
 * a compile error. The operations, the tests and docs/states.md read these tables.
 */
import type { Settings, SlaStep } from '../values.ts';

export const FULFILLMENT_TYPES = ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'] as const;
export type FulfillmentType = (typeof FULFILLMENT_TYPES)[number];

/** Codes rise with progress, so that a numeric range of them makes sense. */
export const ORDER_STATES = [1100, 1150, 1200, 1300, 1400, 1500, 3700, 3800, 3900, 9000, 9100] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** What can be asked of an order. */
export const ORDER_ACTIONS = ['generate', 'confirm', 'reset', 'packSlip', 'saveCheckIn', 'confirmCheckIn'] as const;
export type OrderAction = (typeof ORDER_ACTIONS)[number];

/**
 * What an action does to an order in a state: a next state, `stays`, `refused`, or a step whose next state depends on the
 * fulfillment type and on what was found (`picked`, `checkedIn`; see `afterPick` and `afterCheckIn`).
 */
export type Outcome = OrderState | 'stays' | 'refused' | 'picked' | 'checkedIn';

const nothing: Record<OrderAction, Outcome> = {
  generate: 'refused',
  confirm: 'refused',
  reset: 'refused',
  packSlip: 'refused',
  saveCheckIn: 'refused',
  confirmCheckIn: 'refused',
};

export const ORDER_TRANSITIONS: Record<OrderState, Record<OrderAction, Outcome>> = {
  1100: { ...nothing, generate: 1150 },
  1150: { ...nothing, confirm: 'picked', reset: 1100 },
  1200: { ...nothing, packSlip: 'stays' },
  1300: { ...nothing, saveCheckIn: 'stays', confirmCheckIn: 'checkedIn' },
  1400: nothing,
  1500: nothing,
  3700: { ...nothing, packSlip: 'stays' },
  3800: nothing,
  3900: nothing,
  9000: nothing,
  9100: nothing,
};

/** State in which an order of a type enters. */
export const ENTRY_STATE: Record<FulfillmentType, OrderState> = {
  STORE_PICK_UP: 1100,
  SHIP_TO_HOME: 1100,
  SHIP_TO_STORE: 1300,
  ASSOCIATE_DELIVERY: 1100,
};

const AFTER_PICK: Record<FulfillmentType, OrderState> = {
  STORE_PICK_UP: 1400,
  SHIP_TO_HOME: 1200,
  SHIP_TO_STORE: 1400,
  ASSOCIATE_DELIVERY: 1200,
};

/** Decision 31: another node can still serve a SHIP_TO_HOME order; the others end. */
const ALL_DECLINED: Record<FulfillmentType, OrderState> = {
  STORE_PICK_UP: 9000,
  SHIP_TO_HOME: 9100,
  SHIP_TO_STORE: 9000,
  ASSOCIATE_DELIVERY: 9000,
};

/** State after a confirmed pick or check-in, by how many units there are to hand on. */
export function afterUnitsFound(type: FulfillmentType, units: number): OrderState {
  return units > 0 ? AFTER_PICK[type] : ALL_DECLINED[type];
}

type StateQueues = Record<OrderState, string | null>;
const noQueue: StateQueues = {
  1100: null,
  1150: null,
  1200: null,
  1300: null,
  1400: null,
  1500: null,
  3700: null,
  3800: null,
  3900: null,
  9000: null,
  9100: null,
};

/** Queue of an order by type and state (design 6; ids in facts 1.1). */
export const QUEUES: Record<FulfillmentType, StateQueues> = {
  STORE_PICK_UP: {
    ...noQueue,
    1100: 'WAITING_FOR_PICK_ISPU',
    1150: 'WAITING_FOR_PICK_ISPU',
    1400: 'WAITING_FOR_CUSTOMER_PICK',
  },
  SHIP_TO_HOME: {
    ...noQueue,
    1100: 'WAITING_FOR_PICK_SFS',
    1150: 'WAITING_FOR_PICK_SFS',
    1200: 'WAITING_FOR_PACK_SFS',
  },
  SHIP_TO_STORE: { ...noQueue, 1300: 'WAITING_FOR_CHECKIN_STS', 1400: 'WAITING_FOR_CUSTOMER_PICK' },
  ASSOCIATE_DELIVERY: {
    ...noQueue,
    1100: 'WAITING_FOR_PICK_DEL',
    1150: 'WAITING_FOR_PICK_DEL',
    1200: 'WAITING_FOR_PACK_DEL',
    1500: 'WAITING_FOR_DELIVERY',
  },
};

/** Queue of SHIP_TO_STORE orders whose goods are in the store already. */
export const IN_STORE_CHECKIN_QUEUE = 'WAITING_FOR_INSTORE_CHECKIN_STS';

/** The ids of all default queues. */
export const QUEUE_IDS: readonly string[] = [
  ...new Set([...Object.values(QUEUES).flatMap((queues) => Object.values(queues)), IN_STORE_CHECKIN_QUEUE]),
].filter((queue): queue is string => queue !== null);

/** The step whose time runs in a state (decision 23). */
export const SLA_STEP: Record<OrderState, SlaStep | null> = {
  1100: 'START_PICK',
  1150: 'COMPLETE_PICK',
  1200: 'PACK',
  1300: 'CHECK_IN',
  1400: 'CUSTOMER_PICKUP',
  1500: 'DELIVERY',
  3700: null,
  3800: null,
  3900: null,
  9000: null,
  9100: null,
};

const MINUTE_MS = 60_000;

/** When a step is due for an order that entered its queue at `queuedAt`. */
export function dueAt(settings: Settings, step: SlaStep, queuedAt: number): number {
  return queuedAt + settings.slaMinutes[step] * MINUTE_MS;
}

/** The columns that say where an order stands. */
export interface Standing {
  status: OrderState;
  queue_id: string | null;
  queued_at: number;
  sla_type: SlaStep | null;
  sla_at: number | null;
}

/** Where an order stands after it entered `status`; its queue time starts anew only when the queue is another one. */
export function standingIn(
  settings: Settings,
  order: { fulfillment_type: string; in_store: number; queue_id: string | null; queued_at: number },
  status: OrderState,
  now: number,
): Standing {
  const type = order.fulfillment_type as FulfillmentType;
  const plain = status === 1300 && order.in_store === 1 ? IN_STORE_CHECKIN_QUEUE : QUEUES[type][status];
  const queueId = plain === null ? null : (settings.queueIds[plain] ?? plain);
  const queuedAt = queueId !== null && queueId === order.queue_id ? order.queued_at : now;
  const step = SLA_STEP[status];
  return {
    status,
    queue_id: queueId,
    queued_at: queuedAt,
    sla_type: step,
    sla_at: step === null ? null : dueAt(settings, step, queuedAt),
  };
}
