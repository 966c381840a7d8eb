/** The stored rows and the response of a transmission, and the effect of a retry. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal, decimalText, type Numeric } from '../../src/platform/decimal.ts';
import { type Answer, OPERATOR_KEY } from '../support/backroom.ts';
import { asn, errorsOf, type Inbound, messagesOf, openInbound, PATH, po } from './support.ts';

let inbound: Inbound;
beforeAll(async () => {
  inbound = await openInbound();
});
afterAll(() => inbound.close());

let numbers = 0;
const freshNumber = () => `X-${++numbers}`;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function receiptOf(answer: Answer): Record<string, unknown> {
  expect(answer.status, answer.text).toBe(200);
  const { poAsnData } = answer.body as { poAsnData: Record<string, unknown>[] };
  expect(poAsnData).toHaveLength(1);
  return poAsnData[0]!;
}

async function voided(type: 'ASN' | 'PO', number: string): Promise<void> {
  expect((await inbound.operator('DELETE', `/operator/v1/clients/TOWN/inbound/${type}/${number}`)).status).toBe(204);
}

describe('a user of the operator', () => {
  it('transmits for the client of the seller; an unknown seller gets 404', async () => {
    const opal = await inbound.signIn('operator');
    const send = (body: object, seller = 'TOWNS') => opal.post(PATH.replace('TOWNS', seller), body);
    const ofAsn = receiptOf(await send(asn({ asnNumber: freshNumber() }, {}, {})));
    const ofPo = receiptOf(await send(po({ shipmentNumber: freshNumber() })));
    expect([ofAsn['client_id'], ofPo['client_id']]).toEqual(['TOWN', 'TOWN']);
    expect((await send(po({ shipmentNumber: freshNumber() }), 'NONE')).status).toBe(404);
  });
});

describe('the 200 response', () => {
  it.each<[string, unknown]>([
    ['poAsnNumber', 'X-REPLY'],
    ['store_id', 'TOWN_US'],
    ['catalog_id', '21'],
    ['successfull_imported', '2'],
    ['total_errors_encountered', '0'],
    ['file_name', expect.stringMatching(UUID)],
    ['client_id', 'TOWN'],
    ['reportedFrom', 'BACKROOM'],
    ['errors', []],
  ])('%s is returned', async (member, value) => {
    const receipt = receiptOf(await inbound.transmit(asn({ asnNumber: 'X-REPLY' }, {}, {})));
    expect(receipt[member]).toEqual(value);
  });

  it('poAsnData is a list of one with exactly the nine fields', async () => {
    const receipt = receiptOf(await inbound.transmit(po({ shipmentNumber: 'X-REPLY' })));
    expect(Object.keys(receipt).sort()).toEqual(
      [
        'poAsnNumber',
        'store_id',
        'catalog_id',
        'successfull_imported',
        'total_errors_encountered',
        'file_name',
        'client_id',
        'reportedFrom',
        'errors',
      ].sort(),
    );
    expect(receipt['poAsnNumber']).toBe('X-REPLY');
  });

  it('file_name is the id of the stored message', async () => {
    const number = freshNumber();
    const receipt = receiptOf(await inbound.transmit(asn({ asnNumber: number })));
    expect((await inbound.read('ASN', number)).body).toMatchObject({ messageId: receipt['file_name'] });
  });
});

describe('stored rows', () => {
  it('are one shipment, its lines in their order and one event', async () => {
    const number = freshNumber();
    const before = await inbound.counts();
    await inbound.transmit(
      asn(
        { asnNumber: number },
        { cartonId: 'C-1', shippedQuantity: 3 },
        { cartonId: 'C-2', clientItemId: 'LAMP-BRS', itemCost: 41.1 },
      ),
    );
    expect(await inbound.counts()).toEqual({
      shipments: before.shipments + 1,
      lines: before.lines + 2,
      events: before.events + 1,
    });
    const lines = await inbound.store.read((db) =>
      db
        .selectFrom('inbound_lines')
        .selectAll()
        .where('client_id', '=', 'TOWN')
        .where('number', '=', number)
        .orderBy('line_index')
        .execute(),
    );
    expect(lines).toMatchObject([
      { type: 'ASN', line_index: 0, carton_id: 'C-1', item_id: '21-MUG-WHT', quantity: 3, item_cost: '12.5' },
      { type: 'ASN', line_index: 1, carton_id: 'C-2', item_id: '21-LAMP-BRS', quantity: 24, item_cost: '41.1' },
    ]);
    const event = await inbound.store.read((db) =>
      db
        .selectFrom('events')
        .selectAll()
        .where('client_id', '=', 'TOWN')
        .where('resource_id', '=', `ASN/TOWNS/${number}`)
        .executeTakeFirstOrThrow(),
    );
    expect(event).toMatchObject({
      type: 'inbound.transmitted',
      resource_type: 'inbound',
      revision: 1,
      actor: expect.stringMatching(/^credential:/) as unknown,
    });
    expect(JSON.parse(event.data)).toMatchObject({
      sellerId: 'TOWNS',
      storeId: 'TOWN_US',
      nodeId: 'TOWN-DC001',
      totalLines: 2,
      totalUnits: 27,
    });
  });

  it('have the details of a line in the read and in the event, and the trailers in the list', async () => {
    const number = freshNumber();
    const said = { lineNumber: '00010', shippingComments: 'Top of the pallet', trailerNumber: 'TR-7' };
    await inbound.transmit(
      asn({ asnNumber: number }, { cartonId: 'C-1', ...said }, { cartonId: 'C-2', trailerNumber: 'TR-9' }),
    );
    const { body } = await inbound.read('ASN', number);
    expect(body.message.asnData[0].details.detail).toMatchObject([said, { cartonId: 'C-2', trailerNumber: 'TR-9' }]);
    expect(body.trailerNumbers).toEqual(['TR-7', 'TR-9']);
    const list = await inbound.operator('GET', '/operator/v1/clients/TOWN/inbound?limit=500');
    const listed = list.body.inbound.find((one: { number: string }) => one.number === number);
    expect(listed.trailerNumbers).toEqual(['TR-7', 'TR-9']);
    const [event] = await inbound.store.read((db) =>
      db.selectFrom('events').select('data').where('resource_id', '=', `ASN/TOWNS/${number}`).execute(),
    );
    const data = JSON.parse(event!.data) as { lines: object[]; trailerNumbers: string[] };
    expect(data.trailerNumbers).toEqual(['TR-7', 'TR-9']);
    expect(data.lines).toEqual([
      { itemId: '21-MUG-WHT', cartonId: 'C-1', shippedQuantity: 24, ...said },
      { itemId: '21-MUG-WHT', cartonId: 'C-2', shippedQuantity: 24, trailerNumber: 'TR-9' },
    ]);
  });

  it('have an event with at most the first 500 lines and 20 trailers of a long message', async () => {
    const number = freshNumber();
    const lines = Array.from({ length: 501 }, (_, index) => ({
      cartonId: `C-${index}`,
      trailerNumber: `TR-${index % 21}`,
    }));
    await inbound.transmit(asn({ asnNumber: number }, ...lines));
    const [event] = await inbound.store.read((db) =>
      db.selectFrom('events').select('data').where('resource_id', '=', `ASN/TOWNS/${number}`).execute(),
    );
    const data = JSON.parse(event!.data) as { lines: object[]; trailerNumbers: string[]; totalLines: number };
    expect([data.lines.length, data.trailerNumbers.length, data.totalLines]).toEqual([500, 20, 501]);
  });

  it.each(['0.1', '999998.99', '123456.12345678901234567', '0.000000000000000000000000000001', '1e-7', '12.500'])(
    'an ItemCost of %s keeps its value to the last digit',
    async (digits) => {
      const number = freshNumber();
      await inbound.transmit(po({ shipmentNumber: number }, { itemCost: new Decimal(digits) }));
      const row = await inbound.store.read((db) =>
        db
          .selectFrom('inbound_lines')
          .select('item_cost')
          .where('client_id', '=', 'TOWN')
          .where('number', '=', number)
          .executeTakeFirstOrThrow(),
      );
      const plain = { '1e-7': '0.0000001', '12.500': '12.5' }[digits] ?? digits;
      expect(row.item_cost).toBe(plain);
      const { message } = (await inbound.read('PO', number)).body as { message: ReturnType<typeof po> };
      expect(decimalText(message.poData[0].details.detail[0]!['itemCost'] as Numeric)).toBe(plain);
    },
  );

  it('are 20,000 lines for one message', async () => {
    const lines = Array.from({ length: 20_000 }, (_unused, index) => ({
      cartonId: `C-${index}`,
      shippedQuantity: 1 + (index % 5),
    }));
    const receipt = receiptOf(await inbound.transmit(asn({ asnNumber: 'X-LARGE' }, ...lines)));
    expect(receipt['successfull_imported']).toBe('20000');
    const stored = await inbound.store.read((db) =>
      db
        .selectFrom('inbound_lines')
        .select(['carton_id', 'quantity'])
        .where('client_id', '=', 'TOWN')
        .where('number', '=', 'X-LARGE')
        .orderBy('line_index')
        .execute(),
    );
    expect(stored).toEqual(
      lines.map(({ cartonId, shippedQuantity }) => ({ carton_id: cartonId, quantity: shippedQuantity })),
    );
    const { headers } = await inbound.server.app.inject({
      url: '/operator/v1/clients/TOWN/inbound/ASN/X-LARGE',
      headers: { authorization: `Bearer ${OPERATOR_KEY}` },
    });
    expect(Number(headers['content-length'])).toBeGreaterThan(3_000_000);
  });
});

describe('a repeated transmission', () => {
  it('with the same content returns the first response byte for byte and stores nothing', async () => {
    const body = asn({ asnNumber: freshNumber() }, {}, { cartonId: 'C-2' });
    const first = await inbound.transmit(body);
    expect(first.status).toBe(200);
    const before = await inbound.counts();
    inbound.clock.now += 3_600_000;
    const again = await inbound.transmit(body);
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(await inbound.counts()).toEqual(before);
  });

  it.each<[string, (number: string) => unknown]>([
    [
      'in another spelling',
      (number) => ({
        ReceivingDetail: {
          PODATA: po({ ShipmentNumber: number, shipmentNumber: undefined }, { lineNumber: '1' }, { lineNumber: '2' })
            .poData[0],
        },
      }),
    ],
    [
      'with its lines in another order',
      (number) => po({ shipmentNumber: number }, { lineNumber: '2' }, { lineNumber: '1' }),
    ],
    [
      'with the same cost in other digits',
      (number) =>
        po(
          { shipmentNumber: number },
          { lineNumber: '1', itemCost: new Decimal('12.50') },
          { lineNumber: '2', itemCost: new Decimal('125e-1') },
        ),
    ],
    [
      'with blank, null and empty fields',
      (number) =>
        po(
          {
            shipmentNumber: number,
            asnNumber: '',
            poStatus: null,
            sellerId: '',
            headerExtendedAttributes: { extendedAttributes: [] },
          },
          { lineNumber: '1', cartonId: '', asnNumber: null, detailExtendedAttributes: {} },
          { lineNumber: '2', shippingComments: '' },
        ),
    ],
    [
      'with its dates in another spelling of the same instant',
      (number) =>
        po({ shipmentNumber: number, orderDate: '2026-03-01T11:00:00.0+01' }, { lineNumber: '1' }, { lineNumber: '2' }),
    ],
    [
      'with its numbers in another spelling',
      (number) =>
        po(
          { shipmentNumber: number },
          { lineNumber: '1', shippedQuantity: new Decimal('24.0') },
          { lineNumber: '2', itemCost: new Decimal('1.25e1') },
        ),
    ],
    [
      'with its fields in another order',
      (number) => {
        const [shipment] = po({ shipmentNumber: number }, { lineNumber: '1' }, { lineNumber: '2' }).poData;
        const turned = (members: object) => Object.fromEntries(Object.entries(members).reverse());
        return {
          poData: [{ details: { detail: shipment.details.detail.map(turned) }, header: turned(shipment.header) }],
        };
      },
    ],
  ])('is the same content %s', async (_name, again) => {
    const number = freshNumber();
    const first = await inbound.transmit(po({ shipmentNumber: number }, { lineNumber: '1' }, { lineNumber: '2' }));
    expect(first.status).toBe(200);
    const { status, text } = await inbound.transmit(again(number));
    expect([status, text]).toEqual([200, first.text]);
    // The reverse case: the stored message has more fields than the retry.
    const other = freshNumber();
    const kept = await inbound.transmit(again(other));
    const plain = po({ shipmentNumber: other }, { lineNumber: '1' }, { lineNumber: '2' });
    expect((await inbound.transmit(plain)).text).toBe(kept.text);
  });

  it('with a day instead of an instant has other content', async () => {
    const number = freshNumber();
    await inbound.transmit(po({ shipmentNumber: number, orderDate: '2026-03-01T00:00:00Z' }));
    const answer = await inbound.transmit(po({ shipmentNumber: number, orderDate: '2026-03-01' }));
    expect(messagesOf(answer)[0]).toContain('orderDate is "2026-03-01", stored "2026-03-01T00:00:00.000Z"');
  });

  it('is recognized also when an earlier release made its fingerprint', async () => {
    const number = freshNumber();
    const body = po({ shipmentNumber: number, asnNumber: '' });
    const first = await inbound.transmit(body);
    await inbound.store.write((tx) =>
      tx
        .updateTable('inbound_shipments')
        .set({ content_hash: 'made by 0.1.0' })
        .where('client_id', '=', 'TOWN')
        .where('number', '=', number)
        .execute(),
    );
    expect((await inbound.transmit(body)).text).toBe(first.text);
    const changed = await inbound.transmit(po({ shipmentNumber: number, shipperName: 'Other' }));
    expect(errorsOf(changed).map(({ code }) => code)).toEqual(['NUMBER_ALREADY_USED']);
  });

  it('returns the first response also after a change of the item, the warehouse or the catalog', async () => {
    const number = freshNumber();
    const body = asn(
      { asnNumber: number, receivingWarehouseId: 'DC002' },
      { clientItemId: 'TEE-BLU-M', receivingWarehouseId: 'DC002' },
    );
    const first = await inbound.transmit(body);
    await inbound.client.delete('/item-service/clients/TOWN/items/21-TEE-BLU-M');
    await inbound.store.write((tx) =>
      tx
        .updateTable('nodes')
        .set({ receiving_warehouse_id: 'DC003' })
        .where('client_id', '=', 'TOWN')
        .where('node_id', '=', 'TOWN-DC002')
        .execute(),
    );
    expect((await inbound.transmit(body)).text).toBe(first.text);
    await inbound.store.write((tx) =>
      tx
        .updateTable('nodes')
        .set({ receiving_warehouse_id: 'DC002' })
        .where('client_id', '=', 'TOWN')
        .where('node_id', '=', 'TOWN-DC002')
        .execute(),
    );
  });

  it('with other content is rejected with the differences and how to void', async () => {
    const number = freshNumber();
    await inbound.transmit(asn({ asnNumber: number }, { cartonId: 'C-1' }, { cartonId: 'C-2' }, { cartonId: 'C-3' }));
    const before = await inbound.counts();
    const changed = asn(
      { asnNumber: number, shipperName: 'Other', poStatus: 'NEW' },
      { cartonId: 'C-1', shippedQuantity: 5 },
      { cartonId: 'C-4' },
      { cartonId: 'C-3' },
    );
    const answer = await inbound.transmit(changed);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ poAsnData: [{ status: 'FAILED', poAsnNumber: number }] });
    expect(errorsOf(answer)).toEqual([
      {
        code: 'NUMBER_ALREADY_USED',
        type: 'HEADER_LEVEL_ERROR',
        poAsnErrorPayload: { asnNumber: number },
        message: expect.any(String) as unknown,
      },
    ]);
    for (const part of [
      'shipperName is "Other", stored "Fine Goods Ltd"',
      'poStatus is "NEW", stored absent',
      'line 1 (carton C-1, item MUG-WHT): shippedQuantity is 5, stored 24',
      'line 2 (carton C-4, item MUG-WHT) is not in the stored one',
      'the stored line (carton C-2, item MUG-WHT) is missing',
      `DELETE /operator/v1/clients/TOWN/inbound/ASN/${number}?sellerId=TOWNS`,
    ]) {
      expect(messagesOf(answer)[0]).toContain(part);
    }
    expect(messagesOf(answer)[0]).not.toContain('line 3');
    expect(await inbound.counts()).toEqual(before);
  });

  it('distinguishes digits that a double cannot', async () => {
    const number = freshNumber();
    await inbound.transmit(po({ shipmentNumber: number }, { itemCost: new Decimal('1.00000000000000000001') }));
    const answer = await inbound.transmit(
      po({ shipmentNumber: number }, { itemCost: new Decimal('1.00000000000000000002') }),
    );
    expect(messagesOf(answer)[0]).toContain(
      'line 1 (item MUG-WHT): itemCost is 1.00000000000000000002, stored 1.00000000000000000001',
    );
  });

  it('lists at most ten differences', async () => {
    const number = freshNumber();
    const lines = (shippedQuantity: number) =>
      Array.from({ length: 15 }, (_unused, index) => ({ lineNumber: `${index}`, shippedQuantity }));
    await inbound.transmit(po({ shipmentNumber: number }, ...lines(1)));
    expect(messagesOf(await inbound.transmit(po({ shipmentNumber: number }, ...lines(2))))[0]).toContain(
      '; and 5 more)',
    );
  });

  it('compares 20,000 lines of one item with 20,000 others', async () => {
    const number = freshNumber();
    const lines = (shippedQuantity: number) => Array.from({ length: 20_000 }, () => ({ shippedQuantity }));
    await inbound.transmit(po({ shipmentNumber: number }, ...lines(1)));
    const answer = await inbound.transmit(po({ shipmentNumber: number }, ...lines(2)));
    expect(messagesOf(answer)[0]).toContain('; and 19990 more)');
  });

  it('through another seller of the client is another shipment: each seller numbers its own shipments', async () => {
    const number = freshNumber();
    const body = asn({ asnNumber: number });
    const own = receiptOf(await inbound.transmit(body));
    const path = '/poasn-manager-service/sellers/OUTLET/poasn/create';
    const other = receiptOf(await inbound.client.post(path, body));
    expect([own['store_id'], other['store_id']]).toEqual(['TOWN_US', 'TOWN_OUTLET']);
    expect(other['file_name']).not.toBe(own['file_name']);
    expect(receiptOf(await inbound.client.post(path, body))).toEqual(other);
    const changed = await inbound.client.post(path, asn({ asnNumber: number, shipperName: 'Other' }));
    expect(errorsOf(changed).map(({ code }) => code)).toEqual(['NUMBER_ALREADY_USED']);
  });

  it('for another store of the same seller that the key does not cover reveals only that the number is taken', async () => {
    const number = freshNumber();
    await inbound.transmit(asn({ asnNumber: number, storeCode: 'ABCDE' }));
    const narrow = await inbound.credential({ storeIds: ['TOWN_US'] });
    const answer = await inbound.transmit(asn({ asnNumber: number }), {}, narrow);
    expect(errorsOf(answer).map(({ code }) => code)).toEqual(['NUMBER_ALREADY_USED']);
    expect(messagesOf(answer)[0]).toContain('it belongs to another store or warehouse');
    expect(messagesOf(answer)[0]).not.toContain('ABCDE');
  });

  it('an ASN, a PO and a shipment of another client can have the same number', async () => {
    const number = freshNumber();
    const asnReceipt = receiptOf(await inbound.transmit(asn({ asnNumber: number })));
    const poReceipt = receiptOf(await inbound.transmit(po({ shipmentNumber: number })));
    const path = '/poasn-manager-service/sellers/OTHERS/poasn/create';
    const other = receiptOf(await inbound.neighbour.post(path, asn({ asnNumber: number })));
    expect(new Set([asnReceipt, poReceipt, other].map((one) => one['file_name'])).size).toBe(3);
    expect(other['client_id']).toBe('OTHER');
  });

  it('numbers that differ only in case are two', async () => {
    const upper = receiptOf(await inbound.transmit(asn({ asnNumber: 'CASE-A' })));
    const lower = receiptOf(await inbound.transmit(asn({ asnNumber: 'case-a' })));
    expect(upper['file_name']).not.toBe(lower['file_name']);
  });

  it('after a void, the number can be sent again with other content', async () => {
    const number = freshNumber();
    const first = receiptOf(await inbound.transmit(po({ shipmentNumber: number })));
    await voided('PO', number);
    const second = receiptOf(await inbound.transmit(po({ shipmentNumber: number }, {}, {})));
    expect(second['successfull_imported']).toBe('2');
    expect(second['file_name']).not.toBe(first['file_name']);
  });
});

describe('concurrent transmissions', () => {
  it('of the same ASN, ten times, store it once and get the same response', async () => {
    const body = asn({ asnNumber: freshNumber() }, {}, {});
    const before = await inbound.counts();
    const answers = await Promise.all(Array.from({ length: 10 }, () => inbound.transmit(body)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await inbound.counts()).toEqual({
      shipments: before.shipments + 1,
      lines: before.lines + 2,
      events: before.events + 1,
    });
  });

  it('of two with one number and other contents store one', async () => {
    const asnNumber = freshNumber();
    const before = await inbound.counts();
    const answers = await Promise.all(
      [asn({ asnNumber }, {}), asn({ asnNumber }, {}, {})].map((body) => inbound.transmit(body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await inbound.counts()).shipments).toBe(before.shipments + 1);
  });
});

describe('Idempotency-Key', () => {
  it('returns the stored response on a retry, and rejects another body in the failure format', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    const first = await inbound.transmit(asn({ asnNumber: 'X-KEY' }), headers);
    const again = await inbound.transmit(asn({ asnNumber: 'X-KEY' }), headers);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const other = await inbound.transmit(asn({ asnNumber: 'X-KEY-2' }), headers);
    expect(other.status).toBe(422);
    expect(other.body).toMatchObject({
      poAsnData: [{ status: 'FAILED', poAsnNumber: 'X-KEY-2', errors: [{ code: 'IDEMPOTENCY_KEY_REUSED' }] }],
    });
  });
});

describe('access', () => {
  const body = asn({ asnNumber: 'X-ACCESS' });
  const send = (headers: Record<string, string>, path = PATH) => inbound.call({ method: 'POST', path, body, headers });

  it('requires apiKey and nothing else', async () => {
    const without = await send({});
    expect(without.status).toBe(403);
    expect(errorsOf(without)[0]!.code).toBe('CREDENTIALS_MISSING');
    expect((await send({ authorization: inbound.client.headers.authorization })).status).toBe(403);
    const number = freshNumber();
    const headers = { apikey: inbound.client.secrets.apiKey };
    expect((await inbound.call({ method: 'POST', path: PATH, body: asn({ asnNumber: number }), headers })).status).toBe(
      200,
    );
  });

  it('rejects a wrong key and a key of another group', async () => {
    const wrong = await send({ apikey: `${inbound.client.secrets.apiKey}x` });
    expect([wrong.status, errorsOf(wrong)[0]!.code]).toEqual([403, 'CREDENTIALS_INVALID']);
    const { secrets } = await inbound.credential({ groups: ['items', 'fulfillment', 'intake'] });
    const other = await send({ apikey: secrets.apiKey });
    expect([other.status, errorsOf(other)[0]!.code]).toEqual([403, 'ACCESS_DENIED']);
  });

  it('gives the same response for the seller of another client and for an unknown one', async () => {
    const headers = { apikey: inbound.client.secrets.apiKey };
    const answers = await Promise.all(
      ['OTHERS', 'NOBODY'].map((seller) => send(headers, `/poasn-manager-service/sellers/${seller}/poasn/create`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(errorsOf(answers[0]!)).toEqual(errorsOf(answers[1]!));
  });

  it.each([
    ['store', { storeIds: ['TOWN_CA'] }, 'STORE_NOT_FOUND'],
    ['warehouse', { nodeIds: ['TOWN-DC002'], groups: ['inbound'] }, 'WAREHOUSE_NOT_FOUND'],
  ])('a credential limited to another %s gets the response for an unknown one', async (_what, narrowing, code) => {
    const { secrets } = await inbound.credential(narrowing);
    const answer = await inbound.transmit(body, { apikey: secrets.apiKey });
    expect(errorsOf(answer).map((error) => error.code)).toEqual([code]);
    expect((await inbound.read('ASN', 'X-ACCESS')).status).toBe(404);
  });

  it('a credential limited to the store and the warehouse can transmit', async () => {
    const number = freshNumber();
    const { secrets } = await inbound.credential({
      storeIds: ['TOWN_US'],
      nodeIds: ['TOWN-DC001'],
      groups: ['inbound'],
    });
    expect((await inbound.transmit(asn({ asnNumber: number }), { apikey: secrets.apiKey })).status).toBe(200);
  });

  it('a limited credential gets no data of a stored message that it does not cover', async () => {
    const number = freshNumber();
    await inbound.transmit(asn({ asnNumber: number, shipperName: 'Secret Supplier' }));
    const { secrets } = await inbound.credential({ storeIds: ['TOWN_CA'] });
    const answer = await inbound.transmit(asn({ asnNumber: number, storeCode: '989' }), { apikey: secrets.apiKey });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('Secret');
    expect(messagesOf(answer)[0]).toContain('it belongs to another store or warehouse');
  });
});
