import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrderIntake } from '../../src/orders/intake-schema.ts';
import { Decimal } from '../../src/platform/decimal.ts';
import { destination } from '../orders/place.ts';
import type { Answer } from '../support/backroom.ts';
import { FULL, LINES, openShop, type Shop } from './slips.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

describe('pack slip response', () => {
  let slip: Answer['body'];
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

  // The fields and their values for the order above. Written by hand from docs/interface.md#generate-a-pack-slip.
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

  it('packSlipDetails has no other fields', () => {
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

  it('fulfillmentOrder has no other fields', () => {
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

  it('instructions[] with type and text are present only where the line has some', () => {
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
    ['address.line3', 'Back'],
    ['address.line4', 'Bell 2'],
    ['personName.middleName', 'B'],
    ['address.city', 'Town'],
    ['address.mainDivisionCode', 'PA'],
    ['address.postalCode', '19406'],
    ['address.countryCode', 'US'],
    ['destinationId', 'home'],
    ['destinationType', 'SHIPPING_ADDRESS'],
  ])('destinations[].%s', (path, value) => expect(at(slip.fulfillmentOrder.destinations[0], path)).toBe(value));

  it('destinations[].address.line2 is left out when there is none', () => {
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

  it('leaves out optional fields that the order does not have', async () => {
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
  it('amounts of 19 + 2 digits are exact', async () => {
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

  it('the largest possible order stays within the digits of the response', async () => {
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
    // 20 x (99999 + 2) x 9999999999999999999.9999, computed by hand, rounded to cents.
    expect(answer.text).toContain('"grandTotal":20000199999999999999999800,');
  });
});

const ADDRESS = { line1: '1 Main St', city: 'Town', mainDivisionCode: 'PA', postalCode: '19406', countryCode: 'US' };

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], value);
}
