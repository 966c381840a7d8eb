import { describe, expect, it } from 'vitest';
import { hasPassed, runCampaign } from '../../proof/campaign.ts';
import { doctor } from '../../proof/doctor.ts';
import { ENGINE } from '../support/store.ts';
import { onEngine } from './support.ts';

/** Number of planted errors in this sample. `npm run proof:doctor` plants all errors. */
const SAMPLE = 150;

describe('the campaign doctor', () => {
  it('finds no silent error in a sample, and is caught without a check', { timeout: 600_000 }, async () => {
    const { result, examples } = await runCampaign(onEngine(doctor), { engine: ENGINE, seed: 1, count: SAMPLE });
    expect(examples).toEqual([]);
    expect(result).toMatchObject({ count: SAMPLE, failures: 0 });
    expect(hasPassed(result)).toBe(true);
  });
});
