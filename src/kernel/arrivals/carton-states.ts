/** The states of a carton. They follow from its sums and from the scan that received it whole. */

import type { Sentence } from '../../platform/message/sentence.ts';
import { say } from './sentences.ts';
import { inboundBlock, type ShipmentState } from './states.ts';
import { arrived, type Sums, type WholeAs } from './sums.ts';

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

const STATE_OF_WHOLE: Readonly<Record<WholeAs, KeptCartonState>> = {
  GOOD: 'RECEIVED',
  HELD: 'RECEIVED',
  DAMAGED: 'DAMAGED',
  REFUSED: 'REFUSED',
};

/** The carton states that rows store. `shownCartonState` derives the state in a closed shipment. */
export type KeptCartonState = Exclude<CartonState, 'MISSING'>;

/**
 * Returns the state of a carton while its shipment is not closed. `wholeAs` is the kind of its whole scan; null if it
 * was not scanned whole.
 */
export function cartonState(isAnnounced: boolean, sums: Sums, wholeAs: WholeAs | null): KeptCartonState {
  if (!isAnnounced) return 'UNEXPECTED';
  if (arrived(sums) === 0) return 'EXPECTED';
  if (wholeAs !== null) return STATE_OF_WHOLE[wholeAs];
  return sums.open === 0 ? 'RECEIVED' : 'COUNTING';
}

/**
 * Returns the state of a carton for responses. In a closed shipment, an EXPECTED carton is MISSING and a COUNTING
 * carton is RECEIVED.
 */
export function shownCartonState(kept: KeptCartonState, shipment: ShipmentState): CartonState {
  if (shipment !== 'CLOSED') return kept;
  return kept === 'EXPECTED' ? 'MISSING' : kept === 'COUNTING' ? 'RECEIVED' : kept;
}

/** Whether the work on a carton is done. */
export function isDone(state: CartonState): boolean {
  return state !== 'EXPECTED' && state !== 'COUNTING';
}

/** The facts about a scanned carton that the rules need. */
export interface ScannedCarton {
  state: CartonState;
  shipment: ShipmentState;
  /**
   * The reason why the carton cannot be received here: it is announced for another node, or it is on a purchase order.
   */
  elsewhere?: Sentence;
  /** The reason why the carton cannot be received whole: a user is counting it. */
  heldBy?: Sentence;
  /** The reason why the carton can be neither received whole nor counted: a user has received it whole. */
  receivedBy?: Sentence;
}

/**
 * Returns the reason why a carton cannot be received whole (`receive`) or counted in pieces (`count`); undefined if
 * there is no such reason.
 */
export function cartonBlock(
  { state, shipment, elsewhere, heldBy, receivedBy }: ScannedCarton,
  action: 'receive' | 'count',
): Sentence | undefined {
  if (elsewhere !== undefined) return elsewhere;
  const closed = inboundBlock(shipment, 'receive');
  if (closed !== undefined) return closed;
  if (receivedBy !== undefined) return receivedBy;
  if (action === 'count') return undefined;
  if (state === 'RECEIVED')
    return say(
      'all announced units of the carton were already counted, so it cannot be received whole; if it has more units, count them',
    );
  return heldBy;
}

/** Returns the row of a carton without receipts. */
export function expectedCarton(cartonId: string) {
  return { carton_id: cartonId, state: 'EXPECTED' as const, ...UNTAKEN };
}

/** The columns of a carton without a scan and a holder. */
export const UNTAKEN = { whole_as: null, receipt_id: null, user_id: null, since: null, holder_until: null };
