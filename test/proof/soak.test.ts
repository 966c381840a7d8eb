import { describe, expect, it } from 'vitest';
import { hasPassed, runCampaign } from '../../proof/campaign.ts';
import { flatness, slope } from '../../proof/soak/flat.ts';
import { soak } from '../../proof/soak.ts';
import { ENGINE } from '../support/store.ts';
import { onEngine } from './support.ts';

describe('the campaign soak, small', () => {
  it('stays flat for 12 seconds, and catches a leak', { timeout: 900_000 }, async () => {
    const { result, examples } = await runCampaign(onEngine(soak), { engine: ENGINE, seed: 1, count: 12 });
    expect(examples).toEqual([]);
    expect(result).toMatchObject({ count: 12, failures: 0 });
    expect(hasPassed(result)).toBe(true);
  });
});

describe('flatness', () => {
  const series = (valueAt: (second: number) => number) =>
    Array.from({ length: 1_200 }, (_, second) => ({ memory: valueAt(second), files: 40 }));
  const isFlat = (valueAt: (second: number) => number) =>
    flatness(series(valueAt)).find(({ name }) => name === 'memory')!.isFlat;

  it('is not disturbed by single peaks, nor by caches that fill in the first half', () => {
    expect(isFlat((second) => 100 + (second % 50 === 0 ? 500 : 0))).toBe(true);
    expect(isFlat((second) => Math.min(second, 600))).toBe(true);
  });

  it('fails on a slow growth that continues', () => {
    expect(isFlat((second) => 100 + second * 0.06 + (second % 7))).toBe(false);
    expect(slope([1, 3, 5, 400, 9])).toBe(2);
  });
});
