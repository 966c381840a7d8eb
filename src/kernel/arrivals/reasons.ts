/** The reasons in receipts and matches, and the units that they explain. No database, no clock. */
import type { InboundEntryRow } from '../../platform/storage/tables.ts';
import type { Subject } from './action.ts';
import { keyId } from './shipment.ts';
import { type Booked, KINDS, type Kind, NOTHING, plus } from './sums.ts';

/** Units of a kind that were booked with a reason, or without one. */
interface Part {
  reason: string | null;
  units: number;
}

/**
 * Returns the units that were booked with a reason and not corrected since, by key id and then by reason. A correction
 * reduces the receipt that it corrects, first the units with its own reason. A correction without a reason first
 * reduces the units without a reason. A decision on held units names no receipt: damaged and `refused` units are first
 * those with a reason, which explains them, and good units are first those without one.
 */
export function reasonedUnits({ entries = [], corrected = new Map() }: Subject): Map<string, Map<string, Booked>> {
  const found = new Map<string, Map<string, Booked>>();
  for (const [id, own] of Map.groupBy(entries, (entry) => keyId(entry.carton_id, entry.item_id))) {
    const units = new Map<string, Booked>();
    const decisions = own.filter(({ position, held }) => held < 0 && !corrected.has(position));
    // The decided units that no correction has removed. A correction removes more units of a kind than its receipt
    // booked if they were decided since.
    const left = { ...decisions.reduce<Booked>(plus, NOTHING) };
    const put = (reason: string | null, kind: Kind, quantity: number) => {
      if (reason === null || quantity <= 0) return;
      const before = units.get(reason) ?? NOTHING;
      units.set(reason, { ...before, [kind]: before[kind] + quantity });
    };
    for (const kind of KINDS) {
      const receipts = Map.groupBy(own, ({ position, [kind]: quantity }) => {
        return (quantity < 0 ? corrected.get(position) : undefined) ?? position;
      });
      const parts = [...receipts].flatMap(([position, receipt]) =>
        partsOf(receipt, kind).map((part) => ({ ...part, position })),
      );
      if (kind !== 'held') {
        for (const { reason, units: quantity } of parts) put(reason, kind, quantity);
        for (const receipt of receipts.values()) left[kind] += Math.min(0, sumOf(receipt, kind));
        continue;
      }
      for (const { reason, held, ...as } of decided(parts, decisions)) {
        put(reason, 'held', held);
        for (const to of ['damaged', 'refused'] as const) {
          const quantity = Math.min(as[to], left[to]);
          left[to] -= quantity;
          put(reason, to, quantity);
        }
      }
    }
    found.set(id, units);
  }
  return found;
}

const sumOf = (entries: readonly InboundEntryRow[], kind: Kind) => entries.reduce((sum, entry) => sum + entry[kind], 0);

/** Returns the units that remain of a receipt after its corrections: units with a reason first, then other units. */
function partsOf(receipt: readonly InboundEntryRow[], kind: Kind): Part[] {
  let left = sumOf(receipt, kind);
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

/** Distributes the decided units to the held units: first to those of receipts before the decision, the oldest first. */
function decided(parts: readonly (Part & { position: number })[], decisions: readonly InboundEntryRow[]) {
  const found = parts.map((part) => ({ ...part, held: part.units, good: 0, damaged: 0, refused: 0 }));
  for (const [position, own] of Map.groupBy(decisions, (entry) => entry.position)) {
    const units = own.reduce<Booked>(plus, NOTHING);
    for (const kind of ['damaged', 'refused', 'good'] as const) {
      let left = units[kind];
      const rank = (one: (typeof found)[number]) =>
        Number(one.position > position) * 2 + Number((one.reason === null) !== (kind === 'good'));
      for (const one of left === 0 ? [] : found.toSorted((a, b) => rank(a) - rank(b))) {
        const taken = Math.min(one.held, left);
        left -= taken;
        one.held -= taken;
        one[kind] += taken;
      }
    }
  }
  return found;
}
