import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ITEMS_MAX } from '../../src/kernel/tickets/generate.ts';
import {
  faultsOf,
  GENERATE,
  generateBody,
  ISPU,
  type LineWish,
  openPicking,
  type Picking,
  SFS,
  without,
} from './picking.ts';

let town: Picking;
beforeAll(async () => {
  town = await openPicking({ neighbours: true });
});
afterAll(() => town.close());

const one = () => town.order({ lines: [['MUG-WHT', 1]] });

/** Sends a body that the service must reject, and checks that nothing changed. */
async function refused(body: unknown, status = 400) {
  const before = await town.rows();
  const answer = await town.client.post(GENERATE, body);
  expect(answer.status, answer.text).toBe(status);
  expect(await town.rows()).toEqual(before);
  return answer;
}

describe('the request of generate', () => {
  it.each([['storeId'], ['nodeId'], ['queueId'], ['userId'], ['fulfillmentOrderIds'], ['modifyAssociateId']])(
    '%s is required',
    async (member) => {
      const answer = await refused(without(generateBody([await one()]), member));
      expect(faultsOf(answer)).toEqual([`/${member} required`]);
    },
  );

  it.each([['storeId'], ['nodeId'], ['queueId'], ['userId'], ['modifyAssociateId']])(
    '%s is a string',
    async (member) => {
      for (const wrong of [1, true, ['A'], { a: 1 }]) {
        const answer = await refused(generateBody([town.orders.waiting], { [member]: wrong }));
        expect(faultsOf(answer)).toEqual([`/${member} type`]);
      }
    },
  );

  it.each([['storeId'], ['nodeId'], ['queueId'], ['userId'], ['modifyAssociateId']])(
    '%s is not empty and has no white space at either end',
    async (member) => {
      for (const wrong of ['', ' A', 'A ']) {
        const answer = await refused(generateBody([town.orders.waiting], { [member]: wrong }));
        expect(faultsOf(answer).every((fault) => fault.startsWith(`/${member} `))).toBe(true);
      }
    },
  );

  it.each([
    ['userId', 64],
    ['modifyAssociateId', 64],
  ])('%s takes up to %i characters', async (member, max) => {
    const orderId = await one();
    const beyond = await refused(generateBody([orderId], { [member]: 'x'.repeat(max + 1) }));
    expect(faultsOf(beyond)).toEqual([`/${member} maxLength`]);
    expect((await town.generate([orderId], { [member]: 'x'.repeat(max) })).status).toBe(201);
  });

  it.each([
    ['storeId', 'path-mismatch'],
    ['nodeId', 'path-mismatch'],
    ['queueId', 'queue'],
  ])('%s takes up to 40 characters', async (member, rule) => {
    const at = await refused(generateBody([town.orders.waiting], { [member]: 'x'.repeat(40) }));
    expect(faultsOf(at)).toEqual([`/${member} ${rule}`]);
    const beyond = await refused(generateBody([town.orders.waiting], { [member]: 'x'.repeat(41) }));
    expect(faultsOf(beyond)).toEqual([`/${member} maxLength`]);
  });

  it('fulfillmentOrderIds is a list of 1 to 50 order ids', async () => {
    expect(faultsOf(await refused(generateBody([])))).toEqual(['/fulfillmentOrderIds minItems']);
    const ids = Array.from({ length: 51 }, (_unused, index) => `N${index}`);
    expect(faultsOf(await refused(generateBody(ids)))).toEqual(['/fulfillmentOrderIds maxItems']);
    expect(faultsOf(await refused(generateBody(ids.slice(0, 50))))).toHaveLength(50);
    expect(faultsOf(await refused(generateBody('A')))).toEqual(['/fulfillmentOrderIds type']);
    expect(faultsOf(await refused(generateBody([1, null, '', 'x'.repeat(41)])))).toEqual([
      '/fulfillmentOrderIds/0 type',
      '/fulfillmentOrderIds/1 type',
      '/fulfillmentOrderIds/2 minLength',
      '/fulfillmentOrderIds/3 maxLength',
    ]);
  });

  it('an unknown field is rejected with the nearest known one', async () => {
    const answer = await refused(generateBody([town.orders.waiting], { queueID: ISPU }));
    expect(answer.body.errors).toMatchObject([{ pointer: '/queueID', rule: 'unknown' }]);
    expect(answer.body.errors[0].message).toContain("'queueId'");
  });

  it('modifyAssociatedId is the same field as modifyAssociateId', async () => {
    const body = { ...without(generateBody([await one()]), 'modifyAssociateId'), modifyAssociatedId: 'kim' };
    const made = await town.client.post(GENERATE, body);
    expect(made.status).toBe(201);
    const [event] = await town.events('pickTicket', made.body.pickTicketDetails[0].pickTicketId as string);
    expect(event?.data.modifyAssociateId).toBe('kim');
    const same = generateBody([await one()], { modifyAssociatedId: 'associate' });
    expect((await town.client.post(GENERATE, same)).status).toBe(201);
  });

  it('both spellings of modifyAssociateId must have the same value', async () => {
    const answer = await refused(generateBody([town.orders.waiting], { modifyAssociatedId: 'somebody else' }));
    expect(faultsOf(answer)).toEqual(['/modifyAssociatedId spelling']);
  });

  it('storeId and nodeId must agree with the path', async () => {
    const answer = await refused(generateBody([town.orders.waiting], { storeId: 'TOWN_CA', nodeId: 'TOWN-Store002' }));
    expect(faultsOf(answer)).toEqual(['/nodeId path-mismatch', '/storeId path-mismatch']);
  });
});

describe('the orders of a ticket', () => {
  it('an order id twice is an error', async () => {
    const answer = await refused(generateBody([town.orders.waiting, town.orders.waitingToo, town.orders.waiting]));
    expect(faultsOf(answer)).toEqual(['/fulfillmentOrderIds/2 duplicate']);
  });

  it('an unknown order is an error; one of another store, node or client looks the same', async () => {
    const others = ['NOT-THERE', town.orders.canadian, town.orders.millLane, town.neighbourOrders.own];
    const answer = await refused(generateBody([town.orders.waiting, ...others]));
    expect(faultsOf(answer)).toEqual([1, 2, 3, 4].map((index) => `/fulfillmentOrderIds/${index} unknown-order`));
    const messages = (answer.body.errors as { message: string }[]).map(({ message }, index) =>
      message.replace(others[index]!, 'ID'),
    );
    expect(new Set(messages).size).toBe(1);
  });

  it('orders of two currencies are an error that names them', async () => {
    const euro = await town.order({ lines: [['MUG-WHT', 1]], more: { currency: 'EUR' } });
    const answer = await refused(generateBody([town.orders.waiting, euro]));
    expect(faultsOf(answer)).toEqual(['/fulfillmentOrderIds currency']);
    expect(answer.body.errors[0].message).toContain(`EUR (${euro})`);
    expect(answer.body.errors[0].message).toContain(`USD (${town.orders.waiting})`);
  });

  it('orders of two fulfillment types are an error that names them, and so is the queue of another type', async () => {
    const answer = await refused(generateBody([town.orders.waiting, town.orders.toShip]));
    expect(faultsOf(answer)).toEqual(['/fulfillmentOrderIds fulfillmentType', '/queueId queue']);
    const [type, queue] = answer.body.errors as { message: string }[];
    expect(type?.message).toContain(`SHIP_TO_HOME (${town.orders.toShip})`);
    expect(queue?.message).toContain(`${SFS} (${town.orders.toShip})`);
    expect(queue?.message).not.toContain(town.orders.waiting);
  });

  it('a queue that the orders are not on is an error that names the orders and their queue', async () => {
    const answer = await refused(generateBody([town.orders.waiting], { queueId: SFS }));
    expect(faultsOf(answer)).toEqual(['/queueId queue']);
    expect(answer.body.errors[0].message).toContain(`${ISPU} (${town.orders.waiting})`);
  });

  it('the queue is an error also for an order on another ticket', async () => {
    const answer = await refused(generateBody([town.orders.onTicket], { queueId: SFS }));
    expect(faultsOf(answer)).toEqual(['/queueId queue']);
  });

  it('one response lists all errors', async () => {
    const ids = [town.orders.waiting, 'NOT-THERE', town.orders.toShip, town.orders.waiting];
    const answer = await refused(generateBody(ids, { storeId: 'TOWN_CA' }));
    expect(faultsOf(answer)).toEqual([
      '/fulfillmentOrderIds fulfillmentType',
      '/fulfillmentOrderIds/1 unknown-order',
      '/fulfillmentOrderIds/3 duplicate',
      '/queueId queue',
      '/storeId path-mismatch',
    ]);
    expect(answer.body.errorsTotal).toBe(5);
  });

  it('a ticket has at most 4000 items, so that its CONFIRM fits in one message', async () => {
    expect(ITEMS_MAX).toBe(4000);
    const priced = (count: number, from: number): LineWish[] =>
      Array.from({ length: count }, (_unused, index) => ['MUG-WHT', 1, from + index]);
    const orders = [await town.order({ lines: priced(2000, 1) }), await town.order({ lines: priced(2000, 2001) })];
    const last = await town.order({ lines: priced(1, 4001) });
    const answer = await refused(generateBody([...orders, last]));
    expect(faultsOf(answer)).toEqual(['/fulfillmentOrderIds maxTicketItems']);
    const ticket = await town.ticket(orders);
    expect(ticket.pickTicketItems).toHaveLength(4000);
    expect((await town.confirm(ticket)).status).toBe(204);
  });
});

describe('orders that are not free', () => {
  it('an order on another ticket is 409 and names the ticket, its user and its time', async () => {
    const orderId = await one();
    const held = await town.ticket([orderId]);
    town.clock.now += 60_000;
    const free = await one();
    const answer = await refused(generateBody([free, orderId]), 409);
    expect(answer.body).toMatchObject({
      category: 'STATE',
      code: 'CONFLICT',
      pickTicketId: held.pickTicketId,
      userId: 'picker',
      since: held.pickTicketDate,
      orders: [
        {
          fulfillmentOrderId: orderId,
          status: '1150',
          pickTicketId: held.pickTicketId,
          userId: 'picker',
          since: held.pickTicketDate,
        },
      ],
    });
    expect(answer.body.description).toContain('confirm or reset that ticket first');
    expect(answer.body.description).toContain('leave these orders out, or wait until they can be picked.');
    expect(answer.body.description).not.toContain(free);
    expect((await town.row(free)).status).toBe(1100);
  });

  it('a picked order is 409 and gives its state', async () => {
    const answer = await refused(generateBody([town.orders.ready]), 409);
    expect(answer.body).toMatchObject({
      pickTicketId: town.tickets.ready,
      orders: [{ fulfillmentOrderId: town.orders.ready, status: '1400' }],
    });
    expect(answer.body.description).toContain('1400 (Ready for customer pickup)');
  });

  it.each(['ready', 'canceled', 'checkedIn', 'inStore', 'arriving'] as const)(
    'the order %s of the town is rejected because of its state',
    async (name) => {
      const { queue_id: queueId, fulfillment_type: type } = await town.row(town.orders[name]);
      const { body } = await refused(generateBody([town.orders[name]], { queueId: queueId ?? ISPU }), 409);
      expect(body.description).toContain('No ticket was generated; leave these orders out.');
      const reason = type === 'SHIP_TO_STORE' ? 'such orders are checked in, not picked' : 'no longer waits for pick';
      expect(body.description).toContain(reason);
    },
  );

  it('lists every such order, each with its own ticket', async () => {
    const first = await town.ticket([await one()]);
    const second = await town.ticket([await one()]);
    const ids = [await held(first), await held(second)];
    const answer = await refused(generateBody(ids), 409);
    expect((answer.body.orders as { pickTicketId: string }[]).map((order) => order.pickTicketId)).toEqual([
      first.pickTicketId,
      second.pickTicketId,
    ]);
  });

  async function held(ticket: { pickTicketId: string }): Promise<string> {
    const row = await town.store.read((db) =>
      db
        .selectFrom('fulfillment_orders')
        .select('fulfillment_order_id')
        .where('client_id', '=', 'TOWN')
        .where('pick_ticket_id', '=', ticket.pickTicketId)
        .executeTakeFirstOrThrow(),
    );
    return row.fulfillment_order_id;
  }

  it('an error of the message comes before an error of the state', async () => {
    const answer = await refused(generateBody([town.orders.onTicket, 'NOT-THERE']));
    expect(faultsOf(answer)).toEqual(['/fulfillmentOrderIds/1 unknown-order']);
  });
});

describe('access to generate', () => {
  const body = () => generateBody([town.orders.waiting]);

  it('no credentials and wrong ones are 403', async () => {
    const none = await town.call({ method: 'POST', path: GENERATE, body: body() });
    expect([none.status, none.body.code]).toEqual([403, 'CREDENTIALS_MISSING']);
    const wrong = await town.call({ method: 'POST', path: GENERATE, body: body(), headers: { apikey: 'br_TOWN_x_y' } });
    expect([wrong.status, wrong.body.code]).toEqual([403, 'CREDENTIALS_INVALID']);
  });

  it('the apiKey alone is enough', async () => {
    const { apikey } = town.client.headers;
    const answer = await town.call({
      method: 'POST',
      path: GENERATE,
      body: generateBody([await one()]),
      headers: { apikey },
    });
    expect(answer.status).toBe(201);
  });

  it('another client is 403, before any error of its message', async () => {
    const answer = await town.neighbour.post(GENERATE, {});
    expect([answer.status, answer.body.code]).toEqual([403, 'ACCESS_DENIED']);
  });

  it('a missing store or node is 403 like one of another client', async () => {
    for (const path of [
      '/stores/NONE/nodes/TOWN-Store001/pickTicket/generate',
      '/stores/OTHER_US/nodes/TOWN-Store001/pickTicket/generate',
      '/stores/TOWN_US/nodes/NONE/pickTicket/generate',
      '/stores/TOWN_US/nodes/OTHER-Store001/pickTicket/generate',
    ]) {
      const answer = await town.client.post(path, body());
      expect([answer.status, answer.body.code]).toEqual([403, 'ACCESS_DENIED']);
    }
  });

  it('a credential limited to another group, store or node is 403', async () => {
    for (const narrowing of [{ groups: ['items'] }, { storeIds: ['TOWN_CA'] }, { nodeIds: ['TOWN-Store002'] }]) {
      const narrowed = await town.credential(narrowing);
      expect((await narrowed.post(GENERATE, body())).status).toBe(403);
    }
    const fitting = await town.credential({
      groups: ['fulfillment'],
      storeIds: ['TOWN_US'],
      nodeIds: ['TOWN-Store001'],
    });
    expect((await fitting.post(GENERATE, generateBody([await one()]))).status).toBe(201);
  });
});
