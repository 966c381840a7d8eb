/** Receipts, approvals and matches of a shipment as they were told, and its statements. */
import { contentText } from '../kernel/commands.ts';
import { sha256 } from '../platform/secrets.ts';
import type { Reader } from '../platform/storage/db.ts';
import { insertInto } from '../platform/storage/insert.ts';
import { statement } from '../platform/storage/statement.ts';
import type { InboundEntryRow, InboundReceiptRow, InboundStatementRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { InboundReceived, InboundStatement, ReceiptMessage } from './receipt-schema.ts';
import { keyOf, keysOfShipment, type Loaded, type ShipmentKeys, showKey } from './shipment.ts';

/** What a receipt says beside its entries. */
interface ReceiptDoc {
  cartons?: ReceiptMessage['cartons'];
  unannounced?: true;
  matched?: InboundReceived['matched'];
}

/** The hash by which a repeat is told from other content. */
export function contentHash(content: object): string {
  return sha256(contentText(content));
}

/** A receipt, approval or match of a shipment by its id. */
export async function findFact(
  db: Reader,
  keys: ShipmentKeys,
  kind: InboundReceiptRow['kind'],
  id: string,
): Promise<InboundReceiptRow | undefined> {
  const [row] = await selectFact(db, { ...keysOfShipment(keys), kind, id });
  return row;
}

const selectFact = statement(
  (
    db,
    { client_id, seller_id, type, number, kind, id }: ShipmentKeys & { kind: InboundReceiptRow['kind']; id: string },
  ) =>
    db
      .selectFrom('inbound_receipts')
      .selectAll()
      .where('client_id', '=', client_id)
      .where('seller_id', '=', seller_id)
      .where('type', '=', type)
      .where('number', '=', number)
      .where('kind', '=', kind)
      .where('receipt_id', '=', id),
);

/** All of a shipment, oldest first. */
export function findFacts(db: Reader, keys: ShipmentKeys): Promise<InboundReceiptRow[]> {
  return selectFacts(db, keysOfShipment(keys));
}

const selectFacts = statement((db, { client_id, seller_id, type, number }: ShipmentKeys) =>
  db
    .selectFrom('inbound_receipts')
    .selectAll()
    .where('client_id', '=', client_id)
    .where('seller_id', '=', seller_id)
    .where('type', '=', type)
    .where('number', '=', number)
    .orderBy('position'),
);

/** All entries of a shipment, in the order of their receipts. */
export function findEntries(db: Reader, keys: ShipmentKeys): Promise<InboundEntryRow[]> {
  return selectEntries(db, keysOfShipment(keys));
}

const selectEntries = statement((db, { client_id, seller_id, type, number }: ShipmentKeys) =>
  db
    .selectFrom('inbound_entries')
    .selectAll()
    .where('client_id', '=', client_id)
    .where('seller_id', '=', seller_id)
    .where('type', '=', type)
    .where('number', '=', number)
    .orderBy('position')
    .orderBy('entry_index'),
);

/** The entries of one receipt. */
export function findEntriesOf(db: Reader, { position, ...keys }: ShipmentKeys & { position: number }) {
  return selectEntriesOf(db, { ...keysOfShipment(keys), position });
}

const selectEntriesOf = statement(
  (db, { client_id, seller_id, type, number, position }: ShipmentKeys & { position: number }) =>
    db
      .selectFrom('inbound_entries')
      .selectAll()
      .where('client_id', '=', client_id)
      .where('seller_id', '=', seller_id)
      .where('type', '=', type)
      .where('number', '=', number)
      .where('position', '=', position)
      .orderBy('entry_index'),
);

/** The receipt or match that booked units of a carton last: an approval receives nothing. */
export async function lastReceiptOf(db: Reader, keys: ShipmentKeys, cartonId: string) {
  const [row] = await selectLastReceipt(db, { ...keysOfShipment(keys), cartonId });
  return row;
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

/** An entry as replies show it. */
export function showEntry(loaded: Loaded, row: InboundEntryRow): InboundReceived['lines'][number] {
  return {
    ...showKey(keyOf(loaded, row.carton_id, row.item_id)),
    good: row.good,
    damaged: row.damaged,
    refused: row.refused,
    held: row.held,
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.good !== 0 && { to: row.place }),
    ...(row.location !== null && { location: row.location }),
  };
}

/** The shipment that a match moved goods from or to. */
export function matchedOf(
  { doc }: Pick<InboundReceiptRow, 'doc'>,
  { client_id }: Pick<ShipmentKeys, 'client_id'>,
): ShipmentKeys {
  const { type, number, sellerId } = (JSON.parse(doc) as ReceiptDoc).matched!;
  return { client_id, seller_id: sellerId, type, number };
}

/** A receipt or match as replies show it. */
export function showReceipt(
  loaded: Loaded,
  row: InboundReceiptRow,
  entries: readonly InboundEntryRow[],
): InboundReceived {
  const doc = JSON.parse(row.doc) as ReceiptDoc;
  return {
    receiptId: row.receipt_id,
    userId: row.user_id,
    at: formatDateTime(row.at),
    ...(row.corrects !== null && { corrects: row.corrects }),
    ...(doc.unannounced && { unannounced: true as const }),
    ...(doc.matched && { matched: doc.matched }),
    cartons: doc.cartons ?? [],
    lines: entries.map((entry) => showEntry(loaded, entry)),
  };
}

/** A statement by the id of its close. */
export async function findStatement(db: Reader, keys: ShipmentKeys, closeId: string) {
  const [row] = await selectStatement(db, { ...keysOfShipment(keys), closeId });
  return row;
}

const selectStatement = statement(
  (db, { client_id, seller_id, type, number, closeId }: ShipmentKeys & { closeId: string }) =>
    db
      .selectFrom('inbound_statements')
      .selectAll()
      .where('client_id', '=', client_id)
      .where('seller_id', '=', seller_id)
      .where('type', '=', type)
      .where('number', '=', number)
      .where('close_id', '=', closeId),
);

/** Every version, the first one first. */
export async function findStatements(db: Reader, keys: ShipmentKeys): Promise<InboundStatement[]> {
  const rows = await selectStatements(db, keysOfShipment(keys));
  return rows.map((row) => JSON.parse(row.doc) as InboundStatement);
}

const selectStatements = statement((db, { client_id, seller_id, type, number }: ShipmentKeys) =>
  db
    .selectFrom('inbound_statements')
    .select('doc')
    .where('client_id', '=', client_id)
    .where('seller_id', '=', seller_id)
    .where('type', '=', type)
    .where('number', '=', number)
    .orderBy('version'),
);

export const insertStatement = insertInto<InboundStatementRow>('inbound_statements', {
  client_id: 'text',
  seller_id: 'text',
  type: 'text',
  number: 'text',
  version: 'integer',
  close_id: 'text',
  user_id: 'text',
  closed_at: 'integer',
  content_hash: 'text',
  doc: 'text',
});
