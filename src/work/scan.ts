import { sql } from 'kysely';
import { catalogsOf } from '../items/access.ts';
import { findItems, findItemsOfCode, mainImageOf } from '../items/find.ts';
import { actionContextOf } from '../kernel/action-context.ts';
import { orderActions, shown } from '../kernel/allowed.ts';
import { type CartonIds, fromCartons } from '../kernel/cartons.ts';
import { cartonBlock, type InboundAction, inboundBlock, shownCartonState } from '../kernel/inbound.ts';
import { findOrders } from '../kernel/orders.ts';
import { findSettings } from '../kernel/settings.ts';
import { availableOf, findLevels } from '../kernel/stock.ts';
import { findWanted, type WantedOrder } from '../kernel/wanted.ts';
import { stateOfTicket, ticketActions } from '../picking/lifecycle.ts';
import type { Actor, ReadCtx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import type { BoundText } from '../platform/storage/dialect.ts';
import { statement } from '../platform/storage/statement.ts';
import type { FulfillmentOrderRow, NodeRow, PickTicketRow, StockLevelRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import { readCode } from '../shared/gs1.ts';
import { statusName } from '../shared/status.ts';
import { sees } from './caller.ts';
import { CodeScan, type ScanMatch, ScanReply, WANTED_MAX } from './scan-schema.ts';

/** Most matches of one kind. */
const EACH_MAX = 50;

export const scanCode = readOperation({
  id: 'scanCode',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/scan',
  auth: 'operatorOrApiKey',
  group: ['fulfillment', 'inbound', 'items', 'receiving'],
  permission: ['fulfillment.read', 'checkin.read', 'receive', 'items.read'],
  summary: 'Find what a code means at a node',
  description: `Reads a bar code or typed text and finds what it names: cartons and shipments that are announced, items, orders, pick
tickets, packages and places. It changes nothing. SSCC, GTIN of 8, 12, 13 and 14 digits, GS1 elements (with symbology identifier,
separators or parentheses) and GS1 Digital Links are read; anything else is taken as it is: ids of orders (also the numbers of the web
store and the order management system), tickets, items, tracking numbers, hold locations. A wrong check digit is a warning.
Cartons and items name the open orders that want them (\`wanted\`). A code that names nothing is answered with no matches. Each match has what may be done with it now, and why not the rest. Callers see
what their groups, stores and nodes let them see; a carton of another node comes with the warning ELSEWHERE.`,
  body: CodeScan,
  replies: { 200: { description: 'What the code says, and what it names here', schema: ScanReply } },
  refusals: { 404: 'There is no such client or node.' },
  errors: 'problem',
  async handle(ctx, { clientId, node, body: { code: sent } }) {
    const { code, reads, warnings } = readCode(sent, new Date(ctx.now).getUTCFullYear());
    const text = reads.find(({ kind }) => kind === 'TEXT')?.value;
    const found: { matches: ScanMatch[]; warnings: { code: string; description: string }[] } = {
      matches: [],
      warnings: [...warnings],
    };
    if (text === undefined) return reply(200, { code, reads, ...found });
    const settings = await findSettings(ctx.db, clientId);
    const scan = { ctx, clientId, node, settings, text, found };
    const seesOrders = sees(ctx.actor, ['fulfillment.read', 'checkin.read'], ['fulfillment']);
    if (sees(ctx.actor, ['receive'], ['inbound', 'receiving'])) {
      const ssccs = reads.flatMap(({ kind, value }) => (kind === 'SSCC' ? [value, `00${value}`] : []));
      await findCartons(scan, [...new Set([text, ...ssccs])]);
      await findShipments(scan);
    }
    if (
      sees(
        ctx.actor,
        ['items.read', 'fulfillment.read', 'checkin.read', 'receive'],
        ['items', 'fulfillment', 'inbound', 'receiving'],
      )
    ) {
      const gtins = reads.flatMap(({ kind, value }) => (kind === 'GTIN' || kind === 'CONTENT' ? [value] : []));
      await findItemMatches(scan, [...new Set([text, ...gtins])]);
    }
    if (seesOrders) {
      await findOrderMatches(scan);
      if (sees(ctx.actor, ['fulfillment.read'], ['fulfillment'])) await findTicketMatches(scan);
      await findPackages(scan);
      await findPlaces(scan);
    }
    return reply(200, { code, reads, ...found });
  },
});

interface Scan {
  ctx: ReadCtx;
  clientId: string;
  node: NodeRow;
  settings: Settings;
  text: string;
  found: { matches: ScanMatch[]; warnings: { code: string; description: string }[] };
}

/** Goods without papers are of no store: a caller of some stores does not see them. */
const ofStore = (actor: Actor) => (row: { store_id: string | null }) =>
  row.store_id === null ? actor.storeIds == null : allows(actor.storeIds, row.store_id);

/** Cartons by their ids, here and at other nodes that the caller may see. */
async function findCartons({ ctx, clientId, node, found }: Scan, ids: readonly string[]): Promise<void> {
  const rows = (await selectCartons(ctx.db, { clientId, ids: ctx.dialect.listText(ids), limit: EACH_MAX })).filter(
    (row) => allows(ctx.actor.nodeIds, row.node_id) && ofStore(ctx.actor)(row),
  );
  const here = rows.filter((row) => row.node_id === node.node_id);
  for (const row of here.length > 0 ? here : rows) {
    const isHere = row.node_id === node.node_id;
    const carton = cartonOf(ctx, row, isHere);
    const wanted = isHere && row.type === 'ASN' ? await wantedInCarton(ctx, clientId, node, row) : [];
    found.matches.push({
      kind: 'CARTON',
      id: row.carton_id,
      label: `Carton ${row.carton_id} of ${row.type} ${row.number}`,
      state: carton.state,
      allowedActions: (['receive', 'count'] as const).map((action) => shown(action, cartonBlock(carton, action))),
      ...(!isHere && { nodeId: row.node_id }),
      type: row.type,
      number: row.number,
      sellerId: row.seller_id,
      ...carton.people,
      ...(wanted.length > 0 && { wanted }),
    });
  }
  if (rows.length > 0 && here.length === 0) {
    const words = `The carton is announced for node ${rows[0]!.node_id}, not for this one.`;
    found.warnings.push({ code: 'ELSEWHERE', description: words });
  }
  if (rows.length > 1) {
    const words = `${rows.length} shipments announce a carton of this code: ${rows.map((row) => `${row.type} ${row.number}`).join(', ')}.`;
    found.warnings.push({ code: 'DUPLICATE_CARTON', description: words });
  }
}

type CartonRow = Awaited<ReturnType<typeof selectCartons>>[number];

/** A carton as it is now, with who has it, and what stands in the way of receiving it. */
function cartonOf(ctx: ReadCtx, row: CartonRow, isHere: boolean) {
  const { status: shipment, whole_as: wholeAs, user_id: userId, receipt_id: receiptId } = row;
  const state = shownCartonState(row.kept ?? 'EXPECTED', shipment);
  const since = formatDateTime(row.since ?? 0);
  const isReceived = wholeAs !== null && userId !== null && receiptId !== null;
  const isHeld = !isReceived && userId !== null && row.holder_until !== null && row.holder_until > ctx.now;
  const wrongPlace = isHere
    ? undefined
    : `it is announced for node ${row.node_id}; send it on, or take it with unannounced`;
  const elsewhere = row.type === 'ASN' ? wrongPlace : 'a PO is received by item, without cartons';
  return {
    state,
    shipment,
    ...(elsewhere !== undefined && { elsewhere }),
    ...(isReceived && { receivedBy: `${userId} received it at ${since}; correct receipt ${receiptId} if it is wrong` }),
    ...(isHeld && { heldBy: `${userId} counts it since ${since}; count its pieces, or wait` }),
    people: {
      ...(isHeld && { holder: { userId, since } }),
      ...(isReceived && { received: { receiptId, userId, since } }),
    },
  };
}

/** Open orders that want what is in a carton. */
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
    .orderBy('carton.carton_id')
    .orderBy('carton.seller_id')
    .orderBy('carton.type')
    .orderBy('carton.number')
    .limit(wanted.limit),
);

/** Shipments of the node by their number. */
async function findShipments({ ctx, clientId, node, text, found }: Scan): Promise<void> {
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
      label: `${row.type} ${row.number}, ${row.total_units} units`,
      state: row.status,
      allowedActions: SHIPMENT_ACTIONS.map((action) => shown(action, block(action))),
      type: row.type,
      number: row.number,
      sellerId: row.seller_id,
    });
  }
}

const SHIPMENT_ACTIONS = ['arrive', 'receive', 'close', 'reopen'] as const satisfies readonly InboundAction[];

async function findItemMatches({ ctx, clientId, node, found }: Scan, codes: readonly string[]): Promise<void> {
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

/** The levels of an item; one that the node never had has zeros. */
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

/** Orders of the node by any of their numbers. */
async function findOrderMatches({ ctx, clientId, node, settings, text, found }: Scan): Promise<void> {
  const rows: FulfillmentOrderRow[] = [];
  for (const column of ['fulfillment_order_id', 'web_order_id', 'oms_order_id'] as const) {
    const some = await ctx.db
      .selectFrom('fulfillment_orders')
      .selectAll()
      .where('client_id', '=', clientId)
      .where(column, '=', text)
      .where('node_id', '=', node.node_id)
      // No order: SQLite would take it from the key and read all orders.
      .limit(EACH_MAX)
      .execute();
    rows.push(...some);
  }
  rows.sort((a, b) => (a.fulfillment_order_id < b.fulfillment_order_id ? -1 : 1));
  const orders = new Map(rows.filter(ofStore(ctx.actor)).map((row) => [row.fulfillment_order_id, row]));
  for (const order of orders.values()) {
    const context = await actionContextOf(ctx, order);
    found.matches.push({
      kind: 'ORDER',
      id: order.fulfillment_order_id,
      label: `Order ${order.web_order_id}, ${order.fulfillment_type}`,
      state: statusName(settings, order.status),
      allowedActions: orderActions(context, settings),
      storeId: order.store_id,
      ...(context.pickTicketId && { pickTicketId: context.pickTicketId }),
      ...(order.hold_location !== null && { holdLocation: order.hold_location }),
    });
  }
}

async function findTicketMatches({ ctx, clientId, node, text, found }: Scan): Promise<void> {
  const ticket: PickTicketRow | undefined = await ctx.db
    .selectFrom('pick_tickets')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', '=', text)
    .where('node_id', '=', node.node_id)
    .executeTakeFirst();
  if (ticket === undefined || !ofStore(ctx.actor)(ticket)) return;
  const state = stateOfTicket(ticket);
  const of = ticket.user_id === '' ? 'of nobody' : `of ${ticket.user_id}`;
  found.matches.push({
    kind: 'TICKET',
    id: ticket.pick_ticket_id,
    label: `Pick ticket ${ticket.pick_ticket_id} ${of}, ${ticket.total_quantity} units`,
    state,
    allowedActions: ticketActions(state),
    storeId: ticket.store_id,
  });
}

/** Packages by tracking number: those that were packed here, and those that arrive for check-in. */
async function findPackages({ ctx, clientId, node, settings, text, found }: Scan): Promise<void> {
  const packed = await ctx.db
    .selectFrom('packages')
    .select(['fulfillment_order_id', 'package_id', 'tracking_number'])
    .where('client_id', '=', clientId)
    .where('tracking_number', '=', text)
    .limit(EACH_MAX)
    .execute();
  const arriving = await ctx.db
    .selectFrom('checkin_packages')
    .select(['fulfillment_order_id', 'check_in_package_id as package_id', 'tracking_number'])
    .where('client_id', '=', clientId)
    .where('tracking_number', '=', text)
    .limit(EACH_MAX)
    .execute();
  const rows = [...packed, ...arriving];
  const orders = await findOrders(ctx, clientId, [...new Set(rows.map((row) => row.fulfillment_order_id))]);
  const here = orders.filter((order) => order.node_id === node.node_id).filter(ofStore(ctx.actor));
  for (const order of here) {
    const actions = orderActions(await actionContextOf(ctx, order), settings);
    for (const row of rows.filter((one) => one.fulfillment_order_id === order.fulfillment_order_id)) {
      found.matches.push({
        kind: 'PACKAGE',
        id: row.package_id,
        label: `Package ${row.package_id} of order ${order.web_order_id}`,
        state: statusName(settings, order.status),
        allowedActions: actions,
        storeId: order.store_id,
        fulfillmentOrderId: order.fulfillment_order_id,
        trackingNumber: row.tracking_number!,
        ...(order.hold_location !== null && { holdLocation: order.hold_location }),
      });
    }
  }
}

/** A hold location of the node, with how many orders lie there. */
async function findPlaces({ ctx, clientId, node, text, found }: Scan): Promise<void> {
  const rows = await selectHeld(ctx.db, { clientId, nodeId: node.node_id, place: text });
  const orders = rows.filter(ofStore(ctx.actor)).length;
  const isKnown = (JSON.parse(node.hold_locations) as string[]).includes(text);
  if (!isKnown && orders === 0) return;
  found.matches.push({
    kind: 'PLACE',
    id: text,
    label: `Hold location ${text}`,
    state: orders === 0 ? 'EMPTY' : 'USED',
    allowedActions: [shown('search', orders === 0 ? 'no order lies here' : undefined)],
    orders,
  });
}

/** The condition on the state is that of the index of held goods, as it stands there. */
const selectHeld = statement((db, { clientId, nodeId, place }: { clientId: string; nodeId: string; place: string }) =>
  db
    .selectFrom('fulfillment_orders')
    .select('store_id')
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('hold_location', '=', place)
    .where(sql<boolean>`(status < 3700 or status = 8000)`),
);
