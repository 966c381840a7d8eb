import { describe, expect, it } from 'vitest';
import { type Campaign, hasPassed, runCampaign, upperBound } from '../../proof/campaign.ts';
import { randomOf } from '../../town/random.ts';

/** Builds a campaign that fails in the listed cases. With a planted bug other than `uncaught`, every case fails. */
const campaign = (failing: readonly number[], bugs: readonly string[] = ['bug'], uncaught?: string): Campaign => ({
  name: 'made-up',
  unit: 'cases',
  count: 10,
  control: { planted: 'a bug', count: 3, bugs },
  async run(work) {
    for (let index = 0; index < work.count && !work.enough(); index += 1) {
      const isWrong = work.planted ? work.bug !== uncaught : failing.includes(index);
      if (isWrong) work.fail(`case ${index}`);
      work.done();
    }
  },
});
const run = (made: Campaign, count = 10) => runCampaign(made, { engine: 'sqlite', seed: 7, count });

describe('a campaign', () => {
  it('passes when no case failed and its control was caught', async () => {
    const { result } = await run(campaign([]));
    expect(result).toEqual({
      campaign: 'made-up',
      engine: 'sqlite',
      seed: 7,
      count: 10,
      failures: 0,
      control: { planted: 'a bug', caught: true },
      bound95: 0.3,
    });
    expect(hasPassed(result)).toBe(true);
  });

  it('fails when a case failed, and names the case', async () => {
    const { result, examples } = await run(campaign([2, 5]));
    expect([result.failures, examples]).toEqual([2, ['case 2', 'case 5']]);
    expect(hasPassed(result)).toBe(false);
  });

  it('fails when one of its planted bugs was not caught', async () => {
    const { result } = await run(campaign([], ['one', 'two'], 'two'));
    expect(result.control.caught).toBe(false);
    expect(hasPassed(result)).toBe(false);
  });

  it('fails when no case was run', async () => {
    const { result } = await run(campaign([]), 0);
    expect(hasPassed(result)).toBe(false);
  });
});

describe('the bound of a rate', () => {
  it('is 3/count when no case failed, and 1 when every case did', () => {
    expect([upperBound(0, 1000), upperBound(0, 2), upperBound(3, 3), upperBound(0, 0)]).toEqual([0.003, 1, 1, 1]);
  });

  it('is the rate at which this few failures occur once in twenty runs', () => {
    // Values from tables of the binomial distribution: the one-sided upper limit is 0.394 for 1 of 10, and 0.102 for 5
    // of 100.
    expect(upperBound(1, 10)).toBeCloseTo(0.394, 3);
    expect(upperBound(5, 100)).toBeCloseTo(0.102, 3);
  });
});

describe('the randomness of a campaign', () => {
  it('is the same for the same seed, different for another, and spread over 0 to 1', () => {
    const draw = (seed: number) => Array.from({ length: 1000 }, randomOf(seed));
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    const mean = draw(3).reduce((sum, value) => sum + value, 0) / 1000;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
    expect(draw(4).every((value) => value >= 0 && value < 1)).toBe(true);
  });
});
