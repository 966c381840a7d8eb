import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { add as edi } from '../../src/service/cli/edi.ts';
import { perform } from '../cli/in-process.ts';
import { OPERATOR_KEY } from '../support/backroom.ts';
import { changed, EDI, type EdiTown, NOTICE, notice, only, openEdi, PROFILE } from './support.ts';

let town: EdiTown;
beforeAll(async () => {
  town = await openEdi({ neighbours: true });
});
afterAll(() => town.close());

const PATH = `${EDI}/partners/HILLTOP`;
const HILLTOP = { ...PROFILE, theirs: { qualifier: 'ZZ', id: 'HILLTOP' } };

describe('EDI partners', () => {
  it('skip control numbers on command, and 1 follows the largest number', async () => {
    await town.partner({ ours: { qualifier: '12', id: '4085550099' } }, 'LAST');
    await town.store.write((tx) =>
      tx
        .updateTable('edi_partners')
        .set({ out_interchange: 410, out_group: 999_999_998 })
        .where('partner_id', '=', 'LAST')
        .execute(),
    );
    const skip = async (...by: string[]) =>
      await perform(edi, { DATABASE_URL: town.store.url, BACKROOM_SECRET: 'ab'.repeat(32) }, [
        'edi',
        'skip-numbers',
        ...by,
      ]);
    expect(await skip('--by', '1')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('TOWN\tLAST\tlast interchange 411, last group 999999999\n'),
    });
    expect(await skip()).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('TOWN\tLAST\tlast interchange 1411, last group 1000\n'),
    });
    await town.operator('DELETE', `${EDI}/partners/LAST`);
  });

  it('are shown with every default, and stay as they are when that is sent back', async () => {
    const made = await town.operator('PUT', PATH, HILLTOP);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      partnerId: 'HILLTOP',
      theirs: { qualifier: 'ZZ', id: 'HILLTOP', group: 'HILLTOP' },
      versions: ['004010'],
      take: ['856', '850', '860', '997', '824'],
      mayReplace: true,
      numberDays: 365,
      answer: { ack: '997', ta1: 'ON_ERROR', advice: true, receipt: 'OWN', byCarton: true, ackHours: 24 },
      write: {
        element: '*',
        component: '>',
        repetition: '^',
        segment: '~',
        newline: true,
        version: '004010',
        braType: '2',
      },
      number: 'BSN02',
      noPack: 'ONE_CARTON',
      cartonQualifiers: ['GM', 'AA', 'CP'],
      units: {},
      dates: ['017', '067', '371'],
      days: 3,
      strict: { segmentCount: 'ERROR', controlNumbers: 'ERROR', isaWidths: 'NOTE', hashTotal: 'NOTE' },
      revision: 1,
    });
    const again = await town.operator('PUT', PATH, made.body);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(made.body);
    const changed = await town.operator('PUT', PATH, { ...HILLTOP, days: 5 });
    expect(changed.body).toMatchObject({ days: 5, revision: 2 });
    expect((await town.operator('GET', `${EDI}/partners?limit=1`)).body).toMatchObject({
      partners: [{ partnerId: 'GREENVALLEY' }],
      next: 'GREENVALLEY',
    });
  });

  it('have ids that no other partner of the client has', async () => {
    const taken = await town.operator('PUT', `${EDI}/partners/COPY`, PROFILE);
    expect([taken.status, taken.body.code, taken.body.partnerId]).toEqual([409, 'IDS_TAKEN', 'GREENVALLEY']);
    expect((await town.operator('PUT', `${EDI}/partners/COPY`, { ...PROFILE, usage: 'T' })).status).toBe(201);
  });

  it.each([
    ['an unknown seller', { sellerId: 'NOBODY' }, '/sellerId'],
    ['delimiters that are equal', { write: { element: '~' } }, '/write/segment'],
    ['a delimiter that is a letter', { write: { element: 'x' } }, '/write/element'],
    ['numberDays above 3650', { numberDays: 3651 }, '/numberDays'],
    ['days above 365', { days: 366 }, '/days'],
    ['ackHours below 1', { answer: { ackHours: 0 } }, '/answer/ackHours'],
    ['a set that is not read', { take: ['810'] }, '/take/0'],
  ])('are rejected with %s', async (_what, fields, pointer) => {
    const answer = await town.operator('PUT', PATH, { ...HILLTOP, ...fields });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  it('have an id of letters, digits, periods, underscores and hyphens', async () => {
    expect((await town.operator('PUT', `${EDI}/partners/a%20b`, HILLTOP)).status).toBe(400);
    expect((await town.operator('PUT', `${EDI}/partners/${'x'.repeat(31)}`, HILLTOP)).status).toBe(400);
  });

  it('have no id that clients remove from a path', async () => {
    // `inject` also removes `.` and `..` from a path, so the requests go through a socket.
    const { port } = new URL(await town.server.listen(0));
    const headers = { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' };
    for (const id of ['%2E', '%2E%2E']) {
      const sent = request({ port, path: `${EDI}/partners/${id}`, method: 'PUT', headers });
      sent.end(JSON.stringify(HILLTOP));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const { errors } = JSON.parse(await text(response)) as { errors: unknown };
      const wrong = expect.objectContaining({ pointer: 'path:partnerId', rule: 'format' });
      expect([response.statusCode, errors]).toEqual([400, [wrong]]);
    }
  });

  it('cannot be deleted while something waits for them, and keep their interchanges', async () => {
    await town.send(notice(undefined, { number: 77 }));
    const waiting = await town.operator('DELETE', `${EDI}/partners/GREENVALLEY`);
    expect([waiting.status, waiting.body.code]).toEqual([409, 'WAITING']);
    const list = await town.operator('GET', `${EDI}/interchanges?direction=OUT&status=WAITING&partnerId=GREENVALLEY`);
    expect(list.body.interchanges).toHaveLength(waiting.body.waiting);
    for (const { interchangeId } of list.body.interchanges) {
      await town.operator('POST', `${EDI}/interchanges/${interchangeId}/taken`, {});
    }
    expect((await town.operator('DELETE', `${EDI}/partners/GREENVALLEY`)).status).toBe(204);
    expect((await town.operator('DELETE', `${EDI}/partners/GREENVALLEY`)).status).toBe(404);
    const kept = await town.operator('GET', `${EDI}/interchanges?partnerId=GREENVALLEY`);
    expect(kept.body.interchanges.length).toBeGreaterThan(0);
    expect((await town.partner()).status).toBe(201);
  });

  it('cannot be deleted while the service takes a file of theirs, which is then booked', async () => {
    const own = await openEdi();
    await own.partner({ theirs: { qualifier: 'ZZ', id: 'CUT' }, answer: { ack: 'NONE' } }, 'CUT');
    const { interchangeId } = only(await own.send(notice(undefined, { from: 'CUT' })));
    // The state after a crash: the bytes are stored, the sets are not.
    await own.store.write(async (db) => {
      await db.deleteFrom('edi_sets').where('interchange_id', '=', interchangeId).execute();
      await db
        .updateTable('edi_interchanges')
        .set({ status: 'TAKING', answers: null, due_at: own.clock.now + 60_000 })
        .where('interchange_id', '=', interchangeId)
        .execute();
    });
    const rejected = await own.operator('DELETE', `${EDI}/partners/CUT`);
    expect([rejected.status, rejected.body.code, rejected.headers['retry-after']]).toEqual([409, 'IN_PROGRESS', '60']);
    own.clock.now += 60_000;
    await own.server.runDue();
    const { body } = await own.operator('GET', `${EDI}/interchanges/${interchangeId}`);
    expect([body.status, body.sets[0].resources]).toMatchObject(['ACCEPTED', [{ number: 'SHIP1001' }]]);
    expect((await own.operator('DELETE', `${EDI}/partners/CUT`)).status).toBe(204);
    await own.close();
  });

  it('go on with their control numbers when they are created again after their deletion', async () => {
    const own = await openEdi();
    await own.partner({ theirs: { qualifier: 'ZZ', id: 'AGAIN' } }, 'AGAIN');
    const send = async (number: number, asn: string) => {
      const segments = changed(NOTICE, { BSN: `BSN*00*${asn}*20261124*0930*0001`, MAN: `MAN*GM*${asn}` });
      const answer = await own.send(notice(segments, { number, from: 'AGAIN' }), '', { accept: 'application/edi-x12' });
      return [/^ISA(?:[^*]*\*){13}(\d{9})/m.exec(answer.text)?.[1], /^GS.*\*(\d+)\*X/m.exec(answer.text)?.[1]];
    };
    expect(await send(1, 'AGAIN1')).toEqual(['000000001', '1']);
    expect((await own.operator('DELETE', `${EDI}/partners/AGAIN`)).status).toBe(204);
    await own.partner({ theirs: { qualifier: 'ZZ', id: 'AGAIN' } }, 'AGAIN');
    expect(await send(2, 'AGAIN2')).toEqual(['000000002', '2']);
    await own.close();
  });

  it('belong to one client', async () => {
    const { headers } = town.neighbour;
    const foreign = await town.call({ method: 'GET', path: PATH, headers });
    expect(foreign.status).toBe(403);
    const own = await town.call({ method: 'GET', path: PATH.replace('TOWN', 'OTHER'), headers });
    expect(own.status).toBe(404);
    const narrow = await town.credential({ nodeIds: ['TOWN-DC001'] });
    expect((await narrow.get(PATH)).status).toBe(403);
    const others = await town.credential({ groups: ['items'] });
    expect((await others.get(PATH)).status).toBe(403);
  });
});
