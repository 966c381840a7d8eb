/**
 * The examples of contract/examples: per operation a list of requests and their replies, executed in their order against
 * a fresh small town. In replies `"<any>"` stands for whatever comes; `{orders.waiting}`, `{tickets.open}`,
 * `{requests.returned}` and `{credential.credentialId}` anywhere in a request or reply stand for names of the town.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Method, Operation } from '../../src/platform/http/operation.ts';
import { parseJson, stringifyJson } from '../../src/platform/message/json.ts';
import type { Secrets, Town } from '../../src/service/demo/town.ts';
import { operations } from '../../src/service/operations.ts';

export interface Example {
  /** The rule that the example shows, as a sentence. */
  name: string;
  request: {
    method: Method;
    path: string;
    headers?: Record<string, string>;
    body?: unknown;
    /** A body that is sent as it is, instead of `body`. */
    text?: string;
    /**
     * Whose credentials are sent; default: those the operation asks for. `browser`: a page of this site, with the cookies that
     * the requests before have set.
     */
    as?: 'client' | 'operator' | 'browser' | 'none';
  };
  reply: { status: number; body?: unknown };
}

/**
 * Operations whose good request needs more than the service: what an authenticator has signed just now (test/console/passkeys.test.ts),
 * or a label printer (test/work/print.test.ts).
 */
export const NEEDS_HARDWARE: ReadonlySet<string> = new Set([
  'challengePasskey',
  'signInWithPasskey',
  'registerPasskey',
  'addPasskey',
  'listPasskeys',
  'deletePasskey',
  'printLabels',
]);

/** What the names in an example stand for. */
export type Named = Pick<Town, 'orders' | 'tickets' | 'requests'> & {
  credential: Secrets;
  /** What the requests before have left: `{last.code}` stands for the last field `code` that was answered. */
  last: Record<string, string>;
  cookies: Map<string, string>;
};

/** Keeps what later examples may need of an answer: its cookies, and the texts of its body. */
export function noteAnswer(
  { last, cookies }: Pick<Named, 'last' | 'cookies'>,
  setCookie: string | readonly string[] | undefined,
  body: unknown,
): void {
  for (const text of setCookie === undefined ? [] : [setCookie].flat()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
  if (!isObject(body)) return;
  for (const [name, value] of Object.entries(body)) if (typeof value === 'string') last[name] = value;
}

/** A request as it is sent. */
export interface Sent {
  method: Method;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
  raw?: string;
}

const FOLDER = new URL('../../contract/examples/', import.meta.url);

/** Ids of the operations that have an example file. */
export function exampleIds(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/** The examples of an operation; none when it has no file. */
export function examplesOf(operationId: string): Example[] {
  const file = new URL(`${operationId}.json`, FOLDER);
  return existsSync(file) ? (parseJson(readFileSync(file)) as Example[]) : [];
}

/** The operation that the request of an example is for. */
export function operationAsked({ request }: Example): Operation | undefined {
  const path = request.path.split('?', 1)[0]!;
  return operations.find(
    (operation) =>
      operation.method === request.method && new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
}

/** The request of an example as it is sent, credentials included; its own `headers` come on top. */
export function sentOf(named: Named, operatorKey: string, example: Example): Sent {
  const { method, path, headers, body, text } = filled(named, example.request) as Example['request'];
  const as = example.request.as ?? usual(operationAsked(example));
  const { apiKey, username, password } = named.credential;
  const credentials = {
    none: {},
    browser: {
      'sec-fetch-site': 'same-origin',
      ...(named.cookies.size > 0 && { cookie: [...named.cookies].map((one) => one.join('=')).join('; ') }),
    },
    operator: { authorization: `Bearer ${operatorKey}` },
    client: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`, apikey: apiKey },
  }[as];
  return {
    method,
    path,
    headers: { ...credentials, ...headers },
    ...(body !== undefined && { body }),
    ...(text !== undefined && { raw: text }),
  };
}

function usual(operation: Operation | undefined): 'client' | 'operator' | 'browser' {
  if (operation?.auth === 'session' || operation?.auth === 'browser') return 'browser';
  return operation?.auth === 'operator' ? 'operator' : 'client';
}

/** The body that an example expects, with `"<any>"` taken over from what came, so that the two can be compared as wholes. */
export function expectedBody(named: Named, { reply }: Example, came: unknown): unknown {
  return matched(filled(named, reply.body), came);
}

function matched(expected: unknown, came: unknown): unknown {
  if (expected === '<any>') return came === undefined ? expected : came;
  if (Array.isArray(expected)) {
    return expected.map((element, index) => matched(element, Array.isArray(came) ? came[index] : undefined));
  }
  if (!isObject(expected)) return expected;
  const members = isObject(came) ? came : {};
  return Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, matched(value, members[name])]));
}

function filled(named: Named, value: unknown): unknown {
  if (value === undefined) return undefined;
  const text = stringifyJson(value).replace(
    /\{(orders|tickets|requests|credential|last)\.(\w+)\}/g,
    (all, kind: keyof Named, name: string) => {
      const found = (named[kind] as unknown as Record<string, string>)[name];
      if (found === undefined) throw new Error(`${all} is no name of the small town`);
      return found;
    },
  );
  return parseJson(text);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
