/** Confirms or resets a pick ticket (docs/interface.md#update-a-pick-ticket). */

import { findSettings } from '../kernel/settings.ts';
import type { Action } from '../kernel/tickets/action.ts';
import { noTicket } from '../kernel/tickets/refusals.ts';
import { findTicketItems, findTicketLines, lockTicket } from '../kernel/tickets/rows.ts';
import { findProgress } from '../kernel/tickets/scans.ts';
import { advanceTicket } from '../kernel/tickets/write.ts';
import { type Ctx, isWithout } from '../platform/ctx.ts';
import { denied } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import type { PickTicketLineRow, PickTicketRow } from '../platform/storage/tables.ts';
import { findReason } from '../shared/client-settings.ts';
import { checkResults, readResults } from './item-results.ts';
import { PickTicketUpdate } from './schema.ts';
import { readUpdate } from './sent-back.ts';
import { say } from './sentences.ts';

export const updatePickTicket = writeOperation({
  id: 'updatePickTicket',
  since: '0.1.0',
  method: 'PUT',
  path: '/stores/{storeId}/nodes/{nodeId}/pickTicket/update',
  summary: 'Confirm or reset a pick ticket',
  description:
    'Closes a pick ticket with CONFIRM or RESET.\n\n' +
    '- CONFIRM has the result of every item: pickedQuantity + canceledQuantity = quantity. Either field implies the other. Canceled units need a ' +
    'known cancellationReasonCode.\n' +
    '- Found units are allotted to the orders by urgency. The goods of an order with found units wait at holdLocation for the next step of the order, or at ' +
    'the location of the order in orderHoldLocations; an order without found units leaves its queue.\n' +
    '- RESET returns the orders to their state before the ticket. The service ignores results in a RESET.\n' +
    '- Sending the same CONFIRM or RESET again gets 204. A CONFIRM with other content, CONFIRM after RESET and RESET after CONFIRM get 409.\n' +
    '- You can send back the response of generate, or the ticket as you read it. Fields that identify the ticket and its items must match; the others are ignored.',
  events: [
    'pickTicket.confirmed',
    'pickTicket.reset',
    'pickTicket.givenBack',
    'pickTicket.reverseConfirmed',
    'order.picked',
    'order.pickReset',
    'order.canceled',
    'order.declined',
    'order.broughtBack',
    'nodeItem.released',
    'stock.changed',
    'pickTicket.reverseGenerated',
    'nodeItem.held',
    'resource.requested',
  ],
  access: { auth: 'apiKey', group: 'fulfillment', permission: 'fulfillment.write', offline: true },
  message: {
    body: PickTicketUpdate,
    replies: {
      204: { description: 'The ticket is closed, by this request or by an earlier one with the same content' },
    },
    refusals: {
      404: 'The store and node have no such pick ticket.',
      409: 'The ticket was closed with another action or content, or the first request with this Idempotency-Key is still running.',
    },
    parse: readUpdate,
  },
  run: {
    repeat: 'same',
    async rules(ctx, { params: { storeId, nodeId }, body: { pickTicketDetails: details }, clientId }, errors) {
      const pickTicketId = details?.pickTicketId;
      const place = { clientId, storeId, nodeId };
      const ticket = pickTicketId === undefined ? undefined : await lockTicket(ctx.db, { ...place, pickTicketId });
      const items = ticket === undefined ? undefined : await findTicketItems(ctx.db, clientId, ticket.pick_ticket_id);
      const settings = await findSettings(ctx.db, clientId);
      if (details?.action === 'CONFIRM') {
        // On a closed ticket only a retry can succeed. The client may have removed its reasons since.
        const isClosed = ticket?.status === 'CLOSED';
        const isUnknown = details.pickTicketItems?.some(
          (one) => one?.cancellationReasonCode && findReason(settings, one.cancellationReasonCode) === undefined,
        );
        const saved =
          ticket !== undefined && isUnknown ? await findProgress(ctx.db, clientId, ticket.pick_ticket_id) : undefined;
        checkResults(details.pickTicketItems, items, isClosed ? undefined : settings, saved, errors);
        if (ticket !== undefined && details.orderHoldLocations !== undefined) {
          checkOrders(
            details.orderHoldLocations,
            await findTicketLines(ctx.db, clientId, ticket.pick_ticket_id),
            errors,
          );
        }
      }
      return { ticket, items, settings };
    },
    async handle(ctx, { body: { pickTicketDetails: details, modifyAssociateId }, found: { ticket, items, settings } }) {
      if (ticket === undefined || items === undefined) throw noTicket(details.pickTicketId);
      const by = { userId: details.userId, modifyAssociateId };
      if (details.action === 'RESET') mustResetOwn(ctx, ticket);
      const action: Action =
        details.action === 'RESET'
          ? { type: 'RESET', ...by }
          : {
              type: 'CONFIRM',
              holdLocation: details.holdLocation,
              orderHoldLocations: new Map(
                details.orderHoldLocations?.map((one) => [one.fulfillmentOrderId, one.holdLocation]),
              ),
              results: readResults(details.pickTicketItems, items),
              ...by,
            };
      await advanceTicket(ctx, { ticket, items, settings }, action);
      return reply(204);
    },
  },
  example: {
    after: ['searchPickTickets', 'openPickTicket', 'savePickProgress', 'takeOverPickTicket'],
    path: '/stores/TOWN_US/nodes/TOWN-Store001/pickTicket/update',
    body: {
      modifyAssociateId: 'UserId001',
      pickTicketDetails: {
        pickTicketId: '{tickets.next}',
        action: 'CONFIRM',
        storeId: 'TOWN_US',
        nodeId: 'TOWN-Store001',
        userId: 'UserId001',
        holdLocation: 'A2',
        pickTicketItems: [
          { id: 1, itemId: '21-TEE-BLU-M', pickedQuantity: 1, canceledQuantity: 0 },
          {
            id: 2,
            itemId: '21-SOAP-LAV',
            pickedQuantity: 3,
            canceledQuantity: 1,
            cancellationReasonCode: 'CancelMXOutOfStock',
          },
        ],
      },
    },
  },
});

/**
 * Checks the permission of the caller to reset the ticket.
 * @throws Refusal 403 if a user without the permission supervise resets the ticket of another user
 */
function mustResetOwn({ actor }: Ctx, { user_id }: PickTicketRow): void {
  if (user_id === '' || user_id === actor.session?.userId || !isWithout(actor, 'supervise')) return;
  throw denied(
    say('the pick ticket is assigned to user {userId}; ask a lead to reset it or to take it over', {
      userId: JSON.stringify(user_id),
    }),
  );
}

/** Adds an error for each order that is not on the ticket or is named twice. */
function checkOrders(
  sent: readonly ({ readonly fulfillmentOrderId?: string | undefined } | undefined)[],
  lines: readonly PickTicketLineRow[],
  errors: FieldErrors,
): void {
  const known = new Set(lines.map((line) => line.fulfillment_order_id));
  const seen = new Set<string>();
  for (const [index, one] of sent.entries()) {
    const id = one?.fulfillmentOrderId;
    if (id === undefined) continue;
    const at = `/pickTicketDetails/orderHoldLocations/${index}/fulfillmentOrderId`;
    if (!known.has(id))
      errors.add(at, 'unknown-order', say('the ticket has no order {id}; remove it', { id: JSON.stringify(id) }));
    else if (seen.has(id))
      errors.add(at, 'duplicate', say('order {id} is in the message twice; send it once', { id: JSON.stringify(id) }));
    seen.add(id);
  }
}
