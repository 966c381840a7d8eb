import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clockStops, type Stop, tourStops } from '../../src/service/demo/tour.ts';
import { operationNamed } from '../../src/service/operations.ts';
import { type Answer, type Call, NOON, OPERATOR_KEY } from '../support/backroom.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { asSerialized, bodySchema } from './support/as-serialized.ts';

/** Sends a stop of the tour with the body that `write` returns. */
function send(town: OpenTown, stop: Stop, write: (body: unknown) => unknown): Promise<Answer> {
  const {
    method,
    access: { auth },
  } = operationNamed(stop.operationId);
  const headers: Record<string, string> =
    auth === 'operator' ? { authorization: `Bearer ${OPERATOR_KEY}` } : { ...town.client.headers };
  const call: Call = { method, path: stop.path, headers };
  if (stop.body !== undefined) return town.call({ ...call, body: write(stop.body) });
  if (stop.x12 !== undefined) {
    return town.call({ ...call, raw: stop.x12, headers: { ...headers, 'content-type': 'application/edi-x12' } });
  }
  if (stop.csv === undefined) return town.call(call);
  const form = `--b\r\nContent-Disposition: form-data; name="filename"; filename="items.csv"\r\n\r\n${stop.csv.replaceAll('\\n', '\n')}\r\n--b--\r\n`;
  return town.call({ ...call, headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' }, raw: form });
}

async function toured(write: (stop: Stop, body: unknown) => unknown) {
  const town = await openTown({ upTo: 'returns' });
  try {
    const spare = (await town.credential({ label: 'Spare' })).secrets;
    const answers: { stop: Stop; status: number; body: unknown; sent: unknown }[] = [];
    for (const stop of [...tourStops(town, NOON, spare), ...clockStops()]) {
      let sent: unknown;
      const answer = await send(town, stop, (body) => (sent = write(stop, body)));
      answers.push({ stop, status: answer.status, body: answer.body as unknown, sent });
    }
    return answers;
  } finally {
    await town.close();
  }
}

describe('a client that writes as common serializers do', () => {
  it('completes the tour without an error, and gets the same responses as a client without nulls', async () => {
    const plain = await toured((_stop, body) => body);
    const serialized = await toured(({ operationId }, body) => asSerialized(operationNamed(operationId), body));
    const refused = serialized.filter(({ status }) => status >= 300);
    expect(refused).toEqual([]);
    for (const [index, { stop, status, body }] of serialized.entries()) {
      expect([stop.operationId, status, body]).toEqual([stop.operationId, plain[index]!.status, plain[index]!.body]);
    }
    // The sent bodies must differ from the bodies of the examples; otherwise this test compares nothing.
    const texts = serialized.map(({ sent }) => JSON.stringify(sent ?? null));
    expect(texts.filter((text) => text.includes(':null')).length).toBeGreaterThan(20);
    expect(texts.some((text) => /T\d\d:\d\dZ"/.test(text))).toBe(true);
  });
});

describe('null', () => {
  let town: OpenTown;
  beforeAll(async () => {
    town = await openTown({ upTo: 'returns' });
  });
  afterAll(() => town.close());

  const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
  const queueId = 'WAITING_FOR_PICK_ISPU';
  const queue = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', queueId };
  const onQueue = (body: object) => town.client.post(`${NODE}/fulfillmentOrders?queueId=${queueId}`, body);
  const pointers = ({ body }: Answer) =>
    (body.errors as { pointer: string; rule: string }[]).map(({ pointer, rule }) => `${pointer} ${rule}`);

  it('in an optional field of a search equals absence, and a required field that is null is missing', async () => {
    const schema = bodySchema(operationNamed('searchQueue'));
    expect(schema).toBeDefined();
    const nulls = await onQueue(asSerialized(operationNamed('searchQueue'), queue) as object);
    expect(nulls.status, nulls.text).toBe(200);
    expect(nulls.text).toBe((await onQueue(queue)).text);
    const missing = await onQueue({ ...queue, storeId: null, customer: { name: 'Ada', email: null, phone: null } });
    expect(pointers(missing)).toContain('/storeId required');
  });

  it('in a list is rejected', async () => {
    const statuses = await town.client.post(`${NODE}/pickTicket/generate`, {
      ...queue,
      userId: 'mara',
      modifyAssociateId: 'mara',
      fulfillmentOrderIds: [null],
    });
    expect(pointers(statuses)).toEqual(['/fulfillmentOrderIds/0 type']);
  });

  it('in one of two spellings leaves the other one valid', async () => {
    const { nodeId, ...others } = queue;
    for (const body of [
      { ...others, nodeId: null, modeId: nodeId },
      { ...others, nodeId, modeId: null },
    ]) {
      expect((await onQueue(body)).status).toBe(200);
    }
    const open = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', userId: 'mara' };
    const reset = {
      pickTicketDetails: { ...open, pickTicketId: town.tickets.open, action: 'RESET' },
      modifyAssociateId: null,
      modifyAssociatedId: 'mara',
    };
    expect((await town.client.put(`${NODE}/pickTicket/update`, reset)).status).toBe(204);
  });

  it('for asnData beside poData equals absence, in any casing and at every level', async () => {
    const po = {
      Header: {
        ASNNumber: null,
        ShipmentNumber: 'PO-NULLS',
        ReceivingType: 'P',
        ReceivingWarehouseId: 'DC001',
        ShipmentReceiptDate: '2026-03-20',
        OrderDate: null,
        ShipperName: 'Pottery Ltd',
        StoreCode: '988',
        HeaderExtendedAttributes: null,
      },
      Details: {
        Detail: [
          {
            ASNNumber: null,
            CartonId: null,
            ClientItemId: 'MUG-WHT',
            ItemCost: 3.75,
            LineNumber: null,
            ReceivingWarehouseId: 'DC001',
            ShippedQuantity: 24,
            ShippingComments: null,
            TrailerNumber: 'T-7',
            DetailExtendedAttributes: { ExtendedAttributes: null },
          },
        ],
      },
    };
    const transmit = (body: unknown) => town.client.post('/poasn-manager-service/sellers/TOWNS/poasn/create', body);
    for (const body of [
      { ASNData: null, POData: po },
      { asnData: null, ASNDATA: null, PoData: [po] },
      { ReceivingDetail: { asnData: null, poData: po } },
      { receivingDetail: null, asnData: null, poData: po },
      { poData: null, PoData: po },
    ]) {
      const answer = await transmit(body);
      expect([answer.status, answer.text]).toEqual([200, (await transmit({ poData: po })).text]);
    }
    const neither = await transmit({ asnData: null, poData: null });
    expect(neither.body.poAsnData[0].errors).toMatchObject([
      { message: expect.stringContaining('is needed') as string },
    ]);
    const lacking = await transmit({ poData: { ...po, Header: { ...po.Header, StoreCode: null } } });
    expect(lacking.body.poAsnData[0].errors).toMatchObject([
      { message: "'StoreCode' is missing; add it [/poData/Header/StoreCode]", poAsnErrorPayload: { StoreCode: null } },
    ]);
  });

  it('in an item equals absence, so that an overwrite deletes the field and a merge keeps it', async () => {
    const path = '/item-service/clients/TOWN/items/21-MUG-WHT';
    const { body: item } = await town.client.get('/item-service/stores/TOWN_US/items/21-MUG-WHT');
    expect(item.description).toBeDefined();
    const merged = await town.client.put(`${path}?merge=true`, { description: null, upcs: null, unitCost: null });
    expect([merged.status, merged.body]).toEqual([200, item]);
    const inList = await town.client.put(`${path}?merge=true`, {
      upcs: [{ ...item.upcs[0], operationType: null }],
    });
    expect([inList.status, inList.body]).toEqual([200, item]);
    const written = await town.client.put(path, { ...item, description: null });
    expect(written.status).toBe(200);
    expect(written.body).not.toHaveProperty('description');
  });
});

describe('a date-time', () => {
  it('is accepted in the short forms of ISO 8601 and returned in one form', async () => {
    const town = await openTown({ upTo: 'returns' });
    const intake = '/operator/v1/stores/TOWN_US/fulfillmentOrders';
    const order = tourStops(town, NOON, town.client.secrets).find(
      ({ operationId }) => operationId === 'createFulfillmentOrders',
    )!.body as object;
    for (const [index, date] of [
      '2026-03-02T12:00Z',
      '2026-03-02t12:00:00z',
      '2026-03-02T13:00+01',
      '2026-03-02T13:00:00,0+0100',
    ].entries()) {
      const fulfillmentOrderId = `DATES-${index}`;
      expect((await town.client.post(intake, { ...order, fulfillmentOrderId, orderDate: date })).status).toBe(201);
      const { body } = await town.client.get(`${intake}/${fulfillmentOrderId}`);
      expect(body.orderDate).toBe('2026-03-02T12:00:00+00:00');
    }
    for (const [date, hint] of [
      ['2026-03-02 12:00Z', 'write T between the day and the time'],
      ['2026-03-02T12:00', 'add Z or the offset'],
      ['2026-02-30T12:00Z', 'must be a valid date-time'],
    ] as const) {
      const { status, body } = await town.client.post(intake, { ...order, fulfillmentOrderId: 'NO', orderDate: date });
      expect([status, body.errors]).toEqual([
        400,
        [
          expect.objectContaining({
            pointer: '/orderDate',
            rule: 'format',
            message: expect.stringContaining(hint) as string,
          }),
        ],
      ]);
    }
    await town.close();
  });

  it('of an item keeps its offset and is returned in the full form', async () => {
    const town = await openTown({ upTo: 'returns' });
    const path = '/item-service/clients/TOWN/items/21-MUG-WHT';
    const put = await town.client.put(`${path}?merge=true`, {
      streetDate: '2026-03-02t12:00+01',
      manufacturer: { manufacturingDate: '2026-03-02T12:00:00,5Z' },
    });
    expect(put.body).toMatchObject({
      streetDate: '2026-03-02T12:00:00+01:00',
      manufacturer: { manufacturingDate: '2026-03-02T12:00:00.5Z' },
    });
    await town.close();
  });
});
