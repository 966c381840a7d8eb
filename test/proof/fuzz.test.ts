import { describe, expect, it } from 'vitest';
import { hasPassed, runCampaign } from '../../proof/campaign.ts';
import { fuzz } from '../../proof/fuzz.ts';
import { ENGINE } from '../support/store.ts';
import { onEngine } from './support.ts';

describe('the campaign fuzz, small', () => {
  it('has no wrong response among 3,000 requests, and catches each planted bug', { timeout: 900_000 }, async () => {
    const { result, examples } = await runCampaign(onEngine(fuzz), { engine: ENGINE, seed: 1, count: 3_000 });
    expect(examples).toEqual([]);
    expect(result).toMatchObject({ count: 3_000, failures: 0 });
    expect(hasPassed(result)).toBe(true);
  });
});
