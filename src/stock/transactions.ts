import { Refusal } from '../platform/http/errors.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import type { Reader } from '../platform/storage/db.ts';
import { StockTransactions, sizeOf, TransactionsQuery } from './schema.ts';

export const listStockTransactions = readOperation({
  id: 'listStockTransactions',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/stock/transactions',
  auth: 'operatorOrApiKey',
  group: ['receiving', 'stock'],
  permission: 'stock.read',
  wholeClient: 'allStores',
  summary: 'Read the stock transactions of a node for an ERP system',
  description:
    'Signed transactions in the order in which they were posted: 31 receipt (also where the node keeps no stock), 51 return to the supplier, 61 adjustment, 71 count. ' +
    'Go on with `nextAfter`; none is skipped and none comes twice. Refusals and reverse picks post none. An installation may keep them for a time only (STOCK_DAYS): an `after` before what is left is refused with 410; without `after` the answer begins with the oldest that is kept.',
  query: TransactionsQuery,
  replies: { 200: { description: 'A page, which may be empty', schema: StockTransactions } },
  refusals: {
    404: 'There is no such client or node.',
    410: 'Transactions right behind `after` are no longer kept; `gone` is the last such number.',
  },
  errors: 'problem',
  async handle(ctx, { clientId, node, query }) {
    const gone = await lastGone(ctx.db, clientId, node.node_id);
    const after = Number(query.after ?? gone);
    if (after < gone) throw transactionsGone(after, gone);
    const rows = await ctx.db
      .selectFrom('stock_transactions')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('node_id', '=', node.node_id)
      .where('sequence', '>', after)
      .orderBy('sequence')
      .limit(sizeOf(query))
      .execute();
    return reply(200, {
      transactions: rows.map((row) => ({
        type: row.type,
        itemId: row.item_id,
        quantity: row.quantity,
        reference: row.reference,
        ...(row.line_number !== null && { lineNumber: row.line_number }),
      })),
      nextAfter: rows.at(-1)?.sequence ?? after,
    });
  },
});

async function lastGone(db: Reader, clientId: string, nodeId: string): Promise<number> {
  const head = await db
    .selectFrom('stock_heads')
    .select('gone')
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .executeTakeFirst();
  return head?.gone ?? 0;
}

/** 410: what stands right behind the number is no longer kept. */
function transactionsGone(after: number, gone: number): Refusal {
  const words = `after is ${after}, and transactions up to ${gone} are gone: they are kept for a time only. Compare levels, then go on with after=${gone}`;
  return new Refusal(410, 'STATE', 'TRANSACTIONS_GONE', `${words}.`, { extra: { gone } });
}
