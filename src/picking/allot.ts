/** Allotment of what was found to the orders of a ticket (docs/interface.md#short-picks). */

/** Units of a ticket item that a line of an order waits for. */
interface Claim {
  lineIndex: number;
  /** Number of the item on the ticket. */
  itemNumber: number;
  quantity: number;
}

export interface Claimant {
  fulfillmentOrderId: string;
  /** When the order must be picked, and when it was ordered, in epoch milliseconds. */
  slaAt: number;
  orderDate: number;
  /** In the order of the order's lines. */
  claims: readonly Claim[];
}

/** What a line got: picked + canceled is its quantity. */
export interface Allotment {
  fulfillmentOrderId: string;
  lineIndex: number;
  itemNumber: number;
  picked: number;
  canceled: number;
}

/**
 * Allots the units found of each item (by its number; none where it is not named). Pass 1, in the order of SLA, order date
 * and id: an order that can be filled wholly from what is left is filled. Pass 2, the rest in the same order: line by line,
 * as far as units go. So no unit found is lost, as long as no more was found than is claimed. The answer is in the order
 * of the claimants given.
 */
export function allot(claimants: readonly Claimant[], found: ReadonlyMap<number, number>): Allotment[] {
  const left = new Map(found);
  const taken = new Map<Claim, number>();
  const take = (claim: Claim) => {
    const units = Math.min(claim.quantity, left.get(claim.itemNumber) ?? 0);
    left.set(claim.itemNumber, (left.get(claim.itemNumber) ?? 0) - units);
    taken.set(claim, units);
  };
  const waiting = [...claimants].sort(byUrgency).filter((order) => {
    const whole = canFill(order, left);
    if (whole) order.claims.forEach(take);
    return !whole;
  });
  for (const order of waiting) order.claims.forEach(take);
  return claimants.flatMap(({ fulfillmentOrderId, claims }) =>
    claims.map((claim) => {
      const picked = taken.get(claim) ?? 0;
      const { lineIndex, itemNumber, quantity } = claim;
      return { fulfillmentOrderId, lineIndex, itemNumber, picked, canceled: quantity - picked };
    }),
  );
}

/** Units of a ticket item for a line, of which the customer has canceled some meanwhile. */
export interface TicketClaim extends Claim {
  canceling: number;
}

/** What a line of a ticket got: its quantity is picked + canceled, and canceled is declined + withdrawn. */
export interface TicketAllotment extends Allotment {
  /** Units not found that were wanted. */
  declined: number;
  /** Units not found that the customer had canceled. */
  withdrawn: number;
  /** Picked units that the customer had canceled: they are to be brought back. */
  returning: number;
}

/** Allots what was found first to units that are wanted, then, in the same way, to those that were canceled meanwhile. */
export function allotTicket(
  claimants: readonly (Omit<Claimant, 'claims'> & { claims: readonly TicketClaim[] })[],
  found: ReadonlyMap<number, number>,
): TicketAllotment[] {
  const claiming = (units: (claim: TicketClaim) => number) =>
    claimants.map((one) => ({ ...one, claims: one.claims.map((claim) => ({ ...claim, quantity: units(claim) })) }));
  const wanted = allot(
    claiming((claim) => claim.quantity - claim.canceling),
    found,
  );
  const left = new Map(found);
  for (const { itemNumber, picked } of wanted) left.set(itemNumber, (left.get(itemNumber) ?? 0) - picked);
  const rest = allot(
    claiming((claim) => claim.canceling),
    left,
  );
  return wanted.map((part, index) => {
    const { picked: returning, canceled: withdrawn } = rest[index]!;
    const [picked, canceled] = [part.picked + returning, part.canceled + withdrawn];
    return { ...part, picked, canceled, declined: part.canceled, withdrawn, returning };
  });
}

function canFill(order: Claimant, left: ReadonlyMap<number, number>): boolean {
  const wanted = new Map<number, number>();
  for (const { itemNumber, quantity } of order.claims) {
    wanted.set(itemNumber, (wanted.get(itemNumber) ?? 0) + quantity);
  }
  return [...wanted].every(([itemNumber, quantity]) => quantity <= (left.get(itemNumber) ?? 0));
}

function byUrgency(a: Claimant, b: Claimant): number {
  return (
    a.slaAt - b.slaAt ||
    a.orderDate - b.orderDate ||
    (a.fulfillmentOrderId < b.fulfillmentOrderId ? -1 : a.fulfillmentOrderId > b.fulfillmentOrderId ? 1 : 0)
  );
}
