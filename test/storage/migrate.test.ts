import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../../src/platform/storage/db.ts';
import {
  currentVersion,
  pendingMigrations,
  readMigrations,
  SchemaMismatch,
} from '../../src/platform/storage/migrate.ts';
import { migrate } from '../../src/service/migrate.ts';
import { describeSqliteOnly, freshUrl, openTestStore } from '../support/store.ts';

const sqliteOnly = (name: string, tests: () => void) =>
  describeSqliteOnly('the file, its lock and its own catalog', name, tests);

const FIRST = 'create table crates (id text not null primary key) strict;\ncreate index crates_by_id on crates (id);\n';
const SECOND = `insert into crates (id) values ('a;b'); alter table crates add column units integer not null default 0;\n`;

let folder: string;
let directory: URL;
let url: string;

const file = () => url.slice('sqlite:'.length);
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const run = (now = 1) => migrate(url, { now: () => now, directory });

function query<T>(text: string): T[] {
  const database = new Database(file(), { readonly: true });
  try {
    return database.prepare<[], T>(text).all();
  } finally {
    database.close();
  }
}

const applied = () =>
  query<{ number: number; name: string; applied_at: number }>('select number, name, applied_at from migrations');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backroom-migrations-'));
  directory = pathToFileURL(`${folder}/`);
  url = freshUrl();
  write('001-crates.sql', FIRST);
});
afterEach(() => rmSync(folder, { recursive: true }));

sqliteOnly('migrate', () => {
  it('applies every migration once, in order, and records the time of the caller’s clock', async () => {
    expect((await run(100)).map((migration) => migration.name)).toEqual(['crates']);
    write('002-units.sql', SECOND);
    expect((await run(200)).map((migration) => migration.number)).toEqual([2]);
    expect(await run(300)).toEqual([]);
    expect(applied()).toEqual([
      { number: 1, name: 'crates', applied_at: 100 },
      { number: 2, name: 'units', applied_at: 200 },
    ]);
    expect(query('select id, units from crates')).toEqual([{ id: 'a;b', units: 0 }]);
  });

  it('keeps nothing of a migration that fails, and everything of the earlier ones', async () => {
    write('002-broken.sql', `${SECOND} create table nonsense (;`);
    await expect(run()).rejects.toThrow(/syntax/);
    expect(applied().map((row) => row.number)).toEqual([1]);
    expect(query('select * from crates')).toEqual([]);
    write('002-broken.sql', SECOND);
    await run();
    expect(applied().map((row) => row.number)).toEqual([1, 2]);
  });

  it('is done once when eight processes start at the same time', async () => {
    write('002-units.sql', SECOND);
    const program = fileURLToPath(new URL('./support/migrate.ts', import.meta.url));
    const counts = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const process = fork(program, [url, directory.href]);
        const [message, exit] = await Promise.all([once(process, 'message'), once(process, 'exit')]);
        expect(exit[0]).toBe(0);
        return message[0] as number;
      }),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(applied().map((row) => row.number)).toEqual([1, 2]);
    expect(query('select id from crates')).toEqual([{ id: 'a;b' }]);
  });

  it('is done once when it is called twice in one process', async () => {
    const counts = (await Promise.all([run(), run()])).map((done) => done.length).sort();
    expect(counts).toEqual([0, 1]);
  });

  it('rejects a database that is newer than the program, and changes nothing', async () => {
    write('002-units.sql', SECOND);
    await run();
    rmSync(join(folder, '002-units.sql'));
    const before = query('select * from migrations');
    await expect(run()).rejects.toThrow(SchemaMismatch);
    await expect(run()).rejects.toThrow(/at migration 2, this program knows 1: use the newer program/);
    expect(query('select * from migrations')).toEqual(before);
  });

  it('rejects an applied migration whose text was changed, but not one with other line ends', async () => {
    await run();
    write('001-crates.sql', FIRST.replaceAll('\n', '\r\n'));
    expect(await run()).toEqual([]);
    write('001-crates.sql', `${FIRST}-- better\n`);
    await expect(run()).rejects.toThrow(/Migration 1 \(crates\) was changed after it was applied/);
  });

  it.each(['003-gap.sql', '2-short.sql', '001-again.sql', '002-Upper.sql'])(
    'rejects a migration named %s',
    async (name) => {
      write(name, 'select 1;');
      await expect(run()).rejects.toThrow(/NNN-name\.sql/);
    },
  );

  /** Applies the migrations of this program that precede the migration `last`. */
  async function runOwnBefore(last: string): Promise<void> {
    rmSync(join(folder, '001-crates.sql'));
    const own = new URL('../../src/platform/storage/migrations/', import.meta.url);
    for (const { number, name, text } of readMigrations(own)) {
      if (name === last) break;
      write(`${String(number).padStart(3, '0')}-${name}.sql`, text);
    }
    await run();
  }

  it('gives the shipments of an older database, and their lines, the sellers of their stores', async () => {
    await runOwnBefore('inbound-per-seller');
    const database = new Database(file());
    database.exec(`
      insert into clients values ('C', 'C', '["1"]', '{}', 0, 0);
      insert into sellers values ('C', 'S1'), ('C', 'S2');
      insert into stores values ('C', 'ONE', 'x', '1', 'S1', 'A', 'EUR', 0, 0, 0), ('C', 'TWO', 'x', '1', 'S2', 'A', 'EUR', 0, 0, 0);
      insert into nodes (client_id, node_id, name, node_type, time_zone, address, phone, opening_hours, hold_locations,
        fulfillment_types, receiving_warehouse_id, created_at, updated_at)
        values ('C', 'N', 'x', 'WAREHOUSE', 'UTC', '{}', '1', '[]', '[]', '[]', 'N', 0, 0);
      insert into inbound_shipments values
        ('C', 'PO', 'a', 'm1', 'ONE', 'N', 'N', 'EXPECTED', 1, 'h1', '{}', 2, 5, 7),
        ('C', 'ASN', 'a', 'm2', 'TWO', 'N', 'N', 'EXPECTED', 1, 'h2', '{}', 1, 1, 8);
      insert into inbound_lines values
        ('C', 'PO', 'a', 0, null, '1-X', 2, '1.5', '{}'), ('C', 'PO', 'a', 1, null, '1-Y', 3, '2', '{}'),
        ('C', 'ASN', 'a', 0, 'c', '1-X', 1, '1', '{}');
    `);
    database.close();
    await migrate(url, { now: () => 2 });
    expect(
      query('select seller_id, type, number, message_id, total_units from inbound_shipments order by type'),
    ).toEqual([
      { seller_id: 'S2', type: 'ASN', number: 'a', message_id: 'm2', total_units: 1 },
      { seller_id: 'S1', type: 'PO', number: 'a', message_id: 'm1', total_units: 5 },
    ]);
    expect(query('select seller_id, type, line_index, quantity from inbound_lines order by type, line_index')).toEqual([
      { seller_id: 'S2', type: 'ASN', line_index: 0, quantity: 1 },
      { seller_id: 'S1', type: 'PO', line_index: 0, quantity: 2 },
      { seller_id: 'S1', type: 'PO', line_index: 1, quantity: 3 },
    ]);
    expect(query('pragma foreign_key_check')).toEqual([]);
  });

  it('gives group supervise to keys of an older database that had all groups, and to no other', async () => {
    await runOwnBefore('supervise');
    const all = ['items', 'inbound', 'fulfillment', 'intake'];
    const before = {
      a: [...all, 'events'],
      b: all,
      c: ['fulfillment'],
      d: ['items', 'inbound', 'fulfillment', 'events'],
    };
    const database = new Database(file());
    database.exec("insert into clients values ('C', 'C', '[]', '{}', 0, 0)");
    for (const [id, groups] of Object.entries(before)) {
      database
        .prepare("insert into credentials values ('C', ?, 'x', 'x', ?, 'x', null, null, ?, null, null, 0)")
        .run(id, id, JSON.stringify(groups));
    }
    database.close();
    await migrate(url, { now: () => 2 });
    expect(query('select credential_id as id, groups from credentials order by 1')).toEqual(
      Object.entries(before).map(([id, groups]) => ({
        id,
        groups: JSON.stringify(
          id < 'c' ? [...groups, 'supervise', ...(id === 'a' ? ['receiving', 'stock'] : [])] : groups,
        ),
      })),
    );
  });

  it('waits for a writer that has the lock', async () => {
    const holder = new Database(file());
    holder.pragma('journal_mode = WAL');
    holder.exec('begin immediate');
    let done = false;
    const migrating = run().then(() => {
      done = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(done).toBe(false);
    holder.exec('commit');
    holder.close();
    await migrating;
    expect(applied()).toHaveLength(1);
  });
});

sqliteOnly('the state of a database', () => {
  it('is reported before, between and after the migrations', async () => {
    const store = await openStore(url);
    try {
      expect(await currentVersion(store)).toBe(0);
      expect((await pendingMigrations(store, directory)).map((migration) => migration.number)).toEqual([1]);
      await run();
      expect(await currentVersion(store)).toBe(1);
      write('002-units.sql', SECOND);
      expect((await pendingMigrations(store, directory)).map((migration) => migration.name)).toEqual(['units']);
      await run();
      expect(await pendingMigrations(store, directory)).toEqual([]);
      rmSync(join(folder, '002-units.sql'));
      await expect(pendingMigrations(store, directory)).rejects.toThrow(SchemaMismatch);
    } finally {
      await store.close();
    }
  });

  it('of a new test store is that of the last migration', async () => {
    const store = await openTestStore();
    try {
      expect(await pendingMigrations(store)).toEqual([]);
      expect(await currentVersion(store)).toBe(readMigrations().length);
    } finally {
      await store.close();
    }
  });
});

sqliteOnly('schema.sql', () => {
  it('contains the result of the migrations', () => {
    const script = fileURLToPath(new URL('../../scripts/schema-dump.ts', import.meta.url));
    execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' });
  });

  it('is in STRICT tables with the tenant first in every primary key', async () => {
    const store = await openTestStore();
    const database = new Database(store.url.slice('sqlite:'.length), { readonly: true });
    const tables = database
      .prepare<[], { name: string; strict: number }>(
        `select name, strict from pragma_table_list where schema = 'main' and name not like 'sqlite_%'`,
      )
      .all()
      .filter((table) => table.name !== 'migrations');
    const firstKey = database.prepare<[string], string>('select name from pragma_table_info(?) where pk = 1').pluck();
    expect(tables.length).toBeGreaterThan(0);
    for (const table of tables)
      expect([table.name, table.strict, firstKey.get(table.name)]).toEqual([table.name, 1, 'client_id']);
    database.close();
    await store.close();
  });
});

sqliteOnly('tables.ts', () => {
  it('contains the result of the migrations', () => {
    const script = fileURLToPath(new URL('../../scripts/row-types.ts', import.meta.url));
    execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' });
  });
});
