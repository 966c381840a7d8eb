import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inputFile, openShop, type Shop } from './support/shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.backroom.close());

const users = async () => (await shop.backroom.operator('GET', '/operator/v1/clients/SHOP/users')).body.users;

it('users come in from CSV, with a column per field and without passwords', async () => {
  const csv = 'userId,name,role,nodeIds.0,language\nkim,Kim Vale,associate,N1,de\nana,Ana Reis,lead,N1,\n';
  const summary = await shop.run({ kind: 'users', file: inputFile('users.csv', csv) });
  expect(summary).toMatchObject({ rowsRead: 2, rowsImported: 2, rejectFile: undefined });
  expect(await users()).toMatchObject([
    { userId: 'ana', name: 'Ana Reis', role: 'lead', nodeIds: ['N1'], state: 'ACTIVE' },
    { userId: 'kim', name: 'Kim Vale', role: 'associate', nodeIds: ['N1'], language: 'de' },
  ]);
});

it('users come in from NDJSON, also for every node, and a second file changes them', async () => {
  const row = { userId: 'kim', name: 'Kim', role: 'support', nodeIds: [] };
  await shop.run({ kind: 'users', file: inputFile('users.ndjson', `${JSON.stringify(row)}\n`) });
  const disabled = inputFile('users.ndjson', `${JSON.stringify({ ...row, state: 'DISABLED' })}\n`);
  expect(await shop.run({ kind: 'users', file: disabled })).toMatchObject({ rowsImported: 1 });
  expect(await users()).toMatchObject([{ userId: 'kim', role: 'support', nodeIds: [], state: 'DISABLED' }]);
});

it('users imported from a file cannot sign in with a password', async () => {
  await shop.run({ kind: 'users', file: inputFile('users.csv', 'userId,name,role,nodeIds.0\nkim,Kim,associate,N1\n') });
  for (const password of ['kim', ' ', 'N1']) {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const body = { clientId: 'SHOP', userId: 'kim', password };
    expect((await shop.backroom.call({ method: 'POST', path: '/session', headers, body })).status).toBe(401);
  }
});

it('a bad row is rejected with its reasons, and the rest goes in', async () => {
  const csv = 'userId,name,role,nodeIds.0\nkim,Kim,chief,N9\n,No name,associate,N1\nlease,L,lead,N1\nana,Ana,lead,N1\n';
  const summary = await shop.run({ kind: 'users', file: inputFile('users.csv', csv) });
  expect(summary).toMatchObject({ rowsRead: 4, rowsImported: 1 });
  const rejects = readFileSync(summary.rejectFile!, 'utf8');
  expect(rejects).toMatch(/kim,.*ENUM: 'role' must be one of.*REQUIRED: 'userId' is missing.*RESERVED/s);
  expect((await users()).map((one: { userId: string }) => one.userId)).toEqual(['ana']);
});

it('a password in a file rejects its row, and is nowhere in clear afterwards', async () => {
  const csv = 'userId,name,role,nodeIds.0,password\nkim,Kim,associate,N1,secret in a file\n';
  const summary = await shop.run({ kind: 'users', file: inputFile('users.csv', csv) });
  expect(summary).toMatchObject({ rowsImported: 0, rowsRefused: { UNKNOWN: 1 } });
  expect(readFileSync(summary.rejectFile!, 'utf8')).not.toContain('secret in a file');
});

it('an interrupted file goes on behind the rows that are in', async () => {
  const rows = Array.from({ length: 30 }, (_, index) => `user${String(index).padStart(2, '0')},U,associate,N1\n`);
  const file = inputFile('users.csv', `userId,name,role,nodeIds.0\n${rows.join('')}`);
  const stop = new AbortController();
  const first = await shop.run({
    kind: 'users',
    file,
    batchRows: 10,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  expect(first.finished).toBe(false);
  expect(await shop.run({ kind: 'users', file, batchRows: 10 })).toMatchObject({
    rowsRead: 30,
    rowsImported: 30,
    resumed: true,
  });
  expect(await users()).toHaveLength(30);
});

it('a row whose account is linked to another user changes nothing, for a new and for a known user', async () => {
  const { operator, store } = shop.backroom;
  const provider = {
    issuer: 'https://login.example.com',
    oidcClientId: 'backroom',
    clientSecret: 'secret of the provider',
    roles: {},
  };
  const made = await operator('PUT', '/operator/v1/clients/SHOP/identityProviders/login', provider);
  expect(made.status, made.text).toBe(201);
  const columns = 'userId,name,role,nodeIds.0,identities.0.providerId,identities.0.subject\n';
  const first = `${columns}ana,Ana,lead,N1,login,a\nkim,Kim,associate,N1,login,k\n`;
  expect(await shop.run({ kind: 'users', file: inputFile('users.csv', first) })).toMatchObject({ rowsImported: 2 });
  const events = () => store.read((db) => db.selectFrom('events').select(['type', 'resource_id']).execute());
  const before = [await users(), await events()];
  const moved = `${columns}bea,Bea,associate,N1,login,a\nkim,Kim,associate,N1,login,a\n`;
  const summary = await shop.run({ kind: 'users', file: inputFile('users.csv', moved) });
  expect(summary).toMatchObject({ rowsImported: 0, rowsRefused: { CONFLICT: 2 } });
  expect([await users(), await events()]).toEqual(before);
});
