import { type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/service/operations.ts';
import { examplesOf, requestOf } from '../support/examples.ts';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
let base: string;
beforeAll(async () => {
  town = await openTown({ env: { PORT: '0' } });
  base = await town.server.listen();
});
afterAll(() => town.close());

interface Came {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Uses a socket: in-process requests begin at the router, and the service sends cached responses before the router. */
function ask(method: string, path: string, headers: Record<string, string> = {}): Promise<Came> {
  return new Promise((resolve, reject) => {
    const sent = request(base + path, { method, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }));
    });
    sent.on('error', reject).end();
  });
}

/**
 * Returns the headers that GET and HEAD share, without the headers that differ per request or describe the transfer of
 * a body.
 */
function alike({ 'x-request-id': _id, date: _date, 'transfer-encoding': _chunked, ...headers }: IncomingHttpHeaders) {
  return headers;
}

async function expectAlike(path: string, headers: Record<string, string> = {}): Promise<Came> {
  const get = await ask('GET', path, headers);
  const head = await ask('HEAD', path, headers);
  expect([path, head.status, head.body]).toEqual([path, get.status, '']);
  expect([path, alike(head.headers)]).toEqual([path, alike(get.headers)]);
  const length = get.headers['transfer-encoding'] === 'chunked' ? undefined : String(Buffer.byteLength(get.body));
  expect(head.headers['content-length']).toBe(length);
  expect(head.headers['x-request-id']).toMatch(/./);
  return get;
}

const requestsOf = (id: string) =>
  examplesOf(id)
    .map((example) => requestOf(town, example))
    .filter(({ method }) => method === 'GET');
// The example of listDevices enrolls a device first, so this test leaves the operation out.
const gets = operations.filter(({ id, method }) => method === 'GET' && id !== 'listDevices');

describe('HEAD gets the response of GET, without its body', () => {
  it.each(gets.map(({ id }) => id))('for %s', async (id) => {
    const requests = requestsOf(id);
    expect(requests.length).toBeGreaterThan(0);
    for (const { path, headers = {} } of requests) await expectAlike(path, headers);
  });

  it.each(gets.map(({ id }) => id))(
    'for %s without credentials, for a missing resource and with an unknown parameter',
    async (id) => {
      const [first] = requestsOf(id);
      await expectAlike(first!.path);
      await expectAlike(`${first!.path.split('?', 1)[0]}-not-there`, first!.headers ?? {});
      await expectAlike(`${first!.path.split('?', 1)[0]}?unknown=1`, first!.headers ?? {});
    },
  );

  it.each(['/livez', '/readyz', '/version', '/openapi.json', '/docs', '/guide', '/nowhere', '/%zz'])(
    'for %s',
    async (path) => {
      await expectAlike(path);
    },
  );

  it('for /metrics', async () => {
    const [get, head] = [await ask('GET', '/metrics'), await ask('HEAD', '/metrics')];
    expect([head.status, head.headers['content-type'], head.body]).toEqual([200, get.headers['content-type'], '']);
  });

  it('for a read with a cached response', async () => {
    const { headers } = town.client;
    const path = '/item-service/stores/TOWN_US/items/21-MUG-WHT';
    for (let time = 0; time < 4; time += 1) expect((await expectAlike(path, headers)).status).toBe(200);
  });
});

it('an unsupported method gets a 405 that lists HEAD beside GET', async () => {
  const path = '/item-service/stores/TOWN_US/items/21-MUG-WHT';
  for (const [asked, allow] of [
    [path, 'GET, HEAD'],
    ['/livez', 'GET, HEAD'],
    ['/metrics', 'GET, HEAD'],
    ['/operator/v1/clients/TOWN', 'GET, HEAD, PUT'],
  ] as const) {
    const answer = await ask('PATCH', asked, town.client.headers);
    expect([answer.status, new Set(answer.headers['allow']?.split(', '))]).toEqual([405, new Set(allow.split(', '))]);
  }
  const head = await ask('HEAD', '/item-service/clients/TOWN/items/21-MUG-WHT', town.client.headers);
  expect([head.status, head.headers['allow'], head.body]).toEqual([405, 'DELETE, PUT', '']);
});
