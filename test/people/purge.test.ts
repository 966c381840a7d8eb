import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

const HOUR = 3_600_000;
const count = async (table: 'sessions' | 'sign_in_attempts') =>
  (await town.store.read((db) => db.selectFrom(table).selectAll().execute())).length;

describe('stored data of sign-ins', () => {
  it('remains for a day after the end of a session and a week after an attempt, and is then deleted', async () => {
    await town.signIn('lead');
    await town.call({
      method: 'POST',
      path: '/session',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: { clientId: 'TOWN', userId: 'leo', password: 'wrong' },
    });
    const [sessions, attempts] = [await count('sessions'), await count('sign_in_attempts')];
    expect([sessions > 0, attempts > 0]).toEqual([true, true]);
    town.clock.now += 20 * HOUR;
    await town.server.runDue();
    expect([await count('sessions'), await count('sign_in_attempts')]).toEqual([sessions, attempts]);
    town.clock.now += 17 * HOUR;
    await town.server.runDue();
    expect([await count('sessions'), await count('sign_in_attempts')]).toEqual([0, attempts]);
    town.clock.now += 6 * 24 * HOUR;
    await town.server.runDue();
    expect(await count('sign_in_attempts')).toBe(0);
  });

  it('of an active session remains', async () => {
    const leo = await town.signIn('lead');
    town.clock.now += HOUR / 4;
    await town.server.runDue();
    expect((await leo.get('/session')).status).toBe(200);
  });
});
