import { record } from '../events/record.ts';
import { findSettings } from '../kernel/settings.ts';
import { conflict } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { PickTicketRow } from '../platform/storage/tables.ts';
import { leaseUntil } from './lease.ts';
import { ofTicket, showDetails } from './show.ts';
import { PickTicketOpened, PickTicketTakeOver } from './ticket-schema.ts';
import { holderOf, takeTicket } from './work.ts';

export const takeOverPickTicket = writeOperation({
  id: 'takeOverPickTicket',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}/takeOver',
  auth: 'operatorOrApiKey',
  group: 'fulfillment',
  permission: 'supervise',
  assigns: true,
  repeat: 'same',
  summary: 'Take a pick ticket over from another user',
  description:
    'An open ticket goes to another user with all that was saved of it; the audit trail names both and who did it. fromUserId must be who has it now, so of two who take over at once one wins and the other learns who has it. Taking over what one has already changes nothing.',
  body: PickTicketTakeOver,
  errors: 'problem',
  reveals: ofTicket,
  replies: { 200: { description: 'The ticket, now of this user', schema: PickTicketOpened } },
  refusals: {
    404: 'The store and node have no such pick ticket.',
    409: 'The ticket is closed or has another user than fromUserId, or the first request with this Idempotency-Key is still running.',
  },
  async handle(ctx, { params, body, clientId }) {
    const { userId, fromUserId, modifyAssociateId } = body;
    const ticket = await takeTicket(ctx, { clientId, ...params }, 'takeOver');
    if (ticket.user_id === userId) return reply(200, { pickTicketDetails: await showDetails(ctx, ticket) });
    if (ticket.user_id !== fromUserId) {
      const message = `The pick ticket belongs to ${JSON.stringify(ticket.user_id)}, not to ${JSON.stringify(fromUserId)}; name its present user.`;
      throw conflict(message, holderOf(ticket));
    }
    const settings = await findSettings(ctx.db, clientId);
    const taken: PickTicketRow = {
      ...ticket,
      user_id: userId,
      revision: ticket.revision + 1,
      lease_at: ticket.lease_at === null ? null : leaseUntil(settings, ctx.now),
    };
    await ctx.db
      .updateTable('pick_tickets')
      .set({ user_id: taken.user_id, revision: taken.revision, lease_at: taken.lease_at })
      .where('client_id', '=', clientId)
      .where('pick_ticket_id', '=', ticket.pick_ticket_id)
      .where('revision', '=', ticket.revision)
      .execute();
    await record(ctx, {
      clientId,
      type: 'pickTicket.takenOver',
      resource: 'pickTicket',
      resourceId: ticket.pick_ticket_id,
      revision: taken.revision,
      data: { fromUserId, userId, modifyAssociateId },
    });
    return reply(200, { pickTicketDetails: await showDetails(ctx, taken) });
  },
});
