import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/backroom.ts';
import { destination, homeOrder, openPlace, type Place, pickupOrder, storeOrder } from './place.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

let made = 0;
const fresh = () => `L-${++made}`;

const line = (webLineId: string, itemId = '1-A', quantity = 1) => ({ webLineId, itemId, quantity, unitPrice: 1 });

const pointers = (answer: Answer) => {
  expect(answer.status, answer.text).toBe(400);
  return answer.body.errors.map((fault: { pointer: string }) => fault.pointer);
};

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

  test('the node must support the fulfillment type', async () => {
    expect(await refused(homeOrder(fresh(), { nodeId: 'N2' }))).toEqual(['/fulfillmentType']);
    await accepted(pickupOrder(fresh(), { nodeId: 'N2' }));
  });

  test('the orderDate is not after the fulfillmentOrderDate', async () => {
    const at = (orderDate: string) => pickupOrder(fresh(), { orderDate, fulfillmentOrderDate: '2026-03-02T10:00:00Z' });
    expect(await refused(at('2026-03-02T10:00:01Z'))).toEqual(['/orderDate']);
    await accepted(at('2026-03-02T10:00:00Z'));
  });

  test('neither date of an order is more than a day ahead of the service', async () => {
    const ahead = (ms: number) => new Date(place.clock.now + 24 * 3_600_000 + ms).toISOString();
    const at = (dates: object) => pickupOrder(fresh(), dates);
    expect(await refused(at({ orderDate: ahead(1000), fulfillmentOrderDate: undefined }))).toEqual(['/orderDate']);
    expect(await refused(at({ fulfillmentOrderDate: ahead(1000) }))).toEqual(['/fulfillmentOrderDate']);
    expect(await refused(at({ orderDate: '2999-01-01T00:00:00Z', fulfillmentOrderDate: undefined }))).toEqual([
      '/orderDate',
    ]);
    await accepted(at({ orderDate: ahead(0), fulfillmentOrderDate: ahead(0) }));
  });

  test.each([
    ['.', 'because URL clients remove it'],
    ['..', 'because URL clients remove it'],
    ['a\u200bb', 'U+200B'],
    ['a\u202eb', 'U+202E'],
    ['a\u0007b', 'U+0007'],
    ['a\u00adb', 'U+00AD'],
  ])('the identifier %j is rejected at its place', async (fulfillmentOrderId, words) => {
    const order = { ...pickupOrder(fresh()), fulfillmentOrderId };
    const answer = await place.intake(order);
    expect(pointers(answer)).toEqual(['/fulfillmentOrderId']);
    expect((answer.body as { errors: { message: string }[] }).errors[0]!.message).toContain(words);
  });

  test.each(['...', '.a', 'a.b', 'é', 'e\u0301', '❤\ufe0f', '订单'])('the identifier %j is accepted', async (id) => {
    await accepted({ ...pickupOrder(fresh()), fulfillmentOrderId: id });
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

  test.each(['9007199254740993', '1e400', '100000'])('a quantity of %s is rejected with the maximum', async (sent) => {
    const text = JSON.stringify(pickupOrder(fresh())).replace(/"quantity":\d+/, `"quantity":${sent}`);
    const answer = await place.call({
      method: 'POST',
      path: '/operator/v1/stores/S1/fulfillmentOrders',
      raw: text,
      headers: { apiKey: place.keys.all, 'content-type': 'application/json' },
    });
    expect(pointers(answer)).toEqual(['/lines/0/quantity']);
    expect(answer.body.errors[0].message).toContain('99999');
  });

  test('a webLineId is unique in the order', async () => {
    expect(await refused(pickupOrder(fresh(), { lines: [line('1'), line('2'), line('1')] }))).toEqual([
      '/lines/2/webLineId',
    ]);
  });

  test.each(['carrier', 'service'] as const)('SHIP_TO_HOME needs a %s; other types may have none', async (member) => {
    for (const nothing of ['', null, undefined]) {
      expect(await refused(homeOrder(fresh(), { [member]: nothing }))).toEqual([`/${member}`]);
      await accepted(pickupOrder(fresh(), { [member]: nothing }));
    }
  });

  test('a destinationId is unique in the order', async () => {
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

  test.each(['SHIP_TO_HOME', 'SHIP_TO_STORE'] as const)(
    'destinations of %s orders need a name and an address',
    async (fulfillmentType) => {
      const make = fulfillmentType === 'SHIP_TO_HOME' ? homeOrder : storeOrder;
      const bare = { destinationId: 'D2' };
      const found = await refused(make(fresh(), { destinations: [destination('D1'), bare] }));
      const needed = ['personName/firstName', 'address/line1', 'address/city', 'address/countryCode'];
      expect(found.sort()).toEqual(needed.map((path) => `/destinations/1/${path}`).sort());
      await accepted(pickupOrder(fresh(), { destinations: [destination('D1'), bare] }));
    },
  );

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

  test('a package names lines of the order, each once, and has a unique id', async () => {
    const item = (webLineId: string, quantity = 1) => ({ webLineId, quantity });
    const packages = [
      { checkInPackageId: 'P', trackingNumber: 'A', items: [item('1'), item('1')] },
      { checkInPackageId: 'P', trackingNumber: 'B', items: [item('1'), item('9')] },
    ];
    expect(await refused(storeOrder(fresh(), { lines: [line('1', '1-A', 3)], packages }))).toEqual([
      '/packages/1/checkInPackageId',
      '/packages/0/items/1/webLineId',
      '/packages/1/items/1/webLineId',
    ]);
  });
});
