/**
 * Campaign `model`: random sequences of commands, each carried out on a client of its own and on a model in memory. Every
 * answer has the status that the model says and shows what the model knows, and at the end the searches show every order
 * as the model has it. A sequence that fails is shortened and kept in proof/corpus. A case is one sequence.
 */
import fc from 'fast-check';
import type { Store } from '../src/storage/db.ts';
import { type Campaign, main } from './campaign.ts';
import { keep } from './model/corpus.ts';
import { type Command, FOUND, ORDER_TYPES } from './model/model.ts';
import { carryOut } from './model/world.ts';
import { rewriting, withoutGuard } from './rewrite.ts';
import { openService } from './service.ts';

const LONGEST = 40;

const sku = fc.nat(2);
const order = fc.nat(4);
const type = fc.constantFrom(...ORDER_TYPES);
const ticket = fc.nat(1);
const number = fc.nat(2);
const one = (...names: string[]) => fc.constantFrom(...names);

/** One order mostly, so that most tickets are made. */
const some = fc.oneof(
  { weight: 3, arbitrary: fc.array(order, { minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.array(order, { minLength: 1, maxLength: 3 }) },
);
const often = fc.nat(4).map((value) => value > 0);
const intake = fc.record({
  do: one('intake'),
  order,
  type,
  form: fc.nat(1),
  lines: fc.array(fc.record({ sku, quantity: fc.integer({ min: 1, max: 3 }) }), { minLength: 1, maxLength: 2 }),
}) as fc.Arbitrary<Command>;

const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: one('putItem'), sku, title: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: one('readItem', 'deleteItem', 'itemHistory'), sku }) },
  { weight: 2, arbitrary: fc.record({ do: one('transmit'), number, quantity: fc.integer({ min: 1, max: 2 }), sku }) },
  { weight: 1, arbitrary: fc.record({ do: one('readInbound', 'voidInbound'), number }) },
  { weight: 1, arbitrary: fc.record({ do: one('listInbound', 'search') }) },
  { weight: 4, arbitrary: intake },
  {
    weight: 6,
    arbitrary: fc.record({ do: one('generate'), orders: some, type, fits: often }),
  },
  { weight: 4, arbitrary: fc.record({ do: one('confirm'), ticket, found: fc.constantFrom(...FOUND) }) },
  { weight: 2, arbitrary: fc.record({ do: one('reset'), ticket }) },
  { weight: 2, arbitrary: fc.record({ do: one('packSlip', 'checkInDetails'), order }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: one('checkIn'),
      order,
      action: one('UPDATE', 'CONFIRM'),
      packages: fc.array(fc.nat(1), { maxLength: 2 }),
      short: fc.boolean(),
    }),
  },
) as fc.Arbitrary<Command>;

/** Items and some orders are there from the beginning, or most commands would be refused. */
const sequence = fc
  .tuple(
    fc.array(intake, { minLength: 1, maxLength: 4 }),
    fc.array(command, { minLength: 1, maxLength: LONGEST, size: 'max' }),
  )
  .map(([intakes, commands]): Command[] => [
    ...[0, 1, 2].map((n): Command => ({ do: 'putItem', sku: n, title: 0 })),
    ...intakes,
    ...commands,
  ]);

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
    const service = await openService(work, { upTo: 'places', ...(wrap && { wrap }) });
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
