import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { seededPorts } from '../../src/platform/ports.ts';
import type { OnCommit, Reader, ReadOptions, Store, Writer } from '../../src/platform/storage/db.ts';
import { contents, operations, schemas } from '../../src/service/operations.ts';
import { createServer } from '../../src/service/server.ts';
import { resolved } from '../../src/service/web/openapi/share.ts';
import { buildOpenApi } from '../../src/service/web/openapi.ts';
import { NOON, OPERATOR_KEY } from '../support/backroom.ts';
import { openTestStore } from '../support/store.ts';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
const queue = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', queueId: 'WAITING_FOR_PICK_ISPU' };
const searchQueue = (more: object) =>
  town.client.post(`${NODE}/fulfillmentOrders?queueId=${queue.queueId}`, { ...queue, ...more });

describe('what the service does', () => {
  const has = (...routes: string[]) => {
    const shown = operations.map(({ method, path }) => `${method} ${path}`);
    expect(shown).toEqual(expect.arrayContaining(routes));
  };

  it('reads and deletes items', () => {
    has('GET /item-service/stores/{storeId}/items/{itemId}', 'DELETE /item-service/clients/{clientId}/items/{itemId}');
  });

  it('accepts an ASN or a PO', () => {
    has('POST /poasn-manager-service/sellers/{sellerId}/poasn/create');
  });

  it('has the seven store fulfillment operations at the paths listed', () => {
    has(
      'POST /stores/{storeId}/nodes/{nodeId}/fulfillmentOrders',
      'POST /stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/packslip/generate',
      'POST /stores/{storeId}/fulfillmentOrder/search',
      'POST /stores/{storeId}/nodes/{nodeId}/pickTicket/generate',
      'PUT /stores/{storeId}/nodes/{nodeId}/pickTicket/update',
      'GET /stores/{storeId}/nodes/{nodeId}/fulfillmentOrders/{fulfillmentOrderId}/checkin',
      'POST /stores/{storeId}/nodes/{nodeId}/fulfillmentOrders/{fulfillmentOrderId}/checkin',
    );
  });
});

describe('conventions', () => {
  it('all requests and responses of the ten operations are JSON', async () => {
    interface Described {
      requestBody?: { content: Record<string, unknown> };
      responses: Record<string, { content?: Record<string, unknown> } | { $ref: string }>;
    }
    const document = buildOpenApi({ contents, schemas, version: '0' });
    const client = Object.entries(document.paths).filter(
      ([path]) => !/^\/(?:operator|session)\b/.test(path) && !path.endsWith('/upload'),
    );
    for (const operation of client.flatMap(([, methods]) => Object.values(methods) as Described[])) {
      if (operation.requestBody !== undefined)
        expect(operation.requestBody.content).toHaveProperty(['application/json']);
      for (const response of Object.values(operation.responses)) {
        const { content } = resolved<{ content?: Record<string, unknown> }>(document, response);
        if (content !== undefined) expect(Object.keys(content)).toEqual(['application/json']);
      }
    }
    expect((await searchQueue({})).headers['content-type']).toBe('application/json; charset=utf-8');
    expect((await searchQueue({ pageId: 'x' })).headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('the fulfillment operations accept date-times with Z or a numeric UTC offset, and no others', async () => {
    const range = (from: string, to: string) => searchQueue({ orderDateRange: { from, to } });
    const inZ = await range('2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z');
    expect(inZ.body.fulfillmentOrders.length).toBeGreaterThan(0);
    const inLisbon = await range('2026-03-02T01:00:00+01:00', '2026-03-03T01:00:00+01:00');
    expect(inLisbon.body.fulfillmentOrders).toEqual(inZ.body.fulfillmentOrders);
    expect((await range('2026-03-02T00:00:00', '2026-03-03T00:00:00Z')).status).toBe(400);
    expect((await range('2026-03-02', '2026-03-03')).status).toBe(400);
  });

  it('the fulfillment operations return date-times as YYYY-MM-DDThh:mm:ss+00:00', async () => {
    const { body } = await searchQueue({});
    for (const order of body.fulfillmentOrders) {
      const dates = [order.fulfillmentOrderDate, order.orderDate, order.expectedDeliveryDate, order.slaDate.value];
      for (const date of dates) expect(date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    }
  });

  it('a date that does not exist is rejected', async () => {
    const to = '2026-03-03T00:00:00Z';
    for (const from of [
      '2026-02-30T00:00:00Z',
      '2025-02-29T00:00:00Z',
      '2026-03-02T24:00:00Z',
      '2026-13-01T00:00:00Z',
    ]) {
      const answer = await searchQueue({ orderDateRange: { from, to } });
      expect([from, answer.status, answer.body.errors[0].pointer]).toEqual([from, 400, '/orderDateRange/from']);
    }
  });
});

describe('item identity', () => {
  const path = (itemId: string) => `/item-service/clients/TOWN/items/${itemId}`;
  const item = (clientItemId: string, itemId: string) => ({
    catalogId: '21',
    clientId: 'TOWN',
    clientItemId,
    itemId,
    salesClass: 'stock',
    styleId: '',
    taxCode: '',
    type: 'MERCH',
  });

  it('itemId is catalogId, a hyphen and clientItemId', async () => {
    expect((await town.client.put(path('21-IDENT'), item('IDENT', '21-IDENT'))).status).toBeLessThan(300);
    for (const [clientItemId, itemId] of [
      ['IDENT', '21-OTHER'],
      ['IDENT', '21IDENT'],
      ['IDENT', '22-IDENT'],
    ] as const) {
      expect((await town.client.put(path(itemId), item(clientItemId, itemId))).status).toBe(400);
    }
  });

  it('another clientItemId is another item, and the first item remains', async () => {
    await town.client.put(path('21-FIRST'), item('FIRST', '21-FIRST'));
    expect((await town.client.put(path('21-FIRST'), item('SECOND', '21-SECOND'))).status).toBe(400);
    await town.client.put(path('21-SECOND'), item('SECOND', '21-SECOND'));
    for (const clientItemId of ['FIRST', 'SECOND']) {
      const read = await town.client.get(`/item-service/stores/TOWN_US/items/21-${clientItemId}`);
      expect(read.body.clientItemId).toBe(clientItemId);
    }
  });
});

describe('an unexpected failure', () => {
  /** Returns a store whose reads and writes fail while `broken` is set. */
  function breakable(store: Store): Store & { broken: boolean } {
    const failing = <T>(work: () => Promise<T>): Promise<T> =>
      wrapped.broken ? Promise.reject(new Error('secret words of the engine')) : work();
    const wrapped = Object.assign(Object.create(store) as Store, {
      broken: false,
      read: <T>(fn: (db: Reader) => Promise<T>, options?: ReadOptions) => failing(() => store.read(fn, options)),
      write: <T>(fn: (tx: Writer, onCommit: OnCommit) => Promise<T>) => failing(() => store.write(fn)),
      version: () => store.version(),
      ping: () => store.ping(),
      close: () => store.close(),
    });
    return wrapped;
  }

  it.each([
    ['item read', 'GET', '/item-service/stores/S/items/C-1'],
    ['pack slip', 'POST', '/stores/S/fulfillmentOrders/1/packslip/generate'],
    ['check-in details', 'GET', '/stores/S/nodes/N/fulfillmentOrders/1/checkin'],
    ['check-in confirm', 'POST', '/stores/S/nodes/N/fulfillmentOrders/1/checkin'],
  ] as const)('of %s is a 500 with the error record, without details of the failure', async (_name, method, url) => {
    const store = breakable(await openTestStore());
    const config = loadConfig({ BACKROOM_OPERATOR_KEY: OPERATOR_KEY, BACKROOM_SECRET: 'ab'.repeat(32) });
    const server = await createServer(config, seededPorts('broken', { now: NOON }, createLog('silent')), store);
    store.broken = true;
    const answer = await server.app.inject({ method, url, headers: { apikey: 'br_X_1_x', 'x-request-id': 'r-1' } });
    store.broken = false;
    await server.close();
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      category: 'INTERNAL',
      code: 'INTERNAL',
      description: expect.any(String) as string,
      requestId: 'r-1',
    });
    expect(answer.payload).not.toContain('secret words');
  });
});

describe('the error record of an item that is not found', () => {
  it.each([
    ['read', 'GET', '/item-service/stores/TOWN_US/items/21-NONE'],
    ['delete', 'DELETE', '/item-service/clients/TOWN/items/21-NONE'],
  ] as const)('on %s is RESOURCE, NOT_FOUND and names the item and the client', async (_name, method, path) => {
    const answer = await town.client.call({ method, path });
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ category: 'RESOURCE', code: 'NOT_FOUND' });
    expect(answer.body.description).toContain('21-NONE');
    expect(answer.body.description).toContain('TOWN');
  });
});

describe('the failure body of an inbound message', () => {
  const create = '/poasn-manager-service/sellers/TOWNS/poasn/create';

  it('has status FAILED, the number, a count as text and one entry for each error', async () => {
    const header = { shipmentNumber: 'PO-GENERAL', receivingType: 'P', storeCode: 'none' };
    const answer = await town.client.post(create, {
      poData: [{ header, details: { detail: [{ clientItemId: 'x' }] } }],
    });
    expect(answer.status).toBe(400);
    const [failure] = answer.body.poAsnData;
    expect(failure).toMatchObject({ status: 'FAILED', poAsnNumber: 'PO-GENERAL', successfull_imported: '0' });
    expect(failure.errors.length).toBeGreaterThan(5);
    for (const error of failure.errors) {
      expect(error).toEqual({
        code: expect.stringMatching(/^[A-Z_]+$/) as string,
        message: expect.stringMatching(/\S/) as string,
        poAsnErrorPayload: expect.any(Object) as object,
        type: expect.stringMatching(/^(HEADER|DETAIL)_LEVEL_ERROR$/) as string,
      });
    }
    expect(failure.errors.map((error: { code: string }) => error.code)).toContain('FILE_VALIDATION_FAILED');
    const types = new Set(failure.errors.map((error: { type: string }) => error.type));
    expect(types).toEqual(new Set(['HEADER_LEVEL_ERROR', 'DETAIL_LEVEL_ERROR']));
  });

  it('echoes offending values in poAsnErrorPayload', async () => {
    const header = { shipmentNumber: 'PO-GENERAL', receivingType: 'X', shipperName: 'y'.repeat(31) };
    const answer = await town.client.post(create, { poData: { header, details: { detail: [] } } });
    const payloads = answer.body.poAsnData[0].errors.map(
      (error: { poAsnErrorPayload: object }) => error.poAsnErrorPayload,
    );
    expect(payloads).toContainEqual({ shipperName: 'y'.repeat(31) });
  });

  it('has an empty poAsnNumber where the message names none', async () => {
    for (const body of [{ poData: [{ header: {} }] }, {}, []]) {
      const answer = await town.client.post(create, body);
      expect([answer.status, answer.body.poAsnData[0].poAsnNumber]).toEqual([400, '']);
    }
  });
});
