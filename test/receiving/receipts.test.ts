/** Receipts: cartons scanned whole, counted units, approvals, and rejected messages. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepStock, movesOf, placesOf } from '../stock/stock.ts';
import { expectBalance, type Goods, MUG, NODE, openGoods, type ShownSums, sums } from './goods.ts';
import { asn, errorsOf } from './support.ts';

let goods: Goods;
beforeAll(async () => {
  goods = await openGoods();
});
afterAll(() => goods.stop());
beforeEach(() => goods.settings({}));

const NUL = '21-SOAP-LAV';

describe('announced goods', () => {
  it('are open by key, carton, item and shipment before the first receipt', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 24], ['C-1', 'MUG-WHT', 6], ['C-2', 'SOAP-LAV', 10]);
    const { state, sums: shown, complete, cartons, receipts, statements } = await goods.shipment(number);
    expect({ state, complete, receipts, statements }).toEqual({
      state: 'EXPECTED',
      complete: false,
      receipts: [],
      statements: [],
    });
    expect(shown).toEqual({
      keys: [
        {
          cartonId: 'C-1',
          itemId: MUG,
          clientItemId: 'MUG-WHT',
          lineNumbers: ['1', '2'],
          ...sums({ announced: 30, open: 30 }),
        },
        {
          cartonId: 'C-2',
          itemId: NUL,
          clientItemId: 'SOAP-LAV',
          lineNumbers: ['3'],
          ...sums({ announced: 10, open: 10 }),
        },
      ],
      cartons: [
        { cartonId: 'C-1', ...sums({ announced: 30, open: 30 }) },
        { cartonId: 'C-2', ...sums({ announced: 10, open: 10 }) },
      ],
      items: [
        { itemId: MUG, ...sums({ announced: 30, open: 30 }) },
        { itemId: NUL, ...sums({ announced: 10, open: 10 }) },
      ],
      total: sums({ announced: 40, open: 40 }),
    });
    expect(cartons).toEqual([
      { cartonId: 'C-1', state: 'EXPECTED' },
      { cartonId: 'C-2', state: 'EXPECTED' },
    ]);
  });
});

describe('the time of a receipt', () => {
  const receiptAt = async (at: string) => {
    const number = await goods.announce(['CLOCK-1', 'MUG-WHT', 2]);
    const answer = await goods.receive(number, { at, cartons: [{ cartonId: 'CLOCK-1', as: 'GOOD' }] });
    expect(answer.status, answer.text).toBe(201);
    const { receipts } = await goods.shipment(number);
    return { number, receipt: receipts[0] as object };
  };
  const iso = (ms: number) => new Date(goods.clock.now + ms).toISOString().replace(/(?:\.000)?Z$/, '+00:00');

  it('is that of its device, up to 5 minutes ahead of the service', async () => {
    const { receipt } = await receiptAt(iso(5 * 60_000));
    expect(receipt).toMatchObject({ at: iso(5 * 60_000) });
    expect(receipt).not.toHaveProperty('clockWrong');
  });

  it.each([
    ['in the future', '2999-01-01T00:00:00+00:00'],
    ['before the device was set', '1970-01-01T00:00:00+00:00'],
  ])('%s is that of the service: the receipt counts, with the time of the device', async (_why, deviceAt) => {
    const { number, receipt } = await receiptAt(deviceAt);
    const service = { receivedAt: iso(0), deviceAt, clockWrong: true };
    expect(receipt).toMatchObject({ at: iso(0), ...service });
    const feed = await goods.operator('GET', '/operator/v1/events?clientId=TOWN&types=inbound.received&limit=500');
    const { events } = feed.body as { events: { resourceId: string }[] };
    expect(events.filter(({ resourceId }) => resourceId.endsWith(`/${number}`))).toMatchObject([{ data: service }]);
  });

  it('of an arrival with a wrong clock is that of the service too', async () => {
    const number = await goods.announce(['CLOCK-1', 'MUG-WHT', 2]);
    const path = `${goods.at(number)}/arrive`;
    expect((await goods.client.post(path, { userId: 'ann', at: '2999-01-01T00:00:00Z' })).status).toBe(204);
    expect(await goods.shipment(number)).toMatchObject({ arrivedAt: iso(0) });
  });
});

it('an arrival that is sent after the close gets 204 and changes nothing', async () => {
  for (const isNoted of [true, false]) {
    const number = await goods.announce(['LATE-1', 'MUG-WHT', 2]);
    const arrive = () => goods.client.post(`${goods.at(number)}/arrive`, { userId: 'ann' });
    if (isNoted) expect((await arrive()).status).toBe(204);
    await goods.receive(number, { cartons: [{ cartonId: 'LATE-1', as: 'GOOD' }] });
    expect((await goods.close(number)).status).toBe(200);
    const before = await goods.shipment(number);
    expect((await arrive()).status).toBe(204);
    expect(await goods.shipment(number)).toEqual(before);
    expect('arrivedAt' in before).toBe(isNoted);
  }
});

it('held units that are decided as damaged keep the reason for which they were held', async () => {
  const number = await goods.announce(['C-1', 'MUG-WHT', 5]);
  const line = { cartonId: 'C-1', itemId: MUG };
  await goods.receive(number, { receiptId: 'wet-5', lines: [{ ...line, held: 5, reason: 'WET' }] });
  expect((await goods.approve(number, [{ ...line, damaged: 3, refused: 2 }])).status).toBe(200);
  const closed = await goods.close(number);
  expect([closed.status, closed.body]).toMatchObject([200, { lines: [{ damaged: 3, refused: 2, reasons: ['WET'] }] }]);
  await goods.client.post(`${goods.at(number)}/reopen`, { userId: 'lee', reason: 'Wrong' });
  // Another damage needs its own reason, because the decided units are gone.
  await goods.receive(number, { corrects: 'wet-5', lines: [{ ...line, damaged: -3, refused: -2 }] });
  await goods.receive(number, { lines: [{ ...line, good: 3, damaged: 2 }] });
  expect((await goods.close(number)).body).toMatchObject({ code: 'REASON_NEEDED', needed: [{ damaged: 2 }] });
});

it.each([1, 2])(
  'damaged units keep the reason of their hold if other held units are decided as good: %i approvals',
  async (calls) => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 10]);
    const line = { cartonId: 'C-1', itemId: MUG };
    await goods.receive(number, { lines: [{ ...line, held: 5, reason: 'WET' }] });
    await goods.receive(number, { lines: [{ ...line, good: 5, held: 2 }] });
    for (const lines of calls === 1
      ? [[{ ...line, good: 2, damaged: 5 }]]
      : [[{ ...line, good: 2 }], [{ ...line, damaged: 5 }]]) {
      expect((await goods.approve(number, lines)).status).toBe(200);
    }
    const over = await goods.close(number);
    expect(over.body).toMatchObject({ code: 'REASON_NEEDED', needed: [{ over: 2 }] });
    expect((over.body as { needed: object[] }).needed[0]).not.toHaveProperty('damaged');
  },
);

it('the reason of units that are held after a decision does not explain the decided units', async () => {
  const number = await goods.announce(['C-1', 'MUG-WHT', 4]);
  const line = { cartonId: 'C-1', itemId: MUG };
  await goods.receive(number, { lines: [{ ...line, held: 2 }] });
  expect((await goods.approve(number, [{ ...line, damaged: 2 }])).status).toBe(200);
  await goods.receive(number, { lines: [{ ...line, held: 2, reason: 'WET' }] });
  expect((await goods.approve(number, [{ ...line, good: 2 }])).status).toBe(200);
  expect((await goods.close(number)).body).toMatchObject({ code: 'REASON_NEEDED', needed: [{ damaged: 2 }] });
});

it('a reason of a close can be for the units without a carton', async () => {
  const number = await goods.announce(['C-1', 'MUG-WHT', 3]);
  await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, good: 1 }] });
  await goods.receive(number, { unannounced: true, lines: [{ itemId: MUG, good: 1 }] });
  expect((await goods.approve(number, [{ itemId: MUG, good: 1 }])).status).toBe(200);
  const reasons = [
    { cartonId: 'C-1', itemId: MUG, reason: 'LOST' },
    { cartonId: '', itemId: MUG, reason: 'WRONG_ITEM' },
  ];
  const closed = await goods.close(number, { reasons });
  const { lines } = closed.body as { lines: { cartonId?: string; reasons: string[] }[] };
  expect(lines.map(({ cartonId, reasons: own }) => [cartonId, own])).toEqual([
    ['C-1', ['LOST']],
    [undefined, ['WRONG_ITEM']],
  ]);
  const other = await goods.announce(['C-1', 'MUG-WHT', 3]);
  expect((await goods.close(other, { reasons: [{ cartonId: '', reason: 'LOST' }] })).body).toMatchObject({
    code: 'REASON_NEEDED',
    errors: [{ pointer: '/reasons/0/cartonId' }, {}],
  });
});

describe('a carton that is scanned whole', () => {
  it.each([
    ['GOOD', 'RECEIVED', { good: 24 }],
    ['DAMAGED', 'DAMAGED', { damaged: 24 }],
    ['REFUSED', 'REFUSED', { refused: 24 }],
    ['HELD', 'RECEIVED', { held: 24 }],
  ])('as %s is %s, and all of its units are booked that way', async (as, state, booked) => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 24], ['C-2', 'MUG-WHT', 5]);
    const answer = await goods.receive(number, { cartons: [{ cartonId: 'C-1', as }] });
    expect(answer.status, answer.text).toBe(201);
    const body = answer.body as { receipt: object; sums: ShownSums; state: string };
    expect(body).toMatchObject({ state: 'RECEIVING', receipt: { userId: 'ann', cartons: [{ cartonId: 'C-1', as }] } });
    expect(body.sums.cartons[0]).toEqual({ cartonId: 'C-1', ...sums({ announced: 24, ...booked }) });
    expect(body.sums.total).toEqual(sums({ announced: 29, open: 5, ...booked }));
    expectBalance(body.sums);
    const shipment = await goods.shipment(number);
    expect(shipment.sums).toEqual(body.sums);
    expect(shipment.cartons).toEqual([
      { cartonId: 'C-1', state },
      { cartonId: 'C-2', state: 'EXPECTED' },
    ]);
  });

  it('is rejected the second time, with the user and time of the first receipt, for any content', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 24]);
    await goods.receive(number, { receiptId: 'first', cartons: [{ cartonId: 'C-1', as: 'GOOD' }] });
    const whole = await goods.receive(number, { userId: 'bob', cartons: [{ cartonId: 'C-1', as: 'GOOD' }] });
    const pieces = await goods.receive(number, { userId: 'bob', lines: [{ cartonId: 'C-1', itemId: MUG, good: 1 }] });
    for (const answer of [whole, pieces]) {
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({
        code: 'CARTON_ALREADY_RECEIVED',
        receiptId: 'first',
        userId: 'ann',
        since: '2026-03-02T12:00:00+00:00',
      });
    }
  });

  it('that was counted completely has the user who counted it, not the user who approved units of it', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 2]);
    await goods.receive(number, { receiptId: 'counted', lines: [{ cartonId: 'C-1', itemId: MUG, good: 1, held: 1 }] });
    await goods.approve(number, [{ cartonId: 'C-1', itemId: MUG, good: 1 }]);
    const again = await goods.receive(number, { userId: 'bob', cartons: [{ cartonId: 'C-1', as: 'GOOD' }] });
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ code: 'CARTON_ALREADY_RECEIVED', receiptId: 'counted', userId: 'ann' });
  });

  it('is expected again after a correction brings its sums to 0', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 24]);
    await goods.receive(number, { receiptId: 'r1', cartons: [{ cartonId: 'C-1', as: 'GOOD' }] });
    const back = await goods.receive(number, { corrects: 'r1', lines: [{ cartonId: 'C-1', itemId: MUG, good: -24 }] });
    expect(back.status, back.text).toBe(201);
    expect((await goods.shipment(number)).cartons).toEqual([{ cartonId: 'C-1', state: 'EXPECTED' }]);
    const again = await goods.receive(number, { cartons: [{ cartonId: 'C-1', as: 'DAMAGED' }] });
    expect((again.body as { sums: ShownSums }).sums.total).toEqual(sums({ announced: 24, damaged: 24 }));
  });

  it.each([
    ['counted on', { lines: [{ cartonId: 'C-1', itemId: MUG, good: 3 }] }],
    ['scanned again', { cartons: [{ cartonId: 'C-1', as: 'GOOD' }] }],
  ])('is COUNTING after a correction leaves units of it open, and can be %s', async (_name, rest) => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 4]);
    await goods.receive(number, { receiptId: 'r1', cartons: [{ cartonId: 'C-1', as: 'GOOD' }] });
    await goods.receive(number, { corrects: 'r1', lines: [{ cartonId: 'C-1', itemId: MUG, good: -1, damaged: 1 }] });
    expect((await goods.shipment(number)).cartons).toEqual([{ cartonId: 'C-1', state: 'RECEIVED' }]);
    await goods.receive(number, { corrects: 'r1', lines: [{ cartonId: 'C-1', itemId: MUG, good: -2, damaged: -1 }] });
    const { cartons, complete } = await goods.shipment(number);
    expect({ cartons, complete }).toEqual({ cartons: [{ cartonId: 'C-1', state: 'COUNTING' }], complete: false });
    const filled = await goods.receive(number, { userId: 'bob', ...rest });
    expect(filled.status, filled.text).toBe(201);
    expect((filled.body as { sums: ShownSums }).sums.total).toEqual(sums({ announced: 4, good: 4 }));
    expect((await goods.shipment(number)).cartons).toEqual([{ cartonId: 'C-1', state: 'RECEIVED' }]);
  });
});

describe('counted units', () => {
  it('add up, and make a carton COUNTING with its user, then RECEIVED', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 24]);
    await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, good: 10 }] });
    expect((await goods.shipment(number)).cartons).toEqual([
      { cartonId: 'C-1', state: 'COUNTING', holder: { userId: 'ann', since: '2026-03-02T12:00:00+00:00' } },
    ]);
    const other = await goods.receive(number, {
      userId: 'bob',
      lines: [{ cartonId: 'C-1', clientItemId: 'MUG-WHT', good: 13, damaged: 1 }],
    });
    expect((other.body as { sums: ShownSums }).sums.total).toEqual(sums({ announced: 24, good: 23, damaged: 1 }));
    expect((await goods.shipment(number)).cartons).toEqual([{ cartonId: 'C-1', state: 'RECEIVED' }]);
  });

  it.each(['ann', 'bob'])('block a scan of the whole carton, also by %s, until they are idle', async (userId) => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 24]);
    await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, good: 10 }] });
    const barred = await goods.receive(number, { userId, cartons: [{ cartonId: 'C-1', as: 'GOOD' }] });
    expect(barred.status).toBe(409);
    expect(barred.body).toMatchObject({ code: 'CARTON_HELD_BY', userId: 'ann', cartonId: 'C-1' });
  });

  it.each([
    ['nothing', {}, ''],
    ['a line without units', { lines: [{ cartonId: 'C-1', itemId: MUG }] }, '/lines/0'],
    ['a line without an item', { lines: [{ cartonId: 'C-1', good: 1 }] }, '/lines/0/itemId'],
    ['negative units without corrects', { lines: [{ cartonId: 'C-1', itemId: MUG, good: -1 }] }, '/lines/0/good'],
    ['an unknown item', { lines: [{ cartonId: 'C-1', itemId: '21-NONE', good: 1 }] }, '/lines/0/itemId'],
    [
      'a place of units that are not good',
      { lines: [{ cartonId: 'C-1', itemId: MUG, held: 1, to: 'STAGE' }] },
      '/lines/0/to',
    ],
    [
      'a carton twice',
      {
        cartons: [
          { cartonId: 'C-1', as: 'GOOD' },
          { cartonId: 'C-1', as: 'GOOD' },
        ],
      },
      '/cartons/1/cartonId',
    ],
    [
      'a carton whole and counted',
      { cartons: [{ cartonId: 'C-1', as: 'GOOD' }], lines: [{ cartonId: 'C-1', itemId: MUG, good: 1 }] },
      '/lines/0/cartonId',
    ],
    ['a correction of a carton', { corrects: 'r', cartons: [{ cartonId: 'C-1', as: 'GOOD' }] }, '/cartons/0'],
    ['a correction of nothing', { corrects: 'none', lines: [{ cartonId: 'C-1', itemId: MUG, good: 1 }] }, '/corrects'],
  ])('are rejected with every error: %s', async (_name, body, pointer) => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 24]);
    const answer = await goods.receive(number, body);
    expect(answer.status, answer.text).toBe(400);
    expect((answer.body as { errors: { pointer: string }[] }).errors.map((one) => one.pointer)).toContain(pointer);
    expect((await goods.shipment(number)).state).toBe('EXPECTED');
  });

  it('are limited to 1,000 entries', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 24]);
    const line = { cartonId: 'C-1', itemId: MUG, good: 1 };
    const over = await goods.receive(number, {
      lines: Array(1_000).fill(line),
      cartons: [{ cartonId: 'CLOCK-1', as: 'GOOD' }],
    });
    expect(over.status).toBe(400);
    const at = await goods.receive(number, { lines: Array(1_000).fill(line) });
    expect((at.body as { sums: ShownSums }).sums.total).toEqual(
      sums({ announced: 24, good: 24, held: 976, over: 976 }),
    );
  });
});

describe('a receipt', () => {
  it('sent again is 200 and changes nothing; with other content it is rejected', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 24]);
    const body = { receiptId: 'same', lines: [{ cartonId: 'C-1', itemId: MUG, good: 10 }] };
    const first = await goods.receive(number, body);
    const again = await goods.receive(number, body);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect((again.body as { sums: unknown }).sums).toEqual((first.body as { sums: unknown }).sums);
    const other = await goods.receive(number, { ...body, lines: [{ cartonId: 'C-1', itemId: MUG, good: 11 }] });
    expect(other.status).toBe(409);
    expect((await goods.shipment(number)).receipts).toHaveLength(1);
    await goods.close(number, { reasons: [{ reason: 'MISSING' }] });
    expect((await goods.receive(number, body)).status).toBe(200);
    const late = await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, good: 1 }] });
    expect([late.status, (late.body as { code: string }).code]).toEqual([409, 'NOT_OPEN']);
  });

  it('of an unannounced item is repeated and corrected also after the item was deleted', async () => {
    const item = { catalogId: '21', clientId: 'TOWN', clientItemId: 'GONE-SOON', itemId: '21-GONE-SOON' };
    const rest = { type: 'MERCH', salesClass: 'stock', styleId: '', taxCode: '', description: 'a thing' };
    const path = '/item-service/clients/TOWN/items/21-GONE-SOON';
    expect((await goods.client.put(path, { ...item, ...rest, associateDeliveryEligible: true })).status).toBe(201);
    const number = await goods.announce(['C-1', 'MUG-WHT', 24]);
    const lines = [{ cartonId: 'C-1', itemId: '21-GONE-SOON', damaged: 2, reason: 'WET' }];
    const body = { receiptId: 'first', unannounced: true, lines };
    expect((await goods.receive(number, body)).status).toBe(201);
    expect((await goods.client.delete(path)).status).toBe(204);
    expect((await goods.receive(number, body)).status).toBe(200);
    const back = [{ cartonId: 'C-1', itemId: '21-GONE-SOON', damaged: -2 }];
    expect((await goods.receive(number, { corrects: 'first', lines: back })).status).toBe(201);
    expect((await goods.shipment(number)).sums.total).toEqual(sums({ announced: 24, open: 24 }));
  });

  it('is corrected by signed lines, and no sum falls below 0', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 24], ['C-2', 'MUG-WHT', 5]);
    await goods.receive(number, { receiptId: 'r', lines: [{ cartonId: 'C-1', itemId: MUG, good: 10 }] });
    const moved = await goods.receive(number, {
      corrects: 'r',
      lines: [{ cartonId: 'C-1', itemId: MUG, good: -2, damaged: 2, reason: 'WET' }],
    });
    expect((moved.body as { sums: ShownSums }).sums.total).toEqual(
      sums({ announced: 29, good: 8, damaged: 2, open: 19 }),
    );
    const below = await goods.receive(number, {
      corrects: 'r',
      lines: [
        { cartonId: 'C-1', itemId: MUG, good: -9, damaged: -3 },
        { cartonId: 'C-2', itemId: MUG, good: -1 },
      ],
    });
    expect(below.status).toBe(400);
    expect(below.body).toMatchObject({
      code: 'BELOW_ZERO',
      errors: [{ pointer: '/lines/0/good' }, { pointer: '/lines/0/damaged' }, { pointer: '/lines/1/good' }],
    });
  });
});

describe('a correction', () => {
  it('that takes units of a key and adds others in one receipt moves only the difference', async () => {
    await keepStock(goods, 'TOWN-DC001');
    const before = await placesOf(goods, MUG, 'TOWN-DC001');
    const number = await goods.announce(['C-1', 'MUG-WHT', 24]);
    await goods.receive(number, { receiptId: 'r', lines: [{ cartonId: 'C-1', itemId: MUG, good: 3, damaged: 1 }] });
    const line = { cartonId: 'C-1', itemId: MUG };
    const corrected = await goods.receive(number, {
      corrects: 'r',
      lines: [
        { ...line, good: -5, damaged: -3, held: -1 },
        { ...line, good: 4, damaged: 2, held: 1, reason: 'WET' },
      ],
    });
    expect(corrected.status, corrected.text).toBe(201);
    expect((corrected.body as { receipt: { lines: unknown } }).receipt.lines).toMatchObject([
      { good: -5, damaged: -3, held: -1 },
      { good: 4, damaged: 2, held: 1 },
    ]);
    expect((corrected.body as { sums: ShownSums }).sums.total).toEqual(sums({ announced: 24, good: 2, open: 22 }));
    const after = await placesOf(goods, MUG, 'TOWN-DC001');
    expect(after.map((units, index) => units - (before[index] ?? 0))).toEqual([2, 0, 0, 0, 0, 0]);
    expect(await movesOf(goods, MUG, 'TOWN-DC001')).not.toContainEqual(expect.stringContaining('LEDGER_BEHIND'));
  });

  it('can name a match as well as a receipt', async () => {
    await goods.client.post(`${NODE}/inbound/BLIND`, { number: 'B-2', userId: 'ann' });
    await goods.receive('B-2', { lines: [{ itemId: MUG, good: 3 }] }, undefined, 'BLIND');
    const number = await goods.announce(['C-1', 'MUG-WHT', 6]);
    await goods.client.post(`${goods.at('B-2', 'BLIND')}/match`, { type: 'ASN', number });
    const [match] = (await goods.shipment(number)).receipts;
    const lines = [{ cartonId: 'C-1', itemId: MUG, good: -1 }];
    const answer = await goods.receive(number, { corrects: match?.['receiptId'], lines });
    expect(answer.status, answer.text).toBe(201);
    expect((answer.body as { sums: ShownSums }).sums.total).toEqual(sums({ announced: 6, good: 2, open: 4 }));
  });
});

describe('excess units', () => {
  it('are held beyond the tolerance, for any order of receipts', async () => {
    await goods.settings({ over: { percent: 10, units: 1 } });
    const number = await goods.announce(['C-1', 'MUG-WHT', 19]);
    await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, good: 15 }] });
    const answer = await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, good: 8 }] });
    expect(answer.status).toBe(201);
    expect((answer.body as { sums: ShownSums }).sums.total).toEqual(
      sums({ announced: 19, good: 20, held: 3, over: 4 }),
    );
    expect((answer.body as { receipt: object }).receipt).toMatchObject({ lines: [{ good: 5, held: 3 }] });
  });

  it('are decided by an approval, never of more than is held', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 10]);
    await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, good: 14 }] });
    const more = await goods.approve(number, [{ cartonId: 'C-1', itemId: MUG, good: 3, refused: 2 }]);
    expect([more.status, (more.body as { code: string }).code]).toEqual([400, 'BELOW_ZERO']);
    const body = { approvalId: 'ok' };
    const lines = [{ cartonId: 'C-1', itemId: MUG, good: 1, damaged: 1, refused: 2 }];
    const approved = await goods.approve(number, lines, body);
    expect(approved.status, approved.text).toBe(200);
    const total = sums({ announced: 10, good: 11, damaged: 1, refused: 2, over: 4 });
    expect((approved.body as { sums: ShownSums }).sums.total).toEqual(total);
    expect(((await goods.approve(number, lines, body)).body as { sums: ShownSums }).sums.total).toEqual(total);
    expect((await goods.approve(number, [{ ...lines[0], good: 2 }], body)).status).toBe(409);
    // The next receipt holds only its own excess, not the units that were already decided.
    const next = await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, good: 1 }] });
    expect((next.body as { sums: ShownSums }).sums.total).toMatchObject({ good: 11, held: 1 });
  });

  it('are held although a lead has approved held units within the announcement before', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 10]);
    await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, held: 5, reason: 'WET' }] });
    await goods.approve(number, [{ cartonId: 'C-1', itemId: MUG, good: 5 }]);
    const over = await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, good: 10 }] });
    const totalOf = ({ body }: { body: unknown }) => (body as { sums: ShownSums }).sums.total;
    expect(totalOf(over)).toMatchObject({ good: 10, held: 5, over: 5 });
    await goods.approve(number, [{ cartonId: 'C-1', itemId: MUG, good: 5 }]);
    const next = await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, good: 1 }] });
    expect(totalOf(next)).toMatchObject({ good: 15, held: 1, over: 6 });
  });

  it('cannot be approved by the user who received them, if the client requires four eyes', async () => {
    await goods.settings({ fourEyes: true });
    const number = await goods.announce(['C-1', 'MUG-WHT', 10]);
    await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, good: 14 }] });
    const lines = [{ cartonId: 'C-1', itemId: MUG, good: 4 }];
    const own = await goods.approve(number, lines, { userId: 'ann' });
    expect([own.status, (own.body as { code: string }).code]).toEqual([409, 'APPROVAL_NEEDED']);
    expect((await goods.approve(number, lines, { userId: 'lee' })).status).toBe(200);
  });

  it('cannot be approved by the user of an earlier receipt whose units a later receipt holds', async () => {
    await goods.settings({ fourEyes: true });
    const number = await goods.announce(['C-1', 'MUG-WHT', 10]);
    await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, good: 10 }] });
    await goods.receive(number, {
      userId: 'ben',
      lines: [{ cartonId: 'C-1', itemId: MUG, damaged: 2, reason: 'WET' }],
    });
    const lines = [{ cartonId: 'C-1', itemId: MUG, good: 2 }];
    for (const [userId, status] of [['ann', 409] as const, ['ben', 409] as const, ['lee', 200] as const])
      expect([userId, (await goods.approve(number, lines, { userId })).status]).toEqual([userId, status]);
  });

  it('cannot be approved by the user who received them without papers, if the client requires four eyes', async () => {
    await goods.settings({ fourEyes: true });
    const number = await goods.announce(['C-1', 'MUG-WHT', 10]);
    await goods.client.post(`${NODE}/inbound/BLIND`, { number: 'B-9', userId: 'ann' });
    for (const [receiptId, userId, line] of [
      ['r-bob', 'bob', { itemId: MUG, good: 14 }],
      ['r-cy', 'cy', { itemId: NUL, good: 1 }],
    ] as const) {
      const taken = await goods.client.post(`${goods.at('B-9', 'BLIND')}/receipts`, {
        receiptId,
        userId,
        lines: [line],
      });
      expect(taken.status, taken.text).toBe(201);
    }
    const body = { type: 'ASN', number, userId: 'ann' };
    expect((await goods.client.post(`${goods.at('B-9', 'BLIND')}/match`, body)).status).toBe(200);
    const lines = [{ itemId: MUG, good: 4 }];
    for (const userId of ['ann', 'bob']) {
      const own = await goods.approve(number, lines, { userId });
      expect([own.status, (own.body as { code: string }).code], userId).toEqual([409, 'APPROVAL_NEEDED']);
    }
    expect((await goods.approve(number, lines, { userId: 'cy' })).status).toBe(200);
  });
});

describe('unannounced goods', () => {
  it('need the flag, are held, and make a carton UNEXPECTED', async () => {
    // Tolerances do not apply to unannounced goods.
    await goods.settings({ over: { percent: 50, units: 5 } });
    const number = await goods.announce(['C-1', 'MUG-WHT', 10]);
    for (const line of [{ cartonId: 'C-1', itemId: NUL }, { cartonId: 'C-9', itemId: MUG }, { itemId: MUG }]) {
      const refused = await goods.receive(number, { lines: [{ ...line, good: 1 }] });
      expect([refused.status, (refused.body as { code: string }).code]).toEqual([409, 'UNANNOUNCED']);
      const taken = await goods.receive(number, { unannounced: true, lines: [{ ...line, good: 1 }] });
      expect(taken.status, taken.text).toBe(201);
    }
    const shipment = await goods.shipment(number);
    expect(shipment.sums.total).toEqual(sums({ announced: 10, held: 3, over: 3, open: 10 }));
    expect(shipment.sums.keys).toHaveLength(4);
    expectBalance(shipment.sums);
    expect(shipment.cartons).toMatchObject([
      { cartonId: 'C-1', state: 'COUNTING' },
      { cartonId: 'C-9', state: 'UNEXPECTED' },
    ]);
  });

  it('of another node are rejected with its name; with the flag they are received as that node announced them', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 10]);
    const message = asn(
      { asnNumber: `${number}-E`, receivingWarehouseId: 'DC002' },
      { cartonId: `${number}-X`, receivingWarehouseId: 'DC002', shippedQuantity: 7 },
    );
    await goods.transmit(message);
    const cartons = [{ cartonId: `${number}-X`, as: 'GOOD' }];
    const refused = await goods.receive(number, { cartons });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'CARTON_ELSEWHERE', nodeId: 'TOWN-DC002' });
    const taken = await goods.receive(number, { cartons, unannounced: true });
    expect(taken.status, taken.text).toBe(201);
    const { sums: shown } = taken.body as { sums: ShownSums };
    expect(shown.keys[1]).toMatchObject({ cartonId: `${number}-X`, itemId: MUG, ...sums({ held: 7, over: 7 }) });
  });

  it('are ambiguous when two other shipments announce them', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 10]);
    await goods.announce([`${number}-T`, 'MUG-WHT', 10]);
    await goods.announce([`${number}-T`, 'MUG-WHT', 10]);
    const answer = await goods.receive(number, { cartons: [{ cartonId: `${number}-T`, as: 'GOOD' }] });
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([409, 'CARTON_AMBIGUOUS']);
  });
});

describe('a carton that two ASNs announce', () => {
  const message = (number: string) => asn({ asnNumber: number }, { cartonId: 'TWICE-1' }, { cartonId: `${number}-2` });

  it('is accepted by default, and rejected by name if the client sets so, until the first ASN is closed', async () => {
    expect((await goods.transmit(message('TW-1'))).status).toBe(200);
    expect((await goods.transmit(message('TW-2'))).status).toBe(200);
    await goods.settings({ duplicateCartons: 'REFUSE' });
    const refused = await goods.transmit(message('TW-3'));
    expect(refused.status).toBe(400);
    expect(errorsOf(refused)).toMatchObject([
      { code: 'CARTON_ALREADY_ANNOUNCED', poAsnErrorPayload: { line: 1, cartonId: 'TWICE-1' } },
    ]);
    expect((await goods.transmit(message('TW-2'))).status).toBe(200);
    for (const number of ['TW-1', 'TW-2']) await goods.close(number, { reasons: [{ reason: 'LOST' }] });
    expect((await goods.transmit(message('TW-3'))).status).toBe(200);
  });
});

describe('a carton that the client wants announced once', () => {
  beforeEach(() => goods.settings({ duplicateCartons: 'REFUSE' }));

  it('is rejected together with all other errors of the message', async () => {
    const lines = [{ cartonId: 'ONCE-1' }, { cartonId: 'ONCE-2' }];
    expect((await goods.transmit(asn({ asnNumber: 'ON-1' }, ...lines))).status).toBe(200);
    const wrong = await goods.transmit(asn({ asnNumber: 'ON-2' }, { ...lines[0], clientItemId: 'NOBODY' }, lines[1]!));
    expect(errorsOf(wrong).map(({ code }) => code)).toEqual([
      'ITEM_NOT_FOUND',
      'CARTON_ALREADY_ANNOUNCED',
      'CARTON_ALREADY_ANNOUNCED',
    ]);
    const own = await goods.transmit(asn({ asnNumber: 'ON-1' }, lines[0]!));
    expect(errorsOf(own).map(({ code }) => code)).toEqual(['NUMBER_ALREADY_USED']);
  });
});

describe('close', () => {
  it('makes open units short and lists all keys that need a reason', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 10], ['C-2', 'SOAP-LAV', 5], ['C-3', 'MUG-WHT', 4]);
    await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, good: 8, damaged: 1 }] });
    await goods.receive(number, { cartons: [{ cartonId: 'C-3', as: 'DAMAGED', reason: 'WET' }] });
    const needed = await goods.close(number);
    expect(needed.status).toBe(400);
    expect(needed.body).toMatchObject({
      code: 'REASON_NEEDED',
      needed: [
        { cartonId: 'C-1', itemId: MUG, short: 1, damaged: 1 },
        { cartonId: 'C-2', itemId: NUL, short: 5 },
      ],
    });
    const reasons = [
      { cartonId: 'C-1', itemId: MUG, reason: 'BROKEN' },
      { cartonId: 'C-2', reason: 'LOST' },
    ];
    const closed = await goods.close(number, { closeId: 'c1', reasons });
    expect(closed.status, closed.text).toBe(200);
    expect(closed.body).toMatchObject({
      version: 1,
      closedAt: '2026-03-02T12:00:00+00:00',
      lines: [
        { cartonId: 'C-1', announced: 10, good: 8, damaged: 1, short: 1, over: 0, reasons: ['BROKEN'] },
        { cartonId: 'C-2', announced: 5, short: 5, reasons: ['LOST'] },
        { cartonId: 'C-3', announced: 4, damaged: 4, short: 0, reasons: ['WET'] },
      ],
      totals: { announced: 19, good: 8, damaged: 5, short: 6, open: 0 },
    });
    const again = await goods.close(number, { closeId: 'c1', reasons });
    expect([again.status, again.text]).toEqual([200, closed.text]);
    const other = await goods.close(number, { closeId: 'c2', reasons });
    expect([other.status, (other.body as { code: string }).code]).toEqual([409, 'NOT_OPEN']);
    const shipment = await goods.shipment(number);
    expect(shipment.state).toBe('CLOSED');
    expect(shipment.cartons).toEqual([
      { cartonId: 'C-1', state: 'RECEIVED' },
      { cartonId: 'C-2', state: 'MISSING' },
      { cartonId: 'C-3', state: 'DAMAGED' },
    ]);
    expect(shipment.sums.total).toEqual(sums({ announced: 19, good: 8, damaged: 5, short: 6 }));
  });

  it('rejects a reason for a carton or an item that the shipment does not have, together with missing reasons', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 10], ['C-2', 'SOAP-LAV', 5]);
    await goods.receive(number, { cartons: [{ cartonId: 'C-1', as: 'GOOD' }] });
    const reasons = [
      { itemId: '21-NOPE', reason: 'LOST' },
      { cartonId: 'C-9', reason: 'LOST' },
      { cartonId: 'C-2', itemId: MUG, reason: 'LOST' },
      { cartonId: 'C-1', itemId: MUG, reason: 'NONE LOST' },
    ];
    const unknown = ['/reasons/0/itemId exists', '/reasons/1/cartonId exists', '/reasons/2/itemId exists'];
    const errorsOf = ({ body }: { body: unknown }) => {
      const { code, errors } = body as { code: string; errors: { pointer: string; rule: string }[] };
      return [code, ...errors.map(({ pointer, rule }) => `${pointer} ${rule}`)];
    };
    const lacking = await goods.close(number, { reasons });
    expect([lacking.status, errorsOf(lacking)]).toEqual([400, ['REASON_NEEDED', ...unknown, '/reasons REASON_NEEDED']]);
    const wrong = await goods.close(number, { reasons: [...reasons, { reason: 'LATE' }] });
    expect([wrong.status, errorsOf(wrong)]).toEqual([400, ['INVALID_REQUEST', ...unknown]]);
    expect((await goods.close(number, { reasons: [reasons[3], { reason: 'LATE' }] })).status).toBe(200);
  });

  it('needs a reason for each damaged unit: that of another receipt, or of a corrected one, is not enough', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 60]);
    const damaged = (receiptId: string, units: number, more: object = {}, header: object = {}) =>
      goods.receive(number, {
        receiptId,
        lines: [{ cartonId: 'C-1', itemId: MUG, damaged: units, ...more }],
        ...header,
      });
    const codeOf = async () => ((await goods.close(number)).body as { code: string }).code;
    await goods.receive(number, { receiptId: 'good', lines: [{ cartonId: 'C-1', itemId: MUG, good: 9 }] });
    await damaged('a', 1, { reason: 'CRUSHED' });
    await damaged('b', 50);
    expect(await codeOf()).toBe('REASON_NEEDED');
    await damaged('undo b', -50, {}, { corrects: 'b' });
    await damaged('c', 50, { reason: 'WET' });
    await damaged('undo a', -1, {}, { corrects: 'a' });
    await damaged('d', 1);
    expect(await codeOf()).toBe('REASON_NEEDED');
    await damaged('undo d', -1, {}, { corrects: 'd' });
    await damaged('e', 1, { reason: 'CRUSHED' });
    expect((await goods.close(number)).status).toBe(200);
  });

  it('lists no reason of damage that was undone', async () => {
    const [plain, other] = [await goods.announce(['C-1', 'MUG-WHT', 10]), await goods.announce(['C-1', 'MUG-WHT', 10])];
    const damaged = (number: string, units: number, more: object = {}, header: object = {}) =>
      goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, damaged: units, ...more }], ...header });
    for (const number of [plain, other]) {
      await damaged(number, 5, { reason: 'WET' }, { receiptId: 'wet' });
      await damaged(number, -5, {}, { corrects: 'wet' });
    }
    await damaged(other, 1, { reason: 'CRUSHED' });
    for (const [number, good] of [[plain, 10] as const, [other, 9] as const])
      await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, good }] });
    expect((await goods.close(plain)).body).toMatchObject({ lines: [{ good: 10, reasons: [] }] });
    expect((await goods.close(other)).body).toMatchObject({ lines: [{ good: 9, reasons: ['CRUSHED'] }] });
  });

  it('takes a correction with a reason off the units with this reason', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 5]);
    const line = { cartonId: 'C-1', itemId: MUG };
    const lines = [
      { ...line, damaged: 3, reason: 'WET' },
      { ...line, damaged: 2, reason: 'CRUSHED' },
    ];
    await goods.receive(number, { receiptId: 'both', lines });
    await goods.receive(number, { lines: [{ ...line, damaged: -3, reason: 'WET' }], corrects: 'both' });
    await goods.receive(number, { lines: [{ ...line, good: 3 }] });
    const closed = await goods.close(number);
    expect([closed.status, closed.body]).toMatchObject([200, { lines: [{ damaged: 2, reasons: ['CRUSHED'] }] }]);
  });

  it('keeps the reason of a held unit that was decided as damaged, and not of one that was decided as good', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 4]);
    const line = { cartonId: 'C-1', itemId: MUG };
    const both = [
      { ...line, good: 1 },
      { ...line, held: 2, reason: 'QUALITY' },
    ];
    await goods.receive(number, { lines: both });
    await goods.receive(number, { lines: [{ ...line, held: 1, reason: 'RECALL' }] });
    await goods.approve(number, [{ ...line, good: 2 }]);
    await goods.approve(number, [{ ...line, damaged: 1 }]);
    const closed = await goods.close(number, { reasons: [{ reason: 'BROKEN' }] });
    expect(closed.status, closed.text).toBe(200);
    const [{ reasons }] = (closed.body as { lines: [{ reasons: string[] }] }).lines;
    expect(reasons.toSorted()).toEqual(['BROKEN', 'RECALL']);
  });

  it('requires reasons before approvals, and approvals of held units', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 10]);
    await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, good: 12 }] });
    expect(((await goods.close(number)).body as { code: string }).code).toBe('REASON_NEEDED');
    const held = await goods.close(number, { reasons: [{ reason: 'MORE' }] });
    expect([held.status, (held.body as { code: string }).code]).toEqual([409, 'APPROVAL_NEEDED']);
  });

  it('after a reopen creates the next version, and the first remains readable', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 10]);
    expect((await goods.close(number, { reasons: [{ reason: 'LATE' }] })).status).toBe(200);
    const reopened = await goods.client.post(`${goods.at(number)}/reopen`, { userId: 'lee', reason: 'IT CAME' });
    expect(reopened.status, reopened.text).toBe(200);
    expect(reopened.body).toMatchObject({ state: 'RECEIVING', sums: { total: { open: 10, short: 0 } } });
    expect((await goods.shipment(number)).cartons).toEqual([{ cartonId: 'C-1', state: 'EXPECTED' }]);
    expect((await goods.client.post(`${goods.at(number)}/reopen`, { userId: 'lee', reason: 'X' })).status).toBe(409);
    expect((await goods.shipment(number)).reopenings).toEqual([
      { userId: 'lee', at: expect.any(String), reason: 'IT CAME' },
    ]);
    await goods.receive(number, { cartons: [{ cartonId: 'C-1', as: 'GOOD' }] });
    expect((await goods.close(number)).body).toMatchObject({ version: 2, totals: { good: 10, short: 0 } });
    const { statements, complete } = await goods.shipment(number);
    expect(complete).toBe(true);
    expect(statements).toMatchObject([
      { version: 1, totals: { short: 10 } },
      { version: 2, totals: { short: 0 } },
    ]);
  });

  it('needs no reason for short units within the tolerance', async () => {
    await goods.settings({ short: { percent: 10, units: 0 } });
    const number = await goods.announce(['C-1', 'MUG-WHT', 10]);
    await goods.receive(number, { lines: [{ cartonId: 'C-1', itemId: MUG, good: 9 }] });
    expect((await goods.close(number)).status).toBe(200);
  });
});

describe('a purchase order', () => {
  it('is received by item, and has no cartons', async () => {
    const number = await goods.order(['MUG-WHT', 10], ['SOAP-LAV', 5]);
    const carton = await goods.receive(number, { cartons: [{ cartonId: 'C', as: 'GOOD' }] }, undefined, 'PO');
    expect(carton.status).toBe(400);
    const answer = await goods.receive(number, { lines: [{ clientItemId: 'MUG-WHT', good: 10 }] }, undefined, 'PO');
    expect(answer.status, answer.text).toBe(201);
    expect((answer.body as { sums: ShownSums }).sums).toMatchObject({
      keys: [
        { itemId: MUG, good: 10, open: 0 },
        { itemId: NUL, open: 5 },
      ],
      cartons: [],
    });
    expect(await goods.shipment(number, 'PO')).toMatchObject({
      orders: [
        { itemId: MUG, ordered: 10, announced: 0, arrived: 10 },
        { itemId: NUL, ordered: 5, announced: 0, arrived: 0 },
      ],
    });
  });

  it('with open ASNs takes direct receipts only with unannounced, and counts units from both', async () => {
    const number = await goods.order(['MUG-WHT', 20]);
    const first = `${number}-A`;
    await goods.transmit(
      asn({ asnNumber: first, shipmentNumber: number }, { cartonId: `${first}-1`, shippedQuantity: 8 }),
    );
    const direct = { lines: [{ itemId: MUG, good: 2 }] };
    const refused = await goods.receive(number, direct, undefined, 'PO');
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'UNANNOUNCED', asns: [first] });
    expect((await goods.receive(number, { ...direct, unannounced: true }, undefined, 'PO')).status).toBe(201);
    await goods.receive(first, { cartons: [{ cartonId: `${first}-1`, as: 'GOOD' }] });
    const { orders } = await goods.shipment(number, 'PO');
    expect(orders).toEqual([{ itemId: MUG, ordered: 20, announced: 8, arrived: 10 }]);
  });

  it('closes without a reason for units that its ASNs brought, and with one for the others', async () => {
    const number = await goods.order(['MUG-WHT', 20]);
    const carton = { cartonId: `${number}-1`, shippedQuantity: 18 };
    await goods.transmit(asn({ asnNumber: `${number}-A`, shipmentNumber: number }, carton));
    await goods.receive(`${number}-A`, { cartons: [{ cartonId: carton.cartonId, as: 'GOOD' }] });
    const needed = await goods.close(number, {}, 'PO');
    expect([needed.status, (needed.body as { needed: unknown[] }).needed]).toEqual([
      400,
      [{ itemId: MUG, clientItemId: 'MUG-WHT', lineNumbers: [], short: 2 }],
    ]);
    await goods.receive(number, { lines: [{ itemId: MUG, good: 2 }], unannounced: true }, undefined, 'PO');
    const closed = await goods.close(number, {}, 'PO');
    expect([closed.status, closed.body]).toMatchObject([
      200,
      { lines: [{ good: 2, short: 18, reasons: [], broughtByAsns: 18 }] },
    ]);
  });

  it('takes direct receipts if its open ASNs go to another node, or to a store without access', async () => {
    const number = await goods.order(['MUG-WHT', 20]);
    const to = (asnNumber: string, header: object, receivingWarehouseId = 'DC001') =>
      goods.transmit(
        asn(
          { asnNumber, shipmentNumber: number, receivingWarehouseId, ...header },
          { cartonId: asnNumber, shippedQuantity: 5, receivingWarehouseId },
        ),
      );
    expect((await to(`${number}-N`, {}, 'DC002')).status).toBe(200);
    const direct = { lines: [{ itemId: MUG, good: 2 }] };
    const elsewhere = await goods.receive(number, direct, undefined, 'PO');
    expect(elsewhere.status, elsewhere.text).toBe(201);
    const ofStore = await to(`${number}-S`, { storeCode: 'ABCDE' });
    expect(ofStore.status, ofStore.text).toBe(200);
    const own = await goods.credential({ groups: ['receiving'], storeIds: ['TOWN_US'] });
    const unseen = await goods.receive(number, direct, own, 'PO');
    expect(unseen.status, unseen.text).toBe(201);
    expect((await goods.receive(number, direct, undefined, 'PO')).body).toMatchObject({ asns: [`${number}-S`] });
  });
});

describe('goods without papers', () => {
  it('without an owner are named by an empty sellerId if a seller has the number too', async () => {
    for (const owner of [{}, { sellerId: 'TOWNS' }]) {
      const opened = await goods.client.post(`${NODE}/inbound/BLIND`, { number: 'B-4', userId: 'ann', ...owner });
      expect(opened.status, opened.text).toBe(201);
    }
    const unnamed = await goods.client.get(goods.at('B-4', 'BLIND'));
    expect([unnamed.status, unnamed.body]).toMatchObject([409, { code: 'AMBIGUOUS_NUMBER', sellerIds: ['', 'TOWNS'] }]);
    for (const sellerId of ['', 'TOWNS']) {
      const own = await goods.client.get(`${goods.at('B-4', 'BLIND')}?sellerId=${sellerId}`);
      expect([own.status, own.body]).toMatchObject([200, { sellerId }]);
    }
  });

  it('are received, approved and closed once, even if another seller uses the number meanwhile', async () => {
    const open = (owner: object) =>
      goods.client.post(`${NODE}/inbound/BLIND`, { number: 'B-5', userId: 'ann', ...owner });
    const send = (path: string, body: object) => goods.client.post(`${goods.at('B-5', 'BLIND')}/${path}`, body);
    const receipt = { receiptId: 'r1', userId: 'ann', lines: [{ itemId: MUG, good: 2, held: 1 }] };
    const approval = { approvalId: 'a1', userId: 'leo', lines: [{ itemId: MUG, good: 1 }] };
    const close = { closeId: 'c1', userId: 'ann', reasons: [{ reason: 'no papers' }] };
    await open({});
    const first = [await send('receipts', receipt), await send('approve', approval), await send('close', close)];
    expect(first.map(({ status }) => status)).toEqual([201, 200, 200]);
    await open({ sellerId: 'TOWNS' });
    const again = [await send('receipts', receipt), await send('approve', approval), await send('close', close)];
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(again[2]!.body).toEqual(first[2]!.body);
    const others = [
      await send('receipts', { ...receipt, receiptId: 'r2' }),
      await send('approve', { ...approval, approvalId: 'a2' }),
      await send('close', { ...close, closeId: 'c2' }),
    ];
    expect(others.map(({ body }) => body.code as string)).toEqual(Array(3).fill('AMBIGUOUS_NUMBER'));
    const changed = await send('receipts', { ...receipt, userId: 'bo' });
    expect([changed.status, changed.body.code]).toEqual([409, 'CONFLICT']);
  });

  it('cannot be voided: their allowed actions are only those that are accepted', async () => {
    await goods.client.post(`${NODE}/inbound/BLIND`, { number: 'B-3', userId: 'ann' });
    const { allowedActions } = await goods.shipment('B-3', 'BLIND');
    const allowed = allowedActions.filter((one) => one.allowed).map(({ action }) => action);
    expect(allowed).toEqual(['arrive', 'receive', 'match', 'close']);
  });

  it('are received on arrival, and matched with an ASN that comes later', async () => {
    const opened = await goods.client.post(`${NODE}/inbound/BLIND`, {
      number: 'B-1',
      userId: 'ann',
      sellerId: 'TOWNS',
    });
    expect(opened.status, opened.text).toBe(201);
    expect(opened.body).toMatchObject({ type: 'BLIND', state: 'EXPECTED', sums: { keys: [], total: sums({}) } });
    const again = await goods.client.post(`${NODE}/inbound/BLIND`, { number: 'B-1', userId: 'ann', sellerId: 'TOWNS' });
    expect(again.status).toBe(200);
    const lines = [
      { itemId: MUG, good: 12 },
      { cartonId: 'B-C', clientItemId: 'SOAP-LAV', good: 3 },
    ];
    const taken = await goods.receive('B-1', { lines }, undefined, 'BLIND');
    expect(taken.status, taken.text).toBe(201);
    expect((taken.body as { sums: ShownSums }).sums.total).toEqual(sums({ good: 15, over: 15 }));
    const number = await goods.announce(['C-1', 'MUG-WHT', 6], ['C-2', 'MUG-WHT', 4], ['B-C', 'SOAP-LAV', 3]);
    const matched = await goods.client.post(`${goods.at('B-1', 'BLIND')}/match`, { type: 'ASN', number });
    expect(matched.status, matched.text).toBe(200);
    expect(matched.body).toMatchObject({ type: 'ASN', number, sellerId: 'TOWNS', state: 'RECEIVING' });
    const shipment = await goods.shipment(number);
    expect(shipment.sums.total).toEqual(sums({ announced: 13, good: 13, held: 2, over: 2 }));
    expect(shipment.cartons.map(({ state }) => state)).toEqual(['RECEIVED', 'RECEIVED', 'RECEIVED']);
    expectBalance(shipment.sums);
    const { events } = (await goods.client.get('/operator/v1/events?types=inbound.matched&limit=500')).body as {
      events: { resourceId: string; data: Record<string, unknown> }[];
    };
    const told = events.filter(({ resourceId }) => [`ASN/TOWNS/${number}`, 'BLIND/TOWNS/B-1'].includes(resourceId));
    const names = {
      goods: { type: 'BLIND', number: 'B-1', sellerId: 'TOWNS' },
      asn: { type: 'ASN', number, sellerId: 'TOWNS' },
    };
    expect(told).toMatchObject([
      { resourceId: 'BLIND/TOWNS/B-1', data: { userId: 'ann', matchedTo: names.asn } },
      {
        resourceId: `ASN/TOWNS/${number}`,
        data: { userId: 'ann', matchedFrom: names.goods, lines: told[0]!.data['lines'] },
      },
    ]);
    const blind = await goods.shipment('B-1', 'BLIND');
    expect(blind).toMatchObject({ state: 'CLOSED', sums: { total: sums({}) }, matchedTo: { type: 'ASN', number } });
    expect((await goods.client.post(`${goods.at('B-1', 'BLIND')}/match`, { type: 'ASN', number })).status).toBe(200);
    const other = await goods.announce(['C-1', 'MUG-WHT', 6]);
    const elsewhere = await goods.client.post(`${goods.at('B-1', 'BLIND')}/match`, { type: 'ASN', number: other });
    expect([elsewhere.status, (elsewhere.body as { code: string }).code]).toEqual([409, 'NOT_OPEN']);
    const matchedTo = { type: 'ASN', number, sellerId: 'TOWNS' };
    const late = await goods.receive('B-1', { lines: [{ itemId: MUG, good: 1 }] }, goods.client, 'BLIND');
    const reopened = await goods.client.post(`${goods.at('B-1', 'BLIND')}/reopen`, { userId: 'lee', reason: 'Late' });
    for (const { status, body } of [late, reopened]) {
      expect([status, body]).toMatchObject([409, { code: 'NOT_OPEN', state: 'CLOSED', matchedTo }]);
    }
    const scanned = await goods.client.post(`${NODE}/scan`, { code: 'B-1' });
    const { matches } = scanned.body as { matches: { allowedActions: { allowed: boolean }[] }[] };
    expect(matches).toMatchObject([{ kind: 'SHIPMENT', state: 'CLOSED' }]);
    expect(matches[0]!.allowedActions.filter(({ allowed }) => allowed)).toEqual([]);
  });

  it('keep the reasons of their damage when they are matched', async () => {
    await goods.client.post(`${NODE}/inbound/BLIND`, { number: 'B-REASONS', userId: 'ann' });
    const blind = (lines: object[], header: object = {}) =>
      goods.receive('B-REASONS', { lines, ...header }, undefined, 'BLIND');
    await blind([{ itemId: MUG, damaged: 3, reason: 'WET' }], { receiptId: 'wet' });
    await blind([{ itemId: MUG, damaged: -1 }], { corrects: 'wet' });
    await blind([
      { itemId: MUG, good: 4 },
      { itemId: MUG, held: 1, reason: 'QUALITY' },
    ]);
    const number = await goods.announce(['C-8', 'MUG-WHT', 5], ['C-9', 'MUG-WHT', 2]);
    const match = await goods.client.post(`${goods.at('B-REASONS', 'BLIND')}/match`, { type: 'ASN', number });
    expect(match.status, match.text).toBe(200);
    const { receipts } = await goods.shipment(number);
    expect(receipts[0]!['lines']).toMatchObject([
      { cartonId: 'C-8', good: 4 },
      { cartonId: 'C-8', damaged: 1, reason: 'WET' },
      { cartonId: 'C-9', damaged: 1, reason: 'WET' },
      { cartonId: 'C-9', held: 1, reason: 'QUALITY' },
    ]);
    expect((await goods.approve(number, [{ cartonId: 'C-9', itemId: MUG, good: 1 }])).status).toBe(200);
    const closed = await goods.close(number);
    expect([closed.status, closed.body]).toMatchObject([
      200,
      {
        lines: [
          { damaged: 1, reasons: ['WET'] },
          { damaged: 1, reasons: ['WET'] },
        ],
      },
    ]);
  });

  it('keep the reason of the units that are still held when they are matched', async () => {
    await goods.client.post(`${NODE}/inbound/BLIND`, { number: 'B-RECALL', userId: 'ann' });
    const held = (units: number, reason: string) =>
      goods.receive('B-RECALL', { lines: [{ itemId: MUG, held: units, reason }] }, undefined, 'BLIND');
    await held(2, 'QUALITY');
    const path = `${goods.at('B-RECALL', 'BLIND')}/approve`;
    const body = { approvalId: 'recall', userId: 'lee', lines: [{ itemId: MUG, good: 2 }] };
    const approved = await goods.client.post(path, body);
    expect(approved.status, approved.text).toBe(200);
    await held(1, 'RECALL');
    const number = await goods.announce(['C-7', 'MUG-WHT', 3]);
    const match = await goods.client.post(`${goods.at('B-RECALL', 'BLIND')}/match`, { type: 'ASN', number });
    expect(match.status, match.text).toBe(200);
    expect((await goods.shipment(number)).receipts[0]!['lines']).toMatchObject([
      { cartonId: 'C-7', good: 2 },
      { cartonId: 'C-7', held: 1, reason: 'RECALL' },
    ]);
  });

  it('that are matched before a unit is received leave the ASN as it was, so that it can be voided', async () => {
    await goods.client.post(`${NODE}/inbound/BLIND`, { number: 'B-0', userId: 'ann' });
    const number = await goods.announce(['C-0', 'MUG-WHT', 6]);
    const before = await goods.shipment(number);
    const match = () => goods.client.post(`${goods.at('B-0', 'BLIND')}/match`, { type: 'ASN', number });
    for (const answer of [await match(), await match()]) {
      expect([answer.status, answer.body]).toMatchObject([200, { number, state: 'EXPECTED' }]);
    }
    expect(await goods.shipment(number)).toEqual(before);
    expect(await goods.shipment('B-0', 'BLIND')).toMatchObject({ state: 'CLOSED', matchedTo: { type: 'ASN', number } });
    const { events } = (await goods.client.get('/operator/v1/events?types=inbound.matched&limit=500')).body as {
      events: { resourceId: string }[];
    };
    const told = events.map(({ resourceId }) => resourceId);
    expect(told.filter((id) => id.includes('B-0') || id.includes(number))).toEqual(['BLIND//B-0']);
    const voided = await goods.operator('DELETE', `/operator/v1/clients/TOWN/inbound/ASN/${number}`);
    expect(voided.status, voided.text).toBe(204);
  });
});
