import { claimCommand, keepReply } from '../kernel/commands.ts';
import { belowZeroRefusal } from '../kernel/refusals.ts';
import {
  isPlace,
  lockLevels,
  PLACE_COLUMNS,
  postKept,
  STOCK_CAUSE,
  type StockMove,
  type StockSpot,
} from '../kernel/stock.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { type FieldErrors, fieldError } from '../platform/message/field-errors.ts';
import { parseJson } from '../platform/message/json.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import type { FieldError } from '../platform/message/validate.ts';
import type { StockLevelRow } from '../platform/storage/tables.ts';
import { mustKeep } from './count.ts';
import { findStockedIds } from './count-lines.ts';
import { StockMoved, StockMovesPost } from './schema.ts';
import { showLevel } from './show.ts';

export const moveStock = writeOperation({
  id: 'moveStock',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/stock/moves',
  auth: 'operatorOrApiKey',
  group: 'stock',
  permission: 'stock.adjust',
  wholeClient: 'allStores',
  repeat: 'same',
  summary: 'Put away, write off, return to the supplier or adjust',
  description:
    'Moves units between places of the node (put-away: STAGE to SHELF), to SUPPLIER (return to vendor), to COUNT (write-off) or from COUNT (found). Lines are posted in their order. ' +
    'A line that takes more than the place has is refused (BELOW_ZERO, 400): count the item first. Of STAGE only units that belong to no order move; those of orders go with their orders. ' +
    'The same moveId with the same content changes nothing; with other content it is 409.',
  body: StockMovesPost,
  replies: {
    200: { description: 'Sent before: the levels as they were afterwards', schema: StockMoved },
    201: { description: 'Posted: the levels afterwards', schema: StockMoved },
  },
  refusals: {
    404: 'There is no such client or node.',
    409: 'The node keeps no stock, the moveId was used otherwise, or the first request with this Idempotency-Key is still running.',
  },
  errors: 'problem',
  async rules(ctx, { clientId, node, body: { lines = [] } }, errors) {
    const ids = lines.flatMap((line) => line?.itemId ?? []);
    const known = await findStockedIds(ctx, { clientId, nodeId: node.node_id }, ids);
    checkLines(lines, known, errors);
  },
  async handle(ctx, { clientId, node, body }) {
    mustKeep(node);
    const where = { clientId, nodeId: node.node_id };
    const { moveId, userId, lines } = body;
    const key = { clientId, scope: `stockMove:${node.node_id}`, commandId: moveId };
    const before = await claimCommand(ctx, key, body, 'moveId');
    if (before !== undefined) return reply(200, parseJson(before.reply!));
    const ids = [...new Set(lines.map((line) => line.itemId))].sort();
    const levels = await lockLevels(ctx, where, ids);
    const below = linesBelow(lines, levels);
    if (below.length > 0) throw belowZeroRefusal(below);
    const moves = lines.map(
      ({ itemId, from, to, quantity, reason }, index): StockMove => ({
        itemId,
        from,
        to,
        quantity,
        reason,
        cause: STOCK_CAUSE.MOVE,
        reference: moveId,
        lineNumber: String(index + 1),
        userId,
      }),
    );
    await postKept(ctx, where, { moves });
    const after = await lockLevels(ctx, where, ids);
    const moved = { moveId, stock: ids.map((id) => showLevel(after.get(id)!)) };
    await keepReply(ctx, key, moved);
    return reply(201, moved);
  },
});

type Lines = NonNullable<ValidPart<StockMovesPost>['lines']>;

function checkLines(lines: Lines, known: ReadonlySet<string>, errors: FieldErrors): void {
  for (const [index, line] of lines.entries()) {
    const { itemId, from, to } = line ?? {};
    if (itemId !== undefined && !known.has(itemId)) {
      const message = `there is no item ${JSON.stringify(itemId)} of the client; send its itemId`;
      errors.add(`/lines/${index}/itemId`, 'exists', message);
    }
    if (from === undefined || to === undefined) continue;
    if (from === to) errors.add(`/lines/${index}/to`, 'different', `from and to are both ${to}; name two places`);
    else if (!isPlace(from) && !isPlace(to)) {
      errors.add(`/lines/${index}`, 'place', `${from} and ${to} are both outside of the node; name one of its places`);
    }
  }
}

/** Errors of the lines that take more than a place has, each after those before it. */
function linesBelow(lines: readonly StockMovesPost['lines'][number][], levels: ReadonlyMap<string, StockLevelRow>) {
  const left = new Map<string, number>();
  const unitsIn = (itemId: string, place: StockSpot): number => {
    if (!isPlace(place)) return Number.POSITIVE_INFINITY;
    const level = levels.get(itemId)!;
    const units = place === 'STAGE' ? Math.max(0, level.loose) : level[PLACE_COLUMNS[place]];
    return left.get(`${place} ${itemId}`) ?? units;
  };
  return lines.flatMap(({ itemId, from, to, quantity }, index): FieldError[] => {
    const units = unitsIn(itemId, from);
    if (quantity > units) {
      const which = from === 'STAGE' ? 'of no order ' : '';
      const message = `quantity is ${quantity}, but ${from} has ${units} units ${which}of ${JSON.stringify(itemId)}; move at most ${units}, or count the item first`;
      return [fieldError(`/lines/${index}/quantity`, 'BELOW_ZERO', message, units)];
    }
    left.set(`${from} ${itemId}`, units - quantity);
    left.set(`${to} ${itemId}`, unitsIn(itemId, to) + quantity);
    return [];
  });
}
