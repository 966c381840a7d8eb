import { describe, expect, it } from 'vitest';
import { runCampaign } from '../../proof/campaign.ts';
import { stall } from '../../proof/stall.ts';
import { ENGINE } from '../support/store.ts';
import { onEngine } from './support.ts';

describe('the campaign stall, small', () => {
  it('sends bodies of every kind, reports the longest wait, and catches the planted stall', {
    timeout: 900_000,
  }, async () => {
    const { result } = await runCampaign(onEngine(stall), { engine: ENGINE, seed: 1, count: 12 });
    expect(result).toMatchObject({
      count: 12,
      control: { caught: true },
      figures: { barMs: 200, longestWaitMs: expect.any(Number), baselineWaitMs: expect.any(Number) },
    });
  });
});
