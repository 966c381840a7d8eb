/** `backup --every`: the newest copies are kept, each is complete, and a killed process leaves no partial copy. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatDateTime } from '../../src/platform/time.ts';
import { add as backup, takeSeries } from '../../src/service/cli/backup.ts';
import { add as restore } from '../../src/service/cli/restore.ts';
import { NOON } from '../support/backroom.ts';
import { describeSqliteOnly } from '../support/store.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { ioOf, perform, type Said } from './in-process.ts';
import { launch } from './support.ts';

const root = mkdtempSync(join(tmpdir(), 'backroom-copies-'));
afterAll(() => rmSync(root, { recursive: true }));

let town: OpenTown;
let folder: string;
let env: { DATABASE_URL: string; BACKROOM_SECRET: string };
beforeEach(async () => {
  town = await openTown();
  folder = mkdtempSync(join(root, 'series-'));
  env = { DATABASE_URL: town.store.url, BACKROOM_SECRET: 'ab'.repeat(32) };
});
afterEach(() => town.close());

const copies = () => readdirSync(folder).filter((name) => /^copy-\w+\.(?:db|dump)$/.test(name));

/** Takes a series of copies until `until` returns true, on a clock that advances by one second per reading. */
async function series(until: (said: Said) => boolean, { keep = 3, from = NOON } = {}): Promise<Said> {
  const stop = new AbortController();
  let at = from;
  const { io, said } = ioOf(env, { signal: stop.signal, now: () => (at += 1_000) });
  const running = takeSeries(io, { folder, everyMs: 20, keep });
  const done = running.then(
    () => true,
    () => true,
  );
  while (!until(said) && !(await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 5, false))]))) {
    // The condition of the loop waits 5 ms.
  }
  stop.abort();
  await running;
  return said;
}

const lines = (said: Said) => said.out.split('\n').filter((line) => line.includes('verified'));
const metric = async (name: string) =>
  (await town.server.app.inject('/metrics')).body.split('\n').find((line) => line.startsWith(`${name} `));

describe('a series of copies', () => {
  it('keeps the newest, reports the data that a lost disk costs, and each is proven by its hashes', async () => {
    const said = await series((now) => lines(now).length >= 5, { keep: 2 });
    expect(said.err).toBe('');
    expect(said.out).toMatch(/^One copy every .*; the newest 2 are kept/);
    expect(said.out).toMatch(/you lose at most the writes of .* plus the time of a copy/);
    expect(lines(said)[4]).toMatch(/2 kept\. If the disk fails, you lose the writes after 2026-03-02T12:/);
    expect(copies()).toHaveLength(2);
    for (const copy of copies()) {
      expect(await perform(restore, env, ['restore', join(folder, copy), '--verify'])).toMatchObject({ code: 0 });
    }
    // No file of the deleted copies remains.
    expect(readdirSync(folder).filter((name) => name.startsWith('copy-'))).toHaveLength(4);

    const stop = new AbortController();
    const { io, said: more } = ioOf(env, { signal: stop.signal, now: () => NOON + 900_000 });
    const running = takeSeries(io, { folder, everyMs: 600_000, keep: 2 });
    while (lines(more).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    town.clock.now += 20_000;
    const during = await metric('backroom_backup_interval_seconds');
    stop.abort();
    await running;
    expect(during).toBe('backroom_backup_interval_seconds 600');
    town.clock.now += 20_000;
    expect(await metric('backroom_backup_interval_seconds')).toBeUndefined();
    expect(await metric('backroom_last_backup_timestamp_seconds')).toBe(
      `backroom_last_backup_timestamp_seconds ${(NOON + 900_000) / 1000}`,
    );
  });

  it('gives up copies of a clock that was ahead first, and never the copy just taken', async () => {
    const later = NOON + 365 * 86_400_000;
    await series((now) => lines(now).length >= 2, { keep: 2, from: later });
    const ahead = copies();
    const said = await series((now) => lines(now).length >= 2, { keep: 2 });
    expect(ahead).toHaveLength(2);
    expect(copies()).toHaveLength(2);
    for (const copy of copies()) {
      expect(ahead).not.toContain(copy);
      expect(said.out).toContain(copy);
    }
  });

  it('has its interval in the metrics from the start, also after a restart that fails, but not after a mistaken call', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'the folder cannot be made here');
    const failedStart = (url = env.DATABASE_URL) => {
      const { io } = ioOf({ ...env, DATABASE_URL: url }, { now: () => NOON });
      return expect(takeSeries(io, { folder: join(file, 'copies'), everyMs: 900_000, keep: 2 })).rejects.toThrow(
        /ENOTDIR.*copies/,
      );
    };
    const interval = async () => {
      town.clock.now += 20_000;
      return metric('backroom_backup_interval_seconds');
    };
    await failedStart();
    expect(await interval()).toBeUndefined();

    // The folder has a copy of this instant, so the next copy of a weekly series is due in seven days.
    writeFileSync(join(folder, `copy-${formatDateTime(NOON).slice(0, 19).replaceAll(/[-:]/g, '')}Z.db`), '');
    const stop = new AbortController();
    const weekly = ioOf(env, { signal: stop.signal, now: () => NOON });
    const running = takeSeries(weekly.io, { folder, everyMs: 604_800_000, keep: 2 });
    await vi.waitFor(async () => expect(await interval()).toBe('backroom_backup_interval_seconds 604800'));
    stop.abort();
    await running;
    expect(await interval()).toBeUndefined();

    await failedStart();
    expect(await interval()).toBe('backroom_backup_interval_seconds 604800');
    // The error names the problem of the folder, even if the database cannot be opened.
    await failedStart(`sqlite:${join(file, 'gone.db')}`);
  });

  it('that was ended does not return with a mistaken call after a single backup', async () => {
    await series((said) => lines(said).length === 1);
    expect((await perform(backup, env, ['backup', join(folder, 'single.db')])).code).toBe(0);
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const { io } = ioOf(env, { now: () => NOON });
    await expect(takeSeries(io, { folder: join(file, 'copies'), everyMs: 900_000, keep: 2 })).rejects.toThrow(
      'ENOTDIR',
    );
    town.clock.now += 20_000;
    expect(await metric('backroom_backup_interval_seconds')).toBeUndefined();
  });

  it('a failed copy is reported, and the next one is taken', async () => {
    const away = `${folder}.away`;
    let isAway = false;
    const said = await series((now) => {
      if (lines(now).length >= 1 && !isAway && now.err === '') {
        renameSync(folder, away);
        isAway = true;
      }
      if (isAway && now.err !== '') {
        renameSync(away, folder);
        isAway = false;
        return false;
      }
      return now.err !== '' && lines(now).length >= 3;
    });
    expect(said.err).toMatch(/no copy was taken, next try in .*: /);
    expect(copies().length).toBeGreaterThanOrEqual(2);
  });

  it('removes the files of a killed copy, and no other files', async () => {
    const own = [
      'db.copying',
      'db.copying-wal',
      'db.copying.partial',
      'db.manifest.json',
      'db.manifest.json.partial',
      'db.secret',
    ];
    for (const end of own) writeFileSync(join(folder, `copy-20260301T120000Z.${end}`), 'x');
    const others = [
      'backroom-20260301T120000Z.db',
      'notes.txt',
      'copy.db',
      // A whole copy with a file that the operator made of it, and copies of which only such a file is left.
      'copy-20260301T130000Z.db',
      'copy-20260301T130000Z.db.gpg',
      'copy-20260301T140000Z.db.keep',
      'copy-20260301T150000Z.db.gz',
      'copy-20260301T150000Z.db.manifest.json',
      'copy-20260301T150000Z.db.secret',
    ];
    for (const name of others) writeFileSync(join(folder, name), 'x');
    writeFileSync(join(folder, 'copy-20260301T150000Z.db.copying'), 'x');
    mkdirSync(join(folder, 'copy-20260301T160000Z.db.d'));
    await series((now) => lines(now).length >= 1);
    const left = readdirSync(folder);
    expect(left.filter((name) => name.startsWith('copy-20260301T12') || name.endsWith('.copying'))).toEqual([]);
    expect(left).toEqual(expect.arrayContaining([...others, 'copy-20260301T160000Z.db.d']));
  });

  it('removes the copies beyond a smaller --keep before it takes the next, so that a full disk has room again', async () => {
    for (let day = 1; day <= 5; day += 1) writeFileSync(join(folder, `copy-2026020${day}T000000Z.db`), '');
    // The key does not belong to the database, so the copy itself fails, as on a full disk.
    env = { ...env, BACKROOM_SECRET: 'cd'.repeat(32) };
    await expect(series(() => false, { keep: 2 })).rejects.toThrow('is not the key of this database');
    expect(copies()).toEqual(['copy-20260204T000000Z.db', 'copy-20260205T000000Z.db']);
  });

  it('one process copies into a folder; wrong calls are rejected', async () => {
    const second: string[] = [];
    const said = await series((now) => {
      if (lines(now).length > 0 && second.length === 0) {
        second.push('');
        void perform(backup, env, ['backup', folder, '--every', '1h']).then(({ err }) => (second[0] = err));
      }
      return second[0] !== undefined && second[0] !== '';
    });
    expect(said.err).toBe('');
    expect(second[0]).toContain('Another process copies into');
    const single = join(folder, 'single');
    expect(await perform(backup, env, ['backup', single, '--keep', '3'])).toMatchObject({ code: 2 });
    for (const time of ['5s', '8d', '15', 'often']) {
      const told = await launch(env, ['backup', folder, '--every', time]).ended;
      expect(told).toMatchObject({ code: 2, err: expect.stringContaining('from 10s to 7d') });
    }
  });
});

describeSqliteOnly('the trigger is in its language', 'a backup whose time cannot be recorded', () => {
  beforeEach(async () => {
    const planted = `create trigger full before insert on installation begin select raise(abort, 'no write'); end`;
    await town.store.write((tx) => sql.raw(planted).execute(tx));
  });

  it('is complete, and warns', async () => {
    const file = join(folder, 'rescue.db');
    expect(await perform(backup, env, ['backup', file])).toMatchObject({
      code: 0,
      out: expect.stringContaining(`${file} is complete and verified.`),
      err: expect.stringMatching(
        /^backroom: the database accepts no write, so the metrics do not know this backup or this series: .*no write\n$/,
      ),
    });
  });

  it('is a copy of its series, which keeps the newest ones only', async () => {
    const said = await series((now) => lines(now).length >= 4, { keep: 2 });
    expect(said.err).not.toContain('no copy was taken');
    expect(said.err).toContain('the database accepts no write, so the metrics do not know this backup or this series');
    expect(copies()).toHaveLength(2);
    // The series also continues after a restart.
    await series((now) => lines(now).length >= 1, { keep: 2, from: NOON + 900_000 });
    expect(copies()).toHaveLength(2);
  });
});

describeSqliteOnly('the files are the same', 'a process that is killed while it copies', () => {
  it('leaves no partial copy under the name of a copy', async () => {
    mkdirSync(folder, { recursive: true });
    for (let kill = 0; kill < 3; kill += 1) {
      const { child, ended } = launch(env, ['backup', folder, '--every', '10s']);
      // Kills the process as soon as a partial copy exists; each further run waits 10 ms longer.
      while (!readdirSync(folder).some((name) => name.includes('.copying'))) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await new Promise((resolve) => setTimeout(resolve, kill * 10));
      child.kill('SIGKILL');
      await ended;
      for (const copy of copies()) {
        expect(await perform(restore, env, ['restore', join(folder, copy), '--verify'])).toMatchObject({ code: 0 });
        rmSync(join(folder, copy));
      }
      for (const name of readdirSync(folder)) if (name.includes('.copying')) rmSync(join(folder, name));
    }
  });
});
