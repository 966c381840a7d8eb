/**
 * The small town of src/service/demo/town.ts. It is loaded through the HTTP interface once for each state of the
 * sources. Every `openTown` serves a copy of that database, which takes a few milliseconds.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Role } from '../../src/platform/roles.ts';
import { loadTown, type Secrets, type Town, type TownOptions } from '../../src/service/demo/town.ts';
import { clientHeaders, townCall as townCallOf } from '../../town/call.ts';
import { type Named, noteAnswer } from '../../town/example-files.ts';
import {
  type Answer,
  type Backroom,
  type BackroomOptions,
  type Call,
  NOON,
  OPERATOR_KEY,
  openBackroom,
} from './backroom.ts';
import { keptFile } from './kept.ts';
import { ENGINE, openTestStore, writeContent } from './store.ts';

/** The time at which the town is loaded, half an hour before NOON. Its orders are due from this time on. */
export const LOADED_AT = NOON - 30 * 60_000;

type Send = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

/** Sends requests with one credential. */
export interface Caller {
  secrets: Secrets;
  /** `Authorization` and `apiKey`; they suffice for every operation of a client. */
  headers: { authorization: string; apikey: string };
  get: Send;
  post: Send;
  put: Send;
  delete: Send;
  /** Sends any request; the headers of `call` take precedence. */
  call: (call: Call) => Promise<Answer>;
}

export interface OpenTown extends Backroom, Omit<Town, 'credential' | 'neighbour'> {
  /** Cookies and text fields of the previous responses, for examples. */
  answered: Pick<Named, 'last' | 'cookies'>;
  /** The town's credential for all groups. */
  client: Caller;
  /** The credential of the client OTHER; works only with `{ neighbours: true }`. */
  neighbour: Caller;
  as: (secrets: Secrets) => Caller;
  /** Signs in the town's user with this role, as a browser does. Requests of the result send the cookie. */
  signIn: (role: Role) => Promise<Browser>;
  /** Creates a credential of the town (or of `clientId`) with the restrictions of `narrowing`. */
  credential: (narrowing?: CredentialNarrowing, clientId?: string) => Promise<Caller>;
}

/** A browser with a signed-in user. */
export interface Browser {
  /** `Cookie` and `Sec-Fetch-Site`. */
  headers: { cookie: string; 'sec-fetch-site': string };
  get: Send;
  post: Send;
  put: Send;
  delete: Send;
  /** Sends any request; the headers of `call` take precedence. */
  call: (call: Call) => Promise<Answer>;
}

interface CredentialNarrowing {
  label?: string;
  storeIds?: string[];
  nodeIds?: string[];
  groups?: string[];
  expiresAt?: string;
}

export interface OpenTownOptions {
  /** Loads the client OTHER too. */
  neighbours?: boolean;
  /** The last step of loading the town; default: all steps. */
  upTo?: TownOptions['upTo'];
  env?: Record<string, string>;
  /** The service's log; default: silent. */
  log?: BackroomOptions['log'];
  /** Users whom the sign-in page offers, as in a demo. */
  tryPeople?: BackroomOptions['tryPeople'];
  /** False disables the sandbox operations, as in production. */
  sandbox?: boolean;
  /** Sends spans. */
  tracing?: BackroomOptions['tracing'];
  /** As in `BackroomOptions`. */
  hashCost?: BackroomOptions['hashCost'];
}

interface Template {
  /** Path of the file with the content of the database. */
  content: string;
  town: Town;
}

/** Templates by `neighbours` and `upTo`. */
const templates = new Map<string, Promise<Template>>();

/** Opens the town at NOON, on a new database. */
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
    ...(options.tryPeople && { tryPeople: options.tryPeople }),
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
      if (made.status !== 201) throw new Error(`the service rejected the credential: ${made.text}`);
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

/** Returns the function with which the loader of the town calls a service in the same process. */
export function townCall(call: Backroom['call']) {
  return townCallOf(call, OPERATOR_KEY);
}

/** Signs in a user. @throws Error with the response if the service rejects the sign-in. */
export async function signedIn(
  call: Backroom['call'],
  body: { clientId?: string; userId: string; password: string },
  headers: Record<string, string> = {},
): Promise<Browser> {
  const own = { 'sec-fetch-site': 'same-origin', ...headers };
  const answer = await call({ method: 'POST', path: '/session', body, headers: own });
  if (answer.status !== 201) throw new Error(`the sign-in returned ${answer.status}: ${answer.text}`);
  return browser(call, cookieOf(answer), headers['cookie']);
}

/** Returns `name=value` of the cookie that a response sets. */
export function cookieOf(answer: Answer): string {
  return String(answer.headers['set-cookie']).split(';', 1)[0]!;
}

/** Returns a browser that sends requests with cookies. */
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

function caller(call: Backroom['call'], secrets: Secrets): Caller {
  const headers = clientHeaders(secrets);
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
