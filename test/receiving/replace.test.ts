/** Replacing an announced ASN or PO with the client's own key. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../support/town.ts';
import { asn, type Inbound, openInbound, po } from './support.ts';

let inbound: Inbound;
let key: Caller;
beforeAll(async () => {
  inbound = await openInbound();
  key = await inbound.credential({ groups: ['inbound'] });
});
afterAll(() => inbound.close());

const LIST = '/operator/v1/clients/TOWN/inbound';
const unitsOf = async (type: 'ASN' | 'PO', number: string) => (await inbound.read(type, number)).body.totalUnits;
const messagesOf = ({ body }: { body: { poAsnData: [{ errors: { message: string }[] }] } }) =>
  body.poAsnData[0].errors.map(({ message }) => message);
const placesOf = ({ body }: { body: { poAsnData: [{ errors: { pointer: string; rule: string }[] }] } }) =>
  body.poAsnData[0].errors.map(({ pointer, rule }) => `${pointer} ${rule}`);

describe('replaceInbound', () => {
  it('replaces the whole message, with an event for the void one and one for the new one', async () => {
    await inbound.transmit(asn({ asnNumber: 'X-1' }, { shippedQuantity: 6 }));
    const { head } = (await inbound.client.get('/operator/v1/events?limit=1')).body;
    const replaced = await key.put(`${LIST}/ASN/X-1`, asn({ asnNumber: 'X-1' }, { shippedQuantity: 9 }));
    expect([replaced.status, replaced.body.poAsnData[0].poAsnNumber]).toEqual([200, 'X-1']);
    expect(await unitsOf('ASN', 'X-1')).toBe(9);
    const { events } = (await inbound.client.get(`/operator/v1/events?after=${head}`)).body;
    expect(events.map(({ type }: { type: string }) => type)).toEqual(['inbound.voided', 'inbound.transmitted']);
  });

  it('keeps the time at which the goods came to the door, unless they are for another warehouse', async () => {
    await inbound.transmit(po({ shipmentNumber: 'X-9' }, { shippedQuantity: 6 }));
    const at = (nodeId: string) => `/operator/v1/clients/TOWN/nodes/${nodeId}/inbound/PO/X-9`;
    const dock = at('TOWN-DC001');
    expect((await inbound.operator('POST', `${dock}/arrive`, { userId: 'ann' })).status).toBe(204);
    const { arrivedAt } = (await inbound.operator('GET', dock)).body;
    expect(arrivedAt).toMatch(/^20/);
    const replaced = await key.put(`${LIST}/PO/X-9`, po({ shipmentNumber: 'X-9' }, { shippedQuantity: 9 }));
    expect(replaced.status, replaced.text).toBe(200);
    expect(await unitsOf('PO', 'X-9')).toBe(9);
    expect((await inbound.operator('GET', dock)).body.arrivedAt).toBe(arrivedAt);
    const elsewhere = { receivingWarehouseId: 'DC002' };
    const moved = await key.put(`${LIST}/PO/X-9`, po({ shipmentNumber: 'X-9', ...elsewhere }, elsewhere));
    expect(moved.status, moved.text).toBe(200);
    const other = await inbound.operator('GET', at('TOWN-DC002'));
    expect([other.status, other.body.arrivedAt]).toEqual([200, undefined]);
  });

  it('with the stored content changes nothing', async () => {
    const message = po({ shipmentNumber: 'X-2' });
    const first = await inbound.transmit(message);
    const before = await inbound.counts();
    expect((await key.put(`${LIST}/PO/X-2`, message)).text).toBe(first.text);
    expect(await inbound.counts()).toEqual(before);
  });

  it('is a 409 once goods have come, and changes nothing', async () => {
    await inbound.transmit(po({ shipmentNumber: 'X-3' }, { shippedQuantity: 6 }));
    const receipt = { receiptId: 'r1', userId: 'ann', lines: [{ itemId: '21-MUG-WHT', good: 2 }] };
    const path = '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound/PO/X-3/receipts';
    expect((await inbound.operator('POST', path, receipt)).status).toBe(201);
    const before = await inbound.counts();
    const answer = await key.put(`${LIST}/PO/X-3`, po({ shipmentNumber: 'X-3' }, { shippedQuantity: 9 }));
    expect([answer.status, answer.body.poAsnData[0].poAsnNumber]).toEqual([409, 'X-3']);
    expect(messagesOf(answer)[0]).toContain('can be voided or replaced');
    expect(answer.body).toMatchObject({ state: 'RECEIVING' });
    expect((await key.delete(`${LIST}/PO/X-3`)).status).toBe(409);
    expect(await inbound.counts()).toEqual(before);
    expect(await unitsOf('PO', 'X-3')).toBe(6);
  });

  it('of a number that several sellers use is a 409 with the sellers', async () => {
    const message = asn({ asnNumber: 'X-10' });
    await inbound.transmit(message);
    await inbound.client.post('/poasn-manager-service/sellers/OUTLET/poasn/create', message);
    const answer = await key.put(`${LIST}/ASN/X-10`, message);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      poAsnData: [{ errors: [{ code: 'AMBIGUOUS_NUMBER' }] }],
      sellerIds: ['OUTLET', 'TOWNS'],
    });
    expect((await key.put(`${LIST}/ASN/X-10?sellerId=OUTLET`, message)).status).toBe(200);
  });

  it('lists every error of the message and leaves the stored one as it is', async () => {
    await inbound.transmit(asn({ asnNumber: 'X-4' }, { shippedQuantity: 6 }));
    const answer = await key.put(
      `${LIST}/ASN/X-4`,
      asn({ asnNumber: 'X-5', storeCode: 'NONE' }, { clientItemId: 'NONE' }),
    );
    expect(answer.status).toBe(400);
    expect(messagesOf(answer)).toEqual([
      expect.stringContaining('the path has number "X-4"'),
      expect.stringContaining('has no store'),
    ]);
    expect(placesOf(answer)).toEqual(['/asnData/0/header/asnNumber path', '/asnData/0/header/storeCode store']);
    expect(await unitsOf('ASN', 'X-4')).toBe(6);
    const other = await key.put(`${LIST}/ASN/X-4`, po({ shipmentNumber: 'X-4' }));
    expect([other.status, messagesOf(other)[0]]).toEqual([400, expect.stringContaining('the message has type PO')]);
    expect(other.body.poAsnData[0].errors[0]).toMatchObject({
      pointer: '/poData/0/header/receivingType',
      poAsnErrorPayload: { receivingType: 'P' },
    });
  });

  it('has the place and rule of each error, also of a message that is no JSON, and a transmission does not', async () => {
    await inbound.transmit(po({ shipmentNumber: 'X-8' }));
    const message = po({ shipmentNumber: 'X-8' }, { shippedQuantity: 'many' });
    expect(placesOf(await key.put(`${LIST}/PO/X-8`, message))).toEqual([
      '/poData/0/details/detail/0/shippedQuantity type',
    ]);
    const broken = await inbound.client.call({
      method: 'PUT',
      path: `${LIST}/PO/X-8`,
      headers: { ...inbound.client.headers, 'content-type': 'application/json' },
      raw: '{',
    });
    expect([broken.status, placesOf(broken)]).toEqual([400, [' syntax']]);
    const [error] = (await inbound.transmit(message)).body.poAsnData[0].errors;
    expect(Object.keys(error)).toEqual(['code', 'message', 'poAsnErrorPayload', 'type']);
  });

  it('of an unknown shipment, or one of another store, is a 404', async () => {
    const missing = await key.put(`${LIST}/PO/NONE`, po({ shipmentNumber: 'NONE' }));
    expect([missing.status, missing.body.poAsnData[0].poAsnNumber]).toEqual([404, 'NONE']);
    await inbound.transmit(po({ shipmentNumber: 'X-6' }));
    const elsewhere = await inbound.credential({ groups: ['inbound'], storeIds: ['TOWN_CA'] });
    expect((await elsewhere.put(`${LIST}/PO/X-6`, po({ shipmentNumber: 'X-6' }))).status).toBe(404);
  });

  it('sent twice at once replaces once or twice, and one message remains', async () => {
    await inbound.transmit(asn({ asnNumber: 'X-7' }, { shippedQuantity: 6 }));
    const message = asn({ asnNumber: 'X-7' }, { shippedQuantity: 7 });
    const answers = await Promise.all([1, 2].map(() => key.put(`${LIST}/ASN/X-7`, message)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await unitsOf('ASN', 'X-7')).toBe(7);
  });
});
