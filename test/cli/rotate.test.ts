/**
 * `secret rotate` with a key file: a kill at any step loses no PIN, and the former key is deleted only when no value
 * needs it.
 */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { openStore, useStore } from '../../src/platform/storage/db.ts';
import { takeServing } from '../../src/platform/storage/serving.ts';
import { add as backup } from '../../src/service/cli/backup.ts';
import { add as doctor } from '../../src/service/cli/doctor.ts';
import { add as restore } from '../../src/service/cli/restore.ts';
import { add as secret } from '../../src/service/cli/secret.ts';
import { enroll, setPin } from '../people/support.ts';
import { type Backroom, NOON, openBackroom } from '../support/backroom.ts';
import { describeSqliteOnly } from '../support/store.ts';
import { openTown } from '../support/town.ts';
import { perform } from './in-process.ts';

// src/main.ts sets the same umask. Without it, doctor reports files that other users can read.
process.umask(0o077);

const OLD = 'ab'.repeat(32);
const folder = mkdtempSync(join(tmpdir(), 'backroom-rotate-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Stores the town in a file with a key file. The returned functions search orders by a PIN, unlock a device, and run
 * `secret`.
 */
async function placed(name: string) {
  const town = await openTown();
  await setPin(town, 'associate', '2580');
  const device = await enroll(town);
  const file = join(folder, name);
  await town.store.backup(file);
  await town.close();
  writeFileSync(`${file}.secret`, `${OLD}\n`, { mode: 0o600 });
  const env = { DATABASE_URL: `sqlite:${file}` };
  const search = (room: Backroom) =>
    room.call({
      method: 'POST',
      path: '/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders?queueId=WAITING_FOR_PICK_ISPU',
      headers: town.client.headers,
      body: { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', queueId: 'WAITING_FOR_PICK_ISPU', pinNumber: '4711' },
    });
  const found = async (): Promise<number> => {
    const store = await openStore(env.DATABASE_URL);
    const room = await openBackroom({ ...env, BACKROOM_SECRET: '' }, { store, seed: 'found', now: NOON });
    try {
      return ((await search(room)).body.fulfillmentOrders as unknown[]).length;
    } finally {
      await room.close();
    }
  };
  /** Unlocks the device with the PIN of Ana; returns the status of the response. */
  const unlock = async (): Promise<number> => {
    const store = await openStore(env.DATABASE_URL);
    const room = await openBackroom(
      { ...env, BACKROOM_SECRET: '' },
      { store, seed: `unlock ${Math.random()}`, now: NOON },
    );
    try {
      const headers = { 'sec-fetch-site': 'same-origin', cookie: device.cookie };
      return (
        await room.call({ method: 'POST', path: '/session/unlock', headers, body: { userId: 'ana', pin: '2580' } })
      ).status;
    } finally {
      await room.close();
    }
  };
  const run = (...args: string[]) => perform(secret, env, ['secret', ...args]);
  return { file, env, found, unlock, run };
}

describeSqliteOnly('PostgreSQL has no key file', 'rotating a key file', () => {
  it('reseals all values, keeps PINs of orders and users, and retires the former key when no value needs it', async () => {
    const { file, env, found, unlock, run } = await placed('whole.db');
    const orders = await found();
    expect(orders).toBeGreaterThan(0);
    const before = JSON.parse((await run('status', '--json')).out) as { keyId: string };
    expect(before).toMatchObject({ otherKeyId: null, left: 0 });
    const rotated = await run('rotate', '--json');
    expect(rotated, rotated.err).toMatchObject({ code: 0 });
    const [now, was] = [`${file}.secret`, `${file}.secret.previous`].map((one) => readFileSync(one, 'utf8').trim());
    expect(was).toBe(OLD);
    expect(now).toMatch(/^[0-9a-f]{64}$/);
    expect(now).not.toBe(OLD);
    for (const one of [`${file}.secret`, `${file}.secret.previous`]) expect(statSync(one).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.secret.next`)).toBe(false);
    expect(JSON.parse((await run('status', '--json')).out)).toMatchObject({
      otherKeyId: before.keyId,
      left: 0,
      userPins: 1,
    });
    expect(await found()).toBe(orders);
    const looked = await perform(doctor, env, ['doctor']);
    expect(looked.code, looked.out).toBe(0);

    // The command rejects another rotation: that rotation would delete a key that a PIN still needs.
    expect(await run('rotate')).toMatchObject({ code: 1, err: expect.stringContaining('secret retire') });
    expect(await run('retire')).toMatchObject({
      code: 1,
      err: expect.stringContaining('1 users have not used their PIN'),
    });
    expect(await unlock()).toBe(201);
    expect(await run('retire')).toMatchObject({ code: 0 });
    expect(existsSync(`${file}.secret.previous`)).toBe(false);
    expect(await unlock()).toBe(201);
    expect(await found()).toBe(orders);
    expect(await run('retire')).toMatchObject({ code: 1 });
  });

  it('resumes after a kill at each of its steps', async () => {
    const { file, found, run } = await placed('killed.db');
    const orders = await found();
    const key = `${file}.secret`;
    // The state after a kill: the former key is stored, and the new key is not in place yet.
    copyFileSync(key, `${key}.previous`);
    writeFileSync(`${key}.next`, `${'cd'.repeat(32)}\n`);
    expect(await found()).toBe(orders);
    // The state after a kill: the new key is in place, and no value is sealed with it yet.
    renameSync(`${key}.next`, key);
    expect(JSON.parse((await run('status', '--json')).out)).toMatchObject({ isRotating: true });
    expect(await found()).toBe(orders);
    expect(await run('rotate')).toMatchObject({ code: 0 });
    expect(readFileSync(key, 'utf8').trim()).toBe('cd'.repeat(32));
    expect(readFileSync(`${key}.previous`, 'utf8').trim()).toBe(OLD);
    expect(JSON.parse((await run('status', '--json')).out)).toMatchObject({ left: 0 });
    expect(await found()).toBe(orders);
  });

  it('keeps the former key until the rotation has ended, even if no value is sealed with it', async () => {
    const { file, env, found, run } = await placed('unfinished.db');
    const orders = await found();
    expect(await run('rotate')).toMatchObject({ code: 0 });
    const { otherKeyId } = JSON.parse((await run('status', '--json')).out) as { otherKeyId: string };
    const change = (statement: string) =>
      useStore(env.DATABASE_URL, {}, (store) => store.write((tx) => sql.raw(statement).execute(tx)));
    // The state after a kill between the last value and the end of the rotation.
    await change(`insert into installation (client_id, name, value) values ('', 'secretRotatedFrom', '${otherKeyId}')`);
    const status = await run('status');
    expect(status.out).toMatch(
      /everything is sealed with .*\nthe rotation has not ended: run backroom secret rotate\n/,
    );
    expect(await run('retire', '--force')).toMatchObject({
      code: 1,
      err: 'The rotation has not ended: run backroom secret rotate first.',
    });
    expect(existsSync(`${file}.secret.previous`)).toBe(true);
    expect(await run('rotate')).toMatchObject({ code: 0 });
    expect(JSON.parse((await run('status', '--json')).out)).toMatchObject({ isRotating: false });
    expect(await run('retire', '--force')).toMatchObject({ code: 0 });
    expect(await found()).toBe(orders);
  });

  it('needs the service to be stopped; a backup contains both keys', async () => {
    const { file, env, found, run } = await placed('backup.db');
    const giveBack = takeServing(env.DATABASE_URL);
    expect(await run('rotate')).toMatchObject({ code: 1, err: expect.stringContaining('served by another process') });
    giveBack();
    const orders = await found();
    expect(await run('rotate')).toMatchObject({ code: 0 });
    const copy = join(folder, 'copy.db');
    expect(await perform(backup, env, ['backup', copy])).toMatchObject({ code: 0 });
    const place = join(folder, 'place.db');
    expect(await perform(restore, { DATABASE_URL: `sqlite:${place}` }, ['restore', copy])).toMatchObject({ code: 0 });
    for (const end of ['', '.previous'])
      expect(readFileSync(`${place}.secret${end}`)).toEqual(readFileSync(`${file}.secret${end}`));
    expect(await found()).toBe(orders);
  });
});

it('with BACKROOM_SECRET it prints the steps, and never creates a key that is stored nowhere', async () => {
  const town = await openTown();
  const env = { DATABASE_URL: town.store.url, BACKROOM_SECRET: OLD };
  expect(await perform(secret, env, ['secret', 'rotate'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('BACKROOM_SECRET_PREVIOUS'),
  });
  expect(await perform(secret, env, ['secret', 'retire'])).toMatchObject({ code: 1 });
  const both = { ...env, BACKROOM_SECRET: 'cd'.repeat(32), BACKROOM_SECRET_PREVIOUS: OLD };
  expect(await perform(secret, both, ['secret', 'rotate', '--json'])).toMatchObject({ code: 0 });
  const status = await perform(secret, both, ['secret', 'status', '--json']);
  expect(JSON.parse(status.out)).toMatchObject({ left: 0, userPins: 0 });
  await town.server.app.close();
});
