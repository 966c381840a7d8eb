/**
 * Which order each unit of a ticket is for, while it is picked and afterwards. Pure code: it agrees with `allot.ts`, which decides
 * at the CONFIRM (docs/decisions/230).
 */

import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { allotTicket, type Claimant, type TicketClaim } from './allot.ts';

/** An order of a ticket with the units that it waits for. */
export type TicketClaimant = Omit<Claimant, 'claims'> & { claims: readonly TicketClaim[] };

/** What has been done of an item so far. */
export interface Done {
  picked: number;
  canceled: number;
}

/** Units of an item that are for one order. */
export interface Share {
  itemNumber: number;
  fulfillmentOrderId: string;
  quantity: number;
  /** Units found so far that go to this order. */
  picked: number;
  /** Units that this order goes without, by what has been declined so far. */
  canceled: number;
  /** Units that its customer has canceled meanwhile. */
  withdrawn: number;
}

const LETTERS = 26;

/** The tote of an order by its place on the ticket: A to Z, then AA to AX. */
export function toteOf(place: number): string {
  const letter = String.fromCharCode(65 + (place % LETTERS));
  return place < LETTERS ? letter : toteOf(Math.floor(place / LETTERS) - 1) + letter;
}

/** An order as it takes part in the allotment: its urgency is that of its row. */
export function claimantOf(order: FulfillmentOrderRow, claims: readonly TicketClaim[]): TicketClaimant {
  return {
    fulfillmentOrderId: order.fulfillment_order_id,
    slaAt: order.sla_at ?? order.queued_at,
    orderDate: order.order_date,
    claims,
  };
}

/**
 * Splits an open ticket by item and order, in the order of the claimants. What is not declined yet counts as found, so declined
 * units go short where the CONFIRM would have them go short. Units found fill the orders from the first to the last, wanted units
 * before those that a customer has canceled. When every unit is answered for, the split is the allotment of the CONFIRM.
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

/** One share for each item and order: an order may have several lines of an item. */
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
