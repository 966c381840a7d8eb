/** Each rule by which a set becomes an ASN or PO: the segments that the rule accepts, and the code of its rejection. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completed } from '../../src/service/edi/partner-schema.ts';
import { receivingAdvice } from '../../src/service/edi/receiving-advice.ts';
import { changed, codes, EDI, type EdiTown, file, NOTICE, notice, ORDER, only, openEdi, PROFILE } from './support.ts';

let town: EdiTown;
let control = 30_000;
beforeAll(async () => {
  town = await openEdi();
});
afterAll(() => town.close());

type Changes = Readonly<Record<string, string | null>>;
const asn = (number: string, changes: Changes = {}) =>
  changed(NOTICE, { BSN: `BSN*00*${number}*20261124*0930*0001`, 'MAN*': `MAN*CP*${number}`, ...changes });
const order = (number: string, changes: Changes = {}) =>
  changed(ORDER, { BEG: `BEG*00*SA*${number}**20261120`, ...changes });
/** Returns the segments with `more` inserted after the segment that begins with `id`. */
const behind = (segments: readonly string[], id: string, ...more: string[]) =>
  segments.flatMap((one) => (one.startsWith(id) ? [one, ...more] : [one]));
const next = () => {
  control += 1;
  return control;
};
const send = (segments: readonly string[], setId = '856', number = next()) =>
  town.send(file([[setId, segments]], { number }));
const messageOf = async (type: 'ASN' | 'PO', number: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  ((await town.message(type, number)) as any)[type === 'ASN' ? 'asnData' : 'poData'][0];
const [place] = PROFILE.locations;
/** Replaces fields of the profile while `work` runs. */
async function agreed(fields: object, work: () => Promise<void>): Promise<void> {
  const put = await town.partner(fields);
  expect(put.status, put.text).toBe(200);
  await work();
  await town.partner();
}
const eventsOf = async (type: string, interchangeId: string) => {
  const { body } = await town.operator('GET', `/operator/v1/events?clientId=TOWN&types=${type}&limit=500`);
  return (body.events as { resourceId: string; data: object }[])
    .filter(({ resourceId }) => resourceId === interchangeId)
    .map(({ data }) => data);
};

describe('a ship notice', () => {
  it.each([
    ['STORE_NOT_FOUND', { locations: [{ ...place, storeCode: '777' }] }],
    ['WAREHOUSE_NOT_FOUND', { locations: [{ ...place, receivingWarehouseId: 'XX9' }] }],
  ])('is rejected by %s, at its N1, with MA in the 824', async (code, fields) => {
    await agreed(fields, async () => {
      const answer = await send(asn('PLACE'));
      expect(codes(answer)).toContain(`ERROR ${code}`);
      expect(only(answer).sets[0].findings).toContainEqual(
        expect.objectContaining({ code, segment: 'N1', element: 4, raw: '004', pointer: expect.any(String) }),
      );
      expect(only(answer).answers[1].content).toMatch(/TED\*MA\*/);
    });
  });

  it('notes an unknown location if the profile has a store and a warehouse by default', async () => {
    const { defaults } = PROFILE;
    await agreed({ defaults: { ...defaults, storeCode: '988', receivingWarehouseId: 'DC001' } }, async () => {
      const answer = await send(asn('ELSEWHERE', { 'N1*ST': 'N1*ST*Main Street*92*999' }));
      expect(codes(answer)).toEqual(['NOTE NO_LOCATION']);
      expect(only(answer).status).toBe('ACCEPTED');
      // If the message names no location, the service uses the default of the profile without a note.
      expect(codes(await send(asn('NOWHERE', { 'N1*ST': null })))).toEqual([]);
    });
  });

  it('with a bar code that two items have is ambiguous', async () => {
    for (const item of ['21-MUG-WHT', '21-TEE-RED-M']) {
      const put = await town.client.put(`/item-service/clients/TOWN/items/${item}?merge=true`, {
        upcs: [{ upcType: 'UPC', upc: '036000291452' }],
      });
      expect(put.status, put.text).toBe(200);
    }
    const answer = await send(asn('TWICE', { LIN: 'LIN*1*UP*036000291452' }));
    expect(codes(answer)).toEqual(['ERROR AMBIGUOUS_ITEM']);
    expect(codes(await send(asn('ONCE', { LIN: 'LIN*1*UP*036000291452*SK*MUG-WHT' })))).toEqual([]);
  });

  it('cannot announce a carton that another one has, where the client rejects that', async () => {
    const path = '/operator/v1/clients/TOWN';
    const { name, catalogIds, settings } = (await town.operator('GET', path)).body;
    const put = (receiving: object) =>
      town.operator('PUT', path, { name, catalogIds, settings: { ...settings, receiving } });
    expect((await put({ duplicateCartons: 'REFUSE' })).status).toBe(200);
    await send(asn('CART1', { 'MAN*': 'MAN*CP*SHARED' }));
    const answer = await send(asn('CART2', { 'MAN*': 'MAN*CP*SHARED' }));
    expect(codes(answer)).toEqual(['ERROR CARTON_ALREADY_ANNOUNCED']);
    expect(only(answer).sets[0].findings[0]).toMatchObject({ segment: 'MAN', element: 2, raw: 'SHARED' });
    expect((await put({})).status).toBe(200);
  });

  it('has a finding at its segment for a value that the interface rejects', async () => {
    const answer = await send(asn('HIDDEN', { 'MAN*': 'MAN*CP*C\u200b1' }));
    const pointer = expect.stringMatching(/cartonId$/);
    expect(only(answer).sets[0].findings).toEqual([
      expect.objectContaining({ code: 'INVALID_VALUE', segment: 'MAN', element: 2, pointer }),
    ]);
  });

  it('of purpose 05 announces what is not there, and changes nothing with the same content', async () => {
    const replacing = asn('FRESH', { BSN: 'BSN*05*FRESH*20261124*0930*0001' });
    expect(codes(await send(replacing))).toEqual(['NOTE PURPOSE']);
    expect(codes(await send(replacing))).toEqual(['NOTE NUMBER_KNOWN']);
  });

  it('takes the trailer from TD303, else REF BM, else the profile', async () => {
    await send(behind(asn('TR1'), 'TD3', 'REF*BM*BOL-1'));
    await send(behind(asn('TR2', { TD3: null }), 'HL*1', 'REF*BM*BOL-2'));
    await send(asn('TR3', { TD3: null }));
    const trailers = ['TR1', 'TR2', 'TR3'].map(
      async (number) => (await messageOf('ASN', number)).details.detail[0].trailerNumber,
    );
    expect(await Promise.all(trailers)).toEqual(['TRAILER7', 'BOL-2', 'T-1']);
  });

  it('takes the shipper from N1 SF, else VN, else SU, else the profile, else the id of the partner', async () => {
    const others = ['N1*SU*Third', 'N1*VN*Second'];
    await send(behind(asn('SHIP-A'), 'TD3', ...others));
    await send(behind(asn('SHIP-B', { 'N1*SF': null }), 'TD3', ...others));
    await send(behind(asn('SHIP-C', { 'N1*SF': null }), 'TD3', others[0]!));
    await send(asn('SHIP-E', { 'N1*SF': null }));
    await agreed({ defaults: { ...PROFILE.defaults, shipperName: 'Agreed' } }, async () => {
      await send(asn('SHIP-D', { 'N1*SF': null }));
    });
    const names = ['A', 'B', 'C', 'D', 'E'].map(
      async (letter) => (await messageOf('ASN', `SHIP-${letter}`)).header.shipperName,
    );
    expect(await Promise.all(names)).toEqual(['Green Valley', 'Second', 'Third', 'Agreed', 'GREENVALLEY']);
  });

  it('arrives on the agreed day, else some days after it was shipped', async () => {
    await send(behind(asn('DAY1'), 'DTM', 'DTM*011*20261101'));
    await send(asn('DAY2', { DTM: 'DTM*011*20261129' }));
    await agreed({ dates: ['067'], days: 1 }, async () => {
      await send(asn('DAY3', { DTM: 'DTM*067*20261205' }));
      await send(asn('DAY4', { DTM: 'DTM*011*20261129' }));
    });
    const days = [1, 2, 3, 4].map(async (at) => (await messageOf('ASN', `DAY${at}`)).header.shipmentReceiptDate);
    expect(await Promise.all(days)).toEqual(['2026-11-30', '2026-12-02', '2026-12-05', '2026-11-30']);
  });
});

describe('an order', () => {
  it('arrives on DTM 002, else some days after DTM 010, else after its own date', async () => {
    await send(order('PD1'), '850');
    await send(order('PD2', { DTM: 'DTM*010*20261125' }), '850');
    await send(order('PD3', { DTM: null }), '850');
    const days = [1, 2, 3].map(async (at) => (await messageOf('PO', `PD${at}`)).header.shipmentReceiptDate);
    expect(await Promise.all(days)).toEqual(['2026-11-26', '2026-11-28', '2026-11-23']);
  });

  it.each([
    ['003040', 'DTM*002*261126***20', '2026-11-26'],
    ['003040', 'DTM*002*****D8*20261126', '2026-11-26'],
    ['003040', 'DTM*002*****RD8*20261124-20261127', '2026-11-27'],
    ['004010', 'DTM*002****D8*20261126', '2026-11-26'],
    ['004010', 'DTM*002****RD8*20261124-20261127', '2026-11-27'],
  ])('of version %s has its day from %s', async (version, DTM, day) => {
    await agreed({ versions: ['003040', '004010'] }, async () => {
      const number = `DAY${next()}`;
      const BEG = `BEG*00*SA*${number}**${version === '003040' ? '261120' : '20261120'}`;
      const answer = await town.send(file([['850', order(number, { BEG, DTM })]], { number: next(), version }));
      expect([only(answer).status, codes(answer)]).toEqual(['ACCEPTED', []]);
      expect((await messageOf('PO', number)).header.shipmentReceiptDate).toBe(day);
    });
  });

  it('has the price of each piece if its basis is PE', async () => {
    const line = 'PO1*1*2*CA*10*PE*SK*MUG-WHT';
    await send(behind(order('PEACH', { PO1: line }), line, 'PO4*6'), '850');
    expect((await messageOf('PO', 'PEACH')).details.detail[0]).toMatchObject({ itemCost: 10, shippedQuantity: 12 });
  });

  it.each([
    ['HP', 'EA', 1, 0.035],
    ['TP', 'EA', 1, 0.0035],
    ['WE', 'CA', 12, 3.5],
    ['PD', 'CA', 12, 0.2917],
    ['CT', 'CA', 7, 0.5],
  ])('has the price of one piece by the basis %s, in the unit %s of %i', async (basis, unit, pieces, itemCost) => {
    const [number, line] = [`BASIS-${basis}`, `PO1*1*24*${unit}*3.5*${basis}*SK*MUG-WHT`];
    expect(codes(await send(behind(order(number, { PO1: line }), line, `PO4*${pieces}`), '850'))).toEqual([]);
    expect((await messageOf('PO', number)).details.detail[0].itemCost).toBe(itemCost);
  });

  it('has the price of one unit with a note if the basis is no number of pieces', async () => {
    const answer = await send(order('BASIS-LB', { PO1: 'PO1*1*24*EA*3.5*PP*SK*MUG-WHT' }), '850');
    expect([only(answer).status, codes(answer)]).toEqual(['ACCEPTED', ['NOTE PRICE_BASIS']]);
    expect(only(answer).sets[0].findings[0]).toMatchObject({ segment: 'PO1', element: 5, raw: 'PP' });
    expect((await messageOf('PO', 'BASIS-LB')).details.detail[0].itemCost).toBe(3.5);
  });

  it('needs a trailer of the profile', async () => {
    await agreed({ defaults: { itemCost: 3.75 } }, async () => {
      expect(codes(await send(order('NOTRAILER'), '850'))).toEqual(['ERROR NO_TRAILER']);
    });
  });

  it('by SDQ needs agreed stores, an SDQ in each line, and numbers that fit', async () => {
    const stores = [{ entity: 'BY', qualifier: '92', code: '01', storeCode: '988', receivingWarehouseId: 'DC001' }];
    await agreed({ locations: [...PROFILE.locations, ...stores] }, async () => {
      const line = 'PO1*1*24*EA*3.5**SK*MUG-WHT';
      const sdq = (number: string, ...more: string[]) => send(behind(order(number), 'PO1', ...more), '850');
      expect(codes(await sdq('SDQ-1', 'SDQ*EA*92*01*20*09*4'))).toEqual(['ERROR NO_LOCATION']);
      expect(codes(await sdq('SDQ-2', 'SDQ*EA*92*01*24', line))).toContain('ERROR QUANTITY');
      expect(codes(await sdq('SDQ-34567890123', 'SDQ*EA*92*01*24'))).toEqual(['ERROR NUMBER_LENGTH']);
      const none = await town.operator('GET', '/operator/v1/clients/TOWN/inbound/PO/SDQ-1-01');
      expect(none.status).toBe(404);
    });
  });

  it('cannot be changed in part: an 860 of purpose 04 is told to send the whole order', async () => {
    const change = ['BCH*04*SA*PO-PART***20261121', 'POC*1*QI*30*30*EA*3.5**SK*MUG-WHT', 'CTT*1'];
    const [found] = only(await send(change, '860')).sets[0].findings;
    expect(found).toMatchObject({ code: 'PURPOSE', segment: 'BCH', element: 1 });
    expect(`${found.message} ${found.cure}`).toContain('send the whole order with 05');
  });
});

describe('what goes back', () => {
  it('names at most 20 errors in an 824', async () => {
    const items = Array.from({ length: 25 }, (_, at) => [`HL*${at + 5}*3*I`, `LIN*${at}*SK*NONE-${at}`, 'SN1**1*EA']);
    const answer = only(await send([...asn('MANY').slice(0, -1), ...items.flat(), 'CTT*29']));
    expect(answer.sets[0].findings.filter(({ level }: { level: string }) => level === 'ERROR')).toHaveLength(25);
    expect(answer.answers[1].content.match(/^TED/gm)).toHaveLength(20);
  });

  it('counts its control numbers up to nine digits, then from 1', async () => {
    await town.partner({ theirs: { qualifier: 'ZZ', id: 'LASTONE' } }, 'LASTONE');
    await town.store.write(async (db) => {
      await db
        .updateTable('edi_partners')
        .set({ out_interchange: 999_999_998, out_group: 999_999_999 })
        .where('client_id', '=', 'TOWN')
        .where('partner_id', '=', 'LASTONE')
        .execute();
    });
    const numbers = async (name: string) => {
      const answer = only(await town.send(notice(asn(name), { number: next(), from: 'LASTONE' })));
      const { content } = answer.answers[0];
      return [/^ISA(?:[^*]*\*){13}(\d{9})/.exec(content)?.[1], /^GS.*\*(\d+)\*X/m.exec(content)?.[1]];
    };
    expect(await numbers('WRAP1')).toEqual(['999999999', '1']);
    expect(await numbers('WRAP2')).toEqual(['000000001', '2']);
  });

  it('is taken by the acknowledgment of the partner, which is told by an event', async () => {
    const advice = only(await send(asn('EARLY', { SN1: 'SN1**0*EA' }))).answers[1];
    expect(advice.status).toBe('WAITING');
    const group = /^GS\*AG\*.*\*(\d+)\*X\*/m.exec(advice.content)![1]!;
    await send([`AK1*AG*${group}`, 'AK9*A*1*1*1'], '997');
    const { body } = await town.operator('GET', `${EDI}/interchanges/${advice.interchangeId}`);
    expect(body).toMatchObject({ status: 'ACKNOWLEDGED', takenAt: body.acknowledgedAt });
    const told = {
      partnerId: 'GREENVALLEY',
      setId: '824',
      controlNumber: advice.controlNumber,
      sourceId: body.sourceId,
    };
    expect(await eventsOf('edi.acknowledged', advice.interchangeId)).toEqual([{ ...told, outcome: 'ACKNOWLEDGED' }]);
  });

  it('is told by an event if nothing acknowledges it in time', async () => {
    const advice = only(await send(asn('SILENT', { SN1: 'SN1**0*EA' }))).answers[1];
    const path = `${EDI}/interchanges/${advice.interchangeId}`;
    const future = await town.operator('POST', `${path}/taken`, { takenAt: '2999-01-01T00:00:00Z' });
    expect([future.status, future.body]).toMatchObject([400, { errors: [{ pointer: '/takenAt', rule: 'maximum' }] }]);
    const { dueAt } = (await town.operator('POST', `${path}/taken`, {})).body;
    expect(Date.parse(dueAt)).toBe(town.clock.now + 24 * 3_600_000);
    town.clock.now = Date.parse(dueAt) + 1;
    await town.server.runDue();
    const [told] = await eventsOf('edi.overdue', advice.interchangeId);
    expect(told).toMatchObject({ partnerId: 'GREENVALLEY', setId: '824', dueAt });
    expect(Object.keys(told!).toSorted()).toEqual(['controlNumber', 'dueAt', 'partnerId', 'setId', 'sourceId']);
  });

  it('has a line for each item in an 861 without cartons, with the first qualifier of the client’s ids', () => {
    const line = { clientItemId: 'A-1', itemId: '21-A-1', good: 3, damaged: 0, refused: 1, held: 2, short: 0, over: 0 };
    const statement = {
      version: 1,
      lines: [
        { ...line, cartonId: 'C1' },
        { ...line, cartonId: 'C2', damaged: 4, short: 5, over: 6 },
      ],
    };
    const profile = (byCarton: boolean) =>
      completed({
        ...(PROFILE as Parameters<typeof completed>[0]),
        answer: { byCarton },
        items: [
          { qualifier: 'UP', is: 'BAR_CODE' },
          { qualifier: 'VP', is: 'CLIENT_ITEM_ID' },
        ],
      });
    const received = { type: 'ASN', number: 'N1', closedOn: '2026-11-27', statement } as unknown as Parameters<
      typeof receivingAdvice
    >[0];
    const lines = (byCarton: boolean) =>
      receivingAdvice(received, profile(byCarton))
        .segments.filter(([id]) => ['RCD', 'LIN', 'MAN', 'CTT'].includes(id!))
        .map((segment) => segment.join('*').replace(/\*+$/, ''));
    expect(lines(false)).toEqual(['RCD*1*14*EA*2*EA*4*EA*01*5*EA*02*6*EA*03*4*EA*09', 'LIN**VP*A-1', 'CTT*1']);
    expect(lines(true)).toEqual([
      'RCD*1*5*EA*1*EA*2*EA*09',
      'LIN**VP*A-1',
      'MAN*GM*C1',
      'RCD*2*9*EA*1*EA*4*EA*01*5*EA*02*6*EA*03*2*EA*09',
      'LIN**VP*A-1',
      'MAN*GM*C2',
      'CTT*2',
    ]);
  });
});

describe('an interchange', () => {
  it('is found by its time, both ends included', async () => {
    // Responses show times in seconds without fractions.
    town.clock.now = Math.floor(town.clock.now / 1000) * 1000 + 500;
    const { interchangeId, createdAt } = only(await send(asn('TIME')));
    const found = async (query: string) => {
      const { body } = await town.operator('GET', `${EDI}/interchanges?direction=IN&number=TIME&${query}`);
      return body.interchanges.map((one: { interchangeId: string }) => one.interchangeId);
    };
    const [before, at, later] = [-1, 0, 1].map((seconds) =>
      new Date(Date.parse(createdAt) + seconds * 1000).toISOString(),
    );
    expect(await found(`from=${at}&to=${at}`)).toEqual([interchangeId]);
    expect(await found(`from=${later}`)).toEqual([]);
    expect(await found(`to=${before}`)).toEqual([]);
  });

  it('that is being taken is 409 IN_PROGRESS, and goes on with the next post after a while', async () => {
    const raw = notice(asn('HALF'), { number: 39_001 });
    const { interchangeId } = only(await town.send(raw));
    await town.store.write(async (db) => {
      const own = { client_id: 'TOWN', interchange_id: interchangeId };
      await db
        .updateTable('edi_interchanges')
        .set({ status: 'TAKING', answers: null, due_at: town.clock.now + 60_000 })
        .where('client_id', '=', own.client_id)
        .where('interchange_id', '=', own.interchange_id)
        .execute();
    });
    const early = await town.send(raw);
    expect([early.status, early.body.code, early.headers['retry-after']]).toEqual([409, 'IN_PROGRESS', '1']);
    town.clock.now += 6_000;
    const later = await town.send(raw);
    expect([later.status, only(later).status, only(later).interchangeId]).toEqual([200, 'ACCEPTED', interchangeId]);
  });

  it('may use a control number again after the agreed days', async () => {
    await agreed({ numberDays: 1 }, async () => {
      await send(asn('NUM1'), '856', 39_500);
      expect(only(await send(asn('NUM2'), '856', 39_500)).status).toBe('DUPLICATE');
      town.clock.now += 86_400_001;
      expect(only(await send(asn('NUM3'), '856', 39_500)).status).toBe('ACCEPTED');
    });
  });
});
