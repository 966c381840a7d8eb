/**
 * Contests of returns: several counters that take back the same unit, receipts against a close, and the outcome of a
 * refund against a correction of its return.
 */
import type { Refund, Return } from '../../src/returns/schema.ts';
import type { Answer } from '../../town/call.ts';
import { type Arena, inShort, must, sample, WHERE } from './arena.ts';
import { account, KEEPS, levelOf, newItem, nodePath, onTicket, PROMISES, shortOf } from './keeping.ts';
import { readOrder } from './order.ts';

const COUNTERS = 16;
const ON_SHELF = 20;
const PRICE = 9.5;
const STORE = `/operator/v1/stores/${WHERE.storeId}/returns`;
const REFUNDS = '/operator/v1/clients/TOWN/refunds';
const NODES = [KEEPS, PROMISES] as const;
const ORDER = `/stores/${WHERE.storeId}/nodes/${KEEPS}`;

interface Told {
  code?: string;
  status?: string;
  lines?: { rule: string }[];
}

const told = ({ body }: Answer) => body as Told;
const isOpenRefused = (answer: Answer) => answer.status === 409 && told(answer).code === 'NOT_OPEN';

/** Creates an order of a new item and hands its units over to the customer. */
async function handedOver(arena: Arena, units: number): Promise<{ id: string; item: string }> {
  const item = await newItem(arena, ON_SHELF);
  const id = arena.name();
  must(await (await onTicket(arena, KEEPS, [[item, units]], id))(), 204);
  const customerPickUpItems = [
    { webLineId: '1', itemId: item, customerPickedQuantity: units, backroomPickedQuantity: units },
  ];
  const customerPickUpDetails = { ...WHERE, nodeId: KEEPS, fulfillmentOrderId: id, customerPickUpItems };
  const body = { modifyAssociateId: 'ana', customerPickUpDetails };
  must(await arena.service.client('PUT', `${ORDER}/customerPickUp/confirm`, body), 204);
  return { id, item };
}

function take({ service }: Arena, nodeId: string, takeId: string, id: string, quantity = 1): Promise<Answer> {
  const line = { fulfillmentOrderId: id, webLineId: '1', quantity, condition: 'GOOD' };
  const body = { takeId, userId: 'ana', storeId: WHERE.storeId, lines: [line] };
  return service.client('POST', `${nodePath(nodeId)}/returns`, body);
}

function request({ service }: Arena, number: string, id: string, quantity = 1): Promise<Answer> {
  const lines = [{ fulfillmentOrderId: id, webLineId: '1', quantity }];
  return service.client('POST', STORE, { number, lines });
}

function act({ service }: Arena, returnId: string, what: string, body: object, nodeId: string = KEEPS) {
  return service.client('POST', `${nodePath(nodeId)}/returns/${returnId}/${what}`, { userId: 'ana', ...body });
}

function receive(arena: Arena, returnId: string, receiptId: string, quantity: number, more: object = {}) {
  return act(arena, returnId, 'receipts', {
    receiptId,
    lines: [{ position: 1, quantity, disposition: 'SHELF' }],
    ...more,
  });
}

const refundPath = (refundId: string) => `${REFUNDS}/${refundId}/answer`;

/** Reads a return and checks that the units of each of its lines add up. */
async function readReturn({ service, fail }: Arena, number: string): Promise<Return> {
  const one = must(await service.client('GET', `${STORE}/${number}`), 200).body as Return;
  for (const line of one.lines)
    if (!isConserved(line)) fail(`return ${number} does not add up: ${JSON.stringify(line)}`);
  return one;
}

function isConserved(line: Return['lines'][number]): boolean {
  const { requested, over, sellable, damaged, held, givenBack, missing, open } = line;
  return requested + over === sellable + damaged + held + givenBack + missing + open;
}

/** Returns the returned units of an order's first line, and the units of this line that are on their way back. */
async function unitsBack(arena: Arena, id: string): Promise<[cameBack: number, comingBack: number]> {
  const { lines } = (await readOrder(arena, id)) as unknown as {
    lines: { cameBackQuantity: number; comingBackQuantity: number }[];
  };
  return [lines[0]!.cameBackQuantity, lines[0]!.comingBackQuantity];
}

/**
 * Sixteen counters of two nodes take back the last unit of a line. In some contests the order system requests the
 * return of the unit at the same time.
 */
export async function lastReturn(arena: Arena): Promise<void> {
  const { whole, fail } = arena;
  const { id, item } = await handedOver(arena, 1);
  const requests = [0, 1, 8][whole(3)]!;
  const calls = Array.from({ length: COUNTERS }, (_, index) => ({ index, isTake: index >= requests }));
  const order = sample(arena, calls, COUNTERS);
  const answers = await Promise.all(
    order.map(({ index, isTake }) => {
      const name = `${id}-${index}`;
      return isTake ? take(arena, NODES[index % 2]!, name, id) : request(arena, name, id);
    }),
  );
  const said = shortOf(answers);
  const won = order.filter((_, index) => answers[index]!.status === 201);
  if (won.length !== 1) fail(`${won.length} of ${COUNTERS} counters took the unit of ${id}: ${said}`);
  for (const answer of answers) {
    const { code, lines = [] } = told(answer);
    const isTold = code === 'NOT_RETURNABLE' && lines[0]?.rule === 'ALREADY_RETURNED';
    if (answer.status !== 201 && !(answer.status === 409 && isTold))
      fail(`a unit is back; a counter got ${inShort(answer)}`);
  }
  const [cameBack, comingBack] = await unitsBack(arena, id);
  const isTake = won[0]?.isTake === true;
  if (cameBack !== Number(isTake) || comingBack !== Number(!isTake))
    fail(`${cameBack} units of ${id} came back and ${comingBack} are on their way: ${said}`);
  const levels = await Promise.all(NODES.map((nodeId) => levelOf(arena, item, nodeId)));
  const shelf = levels.reduce((sum, level) => sum + level.shelf, 0);
  if (shelf !== ON_SHELF - 1 + cameBack)
    fail(`${shelf} units of ${item} are on shelves after ${cameBack} came back: ${said}`);
  for (const nodeId of NODES) await account(arena, { items: [item], nodeId });
}

/**
 * Receipts of a return compete with two closes, and all requests except the second close are sent twice. The refund
 * must cover the units that were received before the close; the other units are missing.
 */
export async function closeOrTakeIn(arena: Arena): Promise<void> {
  const { fail } = arena;
  const units = 6;
  const { id, item } = await handedOver(arena, units);
  const number = `${id}-r`;
  const { returnId } = must(await request(arena, number, id, units), 201).body as Return;
  must(await receive(arena, returnId, 'first', 1), 201);
  const receipts = ['a', 'a', 'b', 'b', 'c', 'c'].map((name) => ({
    name,
    send: () => receive(arena, returnId, name, 1),
  }));
  const closes = ['x', 'x', 'y'].map((name) => ({
    name,
    send: () => act(arena, returnId, 'close', { closeId: name }),
  }));
  const order = sample(arena, [...receipts, ...closes], receipts.length + closes.length);
  const answers = await Promise.all(order.map(({ send }) => send()));
  const said = order.map(({ name }, index) => `${name} ${inShort(answers[index]!)}`).join('; ');
  const of = (name: string) => answers.filter((_, index) => order[index]!.name === name);
  let came = 1;
  for (const name of ['a', 'b', 'c']) {
    const statuses = of(name).map(({ status }) => status);
    if (statuses.includes(201)) came += 1;
    const isOnce = statuses.toSorted().join() === '200,201' || of(name).every(isOpenRefused);
    // If the close happens between a receipt and its retry, the service still recognizes the retry.
    if (!isOnce) fail(`receipt ${name} of ${number} against a close: ${said}`);
  }
  const [first, second] = [of('x'), of('y')];
  const isOne = first.every(({ status }) => status === 200) !== second.every(({ status }) => status === 200);
  if (!isOne || ![...first, ...second].every((one) => one.status === 200 || isOpenRefused(one)))
    fail(`two closes of ${number}: ${said}`);
  const { state, totals, refunds } = await readReturn(arena, number);
  const isRight = state === 'CLOSED' && totals.sellable === came && totals.missing === units - came;
  const asked = refunds.map(({ amount, status }) => `${String(amount)} ${status}`).join();
  if (!isRight || asked !== `${PRICE * came} DUE`)
    fail(
      `${came} units of ${number} came; it is ${state} with ${JSON.stringify(totals)} and refunds ${asked}: ${said}`,
    );
  const [cameBack, comingBack] = await unitsBack(arena, id);
  if (cameBack !== came || comingBack !== 0)
    fail(`${cameBack} and ${comingBack} units of ${id} after a close: ${said}`);
  await account(arena, { items: [item] });
}

/**
 * The outcome of a refund is reported while a correction of the return cancels the refund. If the report wins, the
 * refund is paid in full and the correction only records the excess. If the correction wins, the refund is canceled and
 * the report gets an error.
 */
export async function answerOrCorrect(arena: Arena): Promise<void> {
  const { service, whole, fail } = arena;
  const units = 2 + whole(4);
  const { id, item } = await handedOver(arena, units);
  const made = must(await take(arena, KEEPS, `${id}-t`, id, units), 201).body as { return: Return };
  const { returnId, number, refunds } = made.return;
  must(await act(arena, returnId, 'reopen', { reason: 'counted twice' }), 200);
  const { refundId } = refunds[0]!;
  const answerOf = (reference: string) => () =>
    service.client('POST', refundPath(refundId), { outcome: 'DONE', reference });
  const correct = (receiptId: string) => () => receive(arena, returnId, receiptId, -1, { corrects: `${id}-t` });
  const calls = [
    ...['bank-1', 'bank-1', 'bank-2'].map((name) => ({ name, send: answerOf(name) })),
    ...['c', 'c'].map((name) => ({ name, send: correct(name) })),
  ];
  const order = sample(arena, calls, calls.length);
  const answers = await Promise.all(order.map(({ send }) => send()));
  const said = order.map(({ name }, index) => `${name} ${inShort(answers[index]!)}`).join('; ');
  const of = (name: string) => answers.filter((_, index) => order[index]!.name === name);
  if (
    of('c')
      .map(({ status }) => status)
      .toSorted()
      .join() !== '200,201'
  )
    fail(`a correction of ${number}: ${said}`);
  const reports = [...of('bank-1'), ...of('bank-2')];
  const isPaid = reports.some(({ status }) => status === 200);
  for (const report of reports) {
    const code = isPaid ? 'REFUND_DONE' : 'NOT_OPEN';
    if (report.status !== 200 && !(report.status === 409 && told(report).code === code))
      fail(`the outcome of a refund of ${number}: ${said}`);
  }
  if (isPaid && of('bank-1').some(({ status }) => status === 200) === of('bank-2').some(({ status }) => status === 200))
    fail(`a refund of ${number} has two outcomes: ${said}`);
  const after = await readReturn(arena, number);
  const shown = after.refunds.map(({ status, amount }: Refund) => `${status} ${String(amount)}`).join();
  const rest = PRICE * (units - 1);
  const expected = isPaid ? `DONE ${PRICE * units}` : `CANCELED ${PRICE * units},DUE ${rest}`;
  if (shown !== expected) fail(`refunds of ${number} are ${shown}, not ${expected}: ${said}`);
  if (after.totals.sellable !== units - 1 || after.totals.open !== 1)
    fail(`a unit of ${number} was taken back once, its sums are ${JSON.stringify(after.totals)}: ${said}`);
  await account(arena, { items: [item] });
}

/**
 * A parcel arrives while its return request is canceled. The parcel can be received in either case, and no unit is
 * lost.
 */
export async function cancelOrTakeIn(arena: Arena): Promise<void> {
  const { service, fail } = arena;
  const units = 3;
  const { id, item } = await handedOver(arena, units);
  const number = `${id}-r`;
  const { returnId } = must(await request(arena, number, id, units), 201).body as Return;
  const calls = [
    ...['a', 'b'].map((name) => ({ name, send: () => receive(arena, returnId, name, 1) })),
    ...['cancel', 'cancel'].map((name) => ({
      name,
      send: () => service.client('POST', `${STORE}/${number}/cancel`, {}),
    })),
    { name: 'other', send: () => request(arena, `${id}-s`, id, 1) },
  ];
  const order = sample(arena, calls, calls.length);
  const answers = await Promise.all(order.map(({ send }) => send()));
  const said = order.map(({ name }, index) => `${name} ${inShort(answers[index]!)}`).join('; ');
  const of = (name: string) => answers.filter((_, index) => order[index]!.name === name);
  if (of('cancel').some((one) => one.status !== 200 && !isOpenRefused(one)))
    fail(`a cancellation of ${number}: ${said}`);
  const [other] = of('other') as [Answer];
  if (other.status !== 201 && told(other).code !== 'NOT_RETURNABLE') fail(`a second return of ${id}: ${said}`);
  const { state, totals } = await readReturn(arena, number);
  if (of('a')[0]!.status !== 201 || of('b')[0]!.status !== 201 || totals.sellable !== 2 || state !== 'RECEIVING')
    fail(`two units of ${number} came, its sums are ${JSON.stringify(totals)}: ${said}`);
  const [cameBack, comingBack] = await unitsBack(arena, id);
  const isOther = other.status === 201 ? 1 : 0;
  if (cameBack !== 2 || comingBack !== totals.open + isOther)
    fail(`${cameBack} units of ${id} came back, ${comingBack} are on their way: ${said}`);
  await account(arena, { items: [item] });
}
