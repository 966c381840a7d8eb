/** Anonymizes returns together with the customer of their order. Deletes a return when its last order is deleted. */
import { removeSequences } from '../../events/sequences.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { forgetReplies } from '../../platform/http/idempotency.ts';
import { parseJson, stringifyJson } from '../../platform/message/json.ts';
import type { ReturnRow } from '../../platform/storage/tables.ts';
import { textWithoutIndex } from '../../platform/storage/without-index.ts';
import type { ReturnEntry } from './action.ts';
import { FORGOTTEN_REASON } from './draft.ts';
import { COMMAND_KINDS, commandScope, requestScope, TAKE_SCOPE } from './scopes.ts';
import { findReceipts, selectReturnsOf } from './subject.ts';

/** The tables of returns with customers' data. */
export const PERSONAL_RETURN_TABLES = ['returns', 'return_lines', 'return_receipts'] as const;

/** Tables with rows of a return, in the order of deletion: a table precedes the tables that its rows refer to. */
const OF_A_RETURN = ['refunds', 'return_fees', 'return_held', 'return_receipts', 'return_lines', 'returns'] as const;

/**
 * Replaces the hashes of anonymized commands. No key has made this hash, so a later command with the same id counts as
 * a retry, also with other content.
 */
const NO_HASH = '-';

/** Anonymizes the returns of an order. */
export async function forgetReturnsOf(ctx: Ctx, clientId: string, orderId: string): Promise<void> {
  const rows = await selectReturnsOf(ctx.db, clientId, orderId)
    .selectAll()
    .orderBy('return_id')
    .modifyEnd(ctx.dialect.forUpdate)
    .execute();
  for (const row of rows) await forgetReturn(ctx, row);
}

/**
 * Stored responses are recorded under the ids of their orders (`noteOrders`). Responses that show a return are also
 * recorded under this name.
 */
export function returnReplies(returnId: string): string {
  return `return:${returnId}`;
}

/**
 * Anonymizes a locked return: removes the customer's reference, the notes, the reason of a late return, the content
 * hashes of its commands, and the stored responses that show the return.
 */
export async function forgetReturn(ctx: Pick<Ctx, 'db' | 'now'>, row: ReturnRow): Promise<void> {
  const { db } = ctx;
  const { client_id: clientId, return_id: returnId } = row;
  await db
    .updateTable('returns')
    .set({
      customer_ref: null,
      note: null,
      override_reason: row.override_reason === null ? null : FORGOTTEN_REASON,
      blank_at: null,
      blanked_at: ctx.now,
    })
    .where('client_id', '=', clientId)
    .where('return_id', '=', returnId)
    .execute();
  await db
    .updateTable('return_lines')
    .set({ note: null })
    .where('client_id', '=', clientId)
    .where('return_id', '=', returnId)
    .where('note', 'is not', null)
    .execute();
  for (const receipt of await findReceipts(db, row)) {
    const entries = parseJson<readonly ReturnEntry[]>(receipt.lines);
    if (entries.every(({ note }) => note === undefined)) continue;
    await db
      .updateTable('return_receipts')
      .set({ lines: stringifyJson(entries.map(({ note: _note, ...entry }) => entry)) })
      .where('client_id', '=', clientId)
      .where('return_id', '=', returnId)
      .where('receipt_id', '=', receipt.receipt_id)
      .execute();
  }
  for (const { scope, id } of commandsOf(row)) {
    let commands = db
      .updateTable('commands')
      .set({ content_hash: NO_HASH })
      .where('client_id', '=', clientId)
      .where('scope', '=', scope);
    if (id !== undefined) commands = commands.where('command_id', '=', id);
    await commands.execute();
  }
  await forgetReplies(db, clientId, returnReplies(returnId));
}

/** Returns the commands of a return. An element without `id` means all commands of its scope. */
function commandsOf(row: ReturnRow): { scope: string; id?: string }[] {
  return [
    ...COMMAND_KINDS.map((kind) => ({ scope: commandScope(row.return_id, kind) })),
    { scope: requestScope(row.store_id), id: row.number },
    ...(row.take_id === null ? [] : [{ scope: TAKE_SCOPE, id: row.take_id }]),
  ];
}

/**
 * Deletes the returns of deleted orders, except returns that have lines of an order that still exists. Returns the ids
 * of the deleted returns.
 */
export async function removeReturnsOf(ctx: Ctx, clientId: string, orderIds: readonly string[]): Promise<string[]> {
  const { db, dialect } = ctx;
  const touched = await db
    .selectFrom('return_lines')
    // This expression is in no index. With the plain column, `distinct` makes SQLite read all lines of the client by the
    // primary key.
    .select(textWithoutIndex('return_id').as('id'))
    .distinct()
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', dialect.listOf(orderIds, 'text'))
    .execute();
  const ids = touched.map(({ id }) => id);
  if (ids.length === 0) return [];
  const left = await db
    .selectFrom('return_lines as line')
    .innerJoin('fulfillment_orders as o', (join) =>
      join
        .onRef('o.client_id', '=', 'line.client_id')
        .onRef('o.fulfillment_order_id', '=', 'line.fulfillment_order_id'),
    )
    .select('line.return_id as id')
    .distinct()
    .where('line.client_id', '=', clientId)
    .where('line.return_id', 'in', dialect.listOf(ids, 'text'))
    .execute();
  const stays = new Set(left.map(({ id }) => id));
  const gone = ids.filter((id) => !stays.has(id));
  await removeReturns(ctx, clientId, gone);
  return gone;
}

/** Deletes returns with all their rows, commands and sequence numbers. */
export async function removeReturns(
  ctx: Pick<Ctx, 'db' | 'dialect'>,
  clientId: string,
  ids: readonly string[],
): Promise<void> {
  const { db, dialect } = ctx;
  if (ids.length === 0) return;
  const rows = await db
    .selectFrom('returns')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('return_id', 'in', dialect.listOf(ids, 'text'))
    .orderBy('return_id')
    .modifyEnd(dialect.forUpdate)
    .execute();
  for (const { scope, id } of rows.flatMap(commandsOf)) {
    let commands = db.deleteFrom('commands').where('client_id', '=', clientId).where('scope', '=', scope);
    if (id !== undefined) commands = commands.where('command_id', '=', id);
    await commands.execute();
  }
  for (const id of ids) await forgetReplies(db, clientId, returnReplies(id));
  const refunds = await db
    .selectFrom('refunds')
    .select('refund_id as id')
    .where('client_id', '=', clientId)
    .where('return_id', 'in', dialect.listOf(ids, 'text'))
    .execute();
  await removeSequences(ctx, clientId, 'return', ids);
  await removeSequences(
    ctx,
    clientId,
    'refund',
    refunds.map(({ id }) => id),
  );
  for (const table of OF_A_RETURN) {
    await db
      .deleteFrom(table as 'returns')
      .where('client_id', '=', clientId)
      .where('return_id', 'in', dialect.listOf(ids, 'text'))
      .execute();
  }
}
