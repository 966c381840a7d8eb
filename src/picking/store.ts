/**
 * Rows of pick tickets.
 *
 * Bound rows that drive an update are `materialized`: else SQLite reads all of them again for each row of the table, and
 * the CONFIRM of 4,000 items takes 25 s.
 */
import type { Ctx, ReadCtx } from '../ctx.ts';
import type { Reader, Writer } from '../storage/db.ts';
import type { PickTicketItemRow, PickTicketLineRow, PickTicketRow } from '../storage/tables.ts';

type BulkCtx = Pick<Ctx, 'db' | 'dialect'>;

/**
 * A ticket of the node, locked until the transaction ends: a write that decides from several of its rows starts here, so
 * that two writers of one ticket queue up on both engines (decision 3). It changes nothing.
 */
export function lockTicket(
  tx: Writer,
  key: { clientId: string; storeId: string; nodeId: string; pickTicketId: string },
): Promise<PickTicketRow | undefined> {
  return tx
    .updateTable('pick_tickets')
    .set((eb) => ({ revision: eb.ref('revision') }))
    .where('client_id', '=', key.clientId)
    .where('pick_ticket_id', '=', key.pickTicketId)
    .where('store_id', '=', key.storeId)
    .where('node_id', '=', key.nodeId)
    .returningAll()
    .executeTakeFirst();
}

/** Items of a ticket by their number. */
export function findTicketItems(db: Reader, clientId: string, pickTicketId: string): Promise<PickTicketItemRow[]> {
  return db
    .selectFrom('pick_ticket_items')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', '=', pickTicketId)
    .orderBy('id')
    .execute();
}

/** Which units of which orders a ticket is for, in (order, line) order. */
export function findTicketLines(db: Reader, clientId: string, pickTicketId: string): Promise<PickTicketLineRow[]> {
  return db
    .selectFrom('pick_ticket_lines')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', '=', pickTicketId)
    .orderBy('fulfillment_order_id')
    .orderBy('line_index')
    .execute();
}

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

const ITEM_COLUMNS = {
  client_id: 'text',
  pick_ticket_id: 'text',
  id: 'integer',
  item_id: 'text',
  unit_price: 'text',
  retail_price: 'text',
  pick_location: 'text',
  quantity: 'integer',
  snapshot: 'text',
} as const;

const LINE_COLUMNS = {
  client_id: 'text',
  pick_ticket_id: 'text',
  fulfillment_order_id: 'text',
  line_index: 'integer',
  id: 'integer',
  quantity: 'integer',
} as const;

/** Writes a new ticket with its items and lines. */
export async function insertTicket(
  ctx: BulkCtx,
  ticket: PickTicketRow,
  items: readonly NewItemRow[],
  lines: readonly NewLineRow[],
): Promise<void> {
  await ctx.db.insertInto('pick_tickets').values(ticket).execute();
  await ctx.db
    .insertInto('pick_ticket_items')
    .columns(Object.keys(ITEM_COLUMNS) as (keyof typeof ITEM_COLUMNS)[])
    .expression(ctx.dialect.rowsOf(items, ITEM_COLUMNS))
    .execute();
  await ctx.db
    .insertInto('pick_ticket_lines')
    .columns(Object.keys(LINE_COLUMNS) as (keyof typeof LINE_COLUMNS)[])
    .expression(ctx.dialect.rowsOf(lines, LINE_COLUMNS))
    .execute();
}

/** Closes a ticket that is open and as it was read. Answers whether this one did: of two closers one wins. */
export async function closeTicket(
  ctx: Pick<Ctx, 'db' | 'now'>,
  ticket: PickTicketRow,
  columns: Pick<PickTicketRow, 'outcome'> & Partial<Pick<PickTicketRow, 'hold_location' | 'confirmation_hash'>>,
): Promise<boolean> {
  const result = await ctx.db
    .updateTable('pick_tickets')
    .set({ ...columns, status: 'CLOSED', closed_at: ctx.now, lease_at: null, revision: ticket.revision + 1 })
    .where('client_id', '=', ticket.client_id)
    .where('pick_ticket_id', '=', ticket.pick_ticket_id)
    .where('status', '<>', 'CLOSED')
    .where('revision', '=', ticket.revision)
    .executeTakeFirstOrThrow();
  return result.numUpdatedRows === 1n;
}

/** Writes what was found of each item. */
export async function saveAnswers(
  ctx: BulkCtx,
  ticket: PickTicketRow,
  answers: readonly { id: number; picked: number; canceled: number; reason: string | null }[],
): Promise<void> {
  const columns = { id: 'integer', picked: 'integer', canceled: 'integer', reason: 'text' } as const;
  await ctx.db
    .with(
      (cte) => cte('answer').materialized(),
      () => ctx.dialect.rowsOf(answers, columns),
    )
    .updateTable('pick_ticket_items')
    .from('answer')
    .set((eb) => ({
      picked: eb.ref('answer.picked'),
      canceled: eb.ref('answer.canceled'),
      reason: eb.ref('answer.reason'),
    }))
    .where('client_id', '=', ticket.client_id)
    .where('pick_ticket_id', '=', ticket.pick_ticket_id)
    .whereRef('pick_ticket_items.id', '=', 'answer.id')
    .execute();
}

/** What a line of an order got on a ticket. */
export type LineResult = Pick<PickTicketLineRow, 'fulfillment_order_id' | 'line_index'> & {
  picked: number;
  canceled: number;
};

const RESULT_COLUMNS = {
  fulfillment_order_id: 'text',
  line_index: 'integer',
  picked: 'integer',
  canceled: 'integer',
} as const;

/** Writes what each line got on the ticket. */
export async function saveTicketLines(
  ctx: BulkCtx,
  ticket: PickTicketRow,
  results: readonly LineResult[],
): Promise<void> {
  await ctx.db
    .with(
      (cte) => cte('result').materialized(),
      () => ctx.dialect.rowsOf(results, RESULT_COLUMNS),
    )
    .updateTable('pick_ticket_lines')
    .from('result')
    .set((eb) => ({ picked: eb.ref('result.picked'), canceled: eb.ref('result.canceled') }))
    .where('client_id', '=', ticket.client_id)
    .where('pick_ticket_id', '=', ticket.pick_ticket_id)
    .whereRef('pick_ticket_lines.fulfillment_order_id', '=', 'result.fulfillment_order_id')
    .whereRef('pick_ticket_lines.line_index', '=', 'result.line_index')
    .execute();
}
