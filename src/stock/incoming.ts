/** Expected units of announced shipments of a node, by item and day. */
import { sql } from 'kysely';
import { findAsnLines } from '../kernel/arrivals/orders.ts';
import type { StockNode } from '../kernel/stock-terms.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import type { BoundText } from '../platform/storage/dialect.ts';
import { statement } from '../platform/storage/statement.ts';
import type { NodeRow } from '../platform/storage/tables.ts';
import { DAY_MS } from '../platform/time.ts';
import { calendarOf, dayAt } from '../sla/calendar.ts';

/** Units expected on a day in the node's time zone. */
interface Incoming {
  date: string;
  quantity: number;
}

/**
 * Returns the expected units by item id, with one entry for each day. Counts units that have not arrived: the units of
 * open ASNs, and the units of open purchase orders that no ASN covers. Leaves out shipments without an expected day.
 * Also leaves out overdue purchase orders older than SHIPMENT_DAYS, because the ASNs that delivered them may be
 * deleted.
 */
export async function findIncoming(
  ctx: Pick<ReadCtx, 'db' | 'dialect' | 'config' | 'now'>,
  node: NodeRow,
  itemIds: readonly string[],
): Promise<Map<string, Incoming[]>> {
  if (itemIds.length === 0) return new Map();
  const { shipmentDays } = ctx.config;
  const oldestAt = shipmentDays === undefined ? 0 : ctx.now - shipmentDays * DAY_MS;
  const today = dayAt(calendarOf(node), ctx.now);
  const { client_id: clientId, node_id: nodeId } = node;
  const values = { clientId, nodeId, itemIds: ctx.dialect.listText(itemIds), oldestAt, today };
  const keys = await selectKeys(ctx.db, values);
  const covered = await findCovered(ctx, values, keys);
  const byItem = new Map<string, Map<string, number>>();
  for (const key of keys) {
    const { itemId, date, announced, arrived } = key;
    // An ASN can have the number of its order.
    const byAsns = key.type === 'PO' ? (covered.get(orderKey(key)) ?? 0) : 0;
    const open = Math.max(0, Math.max(0, announced - arrived) - byAsns);
    if (open === 0) continue;
    const days = byItem.get(itemId) ?? new Map<string, number>();
    byItem.set(itemId, days.set(date, (days.get(date) ?? 0) + open));
  }
  return new Map(
    [...byItem].map(([itemId, days]) => [itemId, [...days].map(([date, quantity]) => ({ date, quantity }))]),
  );
}

type OrderLine = { sellerId: string; number: string; itemId: string };

function orderKey({ sellerId, number, itemId }: OrderLine): string {
  return JSON.stringify([sellerId, number, itemId]);
}

/**
 * Returns the units that ASNs take off their purchase orders, by `orderKey`: an open ASN counts with its
 * announced units, a closed one with its arrived units (docs/receiving.md#purchase-orders-and-their-asns).
 */
async function findCovered(
  { db, dialect }: Pick<ReadCtx, 'db' | 'dialect'>,
  { clientId, itemIds }: { clientId: string; itemIds: BoundText },
  keys: readonly { sellerId: string; type: string; number: string }[],
): Promise<Map<string, number>> {
  const covered = new Map<string, number>();
  const orders = keys.filter(({ type }) => type === 'PO');
  if (orders.length === 0) return covered;
  const listOf = (values: string[]) => dialect.listText([...new Set(values)]);
  const sellerIds = listOf(orders.map(({ sellerId }) => sellerId));
  const numbers = listOf(orders.map(({ number }) => number));
  for (const line of await findAsnLines(db, { clientId, sellerIds, numbers, itemIds })) {
    const units = line.status === 'CLOSED' ? line.arrived : line.quantity;
    covered.set(orderKey(line), (covered.get(orderKey(line)) ?? 0) + units);
  }
  return covered;
}

/**
 * The carton id of a line, in the form of the stored sums. It is '' for a line of a PO and for a line without a carton.
 */
const CARTON = sql<string>`case when line.type = 'ASN' then coalesce(line.carton_id, '') else '' end`;

type OfItems = StockNode & { itemIds: BoundText; oldestAt: number; today: string };

const selectKeys = statement((db, { clientId, nodeId, itemIds, oldestAt, today }: OfItems, dialect) =>
  db
    .with('keys', (cte) =>
      cte
        .selectFrom('inbound_shipments as shipment')
        .innerJoin('inbound_lines as line', (join) =>
          join
            .onRef('line.client_id', '=', 'shipment.client_id')
            .onRef('line.seller_id', '=', 'shipment.seller_id')
            .onRef('line.type', '=', 'shipment.type')
            .onRef('line.number', '=', 'shipment.number'),
        )
        .select([
          'line.seller_id',
          'line.type',
          'line.number',
          CARTON.as('carton_id'),
          'line.item_id',
          'shipment.expected_on as date',
          sql<number>`cast(sum(line.quantity) as bigint)`.as('announced'),
        ])
        .where('shipment.client_id', '=', clientId)
        .where('shipment.node_id', '=', nodeId)
        // The literal is the condition of the index `inbound_shipments_open`.
        .where(sql<boolean>`shipment.status <> 'CLOSED'`)
        .where('shipment.expected_on', '>', '')
        .where((is) =>
          is.or([
            is('shipment.type', '<>', 'PO'),
            is('shipment.created_at', '>', oldestAt),
            is('shipment.expected_on', '>=', today),
          ]),
        )
        .where('line.item_id', 'in', dialect.listOf<string>(itemIds, 'text'))
        .groupBy(['line.seller_id', 'line.type', 'line.number', CARTON, 'line.item_id', 'shipment.expected_on']),
    )
    .selectFrom('keys')
    .leftJoin('inbound_sums as arrived', (join) =>
      join
        .on('arrived.client_id', '=', clientId)
        .onRef('arrived.seller_id', '=', 'keys.seller_id')
        .onRef('arrived.type', '=', 'keys.type')
        .onRef('arrived.number', '=', 'keys.number')
        .onRef('arrived.carton_id', '=', 'keys.carton_id')
        .onRef('arrived.item_id', '=', 'keys.item_id'),
    )
    .select([
      'keys.seller_id as sellerId',
      'keys.type',
      'keys.number',
      'keys.item_id as itemId',
      'keys.date',
      'keys.announced',
      sql<number>`coalesce(arrived.good + arrived.damaged + arrived.refused + arrived.held, 0)`.as('arrived'),
    ])
    .orderBy('keys.item_id')
    .orderBy('keys.date'),
);
