import { describe, expect, it } from 'vitest';
import { hasPassed, runCampaign } from '../../proof/campaign.ts';
import { secrets } from '../../proof/secrets.ts';
import { ENGINE } from '../support/store.ts';
import { onEngine } from './support.ts';

describe('the campaign secrets, small', () => {
  it('finds no secret and no personal data of an anonymized customer anywhere, and catches each planted leak', {
    timeout: 900_000,
  }, async () => {
    const { result, examples } = await runCampaign(onEngine(secrets), { engine: ENGINE, seed: 1, count: 60 });
    expect(examples).toEqual([]);
    expect(hasPassed(result)).toBe(true);
  });
});
