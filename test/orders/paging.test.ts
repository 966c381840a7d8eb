import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Decimal } from '../../src/decimal.ts';
import { readPage } from '../../src/http/page.ts';
import type { OrderFilters } from '../../src/orders/filters.ts';
import { pageQuery } from '../../src/orders/find-page.ts';
import type { Answer } from '../support/backroom.ts';
import { planOf } from '../support/store.ts';
import { openPlace, type Place, pickupOrder } from './place.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
  // 120 orders at 60 instants, so that every second one shares its date.
  await place.intake(Array.from({ length: 120 }, (_, n) => dated(String(1000 + ((n * 7) % 120)), Math.floor(n / 2))));
});
afterAll(() => place.close());

const QUEUE = 'WAITING_FOR_PICK_ISPU';
const instant = (minute: number) => new Date(Date.UTC(2026, 1, 1) + minute * 60_000).toISOString();
const dated = (id: string, minute: number) =>
  pickupOrder(id, { orderDate: instant(0), fulfillmentOrderDate: instant(minute) });

const idsOf = (answer: Answer): string[] => {
  expect(answer.status, answer.text).toBe(200);
  return answer.body.fulfillmentOrders.map((order: { fulfillmentOrderId: string }) => order.fulfillmentOrderId);
};

type Body = Record<string, unknown>;
const SEARCHES = [
  ['queue search', (body: Body = {}) => place.queue(QUEUE, body)],
  ['order search', (body: Body = {}) => place.search(body)],
] as const;

describe.each(SEARCHES)('pages of the %s', (_name, search) => {
  const all = async () => idsOf(await search({ pageSize: 500 }));

  test('come by fulfillmentOrderDate, then fulfillmentOrderId', async () => {
    const answer = await search({ pageSize: 500 });
    const keys = answer.body.fulfillmentOrders.map(
      (one: { fulfillmentOrderDate: string; fulfillmentOrderId: string }) =>
        `${one.fulfillmentOrderDate} ${one.fulfillmentOrderId}`,
    );
    expect(keys).toHaveLength(120);
    expect(keys).toEqual([...keys].sort());
  });

  test('hold 50 orders unless pageSize says otherwise, and pageId counts from 1', async () => {
    const ids = await all();
    const first = await search();
    expect(first.body).toMatchObject({ pageId: 1, pageSize: 50 });
    expect(idsOf(first)).toEqual(ids.slice(0, 50));
    const third = await search({ pageId: 3 });
    expect(third.body).toMatchObject({ pageId: 3, pageSize: 50 });
    expect(idsOf(third)).toEqual(ids.slice(100));
    expect(idsOf(await search({ pageId: 4 }))).toEqual([]);
    expect(idsOf(await search({ pageId: 1_000_000_000, pageSize: 500 }))).toEqual([]);
    expect(idsOf(await search({ pageId: 2, pageSize: 7 }))).toEqual(ids.slice(7, 14));
  });

  test('together hold at most maxRecordsCount', async () => {
    const ids = await all();
    expect(idsOf(await search({ maxRecordsCount: 10, pageSize: 7 }))).toEqual(ids.slice(0, 7));
    expect(idsOf(await search({ maxRecordsCount: 10, pageSize: 7, pageId: 2 }))).toEqual(ids.slice(7, 10));
    expect(idsOf(await search({ maxRecordsCount: 10, pageSize: 7, pageId: 3 }))).toEqual([]);
    expect(idsOf(await search({ maxRecordsCount: 10 }))).toEqual(ids.slice(0, 10));
  });

  test('go on after lastRecordId; then pageId only tells how much of maxRecordsCount is used', async () => {
    const ids = await all();
    const next = await search({ lastRecordId: ids[9], pageSize: 5 });
    expect(idsOf(next)).toEqual(ids.slice(10, 15));
    expect(next.body.pageId).toBe(1);
    const second = await search({ lastRecordId: ids[9], pageSize: 5, pageId: 2, maxRecordsCount: 8 });
    expect(idsOf(second)).toEqual(ids.slice(10, 13));
    expect(second.body.pageId).toBe(2);
  });

  test('name their last record in X-Last-Record-Id; an empty page the one it began after', async () => {
    const ids = await all();
    expect((await search({ pageSize: 5 })).headers['x-last-record-id']).toBe(ids[4]);
    const empty = await search({ lastRecordId: ids.at(-1) });
    expect(idsOf(empty)).toEqual([]);
    expect(empty.headers['x-last-record-id']).toBe(ids.at(-1));
    expect((await search({ pageId: 9 })).headers['x-last-record-id']).toBeUndefined();
  });

  test('take lastRecordId as digits too', async () => {
    const ids = await all();
    expect(idsOf(await search({ lastRecordId: Number(ids[3]), pageSize: 1 }))).toEqual([ids[4]]);
  });

  test.each([
    ['pageId', [1, 1_000_000_000], [0, -1, 1.5, '1', 1_000_000_001, null]],
    ['pageSize', [1, 500], [0, 501, -1, 2.5, '50', null]],
    ['maxRecordsCount', [1, 10_000], [0, 10_001, '5', 0.5, null]],
    ['lastRecordId', [], ['', ' 1', 'x'.repeat(41), -1, 1.5, true, 'NONE', 999_999]],
  ])('%s is a whole number within its limits', async (member, good, bad) => {
    for (const value of good) expect((await search({ [member]: value })).status).toBe(200);
    for (const value of bad) {
      const answer = await search({ [member]: value });
      expect(answer.status, String(value)).toBe(400);
      expect(answer.body.errors[0].pointer).toBe(`/${member}`);
    }
  });
});

describe('lastRecordId', () => {
  test('of more digits than a number holds exactly is read to the last one', async () => {
    const id = '123456789012345678901234567890';
    await place.intake(dated(id, 500));
    const answer = await place.queue(QUEUE, { lastRecordId: new Decimal(id) });
    expect(idsOf(answer)).toEqual([]);
    expect(answer.headers['x-last-record-id']).toBe(id);
    await place.setOrder(id, { store_id: 'S2' });
  });

  test('of another store, node or client is like one that is not there', async () => {
    for (const columns of [{ store_id: 'S2' }, { node_id: 'N2' }]) {
      await place.intake(dated('ELSEWHERE', 500));
      await place.setOrder('ELSEWHERE', { store_id: 'S1', node_id: 'N1', ...columns });
      const answer = await place.queue(QUEUE, { lastRecordId: 'ELSEWHERE' });
      expect(answer.body.errors).toEqual([expect.objectContaining({ pointer: '/lastRecordId', rule: 'exists' })]);
    }
    await place.setOrder('ELSEWHERE', { store_id: 'S2' });
  });

  test('may have left the queue since: the walk goes on behind its place', async () => {
    const ids = idsOf(await place.queue(QUEUE, { pageSize: 500 }));
    await place.setOrder(ids[9]!, { queue_id: 'GONE' });
    expect(idsOf(await place.queue(QUEUE, { lastRecordId: ids[9], pageSize: 2 }))).toEqual(ids.slice(10, 12));
    await place.setOrder(ids[9]!, { queue_id: QUEUE });
  });

  test('that no header can carry is left out there and works in the body', async () => {
    const id = 'Наряд 1';
    await place.intake(dated(id, 600));
    const answer = await place.queue(QUEUE, { fulfillmentOrderId: id });
    expect(idsOf(answer)).toEqual([id]);
    expect(answer.headers['x-last-record-id']).toBeUndefined();
    expect(idsOf(await place.queue(QUEUE, { lastRecordId: id }))).toEqual([]);
    await place.setOrder(id, { store_id: 'S2' });
  });
});

describe('a walk by lastRecordId while orders come and go', () => {
  let run = 0;

  test('gives every order that stays exactly once, and none twice', async () => {
    const change = fc.record({
      add: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 4 }),
      leave: fc.array(fc.nat(), { maxLength: 3 }),
    });
    const plan = fc.record({
      start: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 25 }),
      pageSize: fc.integer({ min: 1, max: 6 }),
      changes: fc.array(change, { minLength: 1, maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ start, pageSize, changes }) => {
        const queueId = `WALK${++run}`;
        let made = 0;
        const add = async (minutes: readonly number[]) => {
          const ids = minutes.map((_) => `${queueId}-${String((made++ * 17) % 100).padStart(2, '0')}-${made}`);
          if (ids.length > 0) await place.intake(ids.map((id, n) => dated(id, minutes[n]!)));
          for (const id of ids) await place.setOrder(id, { queue_id: queueId });
          return ids;
        };
        const staying = new Set(await add(start));
        const seen: string[] = [];
        let last: string | undefined;
        for (let page = 0; ; page += 1) {
          const answer = await place.queue(queueId, { pageSize, ...(last !== undefined && { lastRecordId: last }) });
          const ids = idsOf(answer);
          if (ids.length === 0) break;
          seen.push(...ids);
          last = answer.headers['x-last-record-id'];
          const { add: minutes = [], leave = [] } = changes[page] ?? {};
          await add(minutes);
          for (const at of leave) {
            const id = [...staying][at % Math.max(1, staying.size)];
            if (id === undefined) continue;
            staying.delete(id);
            await place.setOrder(id, { queue_id: null });
          }
        }
        expect(new Set(seen).size).toBe(seen.length);
        for (const id of staying) expect(seen).toContain(id);
      }),
      { numRuns: 12 },
    );
  });
});

describe('what a page holds', () => {
  test('is min(pageSize, maxRecordsCount - (pageId - 1) x pageSize), never below 0', () => {
    const request = fc.record({
      pageId: fc.integer({ min: 1, max: 1000 }),
      pageSize: fc.integer({ min: 1, max: 500 }),
      maxRecordsCount: fc.integer({ min: 1, max: 10_000 }),
    });
    fc.assert(
      fc.property(request, (page) => {
        const { limit, offset } = readPage(page);
        expect(limit).toBe(
          Math.max(0, Math.min(page.pageSize, page.maxRecordsCount - (page.pageId - 1) * page.pageSize)),
        );
        expect(offset + limit).toBeLessThanOrEqual(page.maxRecordsCount);
      }),
    );
  });
});

describe('a page is read along an index that gives its order', () => {
  const cursor = { fulfillment_order_date: 1, fulfillment_order_id: 'x' };
  test.each([
    ['the first page of a queue', { queueId: 'Q' }, undefined, 'fulfillment_orders_by_queue'],
    ['a later page of a queue', { queueId: 'Q' }, cursor, 'fulfillment_orders_by_queue'],
    [
      'a filtered page of a queue',
      { queueId: 'Q', carrier: 'UPS', pinNumber: '1' },
      cursor,
      'fulfillment_orders_by_queue',
    ],
    ['the first page of an order search', {}, undefined, 'fulfillment_orders_by_date'],
    ['a later page of an order search', {}, cursor, 'fulfillment_orders_by_date'],
  ])('%s', async (_name, filters: OrderFilters, after, index) => {
    const query = await place.store.read(async (db) => {
      const ctx = { db, dialect: place.store.dialect, sealer: { fingerprint: () => 'x' } as never };
      return pageQuery(ctx, { clientId: 'C1', storeId: 'S1', nodeId: 'N1' }, filters, readPage({}), after).compile();
    });
    const plan = await planOf(place.store, query);
    // PostgreSQL weighs by its statistics, and 120 orders of one queue cost the same along either index.
    expect(plan.text).toContain(place.store.engine === 'sqlite' ? index : 'Index Scan using fulfillment_orders_by_');
    expect([plan.text, plan.sorts]).toEqual([plan.text, false]);
  });
});
