import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/platform/time.ts';
import { samplesOf } from '../support/metrics.ts';
import { ALLOWED, deliverer, openReceiver, WEBHOOKS } from '../webhooks/support.ts';
import { type Aging, openAging } from './support.ts';

const FEED = '/operator/v1/events';

let town: Aging;
afterEach(() => town.close());

interface Page {
  events: { position: number; type: string; resourceId: string; sequence: number }[];
  nextAfter: number;
  head: number;
}
const feed = async (query = '') => (await town.client.get(`${FEED}?limit=500${query}`)).body as Page;
const positions = async () => (await feed()).events.map((event) => event.position);

describe('events', () => {
  it('expire by age, the oldest first; the feed then begins with the oldest that is left', async () => {
    town = await openAging({ EVENT_DAYS: '10' });
    const { head: old } = await feed();
    await town.days(6);
    const orderId = await town.make('STORE_PICK_UP');
    await town.days(5);
    const page = await feed();
    expect(page.events[0]).toMatchObject({ position: old + 1, type: 'order.received', resourceId: orderId });
    expect(await feed(`&after=${old}`)).toEqual(page);
    expect(await town.removed()).toEqual({ events: old });
    await town.days(30);
    expect(await feed()).toEqual({
      events: [],
      next: (await feed()).head,
      nextAfter: (await feed()).head,
      head: (await feed()).head,
    });
  });

  it('that have expired are reported to a reader who requests them, immediately even on a long poll', async () => {
    town = await openAging({ EVENT_DAYS: '10' });
    const { head } = await feed();
    await town.days(11);
    for (const query of ['after=0', `after=${head - 1}&wait=20`]) {
      const answer = await town.client.get(`${FEED}?${query}`);
      expect([answer.status, answer.body.code, answer.body.gone]).toEqual([410, 'EVENTS_GONE', head]);
      expect(answer.body.detail).toContain(`continue with after=${head}`);
    }
    expect((await town.client.get(`${FEED}?after=${head}`)).status).toBe(200);
    expect((await town.client.get(`${FEED}?after=${head + 9}`)).status).toBe(400);
  });

  it('of a resource keep their numbering after all earlier ones have expired', async () => {
    town = await openAging({ EVENT_DAYS: '10' });
    const orderId = await town.make('SHIP_TO_HOME');
    const last = (await feed()).events.filter((event) => event.resourceId === orderId).at(-1)!.sequence;
    await town.days(11);
    await feed();
    await town.days(11);
    const path = `/operator/v1/stores/TOWN_US/fulfillmentOrders/${orderId}`;
    const before = (await feed()).events.filter((event) => event.resourceId === orderId);
    expect(before).toEqual([]);
    await town.cancel(orderId);
    const history = await town.client.get(`${path}/history`);
    const { events } = await feed();
    const next = events.filter((event) => event.resourceId === orderId);
    expect(next[0]!.sequence).toBe(last + 1);
    expect(history.status, history.text).toBe(200);
    expect((history.body.events as { sequence: number }[])[0]!.sequence).toBe(last + 1);
  });

  it('stay until every webhook has received them, and so do those that wait for a retry', async () => {
    town = await openAging({ EVENT_DAYS: '10', ...ALLOWED });
    const receiver = await openReceiver();
    try {
      const hook = { url: receiver.url, types: ['order.*'], enabled: false };
      expect((await town.client.put(`${WEBHOOKS}/slow`, hook)).status).toBe(201);
      const orderId = await town.make('STORE_PICK_UP');
      const { events } = await feed();
      const received = events.find((event) => event.resourceId === orderId)!.position;
      const from = (await town.client.get(`${WEBHOOKS}/slow`)).body.position as number;
      await town.days(20);
      expect((await positions())[0]).toBe(from + 1);
      await town.client.put(`${WEBHOOKS}/slow`, { ...hook, enabled: true });
      receiver.answer = () => ({ status: 500 });
      const deliver = deliverer(town);
      await deliver();
      await town.days(0);
      town.clock.now += 61_000;
      await town.due();
      expect((await positions())[0]).toBe(received);
      receiver.answer = () => ({ status: 204 });
      town.clock.now += 3_600_000;
      await deliver();
      await town.days(1);
      expect((await positions())[0] ?? Number.MAX_SAFE_INTEGER).toBeGreaterThan(received);
      const replay = await town.client.post(`${WEBHOOKS}/slow/replay`, { from: 1, to: received });
      expect([replay.status, replay.body.errors[0].rule]).toEqual([400, 'minimum']);
    } finally {
      await receiver.close();
    }
  });

  it('held by a webhook are reported in its state, with the retention period of events', async () => {
    town = await openAging({ EVENT_DAYS: '10', ...ALLOWED });
    const receiver = await openReceiver();
    const { app } = town.server;
    const held = async () => {
      town.clock.now += 15_000;
      return samplesOf(app, 'backroom_webhook_held_timestamp_seconds');
    };
    try {
      const hook = { url: receiver.url, types: ['order.*'], enabled: false };
      await town.client.put(`${WEBHOOKS}/slow`, hook);
      expect(await held()).toEqual({});
      const madeAt = town.clock.now / 1_000;
      await town.make('STORE_PICK_UP');
      await town.days(20);
      const [paused] = Object.values(await held());
      expect(Math.abs(paused! - madeAt)).toBeLessThan(60);
      await town.client.put(`${WEBHOOKS}/slow`, { ...hook, enabled: true });
      expect(Object.keys(await held())).toEqual(['{state="sending"}']);
      receiver.answer = () => ({ status: 500 });
      const deliver = deliverer(town);
      await deliver();
      const failing = await held();
      expect(Object.keys(failing)).toEqual(['{state="failing"}']);
      expect(Math.abs(Object.values(failing)[0]! - madeAt)).toBeLessThan(60);
      await town.days(4);
      await deliver();
      expect(Object.keys(await held())).toEqual(['{state="disabled"}']);
      receiver.answer = () => ({ status: 204 });
      await town.client.put(`${WEBHOOKS}/slow`, { ...hook, enabled: true });
      for (let round = 0; round < 3; round += 1) {
        town.clock.now += 3_600_000;
        await deliver();
      }
      expect(await held()).toEqual({});
      const day = 86_400;
      expect(await samplesOf(app, 'backroom_retention_seconds')).toMatchObject({ '{kind="events"}': 10 * day });
      expect(await samplesOf(app, 'backroom_retention_seconds')).toMatchObject({ '{kind="interchanges"}': 400 * day });
      expect(await samplesOf(app, 'backroom_retention_seconds')).not.toHaveProperty('{kind="orders"}');
    } finally {
      await receiver.close();
    }
  });

  it('from a clock that was ahead do not keep the events after them', async () => {
    town = await openAging({ EVENT_DAYS: '10' });
    const { head: old } = await feed();
    town.clock.now += 400 * DAY_MS;
    await town.make('STORE_PICK_UP');
    town.clock.now -= 400 * DAY_MS;
    await town.make('STORE_PICK_UP');
    const { head } = await feed();
    await town.days(9);
    expect((await positions())[0]).toBeLessThanOrEqual(old);
    await town.days(2);
    expect((await positions()).filter((position) => position <= head)).toEqual([]);
  });

  it('from a clock that was ahead do not keep later events, however many they are', async () => {
    town = await openAging({ EVENT_DAYS: '10' });
    town.clock.now += 400 * DAY_MS;
    await town.make('STORE_PICK_UP');
    await feed();
    const event = await town.store.read((db) =>
      db.selectFrom('events').selectAll().where('at', '=', town.clock.now).limit(1).executeTakeFirstOrThrow(),
    );
    const future = Array.from({ length: 1_100 }, () => ({
      ...event,
      event_id: randomUUID(),
      position: null,
      sequence: null,
    }));
    town.clock.now -= 400 * DAY_MS;
    await town.store.write((tx) => tx.insertInto('events').values(future).execute());
    await feed();
    await town.make('STORE_PICK_UP');
    const { head } = await feed();
    await town.days(11);
    expect((await positions()).filter((position) => position <= head)).toEqual([]);
    const due = await samplesOf(town.server.app, 'backroom_scheduler_due_total');
    expect(due['{kind="events past their time",outcome="missed"}']).toBe(0);
  });

  it('of access have a retention period of their own', async () => {
    town = await openAging({ EVENT_DAYS: '1', ACCESS_LOG_DAYS: '20' });
    await town.days(2);
    const { access_events: kept } = await town.count('access_events');
    expect(kept).toBeGreaterThan(0);
    await town.days(20);
    expect((await town.count('access_events'))['access_events']).toBeLessThan(kept!);
    expect((await town.removed())['access events']).toBeGreaterThan(0);
  });
});

describe('keys', () => {
  it('expire a number of days after they were revoked or expired; working keys stay', async () => {
    town = await openAging({ KEY_DAYS: '30' });
    const path = '/operator/v1/clients/TOWN/credentials';
    const make = async (more: object = {}) => (await town.operator('POST', path, { label: 'Key', ...more })).body;
    const [revoked, used] = [await make(), await make()];
    const expiring = await make({ expiresAt: new Date(town.clock.now + 86_400_000).toISOString() });
    expect((await town.operator('DELETE', `${path}/${revoked.credentialId as string}`)).status).toBeLessThan(300);
    const listed = async () =>
      ((await town.operator('GET', `${path}?limit=500`)).body.credentials as { credentialId: string }[]).map(
        (one) => one.credentialId,
      );
    await town.days(29);
    expect(await listed()).toEqual(expect.arrayContaining([revoked.credentialId, expiring.credentialId]));
    await town.days(1.5);
    const left = await listed();
    expect(left).not.toContain(revoked.credentialId);
    expect(left).toEqual(expect.arrayContaining([expiring.credentialId, used.credentialId]));
    await town.days(1);
    expect(await listed()).not.toContain(expiring.credentialId);
    expect(await town.removed()).toMatchObject({ keys: 2 });
  });
});
