import { record } from '../events/record.ts';
import { findSettings } from '../kernel/settings.ts';
import { lockTicket } from '../kernel/tickets.ts';
import { isWithout } from '../platform/ctx.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { PICK_TICKET_TRANSITIONS, stateOfTicket } from './lifecycle.ts';
import { ofTicket, showDetails } from './show.ts';
import { PickTicketOpen, PickTicketOpened } from './ticket-schema.ts';
import { noTicket, touchTicket } from './work.ts';

export const openPickTicket = writeOperation({
  id: 'openPickTicket',
  method: 'POST',
  path: '/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}',
  auth: 'apiKey',
  group: 'fulfillment',
  permission: 'fulfillment.read',
  assigns: true,
  offline: true,
  repeat: 'same',
  summary: 'Details of a pick ticket; opens a new one',
  description:
    'Answers a ticket with its items, what has been saved of each, and what its customers have canceled meanwhile. A NEW ticket is opened: it is IN_PROGRESS, and its lease begins (the client’s setting pickTicketIdleMinutes). With a userId that is not the ticket’s the ticket is only read; a reverse pick ticket that belongs to nobody becomes that user’s. Opening again changes nothing; a closed ticket is shown as it was closed.',
  body: PickTicketOpen,
  reveals: ofTicket,
  replies: { 200: { description: 'The ticket', schema: PickTicketOpened } },
  refusals: { 404: 'The store and node have no such pick ticket.' },
  async handle(ctx, { params, body, clientId }) {
    const ticket = await lockTicket(ctx.db, { clientId, ...params });
    if (ticket === undefined) throw noTicket(params.pickTicketId);
    const opens = PICK_TICKET_TRANSITIONS[stateOfTicket(ticket)].open === 'IN_PROGRESS';
    const isFree = ticket.user_id === '';
    const user = body.userId ?? ticket.user_id;
    // Without a name nobody opens a ticket of nobody: it is only read.
    // Who may only read works on no ticket.
    const works = !isWithout(ctx.actor, 'fulfillment.write');
    const isOwn = works && user !== '' && (isFree || user === ticket.user_id);
    if (!opens || !isOwn) return reply(200, { pickTicketDetails: await showDetails(ctx, ticket) });
    const settings = await findSettings(ctx.db, clientId);
    const opened = await touchTicket(ctx, settings, ticket, isFree ? { user_id: user } : {});
    await record(ctx, {
      clientId,
      type: 'pickTicket.opened',
      resource: 'pickTicket',
      resourceId: ticket.pick_ticket_id,
      revision: opened.revision,
      data: { userId: opened.user_id },
    });
    return reply(200, { pickTicketDetails: await showDetails(ctx, opened) });
  },
});
