import { noTicket } from '../kernel/tickets/refusals.ts';
import { lockTicket } from '../kernel/tickets/rows.ts';
import { advanceTicket } from '../kernel/tickets/write.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { ofTicket, showDetails } from './show.ts';
import { PickTicketOpened, PickTicketTakeOver } from './ticket-schema.ts';

export const takeOverPickTicket = writeOperation({
  id: 'takeOverPickTicket',
  since: '0.1.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}/takeOver',
  summary: 'Take over a pick ticket from another user',
  description:
    'Assigns an open ticket with all its progress to another user. The audit trail records both users and the actor.\n\n' +
    '- `fromUserId` must be the present user of the ticket. If two users take the ticket over at the same time, the second request gets 409, and the error names the present user.\n' +
    '- If the ticket already has the user `userId`, nothing changes.\n' +
    '- A reverse pick ticket that has no user yet is not taken over: open it with the `userId` of its next user.',
  events: ['pickTicket.takenOver'],
  access: {
    auth: 'operatorOrApiKey',
    group: 'fulfillment',
    permission: 'supervise',
    assigns: true,
    reveals: ofTicket,
  },
  message: {
    body: PickTicketTakeOver,
    errors: 'problem',
    replies: { 200: { description: 'The ticket, which now has this user', schema: PickTicketOpened } },
    refusals: {
      404: 'The store and node have no such pick ticket.',
      409: 'The ticket is closed, it has no user, its user is not `fromUserId`, or the first request with this Idempotency-Key is still running.',
    },
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params, body, clientId }) {
      const ticket = await lockTicket(ctx.db, { clientId, ...params });
      if (ticket === undefined) throw noTicket(params.pickTicketId);
      const { plan } = await advanceTicket(ctx, { ticket }, { type: 'takeOver', ...body });
      return reply(200, { pickTicketDetails: await showDetails(ctx, plan.ticket) });
    },
  },
  example: {
    path: '/operator/v1/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/{tickets.next}/takeOver',
    body: { userId: 'UserId002', fromUserId: 'UserId001', modifyAssociateId: 'UserId002' },
  },
});
