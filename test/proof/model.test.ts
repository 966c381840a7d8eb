import { describe, expect, it } from 'vitest';
import { hasPassed, runCampaign } from '../../proof/campaign.ts';
import { carryOut, openWorlds } from '../../proof/model/carry-out.ts';
import { asked, OUTSIDE } from '../../proof/model/contract.ts';
import { corpus } from '../../proof/model/corpus.ts';
import { openReceiver } from '../../proof/model/receiver.ts';
import { model } from '../../proof/model.ts';
import { operations } from '../../src/service/operations.ts';
import { ENGINE } from '../support/store.ts';
import { isControlled, onEngine } from './support.ts';

describe('the campaign model, small', () => {
  it('agrees with the model in a few dozen sequences, and catches each planted bug', {
    timeout: 1_800_000,
  }, async () => {
    // 60 sequences reach every operation; one engine is enough for that.
    const count = isControlled ? 60 : 40;
    const { result, examples } = await runCampaign(onEngine(model), { engine: ENGINE, seed: 1, count });
    expect(examples).toEqual([]);
    expect(result).toMatchObject({ count, failures: 0 });
    expect(hasPassed(result)).toBe(true);
  });

  it.runIf(isControlled)('calls every operation except those named as outside', () => {
    const others = operations.map(({ id }) => id).filter((id) => !asked.has(id));
    expect(others.sort()).toEqual(OUTSIDE.toSorted());
  });
});

describe('the kept sequences', () => {
  it('all agree with the model', { timeout: 900_000 }, async () => {
    expect(corpus().length).toBeGreaterThan(0);
    const replay = {
      ...model,
      control: { planted: '', count: 0, bugs: [] },
      run: async (work: Parameters<typeof model.run>[0]) => {
        const service = await openWorlds(work);
        const receiver = await openReceiver();
        for (const [file, { commands }] of corpus()) {
          const difference = await carryOut(service, receiver, commands);
          if (difference !== undefined) work.fail(`${file}: ${difference}`);
          work.done();
        }
        await service.close();
        await receiver.close();
      },
    };
    const { examples } = await runCampaign(replay, { engine: ENGINE, seed: 2, count: 1 });
    expect(examples).toEqual([]);
  });
});
