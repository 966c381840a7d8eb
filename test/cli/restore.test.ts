/** `backup` and `restore` prove by hashes that the restored data equals the backed-up data. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { copyStore } from '../../src/platform/storage/copy.ts';
import { openStore } from '../../src/platform/storage/db.ts';
import { isMade } from '../../src/platform/storage/migrate.ts';
import { takeServing } from '../../src/platform/storage/serving.ts';
import type { Manifest } from '../../src/service/backup/manifest.ts';
import { variablesOf } from '../../src/service/backup/postgres-programs.ts';
import { add as backup } from '../../src/service/cli/backup.ts';
import { add as restore } from '../../src/service/cli/restore.ts';
import { migrate } from '../../src/service/migrate.ts';
import { SmallDisk, whyNoMount } from '../../town/disk.ts';
import { makeDatabase } from '../support/postgres.ts';
import { describePostgresOnly, describeSqliteOnly, freshUrl } from '../support/store.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { openKept } from '../upgrade/kept.ts';
import { perform } from './in-process.ts';
import { launch } from './support.ts';

const SECRET = 'ab'.repeat(32);
const folder = mkdtempSync(join(tmpdir(), 'backroom-restore-'));
afterAll(() => rmSync(folder, { recursive: true }));

const noMount = whyNoMount(join(folder, 'probe'));

let town: OpenTown;
const opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const envOf = (url: string) => ({ DATABASE_URL: url, BACKROOM_SECRET: SECRET });
const manifestOf = (file: string) => JSON.parse(readFileSync(`${file}.manifest.json`, 'utf8')) as Manifest;

/** Takes a backup of the town while it is open. */
async function taken(name: string, place = (url: string) => url): Promise<string> {
  town = await openTown();
  opened.push(town);
  const file = join(folder, name);
  expect(await perform(backup, envOf(place(town.store.url)), ['backup', file])).toMatchObject({ code: 0 });
  return file;
}

const verify = (file: string, more: readonly string[] = [], url = 'sqlite:none.db') =>
  perform(restore, envOf(url), ['restore', file, '--verify', ...more]);

const statement = (sql: string) => (file: string) => {
  const database = new Database(file);
  database.pragma('foreign_keys = off');
  expect(database.prepare(sql).run().changes).toBe(1);
  database.close();
};

describeSqliteOnly('PostgreSQL has its own dump', 'a backup of SQLite', () => {
  let whole: string;
  beforeAll(async () => {
    whole = await taken('whole.db');
  });

  /** Copies the backup to another name and applies `change` to it. */
  function changed(name: string, change: (file: string) => void): string {
    const file = join(folder, name);
    copyFileSync(whole, file);
    copyFileSync(`${whole}.manifest.json`, `${file}.manifest.json`);
    change(file);
    return file;
  }

  it('has rows and hash of every table in its manifest, mode 600, and is proven by it', async () => {
    const manifest = manifestOf(whole);
    const database = new Database(whole, { readonly: true });
    const tables = database
      .prepare<[], { name: string }>("select name from sqlite_schema where type = 'table' and name <> 'migrations'")
      .all();
    expect(Object.keys(manifest.tables).sort()).toEqual(tables.map(({ name }) => name).sort());
    for (const [name, { rows }] of Object.entries(manifest.tables)) {
      expect(database.prepare(`select count(*) as rows from "${name}"`).get(), name).toEqual({ rows });
    }
    database.close();
    expect(manifest).toMatchObject({ format: 1, engine: 'sqlite', file: { bytes: statSync(whole).size } });
    expect(statSync(`${whole}.manifest.json`).mode & 0o077).toBe(0);
    expect(await verify(whole)).toMatchObject({ code: 0, out: expect.stringMatching(/every row of every table/) });
    expect(JSON.parse((await verify(whole, ['--json'])).out)).toMatchObject({ proven: true, differs: [] });
    // The verification has not changed the backup.
    expect(await verify(whole)).toMatchObject({ code: 0 });
    expect(existsSync(`${whole}.copying`)).toBe(false);
  });

  it.each([
    [
      'a changed value',
      "update stores set name = name || '.' where rowid = (select min(rowid) from stores)",
      /^DIFFERENT stores: \d+ rows, but with other content$/m,
    ],
    [
      'a missing row',
      'delete from events where rowid = (select max(rowid) from events)',
      /^DIFFERENT events: \d+ rows, in the backup \d+$/m,
    ],
    [
      'an additional row',
      "insert into installation (client_id, name, value) values ('', 'more', '1')",
      /^DIFFERENT installation: \d+ rows, in the backup \d+$/m,
    ],
  ] as const)('%s is reported with its table, and the backup is not restored', async (what, sql, told) => {
    const file = changed(`${what}.db`, statement(sql));
    const seen = await verify(file);
    expect(seen).toMatchObject({ code: 1, out: expect.stringMatching(told) });
    expect(seen.out.match(/DIFFERENT/g)).toHaveLength(1);
    const place = freshUrl();
    expect(await perform(restore, envOf(place), ['restore', file])).toMatchObject({
      code: 1,
      out: expect.stringContaining('Nothing was changed'),
    });
    for (const end of ['', '.restoring']) expect(existsSync(place.slice('sqlite:'.length) + end)).toBe(false);
  });

  it('a flipped bit anywhere in the file is found', async () => {
    const bytes = readFileSync(whole);
    // A bit is flipped in the text of a row, in the middle of the file, and in the last byte.
    const places = [bytes.indexOf('21-MUG-WHT'), Math.floor(bytes.length / 2), bytes.length - 1];
    for (const place of places) {
      const file = changed(`bit-${place}.db`, (path) => {
        const flipped = Buffer.from(bytes);
        flipped[place]! ^= 1;
        writeFileSync(path, flipped);
      });
      expect(await verify(file), String(place)).toMatchObject({ code: 1 });
    }
  });

  it.skipIf(noMount !== undefined)('on a read-only disk can be verified and restored', async () => {
    const disk = SmallDisk.make(join(folder, 'read-only'), 64);
    try {
      const file = join(disk.folder, 'kept.db');
      for (const end of ['', '.manifest.json']) copyFileSync(whole + end, file + end);
      writeFileSync(`${file}.secret`, SECRET);
      const damaged = join(disk.folder, 'damaged.db');
      writeFileSync(damaged, 'no database'.repeat(1_000));
      disk.protect();
      expect(await verify(file)).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringMatching(/The backup is whole.*kept\.db\.secret is the key of its PINs/s),
      });
      const place = freshUrl();
      expect(await perform(restore, envOf(place), ['restore', file])).toMatchObject({ code: 0, err: '' });
      expect(await verify(file, ['--in-place'], place)).toMatchObject({ code: 0 });
      for (const more of [['--verify'], ['--force']])
        expect(await perform(restore, envOf(place), ['restore', damaged, ...more])).toMatchObject({
          code: 1,
          err: expect.stringContaining(`${damaged} is damaged, or not a database`),
        });
      expect(await verify(file, ['--in-place'], place)).toMatchObject({ code: 0 });
    } finally {
      disk.remove();
    }
  });

  it.skipIf(noMount !== undefined)('on a read-only disk leaves no copy if its check is stopped', async () => {
    const disk = SmallDisk.make(join(folder, 'stopped-check'), 64);
    const copies = mkdtempSync(join(folder, 'copies-'));
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = copies;
    try {
      const file = join(disk.folder, 'kept.db');
      for (const end of ['', '.manifest.json']) copyFileSync(whole + end, file + end);
      disk.protect();
      const stop = new AbortController();
      const { signal } = stop;
      const work = perform(restore, envOf('sqlite:none.db'), ['restore', file, '--verify'], { signal });
      await expect.poll(() => readdirSync(copies).length, { interval: 1 }).toBeGreaterThan(0);
      stop.abort();
      expect(await work).toMatchObject({ code: 1, err: 'The check was stopped before it was complete.' });
      expect(readdirSync(copies)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
      disk.remove();
    }
  });

  it('whose restore gets SIGTERM changes nothing and leaves no copy', async () => {
    const path = freshUrl().slice('sqlite:'.length);
    const { child, ended } = launch(envOf(`sqlite:${path}`), ['restore', whole]);
    await expect.poll(() => existsSync(`${path}.restoring`), { interval: 1, timeout: 10_000 }).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 1, err: 'backroom: The restore was stopped. Nothing was changed.\n' });
    expect(readdirSync(dirname(path)).filter((name) => join(dirname(path), name).startsWith(path))).toEqual([
      `${basename(path)}.serve`,
    ]);
  });

  it('that cannot be opened is not called damaged', async () => {
    const file = changed('shut.db', () => undefined);
    symlinkSync(join(folder, 'none', 'x'), `${file}-wal`);
    const { code, err } = await verify(file);
    expect([code, err]).toEqual([1, expect.stringContaining(`${file} cannot be opened`)]);
  });

  it('without its manifest it can be read but is not proven: exit code 3; a damaged manifest is an error', async () => {
    const old = changed('old.db', (file) => rmSync(`${file}.manifest.json`));
    expect(await verify(old)).toMatchObject({ code: 3, out: expect.stringContaining('cannot be compared') });
    expect(JSON.parse((await verify(old, ['--json'])).out)).toMatchObject({ proven: null });
    expect(await perform(restore, envOf(freshUrl()), ['restore', old])).toMatchObject({ code: 0 });
    expect(await verify(old, ['--in-place'], `sqlite:${old}`)).toMatchObject({ code: 1 });
    for (const text of ['{', '{}', '{"format":9,"program":"9.0.0"}']) {
      const file = changed('wrong.db', (path) => writeFileSync(`${path}.manifest.json`, text));
      expect(await verify(file)).toMatchObject({ code: 1, err: expect.stringContaining('wrong.db.manifest.json') });
    }
  });

  it('with an EDI partner names the command that skips the control numbers of lost files', async () => {
    const told = await perform(restore, envOf(freshUrl()), ['restore', whole]);
    const command = 'run backroom edi skip-numbers once';
    expect(told.out).toContain(command);
    const inPlace = await verify(whole, ['--in-place'], `sqlite:${changed('same.db', () => {})}`);
    expect([inPlace.code, inPlace.out.includes(command)]).toEqual([0, true]);
    const other = changed('other.db', statement('update clients set name = name || 1'));
    const different = await verify(whole, ['--in-place'], `sqlite:${other}`);
    expect([different.code, different.out.includes('skip-numbers')]).toEqual([1, false]);
    expect((await verify(whole)).out).not.toContain('skip-numbers');
    const without = changed('no-partner.db', (file) => {
      rmSync(`${file}.manifest.json`);
      statement('delete from edi_partners')(file);
    });
    const said = await perform(restore, envOf(freshUrl()), ['restore', without]);
    expect([said.code, said.out.includes('skip-numbers')]).toEqual([0, false]);
  });

  it('is not restored while a process serves the database, and no process can serve it during the restore', async () => {
    const place = freshUrl();
    const again = () => perform(restore, envOf(place), ['restore', whole, '--force']);
    const giveBack = takeServing(place);
    expect(await again()).toMatchObject({ code: 1, err: expect.stringMatching(/served by another.*Stop the service/) });
    giveBack();
    const work = again();
    await expect.poll(() => existsSync(`${place.slice('sqlite:'.length)}.restoring`), { interval: 5 }).toBe(true);
    expect(() => takeServing(place)).toThrow('served by another process');
    expect(await work).toMatchObject({ code: 0 });
    takeServing(place)();
  });

  it('replaces the file to which DATABASE_URL links, unless that file is open', async () => {
    const real = join(mkdtempSync(join(folder, 'real-')), 'real.db');
    const linked = join(mkdtempSync(join(folder, 'linked-')), 'backroom.db');
    const source = changed('with-key.db', (path) => writeFileSync(`${path}.secret`, SECRET));
    copyFileSync(whole, real);
    symlinkSync(real, linked);
    const env = { DATABASE_URL: `sqlite:${linked}` };
    const store = await openStore(env.DATABASE_URL);
    const before = readFileSync(real);
    const told = await perform(restore, env, ['restore', source, '--force']);
    await store.close();
    expect(told).toMatchObject({ code: 1, err: expect.stringContaining('is open in another process') });
    expect(readFileSync(real).equals(before)).toBe(true);
    statement("insert into installation (client_id, name, value) values ('', 'more', '1')")(real);
    expect(await perform(restore, env, ['restore', source, '--force'])).toMatchObject({ code: 0 });
    expect(lstatSync(linked).isSymbolicLink()).toBe(true);
    expect(await verify(source, ['--in-place'], `sqlite:${real}`)).toMatchObject({ code: 0 });
    expect(readdirSync(dirname(linked)).sort()).toEqual(['backroom.db', 'backroom.db.secret']);
    expect(readdirSync(dirname(real)).sort()).toEqual(['real.db', 'real.db.serve']);
  });

  it('is restored to the target of a link whose target is missing', async () => {
    const linked = join(mkdtempSync(join(folder, 'dangling-')), 'backroom.db');
    const disk = mkdtempSync(join(folder, 'new-disk-'));
    symlinkSync(join(folder, 'between.db'), linked);
    symlinkSync(join(disk, 'real.db'), join(folder, 'between.db'));
    expect(await perform(restore, envOf(`sqlite:${linked}`), ['restore', whole])).toMatchObject({ code: 0 });
    expect(lstatSync(linked).isSymbolicLink()).toBe(true);
    expect(await verify(whole, ['--in-place'], `sqlite:${join(disk, 'real.db')}`)).toMatchObject({ code: 0 });
    expect(readdirSync(disk).sort()).toEqual(['real.db', 'real.db.serve']);
  });

  it('is not deleted by a restore to a link, if it is the copy of a restore that was killed', async () => {
    const disk = mkdtempSync(join(folder, 'killed-'));
    const linked = join(disk, 'link.db');
    const left = join(disk, 'real.db.restoring');
    copyFileSync(whole, join(disk, 'real.db'));
    copyFileSync(whole, left);
    symlinkSync(join(disk, 'real.db'), linked);
    const told = await perform(restore, envOf(`sqlite:${linked}`), ['restore', left, '--force']);
    expect(told).toMatchObject({ code: 1, err: expect.stringMatching(/replaces .* itself.*Nothing was changed/s) });
    expect(existsSync(left)).toBe(true);
  });

  it('replaces a damaged database whose process was killed, with --force', async () => {
    const place = freshUrl();
    const path = place.slice('sqlite:'.length);
    const bytes = readFileSync(whole);
    writeFileSync(path, bytes.fill('x', 0, 100));
    // A killed process leaves its write-ahead log.
    writeFileSync(`${path}-wal`, 'log'.repeat(1_000));
    expect(await perform(restore, envOf(place), ['restore', whole])).toMatchObject({
      code: 1,
      err: `${path} is damaged, or not a database; replace it with --force.`,
    });
    expect(await perform(restore, envOf(place), ['restore', whole, '--force'])).toMatchObject({ code: 0, err: '' });
    expect(await verify(whole, ['--in-place'], place)).toMatchObject({ code: 0 });
  });

  it('proves a database that was restored by other means, and lists tables with later writes', async () => {
    const place = freshUrl();
    const path = place.slice('sqlite:'.length);
    copyFileSync(whole, path);
    chmodSync(path, 0o600);
    expect(await verify(whole, ['--in-place'], place)).toMatchObject({ code: 0 });
    statement("insert into installation (client_id, name, value) values ('', 'more', '1')")(path);
    expect(await verify(whole, ['--in-place'], place)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^DIFFERENT installation/m),
    });
    expect(await perform(restore, envOf(place), ['restore', whole, '--in-place'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--verify'),
    });
  });
});

describeSqliteOnly('PostgreSQL has no key file', 'the key file of a backup', () => {
  /** Puts a database with its key file into a folder of its own, and takes a backup of it. */
  async function keyed(name: string) {
    town = await openTown();
    opened.push(town);
    const database = join(mkdtempSync(join(folder, 'keyed-')), 'backroom.db');
    await town.store.backup(database);
    writeFileSync(`${database}.secret`, `${SECRET}\n`, { mode: 0o600 });
    const env = { DATABASE_URL: `sqlite:${database}` };
    const file = join(folder, name);
    expect(await perform(backup, env, ['backup', file])).toMatchObject({ code: 0 });
    const bytes = () => ['', '.secret'].map((end) => readFileSync(database + end).toString('latin1'));
    const back = (more: readonly string[] = ['--force'], url = env.DATABASE_URL) =>
      perform(restore, { DATABASE_URL: url }, ['restore', file, ...more]);
    return { database, file, bytes, back };
  }

  it('a database is never restored from itself, by whatever path: its key stays', async () => {
    const { database, bytes } = await keyed('itself.db');
    const before = bytes();
    const link = join(folder, 'link');
    symlinkSync(dirname(database), link);
    for (const [url, path] of [
      [database, database],
      [database, join(link, 'backroom.db')],
      [join(link, 'backroom.db'), database],
    ] as const) {
      const told = await perform(restore, { DATABASE_URL: `sqlite:${url}` }, ['restore', path, '--force']);
      expect(told).toMatchObject({ code: 1, err: expect.stringMatching(/replaces .* itself.*Nothing was changed/s) });
      expect(bytes()).toEqual(before);
    }
  });

  it.each([
    ['another key', 'cd'.repeat(32)],
    ['no key', 'junk'],
  ])('with %s, the backup is not whole and replaces neither the database nor its key', async (what, text) => {
    const { database, file, bytes, back } = await keyed(`${what}.db`);
    writeFileSync(`${file}.secret`, text);
    writeFileSync(`${database}.secret.previous`, 'ef'.repeat(32));
    statement("insert into installation (client_id, name, value) values ('', 'more', '1')")(database);
    const before = bytes();
    const seen = await verify(file);
    expect(seen).toMatchObject({
      code: 1,
      out: expect.stringContaining(`${file}.secret is not the key of this backup`),
    });
    expect(seen.out).not.toContain('whole');
    const told = await back();
    expect(told).toMatchObject({
      code: 1,
      out: expect.stringMatching(/\.secret is not the key of this backup.*Nothing was changed/s),
    });
    expect(JSON.parse((await back(['--force', '--json'])).out)).toMatchObject({
      key: 'wrong',
      restored: false,
      proven: true,
    });
    expect(bytes()).toEqual(before);
    expect(readFileSync(`${database}.secret.previous`, 'utf8')).toBe('ef'.repeat(32));
    expect(readdirSync(dirname(database)).filter((name) => name.includes('restoring'))).toEqual([]);
  });

  it('stays as it is beside a backup that was moved away, and so does the manifest', async () => {
    const { database, file } = await keyed('moved.db');
    const env = { DATABASE_URL: `sqlite:${database}` };
    const again = (signal?: AbortSignal) => perform(backup, env, ['backup', file], signal && { signal });
    const other = join(folder, 'moved-away.db');
    renameSync(file, other);
    expect(await again()).toMatchObject({
      code: 1,
      err: expect.stringMatching(/moved\.db\.manifest\.json exists already; .*Move it to its backup/),
    });
    renameSync(`${file}.manifest.json`, `${other}.manifest.json`);

    // The present key remains even if the backup fails.
    const stop = new AbortController();
    stop.abort();
    expect(await again(stop.signal)).toMatchObject({ code: 1, err: expect.stringContaining('was stopped') });
    expect(readFileSync(`${file}.secret`, 'utf8').trim()).toBe(SECRET);

    writeFileSync(`${file}.secret`, 'cd'.repeat(32));
    expect(await again()).toMatchObject({ code: 1, err: expect.stringMatching(/moved\.db\.secret exists already/) });
    expect(readFileSync(`${file}.secret`, 'utf8')).toBe('cd'.repeat(32));
    // A killed run leaves the key file. Beside its incomplete copy, it can also leave a manifest.
    writeFileSync(`${file}.secret`, `${SECRET}\n`);
    for (const end of ['.manifest.json', '.copying']) writeFileSync(file + end, '');
    expect(await again()).toMatchObject({ code: 0 });
    expect(await verify(file)).toMatchObject({ code: 0 });
  });

  it('is restored with the backup, and then the key of the database before is gone', async () => {
    const { database, file, back } = await keyed('right.db');
    writeFileSync(`${database}.secret`, 'cd'.repeat(32));
    writeFileSync(`${database}.secret.previous`, 'ef'.repeat(32));
    expect(await verify(file)).toMatchObject({
      code: 0,
      out: expect.stringContaining('.secret is the key of its PINs'),
    });
    expect(await back()).toMatchObject({ code: 0, out: expect.stringContaining('start the service') });
    expect(readFileSync(`${database}.secret`, 'utf8').trim()).toBe(SECRET);
    expect(statSync(`${database}.secret`).mode & 0o777).toBe(0o600);
    expect(existsSync(`${database}.secret.previous`)).toBe(false);
    expect(readdirSync(dirname(database)).filter((name) => name.includes('restoring'))).toEqual([]);
  });

  it('if it is kept elsewhere, the key beside the database is judged, and without any key the data is restored', async () => {
    const { database, file, bytes, back } = await keyed('apart.db');
    rmSync(`${file}.secret`);
    expect(await verify(file)).toMatchObject({ code: 0, out: expect.stringContaining('was not checked') });
    expect(JSON.parse((await back(['--force', '--json'])).out)).toMatchObject({ key: 'fits', restored: true });
    writeFileSync(`${database}.secret`, 'cd'.repeat(32));
    const before = bytes();
    expect(await back()).toMatchObject({
      code: 1,
      out: expect.stringContaining(`${database}.secret is not the key of this backup`),
    });
    expect(bytes()).toEqual(before);
    const other = { DATABASE_URL: `sqlite:${database}`, BACKROOM_SECRET: 'cd'.repeat(32) };
    expect(await perform(restore, other, ['restore', file, '--force'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('BACKROOM_SECRET is not the key of this backup'),
    });
    rmSync(`${database}.secret`);
    expect(await back()).toMatchObject({ code: 0, out: expect.stringContaining('the key of its PINs is missing') });
  });
});

describePostgresOnly('a backup of PostgreSQL', () => {
  it('reaches a server by each URL of the driver, without a password in its arguments', () => {
    const password = 'p@ss word';
    const root = join(folder, 'root.crt');
    writeFileSync(root, 'CA');
    const at = { PGHOST: 'db', PGPORT: '5432', PGUSER: 'me', PGDATABASE: 'shop' };
    for (const [url, variables] of [
      ['postgres://me:p%40ss%20word@db/shop', { ...at, PGPASSWORD: password }],
      ['postgres://me@db/shop?password=p%40ss%20word', { ...at, PGPASSWORD: password }],
      ['postgres://me@/shop?host=/var/run/postgresql', { ...at, PGHOST: '/var/run/postgresql' }],
      ['postgres://me@db:6000/shop?sslmode=no-verify', { ...at, PGPORT: '6000', PGSSLMODE: 'require' }],
      [
        'postgres://me@db/shop?uselibpqcompat=true&sslmode=prefer&options=-csearch_path%3Dshop',
        { ...at, PGSSLMODE: 'require', PGOPTIONS: '-csearch_path=shop' },
      ],
      ['postgres://me@db/shop?uselibpqcompat=true&sslmode=require', { ...at, PGSSLMODE: 'require' }],
      [
        `postgres://me@db/shop?uselibpqcompat=true&sslmode=require&sslrootcert=${root}`,
        { ...at, PGSSLMODE: 'verify-ca', PGSSLROOTCERT: root },
      ],
      // The driver verifies the certificate of the server with each of these parameters.
      ...['sslmode=prefer', 'sslmode=require', 'sslmode=verify-full', 'ssl=true'].map(
        (parameter) => [`postgres://me@db/shop?${parameter}`, { ...at, PGSSLMODE: 'verify-full' }] as const,
      ),
      [`postgres://me@db/shop?sslrootcert=${root}`, { ...at, PGSSLMODE: 'verify-full', PGSSLROOTCERT: root }],
      ['postgres://me@db/shop?sslmode=disable', { ...at, PGSSLMODE: 'disable' }],
    ] as const)
      expect(variablesOf(url)).toEqual(variables);
  });

  it.skipIf(!process.env['TEST_DATABASE_SOCKET'])('is taken and restored by a socket with a user', async () => {
    const place = (url: string) => {
      const { username, pathname, port } = new URL(url);
      const host = encodeURIComponent(process.env['TEST_DATABASE_SOCKET'] ?? '');
      return `postgres://${username}@${pathname}?host=${host}&port=${port}&uselibpqcompat=true`;
    };
    const file = await taken('of-a-socket.dump', place);
    expect(manifestOf(file).engine).toBe('postgres');
    const empty = place(await makeDatabase());
    expect(await perform(restore, envOf(empty), ['restore', file])).toMatchObject({ code: 0, err: '' });
  });

  it('is a dump and a manifest of one snapshot; after a restore every row is the same, and later changes are listed', async () => {
    const file = await taken('town.dump');
    expect(await verify(file)).toMatchObject({ code: 0 });
    const place = await makeDatabase();
    const done = await perform(restore, envOf(place), ['restore', file]);
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/every row of every table is the same/i) });
    expect(await verify(file, ['--in-place'], place)).toMatchObject({ code: 0 });
    expect(await perform(restore, envOf(place), ['restore', file])).toMatchObject({
      code: 1,
      err: expect.stringContaining('create an empty database'),
    });
    const keyed = { DATABASE_URL: await makeDatabase(), BACKROOM_SECRET: 'cd'.repeat(32) };
    expect(await perform(restore, keyed, ['restore', file])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/The database is filled, but BACKROOM_SECRET is not its key/),
    });

    const store = await openStore(place, { connections: 1 });
    await store.write((tx) => tx.deleteFrom('item_terms').where('client_id', '=', 'TOWN').execute());
    await store.close();
    const differs = await verify(file, ['--in-place'], place);
    expect(differs).toMatchObject({ code: 1, out: expect.stringMatching(/^DIFFERENT item_terms: 0 rows/m) });

    const manifest = manifestOf(file);
    manifest.tables['stores']!.hash = manifest.tables['items']!.hash;
    writeFileSync(`${file}.manifest.json`, JSON.stringify(manifest));
    const filled = await perform(restore, envOf(await makeDatabase()), ['restore', file]);
    expect(filled).toMatchObject({ code: 1, out: expect.stringMatching(/^DIFFERENT stores: [\s\S]*Do not serve it/m) });

    const bytes = readFileSync(file);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(file, bytes);
    expect(await verify(file)).toMatchObject({ code: 1 });
    expect(await perform(restore, envOf(freshUrl()), ['restore', file])).toMatchObject({
      code: 1,
      err: expect.stringContaining('backup of PostgreSQL'),
    });
  });

  it('can be an SQLite file without a program of PostgreSQL, which both engines restore with every row', async () => {
    const from = await openTown({ neighbours: true });
    opened.push(from);
    const file = join(folder, 'portable.db');
    const path = process.env['PATH'];
    process.env['PATH'] = '/nonexistent';
    const done = await perform(backup, envOf(from.store.url), ['backup', file]).finally(() => {
      process.env['PATH'] = path;
    });
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('restore it into PostgreSQL or SQLite') });
    expect(manifestOf(file)).toMatchObject({ engine: 'sqlite' });
    expect(await verify(file)).toMatchObject({ code: 0, out: expect.stringMatching(/The backup is whole/) });
    const asked = join(folder, 'asked.db');
    expect(await perform(backup, envOf(from.store.url), ['backup', asked, '--portable'])).toMatchObject({ code: 0 });
    expect(existsSync(`${file}-wal`)).toBe(false);

    const server = await makeDatabase();
    for (const place of [server, freshUrl()]) {
      const restored = await perform(restore, envOf(place), ['restore', file]);
      expect(restored).toMatchObject({ code: 0, out: expect.stringMatching(/every row of every table is the same/i) });
      expect(await verify(file, ['--in-place'], place)).toMatchObject({ code: 0 });
    }
    expect(await perform(restore, envOf(server), ['restore', file])).toMatchObject({
      code: 1,
      err: expect.stringContaining('create an empty database'),
    });

    const other = await makeDatabase();
    const keyed = { DATABASE_URL: other, BACKROOM_SECRET: 'cd'.repeat(32) };
    expect(await perform(restore, keyed, ['restore', file])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/BACKROOM_SECRET is not the key of this backup[\s\S]*Nothing was changed/),
    });

    const manifest = manifestOf(file);
    manifest.tables['stores']!.hash = manifest.tables['items']!.hash;
    writeFileSync(`${file}.manifest.json`, JSON.stringify(manifest));
    const refused = await perform(restore, envOf(other), ['restore', file]);
    expect(refused).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^DIFFERENT stores: [\s\S]*Nothing was changed/m),
    });
    expect(await isMade(other)).toBe(false);
  });

  it('whose restore is stopped says that the database may have tables', async () => {
    const dump = await taken('stopped.dump');
    const file = join(folder, 'stopped-portable.db');
    expect(await perform(backup, envOf(town.store.url), ['backup', file, '--portable'])).toMatchObject({ code: 0 });
    for (const source of [dump, file]) {
      const place = await makeDatabase();
      const stop = new AbortController();
      const work = perform(restore, envOf(place), ['restore', source], { signal: stop.signal });
      if (source === file) await expect.poll(() => isMade(place), { interval: 5 }).toBe(true);
      stop.abort();
      expect(await work).toMatchObject({ code: 1, err: expect.stringMatching(/was stopped.*drop it and create/) });
    }
  });

  it('of an older release is restored at its schema, and then migrated', async () => {
    const older = await openKept('0.2.0', folder);
    const file = join(folder, 'older.db');
    expect(await perform(backup, older, ['backup', file, '--portable'])).toMatchObject({ code: 0 });
    const place = await makeDatabase();
    const restored = await perform(restore, { ...older, DATABASE_URL: place }, ['restore', file, '--json']);
    expect(JSON.parse(restored.out)).toMatchObject({ restored: true, version: 15, proven: true });
  });

  it('has the same hashes of the same rows as SQLite', async () => {
    town = await openTown({ neighbours: true });
    opened.push(town);
    const place = freshUrl();
    await migrate(place, { now: () => 0 });
    const there = await openStore(place);
    await copyStore(town.store, there);
    await there.close();
    const file = join(folder, 'copied.db');
    expect(await perform(backup, envOf(place), ['backup', file])).toMatchObject({ code: 0 });
    // The backup writes its own record after it has copied the data.
    expect(await verify(file, ['--in-place'], town.store.url)).toMatchObject({ code: 0 });
  });
});

describe('a backup that cannot be taken', () => {
  it('because it was stopped leaves nothing behind', async () => {
    town = await openTown();
    opened.push(town);
    const place = mkdtempSync(join(folder, 'stopped-'));
    for (const more of [[], ['--portable']]) {
      const stop = new AbortController();
      const work = perform(backup, envOf(town.store.url), ['backup', join(place, 'stopped.db'), ...more], {
        signal: stop.signal,
      });
      await expect.poll(() => readdirSync(place).length, { interval: 1 }).toBeGreaterThan(0);
      stop.abort();
      expect(await work).toMatchObject({ code: 1, err: expect.stringContaining('was stopped') });
      expect(readdirSync(place)).toEqual([]);
    }
  });

  it('leaves nothing behind', async () => {
    town = await openTown();
    opened.push(town);
    const file = join(folder, 'missing', 'none.db');
    expect(await perform(backup, envOf(town.store.url), ['backup', file])).toMatchObject({ code: 1 });
    expect(existsSync(join(folder, 'missing'))).toBe(false);
  });

  it.skipIf(noMount !== undefined).each([1, 2])(
    'because its disk of %i MiB is full names that disk, not the one of the database, and leaves nothing behind',
    async (mebibytes) => {
      town = await openTown();
      opened.push(town);
      const disk = SmallDisk.make(join(folder, `full-${mebibytes}`), mebibytes);
      try {
        const file = join(disk.folder, 'full.db');
        const told = await perform(backup, envOf(town.store.url), ['backup', file, '--portable']);
        expect(told).toMatchObject({
          code: 1,
          out: '',
          err: expect.stringContaining(`free some space in ${disk.folder}`),
        });
        expect(readdirSync(disk.folder)).toEqual([]);
      } finally {
        disk.remove();
      }
    },
  );
});
