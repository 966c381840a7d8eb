/**
 * What a correction of a confirmed ticket changes for its orders. What was allotted stays wherever it can: units that were found
 * after all go to lines that lack them, units that are not there are taken from the least urgent, and orders that have gone
 * on since keep what they have.
 */

/** Units of a ticket item for a line of an order, as the CONFIRM allotted them: picked + declined + withdrawn is its quantity. */
export interface AllottedPart {
  fulfillmentOrderId: string;
  lineIndex: number;
  itemNumber: number;
  picked: number;
  /** Not found, and wanted. */
  declined: number;
  /** Not found, and canceled by the customer meanwhile. */
  withdrawn: number;
}

export interface CorrectedPart extends AllottedPart {
  /** Found now, but canceled by the customer: to be brought back. */
  returning: number;
  before: Pick<AllottedPart, 'picked' | 'declined' | 'withdrawn'>;
}

/**
 * Allots the corrected number of units found of each item (`found`, by its number).
 * @param parts all parts of the ticket, those of the most urgent order first
 * @param isFree whether an order may still be corrected
 * @returns the parts of corrected items, and the items of which not all units could be placed among the orders that are free
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
    // First of orders that lack something anyway, then of the others, the least urgent first.
    const takers = free.toReversed();
    for (const part of takers.filter((one) => short.has(one.fulfillmentOrderId))) more += take(part, -more);
    for (const part of takers) more += take(part, -more);
    if (more !== 0) stuck.push(itemNumber);
    corrected.push(...own);
  }
  return { parts: corrected, stuck };
}

/** Units that were not found were. Returns how many. */
function give(part: CorrectedPart, from: 'declined' | 'withdrawn', most: number): number {
  const units = Math.max(0, Math.min(most, part[from]));
  part[from] -= units;
  part.picked += units;
  if (from === 'withdrawn') part.returning += units;
  return units;
}

/** Units that were found were not. Returns how many. */
function take(part: CorrectedPart, most: number): number {
  const units = Math.max(0, Math.min(most, part.picked));
  part.picked -= units;
  part.declined += units;
  return units;
}
