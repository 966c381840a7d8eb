import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/platform/storage/db.ts';
import { DAY_MS } from '../../src/platform/time.ts';
import { webhookRuns, webhookRunsDone } from '../../src/webhooks/due.ts';
import { DISABLE_AFTER_MS, LEASE_MS, RETRY_AFTER_MS } from '../../src/webhooks/schedule.ts';
import { addLarge, MIB } from '../events/large.ts';
import { samplesOf } from '../support/metrics.ts';
import { describePostgresOnly, ENGINE, everythingStored, untilBlocked } from '../support/store.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { ALLOWED, deliverer, isSigned, openReceiver, type Receiver, SWITCH, WEBHOOKS } from './support.ts';

let town: OpenTown;
let receiver: Receiver;
let deliver: () => Promise<void>;
beforeEach(async () => {
  town = await openTown({ env: ALLOWED, neighbours: true });
  receiver = await openReceiver();
  deliver = deliverer(town);
});
afterEach(async () => {
  await receiver.close();
  await town.close();
});

const subscribe = async (id = 'orders', more: object = {}) => {
  const { status, body, text } = await town.client.put(`${WEBHOOKS}/${id}`, { url: receiver.url, ...more });
  expect(status, text).toBe(201);
  return body as { secret: string; position: number };
};
const put = async (sku: string, title = sku) => {
  const item = { catalogId: '21', clientId: 'TOWN', clientItemId: sku, itemId: `21-${sku}`, productTitle: title };
  const rest = { salesClass: 'stock', styleId: '', taxCode: '', type: 'MERCH' };
  expect(
    (await town.client.put(`/item-service/clients/TOWN/items/21-${sku}`, { ...item, ...rest })).status,
  ).toBeLessThan(300);
};
const events = () => receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const ids = () => receiver.received.map(({ headers }) => headers['webhook-id']);
const deliveries = async (query = '') =>
  (await town.client.get(`${WEBHOOKS}/orders/deliveries${query}`)).body.deliveries;
const hook = async () => (await town.client.get(`${WEBHOOKS}/orders`)).body;

describe('a delivery', () => {
  it('is the event of the feed, signed by the rules of Standard Webhooks', async () => {
    const { secret, position } = await subscribe('orders', { types: ['item.*'] });
    await put('SIGNED');
    await deliver();
    expect(receiver.received).toHaveLength(1);
    const [received] = receiver.received;
    expect(isSigned(received!, secret, town.clock.now)).toBe(true);
    expect(isSigned({ ...received!, body: received!.body.replace('SIGNED', 'FORGED') }, secret, town.clock.now)).toBe(
      false,
    );
    expect(isSigned(received!, `whsec_${Buffer.alloc(32).toString('base64')}`, town.clock.now)).toBe(false);
    const page = await town.client.get(`/operator/v1/events?after=${position}&types=item.*`);
    const [event] = page.body.events;
    expect(events()).toEqual([{ timestamp: event.at, ...event }]);
    expect(received!.headers['webhook-id']).toBe(event.eventId);
    expect(received!.headers['content-type']).toBe('application/json');
    expect((await deliveries())[0]).toMatchObject({ eventId: event.eventId, status: 'DELIVERED', attempts: 1 });
  });

  it('of events comes in their order, of the webhook’s types only, and of nothing before it was made', async () => {
    await put('BEFORE');
    await subscribe('orders', { types: ['item.created', 'item.deleted'] });
    for (const sku of ['A', 'B']) await put(sku);
    await put('A', 'changed');
    await town.client.delete('/item-service/clients/TOWN/items/21-A');
    await deliver();
    const sent = events().sort((a, b) => Number(a['position']) - Number(b['position']));
    expect(sent.map((event) => [event['type'], event['resourceId']])).toEqual([
      ['item.created', '21-A'],
      ['item.created', '21-B'],
      ['item.deleted', '21-A'],
    ]);
    expect(await hook()).toMatchObject({ position: sent[2]!['position'] });
    await deliver();
    expect(receiver.received).toHaveLength(3);
  });

  it('of an event from a clock that was ahead comes at once, and so do the events behind it', async () => {
    await subscribe('orders', { types: ['item.*'] });
    await deliver();
    town.clock.now += 3_600_000;
    await put('AHEAD');
    town.clock.now -= 3_600_000;
    await put('CORRECTED');
    await deliver();
    expect(events().map((event) => event['resourceId'])).toEqual(['21-AHEAD', '21-CORRECTED']);
  });

  it('that failed while the clock was ahead comes again after the longest pause at most', async () => {
    await subscribe('orders', { types: ['item.*'] });
    await deliver();
    receiver.answer = () => ({ status: 500 });
    town.clock.now += DAY_MS;
    await put('FAILED');
    await deliver();
    expect(receiver.received).toHaveLength(1);
    town.clock.now -= DAY_MS;
    receiver.answer = () => ({ status: 204 });
    await put('CORRECTED');
    await deliver();
    expect(events().map((event) => event['resourceId'])).toEqual(['21-FAILED', '21-FAILED', '21-CORRECTED']);
    expect((await hook()).pausedUntil).toBeUndefined();
  });

  it('that failed while the clock was ahead comes again also if no later event is sent', async () => {
    await subscribe('orders', { types: ['item.*'] });
    await deliver();
    receiver.answer = ({ body }) => ({ status: body.includes('FAILED') ? 500 : 204 });
    town.clock.now += DAY_MS;
    await put('FAILED');
    await put('ACCEPTED');
    await deliver();
    town.clock.now -= DAY_MS;
    receiver.answer = () => ({ status: 204 });
    await deliver();
    const sent = events().map((event) => event['resourceId']);
    expect(sent.filter((id) => id === '21-FAILED')).toHaveLength(2);
  });

  it('goes to each webhook of the client, and never to one of another client', async () => {
    const own = await openReceiver();
    const theirs = await openReceiver();
    await subscribe('one', { types: ['item.*'] });
    await town.client.put(`${WEBHOOKS}/two`, { url: own.url, types: ['item.*'] });
    const made = await town.neighbour.put('/operator/v1/clients/OTHER/webhooks/one', { url: theirs.url });
    expect(made.status).toBe(201);
    await deliver();
    theirs.received.length = 0;
    await put('EACH');
    await deliver();
    expect([receiver.received.length, own.received.length, theirs.received.length]).toEqual([1, 1, 0]);
    await Promise.all([own.close(), theirs.close()]);
  });
});

describe('a delivery that fails', () => {
  it.each([
    ['500', { status: 500 }, { status: 500 }],
    ['404', { status: 404 }, { status: 404 }],
    ['a redirect, which is not followed', { status: 302, headers: { location: '/elsewhere' } }, { status: 302 }],
    ['a switch to another protocol', SWITCH, { status: 101 }],
    ['a cut connection', { status: 0, cut: true }, { error: 'ECONNRESET' }],
  ])('with %s comes again with the same id and another timestamp', async (_name, answer, logged) => {
    const { secret } = await subscribe('orders', { types: ['item.*'] });
    receiver.answer = () => answer;
    await put('AGAIN');
    await deliver();
    await deliver();
    expect(receiver.received).toHaveLength(1);
    expect((await deliveries('?status=PENDING'))[0]).toMatchObject({ attempts: 1, log: [logged] });
    receiver.answer = () => ({ status: 200 });
    town.clock.now += RETRY_AFTER_MS[0]!;
    await deliver();
    expect(receiver.received).toHaveLength(2);
    const [first, second] = receiver.received;
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(Number(second!.headers['webhook-timestamp'])).toBeGreaterThan(Number(first!.headers['webhook-timestamp']));
    expect(isSigned(second!, secret, town.clock.now)).toBe(true);
    expect((await deliveries())[0]).toMatchObject({ status: 'DELIVERED', attempts: 2 });
  });

  it('without a response in time is a TIMEOUT', async () => {
    deliver = deliverer(town, town.store, { WEBHOOK_TIMEOUT_MS: '200' });
    await subscribe('orders', { types: ['item.*'] });
    receiver.answer = () => ({ status: 0, hang: true });
    await put('HANGS');
    await deliver();
    expect((await deliveries())[0]).toMatchObject({ status: 'PENDING', log: [{ error: 'TIMEOUT' }] });
  });

  it('is tried along the schedule for a day, then it is dead, is listed, and can be replayed', async () => {
    await subscribe('orders', { types: ['item.*'] });
    receiver.answer = () => ({ status: 500 });
    await put('DEAD');
    const start = town.clock.now;
    const waits: number[] = [];
    for (let last = start; ; ) {
      await deliver();
      const next = await town.store.read((db) => webhookRuns.next!(db, town.clock.now));
      const [delivery] = await deliveries();
      if (delivery.status === 'DEAD') break;
      town.clock.now = next!.at;
      if (receiver.received.length > waits.length + 1) {
        waits.push(town.clock.now - last);
        last = town.clock.now;
      }
      expect(receiver.received.length).toBeLessThan(20);
    }
    expect(receiver.received).toHaveLength(RETRY_AFTER_MS.length + 1);
    const day = 24 * 3_600_000;
    expect(town.clock.now - start).toBeGreaterThan(0.75 * day);
    expect(town.clock.now - start).toBeLessThan(1.05 * day);
    const [dead] = await deliveries('?status=DEAD');
    expect(dead).toMatchObject({ type: 'item.created', attempts: RETRY_AFTER_MS.length + 1 });
    expect(dead.dueAt).toBeUndefined();
    receiver.answer = () => ({ status: 204 });
    const replay = await town.client.post(`${WEBHOOKS}/orders/replay`, { from: dead.position, to: dead.position });
    expect(replay.body).toEqual({ events: 1 });
    await deliver();
    expect((await deliveries('?status=DELIVERED')).map((one: { position: number }) => one.position)).toEqual([
      dead.position,
    ]);
    expect(new Set(ids()).size).toBe(1);
  });

  it('is DEAD if its event is gone, and the events behind it are delivered', async () => {
    const { position } = await subscribe('orders', { types: ['item.*'] });
    receiver.answer = () => ({ status: 500 });
    await put('GONE');
    await deliver();
    await town.store.write((tx) =>
      tx
        .deleteFrom('events')
        .where('client_id', '=', 'TOWN')
        .where('position', '>', position)
        .where('type', '=', 'item.created')
        .execute(),
    );
    receiver.answer = () => ({ status: 204 });
    town.clock.now += RETRY_AFTER_MS[0]!;
    await put('NEXT');
    await deliver();
    expect(events().map((event) => event['resourceId'])).toEqual(['21-GONE', '21-NEXT']);
    const left = await town.store.read((db) =>
      db.selectFrom('webhook_deliveries').select(['status', 'due_at']).orderBy('position').execute(),
    );
    expect(left).toEqual([
      { status: 'DEAD', due_at: null },
      { status: 'DELIVERED', due_at: null },
    ]);
  });

  it('does not hold up the events behind it', async () => {
    await subscribe('orders', { types: ['item.*'] });
    receiver.answer = ({ body }) => ({ status: body.includes('21-BAD') ? 500 : 200 });
    for (const sku of ['GOOD1', 'BAD', 'GOOD2', 'GOOD3']) await put(sku);
    await deliver();
    const states = (await deliveries()).map((one: { status: string }) => one.status);
    expect(states).toEqual(['DELIVERED', 'PENDING', 'DELIVERED', 'DELIVERED']);
  });

  it('does not hold up the events behind many events that the receiver cannot process', async () => {
    await subscribe('orders', { types: ['item.*'] });
    receiver.answer = ({ body }) => ({ status: body.includes('21-BAD') ? 422 : 204 });
    for (let count = 0; count < 60; count += 1) await put(`BAD${count}`);
    await put('GOOD');
    const start = town.clock.now;
    const isThere = () => receiver.received.some(({ body }) => body.includes('21-GOOD'));
    while (!isThere() && town.clock.now < start + DAY_MS) {
      await deliver();
      town.clock.now = Math.max(town.clock.now + 1, Date.parse((await hook()).pausedUntil ?? 0));
    }
    expect(town.clock.now - start).toBeLessThan(60_000);
  });

  it('does not hold up new events, also if more retries are due than a batch has attempts', async () => {
    await subscribe('orders', { types: ['item.*'] });
    receiver.answer = ({ body }) => ({ status: body.includes('21-BAD') ? 400 : 204 });
    for (let count = 0; count < 30; count += 1) await put(`BAD${count}`);
    const pending = async () => (await deliveries('?status=PENDING&limit=100')).length;
    while ((await pending()) < 30) {
      await deliver();
      town.clock.now = Date.parse((await hook()).pausedUntil ?? new Date(town.clock.now + 1));
    }
    await put('GOOD');
    town.clock.now += RETRY_AFTER_MS[3]!;
    await deliver();
    expect((await deliveries('?status=DELIVERED'))[0]).toMatchObject({ type: 'item.created', attempts: 1 });
  });

  it('is not tried again after its type was removed from the webhook', async () => {
    await subscribe('orders', { types: ['item.*', 'webhook.*'] });
    receiver.answer = () => ({ status: 400 });
    await put('REMOVED');
    await deliver();
    await town.client.put(`${WEBHOOKS}/orders`, { url: receiver.url, types: ['item.updated', 'webhook.*'] });
    await deliver();
    receiver.answer = () => ({ status: 204 });
    town.clock.now += RETRY_AFTER_MS[0]!;
    await deliver();
    await deliver();
    const all = (await deliveries()).map(({ type, status }: Record<string, string>) => [type, status]);
    expect(all).toEqual([
      ['webhook.created', 'DELIVERED'],
      ['webhook.changed', 'DELIVERED'],
    ]);
    expect(events().filter(({ type }) => type === 'item.created')).toHaveLength(1);
  });

  it('waits as long as Retry-After asks', async () => {
    await subscribe('orders', { types: ['item.*'] });
    receiver.answer = () => ({ status: 429, headers: { 'retry-after': '600' } });
    await put('SLOWER');
    await deliver();
    town.clock.now += 599_000;
    await deliver();
    expect(receiver.received).toHaveLength(1);
    town.clock.now += 1_000;
    await deliver();
    expect(receiver.received).toHaveLength(2);
  });

  it('lets a webhook rest when nothing gets through, and a change of the webhook ends the rest', async () => {
    await subscribe('orders', { types: ['item.*'] });
    receiver.answer = () => ({ status: 503 });
    for (let index = 0; index < 30; index += 1) await put(`REST${index}`);
    await deliver();
    expect(receiver.received.length).toBeLessThan(15);
    expect(await hook()).toHaveProperty('pausedUntil');
    receiver.answer = () => ({ status: 200 });
    const sent = receiver.received.length;
    await deliver();
    expect(receiver.received).toHaveLength(sent);
    await town.client.put(`${WEBHOOKS}/orders`, { url: receiver.url, types: ['item.*'] });
    await deliver();
    town.clock.now += RETRY_AFTER_MS[0]!;
    await deliver();
    const all = await deliveries('?status=DELIVERED&limit=100');
    expect(all).toHaveLength(30);
  });

  it('for three days without one success disables the webhook, with an event; enabled again it goes on where it stopped', async () => {
    await subscribe('orders', { types: ['item.*', 'webhook.*'] });
    receiver.answer = () => ({ status: 500 });
    await put('FIRST');
    await deliver();
    town.clock.now += DISABLE_AFTER_MS + 1;
    await put('SECOND');
    await deliver();
    expect(await hook()).toMatchObject({ enabled: false, disabledReason: 'FAILING' });
    // The retries of a disabled webhook wait for nothing, so they are not in the backlog.
    expect((await deliveries('?status=PENDING')).length).toBeGreaterThan(0);
    expect(await samplesOf(town.server.app, 'backroom_webhook_backlog')).toEqual({ '': 0 });
    const feed = await town.client.get('/operator/v1/events?types=webhook.disabled');
    expect(feed.body.events).toMatchObject([{ resourceId: 'orders', data: { reason: 'FAILING' } }]);
    await put('THIRD');
    const sent = receiver.received.length;
    await deliver();
    expect(receiver.received).toHaveLength(sent);
    receiver.answer = () => ({ status: 204 });
    const enabled = await town.client.put(`${WEBHOOKS}/orders`, {
      url: receiver.url,
      types: ['item.*', 'webhook.*'],
      enabled: true,
    });
    expect(enabled.body.disabledReason).toBeUndefined();
    town.clock.now += 3_600_000;
    await deliver();
    const told = new Set(
      events()
        .slice(sent)
        .map((event) => event['resourceId']),
    );
    expect([...told].filter((id) => String(id).startsWith('21-')).sort()).toEqual([
      '21-FIRST',
      '21-SECOND',
      '21-THIRD',
    ]);
  });

  it('more than three days ago does not disable the webhook when only events of other types follow', async () => {
    await subscribe('orders', { types: ['item.*'] });
    receiver.answer = () => ({ status: 500 });
    await put('FIRST');
    await deliver();
    for (const wait of RETRY_AFTER_MS) {
      town.clock.now += wait * 1.2;
      await deliver();
    }
    expect(await deliveries('?status=DEAD')).toHaveLength(1);
    town.clock.now += DISABLE_AFTER_MS + 1;
    await subscribe('others', { types: ['order.*'] });
    await deliver();
    expect(await hook()).toMatchObject({ enabled: true });
  });

  it('with 410 disables the webhook at once', async () => {
    await subscribe('orders', { types: ['item.*'] });
    receiver.answer = () => ({ status: 410 });
    await put('GONE');
    await deliver();
    expect(await hook()).toMatchObject({ enabled: false, disabledReason: 'GONE' });
    // A user who saves the disabled webhook has disabled it, and no longer the service.
    const saved = await town.client.put(`${WEBHOOKS}/orders`, {
      url: receiver.url,
      types: ['item.*'],
      enabled: false,
    });
    expect(saved.body).toMatchObject({ enabled: false });
    expect(saved.body.disabledReason).toBeUndefined();
  });
});

describe('a run', () => {
  it('that dies after it has sent leaves nothing lost: the next sends the same again, after the lease', async () => {
    await subscribe('orders', { types: ['item.*'] });
    for (const sku of ['D1', 'D2', 'D3']) await put(sku);
    // The state after a process was killed between sending the events and recording them as sent.
    await town.store.write((tx) =>
      tx
        .updateTable('webhooks')
        .set({ lease_id: 'dead', lease_until: town.clock.now + LEASE_MS })
        .where('client_id', '=', 'TOWN')
        .execute(),
    );
    await deliver();
    expect(receiver.received).toHaveLength(0);
    town.clock.now += LEASE_MS;
    await deliver();
    expect(receiver.received).toHaveLength(3);
    expect(await deliveries('?status=DELIVERED')).toHaveLength(3);
  });

  it('whose webhook another one took meanwhile writes nothing', async () => {
    await subscribe('orders', { types: ['item.*'] });
    await put('TAKEN');
    const before = (await hook()).position;
    receiver.answer = async () => {
      await town.store.write((tx) =>
        tx.updateTable('webhooks').set({ lease_id: 'other' }).where('client_id', '=', 'TOWN').execute(),
      );
      return { status: 200 };
    };
    const [due] = await town.store.read((db) => webhookRuns.due(db, town.clock.now, 1, undefined as never));
    expect(due).toMatchObject({ clientId: 'TOWN', id: 'orders' });
    await deliver();
    expect((await hook()).position).toBe(before);
    expect(await deliveries()).toEqual([]);
  });

  it('of a webhook whose types change meanwhile loses no event of the new types', async () => {
    await subscribe('orders', { types: ['item.created'] });
    await put('MORE');
    receiver.answer = async () => {
      receiver.answer = () => ({ status: 204 });
      const changed = await town.client.put(`${WEBHOOKS}/orders`, { url: receiver.url, types: ['item.*'] });
      expect(changed.status).toBe(200);
      await put('MORE', 'changed');
      return { status: 204 };
    };
    await deliver();
    expect(new Set(events().map(({ type }) => type))).toEqual(new Set(['item.created', 'item.updated']));
  });

  it('of a webhook that is disabled meanwhile begins no further batch', async () => {
    await subscribe('orders', { types: ['item.created'] });
    for (let at = 0; at < 30; at += 1) await put(`MANY${at}`);
    const { position } = await hook();
    receiver.answer = async () => {
      receiver.answer = () => ({ status: 204 });
      await town.client.put(`${WEBHOOKS}/orders`, { url: receiver.url, types: ['item.created'], enabled: false });
      return { status: 204 };
    };
    await deliver();
    expect(receiver.received).toHaveLength(24);
    expect(await hook()).toMatchObject({ enabled: false, position });
    await town.client.put(`${WEBHOOKS}/orders`, { url: receiver.url, types: ['item.created'] });
    await deliver();
    expect(new Set(ids()).size).toBe(30);
  });

  it('of large events has small batches, also of events that are sent again', async () => {
    const subscription = { url: receiver.url, types: ['inbound.voided'] };
    await subscribe('orders', { types: subscription.types });
    const from = (await hook()).position + 1;
    await addLarge(
      town.store,
      Array.from({ length: 20 }, () => MIB),
    );
    for (const sent of ['first', 'replayed']) {
      receiver.received.length = 0;
      receiver.answer = async () => {
        receiver.answer = () => ({ status: 204 });
        await town.client.put(`${WEBHOOKS}/orders`, { ...subscription, enabled: false });
        return { status: 204 };
      };
      await deliver();
      expect([sent, receiver.received.length]).toEqual([sent, 8]);
      await town.client.put(`${WEBHOOKS}/orders`, subscription);
      // On a slow machine, one run does not send all of them.
      while (new Set(ids()).size < 20) await deliver();
      await town.client.post(`${WEBHOOKS}/orders/replay`, { from, to: (await hook()).position });
    }
  });

  it('that fails while the url is corrected does not pause the corrected webhook', async () => {
    await subscribe('orders', { types: ['item.*'] });
    await put('MOVED');
    const corrected = await openReceiver();
    receiver.answer = async () => {
      await town.client.put(`${WEBHOOKS}/orders`, { url: corrected.url, types: ['item.*'] });
      return { status: 500 };
    };
    await deliver();
    expect(corrected.received).toHaveLength(1);
    expect(await hook()).not.toHaveProperty('pausedUntil');
    expect(await hook()).not.toHaveProperty('failingSince');
    await corrected.close();
  });

  it('of several processes at once is one: every event comes once', async () => {
    await subscribe('orders', { types: ['item.*'] });
    for (let index = 0; index < 40; index += 1) await put(`MANY${index}`);
    const stores = [town.store];
    if (ENGINE === 'postgres')
      for (let more = 0; more < 2; more += 1) stores.push(await openStore(town.store.url, { connections: 4 }));
    await Promise.all(stores.flatMap((store) => [deliverer(town, store)(), deliverer(town, store)()]));
    await Promise.all(stores.map(webhookRunsDone));
    for (const store of stores.slice(1)) await store.close();
    expect(receiver.received).toHaveLength(40);
    expect(new Set(ids()).size).toBe(40);
  });
});

describe('a secret', () => {
  it('is shown only on creation and rotation, and is not in the database', async () => {
    const { secret } = await subscribe('orders');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const rotated = await town.client.post(`${WEBHOOKS}/orders/secret`, {});
    const shown = [
      (await town.client.get(`${WEBHOOKS}/orders`)).text,
      (await town.client.get(WEBHOOKS)).text,
      (await town.client.put(`${WEBHOOKS}/orders`, { url: receiver.url, enabled: false })).text,
      (await town.client.get('/operator/v1/events?types=webhook.*')).text,
      (await everythingStored(town.store)).toString('latin1'),
      JSON.stringify(await town.store.read((db) => sql`select * from events`.execute(db))),
    ];
    for (const one of [secret, rotated.body.secret as string]) {
      for (const text of shown) expect(text).not.toContain(one.slice('whsec_'.length));
    }
    // The URL may contain a token, which must not appear in the feed.
    expect(shown[3]).not.toContain('token=t');
  });

  it('that is rotated away signs beside the new one until its time is over', async () => {
    const { secret: old } = await subscribe('orders', { types: ['item.*'] });
    const { body } = await town.client.post(`${WEBHOOKS}/orders/secret`, { overlapSeconds: 60 });
    const fresh = body.secret as string;
    expect(await hook()).toMatchObject({ oldSecretUntil: body.oldSecretUntil });
    await put('BOTH');
    await deliver();
    const [both] = receiver.received;
    expect([isSigned(both!, old, town.clock.now), isSigned(both!, fresh, town.clock.now)]).toEqual([true, true]);
    expect(both!.headers['webhook-signature']!.split(' ')).toHaveLength(2);
    town.clock.now += 60_000;
    await put('ONE');
    await deliver();
    const one = receiver.received[1]!;
    expect([isSigned(one, old, town.clock.now), isSigned(one, fresh, town.clock.now)]).toEqual([false, true]);
  });

  it('that is made during a run signs the deliveries from the next batch', async () => {
    await subscribe('orders', { types: ['item.*'] });
    await put('FIRST');
    let fresh = '';
    receiver.answer = async () => {
      receiver.answer = () => ({ status: 204 });
      const { body } = await town.client.post(`${WEBHOOKS}/orders/secret`, { overlapSeconds: 0 });
      fresh = body.secret;
      await put('SECOND');
      return { status: 204 };
    };
    await deliver();
    const signed = receiver.received.map((one) => [
      JSON.parse(one.body).resourceId,
      isSigned(one, fresh, town.clock.now),
    ]);
    expect(signed).toContainEqual(['21-FIRST', true]);
    expect(signed).toContainEqual(['21-SECOND', true]);
    expect(signed).not.toContainEqual(['21-SECOND', false]);
  });
});

describe('a replay', () => {
  it('delivers a range once more, with the ids it had, of the webhook’s types only', async () => {
    await subscribe('orders', { types: ['item.*'] });
    for (const sku of ['R1', 'R2', 'R3']) await put(sku);
    await deliver();
    const first = ids();
    const positions = (await deliveries()).map((one: { position: number }) => one.position) as number[];
    const replayed = await town.client.post(`${WEBHOOKS}/orders/replay`, { from: positions[0], to: positions[1] });
    expect(replayed.body).toEqual({ events: 2 });
    await deliver();
    expect(ids().slice(3).sort()).toEqual(first.slice(0, 2).sort());
  });

  it.each([
    ['fails for the last time', 500],
    ['succeeds', 204],
  ])('during an attempt that %s sends the event once more', async (_name, status) => {
    await subscribe('orders', { types: ['item.*'] });
    receiver.answer = () => ({ status: 500 });
    await put('MEANWHILE');
    await deliver();
    const [{ position }] = await deliveries();
    await town.store.write((tx) =>
      tx
        .updateTable('webhook_deliveries')
        .set({ attempts: RETRY_AFTER_MS.length })
        .where('position', '=', position)
        .execute(),
    );
    town.clock.now += RETRY_AFTER_MS[0]!;
    receiver.answer = async () => {
      receiver.answer = () => ({ status: 204 });
      const replayed = await town.client.post(`${WEBHOOKS}/orders/replay`, { from: position, to: position });
      expect(replayed.body).toEqual({ events: 1 });
      return { status };
    };
    await deliver();
    expect(ids()).toHaveLength(3);
    expect((await deliveries())[0]).toMatchObject({ status: 'DELIVERED', attempts: 1 });
    expect(await hook()).not.toHaveProperty('pausedUntil');
  });

  it('reaches back before the webhook was made', async () => {
    await put('OLD');
    const { position } = await subscribe('orders', { types: ['item.*'] });
    const events = await town.client.get(`/operator/v1/events?types=item.*&limit=500`);
    const replayed = await town.client.post(`${WEBHOOKS}/orders/replay`, { from: 1, to: events.body.head });
    const older = events.body.events.filter((event: { position: number }) => event.position <= position);
    expect(replayed.body).toEqual({ events: older.length });
    await deliver();
    town.clock.now += 3_600_000;
    await deliver();
    expect(new Set(ids()).size).toBe(events.body.events.length);
  });

  it.each([
    [{ from: 2, to: 1 }, '/to'],
    [{ from: 1, to: 10_001 }, '/to'],
    [{ from: 1_000_000, to: 1_000_001 }, '/from'],
    [{ from: 0, to: 1 }, '/from'],
    [{ from: 1 }, '/to'],
  ])('of %j is rejected', async (range, pointer) => {
    await subscribe('orders');
    const answer = await town.client.post(`${WEBHOOKS}/orders/replay`, range);
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, pointer]);
  });
});

describePostgresOnly('a replay beside the retention', () => {
  it('of an event that is deleted at this moment gets 400', async () => {
    await subscribe('orders', { types: ['item.*'] });
    await put('LEAVES');
    await deliver();
    const [{ position }] = await deliveries();
    const deleted = Promise.withResolvers<undefined>();
    const commit = Promise.withResolvers<undefined>();
    const deleting = town.store.write(async (tx) => {
      await tx.updateTable('event_heads').set({ gone: position }).where('client_id', '=', 'TOWN').execute();
      await tx.deleteFrom('events').where('client_id', '=', 'TOWN').where('position', '<=', position).execute();
      deleted.resolve(undefined);
      await commit.promise;
    });
    await deleted.promise;
    const replay = town.client.post(`${WEBHOOKS}/orders/replay`, { from: position, to: position });
    await Promise.race([replay, untilBlocked(town.store)]);
    commit.resolve(undefined);
    await deleting;
    const { status, body } = await replay;
    expect([status, body.errors?.[0]]).toMatchObject([400, { pointer: '/from', rule: 'minimum' }]);
  });
});

describePostgresOnly('a webhook that another request deletes at this moment', () => {
  it.each([
    ['is created by a PUT', 201, () => town.client.put(`${WEBHOOKS}/orders`, { url: receiver.url, enabled: false })],
    ['has no secret to rotate', 404, () => town.client.post(`${WEBHOOKS}/orders/secret`, {})],
    ['has no events to replay', 404, () => town.client.post(`${WEBHOOKS}/orders/replay`, { from: 1, to: 1 })],
  ] as const)('%s', async (_what, status, request) => {
    await subscribe('orders');
    const deleted = Promise.withResolvers<undefined>();
    const commit = Promise.withResolvers<undefined>();
    const deleting = town.store.write(async (tx) => {
      await tx.deleteFrom('webhooks').where('webhook_id', '=', 'orders').execute();
      deleted.resolve(undefined);
      await commit.promise;
    });
    await deleted.promise;
    const answer = request();
    await Promise.race([answer, untilBlocked(town.store)]);
    commit.resolve(undefined);
    await deleting;
    expect((await answer).status).toBe(status);
  });
});
