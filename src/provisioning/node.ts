/**
 * A node: the schemas of PUT and of responses, the function that makes a response from a row, and the operations that
 * read it.
 */

import { GROUPS } from '../platform/ctx.ts';
import { resource } from '../platform/http/resource.ts';
import { readJson } from '../platform/json-column.ts';
import { identifier, list, named, object, oneOf, plainDate, type Static, Type, text } from '../platform/schema.ts';
import type { NodeRow } from '../platform/storage/tables.ts';
import {
  DECLINE_POLICIES,
  FULFILLMENT_TYPES,
  RECEIVE_PLACES,
  STOCK_KEEPING,
  STOCK_PROMISES,
} from '../shared/client-settings.ts';
import { optional, sentBack, sentId, shown, times } from './resource.ts';
import { say } from './sentences.ts';

declare module '../platform/json-column.ts' {
  interface Shapes {
    NodeAddress: NodeAddress & { mainDivisionCode: string; postalCode: string };
  }
}

const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;
const CLOCK = '^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$';
const clock = (description: string) =>
  text(5, 5, { pattern: CLOCK, 'x-hint': say('send hh:mm from 00:00 to 24:00'), description });

/** An address in the form that the interface uses for all addresses. */
export const NodeAddress = named(
  'NodeAddress',
  object({
    line1: text(1, 100),
    line2: Type.Optional(text(0, 100)),
    line3: Type.Optional(text(0, 100)),
    line4: Type.Optional(text(0, 100)),
    city: text(1, 60),
    mainDivisionCode: Type.Optional(text(0, 40, { description: 'State or province. Empty if there is none' })),
    postalCode: Type.Optional(text(0, 20, { description: 'Postal code. Empty if there is none' })),
    countryCode: text(2, 2, {
      pattern: '^[A-Z]{2}$',
      'x-hint': say('send the ISO 3166 code of the country in two capital letters, such as US'),
      description: 'Country, two capital letters as in ISO 3166 alpha-2',
    }),
  }),
);
export type NodeAddress = Static<typeof NodeAddress>;

export const node = {
  name: text(1, 120, { description: 'Name of the node' }),
  nodeType: oneOf(['STORE', 'WAREHOUSE']),
  timeZone: text(1, 60, { description: 'IANA time zone, for example Europe/Lisbon' }),
  address: NodeAddress,
};

/** Fields that a PUT can leave out. Defaults: empty texts, empty lists, declinePolicy NO_HOLD. */
export const nodeDefaults = {
  phone: text(0, 40, { description: 'Telephone number. Empty if there is none' }),
  openingHours: list(
    object({ dayOfWeek: oneOf(DAYS), opens: clock('Local time'), closes: clock('Local time, later than opens') }),
    { max: 42 },
    { description: 'Opening hours. If the list is empty, the node is always open' },
  ),
  holdLocations: list(
    identifier(40),
    { max: 500 },
    { description: 'Locations where picked goods wait, without repetition' },
  ),
  fulfillmentTypes: list(
    oneOf(FULFILLMENT_TYPES),
    { max: 4 },
    {
      description:
        'Types of orders that the node fulfills, without repetition. If the list is empty, the node gets no orders',
    },
  ),
  holidays: list(
    plainDate(),
    { max: 500 },
    { description: 'Local days on which the node is closed, without repetition' },
  ),
  declinePolicy: oneOf(DECLINE_POLICIES, {
    description:
      'Hold of an item that the node declines. HOLD_UNTIL_FEED: until the next node item feed of the item; HOLD_UNTIL_RELEASED: until a user releases the item; NO_HOLD: no hold',
  }),
};

/**
 * Stock settings. If a PUT leaves a setting out, the setting stays unchanged; in a new node, the setting gets the first
 * of its values.
 */
export const nodeStock = {
  stock: oneOf(STOCK_KEEPING, {
    description: 'KEPT: the service keeps the stock of the node; NOT_KEPT: the service keeps no stock',
  }),
  promise: oneOf(STOCK_PROMISES, {
    description:
      'Check of new orders if the node keeps stock. ANY: every order is accepted; AVAILABLE: an order for more than the available units is rejected (exemptions: infiniteInventory, and the client’s stock.promiseCheck)',
  }),
  receiveTo: oneOf(RECEIVE_PLACES, { description: 'Place of good units if a receipt does not name a place' }),
};

export const NodePut = named(
  'NodePut',
  object({
    ...node,
    ...optional(nodeDefaults),
    ...optional(nodeStock),
    receivingWarehouseId: Type.Optional(
      identifier(5, {
        description:
          'Id by which inbound messages name this node (field receivingWarehouseId). Default for a warehouse: the nodeId, if the nodeId has at most 5 characters',
      }),
    ),
    clientId: sentId,
    nodeId: sentId,
    ...sentBack,
  }),
);
export type NodePut = Static<typeof NodePut>;

/** A physical store or a warehouse. */
export const Node = named(
  'Node',
  object({
    clientId: text(1, 32),
    nodeId: text(1, 40),
    ...node,
    ...nodeDefaults,
    ...nodeStock,
    receivingWarehouseId: Type.Optional(text(1, 5)),
    ...shown,
  }),
);
export type Node = Static<typeof Node>;

export function toNode(row: NodeRow): Node {
  return {
    clientId: row.client_id,
    nodeId: row.node_id,
    name: row.name,
    nodeType: row.node_type,
    timeZone: row.time_zone,
    address: readJson(row.address),
    phone: row.phone,
    openingHours: readJson(row.opening_hours),
    holdLocations: readJson(row.hold_locations),
    fulfillmentTypes: readJson(row.fulfillment_types),
    holidays: readJson(row.holidays),
    declinePolicy: row.decline_policy,
    stock: row.stock,
    promise: row.promise,
    receiveTo: row.receive_to,
    ...(row.receiving_warehouse_id !== null && { receivingWarehouseId: row.receiving_warehouse_id }),
    ...times(row),
  };
}

const nodes = resource({
  name: 'node',
  table: 'nodes',
  id: 'node_id',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}',
  example: '/operator/v1/clients/TOWN/nodes/TOWN-Store001',
  access: { auth: 'operatorOrApiKey', group: GROUPS, permission: 'any' },
  schema: Node,
  show: toNode,
});

/** Reads a node. */
export const getNode = nodes.get({
  id: 'getNode',
  since: '0.1.0',
  summary: 'Read a node',
  description: 'Returns a node as it is stored. You can send the response back with PUT.',
});

/** Lists the nodes of a client. */
export const listNodes = nodes.list({
  id: 'listNodes',
  since: '0.1.0',
  summary: 'List the nodes of a client',
  description:
    'Returns the nodes of a client in the order of their ids, one page at a time. Send `next` as `after` to get the next page. A key that is limited to nodes gets only these nodes.',
  stale: true,
  seenBy: ({ nodeIds = null }, all) => (nodeIds === null ? all : all.where('node_id', 'in', [...nodeIds])),
});
