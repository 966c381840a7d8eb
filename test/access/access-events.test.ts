/**
 * The access log records who saw personal data of orders, who created and revoked keys, wrong PINs, and unlocks of
 * PINs. It is separate from the event feed (docs/decisions/168).
 */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insertAccessEvents } from '../../src/platform/access-log/store.ts';
import type { Json } from '../../src/platform/json-column.ts';
import { type OpenTown, openTown } from '../support/town.ts';

const OF_TOWN = '/operator/v1/clients/TOWN/accessEvents';
const ALL = '/operator/v1/accessEvents';
const STORE = '/stores/TOWN_US';
const NODE = `${STORE}/nodes/TOWN-Store001`;

let town: OpenTown;
let start: number;
beforeEach(async () => {
  town = await openTown({ neighbours: true });
  start = (await town.operator('GET', `${ALL}?limit=500`)).body.nextAfter as number;
});
afterEach(() => town.close());

interface Shown {
  position: number;
  type: string;
  at: string;
  actor: string;
  clientId?: string;
  requestId: string;
  data: { operation?: string; fulfillmentOrderIds?: string[]; [name: string]: unknown };
}
const read = async (path = OF_TOWN, after = start) =>
  (await town.operator('GET', `${path}?after=${after}&limit=500`)).body.events as Shown[];
const where = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };

describe('an access log', () => {
  it('records the caller, the orders whose personal data was shown, the operation and the time', async () => {
    const { ready, arriving } = town.orders;
    const by = `credential:${town.client.secrets.credentialId}`;
    const calls: [operation: string, ids: string[], call: () => Promise<{ status: number; body: unknown }>][] = [
      ['readFulfillmentOrder', [ready], () => town.client.get(`/operator/v1${STORE}/fulfillmentOrders/${ready}`)],
      [
        'readCustomerPickup',
        [ready],
        () => town.client.post(`${NODE}/customerPickUps/${ready}`, { ...where, fulfillmentOrderId: ready }),
      ],
      ['readCheckIn', [arriving], () => town.client.get(`${NODE}/fulfillmentOrders/${arriving}/checkin`)],
    ];
    for (const [operation, ids, call] of calls) {
      const { status } = await call();
      expect([operation, status]).toEqual([operation, 200]);
      const [event] = (await read()).slice(-1);
      expect(event).toMatchObject({
        type: 'orders.read',
        actor: by,
        clientId: 'TOWN',
        at: '2026-03-02T12:00:00+00:00',
        data: { operation, fulfillmentOrderIds: ids },
      });
    }
  });

  it('names every order that a search has shown, without personal data', async () => {
    const queue = 'WAITING_FOR_PICK_ISPU';
    const found = await town.client.post(`${NODE}/fulfillmentOrders?queueId=${queue}`, { ...where, queueId: queue });
    const search = await town.client.post(`${STORE}/fulfillmentOrder/search`, where);
    const [first, second] = await read();
    const idsOf = (body: { fulfillmentOrders: { fulfillmentOrderId: string }[] }) =>
      body.fulfillmentOrders.map((order) => order.fulfillmentOrderId);
    expect(idsOf(found.body).length).toBeGreaterThan(0);
    expect(first!.data).toEqual({ operation: 'searchQueue', fulfillmentOrderIds: idsOf(found.body) });
    expect(first!.requestId).toBe(found.headers['x-request-id']);
    expect(second!.data).toEqual({ operation: 'searchFulfillmentOrders', fulfillmentOrderIds: idsOf(search.body) });
    const { customer } = search.body.fulfillmentOrders[0] as { customer: { name: string; email: string } };
    expect(JSON.stringify([first, second])).not.toContain(customer.name);
    expect(JSON.stringify([first, second])).not.toContain(customer.email);
  });

  it('rejects a position after its last one, so that no reader skips events after a restore', async () => {
    await town.client.get(`/operator/v1${STORE}/fulfillmentOrders/${town.orders.ready}`);
    const [last] = (await read(ALL)).slice(-1);
    const at = async (path: string, after: number) => town.operator('GET', `${path}?after=${after}`);
    for (const path of [OF_TOWN, ALL]) {
      expect((await at(path, last!.position)).body).toMatchObject({ events: [], next: last!.position });
      const beyond = await at(path, last!.position + 1);
      expect([beyond.status, beyond.body.errors]).toMatchObject([400, [{ pointer: 'query:after', rule: 'maximum' }]]);
      expect(beyond.text).toContain(`send at most ${last!.position}`);
    }
  });

  it('lists the latest events first, and finds those of a caller and of an order', async () => {
    const { ready, arriving } = town.orders;
    const other = await town.credential({ label: 'Tablet', groups: ['fulfillment'] });
    const order = (one: string) => `/operator/v1${STORE}/fulfillmentOrders/${one}`;
    await town.client.get(order(ready));
    await other.get(order(ready));
    await other.get(order(arriving));
    const [, first, second, third] = await read();
    const page = async (query: string) => (await town.operator('GET', `${OF_TOWN}?${query}`)).body;
    const down = await page('order=desc&limit=2');
    expect(down).toMatchObject({ events: [third, second], next: second!.position });
    expect((await page(`order=desc&limit=1&after=${down.next}`)).events).toEqual([first]);
    const actor = `actor=${encodeURIComponent(second!.actor)}`;
    expect(await page(`order=desc&${actor}`)).toMatchObject({ events: [third, second], next: 0 });
    const about = `fulfillmentOrderId=${ready}`;
    expect((await page(`order=desc&limit=2&${about}`)).events).toEqual([second, first]);
    expect((await page(`order=desc&${about}&${actor}`)).events).toEqual([second]);
    expect((await page(`after=${start}&${about}`)).events).toEqual([first, second]);
    expect((await page(`order=desc&fulfillmentOrderId=${ready.replace(/.$/, '_')}`)).events).toEqual([]);
    expect((await page('order=desc&after=0')).events).toEqual([]);
  });

  it.each(['a"b', 'a\\b', 'a\\', '50%', 'a_b', 'É!1'])(
    'is found by an order with the id %s, and not by another',
    async (id) => {
      const position = 1_000_000;
      await town.store.write((db) =>
        db
          .insertInto('access_events')
          .values({
            ...{
              client_id: 'TOWN',
              position,
              at: town.clock.now,
              type: 'orders.read',
              actor: 'operator',
              request_id: 'r',
            },
            data: JSON.stringify({ operation: 'readFulfillmentOrder', fulfillmentOrderIds: [id] }) as Json<
              Record<string, unknown>
            >,
          })
          .execute(),
      );
      const found = async (wanted: string) =>
        (await town.operator('GET', `${OF_TOWN}?fulfillmentOrderId=${encodeURIComponent(wanted)}`)).body.events.map(
          (event: { position: number }) => event.position,
        );
      expect([await found(id), await found(`${id}x`), await found(id.slice(0, -1) || 'x')]).toEqual([
        [position],
        [],
        [],
      ]);
    },
  );

  it('has no entry for a rejected request or a response without orders', async () => {
    await town.client.get(`/operator/v1${STORE}/fulfillmentOrders/none`);
    await town.neighbour.get(`/operator/v1${STORE}/fulfillmentOrders/${town.orders.ready}`);
    await town.client.post(`${STORE}/fulfillmentOrder/search`, { ...where, webOrderId: 'none' });
    await town.client.get('/item-service/stores/TOWN_US/items/21-MUG-WHT');
    expect(await read()).toEqual([]);
  });

  it('records created and revoked credentials, wrong PINs and unlocked PINs, without any secret', async () => {
    const { secrets } = await town.credential({ label: 'Tablet', groups: ['fulfillment'] });
    await town.operator('DELETE', `/operator/v1/clients/TOWN/credentials/${secrets.credentialId}`);
    const events = await read();
    expect(events).toMatchObject([
      {
        type: 'credential.created',
        actor: 'operator:env',
        data: { credentialId: secrets.credentialId, label: 'Tablet' },
      },
      { type: 'credential.revoked', actor: 'operator:env', data: { credentialId: secrets.credentialId } },
    ]);
    expect(JSON.stringify(events)).not.toContain(secrets.apiKey.slice(-20));
  });

  it('of a client has no entry of another client; that of the installation has all entries in one sequence', async () => {
    await town.client.get(`/operator/v1${STORE}/fulfillmentOrders/${town.orders.ready}`);
    await town.credential({ label: 'Theirs' }, 'OTHER');
    await town.client.get(`/operator/v1${STORE}/fulfillmentOrders/${town.orders.ready}`);
    expect((await read()).map(({ clientId }) => clientId)).toEqual(['TOWN', 'TOWN']);
    expect((await read('/operator/v1/clients/OTHER/accessEvents')).map(({ type }) => type)).toEqual([
      'credential.created',
    ]);
    const all = await read(ALL);
    expect(all.map(({ clientId }) => clientId)).toEqual(expect.arrayContaining(['TOWN', 'OTHER']));
    const positions = all.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(new Set(positions).size).toBe(positions.length);
  });

  it('is read page by page without a gap, by the operator only', async () => {
    for (let count = 0; count < 7; count += 1) {
      await town.client.get(`/operator/v1${STORE}/fulfillmentOrders/${town.orders.ready}`);
    }
    const walked: number[] = [];
    for (let after = start, more = true; more; ) {
      const { body } = await town.operator('GET', `${OF_TOWN}?after=${after}&limit=3`);
      const events = body.events as Shown[];
      walked.push(...events.map(({ position }) => position));
      more = events.length > 0;
      after = body.nextAfter as number;
    }
    expect(walked).toEqual((await read()).map(({ position }) => position));
    expect(walked).toHaveLength(7);
    for (const path of [OF_TOWN, ALL]) expect((await town.client.get(path)).status).toBe(403);
    expect((await town.operator('GET', '/operator/v1/clients/NONE/accessEvents')).status).toBe(404);
  });

  it('is in neither the feed nor its positions', async () => {
    const feed = async () => (await town.client.get('/operator/v1/events?limit=500')).body as { head: number };
    const { head } = await feed();
    await town.client.get(`/operator/v1${STORE}/fulfillmentOrders/${town.orders.ready}`);
    await read();
    const after = await feed();
    expect(after.head).toBe(head);
    expect(JSON.stringify(after)).not.toContain('orders.read');
  });

  it('is kept for ACCESS_LOG_DAYS', async () => {
    await town.client.get(`/operator/v1${STORE}/fulfillmentOrders/${town.orders.ready}`);
    expect(await read()).toHaveLength(1);
    town.clock.now += 89 * 86_400_000;
    await town.client.get(`/operator/v1${STORE}/fulfillmentOrders/${town.orders.ready}`);
    await town.server.runDue();
    expect(await read()).toHaveLength(2);
    town.clock.now += 2 * 86_400_000;
    await town.server.runDue();
    expect((await read(ALL, 0)).map(({ at }) => at.slice(0, 10))).toEqual(['2026-05-30']);
  });

  it('is kept for ACCESS_LOG_DAYS also if a clock was ahead or behind for some entries', async () => {
    const day = 86_400_000;
    const visit = () => town.client.get(`/operator/v1${STORE}/fulfillmentOrders/${town.orders.ready}`);
    const at = async (clock: number) => {
      town.clock.now = clock;
      await visit();
      await read();
    };
    const [now, days] = [town.clock.now, async () => (await read(ALL, 0)).map((one) => one.at.slice(0, 10))];
    await at(now + 400 * day);
    await at(now + 10 * day);
    await at(now - 2_000 * day);
    town.clock.now = now + 95 * day;
    await town.server.runDue();
    expect(await days()).toEqual(['2027-04-06', '2026-03-12', '2020-09-09']);
    town.clock.now = now + 101 * day;
    await town.server.runDue();
    expect(await days()).toEqual([]);
  });

  it('is kept for ACCESS_LOG_DAYS also if a clock was ahead for thousands of entries', async () => {
    const [now, day] = [town.clock.now, 86_400_000];
    const visit = () => town.client.get(`/operator/v1${STORE}/fulfillmentOrders/${town.orders.ready}`);
    town.clock.now = now + 400 * day;
    const rows = Array.from({ length: 5_100 }, () => ({
      clientId: 'TOWN',
      type: 'orders.read',
      at: town.clock.now,
      actor: 'test',
      requestId: 'test',
      data: {},
    }));
    await town.store.write((tx) => insertAccessEvents(tx, town.store.dialect, rows));
    town.clock.now = now;
    await visit();
    await read();
    for (let look = 0; look < 3; look += 1) {
      town.clock.now = now + (91 + look) * day;
      await town.server.runDue();
    }
    expect(await read(ALL, 0)).toEqual([]);
  });

  it('keeps an entry that was written just now by a process whose clock is a little ahead', async () => {
    await town.client.get(`/operator/v1${STORE}/fulfillmentOrders/${town.orders.ready}`);
    await read();
    town.clock.now += 91 * 86_400_000 + 1_000;
    await town.client.get(`/operator/v1${STORE}/fulfillmentOrders/${town.orders.ready}`);
    await read();
    town.clock.now -= 1_000;
    await town.server.runDue();
    expect(await read(ALL, 0)).toHaveLength(1);
  });

  it('keeps its entries when the service stops', async () => {
    const other = await openTown();
    await other.client.get(`/operator/v1${STORE}/fulfillmentOrders/${other.orders.ready}`);
    const { store } = other;
    const close = store.close.bind(store);
    let kept: unknown[] = [];
    store.close = async () => {
      kept = await store.read((db) =>
        db
          .selectFrom('access_events')
          .select('type')
          .where('client_id', '=', 'TOWN')
          .where('type', '=', 'orders.read')
          .execute(),
      );
      await close();
    };
    await other.close();
    expect(kept).toHaveLength(1);
  });
});

describe('the feed', () => {
  it('names the actor: the credential, the operator or the system', async () => {
    const { head } = (await town.client.get('/operator/v1/events?limit=500')).body as { head: number };
    await town.credential({ label: 'x' });
    await town.client.delete('/item-service/clients/TOWN/items/21-MUG-WHT');
    const { events } = (await town.client.get(`/operator/v1/events?after=${head}&limit=500`)).body as {
      events: Shown[];
    };
    expect(events.map(({ type, actor }) => [type, actor])).toEqual([
      ['credential.created', 'operator:env'],
      ['item.deleted', `credential:${town.client.secrets.credentialId}`],
    ]);
  });
});
