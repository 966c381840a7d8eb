import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backroom, openBackroom } from '../support/backroom.ts';
import { ENGINE } from '../support/store.ts';

let backroom: Backroom;
let port: number;

beforeAll(async () => {
  backroom = await openBackroom({ PORT: '0', HEADERS_TIMEOUT_MS: '300', REQUEST_TIMEOUT_MS: '600' });
  port = Number(new URL(await backroom.server.listen()).port);
});
afterAll(() => backroom.close());

/** Sends raw bytes and returns everything received until the connection closes. */
function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('utf8')));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

function bodyOf(answer: string): Record<string, unknown> {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;
}

describe('an invalid or incomplete request', () => {
  it('gets 400 with the error record when it is not HTTP', async () => {
    const answer = await send('THIS IS NOT HTTP\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(bodyOf(answer)).toMatchObject({ category: 'VALIDATION', code: 'INVALID_REQUEST' });
  });

  it('gets 431 when its headers are larger than 16 KiB', async () => {
    const answer = await send(`GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(bodyOf(answer)['code']).toBe('HEADERS_TOO_LARGE');
  });

  it('gets 408 and is closed when its headers do not arrive in time', async () => {
    const answer = await send('GET /livez HTTP/1.1\r\nHost: localhost\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(bodyOf(answer)['code']).toBe('REQUEST_TIMEOUT');
  });

  it('gets 408 and is closed when its body does not arrive in time', async () => {
    const answer = await send(
      'POST /operator/v1/stores/S/fulfillmentOrders HTTP/1.1\r\nHost: localhost\r\n' +
        'Authorization: Bearer operator-key-of-the-tests\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 (408|404) /);
  });
});

describe('a request that Node would not pass on', () => {
  it.each([
    ['without Host', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'header:Host'],
    ['with an unknown Expect', 'GET /livez HTTP/1.1\r\nHost: localhost\r\nExpect: foo\r\n\r\n', 400, 'header:Expect'],
    ['CONNECT', 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405, undefined],
  ] as const)('%s gets an error record with an X-Request-Id', async (_, text, status, pointer) => {
    const answer = await send(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const requestId = /x-request-id: (\S+)/i.exec(answer)![1];
    const body = bodyOf(answer);
    expect(body).toMatchObject({ category: 'VALIDATION', requestId });
    expect((body['errors'] as { pointer: string }[] | undefined)?.[0]?.pointer).toBe(pointer);
  });

  it('of HTTP/1.0 needs no Host', async () => {
    expect(await send('GET /livez HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('a service that stops', () => {
  it('closes connections that never send a whole request, after SHUTDOWN_GRACE_MS', async () => {
    const stopping = await openBackroom({ PORT: '0', SHUTDOWN_GRACE_MS: '100' });
    const at = Number(new URL(await stopping.server.listen()).port);
    const head = 'POST /operator/v1/clients HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{';
    const ends: Promise<unknown>[] = [];
    for (const text of ['', 'GET /livez HTTP/1.1\r\nHost: loc', head]) {
      const accepted = once(stopping.server.app.server, 'connection');
      const socket = connect(at, '127.0.0.1').resume();
      socket.on('error', () => undefined);
      ends.push(once(socket, 'close'));
      await accepted;
      if (text !== '') socket.write(text);
    }
    await stopping.close();
    await Promise.all(ends);
  });
});

describe('the edge', () => {
  it('echoes a valid X-Request-Id and replaces any other', async () => {
    const ask = (id: string) => backroom.call({ method: 'GET', path: '/livez', headers: { 'x-request-id': id } });
    expect((await ask('abc-1.2_3')).headers['x-request-id']).toBe('abc-1.2_3');
    expect((await ask('a'.repeat(128))).headers['x-request-id']).toBe('a'.repeat(128));
    for (const bad of ['a'.repeat(129), 'with space', '', 'ümlaut', '<script>']) {
      const id = (await ask(bad)).headers['x-request-id'];
      expect(id).not.toBe(bad);
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('responds 404 with the error record to an unknown path', async () => {
    const answer = await backroom.call({ method: 'GET', path: '/nowhere' });
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ category: 'RESOURCE', code: 'NOT_FOUND' });
    expect(answer.body.requestId).toBe(answer.headers['x-request-id']);
  });

  it('responds 404 with problem details under /operator/v1', async () => {
    const answer = await backroom.operator('GET', '/operator/v1/nowhere');
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.body).toMatchObject({ type: 'about:blank', title: 'Not Found', status: 404, code: 'NOT_FOUND' });
  });

  it('responds 400 to a path that cannot be decoded', async () => {
    const answer = await backroom.call({ method: 'GET', path: '/item-service/stores/%zz/items/1' });
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].rule).toBe('encoding');
  });

  it('sends security headers with every response', async () => {
    const { headers } = await backroom.call({ method: 'GET', path: '/livez' });
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN' });
  });
});

describe('a path without credentials', () => {
  it('/livez shows that the process runs, /readyz that the database responds', async () => {
    expect((await backroom.call({ method: 'GET', path: '/livez' })).body).toEqual({ status: 'ok' });
    expect((await backroom.call({ method: 'GET', path: '/readyz' })).body).toMatchObject({
      status: 'ok',
      engine: ENGINE,
    });
  });

  it('accepts HEAD, and lists GET in the 405 of any other method', async () => {
    for (const path of ['/livez', '/readyz', '/version']) {
      const head = await backroom.server.app.inject({ method: 'HEAD', url: path });
      expect([head.statusCode, head.payload]).toEqual([200, '']);
      const post = await backroom.call({ method: 'POST', path });
      expect([post.status, post.headers['allow']]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('/version names the version of the service, of Node and of the schema', async () => {
    const { body } = await backroom.call({ method: 'GET', path: '/version' });
    expect(body).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      node: process.versions.node,
      engine: ENGINE,
      schema: expect.any(Number),
    });
  });

  it('/metrics counts requests by operation and status', async () => {
    await backroom.call({ method: 'GET', path: '/livez' });
    const { text } = await backroom.call({ method: 'GET', path: '/metrics' });
    expect(text).toMatch(/backroom_request_duration_seconds_count\{operation="\/livez",status="200"\} [1-9]/);
  });

  it('/openapi.json is the OpenAPI document and /docs a page that loads nothing from other hosts', async () => {
    expect((await backroom.call({ method: 'GET', path: '/openapi.json' })).body.openapi).toBe('3.1.0');
    const page = await backroom.call({ method: 'GET', path: '/docs' });
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  it('/docs has the files of the page and nothing else', async () => {
    const style = await backroom.call({ method: 'GET', path: '/docs/page.css' });
    expect(style.status).toBe(200);
    expect(style.headers['content-type']).toMatch(/^text\/css/);
    expect(style.headers['content-security-policy']).toContain("default-src 'self'");
    expect(style.headers['content-security-policy']).not.toContain('unsafe-eval');
    expect(style.headers['x-content-type-options']).toBe('nosniff');
    const none = await backroom.call({ method: 'GET', path: '/docs/none.js' });
    expect(none.status).toBe(404);
    expect(none.body.code).toBe('NOT_FOUND');
  });
});

describe('duplicate headers', () => {
  const two = (path: string, more = '') =>
    send(`GET ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\n${more}Connection: close\r\n\r\n`);

  it('of Host get 400 on every path', async () => {
    for (const path of ['/livez', '/nowhere', '/operator/v1/clients', '/item-service/stores/S/items/I']) {
      const answer = await two(path);
      expect([path, answer.slice(0, 12)]).toEqual([path, 'HTTP/1.1 400']);
      expect(answer).toContain('Host');
    }
    expect(await send('GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 200/);
  });

  it('of Authorization are no credentials', async () => {
    const ask = (header: string) =>
      send(
        `GET /operator/v1/clients HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer operator-key-of-the-tests\r\n${header}Connection: close\r\n\r\n`,
      );
    expect(await ask('')).toMatch(/^HTTP\/1.1 200/);
    expect(await ask('Authorization: Bearer another\r\n')).toMatch(/^HTTP\/1.1 401/);
  });
});

describe('open connections', () => {
  const idle = (to: number) =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(to, '127.0.0.1', () => resolve(socket));
      socket.on('error', reject);
    });

  it('are limited by MAX_CONNECTIONS: further ones are closed, and earlier ones are served', async () => {
    const small = await openBackroom({ PORT: '0', MAX_CONNECTIONS: '10' });
    const to = Number(new URL(await small.server.listen()).port);
    const sockets: Socket[] = [];
    for (let count = 0; count < 10; count += 1) sockets.push(await idle(to));
    const beyond = connect(to, '127.0.0.1');
    await new Promise((resolve) => beyond.once('close', resolve));
    const served = new Promise<string>((resolve) => sockets[9]!.once('data', (data) => resolve(data.toString())));
    sockets[9]!.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await served).toMatch(/^HTTP\/1.1 200/);
    for (const socket of sockets) socket.destroy();
    await small.close();
  });
});

describe('a service that stops', () => {
  it('closes its port at once, also while due work takes long', async () => {
    const stopping = await openBackroom({ PORT: '0' }, { sandbox: false });
    await stopping.server.listen();
    const { promise: over, resolve: end } = Promise.withResolvers<never[]>();
    const begun = new Promise<void>((resolve) => {
      // The next search for due work calls this read.
      stopping.store.read = () => {
        resolve();
        return over as never;
      };
    });
    await begun;
    const ended = stopping.server.close();
    await expect.poll(() => stopping.server.app.server.listening).toBe(false);
    end([]);
    await ended;
  });

  it('responds to a request that arrives on an open connection, and closes it', async () => {
    const stopping = await openBackroom({ PORT: '0' });
    const at = Number(new URL(await stopping.server.listen()).port);
    let answer = '';
    const socket = connect(at, '127.0.0.1');
    socket.on('data', (chunk) => (answer += chunk.toString('utf8')));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const arrived = new Promise((resolve) => stopping.server.app.server.once('request', resolve));
    const body = '[]';
    socket.write(
      `POST /operator/v1/stores/S/fulfillmentOrders HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer operator-key-of-the-tests\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await arrived;
    const ended = stopping.close();
    while (stopping.server.app.server.listening) await new Promise((resolve) => setImmediate(resolve));
    socket.write(`${body}GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await Promise.all([closed, ended]);
    const last = answer.slice(answer.lastIndexOf('HTTP/1.1'));
    expect(last).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(last).toMatch(/connection: close/i);
  });
});
