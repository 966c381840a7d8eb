import { catalogsOf } from '../items/access.ts';
import { findItems, findItemsOfCode, mainImageOf } from '../items/find.ts';
import { shown } from '../kernel/allowed.ts';
import { cartonBlock, shownCartonState } from '../kernel/arrivals/carton-states.ts';
import { type CartonIds, fromCartons } from '../kernel/arrivals/cartons.ts';
import { type InboundAction, inboundBlock } from '../kernel/arrivals/states.ts';
import { availableOf, findLevels } from '../kernel/stock.ts';
import { findWanted, type WantedOrder } from '../kernel/wanted.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import type { BoundText } from '../platform/storage/dialect.ts';
import { statement } from '../platform/storage/statement.ts';
import type { NodeRow, StockLevelRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { sees } from './caller.ts';
import { EACH_MAX, ofStore, type Scan } from './scan-matches.ts';
import { WANTED_MAX } from './scan-schema.ts';
import { say } from './sentences.ts';

/**
 * Finds cartons by id at this node, otherwise at other nodes to which the caller has access. If a carton has an open
 * shipment, the function leaves out its closed shipments, as a receipt does (`findAnnouncers`): totes and carton ids
 * are used again.
 */
export async function findCartons({ ctx, clientId, node, found }: Scan, ids: readonly string[]): Promise<void> {
  const seen = (await selectCartons(ctx.db, { clientId, ids: ctx.dialect.listText(ids), limit: EACH_MAX })).filter(
    (row) => allows(ctx.actor.nodeIds, row.node_id) && ofStore(ctx.actor)(row),
  );
  // A PO is received by item, so its cartons are those of the ASN. If an ASN has the carton, the POs are left out, even
  // if the ASN is closed.
  const asns = seen.filter(({ type }) => type === 'ASN');
  const all = asns.length > 0 ? asns : seen;
  const open = all.filter(({ status }) => status !== 'CLOSED');
  const rows = open.length > 0 ? open : all;
  const here = rows.filter((row) => row.node_id === node.node_id);
  for (const row of here.length > 0 ? here : rows) {
    const isHere = row.node_id === node.node_id;
    const carton = cartonOf(ctx, row, isHere);
    const wanted = isHere && row.type === 'ASN' ? await wantedInCarton(ctx, clientId, node, row) : [];
    found.matches.push({
      kind: 'CARTON',
      id: row.carton_id,
      label: say('Carton {cartonId} of {type} {number}', {
        cartonId: row.carton_id,
        type: row.type,
        number: row.number,
      }),
      state: carton.state,
      allowedActions: (['receive', 'count'] as const).map((action) => shown(action, cartonBlock(carton, action))),
      ...(!isHere && { nodeId: row.node_id }),
      type: row.type,
      number: row.number,
      sellerId: row.seller_id,
      shipmentState: row.status,
      ...carton.people,
      ...(wanted.length > 0 && { wanted }),
    });
  }
  if (rows.length > 0 && here.length === 0) {
    const words = say('The carton is announced for node {nodeId}, not for this node.', { nodeId: rows[0]!.node_id });
    found.warnings.push({ code: 'ELSEWHERE', description: words });
  }
  if (rows.length > 1) {
    const words = say('{count} shipments announce a carton with this code: {rows}.', {
      count: rows.length,
      rows: rows.map((row) => `${row.type} ${row.number}`).join(', '),
    });
    found.warnings.push({ code: 'DUPLICATE_CARTON', description: words });
  }
}

type CartonRow = Awaited<ReturnType<typeof selectCartons>>[number];

/** Returns the state of a carton, its holder or receiver, and the facts that block receiving it. */
function cartonOf(ctx: ReadCtx, row: CartonRow, isHere: boolean) {
  const { status: shipment, whole_as: wholeAs, user_id: userId, receipt_id: receiptId } = row;
  const state = shownCartonState(row.kept ?? 'EXPECTED', shipment);
  const since = formatDateTime(row.since ?? 0);
  const isReceived = wholeAs !== null && userId !== null && receiptId !== null;
  const isHeld = !isReceived && userId !== null && row.holder_until !== null && row.holder_until > ctx.now;
  const wrongPlace = isHere
    ? undefined
    : say('the carton is announced for node {nodeId}; forward it, or send unannounced: true to accept it here', {
        nodeId: row.node_id,
      });
  const elsewhere = row.type === 'ASN' ? wrongPlace : say('a PO is received by item, without cartons');
  return {
    state,
    shipment,
    ...(elsewhere !== undefined && { elsewhere }),
    ...(isReceived && {
      receivedBy: say('{userId} received the carton at {since}; correct receipt {receiptId} if it is wrong', {
        userId,
        since,
        receiptId,
      }),
    }),
    ...(isHeld && {
      heldBy: say('{userId} has been counting the carton since {since}; count its items one by one, or wait', {
        userId,
        since,
      }),
    }),
    people: {
      ...(isHeld && { holder: { userId, since } }),
      ...(isReceived && { received: { receiptId, userId, since } }),
    },
  };
}

/** Returns the open orders for the items in a carton. */
async function wantedInCarton(ctx: ReadCtx, clientId: string, node: NodeRow, row: CartonRow): Promise<WantedOrder[]> {
  const { seller_id: sellerId, type, number, carton_id: cartonId } = row;
  const items = await selectContent(ctx.db, { clientId, sellerId, type, number, cartonId });
  const place = { clientId, nodeId: node.node_id, storeIds: ctx.actor.storeIds };
  return await findWanted(
    ctx,
    place,
    items.map(({ item_id }) => item_id),
    WANTED_MAX,
  );
}

const selectContent = statement(
  (db, of: { clientId: string; sellerId: string; type: string; number: string; cartonId: string }) =>
    db
      .selectFrom('inbound_lines')
      .select('item_id')
      .distinct()
      .where('client_id', '=', of.clientId)
      .where('seller_id', '=', of.sellerId)
      .where('type', '=', of.type)
      .where('number', '=', of.number)
      .where('carton_id', '=', of.cartonId),
);

const selectCartons = statement((db, wanted: CartonIds & { limit: number }, dialect) =>
  fromCartons(db, wanted, dialect)
    .leftJoin('inbound_carton_work as work', (join) =>
      join
        .onRef('work.client_id', '=', 'carton.client_id')
        .onRef('work.seller_id', '=', 'carton.seller_id')
        .onRef('work.type', '=', 'carton.type')
        .onRef('work.number', '=', 'carton.number')
        .onRef('work.carton_id', '=', 'carton.carton_id'),
    )
    .select([
      'carton.carton_id',
      'carton.seller_id',
      'carton.type',
      'carton.number',
      'shipment.node_id',
      'shipment.store_id',
      'shipment.status',
      'work.state as kept',
      'work.whole_as',
      'work.receipt_id',
      'work.user_id',
      'work.since',
      'work.holder_until',
    ])
    // The limit must not cut off the open shipments of a tote with many closed ones.
    .orderBy((eb) => eb.case().when('shipment.status', '=', 'CLOSED').then(1).else(0).end())
    .orderBy('carton.carton_id')
    .orderBy('carton.seller_id')
    .orderBy('carton.type')
    .orderBy('carton.number')
    .limit(wanted.limit),
);

/** Finds shipments of the node by number. */
export async function findShipments({ ctx, clientId, node, text, found }: Scan): Promise<void> {
  const rows = await ctx.db
    .selectFrom('inbound_shipments')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('type', 'in', ['ASN', 'PO', 'BLIND'])
    .where('number', '=', text)
    .where('node_id', '=', node.node_id)
    .orderBy('type')
    .orderBy('seller_id')
    .limit(EACH_MAX)
    .execute();
  for (const row of rows.filter(ofStore(ctx.actor))) {
    const isMatched = row.matched_to !== null;
    const block = (action: InboundAction) => inboundBlock(row.status, action, isMatched);
    found.matches.push({
      kind: 'SHIPMENT',
      id: row.number,
      label: say('{type} {number}, {totalUnits} {totalUnits|unit|units}', {
        type: row.type,
        number: row.number,
        totalUnits: row.total_units,
      }),
      state: row.status,
      allowedActions: SHIPMENT_ACTIONS.map((action) => shown(action, block(action))),
      type: row.type,
      number: row.number,
      sellerId: row.seller_id,
    });
  }
}

const SHIPMENT_ACTIONS = ['arrive', 'receive', 'close', 'reopen'] as const satisfies readonly InboundAction[];

export async function findItemMatches({ ctx, clientId, node, found }: Scan, codes: readonly string[]): Promise<void> {
  const ids = new Set<string>();
  for (const code of codes) for (const id of await findItemsOfCode(ctx, clientId, code)) ids.add(id);
  const catalogs = await catalogsOf(ctx.db, ctx.actor, clientId);
  const items = await findItems(ctx, clientId, [...ids].slice(0, EACH_MAX));
  const fed = await selectFed(ctx.db, {
    clientId,
    nodeId: node.node_id,
    ids: ctx.dialect.listText([...items.keys()]),
  });
  const isKept = node.stock === 'KEPT' && sees(ctx.actor, ['stock.read'], ['receiving', 'stock']);
  const levelOf = isKept
    ? await findLevels(ctx, { clientId, nodeId: node.node_id }, [...items.keys()])
    : new Map<string, StockLevelRow>();
  const placeOf = new Map(fed.map((row) => [row.item_id, row.pick_location]));
  const seesWanted = sees(ctx.actor, ['receive', 'fulfillment.read'], ['receiving', 'fulfillment']);
  const place = { clientId, nodeId: node.node_id, storeIds: ctx.actor.storeIds };
  const wantedOf = Map.groupBy(
    seesWanted ? await findWanted(ctx, place, [...items.keys()], WANTED_MAX) : [],
    ({ itemId }) => itemId,
  );
  for (const id of [...items.keys()].sort()) {
    const item = items.get(id)!;
    if (catalogs !== undefined && !catalogs.includes(item.catalogId)) continue;
    const imageUrl = mainImageOf(item);
    const pickLocation = placeOf.get(id);
    found.matches.push({
      kind: 'ITEM',
      id,
      label: item.description || item.productTitle || id,
      state: item.status || 'Active',
      allowedActions: [],
      ...(pickLocation && { pickLocation }),
      ...(imageUrl !== undefined && { imageUrl }),
      ...(isKept && { stock: stockOf(levelOf.get(id)) }),
      ...(wantedOf.has(id) && { wanted: wantedOf.get(id)! }),
    });
  }
}

/** Returns the levels of an item. They are zero for an item that the node never had. */
function stockOf(level: StockLevelRow | undefined) {
  const { shelf = 0, staged = 0, damaged = 0, held = 0, missing = 0, reserved = 0, revision = 0 } = level ?? {};
  return { shelf, staged, damaged, held, missing, reserved, available: availableOf({ shelf, reserved }), revision };
}

const selectFed = statement(
  (db, { clientId, nodeId, ids }: { clientId: string; nodeId: string; ids: BoundText }, dialect) =>
    db
      .selectFrom('node_items')
      .select(['item_id', 'pick_location'])
      .where('client_id', '=', clientId)
      .where('node_id', '=', nodeId)
      .where('item_id', 'in', dialect.listOf<string>(ids, 'text')),
);
