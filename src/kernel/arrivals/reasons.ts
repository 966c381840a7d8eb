/** The reasons in receipts and matches, and the units that they explain. No database, no clock. */
import type { InboundEntryRow } from '../../platform/storage/tables.ts';
import type { Subject } from './action.ts';
import { keyId } from './shipment.ts';
import { type Booked, KINDS, type Kind, NOTHING } from './sums.ts';

/** Units of a kind that were booked with a reason, or without one. `isDecided`: some became damaged or `refused`. */
interface Part {
  reason: string | null;
  units: number;
  isDecided?: boolean;
}

/**
 * Returns the units that were booked with a reason and not corrected since, by key id and then by reason. A correction
 * reduces the receipt that it corrects, first the units with its own reason. A correction without a reason first
 * reduces the units without a reason. A decision on held units names no receipt, so it reduces the oldest held units.
 */
export function reasonedUnits({ entries = [], corrected = new Map() }: Subject): Map<string, Map<string, Booked>> {
  const found = new Map<string, Map<string, Booked>>();
  for (const [id, own] of Map.groupBy(entries, (entry) => keyId(entry.carton_id, entry.item_id))) {
    const units = new Map<string, Booked>();
    for (const kind of KINDS) {
      const receipts = Map.groupBy(own, ({ position, [kind]: quantity }) => {
        return (quantity < 0 ? corrected.get(position) : undefined) ?? position;
      });
      const parts = [...receipts.values()].flatMap((receipt) => partsOf(receipt, kind));
      const decisions = own.filter(({ position, held }) => held < 0 && !corrected.has(position));
      for (const { reason, units: quantity, isDecided } of kind === 'held' ? undecided(parts, decisions) : parts) {
        if (reason === null || (quantity === 0 && !isDecided)) continue;
        const before = units.get(reason) ?? NOTHING;
        units.set(reason, { ...before, [kind]: before[kind] + quantity });
      }
    }
    found.set(id, units);
  }
  return found;
}

/** Returns the units that remain of a receipt after its corrections: units with a reason first, then other units. */
function partsOf(receipt: readonly InboundEntryRow[], kind: Kind): Part[] {
  let left = receipt.reduce((sum, entry) => sum + entry[kind], 0);
  const back = new Map<string | null, number>();
  for (const { reason, [kind]: quantity } of receipt) {
    if (quantity < 0) back.set(reason, (back.get(reason) ?? 0) - quantity);
  }
  const parts: Part[] = [];
  for (const { reason, [kind]: quantity } of receipt) {
    if (reason === null || quantity <= 0) continue;
    const taken = Math.min(quantity, back.get(reason) ?? 0);
    back.set(reason, (back.get(reason) ?? 0) - taken);
    const units = Math.min(left, quantity - taken);
    if (units <= 0) continue;
    left -= units;
    parts.push({ reason, units });
  }
  return left > 0 ? [...parts, { reason: null, units: left }] : parts;
}

/**
 * Subtracts decided units from held units, the oldest first. The reason of held units that became damaged or `refused`
 * remains, because it explains the damaged or `refused` units.
 */
function undecided(parts: readonly Part[], decisions: readonly InboundEntryRow[]): Part[] {
  let good = decisions.reduce((sum, entry) => sum + entry.good, 0);
  let other = decisions.reduce((sum, { damaged, refused }) => sum + damaged + refused, 0);
  return parts.map(({ reason, units }) => {
    const asGood = Math.min(units, good);
    const asOther = Math.min(units - asGood, other);
    good -= asGood;
    other -= asOther;
    return { reason, units: units - asGood - asOther, isDecided: asOther > 0 };
  });
}
