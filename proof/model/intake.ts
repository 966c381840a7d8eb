/** Commands that create orders, one or several in a message. Some nodes promise only available units. */
import fc from 'fast-check';
import { orderBody } from '../race/arena.ts';
import { type Command, often, type Rule, rule, seldom, unusedId } from './command.ts';
import type { Model } from './model.ts';
import { type Header, type Node, ORDER_TYPES, type OrderType, type Price } from './things.ts';
import { itemId, nodeOf, skuOf, storeOf, type World } from './world.ts';

export const PIN = '4711';

/** Amounts that need rounding: parts of a cent, shares that do not divide evenly, and amounts below zero. */
const money = {
  charges: fc.constantFrom('0', '0', '1', '0.05', '-0.5', '-12'),
  tax: fc.constantFrom('0', '0.67', '1.005'),
};

const header = fc.record({
  charges: fc.constantFrom('0', '5', '0.995', '-12'),
  tax: fc.constantFrom('0', '0.4'),
  cash: fc.constantFrom(null, '25.4', '8', '100'),
});

const NO_HEADER = { charges: '0', tax: '0', cash: null };

const intakeMembers = {
  order: fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7),
  type: fc.constantFrom<OrderType>(...ORDER_TYPES, 'STORE_PICK_UP'),
  form: fc.nat(1),
  lines: fc.array(fc.record({ sku: fc.nat(2), quantity: fc.constantFrom<number>(1, 2, 3), ...money }), {
    minLength: 1,
    maxLength: 2,
  }),
  pin: fc.boolean(),
  proxy: seldom,
  header,
};

export const intakes = fc.record(intakeMembers);

interface Intake {
  order: number;
  node?: Node;
  type: OrderType;
  form: number;
  lines: ({ sku: number; quantity: number } & Partial<Price>)[];
  pin?: boolean;
  proxy?: boolean;
  header?: Pick<Header, 'charges' | 'tax' | 'cash'>;
}

/** Each item has one price, so that a ticket has each item once. */
const UNIT_PRICES = ['9.5', '10', '3.3333'];

/** Returns the amounts of a line. Lines of older saved sequences have no amounts. */
function priceOf({ sku, charges = '0', tax = '0' }: { sku: number } & Partial<Price>): Price {
  return { unitPrice: UNIT_PRICES[sku]!, charges, tax };
}

function bodyOf(world: World, { order, node = 1, type, form, lines, pin, proxy, header = NO_HEADER }: Intake) {
  const packages = lines.map(({ quantity }, index) => ({
    checkInPackageId: `P${index}`,
    trackingNumber: `T${order}-${index}`,
    items: [{ webLineId: String(index + 1), quantity }],
  }));
  return orderBody(String(order), [], {
    nodeId: nodeOf(world, node),
    fulfillmentType: type,
    webOrderId: `web-${form}`,
    ...(type === 'SHIP_TO_HOME' && { carrier: 'UPS', service: 'GROUND' }),
    ...(type === 'SHIP_TO_STORE' && { packages, shipFromAddress: { destinationId: 'home' } }),
    ...(pin && { pinNumber: PIN }),
    ...(proxy && { proxyDetails: { name: 'Bo', email: 'bo@mail.example', phone: '+1 401 555 0102' } }),
    headerCharges: Number(header.charges),
    headerTax: Number(header.tax),
    ...(header.cash !== null && { cashOnDelivery: Number(header.cash) }),
    lines: lines.map((line, index) => {
      const { sku, quantity } = line;
      const { unitPrice, charges, tax } = priceOf(line);
      const amounts = { unitPrice: Number(unitPrice), charges: Number(charges), tax: Number(tax) };
      return { webLineId: String(index + 1), itemId: itemId(sku), quantity, ...amounts };
    }),
  });
}

const pathOf = (world: World) => `/operator/v1/stores/${storeOf(world)}/fulfillmentOrders`;

function contentOf({ node = 1, type, form, lines, pin = false, proxy = false, header = NO_HEADER }: Intake): string {
  return JSON.stringify([node, type, form, lines, pin, proxy, header]);
}

interface Unavailable {
  nodeId: string;
  itemId: string;
  wanted: number;
  available: number;
}

/** Returns the values in the error for unavailable units: node, item, wanted and available units. */
export function unavailableIn(body: unknown, { id }: World): unknown[] {
  const { items } = body as { items: Unavailable[] };
  return items.map((one) => [Number(one.nodeId.slice(id.length + 1)), skuOf(one.itemId), one.wanted, one.available]);
}

/**
 * Creates all orders of a message, or no order. An order that already exists, or that is earlier in the message, is not
 * created again.
 */
function takeIn(model: Model, intakes: readonly Intake[]) {
  const known = new Map([...model.orders].map(([id, { content }]) => [id, content]));
  const fresh: Intake[] = [];
  let differs = false;
  for (const one of intakes) {
    const before = known.get(one.order);
    if (before !== undefined && before !== contentOf(one)) {
      // A message that has one order twice with different content is invalid.
      if (!model.orders.has(one.order)) return { status: 400 };
      differs = true;
    }
    if (before !== undefined) continue;
    const { node = 1, lines } = one;
    if (lines.some(({ sku }) => !model.items.has(sku) || model.holds.has(`${node}/${sku}`))) return { status: 400 };
    known.set(one.order, contentOf(one));
    fresh.push(one);
  }
  if (differs) return { status: 409, code: 'CONFLICT' };
  const wanted = fresh.flatMap(({ node = 1, type, lines }) =>
    type === 'SHIP_TO_STORE' ? [] : lines.map(({ sku, quantity }) => ({ node, sku, quantity })),
  );
  const refused = model.unavailable(wanted);
  if (refused.length > 0) return { status: 409, code: 'NOT_AVAILABLE', names: refused };
  for (const one of fresh) {
    const { order: id, node = 1, type, lines, pin = false, proxy = false, header = NO_HEADER } = one;
    model.addOrder(
      { id, content: contentOf(one), type, node, from: null, hasPin: pin, hasProxy: proxy },
      lines.map((line, index) => ({ web: index + 1, sku: line.sku, quantity: line.quantity, price: priceOf(line) })),
      header,
    );
  }
  return { status: fresh.length > 0 ? 201 : 200 };
}

const intake = rule<Intake & { fresh?: boolean }, unknown>({
  weight: 5,
  members: fc.record({ ...intakeMembers, fresh: often }),
  fit(model, command) {
    const order = command.fresh === true ? unusedId(model) : command.order;
    return order === undefined ? undefined : { ...command, order };
  },
  send: (world, command) => world.call('POST', pathOf(world), bodyOf(world, command)),
  expect: (model, command) => takeIn(model, [command]),
  names: unavailableIn,
});

const one = fc.record({ ...intakeMembers, isShipped: seldom }).map(({ isShipped, ...made }): Intake => {
  // The second node only ships orders.
  return isShipped ? { ...made, node: 2, type: 'SHIP_TO_HOME' } : made;
});

/** Several orders in one message, for one node or two. The service creates all of these orders, or no order. */
const intakeSeveral = rule<{ orders: Intake[]; fresh?: boolean }, unknown>({
  weight: 2,
  members: fc.record({ orders: fc.array(one, { minLength: 2, maxLength: 3 }), fresh: often }),
  fit({ orders: all }, command) {
    if (command.fresh !== true) return command;
    const free = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((id) => !all.has(id));
    if (free.length < command.orders.length) return undefined;
    return { ...command, orders: command.orders.map((order, index) => ({ ...order, order: free[index]! })) };
  },
  send: (world, { orders }) =>
    world.call(
      'POST',
      pathOf(world),
      orders.map((order) => bodyOf(world, order)),
    ),
  expect: (model, { orders }) => takeIn(model, orders),
  names: unavailableIn,
});

export const intaking: Record<string, Rule<Command>> = { intake, intakeSeveral };
