/**
 * The rules of returns in the model: the units of returns, the units of order lines that change with them, and moves of
 * stock.
 */
import {
  type Back,
  type BackLine,
  cameOf,
  type Disposition,
  type Entry,
  leftOf,
  openOf,
  type Receipt,
  type Refund,
} from './back.ts';
import type { Model } from './model.ts';
import { lower, raise } from './refunds.ts';
import type { Line, Node, Order } from './things.ts';

const COUNTERS = { SHELF: 'sellable', DAMAGED: 'damaged', HELD: 'held', GIVEN_BACK: 'givenBack' } as const;

/** For each decision about held units: the field to which the units move, and the type of the stock transaction. */
export const DISPOSALS = {
  SHELF: ['sellable', undefined],
  DAMAGED: ['damaged', undefined],
  SUPPLIER: ['damaged', 51],
  COUNT: ['damaged', 61],
  CUSTOMER: ['givenBack', undefined],
} as const;
export type Disposal = keyof typeof DISPOSALS;

export function newBack(made: Pick<Back, 'number' | 'kind' | 'state' | 'expiresAt' | 'content'>): Back {
  return {
    ...made,
    lines: [],
    receipts: [],
    held: new Map(),
    isCounted: false,
    wasClosed: false,
    ended: undefined,
    hasFee: false,
  };
}

const NOTHING = { requested: 0, sellable: 0, damaged: 0, held: 0, givenBack: 0, missing: 0, over: 0 };

/** Returns the line of a return for an order line. Adds the line if it is missing. */
export function lineFor(back: Back, order: Order, line: Line): BackLine {
  const known = back.lines.find(({ of }) => of?.line === line);
  if (known !== undefined) return known;
  const made: BackLine = { of: { order, line }, sku: line.sku, ...NOTHING };
  back.lines.push(made);
  return made;
}

/** Returns the line of a return for units of an item without papers. Adds the line if it is missing. */
export function blindLine(back: Back, sku: number): BackLine {
  const known = back.lines.find(({ of, sku: own }) => of === null && own === sku);
  if (known !== undefined) return known;
  const made: BackLine = { of: null, sku, ...NOTHING };
  back.lines.push(made);
  return made;
}

const heldKey = (back: Back, line: BackLine, node: Node) => `${back.lines.indexOf(line) + 1} ${node}`;

export const heldAt = (back: Back, line: BackLine, node: Node) => back.held.get(heldKey(back, line, node))?.units ?? 0;

function addHeld(model: Model, back: Back, line: BackLine, node: Node, units: number, since = model.now): void {
  const key = heldKey(back, line, node);
  const before = back.held.get(key);
  const isNew = before === undefined || before.units === 0;
  back.held.set(key, {
    units: (before?.units ?? 0) + units,
    since: isNew ? since : Math.min(before.since, since),
  });
}

/**
 * Adds received units to the field of their disposition. Units that are not given back also change the order line and
 * the stock of the node. Negative units correct an earlier receipt.
 */
export function count(
  model: Model,
  back: Back,
  receipt: Receipt,
  line: BackLine,
  disposition: Disposition,
  units: number,
) {
  line[COUNTERS[disposition]] += units;
  if (disposition !== 'GIVEN_BACK') {
    if (line.of !== null) line.of.line.cameBack += units;
    model.ledger.move(receipt.node, line.sku, 'CUSTOMER', disposition, units);
  }
  if (disposition === 'HELD') addHeld(model, back, line, receipt.node, units);
  receipt.entries.push({ position: back.lines.indexOf(line) + 1, disposition, units });
}

/** Marks the open units of a return as missing. */
function giveUp(back: Back): void {
  for (const line of back.lines) {
    const open = openOf(line);
    line.missing += open;
    if (line.of !== null) line.of.line.comingBack -= open;
  }
}

/** Marks missing units as open again, at most as many as can still be returned. */
export function expectAgain(back: Back): void {
  for (const line of back.lines) {
    if (line.of === null) continue;
    const again = Math.max(0, Math.min(line.missing, leftOf(line.of.line)));
    line.missing -= again;
    line.of.line.comingBack += again;
  }
}

export function close(model: Model, back: Back): void {
  giveUp(back);
  back.state = 'CLOSED';
  back.wasClosed = true;
  back.isCounted = true;
  raise(model, back);
}

export function end(back: Back, state: 'CANCELED' | 'EXPIRED'): void {
  giveUp(back);
  back.state = state;
  back.ended = state;
}

/** Sorts the lines by the charged amount of the units that were not returned, lowest first. */
function leastFirst<T>(model: Model, candidates: readonly T[], lineOf: (one: T) => { order: Order; line: Line }): T[] {
  const left = candidates.map((one) => {
    const { order, line } = lineOf(one);
    const came = model.counted(order).get(line) ?? 0;
    // The comparison below multiplies each amount by the handed-over units of the other line, so that no quotient is
    // rounded.
    return { one, amount: line.charged.times(line.handed - came), handed: line.handed };
  });
  return left
    .toSorted((a, b) => {
      if (a.handed === 0 || b.handed === 0) return Number(b.handed === 0) - Number(a.handed === 0);
      return a.amount.times(b.handed).cmp(b.amount.times(a.handed));
    })
    .map(({ one }) => one);
}

/** Assigns units to the lines that expect them. Returns the excess units. */
export function receiveOpen(
  model: Model,
  back: Back,
  receipt: Receipt,
  {
    line,
    sku,
    disposition,
    units,
  }: { line: BackLine | undefined; sku: number; disposition: Disposition; units: number },
): number {
  const lines = line === undefined ? back.lines.filter((one) => one.sku === sku) : [line];
  let rest = units;
  for (const one of leastFirst(
    model,
    lines.filter((own) => openOf(own) > 0),
    ({ of }) => of!,
  )) {
    const some = Math.min(rest, openOf(one));
    if (some === 0) break;
    one.of!.line.comingBack -= some;
    count(model, back, receipt, one, disposition, some);
    rest -= some;
  }
  return rest;
}

/** Assigns units in excess of the request: first to the order lines of the item, then to the line without papers. */
export function receiveOver(
  model: Model,
  back: Back,
  receipt: Receipt,
  {
    line,
    sku,
    disposition,
    units,
  }: { line: BackLine | undefined; sku: number; disposition: Disposition; units: number },
): void {
  const orders = [...new Set(back.lines.flatMap(({ of }) => of?.order ?? []))].sort((a, b) => a.id - b.id);
  const all = orders.flatMap((order) =>
    order.lines.filter((own) => own.sku === sku).map((own) => ({ order, line: own })),
  );
  const sorted = leastFirst(model, all, (one) => one);
  const isNamed = (one: { line: Line }) => line?.of?.line === one.line;
  let rest = units;
  for (const one of [...sorted.filter(isNamed), ...sorted.filter((other) => !isNamed(other))]) {
    const some = Math.min(rest, leftOf(one.line));
    if (some <= 0) continue;
    const own = lineFor(back, one.order, one.line);
    own.over += some;
    count(model, back, receipt, own, disposition, some);
    rest -= some;
  }
  if (rest === 0) return;
  const blind = blindLine(back, sku);
  blind.over += rest;
  count(model, back, receipt, blind, disposition === 'GIVEN_BACK' ? 'GIVEN_BACK' : 'HELD', rest);
}

/** Returns the number of units that a correction of the receipt can remove from an entry. */
export function correctable(back: Back, receipt: Receipt, { position, disposition }: Entry): number {
  const line = back.lines[position - 1]!;
  const own = back.receipts.filter(({ id, corrects }) => id === receipt.id || corrects === receipt.id);
  const booked = own
    .flatMap(({ entries }) => entries)
    .filter((one) => one.position === position && one.disposition === disposition)
    .reduce((sum, { units }) => sum + units, 0);
  const here = disposition === 'HELD' ? heldAt(back, line, receipt.node) : line[COUNTERS[disposition]];
  return Math.max(0, Math.min(booked, here));
}

export function takeBack(
  model: Model,
  back: Back,
  receipt: Receipt,
  { position, disposition }: Entry,
  units: number,
): void {
  const line = back.lines[position - 1]!;
  count(model, back, receipt, line, disposition, -units);
  const over = Math.min(line.over, units);
  line.over -= over;
  back.receipts.push(receipt);
  if (line.of === null) return;
  const again = units - over;
  const open = Math.max(0, Math.min(again, leftOf(line.of.line)));
  line.of.line.comingBack += open;
  line.missing += again - open;
  lower(model, back, [line.of.order]);
}

export function dispose(model: Model, back: Back, line: BackLine, node: Node, units: number, to: Disposal): void {
  const [counter, type] = DISPOSALS[to];
  line.held -= units;
  line[counter] += units;
  addHeld(model, back, line, node, -units);
  model.ledger.move(node, line.sku, 'HELD', to, units, { ...(type !== undefined && { type }) });
  if (to !== 'CUSTOMER' || line.of === null) return;
  line.of.line.cameBack -= units;
  // In a closed return, the decision also requests what became due since the close.
  (back.state === 'CLOSED' ? raise : lower)(model, back, [line.of.order]);
}

/** Assigns units without papers to an order line: first the held units, beginning with those held longest. */
export function match(model: Model, back: Back, blind: BackLine, order: Order, line: Line, units: number): void {
  const own = lineFor(back, order, line);
  blind.over -= units;
  own.over += units;
  line.cameBack += units;
  let rest = units;
  for (const counter of ['held', 'sellable', 'damaged'] as const) {
    const some = Math.min(rest, blind[counter]);
    blind[counter] -= some;
    own[counter] += some;
    rest -= some;
    if (counter === 'held') giveHeld(model, back, blind, own, some);
  }
  raise(model, back);
}

function giveHeld(model: Model, back: Back, blind: BackLine, own: BackLine, units: number): void {
  let rest = units;
  const here = ([1, 2, 3] as const).flatMap((node) => {
    const held = back.held.get(heldKey(back, blind, node));
    return held === undefined || held.units === 0 ? [] : [{ node, ...held }];
  });
  for (const { node, units: some, since } of here.toSorted((a, b) => a.since - b.since)) {
    const moved = Math.min(rest, some);
    if (moved === 0) break;
    addHeld(model, back, blind, node, -moved);
    addHeld(model, back, own, node, moved, since);
    rest -= moved;
  }
}

/** Returns the actions of a return, each with `true` if it is allowed. */
export function allowedOf(back: Back): [action: string, allowed: boolean][] {
  const { state, lines, receipts } = back;
  const isIn = state === 'RECEIVING' || state === 'CLOSED';
  const blind = lines.filter(({ of }) => of === null).reduce((sum, line) => sum + cameOf(line), 0);
  return [
    ['markInTransit', state === 'REQUESTED'],
    ['cancel', state === 'REQUESTED' || state === 'CANCELED'],
    ['receive', state !== 'CLOSED'],
    ['correct', state === 'RECEIVING' && receipts.length > 0],
    ['dispose', isIn && lines.some(({ held }) => held > 0)],
    ['match', isIn && blind > 0],
    ['close', state === 'RECEIVING'],
    ['reopen', state === 'CLOSED'],
  ];
}

/** Returns the refunds of a return, sorted as in responses. */
export function refundsOf(model: Model, back: Back): Refund[] {
  return model.refunds
    .filter((refund) => refund.back === back)
    .toSorted((a, b) => a.dueAt - b.dueAt || a.order.id - b.order.id || a.position - b.position);
}
