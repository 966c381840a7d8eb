import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringifyJson } from '../../src/platform/message/json.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { addLarge, MIB } from './large.ts';

const FEED = '/operator/v1/events';

interface Shown {
  position: number;
  eventId: string;
  type: string;
  resourceType: string;
  resourceId: string;
  sequence: number;
  data: Record<string, unknown>;
}

let town: OpenTown;
beforeAll(async () => {
  town = await openTown({ neighbours: true });
});
afterAll(() => town.close());

const item = (clientItemId: string, title: string) => ({
  catalogId: '21',
  clientId: 'TOWN',
  clientItemId,
  itemId: `21-${clientItemId}`,
  productTitle: title,
  salesClass: 'stock',
  styleId: '',
  taxCode: '',
  type: 'MERCH',
});
const putItem = async (clientItemId: string, title: string) =>
  expect(
    (await town.client.put(`/item-service/clients/TOWN/items/21-${clientItemId}`, item(clientItemId, title))).status,
  ).toBeLessThan(300);
const feed = async (query = '') =>
  (await town.client.get(`${FEED}?${query}`)).body as { events: Shown[]; nextAfter: number; head: number };

describe('the feed', () => {
  it('has every event once, in order, page after page, whatever the size of the pages', async () => {
    for (const limit of [1, 7, 500]) {
      const seen: Shown[] = [];
      for (let after = 0; ; ) {
        const page = await feed(`after=${after}&limit=${limit}`);
        expect(page.events.length).toBeLessThanOrEqual(limit);
        seen.push(...page.events);
        after = page.nextAfter;
        if (page.events.length < limit) {
          expect(page.nextAfter).toBe(page.head);
          break;
        }
      }
      expect(seen.map((event) => event.position)).toEqual(seen.map((_, index) => index + 1));
      expect(new Set(seen.map((event) => event.eventId)).size).toBe(seen.length);
      const rows = await town.store.read((db) =>
        db.selectFrom('events').select('event_id').where('client_id', '=', 'TOWN').execute(),
      );
      expect(seen.map((event) => event.eventId).sort()).toEqual(rows.map((row) => row.event_id).sort());
    }
  });

  it('counts the events of each resource from 1 without a gap', async () => {
    const last = new Map<string, number>();
    for (const { resourceType, resourceId, sequence } of (await feed('limit=500')).events) {
      const key = `${resourceType} ${resourceId}`;
      expect([key, sequence]).toEqual([key, (last.get(key) ?? 0) + 1]);
      last.set(key, sequence);
    }
    expect(last.size).toBeGreaterThan(20);
  });

  it('shows what was just done, with the digits it was done with', async () => {
    const { head } = await feed('limit=1');
    await town.client.put('/item-service/clients/TOWN/items/21-FEED', {
      ...item('FEED', 'x'),
      unitCost: { currency: 'USD', value: 1 },
    });
    const raw = stringifyJson({ ...item('FEED', 'x'), unitCost: { currency: 'USD', value: 1 } }).replace(
      '"value":1',
      '"value":1234567890123456789.25',
    );
    const headers = { ...town.client.headers, 'content-type': 'application/json' };
    const put = await town.call({ method: 'PUT', path: '/item-service/clients/TOWN/items/21-FEED', headers, raw });
    expect(put.status).toBe(200);
    const { text, body } = await town.client.get(`${FEED}?after=${head}`);
    expect(body.events.map((event: Shown) => [event.type, event.resourceId, event.sequence])).toEqual([
      ['item.created', '21-FEED', 1],
      ['item.updated', '21-FEED', 2],
    ]);
    expect(text).toContain('1234567890123456789.25');
  });

  it('can be narrowed to types and to whole groups of types, and still comes to its end', async () => {
    const all = (await feed('limit=500')).events;
    const only = await feed('types=order.received&limit=500');
    expect(only.events).toEqual(all.filter((event) => event.type === 'order.received'));
    expect(only.events.length).toBeGreaterThan(3);
    expect(only.nextAfter).toBe(only.head);
    const group = await feed('types=pickTicket.*,item.deleted&limit=500');
    expect(group.events).toEqual(all.filter((event) => /^pickTicket\.|^item\.deleted$/.test(event.type)));
    const two = await feed('types=order.received&limit=2');
    expect(two.nextAfter).toBe(only.events[1]!.position);
    expect((await feed(`types=user.removed&limit=5`)).events).toEqual([]);
  });

  it('is empty after the last position, and rejects a position that was never issued', async () => {
    const { head } = await feed('limit=1');
    expect(await feed(`after=${head}`)).toEqual({ events: [], next: head, nextAfter: head, head });
    const beyond = await town.client.get(`${FEED}?after=${head + 1}`);
    expect([beyond.status, beyond.body.errors[0].pointer]).toEqual([400, 'query:after']);
    expect(beyond.body.detail).toContain('restored from a backup');
  });

  it.each([
    ['after', ['-1', '1.5', '01', 'x', '1000000000000000']],
    ['limit', ['0', '501', 'x']],
    ['wait', ['31', '-1', '0.5']],
    ['types', ['', 'order', 'order.recieved', 'order.received,', '*']],
    ['surely', ['1']],
  ])('refuses %s=%s', async (name, values) => {
    for (const value of values) {
      const answer = await town.client.get(`${FEED}?${name}=${value}`);
      expect([value, answer.status, answer.body.errors?.[0].pointer]).toEqual([value, 400, `query:${name}`]);
    }
  });

  it('lists every error of a query in one response', async () => {
    const answer = await town.client.get(`${FEED}?after=x&limit=0&types=nothing.happened`);
    expect(answer.body.errors.map((fault: { pointer: string }) => fault.pointer).sort()).toEqual([
      'query:after',
      'query:limit',
      'query:types',
    ]);
  });
});

describe('large events', () => {
  it('end a page early; the walk by next has each of them once', async () => {
    const other = await openTown();
    await addLarge(other.store, [...Array.from({ length: 20 }, () => MIB), 9 * MIB, 9 * MIB, MIB]);
    for (const types of ['', '&types=inbound.voided']) {
      const counts: number[] = [];
      for (let after = 0, head = 1; after < head; ) {
        const { status, text, body } = await other.client.get(`${FEED}?after=${after}&limit=500${types}`);
        expect(status).toBe(200);
        const own = body.events.filter(({ resourceId }: Shown) => resourceId === 'LARGE');
        expect(text.length).toBeLessThan(own.length > 1 ? 8.5 * MIB : 10 * MIB);
        counts.push(own.length);
        ({ next: after, head } = body);
      }
      expect(counts.filter((count) => count > 0)).toEqual([8, 8, 4, 1, 1, 1]);
    }
    await other.close();
  });
});

describe('one who waits', () => {
  const wait = async (headers: Record<string, string>) => {
    const { head } = await feed('limit=1');
    return town.call({ method: 'GET', path: `${FEED}?after=${head}&wait=30`, headers });
  };
  const soon = () => new Promise((resolve) => setTimeout(resolve, 300));

  it('is rejected without events as soon as its key is revoked, not at the end of the wait', async () => {
    const { secrets, headers } = await town.credential({ groups: ['events'] });
    const waiting = wait(headers);
    await soon();
    await town.operator('DELETE', `/operator/v1/clients/TOWN/credentials/${secrets.credentialId}`);
    const answer = await waiting;
    expect([answer.status, answer.body.code, answer.body.events]).toEqual([401, 'CREDENTIALS_INVALID', undefined]);
  });

  it('is rejected when its key expires during the wait', async () => {
    const { headers } = await town.credential({
      groups: ['events'],
      expiresAt: new Date(town.clock.now + 60_000).toISOString(),
    });
    const waiting = wait(headers);
    await soon();
    town.clock.now += 60_000;
    await putItem('AFTER-EXPIRY', 'a');
    expect((await waiting).body.code).toBe('CREDENTIALS_INVALID');
  });

  it('shares with others of its client: more than 20 at once are 429, and another client’s wait as before', async () => {
    const { head } = await feed('limit=1');
    const waiting = Array.from({ length: 20 }, () => town.client.get(`${FEED}?after=${head}&wait=30`));
    await soon();
    const refused = await town.client.get(`${FEED}?after=${head}&wait=30`);
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
      429,
      'TOO_MANY_REQUESTS',
      '1',
    ]);
    expect((await town.client.get(`${FEED}?after=${head}`)).status).toBe(200);
    const other = await town.neighbour.get(FEED);
    expect((await town.neighbour.get(`${FEED}?after=${other.body.head as number}&wait=1`)).status).toBe(200);
    await putItem('FOR-ALL', 'a');
    for (const answer of await Promise.all(waiting)) expect(answer.body.events).toHaveLength(1);
    expect((await town.client.get(`${FEED}?after=${head}&wait=1`)).status).toBe(200);
  });

  it('gets an error of the request at once', async () => {
    const { head } = await feed('limit=1');
    const since = performance.now();
    const wrong = await town.client.get(`${FEED}?after=${head}&types=order.*,order.recieved&wait=30`);
    expect([wrong.status, wrong.body.errors?.[0].pointer]).toEqual([400, 'query:types']);
    const unknown = await town.operator('GET', `${FEED}?clientId=NOBODY&wait=30`);
    expect(unknown.status).toBe(404);
    expect(performance.now() - since).toBeLessThan(15_000);
  });

  it('returns as soon as an event occurs, with the event', async () => {
    const { head } = await feed('limit=1');
    const waiting = feed(`after=${head}&wait=30`);
    await putItem('WAITED', 'a');
    expect((await waiting).events.map((event) => event.resourceId)).toEqual(['21-WAITED']);
  });

  it('returns an empty page if no event occurs in time', async () => {
    const { head } = await feed('limit=1');
    const began = performance.now();
    expect(await feed(`after=${head}&wait=1`)).toEqual({ events: [], next: head, nextAfter: head, head });
    expect(performance.now() - began).toBeGreaterThan(900);
  });

  it('for some types only is not woken by others', async () => {
    const { head } = await feed('limit=1');
    const waiting = feed(`after=${head}&wait=30&types=item.deleted`);
    await putItem('UNTYPED', 'a');
    await town.client.delete('/item-service/clients/TOWN/items/21-UNTYPED');
    expect((await waiting).events.map((event) => event.type)).toEqual(['item.deleted']);
  });

  it('returns at once when the service stops', async () => {
    const other = await openTown();
    const { body } = await other.client.get(FEED);
    const waiting = other.client.get(`${FEED}?after=${body.head}&wait=30`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const since = performance.now();
    await other.server.app.close();
    expect((await waiting).body.events).toEqual([]);
    expect(performance.now() - since).toBeLessThan(20_000);
    await other.store.close();
  });
});

describe('who may read the feed', () => {
  it('a client reads its own events and no others, whatever it asks', async () => {
    const own = await town.client.get(`${FEED}?clientId=TOWN&limit=500`);
    expect(own.status).toBe(200);
    for (const clientId of ['OTHER', 'NOBODY']) {
      const { status, body } = await town.client.get(`${FEED}?clientId=${clientId}`);
      expect([status, body.code]).toEqual([403, 'ACCESS_DENIED']);
    }
    const theirs = await town.neighbour.get(`${FEED}?limit=500`);
    expect(theirs.body.events[0]).toMatchObject({ position: 1, resourceId: 'OTHER' });
    const ids = new Set(own.body.events.map((event: Shown) => event.eventId));
    expect(theirs.body.events.filter((event: Shown) => ids.has(event.eventId))).toEqual([]);
    for (const name of ['"clientId":"TOWN"', 'TOWN_US']) expect(theirs.text).not.toContain(name);
  });

  it('an operator reads any client, names it, and is told where there is none', async () => {
    const named = await town.operator('GET', `${FEED}?clientId=OTHER&limit=500`);
    expect(named.body).toEqual((await town.neighbour.get(`${FEED}?limit=500`)).body);
    expect((await town.operator('GET', FEED)).body.errors[0].pointer).toBe('query:clientId');
    expect((await town.operator('GET', `${FEED}?clientId=NOBODY`)).status).toBe(404);
  });

  it('a credential restricted to stores or nodes is rejected, with the reason', async () => {
    for (const narrowing of [{ storeIds: ['TOWN_US'] }, { nodeIds: ['TOWN-Store001'] }]) {
      const answer = await (await town.credential({ ...narrowing, groups: ['events'] })).get(FEED);
      expect([answer.status, answer.body.code]).toEqual([403, 'ACCESS_DENIED']);
      expect(answer.body.detail).toContain('access only to some of its stores or nodes');
    }
  });

  it('a credential needs the group events', async () => {
    expect((await (await town.credential({ groups: ['events'] })).get(FEED)).status).toBe(200);
    const others = await town.credential({ groups: ['items', 'inbound', 'fulfillment', 'intake'] });
    expect((await others.get(FEED)).status).toBe(403);
  });
});
