/** Corrections of receipts after decisions on held units. It loads with the first such correction. */
import { type Booked, BUCKETS, bookedIn, type Receipt, type Shipment } from './inbound.ts';

/**
 * Returns the units to remove when a receipt is corrected. Held units that a lead has decided since are no longer held:
 * they are taken from the decision. The decisions after the receipt come first.
 */
export function correctedBy(receipt: Receipt, { sums, approvals }: Pick<Shipment, 'sums' | 'approvals'>): Booked[] {
  const isOf = (one: Booked) => (other: Booked) => one.cartonId === other.cartonId && one.itemId === other.itemId;
  const isBefore = ({ at }: { at: string }) => Number(at < receipt.at);
  const decided = approvals
    .toSorted((a, b) => isBefore(a) - isBefore(b))
    .flatMap(({ lines }) => structuredClone(lines));
  const [booked, left, moved] = [bookedIn(receipt), structuredClone(sums.keys), [] as Booked[]];
  for (const one of booked) {
    const key = left.find(isOf(one));
    for (const bucket of BUCKETS) if (key !== undefined) key[bucket] -= one[bucket] ?? 0;
  }
  for (const one of booked) {
    const key = left.find(isOf(one));
    for (const line of decided.filter(isOf(one))) {
      for (const bucket of ['good', 'damaged', 'refused'] as const) {
        const units = key === undefined ? 0 : Math.min(one.held ?? 0, -key.held, line[bucket], key[bucket]);
        if (units <= 0) continue;
        one.held! -= units;
        key!.held += units;
        key![bucket] -= units;
        line[bucket] -= units;
        moved.push(
          ...bookedIn({ ...receipt, lines: [{ ...line, good: 0, damaged: 0, refused: 0, held: 0, [bucket]: units }] }),
        );
      }
    }
  }
  return [...booked, ...moved].filter((one) => BUCKETS.some((bucket) => (one[bucket] ?? 0) !== 0));
}
