import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/backroom.ts';
import { BY_CUSTOMER, type Flow, OTHER_NODE, openFlow } from './flow.ts';

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
});
afterAll(() => town.close());

const ROUNDS = 3;
const rounds = Array.from({ length: ROUNDS }, (_unused, index) => index);
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

/** Sends sixteen requests that alternate between the two kinds; in even rounds, the first kind begins. */
function sixteen(round: number, one: () => Promise<Answer>, other: () => Promise<Answer>) {
  return Promise.all(Array.from({ length: 16 }, (_unused, index) => ((index + round) % 2 === 0 ? one() : other())));
}

const count = async (orderId: string, type: string) =>
  (await town.events('order', orderId)).filter((event) => event.type === type).length;

describe('a cancellation concurrent with generate', () => {
  it.each(rounds)('16 at once: the ticket has exactly the units that are not canceled', async (round) => {
    const orderId = await town.make('STORE_PICK_UP', [3, 2]);
    const cancel = () => town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 2 }] });
    const answers = await sixteen(round, cancel, () => town.generate([orderId]));
    expect(statuses(answers).filter((status) => status !== 409)).toEqual([...Array<number>(8).fill(200), 201]);
    const made = answers.find(({ status }) => status === 201)!;
    const { totalQuantity } = (made.body as { pickTicketDetails: [{ totalQuantity: number }] }).pickTicketDetails[0];
    const [line] = await town.lines(orderId);
    expect([line!.canceled, line!.canceling].sort()).toEqual([0, 2]);
    expect(totalQuantity).toBe(5 - line!.canceled);
    await town.conserved(orderId);
  });

  it.each(rounds)(
    'of the whole order: either there is no ticket, or its order is marked for cancellation',
    async (round) => {
      const orderId = await town.make('STORE_PICK_UP', [3, 2]);
      const answers = await sixteen(
        round,
        () => town.cancel(orderId),
        () => town.generate([orderId]),
      );
      const tickets = answers.filter(({ status }) => status === 201).length;
      const { status } = await town.row(orderId);
      expect([tickets, status]).toEqual(tickets === 0 ? [0, 9000] : [1, 1150]);
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(8);
      expect((await count(orderId, 'order.canceled')) + (await count(orderId, 'order.cancelRequested'))).toBe(1);
      await town.conserved(orderId);
    },
  );
});

describe('a cancellation concurrent with the end of a ticket', () => {
  it.each(rounds)(
    'CONFIRM, 16 at once: canceled units are removed or brought back, and none is lost',
    async (round) => {
      const orderId = await town.make('STORE_PICK_UP', [3, 2]);
      const ticket = await town.ticket([orderId]);
      const cancel = () => town.cancel(orderId, { lines: [{ webLineId: '1' }] });
      const answers = await sixteen(round, cancel, () => town.pick(ticket, [2, 2]));
      expect(statuses(answers)).toEqual([...Array<number>(8).fill(200), ...Array<number>(8).fill(204)]);
      expect(await town.stands(orderId)).toEqual([1400, 'WAITING_FOR_CUSTOMER_PICK']);
      const [line] = await town.lines(orderId);
      expect([line!.picked, line!.canceling, line!.canceled + line!.declined]).toEqual([2, 2, 1]);
      expect((await town.reverse(orderId)).map((one) => one.total_quantity)).toEqual([2]);
      await town.conserved(orderId);
    },
  );

  it.each(rounds)('RESET, 16 at once: the order is canceled once, whichever call is first', async (round) => {
    const orderId = await town.make('STORE_PICK_UP', [3, 2]);
    const ticket = await town.ticket([orderId]);
    const answers = await sixteen(
      round,
      () => town.cancel(orderId),
      () => town.reset(ticket),
    );
    expect(statuses(answers)).toEqual([...Array<number>(8).fill(200), ...Array<number>(8).fill(204)]);
    expect(await town.stands(orderId)).toEqual([9000, null]);
    expect(await town.units(orderId)).toEqual([
      [0, 0, 0, 3, 0, 0],
      [0, 0, 0, 2, 0, 0],
    ]);
    expect(await count(orderId, 'order.canceled')).toBe(1);
  });
});

describe('concurrent cancellations and other ends of picked units', () => {
  it('16 cancellations of the same units create one reverse ticket', async () => {
    const orderId = await town.picked('STORE_PICK_UP', [3, 2]);
    const cancel = () => town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 2 }] });
    const answers = await sixteen(0, cancel, cancel);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await town.reverse(orderId)).map((one) => one.total_quantity)).toEqual([2]);
    await town.conserved(orderId);
  });

  it('packing the last package while canceling it: the order is shipped, or its canceled units are brought back', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [2]);
    const answers = await Promise.all([town.cancel(orderId), town.pack(orderId, { 1: 2 })]);
    const shipped = (await town.row(orderId)).status === 3700;
    expect(answers.map(({ status }) => status < 300)).toEqual([!shipped, shipped]);
    await town.conserved(orderId);
  });

  it('declines of the same units: each unit is declined once', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [5]);
    const answers = await sixteen(
      0,
      () => town.decline(orderId, { 1: 1 }),
      () => town.decline(orderId, { 1: 1 }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(await town.stands(orderId)).toEqual([9100, null]);
    expect(await town.requestsOf(orderId)).toHaveLength(5);
    await town.conserved(orderId);
  });

  it('two CONFIRMs of a reverse ticket bring the units back once', async () => {
    const orderId = await town.picked('STORE_PICK_UP', [2, 1]);
    await town.cancel(orderId);
    const [ticket] = await town.reverse(orderId);
    const bringBack = () => town.bringBack(ticket!);
    expect(new Set(statuses(await sixteen(0, bringBack, bringBack)))).toEqual(new Set([204]));
    expect(await town.stands(orderId)).toEqual([9000, null]);
    expect(await count(orderId, 'order.broughtBack')).toBe(1);
  });

  it('a decision on a request and the customer’s cancellation: one of them closes the request', async () => {
    const orderId = await town.orderIn('SHIP_TO_HOME', 9100);
    const [request] = await town.requestsOf(orderId);
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, (_unused, index) =>
        town.answer(request!['requestId'], {
          outcome: 'RESOURCE',
          nodeId: OTHER_NODE,
          fulfillmentOrderId: `X${index}`,
        }),
      ),
      ...Array.from({ length: 8 }, () => town.cancel(orderId, { reasonCode: BY_CUSTOMER })),
    ]);
    const resourced = answers.slice(0, 8).filter(({ status }) => status === 200).length;
    const [after] = await town.requestsOf(orderId);
    expect(after!['status']).toBe(resourced === 1 ? 'RESOURCED' : 'CANCELED');
    expect(resourced).toBeLessThanOrEqual(1);
    expect(await town.stands(orderId)).toEqual([resourced > 0 ? 9200 : 9000, null]);
    await town.conserved(orderId);
  });
});
