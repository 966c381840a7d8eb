import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isPassword } from '../support/password.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { changed, done, eventsOf, faultsOf } from './support.ts';

const PATH = '/operator/v1/clients/TOWN/users/ines';
const body = { name: 'Inês Prado', role: 'associate', password: 'correct horse', nodeIds: ['TOWN-Store001'] };

let town: OpenTown;
beforeEach(async () => {
  town = await openTown({ neighbours: true });
});
afterEach(() => town.close());

const without = changed(body, '/password', undefined);

const put = (sent: object) => town.operator('PUT', PATH, sent);

async function hash(): Promise<string> {
  const row = await town.store.read((db) =>
    db
      .selectFrom('users')
      .select('password_hash')
      .where('client_id', '=', 'TOWN')
      .where('user_id', '=', 'ines')
      .executeTakeFirstOrThrow(),
  );
  return row.password_hash;
}

describe('PUT of a user', () => {
  it('makes the user with 201 and changes the user with 200', async () => {
    const made = await put(body);
    expect([made.status, made.body]).toEqual([
      201,
      {
        clientId: 'TOWN',
        userId: 'ines',
        name: 'Inês Prado',
        role: 'associate',
        nodeIds: ['TOWN-Store001'],
        state: 'ACTIVE',
        createdAt: '2026-03-02T12:00:00+00:00',
        updatedAt: '2026-03-02T12:00:00+00:00',
      },
    ]);
    town.clock.now += 1000;
    const lead = await put({ ...body, role: 'lead' });
    expect([lead.status, lead.body]).toEqual([
      200,
      { ...(made.body as object), role: 'lead', updatedAt: '2026-03-02T12:00:01+00:00' },
    ]);
  });

  it('removes the language if it is empty, and keeps it if it is left out or null', async () => {
    expect((await put({ ...body, language: 'de-CH' })).body).toMatchObject({ language: 'de-CH' });
    expect((await put(without)).body).toMatchObject({ language: 'de-CH' });
    expect((await put({ ...without, language: null })).body).toMatchObject({ language: 'de-CH' });
    const removed = await put({ ...without, language: '' });
    expect([removed.status, removed.body]).toEqual([200, expect.not.objectContaining({ language: expect.anything() })]);
    expect((await town.operator('GET', PATH)).body).not.toHaveProperty('language');
    const event = (await eventsOf(town, 'user', 'ines')).at(-1);
    expect(event).toMatchObject({ type: 'user.changed', data: { language: { from: 'de-CH', to: null } } });
    expect((await put({ ...without, language: 'd' })).status).toBe(400);
  });

  it('keeps the password as an argon2id hash only', async () => {
    await town.close();
    town = await openTown({ hashCost: undefined });
    await put(body);
    expect(await hash()).toMatch(/^argon2id\.19456\.2\.1\./);
    expect(isPassword('correct horse', await hash())).toBe(true);
    expect(isPassword('correct horsf', await hash())).toBe(false);
  });

  it('keeps the password that is left out and replaces one that is sent', async () => {
    await put(body);
    const before = await hash();
    expect((await put({ ...without, name: 'Inês' })).status).toBe(200);
    expect(await hash()).toBe(before);
    expect((await put({ ...body, password: 'battery staple' })).status).toBe(200);
    expect(isPassword('battery staple', await hash())).toBe(true);
  });

  it('asks for a password of a new user', async () => {
    const answer = await put(without);
    expect([answer.status, faultsOf(answer)]).toEqual([400, ['/password required']]);
  });

  it('never echoes a password', async () => {
    for (const password of ['hunter2', `hunter2${'x'.repeat(200)}`]) {
      const answer = await put({ ...body, password });
      expect(answer.status).toBe(400);
      expect(answer.text).not.toContain('hunter2');
    }
  });

  it('records what changed, and of a password only that it was replaced', async () => {
    await put(body);
    await put({ ...body, role: 'manager' });
    const events = await eventsOf(town, 'user', 'ines');
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['user.created', expect.not.objectContaining({ password: expect.anything() as unknown })],
      ['user.changed', { role: { from: 'associate', to: 'manager' }, password: 'replaced' }],
    ]);
    expect(JSON.stringify(events)).not.toContain('horse');
  });

  it('that changes nothing writes nothing', async () => {
    await put(body);
    town.clock.now += 1000;
    expect((await put(without)).body.updatedAt).toBe('2026-03-02T12:00:00+00:00');
    expect(await eventsOf(town, 'user', 'ines')).toHaveLength(1);
  });

  it('names every error at once', async () => {
    const answer = await put({
      name: 'x',
      role: 'clerk',
      userId: 'other',
      nodeIds: ['OTHER-Store001', 'TOWN-Store001', 'TOWN-Store001'],
    });
    expect([answer.status, faultsOf(answer)]).toEqual([
      400,
      ['/userId path-mismatch', '/password required', '/nodeIds/2 uniqueItems', '/nodeIds/0 unknown-id'],
    ]);
  });

  it('makes one user of two requests at once', async () => {
    const answers = await Promise.all([put(body), put(body), put(body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
  });

  it('keeps users of two clients with one id apart', async () => {
    await put(body);
    const foreign = '/operator/v1/clients/OTHER/users/ines';
    expect((await town.operator('GET', foreign)).status).toBe(404);
    await done(town.operator('PUT', foreign, { ...body, name: 'Other Inês', nodeIds: [] }));
    expect((await town.operator('GET', PATH)).body.name).toBe('Inês Prado');
  });
});
