import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gateOf } from '../../src/platform/http/gate.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { deliverer, openReceiver, type Receiver, WEBHOOKS } from './support.ts';

describe('an address', () => {
  const gate = gateOf([]);

  it.each([
    ...[
      '127.0.0.1',
      '127.255.0.1',
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
    ],
    ...['0.0.0.0', '224.0.0.1', '255.255.255.255', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1'],
    ...['::1', '::', 'fe80::1', 'fc00::1', 'fdff::1', 'ff02::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::127.0.0.1'],
    ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1', '2001::1', 'fec0::1'],
    ...['100:0:0:1::1', '3fff::1', '5f00::1'],
  ])('%s is rejected', (address) => {
    expect(gate.allows(address)).toBe(false);
  });

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '172.15.255.255',
    '11.0.0.1',
    '2606:4700::1111',
    '2a00::1',
    '::ffff:8.8.8.8',
  ])('%s is open', (address) => {
    expect(gate.allows(address)).toBe(true);
  });

  it('that is not public is open where the configuration says so, and no other', () => {
    const opened = gateOf(['loopback', '10.1.0.0/16', '192.168.7.7', 'fd00:1::/32']);
    for (const address of ['127.0.0.1', '::1', '10.1.2.3', '192.168.7.7', 'fd00:1::5', '8.8.8.8']) {
      expect([address, opened.allows(address)]).toEqual([address, true]);
    }
    for (const address of ['10.2.0.1', '192.168.7.8', '169.254.169.254', 'fd00:2::5']) {
      expect([address, opened.allows(address)]).toEqual([address, false]);
    }
  });

  it('behind a name is judged when the name is resolved', async () => {
    const resolve = (allowed: string[]) =>
      new Promise<unknown>((done) => {
        gateOf(allowed).lookup('localhost', { all: true }, (error, addresses) => done(error ?? addresses));
      });
    expect(await resolve([])).toMatchObject({ code: 'ADDRESS_REFUSED' });
    expect(JSON.stringify(await resolve(['loopback']))).toMatch(/127\.0\.0\.1|::1/);
  });
});

describe('a webhook', () => {
  let town: OpenTown;
  let receiver: Receiver;
  beforeEach(async () => {
    town = await openTown();
    receiver = await openReceiver();
  });
  afterEach(async () => {
    await receiver.close();
    await town.close();
  });

  const wish = (url: string) => town.client.put(`${WEBHOOKS}/x`, { url });

  it.each([
    'http://hooks.example.com/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/x',
    'ftp://hooks.example.com/x',
    'https://user:word@hooks.example.com/x',
    'https://hooks.example.com/x#part',
    'hooks.example.com/x',
    'https://',
  ])('to %s is rejected on creation', async (url) => {
    const answer = await wish(url);
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, '/url']);
  });

  it('to a name that resolves into the operator’s network is rejected at every attempt, and sends nothing', async () => {
    const { port } = new URL(receiver.url);
    expect((await wish(`https://localhost:${port}/x`)).status).toBe(201);
    await town.operator('PUT', '/operator/v1/clients/TOWN', { name: 'Town', catalogIds: ['21'] });
    await deliverer(town, town.store, { WEBHOOK_ALLOW: '', WEBHOOK_PLAIN_HTTP: '' })();
    const { body } = await town.client.get(`${WEBHOOKS}/x/deliveries`);
    expect(body.deliveries[0].log[0].error).toBe('ADDRESS_REFUSED');
    expect(receiver.received).toEqual([]);
  });

  it('to an http url stops when the configuration allows it no longer', async () => {
    await town.close();
    town = await openTown({ env: { WEBHOOK_ALLOW: 'loopback', WEBHOOK_PLAIN_HTTP: 'yes' } });
    expect((await wish(receiver.url)).status).toBe(201);
    await town.operator('PUT', '/operator/v1/clients/TOWN', { name: 'Town', catalogIds: ['21'] });
    await deliverer(town, town.store, { WEBHOOK_PLAIN_HTTP: 'no' })();
    const { body } = await town.client.get(`${WEBHOOKS}/x/deliveries`);
    expect(body.deliveries[0].log[0].error).toBe('HTTPS_REQUIRED');
    expect(receiver.received).toEqual([]);
  });
});
