import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from '../../proof/doctor/cases.ts';
import { FREE } from '../../proof/doctor/free.ts';
import type { Reader, Writer } from '../../src/platform/storage/db.ts';
import { ruleFinding } from '../../src/service/cli/doctor.ts';
import { RULES } from '../../src/service/cli/doctor-rules.ts';
import { changed, EDI, type EdiTown, file, NOTICE, notice, openEdi } from '../edi/support.ts';

const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound';
let town: EdiTown;
beforeAll(async () => {
  town = await openEdi();
  const asn = (number: string, more: Record<string, string> = {}) =>
    changed(NOTICE, { BSN: `BSN*00*${number}*20261124*0930*0001`, MAN: `MAN*GM*${number}`, ...more });
  await town.send(notice(asn('D1'), { number: 1, asksTa1: true }), '', { accept: 'application/edi-x12' });
  await town.send(
    file(
      [
        ['856', asn('D2')],
        ['856', asn('D3', { SN1: 'SN1**0*EA' })],
      ],
      { number: 2 },
    ),
  );
  await town.send(notice(asn('D4'), { number: 2 }));
  await town.send(notice(asn('D5'), { number: 3, from: 'STRANGER' }));
  const closed = await town.client.post(`${NODE}/ASN/D1/close`, {
    closeId: 'c1',
    userId: 'lee',
    reasons: [{ reason: 'LOST' }],
  });
  expect(closed.status).toBe(200);
  await town.server.runDue();
  const list = await town.operator('GET', `${EDI}/interchanges?direction=OUT&setId=861`);
  await town.operator('POST', `${EDI}/interchanges/${list.body.interchanges[0].interchangeId}/taken`, { name: 'a' });
  await town.server.runDue();
});
afterAll(() => town.close());

const findings = async (db: Reader) => {
  for (const rule of RULES.filter(({ check }) => check === 'interchanges' || check === 'documents')) {
    const { ok, found } = await ruleFinding(rule, { db, dialect: town.store.dialect, sealer: undefined });
    if (!ok) return found;
  }
  return undefined;
};

class Undo extends Error {}

describe('doctor', () => {
  it('finds interchanges, statements and partners of every status in order', async () => {
    expect(await town.store.read(findings)).toBeUndefined();
  });

  it('accepts the 861 of a number with characters that X12 cannot have', async () => {
    const asn = JSON.stringify(await town.message('ASN', 'D1'));
    await town.partner({ answer: { receipt: 'ALL' } });
    for (const number of ['LIEF-Ü1', 'A*B^', 'D😀~2']) {
      const sent = await town.client.post(
        '/poasn-manager-service/sellers/TOWNS/poasn/create',
        JSON.parse(asn.replaceAll('D1', number)) as object,
      );
      expect(sent.status, sent.text).toBe(200);
      const path = `${NODE}/ASN/${encodeURIComponent(number)}/close`;
      const closed = await town.client.post(path, { closeId: 'c', userId: 'lee', reasons: [{ reason: 'LOST' }] });
      expect(closed.status, closed.text).toBe(200);
    }
    await town.server.runDue();
    const list = await town.operator('GET', `${EDI}/interchanges?direction=OUT&setId=861`);
    expect(list.body.interchanges).toHaveLength(4);
    expect(await town.store.read(findings)).toBeUndefined();
    await town.partner();
  });

  it('tells an error in any field of EDI, unless every value is right', { timeout: 300_000 }, async () => {
    const faults = (await faultsOf(town.store)).filter(({ place }) => place.startsWith('edi_'));
    const silent: string[] = [];
    for (const { place, way, statements } of faults) {
      let outcome = 'prevented';
      const plant = async (tx: Writer) => {
        let changes = 0n;
        for (const one of statements) changes += (await sql.raw(one).execute(tx)).numAffectedRows ?? 1n;
        if (changes === 0n) outcome = 'nothing';
        else outcome = (await findings(tx).catch(() => 'a check failed')) === undefined ? 'silent' : 'told';
        throw new Undo();
      };
      await town.store.write(plant).catch(() => undefined);
      if (outcome === 'silent' && !FREE.has(place) && !FREE.has(`${place} ${way}`)) silent.push(`${place} ${way}`);
    }
    expect(faults.length).toBeGreaterThan(50);
    expect(silent).toEqual([]);
  });
});
