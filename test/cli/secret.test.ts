/**
 * Rotation of the key that seals PINs and secrets of webhooks (docs/decisions/007). With both keys the service reads
 * all values. After `secret reseal` it does not need the former key.
 */
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { systemPorts } from '../../src/platform/ports.ts';
import { createSealer, WrongSecret } from '../../src/platform/secrets.ts';
import { add } from '../../src/service/cli/secret.ts';
import { pickupOrder } from '../orders/place.ts';
import { type Backroom, NOON, openBackroom } from '../support/backroom.ts';
import { keepTestStore, openTestStore } from '../support/store.ts';
import { openTown } from '../support/town.ts';

const OLD = 'ab'.repeat(32);
const NEW = 'cd'.repeat(32);
const QUEUE = 'WAITING_FOR_PICK_ISPU';

/** Opens a copy of the database with other keys. */
async function reopened(room: Backroom, env: Record<string, string>, seed: string): Promise<Backroom> {
  await room.server.app.close();
  const content = await keepTestStore(room.store);
  return openBackroom(env, { store: await openTestStore({}, content), seed, now: NOON });
}

const reseal = (room: Backroom, env: Record<string, string>) => run(room, env, 'reseal');

async function run(room: Backroom, env: Record<string, string>, command: string): Promise<Record<string, unknown>> {
  let out = '';
  const program = new Command();
  add(program, {
    env: { DATABASE_URL: room.store.url, ...env },
    out: { write: (text: string) => (out += text) },
    err: { write: () => true },
    signal: new AbortController().signal,
    ports: () => systemPorts(createLog('silent')),
  } as never);
  await program.parseAsync(['node', 'backroom', 'secret', command, '--json']);
  return JSON.parse(out) as Record<string, unknown>;
}

it('the key is rotated while the service runs: PINs, stored responses and retried orders remain valid', async () => {
  const town = await openTown();
  const { headers } = town.client;
  const path = '/operator/v1/clients/TOWN/credentials';
  const keyed = { authorization: 'Bearer operator-key-of-the-tests', 'idempotency-key': 'k1' };
  const make = (room: Backroom) => room.call({ method: 'POST', path, headers: keyed, body: { label: 'Kept' } });
  const made = await make(town);
  const search = (room: Backroom) =>
    room.call({
      method: 'POST',
      path: `/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders?queueId=${QUEUE}`,
      headers,
      body: { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', queueId: QUEUE, pinNumber: '4711' },
    });
  const sent = {
    ...pickupOrder('ROTATED', { lines: [{ webLineId: '1', itemId: '21-MUG-WHT', quantity: 1, unitPrice: 10 }] }),
    nodeId: 'TOWN-Store001',
    pinNumber: '4711',
  };
  const intake = async (room: Backroom, members: object = {}) => {
    const body = { ...sent, ...members };
    const answer = await room.call({
      method: 'POST',
      path: '/operator/v1/stores/TOWN_US/fulfillmentOrders',
      headers: { authorization: 'Bearer operator-key-of-the-tests' },
      body,
    });
    if (answer.status === 400) throw new Error(answer.text);
    return [answer.status, answer.status === 409 ? answer.body.differs[0].members : undefined] as const;
  };
  expect(await intake(town)).toEqual([201, undefined]);
  const found = (await search(town)).body.fulfillmentOrders as { fulfillmentOrderId: string }[];
  expect(found.map((order) => order.fulfillmentOrderId)).toContain('ROTATED');

  // The new key is rejected without the former key; with both keys, all values are readable.
  await town.server.app.close();
  const content = await keepTestStore(town.store);
  await expect(
    openBackroom({ BACKROOM_SECRET: NEW }, { store: await openTestStore({}, content), seed: 'refused' }),
  ).rejects.toThrow(WrongSecret);
  const both = { BACKROOM_SECRET: NEW, BACKROOM_SECRET_PREVIOUS: OLD };
  const during = await openBackroom(both, { store: await openTestStore({}, content), seed: 'during', now: NOON });
  expect((await search(during)).body.fulfillmentOrders).toEqual(found);
  expect((await make(during)).text).toBe(made.text);
  expect([await intake(during), await intake(during, { omsOrderId: 'X' })]).toEqual([
    [200, undefined],
    [409, ['omsOrderId']],
  ]);
  expect(await intake(during, { fulfillmentOrderId: 'NEWER' })).toEqual([201, undefined]);

  // The former key is required until all values are resealed.
  await expect(reopened(during, { BACKROOM_SECRET: NEW }, 'early')).rejects.toThrow('secret reseal');
});

it('after reseal the former key is not needed, and a second run changes nothing', async () => {
  const town = await openTown();
  const { headers } = town.client;
  const search = async (room: Backroom) => {
    const answer = await room.call({
      method: 'POST',
      path: `/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders?queueId=${QUEUE}`,
      headers,
      body: { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', queueId: QUEUE, pinNumber: '4711' },
    });
    return answer.body.fulfillmentOrders as unknown[];
  };
  const found = await search(town);
  expect(found.length).toBeGreaterThan(0);
  const both = { BACKROOM_SECRET: NEW, BACKROOM_SECRET_PREVIOUS: OLD };
  const during = await reopened(town, both, 'during');
  const done = await reseal(during, both);
  expect(done).toMatchObject({ keyId: expect.stringMatching(/^[0-9a-f]{8}$/) as string });
  expect(done['pins']).toBeGreaterThan(0);
  expect(await reseal(during, both)).toMatchObject({ pins: 0, webhooks: 0, replies: 0 });
  expect(await search(during)).toEqual(found);
  const after = await reopened(during, { BACKROOM_SECRET: NEW }, 'after');
  expect(await search(after)).toEqual(found);
  await expect(reopened(after, { BACKROOM_SECRET: OLD }, 'old')).rejects.toThrow(WrongSecret);
});

it('the secrets of webhooks are resealed, also the former secret of one that got a new secret during the rotation', async () => {
  const town = await openTown();
  const path = '/operator/v1/clients/TOWN/webhooks/orders';
  const headers = { authorization: 'Bearer operator-key-of-the-tests' };
  const body = { url: 'https://hooks.example.com/backroom', types: ['order.*'], enabled: false };
  expect((await town.call({ method: 'PUT', path, headers, body })).status).toBe(201);
  const both = { BACKROOM_SECRET: NEW, BACKROOM_SECRET_PREVIOUS: OLD };
  const during = await reopened(town, both, 'during');
  const rotated = await during.call({
    method: 'POST',
    path: `${path}/secret`,
    headers,
    body: { overlapSeconds: 3600 },
  });
  expect(rotated.status).toBe(200);
  // Two values are still sealed with the former key: the PIN of a user, and the previous secret of the webhook.
  expect(await run(during, both, 'status')).toMatchObject({ left: 2 });
  expect(await reseal(during, both)).toMatchObject({ pins: 1, webhooks: 1 });
  expect(await run(during, both, 'status')).toMatchObject({ left: 0 });
  const sealer = createSealer(Buffer.from(NEW, 'hex'));
  const row = await during.store.read((db) =>
    db.selectFrom('webhooks').select(['secret', 'old_secret']).executeTakeFirstOrThrow(),
  );
  expect(sealer.open(row.secret)).not.toBe(sealer.open(row.old_secret!));
});
