import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrderIntake } from '../../src/orders/intake-schema.ts';
import { destination, homeOrder, pickupOrder } from '../orders/place.ts';
import { ownStatuses } from '../packing/slips.ts';
import type { Answer } from '../support/backroom.ts';
import { withPlantedFault } from '../support/backroom.ts';
import { ALL, DAMAGED, type Dock, line, openDock, PACKAGES, pack, pathOf } from './arrivals.ts';

let dock: Dock;
beforeAll(async () => {
  dock = await openDock();
});
afterAll(() => dock.close());

const ADDRESS = { line1: '1 Main St', city: 'Town', mainDivisionCode: 'PA', postalCode: '19406', countryCode: 'US' };

describe('check-in details response', () => {
  let order: Answer['body'];
  beforeAll(async () => {
    await dock.arriving('full', {
      carrier: 'UPS',
      service: 'GROUND',
      destinations: [
        destination('D1', { address: { ...ADDRESS, line2: 'Flat 3' } }),
        {
          destinationId: 'D2',
          destinationType: 'NODE_ADDRESS',
          personName: { firstName: 'Cleo' },
          address: ADDRESS,
          email: 'ada@example.com',
        },
        destination('D3'),
      ] as OrderIntake['destinations'],
      shipFromAddress: { destinationId: 'D3' },
      packages: PACKAGES!.map((one) => ({
        ...one,
        weight: { unit: 'lb', value: 1.25 },
        volume: { unit: 'in3', value: 40.5 },
      })),
    });
    await dock.update('full', [pack('P1', line('1', 2, 1, 1, DAMAGED))]);
    const answer = await dock.read('full');
    expect(Object.keys(answer.body)).toEqual(['fulfillmentOrder']);
    order = answer.body.fulfillmentOrder;
  });

  // The fields and their values for the order above. Written by hand from docs/interface.md#read-check-in-details.
  const MEMBERS: [string, unknown][] = [
    ['storeId', 'S1'],
    ['nodeId', 'N1'],
    ['omsOrderId', 'OMS-full'],
    ['fulfillmentOrderId', 'full'],
    ['webOrderId', 'WEB-full'],
    ['fulfillmentType', 'SHIP_TO_STORE'],
    ['currency', 'USD'],
    ['carrier', 'UPS'],
    ['service', 'GROUND'],
    ['fulfillmentOrderDate', '2026-03-02T10:00:00+00:00'],
    ['orderDate', '2026-03-02T09:00:00+00:00'],
    ['totalVolume', { unit: 'in3', value: 81 }],
    ['totalWeight', { unit: 'lb', value: 2.5 }],
    ['billToAddress', { destinationId: 'D1' }],
    ['shippingAddress', { destinationId: 'D2' }],
    ['shipFromAddress', { destinationId: 'D3' }],
  ];
  it.each(MEMBERS)('fulfillmentOrder.%s', (member, value) => expect(order[member]).toEqual(value));

  it('fulfillmentOrder has no other fields before CONFIRM', () => {
    const names = [...MEMBERS.map(([name]) => name), 'checkInPackages', 'destinations'];
    expect(Object.keys(order).sort()).toEqual(names.sort());
  });

  it('checkInPackages[] have checkInPackageId, trackingNumber and checkInPackageItems', () => {
    expect(order.checkInPackages).toEqual([
      { checkInPackageId: 'P1', trackingNumber: 'T1', checkInPackageItems: [line('1', 2, 1, 1, DAMAGED)] },
      { checkInPackageId: 'P2', trackingNumber: 'T2', checkInPackageItems: [line('1', 1, 0), line('2', 1, 0)] },
    ]);
  });

  it.each([
    ['itemId', '1-A'],
    ['webLineId', '1'],
    ['quantity', 2],
    ['checkInQuantity', 1],
    ['checkInCanceledQuantity', 1],
    ['checkInCancellationReasonCode', DAMAGED],
  ])('checkInPackageItems[].%s', (member, value) => {
    expect(order.checkInPackages[0].checkInPackageItems[0][member]).toBe(value);
  });

  it('checkInCancellationReasonCode is present only where units are canceled', () => {
    expect(order.checkInPackages[1].checkInPackageItems[0]).not.toHaveProperty('checkInCancellationReasonCode');
  });

  it.each([
    ['destinationId', 'D1'],
    ['destinationType', 'SHIPPING_ADDRESS'],
    ['personName.firstName', 'Ada'],
    ['personName.middleName', 'B'],
    ['personName.lastName', 'Byron'],
    ['address.line1', '1 Main St'],
    ['address.line2', 'Flat 3'],
    ['address.city', 'Town'],
    ['address.mainDivisionCode', 'PA'],
    ['address.postalCode', '19406'],
    ['address.countryCode', 'US'],
    ['email', 'ada@example.com'],
    ['phone', '215-555-0199'],
  ])('destinations[].%s', (path, value) => {
    const found = path.split('.').reduce((inner, step) => inner[step], order.destinations[0]);
    expect(found).toBe(value);
  });

  it('middleName, lastName, phone and line2 are left out when the order has none', () => {
    expect(order.destinations[1]).toEqual({
      destinationId: 'D2',
      destinationType: 'NODE_ADDRESS',
      personName: { firstName: 'Cleo' },
      address: ADDRESS,
      email: 'ada@example.com',
    });
  });

  it('the three addresses refer to destinations of the same response', () => {
    const ids = order.destinations.map((one: { destinationId: string }) => one.destinationId);
    for (const name of ['billToAddress', 'shippingAddress', 'shipFromAddress']) {
      expect(ids).toContain(order[name].destinationId);
    }
  });

  it('holdLocation is present only after CONFIRM', async () => {
    await dock.arriving('hold');
    await dock.update('hold', ALL, { holdLocation: 'A1' });
    expect((await dock.read('hold')).body.fulfillmentOrder).not.toHaveProperty('holdLocation');
    await dock.confirm('hold', [], { holdLocation: 'Loc1-123' });
    expect((await dock.read('hold')).body.fulfillmentOrder.holdLocation).toBe('Loc1-123');
  });

  it('quantities are 0 before anything is saved', async () => {
    await dock.arriving('none');
    const { checkInPackages } = (await dock.read('none')).body.fulfillmentOrder;
    for (const one of checkInPackages) {
      for (const item of one.checkInPackageItems) {
        expect([item.checkInQuantity, item.checkInCanceledQuantity]).toEqual([0, 0]);
      }
    }
  });

  it('goods that are already in the store are one package "1" with the order id as tracking number', async () => {
    await dock.arriving('here', { inStore: true, packages: undefined as never, shipFromAddress: undefined as never });
    const { checkInPackages, shipFromAddress, shippingAddress } = (await dock.read('here')).body.fulfillmentOrder;
    expect(checkInPackages).toEqual([
      {
        checkInPackageId: '1',
        trackingNumber: 'here',
        checkInPackageItems: [line('1', 3, 0), line('2', 1, 0)],
      },
    ]);
    expect(shipFromAddress).toEqual(shippingAddress);
  });

  it('totals come from the items’ shipping measures when packages have none', async () => {
    await dock.arriving('items');
    const { totalWeight, totalVolume } = (await dock.read('items')).body.fulfillmentOrder;
    // Each unit weighs 1.5 lb and measures 1 x 2 x 3 in; the order has four.
    expect(totalWeight).toEqual({ unit: 'lb', value: 6 });
    expect(totalVolume).toEqual({ unit: 'in3', value: 24 });
  });

  it('totals are 0 lb and 0 in3 when nothing is known', async () => {
    await dock.putItem('1-N', { shippingMassDimensions: undefined, shippingPackagingDimensions: undefined });
    await dock.arriving('unknown', {
      lines: [{ webLineId: '1', itemId: '1-N', quantity: 2, unitPrice: 1 }],
      packages: [{ trackingNumber: 'T', items: [{ webLineId: '1', quantity: 2 }] }],
    });
    const { totalWeight, totalVolume } = (await dock.read('unknown')).body.fulfillmentOrder;
    expect([totalWeight, totalVolume]).toEqual([
      { unit: 'lb', value: 0 },
      { unit: 'in3', value: 0 },
    ]);
  });

  it('can be read in every state, and reading changes nothing', async () => {
    await dock.arriving('again');
    await dock.confirm('again', ALL);
    const before = await dock.stands('again');
    expect((await dock.read('again')).text).toBe((await dock.read('again')).text);
    expect(await dock.stands('again')).toEqual(before);
  });
});

describe('check-in details statuses', () => {
  it('are 200, 400, 404 and 500 beside those common to all operations', () => {
    expect(ownStatuses('readCheckIn')).toEqual([200, 400, 404, 500]);
  });

  it('an error of the service itself is 500 with an error record', async () => {
    await dock.arriving('s1');
    await dock.breakContacts('s1');
    const answer = await withPlantedFault(() => dock.read('s1'));
    expect([answer.status, answer.body.category, answer.body.code]).toEqual([500, 'INTERNAL', 'INTERNAL']);
  });
});

describe('check-in details errors', () => {
  beforeAll(() => dock.arriving('a1'));

  it('without an apiKey, or with a wrong one, it is 403', async () => {
    const none = await dock.call({ method: 'GET', path: pathOf('a1') });
    expect([none.status, none.body.code]).toEqual([403, 'CREDENTIALS_MISSING']);
    const wrong = await dock.read('a1', { apiKey: 'br_C1_0_x' });
    expect([wrong.status, wrong.body.code]).toEqual([403, 'CREDENTIALS_INVALID']);
  });

  it('a store or node that is not the caller’s is 403, whether it exists or not', async () => {
    for (const place of ['S9/nodes/N1', 'S-none/nodes/N1', 'S1/nodes/N9', 'S1/nodes/N-none']) {
      const answer = await dock.read('a1', { path: `/stores/${place}/fulfillmentOrders/a1/checkin` });
      expect([answer.status, answer.body.code]).toEqual([403, 'ACCESS_DENIED']);
    }
    const path = '/stores/S1/nodes/N2/fulfillmentOrders/a1/checkin';
    expect((await dock.read('a1', { path, apiKey: dock.keys.onlyN1 })).status).toBe(403);
  });

  it('a missing order and one of another store, node or client look the same: 404', async () => {
    for (const [store, node, id, apiKey] of [
      ['S1', 'N1', 'gone', dock.keys.all],
      ['S1', 'N1', 'x'.repeat(41), dock.keys.all],
      ['S2', 'N1', 'a1', dock.keys.all],
      ['S1', 'N2', 'a1', dock.keys.all],
      ['S9', 'N9', 'a1', dock.keys.other],
    ] as const) {
      const answer = await dock.read(id, {
        path: `/stores/${store}/nodes/${node}/fulfillmentOrders/${id}/checkin`,
        apiKey,
      });
      expect([answer.status, answer.body.category, answer.body.code]).toEqual([404, 'RESOURCE', 'NOT_FOUND']);
      expect(answer.body.description).toBe(
        `There is no fulfillment order "${id}" of store "${store}" at node "${node}".`,
      );
    }
  });

  it('an order of another fulfillment type is a 400 that names its type', async () => {
    await dock.intake([homeOrder('home'), pickupOrder('pickup')]);
    for (const [id, type] of [
      ['home', 'SHIP_TO_HOME'],
      ['pickup', 'STORE_PICK_UP'],
    ] as const) {
      const answer = await dock.read(id);
      expect([answer.status, answer.body.code]).toEqual([400, 'CONFLICT']);
      expect(answer.body.description).toContain(type);
    }
  });

  it('a body or a query parameter is rejected', async () => {
    const headers = { apiKey: dock.keys.all };
    expect((await dock.call({ method: 'GET', path: `${pathOf('a1')}?x=1`, headers })).status).toBe(400);
  });

  it('a path with NUL or broken escapes is rejected', async () => {
    for (const id of ['a%00', '%ff', '%']) expect((await dock.read(id)).status).toBe(400);
  });
});
