/** Allotment of what was found to the orders of a ticket (decision 28). */

/** Units of a ticket item that a line of an order waits for. */
export interface Claim {
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
