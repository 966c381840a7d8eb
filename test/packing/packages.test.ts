/**
 * The effects of packages: recorded, changed, voided, shipped (docs/interface.md#packages and
 * docs/interface.md#response-of-the-pack-slip).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDER_STATES } from '../../src/kernel/states.ts';
import { pickupOrder, storeOrder } from '../orders/place.ts';
import { create, modify, openPackRoom, type PackRoom, untracked, voided } from './boxes.ts';
import { request } from './slips.ts';

let room: PackRoom;
beforeAll(async () => {
  room = await openPackRoom();
});
afterAll(() => room.close());

const ALL = [create('1', { L1: 3 }), create('2', { L2: 2 })];
const detail = async (id: string) => (await room.details(id)).body.packDetail[0];
const conflictOf = async (answer: Promise<{ status: number; body: { code: string; description: string } }>) => {
  const { status, body } = await answer;
  expect([status, body.code]).toEqual([409, 'CONFLICT']);
  return body.description;
};

describe('packages of a SHIP_TO_HOME order', () => {
  it('keep it waiting for pack until every wanted unit is in one', async () => {
    await room.toShip('part');
    await room.packed('part', [create('1', { L1: 2 })]);
    expect(await room.stands('part')).toMatchObject({
      status: 1200,
      lines: [
        [3, 0],
        [2, 0],
      ],
      boxes: { 1: { L1: 2 } },
    });
    const { packLines } = await detail('part');
    expect(packLines).toMatchObject([
      { webLineId: 'L1', orderedQuantity: 3, wantedQuantity: 3, packedQuantity: 2, toPackQuantity: 1 },
      { webLineId: 'L2', orderedQuantity: 2, wantedQuantity: 2, packedQuantity: 0, toPackQuantity: 2 },
    ]);
  });

  it('ship it when all wanted units are packed and all packages tracked; those units are handed over', async () => {
    await room.toShip('whole');
    await room.packed('whole', ALL);
    expect(await room.stands('whole')).toMatchObject({
      status: 3700,
      queue: null,
      lines: [
        [3, 3],
        [2, 2],
      ],
    });
  });

  it('complete a short pick when all picked units are packed', async () => {
    await room.toShip('short', [1, 0]);
    await room.packed('short', [create('1', { L1: 1 })]);
    expect(await room.stands('short')).toMatchObject({
      status: 3700,
      lines: [
        [1, 1],
        [0, 0],
      ],
    });
  });

  it('need no unit that the customer canceled: those units stay to be brought back', async () => {
    await room.toShip('canceled');
    await room.setLine('canceled', 0, { canceling: 1, cancel_reason: 'CancelCustomerInitiated' });
    const over = await room.pack('canceled', [create('1', { L1: 3 })]);
    expect(over.body.errors).toMatchObject([{ rule: 'over-pack', limit: 2 }]);
    await room.packed('canceled', [create('1', { L1: 2, L2: 2 })]);
    expect(await room.stands('canceled')).toMatchObject({
      status: 3700,
      lines: [
        [3, 2],
        [2, 2],
      ],
    });
  });

  it('all packed but not all tracked wait; a tracking number that MODIFY adds later ships the order', async () => {
    await room.toShip('later');
    await room.packed('later', [create('1', { L1: 3 }), untracked('2', { L2: 2 })]);
    expect((await room.stands('later')).status).toBe(1200);
    await room.packed('later', [modify('2', { trackingNumber: 'T2' })]);
    expect((await room.stands('later')).status).toBe(3700);
  });

  it('are recorded all or none', async () => {
    await room.toShip('none');
    const answer = await room.pack('none', [create('1', { L1: 1 }), create('2', { L1: 3 })]);
    expect(answer.status).toBe(400);
    expect(await room.stands('none')).toMatchObject({ status: 1200, revision: 1, boxes: {} });
  });
});

describe('packages of an ASSOCIATE_DELIVERY order', () => {
  it('make it wait for delivery when all wanted units are packed, tracked or not; no unit is handed over yet', async () => {
    await room.toDeliver('del');
    await room.packed('del', [untracked('1', { L1: 3 })]);
    expect((await room.stands('del')).status).toBe(1200);
    await room.packed('del', [untracked('2', { L2: 2 })]);
    expect(await room.stands('del')).toMatchObject({
      status: 1500,
      queue: 'WAITING_FOR_DELIVERY',
      lines: [
        [3, 0],
        [2, 0],
      ],
    });
    expect((await room.events('del')).map((event) => event.type)).toEqual(['order.packed', 'order.packed']);
  });
});

describe('over-pack', () => {
  it('is rejected with the line, the units that would be in packages and the units to pack', async () => {
    await room.toShip('over');
    const answer = await room.pack('over', [create('1', { L1: 2 }), create('2', { L1: 2, L2: 3 })]);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([
      {
        pointer: '/packDetails/packages/1/packageItems/0/quantity',
        rule: 'over-pack',
        limit: 3,
        message: '4 units of line "L1" would be in packages, but only 3 are to be packed; lower the quantity',
      },
      {
        pointer: '/packDetails/packages/1/packageItems/1/quantity',
        rule: 'over-pack',
        limit: 2,
        message: '3 units of line "L2" would be in packages, but only 2 are to be packed; lower the quantity',
      },
    ]);
  });

  it('counts the packages of earlier messages: the same unit is never in two', async () => {
    await room.toShip('two');
    await room.packed('two', [create('1', { L1: 2 })]);
    expect((await room.pack('two', [create('2', { L1: 2 })])).body.errors).toMatchObject([{ rule: 'over-pack' }]);
    await room.packed('two', [create('2', { L1: 1 })]);
    expect((await room.pack('two', [modify('1', { packageItems: create('1', { L1: 3 }).packageItems })])).status).toBe(
      400,
    );
  });

  it('does not count units that the same message removes from another package', async () => {
    await room.toShip('move');
    await room.packed('move', [create('1', { L1: 3 })]);
    await room.packed('move', [create('2', { L1: 3 }), voided('1')]);
    expect((await room.stands('move')).boxes).toEqual({ 1: {}, 2: { L1: 3 } });
    const [one, two] = [create('2', { L1: 1 }).packageItems, create('3', { L1: 2 })];
    await room.packed('move', [modify('2', { packageItems: one }), two]);
    expect((await room.stands('move')).boxes).toEqual({ 1: {}, 2: { L1: 1 }, 3: { L1: 2 } });
  });
});

describe('MODIFY', () => {
  it('keeps the fields that it leaves out, and replaces the items as a whole', async () => {
    await room.toShip('mod');
    await room.packed('mod', [untracked('1', { L1: 2, L2: 1 })]);
    await room.packed('mod', [modify('1', { packageItems: create('1', { L2: 2 }).packageItems })]);
    await room.packed('mod', [modify('1', { boxWeight: { unit: 'KG', value: 1 } })]);
    expect((await detail('mod')).packages).toMatchObject([
      {
        boxId: '1',
        boxWeight: { unit: 'KG', value: 1 },
        length: { unit: 'IN', value: 10 },
        packageItems: [{ webLineId: 'L2', quantity: 2 }],
      },
    ]);
  });

  it('replaces a tracking number, and does not remove one', async () => {
    await room.toShip('renumber');
    await room.packed('renumber', [create('1', { L1: 1 })]);
    await room.packed('renumber', [modify('1', { trackingNumber: 'T2' })]);
    await room.packed('renumber', [modify('1', { trackingNumber: '' })]);
    expect((await detail('renumber')).packages[0].trackingNumber).toBe('T2');
  });

  it('of a box without a package is rejected with the list of boxes that have one', async () => {
    await room.toShip('nobox');
    await room.packed('nobox', [create('7', { L1: 1 })]);
    const answer = await room.pack('nobox', [modify('8', { trackingNumber: 'T' })]);
    expect(answer.body.errors[0].message).toBe(
      'the order has no package in box "8"; the packages of the order are in the boxes "7"',
    );
  });
});

describe('VOID', () => {
  it('takes a package back: its units are to be packed again, and its box can be used again under a new packageId', async () => {
    await room.toShip('void');
    await room.packed('void', [create('1', { L1: 3 })]);
    const before = (await detail('void')).packages[0].packageId;
    await room.packed('void', [voided('1')]);
    expect(await detail('void')).toMatchObject({ packages: [], packLines: [{ toPackQuantity: 3 }, {}] });
    await room.packed('void', [create('1', { L1: 1 })]);
    expect((await detail('void')).packages[0].packageId).not.toBe(before);
  });

  it('of a box that never had a package is rejected', async () => {
    await room.toShip('never');
    const answer = await room.pack('never', [voided('1')]);
    expect(answer.body.errors[0].message).toBe(
      'the order has no package in box "1"; no package is recorded yet; send the action CREATE',
    );
  });
});

describe('a repeated package message', () => {
  it.each([
    ['CREATE', [create('1', { L1: 1 })]],
    ['MODIFY', [modify('0', { trackingNumber: 'T9' })]],
    ['VOID', [voided('0')]],
    ['all three', [voided('0'), create('1', { L1: 1 }), create('2', { L2: 1 })]],
  ])('%s is 204 and changes nothing', async (name, packages) => {
    const id = `same-${name}`.replaceAll(' ', '-');
    await room.toShip(id);
    await room.packed(id, [create('0', { L1: 1 })]);
    await room.packed(id, packages);
    const before = [await room.stands(id), await room.events(id)];
    await room.packed(id, packages);
    expect([await room.stands(id), await room.events(id)]).toEqual(before);
  });

  it('with equivalent values is the same: 1.50 and 1.5, lbs and LBS, another order of items', async () => {
    await room.toShip('alike');
    const one = create('1', { L1: 1, L2: 1 }, { boxWeight: { unit: 'LBS', value: 1.5 } });
    await room.packed('alike', [one]);
    const before = await room.stands('alike');
    await room.packed('alike', [
      { ...one, boxWeight: { unit: 'lbs', value: 1.5 }, packageItems: [...one.packageItems!].reverse() },
    ]);
    expect(await room.stands('alike')).toEqual(before);
  });

  it('is 204 also after later changes of the order', async () => {
    for (const [id, make] of [
      ['gone-ship', room.toShip],
      ['gone-deliver', room.toDeliver],
    ] as const) {
      await make(id);
      await room.packed(id, ALL);
      const before = [await room.stands(id), await room.events(id)];
      await room.packed(id, ALL);
      await room.packed(id, [ALL[1]!]);
      expect([await room.stands(id), await room.events(id)]).toEqual(before);
    }
  });

  it.each([
    ['other units', 'open', { weightUnits: ['KG'], sizeUnits: ['CM'] }],
    ['another spelling of the units', 'open', { weightUnits: ['lbs'], sizeUnits: ['in'] }],
    ['other units', 'shipped', { weightUnits: ['KG'], sizeUnits: ['CM'] }],
  ] as const)('is 204 also if the client has %s by then, for an order that is %s', async (_what, state, settings) => {
    const id = `${settings.weightUnits[0]}-${state}`;
    await room.toShip(id);
    const packages = state === 'open' ? [ALL[0]!] : ALL;
    await room.packed(id, packages);
    const before = [await room.stands(id), await room.events(id)];
    const client = { name: 'First', catalogIds: ['1'] };
    const put = await room.operator('PUT', '/operator/v1/clients/C1', { ...client, settings });
    expect(put.status, put.text).toBe(200);
    try {
      await room.packed(id, packages);
      expect([await room.stands(id), await room.events(id)]).toEqual(before);
    } finally {
      await room.operator('PUT', '/operator/v1/clients/C1', client);
    }
  });

  it('is 204 for a CREATE without a tracking number after MODIFY has added the number', async () => {
    const open = [untracked('1', { L1: 3 })];
    for (const [id, packages] of [
      ['numbered-open', open],
      ['numbered-shipped', [...open, untracked('2', { L2: 2 })]],
    ] as const) {
      await room.toShip(id);
      await room.packed(id, packages);
      await room.packed(
        id,
        packages.map(({ boxId }) => modify(boxId!, { trackingNumber: `N${boxId}` })),
      );
      const before = [await room.stands(id), await room.events(id)];
      await room.packed(id, packages);
      expect([await room.stands(id), await room.events(id)]).toEqual(before);
    }
    const other = await room.pack('numbered-open', [create('1', { L1: 3 })]);
    expect(other.body.errors).toMatchObject([{ pointer: '/packDetails/packages/0/boxId', rule: 'duplicate' }]);
  });

  it('with CREATE of a recorded box and other content is rejected', async () => {
    await room.toShip('taken');
    await room.packed('taken', [create('1', { L1: 1 })]);
    const answer = await room.pack('taken', [create('1', { L1: 2 })]);
    expect(answer.body.errors).toMatchObject([{ pointer: '/packDetails/packages/0/boxId', rule: 'duplicate' }]);
    expect(answer.body.errors[0].message).toContain('send the action MODIFY');
  });
});

describe('a package of an order that is shipped or waits for delivery', () => {
  it('cannot be changed: 409 gives the reason and the actions that are allowed', async () => {
    await room.toShip('shipped');
    await room.packed('shipped', ALL);
    const before = await room.stands('shipped');
    for (const packages of [[modify('1', { trackingNumber: 'X' })], [voided('2')], [voided('9')], [create('3', {})]]) {
      const answer = await room.pack('shipped', packages);
      if (packages[0]!.boxId === '3') expect(answer.status).toBe(400);
      else {
        expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT']);
        expect(answer.body.description).toBe(
          'Fulfillment order "shipped" has status 3700 Shipped; the packages are with the carrier and cannot change any more.',
        );
        expect(answer.body).toMatchObject({ orderStatus: '3700', allowedActions: ['packSlip'] });
      }
    }
    expect(await room.stands('shipped')).toEqual(before);
  });

  it('cannot be changed while the order waits for delivery either', async () => {
    await room.toDeliver('waiting');
    await room.packed('waiting', ALL);
    const why = await conflictOf(room.pack('waiting', [voided('1')]));
    expect(why).toContain('1500 Waiting for delivery');
  });
});

/** Cancels the whole order for the customer. */
async function canceled(id: string): Promise<void> {
  const path = `/operator/v1/stores/S1/fulfillmentOrders/${id}/cancel`;
  const answer = await room.operator('POST', path, { reasonCode: 'CancelCustomerInitiated' });
  expect(answer.status, answer.text).toBe(200);
}

// Packing is possible only at 1200.
describe('pack, state by state', () => {
  it.each(ORDER_STATES)('at %i', async (status) => {
    const id = `pack-${status}`;
    await room.toShip(id);
    await room.setOrder(id, { status, ...(status === 1150 && { pick_ticket_id: '1' }) });
    const answer = await room.pack(id, [create('1', { L1: 1 })]);
    expect(answer.status).toBe(status === 1200 ? 204 : 409);
    if (status !== 1200) {
      expect(answer.body.description).toContain(`has status ${status}`);
      expect(await room.stands(id)).toMatchObject({ status, revision: 1, boxes: {} });
    }
  });

  it('is rejected when the customer canceled the order, with the instruction to bring the goods back', async () => {
    await room.toShip('returning');
    await canceled('returning');
    const why = await conflictOf(room.pack('returning', [create('1', { L1: 1 })]));
    expect(why).toContain('8000 Canceled, goods to return; all remaining units are canceled; bring them back');
  });

  it('only SHIP_TO_HOME and ASSOCIATE_DELIVERY orders can be packed', async () => {
    await room.intake([pickupOrder('ispu'), storeOrder('sts')]);
    for (const id of ['ispu', 'sts']) {
      await room.setOrder(id, { status: 1200 });
      expect(await conflictOf(room.pack(id, [create('1', { 1: 1 })]))).toContain(
        'only SHIP_TO_HOME and ASSOCIATE_DELIVERY',
      );
      const details = await room.details(id);
      expect([details.status, details.body.code]).toEqual([400, 'CONFLICT']);
    }
  });
});

// Generating a slip is possible only at 1200 and 3700 (docs/interface.md#generate-a-pack-slip).
describe('pack slip, state by state', () => {
  it.each(ORDER_STATES)('at %i', async (status) => {
    const id = `slip-${status}`;
    await room.toShip(id);
    await room.setOrder(id, { status, ...(status === 1150 && { pick_ticket_id: '1' }) });
    expect((await room.generate(id)).status).toBe([1200, 3700].includes(status) ? 200 : 400);
  });
});

describe('pack details', () => {
  it('show the units to pack and the measures of their items before a package is recorded', async () => {
    await room.toShip('fresh');
    expect(await detail('fresh')).toEqual({
      storeId: 'S1',
      nodeId: 'N1',
      omsOrderId: 'OMS-fresh',
      fulfillmentOrderId: 'fresh',
      fulfillmentType: 'SHIP_TO_HOME',
      currency: 'USD',
      carrier: 'UPS',
      service: 'GROUND',
      fulfillmentOrderDate: '2026-03-02T10:00:00+00:00',
      orderDate: '2026-03-02T09:00:00+00:00',
      status: '1200',
      statusName: 'Waiting for pack',
      // Five units, each with 1.5 lb and 1 x 2 x 3 in.
      totalVolume: { unit: 'in3', value: 30 },
      totalWeight: { unit: 'lb', value: 7.5 },
      webOrderId: 'WEB-fresh',
      externalOrderNumber: 'EXT-1',
      externalOrderNumber2: 'EXT-2',
      shipMethod: 'UPS_GROUND',
      carrierException: true,
      packages: [],
      packLines: [
        {
          webLineId: 'L1',
          itemId: '1-A',
          itemDesc: 'Item A',
          upcs: [{ type: 'UPC', value: '036000291452' }],
          orderedQuantity: 3,
          wantedQuantity: 3,
          packedQuantity: 0,
          toPackQuantity: 3,
        },
        expect.objectContaining({
          webLineId: 'L2',
          toPackQuantity: 2,
          instructions: [{ type: 'GIFT_MESSAGE', text: 'Enjoy' }],
        }),
      ],
      allowedActions: expect.arrayContaining([
        { action: 'pack', allowed: true },
        { action: 'generate', allowed: false, reason: expect.stringContaining('1200 Waiting for pack') },
      ]),
    });
  });

  it('show the codes that an item got after the order, beside the code that it had', async () => {
    await room.toShip('coded');
    await room.putItem('1-A', { upcs: [{ upcType: 'EAN', upc: '4006381333931' }] });
    const { packLines } = await detail('coded');
    await room.putItem('1-A', { countryOfOrigin: 'US' });
    expect(packLines[0].upcs).toEqual([
      { type: 'UPC', value: '036000291452' },
      { type: 'EAN', value: '4006381333931' },
    ]);
  });

  it('show the packages in the order of their boxes, each with its number, measures and items', async () => {
    await room.toShip('shown');
    await room.packed('shown', [create('b', { L1: 1, L2: 1 }), untracked('a', { L1: 2 })]);
    const { packages } = await detail('shown');
    expect(packages.map((one: { boxId: string }) => one.boxId)).toEqual(['b', 'a']);
    expect(packages[0]).toEqual({
      packageId: expect.stringMatching(/^7\d{5}$/),
      boxId: 'b',
      trackingNumber: 'Tb',
      boxWeight: { unit: 'LBS', value: 2.5 },
      packingMaterialWeight: { unit: 'LBS', value: 0.25 },
      length: { unit: 'IN', value: 10 },
      height: { unit: 'IN', value: 4 },
      width: { unit: 'IN', value: 8 },
      packageItems: [
        { itemId: '1-A', webLineId: 'L1', quantity: 1 },
        { itemId: '1-C', webLineId: 'L2', quantity: 1 },
      ],
      allowedActions: [
        { action: 'MODIFY', allowed: true },
        { action: 'VOID', allowed: true },
      ],
    });
    expect(packages[1]).not.toHaveProperty('trackingNumber');
  });

  it('add up weight and volume in the unit of the first package', async () => {
    await room.toShip('sums');
    await room.packed('sums', [
      create('1', { L1: 1 }, { boxWeight: { unit: 'KG', value: 1 }, width: { unit: 'CM', value: 20.32 } }),
      create('2', { L1: 1 }, { boxWeight: { unit: 'G', value: 250 } }),
      create('3', { L1: 1 }, { boxWeight: { unit: 'LB', value: 1 }, length: { unit: 'FT', value: 1 } }),
    ]);
    // Two boxes of 10 x 8 x 4 and one of 12 x 8 x 4, in cubic inches: 320 + 320 + 384.
    expect(await detail('sums')).toMatchObject({
      totalWeight: { unit: 'KG', value: 1.7036 },
      totalVolume: { unit: 'IN3', value: 1024 },
    });
  });

  it('add up packages in any mix of units and leave none out', async () => {
    await room.toShip('names');
    const cube = (unit: string) => ({
      length: { unit, value: 1 },
      width: { unit, value: 1 },
      height: { unit, value: 1 },
    });
    await room.packed('names', [
      create('1', { L1: 1 }, { boxWeight: { unit: 'Pounds', value: 1 }, ...cube('feet') }),
      create('2', { L1: 1 }, { boxWeight: { unit: 'ounces', value: 8 }, ...cube('Foot') }),
      create('3', { L1: 1 }, { boxWeight: { unit: 'short ton', value: 1 }, ...cube('Yards') }),
      create(
        '4',
        { L2: 1 },
        { boxWeight: { unit: 'lb', value: 1 }, ...cube('ft'), width: { unit: 'inches', value: 6 } },
      ),
    ]);
    const detail4 = await detail('names');
    expect(detail4).toMatchObject({
      totalWeight: { unit: 'Pounds', value: 2002.5 },
      totalVolume: { unit: 'ft3', value: 29.5 },
    });
    expect(detail4).not.toHaveProperty('unknownUnits');
  });

  it('of an older release with an unknown unit have a total of 0 with a note', async () => {
    await room.toShip('older');
    await room.packed('older', [create('1', { L1: 1 }), create('2', { L1: 1 })]);
    await room.store.write((tx) =>
      tx
        .updateTable('packages')
        .set({ width: '{"unit":"SPAN","value":1}', box_weight: '{"unit":"CRATE","value":1}' })
        .where('fulfillment_order_id', '=', 'older')
        .where('box_id', '=', '2')
        .execute(),
    );
    expect(await detail('older')).toMatchObject({
      totalWeight: { unit: 'lb', value: 0 },
      totalVolume: { unit: 'in3', value: 0 },
      unknownUnits: ['SPAN', 'CRATE'],
    });
  });

  it('name the ticket that the order was picked with, if there was one', async () => {
    await room.toShip('ticketed');
    await room.setOrder('ticketed', { pick_ticket_id: '100042' });
    expect((await detail('ticketed')).pickTicketId).toBe('100042');
  });

  it('of a shipped order show the packages, with no units to pack and no change allowed', async () => {
    await room.toShip('went');
    await room.packed('went', ALL);
    expect(await detail('went')).toMatchObject({
      status: '3700',
      packages: [{ boxId: '1', allowedActions: [{ allowed: false }, { allowed: false }] }, { boxId: '2' }],
      packLines: [
        { wantedQuantity: 3, packedQuantity: 3, toPackQuantity: 0 },
        { wantedQuantity: 2, packedQuantity: 2, toPackQuantity: 0 },
      ],
    });
  });

  it('of an order that is not picked are rejected with the next step', async () => {
    await room.toShip('early');
    await room.setState('early', 1100);
    const answer = await room.details('early');
    expect([answer.status, answer.body.code]).toEqual([400, 'CONFLICT']);
    expect(answer.body.description).toContain('generate and confirm the pick ticket');
  });
});

describe('recorded packages in other responses', () => {
  it('are on the pack slip, which has one package "1" before', async () => {
    await room.toShip('slip');
    const before = await room.slip('slip');
    expect(before.fulfillmentOrder.packages).toEqual([
      {
        packageId: '1',
        packageItems: [
          { webLineId: 'L1', quantity: 3 },
          { webLineId: 'L2', quantity: 2 },
        ],
      },
    ]);
    await room.packed('slip', [create('1', { L1: 2 }), create('2', { L1: 1, L2: 2 })]);
    const after = await room.slip('slip');
    const [{ packages }] = [await detail('slip')];
    expect(after.fulfillmentOrder.packages).toEqual([
      { packageId: packages[0].packageId, packageItems: [{ webLineId: 'L1', quantity: 2 }] },
      {
        packageId: packages[1].packageId,
        packageItems: [
          { webLineId: 'L1', quantity: 1 },
          { webLineId: 'L2', quantity: 2 },
        ],
      },
    ]);
    expect(after.packSlipId).not.toBe(before.packSlipId);
    expect(after.fulfillmentOrder.orderTotal).toEqual(before.fulfillmentOrder.orderTotal);
    expect(after.fulfillmentOrder.status).toBe('3700');
  });

  it('leave canceled units off the slip, and its totals are those of the shipped units', async () => {
    await room.toShip('less');
    await room.setLine('less', 0, { canceling: 1, cancel_reason: 'CancelCustomerInitiated' });
    const before = await room.slip('less');
    expect(before.fulfillmentOrder.packages[0].packageItems[0]).toEqual({ webLineId: 'L1', quantity: 2 });
    // 2 of 3 units at 19.99, with 2/3 of the line's charges of 1 and tax of 4.20.
    const total = { unitPrice: 19.99, extendedPrice: 39.98, charges: 0.67, tax: 2.8 };
    expect(before.fulfillmentOrder.fulfillmentOrderItems[0].itemTotal).toEqual(total);
    await room.packed('less', [create('1', { L1: 2, L2: 2 })]);
    const after = await room.slip('less');
    expect(after.fulfillmentOrder.fulfillmentOrderItems[0].itemTotal).toEqual(total);
    expect(after.fulfillmentOrder.orderTotal).toEqual(before.fulfillmentOrder.orderTotal);
  });

  it('no slip is made for an order without wanted units', async () => {
    await room.toShip('unwanted');
    await canceled('unwanted');
    const answer = await room.generate('unwanted', request('unwanted'));
    expect([answer.status, answer.body.code]).toEqual([400, 'CONFLICT']);
    expect(answer.body.description).toContain('has status 8000 Canceled, goods to return');
  });

  it('are counted by the queue search and found by their tracking numbers; a voided one is neither', async () => {
    const queued = async (filter = {}) =>
      (await room.queue('WAITING_FOR_PACK_SFS', { fulfillmentOrderId: 'queued', ...filter })).body.fulfillmentOrders;
    await room.toShip('queued');
    await room.setOrder('queued', { queue_id: 'WAITING_FOR_PACK_SFS' });
    expect((await queued())[0]).toMatchObject({ totalNoOfPackages: '0', totalQuantity: '5' });
    expect((await queued())[0]).not.toHaveProperty('trackingNumbers');
    await room.packed('queued', [create('1', { L1: 1 }, { trackingNumber: 'Q1' }), untracked('2', { L1: 1 })]);
    expect((await queued())[0]).toMatchObject({ totalNoOfPackages: '2', trackingNumbers: ['Q1'] });
    expect(await queued({ trackingNumber: 'Q1' })).toHaveLength(1);
    expect(await queued({ trackingNumber: 'Q2' })).toHaveLength(0);
    await room.packed('queued', [voided('1')]);
    expect((await queued())[0]).toMatchObject({ totalNoOfPackages: '1' });
    expect(await queued({ trackingNumber: 'Q1' })).toHaveLength(0);
  });
});

describe('events of packing', () => {
  it('have the numbers of packages and units, and for a shipped order its tracking numbers', async () => {
    await room.toShip('event');
    await room.packed('event', [create('1', { L1: 3 }), create('9', { L2: 1 })]);
    await room.packed('event', [create('2', { L2: 2 }), voided('9'), modify('1', { trackingNumber: 'TX' })]);
    expect(await room.events('event')).toEqual([
      {
        type: 'order.packed',
        revision: 2,
        data: {
          modifyAssociateId: 'bo',
          created: 2,
          modified: 0,
          voided: 0,
          status: '1200',
          statusName: 'Waiting for pack',
          packages: 2,
          packedQuantity: 4,
          toPackQuantity: 1,
        },
      },
      {
        type: 'order.packed',
        revision: 3,
        data: {
          modifyAssociateId: 'bo',
          created: 1,
          modified: 1,
          voided: 1,
          status: '3700',
          statusName: 'Shipped',
          packages: 2,
          packedQuantity: 5,
          toPackQuantity: 0,
        },
      },
      {
        type: 'order.shipped',
        revision: 3,
        data: {
          status: '3700',
          statusName: 'Shipped',
          carrier: 'UPS',
          service: 'GROUND',
          trackingNumbers: ['TX', 'T2'],
          shippedQuantity: 5,
          orderTotal: (await room.slip('event')).fulfillmentOrder.orderTotal,
        },
      },
    ]);
  });
});
