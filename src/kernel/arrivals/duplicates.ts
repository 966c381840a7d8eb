/** Cartons of the arrivals of a node that another open shipment announces, too. */
import { sql } from 'kysely';
import type { Reader } from '../../platform/storage/db.ts';
import { statement } from '../../platform/storage/statement.ts';
import { DAY_MS } from '../../platform/time.ts';

/** Past days in which cartons are compared. */
const CARTON_DAYS = 7;
/** Maximum number of rows: if a large shipment is sent twice under two numbers, all of its cartons are duplicates. */
const ROWS_MAX = 10_000;

/** A carton of a shipment of the node, and another shipment that announces it. */
interface DuplicateCarton {
  cartonId: string | null;
  sellerId: string;
  type: string;
  number: string;
  otherType: string;
  otherNumber: string;
}

/** Returns the duplicate cartons of the open shipments that are expected on `date` or in the days before. */
export function findDuplicateCartons(
  db: Reader,
  { clientId, nodeId, date }: { clientId: string; nodeId: string; date: string },
): Promise<DuplicateCarton[]> {
  const from = new Date(Date.parse(`${date}T00:00:00Z`) - CARTON_DAYS * DAY_MS).toISOString().slice(0, 10);
  return selectTwice(db, { clientId, nodeId, from, to: date });
}

type Days = { clientId: string; nodeId: string; from: string; to: string };

const selectTwice = statement((db, { clientId, nodeId, from, to }: Days) =>
  db
    .with(
      (cte) => cte('arriving').materialized(),
      (one) =>
        one
          .selectFrom('inbound_shipments')
          .select(['client_id', 'seller_id', 'type', 'number'])
          .where('client_id', '=', clientId)
          .where('node_id', '=', nodeId)
          .where('expected_on', '>=', from)
          .where('expected_on', '<=', to)
          .where(sql<boolean>`status <> 'CLOSED'`),
    )
    .with(
      (cte) => cte('carton').materialized(),
      (one) =>
        one
          .selectFrom('arriving as s')
          .innerJoin('inbound_lines as l', (join) =>
            join
              .onRef('l.client_id', '=', 's.client_id')
              .onRef('l.seller_id', '=', 's.seller_id')
              .onRef('l.type', '=', 's.type')
              .onRef('l.number', '=', 's.number'),
          )
          .select(['s.client_id', 's.seller_id', 's.type', 's.number', 'l.carton_id'])
          .distinct()
          .where('l.carton_id', 'is not', null),
    )
    .selectFrom('carton')
    .innerJoin('inbound_cartons as other', (join) =>
      join.onRef('other.client_id', '=', 'carton.client_id').onRef('other.carton_id', '=', 'carton.carton_id'),
    )
    .innerJoin('inbound_shipments as its', (join) =>
      join
        .onRef('its.client_id', '=', 'other.client_id')
        .onRef('its.seller_id', '=', 'other.seller_id')
        .onRef('its.type', '=', 'other.type')
        .onRef('its.number', '=', 'other.number'),
    )
    .select([
      'carton.carton_id as cartonId',
      'carton.seller_id as sellerId',
      'carton.type as type',
      'carton.number as number',
      'other.type as otherType',
      'other.number as otherNumber',
    ])
    .where('its.status', '<>', 'CLOSED')
    .where((eb) =>
      eb.or([
        eb('other.number', '<>', eb.ref('carton.number')),
        eb('other.seller_id', '<>', eb.ref('carton.seller_id')),
        sql<boolean>`other.type <> carton.type`,
      ]),
    )
    .orderBy('carton.carton_id')
    .orderBy('other.number')
    .limit(ROWS_MAX),
);
