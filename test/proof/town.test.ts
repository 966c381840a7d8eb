import { describe, expect, it } from 'vitest';
import { hasPassed, runCampaign } from '../../proof/campaign.ts';
import { town } from '../../proof/town.ts';
import { ENGINE } from '../support/store.ts';
import { onEngine } from './support.ts';

describe('the campaign town, small', () => {
  it('adds up after a kill and a stop with many kinds of people at work, and catches each lie', {
    timeout: 900_000,
  }, async () => {
    const { result, examples } = await runCampaign(onEngine(town), { engine: ENGINE, seed: 1, count: 300 });
    expect(examples).toEqual([]);
    expect(result).toMatchObject({ failures: 0 });
    expect(hasPassed(result) || ENGINE !== 'sqlite').toBe(true);
  });
});
