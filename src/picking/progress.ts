/** Saves the progress of a pick ticket, scan by scan. */

import { noTicket } from '../kernel/tickets/refusals.ts';
import { lockTicket } from '../kernel/tickets/rows.ts';
import { progressOf } from '../kernel/tickets/scans.ts';
import { ticketActions } from '../kernel/tickets/states.ts';
import { advanceTicket } from '../kernel/tickets/write.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { formatDateTime } from '../platform/time.ts';
import { PickProgress, PickProgressReply } from './progress-schema.ts';

export const savePickProgress = writeOperation({
  id: 'savePickProgress',
  since: '0.1.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}/scans',
  summary: 'Save the progress of a pick ticket',
  description:
    'Adds scans to an open ticket. Saved scans never change.\n\n' +
    '- A scan has the found units (default 1) or the missing units of an item. The item is given by its number or a scanned code. If two items have the code, the first one with enough open units counts.\n' +
    '- `undoes` undoes another scan, even one that arrives later. An undo cannot be undone: send a new scan for the unit.\n' +
    '- A scanId that was saved with the same content counts as repeated and changes nothing, so a scanner can safely retry.\n' +
    '- The units of an item are limited to its units on the ticket.\n' +
    '- Only the ticket’s user can save. The first scan makes a NEW ticket IN_PROGRESS, and each scan renews the lease.\n' +
    '- Scan a bundle as one item after all of its components are found. The code of a component causes an error that names the bundle.\n' +
    '- Progress is provisional: the CONFIRM determines the picked units.',
  events: ['pickTicket.progressSaved'],
  access: { auth: 'operatorOrApiKey', group: 'fulfillment', permission: 'fulfillment.write', offline: true },
  message: {
    body: PickProgress,
    errors: 'problem',
    replies: {
      200: {
        description: 'The scans are saved; the response has the current progress of the ticket',
        schema: PickProgressReply,
      },
    },
    refusals: {
      404: 'The store and node have no such pick ticket.',
      409: 'The ticket is closed or is assigned to another user, or the first request with this Idempotency-Key is still running.',
    },
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params, body, clientId }) {
      const locked = await lockTicket(ctx.db, { clientId, ...params });
      if (locked === undefined) throw noTicket(params.pickTicketId);
      const { before, plan } = await advanceTicket(ctx, { ticket: locked }, { type: 'saveProgress', ...body });
      const { ticket, scans } = plan;
      const progress = progressOf([...before.scans, ...scans]);
      return reply(200, {
        pickTicketId: ticket.pick_ticket_id,
        status: ticket.status,
        saved: scans.length,
        repeated: body.scans.length - scans.length,
        leaseUntil: formatDateTime(ticket.lease_at ?? ctx.now),
        pickTicketItems: before.items.map(({ id, item_id: itemId, quantity }) => {
          const { picked, canceled, reason } = progress.get(id) ?? { picked: 0, canceled: 0, reason: null };
          return {
            id,
            itemId,
            quantity,
            pickedQuantity: picked,
            canceledQuantity: canceled,
            ...(canceled > 0 && reason !== null && { cancellationReasonCode: reason }),
          };
        }),
        allowedActions: ticketActions(ticket),
      });
    },
  },
  example: {
    path: '/operator/v1/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/{tickets.next}/scans',
    body: { userId: 'UserId001', scans: [{ scanId: 'phone-7-0001', code: '21-TEE-BLU-M' }] },
  },
});
