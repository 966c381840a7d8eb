import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/platform/time.ts';
import { judge } from '../../src/platform/x12/check.ts';
import { readBody } from '../../src/platform/x12/tokens.ts';
import { ediStatements } from '../../src/service/edi/statements.ts';
import { sscc } from '../support/sscc.ts';
import { changed, EDI, type EdiTown, file, NOTICE, notice, ORDER, openEdi, PROFILE } from './support.ts';

const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound';

let town: EdiTown;
let last = 6000;
beforeAll(async () => {
  town = await openEdi();
  await town.server.runDue();
});
afterAll(() => town.close());

/** Announces an ASN by EDI with its own carton; returns the id of the carton. */
async function announce(number: string, changes: Record<string, string> = {}): Promise<string> {
  last += 1;
  const carton = `CARTON-${number}`;
  const segments = changed(NOTICE, { BSN: `BSN*00*${number}*20261124*0930*0001`, MAN: `MAN*GM*${carton}`, ...changes });
  const answer = await town.send(notice(segments, { number: last }));
  expect(answer.body.interchanges[0].sets[0].outcome, answer.text).toBe('ACCEPTED');
  return carton;
}

let ids = 0;
async function post(path: string, body: object) {
  const answer = await town.client.post(`${NODE}/${path}`, { userId: 'lee', ...body });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
}
const receive = (number: string, line: object, type = 'ASN') =>
  post(`${type}/${number}/receipts`, { receiptId: `edi-r-${++ids}`, lines: [line] });
const close = (number: string, type = 'ASN') =>
  post(`${type}/${number}/close`, { closeId: `edi-c-${++ids}`, reasons: [{ reason: 'LOST' }] });

interface Shown {
  interchangeId: string;
  status: string;
  receipt?: object;
  setIds: string[];
}
async function advices(number: string): Promise<Shown[]> {
  await town.server.runDue();
  const list = await town.operator('GET', `${EDI}/interchanges?direction=OUT&setId=861&number=${number}`);
  return list.body.interchanges;
}
const contentOf = async ({ interchangeId }: Shown) =>
  (await town.operator('GET', `${EDI}/interchanges/${interchangeId}/content`)).text;
/** Returns the segments of a stored file that these tests compare, without terminators. */
const segmentsOf = async (shown: Shown) =>
  (await contentOf(shown)).split('~\n').filter((line) => /^(BRA|REF|DTM|RCD|LIN|MAN|CTT)/.test(line));

describe('an 861', () => {
  it('tells the partner what arrived of its ASN, once', async () => {
    const cartonId = await announce('ADV1');
    await receive('ADV1', { cartonId, itemId: '21-MUG-WHT', good: 20, damaged: 2, reason: 'BROKEN' });
    await close('ADV1');
    const [advice, ...others] = await advices('ADV1');
    expect(others).toEqual([]);
    expect(advice).toMatchObject({
      status: 'WAITING',
      receipt: { type: 'ASN', number: 'ADV1', sellerId: 'TOWNS', version: 1 },
    });
    expect(await segmentsOf(advice!)).toEqual([
      'BRA*ADV1*20260302*00*2',
      'REF*SI*ADV1',
      'DTM*050*20260302',
      'RCD*1*22*EA***2*EA*01*2*EA*02',
      'LIN**SK*MUG-WHT',
      `MAN*GM*${cartonId}`,
      'CTT*1',
    ]);
    expect(await advices('ADV1')).toHaveLength(1);
    expect((await town.operator('GET', `${EDI}/interchanges/${advice!.interchangeId}`)).body.sets).toMatchObject([
      { setId: '861', number: 'ADV1' },
    ]);
  });

  it('has the day of the close at the node, also late in the evening', async () => {
    const before = town.clock.now;
    const cartonId = await announce('ADVDAY');
    // 23:30 on March 2 in America/New_York.
    town.clock.now = Date.parse('2026-03-03T04:30:00Z');
    await receive('ADVDAY', { cartonId, itemId: '21-MUG-WHT', good: 24 });
    await close('ADVDAY');
    const [advice] = await advices('ADVDAY');
    expect(await segmentsOf(advice!)).toEqual(expect.arrayContaining(['BRA*ADVDAY*20260302*00*2', 'DTM*050*20260302']));
    town.clock.now = before;
  });

  it('replaces the one before it after a second close, with whole sums', async () => {
    const cartonId = await announce('ADV2');
    await receive('ADV2', { cartonId, itemId: '21-MUG-WHT', good: 10 });
    await close('ADV2');
    await post('ASN/ADV2/reopen', { reason: 'IT CAME' });
    await receive('ADV2', { cartonId, itemId: '21-MUG-WHT', good: 14 });
    await close('ADV2');
    const [first, second] = await advices('ADV2');
    expect(await segmentsOf(first!)).toContain('RCD*1*10*EA***14*EA*02');
    expect(await segmentsOf(second!)).toEqual(expect.arrayContaining(['BRA*ADV2*20260302*05*2', 'RCD*1*24*EA']));
  });

  it('has the number of a PO, and no carton', async () => {
    last += 1;
    await town.send(file([['850', changed(ORDER, { BEG: 'BEG*00*SA*PO-861**20261120' })]], { number: last }));
    await receive('PO-861', { itemId: '21-MUG-WHT', good: 24 }, 'PO');
    await close('PO-861', 'PO');
    const [advice] = await advices('PO-861');
    expect(await segmentsOf(advice!)).toEqual([
      'BRA*PO-861*20260302*00*2',
      'REF*PO*PO-861',
      'DTM*050*20260302',
      'RCD*1*24*EA',
      'LIN**SK*MUG-WHT',
      'CTT*1',
    ]);
  });

  it('of a PO does not report units as missing that its ASN brought', async () => {
    last += 1;
    await town.send(file([['850', changed(ORDER, { BEG: 'BEG*00*SA*PO-862**20261120' })]], { number: last }));
    const cartonId = await announce('ADV-862', { PRF: 'PRF*PO-862' });
    await receive('ADV-862', { cartonId, itemId: '21-MUG-WHT', good: 20 });
    await close('ADV-862');
    await close('PO-862', 'PO');
    const [advice] = await advices('PO-862');
    expect(await segmentsOf(advice!)).toContain('RCD*1*0*EA***4*EA*02');
  });

  it('has days of six digits, and the century, in a version before 004010', async () => {
    await town.partner({ write: { version: '003040' } });
    await announce('ADV3040');
    await close('ADV3040');
    const [advice] = await advices('ADV3040');
    await town.partner();
    expect(await contentOf(advice!)).toMatch(/^GS\*RC\*.*\*260302\*.*\*003040~/m);
    const segments = await segmentsOf(advice!);
    expect([segments[0], segments[2]]).toEqual(['BRA*ADV3040*260302*00*2', 'DTM*050*260302***20']);
  });

  it.each([['004010'], ['003040']])('is read by this service without an error, in version %s', async (version) => {
    await town.partner({ write: { version } });
    await announce(`ADV${version}`, { MAN: `MAN*GM*${sscc(Number(version))}` });
    await close(`ADV${version}`);
    const [advice] = await advices(`ADV${version}`);
    await town.partner();
    const body = await readBody(Buffer.from(await contentOf(advice!)));
    const judged = await judge('interchanges' in body ? body.interchanges[0]! : expect.fail('no envelope'), {
      strict: {},
    });
    const found = [
      judged.findings,
      ...judged.groups.flatMap(({ findings, sets }) => [findings, ...sets.map((set) => set.findings)]),
    ];
    expect(found.flat()).toEqual([]);
  });

  it('is not written for a shipment that came as JSON, unless the partner gets those of its seller', async () => {
    const message = (await town.message('ASN', 'ADV1')) as { asnData: { header: { asnNumber: string } }[] };
    const again = (number: string) => JSON.parse(JSON.stringify(message).replaceAll('ADV1', number)) as object;
    const json = async (number: string) => {
      const sent = await town.client.post('/poasn-manager-service/sellers/TOWNS/poasn/create', again(number));
      expect(sent.status, sent.text).toBeLessThan(300);
      await close(number);
    };
    await json('JSON1');
    expect(await advices('JSON1')).toEqual([]);
    await town.partner({ answer: { receipt: 'ALL' } });
    await json('JSON2');
    expect(await advices('JSON2')).toHaveLength(1);
    await town.partner({ answer: { receipt: 'NONE' } });
    await json('JSON3');
    expect(await advices('JSON3')).toEqual([]);
    await town.partner();
  });

  it('is written with ALL also for the shipments that the partner announced for another seller', async () => {
    const store = { name: 'Outlet', catalogId: '21', sellerId: 'OUTLET', storeCode: '988', currency: 'USD' };
    expect((await town.operator('PUT', '/operator/v1/clients/TOWN/stores/TOWN_OUTLET', store)).status).toBe(201);
    const outlet = { ...PROFILE.locations[0]!, code: '005', sellerId: 'OUTLET' };
    await town.partner({ locations: [...PROFILE.locations, outlet], answer: { receipt: 'ALL' } });
    await announce('OUTLET1', { 'N1*ST': 'N1*ST*Outlet*92*005' });
    await close('OUTLET1');
    expect(await advices('OUTLET1')).toHaveLength(1);
    await town.partner();
  });

  it('is due to be acknowledged after it was taken, and is overdue without an acknowledgment', async () => {
    await announce('ADV4');
    await close('ADV4');
    const [advice] = await advices('ADV4');
    const path = `${EDI}/interchanges/${advice!.interchangeId}`;
    const taken = await town.operator('POST', `${path}/taken`, {});
    expect(taken.body).toMatchObject({ status: 'TAKEN', dueAt: expect.any(String) });
    town.clock.now += DAY_MS + 1;
    await town.server.runDue();
    expect((await town.operator('GET', path)).body.status).toBe('OVERDUE');
    const group = /^GS\*RC\*.*\*(\d+)\*X\*/m.exec(await contentOf(advice!))![1]!;
    last += 1;
    await town.send(file([['997', [`AK1*RC*${group}`, 'AK9*A*1*1*1']]], { number: last }));
    expect((await town.operator('GET', path)).body.status).toBe('ACKNOWLEDGED');
  });

  it('is due to the partners whose position is before the newest close, and to no other', async () => {
    await town.partner({ theirs: { qualifier: 'ZZ', id: 'BLUEHILL' } }, 'BLUEHILL');
    await announce('ADV9');
    await close('ADV9');
    await town.server.runDue();
    const due = () => town.store.read((db) => ediStatements.due(db, town.clock.now, 9, undefined as never));
    expect(await due()).toEqual([]);
    await town.store.write(async (tx) => {
      const closes = tx.selectFrom('events').where('client_id', '=', 'TOWN').where('type', '=', 'inbound.closed');
      const { position } = await closes.select('position').orderBy('position', 'desc').executeTakeFirstOrThrow();
      const move = (partnerId: string, to: number) =>
        tx
          .updateTable('edi_partners')
          .set({ feed_position: to })
          .where('client_id', '=', 'TOWN')
          .where('partner_id', '=', partnerId)
          .execute();
      await move('GREENVALLEY', position! - 1);
      await move('BLUEHILL', position!);
    });
    expect((await due()).map(({ id }) => id)).toEqual(['GREENVALLEY']);
    await town.server.runDue();
    expect(await due()).toEqual([]);
  });
});

describe('a number that is used again after its shipment was deleted', () => {
  it('gets an 861 of its own', async () => {
    const own = await openEdi({ env: { SHIPMENT_DAYS: '30' } });
    await own.server.runDue();
    const posts = async (path: string, body: object) => {
      const answer = await own.client.post(`${NODE}/ASN/AGAIN/${path}`, { userId: 'lee', ...body });
      expect(answer.status, answer.text).toBeLessThan(300);
    };
    const announceAndClose = async (control: number) => {
      const segments = changed(NOTICE, { BSN: 'BSN*00*AGAIN*20261124*0930*0001' });
      const sent = await own.send(notice(segments, { number: control }));
      expect(sent.body.interchanges[0].sets[0]).toMatchObject({ outcome: 'ACCEPTED', findings: [] });
      await posts('close', { closeId: `c-${control}`, reasons: [{ reason: 'LOST' }] });
      await own.server.runDue();
      return (await own.operator('GET', `${EDI}/interchanges?direction=OUT&setId=861&number=AGAIN`)).body.interchanges;
    };
    expect(await announceAndClose(1)).toHaveLength(1);
    await own.store.write((db) =>
      // Version 0.5.0 stored the statement without the id of the message.
      db
        .updateTable('edi_interchanges')
        .set({ statement: JSON.stringify(['ASN', 'AGAIN', 'TOWNS', 1]) })
        .where('statement', 'is not', null)
        .execute(),
    );
    own.clock.now += 31 * DAY_MS;
    await own.server.runDue();
    const advices = await announceAndClose(2);
    expect(advices.map(({ receipt }: Shown) => receipt)).toEqual([
      expect.objectContaining({ version: 1 }),
      expect.objectContaining({ version: 1 }),
    ]);
    await own.server.runDue();
    await own.close();
  });
});

describe('interchanges', () => {
  it.each([
    ['after', '60'],
    ['before', '10'],
  ])(
    'are deleted after EDI_DAYS unless they wait for somebody; their ASNs stay; events are deleted %s them',
    async (_when, EVENT_DAYS) => {
      const own = await openEdi({ env: { EDI_DAYS: '30', EVENT_DAYS } });
      const done = await own.send(notice(), '', { accept: 'application/edi-x12' });
      expect(done.status).toBe(201);
      const later = changed(NOTICE, { BSN: 'BSN*00*LATER*20261124*0930*0001', MAN: 'MAN*GM*X' });
      const waiting = await own.send(notice(later, { number: 77 }));
      const strange = await own.send(notice(NOTICE, { number: 78, from: 'STRANGER' }));
      const left = async () =>
        (
          await own.operator('GET', `${EDI}/interchanges?from=2026-03-02T12:00:00Z&to=2026-03-02T12:00:00Z`)
        ).body.interchanges
          .map(({ status }: Shown) => status)
          .sort();
      expect(await left()).toEqual(['ACCEPTED', 'ACCEPTED', 'QUARANTINED', 'TAKEN', 'WAITING']);
      for (let days = 0; days < 31; days += 1) {
        own.clock.now += DAY_MS;
        await own.server.runDue();
      }
      expect(await left()).toEqual(['QUARANTINED', 'WAITING']);
      expect(strange.status).toBe(201);
      const { answers } = waiting.body.interchanges[0];
      expect((await own.operator('GET', `${EDI}/interchanges/${answers[0].interchangeId}`)).status).toBe(200);
      expect(await own.message('ASN', 'SHIP1001')).toBeDefined();
      for (let days = 0; days < 31; days += 1) {
        own.clock.now += DAY_MS;
        await own.server.runDue();
      }
      const [kept, numbered] = await own.store.read(async (db) => [
        await db.selectFrom('edi_interchanges').select('interchange_id as id').execute(),
        await db
          .selectFrom('event_sequences')
          .select('resource_id as id')
          .where('resource_type', '=', 'ediInterchange')
          .execute(),
      ]);
      expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining(numbered.map(({ id }) => id)));
      await own.close();
    },
  );

  it('do not hold old events for ever', async () => {
    const own = await openEdi({ env: { EVENT_DAYS: '10' } });
    for (let days = 0; days < 14; days += 1) {
      own.clock.now += DAY_MS;
      await own.server.runDue();
    }
    const oldest = await own.store.read((db) =>
      db
        .selectFrom('events')
        .select('at')
        .where('client_id', '=', 'TOWN')
        .orderBy('position')
        .limit(1)
        .executeTakeFirstOrThrow(),
    );
    expect(own.clock.now - oldest.at).toBeLessThan(12 * DAY_MS);
    await own.close();
  });
});
