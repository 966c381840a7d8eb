/** Allotment of found units to the orders of a ticket (docs/interface.md#short-picks). */

/** Units of a ticket item that an order line waits for. */
interface Claim {
  lineIndex: number;
  /** Number of the item on the ticket. */
  itemNumber: number;
  quantity: number;
}

export interface Claimant {
  fulfillmentOrderId: string;
  /** The due time of the pick, and the date of the order, in epoch milliseconds. */
  slaAt: number;
  orderDate: number;
  /** Claims in the order of the order's lines. */
  claims: readonly Claim[];
}

/** The units of a line: picked + canceled is its quantity. */
export interface Allotment {
  fulfillmentOrderId: string;
  lineIndex: number;
  itemNumber: number;
  picked: number;
  canceled: number;
}

/**
 * Allots the found units of each item. `found` has them by item number; an item without an entry has no found units.
 * Orders are sorted by SLA, order date and id. Pass 1 fills each order that the remaining units can fill completely.
 * Pass 2 allots the remaining units in the same order, line by line. All found units are allotted, unless more units
 * are found than claimed. The result is in the order of the given claimants.
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

/** Units of a ticket item for a line. The customer canceled `canceling` of them during the pick. */
export interface TicketClaim extends Claim {
  canceling: number;
}

/** The units of a line of a ticket: its quantity is picked + canceled, and canceled is declined + withdrawn. */
export interface TicketAllotment extends Allotment {
  /** Wanted units that were not found. */
  declined: number;
  /** Canceled units that were not found. */
  withdrawn: number;
  /** Canceled units that were picked. A reverse ticket brings them back. */
  returning: number;
}

/** Allots found units first to wanted units, then, in the same way, to units that were canceled during the pick. */
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
