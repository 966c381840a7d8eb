/** The moves of clerks on packages of orders that are shipped or delivered, and declines of broken units. */

import { stateByPackages } from '../../../src/kernel/states.ts';
import { leftUnits } from '../../../src/kernel/units.ts';
import { moved, type Order, type Part, packedOfLine, type World, wantedOf, withLines } from '../world.ts';
import type { Clerk, Move, Moves, Sent } from './clerk.ts';
import { hold } from './goods.ts';
import { BROKEN, CLIENT, NODE_ID, orderPath, STORE_ID, WHERE, WHO } from './words.ts';

const isPacking = (order: Order) => order.status === 1200 && wantedOf(order) > 0;
const pounds = { unit: 'LBS', value: 1.5 };
const inches = { unit: 'IN', value: 12 };
const MEASURES = { boxWeight: pounds, packingMaterialWeight: pounds, length: inches, height: inches, width: inches };

const create: Move = (clerk) => {
  const found = clerk.pick(clerk.orders((order) => isPacking(order) && unpacked(order).length > 0));
  if (found === undefined) return undefined;
  const [id, order] = found;
  const all = unpacked(order);
  const parts = clerk.chance(0.6) ? all : all.slice(0, 1).map(([line, units]): Part => [line, 1 + clerk.below(units)]);
  const box = clerk.newId('-b');
  const tracking = clerk.chance(0.7) ? `T-${box}` : null;
  const sent = {
    action: 'CREATE',
    boxId: box,
    ...(tracking !== null && { trackingNumber: tracking }),
    ...MEASURES,
    packageItems: itemsOf(order, parts),
  };
  return pack(clerk, id, { ...order, packages: [...order.packages, { box, tracking, parts }] }, sent);
};

/** Sets the tracking number of a package, and sometimes removes units from it. */
const modify: Move = (clerk) => {
  const found = clerk.pick(clerk.orders((order) => isPacking(order) && order.packages.length > 0));
  if (found === undefined) return undefined;
  const [id, order] = found;
  const old = clerk.pick(order.packages)!;
  const tracking = `M-${clerk.newId()}`;
  const [line, units] = old.parts[0]!;
  const isLighter = units > 1 && clerk.chance(0.2);
  const parts: Part[] = isLighter ? [[line, units - 1], ...old.parts.slice(1)] : old.parts;
  const packages = order.packages.map((one) => (one === old ? { box: old.box, tracking, parts } : one));
  const sent = {
    action: 'MODIFY',
    boxId: old.box,
    trackingNumber: tracking,
    ...(isLighter && { packageItems: itemsOf(order, parts) }),
  };
  return pack(clerk, id, { ...order, packages }, sent);
};

const voidPackage: Move = (clerk) => {
  const found = clerk.pick(clerk.orders((order) => isPacking(order) && order.packages.length > 0));
  if (found === undefined) return undefined;
  const [id, order] = found;
  const old = clerk.pick(order.packages)!;
  const packages = order.packages.filter((one) => one !== old);
  return pack(clerk, id, { ...order, packages }, { action: 'VOID', boxId: old.box });
};

function unpacked(order: Order): Part[] {
  return order.lines
    .map((line, index): Part => [index, leftUnits(line) - packedOfLine(order, index)])
    .filter(([, units]) => units > 0);
}

function itemsOf(order: Order, parts: readonly Part[]) {
  return parts.map(([line, quantity]) => ({
    itemId: order.lines[line]!.item,
    webLineId: order.lines[line]!.web,
    quantity,
  }));
}

/** Returns the request for one package. `after` is the order as it is after the request. */
function pack(clerk: Clerk, id: string, after: Order, sent: object): Sent {
  const packed = after.lines.reduce((sum, _line, index) => sum + packedOfLine(after, index), 0);
  const status = stateByPackages(after.type, {
    packages: after.packages.length,
    packed,
    toPack: wantedOf(after) - packed,
    untracked: after.packages.filter(({ tracking }) => tracking === null).length,
  });
  const isShipped = status === 3700;
  const order = isShipped ? withLines(after, (line) => ({ handed_over: line.handed_over + leftUnits(line) })) : after;
  return clerk.sent({
    method: 'PUT',
    path: `/stores/${STORE_ID}/fulfillmentOrders/${id}/package/update`,
    body: { modifyAssociateId: WHO, packDetails: { ...WHERE, fulfillmentOrderId: id, packages: [sent] } },
    effect: new Map([[`order:${id}`, { ...order, status }]]),
    events: isShipped ? 2 : 1,
  });
}

/** Reports the tracking status of a package, which changes no order. */
const track: Move = (clerk) => {
  const numbers = clerk
    .orders(({ isBlanked }) => !isBlanked)
    .flatMap(([, { packages }]) => packages.flatMap(({ tracking }) => tracking ?? []));
  const trackingNumber = clerk.pick(numbers);
  if (trackingNumber === undefined) return undefined;
  const at = '2026-03-02T11:00:00Z';
  const report = { trackingEventId: clerk.newId('-w'), trackingNumber, tracking: 'IN_TRANSIT', at };
  return clerk.sent({
    method: 'POST',
    path: `${CLIENT}/trackingReports`,
    body: { reports: [report] },
    effect: new Map(),
    events: 1,
  });
};

/** Declines units only while the order has no packages, so that no package changes. */
const decline: Move = (clerk) => {
  const found = clerk.pick(clerk.orders((order) => isPacking(order) && order.packages.length === 0));
  if (found === undefined) return undefined;
  const [id, before] = found;
  const index = before.lines.findIndex((line) => leftUnits(line) > 0);
  const line = before.lines[index]!;
  const units = 1 + clerk.below(leftUnits(line));
  const less = withLines(before, ({ picked, declined }, at) =>
    at === index ? { picked: picked - units, declined: declined + units } : {},
  );
  const asks = before.type === 'SHIP_TO_HOME';
  const order: Order = asks
    ? { ...less, requests: [...less.requests, { status: 'OPEN', parts: [[index, units]], newOrder: null }] }
    : less;
  const effect: World = new Map([[`order:${id}`, moved(order, 'decline')]]);
  const held = hold(clerk, [line.item], effect);
  return clerk.sent({
    method: 'POST',
    path: orderPath(id, 'decline'),
    body: {
      nodeId: NODE_ID,
      modifyAssociateId: WHO,
      lines: [{ webLineId: line.web, quantity: units, reasonCode: BROKEN }],
    },
    effect,
    events: 1 + (asks ? 1 : 0) + held,
  });
};

export const packingMoves: Moves = [
  [14, create],
  [6, modify],
  [2, voidPackage],
  [3, decline],
];

export const carrierMoves: Moves = [[2, track]];
