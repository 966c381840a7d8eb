/**
 * What a user would run instead. Measured once on a machine of this kind, on one core, not in the same run: so
 * these lines say orders of magnitude, where the others say percents.
 */
import type { Result } from './scenario.ts';

interface Other {
  product: string;
  figure: number;
  /** Least ratio that is promised; null: shown. */
  bar: number | null;
}

const READS: readonly Other[] = [
  { product: 'Vendure 3.7', figure: 390, bar: 45 },
  { product: 'Medusa 2.21', figure: 106, bar: null },
  { product: 'a mock server', figure: 4_300, bar: null },
];

/** Fulfillments created a second. */
const FULFILLMENTS: readonly Other[] = [
  { product: 'Vendure 3.7', figure: 83, bar: 20 },
  { product: 'Medusa 2.21', figure: 11, bar: null },
];

const OTHERS: Readonly<Record<string, readonly Other[]>> = {
  'item read, Zipf 1.0': READS,
  'item read, uniform': READS,
  '16 associates, tickets of 10 orders': FULFILLMENTS,
  '16 associates': FULFILLMENTS,
  'cold start': [
    { product: 'Vendure 3.7', figure: 2_400, bar: null },
    { product: 'Medusa 2.21', figure: 3_400, bar: null },
  ],
  'memory, started': [
    { product: 'Vendure 3.7', figure: 345, bar: null },
    { product: 'Medusa 2.21', figure: 465, bar: null },
  ],
};

/** A line for each figure that another product has too. */
export function besideOthers(results: readonly Result[]): Result[] {
  return results
    .filter(({ engine }) => engine === 'sqlite')
    .flatMap((result) =>
      (OTHERS[result.name] ?? []).map(({ product, figure, bar }) => {
        const ratio = Number((result.value / figure).toPrecision(3));
        return {
          ...result,
          name: `${result.name}, beside ${product}`,
          counterpart: figure,
          ratio,
          bar,
          met: bar === null ? null : ratio >= bar,
          note: `${product} on one core of a machine of this kind, not in the same run`,
        };
      }),
    );
}
