import { describe, expect, it } from 'vitest';
import { hasPassed, runCampaign } from '../../proof/campaign.ts';
import { edi } from '../../proof/edi.ts';
import { ENGINE } from '../support/store.ts';
import { onEngine } from './support.ts';

/**
 * Number of cases in this sample: a kill, two days and some of the mutants. `npm run proof:edi` runs a year, 200 kills
 * and all mutants.
 */
const CASES = 40;

describe('the campaign edi, small', () => {
  it('loses nothing, books and acknowledges nothing twice, and catches each of its bugs', {
    timeout: 600_000,
  }, async () => {
    const { result, examples } = await runCampaign(onEngine(edi), { engine: ENGINE, seed: 1, count: CASES });
    expect(examples).toEqual([]);
    expect(hasPassed(result)).toBe(true);
  });
});
