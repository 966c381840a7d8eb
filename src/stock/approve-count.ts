import { sql } from 'kysely';
import { conflict, type Refusal } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { quote } from '../platform/message/words.ts';
import type { StockCountLineRow, StockCountRow } from '../platform/storage/tables.ts';
import { updateRows } from '../platform/storage/update.ts';
import { mustKeep } from './count.ts';
import { judgeLines, lockCounted, mustBeOfThisPeriod, mustFindCount, postLines, showCount } from './count-lines.ts';
import { mustAllow } from './count-states.ts';
import { findNewer, type NewerCount, newerCounts } from './newer-counts.ts';
import { Count, CountApproval } from './schema.ts';
import { say } from './sentences.ts';

export const approveCount = writeOperation({
  id: 'approveCount',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/counts/{countId}/approve',
  summary: 'Approve a count that differs by more than the tolerance',
  description:
    'Posts the waiting lines of a count. Moves of goods since the count do not change the posted differences. Corrections that other counts have posted since are not posted again. A count without waiting lines does not change.\n\nIf the approval would change a level that a newer count has set, the response is 409 with `itemId` and `newerCountId`: reject the older count. A count is newer if it has a higher `revision`, or the same `revision` and was sent later. For a line of a count plan, the time of its last count matters, not the approval of the plan.',
  events: ['stock.changed'],
  access: { auth: 'operatorOrApiKey', group: 'stock', permission: 'stock.adjust', wholeClient: 'allStores' },
  message: {
    body: CountApproval,
    replies: { 200: { description: 'The count as it is now', schema: Count } },
    refusals: {
      404: 'There is no such client, node or count.',
      409: 'The node keeps no stock, the count is rejected (`state` REJECTED), a newer count of an item is posted (`newerCountId`), the node kept no stock after the count, or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params: { countId }, clientId, node, body: { userId } }) {
      const where = { clientId, nodeId: node.node_id };
      const found = await mustFindCount(ctx, where, countId);
      if (isDecided(found.row)) return reply(200, showCount(found));
      mustKeep(node);
      const waiting = found.lines.filter((line) => line.state === 'WAITING');
      const counted = waiting.map((line) => ({
        itemId: line.item_id,
        place: line.place,
        counted: line.counted,
        revision: line.revision,
      }));
      const levels = await lockCounted(ctx, where, counted);
      mustBeOfThisPeriod(counted, levels, (itemId) => earlierPeriod(countId, itemId));
      const judged = await judgeLines(ctx, where, counted, levels);
      const lines = judged.map((line, index) => ({ ...line, lineIndex: waiting[index]!.line_index }));
      // A line without a difference changes no level, so it cannot overwrite a newer count.
      const changing = lines
        .filter(({ difference }) => difference !== 0)
        .map((line) => ({ ...line, at: found.row.at }));
      const claimed = await ctx.db
        .updateTable('stock_counts')
        .set({ state: 'POSTED', approved_by: userId, approved_at: ctx.now })
        .where('client_id', '=', clientId)
        .where('node_id', '=', node.node_id)
        .where('count_id', '=', countId)
        .where('state', '=', 'WAITING')
        .where(sql<boolean>`not exists (${newerCounts(ctx, where, changing)})`)
        .executeTakeFirstOrThrow();
      if (claimed.numUpdatedRows === 0n) {
        const now = await mustFindCount(ctx, where, countId);
        if (isDecided(now.row)) return reply(200, showCount(now));
        throw newerCount(countId, (await findNewer(ctx, where, changing))!);
      }
      await postLines(ctx, where, countId, userId, lines);
      const posted = lines.map(({ lineIndex, difference }) => ({ line_index: lineIndex, difference }));
      await updateLines(
        ctx,
        clientId,
        posted.map((line) => ({ ...line, node_id: node.node_id, count_id: countId, state: 'POSTED' as const })),
      );
      return reply(200, showCount(await mustFindCount(ctx, where, countId)));
    },
  },
  example: {
    after: ['listCounts'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/counts/monday-2/approve',
    body: { userId: 'leo' },
  },
});

/** Updates the state and the difference of lines. The lines of an approved count get the difference that was posted. */
const updateLines = updateRows<Pick<StockCountLineRow, 'node_id' | 'count_id' | 'line_index' | 'state' | 'difference'>>(
  'stock_count_lines',
  { node_id: 'text', count_id: 'text', line_index: 'integer', state: 'text', difference: 'integer' },
  { key: ['node_id', 'count_id', 'line_index'] },
);

/**
 * Returns whether the count is already posted. No line of a posted count waits for approval.
 * @throws Refusal 409 if the count is rejected
 */
function isDecided(row: StockCountRow): boolean {
  mustAllow(row, 'approve');
  return row.state !== 'WAITING';
}

function newerCount(countId: string, { itemId, countId: newer }: NewerCount): Refusal {
  return conflict(
    say(
      'Count {newer} of {itemId} is already posted, and it is newer than count {countId}; nothing was changed. Reject count {countId}.',
      {
        newer: quote(newer),
        itemId: quote(itemId),
        countId: quote(countId),
      },
    ),
    { state: 'WAITING', itemId, newerCountId: newer },
  );
}

function earlierPeriod(countId: string, itemId: string): Refusal {
  return conflict(
    say(
      'Count {countId} of {itemId} was made before the node began to keep stock again; nothing was changed. Reject the count.',
      { countId: quote(countId), itemId: quote(itemId) },
    ),
    { state: 'WAITING', itemId },
  );
}
