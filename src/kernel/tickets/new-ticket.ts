/** The parts of a new pick or reverse pick ticket: its number, the item feed of the node, and its rows. */

import { nextNumbers } from '../../platform/counters.ts';
import type { Ctx } from '../../platform/ctx.ts';
import type { BoundText } from '../../platform/storage/dialect.ts';
import { statement } from '../../platform/storage/statement.ts';
import type { FulfillmentOrderRow, NodeItemRow, OrderLineRow, PickTicketRow } from '../../platform/storage/tables.ts';
import { componentsOf, type MergedItem, type OpenLine } from './merge-lines.ts';
import { insertTicket, type NewItemRow, type NewLineRow } from './rows.ts';

const FIRST_TICKET = 100_001;

type TicketKey = { client_id: string; pick_ticket_id: string };

/** Returns the next ticket number of a client. Pick and reverse pick tickets share one sequence. */
export async function nextPickTicketId(ctx: Pick<Ctx, 'db' | 'dialect'>, clientId: string): Promise<string> {
  return String((await nextNumbers(ctx, clientId, 'pickTicket', FIRST_TICKET, 1))[0]);
}

/** Returns units of a line as a part of a ticket. */
export function partOfTicket(line: OrderLineRow, quantity: number): OpenLine {
  return {
    fulfillmentOrderId: line.fulfillment_order_id,
    lineIndex: line.line_index,
    webLineId: line.web_line_id,
    itemId: line.item_id,
    unitPrice: line.unit_price,
    quantity,
    snapshot: line.snapshot,
    instructions: line.instructions,
  };
}

/** Reads the node's item feed for the items of lines and for the components of bundles, by item id. */
export async function findFeed(
  ctx: Pick<Ctx, 'db' | 'dialect'>,
  node: { client_id: string; node_id: string },
  lines: readonly OrderLineRow[],
): Promise<Map<string, NodeItemRow>> {
  const inBundles = lines.flatMap((line) => componentsOf(line) ?? []).map((one) => one.itemDetails.itemId);
  const itemIds = [...new Set([...lines.map((line) => line.item_id), ...inBundles])];
  const { client_id: clientId, node_id: nodeId } = node;
  const rows = await selectFeed(ctx.db, { clientId, nodeId, itemIds: ctx.dialect.listText(itemIds) });
  return new Map(rows.map((row) => [row.item_id, row]));
}

const selectFeed = statement(
  (db, { clientId, nodeId, itemIds }: { clientId: string; nodeId: string; itemIds: BoundText }, dialect) =>
    db
      .selectFrom('node_items')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('node_id', '=', nodeId)
      .where('item_id', 'in', dialect.listOf<string>(itemIds, 'text')),
);

/** Returns the pick locations of the items in a feed, by item id. */
export function pickLocations(feed: ReadonlyMap<string, NodeItemRow>): Map<string, string | null> {
  return new Map([...feed].map(([itemId, row]) => [itemId, row.pick_location]));
}

/** The columns that do not follow from one order and the items of a new ticket. */
type Own = Pick<
  PickTicketRow,
  | 'pick_ticket_id'
  | 'pick_ticket_type'
  | 'queue_id'
  | 'user_id'
  | 'hold_location'
  | 'pick_ticket_date'
  | 'pick_sla_date'
  | 'total_fulfillment_orders'
  | 'fulfillment_order_id'
>;

/**
 * Returns the row of a NEW ticket with the items `items`. `first` is any order of the ticket: all orders of a ticket
 * have the same store, node, type and currency.
 */
export function newTicket(first: FulfillmentOrderRow, items: readonly MergedItem[], own: Own): PickTicketRow {
  return {
    client_id: first.client_id,
    store_id: first.store_id,
    node_id: first.node_id,
    status: 'NEW',
    outcome: null,
    revision: 1,
    fulfillment_type: first.fulfillment_type,
    currency: first.currency,
    total_skus: new Set(items.map((item) => item.itemId)).size,
    total_quantity: items.reduce((sum, item) => sum + item.quantity, 0),
    confirmation_hash: null,
    closed_at: null,
    confirmed_by: null,
    picked_lines: null,
    picked_units: null,
    short_units: null,
    lease_at: null,
    ...own,
  };
}

/** Writes a new ticket with its items and its order lines. */
export async function saveNewTicket(
  ctx: Pick<Ctx, 'db' | 'dialect'>,
  ticket: PickTicketRow,
  items: readonly MergedItem[],
  feed: ReadonlyMap<string, NodeItemRow>,
): Promise<void> {
  await insertTicket(
    ctx,
    ticket,
    items.map((item) => itemRow(ticket, item, feed.get(item.itemId))),
    items.flatMap((item) => lineRows(ticket, item)),
  );
}

/** Returns the row of an item of a ticket. */
function itemRow(ticket: TicketKey, item: MergedItem, fed: NodeItemRow | undefined): NewItemRow {
  return {
    client_id: ticket.client_id,
    pick_ticket_id: ticket.pick_ticket_id,
    id: item.id,
    item_id: item.itemId,
    unit_price: item.unitPrice,
    retail_price: fed?.retail_price ?? null,
    pick_location: item.pickLocation,
    quantity: item.quantity,
    snapshot: item.snapshot,
  };
}

/** Returns the rows of the order lines of a ticket item. */
function lineRows(ticket: TicketKey, item: MergedItem): NewLineRow[] {
  return item.lines.map((line) => ({
    client_id: ticket.client_id,
    pick_ticket_id: ticket.pick_ticket_id,
    fulfillment_order_id: line.fulfillmentOrderId,
    line_index: line.lineIndex,
    id: item.id,
    quantity: line.quantity,
  }));
}
