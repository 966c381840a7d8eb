import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderFilters } from '../../src/kernel/filters.ts';
import { searchOrders } from '../../src/kernel/find-page.ts';
import { Decimal } from '../../src/platform/decimal.ts';
import { selectRecords } from '../../src/platform/storage/keyset.ts';
import type { Answer } from '../support/backroom.ts';
import { planOf } from '../support/store.ts';
import { openPlace, type Place, pickupOrder } from './place.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
  // Creates 120 orders at 60 instants, so that two orders share each date.
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

  test('are sorted by fulfillmentOrderDate, then fulfillmentOrderId', async () => {
    const answer = await search({ pageSize: 500 });
    const keys = answer.body.fulfillmentOrders.map(
      (one: { fulfillmentOrderDate: string; fulfillmentOrderId: string }) =>
        `${one.fulfillmentOrderDate} ${one.fulfillmentOrderId}`,
    );
    expect(keys).toHaveLength(120);
    expect(keys).toEqual([...keys].sort());
  });

  test('have 50 orders by default, and pageId counts from 1', async () => {
    const ids = await all();
    const first = await search();
    expect(first.body).toMatchObject({ pageId: 1, pageSize: 50 });
    expect(idsOf(first)).toEqual(ids.slice(0, 50));
    const third = await search({ pageId: 3 });
    expect(third.body).toMatchObject({ pageId: 3, pageSize: 50 });
    expect(idsOf(third)).toEqual(ids.slice(100));
    expect(idsOf(await search({ pageId: 4 }))).toEqual([]);
    expect(idsOf(await search({ pageId: 2, pageSize: 7 }))).toEqual(ids.slice(7, 14));
  });

  test('together have at most maxRecordsCount orders', async () => {
    const ids = await all();
    expect(idsOf(await search({ maxRecordsCount: 10, pageSize: 7 }))).toEqual(ids.slice(0, 7));
    expect(idsOf(await search({ maxRecordsCount: 10, pageSize: 7, pageId: 2 }))).toEqual(ids.slice(7, 10));
    expect(idsOf(await search({ maxRecordsCount: 10, pageSize: 7, pageId: 3 }))).toEqual([]);
    expect(idsOf(await search({ maxRecordsCount: 10 }))).toEqual(ids.slice(0, 10));
  });

  test('have min(pageSize, maxRecordsCount - (pageId - 1) x pageSize) orders, never below 0', async () => {
    const ids = await all();
    const request = fc.record({
      pageId: fc.integer({ min: 1, max: 12 }),
      pageSize: fc.integer({ min: 1, max: 60 }),
      maxRecordsCount: fc.integer({ min: 1, max: 150 }),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ pageId, pageSize, maxRecordsCount }) => {
        const before = (pageId - 1) * pageSize;
        const found = idsOf(await search({ pageId, pageSize, maxRecordsCount }));
        expect(found).toEqual(ids.slice(before, Math.max(before, Math.min(before + pageSize, maxRecordsCount))));
      }),
      { numRuns: 25 },
    );
  });

  test('continue after lastRecordId, and together have at most maxRecordsCount orders', async () => {
    const ids = await all();
    const next = await search({ lastRecordId: ids[9], pageSize: 5 });
    expect(idsOf(next)).toEqual(ids.slice(10, 15));
    expect(next.body.pageId).toBe(1);
    const walked: string[] = [];
    for (let lastRecordId: string | undefined; ; lastRecordId = walked.at(-1)) {
      const page = idsOf(await search({ pageSize: 7, maxRecordsCount: 24, ...(lastRecordId && { lastRecordId }) }));
      if (page.length === 0) break;
      walked.push(...page);
    }
    expect(walked).toEqual(ids.slice(0, 24));
  });

  test('with pageId and lastRecordId are also limited by pageId after orders have left the queue', async () => {
    const ids = await all();
    const second = await search({ lastRecordId: ids[4], pageSize: 10, pageId: 2, maxRecordsCount: 12 });
    expect(idsOf(second)).toEqual(ids.slice(5, 7));
    expect(second.body.pageId).toBe(2);
  });

  test('by lastRecordId have no limit except that of the caller', async () => {
    const ids = await all();
    expect(idsOf(await search({ lastRecordId: ids[9], pageSize: 5, pageId: 1_000_000_000 }))).toEqual(
      ids.slice(10, 15),
    );
  });

  test.each([
    [{ pageId: 201 }, 200],
    [{ pageId: 21, pageSize: 500 }, 20],
    [{ pageId: 1_000_000_000, pageSize: 500, maxRecordsCount: 10_000 }, 20],
  ])('beyond 10,000 records are a 400 that names lastRecordId: %j', async (members, limit) => {
    const answer = await search(members);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([
      { pointer: '/pageId', rule: 'maximum', limit, message: expect.stringContaining("'lastRecordId'") },
    ]);
    expect(idsOf(await search({ ...members, pageId: limit }))).toEqual([]);
  });

  test('have their last record in X-Last-Record-Id; an empty page has the record it began after', async () => {
    const ids = await all();
    expect((await search({ pageSize: 5 })).headers['x-last-record-id']).toBe(ids[4]);
    // A loop that ends with the first page of fewer than `pageSize` records reads each order once.
    const walked: string[] = [];
    for (let lastRecordId: string | undefined, size = 5; size === 5; ) {
      const page = await search({ pageSize: 5, ...(lastRecordId !== undefined && { lastRecordId }) });
      walked.push(...idsOf(page));
      size = idsOf(page).length;
      lastRecordId = page.headers['x-last-record-id'];
    }
    expect(walked).toEqual(ids);
    const empty = await search({ lastRecordId: ids.at(-1) });
    expect(idsOf(empty)).toEqual([]);
    expect(empty.headers['x-last-record-id']).toBe(ids.at(-1));
    expect((await search({ pageId: 9 })).headers['x-last-record-id']).toBeUndefined();
  });

  test('accept lastRecordId as digits', async () => {
    const ids = await all();
    expect(idsOf(await search({ lastRecordId: Number(ids[3]), pageSize: 1 }))).toEqual([ids[4]]);
  });

  test('begin at the first order if a field is 0, as a number or digits', async () => {
    const first = idsOf(await search());
    for (const zero of [0, '0', '000']) {
      const answer = await search({ pageId: zero, pageSize: zero, maxRecordsCount: zero, lastRecordId: zero });
      expect(idsOf(answer)).toEqual(first);
      expect(answer.body).toMatchObject({ pageId: 1, pageSize: 50 });
    }
    expect(idsOf(await search({ pageId: 2, lastRecordId: 0 }))).toEqual(idsOf(await search({ pageId: 2 })));
    expect(idsOf(await search({ pageId: '02', pageSize: '7', maxRecordsCount: '10' }))).toHaveLength(3);
  });

  test.each([
    ['pageId', [0, 1, '1', '1000000000'], [-1, 1.5, '-1', '1.5', 'x', '', 1_000_000_001, '1000000001', true]],
    ['pageSize', [0, 1, 500, '500'], [501, '501', '1000', -1, 2.5, '5e1', false]],
    ['maxRecordsCount', [0, 1, 10_000, '10000'], [10_001, '10001', 0.5, '0.5', [5]]],
    ['lastRecordId', [0, '0'], ['', ' 1', 'x'.repeat(481), -1, 1.5, true, 'NONE', 999_999, '%C3%A9', '%']],
  ])('%s is a whole number within its limits', async (member, good, bad) => {
    const last = { lastRecordId: (await all())[0] };
    for (const value of good) expect((await search({ ...last, [member]: value })).status).toBe(200);
    for (const value of bad) {
      const answer = await search({ [member]: value });
      expect(answer.status, String(value)).toBe(400);
      expect(answer.body.errors[0].pointer).toBe(`/${member}`);
    }
  });
});

describe('lastRecordId', () => {
  test('with more digits than a number holds exactly is read to the last digit', async () => {
    const id = '123456789012345678901234567890';
    await place.intake(dated(id, 500));
    const answer = await place.queue(QUEUE, { lastRecordId: new Decimal(id) });
    expect(idsOf(answer)).toEqual([]);
    expect(answer.headers['x-last-record-id']).toBe(id);
    await place.setOrder(id, { store_id: 'S2' });
  });

  test('of another store, node or client is treated as a missing one', async () => {
    for (const columns of [{ store_id: 'S2' }, { node_id: 'N2' }]) {
      await place.intake(dated('ELSEWHERE', 500));
      await place.setOrder('ELSEWHERE', { store_id: 'S1', node_id: 'N1', ...columns });
      const answer = await place.queue(QUEUE, { lastRecordId: 'ELSEWHERE' });
      expect(answer.body.errors).toEqual([expect.objectContaining({ pointer: '/lastRecordId', rule: 'exists' })]);
    }
    await place.setOrder('ELSEWHERE', { store_id: 'S2' });
  });

  test('can have left the queue: the walk continues after its place', async () => {
    const ids = idsOf(await place.queue(QUEUE, { pageSize: 500 }));
    await place.setOrder(ids[9]!, { queue_id: 'GONE' });
    expect(idsOf(await place.queue(QUEUE, { lastRecordId: ids[9], pageSize: 2 }))).toEqual(ids.slice(10, 12));
    await place.setOrder(ids[9]!, { queue_id: QUEUE });
  });

  test.each([
    ['Наряд 1', '%D0%9D%D0%B0%D1%80%D1%8F%D0%B4%201'],
    ['100%', '100%25'],
    ['𝄞'.repeat(36), '%F0%9D%84%9E'.repeat(36)],
    ['two words', 'two words'],
    ['/?#[]@!$&', '/?#[]@!$&'],
  ])('%s continues from the header and from the body', async (id, encoded) => {
    await place.intake([dated(id, 600), dated(`${id.slice(0, -2)}~`, 601)]);
    const answer = await place.queue(QUEUE, { fulfillmentOrderId: id });
    expect(idsOf(answer)).toEqual([id]);
    expect(answer.headers['x-last-record-id']).toBe(encoded);
    for (const lastRecordId of [id, encoded]) {
      expect(idsOf(await place.queue(QUEUE, { lastRecordId }))).toEqual([`${id.slice(0, -2)}~`]);
    }
    await place.setOrder(id, { store_id: 'S2' });
    await place.setOrder(`${id.slice(0, -2)}~`, { store_id: 'S2' });
  });

  test('that can mean two orders means the percent-decoded one, so every header continues', async () => {
    const ids = ['9%', '9%25', '9%2525', 'é', '%C3%A9', '~'];
    await place.intake(ids.map((id, n) => dated(id, 600 + n)));
    for (const [n, id] of ids.entries()) {
      const answer = await place.queue(QUEUE, { fulfillmentOrderId: id });
      const lastRecordId = answer.headers['x-last-record-id'];
      expect(lastRecordId).toBe(id === '~' ? '~' : encodeURIComponent(id));
      expect(idsOf(await place.queue(QUEUE, { lastRecordId }))).toEqual(ids.slice(n + 1));
    }
    expect(idsOf(await place.queue(QUEUE, { lastRecordId: 'é' }))).toEqual(ids.slice(4));
    for (const id of ids) await place.setOrder(id, { store_id: 'S2' });
  });

  test('keeps leading zeros, which a number loses', async () => {
    await place.intake([dated('007', 600), dated('008', 601)]);
    for (const lastRecordId of ['007', 7]) expect(idsOf(await place.queue(QUEUE, { lastRecordId }))).toEqual(['008']);
    expect((await place.queue(QUEUE, { lastRecordId: '7' })).status).toBe(400);
    await place.intake(dated('0007', 602));
    const answer = await place.queue(QUEUE, { lastRecordId: 7 });
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer: '/lastRecordId', rule: 'ambiguous' })]);
    await place.intake(dated('7', 603));
    expect(idsOf(await place.queue(QUEUE, { lastRecordId: 7 }))).toEqual([]);
    for (const id of ['007', '008', '0007', '7']) await place.setOrder(id, { store_id: 'S2' });
  });

  test('0 is an order if one has that id', async () => {
    await place.intake([dated('0', 600), dated('1', 601)]);
    expect(idsOf(await place.queue(QUEUE, { lastRecordId: '0' }))).toEqual(['1']);
    for (const id of ['0', '1']) await place.setOrder(id, { store_id: 'S2' });
  });
});

describe('more than 10,000 orders', () => {
  let full: Place;
  beforeAll(async () => {
    full = await openPlace();
    for (let first = 0; first < 10_500; first += 500) {
      const ids = Array.from({ length: 500 }, (_, n) => String(100_000 + first + n));
      const lines = [{ webLineId: '1', itemId: '1-A', quantity: 1, unitPrice: 1 }];
      await full.intake(ids.map((id) => pickupOrder(id, { lines })));
    }
  }, 120_000);
  afterAll(() => full.close());

  test('are counted up to 10,000, and the response says so', async () => {
    const answer = await full.search({});
    expect(answer.body).toMatchObject({ totalRecords: 10_000, totalRecordsCapped: true });
    const some = await full.search({ maxRecordsCount: 100 });
    expect(some.body).toMatchObject({ totalRecords: 100, totalRecordsCapped: true });
  });

  test('fill the last page that pageId reaches, so that no page looks like the last one', async () => {
    for (const search of [full.search, (body: Body) => full.queue(QUEUE, body)]) {
      expect(idsOf(await search({ pageSize: 300, pageId: 34 }))).toHaveLength(300);
      const beyond = await search({ pageSize: 300, pageId: 35 });
      expect(beyond.body.errors).toMatchObject([{ pointer: '/pageId', rule: 'maximum', limit: 34 }]);
    }
  });

  test.each([{ maxRecordsCount: 0 }, {}])('can be read to the last one by lastRecordId with %j', async (members) => {
    const walked: string[] = [];
    for (let lastRecordId: string | undefined, pageId = 1; ; pageId += 1) {
      const body = { ...members, pageSize: 500, pageId, ...(lastRecordId && { lastRecordId }) };
      const answer = await full.queue(QUEUE, body);
      const ids = idsOf(answer);
      if (ids.length === 0) break;
      walked.push(...ids);
      lastRecordId = answer.headers['x-last-record-id'];
    }
    expect(new Set(walked).size).toBe(10_500);
  });
});

describe('a walk by lastRecordId while orders come and go', () => {
  let run = 0;

  test('returns every remaining order exactly once, and none twice', async () => {
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
        const queueId = 'WAITING_FOR_DELIVERY';
        const walk = `WALK${++run}`;
        let made = 0;
        const add = async (minutes: readonly number[]) => {
          const ids = minutes.map((_) => `${walk}-${String((made++ * 17) % 100).padStart(2, '0')}-${made}`);
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
        for (const id of staying) await place.setOrder(id, { queue_id: null });
      }),
      { numRuns: 12 },
    );
  });
});

describe('a page is read along an index with its sort order', () => {
  const cursor = { at: 1, id: 'x' };
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
    ['an order search by states of open orders', { statuses: { from: 1400, to: 1400 } }, undefined, 'by_change', true],
    ['an order search by states', { statuses: { from: 3700, to: 4000 } }, undefined, 'fulfillment_orders_by_date'],
  ])('%s', async (_name, filters: OrderFilters, after, index, sorts = false) => {
    const query = await place.store.read(async (db) => {
      const ctx = {
        db,
        dialect: place.store.dialect,
        sealer: { fingerprint: () => 'x', fingerprints: () => ['x'] } as never,
      };
      const search = searchOrders(ctx, { clientId: 'C1', storeId: 'S1', nodeId: 'N1' }, filters);
      const page = { pageId: 1, pageSize: 50, before: 0, ...(after && { cursor: after }) };
      return selectRecords(search, page, 50).compile();
    });
    const plan = await planOf(place.store, query);
    // PostgreSQL chooses an index by its statistics, and for 120 orders of one queue both indexes have the same cost.
    expect(plan.text).toContain(place.store.engine === 'sqlite' ? index : 'Index Scan using fulfillment_orders_by_');
    const expected = place.store.engine === 'sqlite' ? sorts : false;
    expect([plan.text, plan.sorts]).toEqual([plan.text, expected]);
  });
});
