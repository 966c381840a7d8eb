import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '../../src/decimal.ts';
import type { OrderIntake } from '../../src/orders/intake-schema.ts';
import { destination, pickupOrder, storeOrder } from '../orders/place.ts';
import { openShop, request, type Shop } from './slips.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const LINES = [
  { webLineId: 'L1', itemId: '1-A', quantity: 3, unitPrice: 19.99, charges: 1, tax: 4.2 },
  {
    webLineId: 'L2',
    itemId: '1-C',
    quantity: 2,
    unitPrice: 9.5,
    tax: 1.33,
    instructions: [{ type: 'GIFT_MESSAGE', text: 'Enjoy' }],
  },
];
const FULL = {
  lines: LINES,
  headerCharges: 7.5,
  headerTax: 0.53,
  cashOnDelivery: 12.34,
  carrierException: true,
  externalOrderNumber: 'EXT-1',
  externalOrderNumber2: 'EXT-2',
};

describe('pack slip request', () => {
  beforeAll(() => shop.pickedOrder('req', [3, 2], FULL));

  it.each(['storeId', 'nodeId', 'modifyAssociateId', 'fulfillmentOrderId'])('%s is required', async (member) => {
    const { [member]: _left, ...rest } = request('req') as Record<string, string>;
    const answer = await shop.generate('req', rest);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.body.errors).toMatchObject([{ pointer: `/${member}`, rule: 'required' }]);
  });

  it.each(['storeId', 'nodeId', 'modifyAssociateId', 'fulfillmentOrderId'])('%s is a string', async (member) => {
    const answer = await shop.generate('req', { ...request('req'), [member]: 7 });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ pointer: `/${member}`, rule: 'type' }]);
  });

  it.each([
    ['modifyAssociateId', 64],
    ['nodeId', 40],
  ])('%s takes 1 to %i characters', async (member, most) => {
    const send = (value: string) => shop.generate('req', { ...request('req'), [member]: value });
    // A node of 40 characters passes the schema; that it is not the caller's is another matter.
    expect((await send('x'.repeat(most))).status).toBe(member === 'nodeId' ? 403 : 200);
    expect((await send('x'.repeat(most + 1))).body.errors).toMatchObject([{ rule: 'maxLength', limit: most }]);
    expect((await send('')).body.errors).toMatchObject([{ rule: 'minLength' }]);
  });

  it('modifyAssociatedId is read as modifyAssociateId', async () => {
    const { modifyAssociateId, ...rest } = request('req');
    expect((await shop.generate('req', { ...rest, modifyAssociatedId: modifyAssociateId })).status).toBe(200);
    const answer = await shop.generate('req', { ...request('req'), modifyAssociatedId: 'another' });
    expect(answer.body.errors).toMatchObject([{ pointer: '/modifyAssociatedId', rule: 'spelling' }]);
  });

  it('storeId and fulfillmentOrderId must be those of the path, and every fault is told at once', async () => {
    const answer = await shop.generate('req', { ...request('other'), storeId: 'S2' });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((fault: { pointer: string }) => fault.pointer)).toEqual([
      '/storeId',
      '/fulfillmentOrderId',
    ]);
    const wrong = await shop.generate('req', { storeId: 1, nodeID: 'N1' });
    expect(wrong.body.errorsTotal).toBe(5);
  });

  it('an unknown member is refused with the nearest known name', async () => {
    const answer = await shop.generate('req', { ...request('req'), modifyAssociate: 'bo' });
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].message).toContain('modifyAssociateId');
  });

  it('a body that is no object, empty or broken is refused', async () => {
    for (const body of [[], 'x', 1, null]) expect((await shop.generate('req', body as object)).status).toBe(400);
    const path = '/stores/S1/fulfillmentOrders/req/packslip/generate';
    const send = (raw: string) => shop.call({ method: 'POST', path, raw, headers: { apiKey: shop.keys.all } });
    for (const raw of ['', '{', '{"storeId":"\\u0000"}', '{"__proto__":1}']) expect((await send(raw)).status).toBe(400);
  });
});

describe('pack slip access', () => {
  beforeAll(async () => {
    await shop.pickedOrder('acc', [3, 2], FULL);
  });

  it('without an apiKey, or with a wrong one, it is 403', async () => {
    const path = '/stores/S1/fulfillmentOrders/acc/packslip/generate';
    const none = await shop.call({ method: 'POST', path, body: request('acc') });
    expect([none.status, none.body.code]).toEqual([403, 'CREDENTIALS_MISSING']);
    const wrong = await shop.generate('acc', request('acc'), { apiKey: 'br_C1_0_x' });
    expect([wrong.status, wrong.body.code]).toEqual([403, 'CREDENTIALS_INVALID']);
  });

  it('another client’s store is 403, whether it exists or not', async () => {
    for (const storeId of ['S9', 'S-none']) {
      const path = `/stores/${storeId}/fulfillmentOrders/acc/packslip/generate`;
      const answer = await shop.generate('acc', { ...request('acc'), storeId }, { path });
      expect([answer.status, answer.body.code]).toEqual([403, 'ACCESS_DENIED']);
    }
  });

  it('a node that is not the caller’s is 403, whether it exists or not', async () => {
    for (const nodeId of ['N9', 'N-none']) {
      const answer = await shop.generate('acc', { ...request('acc'), nodeId });
      expect([answer.status, answer.body.code]).toEqual([403, 'ACCESS_DENIED']);
    }
    const narrowed = await shop.generate('acc', { ...request('acc'), nodeId: 'N2' }, { apiKey: shop.keys.onlyN1 });
    expect([narrowed.status, narrowed.body.code]).toEqual([403, 'ACCESS_DENIED']);
  });

  it('a missing order and one of another store, node or client look the same: 400 NOT_FOUND', async () => {
    const ask = async (id: string, storeId = 'S1', nodeId = 'N1', apiKey = shop.keys.all) => {
      const path = `/stores/${storeId}/fulfillmentOrders/${id}/packslip/generate`;
      const answer = await shop.generate(id, { ...request(id), storeId, nodeId }, { apiKey, path });
      expect([answer.status, answer.body.category, answer.body.code]).toEqual([400, 'RESOURCE', 'NOT_FOUND']);
      return answer.body.description as string;
    };
    expect(await ask('gone')).toContain('"gone"');
    expect(await ask('acc', 'S2')).toContain('"S2"');
    expect(await ask('acc', 'S1', 'N2')).toContain('"N2"');
    expect(await ask('acc', 'S9', 'N9', shop.keys.other)).toContain('"acc"');
    expect(await ask('x'.repeat(40))).toContain('xxx');
  });
});

describe('pack slip and the state of the order', () => {
  it.each([
    [1100, 'refused'],
    [1150, 'refused'],
    [1200, 'answered'],
    [3700, 'answered'],
    [9000, 'refused'],
    [9100, 'refused'],
  ] as const)('at %i it is %s', async (status, outcome) => {
    const id = `state-${status}`;
    await shop.pickedOrder(id, [3, 2], FULL);
    if (status === 1150) {
      await shop.store.write((tx) =>
        tx
          .updateTable('fulfillment_orders')
          .set({ status, pick_ticket_id: '1' })
          .where('client_id', '=', 'C1')
          .where('fulfillment_order_id', '=', id)
          .execute(),
      );
    } else await shop.setState(id, status);
    const answer = await shop.generate(id);
    if (outcome === 'answered') {
      expect(answer.status).toBe(200);
      expect(answer.body.packSlipDetails[0].fulfillmentOrder.status).toBe(String(status));
    } else {
      expect([answer.status, answer.body.category, answer.body.code]).toEqual([400, 'STATE', 'CONFLICT']);
      expect(answer.body.description).toContain(`status ${status}`);
    }
  });

  it('the refusal of an order that is not picked says what to do', async () => {
    await shop.pickedOrder('todo', [3, 2], FULL);
    await shop.setState('todo', 1100);
    expect((await shop.generate('todo')).body.description).toMatch(/Waiting for pick; generate its pick ticket/);
  });

  it('only SHIP_TO_HOME orders have a pack slip', async () => {
    await shop.intake([pickupOrder('pickup'), storeOrder('sts')]);
    for (const id of ['pickup', 'sts']) {
      const answer = await shop.generate(id);
      expect([answer.status, answer.body.code]).toEqual([400, 'CONFLICT']);
      expect(answer.body.description).toContain('only SHIP_TO_HOME');
    }
  });
});

describe('pack slip id', () => {
  it('starts at 500001 and rises by one', async () => {
    const fresh = await openShop();
    try {
      for (const id of ['a', 'b']) await fresh.pickedOrder(id, [3, 2], FULL);
      expect([(await fresh.slip('a')).packSlipId, (await fresh.slip('b')).packSlipId]).toEqual(['500001', '500002']);
    } finally {
      await fresh.close();
    }
  });

  it('stays the same while nothing on the slip changes, whoever asks', async () => {
    await shop.pickedOrder('same', [3, 2], FULL);
    const first = await shop.generate('same');
    shop.clock.now += 3_600_000;
    const again = await shop.generate('same', { ...request('same'), modifyAssociateId: 'ada' });
    expect(again.text).toBe(first.text);
  });

  it('is a new one when what the slip shows has changed', async () => {
    await shop.pickedOrder('changed', [3, 2], FULL);
    const before = await shop.slip('changed');
    await shop.setState('changed', 3700);
    const after = await shop.slip('changed');
    expect(after.packSlipId).not.toBe(before.packSlipId);
    await shop.setState('changed', 1200);
    expect((await shop.slip('changed')).packSlipId).toBe(before.packSlipId);
  });

  it('is one for all who ask at once', async () => {
    await shop.pickedOrder('race', [3, 2], FULL);
    const slips = await Promise.all(Array.from({ length: 10 }, () => shop.slip('race')));
    expect(new Set(slips.map((slip) => slip.packSlipId)).size).toBe(1);
  });

  it('is recorded once, with the associate who made the slip and no customer', async () => {
    await shop.pickedOrder('event', [3, 2], FULL);
    const { packSlipId } = await shop.slip('event');
    await shop.slip('event');
    const events = await shop.store.read((db) =>
      db
        .selectFrom('events')
        .selectAll()
        .where('client_id', '=', 'C1')
        .where('resource_id', '=', 'event')
        .where('type', '=', 'order.packSlipGenerated')
        .execute(),
    );
    expect(events.map((event) => JSON.parse(event.data))).toEqual([{ packSlipId, modifyAssociateId: 'bo' }]);
  });

  it('generating leaves the order where it is', async () => {
    await shop.pickedOrder('stays', [3, 2], FULL);
    const row = () =>
      shop.store.read((db) =>
        db
          .selectFrom('fulfillment_orders')
          .selectAll()
          .where('client_id', '=', 'C1')
          .where('fulfillment_order_id', '=', 'stays')
          .executeTakeFirstOrThrow(),
      );
    const before = await row();
    await shop.slip('stays');
    expect(await row()).toEqual(before);
  });
});

describe('pack slip reply', () => {
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
  let slip: any;
  beforeAll(async () => {
    await shop.operator('PUT', '/operator/v1/clients/C1/stores/S1', {
      name: 'Web store',
      catalogId: '1',
      sellerId: 'SELLER1',
      storeCode: 'A',
      currency: 'USD',
      returnsLabel: true,
    });
    await shop.pickedOrder('full', [2, 2], {
      ...FULL,
      destinations: [
        destination('home', { address: { ...ADDRESS, line2: 'Flat 3', line3: 'Back', line4: 'Bell 2' } }),
        destination('bill', { destinationType: 'MAILING_ADDRESS' }),
      ] as OrderIntake['destinations'],
      billToAddress: { destinationId: 'bill' },
      shippingAddress: { destinationId: 'home' },
    });
    const answer = await shop.generate('full');
    expect(Object.keys(answer.body)).toEqual(['packSlipDetails']);
    expect(answer.body.packSlipDetails).toHaveLength(1);
    slip = answer.body.packSlipDetails[0];
  });

  // Written from endpoint 5 of the interface: member, and its value for the order above.
  const SLIP: [string, unknown][] = [
    ['packSlipId', expect.stringMatching(/^5\d{5}$/)],
    ['storeId', 'S1'],
    ['nodeId', 'N1'],
    ['orderSource', 'S1'],
    ['orderSourceType', 'N1'],
    ['hfrEligible', true],
    ['carrierException', true],
  ];
  it.each(SLIP)('packSlipDetails[].%s', (member, value) => expect(slip[member]).toEqual(value));

  it('packSlipDetails has no other members', () => {
    expect(Object.keys(slip).sort()).toEqual([...SLIP.map(([name]) => name), 'fulfillmentOrder'].sort());
  });

  const ORDER: [string, unknown][] = [
    ['fulfillmentOrderId', 'full'],
    ['omsOrderId', 'OMS-full'],
    ['webOrderId', 'WEB-full'],
    ['externalOrderNumber', 'EXT-1'],
    ['externalOrderNumber2', 'EXT-2'],
    ['fulfillmentType', 'SHIP_TO_HOME'],
    ['currency', 'USD'],
    ['carrier', 'UPS'],
    ['service', 'GROUND'],
    ['fulfillmentOrderDate', '2026-03-02T10:00:00+00:00'],
    ['orderDate', '2026-03-02T09:00:00+00:00'],
    ['status', '1200'],
    ['billToAddress', { destinationId: 'bill' }],
    ['shippingAddress', { destinationId: 'home' }],
  ];
  it.each(ORDER)('fulfillmentOrder.%s', (member, value) => expect(slip.fulfillmentOrder[member]).toEqual(value));

  it('fulfillmentOrder has no other members', () => {
    const rest = ['packages', 'fulfillmentOrderItems', 'destinations', 'orderTotal'];
    expect(Object.keys(slip.fulfillmentOrder).sort()).toEqual([...ORDER.map(([name]) => name), ...rest].sort());
  });

  it('packages[] is one package "1" with webLineId and quantity of all picked units', () => {
    expect(slip.fulfillmentOrder.packages).toEqual([
      {
        packageId: '1',
        packageItems: [
          { webLineId: 'L1', quantity: 2 },
          { webLineId: 'L2', quantity: 2 },
        ],
      },
    ]);
  });

  it('fulfillmentOrderItems[] has id 1 to n, webLineId, itemDetails.itemId, orderedQuantity and itemTotal', () => {
    expect(slip.fulfillmentOrder.fulfillmentOrderItems).toEqual([
      {
        id: 1,
        webLineId: 'L1',
        itemDetails: { itemId: '1-A' },
        orderedQuantity: 3,
        itemTotal: { unitPrice: 19.99, extendedPrice: 39.98, charges: 0.67, tax: 2.8 },
      },
      {
        id: 2,
        webLineId: 'L2',
        itemDetails: { itemId: '1-C' },
        orderedQuantity: 2,
        itemTotal: { unitPrice: 9.5, extendedPrice: 19, charges: 0, tax: 1.33 },
        instructions: [{ type: 'GIFT_MESSAGE', text: 'Enjoy' }],
      },
    ]);
  });

  it('instructions[] with type and text are there only where the line has some', () => {
    const [first, second] = slip.fulfillmentOrder.fulfillmentOrderItems;
    expect([first.instructions, second.instructions]).toEqual([undefined, [{ type: 'GIFT_MESSAGE', text: 'Enjoy' }]]);
  });

  it.each([
    ['personName.firstName', 'Ada'],
    ['personName.lastName', 'Byron'],
    ['phone', '215-555-0199'],
    ['email', 'ada@example.com'],
    ['address.line1', '1 Main St'],
    ['address.line2', 'Flat 3'],
    ['address.city', 'Town'],
    ['address.mainDivisionCode', 'PA'],
    ['address.postalCode', '19406'],
    ['address.countryCode', 'US'],
    ['destinationId', 'home'],
    ['destinationType', 'SHIPPING_ADDRESS'],
  ])('destinations[].%s', (path, value) => expect(at(slip.fulfillmentOrder.destinations[0], path)).toBe(value));

  it('destinations[].address.line2 is left out where there is none', () => {
    expect(slip.fulfillmentOrder.destinations[1].address).toEqual(ADDRESS);
  });

  it('billToAddress and shippingAddress refer to destinations of the same slip', () => {
    const { destinations, billToAddress, shippingAddress } = slip.fulfillmentOrder;
    const ids = destinations.map((one: { destinationId: string }) => one.destinationId);
    expect(ids).toContain(billToAddress.destinationId);
    expect(ids).toContain(shippingAddress.destinationId);
  });

  it.each([
    ['grandTotal', 71.81],
    ['grandTax', 4.66],
    ['grandCharges', 8.17],
    ['hdrTax', 0.53],
    ['hdrCharges', 7.5],
    ['cashOnDelivery', 12.34],
  ])('orderTotal.%s', (member, value) => expect(slip.fulfillmentOrder.orderTotal[member]).toBe(value));

  it('leaves out optional members that the order does not have', async () => {
    await shop.pickedOrder('plain', [3, 2], { lines: LINES });
    const { fulfillmentOrder, carrierException } = await shop.slip('plain');
    expect(carrierException).toBe(false);
    expect(fulfillmentOrder).not.toHaveProperty('externalOrderNumber');
    expect(fulfillmentOrder).not.toHaveProperty('externalOrderNumber2');
    expect(fulfillmentOrder.orderTotal).toEqual({
      grandTotal: 85.5,
      grandTax: 5.53,
      grandCharges: 1,
      hdrTax: 0,
      hdrCharges: 0,
    });
  });

  it('hfrEligible is the store’s setting returnsLabel', async () => {
    const fresh = await openShop();
    try {
      await fresh.pickedOrder('label', [3, 2], { lines: LINES });
      expect((await fresh.slip('label')).hfrEligible).toBe(false);
    } finally {
      await fresh.close();
    }
  });
});

describe('pack slip of a short pick', () => {
  it('shows a line with nothing picked with totals of 0, and leaves it out of the package', async () => {
    await shop.pickedOrder('short', [0, 1], { lines: LINES });
    const { packages, fulfillmentOrderItems: items } = (await shop.slip('short')).fulfillmentOrder;
    expect(packages[0].packageItems).toEqual([{ webLineId: 'L2', quantity: 1 }]);
    expect(items[0]).toMatchObject({
      webLineId: 'L1',
      orderedQuantity: 3,
      itemTotal: { unitPrice: 19.99, extendedPrice: 0, charges: 0, tax: 0 },
    });
    expect(items[1].itemTotal).toEqual({ unitPrice: 9.5, extendedPrice: 9.5, charges: 0, tax: 0.67 });
  });
});

describe('pack slip digits', () => {
  it('amounts of 19 + 2 digits come out exactly', async () => {
    const price = new Decimal('1234567890123456789.01');
    const line = { webLineId: 'L1', itemId: '1-A', quantity: 3, unitPrice: price, tax: price, charges: price };
    await shop.pickedOrder('exact', [3], { lines: [line], headerTax: price, headerCharges: 0.01 });
    const answer = await shop.generate('exact');
    expect(answer.text).toContain('"unitPrice":1234567890123456789.01');
    expect(answer.text).toContain('"extendedPrice":3703703670370370367.03');
    expect(answer.text).toContain('"charges":1234567890123456789.01');
    expect(answer.text).toContain('"grandTax":2469135780246913578.02');
    expect(answer.text).toContain('"grandCharges":1234567890123456789.02');
    expect(answer.text).toContain('"grandTotal":7407407340740740734.07');
  });

  it('the largest order there may be stays within the reply’s digits', async () => {
    const most = new Decimal('9999999999999999999.9999');
    const lines = Array.from({ length: 20 }, (_, index) => ({
      webLineId: `L${index}`,
      itemId: '1-A',
      quantity: 99_999,
      unitPrice: most,
      charges: most,
      tax: most,
    }));
    await shop.pickedOrder('most', [], { lines });
    const answer = await shop.generate('most');
    // 20 x (99999 + 2) x 9999999999999999999.9999, by hand.
    expect(answer.text).toContain('"grandTotal":20000199999999999999999799.998,');
  });
});

const ADDRESS = { line1: '1 Main St', city: 'Town', mainDivisionCode: 'PA', postalCode: '19406', countryCode: 'US' };

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], value);
}
