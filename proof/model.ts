/**
 * Campaign `model`: random sequences of commands, each carried out on a client of its own and on a model in memory. Every
 * answer has the status that the model says and shows what the model knows, what is listed as allowed is accepted and what is
 * blocked is refused, and at the end every read, every search and the feed of events show everything as the model has it. A
 * sequence that fails is shortened and kept in proof/corpus. A case is one sequence.
 */
import fc from 'fast-check';
import { ruleFindings } from '../src/service/cli/doctor.ts';
import { type Campaign, main } from './campaign.ts';
import {
  ofCounter,
  ofGoods,
  ofGoodsIn,
  ofPromises,
  ofSetup,
  ofWebhooks,
  sequence,
  withoutGoods,
} from './model/commands.ts';
import { keep } from './model/corpus.ts';
import { BUGS } from './model/planted.ts';
import { openReceiver } from './model/receiver.ts';
import { carryOut, openWorlds } from './model/world.ts';

/** Where bugs show soon; others show in sequences without goods in and stock. */
const LOOKED: Record<string, typeof sequence> = {
  'a wrong PIN does not count': ofCounter,
  'a revoked credential is taken': ofSetup,
  'a webhook is signed with the secret before the newest': ofWebhooks,
  'a shelf has a unit more than its moves say': ofGoods,
  'a promise is not asked': ofPromises,
  'held units of goods in are forgotten': ofGoodsIn,
  'a tolerance in percent is not counted': ofGoodsIn,
  'who received held units approves them': ofGoodsIn,
  'a purchase order forgets its deliveries': ofGoodsIn,
  'a carton that was taken back stays received': ofGoodsIn,
  'of a receipt only the first line is kept': ofGoodsIn,
  'good units on the stage are told to lie on the shelf': ofGoodsIn,
  'a carton is announced twice though the client wants none twice': ofGoods,
  'where two sellers use a number the first is taken': ofGoodsIn,
  'a count is posted however much it differs': ofGoods,
  'good units go to the shelf though the node wants them on the stage': ofGoodsIn,
};

export const model: Campaign = {
  name: 'model',
  unit: 'sequences',
  count: 100,
  control: {
    planted:
      'a wrong total, a queue that shows every queue, a closed ticket that is read as open, a hand-over that forgets the one before, a cancellation that is forgotten when its ticket is closed, a wrong PIN that does not count, a feed with a hole, another answer to a repeated request, a header charged twice, held units that are forgotten, a shelf with a unit more, a promise that is not asked, a tolerance that is not counted, held units that their receiver approves, a purchase order without its deliveries, a carton that stays received when it was taken back, a receipt without its second line, a place that is told wrong, a carton that is announced twice, the first of two sellers that is taken for both, good units on the wrong place, a count that is posted unseen, a revoked credential, an old signature',
    count: 300,
    bugs: Object.keys(BUGS),
  },
  async run(work) {
    const wrap = work.bug === undefined ? undefined : BUGS[work.bug];
    const service = await openWorlds(work, wrap);
    const receiver = await openReceiver();
    let last = '';
    // Each bug is looked for where it can show.
    const looked = work.bug === undefined ? sequence : (LOOKED[work.bug] ?? withoutGoods);
    const property = fc.asyncProperty(looked, async (commands) => {
      const difference = await carryOut(service, receiver, commands);
      if (difference === undefined) {
        work.done(last === '' ? 1 : 0);
        return true;
      }
      last = difference;
      return false;
    });
    try {
      const details = await fc.check(property, { numRuns: work.count, seed: work.seed, endOnFailure: work.planted });
      if (!details.failed) {
        // What the rules of doctor say of all of it: a bug's own rows are nobody's fault.
        const broken = work.planted ? [] : (await ruleFindings(service.store)).filter(({ ok }) => !ok);
        for (const { check, found } of broken) work.fail(`doctor, ${check}: ${found}`);
        return;
      }
      if (last === '' || details.counterexample === null) throw details.errorInstance as Error;
      work.done();
      const [commands] = details.counterexample;
      const kept = work.planted ? '' : `; kept as proof/corpus/${keep({ found: last, commands })}`;
      work.fail(`${last}: ${JSON.stringify(commands)}${kept}`);
    } finally {
      await service.close();
      await receiver.close();
    }
  },
};

await main(model, import.meta.url);
