/** Moves that check in the packages of an order in the store, one package at a time or all together. */

import { moved, type Order, type World, withLines } from '../world.ts';
import type { Move, Moves } from './clerk.ts';
import { hold } from './goods.ts';
import { ARRIVING, ARRIVING_PACKAGES } from './intake.ts';
import { DAMAGED, NODE, WHERE, WHO } from './words.ts';

const checkIn: Move = (clerk) => {
  const found = clerk.pick(clerk.orders(({ status }) => status === 1300));
  if (found === undefined) return undefined;
  const [id, before] = found;
  const isLast = before.arrivals[0]![0] !== null || clerk.chance(0.5);
  const damaged = clerk.below(3);
  const counted = ARRIVING.map((parts, box) =>
    parts.map(([line, units]) => ({ line, units, lost: box === 1 ? damaged : 0 })),
  );
  const boxes = counted.map((parts, box) => ({
    checkInPackageId: ARRIVING_PACKAGES[box]!,
    checkInPackageItems: parts.map(({ line, units, lost }) => ({
      itemId: before.lines[line]!.item,
      webLineId: before.lines[line]!.web,
      quantity: units,
      checkInQuantity: units - lost,
      checkInCanceledQuantity: lost,
      ...(lost > 0 && { checkInCancellationReasonCode: DAMAGED }),
    })),
  }));
  const answered = counted.flat().map(({ units, lost }) => [units - lost, lost]);
  const effect: World = new Map();
  const declined = isLast && damaged > 0;
  effect.set(
    `order:${id}`,
    isLast
      ? checkedIn({ ...before, arrivals: answered }, damaged)
      : { ...before, arrivals: [...answered.slice(0, 2), ...before.arrivals.slice(2)] },
  );
  const fulfillmentOrder = {
    action: isLast ? 'CONFIRM' : 'UPDATE',
    ...WHERE,
    fulfillmentOrderId: id,
    holdLocation: 'A2',
    checkInPackages: isLast ? boxes : boxes.slice(0, 1),
  };
  return clerk.sent({
    method: 'POST',
    path: `${NODE}/fulfillmentOrders/${id}/checkin`,
    body: { modifyAssociateId: WHO, fulfillmentOrder },
    events: 1 + (declined ? hold(clerk, [before.lines[1]!.item], effect) : 0),
    effect,
  });
};

function checkedIn(order: Order, damaged: number): Order {
  const lost = (index: number) => (index === 1 ? damaged : 0);
  const after = withLines(order, ({ ordered }, index) => ({ picked: ordered - lost(index), declined: lost(index) }));
  return moved(after, 'confirmCheckIn');
}

export const checkInMoves: Moves = [[9, checkIn]];
