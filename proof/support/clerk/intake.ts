/** Moves that create orders of every type. */

import { ENTRY_STATE } from '../../../src/kernel/states.ts';
import { townOrderBodies, townOrders } from '../../../src/service/demo/orders.ts';
import { newLine, newOrder, type World } from '../world.ts';
import type { Clerk, Move, Moves } from './clerk.ts';
import { freeItems } from './goods.ts';
import { NODE_ID, OWN, STORE_ID } from './words.ts';

const bodies = townOrderBodies(Date.now())[STORE_ID] as Record<string, unknown>[];
const like = (id: string) => bodies.find((body) => body['fulfillmentOrderId'] === id)!;

/** Orders of the town that the clerks' orders are copied from. */
const LIKE = [
  { type: 'STORE_PICK_UP', body: like(townOrders.waiting), hasPin: false },
  { type: 'STORE_PICK_UP', body: like(townOrders.proxy), hasPin: true },
  { type: 'SHIP_TO_HOME', body: like(townOrders.toShip), hasPin: false },
  { type: 'ASSOCIATE_DELIVERY', body: like(townOrders.delivery), hasPin: false },
] as const;
const arriving = like(townOrders.arriving);

const PATH = `${OWN}/stores/${STORE_ID}/fulfillmentOrders`;

/** Units in packages that arrive by carrier. Each package has pairs of a line index and a number of units. */
export const ARRIVING = [
  [
    [0, 1],
    [1, 1],
  ],
  [[1, 2]],
] as const;
export const ARRIVING_PACKAGES = (arriving['packages'] as { checkInPackageId: string }[]).map(
  ({ checkInPackageId }) => checkInPackageId,
);

const takeOrders: Move = (clerk) => {
  const { type, body, hasPin } = clerk.pick(LIKE)!;
  const items = freeItems(clerk);
  if (items.length === 0) return undefined;
  const effect: World = new Map();
  const orders = Array.from({ length: 1 + clerk.below(3) }, (_, index) => {
    const id = clerk.newId(`-${index}`);
    const lines = someOf(clerk, items, 1 + clerk.below(3)).map((item, line) =>
      newLine(String(line + 1), item, 1 + clerk.below(5)),
    );
    effect.set(`order:${id}`, newOrder({ type, node: NODE_ID, status: ENTRY_STATE[type], lines, hasPin }));
    const sent = lines.map(({ web, item, ordered }) => ({
      webLineId: web,
      itemId: item,
      quantity: ordered,
      unitPrice: 9.5,
    }));
    return { ...body, fulfillmentOrderId: id, omsOrderId: id, webOrderId: id, lines: sent };
  });
  return clerk.sent({ method: 'POST', path: PATH, body: orders, effect, events: orders.length });
};

const takeArriving: Move = (clerk) => {
  const items = someOf(clerk, freeItems(clerk), 2);
  if (items.length < 2) return undefined;
  const id = clerk.newId();
  const lines = items.map((item, index) => newLine(String(index + 1), item, [1, 3][index]!));
  const packages = (arriving['packages'] as object[]).map((one, index) => ({
    ...one,
    trackingNumber: `${id}-${index}`,
  }));
  const body = {
    ...arriving,
    fulfillmentOrderId: id,
    omsOrderId: id,
    webOrderId: id,
    packages,
    lines: (arriving['lines'] as object[]).map((line, index) => ({ ...line, itemId: items[index] })),
  };
  const order = newOrder({
    type: 'SHIP_TO_STORE',
    node: NODE_ID,
    status: ENTRY_STATE.SHIP_TO_STORE,
    lines,
    hasPin: false,
    arrivals: ARRIVING.flat().map(() => [null, null]),
  });
  return clerk.sent({ method: 'POST', path: PATH, body, effect: new Map([[`order:${id}`, order]]), events: 1 });
};

/** Returns `count` consecutive elements of a list from a random start, or the whole list if it is shorter. */
function someOf<T>(clerk: Clerk, list: readonly T[], count: number): T[] {
  const from = clerk.below(Math.max(1, list.length - count + 1));
  return list.slice(from, from + count);
}

export const intakeMoves: Moves = [
  [12, takeOrders],
  [4, takeArriving],
];
