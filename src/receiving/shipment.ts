/** A shipment with its sums: found, locked, and shown. */
import {
  added,
  arrived,
  type Booked,
  type KeyState,
  NO_SUMS,
  type Sums,
  sumsOf,
  UNTOUCHED,
} from '../kernel/inbound.ts';
import type { Actor, Ctx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import { notFound } from '../platform/http/errors.ts';
import type { Reader } from '../platform/storage/db.ts';
import { statement } from '../platform/storage/statement.ts';
import type { ClientRow, InboundShipmentRow, InboundSumRow, NodeRow } from '../platform/storage/tables.ts';
import { type Announced, type AnnouncedCtx, findAnnounced, type Key, keyId } from './announced.ts';
import { ambiguousNumber } from './inbound-refusals.ts';
import type { ShipmentSums } from './receipt-schema.ts';
import type { InboundType } from './schema.ts';

/** How an operation names a shipment of a node. */
export interface Named {
  clientId: string;
  node: NodeRow;
  type: InboundType;
  number: string;
  sellerId: string | undefined;
  /** Whether what is sent was booked in a shipment before: a repeat is of that one, though another seller has the number since. */
  isBooked?: (keys: ShipmentKeys) => Promise<boolean>;
}

/** Columns that name the rows of a shipment. */
export type ShipmentKeys = Pick<InboundShipmentRow, 'client_id' | 'seller_id' | 'type' | 'number'>;

export function keysOfShipment({ client_id, seller_id, type, number }: ShipmentKeys): ShipmentKeys {
  return { client_id, seller_id, type, number };
}

/** Whether a caller may see a shipment. Goods without papers are of no store: a caller of some stores does not see them. */
export function seesShipment(actor: Actor, row: Pick<InboundShipmentRow, 'store_id' | 'node_id'>): boolean {
  const { storeIds } = actor;
  const isOfStore = row.store_id === null ? storeIds == null : allows(storeIds, row.store_id);
  return isOfStore && allows(actor.nodeIds, row.node_id);
}

/**
 * The shipment of a node that a path names.
 * @throws Refusal 404 where the caller has none, 409 AMBIGUOUS_NUMBER where several sellers use the number
 */
export async function findOfNode(db: Reader, actor: Actor, named: Named): Promise<InboundShipmentRow> {
  const { clientId, node, type, number, sellerId } = named;
  const found = await selectNamed(db, { clientId, type, number });
  const rows = found.filter(
    (row) =>
      row.node_id === node.node_id &&
      (sellerId === undefined || row.seller_id === sellerId) &&
      seesShipment(actor, row),
  );
  const [row, ...others] = rows;
  if (row === undefined) {
    const whose = sellerId === undefined ? '' : ` of seller ${JSON.stringify(sellerId)}`;
    throw notFound(`Node ${JSON.stringify(node.node_id)} has no ${type} ${JSON.stringify(number)}${whose}.`);
  }
  if (others.length === 0) return row;
  const booked: InboundShipmentRow[] = [];
  for (const one of rows) if (await named.isBooked?.(one)) booked.push(one);
  if (booked.length !== 1) throw ambiguousNumber(type, number, rows);
  return booked[0]!;
}

const selectNamed = statement(
  (db, { clientId, type, number }: { clientId: string; type: InboundType; number: string }) =>
    db
      .selectFrom('inbound_shipments')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('type', '=', type)
      .where('number', '=', number)
      .orderBy('seller_id'),
);

/**
 * The same, and nobody else changes it until the transaction ends: every write of a shipment begins here.
 * @throws Refusal as `findOfNode`
 */
export async function lockOfNode(ctx: Ctx, named: Named): Promise<InboundShipmentRow> {
  const found = await findOfNode(ctx.db, ctx.actor, named);
  // Where there is one writer, nobody can change it meanwhile.
  if (ctx.dialect.engine === 'sqlite') return found;
  const locked = await lockShipment(ctx.db, found);
  if (locked?.message_id === found.message_id) return locked;
  // It was voided since, or its number was used anew: then the new one is locked.
  return await lockOfNode(ctx, named);
}

/** The row of a shipment, locked; undefined where it is gone. */
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

/** A shipment, what it announces, and what became of it. */
export interface Loaded {
  row: InboundShipmentRow;
  announced: Announced;
  /** Keys that somebody touched. */
  states: Map<string, KeyState>;
  /** Touched keys that were not announced, in the order of their cartons and items. */
  others: Map<string, Key>;
  /** Catalogs of the client, the longest first: an item is called `<catalog>-<clientItemId>`. */
  catalogIds: readonly string[];
}

/** Reads a shipment of a client. */
export async function loadShipment(
  ctx: AnnouncedCtx,
  client: Pick<ClientRow, 'catalog_ids'>,
  row: InboundShipmentRow,
): Promise<Loaded> {
  const announced = await findAnnounced(ctx, row);
  const catalogIds = (JSON.parse(client.catalog_ids) as string[]).toSorted((a, b) => b.length - a.length);
  const loaded: Loaded = { row, announced, states: new Map(), others: new Map(), catalogIds };
  const untouched = row.status === 'EXPECTED' && row.receipts === 0;
  for (const sum of untouched ? [] : await selectSums(ctx.db, keysOfShipment(row))) {
    const { id } = keyOf(loaded, sum.carton_id, sum.item_id);
    loaded.states.set(id, stateOf(sum));
  }
  return loaded;
}

function stateOf({ good, damaged, refused, held, staged, decided }: InboundSumRow): KeyState {
  return { good, damaged, refused, held, staged, decided };
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

/** Items of which something was received of a shipment. */
export async function findReceivedItems(db: Reader, row: InboundShipmentRow): Promise<string[]> {
  if (row.receipts === 0) return [];
  return (await selectSums(db, keysOfShipment(row))).map((sum) => sum.item_id);
}

/** The key of a carton and item; one that was not announced is remembered as such. */
export function keyOf({ announced, others, catalogIds }: Loaded, cartonId: string, itemId: string): Key {
  const id = keyId(cartonId, itemId);
  const known = announced.keys.get(id) ?? others.get(id);
  if (known !== undefined) return known;
  const clientItemId = clientItemOf(catalogIds, itemId);
  const key: Key = { id, cartonId, itemId, clientItemId, lineNumbers: [], announced: 0 };
  others.set(id, key);
  return key;
}

/** The retailer's name of an item. */
function clientItemOf(catalogIds: readonly string[], itemId: string): string {
  const catalogId = catalogIds.find((one) => itemId.startsWith(`${one}-`));
  return catalogId === undefined ? itemId : itemId.slice(catalogId.length + 1);
}

export function keyState({ states }: Loaded, key: Key): KeyState {
  return states.get(key.id) ?? UNTOUCHED;
}

/** All keys: those announced first. */
export function* allKeys({ announced, others }: Loaded): Generator<Key> {
  yield* announced.keys.values();
  yield* others.values();
}

/** The sums of a shipment as replies show them. */
export function showSums(loaded: Loaded): ShipmentSums {
  const keys: ShipmentSums['keys'] = [];
  const cartons = new Map<string, Sums>();
  const items = new Map<string, Sums>();
  let total = NO_SUMS;
  for (const key of allKeys(loaded)) {
    const sums = sumsOf(key.announced, keyState(loaded, key), loaded.row.status);
    keys.push({ ...showKey(key), ...sums });
    if (key.cartonId !== '') cartons.set(key.cartonId, added(cartons.get(key.cartonId) ?? NO_SUMS, sums));
    items.set(key.itemId, added(items.get(key.itemId) ?? NO_SUMS, sums));
    total = added(total, sums);
  }
  return {
    keys,
    cartons: [...cartons].map(([cartonId, sums]) => ({ cartonId, ...sums })),
    items: [...items].map(([itemId, sums]) => ({ itemId, ...sums })),
    total,
  };
}

/** What names a key in a reply. */
export function showKey({ cartonId, itemId, clientItemId, lineNumbers }: Key) {
  return { ...(cartonId !== '' && { cartonId }), itemId, clientItemId, lineNumbers: [...lineNumbers] };
}

/** Sums of a carton; those of one that nobody announced are of what came in it. */
export function sumsOfCarton(loaded: Loaded, cartonId: string): Sums {
  const announced = loaded.announced.cartons.get(cartonId) ?? [];
  const others = [...loaded.others.values()].filter((key) => key.cartonId === cartonId);
  return [...announced, ...others].reduce(
    (sums, key) => added(sums, sumsOf(key.announced, keyState(loaded, key), loaded.row.status)),
    NO_SUMS,
  );
}

/** Units of a shipment that arrived, and those that are open. */
export function unitsOf(loaded: Loaded): { received: number; open: number } {
  let received = 0;
  let open = loaded.row.total_units;
  for (const [id, state] of loaded.states) {
    const announced = loaded.announced.keys.get(id)?.announced ?? 0;
    received += arrived(state);
    open -= Math.min(announced, arrived(state));
  }
  return { received, open: loaded.row.status === 'CLOSED' ? 0 : open };
}

/** Whether units are booked of a key. */
export function isSomething(units: Booked): boolean {
  return units.good !== 0 || units.damaged !== 0 || units.refused !== 0 || units.held !== 0;
}
