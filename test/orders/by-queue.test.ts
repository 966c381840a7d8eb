import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderIntake } from '../../src/orders/intake-schema.ts';
import type { Destination } from '../../src/shared/shapes.ts';
import { type Answer, NOON } from '../support/backroom.ts';
import { destination, openPlace, type Place, pickupOrder, storeOrder } from './place.ts';

const QUEUE = 'WAITING_FOR_CHECKIN_STS';
const HOME: Destination = {
  destinationId: 'HOME',
  destinationType: 'MAILING_ADDRESS',
  personName: { firstName: 'Ada', middleName: 'King', lastName: 'Byron' },
  address: {
    line1: '12 Engine Row',
    line2: 'Floor 3',
    line3: 'Door 4',
    line4: 'Left',
    city: 'Newport',
    mainDivisionCode: 'RI',
    postalCode: '02840',
    countryCode: 'US',
  },
  phone: '+1 401 555 0101',
  email: 'ada@home.example',
};
/** An order with every field that the search can return. */
const order: OrderIntake = storeOrder('100', {
  destinations: [HOME, destination('D1'), destination('D2', { destinationType: 'NODE_ADDRESS' })],
  billToAddress: { destinationId: 'HOME' },
  expectedDeliveryDate: '2026-03-06T01:00:00+01:00',
  carrier: 'UPS',
  service: 'GROUND',
  proxyDetails: { name: 'Bo Diaz', email: 'bo@example.com', phone: '4015550102' },
  pinNumber: '0471',
});

let place: Place;
beforeAll(async () => {
  place = await openPlace();
  await place.intake([order, pickupOrder('200')]);
  await place.setOrder('100', { hold_location: 'SHELF 1', pick_ticket_id: 'PT-1' });
});
afterAll(() => place.close());

type Body = Record<string, unknown>;
const body = (members: Body = {}): Body => ({ storeId: 'S1', nodeId: 'N1', queueId: QUEUE, ...members });
const post = (
  members: Body,
  path = `/stores/S1/nodes/N1/fulfillmentOrders?queueId=${QUEUE}`,
  apiKey = place.keys.all,
) => place.call({ method: 'POST', path, body: members, headers: { apiKey } });

const pointers = (answer: Answer): string[] => {
  expect(answer.status, answer.text).toBe(400);
  return answer.body.errors.map((fault: { pointer: string }) => fault.pointer);
};

const chars = (count: number) => 'x'.repeat(count);
const range = { from: '2026-03-01T00:00:00+00:00', to: '2026-03-02T00:00:00-05:00' };
const contact = { name: 'Ada', email: '', phone: '' };

describe('request of the queue search', () => {
  const ROWS: [member: string, says: string, good: unknown[], bad: unknown[]][] = [
    ['storeId', 'required', ['S1'], ['', chars(41), 1, null]],
    ['nodeId', 'required', ['N1'], ['', chars(41), 1, null]],
    ['queueId', 'required', [QUEUE], ['', chars(41), 1, null]],
    [
      'fulfillmentType',
      'optional',
      ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'],
      ['', 'X', 1],
    ],
    ['carrier', 'optional', [chars(40), null], ['', chars(41), 1]],
    ['service', 'optional', [chars(40)], ['', chars(41), 1]],
    ['shipMethod', 'optional', [chars(81)], ['', chars(82), 1]],
    ['pickTicketId', 'optional', [chars(40)], ['', chars(41), 1]],
    ['fulfillmentOrderId', 'optional', [chars(40)], ['', chars(41), 1, ' 100']],
    ['webOrderId', 'optional', [chars(40)], ['', chars(41), 1]],
    [
      'zipCodeRange',
      'optional',
      [
        { from: '1', to: chars(20) },
        { from: 'a 1', to: 'A1' },
      ],
      [{}, '1', { from: '2', to: '1' }],
    ],
    ['orderDateRange', 'optional', [range], [{}, '2026-03-01']],
    ['fulfillmentOrderDateRange', 'optional', [range], [{}, 1]],
    ['expectedDeliveryDateRange', 'optional', [range], [{}, []]],
    ['customer', 'optional', [contact], [{}, 'Ada']],
    ['proxyDetails', 'optional', [contact], [{}, 'Ada']],
    ['trackingNumber', 'optional', [chars(40)], ['', chars(41), 1]],
    ['pinNumber', 'optional', [chars(20)], ['', chars(21), 4711]],
    ['pageId', 'an optional integer', [1, 0, '1'], [-1, '', 1.5]],
    ['pageSize', 'an optional integer', [500, 0, '1'], [501, '501', 1.5]],
    ['lastPageId', 'an optional integer', [0, 1, '1'], [-1, '-1', 1.5]],
    ['maxRecordsCount', 'an optional integer', [10_000, 0, '1'], [10_001, '10001', 1.5]],
    ['lastRecordId', 'an optional integer', [100, '100', 0, '0'], [-1, 1.5, '', chars(41)]],
  ];

  test.each(ROWS)('%s is %s', async (member, says, good, bad) => {
    const { [member]: _left, ...without } = body();
    if (says === 'required') expect(pointers(await post(without))).toEqual([`/${member}`]);
    else expect((await post(without)).status).toBe(200);
    for (const value of good) expect((await post(body({ [member]: value }))).status, String(value)).toBe(200);
    for (const value of bad) {
      const found = pointers(await post(body({ [member]: value })));
      expect(
        found.every((pointer) => pointer === `/${member}` || pointer.startsWith(`/${member}/`)),
        String(value),
      ).toBe(true);
    }
  });

  const PARTS: [path: string, good: unknown[], bad: unknown[]][] = [
    ['zipCodeRange/from', ['19406'], ['', '- -', chars(21), 1]],
    ['zipCodeRange/to', ['99999'], ['', ' ', chars(21), 1]],
    ...['orderDateRange', 'fulfillmentOrderDateRange', 'expectedDeliveryDateRange'].flatMap((member): typeof PARTS => [
      [
        `${member}/from`,
        ['2026-03-01T10:00:00+01:00', '2026-03-01T10:00:00Z'],
        ['2026-03-01', '2026-03-01T10:00:00', '2026-02-30T00:00:00Z', 0],
      ],
      [
        `${member}/to`,
        ['2026-03-05T10:00:00-05:00', '2026-03-05T10:00:00Z'],
        ['2026-03-05', '2026-03-05T10:00:00', '2026-13-01T00:00:00Z', 0],
      ],
    ]),
    ...['customer', 'proxyDetails'].flatMap((member): typeof PARTS => [
      [`${member}/name`, ['', chars(255)], [chars(256), 1]],
      [`${member}/email`, ['', chars(255)], [chars(256), 1]],
      [`${member}/phone`, ['', chars(255)], [chars(256), 1]],
    ]),
  ];
  const whole: Record<string, Body> = {
    zipCodeRange: { from: '1', to: '2' },
    orderDateRange: range,
    fulfillmentOrderDateRange: range,
    expectedDeliveryDateRange: range,
    customer: contact,
    proxyDetails: contact,
  };

  test.each(PARTS)('%s is required whenever its object is present', async (path, good, bad) => {
    const [member, part] = path.split('/') as [string, string];
    const { [part]: _left, ...without } = whole[member]!;
    expect(pointers(await post(body({ [member]: without })))).toEqual([`/${path}`]);
    const say = (value: unknown) => post(body({ [member]: { ...whole[member], [part]: value } }));
    for (const value of good) expect((await say(value)).status, String(value)).toBe(200);
    for (const value of bad) expect(pointers(await say(value)), String(value)).toEqual([`/${path}`]);
  });

  test.each(['orderDateRange', 'fulfillmentOrderDateRange', 'expectedDeliveryDateRange'])(
    '%s includes both ends and must not end before it begins',
    async (member) => {
      const at = '2026-03-02T10:00:00+00:00';
      expect((await post(body({ [member]: { from: at, to: '2026-03-02T11:00:00+01:00' } }))).status).toBe(200);
      expect(pointers(await post(body({ [member]: { from: '2026-03-02T10:00:01+00:00', to: at } })))).toEqual([
        `/${member}`,
      ]);
    },
  );

  test('modeId is an accepted spelling of nodeId', async () => {
    const { nodeId: _left, ...without } = body();
    expect((await post({ ...without, modeId: 'N1' })).status).toBe(200);
    expect((await post(body({ modeId: 'N1' }))).status).toBe(200);
    expect(pointers(await post({ ...without, modeId: 'N2' }))).toEqual(['/modeId']);
    expect(pointers(await post({ ...without, modeId: 7 }))).toEqual(['/modeId']);
    expect(pointers(await post(body({ modeId: 'N2' })))).toEqual(['/modeId']);
    expect(pointers(await post(without))).toEqual(['/nodeId']);
  });

  test('storeId, nodeId and queueId of the body must equal those of path and query; the response lists all errors', async () => {
    const answer = await post(
      body({ storeId: 'S2', nodeId: 'N2', queueId: 'Q', zipCodeRange: { from: '-', to: ' ' } }),
    );
    expect(pointers(answer)).toEqual(['/storeId', '/nodeId', '/queueId', '/zipCodeRange/from', '/zipCodeRange/to']);
  });

  test('a search without queueId in the query, or with an empty one, is rejected', async () => {
    const path = '/stores/S1/nodes/N1/fulfillmentOrders';
    expect(pointers(await post(body(), path))).toEqual(['query:queueId']);
    expect(pointers(await post(body({ queueId: '' }), `${path}?queueId=`))).toEqual(['query:queueId', '/queueId']);
    expect(pointers(await post(body(), `${path}?queueId=${QUEUE}&queue=x`))).toEqual(['query:queue']);
  });

  test('an unknown field is rejected with the nearest name; lenient handling ignores it', async () => {
    const answer = await post(body({ carier: 'UPS' }));
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer: '/carier', rule: 'unknown' })]);
    expect(answer.text).toContain('carrier');
    const lenient = await place.call({
      method: 'POST',
      path: `/stores/S1/nodes/N1/fulfillmentOrders?queueId=${QUEUE}`,
      body: body({ carier: 'UPS' }),
      headers: { apiKey: place.keys.all, prefer: 'handling=lenient' },
    });
    expect(lenient.status).toBe(200);
    expect(lenient.headers['ignored-members']).toBe('/carier');
  });

  test('a body that is no object is rejected', async () => {
    for (const value of [[], 'x', 1, null]) expect((await post(value as never)).status).toBe(400);
  });
});

describe('response of the queue search', () => {
  let answer: Answer;
  let found: Record<string, unknown>;
  beforeAll(async () => {
    answer = await post(body());
    found = answer.body.fulfillmentOrders[0];
  });

  test.each([
    ['fulfillmentOrderId', '100'],
    ['storeId', 'S1'],
    ['nodeId', 'N1'],
    ['omsOrderId', 'OMS-100'],
    ['fulfillmentOrderDate', '2026-03-02T10:00:00+00:00'],
    ['orderDate', '2026-03-02T09:00:00+00:00'],
    ['holdLocation', 'SHELF 1'],
    ['expectedDeliveryDate', '2026-03-06T00:00:00+00:00'],
    ['fulfillmentType', 'SHIP_TO_STORE'],
    ['carrier', 'UPS'],
    ['service', 'GROUND'],
    ['shipMethod', 'UPS_GROUND'],
    ['pickTicketId', 'PT-1'],
    ['status', 'Waiting for check-in'],
    ['currency', 'USD'],
    ['totalNoOfItems', '2'],
    ['totalQuantity', '4'],
    ['totalNoOfPackages', '2'],
    ['pinNumber', '0471'],
    ['trackingNumbers', ['T1-100', 'T2-100']],
    ['customer', order.customer],
    ['proxyDetails', order.proxyDetails],
    ['slaDate', { slaTypeId: 'CHECK_IN', value: '2026-03-02T16:00:00+00:00' }],
    ['shippingAddress', { destinationId: 'D2' }],
    ['destinations', order.destinations],
  ])('an order has %s', (member, value) => {
    expect(found[member]).toEqual(value);
  });

  test.each(Object.keys(HOME))('a destination is returned with its %s', (member) => {
    const [home] = answer.body.fulfillmentOrders[0].destinations;
    expect(home[member]).toEqual(HOME[member as keyof Destination]);
  });

  test.each(Object.keys(HOME.personName!))('a personName is returned with its %s', (member) => {
    const [home] = answer.body.fulfillmentOrders[0].destinations;
    expect(home.personName[member]).toBe((HOME.personName as Record<string, string>)[member]);
  });

  test.each(Object.keys(HOME.address!))('an address is returned with its %s', (member) => {
    const [home] = answer.body.fulfillmentOrders[0].destinations;
    expect(home.address[member]).toBe((HOME.address as Record<string, string>)[member]);
  });

  test.each(['MAILING_ADDRESS', 'SHIPPING_ADDRESS', 'NODE_ADDRESS'])('a destination may be a %s', (type) => {
    const types = answer.body.fulfillmentOrders[0].destinations.map((one: Destination) => one.destinationType);
    expect(types).toContain(type);
  });

  test('an order has no other fields', () => {
    expect(Object.keys(found)).toHaveLength(25);
  });

  test('fulfillmentOrders has the orders on the queue; pageId and pageSize repeat the request', () => {
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['fulfillmentOrders', 'pageId', 'pageSize']);
    expect(answer.body.fulfillmentOrders).toHaveLength(1);
    expect(answer.body).toMatchObject({ pageId: 1, pageSize: 50 });
  });

  test('fields without a value are omitted', async () => {
    const plain = (await place.queue('WAITING_FOR_PICK_ISPU')).body.fulfillmentOrders[0];
    const optional = [
      'holdLocation',
      'expectedDeliveryDate',
      'pickTicketId',
      'pinNumber',
      'trackingNumbers',
      'proxyDetails',
    ];
    expect(
      Object.keys(found)
        .filter((member) => !Object.hasOwn(plain, member))
        .sort(),
    ).toEqual(optional.sort());
    expect(plain).toMatchObject({ carrier: '', service: '', shipMethod: '', totalNoOfPackages: '0' });
  });

  test('shippingAddress names a destination of the same order', () => {
    const ids = answer.body.fulfillmentOrders[0].destinations.map(
      (one: { destinationId: string }) => one.destinationId,
    );
    expect(ids).toContain(answer.body.fulfillmentOrders[0].shippingAddress.destinationId);
  });

  test('totals count the units still to hand over, without declined units and lines', async () => {
    await place.intake(storeOrder('300'));
    await place.setOrder('300', { queue_id: 'PARTLY' });
    const decline = (line: number, declined: number) =>
      place.store.write((tx) =>
        tx
          .updateTable('order_lines')
          .set({ declined, decline_reason: 'IPD' })
          .where('fulfillment_order_id', '=', '300')
          .where('line_index', '=', line)
          .execute(),
      );
    await decline(0, 1);
    await decline(1, 1);
    const [partly] = (await place.queue('PARTLY')).body.fulfillmentOrders;
    expect(partly).toMatchObject({ totalNoOfItems: '1', totalQuantity: '2', totalNoOfPackages: '2' });
  });

  test('status is the description in the settings of the client', async () => {
    const path = '/operator/v1/clients/C1';
    await place.operator('PUT', path, {
      name: 'First',
      catalogIds: ['1'],
      settings: { statusDescriptions: { 1300: 'On its way' } },
    });
    expect((await post(body())).body.fulfillmentOrders[0].status).toBe('On its way');
    await place.operator('PUT', path, { name: 'First', catalogIds: ['1'], settings: {} });
  });

  test('an unknown queue is a 400 that lists the queues of the client', async () => {
    const answer = await place.queue('WAITING_FOR_PICK_ISUP');
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([
      {
        pointer: '/queueId',
        rule: 'enum',
        limit: expect.arrayContaining(['WAITING_FOR_PICK_ISPU', 'WAITING_FOR_REVERSE_PICK']),
        message: expect.stringContaining("did you mean 'WAITING_FOR_PICK_ISPU'?"),
      },
    ]);
    expect((await place.queue('WAITING_FOR_DELIVERY')).body.fulfillmentOrders).toEqual([]);
  });

  test('a renamed queue is known only by its new name', async () => {
    const rename = (queueIds: object) =>
      place.operator('PUT', '/operator/v1/clients/C2', { name: 'Second', catalogIds: ['2'], settings: { queueIds } });
    await rename({ WAITING_FOR_CHECKIN_STS: 'QUE-123' });
    const other = (queueId: string) =>
      place.call({
        method: 'POST',
        path: `/stores/S9/nodes/N9/fulfillmentOrders?queueId=${queueId}`,
        headers: { apiKey: place.keys.other },
        body: { storeId: 'S9', nodeId: 'N9', queueId },
      });
    expect((await other('QUE-123')).body.fulfillmentOrders).toEqual([]);
    const old = await other('WAITING_FOR_CHECKIN_STS');
    expect(old.body.errors[0].limit).toEqual(expect.arrayContaining(['QUE-123', 'WAITING_FOR_PICK_ISPU']));
    expect(old.body.errors[0].limit).not.toContain('WAITING_FOR_CHECKIN_STS');
    await rename({});
  });

  test('the search changes nothing', async () => {
    place.clock.now = NOON + 3_600_000;
    const later = await post(body());
    place.clock.now = NOON;
    expect(later.text).toBe(answer.text);
  });
});

describe('access to the queue search', () => {
  const path = (storeId: string, nodeId: string) =>
    `/stores/${storeId}/nodes/${nodeId}/fulfillmentOrders?queueId=${QUEUE}`;

  test('needs the apiKey of a credential of the group fulfillment', async () => {
    const bare = await place.call({ method: 'POST', path: path('S1', 'N1'), body: body() });
    expect(bare.status).toBe(403);
    expect(bare.body.code).toBe('CREDENTIALS_MISSING');
    expect((await post(body(), path('S1', 'N1'), 'br_C1_x_y')).body.code).toBe('CREDENTIALS_INVALID');
    const { body: made } = await place.operator('POST', '/operator/v1/clients/C1/credentials', {
      label: 'x',
      groups: ['intake'],
    });
    expect((await post(body(), path('S1', 'N1'), made.apiKey)).body.code).toBe('ACCESS_DENIED');
  });

  test("another client's store and node are rejected like missing ones", async () => {
    const texts = [];
    for (const [storeId, nodeId] of [
      ['S9', 'N1'],
      ['S1', 'N9'],
      ['NONE', 'N1'],
      ['S1', 'NONE'],
    ] as const) {
      const answer = await post(body({ storeId, nodeId }), path(storeId, nodeId));
      expect(answer.status).toBe(403);
      const { requestId: _id, ...rest } = answer.body;
      texts.push(JSON.stringify(rest));
    }
    expect(new Set(texts).size).toBe(1);
  });

  test('a key limited to a node searches only there', async () => {
    expect((await post(body(), path('S1', 'N1'), place.keys.onlyN1)).status).toBe(200);
    expect((await post(body({ nodeId: 'N2' }), path('S1', 'N2'), place.keys.onlyN1)).status).toBe(403);
  });

  test("another client's orders with the same ids are not found", async () => {
    const answer = await post(body({ storeId: 'S9', nodeId: 'N9' }), path('S9', 'N9'), place.keys.other);
    expect(answer.status).toBe(200);
    expect(answer.body.fulfillmentOrders).toEqual([]);
  });
});
