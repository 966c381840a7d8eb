import { afterEach, describe, expect, it } from 'vitest';
import { loadTown } from '../../src/service/demo/town.ts';
import { CLOCK, openTimed, type Timed } from '../scheduler/sandbox.ts';
import { openBackroom } from '../support/backroom.ts';
import { openTown, townCall } from '../support/town.ts';

let town: Timed | undefined;
afterEach(async () => {
  await town?.close();
  town = undefined;
});

const faultsOf = (answer: { body: { errors?: { pointer: string; rule: string }[] } }) =>
  answer.body.errors?.map(({ pointer, rule }) => `${pointer} ${rule}`);

describe('the sandbox clock', () => {
  it('does not advance by itself, and shows the next due task', async () => {
    town = await openTimed();
    const orderId = await town.order({ lines: [['MUG-WHT', 1]] });
    const read = await town.operator('GET', CLOCK);
    expect(read.body).toEqual({
      now: '2026-03-02T16:00:00+00:00',
      next: { at: '2026-03-02T16:33:00+00:00', kind: 'order agenda', clientId: 'TOWN', id: orderId },
    });
    expect((await town.operator('GET', CLOCK)).body).toEqual(read.body);
  });

  it('moves to the next due task, one after another, until none is left', async () => {
    town = await openTimed();
    await town.order({ lines: [['MUG-WHT', 1]] });
    const first = await town.advance({ next: true });
    expect(first.body).toMatchObject({ now: '2026-03-02T16:33:00+00:00', next: { at: '2026-03-02T16:45:00+00:00' } });
    const second = await town.advance({ next: true });
    expect(second.body).toEqual({ now: '2026-03-02T16:45:00+00:00' });
    const third = await town.advance({ next: true });
    expect([third.status, third.body.code]).toEqual([409, 'CONFLICT']);
  });

  it('runs each task on the way at its own instant, in order of time', async () => {
    town = await openTimed();
    const first = await town.order({ lines: [['MUG-WHT', 1]] });
    await town.advance({ advanceBy: 60 });
    const second = await town.order({ lines: [['MUG-WHT', 1]] });
    await town.advance({ advanceBy: 86_400 });
    const { body } = await town.search();
    const alerts = body.alerts as { fulfillmentOrderId: string; generatedOnDate: string }[];
    expect(alerts.map((alert) => [alert.fulfillmentOrderId, alert.generatedOnDate.slice(11, 16)])).toEqual([
      [first, '16:33'],
      [second, '16:34'],
      [first, '16:45'],
      [second, '16:46'],
    ]);
  });

  it('jumps ten years ahead and runs every due task', async () => {
    town = await openTimed();
    const orderId = await town.readyOrder();
    const answer = await town.advance({ advanceBy: 315_576_000 });
    expect(answer.status).toBe(200);
    expect((await town.row(orderId)).queue_id).toBe('WAITING_FOR_REVERSE_PICK');
  });

  it('never goes back, and accepts exactly one of advanceTo, advanceBy and next', async () => {
    town = await openTimed();
    const at = town.clock.now;
    expect(faultsOf(await town.advance({ advanceTo: '2026-03-02T15:59:59Z' }))).toEqual(['/advanceTo minimum']);
    expect(faultsOf(await town.advance({ advanceBy: -1 }))).toEqual(['/advanceBy minimum']);
    expect(faultsOf(await town.advance({ advanceBy: 0 }))).toEqual(['/advanceBy minimum']);
    expect(faultsOf(await town.advance({ advanceBy: 315_576_001 }))).toEqual(['/advanceBy maximum']);
    expect(faultsOf(await town.advance({ next: false }))).toEqual(['/next enum']);
    expect(faultsOf(await town.advance({}))).toEqual([' oneWay']);
    expect(faultsOf(await town.advance({ advanceBy: 1, next: true }))).toEqual([' oneWay']);
    expect(town.clock.now).toBe(at);
    expect((await town.advance({ advanceTo: '2026-03-02T16:00:00Z' })).status).toBe(200);
    expect(town.clock.now).toBe(at);
  });

  it('adds up concurrent requests to advance', async () => {
    town = await openTimed();
    const at = town.clock.now;
    await Promise.all(Array.from({ length: 5 }, () => town!.advance({ advanceBy: 10 })));
    expect(town.clock.now).toBe(at + 50_000);
  });

  it('is not available (409) if the service runs on the system clock', async () => {
    const plain = await openTown({ upTo: 'catalog', sandbox: false });
    const answers = [await plain.operator('GET', CLOCK), await plain.operator('POST', CLOCK, { next: true })];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'CONFLICT'],
      [409, 'CONFLICT'],
    ]);
    await plain.close();
  });
});

describe('the same script', () => {
  /** Runs half a year of the small town through HTTP only; returns the event feed as text. */
  async function halfYear(): Promise<string> {
    const sandbox = await openBackroom();
    const { credential } = await loadTown(townCall(sandbox.call), { now: sandbox.clock.now });
    const headers = { apikey: credential.apiKey };
    const where = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
    for (const way of [{ advanceBy: 7_200 }, { next: true }, { advanceTo: '2026-03-20T00:00:00Z' }]) {
      expect((await sandbox.operator('POST', CLOCK, way)).status).toBe(200);
      const search = {
        method: 'POST',
        path: '/stores/TOWN_US/alert/fulfillment/search',
        headers,
        body: where,
      } as const;
      expect((await sandbox.call(search)).status).toBe(200);
    }
    expect((await sandbox.operator('POST', CLOCK, { advanceBy: 200 * 86_400 })).status).toBe(200);
    let text = '';
    for (let after = 0; ; ) {
      const page = await sandbox.operator('GET', `/operator/v1/events?clientId=TOWN&after=${after}`);
      expect(page.status, page.text).toBe(200);
      text += page.text;
      after = page.body.nextAfter as number;
      if (after === page.body.head) break;
    }
    await sandbox.close();
    return text;
  }

  it('produces the same event log, byte for byte', async () => {
    const first = await halfYear();
    for (const type of ['order.pickupReminder', 'order.expired', 'alert.opened']) expect(first).toContain(type);
    expect(await halfYear()).toBe(first);
  });
});
