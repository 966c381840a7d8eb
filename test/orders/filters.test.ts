import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderIntake } from '../../src/orders/intake-schema.ts';
import type { FulfillmentOrderRow } from '../../src/platform/storage/tables.ts';
import { goingTo, openPlace, type Place, storeOrder, trackedBy } from './place.ts';
import { putOnTicket } from './put-on-ticket.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

let made = 0;

type Body = Record<string, unknown>;
type Found = { fulfillmentOrderId: string }[];
const idsOf = (found: Found) => found.map((order) => order.fulfillmentOrderId);

/** An order on queue Q with every field that has a filter. */
const full: Partial<OrderIntake> = {
  omsOrderId: 'OMS1',
  webOrderId: 'WEB1',
  carrier: 'UPS',
  service: 'GROUND',
  shipMethod: 'UPS_GROUND',
  orderDate: '2026-03-02T09:00:00Z',
  fulfillmentOrderDate: '2026-03-02T10:00:00Z',
  expectedDeliveryDate: '2026-03-06T00:00:00Z',
  customer: { name: 'José Núñez', email: 'Jose@Example.com', phone: '+1 (215) 555-0199' },
  proxyDetails: { name: 'Bo Diaz', email: 'bo@example.com', phone: '4015550102' },
  pinNumber: '4711',
};
const at = (orderDate: string) => ({ from: orderDate, to: orderDate });
const customer = (members: Body) => ({ name: '', email: '', phone: '', ...members });

/**
 * Creates the order and another one that differs from it, puts both on a new queue, and returns the ids and the queue.
 */
async function pair(
  other: Partial<OrderIntake>,
  columns: Partial<FulfillmentOrderRow> = {},
  otherColumns: Partial<FulfillmentOrderRow> = {},
) {
  const queueId = `Q${++made}`;
  const [one, two] = [`F-${made}-1`, `F-${made}-2`] as const;
  const base = { ...full, ...goingTo('19406-1234'), ...trackedBy(`T${made}`) };
  const answer = await place.intake([storeOrder(one, base), storeOrder(two, { ...base, ...other })]);
  expect(answer.status, answer.text).toBe(201);
  const standing = { queue_id: queueId, status: 1300 };
  await place.setOrder(one, { ...standing, ...columns });
  await place.setOrder(two, { ...standing, ...columns, ...otherColumns });
  return { one, two, queueId, tracking: `T${made}` };
}

describe('each filter of the queue search finds the order that matches and not the one that differs in it only', () => {
  const FILTERS: [
    member: string,
    filter: unknown,
    other: Partial<OrderIntake>,
    columns?: Partial<FulfillmentOrderRow>,
    otherColumns?: Partial<FulfillmentOrderRow>,
  ][] = [
    ['fulfillmentType', 'SHIP_TO_STORE', {}, {}, { fulfillment_type: 'STORE_PICK_UP' }],
    ['carrier', 'UPS', { carrier: 'FEDEX' }],
    ['carrier', 'UPS ', {}, { carrier: 'UPS ' }, { carrier: 'UPS' }],
    ['service', 'GROUND', { service: 'AIR' }],
    ['shipMethod', 'UPS_GROUND', { shipMethod: 'UPS_AIR' }],
    ['webOrderId', 'WEB1', { webOrderId: 'web1' }],
    ['zipCodeRange', { from: '19406', to: '19406' }, goingTo('19407')],
    ['zipCodeRange', { from: '19406-1230', to: '19406-1240' }, goingTo('19406 1241')],
    ['zipCodeRange', { from: '19406-1234', to: '2' }, goingTo('19406-1233')],
    ['orderDateRange', at('2026-03-02T09:00:00+00:00'), { orderDate: '2026-03-02T09:00:01Z' }],
    ['fulfillmentOrderDateRange', at('2026-03-02T11:00:00+01:00'), { fulfillmentOrderDate: '2026-03-02T10:00:01Z' }],
    ['expectedDeliveryDateRange', at('2026-03-06T00:00:00+00:00'), { expectedDeliveryDate: '2026-03-06T00:00:01Z' }],
    ['customer', customer({ name: 'jose nun' }), { customer: { ...full.customer!, name: 'José Munoz' } }],
    ['customer', customer({ name: 'NÚÑEZ' }), { customer: { ...full.customer!, name: 'José Anunez' } }],
    [
      'customer',
      customer({ email: 'JOSE@example.com' }),
      { customer: { ...full.customer!, email: 'jose@example.org' } },
    ],
    ['customer', customer({ phone: '5550199' }), { customer: { ...full.customer!, phone: '2155550198' } }],
    ['customer', customer({ phone: '001 1 215 555 0199' }), { customer: { ...full.customer!, phone: '3155550199' } }],
    ['proxyDetails', customer({ name: 'diaz' }), { proxyDetails: { ...full.proxyDetails!, name: 'Bo Dia' } }],
    ['proxyDetails', customer({ email: 'bo@example.com' }), { proxyDetails: { ...full.proxyDetails!, email: 'b@x' } }],
    [
      'proxyDetails',
      customer({ phone: '4015550102' }),
      { proxyDetails: { ...full.proxyDetails!, phone: '4015550103' } },
    ],
    ['pinNumber', '4711', { pinNumber: '47110' }],
  ];

  test.each(FILTERS)('%s %j', async (member, filter, other, columns = {}, otherColumns = {}) => {
    const { one, two, queueId } = await pair(other, columns, otherColumns);
    const all = await place.queue(queueId);
    expect(idsOf(all.body.fulfillmentOrders)).toEqual(expect.arrayContaining([one, two]));
    const answer = await place.queue(queueId, { [member]: filter });
    expect(answer.status, answer.text).toBe(200);
    expect(idsOf(answer.body.fulfillmentOrders)).toEqual([one]);
  });

  test('pickTicketId', async () => {
    const { one, two, queueId } = await pair({}, { pick_ticket_id: 'PT1' }, { pick_ticket_id: 'PT2' });
    await putOnTicket(place.store, 'PT1', [one]);
    await putOnTicket(place.store, 'PT2', [two]);
    const answer = await place.queue(queueId, { pickTicketId: 'PT1' });
    expect(idsOf(answer.body.fulfillmentOrders)).toEqual([one]);
  });

  test('fulfillmentOrderId', async () => {
    const { one, queueId } = await pair({});
    const answer = await place.queue(queueId, { fulfillmentOrderId: one });
    expect(idsOf(answer.body.fulfillmentOrders)).toEqual([one]);
  });

  test('trackingNumber', async () => {
    const { one, queueId, tracking } = await pair(trackedBy('ELSE'));
    const answer = await place.queue(queueId, { trackingNumber: tracking });
    expect(idsOf(answer.body.fulfillmentOrders)).toEqual([one]);
  });

  test('queueId', async () => {
    const { one, queueId } = await pair({}, {}, { queue_id: 'ANOTHER' });
    expect(idsOf((await place.queue(queueId)).body.fulfillmentOrders)).toEqual([one]);
  });

  test('storeId and nodeId', async () => {
    const { one, queueId } = await pair({}, {}, { store_id: 'S2' });
    expect(idsOf((await place.queue(queueId)).body.fulfillmentOrders)).toEqual([one]);
    const { one: again, queueId: next } = await pair({}, {}, { node_id: 'N2' });
    expect(idsOf((await place.queue(next)).body.fulfillmentOrders)).toEqual([again]);
  });

  test('a proxy filter does not find an order without a proxy, and empty strings match everything', async () => {
    const { one, two, queueId } = await pair(
      {},
      {},
      { proxy_name_key: null, proxy_email_key: null, proxy_phone_key: null },
    );
    const named = await place.queue(queueId, { proxyDetails: customer({ name: 'Bo' }) });
    expect(idsOf(named.body.fulfillmentOrders)).toEqual([one]);
    const any = await place.queue(queueId, { proxyDetails: customer({}), customer: customer({}) });
    expect(idsOf(any.body.fulfillmentOrders)).toEqual([one, two]);
  });

  test('a telephone number of fewer than 7 digits must match completely', async () => {
    const { two, queueId } = await pair({ customer: { ...full.customer!, phone: '0199' } });
    const answer = await place.queue(queueId, { customer: customer({ phone: '01-99' }) });
    expect(idsOf(answer.body.fulfillmentOrders)).toEqual([two]);
  });

  test('a name without letters and digits finds only such names', async () => {
    const { two, queueId } = await pair({ customer: { ...full.customer!, name: '%' } });
    const answer = await place.queue(queueId, { customer: customer({ name: '_' }) });
    expect(idsOf(answer.body.fulfillmentOrders)).toEqual([two]);
  });
});

describe('each filter of the order search finds the order that matches and not the one that differs in it only', () => {
  type Row = [
    name: string,
    body: (one: string) => Body,
    other: Partial<OrderIntake>,
    otherColumns?: Partial<FulfillmentOrderRow>,
  ];
  const inner = (members: Body) => () => ({ fulfillmentOrder: members });
  const FILTERS: Row[] = [
    ['webOrderId', () => ({ webOrderId: 'WEB1' }), { webOrderId: 'WEB2' }],
    ['omsOrderId', () => ({ omsOrderId: 'OMS1' }), { omsOrderId: 'OMS2' }],
    ['orderDateRange', () => ({ orderDateRange: at('2026-03-02T09:00:00Z') }), { orderDate: '2026-03-02T08:59:59Z' }],
    ['fulfillmentOrderId', (one) => ({ fulfillmentOrder: { fulfillmentOrderId: one } }), {}],
    [
      'fulfillmentTypes',
      inner({ fulfillmentTypes: ['SHIP_TO_HOME', 'SHIP_TO_STORE'] }),
      {},
      { fulfillment_type: 'STORE_PICK_UP' },
    ],
    ['statuses from', inner({ statuses: { from: 1300, to: 1400 } }), {}, { status: 1200 }],
    ['statuses to', inner({ statuses: { from: 1300, to: 1300 } }), {}, { status: 1400 }],
    ['customer', inner({ customer: customer({ name: 'núñez' }) }), { customer: { ...full.customer!, name: 'Ada' } }],
    [
      'proxyDetails',
      inner({ proxyDetails: customer({ name: 'bo' }) }),
      { proxyDetails: { ...full.proxyDetails!, name: 'Al' } },
    ],
    [
      'fulfillmentOrderDateRange',
      inner({ fulfillmentOrderDateRange: at('2026-03-02T10:00:00Z') }),
      { fulfillmentOrderDate: '2026-03-02T10:00:01Z' },
    ],
  ];

  test.each(FILTERS)('%s', async (_name, body, other, otherColumns = {}) => {
    const { one, two } = await pair(other, {}, otherColumns);
    const ours = (found: Found) => idsOf(found).filter((id) => id === one || id === two);
    expect(ours((await place.search({ pageSize: 500 })).body.fulfillmentOrders)).toHaveLength(2);
    const answer = await place.search({ pageSize: 500, ...body(one) });
    expect(answer.status, answer.text).toBe(200);
    expect(ours(answer.body.fulfillmentOrders)).toEqual([one]);
  });

  test('storeId and nodeId', async () => {
    const { one, two } = await pair({}, {}, { store_id: 'S2' });
    expect((await place.search({ fulfillmentOrder: { fulfillmentOrderId: two } })).body.totalRecords).toBe(0);
    expect((await place.search({ fulfillmentOrder: { fulfillmentOrderId: one } })).body.totalRecords).toBe(1);
    expect(
      (await place.search({ nodeId: 'N2', fulfillmentOrder: { fulfillmentOrderId: one } })).body.totalRecords,
    ).toBe(0);
  });

  test('userId filters nothing', async () => {
    const { one } = await pair({});
    const answer = await place.search({ userId: 'nobody', fulfillmentOrder: { fulfillmentOrderId: one } });
    expect(idsOf(answer.body.fulfillmentOrders)).toEqual([one]);
  });
});
