/** The new pick ticket in the response of generate. */

import type { NewTicketPlan } from '../kernel/tickets/generate.ts';
import type { MergedItem } from '../kernel/tickets/merge-lines.ts';
import { numeric } from '../platform/decimal.ts';
import { readJson } from '../platform/json-column.ts';
import type { FulfillmentOrderRow, NodeItemRow } from '../platform/storage/tables.ts';
import { extrasOf } from '../shared/snapshot.ts';
import type { PickTicket, PickTicketItem } from './schema.ts';
import { showInstructions, showOrders, showTicket } from './show.ts';

/** Returns the ticket of a plan. Its orders are sorted by id. */
export function showNewTicket(
  { ticket, items, dues }: NewTicketPlan,
  rows: readonly FulfillmentOrderRow[],
  feed: ReadonlyMap<string, NodeItemRow>,
): PickTicket {
  const orders = showOrders(rows.map((order, index) => ({ order, dueAt: dues[index]! })));
  const toteOf = new Map(orders.map((order) => [order.fulfillmentOrderId, order.tote]));
  const { allowedActions: _actions, ...head } = showTicket(ticket);
  return {
    ...head,
    status: 'NEW',
    pickTicketType: 'PICK_TICKET',
    orders,
    pickTicketItems: items.map((item) => showItem(item, toteOf, feed.get(item.itemId))),
  };
}

function showItem(item: MergedItem, toteOf: ReadonlyMap<string, string>, fed: NodeItemRow | undefined): PickTicketItem {
  const retailPrice = fed?.retail_price ?? null;
  const snapshot = readJson(item.snapshot);
  return {
    id: item.id,
    itemDetails: snapshot.itemDetails,
    quantity: item.quantity,
    unitPrice: numeric(item.unitPrice),
    ...(retailPrice !== null && { retailPrice: numeric(retailPrice) }),
    ...(item.pickLocation !== null && { pickLocation: item.pickLocation }),
    ...showInstructions(item.lines),
    ...(snapshot.imageUrl !== undefined && { imageUrl: snapshot.imageUrl }),
    orders: [...Map.groupBy(item.lines, (line) => line.fulfillmentOrderId)].map(([fulfillmentOrderId, lines]) => ({
      fulfillmentOrderId,
      tote: toteOf.get(fulfillmentOrderId)!,
      quantity: lines.reduce((sum, line) => sum + line.quantity, 0),
    })),
    ...extrasOf(snapshot, item.quantity),
  };
}
