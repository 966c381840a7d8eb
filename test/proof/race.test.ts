import { describe, expect, it } from 'vitest';
import { hasPassed, runCampaign } from '../../proof/campaign.ts';
import { race } from '../../proof/race.ts';
import { ENGINE } from '../support/store.ts';
import { isControlled, onEngine } from './support.ts';

const CONTESTS = isControlled ? 600 : 200;

describe('the campaign race, small', () => {
  it('has one winner in each contest, and catches each planted bug', { timeout: 1_800_000 }, async () => {
    const { result, examples } = await runCampaign(onEngine(race), { engine: ENGINE, seed: 1, count: CONTESTS });
    expect(examples).toEqual([]);
    expect(result).toMatchObject({ count: CONTESTS, failures: 0 });
    expect(hasPassed(result)).toBe(true);
  });
});
