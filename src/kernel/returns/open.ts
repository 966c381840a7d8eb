/** The plans that create a return: a request of the order management system, and a return in a store. */
import { type FieldError, fieldError } from '../../platform/message/field-errors.ts';
import { DAY_MS } from '../../platform/time.ts';
import type { ActionOf, ExchangeWish, OrderFacts, Plan, Subject, TakenLine } from './action.ts';
import { leastFirst } from './choice.ts';
import { closeDraft, isHeldBack } from './closing.ts';
import {
  addLine,
  addOrderLine,
  cameOf,
  changeOf,
  count,
  type Draft,
  draftOf,
  judgingOf,
  leftOf,
  lineAt,
  lineFor,
  type Terms,
  unitsKey,
  unitsOf,
} from './draft.ts';
import { type NotReturnable, notReturnable, orderLine, reasonsAgainst } from './eligibility.ts';
import { exchangesRequested, plainEvent, received } from './events.ts';
import { raiseRefunds } from './refunds.ts';
import { badLines, rejected, wrongNode } from './rejections.ts';
import { say } from './sentences.ts';

/** Units of the message for a line of an order. */
interface Asked {
  pointer: string;
  facts: OrderFacts;
  lineIndex: number;
  units: number;
}

/**
 * Plans a request for a return. Its units count as on their way. The caller has added up lines with the same order line
 * and reason.
 */
export function planRequest(subject: Subject, action: ActionOf<'request'>, terms: Terms): Plan {
  const draft = draftOf(subject, terms);
  Object.assign(draft.row, { revision: 1, ...openingColumns(action), expires_at: action.expiresAt });
  const asked = action.lines.map((line): Asked => ({ ...line, facts: subject.orders.get(line.orderId)! }));
  const bad = judge(draft, asked);
  if (bad.length > 0) return rejected(notReturnable(bad));
  for (const { orderId, lineIndex, units, reason = null, note = null } of action.lines) {
    const line = addOrderLine(draft, subject.orders.get(orderId)!, lineIndex, { reason, note, requested: units });
    unitsOf(draft, line)!.comingBack += units;
  }
  const wrong = wishErrors(draft, action.exchanges);
  if (wrong !== undefined) return rejected(wrong);
  const events = [plainEvent(draft, 'return.requested'), ...exchangesRequested(draft, action.exchanges)];
  return { outcome: 'done', change: changeOf(draft), events };
}

/** Plans a return in a store: one action opens it, receives its units and, unless it must stay open, closes it. */
export function planTake(subject: Subject, action: ActionOf<'take'>, terms: Terms): Plan {
  const draft = draftOf(subject, terms);
  const { nodeId, userId, takeId } = action;
  Object.assign(draft, { nodeId, userId });
  Object.assign(draft.row, { revision: 1, ...openingColumns(action), node_id: nodeId });
  const allotted = allot(draft, action.lines);
  const bad = [...blindErrors(draft, action.lines), ...judge(draft, allotted.flat())];
  if (bad.length > 0) return rejected(notReturnable(bad));
  const elsewhere = elsewhereOf(draft, nodeId);
  if (elsewhere !== undefined && !action.isSupervised) return rejected(wrongNode(draft.row, nodeId, elsewhere));
  for (const [index, line] of action.lines.entries()) {
    if (line.orderId === undefined) takeBlind(draft, line);
    for (const { facts, lineIndex, units } of allotted[index]!) {
      const own = lineFor(draft, facts, lineIndex, line.reason ?? null);
      own.requested += units;
      own.note = joinedNote(own.note, line.note ?? null);
      count(draft, own, entryOf(line, units));
    }
  }
  const wrong = wishErrors(draft, action.exchanges);
  if (wrong !== undefined) return rejected(wrong);
  addReceipt(draft, { receiptId: takeId, at: terms.now });
  if (terms.settings.refundOn === 'RECEIVED') draft.row.counted = 1;
  const first = received(draft);
  const wishes = exchangesRequested(draft, action.exchanges);
  if (!action.keepsOpen && !isHeldBack(draft, [userId], userId)) {
    const events = closeDraft(draft, takeId, userId);
    return { outcome: 'done', change: changeOf(draft), events: [first, ...wishes, ...events] };
  }
  const refunds = raiseRefunds(draft);
  return { outcome: 'done', change: changeOf(draft), events: [first, ...wishes, ...refunds] };
}

function openingColumns(action: ActionOf<'request'> | ActionOf<'take'>) {
  const { number, customerRef = null, note = null, overrideReason = null } = action;
  return { number, customer_ref: customerRef, note, override_reason: overrideReason };
}

/** Returns the default of `expiresAt`. */
export function defaultExpiry(now: number, expireDays: number): number {
  return now + expireDays * DAY_MS;
}

/**
 * Returns the nodes at which the return must be received; undefined if `nodeId` is one of them, or if every node can
 * receive the return.
 */
export function elsewhereOf({ row, subject, terms }: Draft, nodeId: string): string[] | undefined {
  if (terms.settings.nodes !== 'SAME') return undefined;
  const ofOrders = [...subject.orders.values()].map(({ order }) => order.node_id);
  const nodeIds = row.expected_node_id === null ? [...new Set(ofOrders)] : [row.expected_node_id];
  return nodeIds.length === 0 || nodeIds.includes(nodeId) ? undefined : nodeIds;
}

function joinedNote(before: string | null, note: string | null): string | null {
  return before === null || note === null ? (before ?? note) : `${before}\n${note}`;
}

export function entryOf(line: Pick<TakenLine, 'condition' | 'disposition' | 'reason' | 'note'>, quantity: number) {
  const { condition, disposition, reason, note } = line;
  return {
    quantity,
    ...(condition !== undefined && { condition }),
    disposition,
    ...(reason !== undefined && { reason }),
    ...(note !== undefined && { note }),
  };
}

/** Adds the receipt of the units counted so far. */
export function addReceipt(
  draft: Draft,
  { receiptId, at, corrects = null }: { receiptId: string; at: number; corrects?: string | null },
): void {
  const { client_id, return_id, receipts } = draft.row;
  draft.row.receipts = receipts + 1;
  draft.receipt = {
    client_id,
    return_id,
    receipt_id: receiptId,
    position: receipts + 1,
    node_id: draft.nodeId,
    user_id: draft.userId,
    corrects,
    at,
    entries: draft.entries,
  };
}

/**
 * Counts units without papers. They are held, with two exceptions: the client's setting `blind` is ALLOW, or the
 * customer gets the units back.
 */
function takeBlind(draft: Draft, line: TakenLine): void {
  const { itemId, units, reason = null } = line;
  const own =
    draft.lines.find((one) => one.line_index === null && one.item_id === itemId && one.reason === reason) ??
    addLine(draft, { item_id: itemId, reason });
  own.over += units;
  own.note = joinedNote(own.note, line.note ?? null);
  const isTrusted = draft.terms.settings.blind === 'ALLOW' || line.disposition === 'GIVEN_BACK';
  count(draft, own, entryOf(isTrusted ? line : { ...line, disposition: 'HELD' }, units));
}

function blindErrors({ terms }: Draft, lines: readonly TakenLine[]): NotReturnable[] {
  if (terms.settings.blind !== 'REFUSE') return [];
  return lines
    .filter((line) => line.orderId === undefined)
    .map(({ pointer, itemId, units }) => ({
      pointer,
      rule: 'BLIND',
      itemId,
      requested: units,
      returnable: 0,
      message: say(
        'the client accepts no returns without an order; send fulfillmentOrderId and webLineId for item {itemId}',
        { itemId: JSON.stringify(itemId) },
      ),
    }));
}

/** Returns one error for each line of the message that cannot come back, with the first broken rule. */
function judge(draft: Draft, asked: readonly Asked[]): NotReturnable[] {
  const judging = judgingOf(draft);
  const total = new Map<string, number>();
  const keyOf = (one: Asked) => unitsKey(one.facts.order.fulfillment_order_id, one.lineIndex);
  for (const one of asked) total.set(keyOf(one), (total.get(keyOf(one)) ?? 0) + one.units);
  return asked.flatMap((one): NotReturnable[] => {
    const { facts, lineIndex, pointer } = one;
    const line = orderLine(facts, lineIndex);
    const requested = total.get(keyOf(one))!;
    const [first] = reasonsAgainst(facts, line, requested, judging);
    if (first === undefined) return [];
    const isOfUnits = first.rule === 'NOT_HANDED_OVER' || first.rule === 'ALREADY_RETURNED';
    const { fulfillment_order_id: fulfillmentOrderId } = facts.order;
    const returnable = isOfUnits ? leftOf(draft.units.get(keyOf(one))!) : 0;
    return [{ pointer, ...first, fulfillmentOrderId, webLineId: line.web_line_id, requested, returnable }];
  });
}

/**
 * Returns the order lines from which each line of the message takes units. A line that names only an item takes units
 * that the other lines leave. Excess units are assigned to the first order line of the item, and the later check
 * rejects them.
 */
function allot(draft: Draft, lines: readonly TakenLine[]): Asked[][] {
  const judging = judgingOf(draft);
  const left = new Map([...draft.units].map(([key, units]) => [key, leftOf(units)]));
  const allotted = lines.map((line): Asked[] => {
    const { orderId, lineIndex, units, pointer } = line;
    if (orderId === undefined || lineIndex === undefined) return [];
    const key = unitsKey(orderId, lineIndex);
    left.set(key, left.get(key)! - units);
    return [{ pointer, facts: draft.subject.orders.get(orderId)!, lineIndex, units }];
  });
  for (const [index, line] of lines.entries()) {
    const { orderId, lineIndex, itemId, pointer } = line;
    if (orderId === undefined || lineIndex !== undefined) continue;
    const facts = draft.subject.orders.get(orderId)!;
    const ofItem = facts.lines.filter((own) => own.item_id === itemId);
    const free = ofItem.filter((own) => reasonsAgainst(facts, own, 0, judging).length === 0);
    const sorted = leastFirst(draft, free, (own) => ({ orderId, lineIndex: own.line_index }));
    let { units } = line;
    for (const own of sorted) {
      const key = unitsKey(orderId, own.line_index);
      const taken = Math.min(units, Math.max(0, left.get(key)!));
      if (taken === 0) continue;
      units -= taken;
      left.set(key, left.get(key)! - taken);
      allotted[index]!.push({ pointer, facts, lineIndex: own.line_index, units: taken });
    }
    if (units === 0) continue;
    const { line_index: first } = ofItem[0]!;
    const before = allotted[index]!.find((one) => one.lineIndex === first);
    if (before === undefined) allotted[index]!.push({ pointer, facts, lineIndex: first, units });
    else before.units += units;
  }
  return allotted;
}

/**
 * Returns the 400 for wishes that name a line that the return does not have, or of which the customer keeps every unit;
 * otherwise undefined.
 */
function wishErrors(draft: Draft, wishes: readonly ExchangeWish[]) {
  const errors = wishes.flatMap(({ line }, index): FieldError[] => {
    const own = lineAt(draft, line);
    if (own !== undefined) {
      if (own.given_back === 0 || cameOf(own) > 0) return [];
      const message = say('the customer keeps all units of line {line}; leave its exchange out', { line });
      return [fieldError(`/exchangeLines/${index}/line`, 'kept', message)];
    }
    const message = say('the return has no line {line}; send one of its lines, 1 to {count}', {
      count: draft.lines.length,
      line,
    });
    return [fieldError(`/exchangeLines/${index}/line`, 'exists', message, draft.lines.length)];
  });
  return badLines(errors);
}
