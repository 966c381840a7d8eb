import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveTicket } from '../../src/kernel/tickets/rows.ts';
import { saveOrder } from '../../src/kernel/write.ts';
import type { Writer } from '../../src/platform/storage/db.ts';
import type { Answer } from '../support/backroom.ts';
import { allFound, found, GENERATE, generateBody, openPicking, type Picking, UPDATE, WHERE } from './picking.ts';

let town: Picking;
beforeAll(async () => {
  town = await openPicking();
});
afterAll(() => town.close());

const mugs = (count = 1) => town.order({ lines: [['MUG-WHT', count]] });

/** Returns the statuses, sorted. */
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

async function eventTypes(pickTicketId: string): Promise<string[]> {
  return (await town.events('pickTicket', pickTicketId)).map(({ type }) => type);
}

describe('concurrent generates', () => {
  it('16 on overlapping orders: each order is on exactly one ticket, and the others get the ticket that has it', async () => {
    const orders: string[] = [];
    for (let count = 0; count < 12; count += 1) orders.push(await mugs());
    const sets = Array.from({ length: 16 }, (_unused, index) =>
      [0, 1, 5].map((step) => orders[(index * 2 + step) % orders.length]!),
    );
    const answers = await Promise.all(
      sets.map((ids, index) => town.client.post(GENERATE, generateBody(ids, { userId: `picker-${index}` }))),
    );
    expect(new Set(statuses(answers))).toEqual(new Set([201, 409]));

    const holders = new Map<string, { pickTicketId: string; userId: string }>();
    for (const [index, answer] of answers.entries()) {
      if (answer.status !== 201) continue;
      const { pickTicketId } = answer.body.pickTicketDetails[0] as { pickTicketId: string };
      for (const orderId of sets[index]!) {
        expect(holders.has(orderId), `${orderId} is on two tickets`).toBe(false);
        holders.set(orderId, { pickTicketId, userId: `picker-${index}` });
      }
    }
    for (const orderId of orders) {
      const row = await town.row(orderId);
      const holder = holders.get(orderId);
      expect([row.status, row.pick_ticket_id]).toEqual(holder ? [1150, holder.pickTicketId] : [1100, null]);
    }
    for (const [index, answer] of answers.entries()) {
      if (answer.status !== 409) continue;
      const named = answer.body.orders as { fulfillmentOrderId: string; pickTicketId: string; userId: string }[];
      expect(named.length).toBeGreaterThan(0);
      for (const { fulfillmentOrderId, pickTicketId, userId } of named) {
        expect(sets[index]).toContain(fulfillmentOrderId);
        expect({ pickTicketId, userId }).toEqual(holders.get(fulfillmentOrderId));
      }
      expect(holders.get(named[0]!.fulfillmentOrderId)?.pickTicketId).toBe(answer.body.pickTicketId);
    }
  });

  it('of one order: one ticket, and no row of the others remains', async () => {
    const orderId = await mugs();
    const answers = await Promise.all(Array.from({ length: 8 }, () => town.generate([orderId])));
    expect(statuses(answers)).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    const tickets = await town.store.read((db) =>
      db
        .selectFrom('pick_ticket_lines')
        .select('pick_ticket_id')
        .where('client_id', '=', 'TOWN')
        .where('fulfillment_order_id', '=', orderId)
        .execute(),
    );
    expect(tickets).toEqual([{ pick_ticket_id: (await town.row(orderId)).pick_ticket_id }]);
  });

  it('with one Idempotency-Key: one ticket', async () => {
    const orderId = await mugs();
    const send = () => town.client.post(GENERATE, generateBody([orderId]), { 'idempotency-key': 'race' });
    const answers = await Promise.all([send(), send(), send(), send()]);
    for (const answer of answers) expect([201, 409]).toContain(answer.status);
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect((await send()).text).toBe(made[0]!.text);
  });
});

describe('concurrent closes of a ticket', () => {
  it('CONFIRM against RESET: one succeeds, the other is 409, and the orders match the one that succeeded', async () => {
    for (let round = 0; round < 8; round += 1) {
      const orderId = await mugs(2);
      const ticket = await town.ticket([orderId]);
      const calls = [() => town.confirm(ticket), () => town.reset(ticket)];
      if (round % 2 === 1) calls.reverse();
      const answers = await Promise.all(calls.map((call) => call()));
      expect(statuses(answers)).toEqual([204, 409]);
      const [line] = await town.lines(orderId);
      const { outcome } = await town.ticketRow(ticket.pickTicketId);
      const confirmed = outcome === 'CONFIRMED';
      expect((await town.row(orderId)).status).toBe(confirmed ? 1400 : 1100);
      expect(line?.picked).toBe(confirmed ? 2 : 0);
      expect(await eventTypes(ticket.pickTicketId)).toEqual([
        'pickTicket.generated',
        confirmed ? 'pickTicket.confirmed' : 'pickTicket.reset',
      ]);
    }
  });

  it('two CONFIRMs of the same content: both 204, the units are counted once', async () => {
    const orderId = await mugs(3);
    const ticket = await town.ticket([orderId]);
    const answers = await Promise.all([town.confirm(ticket), town.confirm(ticket), town.confirm(ticket)]);
    expect(statuses(answers)).toEqual([204, 204, 204]);
    expect((await town.lines(orderId))[0]).toMatchObject({ picked: 3, declined: 0 });
    expect(await eventTypes(ticket.pickTicketId)).toEqual(['pickTicket.generated', 'pickTicket.confirmed']);
  });

  it('two CONFIRMs of different content: one 204, one 409, and the units are those of the 204', async () => {
    const orderId = await mugs(3);
    const ticket = await town.ticket([orderId]);
    const [item] = ticket.pickTicketItems;
    const answers = await Promise.all([1, 2].map((units) => town.confirm(ticket, [found(item!, units)])));
    expect(statuses(answers)).toEqual([204, 409]);
    const winner = answers.findIndex(({ status }) => status === 204) + 1;
    expect((await town.lines(orderId))[0]).toMatchObject({ picked: winner, declined: 3 - winner });
  });

  it('RESET while others generate: the order goes to at most one new ticket', async () => {
    const orderId = await mugs();
    const ticket = await town.ticket([orderId]);
    const answers = await Promise.all([
      town.generate([orderId]),
      town.reset(ticket),
      town.generate([orderId]),
      town.generate([orderId]),
    ]);
    expect(answers[1].status).toBe(204);
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeLessThanOrEqual(1);
    const expected = (made[0]?.body.pickTicketDetails as { pickTicketId: string }[] | undefined)?.[0]?.pickTicketId;
    expect((await town.row(orderId)).pick_ticket_id).toBe(expected ?? null);
  });
});

describe('the guarded statements after a stale read', () => {
  const ctx = (db: Writer) => ({ db, dialect: town.store.dialect, now: town.clock.now });

  it('move an order once: a writer with a stale read changes nothing', async () => {
    const orderId = await mugs();
    const before = await town.row(orderId);
    await town.ticket([orderId]);
    const after = await town.row(orderId);
    const stale = town.store.write((db) => saveOrder(ctx(db), before, { pin_attempts: 1 }));
    await expect(stale).rejects.toThrow('a locked order was changed');
    expect(await town.row(orderId)).toEqual(after);
  });

  it('close a ticket once: a writer with a stale read gets an error that another was first', async () => {
    const ticket = await town.ticketRow((await town.ticket([await mugs()])).pickTicketId);
    const closed = { status: 'CLOSED' as const, outcome: 'RESET' as const, closed_at: town.clock.now, revision: 2 };
    const close = () => town.store.write((db) => saveTicket(ctx(db), ticket, closed));
    expect([await close(), await close()]).toEqual([true, false]);
  });
});

const SKUS = ['MUG-WHT', 'SOAP-LAV', 'TEE-RED-M'] as const;
const wish = fc.record({
  orders: fc.array(
    fc.array(fc.tuple(fc.constantFrom(...SKUS), fc.integer({ min: 1, max: 6 }), fc.constantFrom(1, 2.5)), {
      minLength: 1,
      maxLength: 4,
    }),
    { minLength: 1, maxLength: 5 },
  ),
  shares: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
});

it('units are conserved over any ticket and short pick: ordered = open + picked + declined on every line, and the state of each order matches its units', async () => {
  await fc.assert(
    fc.asyncProperty(wish, async ({ orders, shares }) => {
      const ids: string[] = [];
      for (const lines of orders) {
        town.clock.now += 60_000;
        ids.push(await town.order({ lines }));
      }
      const ticket = await town.ticket(ids);
      const units = ticket.pickTicketItems.map((item, index) => Math.floor(shares[index]! * (item.quantity + 0.999)));
      const items = ticket.pickTicketItems.map((item, index) => found(item, units[index]!));
      expect((await town.confirm(ticket, items)).status).toBe(204);

      const rows = (await Promise.all(ids.map((orderId) => town.lines(orderId)))).flat();
      for (const row of rows) expect(row.picked + row.declined).toBe(row.ordered);
      const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);
      expect(sum(rows.map((row) => row.picked))).toBe(sum(units));
      expect(sum(rows.map((row) => row.ordered))).toBe(ticket.totalQuantity);
      for (const [index, item] of ticket.pickTicketItems.entries()) {
        const price = String((item as unknown as { unitPrice: number }).unitPrice);
        const own = rows.filter((row) => row.item_id === item.itemDetails.itemId && row.unit_price === price);
        expect(sum(own.map((row) => row.picked))).toBe(units[index]);
      }
      for (const orderId of ids) {
        const own = rows.filter((row) => row.fulfillment_order_id === orderId);
        expect((await town.row(orderId)).status).toBe(own.some((row) => row.picked > 0) ? 1400 : 9000);
      }
      const onTicket = await town.store.read((db) =>
        db
          .selectFrom('pick_ticket_lines')
          .select(['fulfillment_order_id', 'line_index', 'picked', 'canceled'])
          .where('client_id', '=', 'TOWN')
          .where('pick_ticket_id', '=', ticket.pickTicketId)
          .orderBy('fulfillment_order_id')
          .orderBy('line_index')
          .execute(),
      );
      expect(onTicket).toEqual(
        rows.map((row) => ({
          fulfillment_order_id: row.fulfillment_order_id,
          line_index: row.line_index,
          picked: row.picked,
          canceled: row.declined,
        })),
      );
    }),
    { numRuns: 30 },
  );
});

it('a rejected ticket leaves no trace: no ticket, no event, no number used', async () => {
  const count = () =>
    town.store.read((db) =>
      db
        .selectFrom('events')
        .select((eb) => eb.fn.countAll<number>().as('events'))
        .where('client_id', '=', 'TOWN')
        .executeTakeFirstOrThrow(),
    );
  const orderId = await mugs();
  const first = await town.ticket([orderId]);
  const before = await count();
  const free = await mugs();
  const intake = await count();
  expect(intake.events).toBe(before.events + 1);
  expect((await town.generate([free, orderId])).status).toBe(409);
  const wrong = await town.client.put(UPDATE, {
    modifyAssociateId: 'a',
    pickTicketDetails: {
      ...WHERE,
      pickTicketId: first.pickTicketId,
      action: 'CONFIRM',
      userId: 'u',
      holdLocation: 'H',
      pickTicketItems: allFound(first).slice(1).concat({ id: 9, itemId: 'X' }),
    },
  });
  expect(wrong.status).toBe(400);
  expect(await count()).toEqual(intake);
  expect(Number((await town.ticket([free])).pickTicketId)).toBe(Number(first.pickTicketId) + 1);
});
