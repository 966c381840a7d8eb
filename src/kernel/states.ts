/**
 * The states of a fulfillment order, and what each action does in each of them. The tables are total: a missing cell does not
 * compile. Operations, searches, tests and docs/states.md read them.
 */
import { FULFILLMENT_TYPES, type FulfillmentType, type SlaStep } from '../shared/client-settings.ts';

/**
 * The status codes by name. Codes rise with progress, so that a numeric range of them makes sense. GOODS_TO_RETURN: every unit
 * that is left is canceled and waits to be brought back. RESOURCED: the customer has no unit of it, and another node serves at
 * least one.
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
 * What can be asked of an order, or happens to it. `hold`: the street date of an item has moved. `change`: what came in with it,
 * or a note (which of it in which state: src/orders/change-rules.ts). `move`: its goods lie in another place. `correct`: its CONFIRM
 * was mis-keyed, and nothing followed from it (that is for the operation to see). `declineAll`: the node gives none of it.
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
 * The effect of an action in a state: a next state, `stays` (something other than the state changes), `refused`, `byUnits`
 * (the next state follows from where the units are then, see `stateAfter`), or `entry` (the state in which an order of its type
 * enters).
 */
export type Outcome = OrderState | 'stays' | 'refused' | 'byUnits' | 'entry';

/** A cell for each state, in the order of `ORDER_STATES`. */
export type Cells<T> = readonly [T, T, T, T, T, T, T, T, T, T, T, T, T, T];

const no = 'refused';
const stays = 'stays';
const units = 'byUnits';
const picks = State.PICKING;

/**
 * A cancellation at 1150 and 1300 takes effect when the ticket is closed or the check-in confirmed; from 1200 on a reverse
 * pick ticket brings the units back (`bringBack`), also while the rest of the order goes its way. At 8000 nothing but that is
 * left; a cancellation can only close its re-source requests.
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
  cancel:         [ units,   units, stays, units, stays, units, units, no,    no,    no,    units, no,  units, no],
  expire:         [ no,      no,    no,    no,    no,    units, no,    no,    no,    no,    no,    no,  no,    no],
  bringBack:      [ no,      no,    no,    units, no,    units, units, stays, stays, stays, units, no,  no,    no],
  resource:       [ no,      no,    no,    stays, no,    no,    no,    stays, no,    no,    stays, no,  units, no],
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

/** Whether the state of an order lets an action happen. Units may still forbid it: see `allowed.ts`. */
export function isAllowed({ status }: { status: number }, action: OrderAction): boolean {
  return ORDER_TRANSITIONS[status as OrderState][action] !== 'refused';
}

/** How a cancellation takes effect: at once, marked until the pick or check-in under way is closed, or brought back. */
export type CancelWay = 'atOnce' | 'mark' | 'bringBack';

const CANCEL_WAYS: Record<OrderState, CancelWay | null> = {
  [State.HELD]: 'atOnce',
  [State.WAITING_FOR_PICK]: 'atOnce',
  [State.PICKING]: 'mark',
  [State.WAITING_FOR_PACK]: 'bringBack',
  [State.WAITING_FOR_CHECK_IN]: 'mark',
  [State.READY_FOR_PICKUP]: 'bringBack',
  [State.WAITING_FOR_DELIVERY]: 'bringBack',
  [State.SHIPPED]: null,
  [State.PICKED_UP]: null,
  [State.DELIVERED]: null,
  [State.GOODS_TO_RETURN]: 'atOnce',
  [State.CANCELED]: null,
  [State.RETURNED_FOR_RESOURCING]: 'atOnce',
  [State.RESOURCED]: null,
};

/**
 * How units of an order are canceled now; null: not at all. The goods of a ship-to-store order are on their way even while it is
 * held, so a cancellation waits for the check-in.
 */
export function cancelWayOf(type: FulfillmentType, state: OrderState): CancelWay | null {
  return state === State.HELD && type === 'SHIP_TO_STORE' ? 'mark' : CANCEL_WAYS[state];
}

/** State in which an order of a type enters. */
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

/** Another node can still serve a SHIP_TO_HOME order; the others end (docs/interface.md#short-picks). */
const ALL_DECLINED: Record<FulfillmentType, OrderState> = {
  STORE_PICK_UP: State.CANCELED,
  SHIP_TO_HOME: State.RETURNED_FOR_RESOURCING,
  SHIP_TO_STORE: State.CANCELED,
  ASSOCIATE_DELIVERY: State.CANCELED,
};

/** State of an order when every wanted unit is packed (and, if it is shipped, tracked); null: it is never packed. */
export const AFTER_PACK: Record<FulfillmentType, OrderState | null> = {
  STORE_PICK_UP: null,
  SHIP_TO_HOME: State.SHIPPED,
  SHIP_TO_STORE: null,
  ASSOCIATE_DELIVERY: State.WAITING_FOR_DELIVERY,
};

/** State in which an order ends when at least one unit went to its customer. */
export const DONE_STATE: Record<FulfillmentType, OrderState> = {
  STORE_PICK_UP: State.PICKED_UP,
  SHIP_TO_HOME: State.SHIPPED,
  SHIP_TO_STORE: State.PICKED_UP,
  ASSOCIATE_DELIVERY: State.DELIVERED,
};

/** States in which nothing more is to be done for the customer. */
export const END_STATES: readonly OrderState[] = [
  State.SHIPPED,
  State.PICKED_UP,
  State.DELIVERED,
  State.CANCELED,
  State.RETURNED_FOR_RESOURCING,
  State.RESOURCED,
];

/** States in which picked units wait in the store for their customer. */
const IN_STORE: readonly OrderState[] = [State.WAITING_FOR_PACK, State.READY_FOR_PICKUP, State.WAITING_FOR_DELIVERY];

/** Units of an order by where they are, summed over its lines. */
export interface Units {
  /** Nobody has answered for them yet: to be picked or to arrive. */
  open: number;
  /** Picked or checked in and still in the store, those to be brought back included. */
  onHand: number;
  /** Canceled by the customer and still open or held. */
  canceling: number;
  /** Still to be handed on to the customer. */
  left: number;
  handedOver: number;
  /** Declined, and another node may still serve them: of open re-source requests. */
  resourceable: number;
  /** Declined, and another node serves them. */
  resourced: number;
}

/** The packages of an order. */
export interface Packed {
  /** Packages that are not voided. */
  packages: number;
  packed: number;
  toPack: number;
  /** Packages without a tracking number. */
  untracked: number;
}

/**
 * State of an order by where its units are, for the outcomes `byUnits`; `here` is the state it comes from. While a unit is
 * wanted an order stays where its picked units wait, and goes on when all of them are packed. Then it is done if its customer
 * has a unit, and else: its goods are to be brought back, another node may serve it, another node serves it, or it is canceled.
 */
export function stateAfter(type: FulfillmentType, here: OrderState, now: Units, packed?: Packed): OrderState {
  if (now.open > 0) return here === State.HELD ? State.HELD : ENTRY_STATE[type];
  if (now.left > 0) {
    if (here === State.WAITING_FOR_PACK && packed !== undefined) return stateByPackages(type, packed);
    return IN_STORE.includes(here) ? here : AFTER_PICK[type];
  }
  if (now.handedOver > 0) return DONE_STATE[type];
  if (now.onHand > 0) return State.GOODS_TO_RETURN;
  if (now.resourceable > 0) return ALL_DECLINED[type];
  return now.resourced > 0 ? State.RESOURCED : State.CANCELED;
}

/** Packed is an order when every wanted unit is in a package, and one that is shipped only when all have a tracking number. */
export function stateByPackages(type: FulfillmentType, { packages, toPack, untracked }: Packed): OrderState {
  const next = AFTER_PACK[type];
  const isTracked = type !== 'SHIP_TO_HOME' || untracked === 0;
  return next !== null && packages > 0 && toPack === 0 && isTracked ? next : State.WAITING_FOR_PACK;
}

/** Queue of orders of which everything left is to be brought back to the shelf, whatever their type. */
export const REVERSE_PICK_QUEUE = 'WAITING_FOR_REVERSE_PICK';

/** Queue of SHIP_TO_STORE orders whose goods are in the store already. */
export const IN_STORE_CHECKIN_QUEUE = 'WAITING_FOR_INSTORE_CHECKIN_STS';

const returns = [REVERSE_PICK_QUEUE, REVERSE_PICK_QUEUE, REVERSE_PICK_QUEUE, REVERSE_PICK_QUEUE] as const;
const none = [null, null, null, null] as const;

/** Queue of an order in a state, for each type in the order of `FULFILLMENT_TYPES`; null: it is on none. */
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

/** Queue of an order by type and state; null: it is on none. */
export const QUEUES = Object.fromEntries(
  FULFILLMENT_TYPES.map((type, index) => [type, byState((state) => QUEUES_BY_STATE[state][index] ?? null)]),
) as Record<FulfillmentType, Record<OrderState, string | null>>;

/** The ids of all default queues. */
export const QUEUE_IDS: readonly string[] = [
  ...new Set([...Object.values(QUEUES).flatMap((queues) => Object.values(queues)), IN_STORE_CHECKIN_QUEUE]),
].filter((queue): queue is string => queue !== null);

/** The step whose time runs in a state (docs/sla.md). */
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

/** The steps that an order of a type goes through. */
export function stepsOf(type: FulfillmentType): SlaStep[] {
  return ORDER_STATES.filter((state) => QUEUES[type][state] !== null).map((state) => SLA_STEP[state]!);
}
