import { describe, expect, it } from 'vitest';
import { hasPassed, runCampaign } from '../../proof/campaign.ts';
import { isolation } from '../../proof/isolation.ts';
import { ENGINE } from '../support/store.ts';
import { onEngine } from './support.ts';

describe('the campaign isolation', () => {
  it('returns the status of the table in every cell, and catches each planted bug', {
    timeout: 1_800_000,
  }, async () => {
    const { result, examples } = await runCampaign(onEngine(isolation), {
      engine: ENGINE,
      seed: 1,
      count: isolation.count,
    });
    expect(examples).toEqual([]);
    expect(result).toMatchObject({ count: isolation.count, failures: 0 });
    expect(hasPassed(result)).toBe(true);
  });
});
