/** CONFIRM and RESET of a reverse pick ticket, which brings units of one order back to their shelf. */

import { record } from '../events/record.ts';
import { lockOrders } from '../kernel/orders.ts';
import { findTicketLines, saveResults, saveTicketLines } from '../kernel/tickets.ts';
import { advanceOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import type { FulfillmentOrderRow, PickTicketRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { allot } from './allot.ts';
import type { Confirmation } from './confirmation.ts';
import { changedMeanwhile } from './lifecycle.ts';

/**
 * The CONFIRM of a closed reverse ticket: all of its units leave the order, those found as returned, the others as missing.
 */
export async function confirmReverseTicket(
  ctx: Ctx,
  settings: Settings,
  ticket: PickTicketRow,
  confirmation: Confirmation,
  modifyAssociateId: string,
): Promise<void> {
  const parts = await findTicketLines(ctx.db, ticket.client_id, ticket.pick_ticket_id);
  const [order] = await lockOrders(ctx, ticket.client_id, [parts[0]!.fulfillment_order_id]);
  const results = allotBack(order!, parts, confirmation);
  await saveResults(ctx, ticket, confirmation.answers);
  await saveTicketLines(ctx, ticket, results);
  const { userId, holdLocation } = confirmation;
  const returnedQuantity = results.reduce((sum, result) => sum + result.picked, 0);
  const missingQuantity = ticket.total_quantity - returnedQuantity;
  const action = {
    type: 'bringBack' as const,
    pickTicketId: ticket.pick_ticket_id,
    userId,
    modifyAssociateId,
    returned: results.map(({ line_index: lineIndex, picked: returned, canceled: missing }) => ({
      lineIndex,
      returned,
      missing,
    })),
  };
  const data = { userId, modifyAssociateId, holdLocation, returnedQuantity, missingQuantity };
  await advanceOrder(ctx, settings, { order: order!, action }, [
    { type: 'pickTicket.reverseConfirmed', ...changed(ticket), data },
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
export async function releaseTicket(
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
    throw changedMeanwhile();
  }
  await record(ctx, {
    type: 'pickTicket.givenBack',
    ...changed(ticket),
    data: { ...by, generatedFor: ticket.user_id },
  });
}

/** The ticket as an effect names it after one change. */
function changed(ticket: PickTicketRow) {
  return {
    clientId: ticket.client_id,
    resource: 'pickTicket' as const,
    resourceId: ticket.pick_ticket_id,
    revision: ticket.revision + 1,
  };
}
