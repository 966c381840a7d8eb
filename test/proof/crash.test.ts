import { describe, expect, it } from 'vitest';
import { hasPassed, runCampaign } from '../../proof/campaign.ts';
import { crash } from '../../proof/crash.ts';
import { ENGINE } from '../support/store.ts';
import { onEngine } from './support.ts';

describe('the campaign crash, small', () => {
  it('loses no acknowledged write in 10 kills, and catches a store that acknowledges too early', {
    timeout: 900_000,
  }, async () => {
    const { result, examples } = await runCampaign(onEngine(crash), { engine: ENGINE, seed: 1, count: 10 });
    expect(examples).toEqual([]);
    expect(result).toMatchObject({ count: 10, failures: 0 });
    expect(hasPassed(result)).toBe(true);
  });
});
