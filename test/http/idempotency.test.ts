import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyHashes, noteOrders, purgeBatch } from '../../src/platform/http/idempotency.ts';
import { createSealer, type Sealer } from '../../src/platform/secrets.ts';
import { type Answer, type Backroom, OPERATOR_KEY, openBackroom } from '../support/backroom.ts';

let backroom: Backroom;

beforeAll(async () => {
  backroom = await openBackroom();
  await backroom.operator('PUT', '/operator/v1/clients/TOWN', { name: 'Town', catalogIds: ['21'] });
});
afterAll(() => backroom.close());

/** Creates a credential. Without a key, this POST creates another credential each time. */
function create(key: string | undefined, label = 'till'): Promise<Answer> {
  return backroom.call({
    method: 'POST',
    path: '/operator/v1/clients/TOWN/credentials',
    body: { label },
    headers: { authorization: `Bearer ${OPERATOR_KEY}`, ...(key !== undefined && { 'idempotency-key': key }) },
  });
}

async function count(): Promise<number> {
  const rows = await backroom.store.read((db) => db.selectFrom('credentials').select('credential_id').execute());
  return rows.length;
}

describe('Idempotency-Key', () => {
  it('gives a retry the stored response and changes nothing', async () => {
    const before = await count();
    const first = await create('key-1');
    const again = await create('key-1');
    expect(first.status).toBe(201);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(again.status).toBe(201);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
    expect(await count()).toBe(before + 1);
  });

  it('is optional: without it each request creates a credential', async () => {
    const before = await count();
    await create(undefined);
    await create(undefined);
    expect(await count()).toBe(before + 2);
  });

  it('is rejected with another body: 422', async () => {
    await create('key-2');
    const other = await create('key-2', 'another');
    expect(other.status).toBe(422);
    expect(other.body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('of concurrent requests lets one take effect; the others get the stored response or 409', async () => {
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 16 }, () => create('key-3')));
    expect(answers.filter((answer) => answer.status === 201).length).toBeGreaterThan(0);
    for (const answer of answers.filter((each) => each.status !== 201)) {
      expect(answer.status).toBe(409);
      expect(answer.body.code).toBe('IDEMPOTENCY_KEY_IN_USE');
      expect(answer.headers['retry-after']).toBe('1');
    }
    expect(await count()).toBe(before + 1);
  });

  it('stores the response encrypted, so that no secret is in the database', async () => {
    const { body } = await create('key-secret');
    const stored = await backroom.store.read((db) => db.selectFrom('idempotency_keys').selectAll().execute());
    const dump = JSON.stringify(stored);
    expect(dump).not.toContain(body.apiKey);
    expect(dump).not.toContain(body.password);
  });

  it('stores no hash from which the password in a body could be guessed, and recognizes the hashes of release 0.5.0', async () => {
    const body = { name: 'Noor', password: 'a long word for noor', role: 'associate', nodeIds: [] };
    const put = (key: string, sent: object = body) =>
      backroom.call({
        method: 'PUT',
        path: '/operator/v1/clients/TOWN/users/noor',
        body: sent,
        headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'idempotency-key': key },
      });
    const first = await put('key-user');
    expect(first.status, first.text).toBe(201);
    const again = await put('key-user');
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect((await put('key-user', { ...body, password: 'another long word' })).status).toBe(422);
    const plain = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    const hashes = () => backroom.store.read((db) => db.selectFrom('idempotency_keys').select('body_hash').execute());
    expect((await hashes()).map((row) => row.body_hash)).not.toContain(plain);
    await backroom.store.write((tx) =>
      tx.updateTable('idempotency_keys').set({ body_hash: plain }).where('key', '=', 'key-user').execute(),
    );
    expect((await put('key-user')).headers['idempotent-replayed']).toBe('true');
  });

  it('recognizes the hash of a body with a password during a rotation of the secret', () => {
    const [old, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const hashes = (sealer: Sealer) =>
      bodyHashes({ hasPassword: true }, 'TOWN', Buffer.from('{"password":"x"}'), sealer);
    const before = hashes(createSealer(old));
    const during = hashes(createSealer(next, old));
    expect(during.bodyHash).not.toBe(before.bodyHash);
    expect(during.otherHashes).toContain(before.bodyHash);
  });

  it('stores no error: the corrected message can use the key again', async () => {
    const refused = await create('key-4', '');
    expect(refused.status).toBe(400);
    expect((await create('key-4')).status).toBe(201);
  });

  it('expires after 24 hours', async () => {
    const first = await create('key-5');
    backroom.clock.now += 24 * 3_600_000 - 1;
    expect((await create('key-5')).text).toBe(first.text);
    backroom.clock.now += 1;
    const later = await create('key-5');
    expect(later.status).toBe(201);
    expect(later.text).not.toBe(first.text);
  });

  it('is purged from the database once it has expired', async () => {
    await create('key-7');
    const keep = 24 * 3_600_000;
    const stored = () => backroom.store.read((db) => db.selectFrom('idempotency_keys').select('key').execute());
    await purgeBatch(backroom.store, backroom.clock.now, keep);
    expect(await stored()).toContainEqual({ key: 'key-7' });
    const all = (await stored()).length;
    expect(await purgeBatch(backroom.store, backroom.clock.now + keep, keep)).toBe(all);
    expect(await stored()).toEqual([]);
  });

  it('that is used again after it has expired is noted with the new time, so that the purge keeps the note', async () => {
    const keep = 24 * 3_600_000;
    const scope = {
      clientId: 'TOWN',
      credentialId: 'c',
      method: 'POST',
      path: '/p',
      key: 'key-8',
      bodyHash: '',
      otherHashes: [],
    };
    const note = (at: number) => backroom.store.write((tx) => noteOrders(tx, scope, 'TOWN', ['order'], at));
    const noted = () => backroom.store.read((db) => db.selectFrom('idempotency_orders').select('created_at').execute());
    const start = backroom.clock.now;
    await create('key-8');
    await note(start);
    await note(start + keep);
    await purgeBatch(backroom.store, start + keep, keep);
    expect(await noted()).toEqual([{ created_at: start + keep }]);
  });

  it('has 1 to 255 visible ASCII characters', async () => {
    expect((await create('k'.repeat(255))).status).toBe(201);
    for (const bad of ['k'.repeat(256), 'two words', '']) {
      const answer = await create(bad);
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].pointer).toBe('header:Idempotency-Key');
    }
  });

  it('is not shared by paths', async () => {
    await backroom.operator('PUT', '/operator/v1/clients/NEXT', { name: 'Next', catalogIds: ['22'] });
    await create('key-6');
    const other = await backroom.call({
      method: 'POST',
      path: '/operator/v1/clients/NEXT/credentials',
      body: { label: 'till' },
      headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'idempotency-key': 'key-6' },
    });
    expect(other.status).toBe(201);
    expect(other.headers['idempotent-replayed']).toBeUndefined();
  });
});

describe('Prefer: handling=lenient', () => {
  const put = (prefer?: string) =>
    backroom.call({
      method: 'PUT',
      path: '/operator/v1/clients/LOOSE',
      body: { name: 'Loose', catalogIds: ['31'], nmae: 'typo' },
      headers: { authorization: `Bearer ${OPERATOR_KEY}`, ...(prefer !== undefined && { prefer }) },
    });

  it('is off by default: the error for an unknown field has the nearest known name', async () => {
    const answer = await put();
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0]).toMatchObject({ pointer: '/nmae', rule: 'unknown' });
    expect(answer.body.errors[0].message).toContain('name');
  });

  it('drops unknown fields and lists them in a header', async () => {
    const answer = await put('handling=lenient');
    expect(answer.status).toBe(201);
    expect(answer.headers['ignored-members']).toBe('/nmae');
    expect(answer.headers['preference-applied']).toBe('handling=lenient');
  });
});
