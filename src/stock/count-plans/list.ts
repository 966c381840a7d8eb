import { pageBody, pageLimit } from '../../platform/http/list-page.ts';
import { readOperation, reply } from '../../platform/http/operation.ts';
import type { CountPlanLineRow } from '../../platform/storage/tables.ts';
import { CountPlans, CountPlansQuery } from './schema.ts';
import { showSummary, totalsOf } from './show.ts';

export const listCountPlans = readOperation({
  id: 'listCountPlans',
  since: '0.4.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/countPlans',
  summary: 'List count plans of a node',
  description: 'Returns the count plans of a node without their lines, sorted by planId.',
  access: {
    auth: 'operatorOrApiKey',
    group: ['receiving', 'stock'],
    permission: 'stock.read',
    wholeClient: 'allStores',
  },
  message: {
    query: CountPlansQuery,
    replies: { 200: { description: 'A page, which may be empty', schema: CountPlans } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    async handle({ db, dialect }, { clientId, node, query }) {
      const { state, after = '' } = query;
      const rows = await db
        .selectFrom('count_plans')
        .selectAll()
        .where('client_id', '=', clientId)
        .where('node_id', '=', node.node_id)
        .where('plan_id', '>', after)
        .$if(state !== undefined, (select) => select.where('state', '=', state!))
        .orderBy('plan_id')
        .limit(pageLimit(query))
        .execute();
      const ids = rows.map((row) => row.plan_id);
      const lines = await db
        .selectFrom('count_plan_lines')
        .select(['plan_id', 'state'])
        .where('client_id', '=', clientId)
        .where('node_id', '=', node.node_id)
        .where('plan_id', 'in', dialect.listOf(ids, 'text'))
        .execute();
      const byPlan = Map.groupBy(
        lines as readonly Pick<CountPlanLineRow, 'plan_id' | 'state'>[],
        (line) => line.plan_id,
      );
      return reply(
        200,
        pageBody(
          'plans',
          query,
          rows,
          (row) => showSummary(row, totalsOf(byPlan.get(row.plan_id) ?? [])),
          (row) => row.plan_id,
        ),
      );
    },
  },
  example: {
    after: ['createCountPlan'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/countPlans?state=DRAFT',
  },
});
