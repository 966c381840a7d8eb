import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasPassed, runCampaign } from '../../proof/campaign.ts';
import { whyNoStrace } from '../../proof/faults/sqlite.ts';
import { faults } from '../../proof/faults.ts';
import { whyNoMount } from '../../town/disk.ts';
import { ENGINE } from '../support/store.ts';
import { onEngine } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'backroom-mount-'));
/**
 * Whether this machine cannot make a disk fail. Without a failing disk, the campaign does not find the planted bug on
 * SQLite; the run on PostgreSQL finds it.
 */
const isUncaught = whyNoMount(folder) !== undefined && whyNoStrace() !== undefined;
rmSync(folder, { recursive: true });
const campaign = isUncaught ? faults : onEngine(faults);

describe('the small campaign of injected errors', () => {
  it.skipIf(isUncaught && ENGINE === 'sqlite')(
    'sees clear errors and recovery in 4 injected failures, and catches a failed commit reported as done',
    { timeout: 900_000 },
    async () => {
      const { result, examples } = await runCampaign(campaign, { engine: ENGINE, seed: 1, count: 4 });
      expect(examples).toEqual([]);
      expect(result).toMatchObject({ count: 4, failures: 0 });
      expect(hasPassed(result)).toBe(true);
    },
  );
});
