/** The reasons in receipts and matches, and the units that they explain. No database, no clock. */
import type { Subject } from './action.ts';
import { keyId } from './shipment.ts';
import { type Booked, KINDS, NOTHING } from './sums.ts';

/**
 * Returns the units of each key that were booked with a reason and not corrected since, by reason, by the id of the
 * key. A correction often has no reason, so it counts with the receipt that it corrects, and takes the units without a
 * reason first.
 */
export function reasonedUnits({ entries = [], corrected = new Map() }: Subject): Map<string, Map<string, Booked>> {
  const found = new Map<string, Map<string, Booked>>();
  for (const [id, own] of Map.groupBy(entries, (entry) => keyId(entry.carton_id, entry.item_id))) {
    const units = new Map<string, Booked>();
    for (const kind of KINDS) {
      const receipts = Map.groupBy(own, ({ position, [kind]: quantity }) => {
        return (quantity < 0 ? corrected.get(position) : undefined) ?? position;
      });
      for (const receipt of receipts.values()) {
        let left = receipt.reduce((sum, entry) => sum + entry[kind], 0);
        for (const { reason, [kind]: quantity } of receipt) {
          const part = Math.min(left, quantity);
          if (reason === null || part <= 0) continue;
          left -= part;
          const before = units.get(reason) ?? NOTHING;
          units.set(reason, { ...before, [kind]: before[kind] + part });
        }
      }
    }
    found.set(id, units);
  }
  return found;
}
