import { claimCommand, scopeOf } from '../../kernel/commands.ts';
import { badValue } from '../../platform/http/errors.ts';
import { reply, writeOperation } from '../../platform/http/operation.ts';
import { stringifyJson } from '../../platform/message/json.ts';
import type { CountPlanRow } from '../../platform/storage/tables.ts';
import { mustKeep } from '../count.ts';
import { say } from '../sentences.ts';
import { chooseItems } from './choose.ts';
import { newLine } from './plan.ts';
import { findPlan, planNotFound } from './rows.ts';
import { CountPlan, CountPlanPost, ruleOf } from './schema.ts';
import { showPlan } from './show.ts';
import { insertPlan } from './write.ts';

export const createCountPlan = writeOperation({
  id: 'createCountPlan',
  since: '0.4.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/countPlans',
  summary: 'Make a count plan',
  description:
    'Chooses items and places of a node by a rule, as a plan in the state DRAFT. After it is opened, users count its lines without seeing the quantities of the ledger.\n\n' +
    '- `rule` chooses the items when the plan is created; later changes of the stock do not change the plan. The lines are in the order of the pick locations.\n' +
    '- `secondCount` determines which lines another user counts a second time.\n' +
    '- A rule that finds no item gets 400 at /rule. ITEMS chooses none: add the items with `changePlannedLines`.\n' +
    '- The same planId with the same content changes nothing; other content gets 409. An id that a count already has also gets 409.',
  events: ['countPlan.created'],
  access: { auth: 'operatorOrApiKey', group: 'stock', permission: 'stock.adjust', wholeClient: 'allStores' },
  message: {
    body: CountPlanPost,
    replies: {
      200: { description: 'The plan was sent before; the response has its current state', schema: CountPlan },
      201: { description: 'The plan, in the state DRAFT', schema: CountPlan },
    },
    refusals: {
      404: 'There is no such client or node.',
      409: 'The node keeps no stock, the planId was used with other content, or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    rules(_ctx, { body: { rule } }, errors) {
      if (rule?.type === undefined || errors.isBad('/rule/bins')) return;
      if (rule.type === 'BINS' && rule.bins === undefined) {
        errors.add(
          '/rule/bins',
          'required',
          say('bins is missing; the rule BINS needs the first characters of pick locations'),
        );
      }
      if (rule.type !== 'BINS' && rule.bins !== undefined) {
        errors.add(
          '/rule/bins',
          'unexpected',
          say('the rule {type} does not use bins; leave bins out, or send the rule BINS', { type: rule.type }),
        );
      }
    },
    async handle(ctx, { clientId, node, body }) {
      const where = { clientId, nodeId: node.node_id };
      const { planId, userId, name = null, secondCount = 'DIFFERENT' } = body;
      const key = { clientId, scope: scopeOf('count', node.node_id), commandId: planId };
      if ((await claimCommand(ctx, key, body, 'planId')) !== undefined) {
        const before = await findPlan(ctx, where, planId);
        if (before === undefined) throw planNotFound(where, planId);
        return reply(200, await showPlan(ctx, where, before));
      }
      mustKeep(node);
      const rule = ruleOf(body);
      const chosen = await chooseItems(ctx, where, rule);
      if (chosen.length === 0 && rule.type !== 'ITEMS') {
        throw badValue(
          '/rule',
          'nothing',
          say('the rule {type} finds no item at the node; send another rule', { type: rule.type }),
        );
      }
      const row: CountPlanRow = {
        client_id: clientId,
        node_id: node.node_id,
        plan_id: planId,
        name,
        rule: stringifyJson(rule),
        second_count: secondCount,
        state: 'DRAFT',
        revision: 1,
        created_by: userId,
        created_at: ctx.now,
        opened_by: null,
        opened_at: null,
        counted_at: null,
        approved_by: null,
        approved_at: null,
      };
      const lines = chosen
        .flatMap(({ itemId, bin }) => rule.places.map((place) => ({ item_id: itemId, place, bin })))
        .map((line, line_index) => ({ ...newLine(row, line), line_index }));
      await insertPlan(ctx, row, lines);
      return reply(201, await showPlan(ctx, where, { row, lines }));
    },
  },
  example: {
    after: ['approveCount'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/countPlans',
    body: {
      planId: 'week-48',
      userId: 'leo',
      name: 'Wall A',
      rule: { type: 'BINS', bins: ['B-02-1'] },
      secondCount: 'NEVER',
    },
  },
});
