/**
 * Campaign `model`: random sequences of commands, each carried out on a client of its own and on a model in memory. Every
 * answer has the status that the model says and shows what the model knows, what is listed as allowed is accepted and what is
 * blocked is refused, and at the end every read, every search and the feed of events show everything as the model has it. A
 * sequence that fails is shortened and kept in proof/corpus. A case is one sequence.
 */
import fc from 'fast-check';
import { ColumnNode, type UnknownRow, UpdateQueryNode } from 'kysely';
import type { Store } from '../src/platform/storage/db.ts';
import { ruleFindings } from '../src/service/cli/doctor.ts';
import { type Campaign, main } from './campaign.ts';
import { ofCounter, ofGoods, ofGoodsIn, ofPromises, ofSetup, sequence, withoutGoods } from './model/commands.ts';
import { keep } from './model/corpus.ts';
import { openReceiver } from './model/receiver.ts';
import { carryOut, openWorlds } from './model/world.ts';
import { rewriting, tableOf, withoutGuard } from './rewrite.ts';

/** From the end of a ticket on until the units of its lines are written, nobody sees what was canceled of them. */
function forgetsAtClose(store: Store): Store {
  let isClosing = false;
  return rewriting(store, {
    statement(node) {
      if (UpdateQueryNode.is(node)) {
        const sets = node.updates?.map(({ column }) => (ColumnNode.is(column) ? column.column.name : '')) ?? [];
        if (tableOf(node) === 'pick_tickets') isClosing = sets.includes('outcome');
        if (tableOf(node) === 'order_lines') isClosing = false;
      }
      return node;
    },
    rows: (table, rows) =>
      isClosing && table === 'order_lines' ? rows.map((row) => ({ ...row, canceling: 0 })) : rows,
  });
}

function withoutPercent(row: UnknownRow): UnknownRow {
  const settings = JSON.parse(row['settings'] as string) as { receiving?: { over?: object } };
  const { receiving } = settings;
  if (receiving?.over === undefined) return row;
  const over = { ...receiving.over, percent: 0 };
  return { ...row, settings: JSON.stringify({ ...settings, receiving: { ...receiving, over } }) };
}

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
  'a second hand-over forgets the units of the first': (store) =>
    rewriting(store, {
      rows: (table, rows) =>
        table !== 'order_lines' ? rows : rows.map((row) => ('handed_over' in row ? { ...row, handed_over: 0 } : row)),
    }),
  'what was canceled while it was picked is forgotten at the end of the ticket': forgetsAtClose,
  'a wrong PIN does not count': (store) =>
    rewriting(store, {
      rows: (table, rows) => (table !== 'fulfillment_orders' ? rows : rows.map((row) => ({ ...row, pin_attempts: 0 }))),
    }),
  'the feed leaves an event out': (store) =>
    rewriting(
      store,
      { rows: (table, rows) => (table !== 'events' ? rows : rows.filter(({ type }) => type !== 'order.handedOver')) },
      { reads: true },
    ),
  'a repeated request is answered otherwise': (store) =>
    rewriting(
      store,
      { rows: (table, rows) => (table !== 'idempotency_keys' ? rows : rows.map((row) => ({ ...row, reply: '{}' }))) },
      { reads: true },
    ),
  'what stands once is charged again': (store) =>
    rewriting(
      store,
      { rows: (table, rows) => (table !== 'order_charges' ? rows : rows.map((row) => ({ ...row, with_header: 0 }))) },
      { reads: true },
    ),
  'held units of goods in are forgotten': (store) =>
    rewriting(
      store,
      { rows: (table, rows) => (table !== 'inbound_sums' ? rows : rows.map((row) => ({ ...row, held: 0 }))) },
      { reads: true },
    ),
  'a shelf has a unit more than its moves say': (store) =>
    rewriting(
      store,
      {
        rows: (table, rows) =>
          table !== 'stock_levels'
            ? rows
            : rows.map((row) => (typeof row['shelf'] === 'number' ? { ...row, shelf: row['shelf'] + 1 } : row)),
      },
      { reads: true },
    ),
  'a promise is not asked': (store) =>
    rewriting(store, {
      rows: (_table, rows) => rows.map((row) => ('promise' in row ? { ...row, promise: 'ANY' } : row)),
    }),
  'a tolerance in percent is not counted': (store) =>
    rewriting(store, {
      rows: (table, rows) =>
        table !== 'clients' ? rows : rows.map((row) => ('settings' in row ? withoutPercent(row) : row)),
    }),
  'who received held units approves them': (store) =>
    rewriting(store, {
      rows: (table, rows) =>
        table !== 'inbound_receipts' ? rows : rows.map((row) => ({ ...row, user_id: 'somebody else' })),
    }),
  'a purchase order forgets its deliveries': (store) =>
    rewriting(store, { rows: (table, rows) => (table !== 'inbound_orders' ? rows : []) }, { reads: true }),
  'a revoked credential is taken': (store) =>
    rewriting(
      store,
      { rows: (table, rows) => (table !== 'credentials' ? rows : rows.map((row) => ({ ...row, revoked_at: null }))) },
      { reads: true },
    ),
  'a webhook is signed with the secret before the newest': (store) =>
    rewriting(
      store,
      {
        rows: (table, rows) =>
          table !== 'webhooks'
            ? rows
            : rows.map((row) => ({
                ...row,
                secret: row['old_secret'] ?? row['secret'],
                old_secret: null,
                old_secret_until: null,
              })),
      },
      { reads: true },
    ),
};

/** Where bugs show soon; others show in sequences without goods in and stock. */
const LOOKED: Record<string, typeof sequence> = {
  'a wrong PIN does not count': ofCounter,
  'a revoked credential is taken': ofSetup,
  'a shelf has a unit more than its moves say': ofGoods,
  'a promise is not asked': ofPromises,
  'held units of goods in are forgotten': ofGoodsIn,
  'a tolerance in percent is not counted': ofGoodsIn,
  'who received held units approves them': ofGoodsIn,
  'a purchase order forgets its deliveries': ofGoodsIn,
};

export const model: Campaign = {
  name: 'model',
  unit: 'sequences',
  count: 100,
  control: {
    planted:
      'a wrong total, a queue that shows every queue, a closed ticket that is read as open, a hand-over that forgets the one before, a cancellation that is forgotten when its ticket is closed, a wrong PIN that does not count, a feed with a hole, another answer to a repeated request, a header charged twice, held units that are forgotten, a shelf with a unit more, a promise that is not asked, a tolerance that is not counted, held units that their receiver approves, a purchase order without its deliveries, a revoked credential, an old signature',
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
