/**
 * Decides which units of an order can come back and until when. For other units it gives the reasons against a return
 * (docs/returns.md). The functions are pure.
 */
import { Refusal } from '../../platform/http/errors.ts';
import type { Sentence } from '../../platform/message/sentence.ts';
import type { OrderLineRow } from '../../platform/storage/tables.ts';
import { DAY_MS, formatDateTime } from '../../platform/time.ts';
import type { ReturnSettings } from '../../shared/return-settings.ts';
import type { OrderFacts } from './action.ts';
import { say } from './sentences.ts';

/** The rules for returns, in the order of their checks. An error names the first rule that a line breaks. */
export const RETURN_RULES = [
  'OTHER_STORE',
  'NOT_HANDED_OVER',
  'ALREADY_RETURNED',
  'ITEM_EXCLUDED',
  'WINDOW_OVER',
  'BLIND',
] as const;
type ReturnRule = (typeof RETURN_RULES)[number];

export interface Reason {
  rule: ReturnRule;
  message: Sentence;
}

/** The facts of a request that decide which lines can come back. */
export interface Judging {
  storeId: string;
  excluded: ReadonlySet<string>;
  settings: ReturnSettings;
  now: number;
  /** Whether a lead allowed returns after the end of the window. */
  isOverridden: boolean;
}

/** Returns the units of a line that neither came back nor are on their way. */
export function leftToReturn(line: Pick<OrderLineRow, 'handed_over' | 'came_back' | 'coming_back'>): number {
  return line.handed_over - line.came_back - line.coming_back;
}

const linesOf = new WeakMap<OrderFacts, ReadonlyMap<number, OrderLineRow>>();

/** Returns a line of an order by its index. */
export function orderLine(facts: OrderFacts, lineIndex: number): OrderLineRow {
  let lines = linesOf.get(facts);
  if (lines === undefined) {
    lines = new Map(facts.lines.map((line) => [line.line_index, line]));
    linesOf.set(facts, lines);
  }
  return lines.get(lineIndex)!;
}

const leftOfOrders = new WeakMap<OrderFacts, ReadonlyMap<string, number>>();

/**
 * Returns the time at which the last units of a line were handed over or shipped. Without a charge, this is the end of
 * the order, or its last change.
 */
function leftAt(facts: OrderFacts, line: OrderLineRow): number {
  let left = leftOfOrders.get(facts);
  if (left === undefined) {
    const all = new Map<string, number>();
    for (const { at, amounts } of facts.charges) {
      // A charge without amounts does not list its lines, so the charge counts for every line.
      const ids = amounts?.items.map(({ webLineId }) => webLineId) ?? facts.lines.map((one) => one.web_line_id);
      for (const id of ids) all.set(id, Math.max(at, all.get(id) ?? at));
    }
    leftOfOrders.set(facts, all);
    left = all;
  }
  // An imported order can have ended without a charge.
  return left.get(line.web_line_id) ?? facts.order.ended_at ?? facts.order.updated_at;
}

/** Returns the last instant of the return window of a line; undefined if no unit of it was handed over. */
export function untilOf(
  facts: OrderFacts,
  line: OrderLineRow,
  { windowDays, windowFrom }: ReturnSettings,
): number | undefined {
  if (line.handed_over === 0) return undefined;
  const { order } = facts;
  const left = leftAt(facts, line);
  const isExpected = windowFrom === 'HANDED_OVER' && order.fulfillment_type === 'SHIP_TO_HOME';
  const start = isExpected ? Math.max(left, order.expected_delivery_date ?? left) : left;
  return start + windowDays * DAY_MS;
}

/** Returns the latest end of the return windows of an order's lines; undefined if no unit was handed over. */
export function returnableUntil(facts: OrderFacts, settings: ReturnSettings): number | undefined {
  const all = facts.lines.flatMap((line) => untilOf(facts, line, settings) ?? []);
  return all.length === 0 ? undefined : Math.max(...all);
}

/** Returns the reasons against a return of `units` units of a line, in the order of the rules. */
export function reasonsAgainst(facts: OrderFacts, line: OrderLineRow, units: number, judging: Judging): Reason[] {
  const { order } = facts;
  const { settings, now } = judging;
  const left = leftToReturn(line);
  const name = say('line {webLineId} of order {fulfillmentOrderId}', {
    webLineId: JSON.stringify(line.web_line_id),
    fulfillmentOrderId: JSON.stringify(order.fulfillment_order_id),
  });
  const reasons: Reason[] = [];
  if (order.store_id !== judging.storeId) {
    const message = say('the order belongs to store {storeId}; return its goods in that store', {
      storeId: JSON.stringify(order.store_id),
    });
    reasons.push({ rule: 'OTHER_STORE', message });
  }
  if (units > line.handed_over) {
    const message = say(
      '{handedOver} {handedOver|unit|units} of {name} {handedOver|was|were} handed over, not {units}; send at most {max}',
      {
        handedOver: line.handed_over,
        name,
        units,
        max: Math.max(0, left),
      },
    );
    reasons.push({ rule: 'NOT_HANDED_OVER', message });
  } else if (units > left) {
    const message = say(
      '{left} {left|unit|units} of {name} can still be returned, not {units}: {cameBack} {cameBack|was|were} returned already and {comingBack} {comingBack|is|are} on the way',
      { left, name, units, cameBack: line.came_back, comingBack: line.coming_back },
    );
    reasons.push({ rule: 'ALREADY_RETURNED', message });
  }
  if (judging.excluded.has(line.item_id)) {
    const message = say('item {itemId} is excluded from returns by the setting returns.excluded', {
      itemId: JSON.stringify(line.item_id),
    });
    reasons.push({ rule: 'ITEM_EXCLUDED', message });
  }
  const until = untilOf(facts, line, settings);
  if (until !== undefined && !judging.isOverridden && (settings.windowDays === 0 || now > until)) {
    const message = say(
      '{name} could be returned until {until}; after that, a lead can accept the return with overrideReason',
      {
        name,
        until: formatDateTime(until),
      },
    );
    reasons.push({ rule: 'WINDOW_OVER', message });
  }
  return reasons;
}

/** A line of a message with units that cannot come back, with the reason. */
export interface NotReturnable extends Reason {
  pointer: string;
  fulfillmentOrderId?: string;
  webLineId?: string;
  itemId?: string;
  requested: number;
  returnable: number;
}

/** Returns the 409 with all lines that cannot come back. */
export function notReturnable(lines: readonly NotReturnable[]): Refusal {
  const [first] = lines;
  const more = lines.length === 1 ? '' : say(' (and {n} more {n|error|errors} in `lines`)', { n: lines.length - 1 });
  return new Refusal(
    409,
    'STATE',
    'NOT_RETURNABLE',
    say('{pointer}: {message}{more}; nothing was changed.', { pointer: first!.pointer, message: first!.message, more }),
    {
      extra: { lines },
    },
  );
}
