/** The interface by which each folder of operations (a slice) exports its operations and schemas. */
import type { Operation } from '../platform/http/operation.ts';
import type { TSchema } from '../platform/schema.ts';

/** Groups of operations by the reader's task, in the order of the OpenAPI document. */
export const JOBS = {
  Items: 'The item master: read, write, upload and delete items, and read their history.',
  'Inbound shipments': 'Announce goods to a warehouse: transmit an ASN or a purchase order, read it, void a wrong one.',
  'Goods in':
    'Receive goods at a node by carton, by item or without papers; correct and close receipts, decide on held units.',
  EDI: 'X12 files of suppliers: partners, received and sent interchanges, acknowledgments.',
  Orders:
    'Take in fulfillment orders, read where each unit is, change orders, move their goods, cancel for the customer or decline for the node.',
  'Re-source requests': 'Units that a node declined: decide which other node fulfills them.',
  Events: 'The feed of all events of a client, in order and without gaps.',
  Webhooks: 'Receive events by HTTP: subscriptions, their secrets, and their deliveries.',
  'Work at a node': 'For people: open work, the meaning of a scanned code, numbers of a day.',
  Stock: 'Stock of the nodes that keep stock: levels, ledger, counts and moves.',
  'Order search': 'Find the orders of a queue, or of a node in any state.',
  Picking: 'Pick tickets: generate, find, open, scan, take over, confirm or reset.',
  Packing: 'Pack picked orders: pack slip, packages, broken units.',
  'Customer pickup': 'Hand a ready order over to its customer, with or without a PIN.',
  Delivery: 'An associate brings an order to its customer.',
  Returns: 'Returns of customers: requests, receipts, decisions, exchanges, and the refunds that you pay.',
  'Check-in': 'Check in packages of ship-to-store orders at the store.',
  Alerts: 'Find orders whose step is near its deadline or has missed it.',
  'Clients, stores and nodes': 'Set up a client, its web stores, and its nodes (physical stores and warehouses).',
  'Node items': 'Data of an item at a node: price, place, stock, and whether it is held.',
  Sessions: 'Sign people in. A session is a credential for every operation that the role of its person permits.',
  'Credentials and users': 'Credentials of systems, and users of the console.',
  Sandbox: 'The clock of a sandbox, which stops until you move it.',
} as const;

type Job = keyof typeof JOBS;

/** A slice: its operations by task, and its named schemas for the OpenAPI document. */
export interface Slice {
  readonly schemas: readonly TSchema[];
  readonly operations: { readonly [name in Job]?: readonly Operation[] };
}
