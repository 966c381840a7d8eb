/** Carries out the actions on returns: writes the return and its refunds in the caller's transaction. */
import { recordAll } from '../../events/record.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { conflict } from '../../platform/http/errors.ts';
import { stringifyJson } from '../../platform/message/json.ts';
import { Contended } from '../../platform/storage/db.ts';
import type { Columns } from '../../platform/storage/dialect.ts';
import { insertInto, insertRows } from '../../platform/storage/insert.ts';
import { change } from '../../platform/storage/statement.ts';
import type {
  RefundRow,
  ReturnFeeRow,
  ReturnHeldRow,
  ReturnLineRow,
  ReturnReceiptRow,
  ReturnRow,
} from '../../platform/storage/tables.ts';
import { updateRows } from '../../platform/storage/update.ts';
import { UNPAID_REFUNDS } from '../../shared/return-states.ts';
import { postStock } from '../stock.ts';
import type { Action, Change, OrderUnits } from './action.ts';
import { type Facts, plannedFor, type Target } from './planned.ts';
import { say } from './sentences.ts';

/**
 * Carries out an action on a locked return, or creates one. Returns the change, or undefined for a retry, which changes
 * nothing.
 * @throws Refusal
 */
export async function writeReturn(
  ctx: Ctx,
  target: Target,
  action: Action,
  { excluded }: Pick<Facts, 'excluded'> = {},
): Promise<Change | undefined> {
  const plan = await plannedFor(ctx, target, action, { ...(excluded && { excluded }), lock: true });
  if (plan.outcome === 'same') return undefined;
  if (plan.outcome === 'rejected') throw plan.rejection;
  await save(ctx, plan.change, target);
  await recordAll(ctx, plan.events);
  return plan.change;
}

async function save(ctx: Ctx, one: Change, { isNew, hasOwnNumber }: Target): Promise<void> {
  const { row } = one;
  if (isNew) await insertReturn(ctx, row, hasOwnNumber);
  else await updateReturn(ctx.db, row);
  await insertRows<ReturnLineRow>(ctx, 'return_lines', LINE_COLUMNS, one.newLines);
  await mustChange(one.changedLines.length, updateLines(ctx, row.client_id, one.changedLines.map(countersOf)));
  await mustChange(one.orderUnits.length, updateUnits(ctx, row.client_id, one.orderUnits.map(unitsRow)));
  if (one.receipt !== undefined) {
    const { entries, ...receipt } = one.receipt;
    await insertRows<ReturnReceiptRow>(ctx, 'return_receipts', RECEIPT_COLUMNS, [
      { ...receipt, lines: stringifyJson(entries) },
    ]);
  }
  await saveHeld(ctx, row, one.held);
  await insertFees(ctx, one.newFees);
  await insertRefunds(ctx, one.newRefunds);
  for (const { client_id: clientId, refund_id: refundId } of one.canceledRefunds) {
    await mustChange(
      1,
      cancelRefund(ctx.db, { clientId, refundId }).then(({ count }) => count),
    );
  }
  const { nodeId, moves } = one.moves;
  await postStock(ctx, { clientId: row.client_id, nodeId }, moves);
}

/** Throws an error if a row was not written. All rows are locked, so no row can differ from the row that was read. */
async function mustChange(rows: number, done: Promise<number>): Promise<void> {
  if ((await done) !== rows) throw new Error('a locked row of a return was changed');
}

/** The unique indexes decide which of two concurrent requests uses a number or a takeId. */
async function insertReturn({ db }: Ctx, row: ReturnRow, hasOwnNumber = false): Promise<void> {
  const made = await db
    .insertInto('returns')
    .values(row)
    .onConflict((on) => on.doNothing())
    .executeTakeFirst();
  if (made.numInsertedOrUpdatedRows === 1n) return;
  if (hasOwnNumber) throw new Contended('Another request has used the number of the return.');
  throw conflict(
    say('Store {storeId} has a return {number} already; nothing was changed. Send another number, or leave it out.', {
      storeId: JSON.stringify(row.store_id),
      number: JSON.stringify(row.number),
    }),
  );
}

const updateReturn = change((db, row: ReturnRow) =>
  db
    .updateTable('returns')
    .set({
      status: row.status,
      revision: row.revision,
      node_id: row.node_id,
      tracking_number: row.tracking_number,
      in_transit_at: row.in_transit_at,
      closed_at: row.closed_at,
      blank_at: row.blank_at,
      counted: row.counted,
      fee_taken: row.fee_taken,
      receipts: row.receipts,
    })
    .where('client_id', '=', row.client_id)
    .where('return_id', '=', row.return_id),
);

const COUNTER_TYPES = {
  requested: 'integer',
  sellable: 'integer',
  damaged: 'integer',
  held: 'integer',
  given_back: 'integer',
  missing: 'integer',
  over: 'integer',
} as const;

const LINE_COLUMNS: Columns<ReturnLineRow> = {
  client_id: 'text',
  return_id: 'text',
  position: 'integer',
  fulfillment_order_id: 'text',
  line_index: 'integer',
  web_line_id: 'text',
  item_id: 'text',
  reason: 'text',
  note: 'text',
  ...COUNTER_TYPES,
};

type Counters = Pick<ReturnLineRow, keyof typeof COUNTER_TYPES | 'return_id' | 'position'>;

const updateLines = updateRows<Counters>(
  'return_lines',
  { return_id: 'text', position: 'integer', ...COUNTER_TYPES },
  { key: ['return_id', 'position'] },
);

function countersOf(line: ReturnLineRow): Counters {
  const { return_id, position, requested, sellable, damaged, held, given_back, missing, over } = line;
  return { return_id, position, requested, sellable, damaged, held, given_back, missing, over };
}

interface UnitsRow {
  fulfillment_order_id: string;
  line_index: number;
  came_back: number;
  coming_back: number;
  came_before: number;
  coming_before: number;
}

/**
 * Writes a line only if its units are as they were read. If two returns take the last units, this guard rejects the
 * second return, even without the lock of the order.
 */
const updateUnits = updateRows<UnitsRow>(
  'order_lines',
  {
    fulfillment_order_id: 'text',
    line_index: 'integer',
    came_back: 'integer',
    coming_back: 'integer',
    came_before: 'integer',
    coming_before: 'integer',
  },
  {
    key: ['fulfillment_order_id', 'line_index'],
    guard: { came_back: 'came_before', coming_back: 'coming_before' },
  },
);

function unitsRow({ orderId, lineIndex, cameBack, comingBack, before }: OrderUnits): UnitsRow {
  return {
    fulfillment_order_id: orderId,
    line_index: lineIndex,
    came_back: cameBack,
    coming_back: comingBack,
    came_before: before.cameBack,
    coming_before: before.comingBack,
  };
}

const RECEIPT_COLUMNS: Columns<ReturnReceiptRow> = {
  client_id: 'text',
  return_id: 'text',
  receipt_id: 'text',
  position: 'integer',
  node_id: 'text',
  user_id: 'text',
  corrects: 'text',
  lines: 'text',
  at: 'integer',
};

const HELD_COLUMNS: Columns<ReturnHeldRow> = {
  client_id: 'text',
  return_id: 'text',
  position: 'integer',
  node_id: 'text',
  units: 'integer',
  since: 'integer',
};

async function saveHeld(ctx: Ctx, row: ReturnRow, rows: readonly ReturnHeldRow[]): Promise<void> {
  const over =
    'on conflict (client_id, return_id, position, node_id) do update set units = excluded.units, since = excluded.since';
  const left = rows.filter(({ units }) => units > 0);
  await insertRows<ReturnHeldRow>(ctx, 'return_held', HELD_COLUMNS, left, over);
  const gone = Map.groupBy(
    rows.filter(({ units }) => units === 0),
    ({ node_id }) => node_id,
  );
  for (const [nodeId, some] of gone) {
    await ctx.db
      .deleteFrom('return_held')
      .where('client_id', '=', row.client_id)
      .where('return_id', '=', row.return_id)
      .where('node_id', '=', nodeId)
      .where(
        'position',
        'in',
        some.map(({ position }) => position),
      )
      .execute();
  }
}

const insertFees = insertInto<ReturnFeeRow>('return_fees', {
  client_id: 'text',
  fulfillment_order_id: 'text',
  return_id: 'text',
  amount: 'text',
});

const insertRefunds = insertInto<RefundRow>('refunds', {
  client_id: 'text',
  refund_id: 'text',
  return_id: 'text',
  store_id: 'text',
  number: 'text',
  fulfillment_order_id: 'text',
  position: 'integer',
  amount: 'text',
  currency: 'text',
  collected_at_door: 'text',
  shipping: 'text',
  fee: 'text',
  basis: 'text',
  status: 'text',
  reference: 'text',
  failure: 'text',
  due_at: 'integer',
  answered_at: 'integer',
});

const cancelRefund = change((db, { clientId, refundId }: { clientId: string; refundId: string }) =>
  db
    .updateTable('refunds')
    .set({ status: 'CANCELED' })
    .where('client_id', '=', clientId)
    .where('refund_id', '=', refundId)
    .where('status', 'in', UNPAID_REFUNDS),
);
