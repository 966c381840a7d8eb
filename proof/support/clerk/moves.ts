/** The list of all moves of clerks. */
import { backMoves } from './backs.ts';
import { checkInMoves } from './check-in.ts';
import type { Duties, Moves } from './clerk.ts';
import { contactMoves } from './contact.ts';
import { counterMoves } from './counter.ts';
import { feedMoves, hear } from './feed.ts';
import { goodsMoves } from './goods.ts';
import { intakeMoves } from './intake.ts';
import { ownerMoves } from './owner.ts';
import { carrierMoves, packingMoves } from './packing.ts';
import { papersMoves } from './papers.ts';
import { pickingMoves } from './picking.ts';
import { approveHeld, receivingMoves } from './receiving.ts';
import { returnsMoves } from './returns.ts';
import { stockMoves } from './stock.ts';
import { webhookMoves } from './webhooks.ts';

const FIRST_MOVES: Moves = [
  ...goodsMoves,
  ...intakeMoves,
  ...checkInMoves,
  ...pickingMoves,
  ...packingMoves,
  ...counterMoves,
  ...returnsMoves,
  ...ownerMoves,
  ...webhookMoves,
  ...feedMoves,
];

const STOCK_MOVES: Moves = [...FIRST_MOVES, ...receivingMoves, ...papersMoves, ...stockMoves];

export const DUTIES: Duties = { first: hear, moves: [...STOCK_MOVES, ...backMoves, ...contactMoves, ...carrierMoves] };

/** Releases before the support of receiving and stock. */
const FIRST_RELEASES: readonly string[] = ['0.1.0', '0.2.0'];

export const keepsStock = (release: string): boolean => !FIRST_RELEASES.includes(release);

/**
 * Returns the moves that clerks make with a released version. Returns, messages to customers and tracking reports are
 * never among them. Approvals of held units are neither: up to 0.5.0, they also count units that are no excess.
 */
export const dutiesOf = (release: string): Duties => ({
  first: hear,
  moves: keepsStock(release) ? STOCK_MOVES.filter(([, move]) => move !== approveHeld) : FIRST_MOVES,
});
