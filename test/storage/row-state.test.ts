import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/platform/json-column.ts';
import type { Store } from '../../src/platform/storage/db.ts';
import { Outdated, stateOf } from '../../src/platform/storage/row-state.ts';
import type { RowKey } from '../../src/platform/storage/store.ts';
import { ENGINE, openTestStore } from '../support/store.ts';

/**
 * On SQLite, the service checks whether the whole database is unchanged. Only on PostgreSQL does it check single rows.
 */
const postgresOnly = ENGINE === 'postgres' ? describe : describe.skip;

postgresOnly('a read that proves rows unchanged', () => {
  let store: Store;
  const rows: RowKey[] = [
    { table: 'clients', key: { client_id: 'A' } },
    { table: 'stores', key: { client_id: 'A', store_id: 'S' } },
  ];

  beforeAll(async () => {
    store = await openTestStore();
    const times = { created_at: 0, updated_at: 0 };
    await store.write(async (tx) => {
      for (const client_id of ['A', 'B']) {
        await tx
          .insertInto('clients')
          .values({
            client_id,
            name: client_id,
            catalog_ids: '[]' as Json<string[]>,
            settings: '{}' as Json<object>,
            ...times,
          })
          .execute();
      }
      await tx.insertInto('sellers').values({ client_id: 'A', seller_id: 'A' }).execute();
      const names = { name: 'S', catalog_id: '21', seller_id: 'A', store_code: '1', currency: 'USD', returns_label: 0 };
      await tx
        .insertInto('stores')
        .values({ client_id: 'A', store_id: 'S', ...names, ...times })
        .execute();
    });
  });
  afterAll(() => store.close());

  const names = (clientId: string, unchanged: Awaited<ReturnType<typeof stateOf>>) =>
    store.read(
      async (db) => {
        const found = await db.selectFrom('clients').select('name').where('client_id', '=', clientId).execute();
        return found.map(({ name }) => name);
      },
      { single: true, ...(unchanged !== undefined && { unchanged }) },
    );
  const state = () => store.read((db) => stateOf(db, rows));
  const rename = (clientId: string, name: string) =>
    store.write((tx) => tx.updateTable('clients').set({ name }).where('client_id', '=', clientId).execute());

  it('returns its own rows, or none, while they are unchanged', async () => {
    const unchanged = await state();
    expect(await names('A', unchanged)).toEqual(['A']);
    expect(await names('nobody', unchanged)).toEqual([]);
    await rename('B', 'other');
    expect(await names('A', unchanged)).toEqual(['A']);
  });

  it('is rejected after one of them was changed, also back to its former value', async () => {
    const unchanged = await state();
    await rename('A', 'A');
    await expect(names('A', unchanged)).rejects.toThrow(Outdated);
    await expect(names('nobody', unchanged)).rejects.toThrow(Outdated);
    expect(await names('A', await state())).toEqual(['A']);
  });

  it('is the only proof: no table is watched, so no request invalidates a cache of versions', () => {
    expect(store.watch(['clients'])).toBeUndefined();
  });

  it('has no state for rows of which one is missing', async () => {
    const missing: RowKey = { table: 'stores', key: { client_id: 'A', store_id: 'none' } };
    expect(await store.read((db) => stateOf(db, [...rows, missing]))).toBeUndefined();
  });

  it('gets its own rows among a hundred concurrent reads', async () => {
    const unchanged = await state();
    const asked = Array.from({ length: 100 }, (_, n) => (n % 3 === 0 ? 'A' : n % 3 === 1 ? 'nobody' : 'B'));
    const answers = await Promise.all(asked.map((clientId) => names(clientId, unchanged)));
    expect(answers.map((found) => found[0])).toEqual(
      asked.map((clientId) => ({ A: 'A', B: 'other', nobody: undefined })[clientId]),
    );
  });

  it('that fails does not affect concurrent reads', async () => {
    const wrong = store.read(
      (db) =>
        db
          .selectFrom('clients')
          .select('nothing' as never)
          .execute(),
      { single: true },
    );
    const [first, second, third] = await Promise.allSettled([names('A', undefined), wrong, names('B', undefined)]);
    expect([first.status, second.status, third.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
