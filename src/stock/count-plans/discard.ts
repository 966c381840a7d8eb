import { reply, writeOperation } from '../../platform/http/operation.ts';
import { CountPlanUser } from './schema.ts';
import { writePlan } from './write.ts';

export const discardCountPlan = writeOperation({
  id: 'discardCountPlan',
  since: '0.4.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/countPlans/{planId}/discard',
  summary: 'Discard a count plan',
  description:
    'Deletes a plan that is not approved, with its counts. Nothing is posted, and the planId can be used again. Only the event remains.',
  events: ['countPlan.discarded'],
  access: { auth: 'operatorOrApiKey', group: 'stock', permission: 'stock.adjust', wholeClient: 'allStores' },
  message: {
    body: CountPlanUser,
    replies: { 204: { description: 'Deleted; no body.' } },
    refusals: {
      404: 'There is no such client, node or plan.',
      409: 'The plan is approved (`state`), or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    async handle(ctx, { params: { planId }, clientId, node, body: { userId } }) {
      await writePlan(ctx, { clientId, nodeId: node.node_id }, planId, { type: 'discard', userId });
      return reply(204);
    },
  },
  example: {
    after: ['approveCountPlan'],
    before: [
      {
        operationId: 'createCountPlan',
        path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/countPlans',
        body: { planId: 'week-49', userId: 'leo', rule: { type: 'BINS', bins: ['B-02-1'] } },
      },
    ],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/countPlans/week-49/discard',
    body: { userId: 'leo' },
  },
});
