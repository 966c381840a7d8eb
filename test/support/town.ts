/**
 * The small town of demo/town.ts, opened in a few milliseconds: it is loaded through the HTTP interface once for each state of
 * the sources, and every `openTown` serves a copy of its database.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Role } from '../../src/platform/roles.ts';
import { loadTown, type Secrets, type Town, type TownCall, type TownOptions } from '../../src/service/demo/town.ts';
import {
  type Answer,
  type Backroom,
  type BackroomOptions,
  type Call,
  NOON,
  OPERATOR_KEY,
  openBackroom,
} from './backroom.ts';
import { type Named, noteAnswer } from './example-files.ts';
import { keptFile } from './kept.ts';
import { ENGINE, openTestStore, writeContent } from './store.ts';

/** When the town is loaded: half an hour before the clock of an opened town. Its orders are due from this instant on. */
export const LOADED_AT = NOON - 30 * 60_000;

type Send = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

/** Calls with one credential. */
export interface Caller {
  secrets: Secrets;
  /** `Authorization` and `apiKey`: enough for every operation of a client. */
  headers: { authorization: string; apikey: string };
  get: Send;
  post: Send;
  put: Send;
  delete: Send;
  /** Any request; its own headers win. */
  call: (call: Call) => Promise<Answer>;
}

export interface OpenTown extends Backroom, Omit<Town, 'credential' | 'neighbour'> {
  /** Cookies and texts of the answers until now, for examples. */
  answered: Pick<Named, 'last' | 'cookies'>;
  /** The town's credential for all groups. */
  client: Caller;
  /** The neighbour's; only with `{ neighbours: true }`. */
  neighbour: Caller;
  as: (secrets: Secrets) => Caller;
  /** Signs a person of the town in, as a browser would; its calls send the cookie. */
  signIn: (role: Role) => Promise<Browser>;
  /** A new credential of the town (or of `clientId`), narrowed as asked. */
  credential: (narrowing?: CredentialWish, clientId?: string) => Promise<Caller>;
}

/** A browser on which somebody is signed in. */
export interface Browser {
  /** `Cookie` and `Sec-Fetch-Site`. */
  headers: { cookie: string; 'sec-fetch-site': string };
  get: Send;
  post: Send;
  put: Send;
  delete: Send;
  /** Any request; its own headers win. */
  call: (call: Call) => Promise<Answer>;
}

interface CredentialWish {
  label?: string;
  storeIds?: string[];
  nodeIds?: string[];
  groups?: string[];
  expiresAt?: string;
}

export interface OpenTownOptions {
  /** Also the client OTHER. */
  neighbours?: boolean;
  /** How far the town is loaded; default: all of it. */
  upTo?: TownOptions['upTo'];
  env?: Record<string, string>;
  /** Where the service logs; default: nowhere. */
  log?: BackroomOptions['log'];
  /** False: as in production, without the operations of a sandbox. */
  sandbox?: boolean;
  /** Sends spans. */
  tracing?: BackroomOptions['tracing'];
  /** As `BackroomOptions` have it. */
  hashCost?: BackroomOptions['hashCost'];
}

interface Template {
  /** File with the database's content. */
  content: string;
  town: Town;
}

/** By `neighbours` and `upTo`. */
const templates = new Map<string, Promise<Template>>();

/** The town at NOON, in a database of its own. */
export async function openTown(options: OpenTownOptions = {}): Promise<OpenTown> {
  const { neighbours = false, upTo = 'work' } = options;
  const key = `${neighbours} ${upTo}`;
  if (!templates.has(key)) templates.set(key, build({ now: LOADED_AT, neighbours, upTo }));
  const { content, town } = await templates.get(key)!;
  const store = await openTestStore({}, content);
  const backroom = await openBackroom(options.env ?? {}, {
    store,
    seed: 'town opened',
    sandbox: options.sandbox ?? true,
    ...(options.log && { log: options.log }),
    ...(options.tracing && { tracing: options.tracing }),
    ...('hashCost' in options && { hashCost: options.hashCost }),
  });
  const answered: OpenTown['answered'] = { last: {}, cookies: new Map() };
  const { call: ask } = backroom;
  backroom.call = async (request) => {
    const answer = await ask(request);
    noteAnswer(answered, answer.headers['set-cookie'], answer.body);
    return answer;
  };
  const as = (secrets: Secrets) => caller(backroom.call, secrets);
  const { credential, neighbour, ...names } = town;
  return {
    ...backroom,
    ...names,
    client: as(credential),
    neighbour: as(neighbour ?? { credentialId: '', apiKey: 'without neighbours', username: '', password: '' }),
    as,
    answered,
    signIn: async (role) => {
      const { clientId, userId, password } = town.people[role];
      return signedIn(backroom.call, { ...(clientId !== undefined && { clientId }), userId, password });
    },
    credential: async (narrowing = {}, clientId = 'TOWN') => {
      const path = `/operator/v1/clients/${clientId}/credentials`;
      const made = await backroom.operator('POST', path, { label: 'Narrowed', ...narrowing });
      if (made.status !== 201) throw new Error(`the credential was refused: ${made.text}`);
      return as(made.body as Secrets);
    },
  };
}

async function build(options: TownOptions): Promise<Template> {
  const { neighbours = false, upTo = 'work' } = options;
  const name = `town-${upTo}${neighbours ? '-neighbours' : ''}`;
  const names = (content: string) => `${content}.names.json`;
  const content = await keptFile(`${name}.${ENGINE}`, async (file) => {
    const backroom = await openBackroom({}, { seed: 'town loaded', now: LOADED_AT });
    const town = await loadTown(townCall(backroom.call), options);
    await backroom.server.app.close();
    await writeContent(backroom.store, file);
    await backroom.store.close();
    writeFileSync(names(file), JSON.stringify(town));
  });
  return { content, town: JSON.parse(readFileSync(names(content), 'utf8')) as Town };
}

/** How the town's loader calls a service in process. */
export function townCall(call: Backroom['call']): TownCall {
  return (method, path, { as, body }) =>
    call({
      method,
      path,
      body,
      headers: as === 'operator' ? { authorization: `Bearer ${OPERATOR_KEY}` } : headersOf(as),
    });
}

/** Signs somebody in. @throws Error with the response when it is refused. */
export async function signedIn(
  call: Backroom['call'],
  body: { clientId?: string; userId: string; password: string },
  headers: Record<string, string> = {},
): Promise<Browser> {
  const own = { 'sec-fetch-site': 'same-origin', ...headers };
  const answer = await call({ method: 'POST', path: '/session', body, headers: own });
  if (answer.status !== 201) throw new Error(`the sign-in was answered ${answer.status}: ${answer.text}`);
  return browser(call, cookieOf(answer), headers['cookie']);
}

/** `name=value` of the cookie that a response sets. */
export function cookieOf(answer: Answer): string {
  return String(answer.headers['set-cookie']).split(';', 1)[0]!;
}

/** Calls with cookies. */
export function browser(call: Backroom['call'], ...cookies: (string | undefined)[]): Browser {
  const cookie = cookies.filter((one) => one !== undefined && !one.endsWith('=')).join('; ');
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const send =
    (method: Call['method']): Send =>
    (path, body, more) =>
      call({ method, path, body, headers: { ...headers, ...more } });
  return {
    headers,
    get: send('GET'),
    post: send('POST'),
    put: send('PUT'),
    delete: send('DELETE'),
    call: (request) => call({ ...request, headers: { ...headers, ...request.headers } }),
  };
}

function headersOf({ apiKey, username, password }: Secrets) {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`, apikey: apiKey };
}

function caller(call: Backroom['call'], secrets: Secrets): Caller {
  const headers = headersOf(secrets);
  const send =
    (method: Call['method']): Send =>
    (path, body, more) =>
      call({ method, path, body, headers: { ...headers, ...more } });
  return {
    secrets,
    headers,
    get: send('GET'),
    post: send('POST'),
    put: send('PUT'),
    delete: send('DELETE'),
    call: (request) => call({ ...request, headers: { ...headers, ...request.headers } }),
  };
}
