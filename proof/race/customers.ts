/**
 * Contests for an order between its customer, who cancels or collects it, and the associates who pick it or hand it
 * over.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../../town/call.ts';
import { type Arena, generateBody, inShort, must, NODE, resetBody, sample, ticketOf, WHERE } from './arena.ts';
import { bringBack, GENERATE, inUnits, pathOf, pick, readOrder, UPDATE, unitsIn } from './order.ts';

const REASON = 'CancelMXCustomerAbandon';
const HANDERS = 16;
/** Ordered units of the mug and of the tee. */
const UNITS = [2, 3] as const;
const ITEMS = ['21-MUG-WHT', '21-TEE-RED-M'] as const;

function cancel({ service }: Arena, id: string, lines: readonly { webLineId: string; quantity: number }[] | undefined) {
  return service.client('POST', `${pathOf(id)}/cancel`, { ...(lines && { lines }), reasonCode: REASON });
}

/**
 * A customer cancels an order, or a unit of it, while three pickers generate tickets. If the cancellation is first, the
 * ticket has only the remaining units; otherwise the order is on the ticket and the units are marked as canceled. After
 * a RESET both cases have the same state.
 */
export async function cancelOrPick(arena: Arena): Promise<void> {
  const { service, whole, fail } = arena;
  const [id] = (await arena.place(1, UNITS)) as [string];
  const isWhole = whole(2) === 0;
  const calls = sample(arena, ['cancel', 'ana', 'ben', 'cleo'], 4);
  const lines = isWhole ? undefined : [{ webLineId: '2', quantity: 1 }];
  const answers = await Promise.all(
    calls.map((who) =>
      who === 'cancel' ? cancel(arena, id, lines) : service.client('POST', GENERATE, generateBody([id], who)),
    ),
  );
  const canceled = answers[calls.indexOf('cancel')]!;
  const said = answers.map((answer, index) => `${calls[index]}: ${inShort(answer)}`).join('; ');
  if (canceled.status !== 200) fail(`a cancellation against pickers: ${said}`);
  const won = answers.filter(({ status }) => status === 201);
  const lost = answers.filter((answer) => answer !== canceled && answer.status !== 201);
  if (won.length > 1 || lost.some(({ status }) => status !== 409)) fail(`pickers against a cancellation: ${said}`);
  const order = await readOrder(arena, id);
  const wish = isWhole ? [...UNITS] : [0, 1];
  const [gone, marked] = [unitsIn(order, 'canceledQuantity'), unitsIn(order, 'cancelingQuantity')];
  const isGone = isDeepStrictEqual([gone, marked], [wish, [0, 0]]);
  const isMarked = isDeepStrictEqual([gone, marked], [[0, 0], wish]);
  const [ticket] = won.map(ticketOf);
  if (ticket === undefined) {
    if (!isWhole || !isGone || order.status !== '9000') fail(`no ticket picks ${inUnits(order)}: ${said}`);
    return;
  }
  if (order.status !== '1150' || order.pickTicketId !== ticket.pickTicketId || !(isMarked || (isGone && !isWhole))) {
    fail(`ticket ${ticket.pickTicketId} has ${inUnits(order)}: ${said}`);
  }
  const onTicket = ticket.pickTicketItems.reduce((sum, { quantity }) => sum + quantity, 0);
  const left = 5 - gone.reduce((sum, units) => sum + units, 0);
  if (onTicket !== left) fail(`ticket ${ticket.pickTicketId} has ${onTicket} units of ${inUnits(order)}`);
  must(await service.client('PUT', UPDATE, resetBody(ticket.pickTicketId, 'ana')), 204);
  const after = await readOrder(arena, id);
  const isBack = isDeepStrictEqual(unitsIn(after, 'canceledQuantity'), wish);
  if (!isBack || after.status !== (isWhole ? '9000' : '1100')) fail(`a RESET left ${inUnits(after)}: ${said}`);
}

/** The handed-over units of each line. */
type Given = readonly [mugs: number, tees: number];

function handOver({ service }: Arena, id: string, given: Given, handOverId?: string): Promise<Answer> {
  const customerPickUpItems = given.flatMap((customerPickedQuantity, index) =>
    customerPickedQuantity === 0
      ? []
      : {
          webLineId: String(index + 1),
          itemId: ITEMS[index],
          customerPickedQuantity,
          backroomPickedQuantity: UNITS[index],
        },
  );
  const details = { ...WHERE, fulfillmentOrderId: id, customerPickUpItems, ...(handOverId && { handOverId }) };
  return service.client('PUT', `${NODE}/customerPickUp/confirm`, {
    modifyAssociateId: 'ana',
    customerPickUpDetails: details,
  });
}

/**
 * A customer cancels while units are handed over. No unit may be both handed over and canceled. Then the canceled units
 * are brought back, and every unit must be in one place.
 */
export async function cancelOrHandOver(arena: Arena): Promise<void> {
  const { whole, fail } = arena;
  const [id] = (await arena.place(1, UNITS)) as [string];
  await pick(arena, id);
  const lines = [undefined, [{ webLineId: '2', quantity: 2 }]][whole(2)];
  const given: Given = ([[...UNITS], [1, 2], [2, 0]] as const)[whole(3)]!;
  const calls = sample(arena, ['cancel', 'handOver', 'handOver'], 3);
  const answers = await Promise.all(
    calls.map((what) => (what === 'cancel' ? cancel(arena, id, lines) : handOver(arena, id, given, 'till-1'))),
  );
  const said = answers.map((answer, index) => `${calls[index]}: ${inShort(answer)}`).join('; ');
  const canceled = answers[calls.indexOf('cancel')]!;
  const handed = answers.filter((_, index) => calls[index] === 'handOver');
  if (![200, 409].includes(canceled.status)) fail(`a cancellation against a hand-over: ${said}`);
  if (handed.some(({ status }) => ![204, 400, 409].includes(status))) {
    fail(`a hand-over against a cancellation: ${said}`);
  }
  const isHanded = handed.some(({ status }) => status === 204);
  if (handed[0]!.status !== handed[1]!.status) fail(`the same hand-over has two responses: ${said}`);
  const order = await readOrder(arena, id);
  const expected = isHanded ? [...given] : [0, 0];
  if (!isDeepStrictEqual(unitsIn(order, 'handedOverQuantity'), expected)) {
    fail(`${expected.join(' and ')} units were handed over of ${inUnits(order)}: ${said}`);
  }
  const rest = UNITS.map((units, index) => units - expected[index]!);
  const wish = canceled.status === 409 ? [0, 0] : lines === undefined ? rest : [0, 2];
  if (!isDeepStrictEqual(unitsIn(order, 'cancelingQuantity'), wish)) {
    fail(`${wish.join(' and ')} units are to be canceled of ${inUnits(order)}: ${said}`);
  }
  if (!isHanded && canceled.status !== 200) fail(`no request got ${inUnits(order)}: ${said}`);
  await bringBack(arena, id);
  const after = await readOrder(arena, id);
  const isBack = isDeepStrictEqual(unitsIn(after, 'returnedQuantity'), wish);
  if (!isBack || !isDeepStrictEqual(unitsIn(after, 'handedOverQuantity'), expected)) {
    fail(`after its units were brought back: ${inUnits(after)}: ${said}`);
  }
}

/**
 * The units that each hand-over of a contest requests. In the first two kinds of contests, all hand-overs are the same:
 * all units, or one mug. In the third kind, half of them request all units and half request one unit of each item.
 */
const KINDS: readonly (readonly Given[])[] = [[UNITS], [[1, 0]], [UNITS, [1, 1]]];

/**
 * Sixteen hand-overs of one order compete, all with the same handOverId or all without an id. No unit may be handed
 * over twice.
 */
export async function handOvers(arena: Arena): Promise<void> {
  const { whole, fail } = arena;
  const [id] = (await arena.place(1, UNITS)) as [string];
  await pick(arena, id);
  const handOverId = whole(2) === 0 ? 'till-1' : undefined;
  const kinds = KINDS[whole(KINDS.length)]!;
  const wishes = Array.from({ length: HANDERS }, (_, index) => kinds[index % kinds.length]!);
  const order = sample(arena, wishes, HANDERS);
  const answers = await Promise.all(order.map((given) => handOver(arena, id, given, handOverId)));
  const after = await readOrder(arena, id);
  const went = unitsIn(after, 'handedOverQuantity');
  const taken = order.filter((_, index) => answers[index]!.status === 204);
  const said = `${handOverId ?? 'no id'}: ${answers.map((answer, index) => `${order[index]!.join('+')} ${inShort(answer)}`).join('; ')}`;
  if (answers.some(({ status }) => ![204, 400, 409].includes(status))) fail(`hand-overs, ${said}`);
  if (!isPossible(taken, went, handOverId))
    fail(`${went.join(' and ')} units were handed over of ${inUnits(after)}; ${said}`);
  const isAll = isDeepStrictEqual(went, [...UNITS]);
  if (after.status !== (isAll ? '3800' : '1400')) fail(`hand-overs left ${inUnits(after)}; ${said}`);
}

/**
 * Returns whether the handed-over units fit the responses. With an id, every acknowledged request must have the content
 * that was handed over. Without an id, the units are the sum of the acknowledged requests, or all units of the order.
 */
function isPossible(taken: readonly Given[], went: readonly number[], handOverId: string | undefined): boolean {
  if (taken.length === 0) return false;
  if (handOverId !== undefined) return taken.every((given) => isDeepStrictEqual([...given], went));
  const sum = [0, 1].map((line) => taken.reduce((total, given) => total + given[line]!, 0));
  const isAll = isDeepStrictEqual(went, [...UNITS]);
  return isAll || isDeepStrictEqual(sum, went);
}
