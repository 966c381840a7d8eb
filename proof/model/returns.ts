/**
 * Commands of returns: requests, receipts and corrections, decisions, matches, closes, refunds, and the reads of
 * returns.
 */
import { Big } from 'big.js';
import fc from 'fast-check';
import type { Return, Refund as ShownRefund } from '../../src/returns/schema.ts';
import type { Answer } from '../../town/call.ts';
import {
  type Back,
  cameOf,
  DISPOSITIONS,
  type Disposition,
  leftOf,
  openOf,
  type Receipt,
  type Refund,
} from './back.ts';
import {
  allowedOf,
  blindLine,
  close,
  correctable,
  count,
  DISPOSALS,
  type Disposal,
  dispose,
  end,
  expectAgain,
  heldAt,
  lineFor,
  match,
  newBack,
  receiveOpen,
  receiveOver,
  refundsOf,
  takeBack,
} from './backs.ts';
import {
  type Command,
  type Expected,
  lineIn,
  lineOf,
  meant,
  order,
  type Rule,
  rule,
  seldom,
  several,
  share,
  unitsIn,
  webOf,
} from './command.ts';
import type { Model } from './model.ts';
import { dueFor, owes, raise } from './refunds.ts';
import { freshId, pathOf as nodePath } from './stock.ts';
import { type Node, type Order, sum } from './things.ts';
import { itemId, ownPath, skuOf, storeOf, type World } from './world.ts';

const back = { back: fc.constantFrom(0, 1, 2, 3, 4, 5) };
const node = { node: fc.constantFrom<Node>(1, 1, 2, 3) };
const EXPIRE_MINUTES = 3 * 1440;

/** A return condition for each place of returned units, from the default settings. */
const CONDITIONS: Record<Disposition, string> = {
  SHELF: 'GOOD',
  DAMAGED: 'DAMAGED',
  HELD: 'OPENED',
  GIVEN_BACK: 'NOT_OURS',
};

const storePath = (world: World) => `/operator/v1/stores/${storeOf(world)}/returns`;
const numbered = (world: World, { number }: Back) => `${storePath(world)}/${number}`;
const actPath = (world: World, at: Node, { number }: Back, what: string) =>
  `${nodePath(world, at)}/returns/${world.returns.get(number)}/${what}`;

/** Stores the id of a return from the response that created it. */
function learned(world: World, answer: Answer): Answer {
  if (answer.status !== 200 && answer.status !== 201) return answer;
  const body = answer.body as Return & { return?: Return };
  const { number, returnId } = body.return ?? body;
  world.returns.set(number, returnId);
  return answer;
}

/** Reads a path. A read has no Idempotency-Key, so the key of the command is removed for the time of the read. */
async function read(world: World, path: string): Promise<unknown> {
  const { key } = world;
  world.key = undefined;
  const { body } = await world.call('GET', path);
  world.key = key;
  return body;
}

const NOT_OPEN: Expected = { status: 409, code: 'NOT_OPEN' };
const NOT_RETURNABLE: Expected = { status: 409, code: 'NOT_RETURNABLE' };
const BELOW_ZERO: Expected = { status: 400, code: 'BELOW_ZERO' };
const CONFLICT: Expected = { status: 409, code: 'CONFLICT' };

/**
 * Returns the return for a command: one to which the command applies, otherwise any return. Returns undefined if there
 * are no returns.
 */
function known(model: Model, index: number, isFor: (one: Back) => boolean = () => true): Back | undefined {
  const some = model.backs.filter(isFor);
  const all = some.length > 0 ? some : model.backs;
  return all[index % all.length];
}

const hasIt = ({ backs }: Model, command: object) => (backs.length === 0 ? undefined : command);

const lineShown = (line: Back['lines'][number]) => [
  line.of?.order.id ?? null,
  line.of?.line.web ?? null,
  line.sku,
  ...[line.requested, line.over, line.sellable, line.damaged, line.held, line.givenBack, line.missing, openOf(line)],
];

const amountOf = (amount: unknown) => new Big(String(amount)).toFixed();

const refundShown = ({ order: { id }, amount, cash, shipping, fee, status, reference }: Refund) => [
  id,
  ...[amount, cash, shipping, fee].map(amountOf),
  status,
  reference,
];

const refundIn = (refund: ShownRefund) => [
  Number(refund.fulfillmentOrderId),
  ...[refund.amount, refund.collectedAtDoor, refund.shipping, refund.fee].map(amountOf),
  refund.status,
  refund.reference ?? null,
];

function shown(model: Model, one: Back) {
  return [
    one.number,
    one.kind,
    one.state,
    one.lines.map(lineShown),
    one.receipts.map((receipt) => [
      receipt.id,
      receipt.node,
      receipt.corrects,
      receipt.entries.map((entry) => [entry.position, entry.disposition, entry.units]),
    ]),
    refundsOf(model, one).map(refundShown),
    allowedOf(one),
  ];
}

function shownIn(body: Return | { return: Return }, world: World) {
  const one = 'return' in body ? body.return : body;
  return [
    one.number,
    one.kind,
    one.state,
    one.lines.map((line) => [
      line.fulfillmentOrderId === undefined ? null : Number(line.fulfillmentOrderId),
      line.webLineId === undefined ? null : Number(line.webLineId),
      skuOf(line.itemId),
      ...[line.requested, line.over, line.sellable, line.damaged, line.held, line.givenBack, line.missing, line.open],
    ]),
    one.receipts.map((receipt) => [
      receipt.receiptId,
      Number(receipt.nodeId.slice(world.id.length + 1)),
      receipt.corrects ?? null,
      receipt.lines.map((entry) => [entry.position, entry.disposition, entry.quantity]),
    ]),
    one.refunds.map(refundIn),
    one.allowedActions.map(({ action, allowed }) => [action, allowed]),
  ];
}

/** Units of an order line. */
interface Wish {
  line: number;
  units: string;
  disposition?: Disposition;
  /** The number of units in the request. The command keeps it, so that a repeat sends the same number. */
  quantity?: number;
}

const wish = fc.record({ line: lineIn, units: share, disposition: fc.constantFrom(...DISPOSITIONS, 'SHELF' as const) });

function unitsOf(one: Order | undefined, { line, units }: Wish): number {
  return Math.max(1, unitsIn(units, Math.max(0, leftOf(lineOf(one, line) ?? NO_LINE))));
}

const NO_LINE = { handed: 1, cameBack: 0, comingBack: 0 };

const isBack = (one: Order) => sum(one, leftOf) > 0;

/** A message that creates a return. */
interface Made {
  order: number;
  near?: boolean;
  lines: Wish[];
  number?: string;
  /**
   * How an earlier message is sent again: unchanged (`same`) or with different content (`other`); null for a new
   * message.
   */
  again: 'same' | 'other' | null;
}

const again = fc.constantFrom(null, null, null, null, null, null, null, 'same' as const, 'other' as const);

/** Returns the command with returnable units of an order, or with an earlier message; undefined if no order fits. */
function made<C extends Made>(model: Model, command: C, kind: Back['kind']): C | undefined {
  const repeated = model.backs.find((one) => one.kind === kind && command.again !== null);
  if (repeated !== undefined) {
    const before = JSON.parse(repeated.content) as C;
    const lines = before.lines.map((line) => ({
      ...line,
      quantity: line.quantity! + Number(command.again === 'other'),
    }));
    return { ...before, lines, again: command.again };
  }
  const meantOne = meant(model, command, isBack);
  if (meantOne === undefined) return undefined;
  const of = model.orders.get(meantOne.order);
  const useful = meantOne.lines.filter(({ line }) => leftOf(lineOf(of, line) ?? { ...NO_LINE, handed: 0 }) > 0);
  const lines = meantOne.near === true && useful.length > 0 ? useful : meantOne.lines;
  const quantities = lines.map((line) => ({ ...line, quantity: unitsOf(of, line) }));
  return { ...meantOne, lines: quantities, number: `r${model.backs.length}-${model.tried++}`, again: null };
}

/** Returns the error for the units of a message; undefined if all of them can be returned. */
function refusalOf(model: Model, command: Made): Expected | undefined {
  const of = model.orders.get(command.order);
  const lines = command.lines.map((one) => ({ ...one, of: lineOf(of, one.line) }));
  if (lines.some((line) => line.of === undefined)) return { status: 400 };
  const wanted = Map.groupBy(lines, (line) => line.of!);
  for (const [line, some] of wanted) {
    if (some.reduce((units, { quantity }) => units + quantity!, 0) > leftOf(line)) return NOT_RETURNABLE;
  }
  return undefined;
}

const createReturn = rule<Made, Return>({
  weight: 6,
  members: fc.record({ ...order, lines: several(wish, ({ line }) => line), again }),
  fit: (model, command) => made(model, command, 'BY_MAIL'),
  async send(world, command) {
    const { order: id, lines, number } = command;
    const of = world.model.orders.get(id);
    const sent = lines.map(({ line, quantity }) => ({
      fulfillmentOrderId: String(id),
      webLineId: String(webOf(of, line)),
      quantity,
    }));
    return learned(world, await world.call('POST', storePath(world), { number, lines: sent }));
  },
  expect(model, command) {
    const before = model.backs.find(({ number }) => number === command.number);
    if (before !== undefined) {
      return command.again === 'same' ? { status: 200, shows: shown(model, before), how: 'repeat' } : CONFLICT;
    }
    const refusal = refusalOf(model, command);
    if (refusal !== undefined) return refusal;
    const number = command.number!;
    const expiresAt = model.now + EXPIRE_MINUTES;
    const one = newBack({ number, kind: 'BY_MAIL', state: 'REQUESTED', expiresAt, content: JSON.stringify(command) });
    model.backs.push(one);
    const of = model.orders.get(command.order)!;
    for (const { line, quantity } of command.lines) {
      const own = lineOf(of, line)!;
      lineFor(one, of, own).requested += quantity!;
      own.comingBack += quantity!;
    }
    return { status: 201, shows: shown(model, one) };
  },
  shows: shownIn,
});

interface Take extends Made {
  node: Node;
  keepOpen: boolean;
  /** Units without papers. */
  blind: { sku: number; quantity: number; disposition: Disposition } | null;
  isBlind: boolean;
}

const takeReturn = rule<Take, { return: Return }>({
  weight: 8,
  members: fc.record({
    ...order,
    ...node,
    lines: several(wish, ({ line }) => line),
    again,
    keepOpen: seldom,
    blind: fc.option(
      fc.record({ sku: fc.nat(2), quantity: fc.constantFrom(1, 2), disposition: fc.constantFrom(...DISPOSITIONS) }),
    ),
    isBlind: seldom,
  }),
  fit(model, command) {
    if (!command.isBlind || command.blind === null) return made(model, { ...command, isBlind: false }, 'IN_STORE');
    return { ...command, lines: [], again: null, number: `r${model.backs.length}-${model.tried++}` };
  },
  async send(world, command) {
    const { order: id, lines, number, node: at, keepOpen, blind } = command;
    const of = world.model.orders.get(id);
    const sent: object[] = lines.map(({ line, quantity, disposition }) => ({
      fulfillmentOrderId: String(id),
      webLineId: String(webOf(of, line)),
      quantity,
      condition: CONDITIONS[disposition!],
    }));
    if (blind !== null) {
      const { sku, quantity, disposition } = blind;
      sent.push({ itemId: itemId(sku), quantity, condition: CONDITIONS[disposition] });
    }
    const body = { takeId: number, userId: 'ana', storeId: storeOf(world), number, lines: sent, keepOpen };
    return learned(world, await world.call('POST', `${nodePath(world, at)}/returns`, body));
  },
  expect(model, command) {
    const { blind, node: at, keepOpen } = command;
    const number = command.number!;
    const before = model.backs.find((one) => one.number === number);
    if (before !== undefined) {
      return command.again === 'same' ? { status: 200, shows: shown(model, before), how: 'repeat' } : CONFLICT;
    }
    const refusal = command.lines.length === 0 ? undefined : refusalOf(model, command);
    if (refusal?.status === 400 || (blind !== null && !model.items.has(blind.sku))) return { status: 400 };
    if (refusal !== undefined || (blind !== null && model.settings.blind === 'REFUSE')) return NOT_RETURNABLE;
    const kind = command.lines.length === 0 ? 'BLIND' : 'IN_STORE';
    const one = newBack({ number, kind, state: 'RECEIVING', expiresAt: null, content: JSON.stringify(command) });
    model.backs.push(one);
    const receipt: Receipt = { id: number, node: at, corrects: null, entries: [] };
    const of = model.orders.get(command.order);
    for (const { line, quantity, disposition } of command.lines) {
      const own = lineFor(one, of!, lineOf(of, line)!);
      own.requested += quantity!;
      count(model, one, receipt, own, disposition!, quantity!);
    }
    if (blind !== null) {
      const own = blindLine(one, blind.sku);
      own.over += blind.quantity;
      const isTrusted = model.settings.blind === 'ALLOW' || blind.disposition === 'GIVEN_BACK';
      count(model, one, receipt, own, isTrusted ? blind.disposition : 'HELD', blind.quantity);
    }
    one.receipts.push(receipt);
    if (model.settings.refundOn === 'RECEIVED') one.isCounted = true;
    if (keepOpen) raise(model, one);
    else close(model, one);
    return { status: 201, shows: shown(model, one) };
  },
  shows: shownIn,
});

interface ReceiveIt {
  back: number;
  line: number;
  /** Item of the units, if the request names an item instead of a line. */
  sku: number | null;
  units: string;
  disposition: Disposition;
  over: boolean;
  node: Node;
}

/**
 * Returns the units of a receipt, as a share of the open units of the return. If the return was canceled or has
 * expired, its missing units count as open.
 */
function receivedUnits(one: Back, { line, sku, units }: ReceiveIt): number {
  const lines = sku === null ? one.lines.slice(line, line + 1) : one.lines.filter((own) => own.sku === sku);
  const isEnded = one.state === 'CANCELED' || one.state === 'EXPIRED';
  const waits = lines.reduce((all, own) => all + openOf(own) + (isEnded ? own.missing : 0), 0);
  return Math.max(1, unitsIn(units, waits));
}

const canReceive = ({ state }: Back) => state !== 'CLOSED';

const receiveReturn = rule<ReceiveIt & { receiptId?: string }, { return: Return }>({
  weight: 12,
  members: fc.record({
    ...back,
    ...node,
    line: lineIn,
    sku: fc.option(fc.nat(2), { freq: 1 }),
    units: share,
    disposition: fc.constantFrom(...DISPOSITIONS, 'HELD' as const),
    over: fc.boolean(),
  }),
  fit: (model, command) => hasIt(model, { ...command, receiptId: freshId() }) as typeof command | undefined,
  send(world, command) {
    const one = known(world.model, command.back, canReceive)!;
    const { line, sku, disposition, over, node: at, receiptId } = command;
    const where = sku === null ? { position: line + 1 } : { itemId: itemId(sku) };
    const lines = [{ ...where, quantity: receivedUnits(one, command), disposition }];
    return world.call('POST', actPath(world, at, one, 'receipts'), { receiptId, userId: 'ana', lines, over });
  },
  expect(model, command) {
    const one = known(model, command.back, canReceive)!;
    const { sku, disposition, over, node: at, receiptId } = command;
    const units = receivedUnits(one, command);
    if (sku !== null && !model.items.has(sku)) return { status: 400 };
    if (!canReceive(one)) return NOT_OPEN;
    const line = sku === null ? one.lines[command.line] : undefined;
    if (sku === null && line === undefined) return { status: 400 };
    const of = sku ?? line!.sku;
    const isEnded = one.state === 'CANCELED' || one.state === 'EXPIRED';
    const lines = line === undefined ? one.lines.filter((own) => own.sku === of) : [line];
    const again = (own: Back['lines'][number]) =>
      isEnded && own.of !== null ? Math.max(0, Math.min(own.missing, leftOf(own.of.line))) : 0;
    const waits = lines.reduce((all, own) => all + openOf(own) + again(own), 0);
    if (units > waits && !over) return { status: 409, code: 'UNANNOUNCED' };
    if (isEnded) expectAgain(one);
    one.state = 'RECEIVING';
    const receipt: Receipt = { id: receiptId!, node: at, corrects: null, entries: [] };
    const rest = receiveOpen(model, one, receipt, { line, sku: of, disposition, units });
    if (rest > 0) receiveOver(model, one, receipt, { line, sku: of, disposition, units: rest });
    one.receipts.push(receipt);
    if (model.settings.refundOn === 'RECEIVED') one.isCounted = true;
    raise(model, one);
    return { status: 201, shows: shown(model, one) };
  },
  shows: shownIn,
});

interface Correct {
  back: number;
  receipt: number;
  entry: number;
  units: string;
  isElsewhere: boolean;
}

const isReceiving = ({ state, receipts }: Back) =>
  state === 'RECEIVING' && receipts.some((one) => one.corrects === null);

function corrected(model: Model, { back: index, receipt: at, entry }: Correct) {
  const one = known(model, index, isReceiving)!;
  const receipts = one.receipts.filter(({ corrects, entries }) => corrects === null && entries.length > 0);
  const receipt = receipts[at % receipts.length];
  return { one, receipt, entry: receipt?.entries[entry % receipt.entries.length] };
}

const correctReturn = rule<Correct & { receiptId?: string }, { return: Return }>({
  weight: 6,
  members: fc.record({ ...back, receipt: fc.nat(3), entry: fc.nat(2), units: share, isElsewhere: seldom }),
  fit(model, command) {
    if (model.backs.length === 0 || corrected(model, command).entry === undefined) return undefined;
    return { ...command, receiptId: freshId() };
  },
  send(world, command) {
    const { one, receipt, entry } = corrected(world.model, command);
    const units = Math.max(1, unitsIn(command.units, correctable(one, receipt!, entry!)));
    const at = command.isElsewhere ? (((receipt!.node % 3) + 1) as Node) : receipt!.node;
    const lines = [{ position: entry!.position, quantity: -units, disposition: entry!.disposition }];
    const body = { receiptId: command.receiptId, userId: 'ana', corrects: receipt!.id, lines };
    return world.call('POST', actPath(world, at, one, 'receipts'), body);
  },
  expect(model, command) {
    const { one, receipt, entry } = corrected(model, command);
    const most = correctable(one, receipt!, entry!);
    const units = Math.max(1, unitsIn(command.units, most));
    if (one.state !== 'RECEIVING') return NOT_OPEN;
    if (command.isElsewhere) return { status: 409, code: 'WRONG_NODE' };
    if (units > most) return BELOW_ZERO;
    const correction: Receipt = { id: command.receiptId!, node: receipt!.node, corrects: receipt!.id, entries: [] };
    takeBack(model, one, correction, entry!, units);
    const isUndone = one.lines.every((line) => cameOf(line) + line.givenBack === 0);
    if (isUndone && one.expiresAt !== null && !one.wasClosed) {
      if (one.ended === undefined) one.state = 'REQUESTED';
      else end(one, one.ended);
    }
    return { status: 201, shows: shown(model, one) };
  },
  shows: shownIn,
});

interface Decide {
  back: number;
  line: number;
  units: string;
  node: Node;
}

const holds = ({ lines, state }: Back) =>
  (state === 'RECEIVING' || state === 'CLOSED') && lines.some(({ held }) => held > 0);

/**
 * Returns a line with held units, and the node that holds them. If no line has held units, returns the named line and
 * node.
 */
function decided(one: Back, { line, node: at }: Decide) {
  const index = one.lines.findIndex(({ held }) => held > 0);
  const position = index < 0 ? line : index;
  const own = one.lines[position];
  const nodes = ([at, 1, 2, 3] as const).filter((some) => own !== undefined && heldAt(one, own, some) > 0);
  return { position: position + 1, own, at: nodes[0] ?? at };
}

const disposeReturn = rule<Decide & { to: Disposal }, Return>({
  weight: 8,
  members: fc.record({
    ...back,
    ...node,
    line: lineIn,
    units: share,
    to: fc.constantFrom(...(Object.keys(DISPOSALS) as Disposal[])),
  }),
  fit: (model, command) => hasIt(model, command) as typeof command | undefined,
  send(world, command) {
    const one = known(world.model, command.back, holds)!;
    const { position, own, at } = decided(one, command);
    const quantity = Math.max(1, unitsIn(command.units, own === undefined ? 1 : heldAt(one, own, at)));
    const body = { disposeId: freshId(), userId: 'ana', lines: [{ position, quantity, to: command.to }] };
    return world.call('POST', actPath(world, at, one, 'dispose'), body);
  },
  expect(model, command) {
    const one = known(model, command.back, holds)!;
    const { own, at } = decided(one, command);
    if (one.state !== 'RECEIVING' && one.state !== 'CLOSED') return NOT_OPEN;
    if (own === undefined) return { status: 400 };
    const most = heldAt(one, own, at);
    const units = Math.max(1, unitsIn(command.units, most));
    if (units > most) return BELOW_ZERO;
    dispose(model, one, own, at, units, command.to);
    return { status: 200, shows: shown(model, one) };
  },
  shows: shownIn,
});

const isBlind = ({ lines, state }: Back) =>
  (state === 'RECEIVING' || state === 'CLOSED') && lines.some((line) => line.of === null && cameOf(line) > 0);

interface Match {
  back: number;
  order: number;
  near?: boolean;
  line: number;
  units: string;
}

const matchReturn = rule<Match, Return>({
  weight: 4,
  members: fc.record({ ...back, ...order, line: lineIn, units: share }),
  fit(model, command) {
    const one = known(model, command.back, isBlind);
    if (one === undefined) return undefined;
    const blind = one.lines.find((line) => line.of === null && cameOf(line) > 0);
    const fitsItem = (own: Order) => own.lines.some((line) => line.sku === blind?.sku && leftOf(line) > 0);
    const found = meant(model, command, fitsItem);
    if (found?.near !== true) return found;
    const index = model.orders.get(found.order)?.lines.findIndex((line) => line.sku === blind?.sku && leftOf(line) > 0);
    return index === undefined || index < 0 ? found : { ...found, line: index };
  },
  send(world, command) {
    const one = known(world.model, command.back, isBlind)!;
    const { position, quantity } = matched(one, command);
    const of = world.model.orders.get(command.order);
    const where = { fulfillmentOrderId: String(command.order), webLineId: String(webOf(of, command.line)) };
    const body = { matchId: freshId(), userId: 'lea', lines: [{ position, ...where, quantity }] };
    return world.call('POST', actPath(world, 1, one, 'match'), body);
  },
  expect(model, command) {
    const one = known(model, command.back, isBlind)!;
    const { own, quantity } = matched(one, command);
    const of = model.orders.get(command.order);
    const line = lineOf(of, command.line);
    if (line === undefined) return { status: 400 };
    if (one.state !== 'RECEIVING' && one.state !== 'CLOSED') return NOT_OPEN;
    if (own === undefined || own.of !== null || own.sku !== line.sku) return { status: 400 };
    if (quantity > cameOf(own)) return BELOW_ZERO;
    if (quantity > leftOf(line)) return NOT_RETURNABLE;
    match(model, one, own, of!, line, quantity);
    return { status: 200, shows: shown(model, one) };
  },
  shows: shownIn,
});

function matched(one: Back, { units }: Match) {
  const index = Math.max(
    0,
    one.lines.findIndex((line) => line.of === null && cameOf(line) > 0),
  );
  const own = one.lines[index];
  return { position: index + 1, own, quantity: Math.max(1, unitsIn(units, own === undefined ? 1 : cameOf(own))) };
}

const isState =
  (...states: Back['state'][]) =>
  ({ state }: Back) =>
    states.includes(state);

/** Returns a command without content, which only names a return: close, reopen, cancel or mark as in transit. */
function plain(
  weight: number,
  isFor: (one: Back) => boolean,
  send: (world: World, one: Back) => Promise<Answer>,
  happen: (model: Model, one: Back) => Expected['how'],
  isKnown: (model: Model, one: Back) => boolean = () => true,
) {
  return rule<{ back: number }, Return>({
    weight,
    members: fc.record(back),
    fit(model, command) {
      const one = known(model, command.back, isFor);
      return one !== undefined && isKnown(model, one) ? command : undefined;
    },
    send: (world, { back: index }) => send(world, known(world.model, index, isFor)!),
    expect(model, { back: index }) {
      const one = known(model, index, isFor)!;
      const how = happen(model, one);
      return how === 'state' ? NOT_OPEN : { status: 200, shows: shown(model, one), ...(how && { how }) };
    },
    shows: shownIn,
  });
}

const closeReturn = plain(
  8,
  isState('RECEIVING'),
  (world, one) => world.call('POST', actPath(world, 1, one, 'close'), { closeId: freshId(), userId: 'ana' }),
  (model, one) => {
    if (one.state !== 'RECEIVING') return 'state';
    close(model, one);
    return undefined;
  },
);

const reopenReturn = plain(
  4,
  isState('CLOSED'),
  (world, one) => world.call('POST', actPath(world, 1, one, 'reopen'), { userId: 'lea', reason: 'more came' }),
  (_model, one) => {
    if (one.state !== 'CLOSED') return 'state';
    one.state = 'RECEIVING';
    expectAgain(one);
    return undefined;
  },
  // Amounts that are due and not yet requested wait for the close of a reopened return. The model does not know such
  // amounts (`settings.ts`, `unlessOtherWaits`), so the return stays closed.
  (model, one) => !owes(model, one),
);

const cancelReturn = plain(
  3,
  isState('REQUESTED'),
  (world, one) => world.call('POST', `${numbered(world, one)}/cancel`, {}),
  (_model, one) => {
    if (one.state === 'CANCELED') return 'repeat';
    if (one.state !== 'REQUESTED') return 'state';
    end(one, 'CANCELED');
    return undefined;
  },
);

const markReturnInTransit = plain(
  2,
  isState('REQUESTED'),
  (world, one) => world.call('POST', `${numbered(world, one)}/inTransit`, {}),
  (_model, one) => (one.state === 'REQUESTED' ? undefined : 'state'),
);

interface AnswerIt {
  back: number;
  refund: number;
  outcome: 'DONE' | 'FAILED';
  reference: string;
}

const answerRefund = rule<AnswerIt, ShownRefund>({
  weight: 5,
  members: fc.record({
    ...back,
    refund: fc.nat(2),
    outcome: fc.constantFrom('DONE', 'DONE', 'FAILED'),
    reference: fc.constantFrom('b1', 'b2'),
  }),
  fit: (model, command) => (answered(model, command) === undefined ? undefined : command),
  async send(world, command) {
    const { one, index } = answered(world.model, command)!;
    const { refunds } = (await read(world, numbered(world, one))) as Return;
    const { outcome, reference } = command;
    const path = `/operator/v1/clients/${world.id}/refunds/${refunds[index]!.refundId}/answer`;
    return world.call('POST', path, { outcome, reference });
  },
  expect(model, command) {
    const { refund } = answered(model, command)!;
    const { outcome, reference } = command;
    const isSame = refund.status === outcome && refund.reference === reference;
    if (!isSame && refund.status === 'DONE') return { status: 409, code: 'REFUND_DONE' };
    if (!isSame && refund.status === 'CANCELED') return NOT_OPEN;
    Object.assign(refund, { status: outcome, reference });
    return { status: 200, shows: refundShown(refund) };
  },
  shows: refundIn,
});

function answered(model: Model, { back: at, refund }: AnswerIt) {
  const one = known(model, at, (some) => refundsOf(model, some).length > 0);
  const all = one === undefined ? [] : refundsOf(model, one);
  const index = refund % all.length;
  return all.length === 0 ? undefined : { one: one!, refund: all[index]!, index };
}

const readReturn = rule<{ back: number }, Return>({
  weight: 1,
  members: fc.record(back),
  fit: (model, command) => hasIt(model, command) as typeof command | undefined,
  send: (world, { back: index }) => world.call('GET', numbered(world, known(world.model, index)!)),
  expect: (model, { back: index }) => ({ status: 200, shows: shown(model, known(model, index)!) }),
  shows: shownIn,
});

const named = (all: readonly { number: string; state: string }[]) =>
  all.map(({ number, state }) => `${number} ${state}`).sort();

const ofOrder = ({ backs }: Model, id: number) =>
  named(backs.filter(({ lines }) => lines.some((line) => line.of?.order.id === id)));

const searchReturns = rule<{ order: number }, { returns: Return[] }>({
  weight: 1,
  members: fc.record({ order: order.order }),
  send: (world, { order: id }) =>
    world.call('POST', `${storePath(world)}/search?limit=500`, { fulfillmentOrderId: String(id) }),
  expect: (model, { order: id }) => ({ status: 200, shows: ofOrder(model, id) }),
  shows: ({ returns }) => named(returns),
});

interface Checked {
  orders: {
    lines: {
      handedOverQuantity: number;
      cameBackQuantity: number;
      comingBackQuantity: number;
      returnableQuantity: number;
      refundAmount: unknown;
    }[];
  }[];
  returns: { number: string; state: string }[];
}

const checkReturn = rule<{ order: number }, Checked>({
  weight: 2,
  members: fc.record({ order: order.order }),
  send: (world, { order: id }) =>
    world.call('POST', `${storePath(world)}/eligibility`, { fulfillmentOrderId: String(id) }),
  expect(model, { order: id }) {
    const of = model.orders.get(id);
    if (of === undefined) return { status: 200, shows: [[], []] };
    const came = new Map(of.lines.map((line) => [line, line.cameBack]));
    const due = (all: typeof came) => dueFor(of, all, 'NEVER').due;
    const lines = of.lines.map((line) => {
      const left = leftOf(line);
      const more = due(new Map(came).set(line, line.cameBack + left)).minus(due(came));
      return [line.handed, line.cameBack, line.comingBack, left, amountOf(more.lt(0) ? 0 : more)];
    });
    return { status: 200, shows: [[lines], ofOrder(model, id)] };
  },
  shows: ({ orders, returns }) => [
    orders.map(({ lines }) =>
      lines.map((line) => [
        line.handedOverQuantity,
        line.cameBackQuantity,
        line.comingBackQuantity,
        line.returnableQuantity,
        amountOf(line.refundAmount),
      ]),
    ),
    named(returns),
  ],
});

/** Reads an order: its returns, and the units of its lines that were returned or are on their way back. */
const readBack = rule<
  { order: number },
  { lines: { cameBackQuantity: number; comingBackQuantity: number }[]; returns: { number: string; state: string }[] }
>({
  weight: 1,
  members: fc.record({ order: order.order }),
  send: (world, { order: id }) => world.call('GET', ownPath(world, id)),
  expect(model, { order: id }) {
    const of = model.orders.get(id);
    if (of === undefined) return { status: 404 };
    return { status: 200, shows: [of.lines.map((line) => [line.cameBack, line.comingBack]), ofOrder(model, id)] };
  },
  shows: ({ lines, returns }) => [
    lines.map((line) => [line.cameBackQuantity, line.comingBackQuantity]),
    named(returns),
  ],
});

const listRefunds = rule<{ status: Refund['status'] }, { refunds: ShownRefund[] }>({
  weight: 1,
  members: fc.record({ status: fc.constantFrom<Refund['status']>('DUE', 'DONE', 'FAILED', 'CANCELED') }),
  send: (world, { status }) => world.call('GET', `/operator/v1/clients/${world.id}/refunds?status=${status}&limit=500`),
  expect: ({ refunds }, { status }) => ({
    status: 200,
    shows: refunds
      .filter((one) => one.status === status)
      .map((one) => `${one.back.number} ${refundShown(one).join()}`)
      .sort(),
  }),
  shows: ({ refunds }) => refunds.map((one) => `${one.number} ${refundIn(one).join()}`).sort(),
});

/**
 * Skips a command while another return is open again and one of its orders owes more than its refunds, for example
 * after a hand-over that changes how the amount is rounded. The service leaves this amount to the close of that return.
 * The model does not know such amounts.
 */
function unlessOtherWaits(one: Rule<Command>, isFor?: (one: Back) => boolean): Rule<Command> {
  return {
    ...one,
    fit(model, command) {
      const own = isFor && known(model, (command as Command & { back: number }).back, isFor);
      const waits = (back: Back) => back.wasClosed && back.state === 'RECEIVING' && owes(model, back);
      return model.backs.some((back) => back !== own && waits(back)) ? undefined : one.fit!(model, command);
    },
  };
}

export const returns: Record<string, Rule<Command>> = {
  createReturn,
  takeReturn: unlessOtherWaits(takeReturn),
  receiveReturn: unlessOtherWaits(receiveReturn, canReceive),
  correctReturn,
  disposeReturn: unlessOtherWaits(disposeReturn, holds),
  matchReturn: unlessOtherWaits(matchReturn, isBlind),
  closeReturn: unlessOtherWaits(closeReturn, isState('RECEIVING')),
  reopenReturn,
  cancelReturn,
  markReturnInTransit,
  answerRefund,
  readReturn,
  searchReturns,
  checkReturn,
  readBack,
  listRefunds,
};
