/**
 * Campaign `model`: random sequences of commands, each carried out on a client of its own and on a model in memory. Every
 * answer has the status that the model says and shows what the model knows, and at the end the searches show every order
 * as the model has it. A sequence that fails is shortened and kept in proof/corpus. A case is one sequence.
 */
import fc from 'fast-check';
import type { Store } from '../src/storage/db.ts';
import { type Campaign, main } from './campaign.ts';
import { sequence } from './model/commands.ts';
import { keep } from './model/corpus.ts';
import { carryOut, openWorlds } from './model/world.ts';
import { rewriting, withoutGuard } from './rewrite.ts';

const BUGS: Record<string, (store: Store) => Store> = {
  'a total counts a unit too many': (store) =>
    rewriting(
      store,
      {
        rows: (table, rows) =>
          table !== 'order_lines'
            ? rows
            : rows.map((row) => (typeof row['units'] === 'number' ? { ...row, units: row['units'] + 1 } : row)),
      },
      { reads: true },
    ),
  'a queue shows the orders of every queue': (store) =>
    rewriting(store, { statement: (node) => withoutGuard(node, 'fulfillment_orders', ['queue_id']) }, { reads: true }),
  'a closed ticket is read as open': (store) =>
    rewriting(store, {
      statement: (node) => withoutGuard(node, 'pick_tickets', ['status', 'revision']),
      rows: (table, rows) =>
        table !== 'pick_tickets' ? rows : rows.map((row) => ({ ...row, status: 'NEW', outcome: null })),
    }),
};

export const model: Campaign = {
  name: 'model',
  unit: 'sequences',
  count: 100,
  control: {
    planted: 'a wrong total, a queue that shows every queue, a closed ticket that is read as open',
    count: 300,
    bugs: Object.keys(BUGS),
  },
  async run(work) {
    const wrap = work.bug === undefined ? undefined : BUGS[work.bug];
    const service = await openWorlds(work, wrap);
    let last = '';
    const property = fc.asyncProperty(sequence, async (commands) => {
      const difference = await carryOut(service, commands);
      if (difference === undefined) {
        work.done(last === '' ? 1 : 0);
        return true;
      }
      last = difference;
      return false;
    });
    try {
      const details = await fc.check(property, { numRuns: work.count, seed: work.seed, endOnFailure: work.planted });
      if (!details.failed) return;
      if (last === '' || details.counterexample === null) throw details.errorInstance as Error;
      work.done();
      const [commands] = details.counterexample;
      const kept = work.planted ? '' : `; kept as proof/corpus/${keep({ found: last, commands })}`;
      work.fail(`${last}: ${JSON.stringify(commands)}${kept}`);
    } finally {
      await service.close();
    }
  },
};

await main(model, import.meta.url);
