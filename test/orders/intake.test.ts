import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Decimal } from '../../src/decimal.ts';
import type { Answer } from '../support/backroom.ts';
import { NOON } from '../support/backroom.ts';
import { destination, homeOrder, openPlace, type Place, pickupOrder, storeOrder } from './place.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

let made = 0;
/** An order id that no other test uses. */
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
    ['STORE_PICK_UP', pickupOrder, '1100', 'WAITING_FOR_PICK_ISPU'],
    ['SHIP_TO_HOME', homeOrder, '1100', 'WAITING_FOR_PICK_SFS'],
    ['SHIP_TO_STORE', storeOrder, '1300', 'WAITING_FOR_CHECKIN_STS'],
  ])('a %s order enters with its status on its queue', async (_type, order, status, queueId) => {
    const id = fresh();
    const answer = await place.intake(order(id));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ fulfillmentOrders: [{ fulfillmentOrderId: id, status, queueId }] });
  });

  test('an ASSOCIATE_DELIVERY order enters waiting for pick', async () => {
    const answer = await place.intake(pickupOrder(fresh(), { fulfillmentType: 'ASSOCIATE_DELIVERY' }));
    expect(answer.body.fulfillmentOrders[0]).toMatchObject({ status: '1100', queueId: 'WAITING_FOR_PICK_DEL' });
  });

  test('goods that are in the store already become one package named 1 with the order id as its tracking number', async () => {
    const id = fresh();
    const { packages: _none, shipFromAddress: _from, ...order } = storeOrder(id, { inStore: true });
    const answer = await place.intake(order);
    expect(answer.body.fulfillmentOrders[0].queueId).toBe('WAITING_FOR_INSTORE_CHECKIN_STS');
    const [packages, items] = await packagesOf(id);
    expect(packages).toEqual([expect.objectContaining({ check_in_package_id: '1', tracking_number: id })]);
    expect(items.map((item) => item.quantity)).toEqual([3, 1]);
    expect(JSON.parse((await place.row(id)).contacts).shipFromAddress).toEqual({ destinationId: 'D2' });
  });

  test('a list of orders is answered in its order', async () => {
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

  test('one bad order keeps the whole list out', async () => {
    const [good, bad] = [fresh(), fresh()];
    expect(pointers(await place.intake([pickupOrder(good), pickupOrder(bad, { currency: 'XXZ' })]))).toEqual([
      '/1/currency',
    ]);
    expect(await count(good)).toBe(0);
  });

  test('every fault of every order is named at once', async () => {
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
      '/2/lines/1/webLineId',
      '/2/lines/1/itemId',
    ]);
  });

  test('more than 100 faults are counted as 100+', async () => {
    const lines = Array.from({ length: 150 }, (_, index) => line(String(index), '1-NONE'));
    const answer = await place.intake(pickupOrder(fresh(), { lines }));
    expect(pointers(answer)).toHaveLength(100);
    expect(answer.body.errorsTotal).toBe('100+');
    const exactly = await place.intake(pickupOrder(fresh(), { lines: lines.slice(0, 100) }));
    expect(exactly.body.errorsTotal).toBe(100);
  });

  test('the effect is recorded as order.received without anything of the customer', async () => {
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

async function packagesOf(id: string) {
  return place.store.read(
    async (db) =>
      [
        await db.selectFrom('checkin_packages').selectAll().where('fulfillment_order_id', '=', id).execute(),
        await db.selectFrom('checkin_package_items').selectAll().where('fulfillment_order_id', '=', id).execute(),
      ] as const,
  );
}

describe('an order that comes again', () => {
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

  test('among new ones is 201, and its present status is answered', async () => {
    const [old, young] = [fresh(), fresh()];
    await place.intake(pickupOrder(old));
    await place.setOrder(old, { status: 9000, queue_id: null });
    const answer = await place.intake([pickupOrder(old), pickupOrder(young)]);
    expect(answer.status).toBe(201);
    expect(answer.body.fulfillmentOrders).toEqual([
      { fulfillmentOrderId: old, status: '9000' },
      { fulfillmentOrderId: young, status: '1100', queueId: 'WAITING_FOR_PICK_ISPU' },
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

  test('keeps the whole list out when its content differs', async () => {
    const [old, young] = [fresh(), fresh()];
    await place.intake(pickupOrder(old));
    const answer = await place.intake([pickupOrder(young), pickupOrder(old, { currency: 'EUR', carrier: 'UPS' })]);
    expect(answer.status).toBe(409);
    expect(answer.body.differs).toEqual([{ fulfillmentOrderId: old, members: ['carrier', 'currency'] }]);
    expect(await count(young)).toBe(0);
  });

  test('is compared by value: spellings of numbers and instants do not count', async () => {
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

  test('twice in one list is taken once when alike, and refused when not', async () => {
    const id = fresh();
    expect((await place.intake([pickupOrder(id), pickupOrder(id)])).status).toBe(201);
    expect(await count(id)).toBe(1);
    const other = fresh();
    const answer = await place.intake([pickupOrder(other), pickupOrder(other, { carrier: 'UPS' })]);
    expect(answer.status).toBe(409);
    expect(await count(other)).toBe(0);
  });

  test('of another store of the client is refused', async () => {
    const id = fresh();
    await place.intake(pickupOrder(id));
    const answer = await place.operator('POST', '/operator/v1/stores/S2/fulfillmentOrders', pickupOrder(id));
    expect(answer.status).toBe(409);
    expect(answer.body.differs[0].members).toEqual(['storeId']);
  });

  test('is not held against the rules again: its item may be gone by now', async () => {
    const id = fresh();
    await place.putItem('1-GONE');
    const order = pickupOrder(id, { lines: [line('1', '1-GONE')] });
    await place.intake(order);
    await place.store.write((tx) => tx.deleteFrom('items').where('item_id', '=', '1-GONE').execute());
    expect((await place.intake(order)).status).toBe(200);
  });

  test('hashes of members tell nothing: the same customer gives another hash at another client', async () => {
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
  test('goes in once: one call is 201, the others 200', async () => {
    const order = pickupOrder(fresh());
    const answers = await Promise.all(Array.from({ length: 10 }, () => place.intake(order)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(await count(order.fulfillmentOrderId)).toBe(1);
  });

  test('with two contents: one goes in, the other is refused', async () => {
    const id = fresh();
    const contents = [pickupOrder(id), pickupOrder(id, { carrier: 'UPS' })];
    const answers = await Promise.all(contents.map((order) => place.intake(order)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409]);
    const winner = answers[0]!.status === 201 ? '' : 'UPS';
    expect((await place.row(id)).carrier).toBe(winner);
  });
});

describe('who may take orders in', () => {
  test('the operator and a key of the group intake may', async () => {
    expect((await place.intake(pickupOrder(fresh()))).status).toBe(201);
    expect((await place.intake(pickupOrder(fresh()), place.keys.all)).status).toBe(201);
  });

  test('a key without the group intake may not', async () => {
    const path = '/operator/v1/clients/C1/credentials';
    const { body } = await place.operator('POST', path, { label: 'x', groups: ['fulfillment'] });
    expect((await place.intake(pickupOrder(fresh()), body.apiKey)).status).toBe(403);
  });

  test("another client's key may not, and nobody without credentials", async () => {
    expect((await place.intake(pickupOrder(fresh()), place.keys.other)).status).toBe(403);
    const path = '/operator/v1/stores/S1/fulfillmentOrders';
    const answer = await place.call({ method: 'POST', path, body: pickupOrder(fresh()) });
    expect(answer.status).toBe(401);
  });

  test('a store that is not there is 404 for the operator', async () => {
    const answer = await place.operator('POST', '/operator/v1/stores/NONE/fulfillmentOrders', pickupOrder(fresh()));
    expect(answer.status).toBe(404);
  });

  test("a narrowed key names its own nodes only; a missing, a foreign and another's node look the same", async () => {
    expect((await place.intake(pickupOrder(fresh()), place.keys.onlyN1)).status).toBe(201);
    const messages = [];
    for (const nodeId of ['N2', 'N9', 'NX']) {
      const answer = await place.intake(pickupOrder(fresh(), { nodeId }), place.keys.onlyN1);
      expect(pointers(answer)).toEqual(['/nodeId']);
      messages.push(answer.body.errors[0].message.replace(nodeId, ''));
    }
    expect(new Set(messages).size).toBe(1);
  });

  test("another client's item looks like one that is not there", async () => {
    await place.putItem('2-X', {}, 'C2');
    const answer = await place.intake(pickupOrder(fresh(), { lines: [line('1', '2-X'), line('2', '2-Y')] }));
    expect(pointers(answer)).toEqual(['/lines/0/itemId', '/lines/1/itemId']);
    const [one, two] = answer.body.errors.map((fault: { message: string }) => fault.message);
    expect(one.replace('2-X', '')).toBe(two.replace('2-Y', ''));
  });
});

describe('what an order keeps', () => {
  test('a snapshot of its items, so that deleting an item changes no order', async () => {
    const id = fresh();
    await place.putItem('1-SNAP');
    await place.intake(pickupOrder(id, { lines: [line('1', '1-SNAP')] }));
    const row = await place.store.read((db) =>
      db.selectFrom('order_lines').selectAll().where('fulfillment_order_id', '=', id).executeTakeFirstOrThrow(),
    );
    expect(JSON.parse(row.snapshot)).toEqual({
      itemDetails: {
        itemId: '1-SNAP',
        itemDesc: 'Item SNAP',
        color: 'Blue',
        colorCode: '07',
        size: 'Medium',
        sizeCode: 'M',
        style: 'ST1',
        upcs: [{ type: 'UPC', value: '036000291452' }],
      },
      weight: { unit: 'lb', value: 1.5 },
      volume: { unit: 'in', width: 1, length: 2, height: 3 },
    });
  });

  test.each([
    [{ description: undefined, productTitle: 'Title' }, 'Title'],
    [{ description: undefined, productTitle: undefined }, '1-BARE'],
  ])('the description of an item, else its title, else its id: %j', async (members, itemDesc) => {
    const id = fresh();
    await place.putItem('1-BARE', { ...members, color: undefined, sizes: undefined, upcs: undefined, styleId: '' });
    await place.intake(pickupOrder(id, { lines: [line('1', '1-BARE')] }));
    const { snapshot } = await place.store.read((db) =>
      db.selectFrom('order_lines').selectAll().where('fulfillment_order_id', '=', id).executeTakeFirstOrThrow(),
    );
    expect(JSON.parse(snapshot).itemDetails).toEqual({
      itemId: '1-BARE',
      itemDesc,
      color: '',
      colorCode: '',
      size: '',
      sizeCode: '',
      style: '',
      upcs: [],
    });
  });

  test('amounts to the last digit; charges and tax that are left out are 0', async () => {
    const id = fresh();
    const unitPrice = new Decimal('1234567890123456789.0125');
    await place.intake(
      pickupOrder(id, { lines: [{ ...line('1'), unitPrice }], headerCharges: 5.1, cashOnDelivery: 7 }),
    );
    const row = await place.store.read((db) =>
      db.selectFrom('order_lines').selectAll().where('fulfillment_order_id', '=', id).executeTakeFirstOrThrow(),
    );
    expect(row).toMatchObject({ unit_price: '1234567890123456789.0125', charges: '0', tax: '0' });
    expect(await place.row(id)).toMatchObject({ header_charges: '5.1', header_tax: '0', cash_on_delivery: '7' });
  });

  test('its PIN sealed: the text stands nowhere in the row, and can be opened', async () => {
    const id = fresh();
    await place.intake(pickupOrder(id, { pinNumber: '987654' }));
    const row = await place.row(id);
    expect(JSON.stringify(row)).not.toContain('987654');
    expect(
      (await place.queue('WAITING_FOR_PICK_ISPU', { fulfillmentOrderId: id })).body.fulfillmentOrders[0].pinNumber,
    ).toBe('987654');
  });

  test('two orders with one PIN are sealed differently', async () => {
    const [one, two] = [fresh(), fresh()];
    await place.intake([pickupOrder(one, { pinNumber: '1' }), pickupOrder(two, { pinNumber: '1' })]);
    expect((await place.row(one)).pin_cipher).not.toBe((await place.row(two)).pin_cipher);
    expect((await place.row(one)).pin_hash).toBe((await place.row(two)).pin_hash);
  });

  test('shipMethod as sent, else carrier_service', async () => {
    const ids = [fresh(), fresh(), fresh()] as const;
    await place.intake([homeOrder(ids[0]), homeOrder(ids[1], { shipMethod: 'BEST' }), pickupOrder(ids[2])]);
    const methods = await Promise.all(ids.map(async (id) => (await place.row(id)).ship_method));
    expect(methods).toEqual(['UPS_GROUND', 'BEST', '']);
  });

  test('a fulfillmentOrderDate that is left out is now, but not before the orderDate', async () => {
    const [one, two] = [fresh(), fresh()];
    const { fulfillmentOrderDate: _date, ...order } = pickupOrder(one);
    place.clock.now = NOON + 789;
    await place.intake([order, { ...order, fulfillmentOrderId: two, orderDate: '2026-03-02T12:00:05Z' }]);
    place.clock.now = NOON;
    expect((await place.row(one)).fulfillment_order_date).toBe(NOON);
    expect((await place.row(two)).fulfillment_order_date).toBe(NOON + 5000);
  });

  test('packages as sent; one without an id gets the next free number', async () => {
    const id = fresh();
    const packages = [
      { trackingNumber: 'A', items: [{ webLineId: '1', quantity: 1 }], weight: { unit: 'lb', value: 1.25 } },
      { trackingNumber: 'B', checkInPackageId: '1', items: [{ webLineId: '1', quantity: 2 }] },
      { trackingNumber: 'C', items: [{ webLineId: '2', quantity: 1 }], volume: { unit: 'in3', value: 3 } },
    ];
    expect((await place.intake(storeOrder(id, { packages }))).status).toBe(201);
    const [rows] = await packagesOf(id);
    expect(rows.map((row) => [row.check_in_package_id, row.tracking_number, row.weight, row.volume])).toEqual([
      ['2', 'A', '{"unit":"lb","value":1.25}', null],
      ['1', 'B', null, null],
      ['3', 'C', null, '{"unit":"in3","value":3}'],
    ]);
  });
});

describe('rules of intake', () => {
  const refused = async (order: unknown) => pointers(await place.intake(order));
  const accepted = async (order: unknown) => {
    const answer = await place.intake(order);
    expect(answer.status, answer.text).toBe(201);
  };

  test('the storeId of an order must be that of the path', async () => {
    expect(await refused({ ...pickupOrder(fresh()), storeId: 'S2' })).toEqual(['/storeId']);
    await accepted({ ...pickupOrder(fresh()), storeId: 'S1' });
  });

  test('the node must work on the fulfillment type', async () => {
    expect(await refused(homeOrder(fresh(), { nodeId: 'N2' }))).toEqual(['/fulfillmentType']);
    await accepted(pickupOrder(fresh(), { nodeId: 'N2' }));
  });

  test('the orderDate is the same as or earlier than the fulfillmentOrderDate', async () => {
    const at = (orderDate: string) => pickupOrder(fresh(), { orderDate, fulfillmentOrderDate: '2026-03-02T10:00:00Z' });
    expect(await refused(at('2026-03-02T10:00:01Z'))).toEqual(['/orderDate']);
    await accepted(at('2026-03-02T10:00:00Z'));
  });

  test.each([
    ['STORE_PICK_UP', 'ispuEligible'],
    ['SHIP_TO_HOME', 'sfsEligible'],
    ['SHIP_TO_STORE', 'stsEligible'],
    ['ASSOCIATE_DELIVERY', 'associateDeliveryEligible'],
  ] as const)('an item of a %s order needs %s', async (fulfillmentType, member) => {
    await place.putItem('1-NOT', { [member]: false });
    const make = (itemId: string) => ({
      ...homeOrder(fresh(), { fulfillmentType, lines: [line('1', itemId)] }),
      ...(fulfillmentType === 'SHIP_TO_STORE' && { inStore: true }),
    });
    expect(await refused(make('1-NOT'))).toEqual(['/lines/0/itemId']);
    await place.putItem('1-NOT', { [member]: true });
    await accepted(make('1-NOT'));
  });

  test('a webLineId stands once', async () => {
    expect(await refused(pickupOrder(fresh(), { lines: [line('1'), line('2'), line('1')] }))).toEqual([
      '/lines/2/webLineId',
    ]);
  });

  test.each(['carrier', 'service'] as const)('SHIP_TO_HOME needs a %s; other types may have none', async (member) => {
    expect(await refused(homeOrder(fresh(), { [member]: '' }))).toEqual([`/${member}`]);
    await accepted(pickupOrder(fresh(), { [member]: '' }));
  });

  test('a destinationId stands once', async () => {
    const destinations = [destination('D1'), destination('D2'), destination('D1')];
    expect(await refused(pickupOrder(fresh(), { destinations }))).toEqual(['/destinations/2/destinationId']);
  });

  test.each(['billToAddress', 'shippingAddress', 'shipFromAddress'] as const)(
    '%s names one of the destinations',
    async (member) => {
      const order = pickupOrder(fresh(), { [member]: { destinationId: 'D3' } });
      expect(await refused(order)).toEqual([`/${member}/destinationId`]);
    },
  );

  test.each([
    ['SHIP_TO_HOME', ['personName/lastName', 'phone']],
    ['SHIP_TO_STORE', []],
  ] as const)('destinations of %s orders have all that is answered of them', async (fulfillmentType, more) => {
    const make = fulfillmentType === 'SHIP_TO_HOME' ? homeOrder : storeOrder;
    const bare = { destinationId: 'D2' };
    const found = await refused(make(fresh(), { destinations: [destination('D1'), bare] }));
    const needed = [
      'personName/firstName',
      'address/line1',
      'address/city',
      'address/mainDivisionCode',
      'address/postalCode',
      'address/countryCode',
      'email',
      ...more,
    ];
    expect(found.sort()).toEqual(needed.map((path) => `/destinations/1/${path}`).sort());
    await accepted(pickupOrder(fresh(), { destinations: [destination('D1'), bare] }));
  });

  test('an order to another country than the node’s needs the countryOfOrigin of each item', async () => {
    const abroad = destination('D1', {
      address: { line1: '1', city: 'Porto', mainDivisionCode: '', postalCode: '4000', countryCode: 'PT' },
    });
    const lines = [line('1', '1-A'), line('2', '1-B')];
    const order = homeOrder(fresh(), { lines, destinations: [abroad] });
    const answer = await place.intake(order);
    expect(pointers(answer)).toEqual(['/lines/1/itemId']);
    expect(answer.body.errors[0].message).toContain('1-B');
    await accepted(homeOrder(fresh(), { lines }));
    await accepted(homeOrder(fresh(), { lines: [line('1', '1-A')], destinations: [abroad] }));
  });

  test('SHIP_TO_STORE needs shipFromAddress, and packages or inStore', async () => {
    const { packages: _packages, shipFromAddress: _from, ...order } = storeOrder(fresh());
    expect(await refused(order)).toEqual(['/shipFromAddress', '/packages']);
  });

  test('packages and inStore exclude each other, and both are for SHIP_TO_STORE only', async () => {
    expect(await refused(storeOrder(fresh(), { inStore: true }))).toEqual(['/packages']);
    const { packages } = storeOrder('');
    expect(await refused(pickupOrder(fresh(), { inStore: true, packages: packages! }))).toEqual([
      '/inStore',
      '/packages',
    ]);
    await accepted(pickupOrder(fresh(), { inStore: false }));
  });

  test('packages hold exactly the units of the lines', async () => {
    const packed = (quantity: number) =>
      storeOrder(fresh(), {
        lines: [line('1', '1-A', 3)],
        packages: [
          { trackingNumber: 'A', items: [{ webLineId: '1', quantity: 1 }] },
          { trackingNumber: 'B', items: [{ webLineId: '1', quantity }] },
        ],
      });
    expect(await refused(packed(1))).toEqual(['/lines/0/quantity']);
    expect(await refused(packed(3))).toEqual(['/lines/0/quantity']);
    await accepted(packed(2));
  });

  test('a package names lines of the order, each once, and has an id of its own', async () => {
    const item = (webLineId: string, quantity = 1) => ({ webLineId, quantity });
    const packages = [
      { checkInPackageId: 'P', trackingNumber: 'A', items: [item('1'), item('1')] },
      { checkInPackageId: 'P', trackingNumber: 'B', items: [item('1'), item('9')] },
    ];
    expect(await refused(storeOrder(fresh(), { lines: [line('1', '1-A', 3)], packages }))).toEqual([
      '/packages/0/items/1/webLineId',
      '/packages/1/checkInPackageId',
      '/packages/1/items/1/webLineId',
    ]);
  });
});
