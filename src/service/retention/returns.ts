/**
 * Deletes returns without an order at the end of their retention, except returns with held units. Other returns are
 * deleted with the last of their orders.
 */
import { sql } from 'kysely';
import { removeReturns } from '../../kernel/returns/forget.ts';
import { isReturnOpen, removeSequences } from './orders.ts';
import { along, type Mark, type Sweep } from './sweep.ts';

export const blindReturnSweep: Sweep<Mark> = {
  name: 'returns past their time',
  days: ({ orderDays }) => orderDays,
  batch: 50,
  find: along(
    'returns',
    { at: 'closed_at', clientId: 'client_id', id: 'return_id' },
    sql`kind = 'BLIND' and not exists (select 1 from return_lines as line where line.client_id = returns.client_id
      and line.return_id = returns.return_id and line.fulfillment_order_id is not null)
      and not ${isReturnOpen('returns')}`,
  ),
  remove: async (ctx, rows) => {
    for (const [clientId, own] of Map.groupBy(rows, (row) => row.clientId)) {
      const ids = own.map(({ id }) => id);
      await removeReturns(ctx, clientId, ids);
      await removeSequences(ctx, clientId, 'return', ids);
    }
    return { returns: rows.length };
  },
};
