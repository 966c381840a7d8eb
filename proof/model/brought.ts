/** Reads the units of a receipt or a match from a response. */
import { KINDS, type Kind, type Spot, type Units } from './goods.ts';
import { skuOf } from './world.ts';

/** A receipt or a match in a response. */
export interface Booked {
  lines: ({ cartonId?: string; itemId: string; to?: Spot } & Units)[];
}

const OTHERS = KINDS.filter((kind): kind is Exclude<Kind, 'good'> => kind !== 'good');

/**
 * Returns the sums of the lines by key: good units on the shelf and on the stage, then damaged, `refused` and held
 * units.
 */
export function broughtBy({ lines }: Booked): [name: string, ...units: number[]][] {
  const sums = new Map<string, number[]>();
  for (const line of lines) {
    const name = `${line.cartonId ?? ''}/${skuOf(line.itemId)}`;
    const isStaged = line.to === 'STAGE';
    const units = [isStaged ? 0 : line.good, isStaged ? line.good : 0, ...OTHERS.map((kind) => line[kind])];
    const before = sums.get(name);
    sums.set(
      name,
      units.map((one, index) => one + (before?.[index] ?? 0)),
    );
  }
  return [...sums]
    .map(([name, units]): [string, ...number[]] => [name, ...units])
    .filter(([, ...units]) => units.some((one) => one !== 0))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
