import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import { sscc } from '../support/sscc.ts';
import { untilBlocked } from '../support/store.ts';
import { changed, codes, EDI, type EdiTown, file, NOTICE, notice, ORDER, only, openEdi, PROFILE } from './support.ts';

let town: EdiTown;
let control = 20_000;
beforeAll(async () => {
  town = await openEdi({ neighbours: true });
});
afterAll(() => town.close());

const asn = (number: string, changes: Record<string, string | null> = {}) =>
  changed(NOTICE, { BSN: `BSN*00*${number}*20261124*0930*0001`, 'MAN*': `MAN*CP*${number}`, ...changes });
const send = (segments: readonly string[], setId = '856') => {
  control += 1;
  return town.send(file([[setId, segments]], { number: control }));
};
// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
const linesOf = async (number: string) => ((await town.message('ASN', number)) as any).asnData[0].details.detail;
const read = async (interchangeId: string) => (await town.operator('GET', `${EDI}/interchanges/${interchangeId}`)).body;
/** Changes the profile while `work` runs. */
async function agreed(fields: object, work: () => Promise<void>): Promise<void> {
  const put = await town.partner(fields);
  expect(put.status, put.text).toBe(200);
  await work();
  await town.partner();
}

describe('what was agreed', () => {
  it('names the number of the ASN: REF BM, or BSN02 without leading zeros', async () => {
    await agreed({ number: 'REF:BM' }, async () => {
      const withBill = asn('IGNORED').flatMap((one) => (one.startsWith('TD3') ? [one, 'REF*BM*BOL-1'] : [one]));
      expect(only(await send(withBill)).sets[0]).toMatchObject({ number: 'BOL-1', outcome: 'ACCEPTED' });
      expect(codes(await send(asn('NOBILL')))).toContain('ERROR NUMBER_LENGTH');
    });
    await agreed({ number: 'BSN02:TRIM' }, async () => {
      expect(only(await send(asn('0000TRIM'))).sets[0]).toMatchObject({ number: 'TRIM', outcome: 'ACCEPTED' });
    });
  });

  it('rejects an item without a carton where none is agreed', async () => {
    const loose = { 'HL*3': null, 'MAN*': null, 'HL*4': 'HL*4*2*I' };
    await agreed({ noPack: 'REFUSE' }, async () => {
      expect(codes(await send(asn('LOOSE', loose)))).toContain('ERROR NO_CARTON');
    });
    expect(only(await send(asn('LOOSE', loose))).status).toBe('ACCEPTED');
  });

  it('prefers the first qualifier of a carton, in any pair of MAN', async () => {
    await agreed({ cartonQualifiers: ['AA', 'CP'] }, async () => {
      await send(asn('MARKS', { 'MAN*': 'MAN*CP*SECOND**AA*FIRST' }));
      expect((await linesOf('MARKS'))[0].cartonId).toBe('FIRST');
    });
  });

  it('replaces and voids nothing where that is not agreed', async () => {
    await send(asn('FIXED'));
    await agreed({ mayReplace: false }, async () => {
      for (const purpose of ['05', '01']) {
        expect(codes(await send(asn('FIXED', { BSN: `BSN*${purpose}*FIXED*20261124*0930*0001` })))).toContain(
          'ERROR PURPOSE',
        );
      }
    });
    expect((await linesOf('FIXED'))[0].shippedQuantity).toBe(24);
  });

  it('takes the pieces of a unit, and only the sets of the profile', async () => {
    await agreed({ units: { BX: 6 }, take: ['856'] }, async () => {
      await send(asn('BOXES', { SN1: 'SN1**4*BX' }));
      expect((await linesOf('BOXES'))[0].shippedQuantity).toBe(24);
      const answer = only(await send(ORDER, '850'));
      expect(answer).toMatchObject({
        status: 'REJECTED',
        sets: [{ outcome: 'IGNORED', findings: [{ code: 'UNKNOWN_SET' }] }],
      });
      expect(answer.answers[0].content).toContain('AK5*R*1~');
    });
  });

  it('of a retailer (VICS), a small vendor and in general is what the page has, and takes their files', async () => {
    const page = readFileSync(new URL('../../docs/edi-partners.md', import.meta.url), 'utf8');
    const profile = (name: string) =>
      JSON.parse(new RegExp(`\`\`\`json ${name}\\n([^]*?)\`\`\``).exec(page)![1]!) as object;
    const required = { sellerId: PROFILE.sellerId, usage: PROFILE.usage, ours: PROFILE.ours, theirs: PROFILE.theirs };
    const put = async (name: string) => {
      const answer = await town.operator('PUT', `${EDI}/partners/GREENVALLEY`, { ...required, ...profile(name) });
      expect(answer.status, answer.text).toBe(200);
    };
    await put('general');
    expect(only(await send(asn('PRE-GEN', { 'MAN*': `MAN*GM*${sscc(901)}` }))).status).toBe('ACCEPTED');
    await put('vics');
    control += 1;
    const vics = notice(asn('PRE-VICS', { 'MAN*': `MAN*GM*${sscc(902)}` }), { number: control, version: '004010VICS' });
    const taken = only(await town.send(vics));
    expect(taken.status).toBe('ACCEPTED');
    expect(taken.answers.map(({ setId }: { setId: string }) => setId)).toEqual(['TA1', '997']);
    control += 1;
    const wrong = notice(asn('PRE-VIC2', { CTT: 'CTT*4*25' }), { number: control, version: '004010VICS' });
    expect(only(await town.send(wrong)).sets[0].outcome).toBe('REJECTED_SYNTAX');
    await put('small');
    const vendor = asn('X1', { 'HL*3': null, 'MAN*': null, 'HL*4': 'HL*4*2*I', 'N1*ST': null, SN1: 'SN1**2*CA' });
    control += 1;
    const miscounted = file(
      [['856', vendor.flatMap((one) => (one.startsWith('TD3') ? [one, 'REF*BM*PRE-SMALL'] : [one]))]],
      { number: control },
    );
    expect(only(await town.send(miscounted.replace(/SE\*\d+/, 'SE*99'))).status).toBe('ACCEPTED');
    expect((await linesOf('PRE-SMALL'))[0]).toMatchObject({ cartonId: 'PRE-SMALL', shippedQuantity: 24 });
    await town.partner();
  });
});

describe('an 856', () => {
  it('keeps two lines of one item in a carton', async () => {
    const twice = asn('TWICE').flatMap((one) =>
      one.startsWith('SN1') ? [one, 'HL*5*3*I', 'LIN*2*SK*MUG-WHT', 'SN1**6*EA'] : [one],
    );
    await send(changed(twice, { CTT: 'CTT*5*30' }));
    expect((await linesOf('TWICE')).map((line: { shippedQuantity: number }) => line.shippedQuantity)).toEqual([24, 6]);
  });

  it('cannot be replaced or voided once goods were received against it', async () => {
    await send(asn('BEGUN'));
    const receipt = {
      userId: 'lee',
      receiptId: 'agreed-1',
      lines: [{ cartonId: 'BEGUN', itemId: '21-MUG-WHT', good: 1 }],
    };
    const received = await town.client.post(
      '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound/ASN/BEGUN/receipts',
      receipt,
    );
    expect(received.status, received.text).toBeLessThan(300);
    for (const [purpose, sn1] of [
      ['05', 'SN1**25*EA'],
      ['01', 'SN1**24*EA'],
    ] as const) {
      const answer = await send(asn('BEGUN', { BSN: `BSN*${purpose}*BEGUN*20261124*0930*0001`, SN1: sn1 }));
      expect(codes(answer)).toContain('ERROR BEGUN');
      expect(only(answer).answers[1].content).toMatch(/TED\*024\*/);
    }
  });

  it('that has arrived is still at the door after its replacement', async () => {
    await send(asn('DOOR'));
    const path = '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound/ASN/DOOR';
    const arrived = await town.client.post(`${path}/arrive`, { userId: 'lee' });
    expect(arrived.status, arrived.text).toBe(204);
    const replacing = asn('DOOR', { BSN: 'BSN*05*DOOR*20261124*0930*0001', SN1: 'SN1**25*EA', CTT: 'CTT*4*25' });
    expect(codes(await send(replacing))).toEqual([]);
    expect((await linesOf('DOOR'))[0].shippedQuantity).toBe(25);
    expect((await town.client.get(path)).body).toMatchObject({ arrivedAt: expect.any(String) });
  });

  it('is replaced and voided only by the partner that announced it', async () => {
    await send(asn('MINE'));
    expect((await town.partner({ theirs: { qualifier: 'ZZ', id: 'HILLTOP' } }, 'HILLTOP')).status).toBe(201);
    const sendOther = (changes: Record<string, string>, setId = '856', segments = asn('MINE', changes)) => {
      control += 1;
      return town.send(file([[setId, segments]], { number: control, from: 'HILLTOP' }));
    };
    const bsn = (purpose: string) => ({ BSN: `BSN*${purpose}*MINE*20261124*0930*0001` });
    expect(codes(await sendOther({ ...bsn('05'), SN1: 'SN1**30*EA' }))).toContain('ERROR NUMBER_TAKEN');
    expect(codes(await sendOther(bsn('01')))).toEqual(['ERROR PURPOSE']);
    expect((await linesOf('MINE'))[0].shippedQuantity).toBe(24);
    const { body } = await town.operator('GET', '/operator/v1/clients/TOWN/inbound/ASN/MINE');
    expect(body.edi.partnerId).toBe('GREENVALLEY');
    const order = (purpose: string) => changed(ORDER, { BEG: `BEG*${purpose}*SA*PO-MINE**20261120` });
    await send(order('00'), '850');
    expect(codes(await sendOther({}, '850', order('01')))).toEqual(['ERROR ORDER_NOT_FOUND']);
    expect(codes(await sendOther({}, '850', order('05')))).toEqual(['ERROR NUMBER_TAKEN']);
    const change = (purpose: string) => [
      `BCH*${purpose}*SA*PO-MINE***20261120`,
      ...ORDER.slice(1, -1).map((one) => one.replace('PO1*1*24*EA', 'POC*1*QI*24*24*EA')),
      'CTT*1*24',
    ];
    for (const purpose of ['01', '05'])
      expect(codes(await sendOther({}, '860', change(purpose)))).toEqual(['ERROR ORDER_NOT_FOUND']);
    expect(codes(await send(order('01'), '850'))).toEqual([]);
    // An ASN that was announced by JSON belongs to no partner.
    const message = await town.message('ASN', 'MINE');
    expect((await town.operator('DELETE', '/operator/v1/clients/TOWN/inbound/ASN/MINE')).status).toBe(204);
    expect((await town.client.post('/poasn-manager-service/sellers/TOWNS/poasn/create', message)).status).toBe(200);
    expect(codes(await send(asn('MINE', bsn('01'))))).toEqual(['ERROR PURPOSE']);
    expect(codes(await send(asn('MINE', bsn('05'))))).toEqual(['NOTE NUMBER_KNOWN']);
  });

  it('passes over a trailer that is too long, and cuts the name of the shipper with a note', async () => {
    const answer = await send(asn('LONG', { TD3: `TD3*TL**${'T'.repeat(26)}`, 'N1*SF': `N1*SF*${'S'.repeat(40)}` }));
    expect(codes(answer).filter((one) => one.startsWith('ERROR'))).toEqual([]);
    expect(codes(answer)).not.toEqual([]);
    expect((await linesOf('LONG'))[0].trailerNumber).toBe('T-1');
    // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
    expect(((await town.message('ASN', 'LONG')) as any).asnData[0].header.shipperName).toBe('S'.repeat(30));
  });

  it('of more than 20,000 lines is rejected as a whole, with 201', { timeout: 120_000 }, async () => {
    const items = Array.from({ length: 20_001 }, (_, at) => [
      `HL*${at + 2}*1*I`,
      'LIN**SK*MUG-WHT',
      'SN1**1*EA',
    ]).flat();
    const answer = await send([...asn('HUGE').slice(0, 6), ...items, 'CTT*20002']);
    expect(answer.status).toBe(201);
    expect(codes(answer)).toContain('ERROR TOO_MANY_LINES');
    expect(only(answer).sets[0].outcome).toBe('REJECTED_RULES');
  });

  it('rejected by the rules is told by an 824 that names its set, each finding and its fix', async () => {
    const answer = only(await send(asn('TOLD', { LIN: 'LIN*1*SK*NOTHING', DTM: null })));
    const [acknowledgment, advice] = answer.answers;
    expect(acknowledgment.content).toContain('AK9*A*1*1*1~');
    const lines = advice.content.split('~\n');
    expect(lines.find((line: string) => line.startsWith('BGN'))).toMatch(/^BGN\*11\*\d+\*20260302\*1200\*\*TOLD$/);
    expect(lines.find((line: string) => line.startsWith('OTI'))).toBe(`OTI*TR*SI*TOLD*****${control}0*0001*856`);
    const teds = lines.filter((line: string) => /^(TED|NTE)/.test(line));
    expect(teds[0]).toMatch(/^TED\*007\*/);
    expect(teds.some((line: string) => /^TED\*Q\*.{1,60}\*LIN\*\d+\*3\*\*NOTHING$/.test(line))).toBe(true);
    expect(
      teds.filter((line: string) => line.startsWith('NTE')).every((line: string) => /^NTE\*\*.{1,80}$/.test(line)),
    ).toBe(true);
  });

  it('is told by an 824 with a day of six digits in a version before 004010', async () => {
    await agreed({ write: { version: '003040' } }, async () => {
      const advice = only(await send(asn('TOLD3', { SN1: 'SN1**0*EA' }))).answers[1];
      expect(advice.content).toMatch(/^BGN\*11\*\d+\*260302\*1200\*/m);
    });
  });
});

describe('a partner of two sellers', () => {
  const outlet = { ...PROFILE.locations[0]!, code: '005', sellerId: 'OUTLET' };
  const inbound = (number: string) => `/operator/v1/clients/TOWN/inbound/ASN/${number}`;
  const toOutlet = (number: string, purpose = '00', changes: Record<string, string> = {}) =>
    asn(number, {
      BSN: `BSN*${purpose}*${number}*20261124*0930*0001`,
      'N1*ST': 'N1*ST*Outlet*92*005',
      ...changes,
    });
  const sellersOf = async (number: string) => {
    const found = ['TOWNS', 'OUTLET'].map(async (sellerId) => {
      const { status } = await town.operator('GET', `${inbound(number)}?sellerId=${sellerId}`);
      return status === 200 ? [sellerId] : [];
    });
    return (await Promise.all(found)).flat();
  };
  beforeAll(async () => {
    const store = { name: 'Outlet', catalogId: '21', sellerId: 'OUTLET', storeCode: '988', currency: 'USD' };
    expect((await town.operator('PUT', '/operator/v1/clients/TOWN/stores/TOWN_OUTLET', store)).status).toBe(201);
    await town.partner({ locations: [...PROFILE.locations, outlet] });
  });
  afterAll(async () => {
    await town.partner();
  });

  it('voids its ASN without a location, whichever seller the ASN has', async () => {
    const voiding = ['BSN*01*TWO-1*20261124*0930*0001', 'HL*1**S', 'CTT*1'];
    expect(codes(await send(toOutlet('TWO-1')))).toEqual([]);
    expect(await sellersOf('TWO-1')).toEqual(['OUTLET']);
    expect(codes(await send(voiding))).toEqual([]);
    expect(await sellersOf('TWO-1')).toEqual([]);
    expect(codes(await send(voiding))).toEqual(['ERROR PURPOSE']);
  });

  it('moves its ASN to a location of the other seller by a replacement, unless goods were received', async () => {
    await send(asn('TWO-2'));
    expect(codes(await send(toOutlet('TWO-2', '05')))).toEqual([]);
    expect(await sellersOf('TWO-2')).toEqual(['OUTLET']);
    const receipt = { receiptId: 'two', userId: 'lee', lines: [{ cartonId: 'TWO-2', itemId: '21-MUG-WHT', good: 1 }] };
    const received = await town.client.post(
      '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound/ASN/TWO-2/receipts',
      receipt,
    );
    expect(received.status, received.text).toBe(201);
    expect(codes(await send(asn('TWO-2', { BSN: 'BSN*05*TWO-2*20261124*0930*0001' })))).toEqual(['ERROR BEGUN']);
    expect(await sellersOf('TWO-2')).toEqual(['OUTLET']);
  });

  it('moves a shipment that has arrived to the other seller, and it is still at the door', async () => {
    const order = (purpose: string, location: string) =>
      changed(ORDER, { BEG: `BEG*${purpose}*SA*PO-TWO**20261120`, 'N1*ST': `N1*ST*Here*92*${location}` });
    await send(asn('TWO-5'));
    await send(order('00', '004'), '850');
    for (const [type, number, replacing] of [
      ['ASN', 'TWO-5', () => send(toOutlet('TWO-5', '05'))],
      ['PO', 'PO-TWO', () => send(order('05', '005'), '850')],
    ] as const) {
      const path = `/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound/${type}/${number}`;
      expect((await town.client.post(`${path}/arrive`, { userId: 'lee' })).status).toBe(204);
      expect(codes(await replacing())).toEqual([]);
      expect((await town.client.get(path)).body).toMatchObject({ sellerId: 'OUTLET', arrivedAt: expect.any(String) });
    }
  });

  it('replaces only the ASN of the seller that the set names, if both have the number', async () => {
    await send(asn('TWO-3'));
    await send(toOutlet('TWO-3', '00', { 'MAN*': 'MAN*CP*TWO-3B' }));
    expect(codes(await send(toOutlet('TWO-3', '05', { SN1: 'SN1**6*EA', CTT: 'CTT*4*6' })))).toEqual([]);
    expect(await sellersOf('TWO-3')).toEqual(['TOWNS', 'OUTLET']);
  });

  it('announces an ASN by reprocessing although it has sent one of the other seller with the number since', async () => {
    const { trailerNumber: _, ...defaults } = PROFILE.defaults;
    await town.partner({ locations: [...PROFILE.locations, outlet], defaults });
    const old = only(await send(asn('TWO-4', { TD3: null })));
    expect(old.status).toBe('REJECTED');
    await town.partner({ locations: [...PROFILE.locations, outlet] });
    expect(only(await send(toOutlet('TWO-4', '00', { 'MAN*': 'MAN*CP*TWO-4B' }))).status).toBe('ACCEPTED');
    const again = (await town.operator('POST', `${EDI}/interchanges/${old.interchangeId}/reprocess`)).body;
    expect(again).toMatchObject({ status: 'ACCEPTED', sets: [{ resources: [{ sellerId: 'TOWNS' }] }] });
  });
});

describe('reprocessing', () => {
  it('judges rejected sets again by the catalog of now, and sends no second 997', async () => {
    await agreed({ defaults: { itemCost: 3.75 } }, async () => {
      const first = only(await send(asn('LATER', { TD3: null })));
      expect(first.sets[0].findings.map(({ code }: { code: string }) => code)).toContain('NO_TRAILER');
      await town.partner();
      const again = (await town.operator('POST', `${EDI}/interchanges/${first.interchangeId}/reprocess`)).body;
      expect(again).toMatchObject({ status: 'ACCEPTED', sets: [{ outcome: 'ACCEPTED', findings: [] }] });
      expect(again.answers).toEqual(first.answers);
      const events = (await town.operator('GET', '/operator/v1/events?clientId=TOWN&types=edi.received&limit=500')).body
        .events;
      const own = events.filter(({ resourceId }: { resourceId: string }) => resourceId === first.interchangeId);
      expect(own.map(({ data }: { data: { reprocessed?: boolean } }) => data.reprocessed)).toEqual([true]);
    });
  });

  describe('an old set', () => {
    // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
    const again = async ({ interchangeId }: any) =>
      (await town.operator('POST', `${EDI}/interchanges/${interchangeId}/reprocess`)).body;
    const superseded = () => {
      const set = { outcome: 'REJECTED_RULES', findings: [expect.objectContaining({ code: 'SUPERSEDED' })] };
      return { sets: expect.arrayContaining([expect.objectContaining(set)]) as unknown };
    };
    const replacing = (number: string, changes: Record<string, string> = {}) =>
      asn(number, { BSN: `BSN*05*${number}*20261124*0930*0001`, ...changes });
    /**
     * Sends a set without a trailer number while the profile has no default for it, so the service rejects the set.
     * Then gives the profile its default again. Returns the rejected interchange.
     */
    const withoutTrailer = async (sending: () => ReturnType<typeof send>) => {
      const { trailerNumber: _, ...defaults } = PROFILE.defaults;
      await town.partner({ defaults });
      const rejected = only(await sending());
      expect(rejected.status).not.toBe('ACCEPTED');
      await town.partner();
      return rejected;
    };

    it('does not replace what a later one has announced', async () => {
      await send(asn('NEWER', { SN1: 'SN1**10*EA', CTT: 'CTT*4*10' }));
      const old = await withoutTrailer(() => send(changed(replacing('NEWER'), { TD3: null })));
      expect(only(await send(replacing('NEWER', { SN1: 'SN1**6*EA', CTT: 'CTT*4*6' }))).status).toBe('ACCEPTED');
      expect(await again(old)).toMatchObject({ status: 'REJECTED', ...superseded() });
      expect((await linesOf('NEWER'))[0].shippedQuantity).toBe(6);
    });

    it('does not void or announce again what a later one has announced or voided', async () => {
      const voiding = (number: string) => [`BSN*01*${number}*20261124*0930*0001`, 'HL*1**S', 'CTT*1'];
      const early = only(await send(voiding('EARLY')));
      expect(early.status).toBe('REJECTED');
      expect(only(await send(asn('EARLY'))).status).toBe('ACCEPTED');
      expect(await again(early)).toMatchObject(superseded());
      expect(await linesOf('EARLY')).toHaveLength(1);
      const missing = await withoutTrailer(() => send(changed(replacing('GONE'), { TD3: null })));
      await send(asn('GONE'));
      await send(voiding('GONE'));
      expect(await again(missing)).toMatchObject(superseded());
      expect(await town.message('ASN', 'GONE')).toBeUndefined();
    });

    it('is also an earlier set of the same file', async () => {
      control += 1;
      const sets = [['856', changed(replacing('SAME'), { TD3: null })] as const, ['856', replacing('SAME')] as const];
      const both = await withoutTrailer(() => town.send(file(sets, { number: control })));
      expect(await again(both)).toMatchObject({ status: 'PARTLY', ...superseded() });
      expect((await linesOf('SAME'))[0].trailerNumber).toBe('TRAILER7');
    });

    it('of an order is superseded by each later set of the order', async () => {
      const order = (head: string) => changed(ORDER, { BEG: head });
      const old = await withoutTrailer(() => send(order('BEG*05*SA*PO-OLD**20261120'), '850'));
      expect(only(await send(order('BEG*00*SA*PO-OLD**20261120'), '850')).status).toBe('ACCEPTED');
      expect(only(await send(['BCH*01*SA*PO-OLD***20261121', 'CTT*0'], '860')).status).toBe('ACCEPTED');
      expect(await again(old)).toMatchObject(superseded());
      expect(await town.message('PO', 'PO-OLD')).toBeUndefined();
    });
  });

  it('takes a set whose kind is agreed now, and reads no acknowledgment again', async () => {
    const advice = ['BGN*11*45*20261124***7', 'OTI*TR*SI*SHIP-AGAIN*****905*0001*856'];
    const order = changed(ORDER, { BEG: 'BEG*00*SA*PO-AGREED**20261120' });
    await agreed({ take: ['856', '824'] }, async () => {
      control += 1;
      const sets = [['850', order] as const, ['824', advice] as const];
      const first = only(await town.send(file(sets, { number: control })));
      expect(first).toMatchObject({ status: 'REJECTED', sets: [{ outcome: 'IGNORED' }, { outcome: 'IGNORED' }] });
      await town.partner();
      const again = (await town.operator('POST', `${EDI}/interchanges/${first.interchangeId}/reprocess`)).body;
      expect(again).toMatchObject({
        status: 'ACCEPTED',
        sets: [{ outcome: 'ACCEPTED', findings: [] }, { outcome: 'IGNORED' }],
        answers: first.answers,
      });
    });
    expect(await town.message('PO', 'PO-AGREED')).toBeDefined();
    const { events } = (await town.operator('GET', '/operator/v1/events?clientId=TOWN&types=edi.rejected&limit=500'))
      .body;
    const advices = events.filter(({ data }: { data: { adviceOf?: string } }) => data.adviceOf === 'SHIP-AGAIN');
    expect(advices).toHaveLength(1);
  });

  describe('an interchange whose sets were processed before', () => {
    const nothing = { LIN: 'LIN*1*SK*LATER-ITEM' };
    /**
     * Sends a file whose second set names an item that does not exist. Returns the interchange, and a function that
     * processes it again.
     */
    const partly = async (number: string, change = (raw: string) => raw) => {
      control += 1;
      const sets = [['856', asn(`${number}-1`)] as const, ['856', asn(`${number}-2`, nothing)] as const];
      const first = only(await town.send(change(file(sets, { number: control }))));
      expect(first.status).toBe('PARTLY');
      const again = () => town.operator('POST', `${EDI}/interchanges/${first.interchangeId}/reprocess`);
      return { first, again };
    };

    it('keeps its number, although another one has it after the days of the profile', async () => {
      await agreed({ numberDays: 1 }, async () => {
        const { first, again } = await partly('DAYS');
        town.clock.now += 86_400_001;
        expect(only(await town.send(notice(asn('DAYS-3'), { number: control }))).status).toBe('ACCEPTED');
        expect((await again()).body).toMatchObject({
          status: 'PARTLY',
          sets: [{ outcome: 'ACCEPTED' }, { outcome: 'REJECTED_RULES' }],
          answers: first.answers,
        });
      });
    });

    it('keeps its sets if the profile would now reject it as a whole', async () => {
      const before = { strict: { segmentCount: 'NOTE' } };
      await agreed(before, async () => {
        const { first, again } = await partly('STRICT', (raw) => raw.replace('IEA*1', 'IEA*2'));
        await town.partner();
        const rejected = await again();
        expect([rejected.status, rejected.body.code]).toEqual([409, 'CONFLICT']);
        expect(rejected.text).toContain('change `strict` of the profile');
        expect(await read(first.interchangeId)).toEqual(first);
        await town.partner(before);
        expect((await again()).status).toBe(200);
      });
    });

    it('keeps its rejected sets if another one has used its number since', async () => {
      control += 1;
      const first = only(await town.send(notice(asn('USED-1', nothing), { number: control })));
      expect(first.status).toBe('REJECTED');
      expect(only(await town.send(notice(asn('USED-1'), { number: control }))).status).toBe('ACCEPTED');
      const again = await town.operator('POST', `${EDI}/interchanges/${first.interchangeId}/reprocess`);
      expect([again.status, again.body.code]).toEqual([409, 'CONFLICT']);
      expect(again.text).toContain('under a new control number');
      expect(await read(first.interchangeId)).toEqual(first);
    });
  });

  /** Restores the state after a crash between the first set and the second set. */
  const interrupt = async (interchangeId: string) => {
    await town.store.write(async (db) => {
      await db.deleteFrom('edi_sets').where('interchange_id', '=', interchangeId).where('position', '=', 2).execute();
      await db
        .updateTable('edi_interchanges')
        .set({ status: 'TAKING', answers: null, due_at: town.clock.now })
        .where('interchange_id', '=', interchangeId)
        .execute();
    });
  };

  it('takes the rest of an interrupted interchange, also if the profile would now reject it as a whole', async () => {
    control += 1;
    const sets = [['856', asn('CUT-1')] as const, ['856', asn('CUT-2')] as const];
    const raw = file(sets, { number: control, asksTa1: true }).replace('IEA*1', 'IEA*2');
    await agreed({ strict: { segmentCount: 'NOTE' } }, async () => {
      const { interchangeId } = only(await town.send(raw));
      await interrupt(interchangeId);
      await town.partner();
      await town.server.runDue();
      const { status, sets: taken, answers } = await read(interchangeId);
      expect([status, taken.length]).toEqual(['ACCEPTED', 2]);
      expect(answers[0].content).toMatch(/TA1\*\d+\*\d+\*\d+\*E\*021~/);
      expect(answers[1].content).toMatch(/AK5\*A~[\s\S]*AK5\*A~[\s\S]*AK9\*A\*2\*2\*2~/);
    });
  });

  it('acknowledges the sets of an interrupted interchange as it has taken them, whatever the profile is now', async () => {
    const wrong = { CTT: 'CTT*4*25' };
    for (const [before, after, changes, codesOfSets, group] of [
      // The version is no longer agreed.
      [{ versions: ['004010VICS'] }, { versions: ['005010'] }, {}, ['A', 'A'], 'A*2*2*2'],
      // The first set was rejected for its wrong total, which is now only a note.
      [{ versions: ['004010'], strict: { hashTotal: 'ERROR' } }, {}, wrong, ['R', 'A'], 'P*2*2*1'],
      // A wrong total is now an error, but the first set is booked.
      [{}, { strict: { hashTotal: 'ERROR' } }, wrong, ['E', 'A'], 'E*2*2*2'],
    ] as const) {
      await agreed(before, async () => {
        control += 1;
        const sets = [asn(`OUT-${control}-1`, changes), asn(`OUT-${control}-2`)].map((set) => ['856', set] as const);
        const raw = file(sets, { number: control, version: '004010VICS' });
        const { interchangeId } = only(await town.send(raw));
        await interrupt(interchangeId);
        await town.partner(after);
        await town.server.runDue();
        const { sets: taken, answers } = await read(interchangeId);
        const rejected = codesOfSets.map((code) => (code === 'R' ? 'REJECTED_SYNTAX' : 'ACCEPTED'));
        expect(taken.map(({ outcome }: { outcome: string }) => outcome)).toEqual(rejected);
        const { content } = answers.at(-1);
        expect([...content.matchAll(/AK5\*(\w)/g)].map(([, code]) => code)).toEqual(codesOfSets);
        expect(content).toContain(`AK9*${group}`);
      });
    }
  });

  it('leaves an interchange with its partner, also if another profile has its ids now', async () => {
    const theirs = { qualifier: 'ZZ', id: 'RENAMED' };
    await town.partner({ theirs }, 'OLD');
    control += 1;
    const sets = [['856', asn('OLD-1')] as const, ['856', asn('OLD-2', { LIN: 'LIN*1*SK*NOTHING' })] as const];
    const first = only(await town.send(file(sets, { number: control, from: 'RENAMED' })));
    expect(first.status).toBe('PARTLY');
    for (const { interchangeId } of first.answers) {
      await town.operator('POST', `${EDI}/interchanges/${interchangeId}/taken`, {});
    }
    expect((await town.operator('DELETE', `${EDI}/partners/OLD`)).status).toBe(204);
    await town.partner({ theirs }, 'NEW');
    const again = () => town.operator('POST', `${EDI}/interchanges/${first.interchangeId}/reprocess`);
    expect(await again()).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await read(first.interchangeId)).partnerId).toBe('OLD');
    expect((await town.operator('DELETE', `${EDI}/partners/NEW`)).status).toBe(204);
    await town.partner({ theirs }, 'OLD');
    expect((await again()).body).toMatchObject({ status: 'PARTLY', partnerId: 'OLD' });
  });

  it('changes nothing if the profile changes at the same time', async () => {
    const { theirs } = PROFILE;
    control += 1;
    const raw = notice(asn('PROFILE'), { number: control, from: 'MEANWHILE' });
    const { interchangeId } = only(await town.send(raw));
    await town.partner({ theirs: { ...theirs, id: 'MEANWHILE' } }, 'MEANWHILE');
    const again = () => town.operator('POST', `${EDI}/interchanges/${interchangeId}/reprocess`);
    const { answer } = await town.store.write(async (db) => {
      await db
        .updateTable('edi_partners')
        .set((eb) => ({ revision: eb('revision', '+', 1) }))
        .where('partner_id', '=', 'MEANWHILE')
        .execute();
      // The request reads the profile before this transaction ends.
      const request = again();
      await untilBlocked(town.store);
      return { answer: request };
    });
    expect(await answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await read(interchangeId)).status).toBe('QUARANTINED');
    expect((await again()).body.status).toBe('ACCEPTED');
  });
});

describe('acknowledgments of the partner', () => {
  const advised = async (number: string) => {
    const advice = only(await send(asn(number, { SN1: 'SN1**0*EA' }))).answers[1];
    await town.operator('POST', `${EDI}/interchanges/${advice.interchangeId}/taken`, {});
    return { ...advice, group: /^GS\*AG\*.*\*(\d+)\*X\*/m.exec(advice.content)![1]! };
  };

  it('reject what was sent, or come late and still count', async () => {
    const [refused, late] = [await advised('REF1'), await advised('LATE1')];
    await send([`AK1*AG*${refused.group}`, 'AK9*R*1*1*0'], '997');
    expect((await read(refused.interchangeId)).status).toBe('REFUSED');
    town.clock.now += 86_400_000 + 1;
    await town.server.runDue();
    expect((await read(late.interchangeId)).status).toBe('OVERDUE');
    await send([`AK1*AG*${late.group}`, 'AK9*A*1*1*1'], '997');
    expect((await read(late.interchangeId)).status).toBe('ACKNOWLEDGED');
    // A second acknowledgment changes nothing, because the first one decides.
    await send([`AK1*AG*${late.group}`, 'AK9*R*1*1*0'], '997');
    expect((await read(late.interchangeId)).status).toBe('ACKNOWLEDGED');
  });

  it('can be written by hand as the page of the alert says, which ends the alert', async () => {
    const page = readFileSync(new URL('../../docs/alerts/BackroomEdiOverdue.md', import.meta.url), 'utf8');
    const written = /```text\n( *ISA.*?)```/s.exec(page)![1]!.replace(/^ +/gm, '');
    const vics = { versions: ['004010VICS'], answer: { ta1: 'ALWAYS' } };
    const late = await advised('HAND1');
    town.clock.now += 86_400_000 + 1;
    await town.server.runDue();
    expect((await read(late.interchangeId)).status).toBe('OVERDUE');
    const plain = written.replace('AK1*AG*12', `AK1*AG*${late.group}`);
    const inVersion = plain.replace('*004010~', '*004010VICS~');
    const clean = { status: 'ACCEPTED', findings: [], answers: [], sets: [{ findings: [] }] };
    expect(only(await town.send(plain, '?dryRun=true'))).toMatchObject(clean);
    await town.partner(vics);
    // The check of step 4 of the page fails without the profile of step 2, or if GS08 is not in `versions` of the profile
    // (step 3).
    expect(only(await town.send(inVersion, '?dryRun=true')).answers).toMatchObject([{ setId: 'TA1' }]);
    await town.partner({ ...vics, answer: { ta1: 'NEVER' }, take: ['856'] });
    expect(only(await town.send(inVersion, '?dryRun=true')).status).toBe('REJECTED');
    await town.partner({ ...vics, answer: { ta1: 'NEVER' } });
    expect(only(await town.send(plain, '?dryRun=true'))).not.toMatchObject(clean);
    expect(only(await town.send(inVersion, '?dryRun=true'))).toMatchObject(clean);
    expect((await read(late.interchangeId)).status).toBe('OVERDUE');
    expect(only(await town.send(inVersion))).toMatchObject(clean);
    expect((await read(late.interchangeId)).status).toBe('ACKNOWLEDGED');
    await town.partner();
  });

  it('of a test file can be written by hand as the page says, with T in ISA15', async () => {
    const page = readFileSync(new URL('../../docs/alerts/BackroomEdiOverdue.md', import.meta.url), 'utf8');
    const written = /```text\n( *ISA.*?)```/s.exec(page)![1]!.replace(/^ +/gm, '');
    control += 1;
    const tested = notice(asn('HAND-T', { SN1: 'SN1**0*EA' }), { number: control, usage: 'T' });
    const advice = only(await town.send(tested)).answers[1];
    await town.operator('POST', `${EDI}/interchanges/${advice.interchangeId}/taken`, {});
    town.clock.now += 86_400_000 + 1;
    await town.server.runDue();
    expect(await read(advice.interchangeId)).toMatchObject({ status: 'OVERDUE', usage: 'T' });
    const group = /^GS\*AG\*.*\*(\d+)\*X\*/m.exec(advice.content)![1]!;
    const own = written
      .replace('AK1*AG*12', `AK1*AG*${group}`)
      .replace('*P*>~', '*T*>~')
      .replaceAll('900000001', '900000002');
    const clean = { status: 'TESTED', findings: [], answers: [], sets: [{ findings: [] }] };
    expect(only(await town.send(own, '?dryRun=true'))).toMatchObject(clean);
    expect(only(await town.send(own))).toMatchObject(clean);
    expect((await read(advice.interchangeId)).status).toBe('ACKNOWLEDGED');
  });

  it('are no longer awaited after the profile was deleted', async () => {
    const own = await openEdi();
    await own.partner({ theirs: { qualifier: 'ZZ', id: 'GONE' }, answer: { ack: 'NONE' } }, 'GONE');
    const overdue = async (number: string, at: number) => {
      const raw = notice(asn(number, { SN1: 'SN1**0*EA' }), { number: at, from: 'GONE' });
      const { interchangeId } = only(await own.send(raw)).answers[0];
      await own.operator('POST', `${EDI}/interchanges/${interchangeId}/taken`, {});
      return async () => (await own.operator('GET', `${EDI}/interchanges/${interchangeId}`)).body;
    };
    const first = await overdue('GONE1', 1);
    own.clock.now += 86_400_000 + 1;
    await own.server.runDue();
    expect((await first()).status).toBe('OVERDUE');
    const second = await overdue('GONE2', 2);
    const removed = await own.operator('DELETE', `${EDI}/partners/GONE`);
    expect(removed.status, removed.text).toBe(204);
    own.clock.now += 86_400_000 + 1;
    await own.server.runDue();
    for (const one of [first, second]) {
      const body = await one();
      expect([body.status, body.dueAt]).toEqual(['TAKEN', undefined]);
    }
    expect((await ruleFindings(own.store)).filter(({ ok }) => !ok)).toEqual([]);
    await own.close();
  });

  it('remain if the interchange is recorded as fetched at the same time', async () => {
    const { interchangeId } = only(await send(asn('SAME1', { SN1: 'SN1**0*EA' }))).answers[1];
    const { taken } = await town.store.write(async (db) => {
      const values = { status: 'ACKNOWLEDGED', taken_at: town.clock.now, acknowledged_at: town.clock.now } as const;
      await db.updateTable('edi_interchanges').set(values).where('interchange_id', '=', interchangeId).execute();
      // The request reads the interchange before this transaction ends.
      const request = town.operator('POST', `${EDI}/interchanges/${interchangeId}/taken`, {});
      await untilBlocked(town.store);
      return { taken: request };
    });
    expect((await taken).body).toMatchObject({ status: 'ACKNOWLEDGED' });
    expect((await read(interchangeId)).status).toBe('ACKNOWLEDGED');
  });

  it('by a TA1 decide only where it rejects the interchange', async () => {
    const [rejected, taken] = [await advised('TA1-R'), await advised('TA1-A')];
    const isa = notice().split('\n', 1)[0]!;
    for (const [advice, code] of [
      [rejected, 'R'],
      [taken, 'A'],
    ] as const) {
      control += 1;
      const number = String(control).padStart(9, '0');
      const ta1 = `TA1*${advice.controlNumber}*261124*0930*${code}*${code === 'R' ? '022' : '000'}~`;
      await town.send(`${isa.replace('000000905', number)}\n${ta1}\nIEA*0*${number}~\n`);
    }
    expect((await read(rejected.interchangeId)).status).toBe('REFUSED');
    expect((await read(taken.interchangeId)).status).toBe('TAKEN');
  });

  it('change nothing if the profile does not take them', async () => {
    const own = await advised('NOT-TAKEN');
    const acknowledge = () => send([`AK1*AG*${own.group}`, 'AK9*R*1*1*0'], '997');
    const advise = () => send(['BGN*11*46*20261124***7', 'OTI*TR*SI*SHIP-NOT*****905*0001*856'], '824');
    const advices = async () =>
      (await town.operator('GET', '/operator/v1/events?clientId=TOWN&types=edi.rejected&limit=500')).body.events.filter(
        ({ data }: { data: { adviceOf?: string } }) => data.adviceOf === 'SHIP-NOT',
      ).length;
    await agreed({ take: ['856'] }, async () => {
      for (const one of [await acknowledge(), await advise()]) {
        expect(only(one)).toMatchObject({
          status: 'REJECTED',
          sets: [{ outcome: 'IGNORED', findings: [{ code: 'UNKNOWN_SET' }] }],
        });
      }
      expect([(await read(own.interchangeId)).status, await advices()]).toEqual(['TAKEN', 0]);
    });
    await acknowledge();
    await advise();
    expect([(await read(own.interchangeId)).status, await advices()]).toEqual(['REFUSED', 1]);
  });

  it('in a test file change nothing in production, and the other way round', async () => {
    const own = await advised('TEST-ACK');
    const acknowledge = async (usage: string, group: string, code: string) => {
      control += 1;
      const sets = [['997', [`AK1*AG*${group}`, `AK9*${code}*1*1*1`]]] as const;
      return codes(await town.send(file(sets, { number: control, usage })));
    };
    for (const code of ['R', 'A']) {
      expect(await acknowledge('T', own.group, code)).toEqual(['NOTE ACK_UNKNOWN']);
      expect((await read(own.interchangeId)).status).toBe('TAKEN');
    }
    control += 1;
    const [isa, ...rest] = file([], { number: control, usage: 'T' }).split('\n');
    const ta1 = `TA1*${own.controlNumber}*261124*0930*R*022~`;
    const rejected = only(await town.send([isa, ta1, ...rest].join('\n')));
    expect(rejected.findings).toMatchObject([{ code: 'ACK_UNKNOWN' }]);
    expect((await read(own.interchangeId)).status).toBe('TAKEN');
    expect(await acknowledge('P', own.group, 'A')).toEqual([]);
    expect((await read(own.interchangeId)).status).toBe('ACKNOWLEDGED');
    // A test file gets an 824. Only a 997 in a test file acknowledges this 824.
    control += 1;
    const tested = notice(asn('TEST-OWN', { SN1: 'SN1**0*EA' }), { number: control, usage: 'T' });
    const advice = only(await town.send(tested)).answers[1];
    await town.operator('POST', `${EDI}/interchanges/${advice.interchangeId}/taken`, {});
    const group = /^GS\*AG\*.*\*(\d+)\*X\*/m.exec(advice.content)![1]!;
    expect(await acknowledge('P', group, 'A')).toEqual(['NOTE ACK_UNKNOWN']);
    expect(await acknowledge('T', group, 'A')).toEqual([]);
    expect((await read(advice.interchangeId)).status).toBe('ACKNOWLEDGED');
  });

  it('by an 824 make an event and change nothing', async () => {
    const answer = only(await send(['BGN*11*44*20261124***7', 'OTI*TR*SI*SHIP-9*****905*0001*856'], '824'));
    expect(answer).toMatchObject({ status: 'ACCEPTED', sets: [{ outcome: 'IGNORED' }], answers: [] });
    const events = (await town.operator('GET', '/operator/v1/events?clientId=TOWN&types=edi.rejected&limit=500')).body
      .events;
    expect(events.map(({ data }: { data: { adviceOf?: string } }) => data.adviceOf)).toContain('SHIP-9');
  });
});

describe('access', () => {
  const post = (headers: Record<string, string>, raw: string | Buffer = notice()) =>
    town.call({ method: 'POST', path: `${EDI}/interchanges`, raw, headers });
  const x12 = { 'content-type': 'application/edi-x12' };

  it('is judged before the media type, the size and the form', async () => {
    expect((await post({ 'content-type': 'application/json' })).status).toBe(401);
    const narrow = await town.credential({ storeIds: ['TOWN_US'] });
    const denied = await town.send('{}', '', {}, narrow);
    expect([denied.status, denied.body.code]).toEqual([403, 'ACCESS_DENIED']);
    const { apiKey } = town.client.secrets;
    const large = Buffer.alloc(8 * 1024 * 1024 + 1, 0x20);
    expect((await post({ apikey: apiKey, 'content-type': 'application/json' }, large)).status).toBe(415);
    const tooLarge = await post({ apikey: apiKey, ...x12 }, large);
    expect([tooLarge.status, tooLarge.body.code]).toEqual([413, 'CONTENT_TOO_LARGE']);
  });

  it('is to the own client only: foreign and unknown interchanges and partners are the same 404', async () => {
    const { interchangeId } = only(await send(asn('OWN')));
    const elsewhere = '/operator/v1/clients/OTHER/edi';
    for (const path of [
      `interchanges/${interchangeId}`,
      `interchanges/${interchangeId}/content`,
      'interchanges/none',
      'partners/GREENVALLEY',
    ]) {
      expect((await town.operator('GET', `${elsewhere}/${path}`)).status, path).toBe(404);
      expect((await town.neighbour.get(`${elsewhere}/${path}`)).status, path).toBe(404);
      expect((await town.neighbour.get(`${EDI}/${path}`)).status, path).toBe(403);
    }
  });

  it('to what came is no taking: an IN cannot be taken', async () => {
    const { interchangeId } = only(await send(asn('TAKEIN')));
    const answer = await town.operator('POST', `${EDI}/interchanges/${interchangeId}/taken`, {});
    expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT']);
  });
});
