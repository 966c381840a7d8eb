import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
let text = '';
beforeAll(async () => {
  const write = (line: string) => {
    text += line;
  };
  town = await openTown({ neighbours: true, env: { PORT: '0' }, log: createLog('debug', { write }) });
});
afterAll(() => town.close());
beforeEach(() => {
  text = '';
});

let base: Promise<string> | undefined;
/** Opens a connection to the service. The first call starts the listener. */
async function connected(): Promise<Socket> {
  base ??= town.server.listen();
  const { hostname, port } = new URL(await base);
  return connect(Number(port), hostname);
}

type Line = Record<string, unknown>;
const lines = () => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
/** Returns the log line of the request with this response. */
function lineOf({ headers }: { headers: Record<string, string | undefined> }): Line {
  const [line, ...more] = lines().filter((line) => line['requestId'] === headers['x-request-id']);
  expect(more.filter(({ operation }) => operation !== undefined)).toEqual([]);
  return line!;
}

const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
const QUEUE = 'WAITING_FOR_PICK_ISPU';
const search = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', queueId: QUEUE };
const searchQueue = (body: object, headers?: Record<string, string>) =>
  town.client.post(`${NODE}/fulfillmentOrders?queueId=${QUEUE}`, { ...search, ...body }, headers);

describe('the log line of an error', () => {
  it('has code, first error, path, address and credential', async () => {
    const answer = await searchQueue({ pageSize: 501, pageId: -1 });
    expect(lineOf(answer)).toEqual({
      level: 30,
      time: expect.any(String),
      requestId: answer.headers['x-request-id'],
      traceId: answer.headers['x-request-id']!.replaceAll('-', ''),
      operation: 'searchQueue',
      status: 400,
      durationMs: expect.any(Number),
      actor: expect.stringMatching(/./),
      clientId: 'TOWN',
      method: 'POST',
      path: '/stores/{storeId}/nodes/{nodeId}/fulfillmentOrders',
      address: '127.0.0.1',
      code: 'INVALID_REQUEST',
      pointer: '/pageId',
      rule: 'minimum',
      errors: 2,
      msg: expect.stringContaining('searchQueue responded 400'),
    });
  });

  it('has the conflicting state, without names and identifiers', async () => {
    const body = { ...search, userId: 'mara-who-picks', modifyAssociateId: 'mara-who-picks' };
    const orders = { ...body, fulfillmentOrderIds: [town.orders.waiting] };
    expect((await town.client.post(`${NODE}/pickTicket/generate`, orders)).status).toBe(201);
    const answer = await town.client.post(`${NODE}/pickTicket/generate`, orders);
    expect(answer.status).toBe(409);
    const line = lineOf(answer);
    expect(line).toMatchObject({ code: 'CONFLICT', operation: 'generatePickTicket' });
    expect(line['reason']).toMatch(/^Order "\.\.\." has been on pick ticket \d+ of user "\.\.\."/);
    expect(JSON.stringify(line)).not.toContain('mara');
    expect(JSON.stringify(line)).not.toContain(town.orders.waiting);
  });

  it('has the reason why the key has no access', async () => {
    const answer = await town.neighbour.post(`${NODE}/fulfillmentOrders?queueId=${QUEUE}`, search);
    expect(lineOf(answer)).toMatchObject({ code: 'ACCESS_DENIED', status: 403, reason: expect.stringMatching(/\w/) });
    expect(lineOf(answer)['keyId']).toMatch(/^br_OTHER_[0-9a-z]+$/);
  });

  it('has the public part of the wrong key', async () => {
    const apiKey = town.client.secrets.apiKey;
    const wrong = `${apiKey.slice(0, -4)}AAAA`;
    const answer = await town.call({ method: 'POST', path: `${NODE}/fulfillmentOrders`, headers: { apiKey: wrong } });
    const line = lines().find(({ operation }) => operation === 'searchQueue')!;
    expect(line).toMatchObject({ code: 'CREDENTIALS_INVALID', requestId: answer.headers['x-request-id'] });
    expect(apiKey.startsWith(`${line['keyId'] as string}_`)).toBe(true);
    expect(text).not.toContain(apiKey.slice(-43, -4));
  });

  it('is written for unknown paths and methods', async () => {
    expect(lineOf(await town.client.get('/stores/TOWN_US/pickTikets/ada@mail.example?name=Ada'))).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
      path: '/stores/TOWN_US/pickTikets/*',
    });
    const wrong = await town.call({ method: 'DELETE', path: '/livez' });
    expect(lineOf(wrong)).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED', method: 'DELETE', path: '/livez' });
    expect(lineOf(await town.call({ method: 'GET', path: '/stores/%zz' }))).toMatchObject({
      status: 400,
      rule: 'encoding',
    });
    expect(text).not.toContain('ada@');
  });

  it('is written for bytes that are no valid HTTP request', async () => {
    const socket = await connected();
    const answer = await new Promise<string>((resolve) => {
      let all = '';
      socket.setEncoding('utf8').on('data', (part: string) => {
        all += part;
      });
      socket.on('close', () => resolve(all));
      socket.end('GET / HTTP/1.1\r\nbroken\r\n\r\n');
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    const line = lines().find(({ rule }) => rule === 'http');
    expect(line).toMatchObject({ status: 400, code: 'INVALID_REQUEST', address: '127.0.0.1', pointer: '' });
    expect(answer).toContain(String(line!['requestId']));
  });

  it('of a caller who ends the connection within a body is no error of the service', async () => {
    const socket = await connected();
    socket.write(
      'POST /operator/v1/stores/TOWN_US/fulfillmentOrders HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ends-early\r\n' +
        `apiKey: ${town.client.secrets.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":`,
    );
    const closed = new Promise((resolve) => {
      town.server.app.server.once('request', (incoming: IncomingMessage) => {
        incoming.once('close', resolve);
        setImmediate(() => socket.destroy());
      });
    });
    await closed;
    expect((await town.client.get('/operator/v1/me')).status).toBe(200);
    expect(lines().filter(({ level }) => Number(level) > 30)).toEqual([]);
  });

  it('has no value of the request and no name chosen by the caller', async () => {
    const secret = 'ada-lovelace';
    await searchQueue({ [secret]: 1 });
    await searchQueue({ customer: { name: secret, email: { [secret]: secret }, phone: secret, [secret]: 1 } });
    await searchQueue({ orderDateRange: { from: secret, to: secret } });
    await searchQueue({ queueId: secret });
    await searchQueue({ pinNumber: [secret] });
    await town.client.post(`${NODE}/fulfillmentOrders?queueId=${QUEUE}&${secret}=1`, search);
    await town.client.post(`${NODE}/fulfillmentOrders?queueId=${QUEUE}`, search, { prefer: secret });
    const raw = `{"${secret}":1,"${secret}":2}`;
    const headers = { ...town.client.headers, 'content-type': 'application/json' };
    await town.call({ method: 'POST', path: `${NODE}/fulfillmentOrders?queueId=${QUEUE}`, headers, raw });
    await town.client.get(`/item-service/stores/TOWN_US/items/21-${secret}`);
    await town.client.get(`/item-service/stores/${secret}/items/21-MUG-WHT`);
    const refused = lines().filter(({ status }) => Number(status) >= 400);
    expect(refused.length).toBeGreaterThanOrEqual(9);
    for (const line of refused) expect(line['code']).toMatch(/^[A-Z_]+$/);
    expect(text).not.toContain('lovelace');
  });
});

describe('the level of a line', () => {
  const levelOf = (answer: { headers: Record<string, string | undefined> }) => lineOf(answer)['level'];

  it('is debug for every successful read, whatever its method', async () => {
    expect(levelOf(await searchQueue({}))).toBe(20);
    expect(levelOf(await town.client.get('/item-service/stores/TOWN_US/items/21-MUG-WHT'))).toBe(20);
    expect(levelOf(await town.client.get('/livez'))).toBe(20);
    const head = await town.server.app.inject({ method: 'HEAD', url: '/livez' });
    expect(lines().find(({ requestId }) => requestId === head.headers['x-request-id'])!['level']).toBe(20);
  });

  it('is info for every change and every error', async () => {
    expect(levelOf(await searchQueue({ pageSize: 501 }))).toBe(30);
    const item = (await town.client.get('/item-service/stores/TOWN_US/items/21-MUG-WHT')).body as object;
    expect(levelOf(await town.client.put('/item-service/clients/TOWN/items/21-MUG-WHT', item))).toBe(30);
  });
});
