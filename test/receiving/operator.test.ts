/** The operator's operations on inbound shipments: read, list, void. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '../../src/platform/decimal.ts';
import { type Answer, OPERATOR_KEY } from '../support/backroom.ts';
import { plansOf } from '../support/reads.ts';
import { asn, type Inbound, openInbound, po } from './support.ts';

let inbound: Inbound;
beforeAll(async () => {
  inbound = await openInbound();
});
afterAll(() => inbound.close());

const LIST = '/operator/v1/clients/TOWN/inbound';
const list = (query = ''): Promise<Answer> => inbound.operator('GET', `${LIST}${query}`);
const remove = (path: string): Promise<Answer> => inbound.operator('DELETE', `${LIST}/${path}`);

const open = { announced: 30, good: 0, damaged: 0, refused: 0, held: 0, over: 0, short: 0, open: 30 };

describe('readInbound', () => {
  it('returns status, totals and the stored message', async () => {
    const message = asn(
      { asnNumber: 'R-1' },
      { itemCost: new Decimal('1.00000000000000000001') },
      { shippedQuantity: 6 },
    );
    const sent = await inbound.transmit(message);
    const receipt = (sent.body as { poAsnData: [{ file_name: string }] }).poAsnData[0];
    expect((await inbound.read('ASN', 'R-1')).body).toEqual({
      type: 'ASN',
      sellerId: 'TOWNS',
      number: 'R-1',
      messageId: receipt.file_name,
      status: 'EXPECTED',
      state: 'EXPECTED',
      storeId: 'TOWN_US',
      nodeId: 'TOWN-DC001',
      receivingWarehouseId: 'DC001',
      totalLines: 2,
      totalUnits: 30,
      trailerNumbers: ['TR-7'],
      transmittedAt: '2026-03-02T12:00:00+00:00',
      complete: false,
      sums: {
        keys: [{ cartonId: 'CARTON-1', itemId: '21-MUG-WHT', clientItemId: 'MUG-WHT', lineNumbers: [], ...open }],
        cartons: [{ cartonId: 'CARTON-1', ...open }],
        items: [{ itemId: '21-MUG-WHT', ...open }],
        total: open,
      },
      statements: [],
      message,
    });
  });

  it('returns a message that can be transmitted again unchanged', async () => {
    const first = await inbound.transmit(po({ shipmentNumber: 'R-2' }));
    const { message } = (await inbound.read('PO', 'R-2')).body as { message: unknown };
    expect((await inbound.transmit(message)).text).toBe(first.text);
  });

  it.each(['ASN/NONE', 'PO/R-1', 'ASN/r-1', `ASN/${'9'.repeat(500)}`])('%s is not found', async (path) => {
    const answer = await inbound.operator('GET', `${LIST}/${path}`);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
      detail: expect.stringMatching(/^There is no /) as unknown,
    });
  });

  it('accepts only the types ASN and PO', async () => {
    const answer = await inbound.operator('GET', `${LIST}/asn/R-1`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ errors: [{ pointer: 'path:type' }] });
  });

  it("does not return another client's shipment", async () => {
    await inbound.transmit(asn({ asnNumber: 'R-3' }));
    expect((await inbound.operator('GET', '/operator/v1/clients/OTHER/inbound/ASN/R-3')).status).toBe(404);
    expect((await inbound.operator('GET', '/operator/v1/clients/NOBODY/inbound/ASN/R-3')).status).toBe(404);
  });
});

describe('a number that several sellers use', () => {
  const OUTLET = '/poasn-manager-service/sellers/OUTLET/poasn/create';
  const ambiguous = {
    status: 409,
    body: {
      code: 'AMBIGUOUS_NUMBER',
      sellerIds: ['OUTLET', 'TOWNS'],
      detail: expect.stringContaining('?sellerId=') as string,
    },
  };

  it('is read with the seller, and without one returns the sellers', async () => {
    await inbound.transmit(po({ shipmentNumber: 'SHARED-1' }));
    expect((await inbound.read('PO', 'SHARED-1')).body).toMatchObject({ sellerId: 'TOWNS' });
    await inbound.client.post(OUTLET, po({ shipmentNumber: 'SHARED-1', shipperName: 'Outlet Goods' }));
    expect(await inbound.read('PO', 'SHARED-1')).toMatchObject(ambiguous);
    for (const [sellerId, storeId, shipperName] of [
      ['TOWNS', 'TOWN_US', 'Fine Goods Ltd'],
      ['OUTLET', 'TOWN_OUTLET', 'Outlet Goods'],
    ]) {
      const { status, body } = await inbound.operator('GET', `${LIST}/PO/SHARED-1?sellerId=${sellerId}`);
      expect([status, body.sellerId, body.storeId]).toEqual([200, sellerId, storeId]);
      expect(body.message.poData[0].header.shipperName).toBe(shipperName);
    }
    expect((await inbound.operator('GET', `${LIST}/PO/SHARED-1?sellerId=OTHERS`)).status).toBe(404);
  });

  it('is voided for the given seller, and is ambiguous without one', async () => {
    await inbound.transmit(po({ shipmentNumber: 'SHARED-2' }));
    await inbound.client.post(OUTLET, po({ shipmentNumber: 'SHARED-2' }));
    expect(await remove('PO/SHARED-2')).toMatchObject(ambiguous);
    expect((await remove('PO/SHARED-2?sellerId=OUTLET')).status).toBe(204);
    expect((await remove('PO/SHARED-2?sellerId=OUTLET')).status).toBe(404);
    expect((await inbound.read('PO', 'SHARED-2')).body).toMatchObject({ sellerId: 'TOWNS' });
    expect((await remove('PO/SHARED-2')).status).toBe(204);
  });

  it('is not ambiguous for a key that has access to one of the sellers only', async () => {
    await inbound.transmit(po({ shipmentNumber: 'SHARED-9' }));
    await inbound.client.post(OUTLET, po({ shipmentNumber: 'SHARED-9' }));
    const own = await inbound.credential({ groups: ['inbound'], storeIds: ['TOWN_OUTLET'] });
    const path = `${LIST}/PO/SHARED-9`;
    const { status, body } = await own.get(path);
    expect([status, body.sellerId]).toEqual([200, 'OUTLET']);
    const changed = po({ shipmentNumber: 'SHARED-9', shipperName: 'Outlet Goods' });
    expect((await own.put(path, changed)).status).toBe(200);
    expect((await own.delete(path)).status).toBe(204);
    expect((await own.get(`${path}?sellerId=TOWNS`)).status).toBe(404);
    expect((await inbound.read('PO', 'SHARED-9')).body).toMatchObject({ sellerId: 'TOWNS' });
  });

  it('is in the list once for each seller, page by page, and events name the seller', async () => {
    for (const path of ['', OUTLET]) {
      const body = asn({ asnNumber: 'SHARED-3' });
      await (path === '' ? inbound.transmit(body) : inbound.client.post(path, body));
    }
    const shown: string[] = [];
    let after: string | undefined;
    do {
      const { body } = await list(
        `?type=ASN&limit=1${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`,
      );
      shown.push(...body.inbound.map((one: { number: string; sellerId: string }) => `${one.number} ${one.sellerId}`));
      after = body.next as string | undefined;
    } while (after !== undefined);
    expect(shown.filter((one) => one.startsWith('SHARED-3'))).toEqual(['SHARED-3 OUTLET', 'SHARED-3 TOWNS']);
    const own = (await list('?sellerId=OUTLET&type=ASN')).body.inbound as { sellerId: string }[];
    expect(own.map(({ sellerId }) => sellerId)).toEqual(['OUTLET']);
    const { events } = (await inbound.client.get('/operator/v1/events?types=inbound.*&limit=500')).body as {
      events: { resourceId: string; data: { sellerId: string } }[];
    };
    expect(events.filter(({ resourceId }) => resourceId.endsWith('SHARED-3'))).toMatchObject([
      { resourceId: 'ASN/TOWNS/SHARED-3', data: { sellerId: 'TOWNS' } },
      { resourceId: 'ASN/OUTLET/SHARED-3', data: { sellerId: 'OUTLET' } },
    ]);
  });
});

describe('listInbound', () => {
  const numbersOf = ({ body }: Answer) =>
    (body as { inbound: { type: string; number: string }[] }).inbound.map(({ type, number }) => `${type}/${number}`);

  beforeAll(async () => {
    for (const number of ['L-1', 'L-2', 'L/3']) {
      await inbound.transmit(asn({ asnNumber: number }));
      await inbound.transmit(po({ shipmentNumber: number }));
    }
  });

  it('returns ASNs before POs sorted by number, without their messages', async () => {
    const answer = await list('?limit=500');
    const numbers = numbersOf(answer);
    expect(numbers).toEqual([...numbers].sort());
    expect(numbers).toEqual(expect.arrayContaining(['ASN/L-1', 'ASN/L/3', 'PO/L-1', 'PO/L/3']));
    const { inbound: shown } = answer.body as { inbound: Record<string, unknown>[] };
    expect(shown.find(({ number, type }) => number === 'L-1' && type === 'PO')).toEqual({
      type: 'PO',
      sellerId: 'TOWNS',
      number: 'L-1',
      messageId: expect.any(String) as unknown,
      status: 'EXPECTED',
      state: 'EXPECTED',
      storeId: 'TOWN_US',
      nodeId: 'TOWN-DC001',
      receivingWarehouseId: 'DC001',
      totalLines: 1,
      totalUnits: 24,
      trailerNumbers: ['TR-7'],
      transmittedAt: '2026-03-02T12:00:00+00:00',
    });
  });

  it('is read page by page, each shipment once', async () => {
    const all = numbersOf(await list());
    for (const limit of [1, 2, 3]) {
      const read: string[] = [];
      let after: string | undefined;
      do {
        const page = await list(`?limit=${limit}${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`);
        expect(numbersOf(page).length).toBeLessThanOrEqual(limit);
        read.push(...numbersOf(page));
        after = (page.body as { next?: string }).next;
      } while (after !== undefined);
      expect(read).toEqual(all);
    }
  });

  it('is read page by page also with long numbers and other characters', async () => {
    const numbers = ['Lieferschein 4711/26 Müller & Söhne', 'Lieferschein 4712/26 Müller & Söhne'];
    for (const number of numbers) {
      const body = { number, userId: 'ann', sellerId: 'TOWNS' };
      const path = '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound/BLIND';
      expect((await inbound.operator('POST', path, body)).status).toBe(201);
    }
    const first = await list('?limit=1&type=BLIND');
    const { next } = first.body as { next: string };
    const second = await list(`?limit=1&type=BLIND&after=${encodeURIComponent(next)}`);
    expect([first, second].flatMap(numbersOf)).toEqual(numbers.map((number) => `BLIND/${number}`));
  });

  it('reads only open shipments if the status is EXPECTED or RECEIVING', async () => {
    const plans = await plansOf(inbound.store, 'inbound_shipments', async () => {
      const first = await list('?status=EXPECTED&limit=1');
      const { next } = first.body as { next: string };
      const second = await list(`?status=EXPECTED&limit=1&after=${encodeURIComponent(next)}`);
      const two = numbersOf(await list('?status=EXPECTED&limit=2'));
      expect([first, second].flatMap(numbersOf)).toEqual(two);
    });
    expect(plans).toHaveLength(3);
    // PostgreSQL chooses an index by its statistics, and for a few shipments every index has the same cost.
    const index = inbound.store.engine === 'sqlite' ? 'inbound_shipments_open_by_number' : 'inbound_shipments_';
    for (const plan of plans) expect(plan).toContain(index);
  });

  it('takes the filters type and status', async () => {
    const all = numbersOf(await list());
    expect(numbersOf(await list('?type=PO'))).toEqual(all.filter((one) => one.startsWith('PO/')));
    expect(numbersOf(await list('?type=ASN&status=EXPECTED'))).toEqual(all.filter((one) => one.startsWith('ASN/')));
  });

  it('is empty for a client without shipments, and 404 for an unknown client', async () => {
    expect((await inbound.operator('GET', '/operator/v1/clients/OTHER/inbound')).body).toEqual({ inbound: [] });
    expect((await inbound.operator('GET', '/operator/v1/clients/NOBODY/inbound')).status).toBe(404);
  });

  it.each([
    '?type=asn',
    '?type=',
    '?status=GONE',
    '?limit=0',
    '?limit=501',
    '?limit=x',
    '?after=',
    '?after=L-1',
    '?after=ASN/',
    '?after=ASN/L-1',
    '?after=ASN/L-1/TOWNS/x',
    '?after=ASN/%25E0/TOWNS',
    '?sellerId=',
    '?typ=ASN',
  ])('%s is rejected', async (query) => {
    const answer = await list(query);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'INVALID_REQUEST',
      errors: [{ pointer: expect.stringMatching(/^query:/) as unknown }],
    });
  });

  it('takes a limit of 1 and of 500', async () => {
    expect((await list('?limit=1')).status).toBe(200);
    expect((await list('?limit=500')).status).toBe(200);
  });
});

describe('voidInbound', () => {
  it('deletes the message and its lines, and the audit entry keeps the whole message', async () => {
    const message = asn({ asnNumber: 'V-1' }, { itemCost: new Decimal('1.00000000000000000001') }, {});
    await inbound.transmit(message);
    const before = await inbound.counts();
    const answer = await remove('ASN/V-1');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await inbound.counts()).toEqual({
      shipments: before.shipments - 1,
      lines: before.lines - 2,
      events: before.events + 1,
    });
    expect((await inbound.read('ASN', 'V-1')).status).toBe(404);
    const event = await inbound.store.read((db) =>
      db
        .selectFrom('events')
        .selectAll()
        .where('client_id', '=', 'TOWN')
        .where('type', '=', 'inbound.voided')
        .where('resource_id', '=', 'ASN/TOWNS/V-1')
        .executeTakeFirstOrThrow(),
    );
    expect(event).toMatchObject({ revision: 2, actor: 'operator:env' });
    expect(event.data).toContain('"itemCost":1.00000000000000000001');
    expect((JSON.parse(event.data) as { message: { asnData: unknown[] } }).message.asnData).toHaveLength(1);
  });

  it('leaves the PO of the same number and every other shipment unchanged', async () => {
    await inbound.transmit(asn({ asnNumber: 'V-2' }));
    await inbound.transmit(po({ shipmentNumber: 'V-2' }));
    expect((await remove('ASN/V-2')).status).toBe(204);
    expect((await inbound.read('PO', 'V-2')).status).toBe(200);
  });

  it('of a void or unknown message is 404, and changes nothing', async () => {
    await inbound.transmit(asn({ asnNumber: 'V-3' }));
    await remove('ASN/V-3');
    const before = await inbound.counts();
    for (const path of ['ASN/V-3', 'ASN/NONE', 'PO/V-3']) expect((await remove(path)).status).toBe(404);
    expect((await inbound.operator('DELETE', '/operator/v1/clients/OTHER/inbound/ASN/R-1')).status).toBe(404);
    expect((await remove('X/V-3')).status).toBe(400);
    expect(await inbound.counts()).toEqual(before);
  });

  it('sent twice at once succeeds once', async () => {
    await inbound.transmit(asn({ asnNumber: 'V-4' }));
    const answers = await Promise.all([remove('ASN/V-4'), remove('ASN/V-4')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
  });

  it('takes no body', async () => {
    await inbound.transmit(asn({ asnNumber: 'V-5' }));
    expect((await inbound.operator('DELETE', `${LIST}/ASN/V-5`, { reason: 'x' })).status).toBe(400);
    expect((await inbound.read('ASN', 'V-5')).status).toBe(200);
  });
});

describe('access', () => {
  it('the operator and keys of group inbound can void', async () => {
    const path = `${LIST}/ASN/R-1`;
    const without = await inbound.call({ method: 'DELETE', path });
    expect([without.status, without.headers['www-authenticate']]).toEqual([401, 'Bearer realm="backroom"']);
    const wrong = await inbound.call({ method: 'DELETE', path, headers: { authorization: `Bearer ${OPERATOR_KEY}x` } });
    expect(wrong.status).toBe(401);
    const other = await inbound.credential({ groups: ['fulfillment'] });
    expect((await other.call({ method: 'DELETE', path })).status).toBe(403);
    await inbound.transmit(asn({ asnNumber: 'V-6' }));
    const elsewhere = await inbound.credential({ groups: ['inbound'], storeIds: ['TOWN_CA'] });
    expect((await elsewhere.delete(`${LIST}/ASN/V-6`)).status).toBe(404);
    const own = await inbound.credential({ groups: ['inbound'] });
    expect((await own.delete(`${LIST}/ASN/V-6`)).status).toBe(204);
  });

  it.each([LIST, `${LIST}/ASN/R-1`])(
    'the client reads %s of its own stores with a key of group inbound',
    async (path) => {
      expect((await inbound.call({ method: 'GET', path })).status).toBe(401);
      const own = await inbound.credential({ groups: ['inbound'] });
      expect((await own.get(path)).status).toBe(200);
      expect((await (await inbound.credential({ groups: ['fulfillment'] })).get(path)).status).toBe(403);
      const narrowed = await (await inbound.credential({ storeIds: ['TOWN_CA'] })).get(path);
      if (path === LIST) expect(narrowed.body).toEqual({ inbound: [] });
      else expect(narrowed.status).toBe(404);
    },
  );
});
