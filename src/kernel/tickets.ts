/** Rows of pick tickets. */
import type { Ctx, ReadCtx } from '../platform/ctx.ts';
import type { Reader, Writer } from '../platform/storage/db.ts';
import type { Columns } from '../platform/storage/dialect.ts';
import { insertInto } from '../platform/storage/insert.ts';
import { change, changeOf, statement } from '../platform/storage/statement.ts';
import type { PickTicketItemRow, PickTicketLineRow, PickTicketRow } from '../platform/storage/tables.ts';
import { updateRows } from '../platform/storage/update.ts';

type BulkCtx = Pick<Ctx, 'db' | 'dialect'>;

/**
 * A ticket of the node, locked until the transaction ends: a write that decides from several of its rows starts here, so
 * that two writers of one ticket queue up on both engines (docs/decisions/191). It changes nothing.
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

/** Items of a ticket by their number. */
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

/** Which units of which orders a ticket is for, in (order, line) order. */
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

/** A ticket's user and dates, by its id: what a refusal says of the ticket that holds an order. */
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

/** A new ticket's item, before anybody has answered for it. */
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

/** Columns of what a confirmed ticket adds to the numbers of its day. */
type Total = 'confirmed_by' | 'picked_lines' | 'picked_units' | 'short_units';

/** Closes a ticket that is open and as it was read. Returns whether this one did: of two closers one wins. */
export async function closeTicket(
  ctx: Pick<Ctx, 'db' | 'now'>,
  ticket: PickTicketRow,
  columns: Pick<PickTicketRow, 'outcome'> & Partial<Pick<PickTicketRow, 'hold_location' | 'confirmation_hash' | Total>>,
): Promise<boolean> {
  const { client_id: clientId, pick_ticket_id: pickTicketId, revision: seen } = ticket;
  const closed = { status: 'CLOSED' as const, closed_at: ctx.now, lease_at: null, revision: seen + 1 };
  const { count } = await updateOpenTicket(ctx.db, { clientId, pickTicketId, seen }, { ...columns, ...closed });
  return count === 1;
}

/** Writes where the goods of a locked, confirmed ticket wait after its correction. Returns the ticket as it is then. */
export async function correctTicket(
  ctx: Pick<Ctx, 'db'>,
  ticket: PickTicketRow,
  changes: Pick<PickTicketRow, 'hold_location' | 'picked_lines' | 'picked_units' | 'short_units'>,
): Promise<PickTicketRow> {
  const columns = { ...changes, revision: ticket.revision + 1 };
  await ctx.db
    .updateTable('pick_tickets')
    .set(columns)
    .where('client_id', '=', ticket.client_id)
    .where('pick_ticket_id', '=', ticket.pick_ticket_id)
    .where('revision', '=', ticket.revision)
    .execute();
  return { ...ticket, ...columns };
}

const updateOpenTicket = changeOf(
  (db, { clientId, pickTicketId, seen }: OfTicket & { seen: number }, columns: Partial<PickTicketRow>) =>
    db
      .updateTable('pick_tickets')
      .set(columns)
      .where('client_id', '=', clientId)
      .where('pick_ticket_id', '=', pickTicketId)
      .where('status', '<>', 'CLOSED')
      .where('revision', '=', seen),
);

/** What was found of an item. */
type ItemResult = Pick<PickTicketItemRow, 'id' | 'picked' | 'canceled' | 'reason'>;

/** Writes what was found of each item. */
export async function saveResults(ctx: BulkCtx, ticket: PickTicketRow, answers: readonly ItemResult[]): Promise<void> {
  await updateItems(ctx, ticket.client_id, ofTicket(ticket, answers));
}

const updateItems = updateRows<Pick<PickTicketItemRow, 'pick_ticket_id'> & ItemResult>(
  'pick_ticket_items',
  { pick_ticket_id: 'text', id: 'integer', picked: 'integer', canceled: 'integer', reason: 'text' },
  { key: ['pick_ticket_id', 'id'] },
);

function ofTicket<R>({ pick_ticket_id }: PickTicketRow, rows: readonly R[]) {
  return rows.map((row) => ({ ...row, pick_ticket_id }));
}

/** What a line of an order got on a ticket. */
export type LineResult = Pick<PickTicketLineRow, 'fulfillment_order_id' | 'line_index'> & {
  picked: number;
  canceled: number;
};

/** Writes what each line got on the ticket. */
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
