import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openStore } from '../../src/platform/storage/db.ts';
import { SmallDisk, whyNoMount } from '../../town/disk.ts';
import { backroom, folder, serve, settings } from './support.ts';

const KEY = 'a-key-of-the-operator-for-badges-31';
const { DATABASE_URL = '', ...rest } = settings('badges.db');
const env = { ...rest, DATABASE_URL, BACKROOM_OPERATOR_KEY: KEY };
const sheet = (name: string) => join(folder, name);
const badges = (...args: string[]) => backroom(env, ['badges', '--client', 'ACME', ...args]);

beforeAll(async () => {
  const { address, stop } = await serve(env);
  const put = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const response = await fetch(`${address}/operator/v1/clients/ACME${path}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  };
  await put('', { name: 'Acme', catalogIds: ['1'] });
  const address1 = { line1: '1 Road', city: 'London', postalCode: 'N1', countryCode: 'GB' };
  for (const nodeId of ['1000', '2000']) {
    await put(`/nodes/${nodeId}`, { name: nodeId, nodeType: 'STORE', timeZone: 'Europe/London', address: address1 });
  }
  const users: [string, string[], string][] = [
    ['kim', ['1000'], 'ACTIVE'],
    ['ana', ['2000'], 'ACTIVE'],
    ['everywhere', [], 'ACTIVE'],
    ['gone', ['1000'], 'DISABLED'],
  ];
  for (const [userId, nodeIds, state] of users) {
    await put(`/users/${userId}`, {
      name: `Name of ${userId}`,
      role: 'associate',
      nodeIds,
      state,
      password: 'correct horse battery',
    });
  }
  await stop();
}, 60_000);

/** Returns the hash of the badge of each user; null for a user without a badge. */
async function hashes(): Promise<Record<string, string | null>> {
  const store = await openStore(env.DATABASE_URL);
  try {
    const rows = await store.read((db) =>
      db.selectFrom('users').select(['user_id', 'badge_hash']).where('client_id', '=', 'ACME').execute(),
    );
    return Object.fromEntries(rows.map((row) => [row.user_id, row.badge_hash]));
  } finally {
    await store.close();
  }
}

const usersOn = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/<h1>Name of (\w+)<\/h1>/g)].map(([, userId]) => userId);

it('a sheet has a card of each active user of the node and mode 600, and no badge is printed elsewhere', async () => {
  const file = sheet('node.html');
  const { code, out, err } = await badges('--node', '1000', '-o', file);
  expect([code, err]).toEqual([0, '']);
  expect(usersOn(file)).toEqual(['everywhere', 'kim']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(out).toContain('2 badges are on');
  const known = await hashes();
  expect([known['ana'], known['gone']]).toEqual([null, null]);
  expect(known['kim']).toMatch(/^[0-9a-f]{64}$/);
  // The bar codes are drawn as shapes, so the page does not contain the text of a badge.
  expect(readFileSync(file, 'utf8')).not.toContain(known['kim']);
});

it('users with a badge keep it unless the command asks for new ones', async () => {
  const before = await hashes();
  const none = await badges('--node', '1000', '-o', sheet('none.html'));
  expect([none.code, none.out]).toEqual([0, expect.stringContaining('No user needs a badge')]);
  expect(existsSync(sheet('none.html'))).toBe(false);
  await badges('-o', sheet('rest.html'));
  expect(usersOn(sheet('rest.html'))).toEqual(['ana']);
  await badges('--users', 'kim', '--again', '-o', sheet('again.html'));
  const after = await hashes();
  expect(after['kim']).not.toBe(before['kim']);
  expect(after['everywhere']).toBe(before['everywhere']);
});

it('an existing file is not overwritten, and no badge changes', async () => {
  const before = await hashes();
  const refused = await badges('--again', '-o', sheet('node.html'));
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('exists already')]);
  expect(await hashes()).toEqual(before);
});

it.skipIf(whyNoMount(sheet('probe')) !== undefined)(
  'a disk that becomes full within the sheet is an error: no badge changes, and no sheet remains',
  async () => {
    const before = await hashes();
    const disk = SmallDisk.make(sheet('full'), 1);
    try {
      writeFileSync(join(disk.folder, 'other'), Buffer.alloc(1024 * 1024 - 4096));
      const full = await badges('--again', '-o', join(disk.folder, 'half.html'));
      expect([full.code, full.err]).toEqual([1, expect.stringContaining('ENOSPC')]);
      expect(existsSync(join(disk.folder, 'half.html'))).toBe(false);
      expect(await hashes()).toEqual(before);
    } finally {
      disk.remove();
    }
  },
);

it('an unknown or disabled user is an error, and no sheet is written', async () => {
  for (const userId of ['nobody', 'gone']) {
    const refused = await badges('--users', `kim,${userId}`, '--again', '-o', sheet('wrong.html'));
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`no active user "${userId}"`)]);
    expect(existsSync(sheet('wrong.html'))).toBe(false);
  }
});

it.each([
  ['client', ['--client', 'NOPE'], 'There is no client "NOPE".'],
  ['node', ['--node', 'NOPE', '--again'], 'Client "ACME" has no node "NOPE".'],
] as const)('an unknown %s is an error: no badge changes, and no sheet is written', async (_what, args, said) => {
  const before = await hashes();
  const refused = await badges(...args, '-o', sheet('unknown.html'));
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(said)]);
  expect(existsSync(sheet('unknown.html'))).toBe(false);
  expect(await hashes()).toEqual(before);
});
