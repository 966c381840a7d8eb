import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteItem } from '../../src/items/delete.ts';
import { readItem } from '../../src/items/read.ts';
import { documentedStatuses } from '../../src/service/web/openapi.ts';
import { CLIENT, type Loose, leastItem, openProbe, type Probe, STORE } from './whole-item.ts';

let probe: Probe;
beforeAll(async () => {
  probe = await openProbe();
});
afterAll(() => probe.close());

const pathOf = (itemId: string) => `/item-service/clients/${CLIENT}/items/${itemId}`;
const put = (clientItemId: string, catalogId = '21') =>
  probe.probe.put(
    pathOf(`${catalogId}-${clientItemId}`),
    leastItem({ catalogId, clientItemId, itemId: `${catalogId}-${clientItemId}` }),
  );

/** Returns the headers of the interface's authentication table, without any other header. */
const tableHeaders = () => ({
  Authorization: probe.probe.headers.authorization,
  apiKey: probe.probe.headers.apikey,
  'Content-Type': 'application/json',
});

describe('read an item', () => {
  it('returns 200 with the item, for the headers of the authentication table', async () => {
    await put('READ');
    const answer = await probe.call({
      method: 'GET',
      path: `/item-service/stores/${STORE}/items/21-READ`,
      headers: tableHeaders(),
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      itemId: '21-READ',
      clientId: CLIENT,
      catalogId: '21',
      clientItemId: 'READ',
      type: 'MERCH',
    });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it('returns 404 with the error record, which names the item and the client', async () => {
    const answer = await probe.read('21-NOPE');
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ category: 'RESOURCE', code: 'NOT_FOUND' });
    expect(answer.body.description).toContain('21-NOPE');
    expect(answer.body.description).toContain(CLIENT);
    expect(answer.body.requestId).toBe(answer.headers['x-request-id']);
  });

  it('returns 404 for an item of a catalog that is not the store’s', async () => {
    expect((await put('ELSEWHERE', 'ABCD')).status).toBe(201);
    expect((await probe.read('ABCD-ELSEWHERE')).status).toBe(404);
    expect((await probe.read('X-ELSEWHERE')).status).toBe(404);
  });

  it('returns the response of a missing item for another client’s item', async () => {
    const own = await probe.read('21-TEE-RED-M');
    expect(own.status).toBe(404);
    expect(own.body.description).toBe(
      `Item 21-TEE-RED-M of client ${CLIENT} was not found; an itemId has the form <catalogId>-<clientItemId>.`,
    );
  });

  it('returns 404 or 400 for any malformed itemId', async () => {
    for (const id of ['x'.repeat(400), '%20', '21', '-', '21-', "21-'or'1", '%F0%9F%92%A9'])
      expect((await probe.read(id)).status, id).toBe(404);
    expect((await probe.read('%00')).status).toBe(400);
    expect((await probe.read('%ff')).status).toBe(400);
    expect((await probe.read('x'.repeat(600))).status).toBe(414);
  });

  it('takes no query parameter', async () => {
    expect((await probe.read('21-READ?verbose=1')).status).toBe(400);
  });

  it('documents 200, 403 and 404', () => {
    expect([...documentedStatuses(readItem)]).toEqual(expect.arrayContaining([200, 403, 404, 500]));
  });

  it('returns 500 with the error record, without details, after an internal error', async () => {
    const broken = await openProbe();
    await broken.store.write((tx) => tx.schema.alterTable('items').renameTo('away').execute());
    const answer = await broken.server.app.inject({
      method: 'GET',
      url: `/item-service/stores/${STORE}/items/21-A`,
      headers: broken.probe.headers,
    });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ category: 'INTERNAL', code: 'INTERNAL' });
    expect(answer.payload).not.toContain('items');
    await broken.close();
  });
});

describe('delete an item', () => {
  it('returns 204 with an empty body, for the headers of the authentication table, JSON label included', async () => {
    await put('GONE');
    const answer = await probe.call({ method: 'DELETE', path: pathOf('21-GONE'), headers: tableHeaders() });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect((await probe.read('21-GONE')).status).toBe(404);
  });

  it('returns 404 with the error record for an item that never existed or is deleted', async () => {
    await put('TWICE');
    expect((await probe.probe.delete(pathOf('21-TWICE'))).status).toBe(204);
    const answer = await probe.probe.delete(pathOf('21-TWICE'));
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({
      category: 'RESOURCE',
      code: 'NOT_FOUND',
      description: `Item 21-TWICE of client ${CLIENT} was not found; an itemId has the form <catalogId>-<clientItemId>.`,
    });
  });

  it('takes no body', async () => {
    await put('BODY');
    const answer = await probe.probe.delete(pathOf('21-BODY'), { itemId: '21-BODY' });
    expect(answer.status).toBe(400);
    expect((await probe.read('21-BODY')).status).toBe(200);
  });

  it('leaves the item of the same id of another client unchanged', async () => {
    await put('TEE-RED-M');
    await probe.probe.delete(pathOf('21-TEE-RED-M'));
    expect((await probe.client.get('/item-service/stores/TOWN_US/items/21-TEE-RED-M')).status).toBe(200);
  });

  it('makes the next put create a new item without data of the old one', async () => {
    const item = leastItem({ clientItemId: 'AGAIN', itemId: '21-AGAIN' });
    await probe.probe.put(pathOf('21-AGAIN'), { ...item, customDynamicAttributes: [{ name: 'old' }] });
    await probe.probe.delete(pathOf('21-AGAIN'));
    expect((await probe.probe.put(pathOf('21-AGAIN'), item)).status).toBe(201);
    expect((await probe.read('21-AGAIN')).body as Loose).not.toHaveProperty('customDynamicAttributes');
  });

  it('keeps the data of the item at nodes, which can still have its units', async () => {
    const item = (await probe.client.get('/item-service/stores/TOWN_US/items/21-TEE-RED-M')).body;
    const path = '/item-service/clients/TOWN/items/21-TEE-RED-M';
    const atNode = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/items/21-TEE-RED-M';
    await probe.operator('PUT', atNode, { pickLocation: 'AISLE-4' });
    expect((await probe.client.delete(path)).status).toBe(204);
    expect((await probe.operator('GET', atNode)).body).toMatchObject({ pickLocation: 'AISLE-4' });
    expect((await probe.client.put(path, item)).status).toBe(201);
    expect((await probe.operator('GET', atNode)).body).toMatchObject({ pickLocation: 'AISLE-4' });
  });

  it('is allowed while an order waits for the item; the order keeps its copy', async () => {
    const lines = await probe.store.read((db) =>
      db
        .selectFrom('order_lines')
        .select(['item_id', 'snapshot', 'fulfillment_order_id'])
        .where('client_id', '=', 'TOWN')
        .execute(),
    );
    const line = lines[0]!;
    expect((await probe.client.delete(`/item-service/clients/TOWN/items/${line.item_id}`)).status).toBe(204);
    const after = await probe.store.read((db) =>
      db
        .selectFrom('order_lines')
        .select('snapshot')
        .where('client_id', '=', 'TOWN')
        .where('item_id', '=', line.item_id)
        .executeTakeFirstOrThrow(),
    );
    expect(after.snapshot).toBe(line.snapshot);
  });

  it('documents 204, 403 and 404', () => {
    expect([...documentedStatuses(deleteItem)]).toEqual(expect.arrayContaining([204, 403, 404]));
  });
});
