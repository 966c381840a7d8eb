/** The plans of receipts and of their corrections. */
import { readJson } from '../../platform/json-column.ts';
import { type FieldError, fieldError } from '../../platform/message/field-errors.ts';
import type { OrderLineRow, ReturnLineRow, ReturnReceiptRow, ReturnRow } from '../../platform/storage/tables.ts';
import type { Disposition } from '../../shared/return-settings.ts';
import type { ActionOf, OrderFacts, OrderUnits, Plan, ReceivedLine, Subject } from './action.ts';
import { leastFirst } from './choice.ts';
import { isHeldBack } from './closing.ts';
import {
  addLine,
  addOrderLine,
  COUNTERS,
  cameOf,
  changeOf,
  count,
  type Draft,
  draftOf,
  expectMissing,
  giveUpOpen,
  heldAt,
  judgingOf,
  leftOf,
  lineAt,
  openOf,
  type Terms,
  unitsOf,
} from './draft.ts';
import { reasonsAgainst } from './eligibility.ts';
import { received } from './events.ts';
import { addReceipt, elsewhereOf, entryOf } from './open.ts';
import { lowerRefunds, raiseRefunds } from './refunds.ts';
import { badLines, belowZero, rejected, type TooMany, type Unannounced, unannounced, wrongNode } from './rejections.ts';
import { say } from './sentences.ts';

export function planReceipt(subject: Subject, action: ActionOf<'receive'>, terms: Terms): Plan {
  const draft = draftOf(subject, terms);
  const { nodeId, userId, receiptId, at } = action;
  Object.assign(draft, { nodeId, userId });
  const elsewhere = elsewhereOf(draft, nodeId);
  if (elsewhere !== undefined && !action.isSupervised) return rejected(wrongNode(subject.row, nodeId, elsewhere));
  const unknown = badLines(positionErrors(draft, action.lines));
  if (unknown !== undefined) return rejected(unknown);
  const { status } = subject.row;
  draft.row.status = 'RECEIVING';
  draft.row.node_id ??= nodeId;
  if (isEnded(status)) expectMissing(draft);
  const excess: Unannounced[] = [];
  const rests: { line: ReceivedLine; units: number }[] = [];
  for (const line of action.lines) {
    const { rest, open } = receiveOpen(draft, line);
    if (rest === 0) continue;
    const { pointer, position, units } = line;
    excess.push({ pointer, position, itemId: itemOf(draft, line), quantity: units, open });
    rests.push({ line, units: rest });
  }
  if (excess.length > 0 && !action.acceptsOver) return rejected(unannounced(subject.row, excess));
  // Units beyond the request are counted last, because requested units have priority on their order line.
  for (const { line, units } of rests) receiveOver(draft, line, units);
  if (isEnded(status)) draft.entries[0]!.reopens = status;
  addReceipt(draft, { receiptId, at });
  if (terms.settings.refundOn === 'RECEIVED') draft.row.counted = 1;
  // Units of a reopened return count for refunds at once. If the refunds exceed `fourEyes`, they wait for the next close.
  const waits =
    terms.settings.refundOn !== 'RECEIVED' && draft.row.counted === 1 && isHeldBack(draft, [userId], userId);
  const refunds = waits ? [] : raiseRefunds(draft);
  return { outcome: 'done', change: changeOf(draft), events: [received(draft), ...refunds] };
}

function isEnded(status: ReturnRow['status']): status is 'CANCELED' | 'EXPIRED' {
  return status === 'CANCELED' || status === 'EXPIRED';
}

function positionErrors(draft: Draft, lines: readonly ReceivedLine[]): FieldError[] {
  return lines.flatMap(({ position, pointer }) => {
    if (position === undefined || lineAt(draft, position) !== undefined) return [];
    const message = say('the return has no line {position}; send one of its lines, 1 to {count}, or itemId', {
      count: draft.lines.length,
      position,
    });
    return [fieldError(`${pointer}/position`, 'exists', message, draft.lines.length)];
  });
}

function itemOf(draft: Draft, { position, itemId }: ReceivedLine): string {
  return itemId ?? lineAt(draft, position)!.item_id;
}

/**
 * Counts units on the lines that expect them. Returns `open`, the number of units that the lines expected, and `rest`,
 * the number of units that exceed `open`.
 */
function receiveOpen(draft: Draft, entry: ReceivedLine): { rest: number; open: number } {
  const { position, itemId } = entry;
  const lines =
    position === undefined ? draft.lines.filter((line) => line.item_id === itemId) : [lineAt(draft, position)!];
  const waiting = lines.filter((line) => openOf(line) > 0);
  const open = waiting.reduce((sum, line) => sum + openOf(line), 0);
  let rest = entry.units;
  for (const line of leastFirst(draft, waiting, ofOrder)) {
    const units = Math.min(rest, openOf(line));
    if (units === 0) break;
    unitsOf(draft, line)!.comingBack -= units;
    count(draft, line, entryOf(entry, units));
    rest -= units;
  }
  return { rest, open };
}

function ofOrder(line: ReturnLineRow) {
  return { orderId: line.fulfillment_order_id!, lineIndex: line.line_index! };
}

/**
 * Counts units that were not requested: first on order lines of the item that have returnable units, then on a line
 * without an order.
 */
function receiveOver(draft: Draft, entry: ReceivedLine, units: number): void {
  const itemId = itemOf(draft, entry);
  let rest = units;
  for (const one of overLines(draft, entry, itemId)) {
    const taken = Math.min(rest, leftOf(one));
    if (taken <= 0) continue;
    const line = overLine(draft, one, entry);
    line.over += taken;
    count(draft, line, entryOf(entry, taken));
    rest -= taken;
  }
  if (rest === 0) return;
  const reason = entry.reason ?? null;
  const blind =
    draft.lines.find((line) => line.line_index === null && line.item_id === itemId) ??
    addLine(draft, { item_id: itemId, reason });
  blind.over += rest;
  const disposition: Disposition = entry.disposition === 'GIVEN_BACK' ? 'GIVEN_BACK' : 'HELD';
  count(draft, blind, entryOf({ ...entry, disposition }, rest));
}

/**
 * Returns the order lines of the item that can be returned, in the orders of this return. The order line of the return
 * line that the receipt names comes first. The others follow, the smallest amount left to refund first.
 */
function overLines(draft: Draft, { position }: ReceivedLine, itemId: string): OrderUnits[] {
  const own = new Set(draft.lines.flatMap((line) => line.fulfillment_order_id ?? []));
  // The window must have been open when the return was created, as for the requested units.
  const judging = { ...judgingOf(draft), now: draft.row.created_at };
  const canReturn = (facts: OrderFacts, line: OrderLineRow) => reasonsAgainst(facts, line, 0, judging).length === 0;
  const ofItem = [...draft.subject.orders.values()]
    .filter(({ order }) => own.has(order.fulfillment_order_id))
    .flatMap((facts) => facts.lines.filter((line) => line.item_id === itemId && canReturn(facts, line)));
  const candidates = [...draft.units.values()].filter((one) =>
    ofItem.some((line) => line.fulfillment_order_id === one.orderId && line.line_index === one.lineIndex),
  );
  const named = lineAt(draft, position);
  const isNamed = (one: OrderUnits) =>
    named !== undefined && named.fulfillment_order_id === one.orderId && named.line_index === one.lineIndex;
  const sorted = leastFirst(draft, candidates, (one) => one);
  return [...sorted.filter(isNamed), ...sorted.filter((one) => !isNamed(one))];
}

/**
 * Returns the return line that counts the excess units of an order line. Adds a return line if the return has none for
 * the order line.
 */
export function overLine(
  draft: Draft,
  { orderId, lineIndex }: Pick<OrderUnits, 'orderId' | 'lineIndex'>,
  { position, reason = null }: Pick<ReceivedLine, 'position'> & { reason?: string | null | undefined },
): ReturnLineRow {
  const own = draft.lines.filter((line) => line.fulfillment_order_id === orderId && line.line_index === lineIndex);
  const facts = draft.subject.orders.get(orderId)!;
  return own.find((line) => line.position === position) ?? own[0] ?? addOrderLine(draft, facts, lineIndex, { reason });
}

/**
 * Plans a correction, which removes units from a receipt: first the units beyond the request. The return expects
 * the other units again if they can still come back.
 */
export function planCorrection(subject: Subject, action: ActionOf<'correct'>, terms: Terms): Plan {
  const draft = draftOf(subject, terms);
  const { nodeId, userId, receiptId, at, corrects } = action;
  Object.assign(draft, { nodeId, userId });
  const receipt = subject.receipts.find((one) => one.receipt_id === corrects && one.corrects === null);
  if (receipt === undefined) {
    const message = say(
      'the return has no receipt {corrects} that can be corrected; send the id of one of its receipts that is not a correction',
      { corrects: JSON.stringify(corrects) },
    );
    return rejected(badLines([fieldError('/corrects', 'exists', message)])!);
  }
  if (receipt.node_id !== nodeId) return rejected(wrongNode(subject.row, nodeId, [receipt.node_id]));
  const unknown = badLines(positionErrors(draft, action.lines));
  if (unknown !== undefined) return rejected(unknown);
  const tooMany = belowZero(excessOf(draft, receipt, action.lines));
  if (tooMany !== undefined) return rejected(tooMany);
  const touched = new Set<string>();
  for (const entry of action.lines) {
    const line = lineAt(draft, entry.position)!;
    takeBack(draft, line, entry);
    if (line.fulfillment_order_id !== null) touched.add(line.fulfillment_order_id);
  }
  addReceipt(draft, { receiptId, at, corrects });
  if (isUndone(draft)) restore(draft);
  const refunds = lowerRefunds(draft, touched);
  return { outcome: 'done', change: changeOf(draft), events: [received(draft), ...refunds] };
}

/**
 * Whether a correction has undone all receipts of an announced return. A reopened return remains open, because its
 * close was reported and only another close can end it.
 */
function isUndone({ row, lines, subject }: Draft): boolean {
  const isEmpty = lines.every((line) => cameOf(line) + line.given_back === 0);
  return row.expires_at !== null && subject.wasClosed !== true && isEmpty;
}

/**
 * Restores the state from before the receipts. A canceled or expired return ends again, because no message tells its
 * sender to cancel it again.
 */
function restore(draft: Draft): void {
  const entries = draft.subject.receipts.flatMap((receipt) => readJson(receipt.lines));
  const ended = entries.find(({ reopens }) => reopens !== undefined)?.reopens;
  if (ended !== undefined) giveUpOpen(draft);
  draft.row.status = ended ?? 'REQUESTED';
  // The return waits at the expected node again, until the next receipt sets the node.
  draft.row.node_id = null;
}

/**
 * Returns the lines of the message that remove more units than their receipt booked, or than the return line still has
 * in the same disposition.
 */
function excessOf(draft: Draft, receipt: ReturnReceiptRow, lines: readonly ReceivedLine[]): TooMany[] {
  const booked = new Map<string, number>();
  for (const one of draft.subject.receipts) {
    if (one.receipt_id !== receipt.receipt_id && one.corrects !== receipt.receipt_id) continue;
    for (const { position, disposition, quantity } of readJson(one.lines)) {
      const key = `${position} ${disposition}`;
      booked.set(key, (booked.get(key) ?? 0) + quantity);
    }
  }
  const taken = new Map<string, number>();
  return lines.flatMap(({ pointer, position, disposition, units }) => {
    const key = `${position} ${disposition}`;
    const line = lineAt(draft, position)!;
    const here = disposition === 'HELD' ? heldAt(draft, line.position, receipt.node_id) : line[COUNTERS[disposition]];
    const total = (taken.get(key) ?? 0) - units;
    taken.set(key, total);
    const limit = Math.max(0, Math.min(booked.get(key) ?? 0, here));
    const where = say('line {position} ({disposition}, receipt {receiptId})', {
      position,
      disposition,
      receiptId: JSON.stringify(receipt.receipt_id),
    });
    return total > limit ? [{ pointer: `${pointer}/quantity`, units: total, limit, where }] : [];
  });
}

function takeBack(draft: Draft, line: ReturnLineRow, entry: ReceivedLine): void {
  const units = -entry.units;
  count(draft, line, entryOf(entry, entry.units));
  const over = Math.min(line.over, units);
  line.over -= over;
  const again = units - over;
  if (again === 0) return;
  // If the retention has deleted the order of the line, the line expects no units.
  const of = unitsOf(draft, line);
  const open = of === undefined ? 0 : Math.max(0, Math.min(again, leftOf(of)));
  if (of !== undefined) of.comingBack += open;
  line.missing += again - open;
}
