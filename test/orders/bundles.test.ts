/** A bundle line shows its components in picking, packing and hand-over. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/platform/json-column.ts';
import { type LineWish, type Members, openPicking, orderBody, type Picking, SFS } from '../picking/picking.ts';

let town: Picking;
beforeAll(async () => {
  town = await openPicking({ upTo: 'catalog' });
});
afterAll(() => town.close());

const STORE = '/operator/v1/stores/TOWN_US/fulfillmentOrders';
const HOST = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };

/** Returns the components of bath sets: a mug and two soaps for each set. */
const bath = (sets: number, places = false) => [
  {
    itemId: '21-MUG-WHT',
    itemDesc: 'Stoneware mug, white',
    quantity: sets,
    color: 'White',
    colorCode: '100',
    size: '12 fluid ounces',
    sizeCode: '12OZ',
    style: 'MUG',
    upcs: [
      { type: 'UPC', value: '400000000046' },
      { type: 'EAN', value: '4000000000464' },
    ],
    pricePercentage: 60,
    ...(places && { pickLocation: 'B-02-1' }),
  },
  {
    itemId: '21-SOAP-LAV',
    itemDesc: 'Lavender soap',
    quantity: 2 * sets,
    color: '',
    colorCode: '',
    size: '',
    sizeCode: '',
    style: '',
    upcs: [{ type: 'UPC', value: '400000000084' }],
    pricePercentage: 40,
    ...(places && { pickLocation: 'D-01-1' }),
  },
];

const TOO_MUCH =
  'bundle "21-BIG" has more components than an order can show (at most 100 different items, 99999 units of one); split it into smaller bundles';

let made = 0;
const put = async (sku: string, members: Members = {}) => {
  const body = {
    catalogId: '21',
    clientId: 'TOWN',
    clientItemId: sku,
    itemId: `21-${sku}`,
    type: 'MERCH',
    salesClass: 'stock',
    styleId: '',
    taxCode: '',
    description: sku,
    ...members,
  };
  const answer = await town.client.put(`/item-service/clients/TOWN/items/21-${sku}`, body);
  expect([200, 201], answer.text).toContain(answer.status);
};
const bundle = (...parts: [sku: string, quantity?: number][]) => ({
  bundle: true,
  bundleItems: parts.map(([sku, quantity]) => ({ itemId: `21-${sku}`, ...(quantity !== undefined && { quantity }) })),
});
const order = async (lines: LineWish[]) => {
  const id = `B-${++made}`;
  const answer = await town.client.post(STORE, orderBody(id, { lines }, town.clock.now));
  return { id, answer };
};
const read = async (id: string) => (await town.client.get(`${STORE}/${id}`)).body;
const partsOf = async (id: string) =>
  ((await read(id)).lines[0].components as Members[]).map((one) => [one['itemId'], one['quantity']]);

describe('a bundle on an order', () => {
  it('shows its components with their units on the order, on the ticket and its details, and at the counter', async () => {
    const id = await town.order({ lines: [['SET-BATH', 2]] });
    expect((await read(id)).lines[0].components).toEqual(bath(2));
    const ticket = await town.ticket([id]);
    const item = ticket.pickTicketItems[0] as unknown as Members;
    expect(item['components']).toEqual(bath(2, true));
    const path = `/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/${ticket.pickTicketId}`;
    const opened = await town.client.post(path, { ...HOST, pickTicketId: ticket.pickTicketId });
    expect(opened.body.pickTicketDetails.pickTicketItems[0].components).toEqual(bath(2, true));
    // A client can send an item of a ticket in the form in which the client read it.
    const sent = { ...item, itemId: '21-SET-BATH', pickedQuantity: 2 };
    expect((await town.confirm(ticket, [sent])).status).toBe(204);
    const counter = await town.client.post(`/stores/TOWN_US/nodes/TOWN-Store001/customerPickUps/${id}`, {
      ...HOST,
      fulfillmentOrderId: id,
    });
    const details = counter.body.customerPickUpDetails;
    expect(details.customerPickUpItems[0].components).toEqual(bath(2));
    const back = await town.client.put('/stores/TOWN_US/nodes/TOWN-Store001/customerPickUp/confirm', {
      modifyAssociateId: 'bo',
      customerPickUpDetails: {
        ...HOST,
        fulfillmentOrderId: id,
        customerPickUpItems: details.customerPickUpItems.map((one: Members) => ({ ...one, customerPickedQuantity: 2 })),
      },
    });
    expect(back.status, back.text).toBe(204);
  });

  it('shows them in packing and on its slip, for the units that were picked', async () => {
    const id = await town.order({ type: 'SHIP_TO_HOME', lines: [['SET-BATH', 3]] });
    const ticket = await town.ticket([id], SFS);
    const found = {
      id: 1,
      itemId: '21-SET-BATH',
      pickedQuantity: 2,
      canceledQuantity: 1,
      cancellationReasonCode: 'IPD',
    };
    expect((await town.confirm(ticket, [found])).status).toBe(204);
    const path = `/stores/TOWN_US/fulfillmentOrders/${id}`;
    const pack = await town.client.post(`${path}/packages?nodeId=TOWN-Store001`, { ...HOST, fulfillmentOrderId: id });
    expect(pack.body.packDetail[0].packLines[0].components).toEqual(bath(2));
    const slip = await town.client.post(`${path}/packslip/generate`, {
      ...HOST,
      fulfillmentOrderId: id,
      modifyAssociateId: 'bo',
    });
    expect(slip.body.packSlipDetails[0].fulfillmentOrder.fulfillmentOrderItems[0].components).toEqual(bath(2));
  });

  it('has components only with a list of them: another item, and a bundle flag without a list, have none', async () => {
    await put('EMPTY', { bundle: true });
    const { id } = await order([
      ['MUG-WHT', 1],
      ['EMPTY', 1],
    ]);
    expect((await read(id)).lines.map((line: Members) => line['components'])).toEqual([undefined, undefined]);
  });

  it('is resolved through nested bundles into units of items that are no bundles', async () => {
    await put('PAIR', bundle(['SOAP-LAV', 2], ['MUG-WHT']));
    await put('CRATE', bundle(['PAIR', 3], ['SOAP-LAV', 1], ['TEE-RED-M', 0]));
    const { id } = await order([['CRATE', 2]]);
    expect(await partsOf(id)).toEqual([
      ['21-SOAP-LAV', 14],
      ['21-MUG-WHT', 6],
    ]);
  });

  it('of eight nested levels is resolved completely', async () => {
    await put('D8', bundle(['MUG-WHT', 2]));
    for (let depth = 7; depth >= 1; depth -= 1) await put(`D${depth}`, bundle([`D${depth + 1}`, 2]));
    const { id } = await order([['D1', 1]]);
    expect(await partsOf(id)).toEqual([['21-MUG-WHT', 256]]);
  });

  it('names a component that is not in the item master by its id, or by its data in the bundle', async () => {
    const carried = { itemId: '21-CARRIED', clientItemId: 'CARRIED', description: 'Carried along' };
    const item = { catalogId: '21', clientId: 'TOWN', type: 'MERCH', salesClass: 'stock', styleId: '', taxCode: '' };
    await put('ODD', {
      bundle: true,
      bundleItems: [
        { itemId: '21-NOWHERE', quantity: 2 },
        { itemId: '21-CARRIED', item: { ...item, ...carried } },
      ],
    });
    const { id } = await order([['ODD', 1]]);
    const shown = (await read(id)).lines[0].components as Members[];
    expect(shown.map((one) => [one['itemId'], one['itemDesc'], one['quantity']])).toEqual([
      ['21-NOWHERE', '21-NOWHERE', 2],
      ['21-CARRIED', 'Carried along', 1],
    ]);
  });

  it('keeps its components from intake, after any later change of the items', async () => {
    await put('KEPT', bundle(['MUG-WHT', 1]));
    const { id } = await order([['KEPT', 1]]);
    await put('KEPT', bundle(['SOAP-LAV', 5]));
    const { id: later } = await order([['KEPT', 1]]);
    await town.client.delete('/item-service/clients/TOWN/items/21-KEPT');
    expect([await partsOf(id), await partsOf(later)]).toEqual([[['21-MUG-WHT', 1]], [['21-SOAP-LAV', 5]]]);
    // The two lines have the same price, but their components are on different shelves.
    const ticket = await town.ticket([id, later]);
    const items = ticket.pickTicketItems as unknown as Members[];
    expect(items.map((one) => [one['quantity'], (one['components'] as Members[])[0]!['itemId']]).sort()).toEqual([
      [1, '21-MUG-WHT'],
      [1, '21-SOAP-LAV'],
    ]);
  });

  it('has no components on a line from before components were stored, and such a line is picked and packed as before', async () => {
    const id = await town.order({ lines: [['SET-BATH', 1]] });
    const [line] = await town.lines(id);
    const { itemDetails } = JSON.parse(line!.snapshot) as { itemDetails: object };
    await town.store.write((db) =>
      db
        .updateTable('order_lines')
        .set({ snapshot: JSON.stringify({ itemDetails }) as Json<never> })
        .where('client_id', '=', 'TOWN')
        .where('fulfillment_order_id', '=', id)
        .execute(),
    );
    expect((await read(id)).lines[0].components).toBeUndefined();
    const ticket = await town.ticket([id]);
    expect(ticket.pickTicketItems[0]).not.toHaveProperty('components');
    expect((await town.confirm(ticket)).status).toBe(204);
  });

  it('with more components than an order can show is rejected with the limits', async () => {
    const many = Array.from({ length: 101 }, (_, index): [string] => [`PART-${index}`]);
    await put('BIG', bundle(...many));
    const said = async () => (await order([['BIG', 1]])).answer.body.errors;
    const fault = { pointer: '/lines/0/itemId', rule: 'bundle', limit: 100, message: TOO_MUCH };
    expect(await said()).toEqual([fault]);
    await put('BIG', bundle(...many.slice(1)));
    expect((await order([['BIG', 1]])).answer.status).toBe(201);
    await put('BIG', bundle(['MUG-WHT', 100_000]));
    expect(await said()).toEqual([fault]);
    // A thousand paths to one item count as a thousand components.
    await put('LEAVES', bundle(...many.slice(1).map(([sku]): [string, number] => [sku, 0])));
    for (let index = 0; index < 12; index += 1) await put(`MID-${index}`, bundle(['LEAVES', 1]));
    await put('BIG', bundle(...Array.from({ length: 12 }, (_, index): [string] => [`MID-${index}`])));
    expect(await said()).toEqual([fault]);
  });

  it('shares its price among its components, through nested bundles', async () => {
    const share = (sku: string, pricePercentage: number) => ({ itemId: `21-${sku}`, pricePercentage });
    await put('INNER', { bundle: true, bundleItems: [share('MUG-WHT', 33.3333), share('SOAP-LAV', 66.6667)] });
    await put('OUTER', {
      bundle: true,
      bundleItems: [share('INNER', 50), share('SOAP-LAV', 50), { itemId: '21-TEE-RED-M' }],
    });
    const { id } = await order([['OUTER', 1]]);
    const shown = (await read(id)).lines[0].components as Members[];
    expect(shown.map((one) => [one['itemId'], one['pricePercentage']])).toEqual([
      ['21-MUG-WHT', 16.6667],
      ['21-SOAP-LAV', 83.3334],
      ['21-TEE-RED-M', undefined],
    ]);
  });
});

describe('a scan while a bundle is picked', () => {
  it('of a component is rejected with the name of its bundle, unless the ticket has the item itself', async () => {
    const scan = async (pickTicketId: string, code: string) => {
      const path = `/operator/v1/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/${pickTicketId}/scans`;
      return town.client.post(path, { userId: 'picker', scans: [{ scanId: `s-${++made}`, code }] });
    };
    const { pickTicketId } = await town.ticket([await town.order({ lines: [['SET-BATH', 1]] })]);
    for (const code of ['400000000084', '21-SOAP-LAV']) {
      const said = await scan(pickTicketId, code);
      expect(said.status).toBe(400);
      expect(said.body.errors).toEqual([
        {
          pointer: '/scans/0/code',
          rule: 'component',
          message: `"${code}" is component 21-SOAP-LAV (Lavender soap) of item 1, the bundle 21-SET-BATH; pick all components, then scan the bundle or send id 1`,
        },
      ]);
    }
    expect((await scan(pickTicketId, '21-SET-BATH')).status).toBe(200);
    const both = await town.ticket([
      await town.order({
        lines: [
          ['SET-BATH', 1],
          ['SOAP-LAV', 1],
        ],
      }),
    ]);
    const said = await scan(both.pickTicketId, '400000000084');
    expect(said.status, said.text).toBe(200);
    expect(said.body.pickTicketItems.find((one: Members) => one['itemId'] === '21-SOAP-LAV').pickedQuantity).toBe(1);
  });
});
