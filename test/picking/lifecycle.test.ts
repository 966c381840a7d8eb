import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSettings } from '../../src/kernel/settings.ts';
import { PICK_TICKET_STATES, PICK_TICKET_TRANSITIONS, type TicketAction } from '../../src/kernel/tickets/states.ts';
import { lapseTicket } from '../../src/picking/lease.ts';
import type { Ctx } from '../../src/platform/ctx.ts';
import { contextOf } from '../support/context.ts';
import { type Members, NODE, openPicking, type Picking, REASON, type Ticket, WHERE } from './picking.ts';

let town: Picking;
beforeAll(async () => {
  town = await openPicking();
});
afterAll(() => town.close());

/**
 * The expected response, and the ticket after it. Written by hand from docs/interface.md#pick-ticket-states and
 * docs/states.md#pick-tickets.
 */
const table = [
  ['NEW', 'open', 200, 'IN_PROGRESS'],
  ['NEW', 'saveProgress', 200, 'IN_PROGRESS'],
  ['NEW', 'takeOver', 200, 'NEW'],
  ['NEW', 'CONFIRM', 204, 'CONFIRMED'],
  ['NEW', 'RESET', 204, 'RESET'],
  ['NEW', 'lapse', 409, 'NEW'],
  ['NEW', 'correct', 409, 'NEW'],
  ['IN_PROGRESS', 'open', 200, 'IN_PROGRESS'],
  ['IN_PROGRESS', 'saveProgress', 200, 'IN_PROGRESS'],
  ['IN_PROGRESS', 'takeOver', 200, 'IN_PROGRESS'],
  ['IN_PROGRESS', 'CONFIRM', 204, 'CONFIRMED'],
  ['IN_PROGRESS', 'RESET', 204, 'RESET'],
  ['IN_PROGRESS', 'lapse', 204, 'RESET'],
  ['IN_PROGRESS', 'correct', 409, 'IN_PROGRESS'],
  ['CONFIRMED', 'open', 200, 'CONFIRMED'],
  ['CONFIRMED', 'saveProgress', 409, 'CONFIRMED'],
  ['CONFIRMED', 'takeOver', 409, 'CONFIRMED'],
  ['CONFIRMED', 'CONFIRM', 204, 'CONFIRMED'],
  ['CONFIRMED', 'RESET', 409, 'CONFIRMED'],
  ['CONFIRMED', 'lapse', 409, 'CONFIRMED'],
  ['CONFIRMED', 'correct', 200, 'CONFIRMED'],
  ['RESET', 'open', 200, 'RESET'],
  ['RESET', 'saveProgress', 409, 'RESET'],
  ['RESET', 'takeOver', 409, 'RESET'],
  ['RESET', 'CONFIRM', 409, 'RESET'],
  ['RESET', 'RESET', 204, 'RESET'],
  ['RESET', 'lapse', 409, 'RESET'],
  ['RESET', 'correct', 409, 'RESET'],
] as const;

type State = (typeof table)[number][0];

async function ticketIn(state: State): Promise<Ticket> {
  const ticket = await town.ticket([await town.order({ lines: [['MUG-WHT', 1]] })]);
  if (state === 'CONFIRMED') await town.confirm(ticket);
  if (state === 'RESET') await town.reset(ticket);
  if (state === 'IN_PROGRESS') await act.open(ticket);
  return ticket;
}

const own = (ticket: Ticket, what: string, body: Members) =>
  town.client.post(`/operator/v1${NODE}/pickTickets/${ticket.pickTicketId}/${what}`, body);

/** Sends each action as a client does; a ticket lapses when the clock passes the end of the lease. */
const act: Record<TicketAction, (ticket: Ticket) => Promise<{ status: number }>> = {
  open: ({ pickTicketId }) => town.client.post(`${NODE}/pickTickets/${pickTicketId}`, { ...WHERE, pickTicketId }),
  saveProgress: (ticket) => own(ticket, 'scans', { userId: 'picker', scans: [{ scanId: 'a', id: 1 }] }),
  takeOver: (ticket) => own(ticket, 'takeOver', { fromUserId: 'picker', userId: 'second', modifyAssociateId: 'lead' }),
  correct: (ticket) =>
    own(ticket, 'correct', {
      correctionId: 'c',
      userId: 'lead',
      reason: 'keyed twice',
      pickTicketItems: [{ id: 1, pickedQuantity: 0, cancellationReasonCode: REASON }],
    }),
  CONFIRM: (ticket) => town.confirm(ticket),
  RESET: (ticket) => town.reset(ticket),
  lapse: async (ticket) => {
    town.clock.now += 200 * 60_000;
    const row = await town.ticketRow(ticket.pickTicketId);
    const lapsed = await town.store.write(async (db) =>
      lapseTicket(contextOf(town, db) as Ctx, await findSettings(db, 'TOWN'), row),
    );
    return { status: lapsed ? 204 : 409 };
  },
};

describe('pick ticket states', () => {
  it.each(table)('%s: %s returns %i and leaves the ticket %s', async (state, action, status, after) => {
    const ticket = await ticketIn(state);
    const answer = await act[action](ticket);
    expect(answer.status).toBe(status);
    const row = await town.ticketRow(ticket.pickTicketId);
    expect(row.outcome ?? row.status).toBe(after);
  });

  it('are all in the table, with every action', () => {
    const cells = PICK_TICKET_STATES.flatMap((state) =>
      Object.keys(PICK_TICKET_TRANSITIONS[state]).map((action) => `${state} ${action}`),
    );
    expect(cells.sort()).toEqual(table.map(([state, action]) => `${state} ${action}`).sort());
  });
});
