import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Decimal } from '../../src/platform/decimal.ts';
import { NOON } from '../support/backroom.ts';
import { homeOrder, openPlace, type Place, packagesOf, pickupOrder, storeOrder } from './place.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

let made = 0;
const fresh = () => `K-${++made}`;

const line = (webLineId: string, itemId = '1-A', quantity = 1) => ({ webLineId, itemId, quantity, unitPrice: 1 });

describe('an order keeps', () => {
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

  test('amounts to the last digit; omitted charges and tax are 0', async () => {
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

  test('its PIN sealed: the row does not contain the text, and the service can open it', async () => {
    const id = fresh();
    await place.intake(pickupOrder(id, { pinNumber: '987654' }));
    const row = await place.row(id);
    expect(JSON.stringify(row)).not.toContain('987654');
    expect(
      (await place.queue('WAITING_FOR_PICK_ISPU', { fulfillmentOrderId: id })).body.fulfillmentOrders[0].pinNumber,
    ).toBe('987654');
  });

  test('its PIN sealed differently from an equal PIN of another order', async () => {
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

  test('an omitted fulfillmentOrderDate as the present time, but not before the orderDate', async () => {
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
    const [rows] = await packagesOf(place, id);
    expect(rows.map((row) => [row.check_in_package_id, row.tracking_number, row.weight, row.volume])).toEqual([
      ['2', 'A', '{"unit":"lb","value":1.25}', null],
      ['1', 'B', null, null],
      ['3', 'C', null, '{"unit":"in3","value":3}'],
    ]);
  });
});
