/** Request and response schemas of re-source requests and of held items. */

import { type DropShipSupplier, TEXT_MAX } from '../items/sub-types.ts';
import { PageQuery, pageSchema } from '../platform/http/list-page.ts';
import {
  dateTime,
  flag,
  identifier,
  integer,
  list,
  named,
  object,
  oneOf,
  ref,
  type Static,
  sentence,
  Type,
  text,
} from '../platform/schema.ts';
import { DECLINE_POLICIES } from '../shared/client-settings.ts';
import { LINES_MAX } from '../shared/limits.ts';
import { id, login, units } from '../shared/shapes.ts';
import type { Sourcing } from '../shared/snapshot.ts';

const { Optional } = Type;
/** Maximum number of orders in one decline. */
const DECLINES_MAX = 200;
const REQUEST_STATUSES = ['OPEN', 'RESOURCED', 'CANCELED'] as const;
const [HOLD_UNTIL_FEED, HOLD_UNTIL_RELEASED] = DECLINE_POLICIES;

/** The sourcing fields of an item, for the order management system. The service does not use them. */
const ItemSourcing = named(
  'ItemSourcing',
  object({
    fulfillmentOverride: Optional(text(1, 40)),
    sourcingOverride: Optional(text(1, TEXT_MAX)),
    sourcingPreference: Optional(text(1, TEXT_MAX)),
    dropShipped: Optional(flag({ description: 'true: a drop shipper can fulfill the item' })),
    dropShipSupplier: Optional(ref<DropShipSupplier>('DropShipSupplier')),
    minShipmentProcessingDays: Optional(integer(0, 1e15)),
    maxShipmentProcessingDays: Optional(integer(0, 1e15)),
  }),
);

/** Declined units of an order that another node can fulfill. */
export const ResourceRequest = named(
  'ResourceRequest',
  object({
    requestId: text(1, 40, { description: 'Re-source request' }),
    fulfillmentOrderId: text(1, 40, { description: 'Order whose units were declined' }),
    storeId: text(1, 40),
    nodeId: text(1, 40, { description: 'Node that declined the units' }),
    status: oneOf(REQUEST_STATUSES, {
      description:
        'OPEN: not decided yet; RESOURCED: another node fulfills the units; CANCELED: closed without another node',
    }),
    createdAt: dateTime(),
    answeredAt: Optional(dateTime()),
    excludedNodeIds: list(
      text(1, 40),
      { max: 10_000 },
      { description: 'Nodes that had the units before and cannot get them again' },
    ),
    newNodeId: Optional(text(1, 40, { description: 'Node of the new order. Present only if the status is RESOURCED' })),
    newFulfillmentOrderId: Optional(
      text(1, 40, { description: 'The new order. Present only if the status is RESOURCED' }),
    ),
    lines: list(
      object({
        webLineId: text(1, 40),
        itemId: text(1, 40),
        quantity: units('Units that were declined', 1),
        reasonCode: text(1, 40, { description: 'Reason for which the node declined the units' }),
        sourcing: Optional(ref<Sourcing>('ItemSourcing')),
      }),
      { min: 1, max: LINES_MAX },
      { description: 'Declined units by line of the order' },
    ),
    allowedActions: list(
      object({
        action: text(1, 40, { description: 'Name of the action' }),
        allowed: Type.Boolean(),
        reason: Optional(sentence(1, 400, { description: 'Reason why the action is blocked, and how to unblock it' })),
      }),
      { max: 5 },
      { description: 'Every action: allowed now, or blocked with the reason' },
    ),
  }),
);
export type ResourceRequest = Static<typeof ResourceRequest>;

export const ResourceRequestQuery = object({
  ...PageQuery.properties,
  status: Optional(oneOf(REQUEST_STATUSES, { description: 'Only requests in this status. Default: all requests' })),
  nodeId: Optional(id('Only requests whose units this node declined. Default: all nodes')),
  fulfillmentOrderId: Optional(id('Only requests of this order. Default: all orders')),
});

export const ResourceRequestPage = pageSchema('resourceRequests', ResourceRequest);

export const ResourceAnswer = named(
  'ResourceAnswer',
  object({
    outcome: oneOf(['RESOURCE', 'CANCEL'], {
      description: 'RESOURCE: a new order at another node fulfills the units; CANCEL: no node fulfills them',
    }),
    nodeId: Optional(
      id(
        'Node of the new order. Required for RESOURCE. The node must fulfill orders of the same type and must not have had these units',
      ),
    ),
    fulfillmentOrderId: Optional(
      id('Id of the new order, unique among the orders of the client. Required for RESOURCE'),
    ),
    reasonCode: Optional(
      identifier(40, { description: 'Cancel reason of the client, for the record. Allowed only for CANCEL' }),
    ),
  }),
);
export type ResourceAnswer = Static<typeof ResourceAnswer>;

/** An item that gets no new orders at a node. */
export const NodeItemHold = named(
  'NodeItemHold',
  object({
    nodeId: text(1, 40),
    itemId: text(1, 40),
    policy: oneOf([HOLD_UNTIL_FEED, HOLD_UNTIL_RELEASED], { description: 'The event that ends the hold' }),
    reasonCode: text(1, 40, { description: 'Reason for which the node declined the item' }),
    fulfillmentOrderId: text(1, 40, { description: 'Order whose units were declined' }),
    heldSince: dateTime(),
  }),
);
export type NodeItemHold = Static<typeof NodeItemHold>;

export const NodeItemHoldPage = pageSchema('holds', NodeItemHold);

export const NodeItemHoldQuery = object({
  ...PageQuery.properties,
  itemId: Optional(id('Only the hold of this item. Default: all items')),
});

/** A decline of picked units that are missing or broken. */
export const OrderDecline = named(
  'OrderDecline',
  object({
    nodeId: id('Node of the order'),
    modifyAssociateId: login('Associate who packs'),
    declineId: Type.Optional(
      identifier(64, {
        description: 'Your id for this decline. If you send the id again, nothing changes',
      }),
    ),
    lines: list(
      object({
        webLineId: id('Line of the order. List a line only once'),
        quantity: units('Units to decline, in addition to earlier declines', 1),
        reasonCode: identifier(40, { description: 'Cancel reason of the client' }),
      }),
      { min: 1, max: LINES_MAX },
      { description: 'Lines of the order with units to decline, at least one' },
    ),
  }),
);
export type OrderDecline = Static<typeof OrderDecline>;

/** A decline of orders that a node cannot pick. */
export const OrdersDecline = named(
  'OrdersDecline',
  object({
    declineId: identifier(64, { description: 'Your id for this decline. If you send the id again, nothing changes' }),
    userId: login('Login of the user who declines'),
    reasonCode: identifier(40, { description: 'Cancel reason of the client' }),
    fulfillmentOrderIds: list(id('Order of the node. List an order only once'), { min: 1, max: DECLINES_MAX }),
  }),
);
export type OrdersDecline = Static<typeof OrdersDecline>;

export const OrdersDeclined = named(
  'OrdersDeclined',
  object({
    declined: list(
      object({
        fulfillmentOrderId: id('Order'),
        status: text(4, 4, { description: 'New status of the order. 9100: returned for re-sourcing; 9000: canceled' }),
        declinedQuantity: integer(0, 1_000_000_000, { description: 'Units that were declined' }),
      }),
      { max: DECLINES_MAX },
      { description: 'Declined orders, in the order of the message' },
    ),
    refused: list(
      object({
        fulfillmentOrderId: id('Fulfillment order, as sent'),
        code: oneOf(['NOT_FOUND', 'CONFLICT'], { description: 'CONFLICT: the order does not wait for pick' }),
        description: sentence(1, 400, { description: 'The reason why the order was not declined' }),
      }),
      { max: DECLINES_MAX },
      { description: 'Orders that were not declined' },
    ),
  }),
);
export type OrdersDeclined = Static<typeof OrdersDeclined>;

/** Named schemas of sourcing, for the OpenAPI document. */
export const sourcingSchemas = [
  ItemSourcing,
  ResourceRequest,
  ResourceAnswer,
  NodeItemHold,
  OrderDecline,
  OrdersDecline,
  OrdersDeclined,
];
