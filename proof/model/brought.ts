/** What receipts brought, as they are read. */
import { KINDS, ofKinds, type Units } from './arrivals.ts';
import { skuOf } from './world.ts';

/** A receipt, or a match. */
export interface Booked {
  lines: ({ cartonId?: string; itemId: string } & Units)[];
}

/** What the lines of a receipt come to by keys. */
export function broughtBy({ lines }: Booked): [name: string, ...units: number[]][] {
  const sums = new Map<string, Units>();
  for (const line of lines) {
    const name = `${line.cartonId ?? ''}/${skuOf(line.itemId)}`;
    const before = sums.get(name);
    sums.set(
      name,
      ofKinds((kind) => line[kind] + (before?.[kind] ?? 0)),
    );
  }
  return [...sums]
    .map(([name, units]): [string, ...number[]] => [name, ...KINDS.map((kind) => units[kind])])
    .filter(([, ...units]) => units.some((one) => one !== 0))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
