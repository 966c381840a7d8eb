import { numeric } from '../platform/decimal.ts';
import { badValue, Refusal } from '../platform/http/errors.ts';
import { limitOf } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { StockTransactionRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { StockTransactions, TransactionsQuery } from './schema.ts';
import { say } from './sentences.ts';

export const listStockTransactions = readOperation({
  id: 'listStockTransactions',
  since: '0.3.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/stock/transactions',
  summary: 'Read the stock transactions of a node for an ERP system',
  description:
    'Lists signed stock transactions in the order in which they were posted.\n\n' +
    '- Types: 31 receipt (also of a node that keeps no stock), 51 return to the supplier, 61 adjustment, 71 count. Rejected units and reverse picks post no transaction.\n' +
    '- With the client setting `stock.transactions` ALL, nodes that keep stock also post 41 shipment, 42 arrival by carrier, 72 found at a pick, 73 opening, 81 damaged and 82 missing.\n' +
    '- Store `next` and send it as `after` of the next request: then you get each transaction exactly once.\n' +
    '- If `after` is beyond the last number, the response is 400: the service was restored from an older backup. Compare your levels with those of the node, then continue with the last number, which the error names.\n' +
    '- An installation may delete old transactions (STOCK_DAYS). If `after` is before the oldest stored transaction, the response is 410. If you send no `after`, the list begins with the oldest stored transaction.',
  access: {
    auth: 'operatorOrApiKey',
    group: ['receiving', 'stock'],
    permission: 'stock.read',
    wholeClient: 'allStores',
  },
  message: {
    query: TransactionsQuery,
    replies: { 200: { description: 'A page, which may be empty', schema: StockTransactions } },
    refusals: {
      404: 'There is no such client or node.',
      410: 'Transactions right after `after` are deleted; `gone` is the number of the last deleted transaction.',
    },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { clientId, node, query }) {
      const { gone, last } = await endsOf(ctx.db, clientId, node.node_id);
      const after = Number(query.after ?? gone);
      if (after < gone) throw transactionsGone(after, gone);
      if (after > last) throw beyondLast(after, last);
      const rows = await ctx.db
        .selectFrom('stock_transactions')
        .selectAll()
        .where('client_id', '=', clientId)
        .where('node_id', '=', node.node_id)
        .where('sequence', '>', after)
        .orderBy('sequence')
        .limit(limitOf(query))
        .execute();
      return reply(200, {
        transactions: rows.map(showTransaction),
        next: rows.at(-1)?.sequence ?? after,
        nextAfter: rows.at(-1)?.sequence ?? after,
      });
    },
  },
  example: { path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/stock/transactions' },
});

function showTransaction(row: StockTransactionRow) {
  return {
    number: row.sequence,
    type: row.type,
    at: formatDateTime(row.at),
    nodeId: row.node_id,
    itemId: row.item_id,
    quantity: row.quantity,
    ...(row.from_spot !== null && { from: row.from_spot }),
    ...(row.to_spot !== null && { to: row.to_spot }),
    reference: row.reference,
    ...(row.line_number !== null && { lineNumber: row.line_number }),
    ...(row.seller_id !== null && { sellerId: row.seller_id }),
    ...(row.receipt_id !== null && { receiptId: row.receipt_id }),
    ...(row.item_cost !== null && { itemCost: numeric(row.item_cost) }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.user_id !== null && { userId: row.user_id }),
  };
}

/** Returns the last deleted number of a node (`gone`) and its last number (`last`). */
async function endsOf(db: Reader, clientId: string, nodeId: string): Promise<{ gone: number; last: number }> {
  const head = await db
    .selectFrom('stock_heads')
    .select(['gone', 'sequence as last'])
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .executeTakeFirst();
  return head ?? { gone: 0, last: 0 };
}

/** Returns the 400 for a reader that asks for numbers after the last number of the node. */
function beyondLast(after: number, last: number): Refusal {
  const words = say(
    '`after` is {after}, but the last number of the node is {last}; send at most {last}. If the service was restored from a backup, compare your levels with those of the node, then continue with after={last}',
    { after, last },
  );
  return badValue('query:after', 'maximum', words);
}

/** Returns the 410 for a reader whose next transactions are deleted. */
function transactionsGone(after: number, gone: number): Refusal {
  const words = say(
    '`after` is {after}, but transactions up to {gone} are deleted. Compare your levels with those of the node, then continue with after={gone}.',
    { after, gone },
  );
  return new Refusal(410, 'STATE', 'TRANSACTIONS_GONE', words, { extra: { gone } });
}
