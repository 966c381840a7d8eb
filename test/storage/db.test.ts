import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  isUniqueViolation,
  openStore,
  type Reader,
  StorageUnavailable,
  type Store,
  type StoreOptions,
  type Writer,
} from '../../src/platform/storage/db.ts';
import { describeSqliteOnly, freshUrl } from '../support/store.ts';

const sqliteOnly = (name: string, tests: () => void) =>
  describeSqliteOnly('one file, its lock and its one writer', name, tests);

interface Crates {
  crates: { id: string; units: number; label: string | null };
}

let store: Store<Crates>;
let file: string;

async function open(options: StoreOptions = {}): Promise<void> {
  const url = freshUrl();
  file = url.slice('sqlite:'.length);
  store = await openStore<Crates>(url, options);
  await store.write((tx) =>
    sql`create table crates (id text not null primary key, units integer not null, label text unique) strict`.execute(
      tx,
    ),
  );
}

const put = (tx: Writer<Crates>, id: string, units = 1, label: string | null = null) =>
  tx.insertInto('crates').values({ id, units, label }).execute();

async function ids(db: Reader<Crates>): Promise<string[]> {
  return (await db.selectFrom('crates').select('id').orderBy('id').execute()).map((row) => row.id);
}

/** Returns the rows that another connection sees now. */
function committed(): string[] {
  const other = new Database(file, { readonly: true });
  try {
    return other.prepare<[], string>('select id from crates order by id').pluck().all();
  } finally {
    other.close();
  }
}

const reason = (result: PromiseSettledResult<unknown>): unknown =>
  result.status === 'rejected' ? result.reason : 'not rejected';

/** Returns the path of an open file of this process; empty if the file was closed meanwhile. */
function nameOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}

const child = (name: string) => fileURLToPath(new URL(`./support/${name}.ts`, import.meta.url));

async function holdLock(): Promise<{ release: () => Promise<void> }> {
  const holder: ChildProcess = fork(child('hold-lock'), [file]);
  expect((await once(holder, 'message'))[0]).toBe('held');
  return {
    release: async () => {
      holder.send('release');
      await once(holder, 'exit');
    },
  };
}

/** Limits the growth of the database to `pages`; undefined removes the limit. */
async function limitPages(pages?: number): Promise<void> {
  await store.write(async (tx) => {
    const count = (await sql<{ page_count: number }>`pragma page_count`.execute(tx)).rows[0]?.page_count ?? 0;
    await sql`pragma max_page_count = ${sql.lit(pages === undefined ? 1_000_000_000 : count + pages)}`.execute(tx);
  });
}

beforeEach(() => open());
afterEach(() => store.close());

sqliteOnly('opening', () => {
  it.each([
    ['sqlite::memory:', /must be a file/],
    ['sqlite:', /sqlite:PATH/],
    ['data/backroom.db', /sqlite:PATH/],
    ['mysql://localhost/backroom', /sqlite:PATH/],
  ])('rejects %s with a sentence', async (url, sentence) => {
    await expect(openStore(url)).rejects.toThrow(sentence);
  });

  it('makes a file with write-ahead log and pages of 8 KiB', () => {
    const other = new Database(file);
    expect(other.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(other.pragma('page_size', { simple: true })).toBe(8192);
    other.close();
  });

  it('sets every connection to full durability, foreign keys and no memory map', async () => {
    const settings = async (db: Reader<Crates>) => [
      (await sql`pragma synchronous`.execute(db)).rows[0],
      (await sql`pragma foreign_keys`.execute(db)).rows[0],
      (await sql`pragma mmap_size`.execute(db)).rows[0] ?? { mmap_size: 0 },
    ];
    const wanted = [{ synchronous: 2 }, { foreign_keys: 1 }, { mmap_size: 0 }];
    expect(await store.write(settings)).toEqual(wanted);
    expect(await store.read(settings)).toEqual(wanted);
  });
});

sqliteOnly('write', () => {
  // The folder where a Linux process lists its open files.
  const openFiles = '/proc/self/fd';
  it.skipIf(!existsSync(openFiles))('makes no temporary file, however many pages a job changes', async () => {
    const others: string[] = [];
    await store.write(async (tx) => {
      for (let n = 0; n < 200; n += 1) await put(tx, `${n}`, n, 'x'.repeat(1000) + n);
    });
    await store.write(async (tx) => {
      await tx.updateTable('crates').set({ units: 0 }).execute();
      others.push(
        ...readdirSync(openFiles)
          .map(nameOf)
          .filter((name) => name.endsWith(' (deleted)')),
      );
    });
    expect(others).toEqual([]);
  });

  it('runs jobs one after another in the order of the calls', async () => {
    const trace: string[] = [];
    const job = (name: string) =>
      store.write(async (tx) => {
        trace.push(`${name} begins`);
        await put(tx, name);
        await ids(tx);
        trace.push(`${name} ends`);
      });
    await Promise.all(['a', 'b', 'c'].map(job));
    expect(trace).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('shows a job the writes of earlier jobs of its group', async () => {
    const [, seen] = await Promise.all([store.write((tx) => put(tx, 'a')), store.write(ids)]);
    expect(seen).toEqual(['a']);
  });

  it('returns only when the row is visible to another connection', async () => {
    const jobs = ['a', 'b', 'c'];
    const seen = await Promise.all(jobs.map((id) => store.write((tx) => put(tx, id)).then(committed)));
    for (const [index, rows] of seen.entries()) expect(rows).toContain(jobs[index]);
  });

  it('reports an error only after the commit of the group, because the error can name rows of other jobs in the group', async () => {
    const first = store.write((tx) => put(tx, 'a'));
    const refused = store
      .write((tx) => put(tx, 'a'))
      .catch((error: unknown) => ({ unique: isUniqueViolation(error), rows: committed() }));
    expect(await refused).toEqual({ unique: true, rows: ['a'] });
    await first;
  });

  it('shares one commit among the jobs that arrive together, at most 32', async () => {
    const seen = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        store.write((tx) => put(tx, String(n).padStart(2, '0'))).then(() => committed().length),
      ),
    );
    // Each number is the number of rows after one commit. A group commits at most 32 jobs, and fewer on a busy machine.
    const sizes = [0, ...new Set(seen)];
    expect(sizes.length - 1).toBeLessThan(40);
    expect(sizes.slice(1).filter((size, index) => size - sizes[index]! > 32)).toEqual([]);
    expect(sizes.at(-1)).toBe(40);
  });

  it('discards the writes of a failed job and keeps those of the other jobs', async () => {
    const results = await Promise.allSettled([
      store.write((tx) => put(tx, 'a')),
      store.write(async (tx) => {
        await put(tx, 'b');
        throw new Error('changed my mind');
      }),
      store.write((tx) => put(tx, 'c')),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { message: 'changed my mind' } });
    expect(committed()).toEqual(['a', 'c']);
  });

  it('discards the writes of a first job that fails, and the jobs behind it share the next commit', async () => {
    const done = await Promise.allSettled([
      store.write(async (tx) => {
        await put(tx, 'first');
        throw new Error('failed');
      }),
      store.write((tx) => put(tx, 'second')),
      store.write(async (tx) => {
        await put(tx, 'third');
        throw new Error('failed too');
      }),
      store.write((tx) => put(tx, 'fourth')),
    ]);
    expect(done.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
    expect(committed()).toEqual(['fourth', 'second']);
  });

  it('keeps exactly the jobs that it acknowledged, for any mix of failures and arrival times', async () => {
    const plan = fc.array(
      fc.record({ fails: fc.boolean(), late: fc.boolean(), statements: fc.integer({ min: 1, max: 3 }) }),
      { maxLength: 40 },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(plan, async (jobs) => {
        const prefix = `run${run++}`;
        const acknowledged = new Set<string>();
        const work: Promise<void>[] = [];
        for (const [index, job] of jobs.entries()) {
          if (job.late) await new Promise((resolve) => setImmediate(resolve));
          const names = Array.from({ length: job.statements }, (_, n) => `${prefix}.${index}.${n}`);
          const writing = store.write(async (tx) => {
            for (const name of names) await put(tx, name);
            if (job.fails) throw new Error('failed');
          });
          work.push(
            writing.then(
              () => names.forEach((name) => void acknowledged.add(name)),
              () => {},
            ),
          );
        }
        await Promise.all(work);
        expect(new Set(committed().filter((id) => id.startsWith(`${prefix}.`)))).toEqual(acknowledged);
      }),
      { numRuns: 25 },
    );
  });

  it('continues a job after a statement that violated a key', async () => {
    await store.write((tx) => put(tx, 'a'));
    await store.write(async (tx) => {
      await put(tx, 'b');
      const error: unknown = await put(tx, 'a').catch((error: unknown) => error);
      expect(isUniqueViolation(error)).toBe(true);
      await put(tx, 'c');
    });
    expect(committed()).toEqual(['a', 'b', 'c']);
  });

  it('distinguishes a unique violation from every other error', async () => {
    await store.write((tx) => put(tx, 'a', 1, 'label'));
    const refusal = (fn: (tx: Writer<Crates>) => Promise<unknown>) => store.write(fn).catch((error: unknown) => error);
    expect(isUniqueViolation(await refusal((tx) => put(tx, 'a')))).toBe(true);
    expect(isUniqueViolation(await refusal((tx) => put(tx, 'b', 1, 'label')))).toBe(true);
    expect(isUniqueViolation(await refusal((tx) => sql`insert into crates (id) values ('c')`.execute(tx)))).toBe(false);
    expect(isUniqueViolation(await refusal((tx) => sql`nonsense`.execute(tx)))).toBe(false);
    expect(isUniqueViolation('text')).toBe(false);
  });

  it('rejects use of the handle after the end of the job', async () => {
    let escaped: Writer<Crates> | undefined;
    await store.write(async (tx) => {
      escaped = tx;
    });
    await expect(put(escaped!, 'late')).rejects.toThrow(/has ended/);
    expect(committed()).toEqual([]);
  });

  it('rejects a transaction inside a job', async () => {
    await expect(store.write((tx) => tx.transaction().execute((inner) => put(inner, 'a')))).rejects.toThrow(
      /already one transaction/,
    );
  });

  it('reports a job that throws before its first await like any other', async () => {
    const hasty = () => {
      throw new Error('at once');
    };
    await expect(store.write(hasty)).rejects.toThrow('at once');
    await store.write((tx) => put(tx, 'a'));
  });

  it('rolls back a job that waits for something other than the database, and the other jobs continue', async () => {
    await store.close();
    await open({ jobTimeoutMs: 50 });
    const results = await Promise.allSettled([
      store.write((tx) => put(tx, 'a')),
      store.write(async (tx) => {
        await put(tx, 'b');
        await store.write((other) => put(other, 'never'));
      }),
      store.write((tx) => put(tx, 'c')),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(String(reason(results[1]))).toMatch(/longer than 50 ms/);
    expect(committed()).not.toContain('b');
  });
});

sqliteOnly('hooks after the commit', () => {
  it('run in order, once the rows are visible, for the jobs that were kept', async () => {
    const trace: string[] = [];
    const job = (id: string, fails: boolean) =>
      store.write(async (tx, onCommit) => {
        onCommit(() => trace.push(`${id} sees ${committed().join()}`));
        await put(tx, id);
        if (fails) throw new Error('failed');
      });
    await Promise.allSettled([job('a', false), job('b', true), job('c', false)]);
    expect(trace).toHaveLength(2);
    // On a busy machine, the first job may be committed separately.
    expect(trace[0]).toMatch(/^a sees a(?:,c)?$/);
    expect(trace[1]).toBe('c sees a,c');
  });

  it('that throw are reported and affect neither the response nor other hooks', async () => {
    await store.close();
    const heard: unknown[] = [];
    await open({ onError: (error) => heard.push(error) });
    const trace: string[] = [];
    const reply = await store.write(async (_tx, onCommit) => {
      onCommit(() => {
        throw new Error('hook');
      });
      onCommit(() => trace.push('second'));
      return 'reply';
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([reply, trace, heard]).toEqual(['reply', ['second'], [new Error('hook')]]);
  });

  it('cannot be added after the end of the job', async () => {
    const late = await store.write(async (_tx, onCommit) => onCommit);
    expect(() => late(() => {})).toThrow(/has ended/);
  });
});

sqliteOnly('read', () => {
  it('never sees uncommitted rows', async () => {
    const seen = await store.write(async (tx) => {
      await put(tx, 'a');
      return store.read(ids);
    });
    expect(seen).toEqual([]);
    expect(await store.read(ids)).toEqual(['a']);
  });

  it('runs all its statements on one snapshot', async () => {
    await store.write((tx) => put(tx, 'a'));
    const [before, after] = await store.read(async (db) => {
      const before = await ids(db);
      await store.write((tx) => put(tx, 'b'));
      return [before, await ids(db)];
    });
    expect([before, after]).toEqual([['a'], ['a']]);
    expect(await store.read(ids)).toEqual(['a', 'b']);
  });

  it('waits for a free connection, in the order of the calls', async () => {
    await store.close();
    await open({ readers: 2 });
    const trace: number[] = [];
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 7 }, (_, n) =>
        store.read(async (db) => {
          most = Math.max(most, ++running);
          trace.push(n);
          await ids(db);
          await new Promise((resolve) => setTimeout(resolve, 5));
          running--;
        }),
      ),
    );
    expect(trace).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(most).toBe(2);
  });

  it('returns its connection after an error', async () => {
    for (let n = 0; n < 10; n++) await expect(store.read((db) => sql`nonsense`.execute(db))).rejects.toThrow(/syntax/);
    expect(await store.read(ids)).toEqual([]);
  });

  it('cannot write', async () => {
    await expect(store.read((db) => sql`insert into crates (id, units) values ('a', 1)`.execute(db))).rejects.toThrow(
      /readonly/,
    );
  });

  it('rejects use of the handle after its end', async () => {
    const escaped = await store.read(async (db) => [db]);
    await expect(ids(escaped[0]!)).rejects.toThrow(/has ended/);
  });
});

sqliteOnly('the version', () => {
  it('changes with every commit, of this process or another, and only then', async () => {
    const first = store.version();
    await store.read(ids);
    await expect(store.write(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(store.version()).toBe(first);
    await store.write((tx) => put(tx, 'a'));
    const second = store.version();
    expect(second).not.toBe(first);
    const other = new Database(file);
    other.exec(`insert into crates (id, units) values ('b', 1)`);
    other.close();
    await nextTurn();
    expect(store.version()).not.toBe(second);
  });
});

sqliteOnly('stream', () => {
  async function fill(count: number): Promise<string[]> {
    const rows = Array.from({ length: count }, (_, n) => ({ id: String(n).padStart(6, '0'), units: n }));
    await store.write((tx) =>
      tx
        .insertInto('crates')
        .columns(['id', 'units'])
        .expression(store.dialect.rowsOf(rows, { id: 'text', units: 'integer' }))
        .execute(),
    );
    return rows.map((row) => row.id);
  }

  const query = () => store.read(async (db) => db.selectFrom('crates').select('id').orderBy('id').compile());

  it('yields every row of one snapshot while others write', async () => {
    const wanted = await fill(1000);
    const seen: string[] = [];
    for await (const row of store.stream(await query())) {
      seen.push(row.id);
      if (seen.length === 10) await store.write((tx) => put(tx, 'zzz'));
    }
    expect(seen).toEqual(wanted);
  });

  it('is not waited for by a scrub with a signal', async () => {
    await store.close();
    await open({ lockWaitMs: 3_600_000 });
    await fill(10);
    const rows = store.stream(await query())[Symbol.asyncIterator]();
    await rows.next();
    await store.write((tx) => put(tx, 'zzz'));
    const { signal } = new AbortController();
    expect(await store.scrub([], { signal })).toBe(false);
    await rows.return?.(undefined);
    expect(await store.scrub([], { signal })).toBe(true);
  });

  it('can be left early', async () => {
    await fill(10);
    for await (const row of store.stream(await query())) {
      expect(row.id).toBe('000000');
      break;
    }
    await store.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  it('ends with an error, not as if complete, when the store is closed', async () => {
    await fill(10);
    const rows = store.stream(await query())[Symbol.asyncIterator]();
    await rows.next();
    await store.close();
    await expect(rows.next()).rejects.toThrow(StorageUnavailable);
  });
});

sqliteOnly('many values', () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => ({
    id: `id "${n}" é\\ '\u{1F4E6}`,
    units: n - 10_000,
    label: n % 2 === 0 ? null : `l${n}`,
  }));
  const columns = { id: 'text', units: 'integer', label: 'text' } as const;

  it('20,000 rows go in as one parameter and come back the same', async () => {
    const result = await store.write((tx) =>
      tx
        .insertInto('crates')
        .columns(['id', 'units', 'label'])
        .expression(store.dialect.rowsOf(rows, columns))
        .executeTakeFirst(),
    );
    expect(result.numInsertedOrUpdatedRows).toBe(20_000n);
    expect(await store.read((db) => db.selectFrom('crates').selectAll().orderBy('units').execute())).toEqual(rows);
  });

  it('are a table to join, a source of an upsert and a list to compare with', async () => {
    const { dialect } = store;
    await store.write((tx) => put(tx, rows[7]!.id, 3));
    await store.write((tx) =>
      tx
        .insertInto('crates')
        .columns(['id', 'units', 'label'])
        .expression(dialect.rowsOf(rows, columns))
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((eb) => ({ units: eb('crates.units', '+', eb.ref('excluded.units')) })),
        )
        .execute(),
    );
    const joined = await store.read((db) =>
      db
        .selectFrom(dialect.rowsOf(rows, columns).as('wanted'))
        .innerJoin('crates', 'crates.id', 'wanted.id')
        .select((eb) => ['wanted.id', eb('crates.units', '-', eb.ref('wanted.units')).as('difference')])
        .execute(),
    );
    expect(joined).toHaveLength(20_000);
    expect(joined.filter((row) => row.difference !== 0)).toEqual([{ id: rows[7]!.id, difference: 3 }]);
    const wanted = rows.slice(5, 12_005).map((row) => row.id);
    const found = await store.read((db) =>
      db.selectFrom('crates').select('id').where('id', 'in', dialect.listOf(wanted, 'text')).execute(),
    );
    expect(new Set(found.map((row) => row.id))).toEqual(new Set(wanted));
  });

  it('have the same statement for any number of rows, including none', async () => {
    const { dialect } = store;
    const statement = (some: typeof rows) =>
      store.read(async (db) => db.selectFrom(dialect.rowsOf(some, columns).as('r')).selectAll().compile().sql);
    expect(await statement([])).toBe(await statement(rows));
    const none = await store.read((db) =>
      db
        .selectFrom(dialect.rowsOf([] as typeof rows, columns).as('r'))
        .selectAll()
        .execute(),
    );
    const nobody = await store.read((db) =>
      db.selectFrom('crates').selectAll().where('id', 'in', dialect.listOf([], 'text')).execute(),
    );
    expect([none, nobody]).toEqual([[], []]);
  });

  it('of the wrong type are rejected by the table', async () => {
    const wrong = [{ id: 'a', units: 'many' as unknown as number }];
    const write = store.write((tx) =>
      tx
        .insertInto('crates')
        .columns(['id', 'units'])
        .expression(store.dialect.rowsOf(wrong, { id: 'text', units: 'integer' }))
        .execute(),
    );
    await expect(write).rejects.toThrow(/cannot store TEXT value/);
  });
});

sqliteOnly('another process with the lock', () => {
  it('delays writes while reads continue', async () => {
    const holder = await holdLock();
    let done = false;
    const write = store
      .write((tx) => put(tx, 'a'))
      .then(() => {
        done = true;
      });
    expect(await store.read(ids)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(done).toBe(false);
    await holder.release();
    await write;
    expect(committed()).toEqual(['a']);
  });

  it('delays a write no longer than allowed, and later writes continue', async () => {
    await store.close();
    await open({ lockWaitMs: 60 });
    const holder = await holdLock();
    const refused = await Promise.allSettled([store.write((tx) => put(tx, 'a')), store.write((tx) => put(tx, 'b'))]);
    for (const result of refused) expect(reason(result)).toBeInstanceOf(StorageUnavailable);
    await holder.release();
    await store.write((tx) => put(tx, 'c'));
    expect(committed()).toEqual(['c']);
  });
});

sqliteOnly('a full disk', () => {
  it('rejects the whole group, and the next write succeeds when there is space', async () => {
    await limitPages(4);
    const huge = 'x'.repeat(200_000);
    const results = await Promise.allSettled([
      store.write((tx) => put(tx, 'a')),
      store.write((tx) => put(tx, 'b', 1, huge)),
    ]);
    for (const result of results) expect(reason(result)).toBeInstanceOf(StorageUnavailable);
    expect(committed()).toEqual([]);
    await expect(store.ping()).rejects.toThrow('The disk of the database is full.');
    await store.write((tx) => put(tx, 'c'));
    await limitPages();
    await store.write((tx) => put(tx, 'd', 1, huge));
    expect(committed()).toEqual(['c', 'd']);
  });

  it('ends a job that ignores the error: no later statement of it commits by itself', async () => {
    await limitPages(4);
    const write = store.write(async (tx) => {
      await put(tx, 'a', 1, 'x'.repeat(200_000)).catch(() => {});
      await put(tx, 'b').catch(() => {});
    });
    await expect(write).rejects.toThrow(StorageUnavailable);
    expect(committed()).toEqual([]);
  });
});

sqliteOnly('an error of the disk at the commit', () => {
  it('stops writing, shows in ping, loses nothing acknowledged and does not affect reads', async () => {
    const limited = spawn(
      'bash',
      ['-c', 'ulimit -f 1000; exec "$0" "$@"', process.execPath, child('fill-disk'), freshUrl()],
      {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      },
    );
    const [report] = (await once(limited, 'message')) as [{ acknowledged: number; readable: number }];
    expect(report).toMatchObject({
      refusal: 'OutcomeUnknown',
      next: 'NotReady',
      ping: 'NotReady',
    });
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.readable).toBe(report.acknowledged);
  });
});

sqliteOnly('backup', () => {
  it('copies one snapshot while others write, and shows progress', async () => {
    await store.write((tx) => put(tx, 'a', 1, 'x'.repeat(8_000_000)));
    let steps = 0;
    const target = `${file}.backup`;
    await store.backup(target, (done, total) => {
      steps++;
      expect(done).toBeLessThanOrEqual(total);
      const id = `during ${steps}`;
      if (done < total) void store.write((tx) => put(tx, id));
    });
    expect(steps).toBeGreaterThan(2);
    expect(existsSync(`${target}.partial`)).toBe(false);
    const copy = new Database(target, { readonly: true });
    expect(copy.prepare('select id from crates').pluck().all()).toEqual(['a']);
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    copy.close();
    expect(committed().length).toBeGreaterThan(1);
  });

  it('never replaces a file', async () => {
    await expect(store.backup(file)).rejects.toThrow(/exists already/);
  });
});

sqliteOnly('close', () => {
  it('finishes the accepted jobs and rejects later ones', async () => {
    const writes = ['a', 'b', 'c'].map((id) => store.write((tx) => put(tx, id)));
    const reads = Array.from({ length: 9 }, () => store.read(ids));
    const closed = store.close();
    await expect(store.write((tx) => put(tx, 'd'))).rejects.toThrow(StorageUnavailable);
    await expect(store.read(ids)).rejects.toThrow(StorageUnavailable);
    await expect(store.ping()).rejects.toThrow(StorageUnavailable);
    await Promise.all([...writes, ...reads, closed, store.close()]);
    expect(committed()).toEqual(['a', 'b', 'c']);
  });

  it('leaves one file', async () => {
    await store.write((tx) => put(tx, 'a'));
    await store.close();
    expect([existsSync(file), existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([true, false, false]);
  });
});
