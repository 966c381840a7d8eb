/** Rows of cartons: announced cartons, found by the number on their label, and cartons with receipts. */
import type { ReadCtx } from '../../platform/ctx.ts';
import { allows } from '../../platform/http/auth.ts';
import type { Reader } from '../../platform/storage/db.ts';
import type { BoundText, Dialect } from '../../platform/storage/dialect.ts';
import { statement } from '../../platform/storage/statement.ts';
import type { InboundShipmentRow } from '../../platform/storage/tables.ts';
import type { CodeRead } from '../../shared/gs1.ts';
import type { CartonWork, ReceivedBy } from './action.ts';
import { expectedCarton } from './carton-states.ts';
import { keysOfShipment, type ShipmentKeys } from './shipment.ts';

/** Returns the carton ids that a code can mean: its text, and its SSCC with and without the identifier `00`. */
export function cartonIdsOf(reads: readonly CodeRead[]): string[] {
  return reads.flatMap(({ kind, value }) => (kind === 'SSCC' ? [value, `00${value}`] : kind === 'TEXT' ? [value] : []));
}

export interface CartonIds {
  clientId: string;
  /** Carton ids, encoded by `dialect.listText`. */
  ids: BoundText;
}

/** Selects the announcements of the cartons `ids`, with their shipments. The caller adds columns and order. */
export function fromCartons(db: Reader, { clientId, ids }: CartonIds, dialect: Dialect) {
  return db
    .selectFrom('inbound_cartons as carton')
    .innerJoin('inbound_shipments as shipment', (join) =>
      join
        .onRef('shipment.client_id', '=', 'carton.client_id')
        .onRef('shipment.seller_id', '=', 'carton.seller_id')
        .onRef('shipment.type', '=', 'carton.type')
        .onRef('shipment.number', '=', 'carton.number'),
    )
    .where('carton.client_id', '=', clientId)
    .where('carton.carton_id', 'in', dialect.listOf<string>(ids, 'text'));
}

/** Maximum number of announcing shipments that are returned for one carton. */
const EACH_MAX = 50;

/**
 * Returns the other ASNs that announce the given cartons, by carton id. ASNs of stores that the caller has no access to
 * are left out. If a carton has an open ASN, its closed ASNs are left out.
 */
export async function findAnnouncers(
  { db, dialect, actor }: ReadCtx,
  row: InboundShipmentRow,
  cartonIds: readonly string[],
): Promise<Map<string, InboundShipmentRow[]>> {
  if (cartonIds.length === 0) return new Map();
  const rows = await selectAnnouncers(db, { clientId: row.client_id, ids: dialect.listText([...cartonIds]) });
  const others = rows.filter(
    (one) =>
      !(one.seller_id === row.seller_id && one.type === row.type && one.number === row.number) &&
      (one.store_id === null || allows(actor.storeIds, one.store_id)),
  );
  const byCarton = Map.groupBy(others, ({ carton_id: id }) => id);
  return new Map(
    [...byCarton].map(([id, all]) => {
      const open = all.filter(({ status }) => status !== 'CLOSED');
      return [id, (open.length > 0 ? open : all).slice(0, EACH_MAX)];
    }),
  );
}

const selectAnnouncers = statement((db, wanted: CartonIds, dialect) =>
  fromCartons(db, wanted, dialect)
    .selectAll('shipment')
    .select('carton.carton_id')
    .where('carton.type', '=', 'ASN')
    .orderBy('carton.carton_id')
    .orderBy('carton.seller_id')
    .orderBy('carton.number'),
);

/** Returns the current rows of the given cartons. A carton without receipts is EXPECTED. */
export async function findCartonWork(
  { db, dialect }: Pick<ReadCtx, 'db' | 'dialect'>,
  keys: ShipmentKeys,
  ids: readonly string[],
): Promise<Map<string, CartonWork>> {
  const found = new Map<string, CartonWork>(ids.map((id) => [id, expectedCarton(id)]));
  if (ids.length === 0) return found;
  const rows = await selectCartons(db, { ...keysOfShipment(keys), ids: dialect.listText(ids) });
  for (const row of rows) found.set(row.carton_id, row);
  return found;
}

const CARTON_WORK = ['carton_id', 'state', 'whole_as', 'receipt_id', 'user_id', 'since', 'holder_until'] as const;

const selectCartons = statement(
  (db, { client_id, seller_id, type, number, ids }: ShipmentKeys & { ids: BoundText }, dialect) =>
    db
      .selectFrom('inbound_carton_work')
      .select(CARTON_WORK)
      .where('client_id', '=', client_id)
      .where('seller_id', '=', seller_id)
      .where('type', '=', type)
      .where('number', '=', number)
      .where('carton_id', 'in', dialect.listOf<string>(ids, 'text')),
);

/** Returns all cartons of a shipment that have receipts, by id. */
export async function findAllCartonWork(db: Reader, keys: ShipmentKeys): Promise<Map<string, CartonWork>> {
  const rows = await selectAllCartons(db, keysOfShipment(keys));
  return new Map(rows.map((row) => [row.carton_id, row]));
}

const selectAllCartons = statement((db, { client_id, seller_id, type, number }: ShipmentKeys) =>
  db
    .selectFrom('inbound_carton_work')
    .select(CARTON_WORK)
    .where('client_id', '=', client_id)
    .where('seller_id', '=', seller_id)
    .where('type', '=', type)
    .where('number', '=', number)
    .orderBy('carton_id'),
);

/** Returns the last receipt or match that booked units of a carton. Approvals do not count. */
export async function lastReceiptOf(db: Reader, keys: ShipmentKeys, cartonId: string): Promise<ReceivedBy> {
  const [row] = await selectLastReceipt(db, { ...keysOfShipment(keys), cartonId });
  return { receiptId: row!.receipt_id, userId: row!.user_id, since: row!.at };
}

const selectLastReceipt = statement(
  (db, { client_id, seller_id, type, number, cartonId }: ShipmentKeys & { cartonId: string }) =>
    db
      .selectFrom('inbound_entries as entry')
      .innerJoin('inbound_receipts as receipt', (join) =>
        join
          .onRef('receipt.client_id', '=', 'entry.client_id')
          .onRef('receipt.seller_id', '=', 'entry.seller_id')
          .onRef('receipt.type', '=', 'entry.type')
          .onRef('receipt.number', '=', 'entry.number')
          .onRef('receipt.position', '=', 'entry.position'),
      )
      .select(['receipt.receipt_id', 'receipt.user_id', 'receipt.at'])
      .where('entry.client_id', '=', client_id)
      .where('entry.seller_id', '=', seller_id)
      .where('entry.type', '=', type)
      .where('entry.number', '=', number)
      .where('entry.carton_id', '=', cartonId)
      .where('receipt.kind', '<>', 'APPROVAL')
      .orderBy('entry.position', 'desc')
      .limit(1),
);
