/** Reads the rows of count plans. */
import type { StockNode } from '../../kernel/stock-terms.ts';
import type { Ctx, ReadCtx } from '../../platform/ctx.ts';
import { notFound, type Refusal } from '../../platform/http/errors.ts';
import { quote } from '../../platform/message/words.ts';
import type { CountPlanLineRow, CountPlanRow } from '../../platform/storage/tables.ts';
import { say } from '../sentences.ts';
import type { Subject } from './plan.ts';

/** Returns a plan with its lines, or undefined. */
export async function findPlan(
  ctx: Pick<ReadCtx, 'db'>,
  node: StockNode,
  planId: string,
): Promise<Subject | undefined> {
  const row = await selectPlan(ctx, node, planId).executeTakeFirst();
  return row && { row, lines: await findLines(ctx, node, planId) };
}

/** Locks and returns a plan with its lines, or undefined. */
export async function lockPlan(ctx: Ctx, node: StockNode, planId: string): Promise<Subject | undefined> {
  const row = await selectPlan(ctx, node, planId).modifyEnd(ctx.dialect.forUpdate).executeTakeFirst();
  return row && { row, lines: await findLines(ctx, node, planId) };
}

/** Returns the 404 for a plan that the node does not have. */
export function planNotFound({ nodeId }: StockNode, planId: string): Refusal {
  return notFound(
    say('There is no count plan {planId} at node {nodeId}.', { planId: quote(planId), nodeId: quote(nodeId) }),
  );
}

function selectPlan({ db }: Pick<ReadCtx, 'db'>, { clientId, nodeId }: StockNode, planId: string) {
  return db
    .selectFrom('count_plans')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('plan_id', '=', planId)
    .$castTo<CountPlanRow>();
}

function findLines(
  { db }: Pick<ReadCtx, 'db'>,
  { clientId, nodeId }: StockNode,
  planId: string,
): Promise<CountPlanLineRow[]> {
  return db
    .selectFrom('count_plan_lines')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('plan_id', '=', planId)
    .orderBy('line_index')
    .execute();
}

/**
 * The stored response to a count of a plan. It names the plan, so that the service finds the counts of a plan that is
 * discarded. The lines may not have all ids of these counts, because a recount removes them.
 */
export const ofPlan = (planId: string) => ({ planId });
