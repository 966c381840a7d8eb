import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';

const UPLOAD = '/item-service/clients/TOWN/upload';
const INBOUND = '/poasn-manager-service/sellers/TOWNS/poasn/create';
const QUEUE = '/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders?queueId=WAITING_FOR_PICK_ISPU';

const form = (content: string) => ({
  method: 'POST' as const,
  path: UPLOAD,
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
  raw: `--b\r\nContent-Disposition: form-data; name="filename"; filename="f.csv"\r\n\r\n${content}\r\n--b--\r\n`,
});

const REQUIRED = ['clientId', 'catalogId', 'clientItemId', 'itemId', 'type', 'salesClass', 'styleId', 'taxCode'];
const attributes = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    `customDynamicAttributes.${index}.name`,
    `customDynamicAttributes.${index}.value`,
  ]).flat();
const record = (id: string, values: readonly string[] = []) =>
  ['TOWN', '21', id, `21-${id}`, 'MERCH', 'stock', '', '', ...values].join(',');

describe('the limit of one message', () => {
  let town: OpenTown;
  beforeAll(async () => {
    town = await openTown({ upTo: 'catalog' });
  });
  afterAll(() => town.close());

  const json = (path: string, raw: string, headers = {}) =>
    town.client.call({ method: 'POST', path, raw, headers: { 'content-type': 'application/json', ...headers } });

  it('is 1,000 fields of an object, with handling=lenient too', async () => {
    const line = Array.from({ length: 490_000 }, (_, index) => `"m${index}":1`).join(',');
    const text = `{"asnData":[{"header":{},"details":{"detail":[{${line}}]}}]}`;
    for (const headers of [{}, { prefer: 'handling=lenient' }]) {
      const refused = await json(INBOUND, text, headers);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('an object of more than 1000 fields');
    }
    const short = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`m${index}`, 1]));
    expect((await town.client.post(QUEUE, short)).text).toContain('an object of more than 1000 fields');
  });

  it('is 100,000 characters of a string', async () => {
    const body = (length: number) => `{"storeId":"${'x'.repeat(length)}"}`;
    expect((await json(QUEUE, body(100_001))).text).toContain('a string of 100001 characters; send at most 100000');
    expect((await json(QUEUE, body(100_000))).text).toContain('has 100000 characters; send at most');
  });

  it('is 20,000 lines of a shipment, and the error has the number of all lines', async () => {
    for (const details of [`{"detail":[${'[],'.repeat(300_000)}[]]}`, `[${'[],'.repeat(300_000)}[]]`]) {
      const refused = await json(INBOUND, `{"asnData":[{"header":{},"details":${details}}]}`);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('the message has 300001 lines; send at most 20000');
    }
  });

  it('is 20 words of a name in a search', async () => {
    const search = (name: string) =>
      town.client.post(QUEUE, {
        storeId: 'TOWN_US',
        nodeId: 'TOWN-Store001',
        queueId: 'WAITING_FOR_PICK_ISPU',
        customer: { name, email: '', phone: '' },
      });
    const words = (count: number) => Array.from({ length: count }, () => 'a').join(' ');
    expect((await search(words(20))).status).toBe(200);
    const refused = await search(words(21));
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toEqual([
      expect.objectContaining({ pointer: '/customer/name', rule: 'words', limit: 20 }),
    ]);
  });

  it('is 500 columns of a CSV upload, known or unknown, and a rejected file stores nothing', async () => {
    const wide = [...REQUIRED, ...attributes(1_000)];
    const refused = await town.client.call(form(`${wide.join(',')}\n${record('WIDE')}`));
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toEqual([expect.objectContaining({ rule: 'columns', limit: 500 })]);
    const unknown = Array.from({ length: 480 }, (_, index) => `surely${index}`);
    const other = await town.client.call(form(`${[...REQUIRED, ...unknown].join(',')}\n${record('WIDE')}`));
    expect(other.body).toMatchObject({ errorsTotal: '100+' });
    expect(other.body.errors).toHaveLength(100);
    expect((await town.client.get('/item-service/stores/TOWN_US/items/21-WIDE')).status).toBe(404);
  });
});

describe('a long message', () => {
  let town: OpenTown;
  beforeAll(async () => {
    town = await openTown({ upTo: 'catalog' });
  });
  afterAll(() => town.close());

  it('as a CSV of 1,000 items is accepted repeatedly, with each error at its line', async () => {
    const names = attributes(40);
    const rows = Array.from({ length: 1_000 }, (_, row) =>
      record(
        row === 500 ? `L${row} ` : `L${row}`,
        names.map((_name, column) => (column % 2 === 0 ? `n${column}` : `v${row}`)),
      ),
    );
    const file = [[...REQUIRED, ...names].join(','), ...rows].join('\n');
    expect(file.length).toBeGreaterThan(300_000);
    for (const _turn of [1, 2]) {
      const answer = await town.client.call(form(file));
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ itemCount: 1_000, uploadedItemCount: 999, rejectedItemCount: 1 });
      expect(answer.body.errItemList.entry[0].value.errMsg[0]).toMatch(/^line 502: /);
    }
    const item = await town.client.get('/item-service/stores/TOWN_US/items/21-L999');
    expect(item.body.customDynamicAttributes[39]).toMatchObject({ name: 'n78', value: 'v999' });
    const two = await Promise.all([town.client.call(form(file)), town.client.call(form(file.replaceAll(',v', ',w')))]);
    expect(two.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('as an ASN of 3,000 lines has errors at their lines and lists ignored fields', async () => {
    const line = (index: number, more = {}) => ({
      asnNumber: 'LONG',
      cartonId: `C${index}`,
      clientItemId: 'MUG-WHT',
      itemCost: 1.5,
      receivingWarehouseId: 'DC001',
      shippedQuantity: 1,
      trailerNumber: 'T',
      ...more,
    });
    const asn = (at: Record<number, object>) => ({
      asnData: [
        {
          header: {
            asnNumber: 'LONG',
            receivingType: 'A',
            receivingWarehouseId: 'DC001',
            shipmentReceiptDate: '2026-03-20',
            shipperName: 'Quay',
            storeCode: '988',
          },
          details: { detail: Array.from({ length: 3_000 }, (_, index) => line(index, at[index])) },
        },
      ],
    });
    const refused = await town.client.post(INBOUND, asn({ 7: { shippedQuantity: 0 }, 2999: { trailerNumber: 7 } }));
    expect(refused.status).toBe(400);
    expect((refused.body.poAsnData[0].errors as { message: string }[]).map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Line 8: .*shippedQuantity/),
      expect.stringMatching(/^Line 3000: .*trailerNumber/),
    ]);
    const lenient = await town.client.call({
      method: 'POST',
      path: INBOUND,
      body: asn({ 0: { colour: 'red' }, 2500: { colour: 'blue' } }),
      headers: { prefer: 'handling=lenient' },
    });
    expect(lenient.status).toBe(200);
    expect(lenient.headers['ignored-members']).toContain('/detail/2500/colour');
    const stored = await town.operator('GET', '/operator/v1/clients/TOWN/inbound/ASN/LONG');
    expect(stored.body.totalLines).toBe(3_000);
    expect(JSON.stringify(stored.body)).not.toContain('blue');
    expect((await town.client.post(INBOUND, asn({}))).status).toBe(200);
  });
});

describe('LONG_BODY_RATE_LIMIT', () => {
  let town: OpenTown | undefined;
  afterEach(async () => {
    await town?.close();
    town = undefined;
  });

  const mib = (count: number) => form(`itemId\n${'x'.repeat(count * 1024 * 1024 - 400)}`);

  it('is 120 MiB a minute for one credential by default; more gets 429 until Retry-After has passed', async () => {
    town = await openTown({ upTo: 'places' });
    for (let sent = 0; sent < 120; sent += 8) expect((await town.client.call(mib(8))).status).toBe(200);
    const refused = await town.client.call(mib(1));
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect(refused.headers['retry-after']).toBe('1');
    expect((await (await town.credential()).call(mib(1))).status).toBe(200);
    expect((await town.client.post(QUEUE, {})).status).toBe(400);
    town.clock.now += 1_000;
    expect((await town.client.call(mib(1))).status).toBe(200);
  });

  it('sets another limit, or none', async () => {
    town = await openTown({ upTo: 'places', env: { LONG_BODY_RATE_LIMIT: '1' } });
    expect((await town.client.call(mib(1))).status).toBe(200);
    expect((await town.client.call(mib(1))).status).toBe(429);
    await town.close();
    town = await openTown({ upTo: 'places', env: { LONG_BODY_RATE_LIMIT: 'none' } });
    for (let sent = 0; sent < 136; sent += 8) expect((await town.client.call(mib(8))).status).toBe(200);
  });
});
