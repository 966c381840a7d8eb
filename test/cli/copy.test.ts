import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/platform/json-column.ts';
import { openStore, useStore } from '../../src/platform/storage/db.ts';
import { applyMigrations, currentVersion } from '../../src/platform/storage/migrate.ts';
import { loadArrivals } from '../../src/service/demo/arrivals.ts';
import { migrate } from '../../src/service/migrate.ts';
import { makeDatabase } from '../support/postgres.ts';
import { ENGINE } from '../support/store.ts';
import { openTown, townCall } from '../support/town.ts';
import { backroom, folder } from './support.ts';

const sqlite = (name: string) => `sqlite:${join(folder, name)}`;
const otherEngine = (name: string) => (ENGINE === 'postgres' ? makeDatabase() : Promise.resolve(sqlite(name)));
const copy = (from: string, to: string, ...more: string[]) =>
  backroom({}, ['copy', '--from', from, '--to', to, ...more]);
const NOTHING = { shelf: 0, staged: 0, damaged: 0, held: 0, missing: 0 };

describe('backroom copy', () => {
  it('copies an installation there and back, and a second run has nothing to do', async () => {
    const town = await openTown();
    await loadArrivals(townCall(town.call), town.client.secrets, town.clock.now);
    // Adds a row for the sums of deleted moves. The town has no such row, because its moves are too recent to be
    // deleted.
    await town.store.write((tx) =>
      tx
        .insertInto('stock_carried')
        .values({ ...NOTHING, client_id: 'TOWN', node_id: 'TOWN-Store001', item_id: '21-OLD', revision: 1 })
        .execute(),
    );
    // Adds a mark, which every 64th move of an item gets. The town has no marks, because its ledgers have too few moves.
    await town.store.write((tx) =>
      tx
        .insertInto('stock_move_marks')
        .values({ client_id: 'TOWN', node_id: 'TOWN-Store001', item_id: '21-OLD', revision: 64, at: 1 })
        .execute(),
    );
    const [there, back] = [sqlite('there.db'), await otherEngine('back.db')];
    const first = await copy(town.store.url, there, '--json');
    const { same, tables } = JSON.parse(first.out) as { same: boolean; tables: { table: string; copied: number }[] };
    expect([first.code, same], first.err).toEqual([0, true]);
    const goods = tables.filter(({ table }) => /^(?:inbound|stock)_/.test(table));
    expect(goods.length).toBeGreaterThanOrEqual(15);
    expect(goods.filter(({ copied }) => copied === 0).map(({ table }) => table)).toEqual([]);
    const second = await copy(there, back);
    expect([second.code, second.err.includes('items: 16 rows written')], second.out).toEqual([0, true]);
    expect(second.out).toContain('Both databases have the same content.');
    const third = JSON.parse((await copy(town.store.url, back, '--json')).out) as { tables: { copied: number }[] };
    expect(third.tables.map(({ copied }) => copied)).toEqual(third.tables.map(() => 0));
    await town.close();
  });

  it('rejects a target with other data, a missing source, and a copy onto itself', async () => {
    const town = await openTown({ upTo: 'catalog' });
    const other = sqlite('other.db');
    await migrate(other, { now: () => 0 });
    const store = await openStore(other);
    const client = {
      client_id: 'ELSE',
      name: 'Else',
      catalog_ids: '[]' as Json<string[]>,
      settings: '{}' as Json<object>,
      created_at: 1,
      updated_at: 1,
    };
    await store.write((tx) => tx.insertInto('clients').values(client).execute());
    await store.close();
    expect(await copy(town.store.url, other)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('a row that the source lacks: clients (ELSE)') as string,
    });
    const older = sqlite('older-target.db');
    await applyMigrations(older, { now: () => 0, upTo: 29 });
    const version = () => useStore(older, {}, currentVersion);
    const insert = sql`insert into clients (client_id, name, catalog_ids, settings, created_at, updated_at)
      values ('ELSE', 'Else', '[]', '{}', 1, 1)`;
    await useStore(older, {}, (one) => one.write((tx) => insert.execute(tx)));
    expect(await copy(town.store.url, older)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('older-target.db has data of an older program: copy into a new database') as string,
    });
    expect(await version()).toBe(29);
    // `copy` resumes an interrupted migration of a target that has no data yet.
    await useStore(older, {}, (one) => one.write((tx) => sql`delete from clients`.execute(tx)));
    expect(await copy(town.store.url, older)).toMatchObject({ code: 0 });
    expect((await copy(sqlite('nowhere.db'), other)).err).toContain('There is no database');
    expect((await copy(other, other)).err).toContain('the same database');
    await town.close();
  });
});
