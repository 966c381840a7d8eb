import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Flow, openFlow } from '../orders/flow.ts';
import { eventsOf, faultsOf } from '../provisioning/support.ts';
import { brokenRules, count, keepStock, levelOf, NODE, NODE_ID, putSettings, SOAP } from './stock.ts';

const MUG = '21-MUG-WHT';
const REASON = 'Half of the shelf was not counted';

let town: Flow;
beforeEach(async () => {
  town = await openFlow();
  await keepStock(town, NODE_ID);
  await count(town, SOAP, 10);
  await count(town, MUG, 6);
});
afterEach(async () => {
  expect(await brokenRules(town)).toEqual([]);
  await town.close();
});

const approve = (countId: string) => town.client.post(`${NODE}/counts/${countId}/approve`, { userId: 'leo' });
const reject = (countId: string, body: object = { userId: 'leo', reason: REASON }) =>
  town.client.post(`${NODE}/counts/${countId}/reject`, body);
const idOf = (answer: { body: unknown }) => (answer.body as { countId: string }).countId;
const wanted = async () =>
  ((await town.client.get(`${NODE}/counts/wanted`)).body as { wanted: { itemId: string; cause: string }[] }).wanted;
const listed = async (state: string) =>
  ((await town.client.get(`${NODE}/counts?state=${state}`)).body as { counts: { countId: string }[] }).counts.map(
    ({ countId }) => countId,
  );
const rejections = (countId: string) => eventsOf(town, 'count', `${NODE_ID}/${countId}`);

describe('the rejection of a count', () => {
  it('posts nothing, says who and why, and brings the item back to those to count', async () => {
    const countId = idOf(await count(town, SOAP, 3));
    const rejected = await reject(countId);
    expect(rejected.status, rejected.text).toBe(200);
    expect(rejected.body).toMatchObject({
      state: 'REJECTED',
      rejectedBy: 'leo',
      rejectReason: REASON,
      lines: [{ itemId: SOAP, state: 'REJECTED', difference: -7 }],
    });
    expect((await levelOf(town, SOAP)).shelf).toBe(10);
    expect(await wanted()).toMatchObject([{ itemId: SOAP, cause: 'COUNT_REJECTED' }]);
    expect([await listed('WAITING'), await listed('REJECTED')]).toEqual([[], [countId]]);
    expect(await listed('POSTED')).not.toContain(countId);
    expect(await rejections(countId)).toMatchObject([
      {
        type: 'count.rejected',
        data: { nodeId: NODE_ID, countId, userId: 'leo', reason: REASON, lines: [{ itemId: SOAP, difference: -7 }] },
      },
    ]);
    await count(town, SOAP, 10);
    expect(await wanted()).toEqual([]);
  });

  it('is the same again, and is recorded once', async () => {
    const countId = idOf(await count(town, SOAP, 3));
    const answers = await Promise.all([reject(countId), reject(countId), reject(countId)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await reject(countId, { userId: 'mara', reason: 'other' })).body).toMatchObject({ rejectedBy: 'leo' });
    expect(await rejections(countId)).toHaveLength(1);
  });

  it('leaves the lines of the count that were posted', async () => {
    await putSettings(town, { stock: { countTolerance: { units: 2 } } });
    const revisions = await Promise.all([SOAP, MUG].map(async (itemId) => (await levelOf(town, itemId)).revision));
    const sent = await town.client.post(`${NODE}/counts`, {
      countId: 'both',
      userId: 'cleo',
      lines: [
        { itemId: SOAP, counted: 2, revision: revisions[0] },
        { itemId: MUG, counted: 5, revision: revisions[1] },
      ],
    });
    expect(sent.body).toMatchObject({ state: 'WAITING', lines: [{ state: 'WAITING' }, { state: 'POSTED' }] });
    expect((await reject('both')).body).toMatchObject({
      state: 'REJECTED',
      lines: [{ state: 'REJECTED' }, { state: 'POSTED' }],
    });
    expect([(await levelOf(town, SOAP)).shelf, (await levelOf(town, MUG)).shelf]).toEqual([10, 5]);
    expect((await wanted()).map(({ itemId }) => itemId)).toEqual([SOAP]);
  });

  it('needs a count that waits, and a reason with words of at most 200 characters', async () => {
    const posted = await reject(idOf(await count(town, SOAP, 10)));
    expect([posted.status, posted.body]).toMatchObject([409, { state: 'POSTED' }]);
    const countId = idOf(await count(town, SOAP, 3));
    expect(faultsOf(await reject(countId, { userId: 'leo' }))).toEqual(['/reason required']);
    expect(faultsOf(await reject(countId, { userId: 'leo', reason: '  ' }))).toEqual(['/reason pattern']);
    expect(faultsOf(await reject(countId, { userId: 'leo', reason: 'x'.repeat(201) }))).toEqual(['/reason maxLength']);
    expect((await reject('none')).status).toBe(404);
    expect((await reject(countId, { userId: 'leo', reason: 'x'.repeat(200) })).status).toBe(200);
    const approved = await approve(countId);
    expect([approved.status, approved.body]).toMatchObject([409, { state: 'REJECTED' }]);
    expect((await levelOf(town, SOAP)).shelf).toBe(10);
  });

  it('is decided once against an approval at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const before = (await levelOf(town, SOAP)).shelf;
      const countId = idOf(await count(town, SOAP, before + 4));
      const [approved, rejected] = await Promise.all([approve(countId), reject(countId)]);
      expect([approved.status, rejected.status].sort()).toEqual([200, 409]);
      expect((await levelOf(town, SOAP)).shelf).toBe(approved.status === 200 ? before + 4 : before);
    }
  });

  it('does not ask for another count of an item that was counted since', async () => {
    const countId = idOf(await count(town, SOAP, 3));
    town.clock.now += 60_000;
    await count(town, SOAP, 10);
    await reject(countId);
    expect(await wanted()).toEqual([]);
  });
});

describe('the approval of an older count', () => {
  it('is rejected after a newer count was posted, and names it', async () => {
    const { revision } = await levelOf(town, SOAP);
    const older = idOf(await count(town, SOAP, 4, { revision }));
    town.clock.now += 60_000;
    const newer = idOf(await count(town, SOAP, 12));
    expect((await approve(newer)).status).toBe(200);
    const refused = await approve(older);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { itemId: SOAP, newerCountId: newer, state: 'WAITING' },
    ]);
    expect((await levelOf(town, SOAP)).shelf).toBe(12);
    expect((await reject(older)).status).toBe(200);
  });

  it('is rejected also if the newer count agreed with the ledger at the same revision', async () => {
    const { revision } = await levelOf(town, SOAP);
    const older = idOf(await count(town, SOAP, 4, { revision }));
    town.clock.now += 60_000;
    const newer = idOf(await count(town, SOAP, 10, { revision }));
    expect((await approve(older)).body).toMatchObject({ newerCountId: newer });
    expect((await levelOf(town, SOAP)).shelf).toBe(10);
  });

  it('is not blocked by a count plan whose line was counted earlier, even if the plan was approved later', async () => {
    const plan = {
      planId: 'shelf-walk',
      userId: 'leo',
      rule: { type: 'ITEMS' },
      secondCount: 'NEVER',
    };
    const PLAN = `${NODE}/countPlans/shelf-walk`;
    expect((await town.client.post(`${NODE}/countPlans`, plan)).status).toBe(201);
    await town.client.post(`${PLAN}/lines`, { userId: 'leo', add: [{ itemId: SOAP }] });
    expect((await town.client.post(`${PLAN}/open`, { userId: 'leo' })).status).toBe(200);
    const { revision } = await levelOf(town, SOAP);
    const lines = [{ itemId: SOAP, counted: 9, revision }];
    expect((await town.client.post(`${PLAN}/counts`, { countId: 'walk-1', userId: 'ana', lines })).status).toBe(201);
    town.clock.now += 60_000;
    const later = idOf(await count(town, SOAP, 12, { revision }));
    town.clock.now += 60_000;
    expect((await town.client.post(`${PLAN}/approve`, { userId: 'leo' })).status).toBe(200);
    town.clock.now += 60_000;
    const approved = await approve(later);
    expect(approved.status, approved.text).toBe(200);
  });

  it('posts nothing twice if the newer count found the same error, and is not blocked then', async () => {
    const { revision } = await levelOf(town, SOAP);
    const older = idOf(await count(town, SOAP, 8, { revision }));
    town.clock.now += 60_000;
    const newer = idOf(await count(town, SOAP, 8, { revision }));
    expect([(await approve(newer)).status, (await approve(older)).status]).toEqual([200, 200]);
    expect((await levelOf(town, SOAP)).shelf).toBe(8);
  });

  it('goes on after counts of other items, of other places and of an earlier revision', async () => {
    const { revision } = await levelOf(town, SOAP);
    await town.picked('STORE_PICK_UP', [4, 1], [4, 1]);
    const present = idOf(await count(town, SOAP, 3));
    town.clock.now += 60_000;
    await count(town, MUG, 6);
    await approve(idOf(await count(town, SOAP, 1, { place: 'DAMAGED' })));
    await approve(idOf(await count(town, SOAP, 9, { revision })));
    expect((await approve(present)).status).toBe(200);
    expect((await levelOf(town, SOAP)).shelf).toBe(3);
  });

  it('never wins a race with the newer count', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { revision } = await levelOf(town, SOAP);
      const older = idOf(await count(town, SOAP, 100 + round, { revision }));
      town.clock.now += 60_000;
      const newer = idOf(await count(town, SOAP, 50 + round, { revision }));
      const [first, second] = await Promise.all([approve(older), approve(newer)]);
      expect(second.status).toBe(200);
      expect([200, 409]).toContain(first.status);
      expect((await levelOf(town, SOAP)).shelf).toBe(50 + round);
    }
  });

  it('is rejected for a count plan, too: its line is counted again', async () => {
    expect((await town.operator('PUT', `${NODE}/items/${SOAP}`, { pickLocation: 'Q-1' })).status).toBeLessThan(300);
    const rule = { type: 'BINS', bins: ['Q-'] };
    await town.client.post(`${NODE}/countPlans`, { planId: 'p', userId: 'leo', rule, secondCount: 'NEVER' });
    await town.client.post(`${NODE}/countPlans/p/open`, { userId: 'leo' });
    const { revision } = await levelOf(town, SOAP);
    const lines = [{ itemId: SOAP, counted: 4, revision }];
    await town.client.post(`${NODE}/countPlans/p/counts`, { countId: 'p-1', userId: 'cleo', lines });
    town.clock.now += 60_000;
    const newer = idOf(await count(town, SOAP, 12));
    await approve(newer);
    const refused = await town.client.post(`${NODE}/countPlans/p/approve`, { userId: 'leo' });
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { state: 'COUNTED', itemId: SOAP, newerCountId: newer },
    ]);
    expect((await levelOf(town, SOAP)).shelf).toBe(12);
    await town.client.post(`${NODE}/countPlans/p/recount`, { userId: 'leo', lines: [{ itemId: SOAP }] });
    const again = [{ itemId: SOAP, counted: 11, revision: (await levelOf(town, SOAP)).revision }];
    await town.client.post(`${NODE}/countPlans/p/counts`, { countId: 'p-2', userId: 'cleo', lines: again });
    expect((await town.client.post(`${NODE}/countPlans/p/approve`, { userId: 'leo' })).status).toBe(200);
    expect((await levelOf(town, SOAP)).shelf).toBe(11);
  });
});
