import { sql } from 'kysely';
import type { StockNode } from '../../kernel/stock-terms.ts';
import type { ReadCtx } from '../../platform/ctx.ts';
import { pageBody, pageLimit } from '../../platform/http/list-page.ts';
import { readOperation, reply } from '../../platform/http/operation.ts';
import { along } from '../../platform/storage/along.ts';
import type { CountPlanRow } from '../../platform/storage/tables.ts';
import { CountPlans, CountPlansQuery } from './schema.ts';
import { showSummary, type Totals } from './show.ts';

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
    async handle(ctx, { clientId, node, query }) {
      const { state, after = '' } = query;
      const plans =
        state === 'OPEN' || state === 'COUNTED'
          ? along(ctx, 'count_plans', 'count_plans_at_work').where(sql<boolean>`state in ('OPEN', 'COUNTED')`)
          : ctx.db.selectFrom('count_plans');
      const rows = await plans
        .selectAll()
        .where('client_id', '=', clientId)
        .where('node_id', '=', node.node_id)
        .where('plan_id', '>', after)
        .$if(state !== undefined, (select) => select.where('state', '=', state!))
        .orderBy('plan_id')
        .limit(pageLimit(query))
        .execute();
      const totals = await countLines(ctx, { clientId, nodeId: node.node_id }, rows);
      return reply(
        200,
        pageBody(
          'plans',
          query,
          rows,
          (row) => showSummary(row, totals.get(row.plan_id)!),
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

const TOTALS = { TO_COUNT: 'toCount', COUNT_AGAIN: 'countAgain', COUNTED: 'counted' } as const;

/** Counts the lines of plans by state. The database counts them, because a plan can have 1,000 lines. */
async function countLines(
  { db, dialect }: ReadCtx,
  { clientId, nodeId }: StockNode,
  plans: readonly CountPlanRow[],
): Promise<Map<string, Totals>> {
  const linesOf = (some: readonly CountPlanRow[]) =>
    db
      .selectFrom('count_plan_lines')
      .select(['plan_id', (eb) => eb.fn.countAll<number>().as('lines')])
      .where('client_id', '=', clientId)
      .where('node_id', '=', nodeId)
      .where(
        'plan_id',
        'in',
        dialect.listOf(
          some.map((plan) => plan.plan_id),
          'text',
        ),
      )
      .groupBy('plan_id');
  const approved = plans.filter(({ state }) => state === 'APPROVED');
  const others = plans.filter(({ state }) => state !== 'APPROVED');
  // Every line of an approved plan is COUNTED, so this query does not select the state. The index of the items then has
  // all columns that the query needs.
  const counted = approved.length === 0 ? [] : await linesOf(approved).execute();
  const byState = others.length === 0 ? [] : await linesOf(others).select('state').groupBy('state').execute();
  const totals = new Map(plans.map(({ plan_id }) => [plan_id, { lines: 0, toCount: 0, countAgain: 0, counted: 0 }]));
  for (const { plan_id, state, lines } of [
    ...counted.map((row) => ({ ...row, state: 'COUNTED' as const })),
    ...byState,
  ]) {
    const own = totals.get(plan_id)!;
    own.lines += lines;
    own[TOTALS[state]] += lines;
  }
  return totals;
}
