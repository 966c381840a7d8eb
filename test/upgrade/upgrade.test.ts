/** This program upgrades a database of release 0.1.0, which make.ts has made with that release. */
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, expect, it } from 'vitest';
import { checkoutOf, NotHere } from '../../town/releases.ts';
import { backroom, serve } from '../cli/support.ts';
import { describeSqliteOnly } from '../support/store.ts';

const OPERATOR_KEY = 'operator-key-of-the-upgrade-7Qw2';
const { apiKey, basic } = JSON.parse(readFileSync(new URL('backroom-0.1.0.json', import.meta.url), 'utf8')) as {
  apiKey: string;
  basic: string;
};
const folder = mkdtempSync(join(tmpdir(), 'backroom-upgraded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Copies the old database to this name, with its key. */
function oldDatabase(name: string) {
  const file = join(folder, name);
  writeFileSync(file, gunzipSync(readFileSync(new URL('backroom-0.1.0.db.gz', import.meta.url))));
  cpSync(new URL('backroom-0.1.0.db.secret', import.meta.url), `${file}.secret`);
  // The present program gives its files this mode, and doctor reports files with another mode.
  for (const one of [file, `${file}.secret`]) chmodSync(one, 0o600);
  const env = { DATABASE_URL: `sqlite:${file}`, PORT: '0', LOG_LEVEL: 'info', BACKROOM_OPERATOR_KEY: OPERATOR_KEY };
  return { file, env };
}

/** Returns every row of every table as text, for comparisons. */
function contentOf(file: string): Record<string, string[]> {
  const database = new Database(file, { readonly: true });
  try {
    const tables = database
      .prepare<[], { name: string }>("select name from sqlite_schema where type = 'table' order by name")
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => {
        const rows = database.prepare(`select * from "${name}"`).all();
        return [name, rows.map((row) => JSON.stringify(row)).sort()];
      }),
    );
  } finally {
    database.close();
  }
}

/** Returns the statement that created an index. */
function sqlOf(file: string, index: string): string {
  const database = new Database(file, { readonly: true });
  try {
    return database.prepare<[string], string>('select sql from sqlite_schema where name = ?').pluck().get(index)!;
  } finally {
    database.close();
  }
}

/** Matches doctor's finding about the last backup. */
const LAST_BACKUP = /backups.*the last backroom backup was taken at/;

const rowsOf = (content: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(content).map(([table, rows]) => [table, rows.length]));

describeSqliteOnly('the old program is one file', 'the upgrade from 0.1.0', () => {
  it('a backup of the older database is taken by this program, row by row the same', async () => {
    const { file, env } = oldDatabase('backup.db');
    const before = contentOf(file);
    const copy = join(folder, 'backup.copy');
    expect(await backroom(env, ['backup', copy])).toMatchObject({ code: 0 });
    expect(contentOf(copy)).toEqual(before);
    expect(readFileSync(`${copy}.secret`, 'utf8')).toBe(readFileSync(`${file}.secret`, 'utf8'));
    // The backup adds only the time of the last backup. The upgrade keeps this time.
    const { installation, ...after } = contentOf(file);
    expect({ ...after, installation: installation!.filter((row) => !row.includes('lastBackupAt')) }).toEqual(before);
    expect(await backroom(env, ['migrate', '--no-backup'])).toMatchObject({ code: 0 });
    expect(await backroom(env, ['doctor'])).toMatchObject({ out: expect.stringMatching(LAST_BACKUP) });
  });

  it('MIGRATE=manual: serve says what to do and changes nothing', async () => {
    const { file, env } = oldDatabase('manual.db');
    const before = contentOf(file);
    const ended = await backroom({ ...env, MIGRATE: 'manual' }, ['serve']);
    expect(ended).toMatchObject({ code: 1, err: expect.stringMatching(/run backroom migrate, or set MIGRATE=auto/) });
    expect(contentOf(file)).toEqual(before);
    expect(readdirSync(folder).filter((name) => name.startsWith('manual.db') && name.endsWith('.backup'))).toEqual([]);
  });

  it('serve takes a backup, migrates, and nothing is lost', async () => {
    const { file, env } = oldDatabase('auto.db');
    const before = contentOf(file);
    const service = await serve(env);
    expect(contentOf(`${file}.schema-5.backup`)).toEqual(before);
    const call = async (path: string, headers: Record<string, string>) => {
      const response = await fetch(`${service.address}${path}`, { headers });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const operator = { authorization: `Bearer ${OPERATOR_KEY}` };
    const orders = before.fulfillment_orders!.map((row) => JSON.parse(row) as Record<string, string | number>);
    expect(orders.length).toBeGreaterThan(15);
    for (const order of orders) {
      const path = `/operator/v1/stores/${order.store_id}/fulfillmentOrders/${order.fulfillment_order_id}`;
      const read = await call(path, operator);
      expect(read, path).toMatchObject({ status: 200, body: { fulfillmentOrderId: order.fulfillment_order_id } });
    }
    for (const row of before.items!) {
      const item = JSON.parse(row) as { client_id: string; item_id: string; doc: string };
      if (item.client_id !== 'TOWN') continue;
      const headers = { apikey: apiKey, authorization: `Basic ${Buffer.from(basic).toString('base64')}` };
      const read = await call(`/item-service/stores/TOWN_US/items/${item.item_id}`, headers);
      expect(read, item.item_id).toMatchObject({ status: 200, body: { itemId: item.item_id } });
    }
    const ended = await service.stop();
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('backup of the older schema taken') });
    const after = rowsOf(contentOf(file));
    for (const [table, rows] of Object.entries(rowsOf(before))) {
      expect(after[table], table).toBeGreaterThanOrEqual(rows);
    }
    const examined = await backroom(env, ['doctor']);
    expect(examined).toMatchObject({ code: 0, out: expect.stringMatching(LAST_BACKUP) });
  });

  it('starts whose migration fails keep one backup of each state, and name the reason each time', async () => {
    const { file, env } = oldDatabase('broken.db');
    const backups = () =>
      readdirSync(folder)
        .filter((name) => name.startsWith('broken.db.schema-') && !/\.(?:json|secret)$/.test(name))
        .sort();
    const change = (statement: string) => {
      const database = new Database(file);
      database.exec(statement);
      database.close();
    };
    const before = contentOf(file);
    // Migration 6 replaces this index.
    const index = sqlOf(file, 'fulfillment_orders_by_queue');
    change('drop index fulfillment_orders_by_queue');
    for (let start = 1; start <= 2; start += 1) {
      const { code, err } = await backroom(env, ['serve']);
      expect([code, err]).toEqual([1, expect.stringContaining('no such index: fulfillment_orders_by_queue')]);
      expect(backups()).toEqual([]);
    }
    expect(readdirSync(folder).filter((one) => one.startsWith('broken.db.schema-'))).toEqual([]);
    expect(contentOf(file)).toEqual(before);

    // Migration 43 fails.
    change(`${index}; create view fulfillment_orders_by_due as select 1`);
    for (let start = 1; start <= 3; start += 1) {
      const { code, err } = await backroom(env, ['migrate']);
      expect([code, err]).toEqual([1, expect.stringContaining('already a table named fulfillment_orders_by_due')]);
      expect(backups()).toEqual(['broken.db.schema-5.backup']);
    }
    change('drop view fulfillment_orders_by_due');
    const ended = await backroom(env, ['migrate', '--json']);
    expect(JSON.parse(ended.out)).toMatchObject({ backup: `${file}.schema-42.backup` });
    expect(await backroom(env, ['doctor'])).toMatchObject({ out: expect.stringMatching(LAST_BACKUP) });
  });

  it('a second upgrade from the same schema keeps the first backup, and takes none of the same rows', async () => {
    const { file, env } = oldDatabase('twice.db');
    const first = await backroom(env, ['migrate', '--json']);
    expect(JSON.parse(first.out)).toMatchObject({ backup: `${file}.schema-5.backup` });
    expect(await backroom(env, ['restore', `${file}.schema-5.backup`, '--force'])).toMatchObject({ code: 0 });
    // The database is as after a start that was killed in its migration.
    const second = await backroom(env, ['migrate', '--json']);
    expect(JSON.parse(second.out)).toMatchObject({ backup: `${file}.schema-5.backup` });
    expect(await backroom(env, ['restore', `${file}.schema-5.backup`, '--force'])).toMatchObject({ code: 0 });
    const database = new Database(file);
    database.exec("update clients set name = 'Other' where client_id = 'TOWN'");
    database.close();
    const third = await backroom(env, ['migrate', '--json']);
    expect(JSON.parse(third.out)).toMatchObject({ backup: `${file}.schema-5.2.backup` });
    const none = await backroom(env, ['migrate', '--json']);
    expect(JSON.parse(none.out)).toEqual({ applied: [], backup: null });
  });

  it('the way back: the restored backup is the old database, and the old program serves it', {
    timeout: 300_000,
  }, async (context) => {
    const { file, env } = oldDatabase('back.db');
    const before = contentOf(file);
    expect(await backroom(env, ['migrate'])).toMatchObject({ code: 0 });
    expect(await backroom(env, ['restore', `${file}.schema-5.backup`, '--force'])).toMatchObject({ code: 0 });
    expect(contentOf(file)).toEqual(before);
    const program = oldProgram();
    if (program === undefined) return context.skip('the history or the packages of 0.1.0 are missing');
    const child = spawn(process.execPath, [join(program, 'src/main.ts'), 'serve'], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      said += String(chunk);
      if (/listening on http:\/\/127\.0\.0\.1:\d+\D/.test(said)) break;
    }
    child.stdout.resume();
    const exit = new Promise((done) => child.once('exit', done));
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
    const response = await fetch(`${address}/version`);
    expect(await response.json()).toMatchObject({ version: '0.1.0' });
    const order = await fetch(`${address}/operator/v1/stores/TOWN_US/fulfillmentOrders/u-returned`, {
      headers: { authorization: `Bearer ${OPERATOR_KEY}` },
    });
    child.kill('SIGTERM');
    expect(order.status).toBe(200);
    expect(await exit).toBe(0);
  });
});

/**
 * Returns the old release with its own packages; undefined if the history or the registry does not have the release. If
 * it is undefined, the test ends after the comparison.
 */
function oldProgram(): string | undefined {
  try {
    return checkoutOf('0.1.0');
  } catch (error) {
    if (error instanceof NotHere) return undefined;
    throw error;
  }
}
