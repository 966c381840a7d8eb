/** Finds returns for operations, claims the ids of commands on returns, and creates the rows of new returns. */
import { claimCommand } from '../kernel/commands.ts';
import type { Change } from '../kernel/returns/action.ts';
import { type CommandKind, commandScope } from '../kernel/returns/scopes.ts';
import { findNumbered, findReturn, type Locked, lockReturn } from '../kernel/returns/subject.ts';
import { nextNumbers } from '../platform/counters.ts';
import type { Ctx, ReadCtx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import { notFound } from '../platform/http/errors.ts';
import { EMPTY_LIST } from '../platform/json-column.ts';
import type { Sentence } from '../platform/message/sentence.ts';
import { quote } from '../platform/message/words.ts';
import type { ReturnLineRow, ReturnRow, StoreRow } from '../platform/storage/tables.ts';
import type { Return } from './schema.ts';
import { say } from './sentences.ts';
import { showReturn } from './show.ts';

/**
 * Finds a return of a store by its number.
 * @throws Refusal 404
 */
export async function requireNumbered(
  { db }: Pick<ReadCtx, 'db'>,
  store: StoreRow,
  number: string,
): Promise<ReturnRow> {
  const row = await findNumbered(db, { clientId: store.client_id, storeId: store.store_id, number });
  if (row === undefined)
    throw noReturn(
      say('Store {storeId} has no return {number}.', { storeId: quote(store.store_id), number: quote(number) }),
    );
  return row;
}

/**
 * Finds a return of the client by its id, if the caller has access to its store.
 * @throws Refusal 404
 */
export async function requireReturn(ctx: Pick<ReadCtx, 'db' | 'actor'>, clientId: string, returnId: string) {
  const row = await findReturn(ctx.db, { clientId, returnId });
  if (row === undefined || !allows(ctx.actor.storeIds, row.store_id)) {
    throw noReturn(
      say('There is no return with the id {returnId}; paths of a node have the returnId, not the number.', {
        returnId: quote(returnId),
      }),
    );
  }
  return row;
}

const noReturn = (words: Sentence) => notFound(words);

/**
 * Locks a return with its orders and the orders `orderIds`.
 * @throws Refusal 404 if it was removed in the meantime
 */
export async function mustLock(ctx: Ctx, row: ReturnRow, orderIds: readonly string[] = []): Promise<Locked> {
  const locked = await lockReturn(ctx, row, orderIds);
  if (locked === undefined) throw noReturn(say('Return {number} was removed.', { number: quote(row.number) }));
  return locked;
}

/**
 * Claims the id of a command on a locked return. Returns whether the command was carried out before. A retry must have
 * the same node and content; the time and the user are not compared, so another user can retry.
 * @throws Refusal 409 if the node or the content differs
 */
export async function isRepeated(
  ctx: Ctx,
  row: ReturnRow,
  kind: CommandKind,
  { id, nodeId, member, content }: { id: string; nodeId: string; member: string; content: object },
): Promise<boolean> {
  const { userId: _user, at: _at, ...compared } = content as { userId?: unknown; at?: unknown };
  const key = { clientId: row.client_id, scope: commandScope(row.return_id, kind), commandId: id, nodeId };
  return (await claimCommand(ctx, key, compared, member)) !== undefined;
}

/** Claims the takeId as the id of the close that `takeReturn` carried out. */
export async function claimClose(ctx: Ctx, row: ReturnRow, closeId: string, nodeId: string): Promise<void> {
  await isRepeated(ctx, row, 'close', { id: closeId, nodeId, member: 'closeId', content: { closeId } });
}

/** Returns the return after a write: the changed return or, without a change, the return as it was before the write. */
export async function shownAfter(
  ctx: Ctx,
  before: { row: ReturnRow; lines: readonly ReturnLineRow[] },
  change: Change | undefined,
): Promise<Return> {
  const { row, ...known } = change ?? before;
  return await showReturn(ctx, row, known);
}

/** Returns a later number of the client's sequence that no return of the store has: the next one, if it is free. */
export async function freeNumber(ctx: Ctx, { client_id: clientId, store_id: storeId }: StoreRow): Promise<string> {
  for (let used = 0; ; used++) {
    // The order management system can have used thousands of numbers in sequence, so the steps grow.
    const step = 2 ** Math.max(0, used - 2);
    const numbers = await nextNumbers(ctx, clientId, 'returnNumber', 1, step);
    const number = String(numbers.at(-1));
    if ((await findNumbered(ctx.db, { clientId, storeId, number })) === undefined) return number;
  }
}

/** Returns the row of a new return. Its first action is planned afterwards and changes this row. */
export function newRow(
  ctx: Pick<ReadCtx, 'newId' | 'now' | 'actor'>,
  { client_id, store_id }: StoreRow,
  more: Partial<ReturnRow> & Pick<ReturnRow, 'number' | 'kind' | 'status'>,
): ReturnRow {
  return {
    client_id,
    return_id: ctx.newId(),
    store_id,
    node_id: null,
    expected_node_id: null,
    revision: 0,
    customer_ref: null,
    note: null,
    override_reason: null,
    tracking_number: null,
    in_transit_at: null,
    expires_at: null,
    closed_at: null,
    blank_at: null,
    blanked_at: null,
    take_id: null,
    counted: 0,
    fee_taken: 0,
    receipts: 0,
    exchanges: EMPTY_LIST,
    created_at: ctx.now,
    created_by: ctx.actor.id,
    ...more,
  };
}
