/**
 * Plays one trading day over HTTP until every order has ended. The script moves the clock of the service. At the end no
 * unit is open, staged or reserved, and the outcomes add up to the ordered units.
 */
import { join } from 'node:path';
import type { OrderIntake } from '../../src/orders/intake-schema.ts';
import { examine } from '../../src/service/cli/doctor.ts';
import { CATALOG, CLIENT, EXAMPLE, everyTenth, invoiceFiles, openDay, STORE, sorted } from './installation.ts';
import { ordersByDay, takeIn } from './intake.ts';
import { Journey, type Order, type OrderLine, type Said, sum } from './journey.ts';
import type { DayInput } from './run.ts';
import { keepStock, leftOver } from './shelves.ts';

/** Units by outcome: `in + resourced = shipped + pickedUp + delivered + refused + returned + declined + canceled`. */
interface EndUnits {
  in: number;
  resourced: number;
  shipped: number;
  pickedUp: number;
  delivered: number;
  refused: number;
  returned: number;
  declined: number;
  canceled: number;
  open: number;
}

interface EndSummary {
  date: string;
  orders: number;
  /** Number of orders by fulfillment type and final status. */
  ended: Record<string, number>;
  units: EndUnits;
  operations: Record<string, number>;
}

export interface EndResult {
  summary: EndSummary;
  /** One sentence for each difference; empty if all accounts agree. */
  faults: string[];
}

const END_STATES = ['3700', '3800', '3900', '9000', '9100', '9200'];
/**
 * Maximum number of days until uncollected orders expire. It is more than a week, because holidays and closed days
 * extend the time.
 */
const DAYS_MAX = 30;
const DAY_S = 86_400;

/** @throws Error if there is no data, or if the service rejects a request of the day. */
export async function runToTheEnd({ data, date, say }: DayInput): Promise<EndResult> {
  const invoices = invoiceFiles(data);
  const clock = { now: 0 };
  const day = await openDay(say, clock);
  try {
    await day.read('nodes', 'nodes.ts', [join(data, 'stores.json')]);
    await day.read('items', 'items.ts', invoices);
    const nodes = await allNodes(day.operator);
    const byDay = await ordersByDay(invoices, EXAMPLE, {
      clientId: CLIENT,
      storeId: STORE,
      currency: 'GBP',
      catalogId: CATALOG,
      nodes: nodes as never,
    });
    const worked = date ?? busiest(byDay);
    const orders = worked === 'all' ? [...byDay.values()].flat() : (byDay.get(worked) ?? []);
    const last = worked === 'all' ? [...byDay.keys()].sort().at(-1)! : worked;
    await moveTo(day.operator, `${last}T23:59:59+00:00`);
    const stores = [...new Set(orders.map((order) => order.nodeId))].sort();
    const keeping = stores.filter((_nodeId, index) => index % 2 === 0);
    for (const nodeId of keeping) await keepStock(day.operator, CLIENT, nodeId);
    const taken = await takeIn(day.caller, STORE, orders);
    const units = sum(taken, (order) => sum(order.lines, (line) => line.quantity));
    say(`${worked}: ${taken.length} orders came in, ${units} units`);
    const nodeIds = nodes.map((node) => node.nodeId);
    const journey = new Journey(
      day.caller,
      STORE,
      nodeIds,
      taken.map((order) => order.fulfillmentOrderId),
    );
    const busy = [...new Set(taken.map((order) => order.nodeId))].sort();
    let done = 0;
    const progress = everyTenth((count, total) => say(`${count} of ${total} stores have worked their queues`));
    await journey.work(busy, () => progress(Math.min(++done, busy.length), busy.length));
    await waitForExpiry(day.operator, journey);
    const final = await readAll(journey);
    const summary = summaryOf(worked, final, units, journey.said, sorted(day.operator.counts));
    const left = await leftOver(day.caller, CLIENT, keeping);
    const ill = (await examine(day.config, day.now())).filter((finding) => !finding.ok && finding.check !== 'disk');
    return {
      summary,
      faults: [
        ...disagreements(final, summary.units, journey.said),
        ...left.slice(0, 10),
        ...ill.map(({ check, found }) => `doctor, ${check}: ${found}`),
      ],
    };
  } finally {
    await day.close();
  }
}

interface Sends {
  send: <T>(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<T>;
}

async function allNodes(operator: Sends): Promise<{ nodeId: string }[]> {
  const nodes: { nodeId: string }[] = [];
  for (let after = ''; ; ) {
    const query = after === '' ? '' : `?after=${encodeURIComponent(after)}`;
    const page = await operator.send<{ nodes: { nodeId: string }[]; next?: string }>(
      'GET',
      `/operator/v1/clients/${CLIENT}/nodes${query}`,
    );
    nodes.push(...page.nodes);
    if (page.next === undefined) return nodes;
    after = page.next;
  }
}

async function moveTo(operator: Sends, advanceTo: string): Promise<void> {
  await operator.send('POST', '/operator/v1/sandbox/clock', { advanceTo });
}

/** Moves the clock day by day until all uncollected orders have expired and their units are back on the shelf. */
async function waitForExpiry(operator: Sends, journey: Journey): Promise<void> {
  for (let days = 0; days < DAYS_MAX; days += 1) {
    const open = (await readAll(journey)).filter((order) => !END_STATES.includes(order.status));
    if (open.length === 0) return;
    await operator.send('POST', '/operator/v1/sandbox/clock', { advanceBy: DAY_S });
    await journey.bringBack(new Set(open.map((order) => order.nodeId)));
  }
}

async function readAll(journey: Journey): Promise<Order[]> {
  const orders: Order[] = [];
  for (const orderId of journey.orderIds) orders.push(await journey.read(orderId));
  return orders;
}

function busiest(byDay: ReadonlyMap<string, readonly OrderIntake[]>): string {
  const [first] = [...byDay].sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1));
  if (first === undefined) throw new Error('The files have no order, so there is no day to work.');
  return first[0];
}

function summaryOf(
  date: string,
  orders: readonly Order[],
  unitsIn: number,
  said: Said,
  operations: Record<string, number>,
): EndSummary {
  const ended: Record<string, number> = {};
  for (const { fulfillmentType, status } of orders) {
    const name = `${fulfillmentType} ${status}`;
    ended[name] = (ended[name] ?? 0) + 1;
  }
  const lines = orders.flatMap((order) => order.lines);
  const handedOver = (type: string, of = orders.filter((order) => order.fulfillmentType === type)) =>
    sum(
      of.flatMap((order) => order.lines),
      (line) => line.handedOverQuantity,
    );
  const total = (member: keyof OrderLine) => sum(lines, (line) => line[member] as number);
  return {
    date,
    orders: orders.length,
    ended: sorted(ended),
    units: {
      in: unitsIn,
      resourced: said.resourced,
      shipped: handedOver('SHIP_TO_HOME'),
      pickedUp: handedOver('STORE_PICK_UP') + handedOver('SHIP_TO_STORE'),
      delivered: handedOver('ASSOCIATE_DELIVERY'),
      refused: total('refusedQuantity'),
      returned: total('returnedQuantity') + total('missingQuantity'),
      declined: total('declinedQuantity'),
      canceled: total('canceledQuantity'),
      open: total('openQuantity') + total('heldQuantity'),
    },
    operations,
  };
}

/** Returns one sentence for each difference; empty if the accounts agree. */
function disagreements(orders: readonly Order[], units: EndUnits, said: Said): string[] {
  const ordered = sum(
    orders.flatMap((order) => order.lines),
    (line) => line.orderedQuantity,
  );
  const out =
    units.shipped + units.pickedUp + units.delivered + units.refused + units.returned + units.declined + units.canceled;
  const checks: [string, number, string, number][] = [
    ['units that came in and were re-sourced', units.in + units.resourced, 'units ordered', ordered],
    ['units that came in and were re-sourced', units.in + units.resourced, 'units that are accounted for', out],
    ['units still open', units.open, 'none', 0],
    ['units shipped by the messages', said.shipped, 'by the service', units.shipped],
    ['units picked up by the messages', said.pickedUp, 'by the service', units.pickedUp],
    ['units delivered by the messages', said.delivered, 'by the service', units.delivered],
    ['units rejected by the messages', said.refused, 'by the service', units.refused],
  ];
  const open = orders.filter((order) => !END_STATES.includes(order.status));
  return [
    ...checks.flatMap(([what, a, other, b]) => (a === b ? [] : [`${what}: ${a}, but ${other}: ${b}`])),
    ...open.slice(0, 10).map((order) => `order ${order.fulfillmentOrderId} is still ${order.status}`),
    ...(open.length > 10 ? [`and ${open.length - 10} more orders are open`] : []),
  ];
}
