import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CountPlan, CountPlanLine } from '../../src/stock/count-plans/schema.ts';
import { type Flow, openFlow } from '../orders/flow.ts';
import { eventsOf, faultsOf } from '../provisioning/support.ts';
import { plansOf, watchReads } from '../support/reads.ts';
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
  SOAP,
  TOWN,
} from './stock.ts';

const MUG = '21-MUG-WHT';
const LAMP = '21-LAMP-BRS';
const PLANS = `${NODE}/countPlans`;

type Members = Record<string, unknown>;

let town: Flow;
beforeEach(async () => {
  town = await openFlow();
  await keepStock(town, NODE_ID);
});
afterEach(async () => {
  expect(await brokenRules(town)).toEqual([]);
  await town.close();
});

/** Returns the number of events of a type that a plan has. */
const told = async (planId: string, type: string) =>
  (await eventsOf(town, 'countPlan', `${NODE_ID}/${planId}`)).filter((event) => event.type === type).length;

let plans = 0;
async function make(rule: Members, more: Members = {}) {
  plans += 1;
  return town.client.post(PLANS, { planId: `plan-${plans}`, userId: 'leo', rule, ...more });
}
const step = (planId: string, action: string) => town.client.post(`${PLANS}/${planId}/${action}`, { userId: 'leo' });
const read = async (planId: string) => (await town.client.get(`${PLANS}/${planId}`)).body as unknown as CountPlan;
const lineOf = (plan: CountPlan, itemId: string) => plan.lines.find((line) => line.itemId === itemId)!;

/** Creates and opens a plan for the bins of soap and mugs; returns its id. */
async function open(more: Members = {}): Promise<string> {
  const made = await make({ type: 'BINS', bins: ['Q-'] }, more);
  expect(made.status, made.text).toBe(201);
  const { planId } = made.body as { planId: string };
  expect((await step(planId, 'open')).status).toBe(200);
  return planId;
}

let sent = 0;
/** Counts lines, `[item, units]`, at the revisions of the plan `revisions`; default: at the present revisions. */
async function record(planId: string, userId: string, lines: readonly [string, number][], revisions?: CountPlan) {
  const plan = revisions ?? (await read(planId));
  sent += 1;
  return town.client.post(`${PLANS}/${planId}/counts`, {
    countId: `sent-${sent}`,
    userId,
    lines: lines.map(([itemId, counted]) => ({
      itemId,
      counted,
      revision: plan.lines.find((line) => line.itemId === itemId)?.revision ?? 0,
    })),
  });
}

async function located(itemId: string, pickLocation: string) {
  expect((await town.operator('PUT', `${NODE}/items/${itemId}`, { pickLocation })).status).toBeLessThan(300);
}

/** Counts 10 soaps and 6 mugs to open their ledgers, and moves them: two moves of soap and one of mugs. */
async function stocked() {
  await located(SOAP, 'Q-1');
  await located(MUG, 'Q-2');
  await count(town, SOAP, 10);
  await count(town, MUG, 6);
  const move = (moveId: string, itemId: string) =>
    town.client.post(`${NODE}/stock/moves`, {
      moveId,
      userId: 'leo',
      lines: [{ itemId, from: 'COUNT', to: 'SHELF', quantity: 1, reason: 'found' }],
    });
  for (const [moveId, itemId] of [
    ['m-1', SOAP],
    ['m-2', SOAP],
    ['m-3', MUG],
  ] as const) {
    expect((await move(moveId, itemId)).status).toBe(201);
  }
}

describe('the rule of a plan', () => {
  it('MOVED_MOST takes the items with most moves since their last count, and none that is counted since', async () => {
    await stocked();
    const made = (await make({ type: 'MOVED_MOST', maxItems: 1 })).body as unknown as CountPlan;
    expect(made).toMatchObject({
      state: 'DRAFT',
      totals: { lines: 1, toCount: 1 },
      lines: [{ itemId: SOAP, place: 'SHELF' }],
    });
    await count(town, SOAP, 12);
    const next = (await make({ type: 'MOVED_MOST' })).body as unknown as CountPlan;
    const items = next.lines.map(({ itemId }) => itemId);
    expect([items.includes(MUG), items.includes(SOAP)]).toEqual([true, false]);
  });

  it('NEVER_COUNTED takes items without a count, also those without stock, in the order of their locations', async () => {
    await count(town, SOAP, 10);
    await located(LAMP, 'A-01');
    await located(MUG, 'B-01');
    await located(SOAP, 'A-00');
    const { lines } = (await make({ type: 'NEVER_COUNTED', maxItems: 200 })).body as unknown as CountPlan;
    const placed = lines.filter(({ bin }) => bin !== undefined && /^[AB]-01$/.test(bin));
    expect(placed).toMatchObject([
      { itemId: LAMP, bin: 'A-01' },
      { itemId: MUG, bin: 'B-01' },
    ]);
    expect(lines.map(({ itemId }) => itemId)).not.toContain(SOAP);
  });

  it('BELOW_ZERO takes items with more promised units than the shelf has', async () => {
    await count(town, SOAP, 500);
    await town.order({ lines: [['MUG-WHT', 2]] });
    const { lines } = (await make({ type: 'BELOW_ZERO' })).body as unknown as CountPlan;
    expect(lines.map(({ itemId }) => itemId)).toContain(MUG);
    expect(lines.map(({ itemId }) => itemId)).not.toContain(SOAP);
  });

  it('names a repeated place of a message, in the language of the caller', async () => {
    const message = { planId: 'twice', userId: 'leo', rule: { type: 'ITEMS' }, places: ['SHELF', 'DAMAGED', 'SHELF'] };
    const send = (headers = {}) => town.client.post(PLANS, message, headers);
    const { status, body } = await send();
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          pointer: '/places/2',
          rule: 'uniqueItems',
          message: '"SHELF" is in the list twice, also at /places/0; send it once',
        },
      ],
    ]);
    expect((await send({ 'accept-language': 'de' })).body.errors[0].message).toContain('steht schon in der Liste');
  });

  it('BINS takes the items whose location begins with a bin, each at the given places', async () => {
    await located(LAMP, 'Q-01-2');
    await located(SOAP, 'Q-02-1');
    const made = await make({ type: 'BINS', bins: ['Q-01'] }, { places: ['SHELF', 'DAMAGED'] });
    expect((made.body as unknown as CountPlan).lines.map(({ itemId, place }) => `${itemId} ${place}`)).toEqual([
      `${LAMP} SHELF`,
      `${LAMP} DAMAGED`,
    ]);
    expect(faultsOf(await make({ type: 'BINS', bins: ['Zz'] }))).toEqual(['/rule nothing']);
    expect(faultsOf(await make({ type: 'BINS' }))).toEqual(['/rule/bins required']);
    expect(faultsOf(await make({ type: 'BELOW_ZERO', bins: ['A'] }))).toEqual(['/rule/bins unexpected']);
  });
});

describe('an item that is deleted from the catalog', () => {
  const remove = async (itemId: string) => {
    expect((await town.client.delete(`/item-service/clients/TOWN/items/${itemId}`)).status).toBe(204);
  };

  it('is chosen by its bin only while the node has units of it, and takes no place of other items', async () => {
    await located(LAMP, 'Q-0');
    await stocked();
    await remove(LAMP);
    await remove(SOAP);
    const chosen = async () => {
      const made = await make({ type: 'BINS', bins: ['Q-'], maxItems: 2 });
      return (made.body as unknown as CountPlan).lines.map(({ itemId }) => itemId);
    };
    expect(await chosen()).toEqual([SOAP, MUG]);
    const { shelf } = await levelOf(town, SOAP);
    const off = { itemId: SOAP, from: 'SHELF', to: 'COUNT', quantity: shelf, reason: 'sold off' };
    await town.client.post(`${NODE}/stock/moves`, { moveId: 'off', userId: 'leo', lines: [off] });
    expect(await chosen()).toEqual([MUG]);
  });

  it('has a readable ledger, also where a page of it is empty', async () => {
    await stocked();
    await remove(SOAP);
    const { revision } = await levelOf(town, SOAP);
    for (const [after, isEmpty] of [
      [0, false],
      [revision, true],
    ] as const) {
      const { status, body } = await town.client.get(`${NODE}/stock/${SOAP}/moves?after=${after}`);
      expect([after, status, body.moves.length === 0]).toEqual([after, 200, isEmpty]);
    }
  });

  it('and was never counted is not to be counted without units', async () => {
    await located(LAMP, 'A-01');
    await located(MUG, 'A-02');
    const chosen = async () => {
      const made = await make({ type: 'NEVER_COUNTED', maxItems: 200 });
      return (made.body as unknown as CountPlan).lines.map(({ itemId }) => itemId);
    };
    expect(await chosen()).toEqual(expect.arrayContaining([LAMP, MUG]));
    await remove(LAMP);
    expect(await chosen()).toContain(MUG);
    expect(await chosen()).not.toContain(LAMP);
  });
});

describe('a draft', () => {
  const change = (planId: string, body: Members) =>
    town.client.post(`${PLANS}/${planId}/lines`, { userId: 'leo', ...body });
  const keysOf = ({ lines }: CountPlan) => lines.map(({ itemId, place }) => `${itemId} ${place}`);

  it('gets and loses single lines, in the order of their locations, and the same change again changes nothing', async () => {
    await located(SOAP, 'Q-2');
    await located(MUG, 'Q-3');
    await located(LAMP, 'A-1');
    const { planId } = (await make({ type: 'BINS', bins: ['Q-'] })).body as unknown as CountPlan;
    const wanted = { add: [{ itemId: LAMP }, { itemId: SOAP, place: 'DAMAGED' }], remove: [{ itemId: MUG }] };
    const changed = await change(planId, wanted);
    expect(changed.status, changed.text).toBe(200);
    const after = [`${LAMP} SHELF`, `${SOAP} SHELF`, `${SOAP} DAMAGED`];
    expect(keysOf(changed.body as unknown as CountPlan)).toEqual(after);
    expect(changed.body).toMatchObject({
      state: 'DRAFT',
      totals: { lines: 3, toCount: 3 },
      lines: [{ bin: 'A-1' }, {}, {}],
    });
    expect((await change(planId, wanted)).status).toBe(200);
    expect(keysOf(await read(planId))).toEqual(after);
    expect(await told(planId, 'countPlan.changed')).toBe(1);
    expect((await step(planId, 'open')).status).toBe(200);
    expect((await record(planId, 'ana', [[LAMP, 1]])).status).toBe(201);
  });

  it('of the rule ITEMS begins without lines, and is opened only with lines', async () => {
    const made = (await make({ type: 'ITEMS' })).body as unknown as CountPlan;
    expect(made).toMatchObject({ state: 'DRAFT', rule: { type: 'ITEMS' }, lines: [] });
    const isOpenable = async () =>
      (await read(made.planId)).allowedActions.find(({ action }) => action === 'open')!.allowed;
    expect([await isOpenable(), (await step(made.planId, 'open')).status]).toEqual([false, 409]);
    await change(made.planId, { add: [{ itemId: MUG }] });
    expect([await isOpenable(), (await step(made.planId, 'open')).status]).toEqual([true, 200]);
    await change(made.planId, { remove: [{ itemId: MUG }] }).then(({ status, body }) =>
      expect([status, body]).toMatchObject([409, { state: 'OPEN' }]),
    );
  });

  it('names every error of a change', async () => {
    const { planId } = (await make({ type: 'ITEMS' })).body as unknown as CountPlan;
    const answer = await change(planId, {
      add: [{ itemId: 'none' }, { itemId: MUG }, { itemId: MUG, place: 'SHELF' }],
      remove: [{ itemId: MUG }],
    });
    expect([answer.status, faultsOf(answer).sort()]).toEqual([
      400,
      ['/add/0/itemId exists', '/add/2 duplicate', '/remove/0 duplicate'],
    ]);
    expect(faultsOf(await change(planId, {}))).toEqual([' nothing']);
    expect((await change('none', { add: [{ itemId: MUG }] })).status).toBe(404);
  });

  it('has at most 1,000 lines', async () => {
    const places = ['SHELF', 'STAGE', 'DAMAGED', 'HELD', 'MISSING'];
    const ids = Array.from({ length: 201 }, (_, index) => `21-X-${index}`);
    await town.store.write((tx) =>
      tx
        .insertInto('stock_levels')
        .values(ids.map((item_id) => ({ client_id: 'TOWN', node_id: NODE_ID, item_id, updated_at: 0 })) as never)
        .execute(),
    );
    const { planId } = (await make({ type: 'ITEMS' })).body as unknown as CountPlan;
    const lines = ids.slice(0, 200).flatMap((itemId) => places.map((place) => ({ itemId, place })));
    expect((await change(planId, { add: lines })).status).toBe(200);
    expect(faultsOf(await change(planId, { add: [{ itemId: ids[200] }] }))).toEqual(['/add maxItems']);
  });
});

describe('a count in a plan', () => {
  it('is blind: while the plan is open no response has a level, a counted unit or a difference', async () => {
    await stocked();
    const planId = await open();
    const asked = await town.client.get(`${PLANS}/${planId}`);
    const counted = await record(planId, 'ana', [[SOAP, 3]]);
    expect(counted.body).toEqual({
      planId,
      state: 'OPEN',
      totals: { lines: 2, toCount: 1, countAgain: 1, counted: 0 },
    });
    const after = await town.client.get(`${PLANS}/${planId}`);
    for (const { text } of [asked, counted, after]) {
      expect(text).not.toMatch(/"(?:shelf|available|expected|difference|firstCounted|secondCounted)"/);
    }
    const keys = new Set((after.body as unknown as CountPlan).lines.flatMap((line) => Object.keys(line)));
    expect([...keys].sort()).toEqual(['bin', 'firstBy', 'itemId', 'place', 'revision', 'state']);
  });

  it('that differs goes to a second person, and the first is rejected at the line', async () => {
    await stocked();
    const planId = await open();
    await record(planId, 'ana', [
      [SOAP, 3],
      [MUG, 7],
    ]);
    expect((await read(planId)).lines.map(({ itemId, state }) => [itemId, state])).toEqual(
      expect.arrayContaining([
        [SOAP, 'COUNT_AGAIN'],
        [MUG, 'COUNTED'],
      ]),
    );
    const again = await record(planId, 'ana', [[SOAP, 12]]);
    expect([again.status, faultsOf(again)]).toEqual([400, ['/lines/0 otherPerson']]);
    expect(again.text).not.toContain('12 units');
    expect(faultsOf(await record(planId, 'bo', [[MUG, 7]]))).toEqual(['/lines/0 counted']);
    expect((await record(planId, 'bo', [[SOAP, 12]])).body).toMatchObject({ state: 'COUNTED' });
  });

  it.each([
    ['NEVER', 3, 'COUNTED'],
    ['DIFFERENT', 3, 'COUNT_AGAIN'],
    ['DIFFERENT', 12, 'COUNTED'],
    ['ALWAYS', 12, 'COUNT_AGAIN'],
  ])('with the second count %s of a level of 12 that says %i is %s', async (secondCount, units, state) => {
    await stocked();
    const planId = await open({ secondCount });
    await record(planId, 'ana', [[SOAP, units]]);
    expect(lineOf(await read(planId), SOAP).state).toBe(state);
  });

  it('within the tolerance of the client needs no second person', async () => {
    await putSettings(town, { stock: { countTolerance: { units: 2 } } });
    await stocked();
    const planId = await open();
    await record(planId, 'ana', [[SOAP, 10]]);
    expect(lineOf(await read(planId), SOAP).state).toBe('COUNTED');
  });

  it('is recorded once, and its id belongs to its content', async () => {
    await stocked();
    const planId = await open();
    const body = { countId: 'once', userId: 'ana', lines: [{ itemId: SOAP, counted: 12, revision: 3 }] };
    const all = await Promise.all(Array.from({ length: 8 }, () => town.client.post(`${PLANS}/${planId}/counts`, body)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect((await town.client.post(`${PLANS}/${planId}/counts`, { ...body, userId: 'bo' })).status).toBe(409);
    expect(await told(planId, 'countPlan.counted')).toBe(1);
  });

  it('of one line by sixteen persons at once is that of one of them', async () => {
    await stocked();
    const planId = await open({ secondCount: 'NEVER' });
    const plan = await read(planId);
    const all = await Promise.all(
      Array.from({ length: 16 }, (_, index) => record(planId, `user-${index}`, [[SOAP, 12]], plan)),
    );
    expect(all.filter(({ status }) => status === 201).length).toBe(1);
    expect(all.filter(({ status }) => status === 400).length).toBe(15);
  });

  it('of another item, twice, or at a revision that is not there is rejected at the line', async () => {
    await stocked();
    const planId = await open();
    expect(faultsOf(await record(planId, 'ana', [[LAMP, 1]]))).toEqual(['/lines/0 exists']);
    expect(
      faultsOf(
        await record(planId, 'ana', [
          [SOAP, 1],
          [SOAP, 2],
        ]),
      ),
    ).toEqual(['/lines/1 duplicate']);
    const ahead = await town.client.post(`${PLANS}/${planId}/counts`, {
      countId: 'ahead',
      userId: 'ana',
      lines: [{ itemId: SOAP, counted: 1, revision: 99 }],
    });
    expect(faultsOf(ahead)).toEqual(['/lines/0/revision maximum']);
  });
});

describe('a line that a lead doubts', () => {
  const recount = (planId: string, items: readonly string[]) =>
    town.client.post(`${PLANS}/${planId}/recount`, { userId: 'leo', lines: items.map((itemId) => ({ itemId })) });

  it('is counted again by another person than the last, and the other lines keep their counts', async () => {
    await stocked();
    const planId = await open();
    await record(planId, 'ana', [
      [SOAP, 3],
      [MUG, 7],
    ]);
    await record(planId, 'bo', [[SOAP, 11]]);
    const sentBack = await recount(planId, [SOAP]);
    expect(sentBack.body).toMatchObject({ state: 'OPEN', totals: { lines: 2, countAgain: 1, counted: 1 } });
    expect(sentBack.text).not.toMatch(/"(?:difference|firstCounted|secondCounted|countedAt)"/);
    expect((await recount(planId, [SOAP])).body).toEqual(sentBack.body);
    expect(await told(planId, 'countPlan.reopened')).toBe(1);
    expect(faultsOf(await record(planId, 'bo', [[SOAP, 12]]))).toEqual(['/lines/0 otherPerson']);
    expect((await record(planId, 'ana', [[SOAP, 12]])).body).toMatchObject({ state: 'COUNTED' });
    expect(lineOf(await read(planId), SOAP)).toMatchObject({
      firstBy: 'bo',
      firstCounted: 11,
      secondBy: 'ana',
      secondCounted: 12,
      difference: 0,
    });
    expect((await step(planId, 'approve')).body).toMatchObject({ state: 'APPROVED' });
    expect((await levelOf(town, SOAP)).shelf).toBe(12);
  });

  it('is counted by any person where no second count is wanted', async () => {
    await stocked();
    const planId = await open({ secondCount: 'NEVER' });
    await record(planId, 'ana', [
      [SOAP, 3],
      [MUG, 7],
    ]);
    expect(lineOf((await recount(planId, [SOAP])).body as unknown as CountPlan, SOAP)).toMatchObject({
      state: 'TO_COUNT',
    });
    expect((await record(planId, 'ana', [[SOAP, 12]])).body).toMatchObject({ state: 'COUNTED' });
    expect(lineOf(await read(planId), SOAP)).toMatchObject({ firstCounted: 12, difference: 0 });
  });

  it('is of the plan, is named once, and goes back before the approval', async () => {
    await stocked();
    const planId = await open({ secondCount: 'NEVER' });
    expect((await recount(planId, [MUG])).body).toMatchObject({ state: 'OPEN', totals: { toCount: 2 } });
    expect(faultsOf(await recount(planId, [LAMP]))).toEqual(['/lines/0 exists']);
    expect(faultsOf(await recount(planId, [SOAP, SOAP]))).toEqual(['/lines/1 duplicate']);
    await record(planId, 'ana', [
      [SOAP, 12],
      [MUG, 7],
    ]);
    const all = await Promise.all([recount(planId, [SOAP]), recount(planId, [SOAP]), recount(planId, [SOAP])]);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await told(planId, 'countPlan.reopened')).toBe(1);
    await record(planId, 'bo', [[SOAP, 12]]);
    await step(planId, 'approve');
    const late = await recount(planId, [SOAP]);
    expect([late.status, (late.body as Members)['state']]).toEqual([409, 'APPROVED']);
  });
});

describe('an approval', () => {
  it('posts the last count of each line, as a count of the same id, once', async () => {
    await stocked();
    const planId = await open();
    await record(planId, 'ana', [
      [SOAP, 3],
      [MUG, 7],
    ]);
    await record(planId, 'bo', [[SOAP, 11]]);
    const before = await read(planId);
    expect(lineOf(before, SOAP)).toMatchObject({
      firstBy: 'ana',
      firstCounted: 3,
      secondBy: 'bo',
      secondCounted: 11,
      difference: -1,
    } satisfies Partial<CountPlanLine>);
    expect((await levelOf(town, SOAP)).shelf).toBe(12);
    const answers = await Promise.all([step(planId, 'approve'), step(planId, 'approve')]);
    expect(answers.map(({ status, body }) => [status, body['state']])).toEqual([
      [200, 'APPROVED'],
      [200, 'APPROVED'],
    ]);
    expect((await levelOf(town, SOAP)).shelf).toBe(11);
    expect((await movesOf(town, SOAP)).at(-1)).toBe('SHELF > COUNT 1 COUNT');
    const transactions = (await town.client.get(`${NODE}/stock/transactions?limit=500`)).body as unknown as {
      transactions: Members[];
    };
    expect(transactions.transactions.filter(({ reference }) => reference === planId)).toMatchObject([
      { type: 71, itemId: SOAP, quantity: -1, userId: 'leo' },
    ]);
    const counts = (await town.client.get(`${NODE}/counts?state=POSTED`)).body as unknown as { counts: Members[] };
    expect(counts.counts.find(({ countId }) => countId === planId)).toMatchObject({ approvedBy: 'leo' });
    expect(await told(planId, 'countPlan.approved')).toBe(1);
  });

  it('leaves goods that moved since the count where they are', async () => {
    await stocked();
    const planId = await open({ secondCount: 'NEVER' });
    const plan = await read(planId);
    await town.picked('STORE_PICK_UP', [2]);
    await record(
      planId,
      'ana',
      [
        [SOAP, 11],
        [MUG, 7],
      ],
      plan,
    );
    await step(planId, 'approve');
    expect((await placesOf(town, SOAP)).slice(0, 2)).toEqual([9, 2]);
  });

  it('posts a correction of the ledger once, also if a count has posted it before', async () => {
    await stocked();
    const planId = await open({ secondCount: 'NEVER' });
    await record(planId, 'ana', [
      [SOAP, 9],
      [MUG, 7],
    ]);
    const other = await count(town, SOAP, 9);
    await town.client.post(`${NODE}/counts/${(other.body as { countId: string }).countId}/approve`, { userId: 'leo' });
    await step(planId, 'approve');
    expect((await levelOf(town, SOAP)).shelf).toBe(9);
  });

  it('opens the ledger of an item that was never counted', async () => {
    await located(LAMP, 'Q-1');
    const { planId } = (await make({ type: 'BINS', bins: ['Q-'] })).body as { planId: string };
    await step(planId, 'open');
    await record(planId, 'ana', [[LAMP, 4]]);
    await step(planId, 'approve');
    expect((await movesOf(town, LAMP)).at(-1)).toBe('OPENING > SHELF 4 OPENING');
  });
});

describe('the states of a plan', () => {
  it('reject what is too early or too late, and say the state', async () => {
    await stocked();
    const { planId } = (await make({ type: 'BINS', bins: ['Q-'] }, { secondCount: 'NEVER' })).body as {
      planId: string;
    };
    const states: unknown[] = [];
    const tried = async (answer: Promise<{ status: number; body?: unknown }>) => {
      const { status, body } = await answer;
      states.push([status, (body as Members | undefined)?.['state']]);
    };
    await tried(step(planId, 'approve'));
    await tried(record(planId, 'ana', [[SOAP, 12]]));
    await tried(step(planId, 'open'));
    await tried(step(planId, 'open'));
    await tried(step(planId, 'approve'));
    await tried(
      record(planId, 'ana', [
        [SOAP, 12],
        [MUG, 7],
      ]),
    );
    await tried(step(planId, 'open'));
    await tried(record(planId, 'bo', [[SOAP, 12]]));
    await tried(step(planId, 'approve'));
    await tried(step(planId, 'discard'));
    expect(states).toEqual([
      [409, 'DRAFT'],
      [409, 'DRAFT'],
      [200, 'OPEN'],
      [200, 'OPEN'],
      [409, 'OPEN'],
      [201, 'COUNTED'],
      [409, 'COUNTED'],
      [409, 'COUNTED'],
      [200, 'APPROVED'],
      [409, 'APPROVED'],
    ]);
  });

  it('end by a discard, which posts nothing and frees the id', async () => {
    await stocked();
    const planId = await open();
    await record(planId, 'ana', [[SOAP, 3]]);
    expect((await step(planId, 'discard')).status).toBe(204);
    expect((await step(planId, 'discard')).status).toBe(404);
    expect((await levelOf(town, SOAP)).shelf).toBe(12);
    expect(await told(planId, 'countPlan.discarded')).toBe(1);
    expect((await town.client.post(PLANS, { planId, userId: 'leo', rule: { type: 'MOVED_MOST' } })).status).toBe(201);
  });

  it('free the ids of their counts with a discard, also those of counts that were repeated', async () => {
    await stocked();
    const round = async () => {
      const rule = { type: 'BINS', bins: ['Q-1'] };
      const made = await town.client.post(PLANS, { planId: 'again', userId: 'leo', rule, secondCount: 'NEVER' });
      expect(made.status, made.text).toBe(201);
      await step('again', 'open');
      const counted = async (countId: string) => {
        const lines = [{ itemId: SOAP, counted: 3, revision: 3 }];
        const body = { countId, userId: 'ana', lines };
        return (await town.client.post(`${PLANS}/again/counts`, body)).status;
      };
      const first = await counted('again-1');
      const lines = [{ itemId: SOAP }];
      const reopened = await town.client.post(`${PLANS}/again/recount`, { userId: 'leo', lines });
      expect(reopened.status, reopened.text).toBe(200);
      expect([first, await counted('again-2'), await counted('again-1')]).toEqual([201, 201, 200]);
      expect((await step('again', 'discard')).status).toBe(204);
    };
    await round();
    await round();
  });

  it('begin once for an id, which no count has', async () => {
    await stocked();
    const body = { planId: 'same', userId: 'leo', rule: { type: 'MOVED_MOST' } };
    const all = await Promise.all(Array.from({ length: 4 }, () => town.client.post(PLANS, body)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    expect((await town.client.post(PLANS, { ...body, rule: { type: 'NEVER_COUNTED' } })).status).toBe(409);
    const taken = await town.client.post(`${NODE}/counts`, {
      countId: 'same',
      userId: 'cleo',
      lines: [{ itemId: SOAP, counted: 12, revision: 3 }],
    });
    expect(taken.status).toBe(409);
  });

  it('list by state, a page at a time', async () => {
    await stocked();
    await open();
    await make({ type: 'BINS', bins: ['Q-'] });
    const listed = async (query: string) =>
      ((await town.client.get(`${PLANS}?${query}`)).body as unknown as { plans: CountPlan[]; next?: string }).plans;
    expect((await listed('state=OPEN')).length).toBe(1);
    expect((await listed('limit=1')).length).toBe(1);
    expect((await listed('')).map(({ totals }) => totals.lines)).toEqual([2, 2]);
  });

  it('have the numbers of their lines in the list, which the database counts', async () => {
    await stocked();
    const approved = await open({ secondCount: 'NEVER' });
    await record(approved, 'cleo', [
      [SOAP, 12],
      [MUG, 4],
    ]);
    expect((await step(approved, 'approve')).status).toBe(200);
    const partly = await open({ secondCount: 'NEVER' });
    await record(partly, 'cleo', [[SOAP, 12]]);
    await make({ type: 'BINS', bins: ['Q-'] });
    const results: unknown[][] = [];
    const end = watchReads(town.store, (sql, { rows }) => {
      if (sql.includes('from "count_plan_lines"')) results.push(rows);
    });
    const { plans: listed } = (await town.client.get(PLANS)).body as unknown as { plans: CountPlan[] };
    end();
    expect(listed.map(({ state, totals }) => [state, ...Object.values(totals)])).toEqual([
      ['APPROVED', 2, 0, 0, 2],
      ['OPEN', 2, 1, 0, 1],
      ['DRAFT', 2, 2, 0, 0],
    ]);
    expect(results.map((rows) => rows.length)).toEqual([1, 3]);
    const plans = await plansOf(town.store, 'count_plans', () => town.client.get(`${PLANS}?state=COUNTED`));
    if (town.store.engine === 'sqlite') expect(plans).toEqual([expect.stringContaining('count_plans_at_work')]);
  });
});

describe('the people of a plan', () => {
  it('are a lead who makes and approves it and an associate who counts in her own name', async () => {
    await stocked();
    const lead = await town.signIn('lead');
    const associate = await town.signIn('associate');
    const body = { planId: 'own', rule: { type: 'BINS', bins: ['Q-'] }, secondCount: 'NEVER' };
    expect((await associate.post(PLANS, body)).status).toBe(403);
    expect((await lead.post(PLANS, body)).status).toBe(201);
    expect((await associate.post(`${PLANS}/own/open`, {})).status).toBe(403);
    expect((await lead.post(`${PLANS}/own/open`, {})).status).toBe(200);
    const { lines } = (await associate.get(`${PLANS}/own`)).body as unknown as CountPlan;
    const counts = { countId: 'c-1', lines: lines.map(({ itemId, revision }) => ({ itemId, counted: 1, revision })) };
    expect((await lead.post(`${PLANS}/own/counts`, { ...counts, userId: 'ana' })).status).toBe(403);
    expect((await associate.post(`${PLANS}/own/counts`, counts)).status).toBe(201);
    expect((await associate.get(`${PLANS}/own`)).text).not.toMatch(/difference|Counted/);
    expect((await lead.get(`${PLANS}/own`)).text).toMatch(/difference/);
    expect((await associate.post(`${PLANS}/own/approve`, {})).status).toBe(403);
    expect((await lead.post(`${PLANS}/own/approve`, {})).status).toBe(200);
  });

  it('find no plans at a node that keeps no stock, and none of another node', async () => {
    await stocked();
    const planId = await open();
    const other = `${TOWN}/nodes/TOWN-DC001/countPlans`;
    const body = { planId: 'x', userId: 'leo', rule: { type: 'NEVER_COUNTED' } };
    expect((await town.client.post(other, body)).status).toBe(409);
    expect((await town.client.get(`${other}/${planId}`)).status).toBe(404);
  });
});
