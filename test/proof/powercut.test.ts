import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasPassed, runCampaign } from '../../proof/campaign.ts';
import { powercut } from '../../proof/powercut.ts';
import { whyNoMount } from '../../town/disk.ts';
import { ENGINE } from '../support/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'backroom-mount-'));
const refused = whyNoMount(folder);
rmSync(folder, { recursive: true });

describe('the campaign powercut, small', () => {
  it.skipIf(refused !== undefined)(
    'loses nothing acknowledged in 5 power cuts, and detects the loss when a commit does not wait for the disk',
    { timeout: 900_000 },
    async () => {
      const { result, examples } = await runCampaign(powercut, { engine: ENGINE, seed: 1, count: 5 });
      expect(examples).toEqual([]);
      expect(result).toMatchObject({ count: 5, failures: 0 });
      expect(hasPassed(result)).toBe(true);
    },
  );

  it.skipIf(refused === undefined)('says why it cannot run where the user cannot mount a file system', async () => {
    const run = runCampaign(powercut, { engine: ENGINE, seed: 1, count: 1 });
    await expect(run).rejects.toThrow('No power can be cut here');
  });
});
