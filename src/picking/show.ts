/** Pick tickets in the responses of Backroom's own operations. */

import { contactsOf, findOrders, instructionsOf } from '../kernel/orders.ts';
import { findTicketItems } from '../kernel/tickets/rows.ts';
import { findProgress, type Progress } from '../kernel/tickets/scans.ts';
import { claimantOf, joined, type Share, splitOf, toteOf } from '../kernel/tickets/split.ts';
import { ticketActions } from '../kernel/tickets/states.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { numeric } from '../platform/decimal.ts';
import { readJson } from '../platform/json-column.ts';
import type { Reader } from '../platform/storage/db.ts';
import type {
  FulfillmentOrderRow,
  OrderLineRow,
  PickTicketItemRow,
  PickTicketRow,
} from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { extrasOf } from '../shared/snapshot.ts';
import { findNames } from '../shared/user-names.ts';
import type { PickTicketOrder, PickTicketShare } from './schema.ts';
import { TICKET_NOTES_MAX } from './shapes.ts';
import type { PickTicketHeader, PickTicketItemProgress } from './ticket-schema.ts';

/** Returns a ticket without its items. */
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
    allowedActions: ticketActions(ticket),
  };
}

/** Returns a ticket with its items, their progress, and its orders. */
export async function showDetails(ctx: Pick<ReadCtx, 'db' | 'dialect'>, ticket: PickTicketRow) {
  const { client_id: clientId, pick_ticket_id: pickTicketId } = ticket;
  const items = await findTicketItems(ctx.db, clientId, pickTicketId);
  const progress = await findProgress(ctx.db, clientId, pickTicketId);
  const parts = await findParts(ctx.db, clientId, pickTicketId);
  const ids = [...new Set(parts.map((part) => part.fulfillmentOrderId))];
  const orders = await findOrders(ctx, clientId, ids);
  const isOpen = ticket.status !== 'CLOSED';
  const byItem = Map.groupBy(parts, (part) => part.id);
  const userName = (await findNames(ctx, clientId, [ticket.user_id])).get(ticket.user_id);
  const shares = isOpen ? openShares(ticket, orders, parts, progress) : closedShares(parts);
  const sharesOf = Map.groupBy(shares, (share) => share.itemNumber);
  return {
    ...showTicket(ticket),
    ...(userName !== undefined && { userName }),
    fulfillmentOrderIds: ids,
    orders: showOrders(orders.map((order) => ({ order, dueAt: isOpen ? dueAt(ticket, order) : null }))).map(
      (shown, index) => ({ ...shown, ...placeOf(ticket, orders[index]!) }),
    ),
    pickTicketItems: items.map((item) => ({
      ...showItem(ticket, item, progress.get(item.id), byItem.get(item.id) ?? []),
      orders: showShares(sharesOf.get(item.id) ?? [], ids),
    })),
    ...(isOpen && ticket.pick_ticket_type === 'PICK_TICKET' && (await notesOf(ctx, clientId, ids))),
  };
}

/** Returns the latest notes of the orders; {} without notes. */
async function notesOf({ db, dialect }: Pick<ReadCtx, 'db' | 'dialect'>, clientId: string, ids: readonly string[]) {
  const notes = await db
    .selectFrom('order_notes')
    .select(['fulfillment_order_id', 'at', 'note'])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', dialect.listOf<string>(dialect.listText(ids), 'text'))
    .orderBy('at', 'desc')
    .orderBy('fulfillment_order_id')
    .orderBy('position', 'desc')
    .limit(TICKET_NOTES_MAX)
    .execute();
  if (notes.length === 0) return {};
  return {
    notes: notes.map(({ fulfillment_order_id: fulfillmentOrderId, at, note }) => ({
      fulfillmentOrderId,
      notedDate: formatDateTime(at),
      note,
    })),
  };
}

type Part = Awaited<ReturnType<typeof findParts>>[number];

/**
 * Returns the shares of an open ticket. All units of a reverse ticket are canceled, so its shares do not list canceled
 * units separately.
 */
function openShares(
  ticket: PickTicketRow,
  orders: readonly FulfillmentOrderRow[],
  parts: readonly Part[],
  progress: ReadonlyMap<number, Progress>,
): Share[] {
  const isPick = ticket.pick_ticket_type === 'PICK_TICKET';
  const byOrder = Map.groupBy(parts, (part) => part.fulfillmentOrderId);
  const claimants = orders.map((order) => {
    const claims = (byOrder.get(order.fulfillment_order_id) ?? []).map((part) => ({
      lineIndex: part.lineIndex,
      itemNumber: part.id,
      quantity: part.quantity,
      canceling: isPick ? part.canceling : 0,
    }));
    return claimantOf(order, claims);
  });
  return splitOf(claimants, progress);
}

/**
 * Returns the shares of a closed ticket, as the CONFIRM wrote them. After a RESET, every share has 0 picked and 0
 * canceled units.
 */
function closedShares(parts: readonly Part[]): Share[] {
  return joined(
    parts.map((part) => ({
      itemNumber: part.id,
      fulfillmentOrderId: part.fulfillmentOrderId,
      quantity: part.quantity,
      picked: part.picked ?? 0,
      canceled: part.canceled ?? 0,
      withdrawn: 0,
    })),
  );
}

function dueAt(ticket: PickTicketRow, order: FulfillmentOrderRow): number | null {
  return ticket.pick_ticket_type === 'PICK_TICKET' ? order.sla_at : ticket.pick_sla_date;
}

/**
 * Returns the hold location of an order after the CONFIRM of its pick ticket, if the order has one; otherwise {}. Each
 * order of a ticket can have its own hold location.
 */
function placeOf(ticket: PickTicketRow, { hold_location: place }: FulfillmentOrderRow): { holdLocation?: string } {
  const isPicked = ticket.pick_ticket_type === 'PICK_TICKET' && ticket.outcome === 'CONFIRMED';
  return isPicked && place !== null ? { holdLocation: place } : {};
}

/** Returns the orders of a ticket with their totes. They are sorted by id; `dueAt` is null without a due time. */
export function showOrders(orders: readonly { order: FulfillmentOrderRow; dueAt: number | null }[]): PickTicketOrder[] {
  return orders.map(({ order, dueAt: at }, place) => {
    const { name } = contactsOf(order).customer;
    return {
      fulfillmentOrderId: order.fulfillment_order_id,
      tote: toteOf(place),
      ...(name !== '' && order.blanked_at === null && { customerName: name }),
      ...(at !== null && { dueAt: formatDateTime(at) }),
    };
  });
}

/** Returns the shares of one item; `ids` are the sorted orders of the ticket. */
function showShares(shares: readonly Share[], ids: readonly string[]): PickTicketShare[] {
  return shares.map(({ fulfillmentOrderId, quantity, picked, canceled, withdrawn }) => ({
    fulfillmentOrderId,
    tote: toteOf(ids.indexOf(fulfillmentOrderId)),
    quantity,
    pickedQuantity: picked,
    ...(canceled > 0 && { canceledQuantity: canceled }),
    ...(withdrawn > 0 && { customerCanceledQuantity: withdrawn }),
  }));
}

/**
 * Returns the parts of a ticket. A part has units of one order line. `canceling` is the number of units of the line
 * that the customer has canceled in the meantime.
 */
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
      'part.line_index as lineIndex',
      'part.quantity',
      'part.picked',
      'part.canceled',
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

/**
 * Returns the instructions of customers for the lines of an item, each with order and line; {} without instructions.
 */
export function showInstructions(
  parts: readonly { fulfillmentOrderId: string; webLineId: string; instructions: OrderLineRow['instructions'] }[],
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
): Omit<PickTicketItemProgress, 'orders'> {
  const isOpen = ticket.status !== 'CLOSED';
  const canceledQuantity = item.canceled ?? (isOpen ? (done?.canceled ?? 0) : 0);
  const reason = isOpen ? (done?.reason ?? null) : item.reason;
  const isPick = ticket.pick_ticket_type === 'PICK_TICKET';
  const customer = parts.reduce((sum, part) => sum + Math.min(part.quantity, part.canceling), 0);
  const snapshot = readJson(item.snapshot);
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
    ...(snapshot.imageUrl !== undefined && { imageUrl: snapshot.imageUrl }),
    ...extrasOf(snapshot, item.quantity),
  };
}

/** Returns the ids of the orders that a response with a ticket reveals, for the field `reveals` of the operation. */
export function ofTicket({ pickTicketDetails }: { pickTicketDetails: { fulfillmentOrderIds: readonly string[] } }) {
  return pickTicketDetails.fulfillmentOrderIds;
}
