import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Decimal } from '../../src/platform/decimal.ts';
import { openPlace, type Place, storeOrder } from './place.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

let made = 0;
const fresh = () => `M-${++made}`;

/** Returns an order with every field. */
function wholeOrder(): Record<string, unknown> {
  const order = storeOrder(fresh());
  return {
    ...order,
    externalOrderNumber: 'X1',
    externalOrderNumber2: 'X2',
    expectedDeliveryDate: '2026-03-05T10:00:00Z',
    shipMethod: 'ANY',
    proxyDetails: { name: 'Bo', email: 'bo@example.com', phone: '5550100' },
    pinNumber: '4711',
    lines: order.lines.map((line) => ({ ...line, charges: 1, tax: 1, instructions: [{ type: 'GIFT', text: 'Hi' }] })),
    headerCharges: 1,
    headerTax: 1,
    cashOnDelivery: 1,
    carrierException: true,
    packages: order.packages!.map((one, index) => ({
      checkInPackageId: `P${index}`,
      weight: { unit: 'lb', value: 1 },
      volume: { unit: 'in3', value: 1 },
      ...one,
    })),
  };
}

/** Returns the order with the value at a path replaced; undefined removes the field. */
function withValue(order: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(order);
  const steps = path.split('/');
  const last = steps.pop()!;
  let at = copy;
  for (const step of steps) at = at[step] as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

const faultsAt = async (order: unknown, pointer: string) => {
  const answer = await place.intake(order);
  expect(answer.status, answer.text).toBe(400);
  return answer.body.errors.filter((fault: { pointer: string }) => fault.pointer === pointer);
};

const chars = (count: number) => 'x'.repeat(count);

/**
 * Path of the field, whether it is required, a value at its limit (undefined: the field has no such value), and values
 * beyond the limit.
 */
const MEMBERS: [path: string, required: boolean, good: unknown, ...bad: unknown[]][] = [
  ['omsOrderId', true, chars(40), '', chars(41), ' x', 5],
  ['webOrderId', true, chars(40), '', chars(41), 'x ', null],
  ['fulfillmentOrderId', true, undefined, '', chars(41), 7],
  ['externalOrderNumber', false, chars(40), '', chars(41)],
  ['externalOrderNumber2', false, chars(40), '', chars(41)],
  ['nodeId', true, undefined, '', chars(41), 1],
  ['fulfillmentType', true, undefined, 'STORE_PICKUP', 'ship_to_store', ''],
  ['orderDate', true, '1970-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-03-01', '2026-03-01T10:00:00', 0],
  ['fulfillmentOrderDate', false, '2026-03-03T12:00:00Z', '2026-03-03T12:00:01Z', '2026-02-30T00:00:00Z', 'soon'],
  ['expectedDeliveryDate', false, '2026-03-09T10:00:00-05:00', '2026-13-01T00:00:00Z', ''],
  ['currency', true, 'JPY', 'usd', 'US', 'USDD', 3],
  ['carrier', false, chars(40), chars(41)],
  ['carrier', false, '', 5],
  ['service', false, chars(40), chars(41)],
  ['service', false, '', 5],
  ['shipMethod', false, chars(81), chars(82)],
  ['customer', true, undefined, 'Ada', []],
  ['customer/name', true, chars(255), '', chars(256)],
  ['customer/email', false, chars(255), chars(256)],
  ['customer/email', false, '', 5],
  ['customer/phone', false, chars(255), chars(256)],
  ['customer/phone', false, '', 5],
  ['proxyDetails', false, undefined, 'Bo'],
  ['proxyDetails/name', true, 'Bo', ''],
  ['proxyDetails/email', false, 'b@c', chars(256)],
  ['proxyDetails/phone', false, '', chars(256)],
  ['pinNumber', false, chars(20), '', chars(21), 4711],
  ['destinations', true, undefined, [], {}],
  ['destinations/0/destinationId', true, undefined, '', chars(41)],
  ['destinations/0/destinationType', false, 'MAILING_ADDRESS', 'HOME'],
  ['destinations/0/personName/firstName', true, chars(120), chars(121)],
  ['destinations/0/personName/middleName', false, chars(120), chars(121)],
  ['destinations/0/personName/lastName', false, chars(120), chars(121)],
  ['destinations/0/address/line1', true, chars(120), chars(121)],
  ['destinations/0/address/line2', false, chars(120), chars(121)],
  ['destinations/0/address/line3', false, chars(120), chars(121)],
  ['destinations/0/address/line4', false, chars(120), chars(121)],
  ['destinations/0/address/city', true, chars(120), chars(121)],
  ['destinations/0/address/mainDivisionCode', false, '', chars(121)],
  ['destinations/0/address/postalCode', false, '', chars(121)],
  ['destinations/0/address/countryCode', true, 'CA', 'us', 'USA', 'U'],
  ['destinations/0/phone', false, chars(40), chars(41)],
  ['destinations/0/email', false, chars(255), chars(256)],
  ['billToAddress', true, undefined, 'D1'],
  ['billToAddress/destinationId', true, 'D2', ''],
  ['shippingAddress', true, undefined, 'D1'],
  ['shippingAddress/destinationId', true, 'D1', ''],
  ['shipFromAddress', true, undefined, 'D1'],
  ['lines', true, undefined, [], {}],
  ['lines/0/webLineId', true, undefined, '', chars(41), 1],
  ['lines/0/itemId', true, undefined, '', chars(41)],
  ['lines/0/quantity', true, undefined, 0, 100_000, 1.5, '2', -1],
  [
    'lines/0/unitPrice',
    true,
    new Decimal('9999999999999999999.9999'),
    -0.01,
    new Decimal('10000000000000000000'),
    0.00001,
    '1',
  ],
  ['lines/0/charges', false, -5, new Decimal('10000000000000000000'), 0.00001],
  ['lines/0/tax', false, 0.0001, 0.00001, '0'],
  ['lines/0/instructions', false, [], 'wrap'],
  ['lines/0/instructions/0/type', true, chars(40), '', chars(41)],
  ['lines/0/instructions/0/text', false, chars(1000), chars(1001)],
  ['headerCharges', false, 0, 0.00001, '1'],
  ['headerTax', false, 0, 0.00001, '1'],
  ['cashOnDelivery', false, 0, -1, '1'],
  ['carrierException', false, false, 'false', 0],
  ['inStore', false, false, 'no'],
  ['packages', true, undefined, [], {}],
  ['packages/0/checkInPackageId', false, chars(40), '', chars(41)],
  ['packages/0/trackingNumber', true, chars(40), '', chars(41)],
  ['packages/0/weight', false, undefined, 1],
  ['packages/0/weight/unit', true, 'kilogrammes', '', chars(41)],
  ['packages/0/weight/unit', true, 'Pounds', 'in3', 'crate'],
  ['packages/0/volume/unit', true, 'cubic centimetres', 'lb', 'in'],
  ['packages/0/weight/value', true, new Decimal('99999999999999.9999'), -1, 0.00001, '1'],
  ['packages/0/volume/value', true, 0, -1],
  ['packages/0/items', true, undefined, [], {}],
  ['packages/0/items/0/webLineId', true, undefined, '', 1],
  ['packages/0/items/0/quantity', true, undefined, 0, 100_000, 1.5],
];

describe('fields of an order', () => {
  test('an order with every field is accepted', async () => {
    const answer = await place.intake(wholeOrder());
    expect(answer.status, answer.text).toBe(201);
  });

  test.each(MEMBERS)('%s is required: %s, and keeps its limits', async (path, required, good, ...bad) => {
    const pointer = `/${path}`;
    const without = withValue(wholeOrder(), path, undefined);
    if (required) expect(await faultsAt(without, pointer)).toHaveLength(1);
    else expect((await place.intake(without)).status).toBe(201);
    if (good !== undefined) {
      const answer = await place.intake(withValue(wholeOrder(), path, good));
      expect(answer.status, answer.text).toBe(201);
    }
    for (const value of bad) {
      expect(await faultsAt(withValue(wholeOrder(), path, value), pointer), String(value)).not.toEqual([]);
    }
  });

  test('a quantity is 1 to 99999', async () => {
    for (const quantity of [1, 99_999]) {
      const { packages: _packages, ...order } = storeOrder(fresh(), { inStore: true });
      const answer = await place.intake({
        ...order,
        lines: [{ webLineId: '1', itemId: '1-A', quantity, unitPrice: 1 }],
      });
      expect(answer.status, answer.text).toBe(201);
    }
  });

  test.each([
    ['omsOrder', 'omsOrderId'],
    ['lines/0/qty', undefined],
    ['lines/0/unitprice', 'unitPrice'],
    ['packages/0/tracking', undefined],
    ['packages/0/trackingNumbr', 'trackingNumber'],
  ])('an unknown field %s is rejected with the nearest name', async (path, near) => {
    const [fault] = await faultsAt(withValue(wholeOrder(), path, 'x'), `/${path}`);
    expect(fault.rule).toBe('unknown');
    if (near !== undefined) expect(fault.message).toContain(near);
  });

  test('status and queueId of the response are accepted and ignored', async () => {
    const answer = await place.intake({ ...wholeOrder(), status: '9000', queueId: 'ELSEWHERE' });
    expect(answer.status).toBe(201);
    expect(answer.body.fulfillmentOrders[0]).toMatchObject({ status: '1300', queueId: 'WAITING_FOR_CHECKIN_STS' });
  });

  test('no error echoes a name, an address, a telephone number or a PIN', async () => {
    const secret = `Sesame${chars(300)}`;
    for (const path of [
      'customer/name',
      'customer/phone',
      'pinNumber',
      'destinations/0/address/line1',
      'proxyDetails/email',
    ]) {
      const answer = await place.intake(withValue(wholeOrder(), path, secret));
      expect(answer.status).toBe(400);
      expect(answer.text).not.toContain('Sesame');
    }
  });

  test('a body that is neither an order nor a list is rejected', async () => {
    for (const body of ['x', 1, null, true]) expect((await place.intake(body)).status).toBe(400);
    expect((await place.intake([[]])).status).toBe(400);
  });
});
