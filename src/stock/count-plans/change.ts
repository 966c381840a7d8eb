import { reply, writeOperation } from '../../platform/http/operation.ts';
import type { FieldErrors } from '../../platform/message/field-errors.ts';
import type { ValidPart } from '../../platform/message/valid-part.ts';
import type { Static } from '../../platform/schema.ts';
import { mustKeep } from '../count.ts';
import { findStockedIds } from '../count-lines.ts';
import { say } from '../sentences.ts';
import { checkLines } from './lines.ts';
import { CountPlan, PlannedLinesPost } from './schema.ts';
import { showPlan } from './show.ts';
import { writePlan } from './write.ts';

export const changePlannedLines = writeOperation({
  id: 'changePlannedLines',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/countPlans/{planId}/lines',
  summary: 'Add lines to a count plan, or remove lines',
  description:
    'Adds lines to a DRAFT plan, removes lines, or both. The lines stay in the order of the pick locations.\n\n' +
    '- The service ignores lines to add that the plan already has, and lines to remove that the plan does not have. You can therefore send the same request again.\n' +
    '- Each item to add must be an item of the client, or have a level at the node.\n' +
    '- A draft may be without lines, but it cannot be opened then.',
  events: ['countPlan.changed'],
  access: { auth: 'operatorOrApiKey', group: 'stock', permission: 'stock.adjust', wholeClient: 'allStores' },
  message: {
    body: PlannedLinesPost,
    replies: { 200: { description: 'The plan as it is now', schema: CountPlan } },
    refusals: {
      404: 'There is no such client, node or plan.',
      409: 'The node keeps no stock, the plan is not a draft (`state`), or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async rules(ctx, { clientId, node, body: { add, remove } }, errors) {
      const known = await findStockedIds(
        ctx,
        { clientId, nodeId: node.node_id },
        (add ?? []).flatMap((line) => line?.itemId ?? []),
      );
      checkAdded(add ?? [], known, errors);
      checkLines(add ?? [], errors, 'add');
      checkLines(remove ?? [], errors, 'remove');
      checkBoth(add ?? [], remove ?? [], errors);
      if (add === undefined && remove === undefined && !errors.isBad('/add') && !errors.isBad('/remove')) {
        errors.add('', 'nothing', say('the message changes no line; send add or remove'));
      }
    },
    async handle(ctx, { params: { planId }, clientId, node, body }) {
      mustKeep(node);
      const where = { clientId, nodeId: node.node_id };
      const keys = (lines: typeof body.add = []) =>
        lines.map(({ itemId, place = 'SHELF' as const }) => ({ itemId, place }));
      const { userId, add, remove } = body;
      const sent = { type: 'change', userId, add: keys(add), remove: keys(remove) } as const;
      return reply(200, await showPlan(ctx, where, (await writePlan(ctx, where, planId, sent))!));
    },
  },
  example: {
    after: ['recountPlannedLines'],
    before: [
      {
        operationId: 'createCountPlan',
        path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/countPlans',
        body: { planId: 'week-51', userId: 'leo', rule: { type: 'ITEMS' } },
      },
    ],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/countPlans/week-51/lines',
    body: { userId: 'leo', add: [{ itemId: '21-MUG-WHT' }], remove: [{ itemId: '21-LAMP-BRS' }] },
  },
});

type Lines = NonNullable<ValidPart<Static<typeof PlannedLinesPost>>['add']>;

function checkAdded(add: Lines, known: ReadonlySet<string>, errors: FieldErrors): void {
  for (const [index, line] of add.entries()) {
    if (line?.itemId === undefined || known.has(line.itemId)) continue;
    const name = JSON.stringify(line.itemId);
    errors.add(
      `/add/${index}/itemId`,
      'exists',
      say('the client has no item {name}; send the itemId of one of its items', { name }),
    );
  }
}

/** Adds an error for each line that is both added and removed. */
function checkBoth(add: Lines, remove: Lines, errors: FieldErrors): void {
  const keyOf = (line: Lines[number]) => `${line?.itemId}\n${line?.place ?? 'SHELF'}`;
  const added = new Map(add.map((line, index) => [keyOf(line), index]));
  for (const [index, line] of remove.entries()) {
    const first =
      line?.itemId === undefined || errors.isBad(`/remove/${index}/place`) ? undefined : added.get(keyOf(line));
    if (first === undefined) continue;
    const words = say('is also in /add/{first}; send the line only in add or only in remove', { first });
    errors.add(`/remove/${index}`, 'duplicate', words);
  }
}
