/** A node begins to keep stock: what is left of before is closed, and the units of its open orders are claimed. */
import { sql } from 'kysely';
import { type Effect, recordAll } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { portions, statement } from '../platform/storage/statement.ts';
import type { StockLevelRow } from '../platform/storage/tables.ts';
import {
  PLACE_COLUMNS,
  post,
  STOCK_CAUSE,
  STOCK_PLACES,
  type StockClaim,
  type StockMove,
  type StockNode,
} from './stock.ts';
import { ON_HAND_UNITS, RESERVED_UNITS } from './units.ts';

/** Levels that are closed with one posting. */
const PAGE = 500;

/**
 * Opens the ledger of a node that kept no stock until now. Its levels of before go to OPENING, the units that orders hold are
 * staged from there, and their open units are reserved; a first count of each item says what the shelf has.
 */
export async function openStock(ctx: Ctx, node: StockNode): Promise<void> {
  await closeLevels(ctx, node);
  const claimed = await selectClaimed(ctx.db, node);
  const userId = ctx.actor.id;
  for (const some of portions(claimed)) {
    const moves = some.flatMap(({ item_id: itemId, staged }): StockMove[] =>
      staged > 0 ? [{ ...opening(itemId, userId), from: 'OPENING', to: 'STAGE', quantity: staged, ofOrder: true }] : [],
    );
    const claims = some.map(({ item_id: itemId, reserved }): StockClaim => ({ itemId, units: reserved }));
    await recordAll(ctx, await post(ctx, node, { moves, claims }));
  }
}

function opening(itemId: string, userId: string) {
  return { itemId, cause: STOCK_CAUSE.OPENING, reference: STOCK_CAUSE.OPENING, userId };
}

async function closeLevels(ctx: Ctx, node: StockNode): Promise<void> {
  for (let after = ''; ; ) {
    const levels = await selectPage(ctx.db, { ...node, after });
    const last = levels.at(-1);
    if (last === undefined) break;
    after = last.item_id;
    await recordAll(ctx, await closed(ctx, node, levels));
  }
  await ctx.db
    .updateTable('stock_levels')
    .set({ opened_at: null, wanted_since: null, wanted_cause: null, loose: 0 })
    .where('client_id', '=', node.clientId)
    .where('node_id', '=', node.nodeId)
    .execute();
}

function closed(ctx: Ctx, node: StockNode, levels: readonly StockLevelRow[]): Promise<Effect[]> {
  const moves = levels.flatMap((level) =>
    STOCK_PLACES.flatMap((from): StockMove[] => {
      const quantity = level[PLACE_COLUMNS[from]];
      return quantity === 0 ? [] : [{ ...opening(level.item_id, ctx.actor.id), from, to: 'OPENING', quantity }];
    }),
  );
  const claims = levels.map(({ item_id: itemId, reserved }) => ({ itemId, units: -reserved }));
  return post(ctx, node, { moves, claims });
}

const selectPage = statement((db, { clientId, nodeId, after }: StockNode & { after: string }) =>
  db
    .selectFrom('stock_levels')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('item_id', '>', after)
    .orderBy('item_id')
    .limit(PAGE),
);

/** Units of each item that orders of the node hold and have reserved. */
const selectClaimed = statement((db, { clientId, nodeId }: StockNode) =>
  db
    .selectFrom('fulfillment_orders as o')
    .innerJoin('order_lines as line', (join) =>
      join
        .onRef('line.client_id', '=', 'o.client_id')
        .onRef('line.fulfillment_order_id', '=', 'o.fulfillment_order_id'),
    )
    .select([
      'line.item_id',
      sql<number>`cast(sum(${ON_HAND_UNITS}) as bigint)`.as('staged'),
      sql<number>`cast(sum(${RESERVED_UNITS}) as bigint)`.as('reserved'),
    ])
    .where('o.client_id', '=', clientId)
    .where('o.node_id', '=', nodeId)
    .groupBy('line.item_id')
    .having((eb) => eb.or([sql<boolean>`sum(${ON_HAND_UNITS}) <> 0`, sql<boolean>`sum(${RESERVED_UNITS}) <> 0`]))
    .orderBy('line.item_id'),
);
