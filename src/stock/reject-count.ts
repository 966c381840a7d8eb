import { record } from '../events/record.ts';
import { saveLevels } from '../kernel/stock.ts';
import { STOCK_CAUSE, type StockNode } from '../kernel/stock-terms.ts';
import type { Ctx } from '../platform/ctx.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { StockCountLineRow, StockCountRow } from '../platform/storage/tables.ts';
import { EVENT_LINES_MAX } from '../shared/limits.ts';
import { lockCounted, mustFindCount, showCount } from './count-lines.ts';
import { mustAllow } from './count-states.ts';
import { Count, CountRejection } from './schema.ts';

export const rejectCount = writeOperation({
  id: 'rejectCount',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/counts/{countId}/reject',
  summary: 'Reject a count that waits for approval',
  description:
    'Rejects the waiting lines of a count, with a reason. Rejected lines are not posted. Lines that are already posted stay posted. The items of the rejected lines are then in the list of items to count (cause COUNT_REJECTED), except items that were counted since. Rejecting a REJECTED count changes nothing.',
  events: ['count.rejected'],
  access: { auth: 'operatorOrApiKey', group: 'stock', permission: 'stock.adjust', wholeClient: 'allStores' },
  message: {
    body: CountRejection,
    replies: { 200: { description: 'The count as it is now', schema: Count } },
    refusals: {
      404: 'There is no such client, node or count.',
      409: 'No line of the count waits (`state` POSTED), or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params: { countId }, clientId, node, body: { userId, reason } }) {
      const where = { clientId, nodeId: node.node_id };
      const found = await mustFindCount(ctx, where, countId);
      const waiting = found.lines.filter((line) => line.state === 'WAITING');
      // Approvals also lock the levels first and the count second, so an approval and a rejection cannot deadlock.
      const levels = await lockCounted(
        ctx,
        where,
        waiting.map((line) => ({
          itemId: line.item_id,
          place: line.place,
          counted: line.counted,
          revision: line.revision,
        })),
      );
      const claimed = await ctx.db
        .updateTable('stock_counts')
        .set({ state: 'POSTED', rejected_by: userId, rejected_at: ctx.now, reject_reason: reason })
        .where('client_id', '=', clientId)
        .where('node_id', '=', node.node_id)
        .where('count_id', '=', countId)
        .where('state', '=', 'WAITING')
        .executeTakeFirstOrThrow();
      const now = await mustFindCount(ctx, where, countId);
      if (claimed.numUpdatedRows === 0n) {
        mustAllow(now.row, 'reject');
        return reply(200, showCount(now));
      }
      const wanted = [...levels.values()].filter(
        ({ counted_at: countedAt, wanted_since: since }) =>
          since === null && (countedAt === null || countedAt <= now.row.at),
      );
      for (const level of wanted) {
        Object.assign(level, { wanted_since: ctx.now, wanted_cause: STOCK_CAUSE.COUNT_REJECTED });
      }
      if (wanted.length > 0) await saveLevels(ctx, clientId, wanted);
      await recordRejection(ctx, where, now.row, waiting);
      return reply(200, showCount(now));
    },
  },
  example: {
    after: ['recountPlannedLines'],
    before: [
      {
        operationId: 'countStock',
        path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/counts',
        body: { countId: 'monday-3', userId: 'cleo', lines: [{ itemId: '21-MUG-WHT', counted: 1, revision: 1 }] },
      },
    ],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/counts/monday-3/reject',
    body: { userId: 'leo', reason: 'Two boxes on the upper shelf were not counted' },
  },
});

async function recordRejection(
  ctx: Ctx,
  { clientId, nodeId }: StockNode,
  { count_id: countId, rejected_by: userId, reject_reason: reason }: StockCountRow,
  lines: readonly StockCountLineRow[],
): Promise<void> {
  const shown = lines.slice(0, EVENT_LINES_MAX).map((line) => ({
    itemId: line.item_id,
    place: line.place,
    counted: line.counted,
    difference: line.difference,
  }));
  await record(ctx, {
    clientId,
    type: 'count.rejected',
    resource: 'count',
    resourceId: `${nodeId}/${countId}`,
    data: { nodeId, countId, userId: userId!, reason: reason!, lines: shown },
  });
}
