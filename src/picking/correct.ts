import type { Effect } from '../events/record.ts';
import { recordAll } from '../events/record.ts';
import { findBoxes } from '../kernel/boxes.ts';
import { claimCommand } from '../kernel/commands.ts';
import { unblockItems } from '../kernel/item-blocks.ts';
import { findLines, lockOrders } from '../kernel/orders.ts';
import { findRequested } from '../kernel/requests.ts';
import { findSettings } from '../kernel/settings.ts';
import { isAllowed } from '../kernel/states.ts';
import {
  correctTicket,
  findTicketItems,
  findTicketLines,
  lockTicket,
  saveResults,
  saveTicketLines,
} from '../kernel/tickets.ts';
import { advanceOrders, type Step } from '../kernel/write.ts';
import { type Ctx, isWithout } from '../platform/ctx.ts';
import { conflict, denied, type Refusal } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import type {
  FulfillmentOrderRow,
  OrderLineRow,
  PickTicketItemRow,
  PickTicketLineRow,
  PickTicketRow,
} from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { reasonError } from '../shared/reasons.ts';
import { statusInWords } from '../shared/status.ts';
import type { ItemResult } from './item-results.ts';
import { PICK_TICKET_TRANSITIONS, stateOfTicket } from './lifecycle.ts';
import { type AllottedPart, type CorrectedPart, reallot } from './reallot.ts';
import { ofTicket, showDetails } from './show.ts';
import { PickTicketCorrection, PickTicketOpened } from './ticket-schema.ts';
import { holderOf, noTicket } from './work.ts';

export const correctPickTicket = writeOperation({
  id: 'correctPickTicket',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}/correct',
  auth: 'operatorOrApiKey',
  group: 'supervise',
  permission: ['supervise', 'fulfillment.write'],
  repeat: 'same',
  summary: 'Correct a CONFIRM that was mis-keyed',
  description:
    'Says for items of a confirmed pick ticket how many units were found in truth, more or fewer, at most their quantity. It is ' +
    'possible while nothing followed from the CONFIRM: no package, hand-over, decline while packing, cancellation, answered ' +
    're-source request or reverse pick ticket. What was allotted stays wherever it can: further units go to the most urgent lines ' +
    'that lack them, missing ones are taken first from orders that lack something anyway, then from the least urgent; orders that ' +
    'have gone on keep what they have, and the correction is refused only where the others cannot take it. The orders go on as if ' +
    'they had been confirmed so: one that was canceled (9000) or returned for re-sourcing (9100) because nothing was found waits ' +
    'for pack or pickup, its open re-source request is replaced by one of the units that are still declined, and items that ' +
    'the ticket alone had declined are orderable at the node again. `holdLocation` is where the corrected orders wait. The same ' +
    'correctionId with the same content changes nothing; with other content it is 409. A person who does not supervise corrects ' +
    'own tickets only.',
  body: PickTicketCorrection,
  errors: 'problem',
  reveals: ofTicket,
  replies: {
    200: { description: 'Corrected, or corrected before: the ticket as it is now', schema: PickTicketOpened },
  },
  refusals: {
    404: 'The store and node have no such pick ticket.',
    409: 'The ticket is not confirmed or brings goods back, something followed from it (`followed` says what), the correctionId was used otherwise, or the first request with this Idempotency-Key is still running.',
  },
  async rules(ctx, { params, body, clientId }, errors) {
    const settings = await findSettings(ctx.db, clientId);
    const ticket = await lockTicket(ctx.db, { clientId, ...params });
    const items = ticket === undefined ? undefined : await findTicketItems(ctx.db, clientId, ticket.pick_ticket_id);
    checkItems(body.pickTicketItems ?? [], items, settings, errors);
    return { settings, ticket, items: items ?? [] };
  },
  async handle(ctx, { params, body, clientId, found: { settings, ticket, items } }) {
    if (ticket === undefined) throw noTicket(params.pickTicketId);
    mustCorrectOwn(ctx, ticket);
    const state = stateOfTicket(ticket);
    const key = { clientId, scope: `correct:${ticket.pick_ticket_id}`, commandId: body.correctionId };
    const before = await claimCommand(ctx, key, body, 'correctionId');
    if (before !== undefined) return reply(200, { pickTicketDetails: await showDetails(ctx, ticket) });
    const isPick = ticket.pick_ticket_type === 'PICK_TICKET';
    if (!isPick || PICK_TICKET_TRANSITIONS[state].correct === 'refused') throw notConfirmed(ticket);
    const corrected = await correct(ctx, settings, ticket, items, body);
    return reply(200, { pickTicketDetails: await showDetails(ctx, corrected) });
  },
});

/** @throws Refusal 403 where a person who does not supervise corrects the ticket of somebody else. */
function mustCorrectOwn({ actor }: Ctx, { user_id }: PickTicketRow): void {
  if (user_id === actor.session?.userId || !isWithout(actor, 'supervise')) return;
  throw denied(`the ticket is of user ${JSON.stringify(user_id)}; that user or a lead corrects it`);
}

function notConfirmed(ticket: PickTicketRow): Refusal {
  const why =
    ticket.pick_ticket_type === 'PICK_TICKET'
      ? `it is ${stateOfTicket(ticket)}; only a confirmed pick ticket can be corrected`
      : 'it brings goods back; only tickets that pick can be corrected';
  return conflict(`The pick ticket was not corrected: ${why}.`, holderOf(ticket));
}

/** Finds every error of the items of a correction. */
function checkItems(
  sent: readonly (ValidPart<PickTicketCorrection['pickTicketItems'][number]> | undefined)[],
  items: readonly PickTicketItemRow[] | undefined,
  settings: Settings,
  errors: FieldErrors,
): void {
  const seen = new Set<number>();
  for (const [index, one] of sent.entries()) {
    if (one?.id === undefined) continue;
    const place = `/pickTicketItems/${index}`;
    const item = items?.find(({ id }) => id === one.id);
    if (seen.has(one.id)) errors.add(`${place}/id`, 'duplicate', `item ${one.id} stands twice; name it once`);
    else if (items !== undefined && item === undefined) {
      errors.add(`${place}/id`, 'exists', `the ticket has no item ${one.id}; its items are 1 to ${items.length}`);
    } else if (item !== undefined) checkItem(one, item, place, settings, errors);
    seen.add(one.id);
  }
}

function checkItem(
  one: ValidPart<PickTicketCorrection['pickTicketItems'][number]>,
  item: PickTicketItemRow,
  place: string,
  settings: Settings,
  errors: FieldErrors,
): void {
  const { pickedQuantity: picked, canceledQuantity: canceled } = one;
  const name = `item ${item.id}`;
  if (picked === undefined) return;
  if (picked > item.quantity) {
    const message = `pickedQuantity of ${name} is ${picked}, but the ticket has ${item.quantity} units of it`;
    errors.add(`${place}/pickedQuantity`, 'maximum', message, item.quantity);
  } else if (canceled !== undefined && picked + canceled !== item.quantity) {
    const message = `pickedQuantity and canceledQuantity of ${name} sum to ${picked + canceled}; they must sum to its quantity ${item.quantity}`;
    errors.add(place, 'sum', message, item.quantity);
  }
  const code = one.cancellationReasonCode ?? item.reason ?? undefined;
  const wrong = reasonError(code, item.quantity - picked, 'cancellationReasonCode', name, settings);
  // A reason of the CONFIRM that the client has given up since stays good.
  if (wrong === undefined || (one.cancellationReasonCode === undefined && item.reason !== null)) return;
  errors.add(`${place}/cancellationReasonCode`, wrong.rule, wrong.message, wrong.limit);
}

/** Corrects a locked, confirmed ticket and its orders. @throws Refusal 409 where something followed from it */
async function correct(
  ctx: Ctx,
  settings: Settings,
  ticket: PickTicketRow,
  items: readonly PickTicketItemRow[],
  body: PickTicketCorrection,
): Promise<PickTicketRow> {
  const { client_id: clientId, pick_ticket_id: pickTicketId } = ticket;
  const answers = resultsOf(items, body);
  const parts = await findTicketLines(ctx.db, clientId, pickTicketId);
  const ids = [...new Set(parts.map((part) => part.fulfillment_order_id))];
  const orders = await lockOrders(ctx, clientId, ids);
  const linesOf = Map.groupBy(await findLines(ctx, clientId, ids), (line) => line.fulfillment_order_id);
  const partsOf = Map.groupBy(parts, (part) => part.fulfillment_order_id);
  const followed = new Map<string, string>();
  for (const order of orders) {
    const id = order.fulfillment_order_id;
    const what = await whatFollowed(ctx, settings, ticket, order, linesOf.get(id)!, partsOf.get(id)!);
    if (what !== undefined) followed.set(id, what);
  }
  const urgent = orders.toSorted(byUrgency).flatMap(({ fulfillment_order_id: id }) => {
    const lines = new Map(linesOf.get(id)!.map((line) => [line.line_index, line]));
    return partsOf.get(id)!.map((part) => allotted(part, lines.get(part.line_index)!));
  });
  const found = new Map(answers.map((answer) => [answer.id, answer.picked]));
  const { parts: corrected, stuck } = reallot(urgent, found, (id) => !followed.has(id));
  const stuckOrders = ids.filter((id) =>
    corrected.some((part) => part.fulfillmentOrderId === id && stuck.includes(part.itemNumber)),
  );
  if (stuck.length > 0) throw tooLate(ticket, stuck, stuckOrders, followed);
  const steps = stepsOf(ticket, items, answers, body, { orders, linesOf, corrected, followed });
  if (steps.length === 0) return ticket;
  const before = new Map(items.map((item) => [item.id, item]));
  await saveResults(ctx, ticket, answers);
  await saveTicketLines(ctx, ticket, corrected.map(ticketLine));
  const now = await correctTicket(ctx, ticket, {
    hold_location: body.holdLocation ?? ticket.hold_location,
    ...totalsOf(ticket, items, answers, corrected),
  });
  await advanceOrders(ctx, settings, steps, [correctedEffect(now, items, answers, body)]);
  const foundAgain = answers.filter(({ id, canceled }) => canceled < before.get(id)!.canceled!);
  const free = await noLongerDeclined(
    ctx,
    clientId,
    ids,
    foundAgain.map(({ id }) => before.get(id)!.item_id),
  );
  await recordAll(ctx, await unblockItems(ctx, ticket, free, ids));
  return now;
}

/** What the day of the CONFIRM counts of the ticket now. One that was confirmed before this was kept stays uncounted. */
function totalsOf(
  ticket: PickTicketRow,
  items: readonly PickTicketItemRow[],
  answers: readonly ItemResult[],
  corrected: readonly CorrectedPart[],
) {
  if (ticket.picked_lines === null) return { picked_lines: null, picked_units: null, short_units: null };
  const found = new Map(answers.map((answer) => [answer.id, answer.picked]));
  const picked = items.map((item) => found.get(item.id) ?? item.picked!);
  return {
    picked_lines: picked.filter((units) => units > 0).length,
    picked_units: picked.reduce((sum, units) => sum + units, 0),
    short_units: corrected.reduce((sum, part) => sum + part.declined - part.before.declined, ticket.short_units!),
  };
}

/** Of the items those of which no order of the ticket declines a unit any more. */
async function noLongerDeclined(
  ctx: Ctx,
  clientId: string,
  orderIds: readonly string[],
  itemIds: readonly string[],
): Promise<string[]> {
  if (itemIds.length === 0) return [];
  const lines = await findLines(ctx, clientId, orderIds);
  const declined = new Set(lines.filter((line) => line.declined > 0).map((line) => line.item_id));
  return [...new Set(itemIds)].filter((itemId) => !declined.has(itemId));
}

/** What a correction says of the items that it names. */
function resultsOf(items: readonly PickTicketItemRow[], body: PickTicketCorrection): ItemResult[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  return body.pickTicketItems.map(({ id, pickedQuantity: picked, cancellationReasonCode: code }) => {
    const item = byId.get(id)!;
    const canceled = item.quantity - picked;
    return { id, picked, canceled, reason: canceled === 0 ? null : (code ?? item.reason) };
  });
}

/**
 * A part as the CONFIRM allotted it. Nobody orders units in addition, and nothing is open after a CONFIRM: of a line of which
 * nothing followed, units that left before the ticket was made are those that are not on it.
 */
function allotted(part: PickTicketLineRow, line: OrderLineRow): AllottedPart {
  const withdrawn = Math.max(0, line.canceled - (line.ordered - part.quantity));
  const picked = part.picked!;
  return {
    fulfillmentOrderId: part.fulfillment_order_id,
    lineIndex: part.line_index,
    itemNumber: part.id,
    picked,
    declined: part.quantity - picked - withdrawn,
    withdrawn,
  };
}

function byUrgency(a: FulfillmentOrderRow, b: FulfillmentOrderRow): number {
  return a.order_date - b.order_date || (a.fulfillment_order_id < b.fulfillment_order_id ? -1 : 1);
}

/** What followed from the CONFIRM for an order, so that it cannot be corrected; undefined: nothing. */
async function whatFollowed(
  ctx: Ctx,
  settings: Settings,
  ticket: PickTicketRow,
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
  parts: readonly PickTicketLineRow[],
): Promise<string | undefined> {
  if (order.pick_ticket_id !== ticket.pick_ticket_id) return `it is on pick ticket ${order.pick_ticket_id ?? 'none'}`;
  if (order.blanked_at !== null) return 'its customer’s data is anonymized';
  if (lines.some((line) => line.handed_over + line.refused > 0)) return 'units of it were handed over or refused';
  if (lines.some((line) => line.canceling + line.returned + line.missing > 0)) {
    return 'units of it were canceled after the pick, and a reverse pick ticket brings them back';
  }
  if (!isAllowed(order, 'correct')) return `it is ${statusInWords(settings, order.status)}`;
  const boxes = await findBoxes(ctx, order);
  if (boxes.some((box) => box.items.length > 0)) return 'units of it are in packages';
  const byIndex = new Map(parts.map((part) => [part.line_index, part]));
  const picked = (line: OrderLineRow) => byIndex.get(line.line_index)?.picked ?? 0;
  if (lines.some((line) => line.picked !== picked(line))) return 'units of it were declined while it was packed';
  if (order.fulfillment_type !== 'SHIP_TO_HOME') return undefined;
  const declined = lines.reduce((sum, line) => sum + line.declined, 0);
  const { resourceable, resourced } = declined === 0 ? NONE : await findRequested(ctx.db, order);
  return resourceable === declined && resourced === 0
    ? undefined
    : 'the re-source request of its declined units was answered';
}

const NONE = { resourceable: 0, resourced: 0 };

/** 409: the correction of these items needs orders that have gone on. */
function tooLate(
  ticket: PickTicketRow,
  itemNumbers: readonly number[],
  orderIds: readonly string[],
  followed: ReadonlyMap<string, string>,
): Refusal {
  const named = orderIds.flatMap((id) => {
    const what = followed.get(id);
    return what === undefined ? [] : [{ fulfillmentOrderId: id, what }];
  });
  const reasons = named.map(({ fulfillmentOrderId: id, what }) => `order ${JSON.stringify(id)}: ${what}`).join('; ');
  return conflict(
    `The pick ticket was not corrected, because something followed from its CONFIRM (item ${itemNumbers.join(', ')}). ${reasons}.`,
    { pickTicketId: ticket.pick_ticket_id, followed: named },
  );
}

interface Situation {
  orders: readonly FulfillmentOrderRow[];
  linesOf: ReadonlyMap<string, OrderLineRow[]>;
  corrected: readonly CorrectedPart[];
  followed: ReadonlyMap<string, string>;
}

/** The orders for which something changes: quantities, reasons, or where their goods wait. */
function stepsOf(
  ticket: PickTicketRow,
  items: readonly PickTicketItemRow[],
  answers: readonly ItemResult[],
  body: PickTicketCorrection,
  { orders, linesOf, corrected, followed }: Situation,
): Step[] {
  const reasons = new Map(answers.map((answer) => [answer.id, answer.reason]));
  const reasonBefore = new Map(items.map((item) => [item.id, item.reason]));
  const isChanged = ({ picked, declined, before, itemNumber }: CorrectedPart) =>
    picked !== before.picked || (declined > 0 && reasons.get(itemNumber) !== reasonBefore.get(itemNumber));
  return orders.flatMap((order): Step[] => {
    const id = order.fulfillment_order_id;
    if (followed.has(id)) return [];
    const results = corrected
      .filter((part) => part.fulfillmentOrderId === id && isChanged(part))
      .map((part) => ({ ...part, reason: part.declined > 0 ? (reasons.get(part.itemNumber) ?? null) : null }));
    const holdLocation = body.holdLocation ?? order.hold_location ?? ticket.hold_location;
    const isMoved = order.hold_location !== null && holdLocation !== order.hold_location;
    if (results.length === 0 && !isMoved) return [];
    const { correctionId, userId } = body;
    const action = {
      type: 'correct' as const,
      pickTicketId: ticket.pick_ticket_id,
      correctionId,
      userId,
      holdLocation,
      results,
    };
    return [{ order, lines: linesOf.get(id)!, action }];
  });
}

function ticketLine({ fulfillmentOrderId, lineIndex, picked, declined, withdrawn }: CorrectedPart) {
  return { fulfillment_order_id: fulfillmentOrderId, line_index: lineIndex, picked, canceled: declined + withdrawn };
}

function correctedEffect(
  ticket: PickTicketRow,
  items: readonly PickTicketItemRow[],
  answers: readonly ItemResult[],
  { correctionId, userId, reason }: PickTicketCorrection,
): Effect {
  const now = new Map(answers.map((answer) => [answer.id, answer.picked]));
  const pickedQuantity = items.reduce((sum, item) => sum + (now.get(item.id) ?? item.picked!), 0);
  return {
    clientId: ticket.client_id,
    type: 'pickTicket.corrected',
    resource: 'pickTicket',
    resourceId: ticket.pick_ticket_id,
    revision: ticket.revision,
    data: {
      correctionId,
      userId,
      reason,
      holdLocation: ticket.hold_location,
      pickedQuantity,
      canceledQuantity: ticket.total_quantity - pickedQuantity,
      items: answers.map(({ id, picked }) => ({
        id,
        pickedBefore: items.find((item) => item.id === id)!.picked!,
        pickedQuantity: picked,
      })),
    },
  };
}
