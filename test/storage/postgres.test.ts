import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import {
  isUniqueViolation,
  OutcomeUnknown,
  openStore,
  StorageUnavailable,
  type Store,
  type StoreOptions,
  type Writer,
} from '../../src/platform/storage/db.ts';
import {
  currentVersion,
  pendingMigrations,
  readMigrations,
  SchemaMismatch,
} from '../../src/platform/storage/migrate.ts';
import { withSnapshot } from '../../src/platform/storage/postgres-snapshot.ts';
import { migrate } from '../../src/service/migrate.ts';
import { PostgresServer } from '../../town/postgres-server.ts';
import { administer, databaseUrl, makeDatabase } from '../support/postgres.ts';
import { describePostgresOnly } from '../support/store.ts';
import { CuttingProxy, endingProxy } from './support/cutting-proxy.ts';

interface Crates {
  crates: { id: string; units: number };
}

const opened: Store<Crates>[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open(url: string, options: StoreOptions = {}): Promise<Store<Crates>> {
  const store = await openStore<Crates>(url, options);
  opened.push(store);
  return store;
}

/** Opens a store with the crates a and b, each with one unit. */
async function openCrates(options: StoreOptions = {}, url?: string): Promise<Store<Crates>> {
  const store = await open(url ?? (await makeDatabase()), options);
  await store.write(async (tx) => {
    await sql`create table crates (id text collate "C" primary key, units bigint not null)`.execute(tx);
    for (const id of ['a', 'b']) await put(tx, id);
  });
  return store;
}

const put = (tx: Writer<Crates>, id: string) => tx.insertInto('crates').values({ id, units: 1 }).execute();
const add = (tx: Writer<Crates>, id: string) =>
  tx
    .updateTable('crates')
    .set((eb) => ({ units: eb('units', '+', 1) }))
    .where('id', '=', id)
    .execute();
const crates = async (store: Store<Crates>): Promise<Record<string, number>> => {
  const rows = await store.read((db) => db.selectFrom('crates').selectAll().orderBy('id').execute());
  return Object.fromEntries(rows.map((row) => [row.id, row.units]));
};
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: unknown) => error,
  );

/** Runs statements on a server's own database. */
async function onServer<R>(url: string, ...statements: string[]): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: R[] = [];
    for (const statement of statements) ({ rows } = await client.query<R & pg.QueryResultRow>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

describePostgresOnly('a read on PostgreSQL', () => {
  it('sees one snapshot for all its statements', async () => {
    const store = await openCrates();
    const seen = await store.read(async (db) => {
      const first = await db.selectFrom('crates').select('units').where('id', '=', 'a').executeTakeFirstOrThrow();
      await store.write((tx) => add(tx, 'a'));
      const second = await db.selectFrom('crates').select('units').where('id', '=', 'a').executeTakeFirstOrThrow();
      return [first.units, second.units];
    });
    expect([seen, await crates(store)]).toEqual([[1, 1], { a: 2, b: 1 }]);
  });

  it('cannot write, and its handle is unusable afterwards', async () => {
    const store = await openCrates();
    expect(await refusal(store.read((db) => put(db as Writer<Crates>, 'c')))).toBeInstanceOf(Error);
    const handle = await store.read((db) => Promise.resolve(db));
    await expect(handle.selectFrom('crates').selectAll().execute()).rejects.toThrow('has ended');
    expect(await crates(store)).toEqual({ a: 1, b: 1 });
  });

  it('that can be stale goes to the replica, and to the primary when the replica fails', async () => {
    const replica = await makeDatabase();
    await openCrates({}, replica).then((store) => store.write((tx) => add(tx, 'b')));
    const store = await openCrates({ readUrl: replica });
    const units = (stale: boolean) =>
      store.read((db) => db.selectFrom('crates').select('units').where('id', '=', 'b').executeTakeFirst(), { stale });
    expect([await units(true), await units(false)]).toEqual([{ units: 2 }, { units: 1 }]);
    await opened[0]!.close();
    const name = new URL(replica).pathname.slice(1);
    await administer((client) => client.query(`drop database ${name} with (force)`));
    expect([await units(true), await units(false)]).toEqual([{ units: 1 }, { units: 1 }]);
  });
});

describePostgresOnly('a replica that hangs', () => {
  it('is left out after one read, and used again when it responds', async () => {
    const replica = await makeDatabase();
    await openCrates({}, replica).then((store) => store.write((tx) => add(tx, 'b')));
    const proxy = await CuttingProxy.before(replica, 'before');
    const store = await openCrates({ readUrl: proxy.url });
    const stale = (single: boolean) =>
      store.read((db) => db.selectFrom('crates').select('units').where('id', '=', 'b').executeTakeFirst(), {
        stale: true,
        single,
      });
    try {
      expect([await stale(true), await stale(false)]).toEqual([{ units: 2 }, { units: 2 }]);
      expect(store.connections().isReplicaUp).toBe(true);
      proxy.hold();
      expect(await stale(true)).toEqual({ units: 1 });
      expect(store.connections().isReplicaUp).toBe(false);
      expect([await stale(true), await stale(false)]).toEqual([{ units: 1 }, { units: 1 }]);
      proxy.go();
      await vi.waitUntil(() => store.connections().isReplicaUp, { timeout: 30_000 });
      expect(await stale(true)).toEqual({ units: 2 });
    } finally {
      await store.close();
      opened.splice(opened.indexOf(store), 1);
      await proxy.close();
    }
  });
});

describePostgresOnly('a write on PostgreSQL', () => {
  it('runs again after a deadlock, and its hooks run once', async () => {
    const store = await openCrates();
    const hooks: string[] = [];
    let runs = 0;
    const both = ['ab', 'ba'].map((order) =>
      store.write(async (tx, onCommit) => {
        runs += 1;
        onCommit(() => hooks.push(order));
        await add(tx, order[0]!);
        await sql`select pg_sleep(0.1)`.execute(tx);
        await add(tx, order[1]!);
      }),
    );
    await Promise.all(both);
    expect(runs).toBeGreaterThan(2);
    expect([hooks.sort(), await crates(store)]).toEqual([['ab', 'ba'], { a: 3, b: 3 }]);
  });

  it('runs again as a whole when its connection breaks before the commit', async () => {
    const store = await openCrates();
    let runs = 0;
    await store.write(async (tx) => {
      runs += 1;
      await add(tx, 'a');
      const own = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      if (runs === 1) await administer((client) => client.query('select pg_terminate_backend($1)', [own.rows[0]!.pid]));
      await add(tx, 'b');
    });
    expect([runs, await crates(store)]).toEqual([2, { a: 2, b: 2 }]);
  });

  it('keeps nothing of a job that continued after a failed statement', async () => {
    const store = await openCrates();
    const job = store.write(async (tx) => {
      await put(tx, 'c');
      await put(tx, 'a').catch(() => undefined);
    });
    await expect(job).rejects.toThrow('so the job was rolled back');
    expect(await crates(store)).toEqual({ a: 1, b: 1 });
  });

  it('names a unique violation as on SQLite', async () => {
    const store = await openCrates();
    expect(isUniqueViolation(await refusal(store.write((tx) => put(tx, 'a'))))).toBe(true);
  });

  it('rolls back a job that takes too long, and frees its locks for others', async () => {
    const store = await openCrates({ jobTimeoutMs: 300 });
    const slow = store.write(async (tx) => {
      await add(tx, 'a');
      await sleep(1_000);
      await add(tx, 'b');
    });
    await expect(slow).rejects.toThrow('took longer than 300 ms');
    await store.write((tx) => add(tx, 'a'));
    expect(await crates(store)).toEqual({ a: 2, b: 1 });
  });

  it('is unavailable when the server hangs, and its outcome is unknown when that happens during the commit', async () => {
    const proxy = await CuttingProxy.before(await makeDatabase(), 'before');
    // The time limit is long enough for a write on a busy machine, so that only a hanging server exceeds it.
    const store = await openCrates({ jobTimeoutMs: 2_000 }, proxy.url);
    const early = await refusal(
      store.write(async (tx) => {
        proxy.hold();
        await add(tx, 'a');
      }),
    );
    expect(early).toBeInstanceOf(StorageUnavailable);
    expect(early).not.toBeInstanceOf(OutcomeUnknown);
    proxy.go();
    await store.ping();
    proxy.hold();
    await expect(store.ping()).rejects.toThrow(StorageUnavailable);
    proxy.go();
    const late = store.write(async (tx) => {
      await add(tx, 'b');
      proxy.hold();
    });
    await expect(late).rejects.toThrow(OutcomeUnknown);
    proxy.go();
    await store.ping();
    await store.close();
    await proxy.close();
  });

  it('fails with an error when another writer holds the lock for too long', async () => {
    const store = await openCrates({ lockWaitMs: 200 });
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const holder = store.write(async (tx) => {
      await add(tx, 'a');
      await held;
    });
    await sleep(100);
    expect(await refusal(store.write((tx) => add(tx, 'a')))).toBeInstanceOf(StorageUnavailable);
    release();
    await holder;
    expect(await crates(store)).toEqual({ a: 2, b: 1 });
  });

  it('waits for a connection when the pool has none free, and close lets accepted writes finish', async () => {
    const store = await openCrates({ connections: 2 });
    const adds = Array.from({ length: 40 }, () => store.write((tx) => add(tx, 'a')));
    const closing = store.close();
    await Promise.all(adds);
    await closing;
    expect(await refusal(store.read((db) => db.selectFrom('crates').selectAll().execute()))).toBeInstanceOf(
      StorageUnavailable,
    );
    expect(await crates(await open(store.url))).toEqual({ a: 41, b: 1 });
  });

  it.each([
    ['was saved', 'after', 2],
    ['was not saved', 'before', 1],
  ] as const)('whose connection breaks during the commit has an unknown outcome, also where it %s', async (...row) => {
    const [, when, units] = row;
    const direct = await openCrates();
    const proxy = await CuttingProxy.before(direct.url, when);
    const store = await open(proxy.url);
    let runs = 0;
    // After the ping, no other commit is pending that the proxy could cut instead, such as the commit of a read.
    await store.ping();
    proxy.cutNextCommit();
    const answer = await refusal(
      store.write((tx) => {
        runs += 1;
        return add(tx, 'a');
      }),
    );
    expect(answer).toBeInstanceOf(OutcomeUnknown);
    expect(runs).toBe(1);
    expect(await crates(direct)).toEqual({ a: units, b: 1 });
    await store.close();
    await proxy.close();
  });
});

describePostgresOnly('a stream on PostgreSQL', () => {
  it('has every row in order from one snapshot, and fails when the store closes before its end', async () => {
    const store = await openCrates();
    await store.write((tx) =>
      sql`insert into crates select 'c' || lpad(n::text, 5, '0'), n from generate_series(1, 2000) n`.execute(tx),
    );
    const query = await store.read((db) =>
      Promise.resolve(db.selectFrom('crates').select('units').orderBy('id').compile()),
    );
    const units: number[] = [];
    for await (const row of store.stream(query)) {
      if (units.length === 0) await store.write((tx) => tx.deleteFrom('crates').execute());
      units.push(row.units);
    }
    expect(units).toEqual([1, 1, ...Array.from({ length: 2000 }, (_, n) => n + 1)]);
    await store.write((tx) => put(tx, 'a'));
    const cut = async () => {
      for await (const _row of store.stream(query)) await store.close();
    };
    await expect(cut()).rejects.toThrow(StorageUnavailable);
  });
});

describePostgresOnly('a server that ends between two statements', () => {
  it('makes a vacuum unavailable, and does not end the process', async () => {
    const proxy = await endingProxy(await makeDatabase(), 'VACUUM');
    const store = await openCrates({}, proxy.url);
    expect(await refusal(store.scrub(['crates', 'crates']))).toBeInstanceOf(StorageUnavailable);
    expect(await store.scrub(['crates'])).toBe(true);
    await store.close();
    await proxy.close();
  });
});

describePostgresOnly('a vacuum in the background', () => {
  it('waits for no lock and reports a table that it skipped, and ends when it is aborted', async () => {
    const store = await openCrates({}, await makeDatabase());
    const stop = new AbortController();
    const vacuum = () => store.scrub(['crates'], { signal: stop.signal });
    await store.write(async (tx) => {
      await sql`lock table crates`.execute(tx);
      expect(await refusal(vacuum())).toBeInstanceOf(StorageUnavailable);
    });
    expect(await vacuum()).toBe(true);
    stop.abort();
    await expect(vacuum()).rejects.toThrow('aborted');
    await store.close();
  });
});

describePostgresOnly('a server that cannot serve', () => {
  it('is rejected at the start when its encoding would lose characters', async () => {
    const name = `backroom_latin_${process.pid}`;
    await administer((client) =>
      client.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`),
    );
    try {
      await expect(openStore(databaseUrl(name))).rejects.toThrow('must be in UTF8');
    } finally {
      await administer((client) => client.query(`drop database ${name} with (force)`));
    }
  });

  it('that is read only rejects writes and continues to serve reads', async () => {
    const store = await openCrates();
    const name = new URL(store.url).pathname.slice(1);
    await administer((client) => client.query(`alter database ${name} set default_transaction_read_only = on`));
    const standby = await open(store.url);
    expect(await refusal(standby.write((tx) => add(tx, 'a')))).toBeInstanceOf(StorageUnavailable);
    expect(await crates(standby)).toEqual({ a: 1, b: 1 });
  });

  it('without a free connection rejects requests, and serves again when one is free', async () => {
    const store = await openCrates();
    const role = `few_${process.pid}`;
    await administer((client) => client.query(`create role ${role} login connection limit 2`));
    await store.write((tx) => sql`grant select on crates to ${sql.ref(role)}`.execute(tx));
    const url = new URL(store.url);
    url.username = role;
    const few = await open(url.href, { connections: 5 });
    const many = await Promise.all(
      Array.from({ length: 5 }, () => refusal(few.read((db) => sql`select pg_sleep(0.3)`.execute(db)))),
    );
    expect(many.filter((answer) => answer instanceof StorageUnavailable)).toHaveLength(3);
    expect(await crates(few)).toEqual({ a: 1, b: 1 });
    await few.close();
    await store.write((tx) => sql`drop owned by ${sql.ref(role)}`.execute(tx));
    await administer((client) => client.query(`drop role ${role}`));
  });

  it('that is up to date can be served by a role without CREATE', async () => {
    const url = new URL(await makeDatabase('schema'));
    const role = `reader_${process.pid}`;
    await administer((client) => client.query(`create role ${role} login`));
    const owner = await open(url.href);
    try {
      await owner.write((tx) => sql`revoke create on schema public from public`.execute(tx));
      await owner.write((tx) =>
        sql`grant select, insert, update, delete on all tables in schema public to ${sql.ref(role)}`.execute(tx),
      );
      url.username = role;
      expect(await migrate(url.href, { now: () => 1 })).toEqual([]);
      // Only the owner of a table can vacuum it.
      const served = await open(url.href);
      expect(await served.scrub(['events'] as never)).toBe(false);
      expect(await owner.scrub(['events'] as never)).toBe(true);
    } finally {
      await owner.write((tx) => sql`drop owned by ${sql.ref(role)}`.execute(tx));
      await administer((client) => client.query(`drop role ${role}`));
    }
  });
});

describePostgresOnly('a table that gets a column while it is served', () => {
  it('continues to serve reads and writes on every connection', async () => {
    const store = await openCrates();
    const all = () => Promise.all(Array.from({ length: 30 }, () => crates(store)));
    const addReading = (id: string) =>
      store.write(async (tx) => {
        await tx.selectFrom('crates').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
        await add(tx, id);
      });
    const one = () => store.read((db) => db.selectFrom('crates').selectAll().execute(), { single: true });
    await Promise.all([all(), one(), addReading('a'), addReading('b')]);
    for (const name of ['height', 'width']) {
      const other = await open(store.url);
      await other.write((tx) => sql`alter table crates add column ${sql.ref(name)} bigint`.execute(tx));
      await Promise.all([all(), one(), addReading('a'), addReading('b'), all()]);
    }
    expect(await crates(store)).toEqual({ a: 4, b: 4 });
  });
});

describePostgresOnly('a transaction that the server ended because it was idle', () => {
  it('is unavailable, not an internal error, and the next one has another connection', async () => {
    const store = await openCrates({ connections: 1 });
    const refused = await refusal(
      store.write(async (tx) => {
        await sql`set local idle_in_transaction_session_timeout = 20`.execute(tx);
        await sleep(200);
        await add(tx, 'a');
      }),
    );
    expect(refused).toBeInstanceOf(StorageUnavailable);
    expect(await crates(store)).toEqual({ a: 1, b: 1 });
  });
});

describePostgresOnly('work that may take long, with the time-outs of a pooler on the role', () => {
  const LIMIT_MS = 150;
  const LONG = 'select pg_sleep(0.4)';
  const compiled = (store: Store<Crates>) => store.read((db) => Promise.resolve(sql.raw(LONG).compile(db)));
  const count = async (rows: AsyncIterable<unknown>) => {
    let counted = 0;
    for await (const _row of rows) counted += 1;
    return counted;
  };
  const limited = async () => {
    const url = await makeDatabase();
    const name = new URL(url).pathname.slice(1);
    await administer(async (client) => {
      for (const setting of ['statement_timeout', 'idle_in_transaction_session_timeout'])
        await client.query(`alter role current_user in database ${name} set ${setting} = ${LIMIT_MS}`);
    });
    return url;
  };

  it('has no limit: the snapshot of a backup, also while pg_dump runs', async () => {
    const query = await compiled(await open(await makeDatabase()));
    const rows = await withSnapshot(await limited(), async (_snapshot, stream) => {
      await sleep(LIMIT_MS * 2);
      return count(stream(query));
    });
    expect(rows).toBe(1);
  });

  it('has no limit: a migration', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'backroom-migrations-'));
    writeFileSync(join(folder, '001-long.sql'), `${LONG};\n`);
    const done = await migrate(await limited(), { now: () => 1, directory: pathToFileURL(`${folder}/`) });
    expect(done).toHaveLength(1);
    rmSync(folder, { recursive: true });
  });

  it('has no limit: a stream', async () => {
    const store = await open(await limited());
    expect(await count(store.stream(await compiled(store)))).toBe(1);
  });

  it('has no limit: a vacuum, here one that waits for a lock', async () => {
    const store = await openCrates({}, await limited());
    let vacuum: Promise<boolean> | undefined;
    await store.write(async (tx) => {
      await sql`lock table crates`.execute(tx);
      vacuum = store.scrub(['crates']);
      await sleep(LIMIT_MS * 2);
    });
    expect(await vacuum).toBe(true);
  });
});

describePostgresOnly('a restart of the server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start({
      settings: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' },
    });
  });
  afterAll(() => server.remove());

  it.each(['fast', 'immediate'] as const)(
    '(%s) rejects requests meanwhile, and the service recovers without help',
    async (how) => {
      const url = new URL(server.url);
      const setup = await openStore(server.url);
      await setup.write((tx) => sql`drop table if exists crates`.execute(tx));
      await setup.close();
      const store = await openCrates({}, url.href);
      await Promise.all(Array.from({ length: 5 }, () => crates(store)));
      await server.stop(how);
      for (const work of [store.ping(), crates(store), store.write((tx) => add(tx, 'a'))])
        expect(await refusal(work)).toBeInstanceOf(StorageUnavailable);
      await server.startAgain();
      await store.ping();
      await Promise.all(Array.from({ length: 5 }, () => store.write((tx) => add(tx, 'a'))));
      expect(await crates(store)).toEqual({ a: 6, b: 1 });
    },
  );
});

describePostgresOnly('migrations on PostgreSQL', () => {
  it('are done once when eight processes start at the same time', async () => {
    const url = await makeDatabase();
    const program = fileURLToPath(new URL('./support/migrate.ts', import.meta.url));
    const counts = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const process = fork(program, [url]);
        const [message, exit] = await Promise.all([once(process, 'message'), once(process, 'exit')]);
        expect(exit[0]).toBe(0);
        return message[0] as number;
      }),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(readMigrations().length);
    expect(await pendingMigrations(await open(url))).toEqual([]);
  });

  it('hold no lock that outlives their transaction, and give up when another transaction holds it for too long', async () => {
    const url = await makeDatabase();
    const store = await open(url);
    const waiting = migrate(url, { now: () => 0 });
    await waiting;
    const locks = sql<{ count: number }>`select count(*) as count from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`;
    expect((await store.read((db) => locks.execute(db))).rows[0]!.count).toBe(0);
    await store.write(async (tx) => {
      await sql`select pg_advisory_xact_lock(8217364)`.execute(tx);
      expect(await refusal(migrate(url, { now: () => 0, lockWaitMs: 100 }))).toBeInstanceOf(StorageUnavailable);
    });
  });

  it('leave nothing behind when one fails, and reject a changed or newer one', async () => {
    const url = await makeDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'backroom-migrations-'));
    const run = () => migrate(url, { now: () => 1, directory: pathToFileURL(`${folder}/`) });
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write(
      '001-crates.sql',
      'create table crates (\n  id text not null primary key,\n  units integer not null\n) strict;\n',
    );
    write('002-broken.sql', "insert into crates (id, units) values ('a', 1);\ninsert into nowhere values (1);\n");
    await expect(run()).rejects.toThrow('nowhere');
    const store = await open(url);
    expect([await currentVersion(store), await crates(store)]).toEqual([1, {}]);
    write('002-broken.sql', "insert into crates (id, units) values ('b', 3000000000);\n");
    expect((await run()).map((migration) => migration.number)).toEqual([2]);
    expect(await crates(store)).toEqual({ b: 3_000_000_000 });
    write('001-crates.sql', '-- changed\n');
    await expect(run()).rejects.toThrow(SchemaMismatch);
    rmSync(folder, { recursive: true });
  });

  it('create every table with the tenant first in its primary key, and with texts in the order of their bytes', async () => {
    const store = await open(await makeDatabase());
    await migrate(store.url, { now: () => 0 });
    const { rows } = await store.read((db) =>
      sql<{ name: string; collation: string | null }>`
        select table_name as name, min(collation_name) filter (where data_type = 'text') as collation
        from information_schema.columns where table_schema = current_schema() and table_name <> 'migrations' group by 1`.execute(
        db,
      ),
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const { name, collation } of rows) {
      const columns = (await store.read((db) => store.dialect.columnsOf(name).execute(db))).rows;
      expect([name, columns.find((column) => column.key === 1)?.name]).toEqual([name, 'client_id']);
      expect([name, collation]).toEqual([name, 'C']);
    }
  });
});

describePostgresOnly('a server whose synchronous standby is down', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start({ settings: { synchronous_commit: 'on', wal_level: 'replica' } });
  });
  afterAll(() => server.remove());

  /** Removes the synchronous standby from the settings. */
  const release = () => set('');
  const set = (name: string) =>
    onServer(
      server.url,
      name === ''
        ? 'alter system reset synchronous_standby_names'
        : `alter system set synchronous_standby_names = '${name}'`,
      'select pg_reload_conf()',
    );
  /** Makes every commit wait from now on. The server applies the setting some time after the reload. */
  const stall = async (): Promise<void> => {
    await set('nobody');
    while (await stores());
    await cancelWaits();
  };
  const stores = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: server.url, query_timeout: 300 });
    client.on('error', () => undefined);
    await client.connect();
    const isLate = await client.query(`select pg_logical_emit_message(true, 'try', '')`).then(
      () => false,
      () => true,
    );
    void client.end();
    return !isLate || (await waiting()) === 0;
  };
  const cancelWaits = () =>
    onServer(server.url, `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`);
  const waiting = async (): Promise<number> => {
    const query = `select count(*)::int as count from pg_stat_activity where wait_event = 'SyncRep'`;
    return (await onServer<{ count: number }>(server.url, query))[0]!.count;
  };
  /** Writes forty crates, eight at a time; returns the result of each write. */
  const putMany = async (store: Store<Crates>): Promise<Map<string, unknown>> => {
    const ends = new Map<string, unknown>();
    const five = async (_: unknown, line: number) => {
      for (const id of [0, 1, 2, 3, 4].map((turn) => `${line}.${turn}`)) {
        ends.set(id, await refusal(store.write((tx) => put(tx, id))));
      }
    };
    await Promise.all(Array.from({ length: 8 }, five));
    return ends;
  };

  it('keeps a connection for each write that timed out, so no more commits wait than the pool has connections: readiness fails, reads continue, and writes recover with the standby', async () => {
    const store = await openCrates({ connections: 4, jobTimeoutMs: 400 }, server.url);
    await stall();
    const ends = await putMany(store);
    expect([...ends.values()].every((end) => end instanceof StorageUnavailable)).toBe(true);
    expect(await waiting()).toBeLessThanOrEqual(4);
    await expect(store.ping()).rejects.toThrow('Commits wait for a synchronous standby');
    expect(await crates(store)).toEqual({ a: 1, b: 1 });
    await release();
    await vi.waitFor(() => store.ping());
    await vi.waitFor(() => store.write((tx) => add(tx, 'b')));
    const unknown = [...ends].filter(([, end]) => end instanceof OutcomeUnknown).map(([id]) => [id, 1]);
    expect(unknown.length).toBeGreaterThan(0);
    expect(await crates(store)).toEqual({ a: 1, b: 2, ...Object.fromEntries(unknown) });
  });

  it('does not acknowledge a write whose wait for the standby was canceled', async () => {
    const store = await openCrates({ connections: 4 }, await emptied(server.url));
    await stall();
    const written = refusal(store.write((tx) => add(tx, 'a')));
    await vi.waitFor(async () => expect(await waiting()).toBe(1));
    await cancelWaits();
    expect(await written).toBeInstanceOf(OutcomeUnknown);
    await release();
  });
});

/** Returns the server's own database after deleting the crates of the previous test. */
async function emptied(url: string): Promise<string> {
  await onServer(url, 'drop table if exists crates');
  return url;
}
