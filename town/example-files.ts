/**
 * The examples of contract/examples. Each operation has a list of requests and responses, which are executed in their
 * order against a new small town. In a response, `"<any>"` matches every value. In requests and responses, names such
 * as `{orders.waiting}`, `{tickets.open}`, `{requests.returned}` and `{credential.credentialId}` are replaced by values
 * of the town. A step that calls another operation expects the body `"<any>"`, because the file of that operation
 * compares its body.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Auth, Method, Operation } from '../src/platform/http/operation.ts';
import { parseJson } from '../src/platform/message/json.ts';
import { type Names, named } from '../src/service/demo/names.ts';
import { nextTickets } from '../src/service/demo/tour.ts';
import { harbourStreet, type Secrets, type Town } from '../src/service/demo/town.ts';
import { operationNamed, operations } from '../src/service/operations.ts';
import { clientHeaders, operatorHeaders } from './call.ts';

export interface Example {
  /** A sentence with the rule that the example demonstrates. */
  name: string;
  request: {
    method: Method;
    path: string;
    headers?: Record<string, string>;
    body?: unknown;
    /** A body that is sent unchanged, instead of `body`. */
    text?: string;
    /**
     * The credentials to send; the default is the credentials that the operation requires. `browser` sends the headers
     * of a page of this site, with the cookies of earlier responses.
     */
    as?: 'client' | 'operator' | 'browser' | 'none';
  };
  reply: { status: number; body?: unknown };
}

/**
 * Whether a successful request needs hardware or another server: an authenticator that signs, a label printer, or a
 * server that receives webhooks or requests for labels.
 */
export function needsHardware(operationId: string): boolean {
  return operationNamed(operationId).example.needs !== undefined;
}

/** Values for the names in an example. */
export type Named = Pick<Town, 'orders' | 'tickets' | 'requests' | 'edi' | 'returns' | 'refunds'> & {
  credential: Secrets;
  /** Values from earlier responses: `{last.code}` is replaced by the most recent field `code` of a response. */
  last: Record<string, string>;
  cookies: Map<string, string>;
};

/** Stores the parts of a response that later examples may need: its cookies, and the text fields of its body. */
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

/** A request of an example, with its credentials and with all names replaced. */
export interface Sent {
  method: Method;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
  raw?: string;
}

const FOLDER = new URL('../contract/examples/', import.meta.url);

/** Returns the ids of the operations that have an example file. */
export function exampleIds(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/**
 * Returns the examples of an operation: from its file, or otherwise from its declaration. The declared examples also
 * have the request without a credential.
 */
export function examplesOf(operationId: string): Example[] {
  const file = new URL(`${operationId}.json`, FOLDER);
  if (existsSync(file)) return parseJson(readFileSync(file)) as Example[];
  return declared(operationNamed(operationId));
}

/** Name of the example that sends a declared request without a credential. */
export const WITHOUT_CREDENTIAL = 'Without a credential';

function declared(operation: Operation): Example[] {
  const steps: Example[] = [];
  const seen = new Set<string>();
  const visit = ({ id, summary, example: { after = [], before = [], path, body, x12 } }: Operation): void => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const earlier of after) visit(operationNamed(earlier));
    for (const { operationId, ...request } of before) steps.push(step(`Before: ${operationId}`, operationId, request));
    steps.push(step(summary, id, { path, body, ...(x12 !== undefined && { text: x12 }) }));
  };
  visit(operation);
  const { request } = steps.at(-1)!;
  const reply = { status: REJECTED_WITHOUT[operation.access.auth], body: '<any>' };
  return [...steps, { name: WITHOUT_CREDENTIAL, request: { ...request, as: 'none' }, reply }];
}

const REJECTED_WITHOUT: Record<Auth, number> = {
  basic: 403,
  apiKey: 403,
  operator: 401,
  operatorOrApiKey: 401,
  session: 401,
  browser: 403,
  none: 200,
};

function step(
  name: string,
  operationId: string,
  { path, body, text }: { path: string; body?: unknown; text?: string },
): Example {
  const {
    method,
    message: { replies },
  } = operationNamed(operationId);
  // The request is sent for the first time, so the step expects 201 if the operation can create a resource, otherwise
  // the lowest status.
  const status = 201 in replies ? 201 : Math.min(...Object.keys(replies).map(Number));
  const file = text === undefined ? {} : { text, headers: { 'content-type': 'application/edi-x12' } };
  const request = { method, path, ...(body !== undefined && { body }), ...file };
  return { name, request, reply: { status, body: '<any>' } };
}

/** Returns the operation that the request of an example calls; undefined if no operation has this method and path. */
export function operationAsked({ request }: Example): Operation | undefined {
  const path = request.path.split('?', 1)[0]!;
  return operations.find(
    (operation) =>
      operation.method === request.method && new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
}

/**
 * Returns the complete request of an example, with credentials. Headers of the example replace credentials of the same
 * name.
 */
export function sentOf(names: Named, operatorKey: string, example: Example): Sent {
  const { method, path, headers, body, text } = named(example.request, namesOf(names));
  const as = example.request.as ?? usual(operationAsked(example));
  const credentials = {
    none: {},
    browser: {
      'sec-fetch-site': 'same-origin',
      ...(names.cookies.size > 0 && { cookie: [...names.cookies].map((one) => one.join('=')).join('; ') }),
    },
    operator: operatorHeaders(operatorKey),
    client: clientHeaders(names.credential),
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
  if (operation?.access.auth === 'session' || operation?.access.auth === 'browser') return 'browser';
  return operation?.access.auth === 'operator' ? 'operator' : 'client';
}

/**
 * Returns the body that an example expects, with the received value in place of each `"<any>"`, so that the two bodies
 * can be compared as a whole.
 */
export function expectedBody(names: Named, { reply }: Example, came: unknown): unknown {
  return matched(named(reply.body, namesOf(names)), came);
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

/** Returns the names of the town that examples use, without names from earlier responses. */
export function namesOfTown({
  orders,
  tickets,
  requests,
  edi,
  returns,
  refunds,
  credential,
}: Omit<Named, 'last' | 'cookies'>): Names {
  return {
    orders,
    tickets: { ...tickets, ...nextTickets(tickets) },
    requests,
    edi: { ...edi },
    returns: { ...returns },
    refunds: { ...refunds },
    credential: { ...credential },
    harbourStreet,
  };
}

function namesOf(names: Named): Names {
  return { ...namesOfTown(names), last: names.last };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
