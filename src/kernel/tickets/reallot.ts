/**
 * Allots the units of a corrected ticket again. Orders with later steps keep their units, and other units stay with
 * their lines where possible. Additional units go to lines that lack units. Missing units are taken first from orders
 * with declined units, then from the least urgent orders.
 */

/**
 * The units of one ticket item that the CONFIRM allotted to one order line. Their number is picked + declined +
 * withdrawn.
 */
export interface AllottedPart {
  fulfillmentOrderId: string;
  lineIndex: number;
  itemNumber: number;
  picked: number;
  /** Wanted units that were not found. */
  declined: number;
  /** Units that were not found and that the customer canceled during the pick. */
  withdrawn: number;
}

export interface CorrectedPart extends AllottedPart {
  /** Units that are found now and that the customer canceled. A reverse ticket brings them back. */
  returning: number;
  before: Pick<AllottedPart, 'picked' | 'declined' | 'withdrawn'>;
}

/**
 * Allots the corrected units of each item to the parts of the ticket again.
 * @param found the found units by item number
 * @param parts all parts of the ticket, the parts of the most urgent order first
 * @param isFree whether an order can still be corrected
 * @returns the parts of corrected items, and the items with units that do not fit into the orders that can be corrected
 */
export function reallot(
  parts: readonly AllottedPart[],
  found: ReadonlyMap<number, number>,
  isFree: (orderId: string) => boolean,
): { parts: CorrectedPart[]; stuck: number[] } {
  const corrected: CorrectedPart[] = [];
  const stuck: number[] = [];
  const short = new Set(parts.filter((part) => part.declined > 0).map((part) => part.fulfillmentOrderId));
  for (const [itemNumber, target] of found) {
    const own = parts
      .filter((part) => part.itemNumber === itemNumber)
      .map(({ picked, declined, withdrawn, ...part }): CorrectedPart => {
        const before = { picked, declined, withdrawn };
        return { ...part, ...before, returning: 0, before };
      });
    const free = own.filter((part) => isFree(part.fulfillmentOrderId));
    let more = target - own.reduce((sum, part) => sum + part.picked, 0);
    for (const part of free) more -= give(part, 'declined', more);
    for (const part of free) more -= give(part, 'withdrawn', more);
    // Take units first from orders with declined units, then from other orders, each time from the least urgent order.
    const takers = free.toReversed();
    for (const part of takers.filter((one) => short.has(one.fulfillmentOrderId))) more += take(part, -more);
    for (const part of takers) more += take(part, -more);
    if (more !== 0) stuck.push(itemNumber);
    corrected.push(...own);
  }
  return { parts: corrected, stuck };
}

/** Counts up to `most` missing units as found. Returns their number. */
function give(part: CorrectedPart, from: 'declined' | 'withdrawn', most: number): number {
  const units = Math.max(0, Math.min(most, part[from]));
  part[from] -= units;
  part.picked += units;
  if (from === 'withdrawn') part.returning += units;
  return units;
}

/** Counts up to `most` found units as declined. Returns their number. */
function take(part: CorrectedPart, most: number): number {
  const units = Math.max(0, Math.min(most, part.picked));
  part.picked -= units;
  part.declined += units;
  return units;
}
