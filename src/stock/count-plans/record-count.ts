import { claimCommand, keepReply, scopeOf } from '../../kernel/commands.ts';
import { reply, writeOperation } from '../../platform/http/operation.ts';
import { mustKeep } from '../count.ts';
import type { CountedLine } from '../count-lines.ts';
import { checkLines } from './lines.ts';
import type { Subject } from './plan.ts';
import { findPlan, ofPlan, planNotFound } from './rows.ts';
import { CountPlanProgress, PlannedCountPost } from './schema.ts';
import { totalsOf } from './show.ts';
import { writePlan } from './write.ts';

export const recordPlannedCount = writeOperation({
  id: 'recordPlannedCount',
  since: '0.4.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/countPlans/{planId}/counts',
  summary: 'Record counted lines of a count plan',
  description:
    'Records what a user counted, for any lines of an OPEN plan. The response has no level and no difference.\n\n' +
    '- Each line names the `revision` of the plan at which its count began, so goods that move meanwhile do not matter.\n' +
    '- A line that `secondCount` wants counted again becomes COUNT_AGAIN. A second count of a line by the user who counted it first gets 400 at that line (`otherPerson`). A count of a counted line also gets 400 (`counted`).\n' +
    '- After the last line the plan is COUNTED and waits for its approval.\n' +
    '- The same countId with the same content changes nothing; other content gets 409.',
  events: ['countPlan.counted'],
  access: {
    auth: 'operatorOrApiKey',
    group: 'stock',
    permission: ['stock.count', 'fulfillment.write'],
    wholeClient: 'allStores',
  },
  message: {
    body: PlannedCountPost,
    replies: {
      200: {
        description: 'The count was sent before; the response has the plan as it is now',
        schema: CountPlanProgress,
      },
      201: { description: 'The count is recorded', schema: CountPlanProgress },
    },
    refusals: {
      404: 'There is no such client, node or plan.',
      409: 'The node keeps no stock, the plan is not OPEN (`state`), the countId was used with other content, or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    rules(_ctx, { body: { lines = [] } }, errors) {
      checkLines(lines, errors);
    },
    async handle(ctx, { params: { planId }, clientId, node, body }) {
      const where = { clientId, nodeId: node.node_id };
      const { countId, userId } = body;
      const key = { clientId, scope: scopeOf('planCount', node.node_id), commandId: countId };
      if ((await claimCommand(ctx, key, { planId, ...body }, 'countId')) !== undefined) {
        const before = await findPlan(ctx, where, planId);
        if (before === undefined) throw planNotFound(where, planId);
        return reply(200, progressOf(before));
      }
      mustKeep(node);
      await keepReply(ctx, key, ofPlan(planId));
      const lines = body.lines.map(({ place = 'SHELF', ...line }): CountedLine => ({ ...line, place }));
      return reply(201, progressOf((await writePlan(ctx, where, planId, { type: 'count', userId, countId, lines }))!));
    },
  },
  example: {
    after: ['readCountPlan'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/countPlans/week-48/counts',
    body: { countId: 'week-48-1', userId: 'cleo', lines: [{ itemId: '21-MUG-WHT', counted: 9, revision: 1 }] },
  },
});

function progressOf({ row, lines }: Subject) {
  return { planId: row.plan_id, state: row.state, totals: totalsOf(lines) };
}
