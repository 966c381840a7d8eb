/**
 * The units and the money of an order's returns add up after any actions in any order (docs/returns.md). These tests
 * use no database and no clock.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountsOf } from '../../src/kernel/money.ts';
import type { Action, Change, ChargeFact, OrderFacts, Subject } from '../../src/kernel/returns/action.ts';
import { cameOf, openOf } from '../../src/kernel/returns/draft.ts';
import { reasonsAgainst, returnableUntil, untilOf } from '../../src/kernel/returns/eligibility.ts';
import { moneyOf } from '../../src/kernel/returns/money.ts';
import { planReturn } from '../../src/kernel/returns/plan.ts';
import { RETURN_TRANSITIONS } from '../../src/kernel/returns/states.ts';
import { big } from '../../src/platform/decimal.ts';
import { EMPTY_LIST } from '../../src/platform/json-column.ts';
import { stringifyJson } from '../../src/platform/message/json.ts';
import type {
  FulfillmentOrderRow,
  OrderLineRow,
  RefundRow,
  ReturnFeeRow,
  ReturnHeldRow,
  ReturnLineRow,
  ReturnReceiptRow,
  ReturnRow,
} from '../../src/platform/storage/tables.ts';
import { DEFAULT_RETURNS, DISPOSITIONS, type ReturnSettings } from '../../src/shared/return-settings.ts';

const NOON = Date.UTC(2026, 2, 2, 12);
const NODES = ['A', 'B'] as const;
const DISPOSALS = ['SHELF', 'DAMAGED', 'SUPPLIER', 'COUNT', 'CUSTOMER'] as const;

interface OneReturn {
  row: ReturnRow;
  lines: ReturnLineRow[];
  held: ReturnHeldRow[];
  receipts: ReturnReceiptRow[];
}

/** An order with some handed-over units, its returns and refunds, and the units in the stock of its nodes. */
interface World {
  order: FulfillmentOrderRow;
  lines: OrderLineRow[];
  charges: ChargeFact[];
  header: { charges: string; tax: string };
  returns: OneReturn[];
  refunds: RefundRow[];
  fees: ReturnFeeRow[];
  /** Units that the customer returned minus units that went back to the customer, by the moves of stock. */
  moved: number;
  settings: ReturnSettings;
  ids: number;
}

interface Start {
  lines: readonly { ordered: number; price: number; charges: number; tax: number }[];
  header?: number;
  settings: ReturnSettings;
}

function newWorld({ lines, header = 499, settings }: Start): World {
  const order = {
    client_id: 'TOWN',
    fulfillment_order_id: 'ORDER',
    store_id: 'TOWN_US',
    node_id: 'A',
    currency: 'USD',
    fulfillment_type: 'STORE_PICK_UP',
    ended_at: null,
    updated_at: NOON,
  } as FulfillmentOrderRow;
  const cents = (amount: number) => (amount / 100).toFixed(2);
  return {
    order,
    lines: lines.map(
      ({ ordered, price, charges, tax }, index) =>
        ({
          client_id: 'TOWN',
          fulfillment_order_id: 'ORDER',
          line_index: index,
          web_line_id: String(index + 1),
          // Every second line has the same item, so that returned units can belong to several lines.
          item_id: `SKU-${index % 2}`,
          ordered,
          unit_price: cents(price),
          charges: cents(charges),
          tax: cents(tax),
          handed_over: 0,
          came_back: 0,
          coming_back: 0,
        }) as OrderLineRow,
    ),
    charges: [],
    header: { charges: cents(header), tax: '0.41' },
    returns: [],
    refunds: [],
    fees: [],
    moved: 0,
    settings,
    ids: 0,
  };
}

/** Returns a function that picks a number less than `below`, from the numbers of a step. */
function picking(numbers: readonly number[]): (below: number) => number {
  let next = 0;
  return (below) => numbers[next++ % numbers.length]! % Math.max(1, below);
}

/** Hands over and charges more units; the first charge includes the header amounts of the order. */
function handOver(world: World, pick: (below: number) => number): void {
  const parts = world.lines.map((line) => {
    const units = pick(line.ordered - line.handed_over + 1);
    return { line, units, from: line.handed_over };
  });
  if (parts.every(({ units }) => units === 0)) return;
  const isFirst = world.charges.length === 0;
  const dues = { ...(isFirst ? world.header : { charges: '0', tax: '0' }), cash: null, credit: big('0') };
  const { items, total } = amountsOf(parts, dues, 'USD');
  world.charges.push({
    at: NOON,
    hasHeader: isFirst,
    cash: pick(2) === 0 ? '0' : '3',
    grandTotal: String(total.grandTotal),
    amounts: {
      orderTotal: total,
      items: items.map((itemTotal, index) => ({
        webLineId: parts[index]!.line.web_line_id,
        quantity: parts[index]!.units,
        itemTotal,
      })),
    },
  });
  for (const { line, units } of parts) line.handed_over += units;
}

function factsOf(world: World, but: string): OrderFacts {
  return {
    order: world.order,
    lines: world.lines,
    charges: world.charges,
    header: world.header,
    returned: world.returns
      .filter(({ row }) => row.return_id !== but)
      .flatMap(({ row, lines }) =>
        lines
          .filter((line) => line.line_index !== null)
          .map((line) => ({
            returnId: row.return_id,
            isCounted: row.counted === 1,
            isOpen: row.status === 'RECEIVING',
            lineIndex: line.line_index!,
            units: cameOf(line),
          })),
      ),
    refunds: world.refunds,
    fees: world.fees,
  };
}

function newReturn(world: World, kind: ReturnRow['kind']): OneReturn {
  const row = {
    client_id: 'TOWN',
    return_id: `return-${++world.ids}`,
    store_id: 'TOWN_US',
    number: String(world.ids),
    kind,
    status: kind === 'BY_MAIL' ? 'REQUESTED' : 'RECEIVING',
    revision: 0,
    node_id: null,
    expected_node_id: null,
    override_reason: null,
    counted: 0,
    fee_taken: 0,
    receipts: 0,
    exchanges: EMPTY_LIST,
  } as unknown as ReturnRow;
  return { row, lines: [], held: [], receipts: [] };
}

/** Plans an action, checks the plan and executes it; returns false if the plan rejects the action. */
function act(world: World, one: OneReturn, action: Action): boolean {
  const isNew = !world.returns.includes(one);
  const subject: Subject = {
    ...one,
    orders: new Map([['ORDER', factsOf(world, one.row.return_id)]]),
    excluded: new Set(),
  };
  const before = JSON.stringify([world, one]);
  const plan = planReturn(subject, action, { settings: world.settings, now: NOON, newId: () => `id-${++world.ids}` });
  if (plan.outcome !== 'done') {
    // A rejected action changes nothing.
    expect(JSON.stringify([world, one])).toBe(before);
    return false;
  }
  if (!isNew) expect(RETURN_TRANSITIONS[one.row.status][action.type as 'close']).not.toBe('refused');
  else world.returns.push(one);
  save(world, one, plan.change);
  return true;
}

function save(world: World, one: OneReturn, change: Change): void {
  one.row = change.row;
  one.lines = change.lines.map((line) => ({ ...line }));
  for (const { lineIndex, cameBack, comingBack } of change.orderUnits) {
    Object.assign(world.lines[lineIndex]!, { came_back: cameBack, coming_back: comingBack });
  }
  for (const row of change.held) {
    one.held = one.held.filter((own) => own.position !== row.position || own.node_id !== row.node_id);
    if (row.units > 0) one.held.push(row);
  }
  if (change.receipt !== undefined) {
    const { entries, ...receipt } = change.receipt;
    one.receipts.push({ ...receipt, lines: stringifyJson(entries) });
  }
  for (const { from, to, quantity } of change.moves.moves) {
    world.moved += from === 'CUSTOMER' ? quantity : to === 'CUSTOMER' ? -quantity : 0;
  }
  const canceled = new Set(change.canceledRefunds.map((row) => row.refund_id));
  for (const refund of world.refunds) if (canceled.has(refund.refund_id)) refund.status = 'CANCELED';
  world.refunds.push(...change.newRefunds);
  world.fees.push(...change.newFees);
}

const SHIPPING = ['WHEN_ALL', 'NEVER', 'ALWAYS'] as const;

const ACTIONS = [
  'handOver',
  'change',
  'request',
  'take',
  'receive',
  'receive',
  'correct',
  'dispose',
  'match',
  'close',
  'close',
  'reopen',
  'cancel',
  'expire',
  'answer',
] as const;

interface Step {
  action: (typeof ACTIONS)[number];
  numbers: readonly number[];
}

function counted(world: World, below: (limit: number) => number) {
  const ids = [...new Set(world.lines.map((line) => line.item_id))];
  const disposition = DISPOSITIONS[below(4)]!;
  return { pointer: '/lines/0', itemId: ids[below(ids.length)]!, units: 1 + below(4), disposition };
}

function step(world: World, { action, numbers }: Step): void {
  const below = picking(numbers);
  if (action === 'handOver') {
    handOver(world, below);
    return;
  }
  if (action === 'change') {
    world.settings = { ...world.settings, refundShipping: SHIPPING[below(3)]! };
    return;
  }
  if (action === 'answer') {
    const refund = world.refunds[below(world.refunds.length)];
    if (refund?.status === 'DUE' || refund?.status === 'FAILED') refund.status = below(2) === 0 ? 'DONE' : 'FAILED';
    return;
  }
  const at = { nodeId: NODES[below(2)]!, userId: 'ana' };
  const lineIndex = below(world.lines.length);
  const units = 1 + below(4);
  const opening = { number: '1', exchanges: [] };
  const ofOrder = { pointer: '/lines/0', orderId: 'ORDER', lineIndex, units };
  if (action === 'request') {
    const lines = [ofOrder, { ...ofOrder, lineIndex: below(world.lines.length), reason: 'OTHER' }];
    act(world, newReturn(world, 'BY_MAIL'), { type: 'request', kind: 'BY_MAIL', lines, expiresAt: NOON, ...opening });
    return;
  }
  if (action === 'take') {
    const blind = below(4) === 0;
    const line = { ...counted(world, below), ...(blind ? {} : { orderId: 'ORDER' }) };
    const one = newReturn(world, blind ? 'BLIND' : 'IN_STORE');
    const more = { takeId: `id-${++world.ids}`, keepsOpen: below(2) === 0, isSupervised: false, ...opening, ...at };
    act(world, one, { type: 'take', lines: [line], ...more });
    return;
  }
  const one = world.returns[below(world.returns.length)];
  if (one !== undefined) work(world, one, action, { below, at, ofOrder });
}

function work(
  world: World,
  one: OneReturn,
  type: Exclude<Step['action'], 'handOver' | 'change' | 'answer' | 'request' | 'take'>,
  { below, at, ofOrder }: { below: (limit: number) => number; at: { nodeId: string; userId: string }; ofOrder: object },
): void {
  const id = `id-${++world.ids}`;
  const position = 1 + below(one.lines.length);
  const units = 1 + below(3);
  const pointer = '/lines/0';
  switch (type) {
    case 'receive': {
      const { itemId, ...line } = counted(world, below);
      const lines = [below(2) === 0 ? { ...line, itemId } : { ...line, position }];
      const more = { acceptsOver: below(2) === 0, isSupervised: false };
      act(world, one, { type, receiptId: id, at: NOON, lines, ...more, ...at });
      return;
    }
    case 'correct': {
      const receipt = one.receipts[below(one.receipts.length)];
      if (receipt === undefined) return;
      const entry = (JSON.parse(receipt.lines) as { position: number; disposition: 'SHELF'; quantity: number }[])[0]!;
      const line = { pointer, position: entry.position, disposition: entry.disposition, units: -units };
      const of = { receiptId: id, at: NOON, corrects: receipt.receipt_id, lines: [line] };
      act(world, one, { type, ...of, nodeId: receipt.node_id, userId: 'ana' });
      return;
    }
    case 'dispose':
      act(world, one, { type, disposeId: id, lines: [{ pointer, position, units, to: DISPOSALS[below(5)]! }], ...at });
      return;
    case 'match':
      act(world, one, { type, matchId: id, lines: [{ ...(ofOrder as never as MatchLine), position }], ...at });
      return;
    case 'close':
      act(world, one, { type, closeId: id, userId: 'ana' });
      return;
    case 'reopen':
      act(world, one, { type, userId: 'ana', reason: 'More came' });
      return;
    default:
      act(world, one, { type });
  }
}

type MatchLine = Extract<Action, { type: 'match' }>['lines'][number];

const liveSum = (world: World) =>
  world.refunds.filter(({ status }) => status !== 'CANCELED').reduce((sum, { amount }) => sum.plus(amount), big('0'));

/** Returns what the order charged. A sum below 0, of a discount above the goods, refunds nothing. */
function totalOf(world: World) {
  const { total } = moneyOf(factsOf(world, ''));
  return total.lt(0) ? big('0') : total;
}

/**
 * Checks I44, I45 and I46 (docs/reliability.md), and the sums of the moves. `before` is the sum of the refunds before
 * the step: paid refunds do not change if the hand-over of a coupon lowers the total.
 */
function expectSums(world: World, before = big('0')): void {
  const all = world.returns.flatMap(({ lines }) => lines);
  for (const line of world.lines) {
    const own = all.filter((one) => one.line_index === line.line_index);
    const sum = (of: (one: ReturnLineRow) => number) => own.reduce((total, one) => total + of(one), 0);
    expect([line.came_back, line.coming_back]).toEqual([sum(cameOf), sum(openOf)]);
    expect(line.came_back + line.coming_back).toBeLessThanOrEqual(line.handed_over);
  }
  for (const { row, lines, held } of world.returns) {
    for (const line of lines) {
      const counters = [line.sellable, line.damaged, line.held, line.given_back, line.missing, line.over, openOf(line)];
      expect(Math.min(...counters)).toBeGreaterThanOrEqual(0);
      if (row.status !== 'REQUESTED' && row.status !== 'RECEIVING') expect(openOf(line)).toBe(0);
      const here = held.filter(({ position }) => position === line.position);
      expect(here.reduce((sum, { units }) => sum + units, 0)).toBe(line.held);
    }
  }
  expect(world.moved).toBe(all.reduce((sum, line) => sum + cameOf(line), 0));
  const [live, total] = [liveSum(world), totalOf(world)];
  expect(live.lte(before.gt(total) ? before : total)).toBe(true);
  for (const { shipping, amount, fee } of world.refunds) {
    expect(big(shipping).gte(0) && big(shipping).lte(big(amount).plus(fee))).toBe(true);
  }
}

/** Gives the held units of each closed return back to the customer. */
function giveBackHeld(world: World): void {
  for (const one of world.returns.filter(({ row }) => row.status === 'CLOSED')) {
    for (const { position, units, node_id: nodeId } of one.held) {
      const lines = [{ pointer: '/lines/0', position, units, to: 'CUSTOMER' as const }];
      act(world, one, { type: 'dispose', disposeId: `id-${++world.ids}`, lines, nodeId, userId: 'ana' });
    }
  }
}

/** Reopens and closes each closed return. */
function closeAgain(world: World): void {
  for (const one of world.returns.filter(({ row }) => row.status === 'CLOSED')) {
    act(world, one, { type: 'reopen', userId: 'ana', reason: 'Nothing came' });
    act(world, one, { type: 'close', closeId: `id-${++world.ids}`, userId: 'ana' });
  }
}

const amount = (max: number) => fc.integer({ min: 0, max });
const starts = fc.record({
  lines: fc.array(
    fc.oneof(
      fc.record({
        ordered: fc.integer({ min: 1, max: 7 }),
        price: amount(5_000),
        charges: amount(900),
        tax: amount(900),
      }),
      // A coupon.
      fc.record({
        ordered: fc.constant(1),
        price: fc.constant(0),
        charges: fc.integer({ min: -900, max: 0 }),
        tax: fc.constant(0),
      }),
    ),
    { minLength: 1, maxLength: 4 },
  ),
  header: fc.oneof(amount(900), fc.integer({ min: -4_000, max: 0 })),
  settings: fc
    .record({
      refundShipping: fc.constantFrom(...SHIPPING),
      refundOn: fc.constantFrom('CLOSED' as const, 'RECEIVED' as const),
      fee: fc.constantFrom(0, 0, 2.5),
      blind: fc.constantFrom('HOLD' as const, 'ALLOW' as const),
    })
    .map((more): ReturnSettings => ({ ...DEFAULT_RETURNS, ...more })),
});
const steps = fc.array(
  fc.record({ action: fc.constantFrom(...ACTIONS), numbers: fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 }) }),
  { minLength: 30, maxLength: 60 },
);

describe('returns of an order, in random sequences', () => {
  it('each step keeps every sum of units, moves and refunds, and a rejected step changes nothing', () => {
    const done = new Map<string, number>();
    let count = 0;
    fc.assert(
      fc.property(starts, steps, (start, sequence) => {
        const world = newWorld(start);
        for (const one of sequence) {
          const before = world.returns.map(({ row }) => row.revision).join();
          const live = liveSum(world);
          step(world, one);
          count += 1;
          expectSums(world, live);
          if (world.returns.map(({ row }) => row.revision).join() !== before) {
            done.set(one.action, (done.get(one.action) ?? 0) + 1);
          }
        }
      }),
      { numRuns: 500, seed: 24 },
    );
    expect(count).toBeGreaterThan(10_000);
    // Every action of a return must succeed often enough, otherwise the property does not test it.
    for (const action of ACTIONS) {
      if (!['handOver', 'change', 'answer'].includes(action)) expect(done.get(action), action).toBeGreaterThan(20);
    }
  });

  it('a return that is reopened and closed keeps its refunds: without a change all of them, after a change to NEVER all that are due', () => {
    fc.assert(
      fc.property(starts, steps, (start, sequence) => {
        const world = newWorld(start);
        for (const one of sequence) step(world, one);
        // The first time, a hand-over or a change of the settings can still change the amounts.
        closeAgain(world);
        // A decision itself corrects the refunds of a closed return.
        giveBackHeld(world);
        const before = JSON.stringify([world.refunds, world.fees]);
        closeAgain(world);
        expect(JSON.stringify([world.refunds, world.fees])).toBe(before);
        const canceled = () => world.refunds.filter(({ status }) => status === 'CANCELED').length;
        const canceledBefore = canceled();
        world.settings = { ...world.settings, refundShipping: 'NEVER' };
        closeAgain(world);
        expect(canceled()).toBe(canceledBefore);
      }),
      { numRuns: 400, seed: 25 },
    );
  });

  it('without fees, all parts that come back together are refunded exactly what was charged', () => {
    fc.assert(
      fc.property(starts, fc.array(fc.nat(1_000), { minLength: 12, maxLength: 12 }), (start, numbers) => {
        const settings = { ...start.settings, fee: 0, refundShipping: 'WHEN_ALL' as const };
        const world = newWorld({ ...start, settings });
        const below = picking(numbers);
        // Hands over units and returns units in turn, until every unit was returned.
        for (let round = 0; round < 40; round++) {
          if (round % 3 === 0) handOver(world, round < 30 ? below : (limit) => limit - 1);
          for (const line of world.lines) {
            const left = line.handed_over - line.came_back;
            const units = round < 36 ? below(left + 1) : left;
            if (units === 0) continue;
            const taken = { pointer: '', orderId: 'ORDER', lineIndex: line.line_index, itemId: line.item_id, units };
            const isTaken = act(world, newReturn(world, 'IN_STORE'), {
              type: 'take',
              takeId: `id-${++world.ids}`,
              lines: [{ ...taken, disposition: 'SHELF' }],
              keepsOpen: false,
              isSupervised: false,
              number: '1',
              exchanges: [],
              nodeId: 'A',
              userId: 'ana',
            });
            expect(isTaken).toBe(true);
            expect(liveSum(world).lte(totalOf(world))).toBe(true);
          }
        }
        expect(world.lines.map((line) => line.came_back)).toEqual(world.lines.map((line) => line.ordered));
        expect(liveSum(world).toFixed(2)).toBe(totalOf(world).toFixed(2));
      }),
      { numRuns: 200 },
    );
  });
});

describe('a discount of the whole order with two reopened returns above fourEyes', () => {
  /**
   * Returns an order of 10.00, 20.00 and 20.00 with a discount of 15.00. The last line is refunded with 5.00; the others
   * came back with two reopened returns that wait for their close.
   */
  const waiting = () => {
    const settings: ReturnSettings = { ...DEFAULT_RETURNS, fourEyes: 4 };
    const lines = [1_000, 2_000, 2_000].map((price) => ({ ordered: 1, price, charges: 0, tax: 0 }));
    const world = newWorld({ lines, header: -1_541, settings });
    handOver(world, (limit) => limit - 1);
    const closeIt = (one: OneReturn) => act(world, one, { type: 'close', closeId: `id-${++world.ids}`, userId: 'ben' });
    const line = { pointer: '/lines/0', units: 1 };
    const returns = [2, 0, 1].map((lineIndex) => {
      const one = newReturn(world, 'BY_MAIL');
      const asked = { lines: [{ ...line, orderId: 'ORDER', lineIndex }], expiresAt: NOON, number: '1', exchanges: [] };
      act(world, one, { type: 'request', kind: 'BY_MAIL', ...asked });
      const receive = (disposition: 'SHELF' | 'GIVEN_BACK') =>
        act(world, one, {
          type: 'receive',
          receiptId: `id-${++world.ids}`,
          at: NOON,
          lines: [{ ...line, position: 1, disposition }],
          acceptsOver: true,
          isSupervised: false,
          nodeId: 'A',
          userId: 'ana',
        });
      return { one, receive };
    });
    const [paid, first, second] = returns as [(typeof returns)[0], (typeof returns)[0], (typeof returns)[0]];
    paid.receive('SHELF');
    closeIt(paid.one);
    for (const { one, receive } of [first, second]) {
      receive('GIVEN_BACK');
      closeIt(one);
      act(world, one, { type: 'reopen', userId: 'ana', reason: 'More came' });
    }
    for (const { receive } of [first, second]) receive('SHELF');
    const shown = () =>
      world.refunds.map(({ return_id: id, amount, status }) => `${id} ${status} ${big(amount).toFixed(2)}`);
    const ids = [paid, first, second].map(({ one }) => one.row.return_id) as [string, string, string];
    expect(shown()).toEqual([`${ids[0]} DUE 5.00`]);
    return { world, paid: paid.one, first: first.one, second: second.one, closeIt, shown, ids };
  };

  it('each close requests the amount of its own goods', () => {
    const { first, second, closeIt, shown, ids } = waiting();
    closeIt(first);
    expect(shown()).toEqual([`${ids[0]} DUE 5.00`, `${ids[1]} DUE 10.00`]);
    closeIt(second);
    expect(shown()).toEqual([`${ids[0]} DUE 5.00`, `${ids[1]} DUE 10.00`, `${ids[2]} DUE 20.00`]);
  });

  it('the close of the return whose refund bore the discount requests nothing of the others', () => {
    const { world, paid, first, closeIt, shown, ids } = waiting();
    act(world, paid, { type: 'reopen', userId: 'ana', reason: 'More came' });
    closeIt(paid);
    expect(shown()).toEqual([`${ids[0]} DUE 5.00`]);
    closeIt(first);
    expect(shown()).toEqual([`${ids[0]} DUE 5.00`, `${ids[1]} DUE 10.00`]);
  });

  it('a correction of one leaves the refund of a third return as it is', () => {
    const { world, first, second, closeIt, shown, ids } = waiting();
    const { receipt_id: corrects, lines } = first.receipts.at(-1)!;
    const { position } = (JSON.parse(lines) as { position: number }[])[0]!;
    const line = { pointer: '/lines/0', position, disposition: 'SHELF' as const, units: -1 };
    const of = { receiptId: 'correction', at: NOON, corrects, lines: [line] };
    expect(act(world, first, { type: 'correct', ...of, nodeId: 'A', userId: 'ana' })).toBe(true);
    expect(shown()).toEqual([`${ids[0]} DUE 5.00`]);
    closeIt(second);
    expect(shown()).toEqual([`${ids[0]} DUE 5.00`, `${ids[2]} DUE 20.00`]);
  });
});

describe('the window of a line', () => {
  const day = 24 * 60 * 60 * 1000;
  const settings = { ...DEFAULT_RETURNS, windowDays: 30 };
  /**
   * Returns the facts of an order with two lines. The units of the first line were handed over or shipped at two times.
   */
  const parcel = (type: string, expected: number | null): OrderFacts => {
    const world = newWorld({ lines: [1, 2].map(() => ({ ordered: 2, price: 100, charges: 0, tax: 0 })), settings });
    const left = (at: number, webLineId: string) =>
      ({
        at,
        hasHeader: false,
        cash: '0',
        grandTotal: '1',
        amounts: { items: [{ webLineId }] },
      }) as unknown as ChargeFact;
    world.charges.push(left(NOON, '1'), left(NOON + 5 * day, '1'), left(NOON + day, '2'));
    for (const line of world.lines) line.handed_over = 2;
    Object.assign(world.order, { fulfillment_type: type, expected_delivery_date: expected });
    return factsOf(world, '');
  };
  const untils = (facts: OrderFacts, more: Partial<ReturnSettings> = {}) =>
    facts.lines.map((line) => (untilOf(facts, line, { ...settings, ...more })! - NOON) / day);

  it('counts from the hand-over of its last units, whatever the expected delivery of goods that are collected', () => {
    expect(untils(parcel('STORE_PICK_UP', NOON + 9 * day))).toEqual([35, 31]);
  });

  it('of goods sent by carrier counts from the later of shipping and expected delivery, with SHIPPED from shipping', () => {
    const facts = parcel('SHIP_TO_HOME', NOON + 3 * day);
    expect(untils(facts)).toEqual([35, 33]);
    expect(untils(facts, { windowFrom: 'SHIPPED' })).toEqual([35, 31]);
    expect(untils(parcel('SHIP_TO_HOME', null))).toEqual([35, 31]);
    expect(returnableUntil(facts, settings)).toBe(NOON + 35 * day);
  });

  it('includes its last instant; a window of 0 days is over at once, and a lead lifts both', () => {
    const facts = parcel('STORE_PICK_UP', null);
    const rules = (now: number, more: { windowDays?: number; isOverridden?: boolean } = {}) => {
      const { windowDays = 30, isOverridden = false } = more;
      const own = { storeId: 'TOWN_US', excluded: new Set<string>(), settings: { ...settings, windowDays } };
      return reasonsAgainst(facts, facts.lines[1]!, 1, { ...own, now, isOverridden }).map(({ rule }) => rule);
    };
    const end = NOON + 31 * day;
    expect([rules(end), rules(end + 1), rules(end + 1, { isOverridden: true })]).toEqual([[], ['WINDOW_OVER'], []]);
    expect(rules(NOON + day, { windowDays: 0 })).toEqual(['WINDOW_OVER']);
  });
});
