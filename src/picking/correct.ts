import { claimCommand, findCommand, scopeOf } from '../kernel/commands.ts';
import { findSettings } from '../kernel/settings.ts';
import { noTicket } from '../kernel/tickets/refusals.ts';
import { findTicketItems, lockTicket } from '../kernel/tickets/rows.ts';
import { advanceTicket } from '../kernel/tickets/write.ts';
import { type Ctx, isWithout } from '../platform/ctx.ts';
import { denied } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { PickTicketRow } from '../platform/storage/tables.ts';
import { checkCorrection, readCorrection } from './corrected-items.ts';
import { say } from './sentences.ts';
import { ofTicket, showDetails } from './show.ts';
import { PickTicketCorrection, PickTicketOpened } from './ticket-schema.ts';

export const correctPickTicket = writeOperation({
  id: 'correctPickTicket',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}/correct',
  summary: 'Correct a wrong CONFIRM',
  description:
    'Corrects the picked units of items of a confirmed pick ticket, up or down, to at most their quantity.\n\n' +
    '- Allotted units stay with their orders as far as possible. Additional units go to the most urgent lines that lack them. Missing units are taken ' +
    'first from orders that already lack units, then from the least urgent orders.\n' +
    '- An order keeps its units once a later step depends on the CONFIRM: a package, a hand-over, a decline while packing, a cancellation, ' +
    'a closed re-source request or a reverse pick ticket. If the other orders cannot take the difference, the correction gets 409.\n' +
    '- The orders continue as if the CONFIRM had had the corrected quantities. An order that was canceled (9000) or returned for re-sourcing (9100) because no ' +
    'unit was found waits for pack or pickup. The service replaces its open re-source request by one for the units that are still declined. ' +
    'Items that only this ticket had declined can be ordered at the node again.\n' +
    '- `holdLocation` is the location of the goods of the orders whose units the correction changes. If the correction changes no units, it is the location of the goods of the orders with the sent items. ' +
    'The goods of the other orders stay where they are. As long as they are at another location, the `holdLocation` of the ticket does not change.\n' +
    '- The same correctionId with the same content changes nothing; other content gets 409.\n' +
    '- Without the permission supervise, users can correct only their own tickets.',
  events: [
    'pickTicket.corrected',
    'order.pickCorrected',
    'nodeItem.released',
    'resource.answered',
    'stock.changed',
    'pickTicket.reverseGenerated',
    'nodeItem.held',
    'resource.requested',
  ],
  access: {
    auth: 'operatorOrApiKey',
    group: 'supervise',
    permission: ['supervise', 'fulfillment.write'],
    reveals: ofTicket,
  },
  message: {
    body: PickTicketCorrection,
    errors: 'problem',
    replies: {
      200: {
        description: 'The ticket is corrected, by this request or an earlier one; the response has its current state',
        schema: PickTicketOpened,
      },
    },
    refusals: {
      404: 'The store and node have no such pick ticket.',
      409: 'The ticket is not confirmed or is a reverse pick ticket, later steps depend on it (see `followed`), the correctionId was used with other content, or the first request with this Idempotency-Key is still running.',
    },
  },
  run: {
    repeat: 'same',
    async rules(ctx, { params, body, clientId }, errors) {
      const settings = await findSettings(ctx.db, clientId);
      const ticket = await lockTicket(ctx.db, { clientId, ...params });
      const items = ticket === undefined ? undefined : await findTicketItems(ctx.db, clientId, ticket.pick_ticket_id);
      const key = { clientId, scope: scopeOf('correct', params.pickTicketId), commandId: body.correctionId ?? '' };
      // The reasons of a retry are not checked: a later correction or the client may have removed them.
      const isRepeat = body.correctionId !== undefined && (await findCommand(ctx.db, key)) !== undefined;
      checkCorrection(body.pickTicketItems ?? [], items, isRepeat ? undefined : settings, errors);
      return { settings, ticket, items: items ?? [], key };
    },
    async handle(ctx, { params, body, found: { settings, ticket, items, key } }) {
      if (ticket === undefined) throw noTicket(params.pickTicketId);
      mustCorrectOwn(ctx, ticket);
      const { correctionId, userId, reason, holdLocation } = body;
      const before = await claimCommand(ctx, key, body, 'correctionId');
      if (before !== undefined) return reply(200, { pickTicketDetails: await showDetails(ctx, ticket) });
      const results = readCorrection(items, body.pickTicketItems);
      const action = { type: 'correct' as const, correctionId, userId, reason, holdLocation, results };
      const { plan } = await advanceTicket(ctx, { ticket, items, settings }, action);
      return reply(200, { pickTicketDetails: await showDetails(ctx, plan.ticket) });
    },
  },
  example: {
    path: '/operator/v1/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/{tickets.canceled}/correct',
    body: {
      correctionId: 'phone-7-0003',
      userId: 'mara',
      reason: 'Found behind the shelf',
      pickTicketItems: [{ id: 1, pickedQuantity: 1 }],
    },
  },
});

/**
 * Checks the permission of the caller to correct the ticket.
 * @throws Refusal 403 if a user without the permission supervise corrects the ticket of another user
 */
function mustCorrectOwn({ actor }: Ctx, { user_id }: PickTicketRow): void {
  if (user_id === actor.session?.userId || !isWithout(actor, 'supervise')) return;
  throw denied(
    say('the pick ticket is assigned to user {userId}; ask that user or a lead to correct it', {
      userId: JSON.stringify(user_id),
    }),
  );
}
