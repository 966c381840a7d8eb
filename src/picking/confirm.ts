/** CONFIRM of a pick ticket: what was found goes to the orders, and they go on (docs/interface.md#confirm and docs/interface.md#short-picks). */

import type { Effect } from '../events/record.ts';
import { findLines, lockOrders } from '../kernel/orders.ts';
import { closeTicket, findTicketLines, saveResults, saveTicketLines } from '../kernel/tickets.ts';
import { advanceOrders, type Step } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict, type Refusal } from '../platform/http/errors.ts';
import { stringifyJson } from '../platform/message/json.ts';
import { sha256 } from '../platform/secrets.ts';
import type {
  FulfillmentOrderRow,
  OrderLineRow,
  PickTicketItemRow,
  PickTicketLineRow,
  PickTicketRow,
} from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { allotTicket, type TicketAllotment } from './allot.ts';
import type { Confirmation } from './confirmation.ts';
import type { ItemResult } from './item-results.ts';
import { changedMeanwhile } from './lifecycle.ts';
import { confirmReverseTicket } from './reverse.ts';
import { claimantOf } from './split.ts';

/**
 * Closes an open ticket as confirmed and moves its orders on; a reverse ticket brings its units back. Units that a customer
 * canceled while they were being picked leave the order now, or come back by a reverse ticket (docs/decisions/113).
 */
export async function confirmTicket(
  ctx: Ctx,
  settings: Settings,
  ticket: PickTicketRow,
  confirmation: Confirmation,
  modifyAssociateId: string,
): Promise<void> {
  const outcome = {
    outcome: 'CONFIRMED' as const,
    hold_location: confirmation.holdLocation,
    confirmation_hash: hashOf(confirmation),
  };
  if (ticket.pick_ticket_type === 'REVERSE_PICK_TICKET') {
    if (!(await closeTicket(ctx, ticket, outcome))) throw changedMeanwhile();
    return confirmReverseTicket(ctx, settings, ticket, confirmation, modifyAssociateId);
  }
  const parts = await findTicketLines(ctx.db, ticket.client_id, ticket.pick_ticket_id);
  const ids = [...new Set(parts.map((part) => part.fulfillment_order_id))];
  const orders = await lockOrders(ctx, ticket.client_id, ids);
  const lines = await findLines(ctx, ticket.client_id, ids);
  const allotted = allotLines(orders, parts, lines, confirmation.answers);
  if (!(await closeTicket(ctx, ticket, { ...outcome, ...totalsOf(confirmation, allotted) }))) throw changedMeanwhile();
  await saveResults(ctx, ticket, confirmation.answers);
  await saveTicketLines(ctx, ticket, allotted.map(ticketLine));
  const { userId, holdLocation, answers } = confirmation;
  const reasons = new Map(answers.map((answer) => [answer.id, answer.reason]));
  const resultsOf = Map.groupBy(allotted, (result) => result.fulfillmentOrderId);
  const linesOf = Map.groupBy(lines, (line) => line.fulfillment_order_id);
  const steps = orders.map((order): Step => {
    const own = resultsOf.get(order.fulfillment_order_id) ?? [];
    const results = own.map((result) => ({ ...result, reason: reasons.get(result.itemNumber) ?? null }));
    return {
      order,
      lines: linesOf.get(order.fulfillment_order_id)!,
      action: { type: 'confirm', userId, modifyAssociateId, holdLocation, results },
    };
  });
  await advanceOrders(ctx, settings, steps, [confirmedEffect(ticket, confirmation, modifyAssociateId)]);
}

/** What a day's numbers count of a ticket. Units that the customer had canceled are not short. */
function totalsOf({ userId, answers }: Confirmation, allotted: readonly TicketAllotment[]) {
  return {
    confirmed_by: userId,
    picked_lines: answers.filter(({ picked }) => picked > 0).length,
    picked_units: answers.reduce((sum, { picked }) => sum + picked, 0),
    short_units: allotted.reduce((sum, { declined }) => sum + declined, 0),
  };
}

const keyOf = (orderId: string, lineIndex: number) => `${lineIndex}/${orderId}`;

function allotLines(
  orders: readonly FulfillmentOrderRow[],
  parts: readonly PickTicketLineRow[],
  lines: readonly OrderLineRow[],
  answers: readonly ItemResult[],
): TicketAllotment[] {
  const byOrder = Map.groupBy(parts, (part) => part.fulfillment_order_id);
  const canceling = new Map(lines.map((line) => [keyOf(line.fulfillment_order_id, line.line_index), line.canceling]));
  const claimants = orders.map((order) => {
    const claims = (byOrder.get(order.fulfillment_order_id) ?? []).map((part) => ({
      lineIndex: part.line_index,
      itemNumber: part.id,
      quantity: part.quantity,
      canceling: canceling.get(keyOf(part.fulfillment_order_id, part.line_index)) ?? 0,
    }));
    return claimantOf(order, claims);
  });
  return allotTicket(claimants, new Map(answers.map((answer) => [answer.id, answer.picked])));
}

function ticketLine({ fulfillmentOrderId, lineIndex, picked, canceled }: TicketAllotment) {
  return { fulfillment_order_id: fulfillmentOrderId, line_index: lineIndex, picked, canceled };
}

function confirmedEffect(ticket: PickTicketRow, confirmation: Confirmation, modifyAssociateId: string): Effect {
  const { userId, holdLocation, answers } = confirmation;
  return {
    clientId: ticket.client_id,
    type: 'pickTicket.confirmed',
    resource: 'pickTicket' as const,
    resourceId: ticket.pick_ticket_id,
    revision: ticket.revision + 1,
    data: {
      userId,
      generatedFor: ticket.user_id,
      modifyAssociateId,
      holdLocation,
      pickedQuantity: answers.reduce((sum, answer) => sum + answer.picked, 0),
      canceledQuantity: answers.reduce((sum, answer) => sum + answer.canceled, 0),
    },
  };
}

function hashOf({ userId, holdLocation, answers }: Confirmation): string {
  return sha256(
    stringifyJson([
      userId,
      holdLocation,
      answers.map(({ id, picked, canceled, reason }) => [id, picked, canceled, reason]),
    ]),
  );
}

/** What a CONFIRM says otherwise than the one that closed the ticket; empty when it is the same again. */
export function differences(
  ticket: PickTicketRow,
  items: readonly PickTicketItemRow[],
  confirmation: Confirmation,
): string[] {
  if (hashOf(confirmation) === ticket.confirmation_hash) return [];
  const found: string[] = [];
  if (confirmation.holdLocation !== ticket.hold_location) found.push(`holdLocation was ${ticket.hold_location}`);
  for (const [index, answer] of confirmation.answers.entries()) {
    const item = items[index]!;
    if (answer.picked !== item.picked) {
      found.push(`item ${item.id} had pickedQuantity ${item.picked} and canceledQuantity ${item.canceled}`);
    } else if (answer.reason !== item.reason) {
      found.push(`item ${item.id} had cancellationReasonCode ${item.reason}`);
    }
  }
  // The hash also covers the user; only the audit trail keeps who confirmed.
  return found.length > 0 ? found : ['userId was another one'];
}

const SHOWN_DIFFERENCES = 10;

/** The refusal of a CONFIRM with other content than the one that closed the ticket. */
export function differsRefusal(found: readonly string[], holder: Record<string, unknown>): Refusal {
  const shown = found.slice(0, SHOWN_DIFFERENCES).join('; ');
  const more = found.length > SHOWN_DIFFERENCES ? `; and ${found.length - SHOWN_DIFFERENCES} more` : '';
  return conflict(
    `The pick ticket is confirmed already, with other content: ${shown}${more}. A confirmed ticket cannot be changed.`,
    holder,
  );
}
