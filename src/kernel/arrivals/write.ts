/**
 * The only writer of received goods. It reads the rows that the plan needs, calls `plan.ts` to plan the action, and
 * writes the plan in the caller's transaction. The caller has locked the shipment, unless the action opens a new one.
 */

import { recordAll } from '../../events/record.ts';
import type { Ctx } from '../../platform/ctx.ts';
import type { Refusal } from '../../platform/http/errors.ts';
import { readJson } from '../../platform/json-column.ts';
import { stringifyJson } from '../../platform/message/json.ts';
import type { Writer } from '../../platform/storage/db.ts';
import { insertInto, insertRows } from '../../platform/storage/insert.ts';
import { change } from '../../platform/storage/statement.ts';
import type {
  ClientRow,
  InboundCartonWorkRow,
  InboundEntryRow,
  InboundReceiptRow,
  InboundShipmentRow,
  InboundStatementRow,
  InboundSumRow,
} from '../../platform/storage/tables.ts';
import { findSettings } from '../settings.ts';
import { postStock } from '../stock.ts';
import type { Action, Booking, Change, Statement, Subject } from './action.ts';
import { forgetAnnounced } from './announced.ts';
import { planArrival } from './plan.ts';
import { findEntriesOf } from './records.ts';
import { removeExpected } from './remove.ts';
import { keyState, keysOfShipment, type Shipment } from './shipment.ts';
import { readSubject } from './subject.ts';

/** A shipment after an action; after a match, the shipment that has the goods. */
export interface Written {
  shipment: Shipment;
  isRepeat: boolean;
  /** The record of the booking with its entries; for a retry, the stored record. */
  record?: { row: InboundReceiptRow; entries: readonly InboundEntryRow[] };
  statement?: Statement;
  /** A rejection whose events are committed: the operation returns it instead of throwing. */
  rejection?: Refusal;
}

/**
 * Carries out an action on a locked shipment.
 * @throws Refusal for a rejection without events
 */
export async function writeArrival(
  ctx: Ctx,
  client: Pick<ClientRow, 'catalog_ids'>,
  row: InboundShipmentRow,
  action: Action,
): Promise<Written> {
  const settings = await findSettings(ctx.db, row.client_id);
  const subject = await readSubject(ctx, client, row, action, settings);
  const { shipment } = subject;
  const plan = planArrival(subject, action, settings, ctx.now);
  if (plan.outcome === 'repeat') {
    return {
      shipment: action.type === 'match' ? action.target : shipment,
      isRepeat: true,
      ...(await stored(ctx, subject)),
    };
  }
  if (plan.outcome === 'rejected') {
    if (plan.events.length === 0) throw plan.rejection;
    await recordAll(ctx, plan.events);
    return { shipment, isRepeat: false, rejection: plan.rejection };
  }
  const written: Written[] = [];
  for (const one of plan.changes) {
    const saved = await saveChange(ctx, one);
    // Another request used the number in the meantime, so this request is now a retry or a rejection.
    if (saved === undefined) return await writeArrival(ctx, client, row, action);
    written.push(saved);
  }
  await recordAll(ctx, plan.events);
  // A match without units changes only the shipment without papers.
  if (action.type === 'match' && written.length === 1) return { shipment: action.target, isRepeat: false };
  return written[0]!;
}

/** Returns the stored result of the action that a retry repeats. */
async function stored({ db }: Ctx, { shipment, before }: Subject): Promise<Partial<Written>> {
  if (before === undefined) return {};
  if ('close_id' in before) return { statement: readJson(before.doc) };
  if ('receipt_id' in before) return { record: { row: before, entries: await findEntriesOf(db, before) } };
  return { shipment: { ...shipment, row: before } };
}

/** Writes a shipment with its booking or statement; returns undefined if another request has used the number. */
async function saveChange(ctx: Ctx, { shipment, write, booking, statement }: Change): Promise<Written | undefined> {
  const { row } = shipment;
  if (write === 'insert') return (await insertShipment(ctx.db, row)) ? { shipment, isRepeat: false } : undefined;
  if (write === 'remove') {
    if (!(await removeExpected(ctx, row))) throw new Error('a locked shipment was changed');
    return { shipment, isRepeat: false };
  }
  const record = booking && (await saveBooking(ctx, shipment, booking));
  if (statement !== undefined) await insertStatement(ctx, [statementRow(row, statement, ctx.now)]);
  await updateShipment(ctx.db, row);
  if (row.open_units === 0) forgetAnnounced(ctx, row);
  if (booking !== undefined) {
    await postStock(ctx, { clientId: row.client_id, nodeId: row.node_id }, booking.moves);
  }
  return { shipment, isRepeat: false, ...(record && { record }), ...(statement && { statement: statement.doc }) };
}

/** Writes the record of a booking, its entries, sums and cartons. */
async function saveBooking(ctx: Ctx, shipment: Shipment, { fact, entries, touched, cartons }: Booking) {
  const keys = keysOfShipment(shipment.row);
  const position = shipment.row.receipts;
  const row: InboundReceiptRow = {
    ...keys,
    position,
    kind: fact.kind,
    receipt_id: fact.id,
    user_id: fact.userId,
    at: fact.at,
    created_at: ctx.now,
    corrects: fact.corrects ?? null,
    content_hash: fact.hash,
    doc: stringifyJson(fact.doc),
  };
  await insertReceipt(ctx, [row]);
  const rows = entries.map(({ key, units, reason, place, location }, index): InboundEntryRow => {
    const { cartonId: carton_id, itemId: item_id } = key;
    const put = { reason: reason ?? null, place, location: location ?? null };
    return { ...keys, position, entry_index: index, carton_id, item_id, ...units, ...put };
  });
  await insertEntries(ctx, rows);
  const sums = touched.map((key): InboundSumRow => {
    return { ...keys, carton_id: key.cartonId, item_id: key.itemId, ...keyState(shipment, key) };
  });
  await insertRows<InboundSumRow>(ctx, 'inbound_sums', SUM_COLUMNS, sums, overwriting(SUMS));
  const works = cartons
    .map((work): InboundCartonWorkRow => ({ ...keys, ...work }))
    .toSorted((a, b) => (a.carton_id < b.carton_id ? -1 : 1));
  await insertRows<InboundCartonWorkRow>(ctx, 'inbound_carton_work', WORK_COLUMNS, works, overwriting(WORK));
  return { row, entries: rows };
}

function statementRow(
  row: InboundShipmentRow,
  { hash, doc }: NonNullable<Change['statement']>,
  now: number,
): InboundStatementRow {
  return {
    ...keysOfShipment(row),
    version: doc.version,
    close_id: doc.closeId,
    user_id: doc.userId,
    closed_at: now,
    content_hash: hash,
    doc: stringifyJson(doc),
  };
}

/**
 * Inserts the root row unless its number is used. The primary key lets only one of two concurrent requests insert it.
 * Returns whether it was inserted.
 */
export async function insertShipment(db: Writer, row: InboundShipmentRow): Promise<boolean> {
  const done = await db
    .insertInto('inbound_shipments')
    .values(row)
    .onConflict((on) => on.doNothing())
    .executeTakeFirst();
  return done.numInsertedOrUpdatedRows === 1n;
}

const updateShipment = change((db, row: InboundShipmentRow) =>
  db
    .updateTable('inbound_shipments')
    .set({
      status: row.status,
      revision: row.revision,
      arrived_at: row.arrived_at,
      receipts: row.receipts,
      received_units: row.received_units,
      open_units: row.open_units,
      cartons: row.cartons,
      cartons_done: row.cartons_done,
      completed_at: row.completed_at,
      statements: row.statements,
      matched_to: row.matched_to,
    })
    .where('client_id', '=', row.client_id)
    .where('seller_id', '=', row.seller_id)
    .where('type', '=', row.type)
    .where('number', '=', row.number),
);

const OF_INBOUND = { client_id: 'text', seller_id: 'text', type: 'text', number: 'text' } as const;

const insertReceipt = insertInto<InboundReceiptRow>('inbound_receipts', {
  ...OF_INBOUND,
  position: 'integer',
  kind: 'text',
  receipt_id: 'text',
  user_id: 'text',
  at: 'integer',
  created_at: 'integer',
  corrects: 'text',
  content_hash: 'text',
  doc: 'text',
});

const UNITS = { good: 'integer', damaged: 'integer', refused: 'integer', held: 'integer' } as const;
const KEY = { ...OF_INBOUND, carton_id: 'text', item_id: 'text' } as const;

const insertEntries = insertInto<InboundEntryRow>('inbound_entries', {
  ...OF_INBOUND,
  position: 'integer',
  entry_index: 'integer',
  carton_id: 'text',
  item_id: 'text',
  ...UNITS,
  reason: 'text',
  place: 'text',
  location: 'text',
});

/**
 * New sums overwrite the stored sums. No other request can change the stored sums in the meantime, because the shipment
 * is locked.
 */
const SUMS = { ...UNITS, staged: 'integer', decided: 'integer' } as const;
const SUM_COLUMNS = { ...KEY, ...SUMS } as const;

const WORK = {
  state: 'text',
  whole_as: 'text',
  receipt_id: 'text',
  user_id: 'text',
  since: 'integer',
  holder_until: 'integer',
} as const;
const WORK_COLUMNS = { ...OF_INBOUND, carton_id: 'text', ...WORK } as const;

/** Returns the SQL clause that overwrites the columns `columns` of existing rows. */
function overwriting(columns: object): string {
  const key = columns === SUMS ? 'carton_id, item_id' : 'carton_id';
  const set = Object.keys(columns).map((name) => `${name} = excluded.${name}`);
  return `on conflict (client_id, seller_id, type, number, ${key}) do update set ${set.join(', ')}`;
}

const insertStatement = insertInto<InboundStatementRow>('inbound_statements', {
  ...OF_INBOUND,
  version: 'integer',
  close_id: 'text',
  user_id: 'text',
  closed_at: 'integer',
  content_hash: 'text',
  doc: 'text',
});
