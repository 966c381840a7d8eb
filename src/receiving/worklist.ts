import { sql } from 'kysely';
import { cartonIdsOf } from '../kernel/arrivals/cartons.ts';
import { findDuplicateCartons } from '../kernel/arrivals/duplicates.ts';
import { findHeldUnits } from '../kernel/arrivals/held.ts';
import { seesShipment } from '../kernel/arrivals/locked.ts';
import { isCovered } from '../kernel/arrivals/orders.ts';
import type { Actor } from '../platform/ctx.ts';
import { limitOf, nextOf } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { contains } from '../platform/storage/like.ts';
import type { InboundShipmentRow } from '../platform/storage/tables.ts';
import { readCode } from '../shared/gs1.ts';
import { calendarOf, dayAt } from '../sla/calendar.ts';
import { readPosition, writePosition } from './position.ts';
import { WorklistQuery, worklistPage } from './receipt-schema.ts';

/**
 * Maximum number of shipments with duplicate cartons. Each of them makes a condition deeper, and SQLite limits the
 * depth to 1,000.
 */
const TWICE_MAX = 500;

/** Lists the shipments of a node. */
export const listNodeInbound = readOperation({
  id: 'listNodeInbound',
  since: '0.3.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound',
  summary: 'List the inbound shipments of a node',
  description:
    'Responds with the ASNs, POs and goods without papers of a node, ordered by their expected day (`order=desc`: the latest first), a page at a time; `next` is the `after` of the next page. `q` is part of a number, in upper or lower case, or the whole id of a carton.',
  access: { auth: 'operatorOrApiKey', group: 'receiving', permission: 'receive' },
  message: {
    query: WorklistQuery,
    replies: { 200: { description: 'A page', schema: worklistPage } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { clientId, node, query }) {
      const { status, type, expectedFrom, expectedTo, q, after } = query;
      const limit = limitOf(query);
      const isDown = query.order === 'desc';
      let rows = ctx.db
        .selectFrom('inbound_shipments')
        .selectAll()
        .select(sql<number>`case when ${isCovered} then 1 else 0 end`.as('covered'))
        .where('client_id', '=', clientId)
        .where('node_id', '=', node.node_id);
      const { storeIds } = ctx.actor;
      if (storeIds != null) rows = rows.where('store_id', 'in', [...storeIds]);
      // This condition has the same text as the condition of the partial index of open shipments. With a bound value, the
      // database would not use the index.
      if (status !== undefined && status !== 'CLOSED') rows = rows.where(sql<boolean>`status <> 'CLOSED'`);
      if (status !== undefined) rows = rows.where('status', '=', status);
      if (type !== undefined) rows = rows.where('type', '=', type);
      if (expectedFrom !== undefined) rows = rows.where('expected_on', '>=', expectedFrom);
      if (expectedTo !== undefined) rows = rows.where('expected_on', '<=', expectedTo);
      if (q !== undefined) {
        const cartonIds = new Set([q, ...cartonIdsOf(readCode(q, new Date(ctx.now).getUTCFullYear()).reads)]);
        rows = rows.where((eb) =>
          eb.or([
            contains(sql`number`, q),
            // The sub-select names no column of the shipment, so the database evaluates it once, not for each shipment.
            eb(
              eb.refTuple('seller_id', 'type', 'number'),
              'in',
              eb
                .selectFrom('inbound_cartons')
                .select(['seller_id', 'type', 'number'])
                .where('client_id', '=', clientId)
                .where('carton_id', 'in', [...cartonIds])
                .$asTuple('seller_id', 'type', 'number'),
            ),
          ]),
        );
      }
      const today = dayAt(calendarOf(node), ctx.now);
      const twice =
        query.duplicateCartons === undefined
          ? undefined
          : Map.groupBy(
              await findDuplicateCartons(ctx.db, { clientId, nodeId: node.node_id, date: today }),
              ({ type: kind, number, sellerId }) => keyOf(kind, number, sellerId),
            );
      if (twice !== undefined) {
        rows = rows.where((eb) =>
          eb.or(
            [...twice.values()]
              .slice(0, TWICE_MAX)
              .map(([one]) =>
                eb.and([
                  eb('seller_id', '=', one!.sellerId),
                  eb('type', '=', one!.type as InboundShipmentRow['type']),
                  eb('number', '=', one!.number),
                ]),
              ),
          ),
        );
      }
      if (after !== undefined) {
        const [day, kind, number, seller] = readPosition(after, true);
        rows = rows.where((eb) =>
          eb(
            eb.refTuple('expected_on', 'type', 'number', 'seller_id'),
            isDown ? '<' : '>',
            eb.tuple(day, kind, number, seller),
          ),
        );
      }
      const direction = isDown ? 'desc' : 'asc';
      const page = await rows
        .orderBy('expected_on', direction)
        .orderBy('type', direction)
        .orderBy('number', direction)
        .orderBy('seller_id', direction)
        .limit(limit + 1)
        .execute();
      const shown = page.slice(0, limit);
      const units = await findHeldUnits(ctx, clientId, shown);
      const held = new Map(units.map((one) => [keyOfRow(one), one.units]));
      return reply(200, {
        inbound: shown.map((row) => ({
          ...summaryOf(row, today, held),
          ...(twice !== undefined && { duplicateCartons: showTwice(ctx.actor, twice.get(keyOfRow(row)) ?? []) }),
        })),
        ...(page.length > limit && nextOf(positionOf(shown.at(-1)!))),
      });
    },
  },
  example: {
    before: [
      {
        operationId: 'transmitInbound',
        path: '/poasn-manager-service/sellers/TOWNS/poasn/create',
        body: {
          asnData: [
            {
              header: {
                storeCode: '988',
                receivingType: 'A',
                asnNumber: 'ASN-1001',
                shipmentReceiptDate: '2030-01-15',
                shipperName: 'Pottery Ltd',
                receivingWarehouseId: 'DC001',
              },
              details: {
                detail: [
                  {
                    asnNumber: 'ASN-1001',
                    cartonId: '003400000000000017',
                    clientItemId: 'MUG-WHT',
                    shippedQuantity: 24,
                    itemCost: 3.75,
                    trailerNumber: 'T-7',
                    receivingWarehouseId: 'DC001',
                  },
                ],
              },
            },
          ],
        },
      },
    ],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound?type=ASN',
  },
});

const keyOf = (...key: [type: string, number: string, sellerId: string]) => JSON.stringify(key);

const keyOfRow = (row: Pick<InboundShipmentRow, 'type' | 'number' | 'seller_id'>) =>
  keyOf(row.type, row.number, row.seller_id);

/**
 * Shows where else the cartons of a shipment are announced. Shipments to which the caller has no access show only
 * their node, as in the rejection of a receipt.
 */
function showTwice(actor: Actor, cartons: Awaited<ReturnType<typeof findDuplicateCartons>>) {
  return cartons.map(({ cartonId, other }) => ({
    cartonId,
    alsoIn: {
      nodeId: other.node_id,
      ...(seesShipment(actor, other) && { type: other.type, number: other.number, sellerId: other.seller_id }),
    },
  }));
}

/** Returns a shipment for the worklist. `covered` is 1 for a purchase order whose ASNs have at least its units. */
function summaryOf(row: InboundShipmentRow & { covered: number }, today: string, held: ReadonlyMap<string, number>) {
  const isOfAsns = row.covered === 1;
  return {
    type: row.type,
    number: row.number,
    sellerId: row.seller_id,
    state: row.status,
    ...(row.expected_on !== '' && { expectedDate: row.expected_on }),
    announcedQuantity: row.total_units,
    receivedQuantity: row.received_units,
    cartons: row.cartons,
    cartonsDone: row.cartons_done,
    openQuantity: row.open_units,
    heldQuantity: held.get(keyOfRow(row)) ?? 0,
    late: row.expected_on !== '' && row.expected_on < today && row.status !== 'CLOSED' && !isOfAsns,
    ...(isOfAsns && { coveredByAsns: true }),
  };
}

const positionOf = ({ expected_on, type, number, seller_id }: InboundShipmentRow) =>
  writePosition(expected_on, type, number, seller_id);
