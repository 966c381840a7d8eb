import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Hashing } from '../../src/platform/hashing.ts';
import { browser, cookieOf, type OpenTown, openTown } from '../support/town.ts';
import { accessTypes, DEVICES, enroll, MINUTE, NODE, OWN, said, setPin, USERS } from './support.ts';

let town: OpenTown;
beforeEach(async () => {
  town = await openTown();
});
/** Opens the town with the hash cost of production. */
const atFullCost = async () => {
  await town.close();
  town = await openTown({ hashCost: undefined });
};
afterEach(() => town.close());

describe('enrollment of a device', () => {
  it('accepts the code once and within 10 minutes, and needs no session', async () => {
    const device = await enroll(town);
    expect(device.cookie).toMatch(/^backroom-device=TOWN_[0-9a-f-]{36}_[\w-]{43}$/);
    const { body } = await town.operator('POST', `${NODE}/deviceCodes`);
    const send = (code: string) =>
      town.call({ method: 'POST', path: '/session/device', headers: OWN, body: { code, name: 'x' } });
    town.clock.now += 10 * MINUTE;
    const { code } = body as { code: string };
    const late = await send(code);
    expect(said(late)).toEqual([404, 'NOT_FOUND']);
    const fresh = (await town.operator('POST', `${NODE}/deviceCodes`)).body as { code: string };
    const first = await send(fresh.code.toLowerCase());
    expect([first.status, String(first.headers['set-cookie'])]).toEqual([
      201,
      expect.stringContaining('Max-Age=34560000'),
    ]);
    for (const used of [fresh.code, 'UNKNOWN'])
      expect((await send(used)).text.replace(/"requestId":"[^"]*"/, '')).toBe(
        late.text.replace(/"requestId":"[^"]*"/, ''),
      );
  });

  it('gets its cookie again for 400 days at each sign-in on the device', async () => {
    await setPin(town, 'associate', '2580');
    const device = await enroll(town);
    const renewed = `${device.cookie}; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax`;
    expect((await device.unlock({ userId: 'ana', pin: '2580' })).headers['set-cookie']).toContain(renewed);
    const { clientId, userId, password } = town.people.lead;
    const headers = { ...OWN, cookie: device.cookie };
    const body = { clientId, userId, password };
    const answer = await town.call({ method: 'POST', path: '/session', headers, body });
    expect(answer.headers['set-cookie']).toContain(renewed);
  });

  it('revokes the device that the browser was before, with its sessions and queued work', async () => {
    await setPin(town, 'associate', '2580');
    const device = await enroll(town);
    const ana = await device.enter('ana', '2580');
    const { body } = await town.operator('POST', '/operator/v1/clients/TOWN/nodes/TOWN-Store002/deviceCodes');
    const { code } = body as { code: string };
    const headers = { ...OWN, cookie: device.cookie };
    const moved = await town.call({ method: 'POST', path: '/session/device', headers, body: { code, name: 'Moved' } });
    expect(moved.status).toBe(201);
    const { devices } = (await town.operator('GET', DEVICES)).body as { devices: { deviceId: string }[] };
    const revoked = devices.filter((one) => 'revokedAt' in one).map(({ deviceId }) => deviceId);
    expect([devices.length, revoked]).toEqual([2, [device.deviceId]]);
    expect(said(await ana.get('/session'))).toEqual([401, 'SESSION_ENDED']);
    expect(said(await device.unlock({ userId: 'ana', pin: '2580' }))).toEqual([403, 'NOT_ENROLLED']);
    expect((await accessTypes(town)).slice(-2)).toEqual(['device.revoked', 'device.enrolled']);
  });

  it('is listed with last seen, and revoked at once with its sessions', async () => {
    await setPin(town, 'associate', '2580');
    const device = await enroll(town);
    const ana = await device.enter('ana', '2580');
    const mara = await town.signIn('manager');
    const list = await mara.get(DEVICES);
    expect(list.body.devices).toMatchObject([
      { deviceId: device.deviceId, nodeId: 'TOWN-Store001', name: 'Handheld 1' },
    ]);
    expect((await mara.delete(`${DEVICES}/${device.deviceId}`)).status).toBe(204);
    expect(said(await ana.get('/session'))).toEqual([401, 'SESSION_ENDED']);
    expect(said(await device.unlock({ userId: 'ana', pin: '2580' }))).toEqual([403, 'NOT_ENROLLED']);
    expect(await accessTypes(town)).toEqual(expect.arrayContaining(['device.enrolled', 'device.revoked']));
  });
});

describe('a PIN', () => {
  it('has 4 to 8 digits and is not trivial', async () => {
    const ana = await town.signIn('associate');
    for (const pin of ['123', '123456789', 'abcd', '1111', '1234', '4321', '1212', '56789', '8765432'])
      expect([pin, (await ana.put('/session/pin', { pin })).status]).toEqual([pin, 400]);
    expect((await ana.put('/session/pin', { pin: '2580' })).status).toBe(204);
  });

  it('is stored as an argon2id hash keyed by the installation, and never shown', async () => {
    await atFullCost();
    await setPin(town, 'associate', '2580');
    const rows = await town.store.read((db) =>
      db.selectFrom('users').select('pin_hash').where('client_id', '=', 'TOWN').where('user_id', '=', 'ana').execute(),
    );
    expect(rows[0]!.pin_hash).toMatch(/^argon2id\.19456\.2\.1\.[\w-]+\.[\w-]+\.[0-9a-f]{8}$/);
  });

  it('unlocks an enrolled device without an earlier session, with a new token each time', async () => {
    await setPin(town, 'associate', '2580');
    const device = await enroll(town);
    const ana = await device.enter('ana', '2580');
    expect(ana.answer.body).toMatchObject({ method: 'PIN', device: { deviceId: device.deviceId, name: 'Handheld 1' } });
    expect(ana.answer.body.expiresAt).toBe('2026-03-03T00:00:00+00:00');
    const again = await device.unlock({ userId: 'ana', pin: '2580' }, { cookie: ana.headers.cookie });
    expect(again.status).toBe(201);
    expect((await ana.get('/session')).status).toBe(401);
    expect(
      said(
        await town.call({
          method: 'POST',
          path: '/session/unlock',
          headers: OWN,
          body: { userId: 'ana', pin: '2580' },
        }),
      ),
    ).toEqual([403, 'NOT_ENROLLED']);
  });

  it('of another user switches the user: the earlier session ends', async () => {
    await setPin(town, 'associate', '2580');
    await setPin(town, 'lead', '1470');
    const device = await enroll(town);
    const ana = await device.enter('ana', '2580');
    const leo = await device.unlock({ userId: 'leo', pin: '1470' }, { cookie: ana.headers.cookie });
    expect([leo.status, leo.body.user.userId]).toEqual([201, 'leo']);
    expect((await ana.get('/session')).status).toBe(401);
  });

  it('works only at the node of the device', async () => {
    await setPin(town, 'associate', '2580');
    const elsewhere = await enroll(town, '/operator/v1/clients/TOWN/nodes/TOWN-Store002');
    expect(said(await elsewhere.unlock({ userId: 'ana', pin: '2580' }))).toEqual([401, 'SIGN_IN_FAILED']);
  });

  it('cannot be changed in a session that began with a PIN', async () => {
    await setPin(town, 'associate', '2580');
    const ana = await (await enroll(town)).enter('ana', '2580');
    expect(said(await ana.put('/session/pin', { pin: '9753' }))).toEqual([403, 'SIGN_IN_AGAIN']);
  });
});

describe('the choice of a PIN', () => {
  it('needs a sign-in with the password in the last 15 minutes', async () => {
    const ana = await town.signIn('associate');
    town.clock.now += 15 * MINUTE;
    expect((await ana.put('/session/pin', { pin: '2580' })).status).toBe(204);
    const again = await town.signIn('associate');
    town.clock.now += 15 * MINUTE + 1;
    expect(said(await again.put('/session/pin', { pin: '9753' }))).toEqual([403, 'SIGN_IN_AGAIN']);
  });

  it('rejects the present PIN, and says so only to a session that could change it', async () => {
    await setPin(town, 'associate', '2580');
    const ana = await town.signIn('associate');
    expect((await ana.put('/session/pin', { pin: '2580' })).body.errors).toMatchObject([
      { pointer: '/pin', rule: 'same' },
    ]);
    const open = await (await enroll(town)).enter('ana', '2580');
    for (const pin of ['2580', '9753'])
      expect([pin, ...said(await open.put('/session/pin', { pin }))]).toEqual([pin, 403, 'SIGN_IN_AGAIN']);
  });
});

describe('wrong PINs', () => {
  beforeEach(() => setPin(town, 'associate', '2580'));

  it('at a node where the user does not work lock nothing of the user', async () => {
    const elsewhere = await enroll(town, '/operator/v1/clients/TOWN/nodes/TOWN-Store002');
    for (let at = 0; at < 5; at += 1) {
      expect(said(await elsewhere.unlock({ userId: 'ana', pin: '9753' }))).toEqual([401, 'SIGN_IN_FAILED']);
    }
    // The responses are those for a missing user: 401, and 429 after five failures. A device thus does not reveal users
    // of other nodes.
    expect((await elsewhere.unlock({ userId: 'ana', pin: '9753' })).status).toBe(429);
    const own = await enroll(town);
    expect((await own.unlock({ userId: 'ana', pin: '2580' })).status).toBe(201);
    expect(await accessTypes(town)).not.toContain('user.locked');
  });

  it('of one user lock the PIN for 15 minutes at the fifth, then twice as long, and a success resets the count', async () => {
    const device = await enroll(town);
    const wrong = () => device.unlock({ userId: 'ana', pin: '9753' });
    for (let at = 0; at < 5; at += 1) expect(said(await wrong())).toEqual([401, 'SIGN_IN_FAILED']);
    const locked = await device.unlock({ userId: 'ana', pin: '2580' });
    expect([locked.status, locked.headers['retry-after']]).toEqual([429, '900']);
    town.clock.now += 15 * MINUTE;
    for (let at = 0; at < 5; at += 1) expect((await wrong()).status).toBe(401);
    expect((await wrong()).headers['retry-after']).toBe('1800');
    town.clock.now += 30 * MINUTE;
    expect((await device.unlock({ userId: 'ana', pin: '2580' })).status).toBe(201);
    for (let at = 0; at < 5; at += 1) expect((await wrong()).status).toBe(401);
    expect((await wrong()).headers['retry-after']).toBe('900');
    expect(await accessTypes(town)).toContain('user.locked');
  });

  it('of 16 concurrent requests are checked five times, the others are 429', async () => {
    // The service runs or queues at most four hash computations per device, so four devices send the 16 requests.
    const devices = [await enroll(town), await enroll(town), await enroll(town), await enroll(town)];
    const tries = [...devices, ...devices, ...devices, ...devices];
    const all = await Promise.all(tries.map((device) => device.unlock({ userId: 'ana', pin: '9753' })));
    const statuses = all.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(11).fill(429)]);
  });

  it('never lock the password', async () => {
    const device = await enroll(town);
    for (let at = 0; at < 6; at += 1) await device.unlock({ userId: 'ana', pin: '9753' });
    expect((await (await town.signIn('associate')).get('/session')).status).toBe(200);
  });

  it('are also counted for missing users', async () => {
    const device = await enroll(town);
    for (let at = 0; at < 5; at += 1)
      expect(said(await device.unlock({ userId: 'nobody', pin: '9753' }))).toEqual([401, 'SIGN_IN_FAILED']);
    expect((await device.unlock({ userId: 'nobody', pin: '9753' })).status).toBe(429);
  });

  it('lock the device at the twentieth in 10 minutes, until a lead unlocks it', async () => {
    const device = await enroll(town);
    for (let at = 0; at < 20; at += 1)
      expect(
        (await device.unlock(at % 2 === 0 ? { badge: `NOBADGE${at}`, pin: '9753' } : { userId: `n${at}`, pin: '9753' }))
          .status,
      ).toBe(401);
    expect(said(await device.unlock({ userId: 'ana', pin: '2580' }))).toEqual([423, 'DEVICE_LOCKED']);
    town.clock.now += 60 * MINUTE;
    expect((await device.unlock({ userId: 'ana', pin: '2580' })).status).toBe(423);
    const free = `${DEVICES}/${device.deviceId}/unlock`;
    expect((await (await town.signIn('associate')).post(free)).status).toBe(403);
    expect((await (await town.signIn('lead')).post(free)).status).toBe(204);
    expect((await device.unlock({ userId: 'ana', pin: '2580' })).status).toBe(201);
  });

  it('from a clock that was ahead lock the user for 15 minutes after it is corrected, and the device not at all', async () => {
    const device = await enroll(town);
    const failed = async () => (await accessTypes(town)).filter((type) => type === 'user.signInFailed').length;
    town.clock.now += 600 * MINUTE;
    for (let at = 0; at < 14; at += 1) await device.unlock({ userId: `n${at}`, pin: '9753' });
    for (let at = 0; at < 5; at += 1) await device.unlock({ userId: 'ana', pin: '9753' });
    expect([(await device.unlock({ userId: 'ana', pin: '2580' })).status, await failed()]).toEqual([429, 1]);
    town.clock.now -= 600 * MINUTE;
    const { status, headers } = await device.unlock({ userId: 'ana', pin: '9753' });
    expect([status, headers['retry-after']]).toEqual([429, '900']);
    town.clock.now += 15 * MINUTE;
    expect((await device.unlock({ userId: 'ana', pin: '9753' })).status).toBe(401);
    expect((await device.unlock({ userId: 'ana', pin: '2580' })).status).toBe(201);
    expect(await failed()).toBe(2);
  });
});

describe('a lock of the screen', () => {
  it('rejects every request of the session with 401 SESSION_LOCKED until the unlock', async () => {
    await setPin(town, 'associate', '2580');
    const device = await enroll(town);
    const ana = await device.enter('ana', '2580');
    expect((await ana.post('/session/lock')).status).toBe(204);
    expect(said(await ana.get('/session'))).toEqual([401, 'SESSION_LOCKED']);
    expect(said(await ana.get('/operator/v1/me'))).toEqual([401, 'SESSION_LOCKED']);
    const again = await device.unlock({ userId: 'ana', pin: '2580' }, { cookie: ana.headers.cookie });
    expect((await browser(town.call, device.cookie, cookieOf(again)).get('/session')).status).toBe(200);
    expect((await ana.get('/session')).status).toBe(401);
  });

  it('starts after 10 minutes without a foreground request, and not before', async () => {
    await setPin(town, 'associate', '2580');
    const device = await enroll(town);
    const ana = await device.enter('ana', '2580');
    town.clock.now += 10 * MINUTE - 1;
    expect((await ana.get('/session')).status).toBe(200);
    town.clock.now += 10 * MINUTE - 1;
    expect((await ana.get('/operator/v1/me')).status).toBe(200);
    town.clock.now += 10 * MINUTE;
    expect(said(await ana.get('/session'))).toEqual([401, 'SESSION_LOCKED']);
    const again = await device.enter('ana', '2580');
    expect((await again.get('/session')).status).toBe(200);
  });

  it('also starts while the console polls for work and sends queued requests', async () => {
    await setPin(town, 'associate', '2580');
    const device = await enroll(town);
    const ana = await device.enter('ana', '2580');
    const { outboxTicket } = ana.answer.body as { outboxTicket: string };
    const { ticketId, storeId } = { ticketId: town.tickets.open, storeId: 'TOWN_US' };
    const scans = `/operator/v1/stores/${storeId}/nodes/TOWN-Store001/pickTickets/${ticketId}/scans`;
    const send = () =>
      town.call({
        method: 'POST',
        path: scans,
        headers: { ...OWN, cookie: device.cookie, 'outbox-ticket': outboxTicket },
        body: { scans: [] },
      });
    for (let at = 0; at < 2; at += 1) {
      town.clock.now += 5 * MINUTE;
      expect((await send()).status).not.toBe(401);
      const waiting = await ana.get(`${NODE}/work`);
      expect(said(waiting)).toEqual(at === 0 ? [200, undefined] : [401, 'SESSION_LOCKED']);
    }
    expect(said(await ana.get('/session'))).toEqual([401, 'SESSION_LOCKED']);
    // The service still accepts requests that were queued before the lock.
    expect((await send()).status).not.toBe(401);
  });

  it('is rejected if no user could unlock it', async () => {
    expect((await (await town.signIn('manager')).post('/session/lock')).status).toBe(409);
  });
});

describe('a one-time PIN', () => {
  it('cannot be kept: the lead who gave it would know the PIN of the user', async () => {
    const { pin } = (await (await town.signIn('lead')).post(`${USERS}/ana/pin`)).body as { pin: string };
    const device = await enroll(town);
    const sameDigits = {
      status: 400,
      errors: [{ pointer: '/pin', rule: 'same', message: 'this is your present PIN; choose other digits' }],
    };
    const ana = await device.enter('ana', pin);
    expect((await ana.put('/session/pin', { pin })).body).toMatchObject(sameDigits);
    // A session that began with the password cannot keep this PIN either.
    expect((await (await town.signIn('associate')).put('/session/pin', { pin })).body).toMatchObject(sameDigits);
    expect((await ana.get('/session')).body.mustChangePin).toBe(true);
    expect((await ana.put('/session/pin', { pin: '2580' })).status).toBe(204);
  });

  it('must be changed at its first use; until then nothing else is allowed', async () => {
    const leo = await town.signIn('lead');
    const given = await leo.post(`${USERS}/ana/pin`);
    expect(given.status).toBe(201);
    const device = await enroll(town);
    const ana = await device.enter('ana', given.body.pin);
    expect(ana.answer.body).toMatchObject({ mustChangePin: true, permissions: [] });
    expect(said(await ana.get('/operator/v1/me'))).toEqual([403, 'PIN_CHANGE_REQUIRED']);
    expect((await ana.get('/session')).body.mustChangePin).toBe(true);
    const changed = await ana.put('/session/pin', { pin: '2580' });
    expect(changed.status).toBe(204);
    expect((await ana.get('/session')).status).toBe(401);
    const now = browser(town.call, device.cookie, cookieOf(changed));
    expect((await now.get('/operator/v1/me')).body.permissions).toContain('fulfillment.write');
    expect((await device.unlock({ userId: 'ana', pin: given.body.pin })).status).toBe(401);
    expect((await device.unlock({ userId: 'ana', pin: '2580' })).status).toBe(201);
    expect(await accessTypes(town)).toContain('user.pinReset');
  });

  /** Sends queued work; the status is 401 only if the service rejects the outbox ticket. */
  const sendQueued = (cookie: string, ticket: string) =>
    town.call({
      method: 'POST',
      path: `/operator/v1/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/${town.tickets.open}/scans`,
      headers: { ...OWN, cookie, 'outbox-ticket': ticket },
      body: { scans: [] },
    });

  it('of two sessions becomes the PIN of the first that chooses; the other ends with its outbox ticket', async () => {
    const { pin } = (await town.operator('POST', `${USERS}/ana/pin`)).body as { pin: string };
    const [one, two] = [await enroll(town), await enroll(town)];
    const [ana, other] = [await one.enter('ana', pin), await two.enter('ana', pin)];
    const tickets = [ana, other].map(({ answer }) => answer.body.outboxTicket as string);
    expect(said(await sendQueued(one.cookie, tickets[0]!))).toEqual([401, 'SESSION_ENDED']);
    expect((await ana.put('/session/pin', { pin: '2580' })).status).toBe(204);
    expect(said(await other.put('/session/pin', { pin: '7391' }))).toEqual([401, 'SESSION_ENDED']);
    expect((await sendQueued(one.cookie, tickets[0]!)).status).not.toBe(401);
    expect(said(await sendQueued(two.cookie, tickets[1]!))).toEqual([401, 'SESSION_ENDED']);
  });

  it('ends the sessions of an earlier one-time PIN that have not chosen a PIN', async () => {
    const leo = await town.signIn('lead');
    const first = (await leo.post(`${USERS}/ana/pin`)).body as { pin: string };
    const device = await enroll(town);
    const somebody = await device.enter('ana', first.pin);
    await leo.post(`${USERS}/ana/pin`);
    expect(said(await somebody.put('/session/pin', { pin: '7391' }))).toEqual([401, 'SESSION_ENDED']);
  });

  it('that is not used leaves the outbox tickets of other sign-ins valid', async () => {
    const device = await enroll(town);
    await setPin(town, 'associate', '2580');
    const before = (await device.enter('ana', '2580')).answer.body.outboxTicket as string;
    await town.operator('POST', `${USERS}/ana/pin`);
    expect((await sendQueued(device.cookie, before)).status).not.toBe(401);
    town.clock.now += 25 * 60 * MINUTE;
    const signedIn = await town.call({
      method: 'POST',
      path: '/session',
      headers: { ...OWN, cookie: device.cookie },
      body: { clientId: 'TOWN', userId: 'ana', password: town.people.associate.password },
    });
    expect((await sendQueued(device.cookie, signedIn.body.outboxTicket)).status).not.toBe(401);
  });

  it('is valid for 24 hours, and ends a lock of the PIN', async () => {
    const device = await enroll(town);
    for (let at = 0; at < 6; at += 1) await device.unlock({ userId: 'ana', pin: '9753' });
    const { body } = await town.operator('POST', `${USERS}/ana/pin`);
    expect((await device.unlock({ userId: 'ana', pin: body.pin })).status).toBe(201);
    town.clock.now += 24 * 60 * MINUTE;
    expect((await device.unlock({ userId: 'ana', pin: body.pin })).status).toBe(401);
  });
});

describe('a one-time PIN that a lead gives while a request waits for its hash', () => {
  /** Gives Ana a one-time PIN after the next check of a PIN or password. */
  const givenAfterCheck = () => {
    const given: { pin?: string } = {};
    const check = Reflect.get(Hashing.prototype, 'check') as (...sent: unknown[]) => Promise<never>;
    vi.spyOn(Hashing.prototype, 'check').mockImplementationOnce(async function (this: Hashing, ...sent) {
      const result = await check.apply(this, sent);
      Object.assign(given, (await town.operator('POST', `${USERS}/ana/pin`)).body);
      return result;
    });
    return given;
  };

  it('invalidates the PIN of an unlock', async () => {
    await setPin(town, 'associate', '2580');
    const device = await enroll(town);
    const given = givenAfterCheck();
    expect(said(await device.unlock({ userId: 'ana', pin: '2580' }))).toEqual([401, 'SIGN_IN_FAILED']);
    expect((await device.unlock({ userId: 'ana', pin: given.pin })).status).toBe(201);
  });

  it('is not replaced by a PIN that was not compared with it', async () => {
    await setPin(town, 'associate', '2580');
    const ana = await town.signIn('associate');
    const device = await enroll(town);
    const given = givenAfterCheck();
    expect(said(await ana.put('/session/pin', { pin: '1357' }))).toEqual([409, 'CONFLICT']);
    expect((await device.unlock({ userId: 'ana', pin: given.pin })).status).toBe(201);
  });
});

describe('a badge', () => {
  it('replaces the user id at the unlock, is shown once, and invalidates the former badge', async () => {
    await setPin(town, 'associate', '2580');
    const device = await enroll(town);
    const mara = await town.signIn('manager');
    const first = (await mara.post(`${USERS}/ana/badge`)).body.badge as string;
    expect(first).toMatch(/^[0-9A-Z]{16}$/);
    expect((await device.unlock({ badge: first, pin: '2580' })).body).toMatchObject({
      method: 'BADGE',
      user: { userId: 'ana' },
    });
    const second = (await mara.post(`${USERS}/ana/badge`)).body.badge as string;
    expect(said(await device.unlock({ badge: first, pin: '2580' }))).toEqual([401, 'SIGN_IN_FAILED']);
    expect((await device.unlock({ badge: second, pin: '2580' })).status).toBe(201);
  });
});
