/** Rejected inbound messages: one response lists every error with the wrong value, and nothing is stored. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/backroom.ts';
import { asn, errorsOf, type Inbound, messagesOf, openInbound, PATH, po } from './support.ts';

let inbound: Inbound;
beforeAll(async () => {
  inbound = await openInbound();
});
afterAll(() => inbound.close());

const raw = (text: string): Promise<Answer> =>
  inbound.call({ method: 'POST', path: PATH, raw: text, headers: { apikey: inbound.client.secrets.apiKey } });

describe('the failure body', () => {
  it('has status, poAsnNumber, successfull_imported and errors with code, message, poAsnErrorPayload and type', async () => {
    const answer = await inbound.transmit(asn({ asnNumber: 'A-BAD', storeCode: 'NONE' }));
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      poAsnData: [
        {
          status: 'FAILED',
          poAsnNumber: 'A-BAD',
          successfull_imported: '0',
          errors: [
            {
              code: 'STORE_NOT_FOUND',
              message:
                'seller "TOWNS" has no store with storeCode "NONE"; send the code that the operator assigned [/asnData/0/header/storeCode]',
              poAsnErrorPayload: { storeCode: 'NONE' },
              type: 'HEADER_LEVEL_ERROR',
            },
          ],
        },
      ],
      requestId: expect.any(String) as unknown,
      errorsTotal: 1,
    });
  });

  it.each([
    ['an ASN', asn({ asnNumber: 'A-BAD', shipperName: '' }), 'A-BAD'],
    ['a PO', po({ shipmentNumber: 'P-BAD', shipperName: '' }), 'P-BAD'],
    ['a number that is too long', asn({ asnNumber: 'A'.repeat(16) }), 'A'.repeat(16)],
    ['no number', po({ shipmentNumber: undefined }), ''],
    ['a number of a wrong type', asn({ asnNumber: 5 }), ''],
    ['both an ASN and a PO', { ...asn(), ...po() }, ''],
    ['no message', [], ''],
  ])('poAsnNumber is the number if it can be read: %s', async (_name, body, number) => {
    const answer = await inbound.transmit(body);
    expect(answer.body).toMatchObject({ poAsnData: [{ status: 'FAILED', poAsnNumber: number }] });
  });

  it.each([
    ['malformed JSON', '{"asnData": [}'],
    ['no JSON', 'ASN 4711'],
    ['a field twice in one object', 'a duplicate field in one object'],
    ['__proto__', '{"asnData": {"__proto__": {}}}'],
    ['20,000 levels of nesting', `{"asnData": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ['NUL', '{"asnData": {"header": {"shipperName": "a\\u0000b"}}}'],
    ['a lone surrogate', '{"asnData": {"header": {"shipperName": "\\ud800"}}}'],
  ])('is the same for %s, with an empty poAsnNumber', async (_name, text) => {
    const answer = await raw(text);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      poAsnData: [
        {
          status: 'FAILED',
          poAsnNumber: '',
          successfull_imported: '0',
          errors: [{ code: 'FILE_VALIDATION_FAILED', type: 'HEADER_LEVEL_ERROR', poAsnErrorPayload: {} }],
        },
      ],
    });
  });

  it('is the same without a body', async () => {
    const answer = await inbound.client.call({ method: 'POST', path: PATH });
    expect(answer.status).toBe(400);
    expect(messagesOf(answer)[0]).toContain('a JSON body is required');
  });
});

describe('one response lists every error', () => {
  it('three errors of the header and five of the lines, each with its values', async () => {
    const body = asn(
      { asnNumber: 'A-8', shipperName: 'x'.repeat(31), storeCode: 'NONE', shipmentReceiptDate: '2026-02-30' },
      { trailerNumber: undefined },
      { shippedQuantity: 0, itemCost: -1 },
      { asnNumber: 'A-9', cartonId: 'C-3' },
      { receivingWarehouseId: 'DC002' },
    );
    const answer = await inbound.transmit(body);
    expect(answer.status).toBe(400);
    const errors = errorsOf(answer);
    expect(errors.map(({ type, poAsnErrorPayload }) => [type, poAsnErrorPayload])).toEqual([
      ['HEADER_LEVEL_ERROR', { shipmentReceiptDate: '2026-02-30' }],
      ['HEADER_LEVEL_ERROR', { shipperName: 'x'.repeat(31) }],
      ['HEADER_LEVEL_ERROR', { storeCode: 'NONE' }],
      ['DETAIL_LEVEL_ERROR', { line: 1, cartonId: 'CARTON-1', clientItemId: 'MUG-WHT' }],
      ['DETAIL_LEVEL_ERROR', { line: 2, cartonId: 'CARTON-1', clientItemId: 'MUG-WHT', itemCost: -1 }],
      ['DETAIL_LEVEL_ERROR', { line: 2, cartonId: 'CARTON-1', clientItemId: 'MUG-WHT', shippedQuantity: 0 }],
      ['DETAIL_LEVEL_ERROR', { line: 3, cartonId: 'C-3', clientItemId: 'MUG-WHT', asnNumber: 'A-9' }],
      ['DETAIL_LEVEL_ERROR', { line: 4, cartonId: 'CARTON-1', clientItemId: 'MUG-WHT', receivingWarehouseId: 'DC002' }],
    ]);
    expect(answer.body).toMatchObject({ errorsTotal: 8 });
  });

  it('errors of the form, between fields and against stored data are listed together', async () => {
    const body = po(
      { receivingWarehouseId: 'DC009', orderDate: 'yesterday' },
      { receivingWarehouseId: 'DC009', clientItemId: 'MUG-PNK' },
      { receivingWarehouseId: 'DC001', itemCost: '1' },
    );
    expect(
      errorsOf(await inbound.transmit(body)).map(({ code, poAsnErrorPayload }) => [
        code,
        Object.values(poAsnErrorPayload).at(-1),
      ]),
    ).toEqual([
      ['FILE_VALIDATION_FAILED', 'yesterday'],
      ['WAREHOUSE_NOT_FOUND', 'DC009'],
      ['ITEM_NOT_FOUND', 'MUG-PNK'],
      ['FILE_VALIDATION_FAILED', '1'],
      ['FILE_VALIDATION_FAILED', 'DC001'],
    ]);
  });

  it("values are returned under the caller's names, cut at 200 characters, objects and lists by their size", async () => {
    const body = {
      POData: {
        Header: { ...po().poData[0].header, ShipperName: undefined, shipperName: 'x'.repeat(5000) },
        Details: [5],
      },
    };
    const long = errorsOf(await inbound.transmit(body));
    expect(long[0]!.poAsnErrorPayload['shipperName']).toBe(`${'x'.repeat(197)}...`);
    expect(long[1]).toMatchObject({ type: 'DETAIL_LEVEL_ERROR', poAsnErrorPayload: { line: 1 } });
    const nested = errorsOf(await inbound.transmit(po({ shipperName: { a: 1, b: 2 }, poStatus: [1, 2, 3] })));
    expect(nested.map(({ poAsnErrorPayload }) => poAsnErrorPayload)).toEqual([
      { shipperName: 'object of 2' },
      { poStatus: 'list of 3' },
    ]);
  });
});

describe('references of the message', () => {
  it.each([
    ['no store', asn({ storeCode: 'XXXXX' }), 'STORE_NOT_FOUND'],
    ['no warehouse', asn({ receivingWarehouseId: 'NONE' }, { receivingWarehouseId: 'NONE' }), 'WAREHOUSE_NOT_FOUND'],
    ['no item', asn({}, { clientItemId: 'NOTHING' }), 'ITEM_NOT_FOUND'],
    ["an item of another client's catalog", asn({}, { clientItemId: 'OTHER-ONLY' }), 'ITEM_NOT_FOUND'],
  ])('%s is rejected', async (_name, body, code) => {
    const before = await inbound.counts();
    const answer = await inbound.transmit(body);
    expect(errorsOf(answer).map((error) => error.code)).toEqual([code]);
    expect(await inbound.counts()).toEqual(before);
  });

  it('StoreCode and sellerId of the path name the store together', async () => {
    const codes = { TOWNS: 'TOWN_US', OUTLET: 'TOWN_OUTLET' };
    for (const [seller, store] of Object.entries(codes)) {
      const path = `/poasn-manager-service/sellers/${seller}/poasn/create`;
      const answer = await inbound.client.post(path, asn({ asnNumber: `A-${seller}`, storeCode: '988' }));
      expect(answer.body).toMatchObject({ poAsnData: [{ store_id: store }] });
    }
  });

  it('a node of type STORE receives under its own receivingWarehouseId, and under no other', async () => {
    const body = asn({ asnNumber: 'A-N', receivingWarehouseId: 'TOWN-' }, { receivingWarehouseId: 'TOWN-' });
    await inbound.store.write((tx) =>
      tx
        .updateTable('nodes')
        .set({ receiving_warehouse_id: 'TOWN-' })
        .where('client_id', '=', 'TOWN')
        .where('node_id', '=', 'TOWN-Store002')
        .execute(),
    );
    expect((await inbound.transmit(body)).status).toBe(200);
    const other = asn({ asnNumber: 'A-N2', receivingWarehouseId: 'Store' }, { receivingWarehouseId: 'Store' });
    expect(errorsOf(await inbound.transmit(other)).map(({ code }) => code)).toEqual(['WAREHOUSE_NOT_FOUND']);
  });

  it('each line with an unknown item is an error of its own', async () => {
    const lines = ['MUG-WHT', 'NO-1', 'LAMP-BRS', 'NO-2', 'NO-1'].map((clientItemId) => ({ clientItemId }));
    const answer = await inbound.transmit(asn({ asnNumber: 'A-ITEMS' }, ...lines));
    expect(
      errorsOf(answer).map(({ type, poAsnErrorPayload }) => [
        type,
        poAsnErrorPayload['line'],
        poAsnErrorPayload['clientItemId'],
      ]),
    ).toEqual([
      ['DETAIL_LEVEL_ERROR', 2, 'NO-1'],
      ['DETAIL_LEVEL_ERROR', 4, 'NO-2'],
      ['DETAIL_LEVEL_ERROR', 5, 'NO-1'],
    ]);
    expect((await inbound.read('ASN', 'A-ITEMS')).status).toBe(404);
  });
});

describe('limits', () => {
  const many = (count: number, line: (index: number) => Record<string, unknown>) =>
    Array.from({ length: count }, (_unused, index) => line(index));

  it('100 errors are listed and counted', async () => {
    const answer = await inbound.transmit(
      po({ shipmentNumber: 'P-100' }, ...many(100, () => ({ shippedQuantity: 0 }))),
    );
    expect(errorsOf(answer)).toHaveLength(100);
    expect(answer.body).toMatchObject({ errorsTotal: 100 });
  });

  it.each<[string, Record<string, unknown>]>([
    ['of the form', { shippedQuantity: 0 }],
    ['between fields', { receivingWarehouseId: 'DC002' }],
    ['against stored data', { clientItemId: 'NOTHING' }],
  ])('of 101 errors %s 100 are listed, and "100+" counted', async (_name, line) => {
    const answer = await inbound.transmit(po({ shipmentNumber: 'P-101' }, ...many(101, () => line)));
    expect(errorsOf(answer)).toHaveLength(100);
    expect(answer.body).toMatchObject({ poAsnData: [{ poAsnNumber: 'P-101' }], errorsTotal: '100+' });
  });

  it('a message of 20,001 lines is rejected with the number of its lines', async () => {
    const answer = await inbound.transmit(po({ shipmentNumber: 'P-LINES' }, ...many(20_001, () => ({}))));
    expect(messagesOf(answer)).toEqual([
      'the message has 20001 lines; send at most 20000 and the rest as another shipment [/poData/0/details]',
    ]);
    expect((await inbound.read('PO', 'P-LINES')).status).toBe(404);
  });

  it.each([
    ['empty lines', `{"poData":{"details":{"detail":[${'{},'.repeat(900_000)}{}]}}}`],
    ['lines of numbers', `{"poData":{"details":[${'0,'.repeat(900_000)}0]}}`],
    ['extended attributes', `{"poData":{"header":{"headerExtendedAttributes":[${'{},'.repeat(900_000)}{}]}}}`],
    [
      'unknown fields',
      `{"poData":{"header":{${Array.from({ length: 400_000 }, (_unused, index) => `"x${index}":0`).join()}}}}`,
    ],
    ['messages', `{"asnData":[${'{},'.repeat(900_000)}{}]}`],
    ['two million values', `{"poData":{"details":[${'0,'.repeat(2_000_000)}0]}}`],
  ])('a body full of errors is rejected with at most 100 of them: %s', async (_name, text) => {
    const answer = await raw(text);
    expect(answer.status).toBe(400);
    expect(errorsOf(answer).length).toBeLessThanOrEqual(100);
    expect(answer.text.length).toBeLessThan(100_000);
  });

  it('a body over 8 MiB is rejected with 413, in the failure format', async () => {
    const answer = await raw(`{"poData":"${'x'.repeat(8 * 1024 * 1024)}"}`);
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({ poAsnData: [{ status: 'FAILED', errors: [{ code: 'CONTENT_TOO_LARGE' }] }] });
  });
});
