/** Rows of the records of a shipment: receipts, approvals and matches with their entries, and statements. */

import { readJson } from '../../platform/json-column.ts';
import type { Reader } from '../../platform/storage/db.ts';
import { statement } from '../../platform/storage/statement.ts';
import type { InboundEntryRow, InboundReceiptRow, InboundStatementRow } from '../../platform/storage/tables.ts';
import type { ReceiptDoc, Statement } from './action.ts';
import { keysOfShipment, type ShipmentKeys } from './shipment.ts';

type Kind = InboundReceiptRow['kind'];

/** Returns a receipt, approval or match of a shipment by its id, or undefined. */
export async function findFact(
  db: Reader,
  keys: ShipmentKeys,
  kind: Kind,
  id: string,
): Promise<InboundReceiptRow | undefined> {
  const [row] = await selectFact(db, { ...keysOfShipment(keys), kind, id });
  return row;
}

const selectFact = statement(
  (db, { client_id, seller_id, type, number, kind, id }: ShipmentKeys & { kind: Kind; id: string }) =>
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

/** Returns all records of a shipment, the oldest first. */
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

/** Returns all entries of a shipment, in the order of their receipts. */
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

/** Returns the entries of one receipt. */
export function findEntriesOf(
  db: Reader,
  { position, ...keys }: ShipmentKeys & { position: number },
): Promise<InboundEntryRow[]> {
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

declare module '../../platform/json-column.ts' {
  interface Shapes {
    Receipt: ReceiptDoc;
    Statement: Statement;
  }
}

/** Returns the shipment that a match moved goods from or to. */
export function matchedOf(
  { doc }: Pick<InboundReceiptRow, 'doc'>,
  { client_id }: Pick<ShipmentKeys, 'client_id'>,
): ShipmentKeys {
  const { type, number, sellerId } = readJson(doc).matched!;
  return { client_id, seller_id: sellerId, type, number };
}

/** Returns a statement by the id of its close, or undefined. */
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

/** Returns every version of the statement as stored, the oldest first. */
export async function findStatements(db: Reader, keys: ShipmentKeys): Promise<InboundStatementRow['doc'][]> {
  const rows = await selectStatements(db, keysOfShipment(keys));
  return rows.map(({ doc }) => doc);
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
