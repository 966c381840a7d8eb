import { reply, writeOperation } from '../../platform/http/operation.ts';
import { mustKeep } from '../count.ts';
import { checkLines } from './lines.ts';
import { CountPlan, RecountPost } from './schema.ts';
import { showPlan } from './show.ts';
import { writePlan } from './write.ts';

const PLANS = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/countPlans';

export const recountPlannedLines = writeOperation({
  id: 'recountPlannedLines',
  since: '0.4.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/countPlans/{planId}/recount',
  summary: 'Request a new count of lines of a count plan',
  description:
    'Requests a new count of counted lines of a plan; the other lines keep their counts. A COUNTED plan becomes OPEN, and is blind again.\n\n' +
    '- With `secondCount` NEVER, a line becomes TO_COUNT, and any user can count it. Otherwise a line becomes COUNT_AGAIN, and its last count becomes its first count. A user who did not make the last count must then count the line.\n' +
    '- Lines that are not counted do not change, so sending the request again changes nothing until a user counts them.',
  events: ['countPlan.reopened'],
  access: { auth: 'operatorOrApiKey', group: 'stock', permission: 'stock.adjust', wholeClient: 'allStores' },
  message: {
    body: RecountPost,
    replies: { 200: { description: 'The plan as it is now', schema: CountPlan } },
    refusals: {
      404: 'There is no such client, node or plan.',
      409: 'The node keeps no stock, the plan is a draft or approved (`state`), or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    rules(_ctx, { body: { lines = [] } }, errors) {
      checkLines(lines, errors);
    },
    async handle(ctx, { params: { planId }, clientId, node, body }) {
      mustKeep(node);
      const where = { clientId, nodeId: node.node_id };
      const lines = body.lines.map(({ itemId, place = 'SHELF' }) => ({ itemId, place }));
      const plan = await writePlan(ctx, where, planId, { type: 'recount', userId: body.userId, lines });
      return reply(200, await showPlan(ctx, where, plan!));
    },
  },
  example: {
    after: ['discardCountPlan'],
    before: [
      {
        operationId: 'createCountPlan',
        path: PLANS,
        body: {
          planId: 'week-50',
          userId: 'leo',
          rule: { type: 'BINS', bins: ['B-02-1'] },
          secondCount: 'NEVER',
        },
      },
      { operationId: 'openCountPlan', path: `${PLANS}/week-50/open`, body: { userId: 'leo' } },
      {
        operationId: 'recordPlannedCount',
        path: `${PLANS}/week-50/counts`,
        body: {
          countId: 'week-50-1',
          userId: 'cleo',
          lines: [{ itemId: '21-MUG-WHT', counted: 9, revision: 1 }],
        },
      },
    ],
    path: `${PLANS}/week-50/recount`,
    body: { userId: 'leo', lines: [{ itemId: '21-MUG-WHT' }] },
  },
});
