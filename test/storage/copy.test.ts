import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../../src/platform/json-column.ts';
import { copyStore, OtherData } from '../../src/platform/storage/copy.ts';
import { openStore, type Store } from '../../src/platform/storage/db.ts';
import { migrate } from '../../src/service/migrate.ts';
import { ENGINE, freshUrl, openTestStore, rowsStored } from '../support/store.ts';
import { openTown } from '../support/town.ts';

const withoutMigrations = async (store: Store) =>
  (await rowsStored(store)).filter(([table]) => table !== 'migrations').sort(([a], [b]) => (a < b ? -1 : 1));

const opened: { close: () => Promise<void> }[] = [];
const keep = <T extends { close: () => Promise<void> }>(store: T): T => {
  opened.push(store);
  return store;
};
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function sqlite(): Promise<Store> {
  const url = freshUrl();
  await migrate(url, { now: () => 0 });
  return keep(await openStore(url));
}

describe(`a copy between ${ENGINE} and SQLite`, () => {
  it('has every row of every table, in both directions', async () => {
    const town = keep(await openTown({ neighbours: true }));
    const there = await sqlite();
    const out = await copyStore(town.store, there);
    expect(out.filter((table) => !table.same)).toEqual([]);
    expect(out.find(({ table }) => table === 'fulfillment_orders')).toMatchObject({
      from: { rows: expect.any(Number) },
    });
    expect(out.map(({ copied }) => copied)).toEqual(out.map(({ from }) => from.rows));
    expect(await withoutMigrations(there)).toEqual(await withoutMigrations(town.store));

    const back = keep(await openTestStore());
    expect((await copyStore(there, back)).every(({ same }) => same)).toBe(true);
    expect(await withoutMigrations(back)).toEqual(await withoutMigrations(town.store));
  });

  it('resumes where it was stopped, and writes no row twice', async () => {
    const town = keep(await openTown());
    const there = await sqlite();
    const stop = new AbortController();
    const onTable = (table: string) => {
      if (table === 'items') stop.abort();
    };
    await expect(copyStore(town.store, there, { signal: stop.signal, onTable })).rejects.toThrow(/abort/i);
    const rest = await copyStore(town.store, there);
    expect(rest.every(({ same }) => same)).toBe(true);
    const copied = (name: string) => rest.find(({ table }) => table === name)!.copied;
    expect([copied('clients'), copied('items')]).toEqual([0, 0]);
    expect(copied('fulfillment_orders')).toBeGreaterThan(0);
    expect((await copyStore(town.store, there)).reduce((sum, table) => sum + table.copied, 0)).toBe(0);
  });

  it('resumes inside a table, also where rows in its middle are missing', async () => {
    const town = keep(await openTown({ upTo: 'catalog' }));
    const there = await sqlite();
    await copyStore(town.store, there);
    await there.write((tx) => tx.deleteFrom('items').where('item_id', 'in', ['21-MUG-WHT', '21-KAYAK-1']).execute());
    const again = await copyStore(town.store, there);
    expect(again.find(({ table }) => table === 'items')).toMatchObject({ copied: 2, same: true });
  });

  it.each([
    ['a row that the source lacks', { item_id: 'OTHER' }],
    ['another row under the same key', { item_id: '21-MUG-WHT' }],
  ])('rejects a target with %s, and writes nothing', async (_name, { item_id }) => {
    const town = keep(await openTown({ upTo: 'catalog' }));
    const there = await sqlite();
    await there.write(async (tx) => {
      const row = await town.store.read((db) => db.selectFrom('clients').selectAll().executeTakeFirstOrThrow());
      await tx.insertInto('clients').values(row).execute();
      const item = {
        client_id: row.client_id,
        item_id,
        revision: 1,
        doc: '{}' as Json<never>,
        created_at: 1,
        updated_at: 1,
        term_form: 0,
      };
      await tx.insertInto('items').values(item).execute();
    });
    const before = await rowsStored(there);
    await expect(copyStore(town.store, there)).rejects.toThrow(OtherData);
    expect(await rowsStored(there)).toEqual(before);
  });

  it('reports writes to the source during the copy', async () => {
    const town = keep(await openTown({ upTo: 'catalog' }));
    const there = await sqlite();
    const onTable = async (table: string) => {
      if (table !== 'items') return;
      await town.store.write((tx) => tx.deleteFrom('items').where('item_id', '=', '21-MUG-WHT').execute());
    };
    const copied = await copyStore(town.store, there, { onTable });
    expect(copied.filter(({ same }) => !same).map(({ table }) => table)).toEqual(['items']);
  });
});
