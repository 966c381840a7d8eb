/** What a new ticket is made of, whichever way its goods go: its number, what the node says of its items, its rows. */

import { nextNumbers } from '../platform/counters.ts';
import type { Ctx } from '../platform/ctx.ts';
import type { BoundText } from '../platform/storage/dialect.ts';
import { statement } from '../platform/storage/statement.ts';
import type { NodeItemRow, OrderLineRow } from '../platform/storage/tables.ts';
import { componentsOf, type MergedItem, type OpenLine } from './merge-lines.ts';
import type { NewItemRow, NewLineRow } from './tickets.ts';

const FIRST_TICKET = 100_001;

type TicketKey = { client_id: string; pick_ticket_id: string };

/** Tickets of a client are numbered, whatever they are for. */
export async function nextPickTicketId(ctx: Pick<Ctx, 'db' | 'dialect'>, clientId: string): Promise<string> {
  return String((await nextNumbers(ctx, clientId, 'pickTicket', FIRST_TICKET, 1))[0]);
}

/** Units of a line as a part of a ticket. */
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

/** What the node says of the items of lines and of the components of bundles, by item id. */
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

/** Where the items of a feed lie. */
export function pickLocations(feed: ReadonlyMap<string, NodeItemRow>): Map<string, string | null> {
  return new Map([...feed].map(([itemId, row]) => [itemId, row.pick_location]));
}

/** The row of an item of a ticket. */
export function itemRow(ticket: TicketKey, item: MergedItem, fed: NodeItemRow | undefined): NewItemRow {
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

/** The rows of the lines that an item of a ticket is for. */
export function lineRows(ticket: TicketKey, item: MergedItem): NewLineRow[] {
  return item.lines.map((line) => ({
    client_id: ticket.client_id,
    pick_ticket_id: ticket.pick_ticket_id,
    fulfillment_order_id: line.fulfillmentOrderId,
    line_index: line.lineIndex,
    id: item.id,
    quantity: line.quantity,
  }));
}
