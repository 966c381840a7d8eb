import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/platform/json-column.ts';
import { openStore, type Store } from '../../src/platform/storage/db.ts';
import { citusStatements } from '../../src/platform/storage/distribute.ts';
import { item, node, order } from '../import/support/shop.ts';
import { backroom, folder, serve, settings } from './support.ts';

const KEY = 'operator-key-of-the-tests';
const COMMANDS = [
  'serve',
  'demo',
  'migrate',
  'copy',
  'import',
  'export',
  'key',
  'user',
  'backup',
  'restore',
  'doctor',
  'edi',
  'forget',
  'support-bundle',
  'schema',
  'version',
];

async function call(
  address: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  const answer = await fetch(address + path, {
    method,
    headers: { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json().catch(() => undefined)) as Record<string, unknown> };
}

/**
 * Creates client SHOP with a store, a node, two items and an order: over HTTP, and by imports while the service runs.
 */
async function fill(env: Record<string, string>, address: string): Promise<void> {
  await call(address, 'PUT', '/operator/v1/clients/SHOP', { name: 'Shop', catalogIds: ['A'] });
  const store = { name: 'Web', catalogId: 'A', sellerId: 'S', storeCode: 'W', currency: 'GBP' };
  await call(address, 'PUT', '/operator/v1/clients/SHOP/stores/WEB', store);
  const lines = [
    { webLineId: '1', itemId: 'A-K1', quantity: 2, unitPrice: 1, instructions: [{ type: 'GIFT', text: 'For Ann' }] },
  ];
  const rows = {
    nodes: [node('N1')],
    items: [item('K1'), item('K2', { type: 'NONE' })],
    orders: [order('1', lines, { pinNumber: '4711' })],
  };
  for (const [kind, values] of Object.entries(rows)) {
    const file = join(folder, `${env.DATABASE_URL!.split('/').at(-1)}-${kind}.json`);
    writeFileSync(file, JSON.stringify(values));
    const done = await backroom(env, ['import', kind, file, '--client', 'SHOP', '--store', 'WEB', '--json']);
    expect(JSON.parse(done.out), done.err).toMatchObject({ rowsRead: values.length, rowsImported: 1 });
  }
}

let filled: Promise<string> | undefined;

/** Returns the settings of a new installation: a copy of an installation that was filled and then stopped. */
async function filledSettings(name: string): Promise<Record<string, string>> {
  const env = { ...settings(name), BACKROOM_OPERATOR_KEY: KEY };
  filled ??= fillOne();
  const from = await filled;
  for (const end of ['', '.secret']) copyFileSync(from + end, join(folder, name + end));
  return env;
}

async function fillOne(): Promise<string> {
  const env = { ...settings('filled.db'), BACKROOM_OPERATOR_KEY: KEY };
  const { address, stop } = await serve(env);
  await fill(env, address);
  await stop();
  return join(folder, 'filled.db');
}

async function inStore<T>(env: Record<string, string>, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(env.DATABASE_URL!);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

describe('the executable', () => {
  it.each([...COMMANDS, 'key create', 'key rotate', 'key revoke', 'user add', 'user list', 'user remove'])(
    '%s --help shows an example',
    async (command) => {
      const { code, out } = await backroom({}, [...command.split(' '), '--help']);
      expect(code).toBe(0);
      expect(out).toContain('Example:\n  ');
      expect(out).toContain(`backroom ${command}`);
    },
  );

  it('lists every command, and ends with 2 after a wrong call', async () => {
    const help = await backroom({}, ['--help']);
    expect(help.code).toBe(0);
    for (const command of COMMANDS) expect(help.out).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
    for (const args of [
      ['nonsense'],
      ['import', 'items'],
      ['import', 'cats', 'x', '--client', 'A'],
      ['doctor', '--loud'],
    ]) {
      const { code, out, err } = await backroom({}, args);
      expect({ args, code, out }).toEqual({ args, code: 2, out: '' });
      expect(err).toMatch(/^error: /);
    }
  });

  it.each([
    ['key create', 'either --operator or --client'],
    ['key create --operator --client A', 'either --operator or --client'],
    ['key create --operator --stores S', 'operator has no limits'],
    ['key create --operator --nodes N', 'operator has no limits'],
    ['key create --operator --groups stock', 'operator has no limits'],
    ['key create --operator --expires soon', 'a date-time with an offset'],
    ['key rotate X --client A --overlap -1', 'a whole number from 0 to 999999'],
    ['key rotate X --client A --overlap 99999999', 'a whole number from 0 to 999999'],
    ['demo --port abc', 'a whole number from 0 to 65535'],
    ['restore x --in-place', '--verify --in-place'],
    ['backup x --keep 3', '--keep needs --every'],
    ['export person --client A', 'needs --web-order'],
    ['export items --client A --web-order W', 'only with export person'],
    ['export items --client A --store S', 'only with export person'],
    ['import items x --client A --batch-rows 0', 'a whole number from 1 to 99999'],
    ['import orders x --client A', 'needs --store'],
    ['copy --from sqlite:x --to sqlite:./x', 'the same database'],
    ['partitions --apply --check', 'either --check, which changes nothing, or --apply'],
  ])('ends with 2 after `%s`, before it opens a database', async (call, said) => {
    const { code, out, err } = await backroom(settings('usage.db'), call.split(' '));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error: .*\n(?:.*\n)?\(add --help for commands and options\)\n$/);
    expect(err).toContain(said);
    expect(existsSync(join(folder, 'usage.db'))).toBe(false);
  });

  it('ends with 1 and one sentence when it fails, and writes nothing before', async () => {
    const env = settings('none.db');
    for (const args of [
      ['export', 'items', '--client', 'A'],
      ['key', 'revoke', 'x', '--operator'],
      ['backup', 'x'],
    ]) {
      expect(await backroom(env, args)).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(/^backroom: There is no database .*\n$/),
      });
    }
    const wrong = await backroom({ ...env, PORT: 'x', LOG_LEVEL: 'loud' }, ['serve']);
    expect(wrong.code).toBe(1);
    expect(wrong.err).toMatch(/LOG_LEVEL[\s\S]*PORT/);
    expect(existsSync(join(folder, 'none.db'))).toBe(false);
  });

  it('names the required version of Node on an older one', async () => {
    const older = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.1.0'}})";
    const NODE_OPTIONS = `--import="data:text/javascript,${older}"`;
    expect(await backroom({ NODE_OPTIONS }, ['version'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^backroom: Node\.js 24\.7\.0 or newer is needed; this is 20\.1\.0\. In a checkout, .*\n$/,
      ),
    });
  });

  it('prints its version for people and machines', async () => {
    expect((await backroom({}, ['version'])).out).toMatch(/^backroom \d+\.\d+\.\d+ \(node 2\d\./);
    expect(JSON.parse((await backroom({}, ['version', '--json'])).out)).toHaveProperty('version');
  });

  it('schema prints the statements for a sharding engine, and no other', async () => {
    const { code, out } = await backroom({}, ['schema', '--distribute', 'citus']);
    expect({ code, out }).toEqual({ code: 0, out: citusStatements() });
    expect(await backroom({}, ['schema', '--distribute', 'other'])).toMatchObject({ code: 2, out: '' });
  });

  it('migrate --check lists the missing migrations without running them', async () => {
    const env = settings('migrate.db');
    expect(await backroom(env, ['migrate', '--check'])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^missing 001-init\n(?:missing \d{3}-[a-z0-9-]+\n)+$/) as string,
    });
    expect(existsSync(join(folder, 'migrate.db'))).toBe(false);
    expect(await backroom(env, ['migrate', '--json'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^\{"applied":\[\{"number":1,"name":"init"\}(?:,\{"number":\d+,"name":"[a-z0-9-]+"\})+\],"backup":null\}\n$/,
      ) as string,
    });
    expect(await backroom(env, ['migrate', '--check'])).toMatchObject({
      code: 0,
      out: 'The database is up to date.\n',
    });
  });
});

describe('serve', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('responds, and %s ends it with 0', async (signal) => {
    const { address, stop } = await serve({ ...settings(`${signal}.db`), BACKROOM_OPERATOR_KEY: KEY });
    expect((await call(address, 'GET', '/readyz')).status).toBe(200);
    expect(await stop(signal)).toMatchObject({ code: 0, err: '' });
  });

  it('continues after SIGHUP, and says that without TLS there is nothing to reload', async () => {
    const { address, tell, stop } = await serve(settings('hang-up.db'));
    tell('SIGHUP');
    expect((await call(address, 'GET', '/readyz')).status).toBe(200);
    tell('SIGHUP');
    expect((await call(address, 'GET', '/readyz')).status).toBe(200);
    const { code, out } = await stop();
    expect(code).toBe(0);
    expect(out).toContain('there is no certificate to reload, because TLS_CERT is not set');
  });

  it('prints the fix when its port is in use', async () => {
    const first = await serve(settings('port.db'));
    const second = await backroom({ ...settings('port-2.db'), PORT: new URL(first.address).port }, ['serve']);
    expect(second).toMatchObject({
      code: 1,
      err: expect.stringContaining('is used by another process; set PORT to another port.'),
    });
    await first.stop();
  });
});

describe('while the service runs', () => {
  it('keys are created, rotated with an overlap and revoked, and the service applies it', async () => {
    const env = { ...settings('keys.db') };
    const made = JSON.parse((await backroom(env, ['key', 'create', '--operator', '--json'])).out) as Record<
      string,
      string
    >;
    const { address, stop } = await serve(env);
    const asOperator = (key: string) =>
      call(address, 'GET', '/operator/v1/clients', undefined, { authorization: `Bearer ${key}` });
    expect((await asOperator(made.operatorKey!)).status).toBe(200);
    const rotated = JSON.parse(
      (await backroom(env, ['key', 'rotate', made.keyId!, '--operator', '--json'])).out,
    ) as Record<string, string>;
    expect((await asOperator(made.operatorKey!)).status).toBe(401);
    expect((await asOperator(rotated.operatorKey!)).status).toBe(200);

    const operator = { authorization: `Bearer ${rotated.operatorKey}` };
    await call(address, 'PUT', '/operator/v1/clients/SHOP', { name: 'Shop', catalogIds: ['A'] }, operator);
    const store = { name: 'Web', catalogId: 'A', sellerId: 'S', storeCode: 'W', currency: 'GBP' };
    await call(address, 'PUT', '/operator/v1/clients/SHOP/stores/WEB', store, operator);
    const create = [
      'key',
      'create',
      '--client',
      'SHOP',
      '--label',
      'oms',
      '--groups',
      'fulfillment',
      '--stores',
      'WEB',
      '--json',
    ];
    const key = JSON.parse((await backroom(env, create)).out) as Record<string, string>;
    const search = (apiKey: string) =>
      call(
        address,
        'POST',
        '/stores/WEB/fulfillmentOrder/search',
        { storeId: 'WEB', nodeId: 'N1' },
        { apikey: apiKey },
      );
    // The node does not exist: valid credentials get ACCESS_DENIED, and invalid credentials get CREDENTIALS_INVALID.
    const code = async (apiKey: string) => (await search(apiKey)).body.code;
    expect(await code(key.apiKey!)).toBe('ACCESS_DENIED');
    const rotate = ['key', 'rotate', key.keyId!, '--client', 'SHOP', '--overlap', '5', '--json'];
    const next = JSON.parse((await backroom(env, rotate)).out) as Record<string, string>;
    expect([await code(key.apiKey!), await code(next.apiKey!)]).toEqual(['ACCESS_DENIED', 'ACCESS_DENIED']);
    expect(await backroom(env, ['key', 'revoke', next.keyId!, '--client', 'SHOP'])).toMatchObject({ code: 0 });
    expect([await code(key.apiKey!), await code(next.apiKey!)]).toEqual(['ACCESS_DENIED', 'CREDENTIALS_INVALID']);
    const rows = await inStore(env, (db) =>
      db.read((tx) => tx.selectFrom('credentials').select(['groups', 'store_ids', 'expires_at']).execute()),
    );
    expect(rows.map((row) => [row.groups, row.store_ids])).toEqual([
      ['["fulfillment"]', '["WEB"]'],
      ['["fulfillment"]', '["WEB"]'],
    ]);
    expect(rows.filter((row) => row.expires_at !== null)).toHaveLength(1);
    expect((await backroom(env, ['key', 'create', '--client', 'NONE'])).code).toBe(1);
    await stop();
  });

  it.each([['--operator'], ['--client', 'SHOP']])(
    'a key that is rotated twice within its overlap is replaced each time by a key with its own expiry (%s)',
    async (...whose) => {
      const env = await filledSettings(`twice${whose[0]}.db`);
      const key = async (...args: string[]) => {
        const { code, out, err } = await backroom(env, ['key', ...args, ...whose, '--json']);
        return code === 0 ? (JSON.parse(out) as { keyId: string }).keyId : err;
      };
      const expiries = () =>
        inStore(env, (db) =>
          db.read(async (tx) => {
            const rows =
              whose[0] === '--operator'
                ? await tx.selectFrom('operator_keys').select(['key_id as id', 'expires_at']).execute()
                : await tx.selectFrom('credentials').select(['credential_id as id', 'expires_at']).execute();
            return new Map(rows.map(({ id, expires_at }) => [id, expires_at]));
          }),
        );
      const YEAR = Date.UTC(2099, 0, 1);
      for (const [own, options] of [
        [null, []],
        [YEAR, ['--expires', '2099-01-01T00:00:00Z']],
      ] as const) {
        const old = await key('create', ...options);
        const made = [];
        for (let time = 0; time < 3; time += 1) made.push(await key('rotate', old, '--overlap', '5'));
        const found = await expiries();
        expect(made.map((id) => found.get(id))).toEqual([own, own, own]);
        expect(found.get(old)).not.toBe(own);
      }
      await inStore(env, (db) =>
        db.write(async (tx) => {
          await tx.updateTable('operator_keys').set({ expires_at: 1 }).where('client_id', '=', '').execute();
          await tx.updateTable('credentials').set({ expires_at: 1 }).where('client_id', '=', 'SHOP').execute();
        }),
      );
      const [ended] = [...(await expiries()).keys()];
      expect(await key('rotate', ended!, '--overlap', '5')).toMatch(`key ${ended} in use`);
    },
  );

  it('users are added with a password from standard input, changed, listed and removed', async () => {
    const env = await filledSettings('users.db');
    const { stop } = await serve(env);
    const add = ['user', 'add', 'kim', '--client', 'SHOP', '--role', 'lead', '--nodes', 'N1'];
    expect(await backroom(env, add)).toMatchObject({ code: 1, err: expect.stringContaining('password is missing') });
    expect(await backroom(env, add, 'short\n')).toMatchObject({ code: 1, err: expect.stringContaining('password') });
    expect(await backroom(env, add, 'long enough\n')).toMatchObject({ code: 0, out: 'User kim was added.\n' });
    expect(await backroom(env, [...add, '--name', 'Kim Orr'])).toMatchObject({ code: 0 });
    const users = JSON.parse((await backroom(env, ['user', 'list', '--client', 'SHOP', '--json'])).out) as object[];
    expect(users).toMatchObject([{ userId: 'kim', name: 'Kim Orr', role: 'lead', nodeIds: ['N1'] }]);
    expect(JSON.stringify(users)).not.toContain('scrypt');
    const kim = ['user', 'add', 'kim', '--client', 'SHOP'];
    const listed = async () => (await backroom(env, ['user', 'list', '--client', 'SHOP'])).out;
    // A new password does not change role, nodes or name.
    expect(await backroom(env, kim, 'another long one\n')).toMatchObject({ code: 0 });
    expect(await listed()).toBe('kim\tlead\tN1\tKim Orr\n');
    expect(await backroom(env, [...kim, '--nodes', ''])).toMatchObject({ code: 1 });
    expect(await backroom(env, [...kim, '--all-nodes', '--nodes', 'N1'])).toMatchObject({ code: 2 });
    expect(await backroom(env, [...kim, '--all-nodes'])).toMatchObject({ code: 0 });
    expect(await listed()).toBe('kim\tlead\tall nodes\tKim Orr\n');
    await inStore(env, (db) =>
      db.write((tx) => tx.updateTable('users').set({ state: 'DISABLED' }).where('user_id', '=', 'kim').execute()),
    );
    expect(await listed()).toBe('kim\tlead\tall nodes\tKim Orr\tdisabled\n');
    expect((await backroom(env, kim, 'yet another long one\n')).out).toContain('but is disabled');
    for (const args of [['list'], ['remove', 'kim']]) {
      const unknown = await backroom(env, ['user', ...args, '--client', 'NOPE']);
      expect(unknown).toMatchObject({ code: 1, out: '', err: expect.stringContaining('There is no client "NOPE"') });
    }
    expect((await backroom(env, ['user', 'remove', 'kim', '--client', 'SHOP'])).code).toBe(0);
    expect(await backroom(env, ['user', 'remove', 'kim', '--client', 'SHOP'])).toMatchObject({ code: 1 });
    await stop();
    const log = await inStore(env, (store) =>
      store.read((db) =>
        db.selectFrom('access_events').select('type').where('type', 'like', 'user.%').orderBy('position').execute(),
      ),
    );
    const types = ['user.created', 'user.passwordReset', 'user.roleChanged', 'user.passwordReset', 'user.removed'];
    expect(log.map(({ type }) => type)).toEqual(types);
  });

  it('forget anonymizes the customer, deletes the PIN and gift messages, and the order can still be read', async () => {
    const env = await filledSettings('forget.db');
    const { address, stop } = await serve(env);
    expect(await backroom(env, ['forget', '--client', 'SHOP', '--web-order', 'NONE'])).toMatchObject({ code: 1 });
    const done = await backroom(env, ['forget', '--client', 'SHOP', '--web-order', '1', '--json']);
    expect(JSON.parse(done.out)).toEqual({ webOrderId: '1', fulfillmentOrderIds: ['1'], isClean: true });
    const rows = await inStore(env, (store) =>
      store.read(async (db) => [
        await db.selectFrom('fulfillment_orders').selectAll().execute(),
        await db.selectFrom('order_lines').selectAll().execute(),
        await db.selectFrom('events').select('data').execute(),
      ]),
    );
    for (const trace of ['Ann', 'ann', '5550100', '4711']) expect(JSON.stringify(rows)).not.toContain(trace);
    const made = await call(address, 'POST', '/operator/v1/clients/SHOP/credentials', { label: 'x' });
    const apikey = made.body.apiKey as string;
    const found = await call(
      address,
      'POST',
      '/stores/WEB/fulfillmentOrder/search',
      { storeId: 'WEB', nodeId: 'N1', webOrderId: '1' },
      { apikey },
    );
    expect(found.body).toMatchObject({ fulfillmentOrders: [{ fulfillmentOrderId: '1', customer: { name: '-' } }] });
    await stop();
  });

  it('a backup is taken and verified, and restored only if no data is overwritten', async () => {
    const env = await filledSettings('origin.db');
    const { stop } = await serve(env);
    const file = join(folder, 'copy.backup');
    const taken = await backroom(env, ['backup', file, '--json']);
    expect(JSON.parse(taken.out), taken.err).toMatchObject({
      secretFile: `${file}.secret`,
      counts: {
        items: 1,
        fulfillment_orders: 1,
        inbound_shipments: 0,
        inbound_receipts: 0,
        stock_levels: 0,
        stock_moves: 0,
      },
    });
    expect([file, `${file}.secret`].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(await backroom(env, ['backup', file])).toMatchObject({
      code: 1,
      err: expect.stringContaining('exists already'),
    });
    expect(await backroom(env, ['restore', file, '--force'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('served by another process. Stop the service'),
    });
    await stop();
    expect(await backroom(env, ['restore', file])).toMatchObject({
      code: 1,
      err: expect.stringContaining('has data'),
    });
    expect(await backroom(env, ['restore', file, '--force'])).toMatchObject({ code: 0 });

    const other = { ...settings('elsewhere.db') };
    expect(await backroom(other, ['restore', file, '--verify'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('items: 1\n'),
    });
    expect(existsSync(join(folder, 'elsewhere.db'))).toBe(false);
    expect(await backroom(other, ['restore', file])).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'elsewhere.db.secret'))).toEqual(readFileSync(join(folder, 'origin.db.secret')));
    const exported = async (from: Record<string, string>) =>
      (await backroom(from, ['export', 'orders', '--client', 'SHOP'])).out;
    expect(await exported(other)).toBe(await exported(env));
    expect(await backroom(other, ['doctor'])).toMatchObject({ code: 0 });

    const damaged = join(folder, 'damaged.backup');
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 8192 * 3, 8192 * 12);
    writeFileSync(damaged, bytes);
    expect(await backroom(settings('third.db'), ['restore', damaged])).toMatchObject({ code: 1, out: '' });
    for (const [name, content] of [
      ['half', bytes.subarray(0, bytes.length / 2)],
      ['other', Buffer.alloc(8192, 'x')],
    ] as const) {
      const path = join(folder, `${name}.backup`);
      writeFileSync(path, content);
      const refused = await backroom(settings('third.db'), ['restore', path]);
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`${path} is damaged`) });
    }
    expect(existsSync(join(folder, 'third.db'))).toBe(false);
  });
});

describe('the key that seals PINs', () => {
  it('is rejected if the database was used with another key, reported by doctor, and never backed up', async () => {
    const env = await filledSettings('keyed.db');
    const key = join(folder, 'keyed.db.secret');
    const right = readFileSync(key);
    const wrong = expect.stringContaining('is not the key of this database');
    const other = { ...env, BACKROOM_SECRET: 'cd'.repeat(32) };
    expect(await backroom(other, ['import', 'items', key, '--client', 'SHOP'])).toMatchObject({ code: 1, err: wrong });
    expect(await backroom(other, ['doctor'])).toMatchObject({ code: 1, out: wrong });
    const told = await backroom(other, ['backup', join(folder, 'keyed.0')]);
    expect(told).toMatchObject({ code: 1, err: wrong });
    expect(told.err).toContain('leave BACKROOM_SECRET out');
    expect(readdirSync(folder).filter((name) => name.startsWith('keyed.0'))).toEqual([]);
    writeFileSync(key, 'cd'.repeat(32));
    expect(await backroom(env, ['backup', join(folder, 'keyed.1')])).toMatchObject({ code: 1, err: wrong });
    expect(existsSync(join(folder, 'keyed.1.secret'))).toBe(false);

    rmSync(key);
    expect(await backroom(env, ['key', 'create', '--operator'])).toMatchObject({ code: 1, err: wrong });
    expect(existsSync(key), 'a rejected command leaves no new key').toBe(false);
    expect(await backroom(env, ['export', 'items', '--client', 'SHOP'])).toMatchObject({ code: 0 });
    expect(existsSync(key)).toBe(false);
    expect(await backroom(env, ['backup', join(folder, 'keyed.2')])).toMatchObject({
      code: 0,
      out: expect.stringContaining('no key file beside the database'),
    });
    expect(await backroom(env, ['restore', join(folder, 'keyed.2'), '--force'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('the key of its PINs is missing'),
    });
    writeFileSync(key, right, { mode: 0o600 });
    expect(await backroom(env, ['doctor'])).toMatchObject({ code: 0 });
  });

  it('belongs to the database from the first import of orders on', async () => {
    const env = { ...settings('imported.db'), BACKROOM_SECRET: 'ab'.repeat(32) };
    await backroom(env, ['migrate']);
    const file = join(folder, 'none.json');
    writeFileSync(file, '[]');
    await backroom(env, ['import', 'orders', file, '--client', 'NONE', '--store', 'NONE']);
    const other = { ...env, BACKROOM_SECRET: 'cd'.repeat(32) };
    expect(await backroom(other, ['doctor'])).toMatchObject({ code: 1, out: expect.stringContaining('secret') });
  });
});

describe('import', () => {
  it('ends with 1 if every row was rejected or a file is missing, and with 0 if a row was accepted', async () => {
    const env = settings('refused.db');
    await backroom(env, ['migrate']);
    const client = {
      client_id: 'SHOP',
      name: 'Shop',
      catalog_ids: '["A"]' as Json<string[]>,
      settings: '{}' as Json<object>,
      created_at: 0,
      updated_at: 0,
    };
    await inStore(env, (store) => store.write((tx) => tx.insertInto('clients').values(client).execute()));
    const run = (items: object[], ...more: string[]) => {
      const file = join(folder, `${items.length}-items.json`);
      writeFileSync(file, JSON.stringify(items));
      return backroom(env, ['import', 'items', file, ...more, '--client', 'SHOP']);
    };
    const bad = item('K2', { type: 'NONE' });
    expect(await run([bad])).toMatchObject({ code: 1, err: expect.stringContaining('Every row was rejected') });
    expect(await run([bad, item('K1')])).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 imported, 1 rejected'),
    });
    // An error in a later file does not hide the counts of an earlier one.
    expect(await run([bad, item('K1')], join(folder, 'nowhere.csv'))).toMatchObject({
      code: 1,
      out: expect.stringContaining('1 imported, 1 rejected'),
      err: expect.stringContaining('There is no file'),
    });
  });
});

describe('doctor', () => {
  const faulty: [string, string, string][] = [
    ['units of picks', "update order_lines set picked = 1 where client_id = 'SHOP'", '1 line 1'],
    ['schema', "update migrations set hash = 'x'", 'was changed'],
  ];
  it.each(faulty)('finds an error of: %s', async (check, statement, found) => {
    const env = await filledSettings(`doctor-${check}.db`);
    const fine = await backroom(env, ['doctor', '--json']);
    expect(fine.code, fine.out).toBe(0);
    expect(JSON.parse(fine.out)).toMatchObject({ ok: true });
    const { sql } = await import('kysely');
    await inStore(env, (store) => store.write((tx) => sql.raw(statement).execute(tx)));
    const ill = await backroom(env, ['doctor']);
    expect(ill.code).toBe(1);
    expect(ill.out).toMatch(new RegExp(`^error  ${check}: .*${found}`, 'm'));
    expect(ill.out.match(/^error/gm)).toHaveLength(1);
  });
});
