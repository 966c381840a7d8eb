import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type Backroom, openBackroom } from '../support/backroom.ts';
import { openTown } from '../support/town.ts';

let backroom: Backroom | undefined;
afterEach(() => backroom?.close());

/** Returns status, body and headers of a GET with this Host. */
async function ask(env: Record<string, string>, host: string, path = '/livez') {
  backroom = await openBackroom(env);
  const answer = await backroom.server.app.inject({ url: path, headers: { host } });
  return { status: answer.statusCode, body: answer.body, headers: answer.headers };
}

describe('a service for this machine alone', () => {
  it.each(['localhost', 'localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'shop.localhost'])(
    'is reached as %s',
    async (host) => {
      expect((await ask({}, host)).status).toBe(200);
    },
  );

  it.each(['/livez', '/metrics', '/console/', '/session', '/nowhere'])(
    'responds 421 to another Host at %s: a name of another site can lead to this machine',
    async (path) => {
      const answer = await ask({}, 'evil.example:8080', path);
      expect([answer.status, JSON.parse(answer.body).code]).toEqual([421, 'MISDIRECTED_REQUEST']);
    },
  );

  it('responds 421 to another Host also for a read of the fast path', async () => {
    const town = await openTown();
    backroom = town;
    const url = `${await town.server.listen(0)}/item-service/stores/TOWN_US/items/21-MUG-WHT`;
    const read = async (host: string) => {
      const [answer] = await once(get(url, { headers: { ...town.client.headers, host } }), 'response');
      (answer as IncomingMessage).resume();
      return (answer as IncomingMessage).statusCode;
    };
    expect([await read('127.0.0.1'), await read('127.0.0.1'), await read('evil.example')]).toEqual([200, 200, 421]);
  });

  it.each([
    ['a proxy sends the requests', { TRUST_PROXY: 'loopback' }],
    ['it has a public URL', { PUBLIC_URL: 'https://shop.example' }],
    ['it listens on the network', { HOST: '0.0.0.0' }],
  ])('accepts every Host if %s', async (_why, env) => {
    expect((await ask(env, 'shop.example')).status).toBe(200);
  });
});

describe('Strict-Transport-Security', () => {
  it.each([
    ['https://shop.example', 'max-age=31536000'],
    ['http://localhost:8080', undefined],
  ])('of a site at %s is %s', async (url, header) => {
    expect((await ask({ PUBLIC_URL: url }, 'localhost')).headers['strict-transport-security']).toBe(header);
  });
});
