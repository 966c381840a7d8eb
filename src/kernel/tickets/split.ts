/**
 * Assigns each unit of a ticket to an order, during the pick and afterwards. The functions are pure. The split agrees
 * with `allot.ts`, which decides at the CONFIRM (docs/api.md#additions-to-the-interface).
 */

import type { FulfillmentOrderRow } from '../../platform/storage/tables.ts';
import { allotTicket, type Claimant, type TicketClaim } from './allot.ts';

/** An order of a ticket with the units that it waits for. */
export type TicketClaimant = Omit<Claimant, 'claims'> & { claims: readonly TicketClaim[] };

/** The progress of an item. */
export interface Done {
  picked: number;
  canceled: number;
}

/** Units of an item that are for one order. */
export interface Share {
  itemNumber: number;
  fulfillmentOrderId: string;
  quantity: number;
  /** Units found so far for this order. */
  picked: number;
  /** Units that this order lacks because of the declines so far. */
  canceled: number;
  /** Units that the customer has canceled during the pick. */
  withdrawn: number;
}

const LETTERS = 26;

/** Returns the tote of an order by its place on the ticket: A to Z, then AA to AX. */
export function toteOf(place: number): string {
  const letter = String.fromCharCode(65 + (place % LETTERS));
  return place < LETTERS ? letter : toteOf(Math.floor(place / LETTERS) - 1) + letter;
}

/** Returns an order as a claimant, with the urgency of its row. */
export function claimantOf(order: FulfillmentOrderRow, claims: readonly TicketClaim[]): TicketClaimant {
  return {
    fulfillmentOrderId: order.fulfillment_order_id,
    slaAt: order.sla_at ?? order.queued_at,
    orderDate: order.order_date,
    claims,
  };
}

/**
 * Splits an open ticket by item and order, in the order of the claimants. Units that are not declined yet count as
 * found, so the declined units are missing from the same orders as at the CONFIRM. Found units fill the orders from
 * first to last, wanted units before units that a customer has canceled. Once every unit is found or declined, the
 * split equals the allotment of the CONFIRM.
 */
export function splitOf(claimants: readonly TicketClaimant[], done: ReadonlyMap<number, Done>): Share[] {
  const found = new Map<number, number>();
  for (const { itemNumber, quantity } of claimants.flatMap(({ claims }) => claims)) {
    found.set(itemNumber, (found.get(itemNumber) ?? 0) + quantity);
  }
  const picked = new Map([...done].map(([itemNumber, { picked: units }]) => [itemNumber, units]));
  for (const [itemNumber, { canceled }] of done) {
    if (found.has(itemNumber)) found.set(itemNumber, found.get(itemNumber)! - canceled);
  }
  const parts = allotTicket(claimants, found);
  const withdrawn = claimants.flatMap(({ claims }) => claims.map((claim) => Math.min(claim.quantity, claim.canceling)));
  const filled = parts.map(() => 0);
  const fill = (units: (part: (typeof parts)[number]) => number) => {
    for (const [index, part] of parts.entries()) {
      const taken = Math.min(units(part), picked.get(part.itemNumber) ?? 0);
      filled[index]! += taken;
      picked.set(part.itemNumber, (picked.get(part.itemNumber) ?? 0) - taken);
    }
  };
  fill((part) => part.picked - part.returning);
  fill((part) => part.returning);
  return joined(
    parts.map((part, index) => ({
      itemNumber: part.itemNumber,
      fulfillmentOrderId: part.fulfillmentOrderId,
      quantity: part.picked + part.canceled,
      picked: filled[index]!,
      canceled: part.canceled,
      withdrawn: withdrawn[index]!,
    })),
  );
}

/** Joins the shares of the same item and order into one share, because an order may have several lines of an item. */
export function joined(shares: readonly Share[]): Share[] {
  const groups = Map.groupBy(shares, (share) => `${share.itemNumber}/${share.fulfillmentOrderId}`);
  const total = (group: readonly Share[], of: (share: Share) => number) =>
    group.reduce((sum, share) => sum + of(share), 0);
  return [...groups.values()].map((group) => ({
    itemNumber: group[0]!.itemNumber,
    fulfillmentOrderId: group[0]!.fulfillmentOrderId,
    quantity: total(group, (share) => share.quantity),
    picked: total(group, (share) => share.picked),
    canceled: total(group, (share) => share.canceled),
    withdrawn: total(group, (share) => share.withdrawn),
  }));
}
