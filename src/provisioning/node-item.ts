/**
 * Data of an item at a node: the schemas of PUT and of responses, and the function that makes a response from a row.
 */

import { numeric } from '../platform/decimal.ts';
import {
  dateTime,
  exact,
  identifier,
  ignored,
  integer,
  list,
  named,
  object,
  type Static,
  Type,
  text,
} from '../platform/schema.ts';
import type { NodeItemRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { sentId } from './resource.ts';

const nodeItem = {
  retailPrice: Type.Optional(
    exact({ integer: 19, fraction: 2, min: 0.01 }, { description: 'Price on the shelf, shown on pick tickets' }),
  ),
  pickLocation: Type.Optional(
    identifier(40, { description: 'Location of the item. Pick tickets are sorted by this location' }),
  ),
  onHand: Type.Optional(integer(0, 999_999_999, { description: 'Units on hand, as the node reports them' })),
};

export const NodeItemPut = named(
  'NodeItemPut',
  object({
    ...nodeItem,
    clientId: sentId,
    nodeId: sentId,
    itemId: sentId,
    updatedAt: ignored(),
  }),
);
export type NodeItemPut = Static<typeof NodeItemPut>;

/** Data of an item at a node. */
export const NodeItem = named(
  'NodeItem',
  object({ clientId: text(1, 32), nodeId: text(1, 40), itemId: text(1, 40), ...nodeItem, updatedAt: dateTime() }),
);
export type NodeItem = Static<typeof NodeItem>;

/** Maximum number of items in one message. */
const NODE_ITEMS_MAX = 500;

export const NodeItemsPut = named(
  'NodeItemsPut',
  object(
    {
      items: list(
        object({ itemId: identifier(40, { description: 'Item of the client' }), ...nodeItem }),
        { min: 1, max: NODE_ITEMS_MAX },
        { description: 'Items, without repetition. The service deletes fields that you leave out' },
      ),
    },
    { description: 'Data of several items at a node.' },
  ),
);
export type NodeItemsPut = Static<typeof NodeItemsPut>;

export const NodeItemsSet = named(
  'NodeItemsSet',
  object(
    {
      created: integer(0, NODE_ITEMS_MAX, { description: 'Number of items that the node did not have before' }),
      changed: integer(0, NODE_ITEMS_MAX, { description: 'Number of items whose data changed' }),
      unchanged: integer(0, NODE_ITEMS_MAX, { description: 'Number of items whose data did not change' }),
    },
    { description: 'The effect of a feed of node items.' },
  ),
);

export function toNodeItem(row: NodeItemRow): NodeItem {
  return {
    clientId: row.client_id,
    nodeId: row.node_id,
    itemId: row.item_id,
    ...(row.retail_price !== null && { retailPrice: numeric(row.retail_price) }),
    ...(row.pick_location !== null && { pickLocation: row.pick_location }),
    ...(row.on_hand !== null && { onHand: row.on_hand }),
    updatedAt: formatDateTime(row.updated_at),
  };
}
