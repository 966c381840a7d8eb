import { belowZeroRefusal } from '../kernel/below-zero.ts';
import { claimCommand, keepReply, scopeOf } from '../kernel/commands.ts';
import { lockLevels, PLACE_COLUMNS, postKept } from '../kernel/stock.ts';
import { isPlace, STOCK_CAUSE, type StockMove, type StockSpot } from '../kernel/stock-terms.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { type FieldErrors, fieldError } from '../platform/message/field-errors.ts';
import { parseJson } from '../platform/message/json.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import type { FieldError } from '../platform/message/validate.ts';
import type { StockLevelRow } from '../platform/storage/tables.ts';
import { mustKeep } from './count.ts';
import { findStockedIds } from './count-lines.ts';
import { StockMoved, StockMovesPost } from './schema.ts';
import { say } from './sentences.ts';
import { showLevel } from './show.ts';
import { findUndecided, type Undecided } from './undecided.ts';

export const moveStock = writeOperation({
  id: 'moveStock',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/stock/moves',
  summary: 'Put away, write off, return to the supplier or adjust',
  description:
    'Moves units between places of a node, out of the node or into it.\n\n' +
    '- A move from STAGE to SHELF is a put-away, a move to SUPPLIER a return to vendor, a move to COUNT a write-off. A move from COUNT adds found units.\n' +
    '- Lines are posted in their order. A line that takes more units than the place has gets 400 (BELOW_ZERO): count the item first.\n' +
    '- Only staged units that belong to no order can be moved. The units of orders move with their orders.\n' +
    '- Held units that wait for a decision at a shipment or a return move only with this decision.\n' +
    '- The same moveId with the same content changes nothing; other content gets 409.',
  events: ['stock.changed'],
  access: { auth: 'operatorOrApiKey', group: 'stock', permission: 'stock.adjust', wholeClient: 'allStores' },
  message: {
    body: StockMovesPost,
    replies: {
      200: {
        description: 'The moves were sent before; the response has the levels right after them',
        schema: StockMoved,
      },
      201: { description: 'The moves are posted; the response has the levels after them', schema: StockMoved },
    },
    refusals: {
      404: 'There is no such client or node.',
      409: 'The node keeps no stock, the moveId was used with other content, or the first request with this Idempotency-Key is still running.',
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
      const { moveId, userId, lines } = body;
      const key = { clientId, scope: scopeOf('stockMove', node.node_id), commandId: moveId };
      const before = await claimCommand(ctx, key, body, 'moveId');
      if (before !== undefined) return reply(200, parseJson(before.reply!));
      mustKeep(node);
      const ids = [...new Set(lines.map((line) => line.itemId))].sort();
      const levels = await lockLevels(ctx, where, ids);
      const held = lines.filter(({ from }) => from === 'HELD').map(({ itemId }) => itemId);
      const below = linesBelow(lines, levels, await findUndecided(ctx, where, [...new Set(held)]));
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
  },
  example: {
    after: ['countStock'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/stock/moves',
    body: {
      moveId: 'm-1',
      userId: 'leo',
      lines: [{ itemId: '21-MUG-WHT', from: 'SHELF', to: 'DAMAGED', quantity: 1, reason: 'Broken' }],
    },
  },
});

type Lines = NonNullable<ValidPart<StockMovesPost>['lines']>;

function checkLines(lines: Lines, known: ReadonlySet<string>, errors: FieldErrors): void {
  for (const [index, line] of lines.entries()) {
    const { itemId, from, to } = line ?? {};
    if (itemId !== undefined && !known.has(itemId)) {
      const message = say('the client has no item {itemId}; send the itemId of one of its items', {
        itemId: JSON.stringify(itemId),
      });
      errors.add(`/lines/${index}/itemId`, 'exists', message);
    }
    if (from === undefined || to === undefined) continue;
    if (from === to)
      errors.add(
        `/lines/${index}/to`,
        'different',
        say('`from` and `to` are both {to}; send two different places', { to }),
      );
    else if (!isPlace(from) && !isPlace(to)) {
      errors.add(
        `/lines/${index}`,
        'place',
        say('{from} and {to} are both outside the node; send a place of the node as one of them', { from, to }),
      );
    }
  }
}

/**
 * Returns an error for each line that takes more units than its place has after the earlier lines of the message.
 * Staged units of orders and held units of shipments and returns cannot be taken.
 */
function linesBelow(
  lines: readonly StockMovesPost['lines'][number][],
  levels: ReadonlyMap<string, StockLevelRow>,
  undecided: ReadonlyMap<string, Undecided>,
) {
  const left = new Map<string, number>();
  const unitsIn = (itemId: string, place: StockSpot): number => {
    if (!isPlace(place)) return Number.POSITIVE_INFINITY;
    const level = levels.get(itemId)!;
    const bound = place === 'HELD' ? (undecided.get(itemId)?.units ?? 0) : 0;
    const units = place === 'STAGE' ? Math.max(0, level.loose) : Math.max(0, level[PLACE_COLUMNS[place]] - bound);
    return left.get(`${place} ${itemId}`) ?? units;
  };
  return lines.flatMap(({ itemId, from, to, quantity }, index): FieldError[] => {
    const units = unitsIn(itemId, from);
    if (quantity > units) {
      const waiting = from === 'HELD' ? undecided.get(itemId) : undefined;
      // The error proposes a decision only if the free and the undecided units together are enough for the line.
      if (waiting !== undefined && quantity <= units + waiting.units) {
        return [
          fieldError(`/lines/${index}/quantity`, 'BELOW_ZERO', waitingText(quantity, units, itemId, waiting), units),
        ];
      }
      // This error does not propose a count, because a count of the stage does not change which units belong to orders.
      if (from === 'STAGE' && units === 0 && levels.get(itemId)!.staged > 0) {
        const text = say(
          'quantity is {quantity}, but all staged units of {itemId} belong to orders and move with them; hand the orders over, or bring their units back',
          { quantity, itemId: JSON.stringify(itemId) },
        );
        return [fieldError(`/lines/${index}/quantity`, 'BELOW_ZERO', text, units)];
      }
      const which = from === 'STAGE' ? say(' without an order') : waiting ? say(' without an open decision') : '';
      const message = say(
        'quantity is {quantity}, but {from} has {units} {units|unit|units} of {itemId}{which}; move at most {units}, or count the item first',
        { quantity, from, units, which, itemId: JSON.stringify(itemId) },
      );
      return [fieldError(`/lines/${index}/quantity`, 'BELOW_ZERO', message, units)];
    }
    left.set(`${from} ${itemId}`, units - quantity);
    left.set(`${to} ${itemId}`, unitsIn(itemId, to) + quantity);
    return [];
  });
}

/** Maximum number of shipments and returns that an error names. */
const NAMED = 5;

function waitingText(quantity: number, units: number, itemId: string, { units: waiting, decidedAt }: Undecided) {
  const more = decidedAt.length - NAMED;
  return say(
    'quantity is {quantity}, but {waiting} held {waiting|unit|units} of {itemId} {waiting|waits|wait} for a decision; decide on {waiting|it|them} first ({where}{others}){or}',
    {
      quantity,
      waiting,
      itemId: JSON.stringify(itemId),
      where: decidedAt.slice(0, NAMED).join(', '),
      others: more > 0 ? say(' and {n} more', { n: more }) : '',
      or: units > 0 ? say(', or move at most {units}', { units }) : '',
    },
  );
}
