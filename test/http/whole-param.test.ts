import { expect, it } from 'vitest';
import { wholeParam } from '../../src/platform/http/page.ts';

const RANGES = [
  [0, 25],
  [0, 30],
  [1, 31],
  [1, 200],
  [1, 500],
  [0, 999],
  [1, 1_000],
  [0, 1_089],
] as const;

it.each(RANGES)(
  'a query parameter accepts each whole number from %i to %i without leading zeros, and nothing else',
  (min, max) => {
    const { pattern } = wholeParam('Records', { min, max, default: 10 }) as { pattern?: string };
    const isTaken = (sent: string) => new RegExp(pattern!).test(sent);
    for (let number = 0; number <= 11 * max; number++)
      expect(isTaken(`${number}`), `${number}`).toBe(number >= min && number <= max);
    for (const sent of ['', '-1', '+1', '1.0', '1e1', ' 1', '01', '001', '00', '1\n'])
      expect(isTaken(sent), JSON.stringify(sent)).toBe(false);
  },
);
