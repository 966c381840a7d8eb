import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { record } from '../../src/events/record.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { Hashing } from '../../src/platform/hashing.ts';
import { registerOperations } from '../../src/platform/http/edge.ts';
import { Refusal } from '../../src/platform/http/errors.ts';
import { reply, writeOperation } from '../../src/platform/http/operation.ts';
import { Load } from '../../src/platform/http/overload.ts';
import { createLog } from '../../src/platform/log.ts';
import { inEnglish } from '../../src/platform/message/sentence.ts';
import { seededPorts } from '../../src/platform/ports.ts';
import { Type } from '../../src/platform/schema.ts';
import { createSealer } from '../../src/platform/secrets.ts';
import { Site } from '../../src/platform/site.ts';
import type { Store } from '../../src/platform/storage/db.ts';
import { NOON, OPERATOR_KEY } from '../support/backroom.ts';
import { openTestStore } from '../support/store.ts';

const RIGHT = '4711';
const commits: string[] = [];

/** An operation that counts wrong PINs. It returns the error of a wrong PIN, and throws the error of a locked door. */
const checkPin = writeOperation({
  id: 'checkPin',
  method: 'POST',
  path: '/operator/v1/doors/{doorId}',
  summary: 'Checks a PIN.',
  description: 'Checks a PIN and counts wrong ones.',
  access: { auth: 'operator' },
  message: {
    body: Type.Object({ pin: Type.String() }),
    replies: { 200: { description: 'Right.' } },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params, body }) {
      await record(ctx, {
        clientId: 'TOWN',
        type: 'credential.revoked',
        resource: 'credential',
        resourceId: params.doorId,
      });
      ctx.onCommit(() => commits.push(params.doorId));
      if (body.pin === 'locked') throw new Refusal(409, 'STATE', 'LOCKED', inEnglish('The door is locked.'));
      if (body.pin !== RIGHT)
        return new Refusal(400, 'VALIDATION', 'WRONG_PIN', inEnglish('The PIN is wrong; try again.'));
      return reply(200, { open: true });
    },
  },
  example: { path: '/operator/v1/doors/front', body: { pin: '1234' } },
});

let store: Store;
let app: FastifyInstance;

beforeAll(async () => {
  store = await openTestStore();
  const config = loadConfig({ BACKROOM_OPERATOR_KEY: OPERATOR_KEY, BACKROOM_SECRET: 'ab'.repeat(32) });
  const ports = seededPorts('counted', { now: NOON }, createLog('silent'));
  app = Fastify();
  const sealer = createSealer(Buffer.alloc(32, 7));
  registerOperations(app, {
    config,
    ports,
    store,
    sealer,
    operations: [checkPin],
    schemas: [],
    load: new Load(config),
    hashing: new Hashing(),
    site: new Site(config),
  });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await store.close();
});
beforeEach(async () => {
  commits.length = 0;
  await store.write((tx) => tx.deleteFrom('events').where('client_id', '=', 'TOWN').execute());
});

async function attempt(pin: string, headers: Record<string, string> = {}) {
  const response = await app.inject({
    method: 'POST',
    url: '/operator/v1/doors/D1',
    headers: { authorization: `Bearer ${OPERATOR_KEY}`, ...headers },
    payload: { pin },
  });
  return { status: response.statusCode, body: response.json<Record<string, unknown>>(), headers: response.headers };
}

async function counted(): Promise<number> {
  const rows = await store.read((db) =>
    db.selectFrom('events').select('event_id').where('client_id', '=', 'TOWN').execute(),
  );
  return rows.length;
}

describe('an error that an operation returns', () => {
  it('gets the same response as a thrown error, and the changes before it are committed', async () => {
    const answer = await attempt('0000');
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.body).toMatchObject({ status: 400, code: 'WRONG_PIN', detail: 'The PIN is wrong; try again.' });
    expect(await counted()).toBe(1);
    expect(commits).toEqual(['D1']);
  });

  it('differs from a thrown error, which undoes all changes', async () => {
    const answer = await attempt('locked');
    expect(answer.status).toBe(409);
    expect(await counted()).toBe(0);
    expect(commits).toEqual([]);
  });

  it('stores no response for its Idempotency-Key: the same key counts again, and can succeed later', async () => {
    const key = { 'idempotency-key': 'door-1' };
    expect((await attempt('0000', key)).status).toBe(400);
    const again = await attempt('0000', key);
    expect(again.status).toBe(400);
    expect(again.headers['idempotent-replayed']).toBeUndefined();
    expect(await counted()).toBe(2);
    const right = await attempt(RIGHT, key);
    expect(right.status).toBe(200);
    expect(right.headers['idempotent-replayed']).toBeUndefined();
    const replayed = await attempt(RIGHT, key);
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect(await counted()).toBe(3);
  });

  it('is neither shown nor counted for an invalid message, whether the PIN is right or wrong', async () => {
    const url = '/operator/v1/doors/D1?loud=1';
    const ask = (pin: string) =>
      app.inject({ method: 'POST', url, headers: { authorization: `Bearer ${OPERATOR_KEY}` }, payload: { pin } });
    const [wrong, right] = [await ask('0000'), await ask(RIGHT)];
    expect(wrong.statusCode).toBe(400);
    expect(wrong.json<{ code: string }>().code).toBe('INVALID_REQUEST');
    const { requestId: _one, ...toldWrong } = wrong.json<Record<string, unknown>>();
    const { requestId: _other, ...toldRight } = right.json<Record<string, unknown>>();
    expect(toldWrong).toEqual(toldRight);
    expect(await counted()).toBe(0);
  });
});
