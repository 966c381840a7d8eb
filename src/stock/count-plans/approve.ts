import { reply, writeOperation } from '../../platform/http/operation.ts';
import { mustKeep } from '../count.ts';
import { findPlan } from './rows.ts';
import { CountPlan, CountPlanUser } from './schema.ts';
import { showPlan } from './show.ts';
import { writePlan } from './write.ts';

export const approveCountPlan = writeOperation({
  id: 'approveCountPlan',
  since: '0.4.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/countPlans/{planId}/approve',
  summary: 'Approve a count plan',
  description:
    'Posts the last count of each line of a COUNTED plan, as a count with the id of the plan. Moves of goods since the counts do not change the posted differences, and corrections that other counts have posted since are not posted again. If the approval would change a level that a newer count has set, the response is 409 with `itemId` and `newerCountId`: request a new count of the line. Approving an APPROVED plan changes nothing.',
  events: ['countPlan.approved', 'stock.changed'],
  access: { auth: 'operatorOrApiKey', group: 'stock', permission: 'stock.adjust', wholeClient: 'allStores' },
  message: {
    body: CountPlanUser,
    replies: { 200: { description: 'The plan as it is now', schema: CountPlan } },
    refusals: {
      404: 'There is no such client, node or plan.',
      409: 'The node keeps no stock, the plan is not counted yet (`state`), a newer count of an item is posted (`newerCountId`), the node kept no stock after a count, or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params: { planId }, clientId, node, body: { userId } }) {
      const where = { clientId, nodeId: node.node_id };
      const before = await findPlan(ctx, where, planId);
      if (before?.row.state !== 'APPROVED') mustKeep(node);
      const plan = await writePlan(ctx, where, planId, { type: 'approve', userId });
      return reply(200, await showPlan(ctx, where, plan!));
    },
  },
  example: {
    after: ['recordPlannedCount'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/countPlans/week-48/approve',
    body: { userId: 'leo' },
  },
});
