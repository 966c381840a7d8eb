/** What is told of goods in. */
import { type Effect, record, recordAll } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import type { InboundShipmentRow } from '../platform/storage/tables.ts';
import type { Booking, Entry, Saved } from './booking.ts';
import type { InboundStatement, ReceiptMessage } from './receipt-schema.ts';
import { showKey } from './shipment.ts';
import { resourceIdOf } from './store.ts';

/** Lines that an event has; the rest is read with the shipment. */
const LINES_TOLD = 500;

const about = (row: InboundShipmentRow) => ({
  clientId: row.client_id,
  resource: 'inbound' as const,
  resourceId: resourceIdOf(row),
  revision: row.revision,
});

const named = (row: InboundShipmentRow) => ({ sellerId: row.seller_id, nodeId: row.node_id });

function toldEntry({ key, units, reason, place, location }: Entry) {
  return {
    ...showKey(key),
    ...units,
    ...(reason !== undefined && { reason }),
    ...(units.good !== 0 && { to: place }),
    ...(location !== undefined && { location }),
  };
}

const told = (entries: readonly Entry[]) => entries.slice(0, LINES_TOLD).map(toldEntry);

/** One for each receipt, `inbound.received` or `inbound.corrected`; behind it `inbound.completed` where by it for the first time nothing is open. */
export async function recordReceipt(
  ctx: Ctx,
  { row, isCompleted }: Pick<Saved, 'row' | 'isCompleted'>,
  { receiptId, userId, corrects }: Pick<ReceiptMessage, 'receiptId' | 'userId' | 'corrects'>,
  booking: Booking,
): Promise<void> {
  const data = { ...named(row), receiptId, userId, lines: told(booking.entries) };
  const received: Effect =
    corrects === undefined
      ? { ...about(row), type: 'inbound.received', data }
      : { ...about(row), type: 'inbound.corrected', data: { ...data, corrects } };
  await recordAll(ctx, isCompleted ? [received, completed(row)] : [received]);
}

/** For the first time nothing of the shipment is open. */
export async function recordCompleted(ctx: Ctx, row: InboundShipmentRow): Promise<void> {
  await record(ctx, completed(row));
}

function completed(row: InboundShipmentRow): Effect {
  const data = { ...named(row), announced: row.total_units, received: row.received_units };
  return { ...about(row), type: 'inbound.completed', data };
}

export async function recordArrived(ctx: Ctx, row: InboundShipmentRow, userId: string, at: string): Promise<void> {
  await record(ctx, { ...about(row), type: 'inbound.arrived', data: { ...named(row), userId, at } });
}

export async function recordClosed(ctx: Ctx, row: InboundShipmentRow, statement: InboundStatement): Promise<void> {
  const { version, closeId, userId, lines, totals } = statement;
  const data = { ...named(row), version, closeId, userId, totals, lines: lines.slice(0, LINES_TOLD) };
  await record(ctx, { ...about(row), type: 'inbound.closed', data });
}

export async function recordReopened(ctx: Ctx, row: InboundShipmentRow, userId: string, reason: string): Promise<void> {
  await record(ctx, { ...about(row), type: 'inbound.reopened', data: { ...named(row), userId, reason } });
}

export async function recordApproved(
  ctx: Ctx,
  row: InboundShipmentRow,
  approvalId: string,
  userId: string,
  booking: Booking,
): Promise<void> {
  const data = { ...named(row), approvalId, userId, lines: told(booking.entries) };
  await record(ctx, { ...about(row), type: 'inbound.approved', data });
}

/** Goods without papers are now those of an announcement: told of the goods, with where they went. */
export async function recordMatched(
  ctx: Ctx,
  blind: InboundShipmentRow,
  target: InboundShipmentRow,
  userId: string,
  booking: Booking,
): Promise<void> {
  const matchedTo = { type: target.type, number: target.number, sellerId: target.seller_id };
  const data = { ...named(blind), userId, matchedTo, lines: told(booking.entries) };
  await record(ctx, { ...about(blind), type: 'inbound.matched', data });
}
