import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/platform/storage/db.ts';
import { insertRows } from '../../src/platform/storage/insert.ts';
import { updateRows } from '../../src/platform/storage/update.ts';
import { openTestStore } from '../support/store.ts';

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
  const rows = ['A', 'B'].flatMap((client_id) =>
    Array.from({ length: 600 }, (_, index) => ({ client_id, name: `n${index}`, value: index })),
  );
  const columns = { client_id: 'text', name: 'text', value: 'integer' } as const;
  await store.write((db) => insertRows({ db, dialect: store.dialect }, 'counters', columns, rows));
});
afterEach(() => store.close());

interface Counter {
  name: string;
  value: number;
  seen: number;
}

const updateCounters = updateRows<Counter>(
  'counters',
  { name: 'text', value: 'integer', seen: 'integer' },
  { key: ['name'], guard: { value: 'seen' } },
);

const update = (rows: readonly Counter[]) =>
  store.write((db) => updateCounters({ db, dialect: store.dialect }, 'A', rows));

const stored = (clientId: string) =>
  store.read(async (db) => {
    const rows = await db.selectFrom('counters').selectAll().where('client_id', '=', clientId).execute();
    return new Map(rows.map(({ name, value }) => [name, value]));
  });

describe('an update of many rows', () => {
  it.each([0, 1, 20, 501, 600])(
    'gives each of %i rows its own value, and changes no row of another client',
    async (count) => {
      const rows = Array.from({ length: count }, (_, seen) => ({
        name: `n${seen}`,
        value: 3_000_000_000_000 + seen,
        seen,
      }));
      expect(await update(rows)).toBe(count);
      const after = await stored('A');
      for (const { name, value } of rows) expect(after.get(name)).toBe(value);
      expect(after.get('n599')).toBe(count === 600 ? 3_000_000_000_599 : 599);
      expect([...(await stored('B')).values()].every((value) => value < 600)).toBe(true);
    },
  );

  it('leaves rows that changed since they were seen, and returns how many it changed', async () => {
    expect(
      await update([1, 2, 3].map((index) => ({ name: `n${index}`, value: 7_000, seen: index === 2 ? 99 : index }))),
    ).toBe(2);
    const after = await stored('A');
    expect([1, 2, 3].map((index) => after.get(`n${index}`))).toEqual([7_000, 2, 7_000]);
  });

  it('changes nothing for a missing key', async () => {
    expect(await update([{ name: 'none', value: 1, seen: 0 }])).toBe(0);
  });
});
