/** Corrections of picks for which the ledger had added units: these units never existed, so they cannot be missing. */
import { sql } from 'kysely';
import type { Ctx } from '../platform/ctx.ts';
import { STOCK_CAUSE, type StockMove, type StockNode } from './stock-terms.ts';

type AddedCtx = Pick<Ctx, 'db' | 'dialect'>;

/**
 * Returns the moves of a corrected ticket, in an order that the ledger can post (`byPlace`). If units come back to the
 * shelf but were not found, the moves first take off the units that the ledger had added for the same orders. Only the
 * rest of the units that were not found becomes missing.
 */
export async function withoutAdded(
  ctx: AddedCtx,
  node: StockNode,
  pickTicketId: string,
  moves: readonly StockMove[],
): Promise<StockMove[]> {
  const lost = [...Map.groupBy(moves, ({ itemId }) => itemId)].flatMap(([itemId, own]) => {
    const units = Math.min(netOf(own, 'STAGE', 'SHELF'), netOf(own, 'SHELF', 'MISSING'));
    return units > 0 ? [{ itemId, units }] : [];
  });
  if (lost.length === 0) return [...moves];
  const added = await findAdded(ctx, node, pickTicketId, lost, moves);
  let kept = [...moves];
  const taken: StockMove[] = [];
  for (const { itemId, units } of lost) {
    let left = units;
    for (const { reference, units: most } of added.filter((one) => one.itemId === itemId)) {
      const quantity = Math.min(left, most);
      if (quantity <= 0) continue;
      left -= quantity;
      const { userId } = moves.find((move) => move.reference === reference)!;
      const cause = STOCK_CAUSE.LEDGER_BEHIND;
      taken.push({ itemId, from: 'SHELF', to: 'COUNT', quantity, cause, reference, userId });
    }
    kept = withFewer(kept, itemId, units - left);
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

interface Added {
  itemId: string;
  /** The id of the order. */
  reference: string;
  units: number;
}

/** Returns the units that the ledger has added to the shelf for orders since their ticket was closed. */
async function findAdded(
  { db, dialect }: AddedCtx,
  { clientId, nodeId }: StockNode,
  pickTicketId: string,
  lost: readonly { itemId: string }[],
  moves: readonly StockMove[],
): Promise<Added[]> {
  const items = lost.map(({ itemId }) => ({ item: itemId }));
  const orders = [...new Set(moves.map(({ reference }) => reference))];
  const { rows } = await sql<Added>`
    with recursive chain as (
      select p.closed_at as since, m.item_id, m.from_spot, m.to_spot, m.quantity, m.cause, m.reference, m.previous_at, m.previous_revision
      from ${dialect.rowsOf(items, { item: 'text' })} a cross join pick_tickets p cross join stock_levels l cross join stock_moves m
      where p.client_id = ${clientId} and p.pick_ticket_id = ${pickTicketId}
        and l.client_id = ${clientId} and l.node_id = ${nodeId} and l.item_id = a.item
        and m.client_id = ${clientId} and m.at = l.moved_at and m.node_id = ${nodeId}
        and m.item_id = a.item and m.revision = l.moved_revision and m.at >= p.closed_at
      union all
      select c.since, m.item_id, m.from_spot, m.to_spot, m.quantity, m.cause, m.reference, m.previous_at, m.previous_revision
      from chain c cross join stock_moves m
      where m.client_id = ${clientId} and m.at = c.previous_at and m.node_id = ${nodeId}
        and m.item_id = c.item_id and m.revision = c.previous_revision and m.at >= c.since
    )
    select item_id as "itemId", reference,
      cast(sum(case when to_spot = 'SHELF' then quantity when from_spot = 'SHELF' then - quantity else 0 end) as bigint) as units
    from chain where cause = ${STOCK_CAUSE.LEDGER_BEHIND} and reference in ${dialect.listOf(orders, 'text')}
    group by item_id, reference order by item_id, reference`.execute(db);
  return rows;
}
