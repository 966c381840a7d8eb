import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatDateTime } from '../../src/platform/time.ts';
import { allFound, DEL, ISPU, openPicking, type Picking, SFS } from './picking.ts';

const MINUTE_MS = 60_000;

let town: Picking;
beforeAll(async () => {
  town = await openPicking();
});
afterAll(() => town.close());

const mug = () => town.order({ lines: [['MUG-WHT', 1]] });

describe('RESET', () => {
  it('returns 204 without a body and closes the ticket with the outcome RESET', async () => {
    const ticket = await town.ticket([await mug()]);
    const answer = await town.reset(ticket);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await town.ticketRow(ticket.pickTicketId)).toMatchObject({
      status: 'CLOSED',
      outcome: 'RESET',
      closed_at: town.clock.now,
      confirmation_hash: null,
    });
  });

  it('needs only the common fields and ignores the others', async () => {
    const ticket = await town.ticket([await mug()]);
    const more = { holdLocation: 7, orderHoldLocations: 'none', pickTicketItems: 'none' };
    expect((await town.reset(ticket, more)).status).toBe(204);
  });

  it('sent again is 204 and changes nothing', async () => {
    const orderId = await mug();
    const ticket = await town.ticket([orderId]);
    await town.reset(ticket);
    const before = [await town.row(orderId), await town.ticketRow(ticket.pickTicketId)];
    expect((await town.reset(ticket, { userId: 'somebody' })).status).toBe(204);
    expect([await town.row(orderId), await town.ticketRow(ticket.pickTicketId)]).toEqual(before);
    expect(await town.events('pickTicket', ticket.pickTicketId)).toHaveLength(2);
  });

  it('sent again does not affect orders that are on a new ticket', async () => {
    const orderId = await mug();
    const first = await town.ticket([orderId]);
    await town.reset(first);
    const second = await town.ticket([orderId]);
    expect((await town.reset(first)).status).toBe(204);
    expect(await town.row(orderId)).toMatchObject({ status: 1150, pick_ticket_id: second.pickTicketId });
    expect((await town.confirm(second)).status).toBe(204);
  });

  it('after CONFIRM is 409 and says that the orders have moved on', async () => {
    const orderId = await mug();
    const ticket = await town.ticket([orderId]);
    await town.confirm(ticket);
    const before = await town.row(orderId);
    const answer = await town.reset(ticket);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      code: 'CONFLICT',
      pickTicketId: ticket.pickTicketId,
      userId: 'picker',
      since: formatDateTime(town.clock.now),
      outcome: 'CONFIRMED',
    });
    expect(await town.row(orderId)).toEqual(before);
  });

  it('before CONFIRM makes the CONFIRM 409, with the instruction to generate a new ticket', async () => {
    const orderId = await mug();
    const ticket = await town.ticket([orderId]);
    await town.reset(ticket);
    const answer = await town.confirm(ticket, allFound(ticket));
    expect([answer.status, answer.body.outcome]).toEqual([409, 'RESET']);
    expect(answer.body.description).toContain('generate a new ticket');
    expect((await town.row(orderId)).status).toBe(1100);
  });

  it('keeps the audit trail: the user who reset the ticket and the orders that came back', async () => {
    const orderId = await mug();
    const ticket = await town.ticket([orderId]);
    await town.reset(ticket, { userId: 'somebody' });
    expect((await town.events('pickTicket', ticket.pickTicketId)).at(-1)).toEqual({
      type: 'pickTicket.reset',
      revision: 2,
      data: { userId: 'somebody', modifyAssociateId: 'associate', generatedFor: 'picker' },
    });
    expect((await town.events('order', orderId)).at(-1)).toEqual({
      type: 'order.pickReset',
      revision: 3,
      data: {
        pickTicketId: ticket.pickTicketId,
        userId: 'somebody',
        modifyAssociateId: 'associate',
        status: '1100',
        statusName: 'Waiting for pick',
      },
    });
  });
});

const types = [
  ['STORE_PICK_UP', ISPU],
  ['SHIP_TO_HOME', SFS],
  ['ASSOCIATE_DELIVERY', DEL],
] as const;
const wishes = fc.record({
  type: fc.constantFrom(...types),
  /** Minutes before each order. */
  gaps: fc.array(fc.nat(200), { minLength: 1, maxLength: 4 }),
  /** Minutes before each ticket and before its RESET. */
  wait: fc.nat(500),
  rounds: fc.integer({ min: 1, max: 3 }),
  quantity: fc.integer({ min: 1, max: 20 }),
});

it('after generate, any number of times, leaves every row of orders and lines unchanged except for revision and updated_at', async () => {
  await fc.assert(
    fc.asyncProperty(wishes, async ({ type: [type, queueId], gaps, wait, rounds, quantity }) => {
      const ids: string[] = [];
      for (const minutes of gaps) {
        town.clock.now += minutes * MINUTE_MS;
        ids.push(await town.order({ type, lines: [['MUG-WHT', quantity]] }));
      }
      const before = await town.rows();
      const lines = await Promise.all(ids.map((orderId) => town.lines(orderId)));
      for (let round = 0; round < rounds; round += 1) {
        town.clock.now += wait * MINUTE_MS;
        const ticket = await town.ticket(ids, queueId);
        town.clock.now += wait * MINUTE_MS;
        expect((await town.reset(ticket)).status).toBe(204);
      }
      const expected = before.map((row) =>
        ids.includes(row.fulfillment_order_id)
          ? { ...row, revision: row.revision + 2 * rounds, updated_at: town.clock.now }
          : row,
      );
      expect(await town.rows()).toEqual(expected);
      expect(await Promise.all(ids.map((orderId) => town.lines(orderId)))).toEqual(lines);
    }),
    { numRuns: 25 },
  );
});
