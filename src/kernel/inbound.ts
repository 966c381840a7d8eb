/**
 * Goods in as tables and sums: what may be done with a shipment, and where each announced or received unit is. No database, no
 * clock. Of every key (ASN: carton and item; PO and BLIND: item, with its carton where somebody named one), and so of every
 * carton, item and shipment:
 * announced + over = good + damaged + refused + held + short + open.
 */

export const SHIPMENT_STATES = ['EXPECTED', 'RECEIVING', 'CLOSED'] as const;
export type ShipmentState = (typeof SHIPMENT_STATES)[number];

export const INBOUND_ACTIONS = ['arrive', 'receive', 'correct', 'approve', 'match', 'close', 'reopen', 'void'] as const;
export type InboundAction = (typeof INBOUND_ACTIONS)[number];

/** What an action leads to: a state, the removal of the shipment, or nothing. */
type Effect = ShipmentState | 'removed' | 'refused';

/** The state of a shipment after an action. `match` is asked of the announcement and of the goods without papers alike. */
export const INBOUND_TRANSITIONS: Readonly<Record<ShipmentState, Readonly<Record<InboundAction, Effect>>>> = {
  EXPECTED: {
    arrive: 'EXPECTED',
    receive: 'RECEIVING',
    correct: 'RECEIVING',
    approve: 'refused',
    match: 'RECEIVING',
    close: 'CLOSED',
    reopen: 'refused',
    void: 'removed',
  },
  RECEIVING: {
    arrive: 'RECEIVING',
    receive: 'RECEIVING',
    correct: 'RECEIVING',
    approve: 'RECEIVING',
    match: 'RECEIVING',
    close: 'CLOSED',
    reopen: 'refused',
    void: 'refused',
  },
  CLOSED: {
    arrive: 'refused',
    receive: 'refused',
    correct: 'refused',
    approve: 'refused',
    match: 'refused',
    close: 'refused',
    reopen: 'RECEIVING',
    void: 'refused',
  },
};

/** Why an action is refused in a state, and what would unblock it; undefined: it is allowed. */
export function inboundBlock(state: ShipmentState, action: InboundAction, isMatched = false): string | undefined {
  if (INBOUND_TRANSITIONS[state][action] !== 'refused') return undefined;
  if (isMatched) return 'its goods were moved to the shipment that it was matched with';
  if (state === 'CLOSED') return 'the shipment is closed; reopen it first';
  if (action === 'reopen') return 'the shipment is not closed';
  if (action === 'approve') return 'nothing was received yet';
  return 'goods were received already';
}

/** How units arrived: kept for sale, kept but damaged, sent back with the driver, or taken in undecided. */
export const KINDS = ['good', 'damaged', 'refused', 'held'] as const;
export type Kind = (typeof KINDS)[number];
/** Units by kind; signed in an entry, never negative in a sum. */
export type Booked = Readonly<Record<Kind, number>>;

export const NOTHING: Booked = { good: 0, damaged: 0, refused: 0, held: 0 };

/** What is kept of a key. */
export interface KeyState extends Booked {
  /** Of the good units those that were put to STAGE. */
  readonly staged: number;
  /** Held units that were decided by approvals: so many more than the tolerance need no approval again. */
  readonly decided: number;
}

export const UNTOUCHED: KeyState = { ...NOTHING, staged: 0, decided: 0 };

/** Units that are not judged; the larger of both counts. */
export interface Tolerance {
  readonly percent: number;
  readonly units: number;
}

/** Units by which a key may differ from what was announced: percent floored. What nobody announced may not come at all. */
export function toleranceOf(announced: number, { percent, units }: Tolerance): number {
  return announced === 0 ? 0 : Math.max(Math.floor((announced * percent) / 100), units);
}

/** Units that arrived, whatever became of them. */
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

/** The sums of a key: what is missing is open while the shipment may still be received, and short once it is closed. */
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

/** Sums of several keys: each member for itself, so nothing is netted between them. */
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

/** The kinds that a booking would bring below zero. */
export function belowZero(state: Booked, delta: Booked): Kind[] {
  return KINDS.filter((kind) => state[kind] + delta[kind] < 0);
}

/** A key after a booking of which no kind falls below zero. `toStage` are the good units of it that go to (or come from) STAGE. */
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

/**
 * Good units that must be held: what exceeds announced and tolerance over all receipts, and is neither held nor decided yet. It
 * depends on the sums alone, so receipts may come in any order.
 */
export function unitsToHold(announced: number, state: KeyState, tolerance: Tolerance): number {
  const excess = arrived(state) - announced - toleranceOf(announced, tolerance);
  return Math.min(state.good, Math.max(0, excess - state.held - state.decided));
}

/** A key of which good units became held ones; `fromStage` of them were on STAGE. */
export function holdUnits(state: KeyState, quantity: number, fromStage = 0): KeyState {
  return booked(state, { ...NOTHING, good: -quantity, held: quantity }, -fromStage);
}

/** A key of which held units were decided. */
export function approved(state: KeyState, to: Omit<Booked, 'held'>, toStage = 0): KeyState {
  const quantity = to.good + to.damaged + to.refused;
  return { ...booked(state, { ...to, held: -quantity }, toStage), decided: state.decided + quantity };
}

export const CARTON_STATES = [
  'EXPECTED',
  'COUNTING',
  'RECEIVED',
  'DAMAGED',
  'REFUSED',
  'MISSING',
  'UNEXPECTED',
] as const;
export type CartonState = (typeof CARTON_STATES)[number];

/** What a scan of a whole carton books its units as. */
export const WHOLE_AS = ['GOOD', 'DAMAGED', 'REFUSED', 'HELD'] as const;
export type WholeAs = (typeof WHOLE_AS)[number];

const STATE_OF_WHOLE: Readonly<Record<WholeAs, KeptCartonState>> = {
  GOOD: 'RECEIVED',
  HELD: 'RECEIVED',
  DAMAGED: 'DAMAGED',
  REFUSED: 'REFUSED',
};

/** States in which a carton is kept; those of a closed shipment follow from them. */
export type KeptCartonState = Exclude<CartonState, 'MISSING'>;

/**
 * The state of a carton while its shipment may be received: whether it was announced, its sums, and as what it was scanned whole
 * (null: it was not).
 */
export function cartonState(isAnnounced: boolean, sums: Sums, wholeAs: WholeAs | null): KeptCartonState {
  if (!isAnnounced) return 'UNEXPECTED';
  if (arrived(sums) === 0) return 'EXPECTED';
  if (wholeAs !== null) return STATE_OF_WHOLE[wholeAs];
  return sums.open === 0 ? 'RECEIVED' : 'COUNTING';
}

/** As it is shown: with its shipment closed nothing is expected or counted any more. */
export function shownCartonState(kept: KeptCartonState, shipment: ShipmentState): CartonState {
  if (shipment !== 'CLOSED') return kept;
  return kept === 'EXPECTED' ? 'MISSING' : kept === 'COUNTING' ? 'RECEIVED' : kept;
}

/** Whether somebody is done with a carton. */
export function isDone(state: CartonState): boolean {
  return state !== 'EXPECTED' && state !== 'COUNTING';
}

/** What is asked of a carton that is scanned. */
export interface ScannedCarton {
  state: CartonState;
  shipment: ShipmentState;
  /** Why none of it may be received here: another node's, or of a purchase order. */
  elsewhere?: string;
  /** Who counts it, in words. */
  heldBy?: string;
  /** Who received it, in words. */
  receivedBy?: string;
}

/** What may be done with a carton: `receive` takes it whole, `count` books pieces of it. Undefined: it is allowed. */
export function cartonBlock(
  { state, shipment, elsewhere, heldBy, receivedBy }: ScannedCarton,
  action: 'receive' | 'count',
): string | undefined {
  if (elsewhere !== undefined) return elsewhere;
  const closed = inboundBlock(shipment, 'receive');
  if (closed !== undefined) return closed;
  if (receivedBy !== undefined) return receivedBy;
  if (action === 'count') return undefined;
  if (state === 'RECEIVED') return 'it was counted to its end; count what more there is';
  return heldBy;
}
