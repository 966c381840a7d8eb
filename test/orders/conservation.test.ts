import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PickTicketRow } from '../../src/platform/storage/tables.ts';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import type { FulfillmentType } from '../../src/shared/client-settings.ts';
import { DEL, ISPU, SFS, type Ticket } from '../picking/picking.ts';
import { keepStock } from '../stock/stock.ts';
import { ENGINE } from '../support/store.ts';
import { type Flow, OTHER_NODE, openFlow } from './flow.ts';

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
  // Stock is tracked, because `backroom doctor` compares it with the units of the orders.
  await keepStock(town, 'TOWN-Store001');
  await keepStock(town, OTHER_NODE);
});
afterAll(() => town.close());

const QUEUE: Partial<Record<FulfillmentType, string>> = {
  STORE_PICK_UP: ISPU,
  SHIP_TO_HOME: SFS,
  ASSOCIATE_DELIVERY: DEL,
};

/** One action on orders; a rejected action changes nothing. `share` is the part of the available units. */
const step = fc.record({
  what: fc.constantFrom(
    'generate',
    'confirm',
    'reset',
    'cancel',
    'cancelAll',
    'decline',
    'answer',
    'bringBack',
    'expire',
  ),
  order: fc.nat({ max: 1 }),
  line: fc.nat({ max: 1 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const wish = fc.record({
  type: fc.constantFrom('STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'),
  units: fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })), {
    minLength: 2,
    maxLength: 2,
  }),
  steps: fc.array(step, { minLength: 4, maxLength: 14 }),
});

it('after any sequence of actions, units add up on every line and each order is in the state of its units', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(wish, async ({ type, units, steps }) => {
      const orders = [await town.make(type, units[0]), await town.make(type, units[1])];
      const tickets: Ticket[] = [];
      for (const one of steps) {
        const status = await perform(type, orders, tickets, one, () => `C${String(++count).padStart(5, '0')}`);
        expect([200, 201, 204, 400, 404, 409], one.what).toContain(status);
        for (const orderId of orders) await town.conserved(orderId);
      }
    }),
    { numRuns: ENGINE === 'sqlite' ? 25 : 8, endOnFailure: true },
  );
  const broken = (await ruleFindings(town.store)).filter((finding) => !finding.ok);
  expect(broken).toEqual([]);
}, 600_000);

async function perform(
  type: FulfillmentType,
  orders: string[],
  tickets: Ticket[],
  { what, order, line, share }: Step,
  newId: () => string,
): Promise<number> {
  const orderId = orders[order]!;
  const webLineId = String(line + 1);
  const partOf = (units: number) => Math.floor(share * (units + 0.999));
  switch (what) {
    case 'generate': {
      if (type === 'SHIP_TO_STORE') return 200;
      const answer = await town.generate(orders.slice(0, share < 0.5 ? 1 : 2), { queueId: QUEUE[type] });
      if (answer.status === 201) tickets.push((answer.body as { pickTicketDetails: [Ticket] }).pickTicketDetails[0]);
      return answer.status;
    }
    case 'confirm': {
      if (type === 'SHIP_TO_STORE') {
        const ordered = (await town.lines(orderId)).map((one) => partOf(one.ordered));
        return (await town.checkIn(orderId, ordered)).status;
      }
      const ticket = tickets.at(-1);
      if (ticket === undefined) return 200;
      const most = Math.max(...ticket.pickTicketItems.map((item) => item.quantity));
      return (await town.pick(ticket, [Math.min(partOf(most), quantityOf(ticket, 0)), quantityOf(ticket, 1)])).status;
    }
    case 'reset':
      return tickets.length === 0 ? 200 : (await town.reset(tickets.at(-1)!)).status;
    case 'cancel':
      return (await town.cancel(orderId, { lines: [{ webLineId, quantity: 1 + partOf(3) }] })).status;
    case 'cancelAll':
      return (await town.cancel(orderId)).status;
    case 'decline':
      return (await town.decline(orderId, { [webLineId]: 1 + partOf(1) })).status;
    case 'answer': {
      const open = (await town.requestsOf(orderId)).find((request) => request['status'] === 'OPEN');
      if (open === undefined) return 200;
      const resource = { outcome: 'RESOURCE', nodeId: OTHER_NODE, fulfillmentOrderId: newId() };
      const answer = await town.answer(open['requestId'], share < 0.5 ? { outcome: 'CANCEL' } : resource);
      if (share >= 0.5) await town.conserved(resource.fulfillmentOrderId);
      return answer.status;
    }
    case 'bringBack': {
      const [ticket]: PickTicketRow[] = await town.reverse(orderId);
      return ticket === undefined ? 200 : (await town.bringBack(ticket)).status;
    }
    case 'expire':
      return (await town.expire(orderId)) ? 200 : 409;
  }
}

function quantityOf(ticket: Ticket, index: number): number {
  const itemId = ['21-SOAP-LAV', '21-LAMP-BRS'][index];
  return ticket.pickTicketItems.find((item) => item.itemDetails.itemId === itemId)?.quantity ?? 0;
}
