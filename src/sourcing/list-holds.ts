import { itemBlocksOf } from '../kernel/item-blocks.ts';
import { pageReply } from '../platform/http/list-page.ts';
import { readOperation } from '../platform/http/operation.ts';
import type { NodeItemHoldRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { type NodeItemHold, NodeItemHoldPage, NodeItemHoldQuery } from './schema.ts';

export const listNodeItemHolds = readOperation({
  id: 'listNodeItemHolds',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/holds',
  summary: 'List the items that a node holds',
  description:
    'Lists the items that a node declined and takes no new orders for, sorted by itemId. Send `next` as `after` for the next page. A credential that is limited to stores sees the holds that orders of its stores caused.',
  access: { auth: 'operatorOrApiKey', group: 'fulfillment', permission: ['fulfillment.read', 'stock.read'] },
  message: {
    query: NodeItemHoldQuery,
    replies: { 200: { description: 'A page.', schema: NodeItemHoldPage } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    handle(ctx, { clientId, node, query }) {
      const { itemId } = query;
      const all = itemBlocksOf(ctx, { client_id: clientId, node_id: node.node_id }).$if(itemId !== undefined, (holds) =>
        holds.where('item_id', '=', itemId!),
      );
      return pageReply('holds', query, all, 'item_id', show);
    },
  },
  example: { after: ['declineOrderUnits'], path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/holds' },
});

function show(row: NodeItemHoldRow): NodeItemHold {
  return {
    nodeId: row.node_id,
    itemId: row.item_id,
    policy: row.policy,
    reasonCode: row.reason,
    fulfillmentOrderId: row.fulfillment_order_id,
    heldSince: formatDateTime(row.created_at),
  };
}
