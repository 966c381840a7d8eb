/** Builds the events of returns and refunds, and the objects that events and responses share. */
import type { Effect } from '../../events/record.ts';
import { type Numeric, numeric } from '../../platform/decimal.ts';
import type { RefundRow, ReturnLineRow, ReturnRow } from '../../platform/storage/tables.ts';
import { formatDateTime } from '../../platform/time.ts';
import type { Disposal } from '../../shared/return-settings.ts';
import type { ExchangeWish, ReturnEntry } from './action.ts';
import { type Draft, openOf } from './draft.ts';

/** Units of a line by kind, or their sums over all lines. */
export interface Sums {
  requested: number;
  sellable: number;
  damaged: number;
  held: number;
  givenBack: number;
  missing: number;
  over: number;
  open: number;
}

function sumsOf(line: ReturnLineRow): Sums {
  const { requested, sellable, damaged, held, given_back: givenBack, missing, over } = line;
  return { requested, sellable, damaged, held, givenBack, missing, over, open: openOf(line) };
}

/** Returns a line for events and responses, without its note. */
export function showLine(line: ReturnLineRow) {
  return {
    position: line.position,
    ...(line.fulfillment_order_id !== null && { fulfillmentOrderId: line.fulfillment_order_id }),
    ...(line.web_line_id !== null && { webLineId: line.web_line_id }),
    itemId: line.item_id,
    ...(line.reason !== null && { reason: line.reason }),
    ...sumsOf(line),
  };
}

export function totalsOf(lines: readonly ReturnLineRow[]): Sums {
  const totals: Sums = { requested: 0, sellable: 0, damaged: 0, held: 0, givenBack: 0, missing: 0, over: 0, open: 0 };
  for (const sums of lines.map(sumsOf)) {
    for (const name of Object.keys(totals) as (keyof Sums)[]) totals[name] += sums[name];
  }
  return totals;
}

/** Returns a refund for responses and events. */
export function showRefund(row: RefundRow) {
  return {
    refundId: row.refund_id,
    returnId: row.return_id,
    number: row.number,
    storeId: row.store_id,
    fulfillmentOrderId: row.fulfillment_order_id,
    amount: numeric(row.amount),
    currency: row.currency,
    collectedAtDoor: numeric(row.collected_at_door),
    shipping: numeric(row.shipping),
    fee: numeric(row.fee),
    basis: row.basis,
    status: row.status,
    ...(row.reference !== null && { reference: row.reference }),
    ...(row.failure !== null && { failure: row.failure }),
    dueAt: formatDateTime(row.due_at),
    ...(row.answered_at !== null && { answeredAt: formatDateTime(row.answered_at) }),
  };
}

const about = (row: ReturnRow) => ({
  clientId: row.client_id,
  resource: 'return' as const,
  resourceId: row.return_id,
  revision: row.revision,
});

function stateOf({ row, lines }: Draft) {
  return {
    number: row.number,
    storeId: row.store_id,
    kind: row.kind,
    state: row.status,
    ...(row.node_id !== null && { nodeId: row.node_id }),
    lines: lines.map(showLine),
    totals: totalsOf(lines),
  };
}

/** Returns an event that has only the state of the return. */
export function plainEvent(draft: Draft, type: 'return.requested' | 'return.expired'): Effect {
  return { ...about(draft.row), type, data: stateOf(draft) };
}

export function inTransit(draft: Draft): Effect {
  const at = formatDateTime(draft.row.in_transit_at!);
  return { ...about(draft.row), type: 'return.inTransit', data: { ...stateOf(draft), inTransitAt: at } };
}

export function canceled(draft: Draft, reason: string | undefined): Effect {
  const data = { ...stateOf(draft), ...(reason !== undefined && { reason }) };
  return { ...about(draft.row), type: 'return.canceled', data };
}

/** Builds the event `return.received`; for a correction `return.corrected`. */
export function received(draft: Draft): Effect {
  const { receipt_id: receiptId, user_id: userId, corrects, entries } = draft.receipt!;
  const data = { ...stateOf(draft), receiptId, userId, receipt: entries.map(withoutNote) };
  return corrects === null
    ? { ...about(draft.row), type: 'return.received', data }
    : { ...about(draft.row), type: 'return.corrected', data: { ...data, corrects } };
}

function withoutNote({ note: _note, reopens: _reopens, condition, reason, ...entry }: ReturnEntry) {
  return { ...entry, ...(condition !== undefined && { condition }), ...(reason !== undefined && { reason }) };
}

export function disposed(
  draft: Draft,
  disposeId: string,
  decided: readonly { position: number; quantity: number; to: Disposal; reason?: string }[],
): Effect {
  const data = { ...stateOf(draft), disposeId, userId: draft.userId, disposed: decided };
  return { ...about(draft.row), type: 'return.disposed', data };
}

export function matched(
  draft: Draft,
  matchId: string,
  units: readonly {
    position: number;
    fulfillmentOrderId: string;
    webLineId: string;
    quantity: number;
    toPosition: number;
  }[],
): Effect {
  const data = { ...stateOf(draft), matchId, userId: draft.userId, matched: units };
  return { ...about(draft.row), type: 'return.matched', data };
}

/** Builds `return.closed` with all refunds of the return, so call it after the refunds of the close are planned. */
export function closed(draft: Draft, closeId: string, userId: string): Effect {
  const canceledIds = new Map(draft.canceledRefunds.map((one) => [one.refund_id, one]));
  const before = [...draft.subject.orders.values()].flatMap(({ refunds }) => refunds);
  const own = before.filter((one) => one.return_id === draft.row.return_id);
  const refunds = [...own.map((one) => canceledIds.get(one.refund_id) ?? one), ...draft.newRefunds].map(showRefund);
  return { ...about(draft.row), type: 'return.closed', data: { ...stateOf(draft), closeId, userId, refunds } };
}

export function reopened(draft: Draft, userId: string, reason: string): Effect {
  return { ...about(draft.row), type: 'return.reopened', data: { ...stateOf(draft), userId, reason } };
}

export function refundEvent(type: 'refund.due' | 'refund.canceled' | 'refund.answered', row: RefundRow): Effect {
  return { clientId: row.client_id, type, resource: 'refund', resourceId: row.refund_id, data: showRefund(row) };
}

/**
 * Builds the event that is recorded when the paid refunds exceed the amount that is due. The service never claims money
 * back.
 */
export function overpaid(newest: RefundRow, amount: Numeric): Effect {
  const { client_id: clientId, number, store_id: storeId, currency } = newest;
  const data = { number, storeId, fulfillmentOrderId: newest.fulfillment_order_id, amount, currency };
  return { clientId, type: 'refund.overpaid', resource: 'refund', resourceId: newest.refund_id, data };
}

/** Builds one event for each line that the customer wants to exchange. */
export function exchangesRequested(draft: Draft, wishes: readonly ExchangeWish[]): Effect[] {
  const { number, store_id: storeId } = draft.row;
  return wishes.map(({ line: position, wants }) => {
    const line = draft.lines.find((one) => one.position === position)!;
    const of = {
      ...(line.fulfillment_order_id !== null && { fulfillmentOrderId: line.fulfillment_order_id }),
      ...(line.web_line_id !== null && { webLineId: line.web_line_id }),
      itemId: line.item_id,
    };
    const data = { number, storeId, line: position, ...of, wants };
    return { ...about(draft.row), type: 'exchange.requested', data };
  });
}
