import { limitOf } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { formatDateTime } from '../platform/time.ts';
import { mustKnowItem } from './known-item.ts';
import { NodesStock, NodesStockQuery } from './schema.ts';
import { pageOf, showLevel } from './show.ts';

export const listStockOfItem = readOperation({
  id: 'listStockOfItem',
  since: '0.3.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/stock',
  summary: 'Read the stock of an item at every node',
  description:
    'Lists the levels of one item at each node that keeps stock and that the credential covers, sorted by nodeId. `updatedAt` and `countedAt` are the times of the last change and count. ' +
    'A node that never had the item has zeros and revision 0.',
  access: {
    auth: 'operatorOrApiKey',
    group: ['receiving', 'stock'],
    permission: 'stock.read',
    wholeClient: 'allStores',
  },
  message: {
    query: NodesStockQuery,
    replies: { 200: { description: 'A page, which may be empty', schema: NodesStock } },
    refusals: { 404: 'There is no such client.' },
    errors: 'problem',
  },
  run: {
    rules: ({ db, dialect }, { clientId, query: { itemId } }, errors) =>
      mustKnowItem({ db, dialect }, clientId, itemId, errors),
    async handle(ctx, { clientId, query }) {
      const { itemId } = query;
      const { nodeIds = null } = ctx.actor;
      const rows = await ctx.db
        .selectFrom('nodes')
        .leftJoin('stock_levels as level', (join) =>
          join
            .onRef('level.client_id', '=', 'nodes.client_id')
            .onRef('level.node_id', '=', 'nodes.node_id')
            .on('level.item_id', '=', itemId),
        )
        .select([
          'nodes.node_id',
          'level.shelf',
          'level.staged',
          'level.damaged',
          'level.held',
          'level.missing',
          'level.reserved',
          'level.revision',
          'level.updated_at',
          'level.counted_at',
        ])
        .where('nodes.client_id', '=', clientId)
        .where('nodes.stock', '=', 'KEPT')
        .where('nodes.node_id', '>', query.after ?? '')
        .$if(nodeIds !== null, (select) => select.where('nodes.node_id', 'in', ctx.dialect.listOf(nodeIds!, 'text')))
        .orderBy('nodes.node_id')
        .limit(limitOf(query) + 1)
        .execute();
      const { page, next } = pageOf(rows, limitOf(query), (row) => row.node_id);
      const stock = page.map((row) => ({
        nodeId: row.node_id,
        ...showLevel({
          item_id: itemId,
          shelf: row.shelf ?? 0,
          staged: row.staged ?? 0,
          damaged: row.damaged ?? 0,
          held: row.held ?? 0,
          missing: row.missing ?? 0,
          reserved: row.reserved ?? 0,
          revision: row.revision ?? 0,
        }),
        ...(row.updated_at !== null && { updatedAt: formatDateTime(row.updated_at) }),
        ...(row.counted_at !== null && { countedAt: formatDateTime(row.counted_at) }),
      }));
      return reply(200, { stock, ...next });
    },
  },
  example: { path: '/operator/v1/clients/TOWN/stock?itemId=21-MUG-WHT' },
});
