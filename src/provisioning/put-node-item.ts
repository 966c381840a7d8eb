import { decimalText } from '../decimal.ts';
import { record } from '../events.ts';
import { notFound } from '../http/errors.ts';
import { reply, writeOperation } from '../http/operation.ts';
import { freeItem } from '../sourcing/holds.ts';
import type { NodeItemRow } from '../storage/tables.ts';
import { answerPut, stays, toNodeItem } from './rows.ts';
import { NodeItem, NodeItemPut } from './schema.ts';

/** Sets what a node knows of an item: the node item feed (design 7; decisions C, retailPrice and pickLocation). */
export const putNodeItem = writeOperation({
  id: 'putNodeItem',
  method: 'PUT',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/items/{itemId}',
  auth: 'operator',
  summary: 'Set price, place and stock of an item in a node',
  description:
    'Overwrites what a node knows of an item: the price on its shelf, the place where it lies, the units on hand. A member that is left out is forgotten; pick tickets show retailPrice and pickLocation only where they are known. An item that the node holds until its next feed is free from then on.',
  body: NodeItemPut,
  replies: {
    200: { description: 'The item in the node as it is now.', schema: NodeItem },
    201: { description: 'The node did not know the item before.', schema: NodeItem },
  },
  refusals: { 404: 'There is no such client, node or item.' },
  errors: 'problem',
  async handle(ctx, { params: { nodeId, itemId }, clientId, body }) {
    const { db } = ctx;
    const values = {
      retail_price: body.retailPrice === undefined ? null : decimalText(body.retailPrice),
      pick_location: body.pickLocation ?? null,
      on_hand: body.onHand ?? null,
      updated_at: ctx.now,
    };
    const row: NodeItemRow = { client_id: clientId, node_id: nodeId, item_id: itemId, ...values };
    const resourceId = `${nodeId}/${itemId}`;
    const item = await db
      .selectFrom('items')
      .select('item_id')
      .where('client_id', '=', clientId)
      .where('item_id', '=', itemId)
      .executeTakeFirst();
    if (item === undefined)
      throw notFound(
        `There is no item ${JSON.stringify(itemId.slice(0, 60))} of client ${JSON.stringify(clientId)}; make it first.`,
      );
    const freed = await freeItem(db, row, itemId, 'FEED');
    if (freed !== undefined) await record(ctx, freed);
    const made = await db
      .insertInto('node_items')
      .values(row)
      .onConflict((on) => on.doNothing())
      .executeTakeFirstOrThrow();
    if (made.numInsertedOrUpdatedRows === 1n)
      return answerPut(ctx, 'nodeItem', clientId, resourceId, undefined, toNodeItem(row));
    const own = db.selectFrom('node_items').selectAll().where('client_id', '=', clientId).where('node_id', '=', nodeId);
    const before = await own.where('item_id', '=', itemId).executeTakeFirstOrThrow();
    if (stays(toNodeItem(before), toNodeItem(row))) return reply(200, toNodeItem(before));
    await db
      .updateTable('node_items')
      .set(values)
      .where('client_id', '=', clientId)
      .where('node_id', '=', nodeId)
      .where('item_id', '=', itemId)
      .execute();
    return answerPut(ctx, 'nodeItem', clientId, resourceId, toNodeItem(before), toNodeItem(row));
  },
});
