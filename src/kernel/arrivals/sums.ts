/**
 * Computes the sums of arriving goods, without database and clock. For every key,
 * `announced + over = good + damaged + refused + held + short + open`. The same equation therefore holds for every
 * carton, item and shipment. A key of an ASN is a carton and an item, a key of a PO is an item. A key of
 * BLIND is an item, with its carton if a receipt named one.
 */
import type { ShipmentState } from './states.ts';

/** The kinds of arrived units: kept for sale, kept but damaged, returned with the driver, or not decided yet. */
export const KINDS = ['good', 'damaged', 'refused', 'held'] as const;
export type Kind = (typeof KINDS)[number];
/** Units by kind; signed in an entry, never negative in a sum. */
export type Booked = Readonly<Record<Kind, number>>;

export const NOTHING: Booked = { good: 0, damaged: 0, refused: 0, held: 0 };

/** The stored sums of a key. */
export interface KeyState extends Booked {
  /** The good units that were put on STAGE. */
  readonly staged: number;
  /** Excess units that approvals have decided. They need no second approval. */
  readonly decided: number;
}

export const UNTOUCHED: KeyState = { ...NOTHING, staged: 0, decided: 0 };

/** A difference that is accepted without a decision or a reason, in percent and in units. The larger limit applies. */
export interface Tolerance {
  readonly percent: number;
  readonly units: number;
}

/**
 * Returns the units by which a key may differ from its announcement, with the percentage rounded down. Unannounced keys
 * have no tolerance.
 */
export function toleranceOf(announced: number, { percent, units }: Tolerance): number {
  return announced === 0 ? 0 : Math.max(Math.floor((announced * percent) / 100), units);
}

/** Returns the units that arrived, in any condition. */
export function arrived({ good, damaged, refused, held }: Booked): number {
  return good + damaged + refused + held;
}

/** One record of sums. */
export interface Sums extends Booked {
  readonly announced: number;
  readonly over: number;
  readonly short: number;
  readonly open: number;
}

export const NO_SUMS: Sums = { announced: 0, ...NOTHING, over: 0, short: 0, open: 0 };

/** Returns the sums of a key. Missing units are open while the shipment is not closed, and short once it is closed. */
export function sumsOf(announced: number, state: Booked, shipment: ShipmentState): Sums {
  const { good, damaged, refused, held } = state;
  const all = arrived(state);
  const missing = Math.max(0, announced - all);
  const isClosed = shipment === 'CLOSED';
  return {
    announced,
    good,
    damaged,
    refused,
    held,
    over: Math.max(0, all - announced),
    short: isClosed ? missing : 0,
    open: isClosed ? 0 : missing,
  };
}

/**
 * Adds the sums of two keys. Each field is added separately, so that an excess of one key does not hide a shortage of
 * another key.
 */
export function added(a: Sums, b: Sums): Sums {
  return {
    announced: a.announced + b.announced,
    good: a.good + b.good,
    damaged: a.damaged + b.damaged,
    refused: a.refused + b.refused,
    held: a.held + b.held,
    over: a.over + b.over,
    short: a.short + b.short,
    open: a.open + b.open,
  };
}

/** Returns the kinds that a booking would bring below zero. */
export function belowZero(state: Booked, delta: Booked): Kind[] {
  return KINDS.filter((kind) => state[kind] + delta[kind] < 0);
}

/**
 * Returns the sums of a key after a booking that brings no kind below zero. `toStage` good units are added to STAGE, or
 * taken from it if negative.
 */
export function booked(state: KeyState, delta: Booked, toStage = 0): KeyState {
  const good = state.good + delta.good;
  return {
    good,
    damaged: state.damaged + delta.damaged,
    refused: state.refused + delta.refused,
    held: state.held + delta.held,
    staged: Math.min(good, Math.max(0, state.staged + toStage)),
    decided: state.decided,
  };
}

/** Returns the arrived units minus the announced units and the tolerance; negative if fewer units arrived. */
function excessOf(announced: number, state: Booked, tolerance: Tolerance): number {
  return arrived(state) - announced - toleranceOf(announced, tolerance);
}

/**
 * Returns the number of good units that must be held. This is the excess over the announced quantity and the tolerance,
 * summed over all receipts, without units that are already held or decided. The result depends on the sums alone, so
 * receipts can arrive in any order.
 */
export function unitsToHold(announced: number, state: KeyState, tolerance: Tolerance): number {
  const excess = excessOf(announced, state, tolerance);
  return Math.min(state.good, Math.max(0, excess - state.held - state.decided));
}

/** Returns the sums of a key after good units became held; `fromStage` of them were on STAGE. */
export function holdUnits(state: KeyState, quantity: number, fromStage = 0): KeyState {
  return booked(state, { ...NOTHING, good: -quantity, held: quantity }, -fromStage);
}

/**
 * Returns the sums of a key after a decision on held units. Only excess units count as `decided`. Units that are held
 * for another reason, such as a wet carton, do not count: otherwise excess units that arrive later would need no
 * decision.
 */
export function approved(
  state: KeyState,
  to: Omit<Booked, 'held'>,
  { announced, tolerance }: { announced: number; tolerance: Tolerance },
  toStage = 0,
): KeyState {
  const quantity = to.good + to.damaged + to.refused;
  const undecided = Math.max(0, excessOf(announced, state, tolerance) - state.decided);
  return {
    ...booked(state, { ...to, held: -quantity }, toStage),
    decided: state.decided + Math.min(quantity, undecided),
  };
}

/** The kinds that a whole scan can book. */
export const WHOLE_AS = ['GOOD', 'DAMAGED', 'REFUSED', 'HELD'] as const;
export type WholeAs = (typeof WHOLE_AS)[number];

/** Returns the open units of a carton, booked as one kind. */
export function wholeUnits(as: WholeAs, open: number): Booked {
  return {
    good: as === 'GOOD' ? open : 0,
    damaged: as === 'DAMAGED' ? open : 0,
    refused: as === 'REFUSED' ? open : 0,
    held: as === 'HELD' ? open : 0,
  };
}

/** Returns the sum of two bookings. */
export function plus(a: Booked, b: Booked): Booked {
  return {
    good: a.good + b.good,
    damaged: a.damaged + b.damaged,
    refused: a.refused + b.refused,
    held: a.held + b.held,
  };
}

/** Returns the units with the opposite sign. */
export function negated({ good, damaged, refused, held }: Booked): Booked {
  return { good: -good, damaged: -damaged, refused: -refused, held: -held };
}

/** Whether units of any kind are booked. */
export function isSomething(units: Booked): boolean {
  return KINDS.some((kind) => units[kind] !== 0);
}
