import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PICK_TICKET_STATES, PICK_TICKET_TRANSITIONS } from '../../src/picking/lifecycle.ts';
import { openPicking, type Picking, type Ticket } from './picking.ts';

let town: Picking;
beforeAll(async () => {
  town = await openPicking();
});
afterAll(() => town.close());

/** The table as the documents say it: design 6 and decision 29. */
const table = [
  ['NEW', 'CONFIRM', 204, 'CONFIRMED'],
  ['NEW', 'RESET', 204, 'RESET'],
  ['IN_PROGRESS', 'CONFIRM', 204, 'CONFIRMED'],
  ['IN_PROGRESS', 'RESET', 204, 'RESET'],
  ['CONFIRMED', 'CONFIRM', 204, 'CONFIRMED'],
  ['CONFIRMED', 'RESET', 409, 'CONFIRMED'],
  ['RESET', 'CONFIRM', 409, 'RESET'],
  ['RESET', 'RESET', 204, 'RESET'],
] as const;

async function ticketIn(state: (typeof table)[number][0]): Promise<Ticket> {
  const ticket = await town.ticket([await town.order({ lines: [['MUG-WHT', 1]] })]);
  if (state === 'CONFIRMED') await town.confirm(ticket);
  if (state === 'RESET') await town.reset(ticket);
  if (state === 'IN_PROGRESS') {
    await town.store.write((tx) =>
      tx
        .updateTable('pick_tickets')
        .set({ status: 'IN_PROGRESS' })
        .where('client_id', '=', 'TOWN')
        .where('pick_ticket_id', '=', ticket.pickTicketId)
        .execute(),
    );
  }
  return ticket;
}

describe('pick ticket states', () => {
  it.each(table)('%s: %s answers %i and leaves the ticket %s', async (state, action, status, after) => {
    const ticket = await ticketIn(state);
    const answer = action === 'CONFIRM' ? await town.confirm(ticket) : await town.reset(ticket);
    expect(answer.status).toBe(status);
    const row = await town.ticketRow(ticket.pickTicketId);
    expect([row.status, row.outcome]).toEqual(['CLOSED', after]);
    expect(row.revision).toBe(2);
  });

  it('are all in the table, with every action', () => {
    const cells = PICK_TICKET_STATES.flatMap((state) =>
      Object.keys(PICK_TICKET_TRANSITIONS[state]).map((action) => `${state} ${action}`),
    );
    expect(cells.sort()).toEqual(table.map(([state, action]) => `${state} ${action}`).sort());
  });
});
