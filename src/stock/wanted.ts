import { limitOf } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { along } from '../platform/storage/along.ts';
import { formatDateTime } from '../platform/time.ts';
import { WantedCounts, WantedQuery } from './schema.ts';
import { pageOf } from './show.ts';

export const listWantedCounts = readOperation({
  id: 'listWantedCounts',
  since: '0.3.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/counts/wanted',
  summary: 'List the items to count',
  description:
    'Lists the items from which more units were taken than the ledger had (LEDGER_BEHIND), and the items of rejected counts (COUNT_REJECTED), sorted by itemId. A count removes an item from the list.',
  access: {
    auth: 'operatorOrApiKey',
    group: ['receiving', 'stock'],
    permission: 'stock.read',
    wholeClient: 'allStores',
  },
  message: {
    query: WantedQuery,
    replies: { 200: { description: 'A page, which may be empty', schema: WantedCounts } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { clientId, node, query }) {
      if (node.stock !== 'KEPT') return reply(200, { wanted: [] });
      const rows = await along(ctx, 'stock_levels', 'stock_levels_wanted')
        .select(['item_id', 'wanted_since', 'wanted_cause'])
        .where('client_id', '=', clientId)
        .where('node_id', '=', node.node_id)
        .where('item_id', '>', query.after ?? '')
        .where('wanted_since', 'is not', null)
        .orderBy('item_id')
        .limit(limitOf(query) + 1)
        .execute();
      const { page, next } = pageOf(rows, limitOf(query), (row) => row.item_id);
      const wanted = page.map((row) => ({
        itemId: row.item_id,
        since: formatDateTime(row.wanted_since!),
        cause: row.wanted_cause!,
      }));
      return reply(200, { wanted, ...next });
    },
  },
  example: { path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/counts/wanted' },
});
