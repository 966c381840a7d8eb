/** A node: what a PUT takes, and what replies show of its row. */

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

const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;
const CLOCK = '^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$';
const clock = (description: string) =>
  text(5, 5, { pattern: CLOCK, 'x-hint': 'send hh:mm from 00:00 to 24:00', description });

/** Address of the interface's shared shapes. */
export const NodeAddress = named(
  'NodeAddress',
  object({
    line1: text(1, 100),
    line2: Type.Optional(text(0, 100)),
    line3: Type.Optional(text(0, 100)),
    line4: Type.Optional(text(0, 100)),
    city: text(1, 60),
    mainDivisionCode: Type.Optional(text(0, 40, { description: 'State or province; blank where there is none' })),
    postalCode: Type.Optional(text(0, 20, { description: 'Blank where there is none' })),
    countryCode: text(2, 2, {
      pattern: '^[A-Z]{2}$',
      'x-hint': 'send the two capital letters of ISO 3166',
      description: 'ISO 3166 alpha-2',
    }),
  }),
);

export const node = {
  name: text(1, 120, { description: 'Name of the node' }),
  nodeType: oneOf(['STORE', 'WAREHOUSE']),
  timeZone: text(1, 60, { description: 'IANA time zone, for example Europe/Lisbon' }),
  address: NodeAddress,
};

/** What a PUT may leave out: then a text is blank and a list empty, and declinePolicy is NO_HOLD. */
export const nodeDefaults = {
  phone: text(0, 40, { description: 'Telephone number; blank where there is none' }),
  openingHours: list(
    object({ dayOfWeek: oneOf(DAYS), opens: clock('Local time'), closes: clock('Local time, later than opens') }),
    { max: 42 },
    { description: 'None: always open' },
  ),
  holdLocations: list(identifier(40), { max: 500 }, { description: 'Places where picked goods wait; each once' }),
  fulfillmentTypes: list(
    oneOf(FULFILLMENT_TYPES),
    { max: 4 },
    { description: 'Types of orders the node works on, each once; none: it takes no orders' },
  ),
  holidays: list(plainDate(), { max: 500 }, { description: 'Local days on which the node is closed; each once' }),
  declinePolicy: oneOf(DECLINE_POLICIES, {
    description:
      'What becomes of an item the node declines: HOLD_UNTIL_FEED holds it there until its next node item feed, HOLD_UNTIL_RELEASED until it is released, NO_HOLD does not hold it',
  }),
};

/** How the node keeps stock. A PUT that leaves one out leaves it as it is; a new node has the first value. */
export const nodeStock = {
  stock: oneOf(STOCK_KEEPING, { description: 'KEPT: the service keeps the stock of the node; NOT_KEPT: it does not' }),
  promise: oneOf(STOCK_PROMISES, {
    description:
      'What is promised where stock is kept: ANY takes every order in, AVAILABLE refuses one that wants more than is available',
  }),
  receiveTo: oneOf(RECEIVE_PLACES, { description: 'Where good units of a receipt go unless it says otherwise' }),
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
          'ReceivingWarehouseId of inbound messages; default of a warehouse: its nodeId where that has at most 5 characters',
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
    address: JSON.parse(row.address) as Node['address'],
    phone: row.phone,
    openingHours: JSON.parse(row.opening_hours) as Node['openingHours'],
    holdLocations: JSON.parse(row.hold_locations) as string[],
    fulfillmentTypes: JSON.parse(row.fulfillment_types) as Node['fulfillmentTypes'],
    holidays: JSON.parse(row.holidays) as string[],
    declinePolicy: row.decline_policy,
    stock: row.stock,
    promise: row.promise,
    receiveTo: row.receive_to,
    ...(row.receiving_warehouse_id !== null && { receivingWarehouseId: row.receiving_warehouse_id }),
    ...times(row),
  };
}
