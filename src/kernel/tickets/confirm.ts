/**
 * CONFIRM of a pick ticket: found units are allotted to its orders (docs/interface.md#confirm and
 * docs/interface.md#short-picks).
 */
import { stringifyJson } from '../../platform/message/json.ts';
import type { Sentence } from '../../platform/message/sentence.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { PickTicketItemRow, PickTicketRow } from '../../platform/storage/tables.ts';
import type { Action as OrderAction } from '../plan.ts';
import type { Step } from '../write.ts';
import type { ActionOf, Effects, Subject } from './action.ts';
import { allot, allotTicket, type TicketAllotment } from './allot.ts';
import type { ItemResult, LineResult } from './rows.ts';
import { say } from './sentences.ts';
import { claimantOf } from './split.ts';

type Confirm = ActionOf<'CONFIRM'>;

/**
 * Plans the CONFIRM of a pick ticket that is not a reverse ticket: its orders continue with the found units. Of the
 * units that a customer canceled during the pick, the units that were not found become `canceled`, and a reverse ticket
 * brings the found units back (docs/states.md#fulfillment-orders).
 */
export function confirmed(subject: Subject, action: Confirm): Effects {
  const { userId, modifyAssociateId, holdLocation, orderHoldLocations, results } = action;
  const allotted = allotLines(subject, results);
  const reasons = new Map(results.map((result) => [result.id, result.reason]));
  const allottedOf = Map.groupBy(allotted, (part) => part.fulfillmentOrderId);
  return {
    columns: {
      ...confirmedColumns(action),
      confirmed_by: userId,
      picked_lines: results.filter(({ picked }) => picked > 0).length,
      picked_units: pickedUnits(results),
      // Units that the customer canceled are not short.
      short_units: allotted.reduce((sum, { declined }) => sum + declined, 0),
    },
    results,
    parts: allotted.map(lineResult),
    steps: subject.orders.map(({ order, lines }): Step => {
      const id = order.fulfillment_order_id;
      const own = allottedOf.get(id) ?? [];
      const ownResults = own.map((part) => ({ ...part, reason: reasons.get(part.itemNumber) ?? null }));
      const place = orderHoldLocations?.get(id) ?? holdLocation;
      const by = { userId, modifyAssociateId };
      const step: OrderAction = { type: 'confirm', ...by, holdLocation: place, results: ownResults };
      return { order, lines: lines!, action: step };
    }),
    event: {
      type: 'pickTicket.confirmed',
      data: {
        userId,
        generatedFor: subject.ticket.user_id,
        modifyAssociateId,
        holdLocation,
        pickedQuantity: pickedUnits(results),
        canceledQuantity: results.reduce((sum, result) => sum + result.canceled, 0),
      },
    },
  };
}

/**
 * Plans the CONFIRM of a reverse ticket: its order counts the found units as returned, and the other units of the
 * ticket as missing.
 */
export function broughtBack({ ticket, parts, orders }: Subject, action: Confirm): Effects {
  const { userId, modifyAssociateId, holdLocation, results } = action;
  const { order } = orders[0]!;
  const claims = parts.map((part) => ({ lineIndex: part.line_index, itemNumber: part.id, quantity: part.quantity }));
  const claimant = { fulfillmentOrderId: order.fulfillment_order_id, slaAt: 0, orderDate: 0, claims };
  const allotted = allot([claimant], foundUnits(results));
  const returnedQuantity = allotted.reduce((sum, { picked }) => sum + picked, 0);
  const missingQuantity = ticket.total_quantity - returnedQuantity;
  const returned = allotted.map((part) => ({
    lineIndex: part.lineIndex,
    returned: part.picked,
    missing: part.canceled,
  }));
  const by = { userId, modifyAssociateId };
  return {
    columns: confirmedColumns(action),
    results,
    parts: allotted.map(lineResult),
    steps: [{ order, action: { type: 'bringBack', pickTicketId: ticket.pick_ticket_id, ...by, returned } }],
    event: {
      type: 'pickTicket.reverseConfirmed',
      data: { ...by, holdLocation, returnedQuantity, missingQuantity },
    },
  };
}

function confirmedColumns(action: Confirm) {
  return { outcome: 'CONFIRMED' as const, hold_location: action.holdLocation, confirmation_hash: hashOf(action) };
}

function allotLines({ orders, parts }: Subject, results: readonly ItemResult[]): TicketAllotment[] {
  const byOrder = Map.groupBy(parts, (part) => part.fulfillment_order_id);
  const claimants = orders.map(({ order, lines }) => {
    const canceling = new Map(lines!.map((line) => [line.line_index, line.canceling]));
    const claims = (byOrder.get(order.fulfillment_order_id) ?? []).map((part) => ({
      lineIndex: part.line_index,
      itemNumber: part.id,
      quantity: part.quantity,
      canceling: canceling.get(part.line_index) ?? 0,
    }));
    return claimantOf(order, claims);
  });
  return allotTicket(claimants, foundUnits(results));
}

/** Returns the found units of each item, by its number. */
export function foundUnits(results: readonly ItemResult[]): Map<number, number> {
  return new Map(results.map((result) => [result.id, result.picked]));
}

function pickedUnits(results: readonly ItemResult[]): number {
  return results.reduce((sum, result) => sum + result.picked, 0);
}

function lineResult(part: {
  fulfillmentOrderId: string;
  lineIndex: number;
  picked: number;
  canceled: number;
}): LineResult {
  const { fulfillmentOrderId, lineIndex, picked, canceled } = part;
  return { fulfillment_order_id: fulfillmentOrderId, line_index: lineIndex, picked, canceled };
}

/** Returns the hash of the content of a CONFIRM. Equal hashes mean the same CONFIRM (docs/interface.md#confirm). */
export function hashOf({ userId, holdLocation, orderHoldLocations, results }: Confirm): string {
  const content = results.map(({ id, picked, canceled, reason }) => [id, picked, canceled, reason]);
  // If the location of an order equals the common `holdLocation`, the hash treats the order as an order without its own
  // location.
  const own = [...(orderHoldLocations ?? [])].filter(([, place]) => place !== holdLocation).toSorted();
  return sha256(stringifyJson([userId, holdLocation, content, ...(own.length === 0 ? [] : [own])]));
}

/** Returns the differences between a CONFIRM and the earlier CONFIRM that closed the ticket. */
export function differences(ticket: PickTicketRow, items: readonly PickTicketItemRow[], confirm: Confirm): Sentence[] {
  const found: Sentence[] = [];
  if (confirm.holdLocation !== ticket.hold_location)
    found.push(say('holdLocation was {holdLocation}', { holdLocation: ticket.hold_location }));
  for (const [index, result] of confirm.results.entries()) {
    const item = items[index]!;
    if (result.picked !== item.picked) {
      found.push(
        say('item {id} had pickedQuantity {picked} and canceledQuantity {canceled}', {
          id: item.id,
          picked: item.picked,
          canceled: item.canceled,
        }),
      );
    } else if (result.reason !== item.reason) {
      found.push(say('item {id} had cancellationReasonCode {reason}', { id: item.id, reason: item.reason }));
    }
  }
  // If neither `holdLocation` nor a result differs, the user or the location of an order does, or a correction has
  // brought the ticket to this content. The ticket does not always have the values of the first CONFIRM.
  return found.length > 0
    ? found
    : [
        say(
          'userId or a location in orderHoldLocations was different, or the ticket was corrected since and has this content now',
        ),
      ];
}
