/**
 * The moves of clerks on goods that customers return. They request returns, take goods back with an immediate close,
 * and send receipts, corrections, decisions, matches, closes and the outcomes of refunds. The goods come back to the
 * warehouse.
 */
import { type Back, type BackLine, type BackReceipt, NO_UNITS, type Order, type World } from '../world.ts';
import type { Clerk, Move, Moves, Wish } from './clerk.ts';
import { type Flow, flowed } from './stock.ts';
import { CLIENT, OTHER_NODE_ID, OWN, STORE_ID, WHO } from './words.ts';

const RETURNS = `${OWN}/stores/${STORE_ID}/returns`;
const NODE = `${CLIENT}/nodes/${OTHER_NODE_ID}/returns`;

const COUNTERS = { SHELF: 'sellable', DAMAGED: 'damaged', HELD: 'held', GIVEN_BACK: 'givenBack' } as const;
type Disposition = keyof typeof COUNTERS;
const DISPOSITIONS = Object.keys(COUNTERS) as Disposition[];

const DISPOSALS = { SHELF: 'sellable', DAMAGED: 'damaged', SUPPLIER: 'damaged', COUNT: 'damaged' } as const;
type Disposal = keyof typeof DISPOSALS;

/** Units of each line of an order: the returned units, and the units on their way back. */
type Units = [cameBack: number, comingBack: number][];

const openOf = (line: BackLine) =>
  line.requested + line.over - line.sellable - line.damaged - line.held - line.givenBack - line.missing;
const cameOf = (line: BackLine) => line.sellable + line.damaged + line.held;

function unitsOf(clerk: Clerk, orderId: string): Units {
  const known = clerk.world.get(`back:${orderId}`) as Units | null | undefined;
  return known ?? clerk.order(orderId).lines.map(() => [0, 0]);
}

const leftOf = (order: Order, units: Units, line: number) =>
  order.lines[line]!.handed_over - units[line]![0] - units[line]![1];

/** A change of a return, of the returned units of its order, and of the stock levels of its items. */
class Change {
  readonly #clerk: Clerk;
  readonly #number: string;
  readonly #orderId: string | null;
  readonly #units: Units;
  readonly #flows = new Map<string, Flow[]>();
  readonly back: Back;

  constructor(
    clerk: Clerk,
    number: string,
    before: Back,
    orderId = before.lines.find(({ order }) => order)?.order ?? null,
  ) {
    this.#clerk = clerk;
    this.#number = number;
    this.#orderId = orderId;
    this.#units = orderId === null ? [] : unitsOf(clerk, orderId).map(([came, coming]) => [came, coming]);
    this.back = structuredClone(before);
  }

  /**
   * Changes the units of the order line that belongs to a line of the return: the returned units, and the units on
   * their way back.
   */
  add(line: BackLine, cameBack: number, comingBack: number): void {
    if (line.line === null) return;
    const units = this.#units[line.line]!;
    units[0] += cameBack;
    units[1] += comingBack;
  }

  left(line: BackLine): number {
    return leftOf(this.#clerk.order(this.#orderId!), this.#units, line.line!);
  }

  flow(item: string, ...flow: Flow): void {
    this.#flows.set(item, [...(this.#flows.get(item) ?? []), flow]);
  }

  /** Adds units of a line to a receipt. Negative units correct an earlier receipt. */
  count(receipt: BackReceipt, line: BackLine, disposition: Disposition, units: number): void {
    line[COUNTERS[disposition]] += units;
    receipt[2].push([this.back.lines.indexOf(line) + 1, disposition, units]);
    if (disposition === 'GIVEN_BACK') return;
    this.add(line, units, 0);
    this.flow(line.item, 'CUSTOMER', disposition, units);
  }

  /** Closes the return, and marks its open units as missing. */
  close(): void {
    for (const line of this.back.lines) {
      const open = openOf(line);
      line.missing += open;
      this.add(line, 0, -open);
    }
    Object.assign(this.back, { state: 'CLOSED', isCounted: true });
  }

  /**
   * Adds a refund if more units of the order are counted than before this change. Returns the number of events for the
   * refund: 1, or 0 without a refund.
   */
  raise(): number {
    if (!this.back.isCounted || this.#orderId === null) return 0;
    const others = this.#clerk.all<Back>('return', (_one, number) => number !== this.#number);
    const counted = (all: readonly Back[]) =>
      all
        .flatMap(({ isCounted, lines }) => (isCounted ? lines : []))
        .reduce((sum, line) => {
          return sum + (line.order === this.#orderId ? cameOf(line) : 0);
        }, 0);
    const before = this.#clerk.world.get(`return:${this.#number}`) as Back | undefined;
    const all = others.map(([, one]) => one);
    if (counted([...all, this.back]) <= counted(before === undefined ? all : [...all, before])) return 0;
    this.back.refunds.push('DUE');
    return 1;
  }

  get effect(): World {
    const effect: World = new Map([[`return:${this.#number}`, this.back]]);
    if (this.#orderId !== null) {
      const isSome = this.#units.some(([came, coming]) => came > 0 || coming > 0);
      effect.set(`back:${this.#orderId}`, isSome ? this.#units : null);
    }
    for (const [item, flows] of this.#flows) flowed(this.#clerk, item, flows, effect);
    return effect;
  }
}

const newBack = (state: Back['state']): Back => ({
  state,
  isInTransit: false,
  isCounted: false,
  lines: [],
  receipts: [],
  refunds: [],
});

interface Shown {
  number: string;
  returnId: string;
  refunds: { refundId: string }[];
}

/** Stores the ids of a return and of its refunds from a response. */
function learnIds(clerk: Clerk, text: string): undefined {
  const body = JSON.parse(text) as Shown & { return?: Shown };
  const { number, returnId, refunds } = body.return ?? body;
  clerk.returnIds.set(number, { returnId, refundIds: refunds.map(({ refundId }) => refundId) });
}

const send = (clerk: Clerk, wish: Wish) => clerk.sent({ ...wish, learn: (text) => learnIds(clerk, text) });

/** Returns a random order line with units that can be returned; undefined if there is none. */
function returnable(clerk: Clerk) {
  const orders = clerk.orders((order) => !order.isBlanked && order.lines.some((line) => line.handed_over > 0));
  const found = orders.flatMap(([id, order]) => {
    const units = unitsOf(clerk, id);
    return order.lines.flatMap((line, index) => {
      const left = leftOf(order, units, index);
      return left > 0 ? [{ id, index, item: line.item, web: line.web, left }] : [];
    });
  });
  return clerk.pick(found);
}

/** Returns a random return that the clerk knows by its id and that passes the filter; undefined if there is none. */
function known(clerk: Clerk, isWanted: (back: Back) => boolean) {
  const found = clerk.pick(clerk.all<Back>('return', (back, number) => clerk.returnIds.has(number) && isWanted(back)));
  if (found === undefined) return undefined;
  const [number, back] = found;
  const { returnId, refundIds } = clerk.returnIds.get(number)!;
  return { number, back, refundIds, path: `${NODE}/${returnId}` };
}

const request: Move = (clerk) => {
  const found = returnable(clerk);
  if (found === undefined) return undefined;
  const number = clerk.newId('-q');
  const quantity = 1 + clerk.below(found.left);
  const change = new Change(clerk, number, newBack('REQUESTED'), found.id);
  const line = { order: found.id, line: found.index, item: found.item, ...NO_UNITS, requested: quantity };
  change.back.lines.push(line);
  change.add(line, 0, quantity);
  const lines = [{ fulfillmentOrderId: found.id, webLineId: found.web, quantity }];
  return send(clerk, { method: 'POST', path: RETURNS, body: { number, lines }, effect: change.effect, events: 1 });
};

/** Takes goods back and closes the return in the same request, with the order or without papers. */
const take: Move = (clerk) => {
  const isBlind = clerk.chance(0.3);
  const found = isBlind ? undefined : returnable(clerk);
  const item = isBlind ? clerk.pick(clerk.all('item', () => true))?.[0] : found?.item;
  if (item === undefined) return undefined;
  const number = clerk.newId('-t');
  const quantity = 1 + clerk.below(found?.left ?? 3);
  const change = new Change(clerk, number, newBack('RECEIVING'), found?.id ?? null);
  const disposition = isBlind ? 'HELD' : clerk.pick(DISPOSITIONS)!;
  const line: BackLine = {
    order: found?.id ?? null,
    line: found?.index ?? null,
    item,
    ...NO_UNITS,
    [isBlind ? 'over' : 'requested']: quantity,
  };
  change.back.lines.push(line);
  const receipt: BackReceipt = [number, null, []];
  change.back.receipts.push(receipt);
  change.count(receipt, line, disposition, quantity);
  change.close();
  const refunds = change.raise();
  const of = found === undefined ? { itemId: item } : { fulfillmentOrderId: found.id, webLineId: found.web };
  const condition = { SHELF: 'GOOD', DAMAGED: 'DAMAGED', HELD: 'OPENED', GIVEN_BACK: 'NOT_OURS' }[disposition];
  const body = { takeId: number, userId: WHO, storeId: STORE_ID, number, lines: [{ ...of, quantity, condition }] };
  return send(clerk, { method: 'POST', path: NODE, body, effect: change.effect, events: 2 + refunds });
};

const read: Move = (clerk) => {
  const number = clerk.pick(clerk.all('return', () => true))?.[0];
  return number === undefined ? undefined : send(clerk, { method: 'GET', path: `${RETURNS}/${number}` });
};

const inTransit: Move = (clerk) => {
  const found = known(clerk, ({ state, isInTransit }) => state === 'REQUESTED' && !isInTransit);
  if (found === undefined) return undefined;
  const { number, back } = found;
  const effect = new Map([[`return:${number}`, { ...back, isInTransit: true }]]);
  return send(clerk, { method: 'POST', path: `${RETURNS}/${number}/inTransit`, body: {}, effect, events: 1 });
};

const cancel: Move = (clerk) => {
  const found = known(clerk, ({ state }) => state === 'REQUESTED');
  if (found === undefined) return undefined;
  const change = new Change(clerk, found.number, found.back);
  change.close();
  Object.assign(change.back, { state: 'CANCELED', isCounted: false });
  const path = `${RETURNS}/${found.number}/cancel`;
  return send(clerk, { method: 'POST', path, body: {}, effect: change.effect, events: 1 });
};

const receive: Move = (clerk) => {
  const found = known(clerk, ({ lines }) => lines.some((line) => openOf(line) > 0));
  if (found === undefined) return undefined;
  const change = new Change(clerk, found.number, found.back);
  const index = change.back.lines.findIndex((line) => openOf(line) > 0);
  const line = change.back.lines[index]!;
  const quantity = 1 + clerk.below(openOf(line));
  const disposition = clerk.pick(DISPOSITIONS)!;
  const receipt: BackReceipt = [clerk.newId('-b'), null, []];
  change.back.state = 'RECEIVING';
  change.back.receipts.push(receipt);
  change.add(line, 0, -quantity);
  change.count(receipt, line, disposition, quantity);
  // Units of a reopened return are already counted, so additional units are refunded immediately.
  const refunds = change.raise();
  const body = { receiptId: receipt[0], userId: WHO, lines: [{ position: index + 1, quantity, disposition }] };
  const path = `${found.path}/receipts`;
  return send(clerk, { method: 'POST', path, body, effect: change.effect, events: 1 + refunds });
};

/**
 * Undoes a whole receipt before the first close. After a close, the correction would change refunds, which the campaign
 * `model` covers.
 */
const correct: Move = (clerk) => {
  const found = known(clerk, ({ state, isCounted }) => state === 'RECEIVING' && !isCounted);
  if (found === undefined) return undefined;
  const { receipts, lines } = found.back;
  const receipt = clerk.pick(
    receipts.filter(([id, corrects]) => corrects === null && !receipts.some((one) => one[1] === id)),
  );
  const [position, disposition, quantity] = receipt?.[2][0] ?? [0, 'SHELF', 0];
  const kind = disposition as Disposition;
  if (receipt === undefined || lines[position - 1]![COUNTERS[kind]] < quantity) return undefined;
  const change = new Change(clerk, found.number, found.back);
  const line = change.back.lines[position - 1]!;
  const correction: BackReceipt = [clerk.newId('-b'), receipt[0], []];
  change.back.receipts.push(correction);
  change.count(correction, line, kind, -quantity);
  // Another return may have requested units of the undone receipt in the meantime. Such units are missing in this
  // return.
  const again = Math.min(quantity, change.left(line));
  line.missing += quantity - again;
  change.add(line, 0, again);
  const counters = Object.values(COUNTERS);
  const isUndone = change.back.lines.every((one) => counters.every((counter) => one[counter] === 0));
  if (isUndone) change.back.state = 'REQUESTED';
  const body = {
    receiptId: correction[0],
    userId: WHO,
    corrects: receipt[0],
    lines: [{ position, quantity: -quantity, disposition }],
  };
  return send(clerk, { method: 'POST', path: `${found.path}/receipts`, body, effect: change.effect, events: 1 });
};

const dispose: Move = (clerk) => {
  const isIn = ({ state, lines }: Back) =>
    (state === 'RECEIVING' || state === 'CLOSED') && lines.some(({ held }) => held > 0);
  const found = known(clerk, isIn);
  if (found === undefined) return undefined;
  const change = new Change(clerk, found.number, found.back);
  const index = change.back.lines.findIndex(({ held }) => held > 0);
  const line = change.back.lines[index]!;
  const quantity = 1 + clerk.below(line.held);
  const to = clerk.pick(Object.keys(DISPOSALS) as Disposal[])!;
  line.held -= quantity;
  line[DISPOSALS[to]] += quantity;
  change.flow(line.item, 'HELD', to, quantity);
  const body = { disposeId: clerk.newId('-o'), userId: WHO, lines: [{ position: index + 1, quantity, to }] };
  return send(clerk, { method: 'POST', path: `${found.path}/dispose`, body, effect: change.effect, events: 1 });
};

/** Assigns held units without papers to an order line. */
const match: Move = (clerk) => {
  const isBlind = (line: BackLine) => line.order === null && line.held > 0;
  const found = known(clerk, ({ lines }) => lines.length === 1 && lines.some(isBlind));
  const item = found?.back.lines[0]?.item;
  const orders = clerk.orders((order) => !order.isBlanked && order.lines.some((line) => line.item === item));
  const lines = orders.flatMap(([id, order]) => {
    const units = unitsOf(clerk, id);
    return order.lines.flatMap((line, index) => {
      const left = leftOf(order, units, index);
      return line.item === item && left > 0 ? [{ id, index, web: line.web, left }] : [];
    });
  });
  const target = clerk.pick(lines);
  if (found === undefined || target === undefined) return undefined;
  const change = new Change(clerk, found.number, found.back, target.id);
  const blind = change.back.lines[0]!;
  const quantity = 1 + clerk.below(Math.min(blind.held, target.left));
  blind.over -= quantity;
  blind.held -= quantity;
  const own = { order: target.id, line: target.index, item: blind.item, ...NO_UNITS, over: quantity, held: quantity };
  change.back.lines.push(own);
  change.add(own, quantity, 0);
  const refunds = change.raise();
  const line = { position: 1, fulfillmentOrderId: target.id, webLineId: target.web, quantity };
  const body = { matchId: clerk.newId('-m'), userId: 'lead', lines: [line] };
  const path = `${found.path}/match`;
  return send(clerk, { method: 'POST', path, body, effect: change.effect, events: 1 + refunds });
};

const close: Move = (clerk) => {
  const found = known(clerk, ({ state }) => state === 'RECEIVING');
  if (found === undefined) return undefined;
  const change = new Change(clerk, found.number, found.back);
  change.close();
  const refunds = change.raise();
  const body = { closeId: clerk.newId('-z'), userId: WHO };
  const path = `${found.path}/close`;
  return send(clerk, { method: 'POST', path, body, effect: change.effect, events: 1 + refunds });
};

const reopen: Move = (clerk) => {
  const found = known(clerk, ({ state }) => state === 'CLOSED');
  if (found === undefined) return undefined;
  const change = new Change(clerk, found.number, found.back);
  change.back.state = 'RECEIVING';
  for (const line of change.back.lines) {
    if (line.line === null) continue;
    const again = Math.min(line.missing, change.left(line));
    line.missing -= again;
    change.add(line, 0, again);
  }
  const body = { userId: 'lead', reason: 'more came' };
  return send(clerk, { method: 'POST', path: `${found.path}/reopen`, body, effect: change.effect, events: 1 });
};

const answer: Move = (clerk) => {
  const found = known(clerk, ({ refunds }) => refunds.some((status) => status !== 'DONE'));
  const index = found?.back.refunds.findIndex((status) => status !== 'DONE') ?? -1;
  const refundId = found?.refundIds[index];
  if (found === undefined || refundId === undefined) return undefined;
  const outcome = found.back.refunds[index] === 'DUE' && clerk.chance(0.3) ? 'FAILED' : 'DONE';
  const effect = new Map([
    [`return:${found.number}`, { ...found.back, refunds: found.back.refunds.with(index, outcome) }],
  ]);
  return clerk.sent({
    method: 'POST',
    path: `${CLIENT}/refunds/${refundId}/answer`,
    body: { outcome },
    effect,
    events: 1,
  });
};

export const backMoves: Moves = [
  [5, request],
  [6, take],
  [3, read],
  [1, inTransit],
  [1, cancel],
  [5, receive],
  [2, correct],
  [3, dispose],
  [3, match],
  [4, close],
  [2, reopen],
  [3, answer],
];
