/**
 * The moves of clerks at the counter: hand-overs with a PIN, to a proxy, or with `refused` units, their retries, and
 * deliveries by an associate.
 */

import type { OrderState } from '../../../src/kernel/states.ts';
import { leftUnits } from '../../../src/kernel/units.ts';
import { PROXY_PIN } from '../../../src/service/demo/orders.ts';
import { moved, type Order, wantedOf, withLines } from '../world.ts';
import type { Clerk, Move, Moves } from './clerk.ts';
import { NODE, NODE_ID, orderPath, REFUSED, WHERE, WHO } from './words.ts';

/** Maximum number of wrong PINs of an order: one fewer than the five after which the town locks a hand-over. */
const WRONG_PINS_MAX = 4;

/** The handed-over and the `refused` units of one line. */
interface Given {
  line: number;
  handed: number;
  refused: number;
}

const waits = (status: OrderState) => (order: Order) => order.status === status && wantedOf(order) > 0;

/** Returns all units, or a part of each line, some of it `refused`. A later hand-over has the remaining units. */
function given(clerk: Clerk, order: Order): Given[] {
  const wanted = order.lines
    .map((line, index) => ({ line: index, handed: leftUnits(line), refused: 0 }))
    .filter(({ handed }) => handed > 0);
  if (clerk.chance(0.5)) return wanted;
  const some = wanted.map(({ line, handed: most }) => {
    const refused = clerk.chance(0.3) ? clerk.below(most + 1) : 0;
    return { line, handed: clerk.below(most - refused + 1), refused };
  });
  const left = some.filter(({ handed, refused }) => handed + refused > 0);
  return left.length > 0 ? left : wanted.slice(0, 1);
}

function givenAway(order: Order, id: string, parts: readonly Given[], action: 'handOver' | 'deliver'): Order {
  const byLine = new Map(parts.map((part) => [part.line, part]));
  const after = withLines(order, ({ handed_over, refused }, index) => ({
    handed_over: handed_over + (byLine.get(index)?.handed ?? 0),
    refused: refused + (byLine.get(index)?.refused ?? 0),
  }));
  return moved({ ...after, handOvers: [...order.handOvers, id], wrongPins: 0 }, action);
}

const canceled = (refused: number) => ({
  canceledQuantity: refused,
  ...(refused > 0 && { cancellationReasonCode: REFUSED }),
});

function message(id: string, order: Order, parts: readonly Given[], members: object) {
  const customerPickUpItems = parts.map(({ line, handed, refused }) => ({
    webLineId: order.lines[line]!.web,
    itemId: order.lines[line]!.item,
    customerPickedQuantity: handed,
    ...canceled(refused),
    backroomPickedQuantity: order.lines[line]!.picked,
  }));
  const customerPickUpDetails = { ...WHERE, fulfillmentOrderId: id, customerPickUpItems, ...members };
  const body = { modifyAssociateId: WHO, customerPickUpDetails };
  return { method: 'PUT', path: `${NODE}/customerPickUp/confirm`, body } as const;
}

const handOver: Move = (clerk) => {
  const found = clerk.pick(clerk.orders(waits(1400)));
  if (found === undefined) return undefined;
  const [id, order] = found;
  const handOverId = clerk.newId('-h');
  const parts = given(clerk, order);
  const wish = message(id, order, parts, {
    handOverId,
    // In the town, an order has a PIN if and only if it has a proxy.
    ...(order.hasPin && clerk.chance(0.7) && { pinNumber: PROXY_PIN, verificationMethod: 'PIN' }),
    ...(order.hasPin && clerk.chance(0.5) && { collectedBy: 'PROXY' }),
  });
  return clerk.sent({
    ...wish,
    effect: new Map([[`order:${id}`, givenAway(order, handOverId, parts, 'handOver')]]),
    events: 1,
    learn: () => {
      clerk.lastHandOver = { order: id, wish };
      return undefined;
    },
  });
};

/**
 * Sends the last hand-over again. With the same content, the request succeeds and changes nothing. With other content
 * under the same id, the service rejects the request.
 */
const repeat: Move = (clerk) => {
  const last = clerk.lastHandOver;
  if (last === undefined || clerk.orders((order) => order === clerk.order(last.order)).length === 0) return undefined;
  if (clerk.order(last.order).isBlanked) return undefined;
  if (clerk.chance(0.6)) return clerk.sent(last.wish);
  const { customerPickUpDetails, ...others } = last.wish.body as { customerPickUpDetails: object };
  const other = { ...customerPickUpDetails, verificationMethod: 'OTHER' };
  return clerk.sent({ ...last.wish, body: { ...others, customerPickUpDetails: other }, expects: 409 });
};

const wrongPin: Move = (clerk) => {
  const isTry = (order: Order) => waits(1400)(order) && order.hasPin && order.wrongPins < WRONG_PINS_MAX;
  const found = clerk.pick(clerk.orders(isTry));
  if (found === undefined) return undefined;
  const [id, order] = found;
  return clerk.sent({
    ...message(id, order, given(clerk, order), { pinNumber: '0000' }),
    effect: new Map([[`order:${id}`, { ...order, wrongPins: order.wrongPins + 1 }]]),
    events: 1,
    expects: 400,
  });
};

const unlock: Move = (clerk) => {
  const found = clerk.pick(clerk.orders(({ wrongPins, hasPin }) => wrongPins > 0 && hasPin));
  if (found === undefined) return undefined;
  const [id, order] = found;
  return clerk.sent({
    method: 'POST',
    path: orderPath(id, 'pin/unlock'),
    body: { nodeId: NODE_ID, modifyAssociateId: WHO },
    effect: new Map([[`order:${id}`, { ...order, wrongPins: 0 }]]),
    events: 1,
  });
};

const deliver: Move = (clerk) => {
  const found = clerk.pick(clerk.orders(waits(1500)));
  if (found === undefined) return undefined;
  const [id, order] = found;
  const deliveryId = clerk.newId('-d');
  const parts = given(clerk, order);
  const lines = parts.map(({ line, handed, refused }) => ({
    webLineId: order.lines[line]!.web,
    deliveredQuantity: handed,
    ...canceled(refused),
  }));
  return clerk.sent({
    method: 'POST',
    path: orderPath(id, 'deliver'),
    body: { nodeId: NODE_ID, modifyAssociateId: WHO, deliveryId, lines },
    effect: new Map([[`order:${id}`, givenAway(order, deliveryId, parts, 'deliver')]]),
    events: 1,
  });
};

export const counterMoves: Moves = [
  [9, handOver],
  [2, repeat],
  [3, wrongPin],
  [1, unlock],
  [5, deliver],
];
