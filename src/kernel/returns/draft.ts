/** A working copy of a return within one plan. It changes the units of return lines and of order lines together. */
import type {
  RefundRow,
  ReturnFeeRow,
  ReturnHeldRow,
  ReturnLineRow,
  ReturnRow,
} from '../../platform/storage/tables.ts';
import type { Disposition, ReturnSettings } from '../../shared/return-settings.ts';
import { STOCK_CAUSE, type StockMove, type StockSpot } from '../stock-terms.ts';
import type { Change, OrderFacts, OrderUnits, ReturnEntry, Subject } from './action.ts';
import { type Judging, orderLine } from './eligibility.ts';

/** For each disposition, the field of a line with its units. */
export const COUNTERS = {
  SHELF: 'sellable',
  DAMAGED: 'damaged',
  HELD: 'held',
  GIVEN_BACK: 'given_back',
} as const satisfies Record<Disposition, keyof ReturnLineRow>;

/** The context of a plan. */
export interface Terms {
  settings: ReturnSettings;
  now: number;
  newId: () => string;
}

export interface Draft {
  subject: Subject;
  terms: Terms;
  row: ReturnRow;
  lines: ReturnLineRow[];
  /** The lines of the return that refer to an order line, by order, line index and reason. */
  byKey: Map<string, ReturnLineRow>;
  units: Map<string, OrderUnits>;
  held: Map<string, ReturnHeldRow>;
  entries: ReturnEntry[];
  receipt?: Change['receipt'];
  moves: StockMove[];
  nodeId: string;
  userId: string;
  newRefunds: RefundRow[];
  canceledRefunds: RefundRow[];
  newFees: ReturnFeeRow[];
}

export function draftOf(subject: Subject, terms: Terms): Draft {
  const lines = subject.lines.map((line) => ({ ...line }));
  const orderLines = [...subject.orders.values()].flatMap((facts) => facts.lines);
  return {
    subject,
    terms,
    row: { ...subject.row, revision: subject.row.revision + 1 },
    lines,
    byKey: new Map(lines.flatMap((line) => (isBlind(line) ? [] : [[lineKey(line), line] as const]))),
    units: new Map(
      orderLines.map((line): [string, OrderUnits] => {
        const now = { cameBack: line.came_back, comingBack: line.coming_back };
        const { fulfillment_order_id: orderId, line_index: lineIndex } = line;
        return [
          unitsKey(orderId, lineIndex),
          { orderId, lineIndex, handedOver: line.handed_over, ...now, before: now },
        ];
      }),
    ),
    held: new Map(subject.held.map((row) => [heldKey(row.position, row.node_id), { ...row }])),
    entries: [],
    moves: [],
    nodeId: '',
    userId: '',
    newRefunds: [],
    canceledRefunds: [],
    newFees: [],
  };
}

/** Returns the differences between the subject and the draft. */
export function changeOf(draft: Draft): Change {
  const { subject, row, lines } = draft;
  const before = new Map(subject.lines.map((line) => [line.position, line]));
  const heldBefore = new Map(subject.held.map((one) => [heldKey(one.position, one.node_id), one.units]));
  return {
    row: { ...row, blank_at: blankAt(draft) },
    lines,
    newLines: lines.filter(({ position }) => !before.has(position)),
    changedLines: lines.filter((line) => before.has(line.position) && !isEqual(line, before.get(line.position)!)),
    orderUnits: [...draft.units.values()].filter(
      (one) => one.cameBack !== one.before.cameBack || one.comingBack !== one.before.comingBack,
    ),
    held: [...draft.held.values()].filter(
      (one) => one.units !== (heldBefore.get(heldKey(one.position, one.node_id)) ?? 0),
    ),
    ...(draft.receipt && { receipt: draft.receipt }),
    moves: { nodeId: draft.nodeId, moves: draft.moves },
    newRefunds: draft.newRefunds,
    canceledRefunds: draft.canceledRefunds,
    newFees: draft.newFees,
  };
}

/**
 * Replaces the reason of a late return that is anonymized. The reason does not become null, because null means that no
 * late return was allowed.
 */
export const FORGOTTEN_REASON = '-';

/**
 * Returns the time at which to remove the notes, the customer's reference and the reason of a late return. If the
 * return, or the customer of one of its orders, is already anonymized but one of these texts remains, the time is now.
 * Otherwise the time remains as it is in the return (`blank_at`, which can be null).
 */
function blankAt({ subject, row, lines, entries, terms }: Draft): number | null {
  const isForgotten =
    row.blanked_at !== null ||
    lines.some((line) => (subject.orders.get(line.fulfillment_order_id ?? '')?.order.blanked_at ?? null) !== null);
  const hasWords =
    row.customer_ref !== null ||
    row.note !== null ||
    (row.override_reason ?? FORGOTTEN_REASON) !== FORGOTTEN_REASON ||
    lines.some(({ note }) => note !== null) ||
    entries.some(({ note }) => note !== undefined);
  return isForgotten && hasWords ? terms.now : row.blank_at;
}

const MUTABLE = ['requested', 'note', 'sellable', 'damaged', 'held', 'given_back', 'missing', 'over'] as const;

function isEqual(a: ReturnLineRow, b: ReturnLineRow): boolean {
  return MUTABLE.every((column) => a[column] === b[column]);
}

export function unitsKey(orderId: string, lineIndex: number): string {
  return `${lineIndex} ${orderId}`;
}

function heldKey(position: number, nodeId: string): string {
  return `${position} ${nodeId}`;
}

/** Returns the units of the order line of a return line; undefined for units without papers. */
export function unitsOf(draft: Draft, line: ReturnLineRow): OrderUnits | undefined {
  const { fulfillment_order_id: orderId, line_index: index } = line;
  return orderId === null || index === null ? undefined : draft.units.get(unitsKey(orderId, index));
}

/** Returns the units that neither came back nor are on their way. */
export function leftOf({ handedOver, cameBack, comingBack }: OrderUnits): number {
  return handedOver - cameBack - comingBack;
}

/**
 * Returns the units of a line that can still come. The result is 0 in states that expect no units, because in these
 * states the remaining units count as missing.
 */
export function openOf(line: ReturnLineRow): number {
  return line.requested + line.over - line.sellable - line.damaged - line.held - line.given_back - line.missing;
}

/** Returns the units of a line that came back and were not given back to the customer. */
export function cameOf(line: Pick<ReturnLineRow, 'sellable' | 'damaged' | 'held'>): number {
  return line.sellable + line.damaged + line.held;
}

export function isBlind(line: Pick<ReturnLineRow, 'fulfillment_order_id'>): boolean {
  return line.fulfillment_order_id === null;
}

/** Adds a line at the end. */
export function addLine(
  draft: Draft,
  { item_id, ...more }: Partial<ReturnLineRow> & Pick<ReturnLineRow, 'item_id'>,
): ReturnLineRow {
  const { client_id, return_id } = draft.row;
  const line: ReturnLineRow = {
    client_id,
    return_id,
    position: (draft.lines.at(-1)?.position ?? 0) + 1,
    fulfillment_order_id: null,
    line_index: null,
    web_line_id: null,
    item_id,
    requested: 0,
    reason: null,
    note: null,
    sellable: 0,
    damaged: 0,
    held: 0,
    given_back: 0,
    missing: 0,
    over: 0,
    ...more,
  };
  draft.lines.push(line);
  return line;
}

/** Returns the line at a position. Positions count from 1 without gaps. */
export function lineAt(draft: Draft, position: number | undefined): ReturnLineRow | undefined {
  return position === undefined ? undefined : draft.lines[position - 1];
}

/** Returns the line of the return for an order line and a reason; adds it if the return has no such line. */
export function lineFor(draft: Draft, facts: OrderFacts, lineIndex: number, reason: string | null): ReturnLineRow {
  const of = { fulfillment_order_id: facts.order.fulfillment_order_id, line_index: lineIndex, reason };
  return draft.byKey.get(lineKey(of)) ?? addOrderLine(draft, facts, lineIndex, { reason });
}

type LineKey = Pick<ReturnLineRow, 'fulfillment_order_id' | 'line_index' | 'reason'>;

function lineKey({ fulfillment_order_id: orderId, line_index: index, reason }: LineKey): string {
  return JSON.stringify([orderId, index, reason]);
}

/** Adds a return line for an order line. */
export function addOrderLine(
  draft: Draft,
  facts: OrderFacts,
  lineIndex: number,
  more: Partial<ReturnLineRow> = {},
): ReturnLineRow {
  const { item_id, web_line_id } = orderLine(facts, lineIndex);
  const of = { fulfillment_order_id: facts.order.fulfillment_order_id, line_index: lineIndex, web_line_id };
  const line = addLine(draft, { item_id, ...of, ...more });
  draft.byKey.set(lineKey(line), line);
  return line;
}

/**
 * Counts units of a line and posts their stock move; units that are given back to the customer have no move. Negative
 * units correct an earlier count.
 */
export function count(draft: Draft, line: ReturnLineRow, entry: Omit<ReturnEntry, 'position' | 'itemId'>): void {
  const { quantity: units, disposition } = entry;
  line[COUNTERS[disposition]] += units;
  if (disposition !== 'GIVEN_BACK') {
    const of = unitsOf(draft, line);
    if (of !== undefined) of.cameBack += units;
    const cause = units > 0 ? STOCK_CAUSE.RETURNED : STOCK_CAUSE.RETURN_CORRECTED;
    move(draft, line, 'CUSTOMER', disposition, units, cause);
  }
  if (disposition === 'HELD') addHeld(draft, line.position, draft.nodeId, units);
  draft.entries.push({ position: line.position, itemId: line.item_id, ...entry });
}

/** Posts a move of units of a line; negative units move the other way. */
export function move(
  draft: Draft,
  line: ReturnLineRow,
  from: StockSpot,
  to: StockSpot,
  units: number,
  cause: string,
  reason?: string,
): void {
  if (units === 0) return;
  const way = units > 0 ? { from, to } : { from: to, to: from };
  draft.moves.push({
    itemId: line.item_id,
    ...way,
    quantity: Math.abs(units),
    cause,
    reference: draft.row.number,
    lineNumber: String(line.position),
    ...(reason !== undefined && { reason }),
    userId: draft.userId,
  });
}

/** Adds held units of a line at a node. All held units of the line at the node have one `since`, the earliest. */
export function addHeld(draft: Draft, position: number, nodeId: string, units: number, since?: number): void {
  const key = heldKey(position, nodeId);
  const { client_id, return_id } = draft.row;
  const row = draft.held.get(key);
  const isNew = row === undefined || row.units === 0;
  const start = since ?? draft.terms.now;
  draft.held.set(key, {
    client_id,
    return_id,
    position,
    node_id: nodeId,
    units: (row?.units ?? 0) + units,
    since: isNew ? start : Math.min(row.since, start),
  });
}

export function heldAt(draft: Draft, position: number, nodeId: string): number {
  return draft.held.get(heldKey(position, nodeId))?.units ?? 0;
}

/** Marks the open units of all lines as missing. */
export function giveUpOpen(draft: Draft): void {
  for (const line of draft.lines) {
    const open = openOf(line);
    line.missing += open;
    const of = unitsOf(draft, line);
    if (of !== undefined) of.comingBack -= open;
  }
}

/** Counts missing units as expected again, at most as many as can still be returned. */
export function expectMissing(draft: Draft): void {
  for (const line of draft.lines) {
    const of = unitsOf(draft, line);
    if (of === undefined) continue;
    const again = Math.max(0, Math.min(line.missing, leftOf(of)));
    line.missing -= again;
    of.comingBack += again;
  }
}

export function judgingOf({ subject, terms, row }: Draft): Judging {
  return {
    storeId: row.store_id,
    excluded: subject.excluded,
    settings: terms.settings,
    now: terms.now,
    isOverridden: row.override_reason !== null,
  };
}
