import { reply, writeOperation } from '../../platform/http/operation.ts';
import { mustKeep } from '../count.ts';
import { CountPlan, CountPlanUser } from './schema.ts';
import { showPlan } from './show.ts';
import { writePlan } from './write.ts';

export const openCountPlan = writeOperation({
  id: 'openCountPlan',
  since: '0.4.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/countPlans/{planId}/open',
  summary: 'Open a count plan',
  description: 'Makes a DRAFT plan OPEN: its lines can be counted. Opening an OPEN plan changes nothing.',
  events: ['countPlan.opened'],
  access: { auth: 'operatorOrApiKey', group: 'stock', permission: 'stock.adjust', wholeClient: 'allStores' },
  message: {
    body: CountPlanUser,
    replies: { 200: { description: 'The plan as it is now', schema: CountPlan } },
    refusals: {
      404: 'There is no such client, node or plan.',
      409: 'The node keeps no stock, the plan is past OPEN (`state`), or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params: { planId }, clientId, node, body: { userId } }) {
      mustKeep(node);
      const where = { clientId, nodeId: node.node_id };
      const plan = await writePlan(ctx, where, planId, { type: 'open', userId });
      return reply(200, await showPlan(ctx, where, plan!));
    },
  },
  example: {
    after: ['listCountPlans'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/countPlans/week-48/open',
    body: { userId: 'leo' },
  },
});
