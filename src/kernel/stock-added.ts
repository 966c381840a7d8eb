/** Corrections of picks for which the ledger had added units: these units never existed, so they cannot be missing. */
import type { UnitsOfTicket } from './stock-ledger.ts';
import { STOCK_CAUSE, type StockMove } from './stock-terms.ts';

/**
 * Returns the moves of a corrected ticket, in an order that the ledger can post (`byPlace`). If units come back to the
 * shelf but were not found, the moves first take off the units that the ledger had added for orders of the ticket. Only
 * the rest of the units that were not found becomes missing.
 */
export function withoutAdded(
  moves: readonly StockMove[],
  onTicket: readonly UnitsOfTicket[],
  userId: string,
): StockMove[] {
  let kept = [...moves];
  const taken: StockMove[] = [];
  for (const [itemId, own] of Map.groupBy(moves, (move) => move.itemId)) {
    let left = Math.min(netOf(own, 'STAGE', 'SHELF'), netOf(own, 'SHELF', 'MISSING'));
    for (const { reference, lineNumber, spot, units, ...of } of onTicket) {
      const quantity = Math.min(left, -units);
      if (of.itemId !== itemId || spot !== 'COUNT' || quantity <= 0) continue;
      left -= quantity;
      const cause = STOCK_CAUSE.LEDGER_BEHIND;
      taken.push({ itemId, from: 'SHELF', to: 'COUNT', quantity, cause, reference, lineNumber, userId });
      kept = withFewer(kept, itemId, quantity);
    }
  }
  const first = kept.findIndex(({ to }) => to === 'MISSING');
  return first === -1 ? [...kept, ...taken] : kept.toSpliced(first, 0, ...taken);
}

/** Returns the moves with fewer units of an item that become missing. */
function withFewer(moves: readonly StockMove[], itemId: string, units: number): StockMove[] {
  let left = units;
  return moves.flatMap((move) => {
    if (move.itemId !== itemId || move.from !== 'SHELF' || move.to !== 'MISSING') return [move];
    const fewer = Math.min(left, move.quantity);
    left -= fewer;
    return fewer === move.quantity ? [] : [{ ...move, quantity: move.quantity - fewer }];
  });
}

function netOf(moves: readonly StockMove[], from: string, to: string): number {
  return moves.reduce((sum, move) => {
    if (move.from === from && move.to === to) return sum + move.quantity;
    return move.from === to && move.to === from ? sum - move.quantity : sum;
  }, 0);
}
