/** Builds the events of arriving goods for plans. */
import type { Effect } from '../../events/record.ts';
import type { InboundShipmentRow } from '../../platform/storage/tables.ts';
import { formatDateTime } from '../../platform/time.ts';
import { type DeviceTime, showClock } from '../../shared/device-time.ts';
import { EVENT_LINES_MAX } from '../../shared/limits.ts';
import type { ActionOf, Booking, Entry, Statement } from './action.ts';
import { nameOf, resourceIdOf, showKey } from './shipment.ts';

const about = (row: InboundShipmentRow) => ({
  clientId: row.client_id,
  resource: 'inbound' as const,
  resourceId: resourceIdOf(row),
  revision: row.revision,
});

const named = (row: InboundShipmentRow) => ({ sellerId: row.seller_id, nodeId: row.node_id });

const linesOf = ({ entries }: Booking) => entries.slice(0, EVENT_LINES_MAX).map(showEntry);

function showEntry({ key, units, reason, place, location }: Entry) {
  return {
    ...showKey(key),
    ...units,
    ...(reason !== undefined && { reason }),
    ...(units.good !== 0 && { to: place }),
    ...(location !== undefined && { location }),
  };
}

/** Builds the event `inbound.received`; for a correction `inbound.corrected`. */
export function received(row: InboundShipmentRow, booking: Booking): Effect {
  const { id: receiptId, userId, corrects, at, doc } = booking.fact;
  const clock = showClock({ at, ...(doc.deviceAt !== undefined && { deviceAt: doc.deviceAt }) });
  const data = { ...named(row), receiptId, userId, ...clock, lines: linesOf(booking) };
  return corrects === undefined
    ? { ...about(row), type: 'inbound.received', data }
    : { ...about(row), type: 'inbound.corrected', data: { ...data, corrects } };
}

/** Builds the event that is recorded when the last open unit of the shipment has arrived for the first time. */
export function completed(row: InboundShipmentRow): Effect {
  const data = { ...named(row), announced: row.total_units, received: row.received_units };
  return { ...about(row), type: 'inbound.completed', data };
}

/**
 * Builds the event that is recorded when a received carton is scanned again. `by` identifies the receipt that received
 * the carton.
 */
export function cartonRepeated(
  row: InboundShipmentRow,
  { id: receiptId, userId }: ActionOf<'receive' | 'correct'>,
  by: Record<string, unknown>,
): Effect {
  const received = { receiptId: String(by['receiptId']), userId: String(by['userId']), since: String(by['since']) };
  const data = { ...named(row), cartonId: String(by['cartonId']), userId, receiptId, received };
  return { ...about(row), type: 'inbound.cartonRepeated', data };
}

export function arrivedAt(row: InboundShipmentRow, { userId, ...time }: { userId: string } & DeviceTime): Effect {
  const data = { ...named(row), userId, at: formatDateTime(time.at), ...showClock(time) };
  return { ...about(row), type: 'inbound.arrived', data };
}

export function closed(row: InboundShipmentRow, statement: Statement): Effect {
  const { version, closeId, userId, lines, totals } = statement;
  const data = { ...named(row), version, closeId, userId, totals, lines: lines.slice(0, EVENT_LINES_MAX) };
  return { ...about(row), type: 'inbound.closed', data };
}

export function reopened(row: InboundShipmentRow, { userId, reason }: ActionOf<'reopen'>): Effect {
  return { ...about(row), type: 'inbound.reopened', data: { ...named(row), userId, reason } };
}

export function decided(row: InboundShipmentRow, booking: Booking): Effect {
  const { id: approvalId, userId } = booking.fact;
  const data = { ...named(row), approvalId, userId, lines: linesOf(booking) };
  return { ...about(row), type: 'inbound.approved', data };
}

/** Builds the event of goods without papers that a match moves to the announcement `target`. */
export function matchedTo(blind: InboundShipmentRow, target: InboundShipmentRow, coming: Booking): Effect {
  const { userId } = coming.fact;
  const data = { ...named(blind), userId, matchedTo: nameOf(target), lines: linesOf(coming) };
  return { ...about(blind), type: 'inbound.matched', data };
}

/** Builds the event of an announcement that gets the goods of `blind` by a match. */
export function matchedFrom(target: InboundShipmentRow, blind: InboundShipmentRow, coming: Booking): Effect {
  const { userId } = coming.fact;
  const data = { ...named(target), userId, matchedFrom: nameOf(blind), lines: linesOf(coming) };
  return { ...about(target), type: 'inbound.matched', data };
}

/**
 * Builds the event that is recorded when a shipment is removed. The event has the whole message that announced the
 * shipment.
 */
export function voided(row: InboundShipmentRow, message: Record<string, unknown>): Effect {
  const data = { sellerId: row.seller_id, messageId: row.message_id, message };
  return { ...about(row), type: 'inbound.voided', revision: row.revision, data };
}
