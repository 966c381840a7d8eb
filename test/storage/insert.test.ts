import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store, Writer } from '../../src/platform/storage/db.ts';
import { insertRows } from '../../src/platform/storage/insert.ts';
import { openTestStore } from '../support/store.ts';

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
});
afterEach(() => store.close());

interface Counter {
  client_id: string;
  name: string;
  value: number;
}

const COLUMNS = { client_id: 'text', name: 'text', value: 'integer' } as const;
const UNLESS_MORE = `on conflict (client_id, name) do update set value = excluded.value where counters.value < excluded.value`;
const counters = (first: number, count: number, value: number): Counter[] =>
  Array.from({ length: count }, (_, index) => ({ client_id: 'A', name: `"n'${first + index}\n`, value }));

const insert = (rows: readonly Counter[], onConflict?: string) =>
  store.write((db: Writer) => insertRows({ db, dialect: store.dialect }, 'counters', COLUMNS, rows, onConflict));

const stored = () =>
  store.read((db) => db.selectFrom('counters').selectAll().orderBy('client_id').orderBy('value').execute());

describe('an insert of many rows', () => {
  it.each([0, 1, 3, 4, 5, 15, 16, 17, 63, 64, 65, 200])(
    'writes each of %i once, with its values as they are',
    async (count) => {
      const rows = counters(0, count, 0).map((row, index) => ({ ...row, value: 3_000_000_000_000 + index }));
      expect(await insert(rows)).toBe(count);
      expect(await stored()).toEqual(rows);
    },
  );

  it('returns how many rows it inserted or updated, so that a caller sees the effect of a guard', async () => {
    await insert(counters(0, 10, 5));
    expect(await insert(counters(5, 70, 5), UNLESS_MORE)).toBe(65);
    expect(await insert(counters(0, 80, 6), UNLESS_MORE)).toBe(80);
    expect(new Set((await stored()).map(({ value }) => value))).toEqual(new Set([6]));
  });

  it('is rolled back as a whole with its transaction', async () => {
    await insert(counters(70, 1, 1));
    await expect(insert(counters(0, 80, 1))).rejects.toThrow();
    expect(await stored()).toHaveLength(1);
  });
});
