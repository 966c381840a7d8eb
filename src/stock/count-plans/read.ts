import { readOperation, reply } from '../../platform/http/operation.ts';
import { findPlan, planNotFound } from './rows.ts';
import { CountPlan } from './schema.ts';
import { showPlan } from './show.ts';

export const readCountPlan = readOperation({
  id: 'readCountPlan',
  since: '0.4.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/countPlans/{planId}',
  summary: 'Read a count plan',
  description:
    'Returns a plan with its lines. Counts are blind: an OPEN plan shows neither levels nor counted units, only the `revision` to send with a count of the line. Counted units and differences are shown when every line is counted, and only to callers with permission to approve the plan.',
  access: {
    auth: 'operatorOrApiKey',
    group: ['receiving', 'stock'],
    permission: 'stock.read',
    wholeClient: 'allStores',
  },
  message: {
    replies: { 200: { description: 'The plan', schema: CountPlan } },
    refusals: { 404: 'There is no such client, node or plan.' },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { params: { planId }, clientId, node }) {
      const where = { clientId, nodeId: node.node_id };
      const plan = await findPlan(ctx, where, planId);
      if (plan === undefined) throw planNotFound(where, planId);
      return reply(200, await showPlan(ctx, where, plan));
    },
  },
  example: {
    after: ['openCountPlan'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/countPlans/week-48',
  },
});
