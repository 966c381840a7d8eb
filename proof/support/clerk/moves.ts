/** The list of all moves of clerks. */
import { backMoves } from './backs.ts';
import { checkInMoves } from './check-in.ts';
import type { Duties, Move, Moves } from './clerk.ts';
import { contactMoves } from './contact.ts';
import { counterMoves } from './counter.ts';
import { feedMoves, hear } from './feed.ts';
import { goodsMoves } from './goods.ts';
import { intakeMoves } from './intake.ts';
import { answer, answerLast, ownerMoves } from './owner.ts';
import { carrierMoves, packingMoves } from './packing.ts';
import { match, matchUnits, papersMoves } from './papers.ts';
import { pickingMoves } from './picking.ts';
import { approveHeld, receivingMoves } from './receiving.ts';
import { returnsMoves } from './returns.ts';
import { move, moveFromShelf, stockMoves } from './stock.ts';
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
 * Moves whose rule has changed since a release, each with the move that has the same outcome in all versions; undefined
 * if there is none.
 *
 * - Up to 0.5.0, an approval of held units also counted units that are no excess.
 * - Up to 0.5.0, excess units left the stage even if they had been put away.
 * - Up to 0.5.0, a match without units changed the ASN.
 * - Up to 0.3.0, each closed re-source request of a returned order recorded an event of the order.
 */
const CHANGED: ReadonlyMap<Move, Move | undefined> = new Map([
  [approveHeld, undefined],
  [move, moveFromShelf],
  [match, matchUnits],
  [answer, answerLast],
]);

/**
 * Returns the moves that clerks make with a released version. Returns, messages to customers and tracking reports are
 * never among them.
 */
export const dutiesOf = (release: string): Duties => ({
  first: hear,
  moves: (keepsStock(release) ? STOCK_MOVES : FIRST_MOVES).flatMap(([weight, own]) => {
    const same = CHANGED.has(own) ? CHANGED.get(own) : own;
    return same === undefined ? [] : [[weight, same] as const];
  }),
});
