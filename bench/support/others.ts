/**
 * Figures of alternative products. They were measured once, on one core of a similar machine and not in the same run,
 * so they only show orders of magnitude.
 */
import type { Result } from './scenario.ts';

interface Other {
  product: string;
  figure: number;
  /** Minimum ratio; null if the ratio has no minimum. */
  bar: number | null;
}

const READS: readonly Other[] = [
  { product: 'Vendure 3.7', figure: 390, bar: 45 },
  { product: 'Medusa 2.21', figure: 106, bar: null },
  { product: 'a mock server', figure: 4_300, bar: null },
];

/** Fulfillments created per second. */
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

/** Returns a result for each SQLite figure that was also measured for an alternative product. */
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
