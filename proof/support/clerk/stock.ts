/**
 * The moves of clerks on stock of the warehouse: counts and manual moves. Each clerk has separate items, which are not
 * picked there.
 */

import { type Count, type Level, NO_LEVEL, type World } from '../world.ts';
import type { Clerk, Move, Moves } from './clerk.ts';
import { CLIENT, OTHER_NODE_ID, WHO } from './words.ts';

const NODE = `${CLIENT}/nodes/${OTHER_NODE_ID}`;

const PLACES = { SHELF: 'shelf', STAGE: 'staged', DAMAGED: 'damaged', HELD: 'held', MISSING: 'missing' } as const;
type Place = keyof typeof PLACES;
const isPlace = (spot: string): spot is Place => Object.hasOwn(PLACES, spot);

/** Units moved from one place to another. Negative units move in the other direction. */
export type Flow = readonly [from: string, to: string, units: number];

const levelOf = (clerk: Clerk, itemId: string) => (clerk.world.get(`level:${itemId}`) as Level | undefined) ?? NO_LEVEL;

/**
 * Adds the effect of flows to the level of an item. Units that leave STAGE although they were put away leave the shelf
 * instead. If more units leave a place than it has, its level becomes zero.
 */
export function flowed(clerk: Clerk, itemId: string, flows: readonly Flow[], effect: World): void {
  const level = { ...levelOf(clerk, itemId) };
  let isMoved = false;
  for (const [one, other, units] of flows) {
    if (units === 0) continue;
    isMoved = true;
    const [from, to] = units > 0 ? [one, other] : [other, one];
    if (from === 'STAGE') level.shelf = Math.max(0, level.shelf - Math.max(0, Math.abs(units) - level.staged));
    if (isPlace(from)) level[PLACES[from]] = Math.max(0, level[PLACES[from]] - Math.abs(units));
    if (isPlace(to)) level[PLACES[to]] += Math.abs(units);
  }
  if (!isMoved) return;
  effect.set(`level:${itemId}`, level);
  forget(clerk, itemId);
}

/** Discards the revision and the waiting count of an item that has moved. */
function forget(clerk: Clerk, itemId: string): void {
  clerk.revisions.delete(itemId);
  clerk.toApprove.delete(itemId);
}

const read: Move = (clerk) => {
  const itemId = clerk.pick(clerk.all('item', () => true))?.[0];
  if (itemId === undefined) return undefined;
  return clerk.sent({
    method: 'GET',
    path: `${NODE}/stock?itemId=${itemId}`,
    learn: (text) => {
      const [shown] = (JSON.parse(text) as { stock: (Omit<Level, 'isCounted'> & { revision: number })[] }).stock;
      clerk.revisions.set(itemId, shown?.revision ?? 0);
      const level = levelOf(clerk, itemId);
      const isSame = Object.values(PLACES).every((place) => (shown?.[place] ?? 0) === level[place]);
      return isSame ? undefined : `stock of ${itemId} is ${JSON.stringify(shown)}, it must be ${JSON.stringify(level)}`;
    },
  });
};

/** Counts the shelf. The first count of an item is posted. A later count with a difference waits for approval. */
const count: Move = (clerk) => {
  const found = clerk.pick([...clerk.revisions]);
  if (found === undefined) return undefined;
  const [itemId, revision] = found;
  const level = levelOf(clerk, itemId);
  const counted = clerk.chance(0.4) ? level.shelf : clerk.below(30);
  const countId = clerk.newId('-n');
  const isPosted = !level.isCounted || counted === level.shelf;
  const effect: World = new Map();
  effect.set(`count:${countId}`, { state: isPosted ? 'POSTED' : 'WAITING', itemId, counted } satisfies Count);
  forget(clerk, itemId);
  if (isPosted) effect.set(`level:${itemId}`, { ...level, shelf: counted, isCounted: true });
  else clerk.toApprove.set(itemId, countId);
  const body = { countId, userId: WHO, lines: [{ itemId, counted, revision }] };
  return clerk.sent({ method: 'POST', path: `${NODE}/counts`, body, effect });
};

/** Approves a waiting count, if the item has not moved since the count. */
const approve: Move = (clerk) => {
  const waiting = [...clerk.toApprove].filter(([, countId]) => clerk.world.has(`count:${countId}`));
  const found = clerk.pick(waiting);
  if (found === undefined) return undefined;
  const [itemId, countId] = found;
  const before = clerk.world.get(`count:${countId}`) as Count;
  const effect: World = new Map();
  effect.set(`count:${countId}`, { ...before, state: 'POSTED' });
  effect.set(`level:${itemId}`, { ...levelOf(clerk, itemId), shelf: before.counted });
  forget(clerk, itemId);
  return clerk.sent({ method: 'POST', path: `${NODE}/counts/${countId}/approve`, body: { userId: 'lead' }, effect });
};

const PUT_AWAY = ['STAGE', 'SHELF'] as const;
const OTHER_WAYS = [
  ['SHELF', 'DAMAGED'],
  ['DAMAGED', 'SUPPLIER'],
  ['SHELF', 'COUNT'],
  ['COUNT', 'SHELF'],
  ['SHELF', 'MISSING'],
] as const;

/** Puts units away, writes them off or sends them back. */
export const move: Move = (clerk) => moved(clerk, [PUT_AWAY, ...OTHER_WAYS]);

/** Writes units off or sends them back. */
export const moveFromShelf: Move = (clerk) => moved(clerk, OTHER_WAYS);

/** Sends a manual move, or repeats the last move, which has no effect. */
function moved(clerk: Clerk, ways: readonly (typeof PUT_AWAY | (typeof OTHER_WAYS)[number])[]): ReturnType<Move> {
  const path = `${NODE}/stock/moves`;
  const last = clerk.lastMove;
  if (last !== undefined && clerk.carriedOut.has(last.sentId) && clerk.chance(0.2)) {
    return clerk.sent({ method: 'POST', path, body: last.body });
  }
  const found = clerk.pick(clerk.all<Level>('level', () => true));
  const [from, to] = clerk.pick(ways)!;
  if (found === undefined) return undefined;
  const [itemId, level] = found;
  const most = isPlace(from) ? level[PLACES[from]] : 5;
  if (most === 0) return undefined;
  const quantity = 1 + clerk.below(most);
  const effect: World = new Map();
  flowed(clerk, itemId, [[from, to, quantity]], effect);
  const body = { moveId: clerk.newId('-m'), userId: WHO, lines: [{ itemId, from, to, quantity, reason: 'SEEN' }] };
  const sent = clerk.sent({ method: 'POST', path, body, effect });
  clerk.lastMove = { sentId: sent.id, body };
  return sent;
}

export const stockMoves: Moves = [
  [5, read],
  [4, count],
  [3, approve],
  [5, move],
];
