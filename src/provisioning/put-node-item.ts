import { record } from '../events/record.ts';
import { unblockItem } from '../kernel/item-blocks.ts';
import { decimalText } from '../platform/decimal.ts';
import { notFound } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { quote } from '../platform/message/words.ts';
import { changeOf, statement } from '../platform/storage/statement.ts';
import type { NodeItemRow } from '../platform/storage/tables.ts';
import { NodeItem, NodeItemPut, toNodeItem } from './node-item.ts';
import { answerPut, stays } from './resource.ts';

/** Sets what a node knows of an item: the node item feed (docs/interface.md#generate-a-pick-ticket). */
export const putNodeItem = writeOperation({
  id: 'putNodeItem',
  method: 'PUT',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/items/{itemId}',
  auth: 'operator',
  permission: ['stock.adjust', 'installation'],
  repeat: 'same',
  summary: 'Set price, place and stock of an item in a node',
  description:
    'Overwrites what a node knows of an item: the price on its shelf, the place where it lies, the units on hand. A field that is left out is forgotten; pick tickets show retailPrice and pickLocation only where they are known. An item that the node holds until its next feed is free from then on.',
  body: NodeItemPut,
  replies: {
    200: { description: 'The item in the node as it is now.', schema: NodeItem },
    201: { description: 'The node did not know the item before.', schema: NodeItem },
  },
  refusals: { 404: 'There is no such client, node or item.' },
  errors: 'problem',
  async handle(ctx, { params: { nodeId, itemId }, clientId, body }) {
    const { db } = ctx;
    const key = { clientId, nodeId, itemId };
    const values = {
      retail_price: body.retailPrice === undefined ? null : decimalText(body.retailPrice),
      pick_location: body.pickLocation ?? null,
      on_hand: body.onHand ?? null,
      updated_at: ctx.now,
    };
    const row: NodeItemRow = { client_id: clientId, node_id: nodeId, item_id: itemId, ...values };
    const resourceId = `${nodeId}/${itemId}`;
    const [item] = await selectItem(db, key);
    if (item === undefined)
      throw notFound(
        `There is no item ${quote(itemId)} of client ${JSON.stringify(clientId)}; make it first, or correct the itemId: it is <catalogId>-<clientItemId>.`,
      );
    const freed = item.hold === null ? undefined : await unblockItem(db, row, itemId, 'FEED');
    if (freed !== undefined) await record(ctx, freed);
    if (item.updated_at === null && (await insertNodeItem(db, {}, row)).count === 1)
      return answerPut(ctx, 'nodeItem', clientId, resourceId, undefined, toNodeItem(row));
    // Where another writer has just made it, what it made is read anew.
    const known = item.updated_at === null ? (await selectItem(db, key))[0]! : item;
    const { retail_price, pick_location, on_hand } = known;
    const before = { ...row, retail_price, pick_location, on_hand, updated_at: known.updated_at! };
    const [was, is] = [toNodeItem(before), toNodeItem(row)];
    if (stays(was, is)) return reply(200, was);
    await updateNodeItem(db, key, values);
    return answerPut(ctx, 'nodeItem', clientId, resourceId, was, is);
  },
});

interface Key {
  clientId: string;
  nodeId: string;
  itemId: string;
}

/** The item with what the node knows of it, and the hold that the feed ends; both null where there is none. */
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
