/**
 * The states of a fulfillment order and what may be done in each (docs/interface.md#order-states). Every table here is total: a missing cell is
 * a compile error. The operations, the tests and docs/states.md read these tables.
 */
import { type NodeSettings, slaOf } from '../sla/engine.ts';
import type { FulfillmentOrderRow } from '../storage/tables.ts';
import type { SlaStep } from '../values.ts';
import type { Units } from './units.ts';

export const FULFILLMENT_TYPES = ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'] as const;
export type FulfillmentType = (typeof FULFILLMENT_TYPES)[number];

/**
 * Codes rise with progress, so that a numeric range of them makes sense. 8000: every unit that is left is canceled and waits to
 * be brought back. 9200: the customer has no unit of it, and another node serves at least one.
 */
export const ORDER_STATES = [
  1000, 1100, 1150, 1200, 1300, 1400, 1500, 3700, 3800, 3900, 8000, 9000, 9100, 9200,
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** What can be asked of an order, or happens to it. */
export const ORDER_ACTIONS = [
  'release',
  'generate',
  'confirm',
  'reset',
  'packSlip',
  'pack',
  'saveCheckIn',
  'confirmCheckIn',
  'handOver',
  'deliver',
  'decline',
  'cancel',
  'expire',
  'bringBack',
  'resource',
] as const;
export type OrderAction = (typeof ORDER_ACTIONS)[number];

/**
 * What an action does to an order in a state: a next state, `stays` (other things than the state change), `refused`, or
 * `byUnits`: the next state follows from where its units are then (`stateAfter`), or `entry`: the state in which an order of
 * its type enters.
 */
export type Outcome = OrderState | 'stays' | 'refused' | 'byUnits' | 'entry';

const nothing: Record<OrderAction, Outcome> = {
  release: 'refused',
  generate: 'refused',
  confirm: 'refused',
  reset: 'refused',
  packSlip: 'refused',
  pack: 'refused',
  saveCheckIn: 'refused',
  confirmCheckIn: 'refused',
  handOver: 'refused',
  deliver: 'refused',
  decline: 'refused',
  cancel: 'refused',
  expire: 'refused',
  bringBack: 'refused',
  resource: 'refused',
};

/**
 * A cancellation at 1150 and 1300 takes effect when the ticket is closed or the check-in confirmed; from 1200 on a
 * reverse pick ticket brings the units back (`bringBack`), also while the rest of the order goes its way: what is left of
 * it may be packed already, or handed over. At 8000 nothing but that is left; a cancellation can only close its re-source
 * requests.
 */
export const ORDER_TRANSITIONS: Record<OrderState, Record<OrderAction, Outcome>> = {
  1000: { ...nothing, release: 'entry', cancel: 'byUnits' },
  1100: { ...nothing, generate: 1150, cancel: 'byUnits' },
  1150: { ...nothing, confirm: 'byUnits', reset: 'byUnits', cancel: 'stays' },
  1200: {
    ...nothing,
    packSlip: 'stays',
    pack: 'byUnits',
    decline: 'byUnits',
    cancel: 'byUnits',
    bringBack: 'byUnits',
    resource: 'stays',
  },
  1300: { ...nothing, saveCheckIn: 'stays', confirmCheckIn: 'byUnits', cancel: 'stays' },
  1400: { ...nothing, handOver: 'byUnits', cancel: 'byUnits', expire: 'byUnits', bringBack: 'byUnits' },
  1500: { ...nothing, deliver: 'byUnits', cancel: 'byUnits', bringBack: 'byUnits' },
  3700: { ...nothing, packSlip: 'stays', bringBack: 'stays', resource: 'stays' },
  3800: { ...nothing, bringBack: 'stays' },
  3900: { ...nothing, bringBack: 'stays' },
  8000: { ...nothing, cancel: 'byUnits', bringBack: 'byUnits', resource: 'stays' },
  9000: nothing,
  9100: { ...nothing, cancel: 'byUnits', resource: 'byUnits' },
  9200: nothing,
};

/** State of an order that waits for the street date of an item: on no queue, without a step whose time runs. */
export const STREET_DATE_STATE = 1000;

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

/** Another node can still serve a SHIP_TO_HOME order; the others end (docs/interface.md#short-picks). */
const ALL_DECLINED: Record<FulfillmentType, OrderState> = {
  STORE_PICK_UP: 9000,
  SHIP_TO_HOME: 9100,
  SHIP_TO_STORE: 9000,
  ASSOCIATE_DELIVERY: 9000,
};

/** State of an order when all that is wanted of it is packed (and, if it is shipped, tracked); null: it is never packed. */
export const AFTER_PACK: Record<FulfillmentType, OrderState | null> = {
  STORE_PICK_UP: null,
  SHIP_TO_HOME: 3700,
  SHIP_TO_STORE: null,
  ASSOCIATE_DELIVERY: 1500,
};

/** State in which an order ends when at least one unit went to its customer. */
export const DONE_STATE: Record<FulfillmentType, OrderState> = {
  STORE_PICK_UP: 3800,
  SHIP_TO_HOME: 3700,
  SHIP_TO_STORE: 3800,
  ASSOCIATE_DELIVERY: 3900,
};

/** States in which nothing more is to be done for the customer. */
export const END_STATES: readonly OrderState[] = [3700, 3800, 3900, 9000, 9100, 9200];

/** Queue of orders of which everything left is to be brought back to the shelf, whatever their type. */
export const REVERSE_PICK_QUEUE = 'WAITING_FOR_REVERSE_PICK';

/** States in which picked units wait in the store for their customer. */
const IN_STORE: readonly OrderState[] = [1200, 1400, 1500];

/**
 * State of an order by where its units are, for the outcomes `byUnits`; `here` is the state it comes from. While a unit is
 * wanted an order stays where its picked units wait. Then it is done if its customer has a unit, and else: its goods are to
 * be brought back, another node may serve it, another node serves it, or it is canceled.
 */
export function stateAfter(type: FulfillmentType, here: OrderState, units: Units): OrderState {
  if (units.open > 0) return here === STREET_DATE_STATE ? STREET_DATE_STATE : ENTRY_STATE[type];
  if (units.left > 0) return IN_STORE.includes(here) ? here : AFTER_PICK[type];
  if (units.handedOver > 0) return DONE_STATE[type];
  if (units.held > 0) return 8000;
  if (units.resourceable > 0) return ALL_DECLINED[type];
  return units.resourced > 0 ? 9200 : 9000;
}

type StateQueues = Record<OrderState, string | null>;
/** What every type has in common. */
const noQueue: StateQueues = {
  1000: null,
  1100: null,
  1150: null,
  1200: null,
  1300: null,
  1400: null,
  1500: null,
  3700: null,
  3800: null,
  3900: null,
  8000: REVERSE_PICK_QUEUE,
  9000: null,
  9100: null,
  9200: null,
};

/** Queue of an order by type and state (docs/codes.md#queues). */
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

/** The step whose time runs in a state (docs/interface.md#sla-steps). */
export const SLA_STEP: Record<OrderState, SlaStep | null> = {
  1000: null,
  1100: 'START_PICK',
  1150: 'COMPLETE_PICK',
  1200: 'PACK',
  1300: 'CHECK_IN',
  1400: 'CUSTOMER_PICKUP',
  1500: 'DELIVERY',
  3700: null,
  3800: null,
  3900: null,
  8000: 'REVERSE_PICK',
  9000: null,
  9100: null,
  9200: null,
};

/** The steps that an order of a type goes through. */
export function stepsOf(type: FulfillmentType): SlaStep[] {
  return ORDER_STATES.filter((state) => QUEUES[type][state] !== null).map((state) => SLA_STEP[state]!);
}

const DAY_MS = 86_400_000;

/** The columns that say where an order stands. */
export interface Standing {
  status: OrderState;
  queue_id: string | null;
  queued_at: number;
  sla_type: SlaStep | null;
  /** When the step is expired. */
  sla_at: number | null;
  /** When the scheduler must look at the order next: held until then, step approaching, step expired, customer's data to be blanked. */
  due_at: number | null;
  ended_at: number | null;
}

/** What `standingIn` needs of an order; a new one has not been anywhere. */
export type Placed = Pick<FulfillmentOrderRow, 'fulfillment_type' | 'in_store' | 'queue_id' | 'queued_at'> &
  Partial<Pick<FulfillmentOrderRow, 'sla_type' | 'sla_at' | 'due_at' | 'ended_at' | 'blanked_at'>>;

/**
 * Where an order stands after it entered `status`; its queue time starts anew only when the queue is another one, and the
 * times of a step stay while the order is in it. `settings` are those at the order's node (`atNode`).
 */
export function standingIn(settings: NodeSettings, order: Placed, status: OrderState, now: number): Standing {
  const plain = plainQueue(order, status);
  const queueId = plain === null ? null : (settings.queueIds[plain] ?? plain);
  const queuedAt = queueId !== null && queueId === order.queue_id ? order.queued_at : now;
  const step = SLA_STEP[status];
  const place = { status, queue_id: queueId, queued_at: queuedAt, sla_type: step };
  if (status === STREET_DATE_STATE) return { ...place, sla_at: null, due_at: order.due_at ?? null, ended_at: null };
  if (step === null) return { ...place, sla_at: null, ...endOf(settings, order, now) };
  const isSameStep = step === order.sla_type && queueId === order.queue_id;
  const { sla_at: slaAt = null, due_at: dueAt = null } = order;
  if (isSameStep && slaAt !== null) return { ...place, sla_at: slaAt, due_at: dueAt, ended_at: null };
  const { approachingAt, expiredAt } = slaOf(settings, order.fulfillment_type as FulfillmentType, step, queuedAt);
  return { ...place, sla_at: expiredAt, due_at: approachingAt, ended_at: null };
}

/** An order ends once; then only its customer's data waits to be blanked. */
function endOf(settings: NodeSettings, order: Placed, now: number): Pick<Standing, 'due_at' | 'ended_at'> {
  const endedAt = order.ended_at ?? now;
  const isBlanked = (order.blanked_at ?? null) !== null;
  return { ended_at: endedAt, due_at: isBlanked ? null : endedAt + settings.blankAfterDays * DAY_MS };
}

function plainQueue(order: { fulfillment_type: string; in_store: number }, status: OrderState): string | null {
  if (status === 1300 && order.in_store === 1) return IN_STORE_CHECKIN_QUEUE;
  return QUEUES[order.fulfillment_type as FulfillmentType][status];
}
