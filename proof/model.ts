/**
 * Campaign `model`: carries out random sequences of commands, each on a new client of the service and on a model in
 * memory. Every response must have the status and the values of the model, allowed actions must be accepted, and
 * blocked actions rejected. At the end every read, every search and the feed of events must agree with the model. A
 * sequence that fails is shortened and saved in proof/corpus. A case is one sequence.
 */
import fc from 'fast-check';
import { ruleFindings } from '../src/service/cli/doctor.ts';
import { type Campaign, main } from './campaign.ts';
import { carryOut, openWorlds } from './model/carry-out.ts';
import {
  ofCounter,
  ofGoods,
  ofGoodsIn,
  ofPromises,
  ofReturns,
  ofSetup,
  ofWebhooks,
  sequence,
  withoutGoods,
} from './model/commands.ts';
import { keep } from './model/corpus.ts';
import { BUGS } from './model/planted.ts';
import { openReceiver } from './model/receiver.ts';

/**
 * The sequences that show each planted bug early. The bugs that are not in this list use sequences without receiving
 * and stock commands.
 */
const LOOKED: Record<string, typeof sequence> = {
  'a wrong PIN does not count': ofCounter,
  'a revoked credential works': ofSetup,
  'a webhook is signed with the previous secret': ofWebhooks,
  'a shelf has a unit more than its moves say': ofGoods,
  'a promise is not checked': ofPromises,
  'held units of goods in are forgotten': ofGoodsIn,
  'a tolerance in percent is not counted': ofGoodsIn,
  'held units are approved by their receiver': ofGoodsIn,
  'a purchase order forgets its deliveries': ofGoodsIn,
  'a carton that was taken back stays received': ofGoodsIn,
  'only the first line of a receipt is stored': ofGoodsIn,
  'good units on the stage are reported on the shelf': ofGoodsIn,
  'a carton is announced twice although the client forbids it': ofGoods,
  'the first of two sellers with one number is used': ofGoodsIn,
  'a count is posted however much it differs': ofGoods,
  'good units go to the shelf although the node puts them on the stage': ofGoodsIn,
  'a refund forgets the refunds before it': ofReturns,
  'held units of a return are shown as sellable': ofReturns,
};

export const model: Campaign = {
  name: 'model',
  unit: 'sequences',
  count: 100,
  control: {
    planted:
      'a wrong total, a queue that shows every queue, a closed ticket that is read as open, a hand-over that forgets the one before, a cancellation that is forgotten when its ticket is closed, a wrong PIN that does not count, a feed with a hole, another response to a repeated request, a header charged twice, held units that are forgotten, a shelf with a unit more, a promise that is not checked, a tolerance that is not counted, held units that their receiver approves, a purchase order without its deliveries, a carton that stays received after it was taken back, a receipt without its second line, a place that is reported wrong, a carton that is announced twice, the first of two sellers that is used for both, good units on the wrong place, a count that is posted unseen, a refund that forgets the ones before, held units of a return that are sellable, a revoked credential, a signature with the previous secret',
    count: 300,
    bugs: Object.keys(BUGS),
  },
  async run(work) {
    const wrap = work.bug === undefined ? undefined : BUGS[work.bug];
    const service = await openWorlds(work, wrap);
    const receiver = await openReceiver();
    let last = '';
    // The run of a bug uses the sequences that can show the bug.
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
        // Runs the checks of `backroom doctor`. A planted bug violates them, so the run of a bug leaves them out.
        const broken = work.planted ? [] : (await ruleFindings(service.store)).filter(({ ok }) => !ok);
        for (const { check, found } of broken) work.fail(`doctor, ${check}: ${found}`);
        return;
      }
      if (last === '' || details.counterexample === null) throw details.errorInstance as Error;
      work.done();
      const [commands] = details.counterexample;
      const kept = work.planted ? '' : `; saved as proof/corpus/${keep({ found: last, commands })}`;
      work.fail(`${last}: ${JSON.stringify(commands)}${kept}`);
    } finally {
      await service.close();
      await receiver.close();
    }
  },
};

await main(model, import.meta.url);
