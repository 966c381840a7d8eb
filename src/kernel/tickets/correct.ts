/** Correction of a wrong CONFIRM, while no later step depends on it (docs/states.md#pick-tickets). */

import type { Sentence } from '../../platform/message/sentence.ts';
import type { OrderLineRow, PickTicketLineRow, PickTicketRow } from '../../platform/storage/tables.ts';
import type { Settings } from '../../shared/client-settings.ts';
import { statusInWords } from '../../shared/status.ts';
import type { Action as OrderAction } from '../plan.ts';
import { isAllowed } from '../states.ts';
import { onHandUnits } from '../units.ts';
import type { Step } from '../write.ts';
import type { ActionOf, Effects, Followed, OrderOnTicket, Subject } from './action.ts';
import { foundUnits } from './confirm.ts';
import { type AllottedPart, type CorrectedPart, reallot } from './reallot.ts';
import type { LineResult } from './rows.ts';
import { say } from './sentences.ts';

type Correct = ActionOf<'correct'>;

/**
 * Corrects the results and those orders that can still change. An order with a later step, package or request keeps its
 * units.
 */
export function corrected(subject: Subject, action: Correct): Effects {
  const { ticket, items, parts, orders, settings } = subject;
  const partsOf = Map.groupBy(parts, (part) => part.fulfillment_order_id);
  const followed = new Map<string, Sentence>();
  for (const one of orders) {
    const id = one.order.fulfillment_order_id;
    const what = followedByRow(ticket, one, settings) ?? followedByOthers(one, partsOf.get(id)!);
    if (what !== undefined) followed.set(id, what);
  }
  const urgent = orders.toSorted(byUrgency).flatMap(({ order, lines }) => {
    const byIndex = new Map(lines!.map((line) => [line.line_index, line]));
    return partsOf.get(order.fulfillment_order_id)!.map((part) => allotted(part, byIndex.get(part.line_index)!));
  });
  const found = foundUnits(action.results);
  const { parts: again, stuck } = reallot(urgent, found, (id) => !followed.has(id));
  if (stuck.length > 0) {
    return { refused: { why: 'followed', itemNumbers: stuck, followed: inTheWay(orders, again, stuck, followed) } };
  }
  const steps = stepsOf(subject, action, again, followed);
  if (steps.length === 0) {
    const isMoved = action.holdLocation !== undefined && again.every((part) => followed.has(part.fulfillmentOrderId));
    const kept = isMoved ? inTheWay(orders.filter(isElsewhere(action)), again, [...found.keys()], followed) : [];
    return kept.length === 0 ? {} : { refused: { why: 'followed', itemNumbers: [...found.keys()], followed: kept } };
  }
  const pickedNow = items.map((item) => found.get(item.id) ?? item.picked!);
  const pickedQuantity = pickedNow.reduce((sum, units) => sum + units, 0);
  const changed = new Set(steps.map(({ order }) => order));
  // A ticket has one hold location for all its goods. It does not change while goods of other orders are elsewhere.
  const isSplit = orders.filter(({ order }) => !changed.has(order)).some(isElsewhere(action));
  const holdLocation = isSplit ? ticket.hold_location : (action.holdLocation ?? ticket.hold_location);
  const { correctionId, userId, reason, results } = action;
  return {
    columns: { hold_location: holdLocation, ...totals(ticket, pickedNow, again) },
    results,
    parts: again.map(lineResult),
    steps,
    freedItems: freedItems(subject, action, steps),
    event: {
      type: 'pickTicket.corrected',
      data: {
        correctionId,
        userId,
        reason,
        holdLocation,
        pickedQuantity,
        canceledQuantity: ticket.total_quantity - pickedQuantity,
        items: results.map(({ id, picked }) => ({
          id,
          pickedBefore: items.find((item) => item.id === id)!.picked!,
          pickedQuantity: picked,
        })),
      },
    },
  };
}

/**
 * Returns the reason why an order can no longer be corrected: its own rows show a step after the CONFIRM. Returns
 * undefined if the rows show no such step.
 */
export function followedByRow(
  ticket: PickTicketRow,
  { order, lines }: OrderOnTicket,
  settings: Settings,
): Sentence | undefined {
  if (order.pick_ticket_id !== ticket.pick_ticket_id)
    return order.pick_ticket_id === null
      ? say('the order is not on a pick ticket')
      : say('the order is now on another pick ticket, {pickTicketId}', { pickTicketId: order.pick_ticket_id });
  if (order.blanked_at !== null) return say('the customer’s data is anonymized');
  if (lines!.some((line) => line.handed_over + line.refused > 0))
    return say('units of the order were handed over, or the customer did not take them');
  if (lines!.some((line) => line.canceling + line.returned + line.missing > 0)) {
    return say(
      'units of the order were canceled after the pick, and a reverse pick ticket brings them back to the shelf',
    );
  }
  return isAllowed(order, 'correct')
    ? undefined
    : say('the order is {status}', { status: statusInWords(settings, order.status) });
}

/** Returns the reason why an order can no longer be corrected, according to its packages and re-source requests. */
function followedByOthers(
  { order, lines, boxes, requested }: OrderOnTicket,
  parts: readonly PickTicketLineRow[],
): Sentence | undefined {
  if (boxes!.some((box) => box.items.length > 0)) return say('units of the order are in packages');
  const byIndex = new Map(parts.map((part) => [part.line_index, part]));
  const picked = (line: OrderLineRow) => byIndex.get(line.line_index)?.picked ?? 0;
  if (lines!.some((line) => line.picked !== picked(line)))
    return say('units of the order were declined during packing');
  const declined = lines!.reduce((sum, line) => sum + line.declined, 0);
  const { resourceable, resourced, decided = 0 } = requested!;
  const isNeverAsked = order.fulfillment_type !== 'SHIP_TO_HOME' && resourceable + decided === 0;
  return resourced === 0 && (resourceable === declined || isNeverAsked)
    ? undefined
    : say('the re-source request of its declined units was accepted or canceled');
}

/**
 * Returns a part of the ticket with the units that the CONFIRM allotted to it. The units of an order never increase,
 * and no unit is open after a CONFIRM. If the order has no later steps, units of the line that are not on the ticket
 * were therefore canceled before the ticket was created.
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

/** Whether an order has goods in the store that are not at the sent hold location. */
function isElsewhere({ holdLocation }: Correct): (one: OrderOnTicket) => boolean {
  return ({ order, lines }) => order.hold_location !== holdLocation && lines!.some((line) => onHandUnits(line) > 0);
}

/** Sorts orders as the CONFIRM does: by the due time of the pick, order date and id. */
function byUrgency(one: OrderOnTicket, other: OrderOnTicket): number {
  const { order: a, pickDueAt: dueA } = one;
  const { order: b, pickDueAt: dueB } = other;
  return dueA! - dueB! || a.order_date - b.order_date || (a.fulfillment_order_id < b.fulfillment_order_id ? -1 : 1);
}

/**
 * Returns the orders that prevent the correction. These orders have later steps, and units of the items that could not
 * be corrected.
 */
function inTheWay(
  orders: readonly OrderOnTicket[],
  parts: readonly CorrectedPart[],
  stuck: readonly number[],
  followed: ReadonlyMap<string, Sentence>,
): Followed[] {
  return orders.flatMap(({ order: { fulfillment_order_id: id } }) => {
    const what = followed.get(id);
    const isStuck = parts.some((part) => part.fulfillmentOrderId === id && stuck.includes(part.itemNumber));
    return what === undefined || !isStuck ? [] : [{ fulfillmentOrderId: id, what }];
  });
}

/**
 * Returns the steps of the orders whose quantities, reasons or hold location the correction changes. A sent hold
 * location applies to the orders that the results change. If they change no order, it applies to the orders that have
 * the sent items. The goods of the other orders may be elsewhere.
 */
function stepsOf(
  { ticket, items, orders }: Subject,
  { correctionId, userId, holdLocation: sent, results }: Correct,
  parts: readonly CorrectedPart[],
  followed: ReadonlyMap<string, Sentence>,
): Step[] {
  const reasons = new Map(results.map((result) => [result.id, result.reason]));
  const reasonBefore = new Map(items.map((item) => [item.id, item.reason]));
  const isChanged = ({ picked, declined, before, itemNumber }: CorrectedPart) =>
    picked !== before.picked || (declined > 0 && reasons.get(itemNumber) !== reasonBefore.get(itemNumber));
  const open = parts.filter((part) => !followed.has(part.fulfillmentOrderId));
  const changed = open.filter(isChanged);
  const ids = new Set((changed.length > 0 ? changed : open).map((part) => part.fulfillmentOrderId));
  return orders.flatMap(({ order, lines, requested }): Step[] => {
    const id = order.fulfillment_order_id;
    if (!ids.has(id)) return [];
    const own = changed
      .filter((part) => part.fulfillmentOrderId === id)
      .map((part) => ({ ...part, reason: part.declined > 0 ? (reasons.get(part.itemNumber) ?? null) : null }));
    const holdLocation = sent ?? order.hold_location ?? ticket.hold_location;
    const isMoved = order.hold_location !== null && holdLocation !== order.hold_location;
    if (own.length === 0 && !isMoved) return [];
    const by = { pickTicketId: ticket.pick_ticket_id, correctionId, userId };
    const action: OrderAction = { type: 'correct', ...by, holdLocation, results: own };
    return [{ order, lines: lines!, action, ...(requested && { requested }) }];
  });
}

/** Returns the corrected totals of the ticket. A ticket that an earlier release confirmed has no totals. */
function totals(ticket: PickTicketRow, pickedNow: readonly number[], parts: readonly CorrectedPart[]) {
  if (ticket.picked_lines === null) return { picked_lines: null, picked_units: null, short_units: null };
  return {
    picked_lines: pickedNow.filter((units) => units > 0).length,
    picked_units: pickedNow.reduce((sum, units) => sum + units, 0),
    short_units: parts.reduce((sum, part) => sum + part.declined - part.before.declined, ticket.short_units!),
  };
}

/**
 * Returns the items with more found units than before the correction, if no order of the ticket declines them any
 * longer.
 */
function freedItems({ items, orders }: Subject, { results }: Correct, steps: readonly Step[]): string[] {
  const before = new Map(items.map((item) => [item.id, item]));
  const foundAgain = results.filter(({ id, canceled }) => canceled < before.get(id)!.canceled!);
  if (foundAgain.length === 0) return [];
  const fewer = new Map<string, number>();
  for (const { order, action } of steps) {
    if (action.type !== 'correct') continue;
    for (const part of action.results) {
      fewer.set(`${part.lineIndex}/${order.fulfillment_order_id}`, part.before.declined - part.declined);
    }
  }
  const declined = orders
    .flatMap(({ lines }) => lines!)
    .filter((line) => line.declined > (fewer.get(`${line.line_index}/${line.fulfillment_order_id}`) ?? 0));
  const stillDeclined = new Set(declined.map((line) => line.item_id));
  const itemIds = foundAgain.map(({ id }) => before.get(id)!.item_id);
  return [...new Set(itemIds)].filter((itemId) => !stillDeclined.has(itemId));
}

function lineResult({ fulfillmentOrderId, lineIndex, picked, declined, withdrawn }: CorrectedPart): LineResult {
  return { fulfillment_order_id: fulfillmentOrderId, line_index: lineIndex, picked, canceled: declined + withdrawn };
}
