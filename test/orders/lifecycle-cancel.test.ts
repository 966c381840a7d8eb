import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDER_STATES, ORDER_TRANSITIONS } from '../../src/kernel/states.ts';
import { anonymizeOrder } from '../../src/orders/anonymize.ts';
import { SFS } from '../picking/picking.ts';
import { BY_CUSTOMER, type Flow, openFlow, STORE, systemCtx } from './flow.ts';

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
});
afterAll(() => town.close());

const REVERSE = 'WAITING_FOR_REVERSE_PICK';

/**
 * Each row has a type and a state of an order, and the status of the response when all units are canceled. The last
 * values are the state and queue of the order after the cancellation.
 */
const whole = [
  ['STORE_PICK_UP', 1000, 200, 9000, null],
  ['SHIP_TO_HOME', 1000, 200, 9000, null],
  ['SHIP_TO_STORE', 1000, 200, 1300, 'WAITING_FOR_INSTORE_CHECKIN_STS'],
  ['ASSOCIATE_DELIVERY', 1000, 200, 9000, null],
  ['STORE_PICK_UP', 1100, 200, 9000, null],
  ['SHIP_TO_HOME', 1100, 200, 9000, null],
  ['ASSOCIATE_DELIVERY', 1100, 200, 9000, null],
  ['STORE_PICK_UP', 1150, 200, 1150, 'WAITING_FOR_PICK_ISPU'],
  ['SHIP_TO_HOME', 1150, 200, 1150, 'WAITING_FOR_PICK_SFS'],
  ['SHIP_TO_HOME', 1200, 200, 8000, REVERSE],
  ['ASSOCIATE_DELIVERY', 1200, 200, 8000, REVERSE],
  ['SHIP_TO_STORE', 1300, 200, 1300, 'WAITING_FOR_INSTORE_CHECKIN_STS'],
  ['STORE_PICK_UP', 1400, 200, 8000, REVERSE],
  ['SHIP_TO_STORE', 1400, 200, 8000, REVERSE],
  ['ASSOCIATE_DELIVERY', 1500, 200, 8000, REVERSE],
  ['SHIP_TO_HOME', 3700, 409, 3700, null],
  ['STORE_PICK_UP', 3800, 409, 3800, null],
  ['ASSOCIATE_DELIVERY', 3900, 409, 3900, null],
  ['STORE_PICK_UP', 8000, 200, 8000, REVERSE],
  ['STORE_PICK_UP', 9000, 409, 9000, null],
  ['SHIP_TO_HOME', 9100, 200, 9000, null],
  ['SHIP_TO_HOME', 9200, 409, 9200, null],
] as const;

describe('the customer cancels a whole order', () => {
  it.each(whole)('%s in %i: %i, then %i on %s', async (type, state, status, after, queue) => {
    const orderId = await town.orderIn(type, state);
    expect((await town.row(orderId)).status).toBe(state);
    const before = [await town.row(orderId), await town.lines(orderId)];
    const answer = await town.cancel(orderId);
    expect(answer.status, answer.text).toBe(status);
    expect(await town.stands(orderId)).toEqual([after, queue]);
    if (status === 409) {
      expect([await town.row(orderId), await town.lines(orderId)]).toEqual(before);
      return;
    }
    await town.conserved(orderId);
    const now = [await town.row(orderId), await town.lines(orderId)];
    const again = await town.cancel(orderId);
    expect([again.status, again.body]).toEqual([200, answer.body]);
    expect([await town.row(orderId), await town.lines(orderId)]).toEqual(now);
  });

  it('every state of the table has its cell here, and the table says whether it is rejected', () => {
    expect([...new Set<number>(whole.map(([, state]) => state))].sort()).toEqual([...ORDER_STATES].sort());
    for (const [, state, status] of whole) {
      // These orders were shipped, handed over or delivered: only an open re-source request can still be canceled.
      const needsRequest = [3700, 3800, 3900].includes(state);
      expect(ORDER_TRANSITIONS[state].cancel === 'refused', String(state)).toBe(status === 409 && !needsRequest);
    }
  });
});

describe('a cancellation before the pick', () => {
  it('of some units keeps the state of the order, and the ticket has only the other units', async () => {
    const orderId = await town.make('STORE_PICK_UP', [3, 2]);
    const before = await town.row(orderId);
    const answer = await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 2 }] });
    expect(answer.body).toMatchObject({ status: '1100', lines: [{ canceledQuantity: 2 }, { canceledQuantity: 0 }] });
    expect(await town.row(orderId)).toEqual({ ...before, revision: 2, updated_at: town.clock.now });
    const ticket = await town.ticket([orderId]);
    expect(ticket.pickTicketItems.map((item) => item.quantity).sort()).toEqual([1, 2]);
    expect((await town.lines(orderId))[0]).toMatchObject({ cancel_reason: BY_CUSTOMER });
  });

  it('has the total of canceled units of a line: the same message again, or a smaller number, has no effect', async () => {
    const orderId = await town.make('STORE_PICK_UP', [3, 2]);
    const cancel = (quantity: number) => town.cancel(orderId, { lines: [{ webLineId: '1', quantity }] });
    await cancel(1);
    expect((await cancel(1)).status).toBe(200);
    expect(await town.units(orderId)).toEqual([
      [2, 0, 0, 1, 0, 0],
      [2, 0, 0, 0, 0, 0],
    ]);
    await cancel(3);
    expect((await cancel(2)).status).toBe(200);
    expect((await town.units(orderId))[0]).toEqual([0, 0, 0, 3, 0, 0]);
    expect((await town.cancel(orderId)).body.status).toBe('9000');
    expect((await town.events('order', orderId)).map(({ type, data }) => [type, data['canceledQuantity']])).toEqual([
      ['order.received', undefined],
      ['order.canceled', 1],
      ['order.canceled', 2],
      ['order.canceled', 2],
    ]);
  });
});

it('a cancellation that is sent again after its reason was removed has no effect; a new one is rejected', async () => {
  const [some, all] = [await town.make('STORE_PICK_UP', [3, 2]), await town.make('STORE_PICK_UP')];
  const cancel = (quantity: number) => town.cancel(some, { lines: [{ webLineId: '1', quantity }] });
  const first = [await cancel(1), await town.cancel(all)];
  const path = '/operator/v1/clients/TOWN';
  const { body } = await town.operator('GET', path);
  const cancelReasons = [{ code: 'OTHER', description: 'Other' }];
  const put = await town.operator('PUT', path, { ...body, settings: { ...body.settings, cancelReasons } });
  expect(put.status).toBe(200);
  const again = [await cancel(1), await town.cancel(all)];
  const more = await cancel(2);
  await town.operator('PUT', path, body);
  expect(again.map((one) => [one.status, one.text])).toEqual(first.map(({ text }) => [200, text]));
  expect(more.status).toBe(400);
});

describe('a cancellation while the order is picked', () => {
  it('takes effect at CONFIRM: found units go first to units that are not canceled', async () => {
    const orderId = await town.make('STORE_PICK_UP', [3, 2]);
    const ticket = await town.ticket([orderId]);
    await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 2 }] });
    expect(await town.units(orderId)).toEqual([
      [3, 0, 2, 0, 0, 0],
      [2, 0, 0, 0, 0, 0],
    ]);
    expect((await town.pick(ticket, [2, 2])).status).toBe(204);
    expect(await town.units(orderId)).toEqual([
      [0, 2, 1, 1, 0, 0],
      [0, 2, 0, 0, 0, 0],
    ]);
    expect(await town.stands(orderId)).toEqual([1400, 'WAITING_FOR_CUSTOMER_PICK']);
    await town.conserved(orderId);
    const [back, ...others] = await town.reverse(orderId);
    expect(others).toEqual([]);
    expect(back).toMatchObject({ status: 'NEW', user_id: '', queue_id: REVERSE, total_quantity: 1 });
  });

  it('brings nothing back if all found units are wanted, and declines only units that were wanted', async () => {
    const orderId = await town.make('SHIP_TO_HOME', [5]);
    const ticket = await town.ticket([orderId], 'WAITING_FOR_PICK_SFS');
    await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 2 }] });
    await town.pick(ticket, [1]);
    expect(await town.units(orderId)).toEqual([[0, 1, 0, 2, 2, 0]]);
    expect(await town.reverse(orderId)).toEqual([]);
    expect(await town.requestsOf(orderId)).toMatchObject([
      { status: 'OPEN', lines: [{ webLineId: '1', quantity: 2 }] },
    ]);
  });

  it('of the whole order brings all found units back', async () => {
    const orderId = await town.make('ASSOCIATE_DELIVERY', [2, 1]);
    const ticket = await town.ticket([orderId], 'WAITING_FOR_PICK_DEL');
    await town.cancel(orderId);
    await town.pick(ticket, [2, 0]);
    expect(await town.stands(orderId)).toEqual([8000, REVERSE]);
    expect(await town.units(orderId)).toEqual([
      [0, 2, 2, 0, 0, 0],
      [0, 0, 0, 1, 0, 0],
    ]);
    await town.conserved(orderId);
  });

  it('takes effect at RESET: canceled units are removed and the rest waits as before; an order without a rest is canceled', async () => {
    const [partly, wholly] = [await town.make('STORE_PICK_UP', [3]), await town.make('STORE_PICK_UP', [1])];
    const before = await town.row(partly);
    const ticket = await town.ticket([partly, wholly]);
    await town.cancel(partly, { lines: [{ webLineId: '1', quantity: 1 }] });
    await town.cancel(wholly);
    expect((await town.reset(ticket)).status).toBe(204);
    expect(await town.units(partly)).toEqual([[2, 0, 0, 1, 0, 0]]);
    expect(await town.units(wholly)).toEqual([[0, 0, 0, 1, 0, 0]]);
    const { revision: _revision, updated_at: _at, ...rest } = await town.row(partly);
    expect(before).toMatchObject(rest);
    expect(await town.stands(wholly)).toEqual([9000, null]);
    for (const orderId of [partly, wholly]) await town.conserved(orderId);
    expect((await town.events('order', partly)).slice(-2).map(({ type }) => type)).toEqual([
      'order.pickReset',
      'order.canceled',
    ]);
  });
});

describe('a cancellation of goods on their way', () => {
  it('takes effect at check-in CONFIRM: arrived units go first to units that are not canceled', async () => {
    const orderId = await town.make('SHIP_TO_STORE', [3, 2]);
    await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 2 }, { webLineId: '2' }] });
    expect((await town.checkIn(orderId, [2, 1])).status).toBe(204);
    expect(await town.units(orderId)).toEqual([
      [0, 2, 1, 1, 0, 0],
      [0, 1, 1, 1, 0, 0],
    ]);
    expect(await town.stands(orderId)).toEqual([1400, 'WAITING_FOR_CUSTOMER_PICK']);
    expect((await town.reverse(orderId)).map((ticket) => ticket.total_quantity)).toEqual([2]);
    const checkedIn = (await town.events('order', orderId)).find(({ type }) => type === 'order.checkedIn');
    expect(checkedIn!.data).toMatchObject({ checkedIn: 3, canceled: 2, customerCanceledQuantity: 4 });
    await town.conserved(orderId);
  });

  it('of all units ends the order when nothing arrives', async () => {
    const orderId = await town.make('SHIP_TO_STORE', [1, 1]);
    await town.cancel(orderId);
    await town.checkIn(orderId, [0, 0]);
    expect(await town.stands(orderId)).toEqual([9000, null]);
    expect((await town.units(orderId))[0]).toEqual([0, 0, 0, 1, 0, 0]);
  });
});

describe('a cancellation of picked units', () => {
  it('voids only as many packages as necessary', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [3, 2]);
    await town.pack(orderId, { 1: 1 }, '1', { trackingNumber: '' });
    await town.pack(orderId, { 1: 1, 2: 1 }, '2');
    await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 1 }] });
    expect(await boxes(orderId)).toEqual({ 1: { 0: 1 }, 2: { 0: 1, 1: 1 } });
    await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 2 }] });
    expect(await boxes(orderId)).toEqual({ 1: { 0: 1 } });
    await town.conserved(orderId);
    expect((await town.reverse(orderId)).length).toBe(2);
  });

  it('ships the rest if all of it is packed', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [3]);
    await town.pack(orderId, { 1: 2 });
    const answer = await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 1 }] });
    expect(answer.body).toMatchObject({ status: '3700', lines: [{ handedOverQuantity: 2, cancelingQuantity: 1 }] });
    await town.conserved(orderId);
    await town.bringBack((await town.reverse(orderId))[0]!);
    expect(await town.stands(orderId)).toEqual([3700, null]);
  });

  it('removes them from the packages that wait for delivery', async () => {
    const orderId = await town.orderIn('ASSOCIATE_DELIVERY', 1500);
    await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 1 }] });
    expect(await boxes(orderId)).toEqual({ 1: { 0: 2, 1: 2 } });
    expect(await town.stands(orderId)).toEqual([1500, 'WAITING_FOR_DELIVERY']);
    await town.cancel(orderId);
    expect(await boxes(orderId)).toEqual({});
    await town.conserved(orderId);
  });

  it('leaves delivered units, and units that the customer did not take, in their packages', async () => {
    const orderId = await town.orderIn('ASSOCIATE_DELIVERY', 1500);
    expect(await boxes(orderId)).toEqual({ 1: { 0: 3, 1: 2 } });
    const delivered = await town.client.post(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${orderId}/deliver`, {
      nodeId: 'TOWN-Store001',
      modifyAssociateId: 'bo',
      lines: [
        {
          webLineId: '1',
          deliveredQuantity: 1,
          canceledQuantity: 1,
          cancellationReasonCode: 'CancelCustomerInitiated',
        },
        { webLineId: '2', deliveredQuantity: 0, canceledQuantity: 0 },
      ],
    });
    expect(delivered.status, delivered.text).toBe(200);
    await town.cancel(orderId);
    expect(await boxes(orderId)).toEqual({ 1: { 0: 2 } });
    await town.conserved(orderId);
  });

  it('of a partly handed-over order cancels only the held units, and the order is completed', async () => {
    const orderId = await town.picked('STORE_PICK_UP', [3, 2]);
    await town.handedOver(orderId, [1, 2]);
    const tooMany = await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 3 }] });
    expect([tooMany.status, tooMany.body.detail]).toEqual([
      409,
      expect.stringContaining('at most 2 of them can be canceled'),
    ]);
    expect((await town.cancel(orderId, { lines: [{ webLineId: '2' }] })).status).toBe(409);
    await town.cancel(orderId);
    expect(await town.units(orderId)).toEqual([
      [0, 2, 2, 0, 0, 0],
      [0, 0, 0, 0, 0, 0],
    ]);
    expect(await town.stands(orderId)).toEqual([3800, null]);
    await town.conserved(orderId);
  });

  it('at 9100 must be of the whole order, and closes its requests', async () => {
    const orderId = await town.orderIn('SHIP_TO_HOME', 9100);
    expect((await town.cancel(orderId, { lines: [{ webLineId: '1' }] })).status).toBe(409);
    await town.cancel(orderId);
    expect(await town.requestsOf(orderId)).toMatchObject([{ status: 'CANCELED' }]);
  });

  it.each([
    ['while another line has units', [0, 2], [1200, 'WAITING_FOR_PACK_SFS']],
    ['at 9100', [0, 0], [9100, null]],
  ] as const)('of a line whose units are all declined says to close their request, %s', async (_when, got, stands) => {
    const orderId = await town.picked('SHIP_TO_HOME', [1, 2], got);
    for (const line of [{ webLineId: '1' }, { webLineId: '1', quantity: 1 }]) {
      const named = await town.cancel(orderId, { lines: [line] });
      expect([named.status, named.body.detail]).toEqual([409, expect.stringContaining('close it with CANCEL')]);
      expect(named.body.detail).not.toContain('send quantity');
    }
    expect(await town.stands(orderId)).toEqual(stands);
  });

  it('at 9100 keeps the time at which data is erased that was recorded after its customer was forgotten', async () => {
    const orderId = await town.make('SHIP_TO_HOME', [3]);
    const row = await town.row(orderId);
    await town.store.write((db) => anonymizeOrder(systemCtx(town, db), row));
    const ticket = await town.ticket([orderId], 'WAITING_FOR_PICK_SFS');
    expect((await town.pick(ticket, [0])).status).toBe(204);
    const { status, due_at: dueAt } = await town.row(orderId);
    expect([status, dueAt]).toEqual([9100, expect.any(Number)]);
    await town.cancel(orderId);
    expect(await town.row(orderId)).toMatchObject({ status: 9000, due_at: dueAt });
  });

  it('of a whole line with units in an open re-source request is rejected, and a quantity cancels the others', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [3], [2]);
    const before = [await town.row(orderId), await town.lines(orderId)];
    const named = await town.cancel(orderId, { lines: [{ webLineId: '1' }] });
    expect([named.status, named.body.detail]).toEqual([409, expect.stringMatching(/re-source request.*quantity 2/)]);
    expect([await town.row(orderId), await town.lines(orderId)]).toEqual(before);
    expect((await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 2 }] })).status).toBe(200);
    expect(await town.requestsOf(orderId)).toMatchObject([{ status: 'OPEN' }]);
    expect((await town.cancel(orderId, { lines: [{ webLineId: '1' }] })).status).toBe(409);
    expect((await town.cancel(orderId)).status).toBe(200);
    expect(await town.requestsOf(orderId)).toMatchObject([{ status: 'CANCELED' }]);
    await town.conserved(orderId);
  });

  it('after a part was shipped closes the request of the declined rest, once', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [3], [2]);
    expect((await town.pack(orderId, { 1: 2 })).status).toBe(204);
    expect(await town.stands(orderId)).toEqual([3700, null]);
    const named = await town.cancel(orderId, { lines: [{ webLineId: '1' }] });
    expect([named.status, named.body.detail]).toEqual([409, expect.stringContaining('close it with CANCEL')]);
    const canceled = await town.cancel(orderId);
    expect(canceled.status, canceled.text).toBe(200);
    expect(await town.requestsOf(orderId)).toMatchObject([{ status: 'CANCELED' }]);
    expect(await town.stands(orderId)).toEqual([3700, null]);
    expect((await town.cancel(orderId)).status).toBe(200);
    await town.conserved(orderId);
  });

  it('after the order was shipped is rejected if a correction or the owner, not the customer, closed its requests', async () => {
    const corrected = await town.make('SHIP_TO_HOME', [1]);
    const ticket = await town.ticket([corrected], SFS);
    expect((await town.pick(ticket, [0])).status).toBe(204);
    const { pickTicketId, pickTicketItems } = ticket;
    const found = await town.client.post(`${STORE}/nodes/TOWN-Store001/pickTickets/${pickTicketId}/correct`, {
      correctionId: 'found-after-all',
      userId: 'lea',
      reason: 'Found',
      pickTicketItems: [{ id: pickTicketItems[0]!.id, pickedQuantity: 1 }],
    });
    expect(found.status, found.text).toBe(200);
    expect(await town.requestsOf(corrected)).toMatchObject([{ status: 'CANCELED' }]);

    const decided = await town.picked('SHIP_TO_HOME', [2], [1]);
    const [request] = await town.requestsOf(decided);
    expect((await town.answer(request!['requestId'], { outcome: 'CANCEL' })).status).toBe(200);

    for (const orderId of [corrected, decided]) {
      const packed = await town.pack(orderId, { 1: 1 });
      expect(packed.status, packed.text).toBe(204);
      expect(await town.stands(orderId)).toEqual([3700, null]);
      const canceled = await town.cancel(orderId);
      expect([canceled.status, canceled.body.detail]).toEqual([409, expect.stringContaining('no units to cancel')]);
    }
  });
});

async function boxes(orderId: string): Promise<Record<string, Record<number, number>>> {
  const rows = await town.store.read((db) =>
    db
      .selectFrom('package_items as item')
      .innerJoin('packages as package', (join) =>
        join
          .onRef('package.client_id', '=', 'item.client_id')
          .onRef('package.fulfillment_order_id', '=', 'item.fulfillment_order_id')
          .onRef('package.package_index', '=', 'item.package_index'),
      )
      .select(['package.box_id', 'item.line_index', 'item.quantity'])
      .where('item.client_id', '=', 'TOWN')
      .where('item.fulfillment_order_id', '=', orderId)
      .execute(),
  );
  const all: Record<string, Record<number, number>> = {};
  for (const row of rows) all[row.box_id] = { ...all[row.box_id], [row.line_index]: row.quantity };
  return all;
}

describe('a cancellation message', () => {
  const faults = async (orderId: string, body: object) => {
    const answer = await town.cancel(orderId, body as Record<string, unknown>);
    expect(answer.status).toBe(400);
    return (answer.body.errors as { pointer: string; rule: string }[]).map((one) => `${one.pointer} ${one.rule}`);
  };

  it('lists every error: unknown reason, unknown line, a line twice, more than ordered, an unused field', async () => {
    const orderId = await town.make('STORE_PICK_UP', [3, 2]);
    const lines = [
      { webLineId: '9' },
      { webLineId: '1', quantity: 4 },
      { webLineId: '1' },
      { webLineId: '2', quantity: 0 },
    ];
    expect((await faults(orderId, { reasonCode: 'NO', lines, why: 1 })).sort()).toEqual([
      '/lines/0/webLineId unknown',
      '/lines/1/quantity maximum',
      '/lines/2/webLineId duplicate',
      '/lines/3/quantity minimum',
      '/reasonCode reason',
      '/why unknown',
    ]);
    expect(await faults(orderId, { reasonCode: undefined })).toEqual(['/reasonCode required']);
    expect(await faults(orderId, { lines: [] })).toEqual(['/lines minItems']);
    expect(await town.units(orderId)).toEqual([
      [3, 0, 0, 0, 0, 0],
      [2, 0, 0, 0, 0, 0],
    ]);
  });

  it('of a missing order, of another store, or of a node outside the credential is 404', async () => {
    const orderId = await town.make('STORE_PICK_UP');
    const narrowed = await town.credential({ nodeIds: ['TOWN-Store002'], groups: ['intake'] });
    const path = `/operator/v1/stores/TOWN_US/fulfillmentOrders/${orderId}/cancel`;
    const body = { reasonCode: BY_CUSTOMER };
    expect((await town.cancel('NONE')).status).toBe(404);
    expect((await town.client.post(path.replace('TOWN_US', 'TOWN_CA'), body)).status).toBe(404);
    expect((await narrowed.post(path, body)).status).toBe(404);
    expect((await town.row(orderId)).status).toBe(1100);
    expect((await town.operator('POST', path, body)).status).toBe(200);
  });
});
