import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchOrders } from '../../src/kernel/find-page.ts';
import { selectRecords } from '../../src/platform/storage/keyset.ts';
import type { Answer } from '../support/backroom.ts';
import { statementsOf } from '../support/reads.ts';
import { planOf } from '../support/store.ts';
import { homeOrder, openPlace, type Place, pickupOrder, storeOrder } from './place.ts';

const order = pickupOrder('100', {
  carrier: 'UPS',
  service: 'GROUND',
  proxyDetails: { name: 'Bo Diaz', email: 'bo@example.com', phone: '4015550102' },
});

let place: Place;
beforeAll(async () => {
  place = await openPlace();
  await place.intake([order, homeOrder('200'), storeOrder('300')]);
});
afterAll(() => place.close());

type Body = Record<string, unknown>;
const PATH = '/stores/S1/fulfillmentOrder/search';
const body = (members: Body = {}): Body => ({ storeId: 'S1', nodeId: 'N1', ...members });
const post = (members: Body, path = PATH, apiKey = place.keys.all) =>
  place.call({ method: 'POST', path, body: members, headers: { apiKey } });

const pointers = (answer: Answer): string[] => {
  expect(answer.status, answer.text).toBe(400);
  return answer.body.errors.map((fault: { pointer: string }) => fault.pointer);
};

const chars = (count: number) => 'x'.repeat(count);
const range = { from: '2026-03-01T00:00:00+00:00', to: '2026-03-03T00:00:00-05:00' };
const contact = { name: 'Ada', email: '', phone: '' };

test.each([
  ['web order', { webOrderId: 'Web-7' }, 'fulfillment_orders_by_web_order'],
  ['OMS order', { omsOrderId: 'oms-1' }, 'fulfillment_orders_by_oms_order'],
  ['tracking number', { trackingNumber: '1Z' }, 'packages_by_tracking'],
  ['pick ticket', { pickTicketId: '501' }, 'sqlite_autoindex_pick_ticket_lines_1'],
])('a search by %s reads the orders by its index, not all orders of the node', async (_name, filters, index) => {
  const of = { clientId: 'C1', storeId: 'S1', nodeId: 'N1' };
  const page = { pageId: 1, pageSize: 50, before: 0 };
  const { dialect } = place.store;
  const query = await place.store.read(async (db) =>
    selectRecords(searchOrders({ db, dialect, sealer: undefined as never }, of, filters), page, 51).compile(),
  );
  // PostgreSQL chooses an index by its statistics, and for three orders every index has the same cost.
  if (place.store.engine === 'sqlite') {
    const plan = (await planOf(place.store, query)).text;
    expect(plan).toContain(index);
    expect(plan).not.toContain('fulfillment_orders_by_date');
  }
});

describe('request of the order search', () => {
  const ROWS: [member: string, says: string, good: unknown[], bad: unknown[]][] = [
    ['storeId', 'required', ['S1'], ['', chars(41), 1, null]],
    ['nodeId', 'required', ['N1'], ['', chars(41), 1, null]],
    ['userId', 'optional', [chars(64)], ['', chars(65), 1]],
    ['webOrderId', 'optional', [chars(40)], ['', chars(41), 1]],
    ['omsOrderId', 'optional', [chars(40)], ['', chars(41), 1]],
    ['orderDateRange', 'optional', [range], [{}, '2026-03-01', { from: range.to, to: range.from }]],
    ['fulfillmentOrder', 'optional', [{}], [[], 'x']],
    ['pageId', 'optional', [1, 0, '1'], [-1, '', 1.5]],
    ['pageSize', 'optional', [500, 0, '1'], [501, '501']],
    ['maxRecordsCount', 'optional', [10_000, 0, '1'], [10_001, '10001']],
    ['lastRecordId', 'optional', ['100', 100, 0, '0'], ['', -1, 1.5]],
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

  const types = ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'];
  const INNER: [member: string, good: unknown[], bad: unknown[]][] = [
    ['fulfillmentOrderId', [chars(40)], ['', chars(41), 1]],
    ['fulfillmentTypes', [types, ['SHIP_TO_HOME']], [[], ['X'], 'SHIP_TO_HOME', [...types, 'SHIP_TO_HOME']]],
    [
      'statuses',
      [
        { from: 0, to: 99_999 },
        { from: 1100, to: 1100 },
      ],
      [{}, { from: 2, to: 1 }, 1100],
    ],
    ['statuses/from', [1], [-1, 100_000, '1100', 1.5]],
    ['statuses/to', [2000], [-1, 100_000, '1100', 1.5]],
    ['customer', [contact], [{}, 'Ada', { name: 'Ada' }]],
    ['proxyDetails', [contact], [{}, 'Ada', { name: 'Ada', email: '' }]],
    ['text', [chars(100)], ['', chars(101), 1]],
    ['fulfillmentOrderDateRange', [range], [{}, 1, { from: range.from }, { from: range.to, to: range.from }]],
  ];

  test.each(INNER)('fulfillmentOrder.%s is optional', async (path, good, bad) => {
    const [member, part] = path.split('/') as [string, string | undefined];
    const say = (value: unknown) => {
      const filter = part === undefined ? value : { from: 1000, to: 3000, [part]: value };
      return post(body({ fulfillmentOrder: { [member]: filter } }));
    };
    for (const value of good) expect((await say(value)).status, String(value)).toBe(200);
    for (const value of bad) {
      const found = pointers(await say(value));
      const pointer = `/fulfillmentOrder/${path}`;
      expect(
        found.every((one) => one === pointer || one.startsWith(`${pointer}/`)),
        String(value),
      ).toBe(true);
    }
  });

  test.each([
    ['part of the order number', '00', ['100', '200', '300']],
    ['the beginning of a word of the name of the customer', 'BYR ada', ['100', '200', '300']],
    ['the name of the person who collects', 'diaz', ['100']],
    ['the e-mail address of the person who collects', 'Bo@example.com', ['100']],
    ['a part of an e-mail address', 'o@example.com', []],
    ['nothing that an order has', 'nowhere', []],
    ['a wildcard of patterns', '%', []],
  ])('fulfillmentOrder.text is %s', async (_, text, wanted) => {
    const answer = await post(body({ fulfillmentOrder: { text } }));
    expect(answer.status, answer.text).toBe(200);
    const ids = (answer.body.fulfillmentOrders as { fulfillmentOrderId: string }[]).map(
      (one) => one.fulfillmentOrderId,
    );
    expect(ids.toSorted()).toEqual(wanted);
  });

  test('fulfillmentOrder.text is the beginning of the town of the goods', async () => {
    const { destinations } = homeOrder('200') as { destinations: { address: { city: string } }[] };
    const city = destinations[0]!.address.city;
    const answer = await post(body({ fulfillmentOrder: { text: city.slice(0, 4).toUpperCase() } }));
    const ids = (answer.body.fulfillmentOrders as { fulfillmentOrderId: string }[]).map(
      (one) => one.fulfillmentOrderId,
    );
    expect(ids).toContain('200');
  });

  test('from and to of statuses are both required', async () => {
    expect(pointers(await post(body({ fulfillmentOrder: { statuses: { from: 1 } } })))).toEqual([
      '/fulfillmentOrder/statuses/to',
    ]);
    expect(pointers(await post(body({ fulfillmentOrder: { statuses: { to: 1 } } })))).toEqual([
      '/fulfillmentOrder/statuses/from',
    ]);
  });

  test('the storeId of the body must equal that of the path, and the response lists every error', async () => {
    const backwards = { from: range.to, to: range.from };
    const answer = await post(
      body({
        storeId: 'S2',
        lastRecordId: 'NONE',
        orderDateRange: backwards,
        fulfillmentOrder: { statuses: { from: 2, to: 1 }, fulfillmentOrderDateRange: backwards },
      }),
    );
    expect(pointers(answer).sort()).toEqual([
      '/fulfillmentOrder/fulfillmentOrderDateRange',
      '/fulfillmentOrder/statuses',
      '/lastRecordId',
      '/orderDateRange',
      '/storeId',
    ]);
  });

  test('query parameters and unknown fields are rejected, a field with the nearest known one', async () => {
    expect(pointers(await post(body(), `${PATH}?queueId=x`))).toEqual(['query:queueId']);
    const answer = await post(body({ webOrderID: 'x', fulfillmentOrder: { status: 1 }, lastPageId: 1 }));
    expect(pointers(answer).sort()).toEqual(['/fulfillmentOrder/status', '/lastPageId', '/webOrderID']);
    expect(answer.text).toContain("'webOrderId'");
  });

  test('an empty filter by id is an error and does not match all orders', async () => {
    expect(pointers(await post(body({ webOrderId: '' })))).toEqual(['/webOrderId']);
  });
});

describe('response of the order search', () => {
  let answer: Answer;
  let found: Record<string, unknown>;
  beforeAll(async () => {
    answer = await post(body());
    found = answer.body.fulfillmentOrders[0];
  });

  test.each([
    ['fulfillmentId', '1'],
    ['fulfillmentOrderId', '100'],
    ['storeId', 'S1'],
    ['nodeId', 'N1'],
    ['omsOrderId', 'OMS-100'],
    ['webOrderId', 'WEB-100'],
    ['fulfillmentType', 'STORE_PICK_UP'],
    ['carrier', 'UPS'],
    ['service', 'GROUND'],
    ['fulfillmentOrderDate', '2026-03-02T10:00:00+00:00'],
    ['orderDate', '2026-03-02T09:00:00+00:00'],
    ['status', '1100'],
    ['customer', order.customer],
    ['proxyDetails', order.proxyDetails],
  ])('an order has %s', (member, value) => {
    expect(found[member]).toEqual(value);
  });

  test('an order has no other fields, and no proxyDetails without a proxy', () => {
    expect(Object.keys(found)).toHaveLength(14);
    expect(Object.keys(answer.body.fulfillmentOrders[1])).toHaveLength(13);
    expect(answer.body.fulfillmentOrders[1]).not.toHaveProperty('proxyDetails');
  });

  test('pageId, pageSize and totalRecords describe the page', () => {
    expect(Object.keys(answer.body)).toEqual(['fulfillmentOrders', 'pageId', 'pageSize', 'totalRecords']);
    expect(answer.body).toMatchObject({ pageId: 1, pageSize: 50, totalRecords: 3 });
  });

  test('totalRecords counts all matches, at most maxRecordsCount', async () => {
    const total = async (members: Body) => (await post(body(members))).body.totalRecords;
    expect(await total({ pageSize: 1 })).toBe(3);
    expect(await total({ maxRecordsCount: 2 })).toBe(2);
    expect(await total({ lastRecordId: '200' })).toBe(3);
    expect(await total({ pageId: 9 })).toBe(3);
    expect(await total({ webOrderId: 'NONE' })).toBe(0);
  });

  test('totalRecords is the same on every page, full or not', async () => {
    for (const pageSize of [1, 2, 3, 4])
      for (const pageId of [1, 2, 3, 4])
        for (const maxRecordsCount of [0, 1, 2, 3, 4])
          for (const lastRecordId of [undefined, '100', '200', '300']) {
            const asked = { pageSize, pageId, maxRecordsCount, ...(lastRecordId && { lastRecordId }) };
            const { totalRecords, totalRecordsCapped } = (await post(body(asked))).body;
            const most = maxRecordsCount || 3;
            expect({ ...asked, totalRecords, totalRecordsCapped }).toEqual({
              ...asked,
              totalRecords: Math.min(3, most),
              totalRecordsCapped: most < 3 ? true : undefined,
            });
          }
  });

  test('a search whose page is not full reads the orders once', async () => {
    const reads = async (members: Body) => {
      const statements = await statementsOf(place.store, () => post(body(members)));
      return statements.filter((sql) => sql.includes('customer_name_key')).length;
    };
    expect(await reads({ fulfillmentOrder: { text: 'ada' } })).toBe(1);
    expect(await reads({ fulfillmentOrder: { text: 'nobody' } })).toBe(1);
    expect(await reads({ fulfillmentOrder: { text: 'ada' }, pageSize: 1 })).toBe(2);
  });

  test.each([
    ['STORE_PICK_UP', '100', '1100'],
    ['SHIP_TO_HOME', '200', '1100'],
    ['SHIP_TO_STORE', '300', '1300'],
  ])(
    'a %s order is returned with its type and its status code',
    async (fulfillmentType, fulfillmentOrderId, status) => {
      const one = (await post(body({ fulfillmentOrder: { fulfillmentOrderId } }))).body.fulfillmentOrders;
      expect(one).toEqual([expect.objectContaining({ fulfillmentOrderId, fulfillmentType, status })]);
    },
  );

  test('ended orders are found', async () => {
    await place.setOrder('200', { status: 9100, queue_id: null, sla_type: null, sla_at: null });
    const answer = await post(body({ fulfillmentOrder: { statuses: { from: 9000, to: 9999 } } }));
    expect(answer.body.fulfillmentOrders).toEqual([
      expect.objectContaining({ fulfillmentOrderId: '200', status: '9100' }),
    ]);
  });
});

describe('access to the order search', () => {
  test('needs the apiKey of a credential of the group fulfillment', async () => {
    const bare = await place.call({ method: 'POST', path: PATH, body: body() });
    expect(bare.body).toMatchObject({ category: 'SECURITY', code: 'CREDENTIALS_MISSING' });
    expect(bare.status).toBe(403);
    const { body: made } = await place.operator('POST', '/operator/v1/clients/C1/credentials', {
      label: 'x',
      groups: ['items'],
    });
    expect((await post(body(), PATH, made.apiKey)).status).toBe(403);
  });

  test("another client's store or node is rejected like a missing one, before any other error", async () => {
    const faulty = { lastRecordId: 'NONE' };
    for (const storeId of ['S9', 'NONE']) {
      expect((await post(body({ storeId }), `/stores/${storeId}/fulfillmentOrder/search`)).status).toBe(403);
    }
    for (const nodeId of ['N9', 'NONE']) expect((await post(body({ nodeId, ...faulty }))).status).toBe(403);
  });

  test('a key limited to a node searches only there', async () => {
    expect((await post(body(), PATH, place.keys.onlyN1)).status).toBe(200);
    expect((await post(body({ nodeId: 'N2' }), PATH, place.keys.onlyN1)).status).toBe(403);
  });
});

test('a search by a town does not find the town of the bill or of the sender', async () => {
  const { destinations } = homeOrder('400');
  const at = (destinationId: string, city: string) => {
    const [{ address, ...one }] = destinations as [(typeof destinations)[number]];
    return { ...one, destinationId, address: { ...address!, city } };
  };
  const more = {
    fulfillmentOrderId: '400',
    destinations: [at('D1', 'Springfield "Old" 100%'), at('D2', 'Memphis')],
    shippingAddress: { destinationId: 'D1' },
    billToAddress: { destinationId: 'D2' },
    shipFromAddress: { destinationId: 'D2' },
  };
  expect((await place.intake([homeOrder('400', more)])).status).toBe(201);
  const found = async (text: string) => {
    const answer = await post(body({ fulfillmentOrder: { text } }));
    return (answer.body.fulfillmentOrders as { fulfillmentOrderId: string }[]).map((one) => one.fulfillmentOrderId);
  };
  expect(await found('memphis')).toEqual([]);
  for (const text of ['springFIELD', 'Springfield "Old" 100%']) expect(await found(text)).toEqual(['400']);
  expect(await found('Old')).toEqual([]);
});
