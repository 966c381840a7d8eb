/** Messages to customers that their goods are ready: the first message, further messages, and retries. */
import type { Clerk, Move, Moves } from './clerk.ts';
import { orderPath, WHO } from './words.ts';

const ready: Move = (clerk) => {
  const found = clerk.pick(clerk.orders(({ status }) => status === 1400));
  if (found === undefined) return undefined;
  return asked(clerk, clerk.newId('-y'), found[0]);
};

/** Sends the request of a message again, which has no effect. */
const again: Move = (clerk) => {
  const found = clerk.pick(clerk.all<{ order: string }>('message', ({ order }) => !clerk.order(order).isBlanked));
  return found && asked(clerk, found[0], found[1].order);
};

function asked(clerk: Clerk, messageId: string, order: string) {
  const isNew = !clerk.world.has(`message:${messageId}`);
  return clerk.sent({
    method: 'POST',
    path: orderPath(order, 'contact'),
    // READY is not allowed for an order with declined units.
    body: { messageId, kind: 'PARTLY_READY', userId: WHO },
    effect: new Map(isNew ? [[`message:${messageId}`, { order, status: 'TOLD' }]] : []),
    events: isNew ? 1 : 0,
  });
}

export const contactMoves: Moves = [
  [2, ready],
  [1, again],
];
