/** Programs of an older version that serve during a migration of the database. */
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { openStore } from '../../src/platform/storage/db.ts';
import { applyMigrations, currentVersion, readMigrations } from '../../src/platform/storage/migrate.ts';
import { OWN_MIGRATIONS } from '../../src/platform/storage/migration.ts';
import { postgresText } from '../../src/platform/storage/postgres-migrate.ts';
import { needed } from '../../src/platform/storage/rolling.ts';
import { takeServing } from '../../src/platform/storage/serving.ts';
import { add as backup } from '../../src/service/cli/backup.ts';
import { add as migrate } from '../../src/service/cli/migrate.ts';
import { upgradeAtStart } from '../../src/service/cli/upgrade.ts';
import { perform } from '../cli/in-process.ts';
import { notAdditive } from '../storage/additive.ts';
import { makeDatabase } from '../support/postgres.ts';
import { describePostgresOnly, describeSqliteOnly, ENGINE, freshUrl } from '../support/store.ts';
import { openKept } from './kept.ts';

const OWN = readMigrations().length;
const folder = mkdtempSync(join(tmpdir(), 'backroom-rolling-'));
afterAll(() => rmSync(folder, { recursive: true }));

const emptyDatabase = async () => (ENGINE === 'sqlite' ? freshUrl() : makeDatabase());

const versionOf = async (url: string) => {
  const store = await openStore(url, { readers: 1, connections: 1 });
  try {
    return await currentVersion(store);
  } finally {
    await store.close();
  }
};

describe('a migration of this rule', () => {
  it('only adds, or says what programs must know to serve beside it', () => {
    const wrong = readMigrations()
      .filter(({ number }) => needed([number]) === 0)
      .flatMap(({ number, name, text }) => notAdditive(text).map((statement) => `${number}-${name}: ${statement}`));
    expect(wrong).toEqual([]);
  });

  it('does not build an index while another table is locked for reads, too', () => {
    const wrong = readMigrations()
      // The first 41 migrations are older than this rule.
      .filter(({ number }) => number > 41)
      .filter(({ text }) => {
        const statements = postgresText(text);
        return /^create (?:unique )?index /m.test(statements) && /^(?:alter|drop) /m.test(statements);
      });
    expect(wrong.map(({ number, name }) => `${number}-${name}`)).toEqual([]);
  });

  it.each([
    ['a column that older programs leave empty', "alter table items add column words text not null default '';", true],
    ['a column that they would have to fill', 'alter table items add column words text not null;', false],
    ['a table with its rows', 'create table a (\n  b text\n) strict;\ninsert into a select item_id from items;', true],
    ['rows of a table that they write', "insert into items (client_id) values ('a');", false],
    ['an index', 'create index a on items (client_id, item_id) where item_id is not null;', true],
    ['a rule that their rows may break', 'create unique index a on items (client_id, doc);', false],
    [
      'a rule for a new column',
      'alter table items add column a text;\ncreate unique index b on items (client_id, a) where a is not null;',
      true,
    ],
    ['values of a new column', "alter table items add column a text;\nupdate items set a = trim(doc, ',b = c');", true],
    [
      'values of a column that they read',
      'alter table items add column a text;\nupdate items set a = 1, doc = 2;',
      false,
    ],
    ['a column that goes', 'alter table items drop column doc;', false],
    ['another name', 'alter table items rename to things;', false],
    ['a table that goes', 'drop table items;', false],
  ])('%s', (_what, text, isAdditive) => {
    expect(notAdditive(text).length === 0).toBe(isAdditive);
  });
});

describe('a database that a newer program has migrated', () => {
  const next = pathToFileURL(`${join(folder, 'next')}/`);
  beforeAll(() => {
    cpSync(fileURLToPath(OWN_MIGRATIONS), fileURLToPath(next), { recursive: true });
    writeFileSync(new URL(`0${OWN + 1}-notes.sql`, next), 'alter table items add column notes text;\n');
  });

  it('is served by this one where the migrations only add, and else rejected', async () => {
    const url = await emptyDatabase();
    const start = () =>
      upgradeAtStart(loadConfig({ DATABASE_URL: url, BACKROOM_SECRET: '5e'.repeat(32) }), { now: () => 0 });
    await applyMigrations(url, { now: () => 0 });
    await applyMigrations(url, { now: () => 0, directory: next });
    expect(await start()).toEqual({ applied: [], isNewer: true });
    expect(await versionOf(url)).toBe(OWN + 1);
    const store = await openStore(url);
    try {
      for (const needs of [OWN + 1, null]) {
        await store.write((tx) => sql`update migrations set needs = ${needs} where number = ${OWN + 1}`.execute(tx));
        await expect(start()).rejects.toThrow(/use the newer program. Nothing was changed/);
      }
    } finally {
      await store.close();
    }
  });

  it('is backed up by the newer program only, because the manifest of this one would lack its new tables', async () => {
    const url = await emptyDatabase();
    await applyMigrations(url, { now: () => 0 });
    await applyMigrations(url, { now: () => 0, directory: next });
    const env = { DATABASE_URL: url, BACKROOM_SECRET: '5e'.repeat(32) };
    for (const form of [[], ['--portable'], ['--every', '10s']]) {
      const file = join(folder, `newer${form.join('')}`);
      expect(await perform(backup, env, ['backup', file, ...form])).toMatchObject({
        code: 1,
        err: expect.stringContaining('use the newer program'),
      });
    }
    expect(readdirSync(folder).filter((name) => /newer(?!--every)|copy-/.test(name))).toEqual([]);
  });
});

describeSqliteOnly('a file is served by one', 'an SQLite file that is being served', () => {
  it('is not migrated, with a sentence that says what to do; once the service has stopped it is', async () => {
    const env = await openKept('0.2.0', folder);
    const url = env['DATABASE_URL']!;
    const stop = takeServing(url);
    const refused = await perform(migrate, env, ['migrate', '--no-backup']);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/served by another process. Stop the service/),
    });
    expect(await versionOf(url)).toBe(15);
    stop();
    expect(await perform(migrate, env, ['migrate', '--no-backup'])).toMatchObject({ code: 0 });
    const serving = takeServing(url);
    const again = await perform(migrate, env, ['migrate']);
    serving();
    expect(again).toMatchObject({ code: 0, out: 'The database is up to date.\n' });
  });
});

describePostgresOnly('a PostgreSQL database on which an older program is at work', () => {
  const connect = async (url: string, name: string) => {
    const client = new pg.Client({ connectionString: url, application_name: name });
    await client.connect();
    return client;
  };

  it('is not migrated where the older program would break, unless by force', async () => {
    const env = await openKept('0.2.0', folder);
    const url = env['DATABASE_URL']!;
    const check = await perform(migrate, env, ['migrate', '--check']);
    expect(check).toMatchObject({ code: 1, out: expect.stringContaining('Stop every process of the older version') });
    for (const name of ['backroom', 'backroom/28']) {
      const older = await connect(url, name);
      const refused = await perform(migrate, env, ['migrate']);
      expect(refused).toMatchObject({
        code: 1,
        err: expect.stringMatching(/1 connections from 127\.0\.0\.1.*Stop every process of the older version/),
      });
      expect(await versionOf(url)).toBe(15);
      await older.end();
    }
    const others = [await connect(url, 'psql'), await connect(url, 'backroom/29'), await connect(url, 'backroom')];
    expect(await perform(migrate, env, ['migrate', '--force'])).toMatchObject({ code: 0 });
    for (const other of others) await other.end();
    expect(await versionOf(url)).toBe(OWN);
  });

  it('is migrated beside it where the migrations only add', async () => {
    const url = await emptyDatabase();
    await applyMigrations(url, { now: () => 0 });
    const next = join(folder, 'additive');
    cpSync(fileURLToPath(OWN_MIGRATIONS), next, { recursive: true });
    writeFileSync(join(next, `0${OWN + 1}-notes.sql`), 'alter table items add column notes text;\n');
    const older = await connect(url, 'backroom/29');
    const applied = await applyMigrations(url, { now: () => 0, directory: pathToFileURL(`${next}/`) });
    await older.end();
    expect(applied.map(({ name }) => name)).toEqual(['notes']);
  });

  it('tells a role without other permissions who is connected', async () => {
    const url = await emptyDatabase();
    await applyMigrations(url, { now: () => 0 });
    const older = await connect(url, 'backroom');
    const admin = await connect(url, 'psql');
    await admin.query('create role backroom_plain login');
    const plain = new URL(url);
    plain.username = 'backroom_plain';
    const other = await connect(plain.href, 'psql');
    const { rows } = await other.query(
      "select 1 from pg_stat_activity where datname = current_database() and application_name = 'backroom'",
    );
    await other.end();
    await admin.query('drop role backroom_plain');
    for (const client of [older, admin]) await client.end();
    expect(rows).toHaveLength(1);
  });
});
