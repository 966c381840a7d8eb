/**
 * Reverse pick tickets: they bring picked units that nobody wants any more back to their shelf. One order a ticket; its
 * units are `canceling` until the CONFIRM makes them `returned`, or `missing` where they were not found.
 */
import type { Ctx } from '../ctx.ts';
import { type Effect, recordAll } from '../events.ts';
import { conflict } from '../http/errors.ts';
import { type FulfillmentType, REVERSE_PICK_QUEUE } from '../orders/lifecycle.ts';
import { saveUnits, settleOrder } from '../orders/settle.ts';
import { statusOf } from '../orders/status.ts';
import { atNode, findLines, lockOrders } from '../orders/store.ts';
import { heldUnits } from '../orders/units.ts';
import { slaOf } from '../sla/engine.ts';
import type { FulfillmentOrderRow, OrderLineRow, PickTicketRow } from '../storage/tables.ts';
import type { Settings } from '../values.ts';
import { allot } from './allot.ts';
import type { Confirmation } from './confirm.ts';
import { mergeLines } from './merge.ts';
import { findFeed, itemRow, lineRows, nextPickTicketId, partOfTicket, pickLocations } from './new-ticket.ts';
import { findTicketLines, insertTicket, saveAnswers, saveTicketLines } from './store.ts';

/** Where goods of an order wait that was never given a place (docs/decisions/055). */
const NO_HOLD_LOCATION = 'STAGING';

/** Units of a line that are to be brought back. */
export interface Returning {
  line: OrderLineRow;
  quantity: number;
}

/**
 * Makes the ticket that brings units of a locked order back: NEW, of nobody, on the reverse pick queue. Its hold location is
 * where the goods are. Answers its id and what happened, for the caller to record.
 */
export async function makeReverseTicket(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  returning: readonly Returning[],
): Promise<{ pickTicketId: string; effect: Effect }> {
  const clientId = order.client_id;
  const feed = await findFeed(
    ctx,
    order,
    returning.map(({ line }) => line),
  );
  const items = mergeLines(
    returning.map(({ line, quantity }) => partOfTicket(line, quantity)),
    pickLocations(feed),
  );
  const here = await atNode(ctx.db, settings, order);
  const { expiredAt } = slaOf(here, order.fulfillment_type as FulfillmentType, 'REVERSE_PICK', ctx.now);
  const ticket: PickTicketRow = {
    client_id: clientId,
    pick_ticket_id: await nextPickTicketId(ctx, clientId),
    store_id: order.store_id,
    node_id: order.node_id,
    queue_id: settings.queueIds[REVERSE_PICK_QUEUE] ?? REVERSE_PICK_QUEUE,
    user_id: '',
    status: 'NEW',
    outcome: null,
    revision: 1,
    fulfillment_type: order.fulfillment_type,
    currency: order.currency,
    hold_location: order.hold_location ?? NO_HOLD_LOCATION,
    pick_ticket_date: ctx.now,
    pick_sla_date: expiredAt,
    total_fulfillment_orders: 1,
    total_skus: new Set(items.map((item) => item.itemId)).size,
    total_quantity: items.reduce((sum, item) => sum + item.quantity, 0),
    confirmation_hash: null,
    closed_at: null,
    pick_ticket_type: 'REVERSE_PICK_TICKET',
    lease_at: null,
    fulfillment_order_id: order.fulfillment_order_id,
  };
  await insertTicket(
    ctx,
    ticket,
    items.map((item) => itemRow(ticket, item, feed.get(item.itemId))),
    items.flatMap((item) => lineRows(ticket, item)),
  );
  const effect = {
    ...effectOf(ticket, 'pickTicket.reverseGenerated', ticket.revision),
    data: {
      fulfillmentOrderId: order.fulfillment_order_id,
      queueId: ticket.queue_id,
      holdLocation: ticket.hold_location,
      totalQuantity: ticket.total_quantity,
    },
  };
  return { pickTicketId: ticket.pick_ticket_id, effect };
}

/**
 * What a CONFIRM of a closed reverse ticket does to its order: all of its units leave the order, those found as returned, the
 * others as missing.
 */
export async function bringBack(
  ctx: Ctx,
  settings: Settings,
  ticket: PickTicketRow,
  confirmation: Confirmation,
  modifyAssociateId: string,
): Promise<void> {
  const parts = await findTicketLines(ctx.db, ticket.client_id, ticket.pick_ticket_id);
  const [order] = await lockOrders(ctx, ticket.client_id, [parts[0]!.fulfillment_order_id]);
  const results = allotBack(order!, parts, confirmation);
  await saveAnswers(ctx, ticket, confirmation.answers);
  await saveTicketLines(ctx, ticket, results);
  const units = new Map(results.map((part) => [part.line_index, part]));
  const lines = (await findLines(ctx, ticket.client_id, [order!.fulfillment_order_id])).map((line) => {
    const { picked = 0, canceled = 0 } = units.get(line.line_index) ?? {};
    const after = { returned: line.returned + picked, missing: line.missing + canceled };
    return { ...line, ...after, canceling: line.canceling - picked - canceled };
  });
  await saveUnits(
    ctx,
    ticket.client_id,
    lines.filter((line) => units.has(line.line_index)),
  );
  const isEmpty = lines.every((line) => heldUnits(line) === 0);
  const settled = await settleOrder(ctx, settings, order!, 'bringBack', lines, {
    ...(isEmpty && { columns: { hold_location: null } }),
  });
  const by = { userId: confirmation.userId, modifyAssociateId };
  const returnedQuantity = results.reduce((sum, result) => sum + result.picked, 0);
  const missingQuantity = ticket.total_quantity - returnedQuantity;
  await recordAll(ctx, [
    {
      ...effectOf(ticket, 'pickTicket.reverseConfirmed', ticket.revision + 1),
      data: { ...by, holdLocation: confirmation.holdLocation, returnedQuantity, missingQuantity },
    },
    {
      clientId: ticket.client_id,
      type: 'order.broughtBack',
      resource: 'order',
      resourceId: order!.fulfillment_order_id,
      revision: settled.revision,
      data: {
        pickTicketId: ticket.pick_ticket_id,
        ...by,
        ...statusOf(settings, settled.standing.status),
        returnedQuantity,
        missingQuantity,
      },
    },
  ]);
}

function allotBack(
  order: FulfillmentOrderRow,
  parts: Awaited<ReturnType<typeof findTicketLines>>,
  { answers }: Confirmation,
) {
  const claims = parts.map((part) => ({
    lineIndex: part.line_index,
    itemNumber: part.id,
    quantity: part.quantity,
  }));
  const claimant = { fulfillmentOrderId: order.fulfillment_order_id, slaAt: 0, orderDate: 0, claims };
  return allot([claimant], new Map(answers.map((answer) => [answer.id, answer.picked]))).map((part) => ({
    fulfillment_order_id: part.fulfillmentOrderId,
    line_index: part.lineIndex,
    picked: part.picked,
    canceled: part.canceled,
  }));
}

/** RESET of a reverse ticket gives it back: it waits for the next one who takes it. One that waits already stays as it is. */
export async function giveBack(
  ctx: Ctx,
  ticket: PickTicketRow,
  by: { userId: string; modifyAssociateId: string },
): Promise<void> {
  if (ticket.status === 'NEW' && ticket.user_id === '') return;
  const result = await ctx.db
    .updateTable('pick_tickets')
    .set({ status: 'NEW', user_id: '', lease_at: null, revision: ticket.revision + 1 })
    .where('client_id', '=', ticket.client_id)
    .where('pick_ticket_id', '=', ticket.pick_ticket_id)
    .where('status', '<>', 'CLOSED')
    .where('revision', '=', ticket.revision)
    .executeTakeFirstOrThrow();
  if (result.numUpdatedRows !== 1n) {
    throw conflict('The ticket was changed by another request at the same time; nothing was changed. Try again.');
  }
  await recordAll(ctx, [
    {
      ...effectOf(ticket, 'pickTicket.givenBack', ticket.revision + 1),
      data: { ...by, generatedFor: ticket.user_id },
    },
  ]);
}

function effectOf(ticket: PickTicketRow, type: string, revision: number) {
  return {
    clientId: ticket.client_id,
    type,
    resource: 'pickTicket' as const,
    resourceId: ticket.pick_ticket_id,
    revision,
  };
}
