import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/backroom.ts';
import { NOON } from '../support/backroom.ts';
import { homeOrder, openPlace, type Place, packagesOf, pickupOrder, storeOrder } from './place.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

let made = 0;
/** Returns an order id that no other test uses. */
const fresh = () => `I-${++made}`;

const pointers = (answer: Answer) => {
  expect(answer.status, answer.text).toBe(400);
  return answer.body.errors.map((fault: { pointer: string }) => fault.pointer);
};

const count = async (orderId: string) =>
  (
    await place.store.read((db) =>
      db.selectFrom('fulfillment_orders').select('store_id').where('fulfillment_order_id', '=', orderId).execute(),
    )
  ).length;

describe('taking orders in', () => {
  test.each([
    ['STORE_PICK_UP', pickupOrder, '1100', 'Waiting for pick', 'WAITING_FOR_PICK_ISPU'],
    ['SHIP_TO_HOME', homeOrder, '1100', 'Waiting for pick', 'WAITING_FOR_PICK_SFS'],
    ['SHIP_TO_STORE', storeOrder, '1300', 'Waiting for check-in', 'WAITING_FOR_CHECKIN_STS'],
  ])('a %s order enters with its status on its queue', async (_type, order, status, statusName, queueId) => {
    const id = fresh();
    const answer = await place.intake(order(id));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ fulfillmentOrders: [{ fulfillmentOrderId: id, status, statusName, queueId }] });
  });

  test('an ASSOCIATE_DELIVERY order enters waiting for pick', async () => {
    const answer = await place.intake(pickupOrder(fresh(), { fulfillmentType: 'ASSOCIATE_DELIVERY' }));
    expect(answer.body.fulfillmentOrders[0]).toMatchObject({ status: '1100', queueId: 'WAITING_FOR_PICK_DEL' });
  });

  test('goods already in the store become one package named 1 with the order id as its tracking number', async () => {
    const id = fresh();
    const { packages: _none, shipFromAddress: _from, ...order } = storeOrder(id, { inStore: true });
    const answer = await place.intake(order);
    expect(answer.body.fulfillmentOrders[0].queueId).toBe('WAITING_FOR_INSTORE_CHECKIN_STS');
    const [packages, items] = await packagesOf(place, id);
    expect(packages).toEqual([expect.objectContaining({ check_in_package_id: '1', tracking_number: id })]);
    expect(items.map((item) => item.quantity)).toEqual([3, 1]);
    expect(JSON.parse((await place.row(id)).contacts).shipFromAddress).toEqual({ destinationId: 'D2' });
  });

  test('the response to a list of orders has the same sequence', async () => {
    const ids = [fresh(), fresh(), fresh()];
    const answer = await place.intake([homeOrder(ids[0]!), pickupOrder(ids[1]!), storeOrder(ids[2]!)]);
    expect(answer.status).toBe(201);
    expect(answer.body.fulfillmentOrders.map((one: { fulfillmentOrderId: string }) => one.fulfillmentOrderId)).toEqual(
      ids,
    );
  });

  test('a list holds 1 to 500 orders', async () => {
    const orders = Array.from({ length: 501 }, (_, index) => pickupOrder(`MANY-${index}`));
    expect(pointers(await place.intake(orders))).toEqual(['']);
    expect(pointers(await place.intake([]))).toEqual(['']);
    expect((await place.intake(orders.slice(1))).status).toBe(201);
  });

  test('one bad order rejects the whole list', async () => {
    const [good, bad] = [fresh(), fresh()];
    expect(pointers(await place.intake([pickupOrder(good), pickupOrder(bad, { currency: 'XXZ' })]))).toEqual([
      '/1/currency',
    ]);
    expect(await count(good)).toBe(0);
  });

  test('the response lists every error of every order', async () => {
    const answer = await place.intake([
      homeOrder(fresh(), { nodeId: 'NOWHERE', carrier: '', service: '' }),
      pickupOrder(fresh()),
      pickupOrder(fresh(), { currency: 'XXZ', lines: [line('1', '1-NONE'), line('1', '1-NONE')] }),
    ]);
    expect(pointers(answer)).toEqual([
      '/0/nodeId',
      '/0/carrier',
      '/0/service',
      '/2/currency',
      '/2/lines/0/itemId',
      '/2/lines/1/itemId',
      '/2/lines/1/webLineId',
    ]);
  });

  test('more than 100 errors are counted as 100+', async () => {
    const lines = Array.from({ length: 150 }, (_, index) => line(String(index), '1-NONE'));
    const answer = await place.intake(pickupOrder(fresh(), { lines }));
    expect(pointers(answer)).toHaveLength(100);
    expect(answer.body.errorsTotal).toBe(150);
    const exactly = await place.intake(pickupOrder(fresh(), { lines: lines.slice(0, 100) }));
    expect(exactly.body.errorsTotal).toBe(100);
  });

  test('intake is recorded as order.received without personal data', async () => {
    const id = fresh();
    await place.intake(storeOrder(id));
    const event = await place.store.read((db) =>
      db.selectFrom('events').selectAll().where('resource_id', '=', id).executeTakeFirstOrThrow(),
    );
    expect(event).toMatchObject({ type: 'order.received', resource_type: 'order', client_id: 'C1', revision: 1 });
    expect(JSON.parse(event.data)).toEqual({
      storeId: 'S1',
      nodeId: 'N1',
      fulfillmentType: 'SHIP_TO_STORE',
      status: '1300',
      statusName: 'Waiting for check-in',
      queueId: 'WAITING_FOR_CHECKIN_STS',
      lines: 2,
      units: 4,
    });
  });

  test('orders are numbered by the service, without a gap', async () => {
    const [one, two] = [fresh(), fresh()];
    await place.intake([pickupOrder(one), pickupOrder(two)]);
    expect((await place.row(two)).fulfillment_id - (await place.row(one)).fulfillment_id).toBe(1);
  });
});

const line = (webLineId: string, itemId = '1-A', quantity = 1) => ({ webLineId, itemId, quantity, unitPrice: 1 });

describe('an order that is sent again', () => {
  test('with the same content is 200 and changes nothing', async () => {
    const order = homeOrder(fresh(), { pinNumber: '4711' });
    await place.intake(order);
    const before = await place.row(order.fulfillmentOrderId);
    place.clock.now += 60_000;
    const again = await place.intake(order);
    place.clock.now = NOON;
    expect(again.status).toBe(200);
    expect(again.body.fulfillmentOrders[0]).toMatchObject({ status: '1100', queueId: 'WAITING_FOR_PICK_SFS' });
    expect(await place.row(order.fulfillmentOrderId)).toEqual(before);
  });

  test('among new ones is 201, and the response has its present status', async () => {
    const [old, young] = [fresh(), fresh()];
    await place.intake(pickupOrder(old));
    await place.setOrder(old, { status: 9000, queue_id: null });
    const answer = await place.intake([pickupOrder(old), pickupOrder(young)]);
    expect(answer.status).toBe(201);
    expect(answer.body.fulfillmentOrders).toEqual([
      { fulfillmentOrderId: old, status: '9000', statusName: 'Canceled' },
      { fulfillmentOrderId: young, status: '1100', statusName: 'Waiting for pick', queueId: 'WAITING_FOR_PICK_ISPU' },
    ]);
  });

  test.each([
    ['omsOrderId', { omsOrderId: 'OTHER' }],
    ['webOrderId', { webOrderId: 'OTHER' }],
    ['nodeId', { nodeId: 'N2' }],
    ['orderDate', { orderDate: '2026-03-02T09:00:01Z' }],
    ['pinNumber', { pinNumber: '0000' }],
    ['customer', { customer: { name: 'Bo', email: 'ada@example.com', phone: '+1 215-555-0199' } }],
    ['lines', { lines: [{ webLineId: '1', itemId: '1-A', quantity: 3, unitPrice: 10.5 }] }],
    ['headerTax', { headerTax: 1 }],
  ])('with another %s is 409 and names it', async (member, other) => {
    const id = fresh();
    await place.intake(pickupOrder(id, { pinNumber: '1234' }));
    const before = await place.row(id);
    const answer = await place.intake(pickupOrder(id, { pinNumber: '1234', ...other }));
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'CONFLICT', differs: [{ fulfillmentOrderId: id, members: [member] }] });
    expect(answer.text).not.toContain('1234');
    expect(await place.row(id)).toEqual(before);
  });

  test('rejects the whole list if its content differs', async () => {
    const [old, young] = [fresh(), fresh()];
    await place.intake(pickupOrder(old));
    const answer = await place.intake([pickupOrder(young), pickupOrder(old, { currency: 'EUR', carrier: 'UPS' })]);
    expect(answer.status).toBe(409);
    expect(answer.body.differs).toEqual([{ fulfillmentOrderId: old, members: ['carrier', 'currency'] }]);
    expect(await count(young)).toBe(0);
  });

  test('is compared by value: other spellings of numbers and instants are equal', async () => {
    const id = fresh();
    await place.intake(pickupOrder(id, { lines: [line('1')], orderDate: '2026-03-02T09:00:00Z' }));
    const text = JSON.stringify(pickupOrder(id, { lines: [line('1')], orderDate: '2026-03-02T10:00:00+01:00' }));
    const answer = await place.call({
      method: 'POST',
      path: '/operator/v1/stores/S1/fulfillmentOrders',
      raw: text.replace('"unitPrice":1', '"unitPrice":1.00'),
      headers: { apiKey: place.keys.all },
    });
    expect(answer.status, answer.text).toBe(200);
  });

  test('twice in one list is accepted once if equal, and an error of its place if not', async () => {
    const id = fresh();
    expect((await place.intake([pickupOrder(id), pickupOrder(id)])).status).toBe(201);
    expect(await count(id)).toBe(1);
    const other = fresh();
    const answer = await place.intake([pickupOrder(other), pickupOrder(other, { carrier: 'UPS' })]);
    expect(pointers(answer)).toEqual(['/1/fulfillmentOrderId']);
    expect(answer.text).toContain('in the message twice with different content (carrier)');
    expect(await count(other)).toBe(0);
  });

  test('twice in one list with an error is reported twice', async () => {
    const id = fresh();
    const order = pickupOrder(id, { currency: 'XXZ' });
    expect(pointers(await place.intake([order, order]))).toEqual(['/0/currency', '/1/currency']);
  });

  test('of another store of the client is rejected', async () => {
    const id = fresh();
    await place.intake(pickupOrder(id));
    const answer = await place.operator(
      'POST',
      '/operator/v1/stores/S2/fulfillmentOrders',
      pickupOrder(id, { carrier: 'UPS' }),
    );
    expect(answer.status).toBe(409);
    expect(answer.body.differs[0].members).toEqual(['storeId']);
  });

  test('is not checked against the rules again, because its item may have been deleted', async () => {
    const id = fresh();
    await place.putItem('1-GONE');
    const order = pickupOrder(id, { lines: [line('1', '1-GONE')] });
    await place.intake(order);
    await place.store.write((tx) => tx.deleteFrom('items').where('item_id', '=', '1-GONE').execute());
    expect((await place.intake(order)).status).toBe(200);
  });

  test('has hashes that reveal nothing: the same customer has a different hash at another client', async () => {
    const id = fresh();
    await place.intake(pickupOrder(id));
    await place.putItem('2-A', {}, 'C2');
    await place.operator('POST', '/operator/v1/stores/S9/fulfillmentOrders', {
      ...pickupOrder(id, { lines: [line('1', '2-A')] }),
      nodeId: 'N9',
    });
    const rows = await place.store.read((db) =>
      db.selectFrom('fulfillment_orders').select('member_hashes').where('fulfillment_order_id', '=', id).execute(),
    );
    const hashes = rows.map((row) => JSON.parse(row.member_hashes).customer);
    expect(hashes).toHaveLength(2);
    expect(hashes[0]).not.toBe(hashes[1]);
  });
});

describe('the same order twice at once', () => {
  test('is stored once: one call is 201, the others 200', async () => {
    const order = pickupOrder(fresh());
    const answers = await Promise.all(Array.from({ length: 10 }, () => place.intake(order)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(await count(order.fulfillmentOrderId)).toBe(1);
  });

  test('with two contents: one is stored, the other is rejected', async () => {
    const id = fresh();
    const contents = [pickupOrder(id), pickupOrder(id, { carrier: 'UPS' })];
    const answers = await Promise.all(contents.map((order) => place.intake(order)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409]);
    const winner = answers[0]!.status === 201 ? '' : 'UPS';
    expect((await place.row(id)).carrier).toBe(winner);
  });
});

describe('access to intake', () => {
  test('the operator and a key of the group intake have it', async () => {
    expect((await place.intake(pickupOrder(fresh()))).status).toBe(201);
    expect((await place.intake(pickupOrder(fresh()), place.keys.all)).status).toBe(201);
  });

  test('a key without the group intake is rejected', async () => {
    const path = '/operator/v1/clients/C1/credentials';
    const { body } = await place.operator('POST', path, { label: 'x', groups: ['fulfillment'] });
    expect((await place.intake(pickupOrder(fresh()), body.apiKey)).status).toBe(403);
  });

  test("another client's key and a request without credentials are rejected", async () => {
    expect((await place.intake(pickupOrder(fresh()), place.keys.other)).status).toBe(403);
    const path = '/operator/v1/stores/S1/fulfillmentOrders';
    const answer = await place.call({ method: 'POST', path, body: pickupOrder(fresh()) });
    expect(answer.status).toBe(401);
  });

  test('a missing store is 404 for the operator', async () => {
    const answer = await place.operator('POST', '/operator/v1/stores/NONE/fulfillmentOrders', pickupOrder(fresh()));
    expect(answer.status).toBe(404);
  });

  test("a limited key reaches only its own nodes; a missing node, another client's node and any other node get the same error", async () => {
    expect((await place.intake(pickupOrder(fresh()), place.keys.onlyN1)).status).toBe(201);
    const messages = [];
    for (const nodeId of ['N2', 'N9', 'NX']) {
      const answer = await place.intake(pickupOrder(fresh(), { nodeId }), place.keys.onlyN1);
      expect(pointers(answer)).toEqual(['/nodeId']);
      messages.push(answer.body.errors[0].message.replace(nodeId, ''));
    }
    expect(new Set(messages).size).toBe(1);
  });

  test('a limited key learns of an order at another node only that its id is taken', async () => {
    const id = fresh();
    await place.intake(pickupOrder(id, { nodeId: 'N2' }));
    expect(pointers(await place.intake(pickupOrder(id, { nodeId: 'N2' }), place.keys.onlyN1))).toEqual(['/nodeId']);
    const answer = await place.intake(pickupOrder(id, { carrier: 'UPS' }), place.keys.onlyN1);
    expect(answer.status).toBe(409);
    expect(answer.body.differs).toEqual([{ fulfillmentOrderId: id, members: ['nodeId'] }]);
  });

  test("another client's item looks like a missing one", async () => {
    await place.putItem('2-X', {}, 'C2');
    const answer = await place.intake(pickupOrder(fresh(), { lines: [line('1', '2-X'), line('2', '2-Y')] }));
    expect(pointers(answer)).toEqual(['/lines/0/itemId', '/lines/1/itemId']);
    const [one, two] = answer.body.errors.map((fault: { message: string }) => fault.message);
    expect(one.replace('2-X', '')).toBe(two.replace('2-Y', ''));
  });
});
