/** CONFIRM of a pick ticket: what was found goes to the orders, and they go on (docs/interface.md#confirm and docs/interface.md#short-picks). */
import type { Ctx } from '../ctx.ts';
import { type Effect, recordAll } from '../events.ts';
import { conflict, type Refusal } from '../http/errors.ts';
import { stringifyJson } from '../message/json.ts';
import { type Settled, type Settling, saveUnits, settleOrders } from '../orders/settle.ts';
import { statusOf } from '../orders/status.ts';
import { findLines, lockOrders } from '../orders/store.ts';
import { sha256 } from '../secrets.ts';
import { type Declined, followDeclines } from '../sourcing/decline.ts';
import type {
  FulfillmentOrderRow,
  OrderLineRow,
  PickTicketItemRow,
  PickTicketLineRow,
  PickTicketRow,
} from '../storage/tables.ts';
import type { Settings } from '../values.ts';
import { allotTicket, type TicketAllotment } from './allot.ts';
import type { Answer } from './answers.ts';
import { bringBack, makeReverseTicket, type Returning } from './reverse.ts';
import { closeTicket, findTicketLines, saveAnswers, saveTicketLines } from './store.ts';

/** The content of a CONFIRM: two of them are the same when all of this is equal (docs/interface.md#confirm). */
export interface Confirmation {
  userId: string;
  holdLocation: string;
  /** One for each item of the ticket, by its number. */
  answers: Answer[];
}

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
  const closed = await closeTicket(ctx, ticket, {
    outcome: 'CONFIRMED',
    hold_location: confirmation.holdLocation,
    confirmation_hash: hashOf(confirmation),
  });
  if (!closed) throw conflict(CHANGED);
  if (ticket.pick_ticket_type === 'REVERSE_PICK_TICKET') {
    return bringBack(ctx, settings, ticket, confirmation, modifyAssociateId);
  }
  const parts = await findTicketLines(ctx.db, ticket.client_id, ticket.pick_ticket_id);
  const ids = [...new Set(parts.map((part) => part.fulfillment_order_id))];
  const orders = await lockOrders(ctx, ticket.client_id, ids);
  const lines = await findLines(ctx, ticket.client_id, ids);
  const results = allotLines(orders, parts, lines, confirmation.answers);
  await saveAnswers(ctx, ticket, confirmation.answers);
  await saveTicketLines(ctx, ticket, results.map(ticketLine));
  const picks = picksOf(orders, lines, results, confirmation.answers);
  await saveUnits(
    ctx,
    ticket.client_id,
    picks.flatMap((pick) => pick.lines),
  );
  const followed = await followDeclines(ctx, picks);
  const settled = await settleOrders(
    ctx,
    settings,
    'confirm',
    ticket.client_id,
    picks.map((pick) => settlingOf(pick, confirmation)),
  );
  const effects: Effect[] = [];
  for (const [index, pick] of picks.entries()) {
    effects.push(...(await followPick(ctx, settings, pick, settled[index]!, confirmation, modifyAssociateId)));
  }
  await recordAll(ctx, [confirmedEffect(ticket, confirmation, modifyAssociateId), ...effects, ...followed]);
}

const CHANGED = 'The ticket was changed by another request at the same time; nothing was changed. Try again.';

const keyOf = (orderId: string, lineIndex: number) => `${lineIndex}/${orderId}`;

function allotLines(
  orders: readonly FulfillmentOrderRow[],
  parts: readonly PickTicketLineRow[],
  lines: readonly OrderLineRow[],
  answers: readonly Answer[],
): TicketAllotment[] {
  const byOrder = Map.groupBy(parts, (part) => part.fulfillment_order_id);
  const canceling = new Map(lines.map((line) => [keyOf(line.fulfillment_order_id, line.line_index), line.canceling]));
  const claimants = orders.map((order) => ({
    fulfillmentOrderId: order.fulfillment_order_id,
    slaAt: order.sla_at ?? order.queued_at,
    orderDate: order.order_date,
    claims: (byOrder.get(order.fulfillment_order_id) ?? []).map((part) => ({
      lineIndex: part.line_index,
      itemNumber: part.id,
      quantity: part.quantity,
      canceling: canceling.get(keyOf(part.fulfillment_order_id, part.line_index)) ?? 0,
    })),
  }));
  return allotTicket(claimants, new Map(answers.map((answer) => [answer.id, answer.picked])));
}

function ticketLine({ fulfillmentOrderId, lineIndex, picked, canceled }: TicketAllotment) {
  return { fulfillment_order_id: fulfillmentOrderId, line_index: lineIndex, picked, canceled };
}

/** What a ticket did to one of its orders. */
interface Pick {
  order: FulfillmentOrderRow;
  /** All of its lines, as they are after it. */
  lines: OrderLineRow[];
  results: readonly TicketAllotment[];
  declined: Declined[];
  returning: Returning[];
}

function picksOf(
  orders: readonly FulfillmentOrderRow[],
  lines: readonly OrderLineRow[],
  results: readonly TicketAllotment[],
  answers: readonly Answer[],
): Pick[] {
  const linesOf = Map.groupBy(lines, (line) => line.fulfillment_order_id);
  const resultsOf = Map.groupBy(results, (result) => result.fulfillmentOrderId);
  const reasons = new Map(answers.map((answer) => [answer.id, answer.reason]));
  return orders.map((order) => {
    const own = resultsOf.get(order.fulfillment_order_id) ?? [];
    const pick: Pick = { order, lines: [], results: own, declined: [], returning: [] };
    const byLine = new Map(own.map((result) => [result.lineIndex, result]));
    for (const line of linesOf.get(order.fulfillment_order_id) ?? []) {
      const result = byLine.get(line.line_index);
      const after = result === undefined ? line : pickedLine(line, result, reasons.get(result.itemNumber) ?? null);
      pick.lines.push(after);
      if (result === undefined) continue;
      const { declined, returning } = result;
      if (declined > 0) pick.declined.push({ line: after, quantity: declined, reason: after.decline_reason! });
      if (returning > 0) pick.returning.push({ line: after, quantity: returning });
    }
    return pick;
  });
}

function pickedLine(line: OrderLineRow, result: TicketAllotment, reason: string | null): OrderLineRow {
  return {
    ...line,
    picked: line.picked + result.picked,
    declined: line.declined + result.declined,
    decline_reason: result.declined > 0 ? reason : line.decline_reason,
    canceled: line.canceled + result.withdrawn,
    canceling: result.returning,
  };
}

function pickedOf({ results }: Pick): number {
  return results.reduce((total, result) => total + result.picked, 0);
}

/** An order goes to the state that follows from its units; one without any unit has nothing to hold. */
function settlingOf(pick: Pick, { holdLocation }: Confirmation): Settling {
  const { order, lines, declined } = pick;
  const resourceable =
    order.fulfillment_type === 'SHIP_TO_HOME' ? declined.reduce((total, one) => total + one.quantity, 0) : 0;
  // An order that is picked for the first time has no request but the one that this pick made.
  return {
    order,
    lines,
    requested: { resourceable, resourced: 0 },
    holdLocation: pickedOf(pick) > 0 ? holdLocation : null,
  };
}

/** What follows when an order has moved: its event, and the ticket that brings back what its customer canceled meanwhile. */
async function followPick(
  ctx: Ctx,
  settings: Settings,
  pick: Pick,
  settled: Settled,
  { userId }: Confirmation,
  modifyAssociateId: string,
): Promise<Effect[]> {
  const { order, results, returning } = pick;
  const sum = (of: (result: TicketAllotment) => number) => results.reduce((total, result) => total + of(result), 0);
  const withdrawn = sum((result) => result.withdrawn);
  const reverse = returning.length > 0 ? await makeReverseTicket(ctx, settings, settled.order, returning) : undefined;
  const canceledByCustomer = withdrawn + sum((result) => result.returning);
  const effect: Effect = {
    clientId: order.client_id,
    type: 'order.picked',
    resource: 'order',
    resourceId: order.fulfillment_order_id,
    revision: settled.revision,
    data: {
      pickTicketId: order.pick_ticket_id,
      userId,
      modifyAssociateId,
      ...statusOf(settings, settled.standing.status),
      holdLocation: settled.order.hold_location,
      pickedQuantity: pickedOf(pick),
      canceledQuantity: sum((result) => result.canceled),
      ...(canceledByCustomer > 0 && { customerCanceledQuantity: canceledByCustomer }),
      ...(reverse && { reversePickTicketId: reverse.pickTicketId }),
    },
  };
  return reverse === undefined ? [effect] : [effect, reverse.effect];
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
