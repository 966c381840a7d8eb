import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { item, node, order } from '../import/support/shop.ts';
import { backroom, folder, serve, settings } from './support.ts';

const KEY = 'operator-key-of-the-tests';

/** Unique texts in the fields of an order that have personal data. */
const CANARIES = {
  name: 'Zaphira Quillfeather',
  email: 'zaphira@quillfeather.example',
  phone: '+44 20 5550 7311',
  proxyName: 'Orlanthe Brindlewick',
  proxyEmail: 'orlanthe@brindlewick.example',
  proxyPhone: '+44 20 5550 8422',
  firstName: 'Zaphirelle',
  lastName: 'Quillfeathery',
  line1: '77 Umbershade Terrace',
  postalCode: 'UX9 4ZQ',
  gift: 'Felicitations, dear Marmaduke',
};
/** Search keys contain the texts in these forms. */
const KEYS = ['zaphira', 'quillfeather', '442055507311', '442055508422', 'orlanthe', 'ux94zq'];
const PIN = '86753091';

const contact = (name: string, email: string, phone: string) => ({ name, email, phone });

async function fill(env: Record<string, string>, address: string): Promise<void> {
  const put = async (path: string, body: object) => {
    const answer = await fetch(`${address}/operator/v1/clients/SHOP${path}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(201);
  };
  await put('', { name: 'Shop', catalogIds: ['A'] });
  await put('/stores/WEB', { name: 'Web', catalogId: 'A', sellerId: 'S', storeCode: 'W', currency: 'GBP' });
  const lines = [
    {
      webLineId: '1',
      itemId: 'A-K1',
      quantity: 2,
      unitPrice: 1,
      instructions: [{ type: 'GIFT', text: CANARIES.gift }],
    },
  ];
  const one = order('1', lines, { pinNumber: PIN }) as { destinations: object[] };
  const destination = {
    ...one.destinations[0],
    personName: { firstName: CANARIES.firstName, lastName: CANARIES.lastName },
    address: {
      line1: CANARIES.line1,
      city: 'Bath',
      mainDivisionCode: '',
      postalCode: CANARIES.postalCode,
      countryCode: 'GB',
    },
    phone: CANARIES.phone,
    email: CANARIES.email,
  };
  const whole = {
    ...one,
    customer: contact(CANARIES.name, CANARIES.email, CANARIES.phone),
    proxyDetails: contact(CANARIES.proxyName, CANARIES.proxyEmail, CANARIES.proxyPhone),
    destinations: [destination],
  };
  const rows = {
    nodes: [node('N1')],
    items: [item('K1')],
    orders: [
      whole,
      order(
        '2',
        lines.slice(0, 1).map((line) => ({ ...line, instructions: [] })),
      ),
    ],
  };
  for (const [kind, values] of Object.entries(rows)) {
    const file = join(folder, `forget-${kind}.json`);
    writeFileSync(file, JSON.stringify(values));
    const done = await backroom(env, ['import', kind, file, '--client', 'SHOP', '--store', 'WEB', '--json']);
    expect(JSON.parse(done.out), done.err).toMatchObject({ rowsImported: values.length });
  }
}

/** Returns which of `texts` the bytes of `files` contain, each with its file. Ignores case. */
function traces(files: readonly string[], texts: readonly string[]): string[] {
  return files
    .filter((file) => existsSync(file))
    .flatMap((file) => {
      const bytes = readFileSync(file).toString('latin1').toLowerCase();
      return texts
        .filter((text) => bytes.includes(Buffer.from(text).toString('latin1').toLowerCase()))
        .map((text) => `${text} in ${file.slice(folder.length)}`);
    });
}

const ALL = [...Object.values(CANARIES), ...KEYS, PIN];

describe('a customer', () => {
  it('who is forgotten while the service runs is in no byte of the database, its log and a new backup', async () => {
    const env = { ...settings('forgotten.db'), BACKROOM_OPERATOR_KEY: KEY };
    const file = join(folder, 'forgotten.db');
    const files = [file, `${file}-wal`, `${file}-shm`];
    const { address, stop } = await serve(env);
    await fill(env, address);
    const before = traces(files, Object.values(CANARIES)).map((line) => line.split(' in ')[0]);
    expect(new Set(before)).toEqual(new Set(Object.values(CANARIES)));

    const change = async () => {
      const answer = await fetch(`${address}/operator/v1/stores/WEB/fulfillmentOrders/1/change`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'idempotency-key': 'k' },
        body: JSON.stringify({ changeId: 'c1', userId: 'a', note: 'Ring twice' }),
      });
      return { isReplayed: answer.headers.get('idempotent-replayed') === 'true', text: await answer.text() };
    };
    const names = () => change().then(({ isReplayed, text }) => [isReplayed, text.includes(CANARIES.name)]);
    expect([await names(), await names()]).toEqual([
      [false, true],
      [true, true],
    ]);

    const asked = ['export', 'person', '--client', 'SHOP', '--web-order', '1'];
    const shown = await backroom(env, asked);
    for (const canary of Object.values(CANARIES)) expect(shown.out).toContain(canary);
    expect(shown.out).not.toContain(PIN);
    expect(JSON.parse(shown.out)).toMatchObject({
      clientId: 'SHOP',
      webOrderId: '1',
      fulfillmentOrders: [{ fulfillmentOrderId: '1', forgottenAt: null, pinNumber: 'held, sealed; not shown' }],
    });

    const forgotten = await backroom(env, ['forget', '--client', 'SHOP', '--web-order', '1', '--json']);
    expect(JSON.parse(forgotten.out)).toEqual({ webOrderId: '1', fulfillmentOrderIds: ['1'], isClean: true });
    expect(traces(files, ALL)).toEqual([]);
    const stored = new Database(file, { readonly: true });
    for (const table of ['idempotency_keys', 'idempotency_orders']) {
      expect([table, stored.prepare(`select count(*) as count from ${table}`).get()]).toEqual([table, { count: 0 }]);
    }
    stored.close();
    expect(await names()).toEqual([false, false]);
    const copy = join(folder, 'forgotten.backup');
    expect((await backroom(env, ['backup', copy])).code).toBe(0);
    expect(traces([copy], ALL)).toEqual([]);

    const after = await backroom(env, [...asked, '-o', join(folder, 'person.json')]);
    expect(after).toMatchObject({ code: 0, out: '' });
    expect(traces([join(folder, 'person.json')], ALL)).toEqual([]);
    expect(statSync(join(folder, 'person.json')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(folder, 'person.json'), 'utf8'))).toMatchObject({
      fulfillmentOrders: [
        { fulfillmentOrderId: '1', forgottenAt: expect.any(String), pinNumber: null, lines: [{ instructions: null }] },
      ],
    });
    const ended = await stop();
    expect(ended.code).toBe(0);
    for (const text of ALL) expect((ended.out + ended.err).toLowerCase()).not.toContain(text.toLowerCase());
    expect(traces(files, ALL)).toEqual([]);
  }, 180_000);

  it('left in free pages by an earlier release is removed by --rewrite', async () => {
    const env = { ...settings('older.db'), BACKROOM_OPERATOR_KEY: KEY };
    const { address, stop } = await serve(env);
    await fill(env, address);
    await stop();
    const file = join(folder, 'older.db');
    const older = new Database(file);
    older.pragma('secure_delete = OFF');
    older.exec(
      `create table left_over (text); insert into left_over values ('Barnaby Thistlewood'); drop table left_over`,
    );
    older.close();
    expect(traces([file], ['Barnaby Thistlewood'])).toHaveLength(1);
    const forget = ['forget', '--client', 'SHOP', '--web-order', '1', '--rewrite'];
    expect(await backroom(env, forget)).toMatchObject({ code: 0 });
    expect(traces([file, `${file}-wal`], ['Barnaby Thistlewood', ...ALL])).toEqual([]);
  }, 120_000);

  it('of one store is exported and forgotten, not the customer of another store with the same order number', async () => {
    const env = { ...settings('stores.db'), BACKROOM_OPERATOR_KEY: KEY };
    const { address, stop } = await serve(env);
    await fill(env, address);
    const made = await fetch(`${address}/operator/v1/clients/SHOP/stores/WEB2`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Two', catalogId: 'A', sellerId: 'S', storeCode: 'X', currency: 'GBP' }),
    });
    expect(made.status).toBe(201);
    await stop();
    const file = join(folder, 'stores-orders.json');
    const line = { webLineId: '1', itemId: 'A-K1', quantity: 1, unitPrice: 1 };
    const bo = { name: 'Bo Ek', email: 'bo@example.com', phone: '5550111' };
    writeFileSync(file, JSON.stringify([{ ...order('3', [line]), webOrderId: '1', customer: bo }]));
    const added = await backroom(env, ['import', 'orders', file, '--client', 'SHOP', '--store', 'WEB2', '--json']);
    expect(JSON.parse(added.out), added.err).toMatchObject({ rowsImported: 1 });

    const of = ['--client', 'SHOP', '--web-order', '1'];
    const said = 'Web order "1" is in several stores: "WEB", "WEB2". Add --store with one of them.';
    for (const command of [['export', 'person'], ['forget']]) {
      const whose = await backroom(env, [...command, ...of]);
      expect(whose).toMatchObject({ code: 1, out: '', err: expect.stringContaining(said) });
      const nowhere = await backroom(env, [...command, ...of, '--store', 'WEB3']);
      expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining('of web order "1" in store "WEB3"') });
    }
    const person = await backroom(env, ['export', 'person', ...of, '--store', 'WEB']);
    expect(person.out).toContain(CANARIES.name);
    expect(person.out).not.toContain('Bo Ek');
    const forgotten = await backroom(env, ['forget', ...of, '--store', 'WEB', '--json']);
    expect(JSON.parse(forgotten.out)).toEqual({ webOrderId: '1', fulfillmentOrderIds: ['1'], isClean: true });
    const other = await backroom(env, ['export', 'person', ...of, '--store', 'WEB2']);
    expect(JSON.parse(other.out)).toMatchObject({
      fulfillmentOrders: [{ fulfillmentOrderId: '3', forgottenAt: null, customer: bo }],
    });
  }, 120_000);

  it('of a missing web order is an error of one sentence', async () => {
    const env = settings('nobody.db');
    await backroom(env, ['migrate']);
    const words = 'has no orders of web order "1"';
    const { code, out, err } = await backroom(env, ['export', 'person', '--client', 'SHOP', '--web-order', '1']);
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining(words) });
  }, 120_000);
});
