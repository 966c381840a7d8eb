import { noTicket } from '../kernel/tickets/refusals.ts';
import { lockTicket } from '../kernel/tickets/rows.ts';
import { advanceTicket } from '../kernel/tickets/write.ts';
import { isWithout } from '../platform/ctx.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { ofTicket, showDetails } from './show.ts';
import { PickTicketOpen, PickTicketOpened } from './ticket-schema.ts';

export const openPickTicket = writeOperation({
  id: 'openPickTicket',
  since: '0.1.0',
  method: 'POST',
  path: '/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}',
  summary: 'Read a pick ticket, and open it if it is new',
  description:
    'Returns a ticket with its items, the saved progress of each, and the units that customers have canceled in the meantime.\n\n' +
    '- Opening a NEW ticket makes it IN_PROGRESS and starts its lease (setting pickTicketIdleMinutes of the client).\n' +
    '- If userId is not the user of the ticket, the request only reads the ticket. If a reverse pick ticket has no user yet, it gets this user.\n' +
    '- With onlyRead a NEW ticket stays NEW: a device can keep a ticket for later without starting its lease.\n' +
    '- Opening a ticket again changes nothing. A closed ticket is returned with its final results.',
  events: ['pickTicket.opened'],
  access: {
    auth: 'apiKey',
    group: 'fulfillment',
    permission: 'fulfillment.read',
    assigns: true,
    offline: true,
    reveals: ofTicket,
  },
  message: {
    body: PickTicketOpen,
    replies: { 200: { description: 'The ticket', schema: PickTicketOpened } },
    refusals: { 404: 'The store and node have no such pick ticket.' },
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params, body, clientId }) {
      const ticket = await lockTicket(ctx.db, { clientId, ...params });
      if (ticket === undefined) throw noTicket(params.pickTicketId);
      // A user without write access must not become the user of a ticket.
      const isRead = body.onlyRead === true || isWithout(ctx.actor, 'fulfillment.write');
      const userId = isRead ? '' : (body.userId ?? ticket.user_id);
      const { plan } = await advanceTicket(ctx, { ticket }, { type: 'open', userId });
      return reply(200, { pickTicketDetails: await showDetails(ctx, plan.ticket) });
    },
  },
  example: {
    path: '/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/{tickets.next}',
    body: { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', pickTicketId: '{tickets.next}', userId: 'UserId001' },
  },
});
