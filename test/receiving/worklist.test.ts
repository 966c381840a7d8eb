/** A node's view of receiving: the worklist, scans, hints, events, and the ledger. */
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countHeldShipments, heldUnits } from '../../src/kernel/arrivals/held.ts';
import type { Answer } from '../support/backroom.ts';
import { plansOf, statementsOf } from '../support/reads.ts';
import { planOf } from '../support/store.ts';
import { type Goods, MUG, NODE, openGoods } from './goods.ts';
import { asn, po } from './support.ts';

let goods: Goods;
beforeAll(async () => {
  goods = await openGoods();
});
afterAll(() => goods.stop());

interface Page {
  inbound: { type: string; number: string; late: boolean; [member: string]: unknown }[];
  lastRecordId?: string;
}
const list = async (query = ''): Promise<Page> => {
  const answer = await goods.client.get(`${NODE}/inbound${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Page;
};
const events = async (number: string): Promise<{ type: string; data: Record<string, unknown> }[]> => {
  const rows = await goods.store.read((db) =>
    db
      .selectFrom('events')
      .select(['type', 'data'])
      .where('resource_id', '=', `ASN/TOWNS/${number}`)
      .orderBy('event_id')
      .execute(),
  );
  return rows.map(({ type, data }) => ({ type, data: JSON.parse(data) as Record<string, unknown> }));
};
const scan = async (code: string) => {
  const answer = await goods.client.post(`${NODE}/scan`, { code });
  return (answer.body as { matches: Record<string, unknown>[] }).matches;
};

describe('the worklist', () => {
  it('has quantities and cartons of each shipment, sorted by expected day, a page at a time', async () => {
    const late = asn(
      { asnNumber: 'W-LATE', shipmentReceiptDate: '2026-02-27' },
      { cartonId: 'W-L1', shippedQuantity: 4 },
    );
    await goods.transmit(late);
    const number = await goods.announce(['W-1', 'MUG-WHT', 24], ['W-2', 'MUG-WHT', 6]);
    await goods.receive(number, { cartons: [{ cartonId: 'W-1', as: 'GOOD' }] });
    await goods.receive(number, { lines: [{ cartonId: 'W-2', itemId: MUG, good: 1, refused: 1 }] });
    const { inbound } = await list();
    expect(inbound[0]).toMatchObject({ number: 'W-LATE', late: true, state: 'EXPECTED', openQuantity: 4 });
    expect(inbound.find((one) => one.number === number)).toEqual({
      type: 'ASN',
      number,
      sellerId: 'TOWNS',
      state: 'RECEIVING',
      expectedDate: '2026-03-20',
      announcedQuantity: 30,
      receivedQuantity: 26,
      cartons: 2,
      cartonsDone: 1,
      openQuantity: 4,
      heldQuantity: 0,
      late: false,
    });
    const readAll = async (order: string) => {
      const read: string[] = [];
      let after = '';
      do {
        const page = await list(`?pageSize=1${order}${after && `&lastRecordId=${encodeURIComponent(after)}`}`);
        read.push(...page.inbound.map((one) => one.number));
        after = page.lastRecordId ?? '';
      } while (after !== '');
      return read;
    };
    const numbers = inbound.map((one) => one.number);
    expect(await readAll('')).toEqual(numbers);
    expect(await readAll('&order=desc')).toEqual(numbers.toReversed());
    await goods.close(number, { reasons: [{ reason: 'LATE' }] });
    const found = async (query: string) => (await list(query)).inbound.map((one) => one.number);
    expect(await found('?status=CLOSED')).toEqual([number]);
    expect(await found('?status=EXPECTED&expectedTo=2026-02-28')).toEqual(['W-LATE']);
    for (const part of ['W-LA', 'w-late', 'LATE'])
      expect([part, await found(`?q=${part}`)]).toEqual([part, ['W-LATE']]);
    for (const sign of ['%25', '_-LA', '!']) expect([sign, await found(`?q=${sign}`)]).toEqual([sign, []]);
    expect(await found('?q=W-L1')).toEqual(['W-LATE']);
    expect(await found('?type=PO')).toEqual([]);
  });

  it('finds the shipments of an SSCC in both forms, scanned or typed', async () => {
    const [short, long] = ['003400000000000949', '00003400000000000956'];
    const numbers = [await goods.announce([short, 'MUG-WHT', 1]), await goods.announce([long, 'MUG-WHT', 1])];
    const found = async (q: string) => (await list(`?q=${encodeURIComponent(q)}`)).inbound.map((one) => one.number);
    for (const q of [short, `00${short}`, `]C100${short}`]) expect([q, await found(q)]).toEqual([q, [numbers[0]]]);
    for (const q of [long, long.slice(2), `]C1${long}`]) expect([q, await found(q)]).toEqual([q, [numbers[1]]]);
  });

  it('finds the open shipment of a tote after many closed ones', async () => {
    const cartons = Array.from({ length: 50 }, (_, n) => ({
      client_id: 'TOWN',
      carton_id: 'W-TOTE',
      seller_id: 'TOWNS',
      type: 'ASN' as const,
      number: `A-${n}`,
    }));
    await goods.store.write((db) => db.insertInto('inbound_cartons').values(cartons).execute());
    const number = await goods.announce(['W-TOTE', 'MUG-WHT', 1]);
    expect((await list('?q=W-TOTE')).inbound.map((one) => one.number)).toEqual([number]);
    const plans = await plansOf(goods.store, 'inbound_cartons', () => list('?q=W-TOTE'));
    expect(plans.length).toBe(1);
    expect(plans[0]).toMatch(/LIST SUBQUERY|hashed SubPlan/);
    expect(plans[0]).not.toMatch(/Seq Scan on inbound_cartons|SCAN inbound_cartons/);
    await goods.store.write((db) => db.deleteFrom('inbound_cartons').where('number', 'like', 'A-%').execute());
  });

  it('has the held units of the shipments of a page, which are found without those of other nodes', async () => {
    const [one, other] = [await goods.announce(['W-H1', 'MUG-WHT', 2]), await goods.announce(['W-H2', 'MUG-WHT', 2])];
    await goods.receive(one, { lines: [{ cartonId: 'W-H1', itemId: MUG, good: 2, held: 3 }] });
    await goods.receive(one, { lines: [{ cartonId: 'W-H1', itemId: MUG, held: 1 }] });
    await goods.receive(other, { lines: [{ cartonId: 'W-H2', itemId: MUG, good: 1 }] });
    const { inbound } = await list();
    const heldOf = (number: string) => inbound.find((shipment) => shipment.number === number)?.['heldQuantity'];
    expect([heldOf(one), heldOf(other)]).toEqual([4, 0]);
    const counts = await goods.store.read(async (db) => {
      const node = { clientId: 'TOWN', nodeId: 'TOWN-DC001' };
      return [await countHeldShipments(db, node), await countHeldShipments(db, { ...node, nodeId: 'TOWN-Store002' })];
    });
    expect(counts).toEqual([1, 0]);
    const texts = await statementsOf(goods.store, () =>
      goods.store.read((db) => countHeldShipments(db, { clientId: 'TOWN', nodeId: 'TOWN-DC001' })),
    );
    expect(texts.length).toBe(1);
    for (const text of goods.store.engine === 'sqlite' ? texts : []) {
      const { rows } = await goods.store.read((db) =>
        db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${text.replaceAll('?', '1')}`)),
      );
      expect(JSON.stringify(rows)).not.toMatch(/AUTOMATIC|by_day/);
    }
    const { dialect } = goods.store;
    const keys = dialect.rowsText([{ seller_id: 'TOWNS', type: 'ASN', number: one }], {
      seller_id: 'text',
      type: 'text',
      number: 'text',
    });
    const query = await goods.store.read(async (db) => heldUnits(db, { clientId: 'TOWN', keys }, dialect).compile());
    const { text } = await planOf(goods.store, query);
    expect(text).toContain('inbound_sums_held');
    if (goods.store.engine === 'sqlite') expect(text).toContain('seller_id=? AND type=? AND number=?');
  });

  it('finds the shipments that announce the same carton, as the work of the node counts them', async () => {
    const twice = '003401234500009905';
    for (const [number, ids] of [
      ['ASN-TW1', [twice, '003401234500009906']],
      ['ASN-TW2', [twice]],
      ['ASN-TW3', ['003401234500009907']],
    ] as const) {
      const header = { asnNumber: number, shipmentReceiptDate: '2026-02-27' };
      const sent = await goods.transmit(asn(header, ...ids.map((cartonId) => ({ cartonId }))));
      expect(sent.status, sent.text).toBe(200);
    }
    const mine = { nodeId: 'TOWN-DC001', type: 'ASN', sellerId: 'TOWNS' };
    const { inbound } = await list('?duplicateCartons=true');
    expect(inbound).toMatchObject([
      { number: 'ASN-TW1', duplicateCartons: [{ cartonId: twice, alsoIn: { ...mine, number: 'ASN-TW2' } }] },
      { number: 'ASN-TW2', duplicateCartons: [{ cartonId: twice, alsoIn: { ...mine, number: 'ASN-TW1' } }] },
    ]);
    const work = (await goods.client.get(`${NODE}/work`)).body as { exceptions: Record<string, number> };
    expect(work.exceptions['duplicateCartons']).toBe(1);
    expect((await list()).inbound[0]).not.toHaveProperty('duplicateCartons');
    // A shipment that is expected on a later day can announce the same carton.
    const later = asn({ asnNumber: 'ASN-TW4', shipmentReceiptDate: '2026-03-20' }, { cartonId: '003401234500009907' });
    const counted = async () => {
      const { body } = await goods.client.get(`${NODE}/work`);
      return (body as typeof work).exceptions['duplicateCartons'];
    };
    expect((await goods.transmit(later)).status).toBe(200);
    expect(await counted()).toBe(2);
    // A correction of the message can add and remove cartons.
    const put = (cartonId: string) => {
      const corrected = asn({ asnNumber: 'ASN-TW4', shipmentReceiptDate: '2026-03-20' }, { cartonId });
      return goods.operator('PUT', '/operator/v1/clients/TOWN/inbound/ASN/ASN-TW4', corrected);
    };
    const corrected = await put('003401234500009909');
    expect(corrected.status, corrected.text).toBe(200);
    expect(await counted()).toBe(1);
    await put('003401234500009907');
    expect(await counted()).toBe(2);
    await goods.operator('DELETE', '/operator/v1/clients/TOWN/inbound/ASN/ASN-TW4');
    expect(await counted()).toBe(1);
    for (const number of ['ASN-TW1', 'ASN-TW2', 'ASN-TW3'])
      await goods.operator('DELETE', `/operator/v1/clients/TOWN/inbound/ASN/${number}`);
    expect((await list('?duplicateCartons=true')).inbound).toEqual([]);
  });

  it('takes the carton ids of a purchase order for no duplicates of those of its ASN', async () => {
    const carton = { cartonId: '003401234500009912', clientItemId: 'MUG-WHT', shippedQuantity: 5 };
    const header = { shipmentNumber: 'W-PC', shipmentReceiptDate: '2026-02-27' };
    expect((await goods.transmit(po(header, carton))).status).toBe(200);
    expect((await goods.transmit(asn({ ...header, asnNumber: 'W-PC-A' }, carton))).status).toBe(200);
    expect((await list('?duplicateCartons=true')).inbound).toEqual([]);
    const { body } = await goods.client.post(`${NODE}/scan`, { code: carton.cartonId });
    const { matches, warnings } = body as { matches: { kind: string }[]; warnings: { code: string }[] };
    expect(matches.filter(({ kind }) => kind === 'CARTON')).toMatchObject([{ type: 'ASN', number: 'W-PC-A' }]);
    expect(warnings.map(({ code }) => code)).not.toContain('DUPLICATE_CARTON');
    // The PO is still open after its ASN is closed.
    await goods.receive('W-PC-A', { cartons: [{ cartonId: carton.cartonId, as: 'GOOD' }] });
    expect((await goods.close('W-PC-A')).status).toBe(200);
    expect(await scan(carton.cartonId)).toMatchObject([{ kind: 'CARTON', type: 'ASN', number: 'W-PC-A' }]);
    await goods.operator('DELETE', '/operator/v1/clients/TOWN/inbound/PO/W-PC');
  });

  it('says that ASNs cover a purchase order: it is not late, and the work of the node does not count it', async () => {
    const waiting = async () => {
      const { inbound } = await list('?status=EXPECTED&type=PO');
      const { body } = await goods.client.get(`${NODE}/work`);
      const { expected, late } = (body as { inbound: { expected: number; late: number } }).inbound;
      const row = inbound.find(({ number }) => number === 'W-PO');
      return [row?.['late'], row?.['coveredByAsns'], expected + late];
    };
    const before = Number((await waiting())[2]);
    const header = { shipmentNumber: 'W-PO', shipmentReceiptDate: '2026-02-28' };
    await goods.transmit(po(header, { clientItemId: 'MUG-WHT', shippedQuantity: 20 }));
    expect(await waiting()).toEqual([true, undefined, before + 1]);
    const announce = (asnNumber: string, shippedQuantity: number) =>
      goods.transmit(asn({ asnNumber, shipmentNumber: 'W-PO' }, { cartonId: `${asnNumber}-1`, shippedQuantity }));
    await announce('W-PO-A', 15);
    expect(await waiting()).toEqual([true, undefined, before + 1]);
    await announce('W-PO-B', 5);
    expect(await waiting()).toEqual([false, true, before]);
    // A closed ASN covers as many units of the PO as arrived with the ASN.
    await goods.receive('W-PO-A', { cartons: [{ cartonId: 'W-PO-A-1', as: 'GOOD' }] });
    expect((await goods.close('W-PO-A')).status).toBe(200);
    expect(await waiting()).toEqual([false, true, before]);
    expect((await goods.close('W-PO-B', { reasons: [{ reason: 'LOST' }] })).status).toBe(200);
    expect(await waiting()).toEqual([true, undefined, before + 1]);
    await goods.receive('W-PO', { lines: [{ itemId: MUG, good: 1 }] }, undefined, 'PO');
    expect(await waiting()).toEqual([undefined, undefined, before + 1]);
    expect((await goods.close('W-PO', { reasons: [{ reason: 'LATE' }] }, 'PO')).status).toBe(200);
    expect((await waiting())[2]).toBe(before);
  });

  it('names another shipment with a carton only to callers with access to it, otherwise its node', async () => {
    const cartonId = '003401234500009908';
    const header = { asnNumber: 'ASN-ONE', shipmentReceiptDate: '2026-02-27' };
    expect((await goods.transmit(asn(header, { cartonId }))).status).toBe(200);
    const there = { ...header, asnNumber: 'ASN-TWO', receivingWarehouseId: 'DC002' };
    expect((await goods.transmit(asn(there, { cartonId, receivingWarehouseId: 'DC002' }))).status).toBe(200);
    const alsoIn = async (as: Pick<typeof goods.client, 'get'>) => {
      const { inbound } = (await as.get(`${NODE}/inbound?duplicateCartons=true`)).body as Page;
      return inbound.find(({ number }) => number === 'ASN-ONE')!['duplicateCartons'];
    };
    const nodeId = 'TOWN-DC002';
    const shown = { nodeId, type: 'ASN', number: 'ASN-TWO', sellerId: 'TOWNS' };
    expect(await alsoIn(goods.client)).toEqual([{ cartonId, alsoIn: shown }]);
    const ofNode = await goods.credential({ groups: ['receiving'], nodeIds: ['TOWN-DC001'] });
    expect(await alsoIn(ofNode)).toEqual([{ cartonId, alsoIn: { nodeId } }]);
    for (const number of ['ASN-ONE', 'ASN-TWO'])
      await goods.operator('DELETE', `/operator/v1/clients/TOWN/inbound/ASN/${number}`);
  });
});

describe('a scan', () => {
  it('returns the state of a carton, its user, and the actions that are allowed', async () => {
    const number = await goods.announce(['S-1', 'MUG-WHT', 24], ['S-2', 'MUG-WHT', 6]);
    expect(await scan('S-1')).toMatchObject([{ kind: 'CARTON', state: 'EXPECTED', number, sellerId: 'TOWNS' }]);
    await goods.receive(number, { receiptId: 'whole', cartons: [{ cartonId: 'S-1', as: 'GOOD' }] });
    await goods.receive(number, { lines: [{ cartonId: 'S-2', itemId: MUG, good: 1 }] });
    expect(await scan('S-1')).toMatchObject([
      {
        state: 'RECEIVED',
        received: { receiptId: 'whole', userId: 'ann', since: '2026-03-02T12:00:00+00:00' },
        allowedActions: [
          { action: 'receive', allowed: false },
          { action: 'count', allowed: false },
        ],
      },
    ]);
    expect(await scan('S-2')).toMatchObject([
      {
        state: 'COUNTING',
        holder: { userId: 'ann' },
        allowedActions: [
          { action: 'receive', allowed: false },
          { action: 'count', allowed: true },
        ],
      },
    ]);
    expect(await scan(number)).toMatchObject([{ kind: 'SHIPMENT', state: 'RECEIVING' }]);
  });
});

describe('open orders', () => {
  it('that need an item are listed by a receipt and a scan at their node, soonest first', async () => {
    const node = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';
    const shown = (await goods.operator('GET', node)).body as Record<string, unknown>;
    const put = await goods.operator('PUT', node, { ...shown, receivingWarehouseId: 'ST001' });
    expect(put.status, put.text).toBe(200);
    const message = asn(
      { asnNumber: 'X-DOCK', receivingWarehouseId: 'ST001' },
      { cartonId: 'X-1', receivingWarehouseId: 'ST001', clientItemId: 'SOAP-LAV', shippedQuantity: 5 },
    );
    expect((await goods.transmit(message)).status).toBe(200);
    const cartons = [{ cartonId: 'X-1', as: 'GOOD', to: 'STAGE', location: 'DOOR 3' }];
    const send = () =>
      goods.client.post(`${node}/inbound/ASN/X-DOCK/receipts`, { receiptId: 'r', userId: 'ann', cartons });
    const answer = await send();
    expect(answer.status, answer.text).toBe(201);
    const { receipt } = answer.body as { receipt: { lines: object[]; wanted: { itemId: string; dueAt: string }[] } };
    expect(receipt.lines).toMatchObject([{ good: 5, to: 'STAGE', location: 'DOOR 3' }]);
    expect(receipt.wanted.length).toBeGreaterThan(0);
    expect(new Set(receipt.wanted.map(({ itemId }) => itemId))).toEqual(new Set(['21-SOAP-LAV']));
    const dues = receipt.wanted.map(({ dueAt }) => dueAt);
    expect(dues).toEqual([...dues].sort());
    const found = await goods.client.post(`${node}/scan`, { code: 'X-1' });
    expect((found.body as { matches: object[] }).matches[0]).toMatchObject({ kind: 'CARTON', wanted: receipt.wanted });
    const again = await send();
    expect([again.status, again.body]).toEqual([200, answer.body]);
  });

  it('are the same at a node that keeps stock', async () => {
    const node = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';
    const scanned = async (code: string) => (await goods.client.post(`${node}/scan`, { code })).body.matches[0];
    const wanted = [];
    const shown = (await goods.operator('GET', node)).body as Record<string, unknown>;
    for (const stock of ['NOT_KEPT', 'KEPT']) {
      expect((await goods.operator('PUT', node, { ...shown, stock })).status).toBe(200);
      wanted.push((await scanned('21-SOAP-LAV')).wanted);
    }
    expect(wanted[0].length).toBeGreaterThan(0);
    expect(wanted[1]).toEqual(wanted[0]);
  });
});

describe('events', () => {
  it('record each receipt, correction, approval, close and reopen once, with the line numbers of the sender', async () => {
    const number = await goods.announce(['E-1', 'MUG-WHT', 10]);
    const at = goods.at(number);
    for (let twice = 0; twice < 2; twice += 1) {
      await goods.client.post(`${at}/arrive`, { userId: 'ann', at: '2026-03-02T11:00:00Z' });
      await goods.receive(number, { receiptId: 'a', lines: [{ cartonId: 'E-1', itemId: MUG, good: 12 }] });
      await goods.receive(number, {
        receiptId: 'b',
        corrects: 'a',
        lines: [{ cartonId: 'E-1', itemId: MUG, good: -1, damaged: 1, reason: 'WET' }],
      });
      await goods.approve(number, [{ cartonId: 'E-1', itemId: MUG, refused: 2 }], { approvalId: 'ok' });
      await goods.close(number, { closeId: 'c', reasons: [{ reason: 'TWO MORE' }] });
    }
    await goods.client.post(`${at}/reopen`, { userId: 'lee', reason: 'ONE MORE' });
    const told = await events(number);
    expect(told.map(({ type }) => type)).toEqual([
      'inbound.transmitted',
      'inbound.arrived',
      'inbound.received',
      'inbound.completed',
      'inbound.corrected',
      'inbound.approved',
      'inbound.closed',
      'inbound.reopened',
    ]);
    const of = (type: string) => told.find((one) => one.type === type)!.data;
    expect(of('inbound.received')).toMatchObject({
      nodeId: 'TOWN-DC001',
      lines: [{ cartonId: 'E-1', lineNumbers: ['1'], good: 10, held: 2 }],
    });
    expect(of('inbound.closed')).toMatchObject({ version: 1, totals: { good: 9, damaged: 1, refused: 2, over: 2 } });
  });
});

describe('the ledger', () => {
  const levels = async (nodeId: string): Promise<object | undefined> =>
    await goods.store.read((db) =>
      db
        .selectFrom('stock_levels')
        .select(['shelf', 'staged', 'damaged', 'held'])
        .where('node_id', '=', nodeId)
        .where('item_id', '=', MUG)
        .executeTakeFirst(),
    );

  it('of a node that tracks stock follows every receipt, correction and approval; another gets transactions only', async () => {
    const path = '/operator/v1/clients/TOWN/nodes/TOWN-DC001';
    const before = await goods.announce(['K-0', 'MUG-WHT', 1]);
    await goods.receive(before, { cartons: [{ cartonId: 'K-0', as: 'GOOD' }] });
    expect(await levels('TOWN-DC001')).toBeUndefined();
    const node = (await goods.operator('GET', path)).body as Record<string, unknown>;
    const done = (answer: Answer) => expect(answer.status, answer.text).toBeLessThan(300);
    done(await goods.operator('PUT', path, { ...node, stock: 'KEPT' }));
    const number = await goods.announce(['K-1', 'MUG-WHT', 10], ['K-2', 'MUG-WHT', 4]);
    done(
      await goods.receive(number, {
        receiptId: 'a',
        lines: [{ cartonId: 'K-1', itemId: MUG, good: 12, damaged: 1, refused: 1 }],
      }),
    );
    expect(await levels('TOWN-DC001')).toMatchObject({ shelf: 8, staged: 0, damaged: 1, held: 4 });
    done(await goods.receive(number, { cartons: [{ cartonId: 'K-2', as: 'GOOD', to: 'STAGE' }] }));
    expect(await levels('TOWN-DC001')).toMatchObject({ shelf: 8, staged: 4 });
    done(await goods.approve(number, [{ cartonId: 'K-1', itemId: MUG, good: 2, damaged: 1, refused: 1 }]));
    expect(await levels('TOWN-DC001')).toMatchObject({ shelf: 10, staged: 4, damaged: 2, held: 0 });
    done(
      await goods.receive(number, { corrects: 'a', lines: [{ cartonId: 'K-1', itemId: MUG, good: -3, damaged: -1 }] }),
    );
    expect(await levels('TOWN-DC001')).toMatchObject({ shelf: 7, staged: 4, damaged: 1 });
    const posted = await goods.store.read((db) =>
      db
        .selectFrom('stock_transactions')
        .select(['type', 'quantity', 'reference'])
        .where('node_id', '=', 'TOWN-DC001')
        .where('reference', 'in', [number, before])
        .execute(),
    );
    expect(new Set(posted.map(({ type }) => type))).toEqual(new Set([31]));
    const sum = (of: string) =>
      posted.filter(({ reference }) => reference === of).reduce((all, one) => all + one.quantity, 0);
    expect([sum(before), sum(number)]).toEqual([1, 12]);
  });
});
