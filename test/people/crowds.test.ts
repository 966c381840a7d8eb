/** Limits of concurrent sign-ins, and the requests that continue meanwhile. */
import { afterAll, afterEach, beforeAll, describe, expect, it, type MockInstance, vi } from 'vitest';
import {
  Hashing,
  OF_A_CLIENT,
  OF_AN_ADDRESS,
  OF_CLIENTS,
  OF_STRANGERS,
  type Place,
} from '../../src/platform/hashing.ts';
import { browser, cookieOf, type OpenTown, openTown } from '../support/town.ts';
import { enroll, MINUTE, OWN, setPin, type TestDevice } from './support.ts';

/** Allowed failures per minute from one address; the limit permits three times as many in a burst. */
const LIMIT = 2;
const CROWD = 3 * LIMIT;
const ITEM = '/item-service/clients/TOWN/items/21-MUG-WHT?merge=true';

let town: OpenTown;
let device: TestDevice;
let hashing: Hashing;
let check: MockInstance<Hashing['check']>;

beforeAll(async () => {
  check = vi.spyOn(Hashing.prototype, 'check');
  // With two requests in progress, the service rejects further requests with 503. Requests that wait for a hash do not
  // count as in progress, so these tests can send more of them.
  town = await openTown({ env: { FAILED_SIGN_IN_LIMIT: String(LIMIT), MAX_IN_FLIGHT: '2' } });
  await setPin(town, 'associate', '2580');
  device = await enroll(town);
  hashing = check.mock.contexts[0] as Hashing;
});
afterAll(async () => {
  check.mockRestore();
  await town.close();
});

interface Told {
  status: number;
  code: string | undefined;
  retryAfter: unknown;
  cookie: string | undefined;
}

/** Sends a sign-in attempt from an address. */
async function send(address: string, url: string, payload: object, cookie?: string): Promise<Told> {
  const headers = { ...OWN, ...(cookie !== undefined && { cookie }) };
  const answer = await town.server.app.inject({ method: 'POST', url, headers, remoteAddress: address, payload });
  const { code } = answer.json<{ code?: string }>();
  const cookies = answer.headers['set-cookie'];
  return { status: answer.statusCode, code, retryAfter: answer.headers['retry-after'], cookie: cookies?.toString() };
}

const wrong = (address: string, userId: string) =>
  send(address, '/session', { clientId: 'TOWN', userId, password: 'not the password' });
const right = (address: string, cookie?: string) =>
  send(address, '/session', { clientId: 'TOWN', userId: 'mara', password: town.people.manager.password }, cookie);
const unlock = (address: string) => send(address, '/session/unlock', { userId: 'ana', pin: '2580' }, device.cookie);

/** Occupies both places for concurrent hashes until the test releases the places. */
class Busy {
  readonly #places: Place[];
  readonly #runs: Promise<void>[];
  #end: (() => void) | undefined;

  constructor() {
    const end = new Promise<void>((resolve) => {
      this.#end = resolve;
    });
    this.#places = ['one', 'two'].map((key) => hashing.enter({ kind: 'device', key }));
    this.#runs = this.#places.map((place) => place.run(() => end));
  }

  async end(): Promise<void> {
    this.#end!();
    await Promise.all(this.#runs);
    for (const place of this.#places) place.leave();
  }
}

/** Sends a sign-in. Resolves as soon as the sign-in waits for its hash. */
async function waiting(request: () => Promise<Told>): Promise<{ told: Promise<Told> }> {
  const before = check.mock.calls.length;
  const told = request();
  await vi.waitFor(() => expect(check.mock.calls.length).toBe(before + 1), { timeout: 20_000, interval: 2 });
  return { told };
}

let busy: Busy | undefined;
afterEach(async () => {
  await busy?.end();
  busy = undefined;
  // Clears all earlier failures.
  town.clock.now += 30 * MINUTE;
});

/** Returns the statuses after the hashes are released. */
async function endOf(requests: readonly { told: Promise<Told> }[]): Promise<number[]> {
  await busy!.end();
  busy = undefined;
  return Promise.all(requests.map(async ({ told }) => (await told).status));
}

describe('sign-ins that wait for their hash', () => {
  it('do not count as writes in progress: writes with a key continue with any number of them', async () => {
    busy = new Busy();
    const line = [];
    for (let at = 0; at < OF_STRANGERS; at += 1) {
      line.push(await waiting(() => wrong(`10.1.0.${at % 4}`, `nobody-${at}`)));
    }
    expect((await town.client.put(ITEM, { description: 'A white mug' })).status).toBe(200);
    expect(await endOf(line)).toEqual(Array(OF_STRANGERS).fill(401));
  });

  it('are at most four per address; the next one is a 503 and not counted as a failure, and other addresses continue', async () => {
    busy = new Busy();
    const line = [];
    for (let at = 0; at < OF_AN_ADDRESS; at += 1) line.push(await waiting(() => wrong('10.2.0.1', `nobody-${at}`)));
    for (let at = 0; at < CROWD; at += 1) {
      expect(await right('10.2.0.1')).toMatchObject({ status: 503, code: 'OVERLOADED', retryAfter: '1' });
    }
    line.push(await waiting(() => right('10.2.0.2')));
    expect(await endOf(line)).toEqual([401, 401, 401, 401, 201]);
    expect((await right('10.2.0.1')).status).toBe(201);
  });

  it('leave places for enrolled devices: PIN and password work there while other addresses fill their places', async () => {
    busy = new Busy();
    const line = [];
    for (let at = 0; at < OF_STRANGERS; at += 1) line.push(await waiting(() => wrong(`10.3.0.${at % 4}`, `n${at}`)));
    expect((await right('10.3.0.9')).status).toBe(503);
    line.push(await waiting(() => unlock('10.3.0.1')));
    line.push(await waiting(() => right('10.3.0.1', device.cookie)));
    expect(await endOf(line)).toEqual([...Array(OF_STRANGERS).fill(401), 201, 201]);
  });

  it('leave places for devices and sign-ins while the users of a client change PINs and passwords', async () => {
    const clients = ['TOWN', 'OTHER', 'THIRD'];
    const take = (clientId: string) =>
      Array.from({ length: OF_A_CLIENT }, () => hashing.enter({ kind: 'client', key: clientId }));
    const places = clients.slice(0, OF_CLIENTS / OF_A_CLIENT).flatMap(take);
    expect(() => hashing.enter({ kind: 'client', key: 'THIRD' })).toThrow();
    const given = await town.operator('POST', '/operator/v1/clients/TOWN/users/ana/pin');
    expect([given.status, given.body.code]).toEqual([503, 'OVERLOADED']);
    expect((await town.operator('POST', '/operator/v1/clients/TOWN/users/nobody/pin')).status).toBe(404);
    expect((await unlock('10.11.0.1')).status).toBe(201);
    expect((await right('10.11.0.1')).status).toBe(201);
    for (const place of places) place.leave();
    const [one, ...rest] = take('TOWN');
    expect(() => hashing.enter({ kind: 'client', key: 'TOWN' })).toThrow();
    hashing.enter({ kind: 'client', key: 'OTHER' }).leave();
    one!.leave();
    hashing.enter({ kind: 'client', key: 'TOWN' }).leave();
    for (const place of rest) place.leave();
  });

  it('are 503 beyond 22, for every user', async () => {
    const places = Array.from({ length: 22 }, (_, at) => hashing.enter({ kind: 'device', key: `device-${at}` }));
    expect((await unlock('10.4.0.1')).status).toBe(503);
    for (const place of places) place.leave();
    expect((await unlock('10.4.0.1')).status).toBe(201);
  });
});

describe('wrong passwords for many users from one address', () => {
  const useUp = async (address: string) => {
    for (let at = 0; at < CROWD; at += 1) {
      expect(await wrong(address, `user-${at}`)).toMatchObject({ status: 401, code: 'SIGN_IN_FAILED' });
    }
  };

  it('are 429 with the time to wait, before a hash is computed', async () => {
    await useUp('10.5.0.1');
    const before = check.mock.calls.length;
    for (const userId of ['another', 'mara', 'leo']) {
      expect(await wrong('10.5.0.1', userId)).toMatchObject({
        status: 429,
        code: 'TOO_MANY_REQUESTS',
        retryAfter: '30',
      });
    }
    expect(check.mock.calls.length).toBe(before);
    expect((await right('10.5.0.2')).status).toBe(201);
    town.clock.now += 30_000;
    expect((await wrong('10.5.0.1', 'another')).status).toBe(401);
    expect((await wrong('10.5.0.1', 'another')).status).toBe(429);
  });

  it('are checked no more often when they are concurrent', async () => {
    await wrong('10.6.0.1', 'first');
    const all = [];
    for (let round = 0; round < 5; round += 1) {
      const four = Array.from({ length: 4 }, (_, at) => wrong('10.6.0.1', `user-${round}-${at}`));
      all.push(...(await Promise.all(four)));
    }
    expect(all.filter(({ status }) => status === 401)).toHaveLength(CROWD - 1);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(20 - CROWD + 1);
  });

  it('do not affect enrolled devices at the address: PIN and password still work', async () => {
    await useUp('10.7.0.1');
    expect((await right('10.7.0.1')).status).toBe(429);
    expect((await unlock('10.7.0.1')).status).toBe(201);
    expect((await right('10.7.0.1', device.cookie)).status).toBe(201);
    expect((await right('10.7.0.1', `${device.cookie.slice(0, -1)}-`)).status).toBe(429);
  });

  it('on an enrolled device are counted for the device', async () => {
    const guess = () =>
      send('10.8.0.1', '/session', { clientId: 'TOWN', userId: 'zoe', password: 'wrong' }, device.cookie);
    for (let at = 0; at < CROWD; at += 1) expect((await guess()).status).toBe(401);
    expect((await guess()).status).toBe(429);
    expect((await right('10.8.0.1')).status).toBe(201);
  });

  it('are limited without counting correct ones, so that a whole shift can sign in from one address', async () => {
    for (let at = 0; at < CROWD + 2; at += 1) expect((await right('10.9.0.1')).status).toBe(201);
    await useUp('10.9.0.1');
  });

  it('do not stop a signed-in user from changing the password', async () => {
    const mara = browser(town.call, (await right('127.0.0.1')).cookie!.split(';', 1)[0]);
    await useUp('127.0.0.1');
    const change = (old: string) => mara.put('/session/password', { old, new: 'a much better one' });
    expect((await change('wrong')).status).toBe(403);
    const changed = await change(town.people.manager.password);
    expect(changed.status).toBe(204);
    const again = browser(town.call, cookieOf(changed));
    const back = { old: 'a much better one', new: town.people.manager.password };
    expect((await again.put('/session/password', back)).status).toBe(204);
  });

  it('count in the metric that BackroomSignInFailures watches', async () => {
    const failures = async () => {
      const { payload } = await town.server.app.inject({ url: '/metrics' });
      const of = (code: string) =>
        Number(new RegExp(`backroom_sign_in_failures_total\\{code="${code}"\\} (\\d+)`).exec(payload)?.[1]);
      return { failed: of('SIGN_IN_FAILED'), refused: of('TOO_MANY_REQUESTS') };
    };
    const before = await failures();
    await useUp('10.10.0.1');
    await wrong('10.10.0.1', 'one-more');
    const { failed, refused } = await failures();
    expect([failed - before.failed, refused - before.refused]).toEqual([CROWD, 1]);
  });
});
