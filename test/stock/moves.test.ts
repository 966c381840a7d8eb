/**
 * To read the moves of an item, the service follows the link of each move to the previous move, and uses the marks of
 * every 64th move. It finds all moves, even if the moves are far apart in time.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { post } from '../../src/kernel/stock.ts';
import { findMovesOf, unitsMovedSince } from '../../src/kernel/stock-ledger.ts';
import type { StockMove } from '../../src/kernel/stock-terms.ts';
import { openStore, type Store } from '../../src/platform/storage/db.ts';
import type { StockMoveRow } from '../../src/platform/storage/tables.ts';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import { migrate } from '../../src/service/migrate.ts';
import { type Flow, openFlow } from '../orders/flow.ts';
import { contextOf } from '../support/context.ts';
import { describeSqliteOnly, freshUrl } from '../support/store.ts';
import { keepStock, NODE, NODE_ID, SOAP } from './stock.ts';

const OTHER = '21-NAPKIN';
const node = { clientId: 'TOWN', nodeId: NODE_ID };
const soap = { ...node, itemId: SOAP };
const NAMES = ['SHELF', 'STAGE', 'DAMAGED'] as const;

/** Returns the names of the checks of levels and moves that fail in doctor. */
async function badLedger(store: Store): Promise<string[]> {
  const found = await ruleFindings(store);
  return found
    .filter(({ ok, check }) => !ok && ['levels of stock', 'moves of stock'].includes(check))
    .map(({ check }) => check);
}

describe('an item with hundreds of moves', () => {
  let town: Flow;
  beforeEach(async () => {
    town = await openFlow({ upTo: 'catalog' });
    await keepStock(town, NODE_ID);
  });
  afterEach(() => town.close());

  /**
   * Posts moves of two items: some in one transaction, some at the same instant, and with claims between them, so that
   * the revisions have gaps.
   */
  const fill = async (transactions: number) => {
    for (let n = 0; n < transactions; n++) {
      if (n % 3 === 0) town.clock.now += 1_000;
      // Simulates a process whose clock is behind.
      if (n % 50 === 49) town.clock.now -= 10_000;
      const one = (itemId: string, at: number): StockMove => ({
        itemId,
        from: 'SUPPLIER',
        to: NAMES[at % 3]!,
        quantity: 1 + (at % 4),
        cause: 'RECEIPT',
        reference: `r${at}`,
        userId: 'leo',
      });
      const moves = [one(SOAP, n), one(OTHER, n), ...(n % 5 === 0 ? [one(SOAP, n + 1)] : [])];
      const claims = n % 4 === 0 ? [{ itemId: SOAP, units: 1 }] : [];
      await town.store.write((db) => post(contextOf(town, db), node, { moves, claims }));
    }
  };
  const all = () => town.store.read((db) => findMovesOf(db, soap, 0, 10_000));

  it('is read whole, page by page of any size, from any revision', async () => {
    await fill(300);
    const moves = await all();
    expect(moves).toHaveLength(360);
    expect(moves.map(({ revision }) => revision)).toEqual(
      moves.map(({ revision }) => revision).toSorted((a, b) => a - b),
    );
    expect(moves.every(({ at }, index) => index === 0 || at >= moves[index - 1]!.at)).toBe(true);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 470 }), fc.integer({ min: 1, max: 400 }), async (after, limit) => {
        const page = await town.store.read((db) => findMovesOf(db, soap, after, limit));
        expect(page).toEqual(moves.filter(({ revision }) => revision > after).slice(0, limit));
      }),
      { numRuns: 60 },
    );
    const first = await town.client.get(`${NODE}/stock/${SOAP}/moves?pageSize=100`);
    const second = await town.client.get(
      `${NODE}/stock/${SOAP}/moves?pageSize=500&lastRecordId=${first.body.lastRecordId as string}`,
    );
    const shown = [...first.body.moves, ...second.body.moves] as { revision: number }[];
    expect(shown.map(({ revision }) => revision)).toEqual(moves.map(({ revision }) => revision));
    expect(await badLedger(town.store)).toEqual([]);
  });

  it('is summed from any revision, as a late count asks', async () => {
    await fill(150);
    const moves = await all();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ revision: fc.nat({ max: 240 }), place: fc.constantFrom(...NAMES) }), { minLength: 1 }),
        async (asked) => {
          const places = asked.map((one) => ({ itemId: SOAP, ...one }));
          const units = await town.store.read((db) =>
            unitsMovedSince({ ...contextOf(town, db as never) }, node, places, ['COUNT']),
          );
          const wanted = asked.map(({ revision, place }) =>
            moves
              .filter((move) => move.revision > revision && move.to_spot === place)
              .reduce((sum, { quantity }) => sum + quantity, 0),
          );
          expect(asked.map((_, index) => units.get(index)?.units ?? 0)).toEqual(wanted);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is found wanting by doctor where a move, the last one or a mark is not there', async () => {
    await fill(80);
    const moves = await all();
    const withoutMove = async (move: StockMoveRow) => {
      await town.store.write((tx) =>
        tx.deleteFrom('stock_moves').where('item_id', '=', SOAP).where('revision', '=', move.revision).execute(),
      );
      const found = await badLedger(town.store);
      await town.store.write((tx) => tx.insertInto('stock_moves').values(move).execute());
      return found;
    };
    expect(await badLedger(town.store)).toEqual([]);
    // Deletes a move with a mark, a move between marks, and the last move, to which the level refers.
    for (const at of [63, 10, -1]) expect(await withoutMove(moves.at(at)!)).toContain('moves of stock');
    await town.store.write((tx) =>
      tx
        .insertInto('stock_move_marks')
        .values({ client_id: 'TOWN', node_id: NODE_ID, item_id: SOAP, revision: 3, at: 1 })
        .execute(),
    );
    expect(await badLedger(town.store)).toEqual(['moves of stock']);
  });
});

describeSqliteOnly('files of its migrations', 'a ledger from before it lay in the order of time', () => {
  it('gets its links and marks, and clocks that went back do no harm', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'backroom-ledger-'));
    const every = new URL('../../src/platform/storage/migrations/', import.meta.url);
    for (const name of readdirSync(every).filter((one) => /^0(?:[01]\d|2[0-8])-/.test(one))) {
      cpSync(new URL(name, every), join(folder, name));
    }
    const url = freshUrl();
    await migrate(url, { now: () => 1, directory: pathToFileURL(`${folder}/`) });
    const raw = new Database(url.slice('sqlite:'.length));
    raw.exec(`insert into clients values ('TOWN', 'Town', '[]', '{}', 1, 1);
      insert into nodes (client_id, node_id, name, node_type, time_zone, address, phone, opening_hours, hold_locations, fulfillment_types,
        created_at, updated_at) values ('TOWN', '${NODE_ID}', 'Store', 'STORE', 'UTC', '{}', '1', '{}', '[]', '[]', 1, 1)`);
    const level = raw.prepare(`insert into stock_levels (client_id, node_id, item_id, shelf, revision, updated_at)
      values ('TOWN', '${NODE_ID}', ?, ?, ?, 1)`);
    level.run(SOAP, 200, 400);
    level.run('NEVER-MOVED', 0, 3);
    const move =
      raw.prepare(`insert into stock_moves (client_id, node_id, item_id, revision, from_spot, to_spot, quantity, cause,
      reference, user_id, at) values ('TOWN', '${NODE_ID}', '${SOAP}', ?, 'SUPPLIER', 'SHELF', 1, 'RECEIPT', 'r', 'leo', ?)`);
    for (let n = 1; n <= 200; n++) move.run(2 * n, 1_000 * n - (n % 10 === 0 ? 5_000 : 0));
    raw.close();
    await migrate(url, { now: () => 2 });
    const store = await openStore(url);
    const moves: StockMoveRow[] = await store.read((db) => findMovesOf(db, soap, 0, 1_000));
    expect(moves.map(({ revision }) => revision)).toEqual(Array.from({ length: 200 }, (_, n) => 2 * n + 2));
    expect(moves[9]!.at).toBe(9_000);
    expect((await store.read((db) => findMovesOf(db, soap, 77, 5))).map(({ revision }) => revision)).toEqual([
      78, 80, 82, 84, 86,
    ]);
    const marks = await store.read((db) => db.selectFrom('stock_move_marks').select('revision').execute());
    expect(marks.map(({ revision }) => revision)).toEqual([128, 256, 384]);
    expect(await badLedger(store)).toEqual([]);
    await store.close();
    rmSync(folder, { recursive: true });
  });
});
