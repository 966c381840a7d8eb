/** Rows of pick tickets. */
import type { Ctx, ReadCtx } from '../../platform/ctx.ts';
import type { Reader, Writer } from '../../platform/storage/db.ts';
import type { Columns } from '../../platform/storage/dialect.ts';
import { insertInto } from '../../platform/storage/insert.ts';
import { change, changeOf, statement } from '../../platform/storage/statement.ts';
import type { PickTicketItemRow, PickTicketLineRow, PickTicketRow } from '../../platform/storage/tables.ts';
import { updateRows } from '../../platform/storage/update.ts';

type BulkCtx = Pick<Ctx, 'db' | 'dialect'>;

/**
 * Locks and returns a ticket of the node until the transaction ends; undefined if the node has no such ticket. A write
 * that depends on several rows of the ticket starts with this lock, so that two writers of one ticket run one after the
 * other on both engines (docs/decisions/191). The lock changes no data.
 */
export async function lockTicket(tx: Writer, key: TicketKey): Promise<PickTicketRow | undefined> {
  return (await touchTicketRow(tx, key)).rows[0];
}

interface TicketKey {
  clientId: string;
  storeId: string;
  nodeId: string;
  pickTicketId: string;
}

const touchTicketRow = change((db, { clientId, storeId, nodeId, pickTicketId }: TicketKey) =>
  db
    .updateTable('pick_tickets')
    .set((eb) => ({ revision: eb.ref('revision') }))
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', '=', pickTicketId)
    .where('store_id', '=', storeId)
    .where('node_id', '=', nodeId)
    .returningAll(),
);

interface OfTicket {
  clientId: string;
  pickTicketId: string;
}

/** Returns the items of a ticket, sorted by number. */
export function findTicketItems(db: Reader, clientId: string, pickTicketId: string): Promise<PickTicketItemRow[]> {
  return selectItems(db, { clientId, pickTicketId });
}

const selectItems = statement((db, { clientId, pickTicketId }: OfTicket) =>
  db
    .selectFrom('pick_ticket_items')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', '=', pickTicketId)
    .orderBy('id'),
);

/** Returns the order lines of a ticket with their units, sorted by order and line. */
export function findTicketLines(db: Reader, clientId: string, pickTicketId: string): Promise<PickTicketLineRow[]> {
  return selectLines(db, { clientId, pickTicketId });
}

const selectLines = statement((db, { clientId, pickTicketId }: OfTicket) =>
  db
    .selectFrom('pick_ticket_lines')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', '=', pickTicketId)
    .orderBy('fulfillment_order_id')
    .orderBy('line_index'),
);

/** Returns the tickets of a client by their ids. */
export function findTickets(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  pickTicketIds: readonly string[],
): Promise<PickTicketRow[]> {
  return ctx.db
    .selectFrom('pick_tickets')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', 'in', ctx.dialect.listOf(pickTicketIds, 'text'))
    .execute();
}

/** An item of a new ticket, which has no result yet. */
export type NewItemRow = Omit<PickTicketItemRow, 'picked' | 'canceled' | 'reason'>;
export type NewLineRow = Omit<PickTicketLineRow, 'picked' | 'canceled'>;

const ITEM_COLUMNS: Columns<NewItemRow> = {
  client_id: 'text',
  pick_ticket_id: 'text',
  id: 'integer',
  item_id: 'text',
  unit_price: 'text',
  retail_price: 'text',
  pick_location: 'text',
  quantity: 'integer',
  snapshot: 'text',
};

const LINE_COLUMNS: Columns<NewLineRow> = {
  client_id: 'text',
  pick_ticket_id: 'text',
  fulfillment_order_id: 'text',
  line_index: 'integer',
  id: 'integer',
  quantity: 'integer',
};

/** Writes a new ticket with its items and lines. */
export async function insertTicket(
  ctx: BulkCtx,
  ticket: PickTicketRow,
  items: readonly NewItemRow[],
  lines: readonly NewLineRow[],
): Promise<void> {
  await insertTicketRow(ctx.db, {}, ticket);
  await insertItems(ctx, items);
  await insertLines(ctx, lines);
}

const insertTicketRow = changeOf((db, _none: object, ticket: PickTicketRow) =>
  db.insertInto('pick_tickets').values(ticket),
);

const insertItems = insertInto('pick_ticket_items', ITEM_COLUMNS);
const insertLines = insertInto('pick_ticket_lines', LINE_COLUMNS);

/**
 * Writes columns of a ticket if its status and revision have not changed since it was read. Returns whether the columns
 * were written, because only one of two concurrent writers succeeds.
 */
export async function saveTicket(
  { db }: Pick<Ctx, 'db'>,
  { client_id: clientId, pick_ticket_id: pickTicketId, status: before, revision: seen }: PickTicketRow,
  columns: Partial<PickTicketRow>,
): Promise<boolean> {
  return (await updateTicket(db, { clientId, pickTicketId, before, seen }, columns)).count === 1;
}

const updateTicket = changeOf(
  (
    db,
    { clientId, pickTicketId, before, seen }: OfTicket & { before: PickTicketRow['status']; seen: number },
    columns: Partial<PickTicketRow>,
  ) =>
    db
      .updateTable('pick_tickets')
      .set(columns)
      .where('client_id', '=', clientId)
      .where('pick_ticket_id', '=', pickTicketId)
      .where('status', '=', before)
      .where('revision', '=', seen),
);

/** The result of an item: picked + canceled is its quantity, and canceled units have a reason. */
export interface ItemResult {
  id: number;
  picked: number;
  canceled: number;
  reason: string | null;
}

/** Writes the results of items. */
export async function saveResults(ctx: BulkCtx, ticket: PickTicketRow, results: readonly ItemResult[]): Promise<void> {
  await updateItems(ctx, ticket.client_id, ofTicket(ticket, results));
}

const updateItems = updateRows<Pick<PickTicketItemRow, 'pick_ticket_id'> & ItemResult>(
  'pick_ticket_items',
  { pick_ticket_id: 'text', id: 'integer', picked: 'integer', canceled: 'integer', reason: 'text' },
  { key: ['pick_ticket_id', 'id'] },
);

function ofTicket<R>({ pick_ticket_id }: PickTicketRow, rows: readonly R[]) {
  return rows.map((row) => ({ ...row, pick_ticket_id }));
}

/** Picked and canceled units of an order line on a ticket. */
export type LineResult = Pick<PickTicketLineRow, 'fulfillment_order_id' | 'line_index'> & {
  picked: number;
  canceled: number;
};

/** Writes the units of each line of the ticket. */
export async function saveTicketLines(
  ctx: BulkCtx,
  ticket: PickTicketRow,
  results: readonly LineResult[],
): Promise<void> {
  await updateLines(ctx, ticket.client_id, ofTicket(ticket, results));
}

const updateLines = updateRows<Pick<PickTicketLineRow, 'pick_ticket_id'> & LineResult>(
  'pick_ticket_lines',
  {
    pick_ticket_id: 'text',
    fulfillment_order_id: 'text',
    line_index: 'integer',
    picked: 'integer',
    canceled: 'integer',
  },
  { key: ['pick_ticket_id', 'fulfillment_order_id', 'line_index'] },
);
