import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/platform/storage/db.ts';
import { statement } from '../../src/platform/storage/statement.ts';
import { describeSqliteOnly, openTestStore } from '../support/store.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
  await store.write((tx) =>
    tx
      .insertInto('counters')
      .values([1, 2, 3].map((value) => ({ client_id: value === 3 ? 'B' : 'A', name: `n${value}`, value })))
      .execute(),
  );
});
afterAll(() => store.close());

let builds = 0;
const byName = statement((db, { clientId, least }: { clientId: string; least: number }) => {
  builds++;
  return db
    .selectFrom('counters')
    .select('name')
    .where('client_id', '=', clientId)
    .where('value', '>=', least)
    .where('value', '<', 100)
    .orderBy('name');
});

describe('a compiled statement', () => {
  it('is built once and bound to the values of each call', async () => {
    const names = (clientId: string, least: number) =>
      store.read(async (db) => (await byName(db, { clientId, least })).map(({ name }) => name));
    expect(await names('A', 1)).toEqual(['n1', 'n2']);
    expect(await names('A', 2)).toEqual(['n2']);
    expect(await names('B', 1)).toEqual(['n3']);
    expect(builds).toBe(1);
  });
});

describe('a read of one statement', () => {
  it('returns the rows of a read in a transaction', async () => {
    expect(await store.read((db) => byName(db, { clientId: 'A', least: 0 }), { single: true })).toHaveLength(2);
  });

  it('rejects a second statement', async () => {
    const twice = store.read(
      async (db) => {
        await byName(db, { clientId: 'A', least: 0 });
        return byName(db, { clientId: 'A', least: 0 });
      },
      { single: true },
    );
    await expect(twice).rejects.toThrow('one statement');
  });

  it('returns its connection after an error', async () => {
    for (let time = 0; time < 20; time++) {
      await expect(store.read(() => Promise.reject(new Error('no')), { single: true })).rejects.toThrow('no');
    }
    expect(await store.read((db) => byName(db, { clientId: 'B', least: 0 }))).toHaveLength(1);
  });
});

describeSqliteOnly('PostgreSQL numbers what is bound', 'a bound value', () => {
  const page = (limit: number) =>
    store.read(async (db) =>
      db.selectFrom('counters').select('name').where('client_id', '=', 'A').orderBy('name').limit(limit).compile(),
    );

  it('does not affect the plan, and a limit is a number, so that the statement is compiled once', async () => {
    expect(await page(2)).toMatchObject({
      sql: 'select "name" from "counters" where "client_id" = +? order by "name" limit 2',
      parameters: ['A'],
    });
  });

  it('is the same text, number or null after the plus sign, and its row is found by the index', async () => {
    const values = ['', ' 12', '-1.50', 'é', 0, -7, 2 ** 53 - 1, 1.5, null];
    const back = await store.read((db) =>
      sql`select ${sql.join(values.map((value, at) => sql`${value} as ${sql.ref(`v${at}`)}`))}`.execute(db),
    );
    expect(Object.values(back.rows[0] as object)).toEqual(values);
    const plan = await store.read((db) =>
      sql<{ detail: string }>`explain query plan
        select value from counters where client_id = ${'A'} and name > ${'n1'} order by name`.execute(db),
    );
    expect(plan.rows.map(({ detail }) => detail).join()).toMatch(/^SEARCH counters .*client_id=\? AND name>\?/);
  });
});
