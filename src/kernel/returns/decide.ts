/** Plans for units that have arrived: decisions on held units, and the match of units without an order. */
import { decimalText } from '../../platform/decimal.ts';
import { type FieldError, fieldError } from '../../platform/message/field-errors.ts';
import type { ReturnLineRow } from '../../platform/storage/tables.ts';
import type { Disposal } from '../../shared/return-settings.ts';
import { STOCK_CAUSE } from '../stock-terms.ts';
import type { ActionOf, Plan, Subject } from './action.ts';
import { isHeldBack, receiversOf } from './closing.ts';
import {
  addHeld,
  cameOf,
  changeOf,
  type Draft,
  draftOf,
  heldAt,
  isBlind,
  judgingOf,
  lineAt,
  move,
  type Terms,
  unitsKey,
  unitsOf,
} from './draft.ts';
import { leftToReturn, type NotReturnable, notReturnable, orderLine, reasonsAgainst } from './eligibility.ts';
import { disposed, matched } from './events.ts';
import { overLine } from './receive.ts';
import { lowerRefunds, owesMore, raiseRefunds } from './refunds.ts';
import { badLines, belowZero, fourEyes, rejected, type TooMany } from './rejections.ts';
import { say } from './sentences.ts';

/**
 * For each decision on held units, the field of the line that it increases. Units for the supplier or for a write-off
 * have come back but are not for sale, so they count as damaged.
 */
const COUNTER_OF: Readonly<Record<Disposal, 'sellable' | 'damaged' | 'given_back'>> = {
  SHELF: 'sellable',
  DAMAGED: 'damaged',
  SUPPLIER: 'damaged',
  COUNT: 'damaged',
  CUSTOMER: 'given_back',
};

export function planDisposal(subject: Subject, action: ActionOf<'dispose'>, terms: Terms): Plan {
  const draft = draftOf(subject, terms);
  const { nodeId, userId } = action;
  Object.assign(draft, { nodeId, userId });
  const unknown = badLines(action.lines.flatMap((line) => positionError(draft, line)));
  if (unknown !== undefined) return rejected(unknown);
  const tooMany = belowZero(excess(action.lines, (line) => heldAt(draft, line.position, nodeId), nodeId));
  if (tooMany !== undefined) return rejected(tooMany);
  const touched = new Set<string>();
  for (const { position, units, to, reason } of action.lines) {
    const line = lineAt(draft, position)!;
    line.held -= units;
    line[COUNTER_OF[to]] += units;
    addHeld(draft, position, nodeId, -units);
    move(draft, line, 'HELD', to, units, STOCK_CAUSE.RETURN_DISPOSED, reason);
    const of = unitsOf(draft, line);
    if (to !== 'CUSTOMER' || of === undefined) continue;
    of.cameBack -= units;
    touched.add(of.orderId);
  }
  // A coupon that goes back to the customer no longer lowers the refund. The close of an open return requests the rest.
  const owes = subject.row.status === 'CLOSED' && owesMore(draft, touched);
  if (owes && isHeldBack(draft, receiversOf(subject), userId)) {
    return rejected(fourEyes(subject.row, action, decimalText(terms.settings.fourEyes!)));
  }
  const refunds = owes ? raiseRefunds(draft, touched) : lowerRefunds(draft, touched);
  // A node that keeps no stock posts no move, so the reason is in the event.
  const decided = action.lines.map(({ position, units: quantity, to, reason }) => {
    return { position, quantity, to, ...(reason !== undefined && { reason }) };
  });
  const events = [disposed(draft, action.disposeId, decided), ...refunds];
  return { outcome: 'done', change: changeOf(draft), events };
}

function positionError(draft: Draft, { pointer, position }: { pointer: string; position: number }): FieldError[] {
  if (lineAt(draft, position) !== undefined) return [];
  const message = say('the return has no line {position}; send one of its lines, 1 to {count}', {
    count: draft.lines.length,
    position,
  });
  return [fieldError(`${pointer}/position`, 'exists', message, draft.lines.length)];
}

/**
 * Returns the lines of the message that take more units than their position has. Lines with the same position are added
 * up.
 */
function excess<T extends { pointer: string; position: number; units: number }>(
  lines: readonly T[],
  limitOf: (line: T) => number,
  nodeId?: string,
): TooMany[] {
  const taken = new Map<number, number>();
  return lines.flatMap((line) => {
    const units = (taken.get(line.position) ?? 0) + line.units;
    taken.set(line.position, units);
    const limit = limitOf(line);
    const at = nodeId === undefined ? '' : say(' (held at node {nodeId})', { nodeId: JSON.stringify(nodeId) });
    const where = say('line {position}{at}', { position: line.position, at });
    return units > limit ? [{ pointer: `${line.pointer}/quantity`, units, limit, where }] : [];
  });
}

export function planMatch(subject: Subject, action: ActionOf<'match'>, terms: Terms): Plan {
  const draft = draftOf(subject, terms);
  Object.assign(draft, { nodeId: action.nodeId, userId: action.userId });
  const unknown = badLines(action.lines.flatMap((line) => matchErrors(draft, line)));
  if (unknown !== undefined) return rejected(unknown);
  const tooMany = belowZero(excess(action.lines, ({ position }) => cameOf(lineAt(draft, position)!)));
  if (tooMany !== undefined) return rejected(tooMany);
  const bad = judgeMatch(draft, action.lines);
  if (bad.length > 0) return rejected(notReturnable(bad));
  draft.row.blank_at = null;
  const units = action.lines.map((one) => {
    const blind = lineAt(draft, one.position)!;
    const line = overLine(draft, one, { position: undefined, reason: blind.reason });
    giveOver(draft, blind, line, one.units);
    return {
      position: one.position,
      fulfillmentOrderId: one.orderId,
      webLineId: line.web_line_id!,
      quantity: one.units,
      toPosition: line.position,
    };
  });
  // If the units of the return already count for refunds, this match makes refunds due, so the user is checked here.
  // Otherwise `planClose` checks the user.
  if (draft.row.counted === 1 && isHeldBack(draft, receiversOf(subject), action.userId)) {
    return rejected(fourEyes(subject.row, action, decimalText(terms.settings.fourEyes!)));
  }
  const refunds = raiseRefunds(draft);
  const events = [matched(draft, action.matchId, units), ...refunds];
  return { outcome: 'done', change: changeOf(draft), events };
}

type MatchLine = ActionOf<'match'>['lines'][number];

function matchErrors(draft: Draft, line: MatchLine): FieldError[] {
  const unknown = positionError(draft, line);
  if (unknown.length > 0) return unknown;
  const own = lineAt(draft, line.position)!;
  if (!isBlind(own)) {
    const message = say('line {position} has an order already; send a line without an order', {
      position: line.position,
    });
    return [fieldError(`${line.pointer}/position`, 'blind', message)];
  }
  const facts = draft.subject.orders.get(line.orderId)!;
  const target = orderLine(facts, line.lineIndex);
  if (target.item_id === own.item_id) return [];
  const message = say(
    'the order line has item {itemId}, but the units are of item {itemId2}; send the webLineId of a line with item {itemId2}',
    { itemId: JSON.stringify(target.item_id), itemId2: JSON.stringify(own.item_id) },
  );
  return [fieldError(`${line.pointer}/webLineId`, 'item', message)];
}

/**
 * Checks the lines of a match. Units without papers have already come back, so the return window and the excluded items
 * do not matter.
 */
function judgeMatch(draft: Draft, lines: readonly MatchLine[]): NotReturnable[] {
  const judging = { ...judgingOf(draft), excluded: new Set<string>(), isOverridden: true };
  const total = new Map<string, number>();
  const keyOf = ({ orderId, lineIndex }: MatchLine) => unitsKey(orderId, lineIndex);
  for (const line of lines) total.set(keyOf(line), (total.get(keyOf(line)) ?? 0) + line.units);
  return lines.flatMap((one): NotReturnable[] => {
    const facts = draft.subject.orders.get(one.orderId)!;
    const line = orderLine(facts, one.lineIndex);
    const requested = total.get(keyOf(one))!;
    const [first] = reasonsAgainst(facts, line, requested, judging).filter(({ rule }) => rule !== 'WINDOW_OVER');
    if (first === undefined) return [];
    const returnable = first.rule === 'OTHER_STORE' ? 0 : leftToReturn(line);
    const of = { fulfillmentOrderId: one.orderId, webLineId: line.web_line_id };
    return [{ pointer: one.pointer, ...first, ...of, requested, returnable }];
  });
}

/**
 * Moves units from a line without an order to a line of an order: first held units, then sellable units, then damaged
 * units.
 */
function giveOver(draft: Draft, blind: ReturnLineRow, line: ReturnLineRow, units: number): void {
  blind.over -= units;
  line.over += units;
  unitsOf(draft, line)!.cameBack += units;
  let rest = units;
  for (const counter of ['held', 'sellable', 'damaged'] as const) {
    const moved = Math.min(rest, blind[counter]);
    blind[counter] -= moved;
    line[counter] += moved;
    rest -= moved;
    if (counter === 'held') giveHeld(draft, blind, line, moved);
  }
}

/** Moves held units, the oldest first. The units keep their node and the time since which they are held. */
function giveHeld(draft: Draft, blind: ReturnLineRow, line: ReturnLineRow, units: number): void {
  let rest = units;
  const rows = [...draft.held.values()].filter((one) => one.position === blind.position && one.units > 0);
  for (const { node_id: nodeId, units: here, since } of rows.toSorted((a, b) => a.since - b.since)) {
    const moved = Math.min(rest, here);
    if (moved === 0) break;
    addHeld(draft, blind.position, nodeId, -moved);
    addHeld(draft, line.position, nodeId, moved, since);
    rest -= moved;
  }
}
