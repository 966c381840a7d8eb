import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { TYPE_PATTERNS } from '../../src/events/schema.ts';
import { stringifyJson } from '../../src/platform/message/json.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { WEBHOOKS } from './support.ts';

const URL = 'https://hooks.example.com/backroom';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown({ neighbours: true });
});
afterAll(() => town.close());

const put = (id: string, body: object) => town.client.put(`${WEBHOOKS}/${id}`, body);

describe('a webhook', () => {
  it('may be sent back as it was read', async () => {
    await put('back', { url: URL, types: ['order.*'] });
    const read = await town.client.get(`${WEBHOOKS}/back`);
    const again = await put('back', read.body);
    expect([again.status, again.body]).toEqual([200, read.body]);
  });

  it('put again as it is changes nothing and records nothing', async () => {
    await put('same', { url: URL });
    const { head } = (await town.client.get('/operator/v1/events?limit=1')).body;
    const again = await put('same', { url: URL, enabled: true });
    expect(again.status).toBe(200);
    expect((await town.client.get(`/operator/v1/events?after=${head}`)).body.events).toEqual([]);
  });

  it.each([
    ['url', [undefined, '', 7, 'x'.repeat(2_001), `${URL}/${'x'.repeat(2_000)}`], [`${URL}?${'x'.repeat(1_950)}`]],
    ['types', [[], 'order.*', ['order'], ['order.*', 'order.*'], ['']], [['order.*'], TYPE_PATTERNS]],
    ['enabled', ['yes', 1], [true, false]],
    ['secret', ['whsec_x'], []],
    ['urls', [URL], []],
  ])('takes %s only as documented', async (name, bad, good) => {
    for (const value of bad) {
      const answer = await put(`bad-${name}`, { url: URL, [name]: value });
      expect([value, answer.status]).toEqual([value, 400]);
    }
    for (const [index, value] of good.entries()) {
      const answer = await put(`good-${name}-${index}`, { url: URL, [name]: value });
      expect([value, answer.status, answer.body[name]]).toEqual([value, 201, value]);
    }
  });

  it('has an identifier of at most 40 characters', async () => {
    expect((await put('x'.repeat(40), { url: URL })).status).toBe(201);
    expect((await put('x'.repeat(41), { url: URL })).body.errors[0].pointer).toBe('path:webhookId');
  });

  it('of a client is one of at most 50', async () => {
    const path = '/operator/v1/clients/OTHER/webhooks';
    for (let index = 0; index < 50; index += 1) {
      expect((await town.neighbour.put(`${path}/w${index}`, { url: URL, enabled: false })).status).toBe(201);
    }
    expect((await town.neighbour.put(`${path}/one-more`, { url: URL })).status).toBe(409);
    expect((await town.neighbour.put(`${path}/w7`, { url: URL, enabled: false, types: ['item.*'] })).status).toBe(200);
    await town.neighbour.delete(`${path}/w7`);
    expect((await town.neighbour.put(`${path}/one-more`, { url: URL })).status).toBe(201);
  });

  it('is listed a page at a time in the order of identifiers, for an operator as for its client', async () => {
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { body } = await town.operator('GET', `${WEBHOOKS}?limit=2${after}`);
      seen.push(...body.webhooks.map((one: { webhookId: string }) => one.webhookId));
      if (body.next === undefined) break;
      after = `&after=${encodeURIComponent(body.next)}`;
    }
    const whole = await town.client.get(`${WEBHOOKS}?limit=500`);
    expect(seen).toEqual(whole.body.webhooks.map((one: { webhookId: string }) => one.webhookId));
    expect(seen).toEqual(seen.toSorted());
  });

  it('that is deleted is gone with its log, and its name may be used again', async () => {
    await put('gone', { url: URL, enabled: false });
    await town.client.post(`${WEBHOOKS}/gone/replay`, { from: 1, to: 5 });
    expect((await town.client.delete(`${WEBHOOKS}/gone`)).status).toBe(204);
    expect((await town.client.delete(`${WEBHOOKS}/gone`)).status).toBe(404);
    expect((await town.client.get(`${WEBHOOKS}/gone/deliveries`)).status).toBe(404);
    expect((await put('gone', { url: URL, enabled: false })).status).toBe(201);
    expect((await town.client.get(`${WEBHOOKS}/gone/deliveries`)).body.deliveries).toEqual([]);
  });

  it('with a long log is deleted in batches, and the first one disables it, with an event', async () => {
    await put('long', { url: URL });
    const deliveries = Array.from({ length: 1_300 }, (_none, index) => ({
      client_id: 'TOWN',
      webhook_id: 'long',
      position: index + 1,
      status: 'PENDING' as const,
      attempts: 0,
      due_at: 1,
      log: stringifyJson([]),
      created_at: 1,
      updated_at: 1,
    }));
    await town.store.write((tx) => tx.insertInto('webhook_deliveries').values(deliveries).execute());
    const left: [number, number | undefined][] = [];
    const write = town.store.write.bind(town.store);
    const spy = vi.spyOn(town.store, 'write').mockImplementation(async (work, ...more) => {
      const done = await write(work, ...more);
      const rows = await town.store.read((db) =>
        db.selectFrom('webhook_deliveries').select('position').where('webhook_id', '=', 'long').execute(),
      );
      const hook = await town.store.read((db) =>
        db.selectFrom('webhooks').select('enabled').where('webhook_id', '=', 'long').executeTakeFirst(),
      );
      left.push([rows.length, hook?.enabled]);
      return done;
    });
    onTestFinished(() => spy.mockRestore());
    expect((await town.client.delete(`${WEBHOOKS}/long`)).status).toBe(204);
    expect(left).toEqual([
      [800, 0],
      [300, 0],
      [300, 0],
      [0, undefined],
    ]);
    const events = await town.store.read((db) =>
      db.selectFrom('events').select('type').where('resource_id', '=', 'long').orderBy('event_id').execute(),
    );
    expect(events.map(({ type }) => type)).toEqual(['webhook.created', 'webhook.changed', 'webhook.deleted']);
  });

  it('of another client is not there, whatever is asked of it', async () => {
    await town.neighbour.put('/operator/v1/clients/OTHER/webhooks/w1', { url: URL, enabled: false });
    for (const end of ['', '/deliveries']) {
      expect((await town.client.get(`/operator/v1/clients/OTHER/webhooks/w1${end}`)).status).toBe(403);
      expect((await town.client.get(`${WEBHOOKS}/w1${end}`)).status).toBe(404);
    }
    expect((await town.client.post(`${WEBHOOKS}/w1/secret`, {})).status).toBe(404);
    expect((await town.client.delete(`${WEBHOOKS}/w1`)).status).toBe(404);
    expect((await town.neighbour.get('/operator/v1/clients/OTHER/webhooks/w1')).status).toBe(200);
  });

  it.each([
    ['overlapSeconds', [-1, 604_801, 1.5, '60']],
    ['secret', ['whsec_mine']],
  ])('rejects a rotation with %s out of bounds', async (name, values) => {
    await put('rotates', { url: URL });
    for (const value of values) {
      expect((await town.client.post(`${WEBHOOKS}/rotates/secret`, { [name]: value })).status).toBe(400);
    }
    for (const overlapSeconds of [0, 604_800]) {
      expect((await town.client.post(`${WEBHOOKS}/rotates/secret`, { overlapSeconds })).status).toBe(200);
    }
  });

  it('shows its log a page at a time and by status', async () => {
    await put('logged', { url: URL, enabled: false });
    await town.client.post(`${WEBHOOKS}/logged/replay`, { from: 1, to: 7 });
    const page = async (query: string) => (await town.client.get(`${WEBHOOKS}/logged/deliveries?${query}`)).body;
    const first = await page('limit=3');
    expect(first.deliveries.map((one: { position: number }) => one.position)).toEqual([1, 2, 3]);
    const second = await page(`limit=10&after=${first.next}&status=PENDING`);
    expect(second.deliveries.map((one: { position: number }) => one.position)).toEqual([4, 5, 6, 7]);
    expect(await page('status=DEAD')).toEqual({ deliveries: [] });
    expect((await town.client.get(`${WEBHOOKS}/logged/deliveries?status=LOST`)).status).toBe(400);
  });
});
