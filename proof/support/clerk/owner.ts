/** Moves of the owner of an order, who decides about the units that a node declined. */

import { moved, newLine, newOrder, type Order, type World } from '../world.ts';
import type { Clerk, Move, Moves } from './clerk.ts';
import { BY_CUSTOMER, NODE_ID, OTHER_NODE_ID, OWN, STORE_ID } from './words.ts';

/**
 * Returns a random open re-source request whose id is known from the feed; undefined if there is none. With `isLast`,
 * it is the only open request of its order.
 */
function request(clerk: Clerk, isLast: boolean) {
  const heard = clerk
    .orders((order) => order.requests.some(({ status }) => status === 'OPEN'))
    .flatMap(([id, order]) =>
      order.requests.flatMap((asked, at) => {
        const requestId = clerk.requestIds.get(id)?.[at];
        if (isLast && !isLastOpen(order, asked)) return [];
        return asked.status !== 'OPEN' || requestId === undefined ? [] : [{ id, order, asked, at, requestId }];
      }),
    );
  return clerk.pick(heard);
}

const isLastOpen = ({ requests }: Order, asked: Order['requests'][number]) =>
  requests.every((one) => one.status !== 'OPEN' || one === asked);

/** Closes a re-source request. */
export const answer: Move = (clerk) => answered(clerk, request(clerk, false));

/** Closes the only open re-source request of an order. */
export const answerLast: Move = (clerk) => answered(clerk, request(clerk, true));

/** Lets another node serve the units of a request of the first node, or cancels the request. */
function answered(clerk: Clerk, found: ReturnType<typeof request>): ReturnType<Move> {
  if (found === undefined) return undefined;
  const { id, order, asked, at, requestId } = found;
  const newId = order.node === NODE_ID && clerk.chance(0.6) ? clerk.newId('-r') : null;
  const status = newId === null ? 'CANCELED' : 'RESOURCED';
  const requests = order.requests.map((one, index) => (index === at ? { ...one, status, newOrder: newId } : one));
  const effect: World = new Map([[`order:${id}`, moved({ ...order, requests } as Order, 'resource')]]);
  if (newId !== null) {
    const lines = asked.parts.map(([line, units]) => newLine(order.lines[line]!.web, order.lines[line]!.item, units));
    const { type, hasPin } = order;
    effect.set(`order:${newId}`, newOrder({ type, node: OTHER_NODE_ID, status: 1100, lines, hasPin }));
  }
  return clerk.sent({
    method: 'POST',
    path: `${OWN}/stores/${STORE_ID}/resourceRequests/${requestId}/answer`,
    body:
      newId === null
        ? { outcome: 'CANCEL', reasonCode: BY_CUSTOMER }
        : { outcome: 'RESOURCE', nodeId: OTHER_NODE_ID, fulfillmentOrderId: newId },
    effect,
    events: 1 + (newId === null ? 0 : 1) + (order.status === 9100 && isLastOpen(order, asked) ? 1 : 0),
  });
}

export const ownerMoves: Moves = [[5, answer]];
