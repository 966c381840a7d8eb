/**
 * Deletes returns without an order at the end of their retention, except returns with held units. Other returns are
 * deleted with the last of their orders.
 */
import { sql } from 'kysely';
import { removeReturns } from '../../kernel/returns/forget.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { textWithoutIndex } from '../../platform/storage/without-index.ts';
import { isReturnOpen } from './orders.ts';
import { along, type Mark, type Sweep } from './sweep.ts';

/**
 * Condition for returns that can be deleted by their own age. With the plain column `fulfillment_order_id`, SQLite
 * would read the lines of all orders of the client.
 */
const isAlone = sql<boolean>`kind = 'BLIND' and not exists (select 1 from return_lines as line
  where line.client_id = returns.client_id and line.return_id = returns.return_id
    and ${textWithoutIndex('line.fulfillment_order_id')} is not null) and not ${isReturnOpen('returns')}`;

export const blindReturnSweep: Sweep<Mark> = {
  name: 'returns past their time',
  days: ({ orderDays }) => orderDays,
  batch: 50,
  isPersonal: true,
  find: along('returns', { at: 'closed_at', clientId: 'client_id', id: 'return_id' }, isAlone),
  remove: async (ctx, rows, upTo) => {
    let returns = 0;
    for (const [clientId, own] of Map.groupBy(rows, (row) => row.clientId)) {
      const found = own.map(({ id }) => id);
      const ids = await findStillAlone(ctx, clientId, found, upTo);
      await removeReturns(ctx, clientId, ids);
      returns += ids.length;
    }
    return { returns };
  },
};

/** Locks the returns. Returns the ids that can be deleted: a return can have been matched or reopened since. */
async function findStillAlone(ctx: Ctx, clientId: string, found: readonly string[], upTo: number): Promise<string[]> {
  const own = ctx.db
    .selectFrom('returns')
    .select('return_id as id')
    .where('client_id', '=', clientId)
    .where('return_id', 'in', ctx.dialect.listOf(found, 'text'))
    .orderBy('return_id');
  await own.modifyEnd(ctx.dialect.forUpdate).execute();
  // The lines are checked in a second statement. On PostgreSQL, the first statement sees them as they were before it
  // waited for the lock.
  const left = await own.where('closed_at', '<=', upTo).where(isAlone).execute();
  return left.map(({ id }) => id);
}
