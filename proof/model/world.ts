/**
 * A world: one client with two stores and three nodes in a running service, and the ids of the resources of this
 * client.
 */
import type { Secrets } from '../../src/service/demo/town.ts';
import type { Ask } from '../../town/call.ts';
import type { Service } from '../service.ts';
import type { Feed } from './feed.ts';
import { KEPT } from './ledger.ts';
import type { Model } from './model.ts';
import type { Receiver } from './receiver.ts';
import { type Node, ORDER_TYPES, POLICIES } from './things.ts';

export interface World {
  id: string;
  model: Model;
  feed: Feed;
  /** Ids of the tickets and of the re-source requests, in the order of the model. */
  tickets: string[];
  requests: string[];
  /** Sends requests with the client's credential. */
  call: Ask;
  operator: Ask;
  as: (headers: Record<string, string>, ...request: Parameters<Ask>) => ReturnType<Ask>;
  /** Credentials in the order of the model. */
  credentials: Secrets[];
  /** Webhooks by number: the newest secret, and the position of the last event before the webhook was created. */
  hooks: Map<number, { secret: string; from: number }>;
  receiver: Receiver;
  /** The first receipt of each shipment, and the last receipt. */
  receipts: Map<string, string>;
  lastReceipt: { path: string; body: object } | undefined;
  /** Remembered revisions of items, and ids of counts in the order of the model. */
  revisions: Map<number, number>;
  counts: string[];
  /** Ids of returns by number. */
  returns: Map<string, string>;
  /** The Idempotency-Key of the current requests, and the last request that was sent with a key. */
  key: string | undefined;
  sent: Parameters<Service['call']>[0] | undefined;
  send: Service['call'];
  /** Responses and events that violate the contract. */
  faults: string[];
  /** Start of the world on the service's clock, in epoch milliseconds. */
  began: number;
}

export const storeOf = ({ id }: World) => `${id}_US`;
export const nodeOf = ({ id }: World, node: Node) => `${id}-${node}`;
/**
 * Returns store and node as in a message. The node is the node of the order, or the first node if the order does not
 * exist.
 */
export function whereIs(world: World, order: number): { storeId: string; nodeId: string } {
  return { storeId: storeOf(world), nodeId: nodeOf(world, world.model.orders.get(order)?.node ?? 1) };
}
export const pathOf = (where: { storeId: string; nodeId: string }) => `/stores/${where.storeId}/nodes/${where.nodeId}`;
export const ownPath = (world: World, order: number) =>
  `/operator/v1/stores/${storeOf(world)}/fulfillmentOrders/${order}`;
/**
 * Returns the id of the seller with this number. Each of the client's two stores has one seller. Goods without papers
 * can have no seller (null).
 */
export const sellerId = ({ id }: Pick<World, 'id'>, seller: number | null) =>
  seller === null ? '' : `${id}-${SELLERS[seller]}`;
export const sellerOf = (id: string) => (id === '' ? null : SELLERS.indexOf(id.at(-1)!));
const SELLERS = 'ST';
export const itemId = (sku: number) => `21-SKU${sku}`;
export const skuOf = (id: string) => Number(id.slice(6));
/** Returns the minutes since the world began. */
export const minutesAt = ({ began }: World, time: string) => (Date.parse(time) - began) / 60_000;

/** The warehouse of the first node. */
export const WAREHOUSE = 'ST1';

/** Returns the body of a PUT of a node. */
export function nodeBody(id: string, node: Node) {
  return {
    name: id,
    nodeType: node === 2 ? 'WAREHOUSE' : 'STORE',
    ...(node === 2 && { receivingWarehouseId: 'DC1' }),
    ...(node === 1 && { receivingWarehouseId: WAREHOUSE }),
    ...(KEPT.includes(node) && { stock: 'KEPT' }),
    timeZone: 'UTC',
    address: { line1: '1', city: 'N', mainDivisionCode: 'RI', postalCode: '1', countryCode: 'US' },
    phone: '1',
    openingHours: [],
    holdLocations: ['A1'],
    fulfillmentTypes: node === 1 ? ORDER_TYPES : ['SHIP_TO_HOME'],
    declinePolicy: POLICIES[node],
  };
}

export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
