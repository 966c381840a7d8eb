import { claimCommand, scopeOf } from '../kernel/commands.ts';
import { findSettings } from '../kernel/settings.ts';
import { badRequest, conflict } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import type { NodeRow } from '../platform/storage/tables.ts';
import {
  type CountedLine,
  findCount,
  findStockedIds,
  insertCountLines,
  isBeyond,
  judgeLines,
  lockCounted,
  NOT_REJECTED,
  postLines,
  revisionErrors,
  showCount,
} from './count-lines.ts';
import { findOlder } from './newer-counts.ts';
import { Count, CountPost } from './schema.ts';
import { say } from './sentences.ts';

export const countStock = writeOperation({
  id: 'countStock',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/counts',
  summary: 'Count items of a node',
  description:
    'Records a count of items in places of a node (default SHELF) and posts the differences.\n\n' +
    '- Each line names the `revision` of the level at the time of the count. The difference is `counted` minus the level at that revision, so later moves of goods do not matter.\n' +
    '- The first count of an item opens its ledger and is posted as OPENING.\n' +
    '- A line that differs by more than the client’s `stock.countTolerance` (the larger of percent and units; default 0) waits for approval. The other lines are posted immediately. Exception: if a newer count of the item and place is already posted, the line changes nothing. Its `difference` is then 0, and the first response has `newerCountId`.\n' +
    '- The same countId with the same content changes nothing; other content gets 409.',
  events: ['stock.changed'],
  access: { auth: 'operatorOrApiKey', group: 'stock', permission: 'stock.count', wholeClient: 'allStores' },
  message: {
    body: CountPost,
    replies: {
      200: { description: 'The count was sent before; the response has its current state', schema: Count },
      201: { description: 'The count; each line is posted or waits for approval', schema: Count },
    },
    refusals: {
      404: 'There is no such client or node.',
      409: 'The node keeps no stock, the countId was used with other content, or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async rules(ctx, { clientId, node, body: { lines = [] } }, errors) {
      const ids = lines.flatMap((line) => line?.itemId ?? []);
      const known = await findStockedIds(ctx, { clientId, nodeId: node.node_id }, ids);
      checkLines(lines, known, errors);
    },
    async handle(ctx, { clientId, node, body }) {
      const where = { clientId, nodeId: node.node_id };
      const { countId, userId } = body;
      const key = { clientId, scope: scopeOf('count', node.node_id), commandId: countId };
      if ((await claimCommand(ctx, key, body, 'countId')) !== undefined) {
        return reply(200, showCount((await findCount(ctx, where, countId))!));
      }
      mustKeep(node);
      const counted = body.lines.map(({ place = 'SHELF', ...line }): CountedLine => ({ ...line, place }));
      const levels = await lockCounted(ctx, where, counted);
      const errors = await revisionErrors(ctx, where, counted, levels);
      if (errors.length > 0) throw badRequest(errors);
      const settings = await findSettings(ctx.db, clientId);
      const differences = await judgeLines(ctx, where, counted, levels);
      const changing = differences.filter((line) => line.difference !== 0 && !isBeyond(settings, line));
      const older = await findOlder(
        ctx,
        where,
        changing.map((line) => ({ ...line, at: ctx.now })),
      );
      const outdated = new Map([...older].map(([index, newer]) => [changing[index]!, newer]));
      const judged = differences.map((line, lineIndex) => ({
        ...line,
        // The difference of an outdated line is not posted, and the line does not wait. An outdated WAITING line could never be
        // approved, and would block the approval of the other lines.
        difference: outdated.has(line) ? 0 : line.difference,
        lineIndex,
        state: isBeyond(settings, line) ? ('WAITING' as const) : ('POSTED' as const),
      }));
      const state = judged.some((line) => line.state === 'WAITING') ? 'WAITING' : 'POSTED';
      const row = { client_id: clientId, node_id: node.node_id, count_id: countId };
      await ctx.db
        .insertInto('stock_counts')
        .values({ ...row, state, user_id: userId, at: ctx.now, approved_by: null, approved_at: null, ...NOT_REJECTED })
        .execute();
      await insertCountLines(
        ctx,
        judged.map((line) => ({
          ...row,
          line_index: line.lineIndex,
          item_id: line.itemId,
          place: line.place,
          counted: line.counted,
          revision: line.revision,
          state: line.state,
          difference: line.difference,
        })),
      );
      const posted = judged.filter((line, index) => line.state === 'POSTED' && !outdated.has(differences[index]!));
      await postLines(ctx, where, countId, userId, posted);
      const newer = new Map(differences.map((line, index) => [index, outdated.get(line)]));
      return reply(201, showCount((await findCount(ctx, where, countId))!, newer));
    },
  },
  example: {
    after: ['releaseNodeItem'],
    before: [
      {
        operationId: 'putNode',
        path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001',
        body: { '...': 'harbourStreet', stock: 'KEPT' },
      },
    ],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/counts',
    body: { countId: 'monday-1', userId: 'cleo', lines: [{ itemId: '21-MUG-WHT', counted: 12, revision: 1 }] },
  },
});

type Line = ValidPart<CountPost>['lines'];

function checkLines(lines: NonNullable<Line>, known: ReadonlySet<string>, errors: FieldErrors): void {
  const seen = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    const itemId = line?.itemId;
    if (itemId === undefined) continue;
    const name = JSON.stringify(itemId);
    if (!known.has(itemId)) {
      errors.add(
        `/lines/${index}/itemId`,
        'exists',
        say('the client has no item {name}; send the itemId of one of its items', { name }),
      );
    }
    const key = `${itemId}\n${line?.place ?? 'SHELF'}`;
    const first = seen.get(key);
    if (first !== undefined && !errors.isBad(`/lines/${index}/place`)) {
      const message = say('/lines/{first} already has {name} with the same place; send each item and place once', {
        first,
        name,
      });
      errors.add(`/lines/${index}`, 'duplicate', message);
    }
    if (first === undefined) seen.set(key, index);
  }
}

/** @throws Refusal 409 if the node keeps no stock */
export function mustKeep({ stock, node_id: nodeId }: NodeRow): void {
  if (stock === 'KEPT') return;
  throw conflict(
    say('Node {nodeId} keeps no stock; nothing was posted. Set stock to KEPT with PUT of the node first.', {
      nodeId: JSON.stringify(nodeId),
    }),
    { stock },
  );
}
