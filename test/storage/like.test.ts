import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openStore, type Store } from '../../src/platform/storage/db.ts';
import { contains } from '../../src/platform/storage/like.ts';
import { administer, databaseUrl } from '../support/postgres.ts';
import { describePostgresOnly, ENGINE, openTestStore } from '../support/store.ts';

/** A text, a part that a user types, and whether the text contains it. */
const CASES: [string, string, boolean][] = [
  ['Århus', 'Århus', true],
  ['ZÜRICH', 'zÜrich', true],
  ['ZÜRICH', 'zürich', false],
  ['INV-1', 'inv', true],
  ['inv-1', 'INV', true],
  ['a_b!', 'A_B!', true],
  ['aab', 'A_B', false],
];

async function found(store: Store): Promise<[string, string, boolean][]> {
  return store.write(async (tx) => {
    await sql`create table words (word text ${sql.raw(ENGINE === 'postgres' ? 'collate "C"' : '')})`.execute(tx);
    const outcomes: [string, string, boolean][] = [];
    for (const [word, part] of CASES) {
      await sql`delete from words`.execute(tx);
      await sql`insert into words values (${word})`.execute(tx);
      const { rows } = await sql`select word from words where ${contains(sql`word`, part)}`.execute(tx);
      outcomes.push([word, part, rows.length === 1]);
    }
    await sql`drop table words`.execute(tx);
    return outcomes;
  });
}

it('a search for a part of a text ignores the case of ASCII letters only', async () => {
  const store = await openTestStore();
  expect(await found(store)).toEqual(CASES);
  await store.close();
});

describePostgresOnly('a database whose default collation knows all letters', () => {
  it('finds the same parts of texts', async () => {
    const name = `backroom_like_${process.pid}`;
    await administer((client) =>
      client.query(
        `create database ${name} encoding 'UTF8' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8' template template0`,
      ),
    );
    const store = await openStore(databaseUrl(name));
    try {
      expect(await found(store)).toEqual(CASES);
    } finally {
      await store.close();
      await administer((client) => client.query(`drop database ${name} with (force)`));
    }
  });
});
