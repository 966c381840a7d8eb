import { notFound } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { quote } from '../platform/message/words.ts';
import { mustKeep } from './count.ts';
import { findCount, judgeLines, lockCounted, postLines, showCount } from './count-lines.ts';
import { Count, CountApproval } from './schema.ts';
import { say } from './sentences.ts';

export const approveCount = writeOperation({
  id: 'approveCount',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/counts/{countId}/approve',
  summary: 'Approve a count that differs by more than the tolerance',
  description:
    'Posts the waiting lines of a count. Moves of goods since the count do not change the posted differences. Corrections that other counts have posted since are not posted again. A count without waiting lines does not change.',
  events: ['stock.changed'],
  access: { auth: 'operatorOrApiKey', group: 'stock', permission: 'stock.adjust', wholeClient: 'allStores' },
  message: {
    body: CountApproval,
    replies: { 200: { description: 'The count as it is now', schema: Count } },
    refusals: {
      404: 'There is no such client, node or count.',
      409: 'The node keeps no stock, or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params: { countId }, clientId, node, body: { userId } }) {
      const where = { clientId, nodeId: node.node_id };
      const claimed = await ctx.db
        .updateTable('stock_counts')
        .set({ state: 'POSTED', approved_by: userId, approved_at: ctx.now })
        .where('client_id', '=', clientId)
        .where('node_id', '=', node.node_id)
        .where('count_id', '=', countId)
        .where('state', '=', 'WAITING')
        .executeTakeFirstOrThrow();
      const found = await findCount(ctx, where, countId);
      if (found === undefined)
        throw notFound(
          say('There is no count {countId} at node {nodeId}.', {
            countId: quote(countId),
            nodeId: quote(node.node_id),
          }),
        );
      if (claimed.numUpdatedRows === 0n) return reply(200, showCount(found));
      mustKeep(node);
      const waiting = found.lines.filter((line) => line.state === 'WAITING');
      const counted = waiting.map((line) => ({
        itemId: line.item_id,
        place: line.place,
        counted: line.counted,
        revision: line.revision,
      }));
      const judged = await judgeLines(ctx, where, counted, await lockCounted(ctx, where, counted));
      const lines = judged.map((line, index) => ({ ...line, lineIndex: waiting[index]!.line_index }));
      await postLines(ctx, where, countId, userId, lines);
      await ctx.db
        .updateTable('stock_count_lines')
        .set({ state: 'POSTED' })
        .where('client_id', '=', clientId)
        .where('node_id', '=', node.node_id)
        .where('count_id', '=', countId)
        .execute();
      return reply(200, showCount((await findCount(ctx, where, countId))!));
    },
  },
  example: {
    after: ['listCounts'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/counts/monday-2/approve',
    body: { userId: 'leo' },
  },
});
