/** Concurrent receipts: none takes effect twice, in any order of arrival. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilBlocked } from '../support/store.ts';
import { expectBalance, type Goods, MUG, NODE, openGoods, type ShownSums, sums } from './goods.ts';
import { asn } from './support.ts';

let goods: Goods;
beforeAll(async () => {
  goods = await openGoods();
});
afterAll(() => goods.stop());

const clerks = Array.from({ length: 16 }, (_, index) => `clerk-${index}`);

describe('concurrent receipts', () => {
  it('16 clerks scan one carton: one receives it, and the others get the name of the first', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 24]);
    const cartons = [{ cartonId: 'C-1', as: 'GOOD' }];
    const answers = await Promise.all(clerks.map((userId) => goods.receive(number, { userId, cartons })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(15).fill(409)]);
    const [first] = (await goods.shipment(number)).receipts as { userId: string; receiptId: string }[];
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect(body).toMatchObject({
        code: 'CARTON_ALREADY_RECEIVED',
        userId: first!.userId,
        receiptId: first!.receiptId,
      });
    }
    expect((await goods.shipment(number)).sums.total).toEqual(sums({ announced: 24, good: 24 }));
    const repeated = await goods.store.read((db) =>
      db.selectFrom('events').select('data').where('type', '=', 'inbound.cartonRepeated').execute(),
    );
    expect(repeated).toHaveLength(15);
  });

  it('16 clerks count one carton: every unit counts once, and excess units are held', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 24]);
    const lines = [{ cartonId: 'C-1', itemId: MUG, good: 2 }];
    const answers = await Promise.all(clerks.map((userId) => goods.receive(number, { userId, lines })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const { sums: shown } = await goods.shipment(number);
    expect(shown.total).toEqual(sums({ announced: 24, good: 24, held: 8, over: 8 }));
    expectBalance(shown);
  });

  it('the same receipt sent 16 times is booked once', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 24]);
    const body = { receiptId: 'one', lines: [{ cartonId: 'C-1', itemId: MUG, good: 5 }] };
    const answers = await Promise.all(clerks.map(() => goods.receive(number, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(15).fill(200), 201]);
    expect((await goods.shipment(number)).sums.total).toMatchObject({ good: 5, open: 19 });
  });

  it('a void and a receipt: one of them succeeds', async () => {
    for (let round = 0; round < 6; round += 1) {
      const number = await goods.announce(['C-1', 'MUG-WHT', 24]);
      const receive = () => goods.receive(number, { cartons: [{ cartonId: 'C-1', as: 'GOOD' }] });
      const cancel = () => goods.operator('DELETE', `/operator/v1/clients/TOWN/inbound/ASN/${number}`);
      const both = round % 2 === 0 ? [receive(), cancel()] : [cancel(), receive()];
      const statuses = (await Promise.all(both)).map(({ status }) => status).sort();
      expect([
        [201, 409],
        [204, 404],
      ]).toContainEqual(statuses);
    }
  });

  it('a shipment that is voided during a match or a receipt is not found', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 24]);
    const blind = { number: `B-${number}`, userId: 'ann', sellerId: 'TOWNS' };
    expect((await goods.client.post(`${NODE}/inbound/BLIND`, blind)).status).toBe(201);
    const lines = [{ cartonId: 'C-1', itemId: MUG, good: 3 }];
    expect((await goods.receive(blind.number, { lines }, goods.client, 'BLIND')).status).toBe(201);
    const late = await goods.store.write(async (tx) => {
      const where = sql`where client_id = 'TOWN' and number = ${number}`;
      await sql`update inbound_shipments set revision = revision + 1 ${where}`.execute(tx);
      const asked = [
        goods.client.post(`${goods.at(blind.number, 'BLIND')}/match`, { type: 'ASN', number }),
        goods.receive(number, { lines, unannounced: true }),
      ];
      await untilBlocked(goods.store, 2);
      for (const table of ['inbound_cartons', 'inbound_lines', 'inbound_shipments']) {
        await sql`delete from ${sql.table(table)} ${where}`.execute(tx);
      }
      return asked;
    });
    const answers = await Promise.all(late);
    expect(answers.map(({ status, text }) => `${status} ${text}`)).toEqual([
      expect.stringMatching(/^404 /),
      expect.stringMatching(/^404 /),
    ]);
  });

  it('a void is rejected once goods were received, and a close and a receipt exclude each other', async () => {
    const number = await goods.announce(['C-1', 'MUG-WHT', 24]);
    await goods.receive(number, { cartons: [{ cartonId: 'C-1', as: 'GOOD' }] });
    const gone = await goods.operator('DELETE', `/operator/v1/clients/TOWN/inbound/ASN/${number}`);
    expect(gone.status).toBe(409);
    const other = await goods.announce(['C-1', 'MUG-WHT', 24]);
    const reasons = [{ reason: 'LATE' }];
    const [closed, received] = await Promise.all([
      goods.close(other, { reasons }),
      goods.receive(other, { lines: [{ cartonId: 'C-1', itemId: MUG, good: 24 }] }),
    ]);
    expect(closed.status).toBe(200);
    const { totals } = closed.body as { totals: ShownSums['total'] };
    expect(totals.short).toBe(received.status === 201 ? 0 : 24);
  });

  it('of ASNs with one carton one is accepted when the client allows each carton once', async () => {
    await goods.settings({ duplicateCartons: 'REFUSE' });
    for (let round = 0; round < 8; round += 1) {
      const numbers = [0, 1, 2, 3].map((index) => `SAME-${round}-${index}`);
      const answers = await Promise.all(
        numbers.map((asnNumber) => goods.transmit(asn({ asnNumber }, { cartonId: `SAME-${round}` }))),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    }
  });
});
