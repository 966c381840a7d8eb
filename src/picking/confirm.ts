/** CONFIRM of a pick ticket: what was found goes to the orders, and they go on (decisions 27, 28 and 31). */
import type { Ctx } from '../ctx.ts';
import { recordAll } from '../events.ts';
import { conflict, type Refusal } from '../http/errors.ts';
import { stringifyJson } from '../http/json.ts';
import { afterUnitsFound, type FulfillmentType, standingIn } from '../orders/lifecycle.ts';
import { findOrders, moveOrder } from '../orders/store.ts';
import { sha256 } from '../secrets.ts';
import type { FulfillmentOrderRow, PickTicketItemRow, PickTicketLineRow, PickTicketRow } from '../storage/tables.ts';
import type { Settings } from '../values.ts';
import { allot } from './allot.ts';
import type { Answer } from './answers.ts';
import { closeTicket, findTicketLines, type LineResult, saveAnswers, saveLineResults } from './store.ts';

/** The content of a CONFIRM: two of them are the same when all of this is equal (decision 27). */
export interface Confirmation {
  userId: string;
  holdLocation: string;
  /** One for each item of the ticket, by its number. */
  answers: Answer[];
}

/** Closes an open ticket as confirmed and moves its orders on. */
export async function confirmTicket(
  ctx: Ctx,
  settings: Settings,
  ticket: PickTicketRow,
  confirmation: Confirmation,
  modifyAssociateId: string,
): Promise<void> {
  const closed = await closeTicket(ctx, ticket, {
    outcome: 'CONFIRMED',
    hold_location: confirmation.holdLocation,
    confirmation_hash: hashOf(confirmation),
  });
  if (!closed) throw conflict(CHANGED);
  const lines = await findTicketLines(ctx.db, ticket.client_id, ticket.pick_ticket_id);
  const orders = await findOrders(ctx, ticket.client_id, [...new Set(lines.map((line) => line.fulfillment_order_id))]);
  const results = allotLines(orders, lines, confirmation.answers);
  await saveAnswers(ctx, ticket, confirmation.answers);
  await saveLineResults(ctx, ticket, results);
  const byOrder = Map.groupBy(results, (result) => result.fulfillment_order_id);
  const effects = [];
  for (const order of orders) {
    const own = byOrder.get(order.fulfillment_order_id) ?? [];
    effects.push(await moveOn(ctx, settings, order, own, confirmation, modifyAssociateId));
  }
  await recordAll(ctx, [confirmedEffect(ticket, confirmation, modifyAssociateId), ...effects]);
}

const CHANGED = 'The ticket was changed by another request at the same time; nothing was changed. Try again.';

function allotLines(
  orders: readonly FulfillmentOrderRow[],
  lines: readonly PickTicketLineRow[],
  answers: readonly Answer[],
): LineResult[] {
  const byOrder = Map.groupBy(lines, (line) => line.fulfillment_order_id);
  const claimants = orders.map((order) => ({
    fulfillmentOrderId: order.fulfillment_order_id,
    slaAt: order.sla_at ?? order.queued_at,
    orderDate: order.order_date,
    claims: (byOrder.get(order.fulfillment_order_id) ?? []).map((line) => ({
      lineIndex: line.line_index,
      itemNumber: line.id,
      quantity: line.quantity,
    })),
  }));
  const reasons = new Map(answers.map((answer) => [answer.id, answer.reason]));
  return allot(claimants, new Map(answers.map((answer) => [answer.id, answer.picked]))).map((part) => ({
    fulfillment_order_id: part.fulfillmentOrderId,
    line_index: part.lineIndex,
    picked: part.picked,
    canceled: part.canceled,
    reason: part.canceled === 0 ? null : (reasons.get(part.itemNumber) ?? null),
  }));
}

/** Moves an order to the state that follows from its units; one without any unit has nothing to hold. */
async function moveOn(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  results: readonly LineResult[],
  { holdLocation, userId }: Confirmation,
  modifyAssociateId: string,
) {
  const picked = results.reduce((sum, result) => sum + result.picked, 0);
  const declined = results.reduce((sum, result) => sum + result.canceled, 0);
  const status = afterUnitsFound(order.fulfillment_type as FulfillmentType, picked);
  const standing = standingIn(settings, order, status, ctx.now);
  const hold = picked > 0 ? holdLocation : null;
  if (!(await moveOrder(ctx.db, order, standing, ctx.now, { hold_location: hold }))) throw conflict(CHANGED);
  return {
    clientId: order.client_id,
    type: 'order.picked',
    resource: 'order' as const,
    resourceId: order.fulfillment_order_id,
    revision: order.revision + 1,
    data: {
      pickTicketId: order.pick_ticket_id,
      userId,
      modifyAssociateId,
      status,
      holdLocation: hold,
      pickedQuantity: picked,
      canceledQuantity: declined,
    },
  };
}

function confirmedEffect(ticket: PickTicketRow, confirmation: Confirmation, modifyAssociateId: string) {
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
