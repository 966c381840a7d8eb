import { catalogOf, catalogsOf } from '../items/access.ts';
import { denied } from '../platform/http/errors.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import type { StockMoveRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { MovesQuery, type StockMoveShown, StockMoves, sizeOf } from './schema.ts';
import { pageOf } from './show.ts';

export const listStockMoves = readOperation({
  id: 'listStockMoves',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/stock/{itemId}/moves',
  auth: 'operatorOrApiKey',
  group: ['receiving', 'stock'],
  permission: 'stock.read',
  summary: 'Read the ledger of an item at a node',
  description:
    'Every move of the item, the oldest first; the levels are their sums. Reserving units moves nothing, so revisions may have gaps. ' +
    'The moves stay readable when the node no longer keeps stock. An item that never moved has none.',
  query: MovesQuery,
  replies: { 200: { description: 'A page, which may be empty', schema: StockMoves } },
  refusals: { 404: 'There is no such client or node.' },
  errors: 'problem',
  async handle(ctx, { params: { itemId }, clientId, node, query }) {
    const catalogs = await catalogsOf(ctx.db, ctx.actor, clientId);
    if (catalogs !== undefined && !catalogs.includes(catalogOf(itemId)))
      throw denied('the catalog of the itemId is of no store that this key is for');
    const rows = await ctx.db
      .selectFrom('stock_moves')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('node_id', '=', node.node_id)
      .where('item_id', '=', itemId)
      .where('revision', '>', Number(query.lastRecordId ?? 0))
      .orderBy('revision')
      .limit(sizeOf(query) + 1)
      .execute();
    const { page, next } = pageOf(rows, sizeOf(query), (row) => String(row.revision));
    return reply(200, { moves: page.map(show), ...next });
  },
});

function show(row: StockMoveRow): StockMoveShown {
  return {
    itemId: row.item_id,
    from: row.from_spot as StockMoveShown['from'],
    to: row.to_spot as StockMoveShown['to'],
    quantity: row.quantity,
    cause: row.cause,
    reference: row.reference,
    ...(row.line_number !== null && { lineNumber: row.line_number }),
    ...(row.reason !== null && { reason: row.reason }),
    userId: row.user_id,
    revision: row.revision,
    at: formatDateTime(row.at),
  };
}
