import { sql } from 'kysely';
import { limitOf } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { showCount } from './count-lines.ts';
import { Counts, CountsQuery } from './schema.ts';
import { pageOf } from './show.ts';

/** Maximum number of lines of a page. A count has at most 1,000 lines. */
const LINES_MAX = 10_000;

export const listCounts = readOperation({
  id: 'listCounts',
  since: '0.3.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/counts',
  summary: 'List the counts of a node',
  description:
    'Lists counts with their lines, sorted by countId. With `state` WAITING it lists only counts that wait for approval. A page has at most 10,000 lines, and therefore can have fewer counts than `limit`.',
  access: {
    auth: 'operatorOrApiKey',
    group: 'stock',
    permission: ['stock.count', 'stock.adjust'],
    wholeClient: 'allStores',
  },
  message: {
    query: CountsQuery,
    replies: { 200: { description: 'A page, which may be empty', schema: Counts } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    async handle({ db, dialect }, { clientId, node, query }) {
      const { state } = query;
      // Waiting counts have an index of their own. The expression keeps SQLite from the primary key: with the plain column,
      // SQLite would read all counts of the node.
      const countId = state === 'WAITING' ? sql<string>`count_id || ''` : sql.ref<string>('count_id');
      const rows = await db
        .selectFrom('stock_counts')
        .selectAll()
        .where('client_id', '=', clientId)
        .where('node_id', '=', node.node_id)
        .where(countId, '>', query.after ?? '')
        .$if(state === 'REJECTED', (select) => select.where('rejected_at', 'is not', null))
        .$if(state === 'POSTED', (select) => select.where('state', '=', 'POSTED').where('rejected_at', 'is', null))
        .$if(state === 'WAITING', (select) => select.where('state', '=', sql.lit('WAITING')))
        .orderBy(countId)
        .limit(limitOf(query) + 1)
        .execute();
      const ids = rows.slice(0, limitOf(query)).map((row) => row.count_id);
      const lines = await db
        .selectFrom('stock_count_lines')
        .selectAll()
        .where('client_id', '=', clientId)
        .where('node_id', '=', node.node_id)
        .where('count_id', 'in', dialect.listOf(ids, 'text'))
        .orderBy('count_id')
        .orderBy('line_index')
        .limit(LINES_MAX + 1)
        .execute();
      const cut = lines[LINES_MAX]?.count_id;
      const size = cut === undefined ? ids.length : ids.indexOf(cut);
      const { page, next } = pageOf(rows, size, (row) => row.count_id);
      const byCount = Map.groupBy(lines, (line) => line.count_id);
      const counts = page.map((row) => showCount({ row, lines: byCount.get(row.count_id) ?? [] }));
      return reply(200, { counts, ...next });
    },
  },
  example: {
    after: ['moveStock'],
    before: [
      {
        operationId: 'countStock',
        path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/counts',
        body: { countId: 'monday-2', userId: 'cleo', lines: [{ itemId: '21-MUG-WHT', counted: 11, revision: 1 }] },
      },
    ],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/counts?state=WAITING',
  },
});
