/**
 * Callers who guess passwords: 60 connections from one address, without a credential. Meanwhile the service must accept
 * writes with a key, PINs of enrolled devices, and correct passwords from other addresses. The metric must count the
 * guesses.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { clientHeaders } from '../../town/call.ts';
import { freePort } from '../../town/free-port.ts';
import { type Answer, OPERATOR_KEY, oneConnection, ServiceProcess, send } from '../../town/service-process.ts';
import type { Work } from '../campaign.ts';
import { openService } from '../service.ts';

const CONNECTIONS = 60;
/**
 * Value of FAILED_SIGN_IN_LIMIT. It is low, so that the guesses also reach it on a busy machine, where hashing is slow.
 */
const LIMIT = 2;
/** Maximum time that the campaign waits for a rejected guess: `PATIENCE * turns` turns. */
const PATIENCE = 20;
/** Pause of a caller after a response other than 401, in milliseconds. */
const REST_MS = 200;
const PIN = '2580';
const ITEM = '/item-service/clients/TOWN/items/21-MUG-WHT?merge=true';
const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';
const PATIENCE_MS = 60_000;

/** Sends a request as a proxy does, for a caller with a fixed address. */
type Caller = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer | undefined>;

/**
 * Sends each request at least `turns` times during the guesses, and continues until a guess is rejected. With
 * `planted`, all callers share one queue and the service limits nothing. `env` are settings of the service.
 */
export async function crowd(
  work: Work,
  turns: number,
  planted: boolean,
  env: Record<string, string> = {},
): Promise<void> {
  const { town, url, close } = await openService(work);
  await close();
  const service = await ServiceProcess.start({
    databaseUrl: url,
    port: await freePort(),
    env: { TRUST_PROXY: '127.0.0.1', FAILED_SIGN_IN_LIMIT: planted ? 'none' : String(LIMIT), ...env },
    ...(planted && { planted: { plant: 'oneLine' as const } }),
  });
  try {
    const store = callerFrom(service, '192.0.2.1');
    const office = callerFrom(service, '203.0.113.1');
    const { associate, manager } = town.people;
    const signedIn = await store('POST', '/session', { clientId: 'TOWN', ...loginOf(associate) });
    await store('PUT', '/session/pin', { pin: PIN }, { cookie: cookieOf(signedIn) });
    const operator = { authorization: `Bearer ${OPERATOR_KEY}` };
    const { code } = JSON.parse((await store('POST', `${NODE}/deviceCodes`, undefined, operator))!.text) as object & {
      code: string;
    };
    const device = cookieOf(await store('POST', '/session/device', { code, name: 'Handheld' }));
    const guests = new Guests(service);
    await guests.all;
    const asked: Readonly<
      Record<string, readonly [status: number, ask: (turn: number) => Promise<Answer | undefined>]>
    > = {
      'a write with a key': [
        200,
        (turn) => store('PUT', ITEM, { description: `Mug ${turn}` }, clientHeaders(town.credential)),
      ],
      'a PIN on an enrolled device': [
        201,
        () => store('POST', '/session/unlock', { userId: associate.userId, pin: PIN }, { cookie: device }),
      ],
      'a right password': [201, () => office('POST', '/session', { clientId: 'TOWN', ...loginOf(manager) })],
    };
    const isOver = (turn: number) => turn >= turns && (planted || guests.wasRefused || turn >= turns * PATIENCE);
    for (let turn = 0; !isOver(turn) && !work.enough(); turn += 1) {
      for (const [what, [wanted, ask]] of Object.entries(asked)) {
        const answer = await ask(turn);
        // UNAVAILABLE means that the machine's database is slow, so it is not a failure of the service.
        const isRefused = answer?.status !== wanted && !answer?.text.includes('"UNAVAILABLE"');
        if (isRefused) {
          work.fail(`while ${CONNECTIONS} callers guess passwords, ${what}: ${answer?.status} ${answer?.text}`);
        }
      }
    }
    const statuses = await guests.end();
    work.say(`the crowd: ${[...statuses].map(([status, count]) => `${count} times ${status}`).join(', ')}`);
    const judged = statuses.get(401) ?? 0;
    const counted = await failures(service);
    const most = LIMIT * (3 + guests.minutes) + 1;
    if (!planted && !statuses.has(429)) work.fail(`none of ${judged} wrong passwords of one address was a 429`);
    if (!planted && judged > most) work.fail(`${judged} wrong passwords of one address were judged, at most ${most}`);
    if (!planted && counted < judged) work.fail(`the metric has ${counted} of ${judged} wrong passwords`);
  } finally {
    await service.stop();
  }
}

function loginOf({ userId, password }: { userId: string; password: string }) {
  return { userId, password };
}

function callerFrom({ base }: ServiceProcess, address: string): Caller {
  const agent = oneConnection();
  return (method, path, body, more) => {
    const headers = {
      'x-forwarded-for': address,
      ...(more !== undefined && 'apikey' in more ? {} : { 'sec-fetch-site': 'same-origin' }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...more,
    };
    const sent = { method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return send(base, sent, { agent, timeoutMs: PATIENCE_MS });
  };
}

function cookieOf(answer: Answer | undefined): string {
  const [cookie = ''] = answer?.headers['set-cookie'] ?? [];
  if (cookie === '') throw new Error(`the scene cannot begin: ${answer?.status} ${answer?.text}`);
  return cookie.split(';', 1)[0]!;
}

/** The callers who guess passwords. */
class Guests {
  readonly #statuses = new Map<number, number>();
  readonly #running: Promise<void>[];
  /** Resolves when each caller has had one response. */
  readonly all: Promise<unknown>;
  readonly #since = performance.now();
  #isOver = false;

  constructor(service: ServiceProcess) {
    const firsts: Promise<undefined>[] = [];
    this.#running = Array.from({ length: CONNECTIONS }, (_, at) => {
      const first = Promise.withResolvers<undefined>();
      firsts.push(first.promise);
      return this.#guess(callerFrom(service, '198.51.100.1'), at, () => first.resolve(undefined));
    });
    this.all = Promise.all(firsts);
  }

  async #guess(call: Caller, at: number, answered: () => void): Promise<void> {
    for (let turn = 0; !this.#isOver; turn += 1) {
      const userId = `guest-${at}-${turn}`;
      const answer = await call('POST', '/session', { clientId: 'TOWN', userId, password: 'no user has this one' });
      const status = answer?.status ?? 0;
      this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
      answered();
      if (status !== 401) await sleep(REST_MS);
    }
  }

  get wasRefused(): boolean {
    return this.#statuses.has(429);
  }

  get minutes(): number {
    return (performance.now() - this.#since) / 60_000;
  }

  async end(): Promise<ReadonlyMap<number, number>> {
    this.#isOver = true;
    await Promise.all(this.#running);
    return this.#statuses;
  }
}

/** Returns the number of failed sign-ins in the metrics. */
async function failures({ base }: ServiceProcess): Promise<number> {
  const answer = await send(base, { method: 'GET', path: '/metrics', headers: {} });
  const counts = answer?.text.matchAll(/^backroom_sign_in_failures_total\{[^}]*\} (\d+)$/gm) ?? [];
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
