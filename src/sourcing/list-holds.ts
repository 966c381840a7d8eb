import { itemBlocksOf } from '../kernel/item-blocks.ts';
import { PageQuery, pageReply } from '../platform/http/list-page.ts';
import { readOperation } from '../platform/http/operation.ts';
import type { NodeItemHoldRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { type NodeItemHold, NodeItemHoldPage } from './schema.ts';

export const listNodeItemHolds = readOperation({
  id: 'listNodeItemHolds',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/holds',
  auth: 'operatorOrApiKey',
  group: 'fulfillment',
  permission: ['fulfillment.read', 'stock.read'],
  summary: 'List the items that a node holds',
  description:
    'Items that a node declined and that get no new orders there, by itemId, a page at a time: `next` is the `after` of the next ' +
    'page. A credential narrowed to stores sees the holds that their orders caused.',
  query: PageQuery,
  replies: { 200: { description: 'A page.', schema: NodeItemHoldPage } },
  refusals: { 404: 'There is no such client or node.' },
  errors: 'problem',
  handle(ctx, { clientId, node, query }) {
    const all = itemBlocksOf(ctx, { client_id: clientId, node_id: node.node_id });
    return pageReply('holds', query, all, 'item_id', show);
  },
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
