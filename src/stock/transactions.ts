import { readOperation, reply } from '../platform/http/operation.ts';
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
    'Go on with `nextAfter`; none is skipped and none comes twice. Refusals and reverse picks post none.',
  query: TransactionsQuery,
  replies: { 200: { description: 'A page, which may be empty', schema: StockTransactions } },
  refusals: { 404: 'There is no such client or node.' },
  errors: 'problem',
  async handle(ctx, { clientId, node, query }) {
    const after = Number(query.after ?? 0);
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
