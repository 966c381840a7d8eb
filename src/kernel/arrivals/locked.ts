/** Finds, locks and reads a shipment. Every change of a stored shipment begins with these functions. */

import type { Actor, Ctx } from '../../platform/ctx.ts';
import { allows } from '../../platform/http/auth.ts';
import { notFound } from '../../platform/http/errors.ts';
import { readJson } from '../../platform/json-column.ts';
import type { Reader } from '../../platform/storage/db.ts';
import { statement } from '../../platform/storage/statement.ts';
import type { ClientRow, InboundShipmentRow, NodeRow } from '../../platform/storage/tables.ts';
import { type AnnouncedCtx, findAnnounced } from './announced.ts';
import { ambiguousNumber, voidedMeanwhile } from './rejections.ts';
import { say } from './sentences.ts';
import { type Key, keyOf, keysOfShipment, type Shipment, type ShipmentKeys } from './shipment.ts';
import type { KeyState } from './sums.ts';

/** The name of a shipment at a node, from the path and query of a request. */
export interface Named {
  clientId: string;
  node: NodeRow;
  type: ShipmentKeys['type'];
  number: string;
  sellerId: string | undefined;
}

/** Whether an earlier request booked this message in a shipment. */
export type IsBooked = (keys: ShipmentKeys) => Promise<boolean>;

/**
 * Whether a caller has access to a shipment. Goods without papers belong to no store: only callers with access to all
 * stores see them.
 */
export function seesShipment(actor: Actor, row: Pick<InboundShipmentRow, 'store_id' | 'node_id'>): boolean {
  const { storeIds } = actor;
  const isOfStore = row.store_id === null ? storeIds == null : allows(storeIds, row.store_id);
  return isOfStore && allows(actor.nodeIds, row.node_id);
}

/**
 * Returns the shipment that a path names. If several sellers use its number, `isBooked` finds the shipment in which an
 * earlier request booked the same message, so that a retry finds the same shipment.
 * @throws Refusal 404 if the caller has access to no such shipment; 409 AMBIGUOUS_NUMBER if several remain
 */
export async function findOfNode(
  db: Reader,
  actor: Actor,
  { clientId, node, type, number, sellerId }: Named,
  isBooked?: IsBooked,
): Promise<InboundShipmentRow> {
  const found = await selectNamed(db, { clientId, type, number });
  const rows = found.filter(
    (row) =>
      row.node_id === node.node_id &&
      (sellerId === undefined || row.seller_id === sellerId) &&
      seesShipment(actor, row),
  );
  const [row, ...others] = rows;
  if (row === undefined) {
    const whose = sellerId === undefined ? '' : say(' of seller {sellerId}', { sellerId: JSON.stringify(sellerId) });
    throw notFound(
      say('Node {nodeId} has no {type} {number}{whose}.', {
        nodeId: JSON.stringify(node.node_id),
        type,
        number: JSON.stringify(number),
        whose,
      }),
    );
  }
  if (others.length === 0) return row;
  const booked: InboundShipmentRow[] = [];
  for (const one of rows) if (await isBooked?.(one)) booked.push(one);
  if (booked.length !== 1) throw ambiguousNumber(type, number, rows);
  return booked[0]!;
}

/** Returns the shipments with a number, ordered by seller. */
export const selectNamed = statement((db, { clientId, type, number }: Pick<Named, 'clientId' | 'type' | 'number'>) =>
  db
    .selectFrom('inbound_shipments')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('type', '=', type)
    .where('number', '=', number)
    .orderBy('seller_id'),
);

/**
 * Finds the shipment as `findOfNode` and locks it until the transaction ends.
 * @throws Refusal as `findOfNode`
 */
export async function lockOfNode(ctx: Ctx, named: Named, isBooked?: IsBooked): Promise<InboundShipmentRow> {
  const found = await findOfNode(ctx.db, ctx.actor, named, isBooked);
  // SQLite has one writer: no other transaction can change the row.
  if (ctx.dialect.engine === 'sqlite') return found;
  const locked = await lockShipment(ctx.db, found);
  if (locked?.message_id === found.message_id) return locked;
  // The shipment was voided, or its number was announced again: search and lock again.
  return await lockOfNode(ctx, named, isBooked);
}

/**
 * Locks two shipments in the order of their type, number and seller, so that two matches cannot deadlock.
 * @throws Refusal as `findOfNode`
 */
export async function lockBoth(
  ctx: Ctx,
  one: Named,
  other: Named,
): Promise<readonly [InboundShipmentRow, InboundShipmentRow]> {
  const found = [await findOfNode(ctx.db, ctx.actor, one), await findOfNode(ctx.db, ctx.actor, other)] as const;
  const locked = new Map<InboundShipmentRow, InboundShipmentRow>();
  for (const row of found.toSorted(inOrder)) {
    const now = await lockShipment(ctx.db, row);
    // The shipment was voided after the search. Its number may have been announced again.
    if (now?.message_id !== row.message_id) throw voidedMeanwhile(row);
    locked.set(row, now);
  }
  return [locked.get(found[0])!, locked.get(found[1])!];
}

function inOrder(a: InboundShipmentRow, b: InboundShipmentRow): number {
  const [left, right] = [a, b].map((row) => JSON.stringify([row.type, row.number, row.seller_id])) as [string, string];
  return left < right ? -1 : 1;
}

/** Locks and returns the row of a shipment; undefined if it does not exist. */
export async function lockShipment(db: Reader, keys: ShipmentKeys): Promise<InboundShipmentRow | undefined> {
  const [row] = await selectLocked(db, keysOfShipment(keys));
  return row;
}

const selectLocked = statement((db, { client_id, seller_id, type, number }: ShipmentKeys, dialect) =>
  db
    .selectFrom('inbound_shipments')
    .selectAll()
    .where('client_id', '=', client_id)
    .where('seller_id', '=', seller_id)
    .where('type', '=', type)
    .where('number', '=', number)
    .modifyEnd(dialect.forUpdate),
);

/** Reads a shipment of a client: its announcement and its sums. */
export async function loadShipment(
  ctx: AnnouncedCtx,
  client: Pick<ClientRow, 'catalog_ids'>,
  row: InboundShipmentRow,
): Promise<Shipment> {
  const announced = await findAnnounced(ctx, row);
  const catalogIds = readJson(client.catalog_ids).toSorted((a, b) => b.length - a.length);
  const [states, others] = [new Map<string, KeyState>(), new Map<string, Key>()];
  const shipment: Shipment = { row, announced, states, others, catalogIds };
  const isUntouched = row.status === 'EXPECTED' && row.receipts === 0;
  for (const sum of isUntouched ? [] : await selectSums(ctx.db, keysOfShipment(row))) {
    const key = keyOf(shipment, sum.carton_id, sum.item_id);
    const { good, damaged, refused, held, staged, decided } = sum;
    states.set(key.id, { good, damaged, refused, held, staged, decided });
    if (!announced.keys.has(key.id)) others.set(key.id, key);
  }
  return shipment;
}

const selectSums = statement((db, { client_id, seller_id, type, number }: ShipmentKeys) =>
  db
    .selectFrom('inbound_sums')
    .selectAll()
    .where('client_id', '=', client_id)
    .where('seller_id', '=', seller_id)
    .where('type', '=', type)
    .where('number', '=', number)
    .orderBy('carton_id')
    .orderBy('item_id'),
);

/** Returns the ids of the items that were received with the shipment. */
export async function findReceivedItems(db: Reader, row: InboundShipmentRow): Promise<string[]> {
  if (row.receipts === 0) return [];
  return (await selectSums(db, keysOfShipment(row))).map((sum) => sum.item_id);
}
