import fc from 'fast-check';
import { expect, it } from 'vitest';
import { browser, cookieOf, type OpenTown, openTown } from '../support/town.ts';
import { DEVICES, enroll, MINUTE, OWN, said, setPin, type TestDevice, USERS } from './support.ts';

const USER = ['ana', 'leo'] as const;
const ROLE = { ana: 'associate', leo: 'lead' } as const;
type UserId = (typeof USER)[number];

const HOUR = 60 * MINUTE;
const PINS = ['2580', '739105', '40816'];
const WRONG_PIN = '618033';
const WRONG_PASSWORD = 'not the password of anybody';

/**
 * Counts consecutive failures. After `most` failures, the PIN or password of the user is locked for 15 minutes. Each
 * further lock lasts twice as long as the previous one, at most 16 hours.
 */
class Attempts {
  count = 0;
  locks = 0;
  until = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  isLocked(now: number): boolean {
    return this.until > now;
  }

  add(now: number): void {
    this.count += 1;
    if (this.count < this.#most) return;
    this.until = now + 15 * MINUTE * 2 ** Math.min(this.locks, 6);
    this.locks += 1;
    this.count = 0;
  }

  forget(): void {
    Object.assign(this, { count: 0, locks: 0, until: 0 });
  }
}

interface Session {
  userId: UserId;
  cookie: string;
  began: number;
  used: number;
  /** Index of the device; undefined for a session in the office. */
  device: number | undefined;
  isLocked: boolean;
  mustChangePin: boolean;
}

interface User {
  pin: string;
  onceUntil: number | undefined;
  isActive: boolean;
  pins: Attempts;
  /** Failed unlocks while the user is disabled or the one-time PIN has expired. They do not count in `pins`. */
  vain: Attempts;
  passwords: Attempts;
}

interface Device {
  made: TestDevice;
  wrong: number[];
  isLocked: boolean;
  session: Session | undefined;
}

/** The model of users, devices and sessions, with the service whose behavior it must match. */
class World {
  readonly town: OpenTown;
  readonly devices: Device[] = [];
  readonly users: Record<UserId, User>;
  readonly office: Record<UserId, Session | undefined> = { ana: undefined, leo: undefined };
  readonly log: string[] = [];

  constructor(town: OpenTown) {
    this.town = town;
    const user = (): User => ({
      pin: PINS[0]!,
      onceUntil: undefined,
      isActive: true,
      pins: new Attempts(5),
      vain: new Attempts(5),
      passwords: new Attempts(10),
    });
    this.users = { ana: user(), leo: user() };
  }

  get now(): number {
    return this.town.clock.now;
  }

  sessions(): Session[] {
    return [...this.devices.map(({ session }) => session), ...Object.values(this.office)].filter(
      (one) => one !== undefined,
    );
  }

  forget(of: (session: Session) => boolean): void {
    for (const device of this.devices) if (device.session && of(device.session)) device.session = undefined;
    for (const userId of USER) if (this.office[userId] && of(this.office[userId])) this.office[userId] = undefined;
  }

  expire(): void {
    for (const { session } of this.devices) {
      if (session !== undefined && session.used + 10 * MINUTE <= this.now) session.isLocked = true;
    }
    this.forget(({ began, used, device }) => {
      const isIdle = device === undefined && used + 30 * MINUTE <= this.now;
      return began + 12 * HOUR <= this.now || isIdle;
    });
  }
}

interface Command {
  do:
    | 'unlock'
    | 'signIn'
    | 'lock'
    | 'read'
    | 'givePin'
    | 'choosePin'
    | 'setState'
    | 'endAll'
    | 'free'
    | 'pass'
    | 'guess';
  user: UserId;
  device: number;
  isRight: boolean;
  times: number;
  pin: number;
  minutes: number;
}

const command: fc.Arbitrary<Command> = fc.record({
  do: fc.oneof(
    { weight: 8, arbitrary: fc.constant('unlock' as const) },
    { weight: 1, arbitrary: fc.constant('guess' as const) },
    { weight: 3, arbitrary: fc.constantFrom('read' as const, 'pass' as const, 'signIn' as const) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ...(['lock', 'givePin', 'choosePin', 'setState', 'endAll', 'free'] satisfies Command['do'][]),
      ),
    },
  ),
  user: fc.constantFrom(...USER),
  device: fc.constantFrom(0, 0, 1),
  isRight: fc.constantFrom(true, true, false),
  times: fc.constantFrom(1, 1, 4, 5),
  pin: fc.nat(PINS.length - 1),
  minutes: fc.constantFrom(1, 4, 9, 10, 14, 15, 29, 30, 31, 61, 12 * 60, 24 * 60),
});

const does: Record<Command['do'], (world: World, command: Command) => Promise<void>> = {
  async unlock(world, { user: userId, device: index, isRight, times }) {
    for (let time = 0; time < (isRight ? 1 : times); time += 1) await unlock(world, userId, index, isRight);
  },
  /**
   * Sends 20 wrong PINs, which lock the device if the user is active. Before each five, the user gets a one-time PIN,
   * because the fifth wrong PIN locks the PIN of the user.
   */
  async guess(world, { user: userId, device: index, ...command }) {
    for (let round = 0; round < 4; round += 1) {
      await does.givePin(world, { ...command, user: userId, device: index });
      for (let time = 0; time < 5; time += 1) await unlock(world, userId, index, false);
    }
  },
  async signIn(world, { user: userId, isRight }) {
    const { passwords, isActive } = world.users[userId];
    const cookie = world.office[userId]?.cookie;
    const password = isRight ? world.town.people[ROLE[userId]].password : WRONG_PASSWORD;
    const answer = await world.town.call({
      method: 'POST',
      path: '/session',
      headers: { ...OWN, ...(cookie !== undefined && { cookie }) },
      body: { clientId: 'TOWN', userId, password },
    });
    if (passwords.isLocked(world.now)) {
      expect(answer.status).toBe(429);
      return;
    }
    if (!isRight || !isActive) {
      passwords.add(world.now);
      expect(said(answer)).toEqual([401, 'SIGN_IN_FAILED']);
      return;
    }
    passwords.forget();
    expect(answer.status).toBe(201);
    const began = world.now;
    world.office[userId] = {
      ...{ userId, cookie: cookieOf(answer), began, used: began },
      ...{ device: undefined, isLocked: false, mustChangePin: false },
    };
  },
  async lock(world, { device: index }) {
    const { session, made } = world.devices[index]!;
    if (session === undefined) return;
    const answer = await browser(world.town.call, made.cookie, session.cookie).post('/session/lock');
    expect(said(answer)).toEqual(session.isLocked ? [401, 'SESSION_LOCKED'] : [204, undefined]);
    session.isLocked = true;
  },
  async read(world) {
    for (const session of world.sessions()) {
      const answer = await browser(world.town.call, session.cookie).get('/session');
      if (session.isLocked) {
        expect(said(answer)).toEqual([401, 'SESSION_LOCKED']);
        continue;
      }
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(`"userId":"${session.userId}"`)]);
      session.used = world.now;
      const items = await browser(world.town.call, session.cookie).get('/operator/v1/clients/TOWN/items');
      expect(said(items)).toEqual(session.mustChangePin ? [403, 'PIN_CHANGE_REQUIRED'] : [200, undefined]);
    }
  },
  async givePin(world, { user: userId }) {
    const user = world.users[userId];
    const { status, body } = await world.town.operator('POST', `${USERS}/${userId}/pin`);
    expect(status).toBe(201);
    Object.assign(user, { pin: (body as { pin: string }).pin, onceUntil: world.now + 24 * HOUR });
    user.pins.forget();
    world.forget((session) => session.userId === userId && session.mustChangePin);
  },
  async choosePin(world, { device: index, pin: at }) {
    const { session, made } = world.devices[index]!;
    if (session === undefined) return;
    const pin = PINS[at]!;
    const answer = await browser(world.town.call, made.cookie, session.cookie).put('/session/pin', { pin });
    if (session.isLocked) {
      expect(said(answer)).toEqual([401, 'SESSION_LOCKED']);
      return;
    }
    session.used = world.now;
    if (!session.mustChangePin) {
      expect(said(answer)).toEqual([403, 'SIGN_IN_AGAIN']);
      return;
    }
    const user = world.users[session.userId];
    if (pin === user.pin) {
      expect(said(answer)).toEqual([400, 'INVALID_REQUEST']);
      return;
    }
    expect(answer.status).toBe(204);
    Object.assign(session, { cookie: cookieOf(answer), mustChangePin: false });
    Object.assign(user, { pin, onceUntil: undefined });
    user.pins.forget();
    // The chosen PIN ends the other sessions that still have to choose one.
    world.forget((one) => one.userId === session.userId && one.mustChangePin);
  },
  async setState(world, { user: userId, isRight: isActive }) {
    const state = isActive ? 'ACTIVE' : 'DISABLED';
    const body = { name: userId, role: ROLE[userId], nodeIds: ['TOWN-Store001'], state };
    expect((await world.town.operator('PUT', `${USERS}/${userId}`, body)).status).toBe(200);
    world.users[userId].isActive = isActive;
    if (!isActive) world.forget((session) => session.userId === userId);
  },
  async endAll(world, { user: userId }) {
    expect((await world.town.operator('DELETE', `${USERS}/${userId}/sessions`)).status).toBe(204);
    world.forget((session) => session.userId === userId);
  },
  async free(world, { device: index }) {
    const device = world.devices[index]!;
    expect((await world.town.operator('POST', `${DEVICES}/${device.made.deviceId}/unlock`)).status).toBe(204);
    // Unlocking a device that is not locked keeps its count of wrong PINs.
    if (device.isLocked) Object.assign(device, { wrong: [], isLocked: false });
  },
  async pass(world, { minutes }) {
    world.town.clock.now += minutes * MINUTE;
    world.expire();
  },
};

async function unlock(world: World, userId: UserId, index: number, isRight: boolean): Promise<void> {
  const user = world.users[userId];
  const device = world.devices[index]!;
  const cookie = [device.made.cookie, device.session?.cookie].filter((one) => one !== undefined).join('; ');
  const answer = await device.made.unlock({ userId, pin: isRight ? user.pin : WRONG_PIN }, { cookie });
  if (device.isLocked) {
    expect(said(answer)).toEqual([423, 'DEVICE_LOCKED']);
    return;
  }
  const isInTime = user.onceUntil === undefined || user.onceUntil > world.now;
  const isExpected = user.isActive && isInTime;
  const attempts = isExpected ? user.pins : user.vain;
  if (attempts.isLocked(world.now)) {
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe(String((attempts.until - world.now) / 1000));
    return;
  }
  if (isRight && isExpected) {
    user.pins.forget();
    const mustChangePin = user.onceUntil !== undefined;
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ user: { userId }, ...(mustChangePin && { mustChangePin, permissions: [] }) });
    const began = world.now;
    device.session = {
      userId,
      cookie: cookieOf(answer),
      began,
      used: began,
      device: index,
      isLocked: false,
      mustChangePin,
    };
    return;
  }
  expect(said(answer)).toEqual([401, 'SIGN_IN_FAILED']);
  attempts.add(world.now);
  device.wrong = [...device.wrong.filter((at) => at > world.now - 10 * MINUTE), world.now];
  device.isLocked = device.wrong.length >= 20;
}

it('sign-ins, locks, one-time PINs, devices and ended sessions follow the rules in any sequence', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 45, size: 'max' }), async (commands) => {
      const town = await openTown();
      try {
        const world = new World(town);
        for (const userId of USER) await setPin(town, ROLE[userId], PINS[0]!);
        for (let index = 0; index < 2; index += 1) {
          world.devices.push({ made: await enroll(town), wrong: [], isLocked: false, session: undefined });
        }
        for (const one of commands) await does[one.do](world, one);
        await does.read(world, commands[0]!);
      } finally {
        await town.close();
      }
    }),
    { numRuns: Number(process.env['SESSIONS_RUNS'] ?? 4), endOnFailure: true },
  );
});
