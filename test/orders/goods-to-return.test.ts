import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Members, NODE, REASON, WHERE } from '../picking/picking.ts';
import { type Flow, OTHER_NODE, openFlow, STORE } from './flow.ts';

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
});
afterAll(() => town.close());

const REVERSE = 'WAITING_FOR_REVERSE_PICK';
const NAME = 'Canceled, goods to return';

const queued = async (filter: Members, queueId = REVERSE) => {
  const path = `${NODE}/fulfillmentOrders?queueId=${queueId}`;
  const answer = await town.client.post(path, { ...WHERE, queueId, ...filter });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.fulfillmentOrders as Members[];
};
const read = async (orderId: string) => (await town.client.get(`${STORE}/fulfillmentOrders/${orderId}`)).body;
const searched = async (orderId: string, from: number, to = from) => {
  const fulfillmentOrder = { fulfillmentOrderId: orderId, statuses: { from, to } };
  const answer = await town.client.post('/stores/TOWN_US/fulfillmentOrder/search', { ...WHERE, fulfillmentOrder });
  expect(answer.status, answer.text).toBe(200);
  return (answer.body.fulfillmentOrders as { status: string }[]).map(({ status }) => status);
};

describe('a canceled order whose goods wait to go back', () => {
  it.each([
    ['SHIP_TO_HOME', 1200],
    ['STORE_PICK_UP', 1400],
    ['SHIP_TO_STORE', 1400],
    ['ASSOCIATE_DELIVERY', 1500],
  ] as const)('%s, canceled at %i, is shown in 8000 everywhere', async (type, state) => {
    const orderId = await town.orderIn(type, state);
    expect((await town.cancel(orderId)).body).toMatchObject({ status: '8000', queueId: REVERSE });
    const [ticket] = await town.reverse(orderId);
    const pickTicketId = ticket!.pick_ticket_id;
    expect(await queued({ fulfillmentOrderId: orderId })).toMatchObject([{ status: NAME, pickTicketId }]);
    expect([await searched(orderId, state), await searched(orderId, 8000)]).toEqual([[], ['8000']]);
    const shown = await read(orderId);
    expect(shown).toMatchObject({
      status: '8000',
      queueId: REVERSE,
      slaDate: { slaTypeId: 'REVERSE_PICK' },
      pickTicketId,
      reversePickTicketIds: [pickTicketId],
    });
    const actions = shown.allowedActions as { action: string; allowed: boolean; reason?: string }[];
    expect(actions.filter(({ allowed }) => allowed).map(({ action }) => action)).toEqual(['bringBack']);
    for (const { action, reason } of actions) {
      if (['pack', 'packSlip', 'decline', 'handOver', 'deliver'].includes(action)) {
        expect(reason).toBe(
          `the order is 8000 ${NAME}; bring its units back to the shelf with reverse pick ticket ${pickTicketId}`,
        );
      }
    }
    const last = (await town.events('order', orderId)).at(-1);
    expect(last).toMatchObject({
      type: 'order.cancelRequested',
      data: { status: '8000', statusName: 'Canceled, goods to return' },
    });
    await town.bringBack(ticket!);
    expect(await searched(orderId, 9000)).toEqual(['9000']);
    expect(await read(orderId)).not.toHaveProperty('reversePickTicketIds');
  });

  it('keeps the id of its queue, also if the ticket is open after the order has ended', async () => {
    const orderId = await town.picked('STORE_PICK_UP', [3]);
    await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 1 }] });
    await town.handedOver(orderId, [2], 3800);
    const path = '/operator/v1/clients/TOWN';
    await town.store.write((tx) => tx.updateTable('fulfillment_orders').set({ queue_id: null }).execute());
    const { body } = await town.operator('GET', path);
    const settings = { ...body.settings, queueIds: { [REVERSE]: 'BACK' } };
    expect((await town.operator('PUT', path, { ...body, settings })).status).toBe(409);
  });

  it('is found at its place until its units are brought back, also after the order has ended', async () => {
    const orderId = await town.picked('STORE_PICK_UP', [2]);
    await town.store.write((tx) =>
      tx
        .updateTable('fulfillment_orders')
        .set({ hold_location: 'SHELF-7' })
        .where('fulfillment_order_id', '=', orderId)
        .execute(),
    );
    const scanned = async (code: string) => {
      const path = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/scan';
      return (await town.client.post(path, { code })).body['matches'] as Members[];
    };
    const used = [{ kind: 'PLACE', state: 'USED', orders: 1, allowedActions: [{ allowed: true }] }];
    await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 1 }] });
    expect(await scanned('SHELF-7')).toMatchObject(used);
    expect((await scanned('SHELF-7'))[0]).not.toHaveProperty('reverseTickets');
    await town.handedOver(orderId, [1], 3800);
    const [ticket] = await town.reverse(orderId);
    const reverseTickets = [{ pickTicketId: ticket!.pick_ticket_id, storeId: 'TOWN_US', fulfillmentOrderId: orderId }];
    expect(await scanned('SHELF-7')).toMatchObject([{ ...used[0], reverseTickets }]);
    expect(await scanned(orderId)).toMatchObject([{ kind: 'ORDER', holdLocation: 'SHELF-7' }]);
    await town.bringBack(ticket!);
    expect(await scanned('SHELF-7')).toEqual([]);
    const [order] = await scanned(orderId);
    expect(order).not.toHaveProperty('holdLocation');
  });

  it('has a reverse ticket that is opened by its next user, and not taken over while it has no user', async () => {
    const orderId = await town.orderIn('STORE_PICK_UP', 8000);
    const [waiting] = await town.reverse(orderId);
    const id = waiting!.pick_ticket_id;
    const takeOver = () =>
      town.client.post(`/operator/v1${NODE}/pickTickets/${id}/takeOver`, {
        userId: 'mara',
        fromUserId: 'lead',
        modifyAssociateId: 'lead',
      });
    const reason = 'the ticket has no user to take it over from; open it with the userId of its next user';
    const open = (more: Members) =>
      town.client.post(`${NODE}/pickTickets/${id}`, { ...WHERE, pickTicketId: id, ...more });
    const actionOf = ({ body }: Awaited<ReturnType<typeof open>>) =>
      (body['pickTicketDetails'] as { allowedActions: Members[] }).allowedActions.find(
        ({ action }) => action === 'takeOver',
      );
    expect(actionOf(await open({ userId: 'lead', onlyRead: true }))).toMatchObject({ allowed: false, reason });
    const refused = await takeOver();
    expect([refused.status, refused.body['detail']]).toEqual([409, `The pick ticket was not taken over: ${reason}.`]);
    expect(actionOf(await open({ userId: 'lead' }))).toEqual({ action: 'takeOver', allowed: true });
    expect((await takeOver()).status).toBe(200);
  });

  it('names its place in the order read only while units of it are in the store', async () => {
    const shipped = await town.orderIn('SHIP_TO_HOME', 3700);
    const taken = await town.orderIn('STORE_PICK_UP', 3800);
    const declined = await town.picked('SHIP_TO_HOME', [2]);
    const partly = await town.picked('STORE_PICK_UP', [2]);
    expect(await read(declined)).toHaveProperty('holdLocation');
    expect((await town.decline(declined, { 1: 2 })).status).toBe(200);
    expect(await town.stands(declined)).toEqual([9100, null]);
    for (const orderId of [shipped, taken, declined]) expect(await read(orderId)).not.toHaveProperty('holdLocation');
    await town.cancel(partly, { lines: [{ webLineId: '1', quantity: 1 }] });
    await town.handedOver(partly, [1], 3800);
    expect(await read(partly)).toHaveProperty('holdLocation');
  });

  it('cannot be handed over: the counter shows that it has no units for the customer, and why', async () => {
    const orderId = await town.orderIn('STORE_PICK_UP', 8000);
    const path = `${NODE}/customerPickUps/${orderId}`;
    const { customerPickUpDetails: details } = (await town.client.post(path, { ...WHERE, fulfillmentOrderId: orderId }))
      .body as { customerPickUpDetails: Members };
    expect(details).toMatchObject({
      status: '8000',
      totalCustomerPickQuantity: 0,
      customerPickUpItems: [{ toPickQuantity: 0 }, { toPickQuantity: 0 }],
    });
    const answer = await town.client.put(`${NODE}/customerPickUp/confirm`, {
      modifyAssociateId: 'ana',
      customerPickUpDetails: {
        ...WHERE,
        fulfillmentOrderId: orderId,
        customerPickUpItems: [
          {
            webLineId: '1',
            itemId: (await town.lines(orderId))[0]!.item_id,
            customerPickedQuantity: 1,
            canceledQuantity: 0,
            backroomPickedQuantity: 3,
          },
        ],
      },
    });
    expect([answer.status, answer.body.orderStatus]).toEqual([409, '8000']);
    expect(answer.body.description).toContain(`8000 ${NAME}; all remaining units are canceled; bring them back`);
    expect(answer.body.allowedActions).toEqual(['bringBack']);
  });

  it('is in 8000 when the customer cancels the rest after the node declined a part, until the goods are back', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [3, 2], [3, 0]);
    await town.cancel(orderId, { lines: [{ webLineId: '1' }] });
    expect(await town.stands(orderId)).toEqual([8000, REVERSE]);
    expect((await read(orderId)).allowedActions).toContainEqual({ action: 'resource', allowed: true });
    expect((await town.cancel(orderId)).status).toBe(200);
    expect(await town.requestsOf(orderId)).toMatchObject([{ status: 'CANCELED' }]);
    expect(await town.stands(orderId)).toEqual([8000, REVERSE]);
    await town.bringBack((await town.reverse(orderId))[0]!);
    expect(await town.stands(orderId)).toEqual([9000, null]);
  });

  it('is in 8000 when the rest is declined in packing', async () => {
    const orderId = await town.picked('ASSOCIATE_DELIVERY', [3, 2]);
    await town.cancel(orderId, { lines: [{ webLineId: '1' }] });
    expect((await town.decline(orderId, { 2: 2 })).body.status).toBe('8000');
    expect((await read(orderId)).pickTicketId).toBe((await town.reverse(orderId))[0]!.pick_ticket_id);
    await town.conserved(orderId);
  });

  it('with goods on their way is in 8000 from the check-in on', async () => {
    const orderId = await town.make('SHIP_TO_STORE', [3, 2]);
    await town.cancel(orderId);
    expect(await searched(orderId, 1300)).toEqual(['1300']);
    await town.checkIn(orderId, [1, 0]);
    expect(await town.stands(orderId)).toEqual([8000, REVERSE]);
    expect(await queued({ fulfillmentOrderId: orderId })).toMatchObject([{ status: NAME }]);
    await town.conserved(orderId);
  });

  it('still accepts a hold location', async () => {
    const other = await openFlow();
    const path = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';
    const { body } = await other.operator('GET', path);
    await other.operator('PUT', path, { ...(body as Members), holdLocations: ['X', 'Y'] });
    const free = async () => (await other.ticket([await other.make('STORE_PICK_UP')])).holdLocation;
    const before = await free();
    const orderId = await other.make('STORE_PICK_UP');
    const ticket = await other.ticket([orderId]);
    expect([before, ticket.holdLocation].sort()).toEqual(['X', 'Y']);
    await other.pick(ticket, [3, 2]);
    await other.cancel(orderId);
    const [reverse] = await other.reverse(orderId);
    // The order and its open ticket still occupy the location of the goods.
    expect(await free()).toBe(before);
    expect(await free()).toBe(before);
    expect(await other.row(orderId)).toMatchObject({ status: 8000, hold_location: reverse!.hold_location });
    await other.close();
  });
});

describe('the reverse ticket of a canceled order', () => {
  it('is in the queue search while it is open, and a search by it finds the order; a closed one finds nothing', async () => {
    const orderId = await town.picked('STORE_PICK_UP', [3, 2]);
    const picked = (await town.row(orderId)).pick_ticket_id;
    await town.cancel(orderId, { lines: [{ webLineId: '2' }] });
    const customers = 'WAITING_FOR_CUSTOMER_PICK';
    expect(await queued({ pickTicketId: picked }, customers)).toMatchObject([{ pickTicketId: picked }]);
    await town.cancel(orderId);
    const [first, second] = (await town.reverse(orderId)).map((ticket) => ticket.pick_ticket_id);
    for (const pickTicketId of [first, second]) {
      expect(await queued({ pickTicketId })).toMatchObject([{ fulfillmentOrderId: orderId, pickTicketId: first }]);
    }
    expect(await queued({ pickTicketId: picked })).toEqual([]);
    expect(await read(orderId)).toMatchObject({ pickTicketId: first, reversePickTicketIds: [first, second] });
    await town.bringBack((await town.reverse(orderId))[0]!);
    expect(await queued({ pickTicketId: second })).toMatchObject([{ pickTicketId: second }]);
    expect(await queued({ pickTicketId: first })).toEqual([]);
    await town.bringBack((await town.reverse(orderId))[0]!);
    expect((await read(orderId)).pickTicketId).toBe(picked);
  });

  it('is in the pack details of an order that waited for packing', async () => {
    const orderId = await town.orderIn('SHIP_TO_HOME', 8000);
    const path = `/stores/TOWN_US/fulfillmentOrders/${orderId}/packages?nodeId=TOWN-Store001`;
    const answer = await town.client.post(path, { ...WHERE, fulfillmentOrderId: orderId });
    const [ticket] = await town.reverse(orderId);
    expect(answer.body.packDetail).toMatchObject([{ status: '8000', pickTicketId: ticket!.pick_ticket_id }]);
  });
});

describe('an order that ended without units for its customer', () => {
  const resource = (orderId: string, n: number) => ({
    outcome: 'RESOURCE',
    nodeId: OTHER_NODE,
    fulfillmentOrderId: `${orderId}-${n}`,
  });

  it('is re-sourced (9200) when another node serves all of it', async () => {
    const orderId = await town.orderIn('SHIP_TO_HOME', 9200);
    expect(await read(orderId)).toMatchObject({ status: '9200' });
    expect([await searched(orderId, 9000), await searched(orderId, 9200)]).toEqual([[], ['9200']]);
    expect((await town.events('order', orderId)).at(-1)).toMatchObject({
      type: 'order.resourced',
      data: { status: '9200', statusName: 'Re-sourced', outcome: 'RESOURCE' },
    });
    await town.conserved(orderId);
  });

  it('is re-sourced when another node serves a part and the rest is canceled, in either order', async () => {
    const [before, after] = [
      await town.picked('SHIP_TO_HOME', [3, 2], [3, 0]),
      await town.picked('SHIP_TO_HOME', [3, 2], [3, 0]),
    ];
    const answer = async (orderId: string) => {
      const [request] = await town.requestsOf(orderId);
      const answered = await town.answer(request!['requestId'], resource(orderId, 1));
      expect(answered.status, answered.text).toBe(200);
    };
    await answer(before);
    for (const orderId of [before, after]) {
      await town.cancel(orderId, { lines: [{ webLineId: '1' }] });
      expect(await town.stands(orderId)).toEqual([8000, REVERSE]);
    }
    await town.bringBack((await town.reverse(before))[0]!);
    await town.bringBack((await town.reverse(after))[0]!);
    expect(await town.stands(after)).toEqual([9100, null]);
    await answer(after);
    for (const orderId of [before, after]) expect(await town.stands(orderId)).toEqual([9200, null]);
  });

  it('ends with the last of its requests: an earlier decision neither ends it nor changes its revision', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [3, 2], [3, 0]);
    await town.decline(orderId, { '1': 3 });
    expect(await town.stands(orderId)).toEqual([9100, null]);
    const [first, second] = await town.requestsOf(orderId);
    const revisionOf = async () => (await read(orderId)).revision as number;
    const before = await revisionOf();
    await town.answer(first!['requestId'], { outcome: 'CANCEL', reasonCode: REASON });
    expect([await town.stands(orderId), await revisionOf()]).toEqual([[9100, null], before]);
    await town.answer(second!['requestId'], { outcome: 'CANCEL', reasonCode: REASON });
    expect([await town.stands(orderId), await revisionOf()]).toEqual([[9000, null], before + 1]);
    const ends = (await town.events('order', orderId)).filter(({ type }) => type === 'order.resourced');
    expect(ends).toMatchObject([{ data: { status: '9000', requestId: second!['requestId'] } }]);
  });

  it('tells the requested units when the customer cancels it: none of them is a canceled unit', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [3, 2], [3, 0]);
    await town.decline(orderId, { '1': 3 });
    expect((await town.cancel(orderId)).status).toBe(200);
    const canceled = (await town.events('order', orderId)).filter(({ type }) => type === 'order.canceled');
    expect(canceled).toMatchObject([{ data: { status: '9000', canceledQuantity: 0, requestedQuantity: 5 } }]);
  });

  it('is canceled (9000) when no node serves any of it', async () => {
    const orderId = await town.orderIn('SHIP_TO_HOME', 9100);
    const [request] = await town.requestsOf(orderId);
    await town.answer(request!['requestId'], { outcome: 'CANCEL', reasonCode: REASON });
    expect(await town.stands(orderId)).toEqual([9000, null]);
  });
});

/** Returns the statements of a migration that update rows. */
function updatesOf(name: string): string[] {
  const text = readFileSync(new URL(`../../src/platform/storage/migrations/${name}.sql`, import.meta.url), 'utf8');
  const statements = text.replace(/^--.*$/gm, '').split(';');
  return statements.map((statement) => statement.trim()).filter((statement) => statement.startsWith('update'));
}

describe('orders of 0.1.0', () => {
  it('that were on the reverse pick queue, under any name, or were re-sourced, get their states by the migration', async () => {
    const [returning, resourced, declined] = [
      await town.orderIn('STORE_PICK_UP', 8000),
      await town.orderIn('SHIP_TO_HOME', 9200),
      await town.orderIn('STORE_PICK_UP', 9000),
    ];
    const [ticket] = await town.reverse(returning);
    const notFound = await town.orderIn('STORE_PICK_UP', 8000);
    await town.bringBack((await town.reverse(notFound))[0]!, [2, 1]);
    const updates = ['009-goods-to-return', '012-missing-units'].flatMap(updatesOf);
    await town.store.write(async (tx) => {
      await sql`update fulfillment_orders set status = 1400, queue_id = 'BACK' where status = 8000`.execute(tx);
      await sql`update fulfillment_orders set status = 9000 where status = 9200`.execute(tx);
      await sql`update pick_tickets set fulfillment_order_id = null`.execute(tx);
      await sql`update order_lines set returned = returned + missing, missing = 0`.execute(tx);
      for (const update of updates) await sql.raw(update).execute(tx);
    });
    expect(await town.stands(returning)).toEqual([8000, 'BACK']);
    expect(await town.stands(resourced)).toEqual([9200, null]);
    expect(await town.stands(declined)).toEqual([9000, null]);
    expect((await read(returning)).pickTicketId).toBe(ticket!.pick_ticket_id);
    expect((await read(notFound)).lines).toMatchObject([
      { returnedQuantity: 1, missingQuantity: 2 },
      { returnedQuantity: 2, missingQuantity: 0 },
    ]);
  });
});
