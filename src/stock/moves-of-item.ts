import { findMovesOf } from '../kernel/stock-ledger.ts';
import { notFound } from '../platform/http/errors.ts';
import { limitOf } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { quote } from '../platform/message/words.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { StockMoveRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { findStockedIds } from './count-lines.ts';
import { MovesQuery, type StockMoveShown, StockMoves } from './schema.ts';
import { say } from './sentences.ts';
import { pageOf } from './show.ts';

export const listStockMoves = readOperation({
  id: 'listStockMoves',
  since: '0.3.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/stock/{itemId}/moves',
  summary: 'Read the ledger of an item at a node',
  description:
    'Lists every move of an item, the oldest first. The levels are the sums of the moves. Reservations change the revision without a move, so the revisions of the moves can have gaps. ' +
    'The moves stay readable when the node no longer keeps stock.',
  access: {
    auth: 'operatorOrApiKey',
    group: ['receiving', 'stock'],
    permission: 'stock.read',
    wholeClient: 'allStores',
  },
  message: {
    query: MovesQuery,
    replies: { 200: { description: 'A page, which may be empty', schema: StockMoves } },
    refusals: { 404: 'There is no such client or node, or the client has no such item.' },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { params: { itemId }, clientId, node, query }) {
      const item = { clientId, nodeId: node.node_id, itemId };
      const rows = await findMovesOf(ctx.db, item, Number(query.after ?? 0), limitOf(query) + 1);
      if (rows.length === 0 && (await findStockedIds(ctx, item, [itemId])).size === 0) {
        throw notFound(
          say('There is no item {itemId} of client {clientId}.', { itemId: quote(itemId), clientId: quote(clientId) }),
        );
      }
      const { page, next } = pageOf(rows, limitOf(query), (row) => String(row.revision));
      const carried = query.after === undefined ? await findCarried(ctx.db, clientId, node.node_id, itemId) : undefined;
      return reply(200, { moves: page.map(show), ...(carried && { carried }), ...next });
    },
  },
  example: { path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/stock/21-MUG-WHT/moves' },
});

function findCarried(db: Reader, clientId: string, nodeId: string, itemId: string) {
  return db
    .selectFrom('stock_carried')
    .select(['shelf', 'staged', 'damaged', 'held', 'missing', 'revision'])
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('item_id', '=', itemId)
    .executeTakeFirst();
}

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
