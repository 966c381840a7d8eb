/** Pick tickets as our own operations answer them. */

import { instructionsOf, type Snapshot } from '../kernel/orders.ts';
import { findTicketItems } from '../kernel/tickets.ts';
import { numeric } from '../platform/decimal.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { PickTicketItemRow, PickTicketRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { extrasOf } from '../shared/snapshot.ts';
import { stateOfTicket, ticketActions } from './lifecycle.ts';
import { findProgress, type Progress } from './progress-store.ts';
import type { PickTicketHeader, PickTicketItemProgress } from './ticket-schema.ts';

/** A ticket without its items. */
export function showTicket(ticket: PickTicketRow): PickTicketHeader {
  return {
    pickTicketId: ticket.pick_ticket_id,
    storeId: ticket.store_id,
    nodeId: ticket.node_id,
    queueId: ticket.queue_id,
    userId: ticket.user_id,
    status: ticket.status,
    ...(ticket.outcome !== null && { outcome: ticket.outcome }),
    holdLocation: ticket.hold_location,
    fulfillmentType: ticket.fulfillment_type,
    pickTicketType: ticket.pick_ticket_type,
    pickTicketDate: formatDateTime(ticket.pick_ticket_date),
    pickSLADate: formatDateTime(ticket.pick_sla_date),
    ...(ticket.lease_at !== null && { leaseUntil: formatDateTime(ticket.lease_at) }),
    ...(ticket.closed_at !== null && { closedDate: formatDateTime(ticket.closed_at) }),
    currency: ticket.currency,
    totalFulfillmentOrders: ticket.total_fulfillment_orders,
    totalSKUs: ticket.total_skus,
    totalQuantity: ticket.total_quantity,
    allowedActions: ticketActions(stateOfTicket(ticket)),
  };
}

/** A ticket with its items, what has been done of each, and its orders. */
export async function showDetails(db: Reader, ticket: PickTicketRow) {
  const { client_id: clientId, pick_ticket_id: pickTicketId } = ticket;
  const items = await findTicketItems(db, clientId, pickTicketId);
  const progress = await findProgress(db, clientId, pickTicketId);
  const parts = await findParts(db, clientId, pickTicketId);
  const byItem = Map.groupBy(parts, (part) => part.id);
  return {
    ...showTicket(ticket),
    fulfillmentOrderIds: [...new Set(parts.map((part) => part.fulfillmentOrderId))],
    pickTicketItems: items.map((item) => showItem(ticket, item, progress.get(item.id), byItem.get(item.id) ?? [])),
  };
}

/** The parts of a ticket that belong to an order each, with the units that its customer has canceled meanwhile. */
function findParts(db: Reader, clientId: string, pickTicketId: string) {
  return db
    .selectFrom('pick_ticket_lines as part')
    .innerJoin('order_lines as line', (join) =>
      join
        .onRef('line.client_id', '=', 'part.client_id')
        .onRef('line.fulfillment_order_id', '=', 'part.fulfillment_order_id')
        .onRef('line.line_index', '=', 'part.line_index'),
    )
    .select([
      'part.id',
      'part.fulfillment_order_id as fulfillmentOrderId',
      'part.quantity',
      'line.canceling',
      'line.web_line_id as webLineId',
      'line.instructions',
    ])
    .where('part.client_id', '=', clientId)
    .where('part.pick_ticket_id', '=', pickTicketId)
    .orderBy('part.fulfillment_order_id')
    .orderBy('part.line_index')
    .execute();
}

/** What customers asked for the lines of an item, with the order and line of each; nothing where they asked nothing. */
export function showInstructions(
  parts: readonly { fulfillmentOrderId: string; webLineId: string; instructions: string | null }[],
): Pick<PickTicketItemProgress, 'instructions'> {
  const instructions = parts.flatMap((part) =>
    instructionsOf(part).map((one) => ({
      fulfillmentOrderId: part.fulfillmentOrderId,
      webLineId: part.webLineId,
      ...one,
    })),
  );
  return instructions.length === 0 ? {} : { instructions };
}

function showItem(
  ticket: PickTicketRow,
  item: PickTicketItemRow,
  done: Progress | undefined,
  parts: Awaited<ReturnType<typeof findParts>>,
): PickTicketItemProgress {
  const isOpen = ticket.status !== 'CLOSED';
  const canceledQuantity = item.canceled ?? (isOpen ? (done?.canceled ?? 0) : 0);
  const reason = isOpen ? (done?.reason ?? null) : item.reason;
  const isPick = ticket.pick_ticket_type === 'PICK_TICKET';
  const customer = parts.reduce((sum, part) => sum + Math.min(part.quantity, part.canceling), 0);
  const snapshot = JSON.parse(item.snapshot) as Snapshot;
  return {
    id: item.id,
    itemDetails: snapshot.itemDetails,
    quantity: item.quantity,
    unitPrice: numeric(item.unit_price),
    ...(item.retail_price !== null && { retailPrice: numeric(item.retail_price) }),
    ...(item.pick_location !== null && { pickLocation: item.pick_location }),
    pickedQuantity: item.picked ?? (isOpen ? (done?.picked ?? 0) : 0),
    canceledQuantity,
    ...(canceledQuantity > 0 && reason !== null && { cancellationReasonCode: reason }),
    ...(isOpen && isPick && customer > 0 && { customerCanceledQuantity: customer }),
    ...(isPick && showInstructions(parts)),
    ...extrasOf(snapshot, item.quantity),
  };
}

/** `reveals` of an operation that responds with a ticket. */
export function ofTicket({ pickTicketDetails }: { pickTicketDetails: { fulfillmentOrderIds: readonly string[] } }) {
  return pickTicketDetails.fulfillmentOrderIds;
}
