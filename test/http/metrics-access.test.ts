/** Access to /metrics: from this machine, or with the METRICS_TOKEN. */
import { afterEach, expect, it } from 'vitest';
import { type Backroom, openBackroom } from '../support/backroom.ts';

const TOKEN = '8d1f60b7c2e94a35bb07f1d2';
let room: Backroom | undefined;
afterEach(async () => {
  await room?.close();
  room = undefined;
});

async function ask(remoteAddress: string, headers: Record<string, string> = {}): Promise<number> {
  return (await room!.server.app.inject({ method: 'GET', url: '/metrics', headers, remoteAddress })).statusCode;
}

it('this machine reads metrics without a token, other addresses do not', async () => {
  room = await openBackroom();
  for (const own of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])
    expect([own, await ask(own)]).toEqual([own, 200]);
  for (const other of ['10.0.0.1', '192.0.2.1', '2001:db8::1', '::ffff:10.0.0.1']) {
    expect([other, await ask(other)]).toEqual([other, 401]);
    expect(await ask(other, { authorization: `Bearer ${TOKEN}` })).toBe(401);
  }
});

it('other addresses read metrics with the METRICS_TOKEN only', async () => {
  room = await openBackroom({ METRICS_TOKEN: TOKEN });
  expect(await ask('10.0.0.1', { authorization: `Bearer ${TOKEN}` })).toBe(200);
  for (const authorization of [`Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN, 'Bearer ', '']) {
    expect(await ask('10.0.0.1', { authorization })).toBe(401);
  }
  expect(await ask('127.0.0.1')).toBe(200);
});

it('a request through a proxy on this machine needs the token, whether TRUST_PROXY names the proxy or not', async () => {
  const forwarded = { 'x-forwarded-for': '192.0.2.1' };
  room = await openBackroom();
  expect(await ask('127.0.0.1', forwarded)).toBe(401);
  expect(await ask('10.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).toBe(401);
  await room.close();
  room = await openBackroom({ TRUST_PROXY: 'loopback, 10.0.0.1' });
  expect(await ask('127.0.0.1', forwarded)).toBe(401);
  expect(await ask('10.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).toBe(401);
});
