/**
 * The states of a fulfillment order, and the effect of each action in each state. The tables are total: the compiler
 * rejects a missing cell. Operations, searches, tests and docs/states.md use them.
 */
import { FULFILLMENT_TYPES, type FulfillmentType, type SlaStep } from '../shared/client-settings.ts';

/**
 * The status codes by name. Codes increase with progress, so numeric ranges of codes are meaningful. GOODS_TO_RETURN:
 * every remaining unit is canceled and must be brought back. RESOURCED: the customer has no unit of the order, and
 * another node serves at least one.
 */
export const State = {
  HELD: 1000,
  WAITING_FOR_PICK: 1100,
  PICKING: 1150,
  WAITING_FOR_PACK: 1200,
  WAITING_FOR_CHECK_IN: 1300,
  READY_FOR_PICKUP: 1400,
  WAITING_FOR_DELIVERY: 1500,
  SHIPPED: 3700,
  PICKED_UP: 3800,
  DELIVERED: 3900,
  GOODS_TO_RETURN: 8000,
  CANCELED: 9000,
  RETURNED_FOR_RESOURCING: 9100,
  RESOURCED: 9200,
} as const;
export type OrderState = (typeof State)[keyof typeof State];

/** All states in the order of their codes. */
export const ORDER_STATES: readonly OrderState[] = Object.values(State);

/**
 * The actions on an order. `hold`: the street date of an item has moved. `change`: changes data of the order or adds a
 * note (src/orders/change-rules.ts has the fields by state). `move`: records a new hold location. `correct`: corrects a
 * wrong CONFIRM; the operation checks that later steps have not begun. `declineAll`: the node declines all units.
 */
export const ORDER_ACTIONS = [
  'hold',
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
  'change',
  'move',
  'correct',
  'declineAll',
] as const;
export type OrderAction = (typeof ORDER_ACTIONS)[number];

/**
 * The effect of an action in a state. A state is the next state. `stays`: data of the order changes, but not its state.
 * `refused`: the state forbids the action. `byUnits`: `stateAfter` decides by the units. `entry`: the first state of
 * orders of its type.
 */
export type Outcome = OrderState | 'stays' | 'refused' | 'byUnits' | 'entry';

/** A cell for each state, in the order of `ORDER_STATES`. */
export type Cells<T> = readonly [T, T, T, T, T, T, T, T, T, T, T, T, T, T];

const no = 'refused';
const stays = 'stays';
const units = 'byUnits';
const picks = State.PICKING;

/**
 * A cancellation takes effect later in two states: at 1150 when the ticket closes, at 1300 when the check-in is
 * confirmed. At 3700, 3800, 3900, 8000 and 9100, it closes only re-source requests, because no unit can be canceled.
 * `bringBack`: a reverse pick ticket returns canceled units. Other units of the order continue; at 8000 there are none.
 */
// biome-ignore format: a table
const OUTCOMES: Record<OrderAction, Cells<Outcome>> = {
  //                1000     1100   1150   1200   1300   1400   1500   3700   3800   3900   8000   9000 9100   9200
  hold:           [ stays,   no,    no,    no,    no,    no,    no,    no,    no,    no,    no,    no,  no,    no],
  release:        [ 'entry', no,    no,    no,    no,    no,    no,    no,    no,    no,    no,    no,  no,    no],
  generate:       [ no,      picks, no,    no,    no,    no,    no,    no,    no,    no,    no,    no,  no,    no],
  confirm:        [ no,      no,    units, no,    no,    no,    no,    no,    no,    no,    no,    no,  no,    no],
  reset:          [ no,      no,    units, no,    no,    no,    no,    no,    no,    no,    no,    no,  no,    no],
  packSlip:       [ no,      no,    no,    stays, no,    no,    no,    stays, no,    no,    no,    no,  no,    no],
  pack:           [ no,      no,    no,    units, no,    no,    no,    no,    no,    no,    no,    no,  no,    no],
  saveCheckIn:    [ no,      no,    no,    no,    stays, no,    no,    no,    no,    no,    no,    no,  no,    no],
  confirmCheckIn: [ no,      no,    no,    no,    units, no,    no,    no,    no,    no,    no,    no,  no,    no],
  handOver:       [ no,      no,    no,    no,    no,    units, no,    no,    no,    no,    no,    no,  no,    no],
  deliver:        [ no,      no,    no,    no,    no,    no,    units, no,    no,    no,    no,    no,  no,    no],
  decline:        [ no,      no,    no,    units, no,    no,    no,    no,    no,    no,    no,    no,  no,    no],
  cancel:         [ units,   units, stays, units, stays, units, units, stays, stays, stays, units, no,  units, no],
  expire:         [ no,      no,    no,    no,    no,    units, no,    no,    no,    no,    no,    no,  no,    no],
  bringBack:      [ no,      no,    no,    units, no,    units, units, stays, stays, stays, units, no,  no,    no],
  resource:       [ no,      no,    no,    stays, no,    stays, stays, stays, stays, stays, stays, no,  units, no],
  change:         [ stays,   stays, stays, stays, stays, stays, stays, stays, stays, stays, stays, stays, stays, stays],
  move:           [ no,      no,    no,    stays, no,    stays, stays, stays, stays, stays, stays, no,  no,    no],
  correct:        [ no,      no,    no,    units, no,    units, no,    no,    no,    no,    no,    units, units, no],
  declineAll:     [ no,      units, no,    no,    no,    no,    no,    no,    no,    no,    no,    no,  no,    no],
};

/** The effect of each action in each state. */
export const ORDER_TRANSITIONS = byState((state) =>
  byAction((action) => OUTCOMES[action][ORDER_STATES.indexOf(state)]!),
);

function byState<T>(of: (state: OrderState) => T): Record<OrderState, T> {
  return Object.fromEntries(ORDER_STATES.map((state) => [state, of(state)])) as Record<OrderState, T>;
}

function byAction<T>(of: (action: OrderAction) => T): Record<OrderAction, T> {
  return Object.fromEntries(ORDER_ACTIONS.map((action) => [action, of(action)])) as Record<OrderAction, T>;
}

/** Whether the state of an order allows an action. Its units may still forbid the action: see `allowed.ts`. */
export function isAllowed({ status }: { status: number }, action: OrderAction): boolean {
  return ORDER_TRANSITIONS[status as OrderState][action] !== 'refused';
}

/**
 * The effect of a cancellation: immediate (`atOnce`), a mark until the pick or check-in ends, or a reverse pick ticket
 * that brings the units back.
 */
export type CancelWay = 'atOnce' | 'mark' | 'bringBack';

const CANCEL_WAYS: Record<OrderState, CancelWay | null> = {
  [State.HELD]: 'atOnce',
  [State.WAITING_FOR_PICK]: 'atOnce',
  [State.PICKING]: 'mark',
  [State.WAITING_FOR_PACK]: 'bringBack',
  [State.WAITING_FOR_CHECK_IN]: 'mark',
  [State.READY_FOR_PICKUP]: 'bringBack',
  [State.WAITING_FOR_DELIVERY]: 'bringBack',
  // The customer has the goods. Only the open re-source requests of the declined units can be closed.
  [State.SHIPPED]: 'atOnce',
  [State.PICKED_UP]: 'atOnce',
  [State.DELIVERED]: 'atOnce',
  [State.GOODS_TO_RETURN]: 'atOnce',
  [State.CANCELED]: null,
  [State.RETURNED_FOR_RESOURCING]: 'atOnce',
  [State.RESOURCED]: null,
};

/**
 * Returns how a cancellation takes effect now; null if units cannot be canceled. The goods of a held ship-to-store
 * order may be on their way, so its cancellation waits for the check-in.
 */
export function cancelWayOf(type: FulfillmentType, state: OrderState): CancelWay | null {
  return state === State.HELD && type === 'SHIP_TO_STORE' ? 'mark' : CANCEL_WAYS[state];
}

/** The first state of an order that is not held, by type. */
export const ENTRY_STATE: Record<FulfillmentType, OrderState> = {
  STORE_PICK_UP: State.WAITING_FOR_PICK,
  SHIP_TO_HOME: State.WAITING_FOR_PICK,
  SHIP_TO_STORE: State.WAITING_FOR_CHECK_IN,
  ASSOCIATE_DELIVERY: State.WAITING_FOR_PICK,
};

const AFTER_PICK: Record<FulfillmentType, OrderState> = {
  STORE_PICK_UP: State.READY_FOR_PICKUP,
  SHIP_TO_HOME: State.WAITING_FOR_PACK,
  SHIP_TO_STORE: State.READY_FOR_PICKUP,
  ASSOCIATE_DELIVERY: State.WAITING_FOR_PACK,
};

/**
 * The state when every wanted unit is packed and, for SHIP_TO_HOME, every package has a tracking number; null for types
 * that are never packed.
 */
export const AFTER_PACK: Record<FulfillmentType, OrderState | null> = {
  STORE_PICK_UP: null,
  SHIP_TO_HOME: State.SHIPPED,
  SHIP_TO_STORE: null,
  ASSOCIATE_DELIVERY: State.WAITING_FOR_DELIVERY,
};

/** The end state of an order with at least one handed-over unit. */
export const DONE_STATE: Record<FulfillmentType, OrderState> = {
  STORE_PICK_UP: State.PICKED_UP,
  SHIP_TO_HOME: State.SHIPPED,
  SHIP_TO_STORE: State.PICKED_UP,
  ASSOCIATE_DELIVERY: State.DELIVERED,
};

/** States in which the work for the customer has ended. */
export const END_STATES: readonly OrderState[] = [
  State.SHIPPED,
  State.PICKED_UP,
  State.DELIVERED,
  State.CANCELED,
  State.RETURNED_FOR_RESOURCING,
  State.RESOURCED,
];

/**
 * States of an order whose remaining units are all picked and in the store. A change of units does not move such an
 * order back to the state after the pick.
 */
const IN_STORE: readonly OrderState[] = [State.WAITING_FOR_PACK, State.READY_FOR_PICKUP, State.WAITING_FOR_DELIVERY];

/** Counts of an order's units, summed over its lines. */
export interface Units {
  /** Units that are still to be picked or have not arrived yet. */
  open: number;
  /** Picked or checked-in units in the store, units to bring back included. */
  onHand: number;
  /** Units that the customer canceled and that are still open or held. */
  canceling: number;
  /** Units that the customer is still to get. */
  left: number;
  handedOver: number;
  /** Declined units of open re-source requests: another node may still serve them. */
  resourceable: number;
  /** Declined units that another node serves. */
  resourced: number;
}

/** Counts of an order's packages. */
export interface Packed {
  /** Number of packages that are not voided. */
  packages: number;
  packed: number;
  toPack: number;
  /** Number of packages without a tracking number. */
  untracked: number;
}

/**
 * Returns the next state of an order by its units, for outcomes `byUnits`. `here` is its current state. With open
 * units, the state is HELD or the first state of its type. If all remaining units are picked, it is the state after the
 * pick, until the packages are complete (`stateByPackages`). Without remaining units, four cases follow in this order:
 * the customer has a unit, goods are in the store, another node may serve units, another node serves units. Otherwise
 * the order is canceled.
 */
export function stateAfter(type: FulfillmentType, here: OrderState, now: Units, packed?: Packed): OrderState {
  if (now.open > 0) return here === State.HELD ? State.HELD : ENTRY_STATE[type];
  if (now.left > 0) {
    if (here === State.WAITING_FOR_PACK && packed !== undefined) return stateByPackages(type, packed);
    return IN_STORE.includes(here) ? here : AFTER_PICK[type];
  }
  if (now.handedOver > 0) return DONE_STATE[type];
  if (now.onHand > 0) return State.GOODS_TO_RETURN;
  if (now.resourceable > 0) return State.RETURNED_FOR_RESOURCING;
  return now.resourced > 0 ? State.RESOURCED : State.CANCELED;
}

/**
 * Returns the state by packages. Every wanted unit must be in a package; for SHIP_TO_HOME all packages need a tracking
 * number.
 */
export function stateByPackages(type: FulfillmentType, { packages, toPack, untracked }: Packed): OrderState {
  const next = AFTER_PACK[type];
  const isTracked = type !== 'SHIP_TO_HOME' || untracked === 0;
  return next !== null && packages > 0 && toPack === 0 && isTracked ? next : State.WAITING_FOR_PACK;
}

/** Queue of the orders, of any type, whose remaining units must all be brought back to the shelf. */
export const REVERSE_PICK_QUEUE = 'WAITING_FOR_REVERSE_PICK';

/** Queue of SHIP_TO_STORE orders whose goods are already in the store. */
export const IN_STORE_CHECKIN_QUEUE = 'WAITING_FOR_INSTORE_CHECKIN_STS';

const returns = [REVERSE_PICK_QUEUE, REVERSE_PICK_QUEUE, REVERSE_PICK_QUEUE, REVERSE_PICK_QUEUE] as const;
const none = [null, null, null, null] as const;

/** Queues of a state, one for each type in the order of `FULFILLMENT_TYPES`; null for none. */
type QueuesOfTypes = readonly [string | null, string | null, string | null, string | null];
// biome-ignore format: a table
const QUEUES_BY_STATE: Record<OrderState, QueuesOfTypes> = {
  //                              STORE_PICK_UP                 SHIP_TO_HOME            SHIP_TO_STORE                ASSOCIATE_DELIVERY
  [State.HELD]:                    none,
  [State.WAITING_FOR_PICK]:        ['WAITING_FOR_PICK_ISPU',     'WAITING_FOR_PICK_SFS', null,                        'WAITING_FOR_PICK_DEL'],
  [State.PICKING]:                 ['WAITING_FOR_PICK_ISPU',     'WAITING_FOR_PICK_SFS', null,                        'WAITING_FOR_PICK_DEL'],
  [State.WAITING_FOR_PACK]:        [null,                        'WAITING_FOR_PACK_SFS', null,                        'WAITING_FOR_PACK_DEL'],
  [State.WAITING_FOR_CHECK_IN]:    [null,                        null,                   'WAITING_FOR_CHECKIN_STS',   null],
  [State.READY_FOR_PICKUP]:        ['WAITING_FOR_CUSTOMER_PICK', null,                   'WAITING_FOR_CUSTOMER_PICK', null],
  [State.WAITING_FOR_DELIVERY]:    [null,                        null,                   null,                        'WAITING_FOR_DELIVERY'],
  [State.SHIPPED]:                 none,
  [State.PICKED_UP]:               none,
  [State.DELIVERED]:               none,
  [State.GOODS_TO_RETURN]:         returns,
  [State.CANCELED]:                none,
  [State.RETURNED_FOR_RESOURCING]: none,
  [State.RESOURCED]:               none,
};

/** Queue of an order by type and state; null for none. */
export const QUEUES = Object.fromEntries(
  FULFILLMENT_TYPES.map((type, index) => [type, byState((state) => QUEUES_BY_STATE[state][index] ?? null)]),
) as Record<FulfillmentType, Record<OrderState, string | null>>;

/** The ids of all default queues. */
export const QUEUE_IDS: readonly string[] = [
  ...new Set([...Object.values(QUEUES).flatMap((queues) => Object.values(queues)), IN_STORE_CHECKIN_QUEUE]),
].filter((queue): queue is string => queue !== null);

/** The SLA step of each state (docs/sla.md). */
export const SLA_STEP: Record<OrderState, SlaStep | null> = {
  [State.HELD]: null,
  [State.WAITING_FOR_PICK]: 'START_PICK',
  [State.PICKING]: 'COMPLETE_PICK',
  [State.WAITING_FOR_PACK]: 'PACK',
  [State.WAITING_FOR_CHECK_IN]: 'CHECK_IN',
  [State.READY_FOR_PICKUP]: 'CUSTOMER_PICKUP',
  [State.WAITING_FOR_DELIVERY]: 'DELIVERY',
  [State.SHIPPED]: null,
  [State.PICKED_UP]: null,
  [State.DELIVERED]: null,
  [State.GOODS_TO_RETURN]: 'REVERSE_PICK',
  [State.CANCELED]: null,
  [State.RETURNED_FOR_RESOURCING]: null,
  [State.RESOURCED]: null,
};

/** Returns the SLA steps of orders of a type. */
export function stepsOf(type: FulfillmentType): SlaStep[] {
  return ORDER_STATES.filter((state) => QUEUES[type][state] !== null).map((state) => SLA_STEP[state]!);
}
