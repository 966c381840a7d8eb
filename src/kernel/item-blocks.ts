/**
 * Holds of items at nodes (docs/interface.md#short-picks): a node that declined an item gets no new orders for it. The
 * node's policy decides at the decline whether a hold is created. A release, a correction of the decline or, with the
 * policy HOLD_UNTIL_FEED, the next item feed of the node ends the hold.
 */

import { sql } from 'kysely';
import type { Effect } from '../events/record.ts';
import type { Ctx, ReadCtx } from '../platform/ctx.ts';
import type { Sentence } from '../platform/message/sentence.ts';
import type { BoundText, Columns } from '../platform/storage/dialect.ts';
import { statement } from '../platform/storage/statement.ts';
import type { NodeItemHoldRow, OrderLineRow } from '../platform/storage/tables.ts';
import { say } from './sentences.ts';

/** An item that a node declined, with the order. */
export interface DeclinedItem {
  itemId: string;
  reason: string;
  fulfillmentOrderId: string;
}

type NodeKey = { client_id: string; node_id: string };

const COLUMNS: Columns<NodeItemHoldRow> = {
  client_id: 'text',
  node_id: 'text',
  item_id: 'text',
  policy: 'text',
  reason: 'text',
  fulfillment_order_id: 'text',
  created_at: 'integer',
};

/**
 * Holds items that a node has just declined, according to its policy. An existing hold of the same policy remains,
 * except if it is later than this decline: concurrent declines can cause this. A hold of another policy is replaced.
 * The hold keeps the earliest time, because `unblockItems` searches for other declines from this time on.
 */
export async function blockItems(ctx: Ctx, place: NodeKey, declined: readonly DeclinedItem[]): Promise<Effect[]> {
  if (declined.length === 0) return [];
  const { decline_policy: policy } = await ctx.db
    .selectFrom('nodes')
    .select('decline_policy')
    .where('client_id', '=', place.client_id)
    .where('node_id', '=', place.node_id)
    .executeTakeFirstOrThrow();
  if (policy === 'NO_HOLD') return [];
  const byItem = new Map(declined.map((one) => [one.itemId, one]));
  const rows = [...byItem.values()]
    .sort((a, b) => (a.itemId < b.itemId ? -1 : 1))
    .map(
      (one): NodeItemHoldRow => ({
        client_id: place.client_id,
        node_id: place.node_id,
        item_id: one.itemId,
        policy,
        reason: one.reason,
        fulfillment_order_id: one.fulfillmentOrderId,
        created_at: ctx.now,
      }),
    );
  const held = await ctx.db
    .insertInto('node_item_holds')
    .columns(Object.keys(COLUMNS) as (keyof NodeItemHoldRow)[])
    .expression(ctx.dialect.rowsOf(rows, COLUMNS))
    .onConflict((conflict) =>
      conflict
        .columns(['client_id', 'node_id', 'item_id'])
        .doUpdateSet((eb) => ({
          policy: eb.ref('excluded.policy'),
          reason: eb.ref('excluded.reason'),
          fulfillment_order_id: eb.ref('excluded.fulfillment_order_id'),
          created_at: eb
            .case()
            .when('node_item_holds.created_at', '<', eb.ref('excluded.created_at'))
            .then(eb.ref('node_item_holds.created_at'))
            .else(eb.ref('excluded.created_at'))
            .end(),
        }))
        .where((eb) =>
          eb.or([
            eb('node_item_holds.policy', '<>', eb.ref('excluded.policy')),
            eb('node_item_holds.created_at', '>', eb.ref('excluded.created_at')),
          ]),
        ),
    )
    .returning('item_id')
    .execute();
  return held
    .map((row) => row.item_id)
    .sort()
    .map((itemId) => {
      const { reason, fulfillmentOrderId } = byItem.get(itemId)!;
      const data = { policy, reasonCode: reason, fulfillmentOrderId };
      return { type: 'nodeItem.held', ...nodeItem(place, itemId), data };
    });
}

/**
 * Ends the holds of the items `itemIds` that the orders `orderIds` caused, after a correction has withdrawn the
 * declines of the orders. If another order has declined the item since, the hold remains and names that order.
 */
export async function unblockItems(
  ctx: Ctx,
  place: NodeKey,
  itemIds: readonly string[],
  orderIds: readonly string[],
): Promise<Effect[]> {
  if (itemIds.length === 0) return [];
  const held = await ctx.db
    .selectFrom('node_item_holds')
    .select(['item_id', 'created_at'])
    .where('client_id', '=', place.client_id)
    .where('node_id', '=', place.node_id)
    .where('item_id', 'in', ctx.dialect.listOf(itemIds, 'text'))
    .where('fulfillment_order_id', 'in', ctx.dialect.listOf(orderIds, 'text'))
    .orderBy('item_id')
    // A concurrent decline of the item also locks this row. This select waits for the decline, so the search below
    // finds the decline.
    .modifyEnd(ctx.dialect.forUpdate)
    .execute();
  const freed: Effect[] = [];
  for (const { item_id: itemId, created_at: since } of held) {
    const other = await findOtherDecline(ctx, place, { itemId, since, orderIds });
    if (other !== undefined) {
      await holdFor(ctx.db, place, itemId, other);
      continue;
    }
    const effect = await unblockItem(ctx.db, place, itemId, 'CORRECTION');
    if (effect !== undefined) freed.push(effect);
  }
  return freed;
}

/** The events of the actions that can decline units of an order. */
const DECLINES = ['order.picked', 'order.pickCorrected', 'order.checkedIn', 'order.declined'] as const;

/**
 * Returns an order, other than `orderIds`, that has declined an item at the node since a time, in any way. A decline
 * changes its order, and the events of the order distinguish declines from later changes.
 */
function findOtherDecline(
  { db, dialect }: Ctx,
  { client_id: clientId, node_id: nodeId }: NodeKey,
  { itemId, since, orderIds }: { itemId: string; since: number; orderIds: readonly string[] },
) {
  return (
    db
      // `declined > 0` is the condition of the index `order_lines_declined`, so it has no bound value.
      .with(
        (cte) => cte('line').materialized(),
        (from) =>
          from
            .selectFrom('order_lines')
            .select(['fulfillment_order_id', 'decline_reason'])
            .where('client_id', '=', clientId)
            .where('item_id', '=', itemId)
            .where(sql<boolean>`declined > 0`),
      )
      .selectFrom('line')
      // With the cross join, SQLite begins with the lines and not with the orders of the node.
      .crossJoin('fulfillment_orders as changed')
      .select(['line.fulfillment_order_id', 'line.decline_reason'])
      .where('changed.client_id', '=', clientId)
      .whereRef('changed.fulfillment_order_id', '=', 'line.fulfillment_order_id')
      .where('changed.node_id', '=', nodeId)
      .where('changed.updated_at', '>=', since)
      .where('changed.fulfillment_order_id', 'not in', dialect.listOf(orderIds, 'text'))
      .where((eb) => {
        const event = eb
          .selectFrom('events as event')
          .select('event.event_id')
          .where('event.client_id', '=', clientId)
          .where('event.resource_type', '=', 'order')
          .whereRef('event.resource_id', '=', 'changed.fulfillment_order_id')
          .where('event.type', 'in', DECLINES)
          .where('event.at', '>=', since);
        // Events with a position in the feed and events without one are in two indexes, so each condition uses one index.
        return eb.or([
          eb.exists(event.where('event.sequence', 'is not', null)),
          eb.exists(event.where('event.position', 'is', null)),
        ]);
      })
      .orderBy('changed.updated_at')
      .orderBy('line.fulfillment_order_id')
      .limit(1)
      .executeTakeFirst()
  );
}

async function holdFor(
  db: Ctx['db'],
  place: NodeKey,
  itemId: string,
  { fulfillment_order_id, decline_reason }: Pick<OrderLineRow, 'fulfillment_order_id' | 'decline_reason'>,
): Promise<void> {
  await db
    .updateTable('node_item_holds')
    .set({ fulfillment_order_id, ...(decline_reason !== null && { reason: decline_reason }) })
    .where('client_id', '=', place.client_id)
    .where('node_id', '=', place.node_id)
    .where('item_id', '=', itemId)
    .execute();
}

/**
 * Ends the hold of an item at a node. A feed ends only holds of the policy HOLD_UNTIL_FEED. Returns the event, or
 * undefined if there is no such hold.
 */
export async function unblockItem(
  db: Ctx['db'],
  place: NodeKey,
  itemId: string,
  by: 'FEED' | 'RELEASE' | 'CORRECTION',
): Promise<Effect | undefined> {
  const freed = await db
    .deleteFrom('node_item_holds')
    .where('client_id', '=', place.client_id)
    .where('node_id', '=', place.node_id)
    .where('item_id', '=', itemId)
    .$if(by === 'FEED', (query) => query.where('policy', '=', 'HOLD_UNTIL_FEED'))
    .returning('policy')
    .executeTakeFirst();
  return freed && { type: 'nodeItem.released', ...nodeItem(place, itemId), data: { policy: freed.policy, by } };
}

function nodeItem(place: NodeKey, itemId: string) {
  return { clientId: place.client_id, resource: 'nodeItem' as const, resourceId: `${place.node_id}/${itemId}` };
}

/** Selects the holds of a node. A credential limited to stores sees only holds that orders of its stores caused. */
export function itemBlocksOf({ db, dialect, actor }: Pick<ReadCtx, 'db' | 'dialect' | 'actor'>, place: NodeKey) {
  const { storeIds } = actor;
  return db
    .selectFrom('node_item_holds')
    .selectAll()
    .where('client_id', '=', place.client_id)
    .where('node_id', '=', place.node_id)
    .$if(storeIds != null, (holds) =>
      holds.where('fulfillment_order_id', 'in', (eb) =>
        eb
          .selectFrom('fulfillment_orders')
          .select('fulfillment_orders.fulfillment_order_id')
          .where('fulfillment_orders.client_id', '=', place.client_id)
          .where('fulfillment_orders.store_id', 'in', dialect.listOf(storeIds!, 'text')),
      ),
    );
}

/** Reads the holds of items at nodes. The returned function gives the reason of a hold, or undefined. */
export async function findItemBlocks(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  nodeIds: readonly string[],
  itemIds: readonly string[],
): Promise<(nodeId: string, itemId: string) => string | undefined> {
  const rows = await selectHolds(ctx.db, {
    clientId,
    nodeIds: ctx.dialect.listText(nodeIds),
    itemIds: ctx.dialect.listText(itemIds),
  });
  const byNode = new Map<string, Map<string, string>>();
  for (const row of rows) {
    const items = byNode.get(row.node_id) ?? new Map<string, string>();
    byNode.set(row.node_id, items.set(row.item_id, row.reason));
  }
  return (nodeId, itemId) => byNode.get(nodeId)?.get(itemId);
}

interface Held {
  clientId: string;
  nodeIds: BoundText;
  itemIds: BoundText;
}

const selectHolds = statement((db, { clientId, nodeIds, itemIds }: Held, dialect) =>
  db
    .selectFrom('node_item_holds')
    .select(['node_id', 'item_id', 'reason'])
    .where('client_id', '=', clientId)
    .where('node_id', 'in', dialect.listOf<string>(nodeIds, 'text'))
    .where('item_id', 'in', dialect.listOf<string>(itemIds, 'text')),
);

/** Returns the error message for an item that is held at a node. */
export function blockedMessage(itemId: string, nodeId: string, reason: string): Sentence {
  const [item, node] = [itemId, nodeId].map((id) => JSON.stringify(id.slice(0, 60)));
  return say(
    'node {node} declined item {item} ({reason}) and accepts no new orders for it now; send another node, or wait until the hold ends',
    { item, node, reason },
  );
}
