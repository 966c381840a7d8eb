import { describe, expect, it } from 'vitest';
import { hasPassed, runCampaign } from '../../proof/campaign.ts';
import { race } from '../../proof/race.ts';
import { ENGINE } from '../support/store.ts';

describe('the campaign race, small', () => {
  it('has one winner in each of 600 contests, and catches each planted bug', { timeout: 1_800_000 }, async () => {
    const { result, examples } = await runCampaign(race, { engine: ENGINE, seed: 1, count: 600 });
    expect(examples).toEqual([]);
    expect(result).toMatchObject({ count: 600, failures: 0 });
    expect(hasPassed(result)).toBe(true);
  });
});
