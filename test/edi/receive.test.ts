import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { changed, codes, EDI, type EdiTown, file, NOTICE, notice, only, openEdi } from './support.ts';

let town: EdiTown;
beforeAll(async () => {
  town = await openEdi();
});
afterAll(() => town.close());

describe('receiveEdi', () => {
  it('makes an ASN of an 856, with 201 and a 997 for its sender', async () => {
    const answer = await town.send(notice());
    expect(answer.status).toBe(201);
    const one = only(answer);
    expect(one).toMatchObject({
      direction: 'IN',
      status: 'ACCEPTED',
      partnerId: 'GREENVALLEY',
      controlNumber: '000000905',
      usage: 'P',
      findings: [],
      sets: [
        {
          position: 1,
          group: '9050',
          set: '0001',
          setId: '856',
          purpose: '00',
          number: 'SHIP1001',
          outcome: 'ACCEPTED',
          findings: [],
          findingsTotal: 0,
          resources: [{ type: 'ASN', number: 'SHIP1001', sellerId: 'TOWNS' }],
        },
      ],
      answers: [{ setId: '997', controlNumber: expect.stringMatching(/^\d{9}$/), status: 'WAITING' }],
    });
    expect(one.answers[0].content).toContain('AK9*A*1*1*1~');
    const shipment = await town.operator('GET', '/operator/v1/clients/TOWN/inbound/ASN/SHIP1001');
    const source = { interchangeId: one.interchangeId, partnerId: 'GREENVALLEY' };
    expect(shipment.body.edi).toEqual(source);
    const node = `/operator/v1/clients/TOWN/nodes/${shipment.body.nodeId}/inbound/ASN/SHIP1001`;
    expect((await town.operator('GET', node)).body.edi).toEqual(source);
    expect(await town.message('ASN', 'SHIP1001')).toEqual({
      asnData: [
        {
          header: {
            asnNumber: 'SHIP1001',
            shipmentNumber: 'PO-7001',
            receivingType: 'A',
            receivingWarehouseId: 'DC001',
            shipmentReceiptDate: '2026-11-30',
            shipperName: 'Green Valley',
            storeCode: '988',
          },
          details: {
            detail: [
              {
                asnNumber: 'SHIP1001',
                cartonId: '000123456789012343',
                clientItemId: 'MUG-WHT',
                itemCost: 3.75,
                lineNumber: '1',
                receivingWarehouseId: 'DC001',
                shippedQuantity: 24,
                trailerNumber: 'TRAILER7',
                detailExtendedAttributes: { extendedAttributes: [{ name: 'PONumber', value: 'PO-7001' }] },
              },
            ],
          },
        },
      ],
    });
  });

  it('gives the same bytes the same response with 200', async () => {
    const first = await town.send(
      notice(changed(NOTICE, { BSN: 'BSN*00*SHIP1002*20261124*0930*0001' }), { number: 906 }),
    );
    const again = await town.send(
      notice(changed(NOTICE, { BSN: 'BSN*00*SHIP1002*20261124*0930*0001' }), { number: 906 }),
    );
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
  });

  it('rejects a set by the rules with an 824', async () => {
    const wrong = changed(NOTICE, { BSN: 'BSN*00*SHIP1003*20261124*0930*0001', LIN: 'LIN*1*SK*NOTHING' });
    const answer = await town.send(notice(wrong, { number: 907 }));
    expect(codes(answer)).toContain('ERROR ITEM_NOT_FOUND');
    expect(only(answer).status).toBe('REJECTED');
    expect(only(answer).answers.map(({ setId }: { setId: string }) => setId)).toEqual(['997', '824']);
    expect(only(answer).answers[1].content).toContain('OTI*TR*SI*SHIP1003*****9070*0001*856~');
  });

  it('stores nothing in a dry run', async () => {
    const dry = await town.send(
      notice(changed(NOTICE, { BSN: 'BSN*00*SHIP1009*20261124*0930*0001' }), { number: 999 }),
      '?dryRun=true',
    );
    expect(dry.status).toBe(200);
    expect(dry.body).toMatchObject({ dryRun: true, interchanges: [{ status: 'ACCEPTED' }] });
    expect(dry.text).not.toContain('interchangeId');
    const list = await town.operator('GET', `${EDI}/interchanges?number=SHIP1009`);
    expect(list.body.interchanges).toEqual([]);
  });

  it('lists each file with its result, also tests', async () => {
    const outcomes = async (number: string) =>
      (await town.operator('GET', `${EDI}/interchanges?number=${number}&direction=IN`)).body.interchanges.map(
        ({ status, outcome }: { status: string; outcome?: string }) => [status, outcome],
      );
    const named = (number: string, changes: Record<string, string> = {}) =>
      changed(NOTICE, { BSN: `BSN*00*${number}*20261124*0930*0001`, ...changes });
    const sent = [
      [file([['856', named('OUT-1')]], { number: 921, usage: 'T' }), 'OUT-1', ['TESTED', 'ACCEPTED']],
      [
        file([['856', named('OUT-2', { LIN: 'LIN*1*SK*NOTHING' })]], { number: 922, usage: 'T' }),
        'OUT-2',
        ['TESTED', 'REJECTED'],
      ],
      [file([['856', named('OUT-3')]], { number: 923 }), 'OUT-3', ['ACCEPTED', 'ACCEPTED']],
      [
        file(
          [
            ['856', named('OUT-4')],
            ['856', named('OUT-5', { LIN: 'LIN*1*SK*NOTHING' })],
          ],
          { number: 924, usage: 'T' },
        ),
        'OUT-4',
        ['TESTED', 'PARTLY'],
      ],
      [
        file([['856', named('OUT-6', { BSN: 'BSN*05*OUT-6*20261124*0930*0001' })]], { number: 925 }),
        'OUT-6',
        ['ACCEPTED', 'ACCEPTED_WITH_FINDINGS'],
      ],
    ] as const;
    for (const [content, number, result] of sent) {
      await town.send(content);
      expect([number, await outcomes(number)]).toEqual([number, [result]]);
    }
    const { interchanges } = (await town.operator('GET', `${EDI}/interchanges?direction=OUT`)).body;
    expect(interchanges.some((one: { outcome?: string }) => one.outcome !== undefined)).toBe(false);
  });

  it('puts a file of an unknown sender into quarantine', async () => {
    const answer = await town.send(file([['856', NOTICE]], { from: 'STRANGER', number: 1 }));
    expect(only(answer)).toMatchObject({ status: 'QUARANTINED', sets: [], answers: [] });
  });

  describe('from another partner than the sender that it names', () => {
    const number = 'FORGED1';
    const raw = notice(changed(NOTICE, { BSN: `BSN*00*${number}*20261124*0930*0001`, MAN: 'MAN*GM*FORGED1' }), {
      number: 990,
    });
    const reprocess = (id: string) => town.operator('POST', `${EDI}/interchanges/${id}/reprocess`);

    it('is quarantined, and does not keep the right partner from sending the same bytes', async () => {
      await town.partner({ theirs: { qualifier: 'ZZ', id: 'HILLTOP' } }, 'HILLTOP');
      const answer = await town.send(raw, '?partnerId=HILLTOP');
      const forged = only(answer);
      expect([answer.status, forged.status, forged.answers]).toEqual([201, 'QUARANTINED', []]);
      expect(forged.partnerId).toBeUndefined();
      expect(forged.findings).toMatchObject([
        {
          code: 'NO_PARTNER',
          element: 6,
          message: 'The file was sent for partner HILLTOP, but has the ids of partner GREENVALLEY',
        },
      ]);
      const again = await town.send(raw, '?partnerId=HILLTOP');
      expect([again.status, only(again).interchangeId]).toEqual([200, forged.interchangeId]);
      const right = await town.send(raw, '?partnerId=GREENVALLEY');
      expect([right.status, only(right).status, only(right).partnerId]).toEqual([201, 'ACCEPTED', 'GREENVALLEY']);
      expect(only(await town.send(raw)).interchangeId).toBe(only(right).interchangeId);
      expect(only(await town.send(raw, '?partnerId=HILLTOP'))).toMatchObject({ status: 'QUARANTINED', answers: [] });
      const rejected = await reprocess(forged.interchangeId);
      expect(rejected.body).toMatchObject({ status: 'REJECTED', sets: [], answers: [] });
      expect(rejected.body.partnerId).toBeUndefined();
      expect((await reprocess(forged.interchangeId)).body).toMatchObject({ status: 'REJECTED' });
    });

    it('is not booked by a profile that is created later, but by that of its sender', async () => {
      const sent = file([['856', changed(NOTICE, { BSN: 'BSN*00*NEW1*20261124*0930*0001', MAN: 'MAN*GM*NEW1' })]], {
        from: 'LAKESIDE',
        number: 991,
      });
      const [forged, own] = [
        only(await town.send(sent, '?partnerId=HILLTOP')),
        only(await town.send(sent, '?partnerId=LAKESIDE')),
      ];
      expect([forged.status, own.status]).toEqual(['QUARANTINED', 'QUARANTINED']);
      await town.partner({ theirs: { qualifier: 'ZZ', id: 'LAKESIDE' } }, 'LAKESIDE');
      expect((await reprocess(forged.interchangeId)).body.status).toBe('REJECTED');
      expect((await reprocess(own.interchangeId)).body).toMatchObject({ status: 'ACCEPTED', partnerId: 'LAKESIDE' });
      const again = await town.send(sent, '?partnerId=LAKESIDE');
      expect([again.status, only(again).interchangeId]).toEqual([200, own.interchangeId]);
    });

    it('can end the quarantine of a file whose same bytes were accepted when its profile existed', async () => {
      const sent = file([['856', changed(NOTICE, { BSN: 'BSN*00*NEW2*20261124*0930*0001', MAN: 'MAN*GM*NEW2' })]], {
        from: 'SEASIDE',
        number: 993,
      });
      const first = only(await town.send(sent, '?partnerId=SEASIDE'));
      expect(first.status).toBe('QUARANTINED');
      await town.partner({ theirs: { qualifier: 'ZZ', id: 'SEASIDE' } }, 'SEASIDE');
      const second = only(await town.send(sent, '?partnerId=SEASIDE'));
      expect(second).toMatchObject({ status: 'ACCEPTED', partnerId: 'SEASIDE' });
      const ended = await reprocess(first.interchangeId);
      expect([ended.status, ended.body.status]).toEqual([200, 'REJECTED']);
      expect(ended.body.findings).toMatchObject([
        { message: `The service has the same bytes already, as interchange ${second.interchangeId}` },
      ]);
      const { total } = (await town.operator('GET', `${EDI}/interchanges?number=NEW2`)).body;
      expect(total ?? 1).toBe(1);
      expect((await reprocess(first.interchangeId)).status).toBe(409);
    });

    it('is taken if only the usage of its profile is another one', async () => {
      await town.partner({ usage: 'T' }, 'GREENVALLEY-T');
      const test = file([['856', NOTICE]], { number: 994, usage: 'T' });
      const taken = only(await town.send(test, '?partnerId=GREENVALLEY'));
      expect(taken).toMatchObject({ status: 'TESTED', partnerId: 'GREENVALLEY-T' });
      expect(only(await town.send(test)).interchangeId).toBe(taken.interchangeId);
      await town.operator('DELETE', `${EDI}/partners/GREENVALLEY-T`);
    });

    it.each([1, 2, 3])('is found again once it is accepted, if its profile is created after read %i', async (at) => {
      const [number, id] = [`RACE${at}`, `RACE-${at}`];
      const set = changed(NOTICE, { BSN: `BSN*00*${number}*20261124*0930*0001`, MAN: `MAN*GM*${number}` });
      const sent = file([['856', set]], { from: id, number: 1000 + at });
      const read = town.store.read.bind(town.store);
      let count = 0;
      const spy = vi.spyOn(town.store, 'read').mockImplementation(async (...args) => {
        const made = await read(...args);
        count += 1;
        if (count === at) await town.partner({ theirs: { qualifier: 'ZZ', id } }, id);
        return made;
      });
      const first = only(await town.send(sent, `?partnerId=${id}`));
      spy.mockRestore();
      if (count < at) await town.partner({ theirs: { qualifier: 'ZZ', id } }, id);
      if (first.status === 'QUARANTINED') await reprocess(first.interchangeId);
      const again = await town.send(sent, `?partnerId=${id}`);
      expect(only(again)).toMatchObject({ status: 'ACCEPTED', interchangeId: first.interchangeId });
    });

    it('is reported in a dry run', async () => {
      const other = notice(NOTICE, { number: 992 });
      const answer = await town.send(other, '?partnerId=HILLTOP&dryRun=true');
      expect(only(answer).status).toBe('QUARANTINED');
    });
  });

  it.each(['runs', 'gets the same bytes'])(
    'returns a file to quarantine that 0.5.0 left TAKING without a partner, when the service %s',
    async (when) => {
      const number = when === 'runs' ? 2 : 3;
      const raw = file([['856', NOTICE]], { from: 'STRANGER', number });
      const { interchangeId } = only(await town.send(raw));
      await town.store.write((db) =>
        db
          .updateTable('edi_interchanges')
          .set({ status: 'TAKING', due_at: town.clock.now })
          .where('interchange_id', '=', interchangeId)
          .execute(),
      );
      town.clock.now += 60_000;
      if (when === 'runs') await town.server.runDue();
      const again = await town.send(raw);
      expect([again.status, only(again).status]).toEqual([200, 'QUARANTINED']);
      const [row] = await town.store.read((db) =>
        db.selectFrom('edi_interchanges').select('due_at').where('interchange_id', '=', interchangeId).execute(),
      );
      expect(row!.due_at).toBeNull();
    },
  );
});

describe('listEdiInterchanges', () => {
  it('finds the TA1s that wait for partners', async () => {
    const raw = notice(changed(NOTICE, { BSN: 'BSN*00*TA1-1*20261124*0930*0001' }), { number: 981, asksTa1: true });
    const [ta1] = only(await town.send(raw)).answers;
    expect(ta1.setId).toBe('TA1');
    const { interchanges } = (await town.operator('GET', `${EDI}/interchanges?setId=TA1`)).body;
    expect(interchanges).toMatchObject([{ interchangeId: ta1.interchangeId, direction: 'OUT', setIds: ['TA1'] }]);
  });
});

describe('a file that takes long', () => {
  const named = (number: string) =>
    changed(NOTICE, { BSN: `BSN*00*${number}*20261124*0930*0001`, 'MAN*': `MAN*CP*${number}` });
  const stored = (number: string) =>
    town.store.read((db) =>
      db.selectFrom('edi_interchanges').selectAll().where('control_number', '=', number).executeTakeFirstOrThrow(),
    );
  /** Runs `before` before each transaction of the service. */
  async function between<T>(before: (count: number) => Promise<void>, work: () => Promise<T>): Promise<T> {
    const write = town.store.write.bind(town.store);
    let count = 0;
    const spy = vi.spyOn(town.store, 'write').mockImplementation(async (...args) => {
      count += 1;
      await before(count);
      return await write(...args);
    });
    try {
      return await work();
    } finally {
      spy.mockRestore();
    }
  }

  it('is not due for another process while its request takes its sets', async () => {
    const sets = ['LONG-1', 'LONG-2', 'LONG-3'].map((number) => ['856', named(number)] as const);
    const idle: number[] = [];
    const answer = await between(
      async (count) => {
        if (count > 1) idle.push((await stored('000000971')).due_at! - town.clock.now);
        town.clock.now += 4_000;
      },
      () => town.send(file(sets, { number: 971 })),
    );
    expect(only(answer).status).toBe('ACCEPTED');
    expect(Math.min(...idle.slice(0, 4))).toBeGreaterThan(55_000);
  });

  it('does nothing for a set that another process has taken, and is 409 IN_PROGRESS', async () => {
    const raw = notice(named('TAKEN-1'), { number: 972 });
    const answer = await between(
      async (count) => {
        if (count !== 2) return;
        const { client_id, interchange_id } = await stored('000000972');
        const names = { group_number: '9720', set_number: '0001', set_id: '856', purpose: '00', number: 'TAKEN-1' };
        const found = { outcome: 'ACCEPTED', findings: '[]', findings_total: '0', resources: '[]' } as const;
        await town.store.write((db) =>
          db
            .insertInto('edi_sets')
            .values({ client_id, interchange_id, position: 1, ...names, ...(found as object) } as never)
            .execute(),
        );
      },
      () => town.send(raw),
    );
    expect([answer.status, answer.body.code]).toEqual([409, 'IN_PROGRESS']);
    expect(await town.message('ASN', 'TAKEN-1')).toBeUndefined();
    town.clock.now += 6_000;
    expect(only(await town.send(raw)).status).toBe('ACCEPTED');
  });
});
