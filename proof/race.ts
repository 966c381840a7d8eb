/**
 * Campaign `race`: requests that compete for the same resource at the same instant. After each contest, the rules must
 * allow all successful requests (mostly one) together. The other requests must have the documented error, and the
 * database must agree. On PostgreSQL the two processes of `serve --workers 2` serve the requests in turn. A case is one
 * contest of 2 to 32 requests.
 */
import { UpdateQueryNode } from 'kysely';
import type { Store } from '../src/platform/storage/db.ts';
import { type Campaign, main, type Work } from './campaign.ts';
import { type Arena, damage, openArena } from './race/arena.ts';
import { checkIns } from './race/checkin.ts';
import { cancelOrHandOver, cancelOrPick, handOvers } from './race/customers.ts';
import { packers, resourceAnswers, takeOvers } from './race/desks.ts';
import { closeOrReceive, matches, onceOnly, oneCarton, pieces, sameReceipt, voidOrReceive } from './race/goods.ts';
import { brokenKeys, shipments } from './race/messages.ts';
import { answerOrCorrect, cancelOrTakeIn, closeOrTakeIn, lastReturn } from './race/returns.ts';
import { countOrConfirm, counts, lastUnit, moveOrConfirm, receiptsAndPicks, switchedOn } from './race/stock.ts';
import { closers, generators, reopening } from './race/tickets.ts';
import { rewriting, withoutGuard } from './rewrite.ts';

type Contest = (arena: Arena) => Promise<void>;

const CONTESTS: readonly (readonly [weight: number, contest: Contest])[] = [
  [4, generators],
  [5, closers],
  [3, reopening],
  [4, checkIns],
  [1, shipments],
  [3, brokenKeys],
  [3, cancelOrPick],
  [3, cancelOrHandOver],
  [3, handOvers],
  [3, packers],
  [2, takeOvers],
  [2, resourceAnswers],
  [2, oneCarton],
  [2, pieces],
  [1, sameReceipt],
  [2, voidOrReceive],
  [2, closeOrReceive],
  [1, onceOnly],
  [1, matches],
  [2, lastUnit],
  [1, counts],
  [2, countOrConfirm],
  [2, moveOrConfirm],
  [1, receiptsAndPicks],
  [1, switchedOn],
  [2, lastReturn],
  [1, closeOrTakeIn],
  [2, answerOrCorrect],
  [1, cancelOrTakeIn],
];

/**
 * Number of contests in one database. The next contests get a new database, because a database that grows for hours
 * becomes slow.
 */
const CONTESTS_AN_ARENA = 500;

interface Bug {
  contest: Contest;
  wrap?: (store: Store) => Store;
}

/**
 * The planted bugs. Each of them removes the check that decides a contest. It drops the condition of a statement, hides
 * data that other requests have changed, or leaves out the Idempotency-Key.
 */
const BUGS: Record<string, Bug> = {
  'a claim takes orders that are on another ticket': {
    contest: generators,
    wrap: (store) =>
      rewriting(store, {
        statement: (node) => withoutGuard(node, 'fulfillment_orders', ['status', 'pick_ticket_id']),
        rows: (table, rows) =>
          table !== 'fulfillment_orders'
            ? rows
            : rows.map((row) => (row.status === 1150 ? { ...row, status: 1100, pick_ticket_id: null } : row)),
      }),
  },
  'a closed ticket is read as open and may be closed again': {
    contest: closers,
    wrap: (store) =>
      rewriting(store, {
        statement: (node) => withoutGuard(node, 'pick_tickets', ['status', 'revision']),
        rows: (table, rows) =>
          table !== 'pick_tickets' ? rows : rows.map((row) => ({ ...row, status: 'NEW', outcome: null })),
      }),
  },
  'a check-in does not see the data of others': {
    contest: checkIns,
    wrap: (store) =>
      rewriting(store, {
        rows: (table, rows) =>
          table !== 'checkin_package_items'
            ? rows
            : rows.map((row) => ({ ...row, checkedIn: null, canceled: null, reason: null })),
      }),
  },
  'a stored shipment is not found': {
    contest: shipments,
    wrap: (store) => rewriting(store, { rows: (table, rows) => (table === 'inbound_shipments' ? [] : rows) }),
  },
  'a ticket is read as that of its first user and goes to everybody': {
    contest: takeOvers,
    wrap: (store) =>
      rewriting(store, {
        statement: (node) => withoutGuard(node, 'pick_tickets', ['revision']),
        rows: (table, rows) => (table !== 'pick_tickets' ? rows : rows.map((row) => ({ ...row, user_id: 'ana' }))),
      }),
  },
  'a re-source request is read as open and may be decided again': {
    contest: resourceAnswers,
    wrap: (store) =>
      rewriting(store, {
        statement: (node) =>
          UpdateQueryNode.is(node) ? withoutGuard(node, 'resource_requests', ['status', 'revision']) : node,
        rows: (table, rows) =>
          table !== 'resource_requests'
            ? rows
            : rows.map((row) => ('status' in row ? { ...row, status: 'OPEN', answered_at: null } : row)),
      }),
  },
  'the received units of a carton are hidden': {
    contest: oneCarton,
    wrap: (store) =>
      rewriting(store, {
        rows: (table, rows) => (table === 'inbound_carton_work' || table === 'inbound_sums' ? [] : rows),
      }),
  },
  'reserved units are promised again': {
    contest: lastUnit,
    wrap: (store) =>
      rewriting(store, {
        rows: (table, rows) => (table !== 'stock_levels' ? rows : rows.map((row) => ({ ...row, reserved: 0 }))),
      }),
  },
  'units that came back are hidden': {
    contest: lastReturn,
    wrap: (store) =>
      rewriting(store, {
        rows: (table, rows) =>
          table !== 'order_lines' ? rows : rows.map((row) => ({ ...row, came_back: 0, coming_back: 0 })),
      }),
  },
  'a canceled refund is read as due and may be paid': {
    contest: answerOrCorrect,
    wrap: (store) =>
      rewriting(store, {
        statement: (node) => (UpdateQueryNode.is(node) ? withoutGuard(node, 'refunds', ['status']) : node),
        rows: (table, rows) =>
          table !== 'refunds'
            ? rows
            : rows.map((row) => (row['status'] === 'CANCELED' ? { ...row, status: 'DUE' } : row)),
      }),
  },
  'the Idempotency-Key is not read': { contest: (arena) => brokenKeys(arena, false) },
};

/** Returns the planted bug with this name. */
export function wrapOf(name: string): (store: Store) => Store {
  return BUGS[name]!.wrap!;
}

export const race: Campaign = {
  name: 'race',
  unit: 'contests',
  count: 2_000,
  control: {
    planted:
      'claim, closing, check-in, shipment, take-over, re-source request, carton, promise, returned unit, refund and key each lose their guard',
    // A bug shows only if the requests meet at the right time. The run of a bug ends with the first failure.
    count: 600,
    bugs: Object.keys(BUGS),
  },
  async run(work) {
    const bug = work.bug === undefined ? undefined : BUGS[work.bug];
    for (let done = 0; done < work.count && !work.enough(); done += CONTESTS_AN_ARENA) {
      const workers = { campaign: 'race', bug: bug?.wrap && work.bug };
      // Only the contest of generators needs the 400 orders.
      const pool = bug === undefined || bug.contest === generators ? undefined : 0;
      const arena = await openArena(work, workers, bug?.wrap, pool);
      try {
        await contests(work, arena, Math.min(CONTESTS_AN_ARENA, work.count - done), bug?.contest);
      } finally {
        await arena.service.close();
      }
    }
  },
};

async function contests(work: Work, arena: Arena, count: number, only?: Contest): Promise<void> {
  for (let index = 0; index < count && !work.enough(); index += 1) {
    const contest = only ?? draw(arena);
    try {
      await contest(arena);
    } catch (error) {
      work.fail(`${contest.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    work.done();
  }
  for (const what of await damage(arena.service.store)) work.fail(what);
}

function draw({ random }: Arena): Contest {
  let left = random() * CONTESTS.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, contest] of CONTESTS) {
    left -= weight;
    if (left < 0) return contest;
  }
  return generators;
}

await main(race, import.meta.url);
