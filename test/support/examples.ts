/**
 * The examples of contract/examples: per operation a list of requests and their replies, executed in their order against
 * a fresh small town. In replies `"<any>"` stands for whatever comes; `{orders.waiting}`, `{tickets.open}`,
 * `{requests.returned}` and `{credential.credentialId}` anywhere in a request or reply stand for names of the town.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseJson, stringifyJson } from '../../src/http/json.ts';
import { type Answer, type Call, OPERATOR_KEY, operationOf } from './backroom.ts';
import type { OpenTown } from './town.ts';

export interface Example {
  /** The rule that the example shows, as a sentence. */
  name: string;
  request: {
    method: Call['method'];
    path: string;
    headers?: Record<string, string>;
    body?: unknown;
    /** A body that is sent as it is, instead of `body`. */
    text?: string;
    /** Whose credentials are sent; default: those the operation asks for. */
    as?: 'client' | 'operator' | 'none';
  };
  reply: { status: number; body?: unknown };
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

/** Sends the request of an example. */
export function runExample(town: OpenTown, example: Example): Promise<Answer> {
  return town.call(requestOf(town, example));
}

/** The request of an example as it is sent, credentials included; `headers` come on top. */
export function requestOf(town: OpenTown, { request }: Example): Call {
  const { method, path, headers, body, text } = filled(town, request) as Example['request'];
  const as = request.as ?? (operationOf(method, path)?.auth === 'operator' ? 'operator' : 'client');
  const credentials = { none: {}, operator: { authorization: `Bearer ${OPERATOR_KEY}` }, client: town.client.headers }[
    as
  ];
  return {
    method,
    path,
    headers: { ...credentials, ...headers },
    ...(body !== undefined && { body }),
    ...(text !== undefined && { raw: text }),
  };
}

/** The reply of an example with `"<any>"` taken over from what came, so that the two can be compared as wholes. */
export function expectedOf(town: OpenTown, { reply }: Example, came: unknown): unknown {
  return matched(filled(town, reply.body), came);
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

function filled(town: OpenTown, value: unknown): unknown {
  if (value === undefined) return undefined;
  const names = {
    orders: town.orders,
    tickets: town.tickets,
    requests: town.requests,
    credential: town.client.secrets,
  };
  const text = stringifyJson(value).replace(
    /\{(orders|tickets|requests|credential)\.(\w+)\}/g,
    (all, kind: string, name: string) => {
      const found = (names[kind as keyof typeof names] as Record<string, string>)[name];
      if (found === undefined) throw new Error(`${all} is no name of the small town`);
      return found;
    },
  );
  return parseJson(text);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
