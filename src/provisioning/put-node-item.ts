import { record } from '../events/record.ts';
import { unblockItem } from '../kernel/item-blocks.ts';
import type { Ctx } from '../platform/ctx.ts';
import { decimalText } from '../platform/decimal.ts';
import { notFound } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { Sentence } from '../platform/message/sentence.ts';
import { quote } from '../platform/message/words.ts';
import { changeOf, statement } from '../platform/storage/statement.ts';
import type { NodeItemRow } from '../platform/storage/tables.ts';
import { NodeItem, NodeItemPut, toNodeItem } from './node-item.ts';
import { answerPut, stays } from './resource.ts';
import { say } from './sentences.ts';

/** Sets the data of an item at a node: the node item feed (docs/interface.md#generate-a-pick-ticket). */
export const putNodeItem = writeOperation({
  id: 'putNodeItem',
  since: '0.1.0',
  method: 'PUT',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/items/{itemId}',
  summary: 'Set price, location and stock of an item at a node',
  description:
    'Overwrites the data of an item at a node: its price on the shelf, its location, the units on hand. A field that is left out is deleted; pick tickets show retailPrice and pickLocation only if they are set. If the node holds the item until the next feed, the request ends the hold.',
  events: ['nodeItem.released', 'nodeItem.created', 'nodeItem.changed'],
  access: { auth: 'operator', permission: ['stock.adjust', 'installation'] },
  message: {
    body: NodeItemPut,
    replies: {
      200: { description: 'The item at the node as it is now.', schema: NodeItem },
      201: { description: 'The item was added to the node.', schema: NodeItem },
    },
    refusals: { 404: 'There is no such client, node or item.' },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params: { nodeId, itemId }, clientId, body }) {
      const set = await setNodeItem(ctx, { clientId, nodeId, itemId }, body);
      if (set === undefined) throw notFound(unknownItem(itemId, clientId));
      return reply(set.isNew ? 201 : 200, set.shown);
    },
  },
  example: {
    after: ['putItem'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/items/21-DEMO-1',
    body: { retailPrice: 24.99, pickLocation: 'AISLE-4', onHand: 6 },
  },
});

/** The text for an item that the client does not have. */
export function unknownItem(itemId: string, clientId: string): Sentence {
  return say(
    'There is no item {itemId} of client {clientId}; create the item first, or correct itemId. Its form is <catalogId>-<clientItemId>.',
    { itemId: quote(itemId), clientId: JSON.stringify(clientId) },
  );
}

/**
 * Writes the data of an item at a node with its event, and ends a hold that lasts until the feed (HOLD_UNTIL_FEED).
 * Returns undefined if there is no such item.
 */
export async function setNodeItem(
  ctx: Ctx,
  key: Key,
  body: Pick<NodeItemPut, 'retailPrice' | 'pickLocation' | 'onHand'>,
): Promise<{ shown: NodeItem; isNew: boolean; isChanged: boolean } | undefined> {
  const { db } = ctx;
  const { clientId, nodeId, itemId } = key;
  const values = {
    retail_price: body.retailPrice === undefined ? null : decimalText(body.retailPrice),
    pick_location: body.pickLocation ?? null,
    on_hand: body.onHand ?? null,
    updated_at: ctx.now,
  };
  const row: NodeItemRow = { client_id: clientId, node_id: nodeId, item_id: itemId, ...values };
  const resourceId = `${nodeId}/${itemId}`;
  const [item] = await selectItem(db, key);
  if (item === undefined) return undefined;
  const freed = item.hold === null ? undefined : await unblockItem(db, row, itemId, 'FEED');
  if (freed !== undefined) await record(ctx, freed);
  const shown = toNodeItem(row);
  if (item.updated_at === null && (await insertNodeItem(db, {}, row)).count === 1) {
    await answerPut(ctx, 'nodeItem', clientId, resourceId, undefined, shown);
    return { shown, isNew: true, isChanged: true };
  }
  // If the first read found no row, another writer has created the row since, so it is read again.
  const [known] = item.updated_at === null ? await selectItem(db, key) : [item];
  if (known === undefined) return undefined;
  const { retail_price, pick_location, on_hand } = known;
  const was = toNodeItem({ ...row, retail_price, pick_location, on_hand, updated_at: known.updated_at! });
  if (stays(was, shown)) return { shown: was, isNew: false, isChanged: false };
  await updateNodeItem(db, key, values);
  await answerPut(ctx, 'nodeItem', clientId, resourceId, was, shown);
  return { shown, isNew: false, isChanged: true };
}

interface Key {
  clientId: string;
  nodeId: string;
  itemId: string;
}

/**
 * Selects an item with its data at the node. `hold` is the hold that the feed ends; `hold` is null if there is no such
 * hold.
 */
const selectItem = statement((db, { clientId, nodeId, itemId }: Key) =>
  db
    .selectFrom('items')
    .leftJoin('node_items as known', (join) =>
      join
        .onRef('known.client_id', '=', 'items.client_id')
        .on('known.node_id', '=', nodeId)
        .onRef('known.item_id', '=', 'items.item_id'),
    )
    .leftJoin('node_item_holds as held', (join) =>
      join
        .onRef('held.client_id', '=', 'items.client_id')
        .on('held.node_id', '=', nodeId)
        .onRef('held.item_id', '=', 'items.item_id')
        .on('held.policy', '=', 'HOLD_UNTIL_FEED'),
    )
    .select(['known.retail_price', 'known.pick_location', 'known.on_hand', 'known.updated_at', 'held.policy as hold'])
    .where('items.client_id', '=', clientId)
    .where('items.item_id', '=', itemId),
);

const insertNodeItem = changeOf((db, _none: object, row: NodeItemRow) =>
  db
    .insertInto('node_items')
    .values(row)
    .onConflict((on) => on.doNothing()),
);

const updateNodeItem = changeOf((db, { clientId, nodeId, itemId }: Key, values: Partial<NodeItemRow>) =>
  db
    .updateTable('node_items')
    .set(values)
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('item_id', '=', itemId),
);
