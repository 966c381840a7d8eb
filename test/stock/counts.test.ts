import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postStock } from '../../src/kernel/stock.ts';
import type { StockMove } from '../../src/kernel/stock-terms.ts';
import { DEFAULT_SETTINGS } from '../../src/shared/client-settings.ts';
import { type Flow, openFlow } from '../orders/flow.ts';
import { eventsOf, faultsOf } from '../provisioning/support.ts';
import { contextOf } from '../support/context.ts';
import { plansOf } from '../support/reads.ts';
import {
  brokenRules,
  count,
  keepStock,
  levelOf,
  movesOf,
  NODE,
  NODE_ID,
  placesOf,
  putSettings,
  putStock,
  SOAP,
} from './stock.ts';

let town: Flow;
beforeEach(async () => {
  town = await openFlow();
  await keepStock(town, NODE_ID);
  await count(town, SOAP, 10);
});
afterEach(async () => {
  expect(await brokenRules(town)).toEqual([]);
  await town.close();
});

const approve = (countId: string) => town.client.post(`${NODE}/counts/${countId}/approve`, { userId: 'leo' });
const idOf = (answer: { body: unknown }) => (answer.body as { countId: string }).countId;
const transactions = async (after = 0) =>
  (await town.client.get(`${NODE}/stock/transactions?after=${after}`)).body as {
    transactions: { type: number; itemId: string; quantity: number; reference: string }[];
    nextAfter: number;
  };
const move = (moveId: string, ...lines: object[]) =>
  town.client.post(`${NODE}/stock/moves`, {
    moveId,
    userId: 'leo',
    lines: lines.map((line) => ({ itemId: SOAP, reason: 'test', ...line })),
  });
/** Counts the item in a count plan. Returns a function that approves the plan. */
async function plannedCount(counted: number) {
  const plans = `${NODE}/countPlans`;
  const rule = { type: 'ITEMS' };
  await town.client.post(plans, { planId: 'plan', userId: 'leo', rule, secondCount: 'NEVER' });
  await town.client.post(`${plans}/plan/lines`, { userId: 'leo', add: [{ itemId: SOAP }] });
  await town.client.post(`${plans}/plan/open`, { userId: 'leo' });
  const { revision } = await levelOf(town, SOAP);
  const lines = [{ itemId: SOAP, counted, revision }];
  const sent = await town.client.post(`${plans}/plan/counts`, { countId: 'planned', userId: 'cleo', lines });
  expect(sent.status, sent.text).toBe(201);
  return () => town.client.post(`${plans}/plan/approve`, { userId: 'leo' });
}

describe('an item that is gone', () => {
  it('is counted, approved and written off as long as the node has a level of it', async () => {
    const gone = await town.client.delete(`/item-service/clients/TOWN/items/${SOAP}`);
    expect(gone.status).toBe(204);
    const counted = await count(town, SOAP, 7);
    expect(counted.body).toMatchObject({ state: 'WAITING' });
    expect((await approve(idOf(counted))).status).toBe(200);
    expect((await move('off', { from: 'SHELF', to: 'COUNT', quantity: 7 })).status).toBe(201);
    expect((await placesOf(town, SOAP)).slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    const never = await move('none', { itemId: '21-NEVER', from: 'COUNT', to: 'SHELF', quantity: 1 });
    expect(faultsOf(never)).toEqual(['/lines/0/itemId exists']);
  });
});

describe('a count', () => {
  it('waits where it differs, and is posted when it is approved, once', async () => {
    const counted = await count(town, SOAP, 8);
    expect([counted.status, counted.body]).toMatchObject([201, { state: 'WAITING', lines: [{ difference: -2 }] }]);
    expect((await levelOf(town, SOAP)).shelf).toBe(10);
    const answers = await Promise.all([approve(idOf(counted)), approve(idOf(counted))]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await levelOf(town, SOAP)).shelf).toBe(8);
    expect((await transactions()).transactions).toMatchObject([{ type: 71, itemId: SOAP, quantity: -2 }]);
  });

  it.each([
    [{ percent: 20 }, 8, 'POSTED'],
    [{ percent: 29 }, 7, 'WAITING'],
    [{ units: 3 }, 13, 'POSTED'],
    [{ units: 3 }, 14, 'WAITING'],
    [{ percent: 50, units: 1 }, 5, 'POSTED'],
  ])('with the tolerance %j of a level of 10 that says %i is %s', async (countTolerance, counted, state) => {
    await putSettings(town, { stock: { countTolerance } });
    expect((await count(town, SOAP, counted)).body).toMatchObject({ state });
    expect((await levelOf(town, SOAP)).shelf).toBe(state === 'POSTED' ? counted : 10);
  });

  it('within the tolerance changes nothing if a newer count is posted, unless the newer count is of another place', async () => {
    await putSettings(town, { stock: { countTolerance: { units: 2 } } });
    const { revision } = await levelOf(town, SOAP);
    await move('m', { from: 'COUNT', to: 'DAMAGED', quantity: 1 });
    expect((await count(town, SOAP, 1, { place: 'DAMAGED' })).body).toMatchObject({ state: 'POSTED' });
    expect((await count(town, SOAP, 9, { revision })).body).toMatchObject({ state: 'POSTED' });
    expect((await levelOf(town, SOAP)).shelf).toBe(9);
    const newer = await count(town, SOAP, 9);
    expect(newer.body).toMatchObject({ state: 'POSTED', lines: [{ difference: 0 }] });
    expect(newer.text).not.toContain('newerCountId');
    const late = await count(town, SOAP, 8, { revision });
    const newerCountId = idOf(newer);
    const line = { counted: 8, difference: 0, state: 'POSTED', newerCountId };
    expect(late.body).toMatchObject({ state: 'POSTED', lines: [line] });
    expect((await levelOf(town, SOAP)).shelf).toBe(9);
  });

  it('with a small difference that a newer count has replaced can be approved with its other lines', async () => {
    await putSettings(town, { stock: { countTolerance: { units: 2 } } });
    const { revision } = await levelOf(town, SOAP);
    await move('m', { from: 'COUNT', to: 'DAMAGED', quantity: 1 });
    await count(town, SOAP, 9, { revision });
    await count(town, SOAP, 9);
    const mixed = await town.client.post(`${NODE}/counts`, {
      countId: 'mixed',
      userId: 'cleo',
      lines: [
        { itemId: SOAP, counted: 8, revision },
        { itemId: SOAP, place: 'DAMAGED', counted: 7, revision: (await levelOf(town, SOAP)).revision },
      ],
    });
    expect(mixed.body).toMatchObject({ state: 'WAITING', lines: [{ state: 'POSTED' }, { state: 'WAITING' }] });
    expect((await approve('mixed')).body).toMatchObject({ state: 'POSTED' });
    expect(await levelOf(town, SOAP)).toMatchObject({ shelf: 9, damaged: 7 });
  });

  it('that comes late is right though goods have moved since', async () => {
    const { revision } = await levelOf(town, SOAP);
    await town.picked('STORE_PICK_UP', [4, 1], [4, 1]);
    const counted = await count(town, SOAP, 9, { revision });
    expect(counted.body).toMatchObject({ lines: [{ difference: -1 }] });
    await approve(idOf(counted));
    expect((await levelOf(town, SOAP)).shelf).toBe(5);
  });

  it('that comes late does not correct again what the ledger has corrected since', async () => {
    const { revision } = await levelOf(town, SOAP);
    const first = await count(town, SOAP, 15, { revision });
    await approve(idOf(first));
    const again = await count(town, SOAP, 15, { revision });
    expect(again.body).toMatchObject({ state: 'POSTED', lines: [{ difference: 0 }] });
    await move('m', { from: 'SHELF', to: 'COUNT', quantity: 12 });
    const behind = (await levelOf(town, SOAP)).revision;
    await town.picked('STORE_PICK_UP', [5, 1], [5, 1]);
    expect(await movesOf(town, SOAP)).toContain('COUNT > SHELF 2 LEDGER_BEHIND');
    await approve(idOf(await count(town, SOAP, 6, { revision: behind })));
    expect((await levelOf(town, SOAP)).shelf).toBe(1);
  });

  it('has the difference that its approval posts, after another count has posted the same error', async () => {
    const { revision } = await levelOf(town, SOAP);
    const [first, second] = [await count(town, SOAP, 4, { revision }), await count(town, SOAP, 4, { revision })];
    for (const one of [first, second]) expect(one.body).toMatchObject({ lines: [{ difference: -6 }] });
    expect((await approve(idOf(first))).body).toMatchObject({ lines: [{ difference: -6, state: 'POSTED' }] });
    expect((await approve(idOf(second))).body).toMatchObject({ lines: [{ difference: 0, state: 'POSTED' }] });
    const { counts } = (await town.client.get(`${NODE}/counts`)).body as {
      counts: { countId: string; lines: unknown[] }[];
    };
    const listed = counts.find(({ countId }) => countId === idOf(second));
    expect(listed).toMatchObject({ lines: [{ difference: 0 }] });
    expect((await levelOf(town, SOAP)).shelf).toBe(4);
  });

  it('does not take off again what pickers have not found since', async () => {
    await putSettings(town, {
      cancelReasons: DEFAULT_SETTINGS.cancelReasons.map((one) => ({ ...one, stockEffect: 'MISSING' })),
    });
    const waiting = await count(town, SOAP, 7);
    expect(waiting.body).toMatchObject({ lines: [{ difference: -3 }] });
    await town.picked('STORE_PICK_UP', [6, 1], [5, 1]);
    expect((await movesOf(town, SOAP)).at(-1)).toBe('SHELF > MISSING 1 DECLINED');
    expect((await approve(idOf(waiting))).body).toMatchObject({ lines: [{ difference: -3 }] });
    expect((await movesOf(town, SOAP)).slice(-2)).toEqual(['MISSING > SHELF 1 COUNT', 'SHELF > COUNT 3 COUNT']);
    expect((await placesOf(town, SOAP)).slice(0, 5)).toEqual([2, 5, 0, 0, 0]);
    const { revision } = await levelOf(town, SOAP);
    await town.picked('STORE_PICK_UP', [2, 1], [1, 1]);
    // At the revision of this count the shelf had 2 units. So the count does not put back the unit that was not found.
    expect((await count(town, SOAP, 2, { revision })).body).toMatchObject({ lines: [{ difference: 0 }] });
    expect((await levelOf(town, SOAP)).shelf).toBe(0);
  });

  it('after a pick with missing units is not changed by an older count that has taken them off', async () => {
    await putSettings(town, {
      cancelReasons: DEFAULT_SETTINGS.cancelReasons.map((one) => ({ ...one, stockEffect: 'MISSING' })),
    });
    const older = await count(town, SOAP, 7);
    await town.picked('STORE_PICK_UP', [1, 1], [0, 1]);
    expect((await placesOf(town, SOAP)).slice(0, 5)).toEqual([9, 0, 0, 0, 1]);
    const newer = await count(town, SOAP, 7);
    expect(newer.body).toMatchObject({ lines: [{ difference: -2 }] });
    const planned = await plannedCount(7);
    expect((await approve(idOf(older))).body).toMatchObject({ lines: [{ difference: -3 }] });
    expect((await movesOf(town, SOAP)).slice(-2)).toEqual(['MISSING > SHELF 1 COUNT', 'SHELF > COUNT 3 COUNT']);
    expect((await approve(idOf(newer))).body).toMatchObject({ lines: [{ difference: 0 }] });
    expect((await planned()).body).toMatchObject({ lines: [{ difference: 0 }] });
    expect((await placesOf(town, SOAP)).slice(0, 5)).toEqual([7, 0, 0, 0, 0]);
  });

  it('after a pick with missing units adds none of them, also if other units were not found after the older count was approved', async () => {
    await putSettings(town, {
      cancelReasons: DEFAULT_SETTINGS.cancelReasons.map((one) => ({ ...one, stockEffect: 'MISSING' })),
    });
    const older = await count(town, SOAP, 7);
    await town.picked('STORE_PICK_UP', [1, 1], [0, 1]);
    const newer = await count(town, SOAP, 7);
    expect((await approve(idOf(older))).body).toMatchObject({ lines: [{ difference: -3 }] });
    await town.picked('STORE_PICK_UP', [1, 1], [0, 1]);
    expect((await placesOf(town, SOAP)).slice(0, 5)).toEqual([6, 0, 0, 0, 1]);
    expect((await approve(idOf(newer))).body).toMatchObject({ lines: [{ difference: 0 }] });
    expect((await placesOf(town, SOAP)).slice(0, 5)).toEqual([6, 0, 0, 0, 1]);
  });

  it('leaves no missing unit that the correction of a pick could bring back in addition to a unit of the shelf', async () => {
    await putSettings(town, {
      cancelReasons: DEFAULT_SETTINGS.cancelReasons.map((one) => ({ ...one, stockEffect: 'MISSING' })),
    });
    const { revision } = await levelOf(town, SOAP);
    const waiting = await count(town, SOAP, 7);
    const ticket = await town.ticket([await town.make('STORE_PICK_UP', [6, 1])], 'WAITING_FOR_PICK_ISPU');
    expect((await town.pick(ticket, [5, 1])).status).toBe(204);
    expect((await approve(idOf(waiting))).status).toBe(200);
    const { id } = ticket.pickTicketItems.find((one) => one.itemDetails.itemId === SOAP)!;
    const corrected = await town.client.post(
      `/operator/v1/stores/TOWN_US/nodes/${NODE_ID}/pickTickets/${ticket.pickTicketId}/correct`,
      { correctionId: 'c', userId: 'lea', reason: 'Found', pickTicketItems: [{ id, pickedQuantity: 6 }] },
    );
    expect(corrected.status, corrected.text).toBe(200);
    expect((await placesOf(town, SOAP)).slice(0, 5)).toEqual([1, 6, 0, 0, 0]);
    await town.picked('STORE_PICK_UP', [1, 1], [0, 1]);
    // A second count at the first revision has the same result. The unit that became missing later remains missing.
    expect((await count(town, SOAP, 7, { revision })).body).toMatchObject({ lines: [{ difference: 0 }] });
    expect((await placesOf(town, SOAP)).slice(0, 5)).toEqual([0, 6, 0, 0, 1]);
  });

  it('is the same again with the same id and content only', async () => {
    const lines = [{ itemId: SOAP, counted: 8, revision: (await levelOf(town, SOAP)).revision }];
    const send = (body: object) => town.client.post(`${NODE}/counts`, { countId: 'x', userId: 'cleo', lines, ...body });
    expect((await send({})).status).toBe(201);
    expect((await send({})).status).toBe(200);
    expect((await send({ userId: 'other' })).status).toBe(409);
    const waiting = (await town.client.get(`${NODE}/counts?state=WAITING`)).body as { counts: object[] };
    expect(waiting.counts).toMatchObject([{ countId: 'x' }]);
  });

  it('has the same response when it is sent again after the node stopped keeping stock, as have moves and plans', async () => {
    const lines = [{ itemId: SOAP, counted: 10, revision: (await levelOf(town, SOAP)).revision }];
    const send = (countId: string) => town.client.post(`${NODE}/counts`, { countId, userId: 'cleo', lines });
    const put = () => move('put', { from: 'SHELF', to: 'DAMAGED', quantity: 1 });
    const approvePlan = await plannedCount(10);
    const plan = { planId: 'plan', userId: 'leo', rule: { type: 'ITEMS' }, secondCount: 'NEVER' };
    const planned = { countId: 'planned', userId: 'cleo', lines };
    const retries = [
      () => send('x'),
      put,
      approvePlan,
      () => town.client.post(`${NODE}/countPlans`, plan),
      () => town.client.post(`${NODE}/countPlans/plan/counts`, planned),
    ];
    for (const retry of retries) expect((await retry()).status).toBeLessThan(300);
    await putStock(town, NODE_ID, { stock: 'NOT_KEPT' });
    for (const retry of retries) expect((await retry()).status).toBe(200);
    expect((await send('y')).status).toBe(409);
    expect((await move('other', { from: 'SHELF', to: 'DAMAGED', quantity: 1 })).status).toBe(409);
    await keepStock(town, NODE_ID);
    expect((await send('y')).status).toBe(400);
  });

  it('are listed in shorter pages if they have many lines', async () => {
    const ids = Array.from({ length: 11 }, (_, index) => `long-${String(index).padStart(2, '0')}`);
    await town.store.write(async (tx) => {
      for (const count_id of ids) {
        const key = { client_id: 'TOWN', node_id: NODE_ID, count_id };
        await tx
          .insertInto('stock_counts')
          .values({ ...key, user_id: 'cleo', at: 1, state: 'POSTED' })
          .execute();
        const line = { ...key, item_id: SOAP, place: 'DAMAGED', counted: 0, revision: 0, state: 'WAITING' } as const;
        const lines = Array.from({ length: 1_000 }, (_, line_index) => ({ ...line, line_index, difference: 0 }));
        await tx.insertInto('stock_count_lines').values(lines).execute();
      }
    });
    const listed = async (after: string) => {
      const { counts, next } = (await town.client.get(`${NODE}/counts?limit=500&after=${after}`)).body as {
        counts: { countId: string; lines: object[] }[];
        next?: string;
      };
      for (const { lines } of counts) expect(lines).toHaveLength(1_000);
      return [counts.map(({ countId }) => countId), next];
    };
    expect(await listed('long')).toEqual([ids.slice(0, 10), 'long-09']);
    expect(await listed('long-09')).toEqual([['long-10'], undefined]);
  });

  it.each([
    ['the counts that wait for approval', 'stock_counts', '/counts?state=WAITING', 'stock_counts_waiting'],
    ['the items to count', 'stock_levels', '/counts/wanted', 'stock_levels_wanted'],
    ['the items with fewer units than reserved', 'stock_levels', '/stock?belowZero=true', 'stock_levels_below'],
  ])('leaves all other rows unread in the list of %s', async (_name, table, path, index) => {
    const plans = await plansOf(town.store, table, async () => {
      expect((await town.client.get(`${NODE}${path}`)).status).toBe(200);
    });
    // PostgreSQL chooses an index by its statistics, and for a few rows every index has the same cost.
    if (town.store.engine === 'sqlite') expect(plans).toEqual([expect.stringContaining(index)]);
  });

  it('names every error of its lines', async () => {
    const answer = await town.client.post(`${NODE}/counts`, {
      countId: 'x',
      userId: 'cleo',
      lines: [
        { itemId: 'none', counted: 1, revision: 0 },
        { itemId: SOAP, counted: -1, revision: 0 },
        { itemId: SOAP, counted: 1, revision: 0, place: 'ROOF' },
        { itemId: SOAP, counted: 1, revision: 0 },
      ],
    });
    expect([answer.status, faultsOf(answer).sort()]).toEqual([
      400,
      ['/lines/0/itemId exists', '/lines/1/counted minimum', '/lines/2/place enum', '/lines/3 duplicate'],
    ]);
    const ahead = await count(town, SOAP, 1, { revision: 999 });
    expect([ahead.status, faultsOf(ahead)]).toEqual([400, ['/lines/0/revision maximum']]);
  });

  it('of another place is of that place', async () => {
    await approve(idOf(await count(town, SOAP, 3, { place: 'DAMAGED' })));
    expect((await placesOf(town, SOAP)).slice(0, 3)).toEqual([10, 0, 3]);
  });
});

describe('moves by hand', () => {
  it('put away, return, write off and find, each with its transaction', async () => {
    const answer = await move(
      'm1',
      { from: 'SHELF', to: 'DAMAGED', quantity: 3 },
      { from: 'DAMAGED', to: 'SUPPLIER', quantity: 1 },
      { from: 'DAMAGED', to: 'COUNT', quantity: 2 },
      { from: 'COUNT', to: 'SHELF', quantity: 4 },
    );
    expect([answer.status, answer.body]).toMatchObject([201, { stock: [{ itemId: SOAP, shelf: 11, damaged: 0 }] }]);
    expect((await transactions()).transactions.map(({ type, quantity }) => [type, quantity])).toEqual([
      [51, -1],
      [61, -2],
      [61, 4],
    ]);
    expect((await transactions(2)).transactions).toHaveLength(1);
  });

  it('take no more than a place has, each line after those before it, and nothing of them is posted', async () => {
    const answer = await move(
      'm1',
      { from: 'SHELF', to: 'DAMAGED', quantity: 3 },
      { from: 'DAMAGED', to: 'HELD', quantity: 4 },
      { from: 'SHELF', to: 'HELD', quantity: 8 },
    );
    expect([answer.status, (answer.body as { code: string }).code, faultsOf(answer)]).toEqual([
      400,
      'BELOW_ZERO',
      ['/lines/1/quantity BELOW_ZERO', '/lines/2/quantity BELOW_ZERO'],
    ]);
    expect((await levelOf(town, SOAP)).shelf).toBe(10);
    expect((await move('m1', { from: 'SHELF', to: 'DAMAGED', quantity: 3 })).status).toBe(201);
  });

  it('leave staged goods of orders alone', async () => {
    await town.picked('STORE_PICK_UP', [4, 1], [4, 1]);
    const rejected = await move('m1', { from: 'STAGE', to: 'SHELF', quantity: 1 });
    expect(rejected.status).toBe(400);
    expect(rejected.text).toContain('all staged units of \\"21-SOAP-LAV\\" belong to orders');
    expect(await levelOf(town, SOAP)).not.toHaveProperty('putAway');
    expect((await move('m2', { from: 'SHELF', to: 'STAGE', quantity: 2 })).status).toBe(201);
    expect(await levelOf(town, SOAP)).toMatchObject({ staged: 6, putAway: 2 });
    expect((await move('m3', { from: 'STAGE', to: 'SHELF', quantity: 2 })).status).toBe(201);
  });
});

describe('postings of receipts', () => {
  const receipt = (lines: Partial<StockMove>[]) =>
    town.store.write((db) =>
      postStock(
        contextOf(town, db),
        { clientId: 'TOWN', nodeId: NODE_ID },
        lines.map((line) => ({
          itemId: SOAP,
          from: 'SUPPLIER',
          to: 'SHELF',
          quantity: 1,
          cause: 'RECEIPT',
          reference: 'ASN-1',
          userId: 'cleo',
          ...line,
        })),
      ),
    );

  it('are levels, moves, one event and transactions of type 31, corrections too', async () => {
    const before = (await eventsOf(town, 'stock', NODE_ID)).length;
    await receipt([{ quantity: 5 }, { to: 'DAMAGED', quantity: 2 }, { to: 'STAGE', quantity: 1 }]);
    await receipt([{ from: 'SHELF', to: 'SUPPLIER', quantity: 3, cause: 'CORRECTION' }]);
    expect((await placesOf(town, SOAP)).slice(0, 3)).toEqual([12, 1, 2]);
    expect(await eventsOf(town, 'stock', NODE_ID)).toHaveLength(before + 2);
    expect((await transactions()).transactions.map(({ type, quantity }) => [type, quantity])).toEqual([
      [31, 5],
      [31, 2],
      [31, 1],
      [31, -3],
    ]);
    expect((await move('m1', { from: 'STAGE', to: 'SHELF', quantity: 1 })).status).toBe(201);
  });
});

it('a reader of the feed that keeps the highest revisions has the levels, whatever it loses, doubles or gets late', async () => {
  await town.make('STORE_PICK_UP', [3, 1]);
  await town.picked('STORE_PICK_UP', [2, 1], [2, 1]);
  await move('m1', { from: 'SHELF', to: 'DAMAGED', quantity: 1 });
  type Told = { itemId: string; revision: number };
  const items = (await eventsOf(town, 'stock', NODE_ID)).flatMap(({ data }) => (data as { items: Told[] }).items);
  const kept = new Map<string, Told>();
  for (const one of [...items.toReversed(), ...items]) {
    if (one.revision >= (kept.get(one.itemId)?.revision ?? 0)) kept.set(one.itemId, one);
  }
  const { stock } = (await town.client.get(`${NODE}/stock?pageSize=500`)).body as {
    stock: Record<string, unknown>[];
  };
  expect(stock.map(({ available: _, incoming: __, ...level }) => level)).toEqual(
    [...kept.values()].sort((a, b) => (a.itemId < b.itemId ? -1 : 1)),
  );
});
