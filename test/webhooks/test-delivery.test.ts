import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';
import { ALLOWED, deliverer, isSigned, openReceiver, type Receiver, SWITCH, WEBHOOKS } from './support.ts';

let town: OpenTown;
let receiver: Receiver;
beforeAll(async () => {
  town = await openTown({ env: ALLOWED });
  receiver = await openReceiver();
});
afterEach(() => {
  receiver.received.length = 0;
  receiver.answer = () => ({ status: 204 });
});
afterAll(async () => {
  await receiver.close();
  await town.close();
});

/** Creates a webhook and returns its secret. */
async function create(id: string, fields: object = {}): Promise<string> {
  const made = await town.client.put(`${WEBHOOKS}/${id}`, { url: receiver.url, types: ['order.*'], ...fields });
  expect(made.status).toBe(201);
  return made.body.secret as string;
}

describe('a test delivery', () => {
  it('is an event of the feed, signed like every other', async () => {
    const secret = await create('signed');
    const { status, body } = await town.client.post(`${WEBHOOKS}/signed/test`);
    expect([status, body.delivered, body.status]).toEqual([200, true, 204]);
    const [sent] = receiver.received;
    expect(isSigned(sent!, secret, town.ports.now())).toBe(true);
    expect(sent!.headers['webhook-id']).toBe(body.eventId);
    const { timestamp, ...event } = JSON.parse(sent!.body);
    expect(timestamp).toBe(event.at);
    const feed = await town.client.get(`/operator/v1/events?after=${body.position - 1}&limit=1`);
    expect(feed.body.events).toEqual([event]);
    expect([event.type, event.resourceId, event.data.host]).toEqual(['webhook.tested', 'signed', '127.0.0.1']);
  });

  it.each([
    ['responds with an error', { status: 500 }, { delivered: false, status: 500 }],
    [
      'redirects',
      { status: 302, headers: { location: 'https://hooks.example.com/' } },
      { delivered: false, status: 302 },
    ],
    ['switches to another protocol', SWITCH, { delivered: false, status: 101 }],
    ['closes the connection', { status: 0, cut: true }, { delivered: false, error: 'ECONNRESET' }],
    ['never responds', { status: 0, hang: true }, { delivered: false, error: 'TIMEOUT' }],
  ])('to a receiver that %s is a 200 that says so', async (name, answer, expected) => {
    const id = name.replaceAll(' ', '-');
    await create(id);
    receiver.answer = () => answer;
    const { status, body } = await town.client.post(`${WEBHOOKS}/${id}/test`);
    expect(status).toBe(200);
    expect(body).toMatchObject(expected);
  });

  it('has the TIMEOUT of the service settings, also if it is as long as the wait of the caller', async () => {
    const own = await openTown({ env: { ...ALLOWED, WEBHOOK_TIMEOUT_MS: '15000' } });
    const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 50).unref();
      return controller.signal;
    });
    try {
      await own.client.put(`${WEBHOOKS}/slow`, { url: receiver.url, types: ['order.*'] });
      receiver.answer = () => ({ status: 0, hang: true });
      expect((await own.client.post(`${WEBHOOKS}/slow/test`)).body).toMatchObject({ error: 'TIMEOUT' });
      expect(timeouts).toHaveBeenCalledWith(10_000);
    } finally {
      timeouts.mockRestore();
      await own.close();
    }
  });

  it('changes neither the position nor the failures of the webhook, and is in no log of deliveries', async () => {
    await create('as-it-was', { enabled: false });
    const before = await town.client.get(`${WEBHOOKS}/as-it-was`);
    receiver.answer = () => ({ status: 410 });
    expect((await town.client.post(`${WEBHOOKS}/as-it-was/test`)).body.status).toBe(410);
    expect((await town.client.get(`${WEBHOOKS}/as-it-was`)).body).toEqual(before.body);
    expect((await town.client.get(`${WEBHOOKS}/as-it-was/deliveries`)).body.deliveries).toEqual([]);
  });

  it('also has a signature of the old secret during a rotation', async () => {
    const old = await create('rotated');
    const { body } = await town.client.post(`${WEBHOOKS}/rotated/secret`, {});
    await town.client.post(`${WEBHOOKS}/rotated/test`);
    const [sent] = receiver.received;
    expect([old, body.secret].map((one: string) => isSigned(sent!, one, town.ports.now()))).toEqual([true, true]);
  });

  it('comes again in its turn to a webhook of all types, with the same webhook-id', async () => {
    await create('all', { types: undefined });
    const { body } = await town.client.post(`${WEBHOOKS}/all/test`);
    await deliverer(town)();
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids.filter((id) => id === body.eventId)).toHaveLength(2);
  });

  it('of a missing webhook is a 404 that records no event', async () => {
    const { head } = (await town.client.get('/operator/v1/events?limit=1')).body;
    expect((await town.client.post(`${WEBHOOKS}/none/test`)).status).toBe(404);
    expect((await town.client.get(`/operator/v1/events?after=${head}`)).body.events).toEqual([]);
  });
});
