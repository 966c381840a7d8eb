/** Commands of an order in packing: packing slip, packages, and units that turn out to be broken. */
import fc from 'fast-check';
import {
  type Command,
  hasTwice,
  lineIn,
  lineOf,
  meant,
  ofOrder,
  order,
  type Rule,
  rule,
  several,
  share,
  unitsIn,
  webOf,
} from './command.ts';
import type { Model } from './model.ts';
import { totalIn, totalOf } from './money.ts';
import { actionsIn, boxesIn, boxesOf, placeOf, type UnitsShown, unitsOf, unitsShown } from './orders.ts';
import { type Box, isPacked, type Line, type Order, packed, type Total, wanted } from './things.ts';
import { itemId, ownPath } from './world.ts';

const isToPack = (order: Order) => order.status === 1200;

const packSlip = rule({
  weight: 2,
  members: fc.record(order),
  fit: (model, command) => meant(model, command, ({ type, status }) => type === 'SHIP_TO_HOME' && status >= 1200),
  tries: (_model, { order }) => [{ order, action: 'packSlip' }],
  send(world, { order }: { order: number; near?: boolean }) {
    const { where } = placeOf(world, order);
    const body = { ...where, modifyAssociateId: 'ana', fulfillmentOrderId: String(order) };
    return world.call('POST', `/stores/${where.storeId}/fulfillmentOrders/${order}/packslip/generate`, body);
  },
  expect(model, { order: id }) {
    const order = model.orders.get(id);
    if (order?.type !== 'SHIP_TO_HOME' || (order.status !== 1200 && order.status !== 3700)) {
      return { status: 400, how: 'state' };
    }
    const boxes = boxesOf(order).map(([, , items]) => items);
    const units = order.lines.flatMap((line) => {
      const quantity = wanted(line) + line.handed;
      return quantity === 0 ? [] : [[line.web, quantity]];
    });
    if (boxes.length === 0 && units.length === 0) return { status: 400, how: 'state' };
    return { status: 200, shows: [boxes.length === 0 ? [units] : boxes, slipTotal(model, order, boxes.length > 0)] };
  },
  shows: (body: {
    packSlipDetails: [
      {
        fulfillmentOrder: {
          packages: { packageItems: { webLineId: string; quantity: number }[] }[];
          orderTotal: Record<keyof Total, unknown>;
        };
      },
    ];
  }) => {
    const { packages, orderTotal } = body.packSlipDetails[0].fulfillmentOrder;
    const shown = packages.map((one) => one.packageItems.map((item) => [Number(item.webLineId), item.quantity]));
    return [shown, totalIn(orderTotal)];
  },
});

/**
 * Returns the amounts of a packing slip. A shipped order has its charged amounts. Another order has the amounts of the
 * units in its packages, or of all wanted units if it has no packages.
 */
function slipTotal(model: Model, order: Order, isInBoxes: boolean): Total {
  if (order.status === 3700) return order.charged.at(-1)!;
  const going = order.lines.map((line) => ({
    line,
    units: isInBoxes ? packed(order, line.web) : wanted(line),
    from: 0,
  }));
  return totalOf(going, model.headerOf(order));
}

const packDetails = rule({
  weight: 2,
  members: fc.record(order),
  fit: (model, command) => meant(model, command, ({ type, status }) => isPacked(type) && status >= 1200),
  send(world, { order }: { order: number; near?: boolean }) {
    const { where } = placeOf(world, order);
    const path = `/stores/${where.storeId}/fulfillmentOrders/${order}/packages?nodeId=${where.nodeId}`;
    return world.call('POST', path, { ...where, fulfillmentOrderId: String(order) });
  },
  expect(model, { order: id }) {
    const order = model.orders.get(id);
    if (order === undefined || !isPacked(order.type) || order.status < 1200) return { status: 400 };
    const lines = order.lines.map((line) => {
      const units = packed(order, line.web);
      const all = order.status === 1200 ? wanted(line) : units;
      return [line.web, all, units, all - units];
    });
    return { status: 200, shows: [order.status, boxesOf(order), lines, model.allowed(order)] };
  },
  shows({
    packDetail: [detail],
  }: {
    packDetail: [
      {
        status: string;
        packages: Parameters<typeof boxesIn>[0];
        packLines: { webLineId: string; wantedQuantity: number; packedQuantity: number; toPackQuantity: number }[];
        allowedActions: { action: string; allowed: boolean }[];
      },
    ];
  }) {
    const lines = detail.packLines.map((line) => [
      Number(line.webLineId),
      line.wantedQuantity,
      line.packedQuantity,
      line.toPackQuantity,
    ]);
    return [Number(detail.status), boxesIn(detail.packages), lines, actionsIn(detail.allowedActions)];
  },
});

interface Sent {
  action: 'CREATE' | 'MODIFY' | 'VOID';
  box: number;
  tracked: boolean;
  /**
   * The share `all` means all units of the line that must be packed. MODIFY without items leaves the units of the
   * package unchanged.
   */
  items: { line: number; share: string }[];
}

function quantityOf(order: Order | undefined, box: number, { line, share }: { line: number; share: string }): number {
  const known = lineOf(order, line);
  return known === undefined ? 1 : Math.max(1, unitsIn(share, wanted(known) - packed(order!, known.web, box)));
}

const MEASURES = {
  boxWeight: { unit: 'LB', value: 2 },
  packingMaterialWeight: { unit: 'LB', value: 0.5 },
  length: { unit: 'IN', value: 9 },
  height: { unit: 'IN', value: 5 },
  width: { unit: 'IN', value: 4 },
};

interface Pack {
  order: number;
  near?: boolean;
  packages: Sent[];
}

const pack = rule<Pack, unknown>({
  weight: 11,
  members: fc.record({
    ...order,
    packages: several(
      fc.record({
        action: fc.constantFrom('CREATE', 'CREATE', 'CREATE', 'MODIFY', 'VOID'),
        box: fc.constantFrom<number>(0, 1, 2),
        tracked: fc.constantFrom(true, true, false),
        items: several(fc.record({ line: lineIn, share }), ({ line }) => line, 0),
      }),
      ({ box }) => box,
    ),
  }),
  fit(model, command) {
    const known = meant(model, command, isToPack);
    if (known?.near !== true) return known;
    const order = model.orders.get(known.order);
    return { ...known, packages: known.packages.map((one) => sensible(order, one)) };
  },
  tries: (_model, { order }) => [{ order, action: 'pack' }],
  send(world, { order: id, packages }) {
    const { where } = placeOf(world, id);
    const order = world.model.orders.get(id);
    const sent = packages.map(({ action, box, tracked, items }) => {
      const head = { action, boxId: String(box) };
      if (action === 'VOID') return head;
      const packageItems = items.map((item) => ({
        webLineId: String(webOf(order, item.line)),
        itemId: itemId(lineOf(order, item.line)?.sku ?? 0),
        quantity: quantityOf(order, box, item),
      }));
      return {
        ...head,
        ...(tracked && { trackingNumber: `T-${id}-${box}` }),
        ...(action === 'CREATE' && MEASURES),
        ...(items.length > 0 && { packageItems }),
      };
    });
    const packDetails = { ...where, fulfillmentOrderId: String(id), packages: sent };
    const path = `/stores/${where.storeId}/fulfillmentOrders/${id}/package/update`;
    return world.call('PUT', path, { modifyAssociateId: 'ana', packDetails });
  },
  expect(model, { order: id, packages }) {
    const order = model.orders.get(id);
    if (order === undefined) return { status: 404 };
    if (!isPacked(order.type)) return { status: 409, how: 'state' };
    const isOpen = order.status === 1200;
    const changes: Box[] = [];
    if (hasTwice(packages.map(({ box }) => box))) return { status: 400 };
    for (const sent of packages) {
      const change = hear(order, sent, isOpen);
      if (change === 'wrong') return { status: 400 };
      if (change !== undefined) changes.push(change);
    }
    const after = [...order.boxes.filter(({ box }) => !changes.some((one) => one.box === box)), ...changes];
    const isOver = (line: Line) => packed({ ...order, boxes: after }, line.web) > wanted(line);
    if (isOpen && order.lines.some(isOver)) return { status: 400 };
    if (changes.length === 0) return { status: 204, how: 'repeat' };
    if (!isOpen) return { status: 409, how: 'state' };
    for (const change of changes) {
      const before = order.boxes.findIndex(({ box }) => box === change.box);
      if (before < 0) order.boxes.push(change);
      else order.boxes[before] = change;
    }
    model.pack(order);
    return { status: 204 };
  },
});

/**
 * Makes the message plausible. CREATE gets an unused package number and some units; MODIFY and VOID get an existing
 * package.
 */
function sensible(order: Order | undefined, sent: Sent): Sent {
  const recorded = order?.boxes.filter(({ items }) => items.size > 0).map(({ box }) => box) ?? [];
  const action = recorded.length === 0 ? 'CREATE' : sent.action;
  const free = [0, 1, 2].filter((box) => !recorded.includes(box));
  const boxes = action === 'CREATE' ? free : recorded;
  const box = boxes.length === 0 || boxes.includes(sent.box) ? sent.box : boxes[0]!;
  const isEmpty = action === 'CREATE' && sent.items.length === 0;
  const items = isEmpty ? [0, 1].map((line) => ({ line, share: 'all' })) : sent.items;
  return { ...sent, action, box, items: ofOrder(order, true, items) };
}

/** Returns the package after the message; undefined if the message changes nothing, 'wrong' if it is invalid. */
function hear(order: Order, { action, box, tracked, items }: Sent, isOpen: boolean): Box | 'wrong' | undefined {
  const before = order.boxes.find((one) => one.box === box);
  const recorded = before !== undefined && before.items.size > 0 ? before : undefined;
  if (action === 'VOID' && before !== undefined) {
    return recorded && { box, tracked: false, items: new Map() };
  }
  if (action !== 'VOID') {
    const isUnknown = items.some(({ line }) => lineOf(order, line) === undefined);
    if (isUnknown || hasTwice(items.map(({ line }) => line)) || (action === 'CREATE' && items.length === 0)) {
      return 'wrong';
    }
  }
  const none = { box, tracked: false, items: new Map<number, number>() };
  if (action !== 'CREATE' && recorded === undefined) return isOpen ? 'wrong' : none;
  const units = items.map((item): [number, number] => [webOf(order, item.line), quantityOf(order, box, item)]);
  const wish = {
    box,
    tracked: tracked || (action === 'MODIFY' && recorded!.tracked),
    items: items.length === 0 ? recorded!.items : new Map(units),
  };
  if (recorded !== undefined && contentOf(recorded) === contentOf(wish)) return undefined;
  return action === 'CREATE' && recorded !== undefined && isOpen ? 'wrong' : wish;
}

function contentOf({ tracked, items }: Box): string {
  return JSON.stringify([tracked, [...items].sort(([a], [b]) => a - b)]);
}

interface Decline {
  order: number;
  near?: boolean;
  lines: { line: number; share: string }[];
}

const declinedOf = (order: Order | undefined, { line, share }: Decline['lines'][number]) => {
  const known = lineOf(order, line);
  return known === undefined ? 1 : Math.max(1, unitsIn(share, wanted(known)));
};

const decline = rule<Decline, UnitsShown>({
  weight: 2,
  members: fc.record({
    ...order,
    lines: several(fc.record({ line: lineIn, share }), ({ line }) => line),
  }),
  fit(model, command) {
    const known = meant(model, command, isToPack);
    return known && { ...known, lines: ofOrder(model.orders.get(known.order), known.near === true, known.lines) };
  },
  tries: (_model, { order }) => [{ order, action: 'decline' }],
  send(world, { order: id, lines }) {
    const { where } = placeOf(world, id);
    const order = world.model.orders.get(id);
    const sent = lines.map((one) => ({
      webLineId: String(webOf(order, one.line)),
      quantity: declinedOf(order, one),
      reasonCode: 'CancelMXPickDecline',
    }));
    return world.call('POST', `${ownPath(world, id)}/decline`, {
      nodeId: where.nodeId,
      modifyAssociateId: 'ana',
      lines: sent,
    });
  },
  expect(model, { order: id, lines }) {
    const order = model.orders.get(id);
    const isWrong = (one: Decline['lines'][number]) =>
      order !== undefined && declinedOf(order, one) > (lineOf(order, one.line)?.ordered ?? 0);
    if (hasTwice(lines.map(({ line }) => line)) || lines.some(isWrong)) return { status: 400 };
    if (order === undefined) return { status: 404 };
    if (order.status !== 1200) return { status: 409, how: 'state' };
    const wish = lines.map((one) => ({ line: lineOf(order, one.line)!, quantity: declinedOf(order, one) }));
    if (wish.some(({ line, quantity }) => quantity > wanted(line))) return { status: 409 };
    for (const { line, quantity } of wish) {
      line.picked -= quantity;
      line.declined += quantity;
    }
    model.follow([{ order, lines: wish }]);
    model.fewer(order);
    return { status: 200, shows: unitsOf(model, order) };
  },
  shows: unitsShown,
});

export const packing: Record<string, Rule<Command>> = { packSlip, packDetails, pack, decline };
