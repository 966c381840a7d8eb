/** The service in process, on a real database file, with a clock that the test moves. */
import { expect } from 'vitest';
import { EVENT_TYPES, isEventType } from '../../src/events/types.ts';
import { loadConfig } from '../../src/platform/config.ts';
import type { Operation } from '../../src/platform/http/operation.ts';
import { createLog } from '../../src/platform/log.ts';
import { parseJson, stringifyJson } from '../../src/platform/message/json.ts';
import { compile, type Validator } from '../../src/platform/message/validate.ts';
import { type Ports, seededPorts } from '../../src/platform/ports.ts';
import type { Store } from '../../src/platform/storage/db.ts';
import { operations, schemas } from '../../src/service/operations.ts';
import { createServer, type Server, type ServerParts } from '../../src/service/server.ts';
import { documentedStatuses } from '../../src/service/web/openapi.ts';
import { openTestStore } from './store.ts';

export const OPERATOR_KEY = 'operator-key-of-the-tests';

/** Noon of a working day: 2026-03-02T12:00:00Z. */
export const NOON = Date.UTC(2026, 2, 2, 12);

export interface Answer {
  status: number;
  /** Parsed body; numbers that a double cannot hold are `Decimal`. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  body: any;
  text: string;
  headers: Record<string, string | undefined>;
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON (Decimal-safe) with Content-Type: application/json unless `headers` say otherwise. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Buffer;
}

export interface Backroom {
  server: Server;
  store: Store;
  ports: Ports;
  /** `clock.now` is the service's time; move it as the test needs. */
  clock: { now: number };
  call: (call: Call) => Promise<Answer>;
  /** A call with the operator's key. */
  operator: (method: Call['method'], path: string, body?: unknown) => Promise<Answer>;
  close: () => Promise<void>;
}

let planted = false;

/** A 500 is a bug even where an operation documents it; a test that plants one does so in here. */
export async function withPlantedFault<T>(work: () => Promise<T>): Promise<T> {
  planted = true;
  try {
    return await work();
  } finally {
    planted = false;
  }
}

const replySchemas = new Map<string, Validator>();

const dataSchemas = new Map<string, Validator>();

/** The error of an event: its type is listed with the schema of its data (src/events/types.ts). The compiler checks the names and types of the data; lengths and ranges are checked here. */
export function errorOfEvent(type: string, sent: unknown): string | undefined {
  if (!isEventType(type)) return `the type ${type} is not in src/events/types.ts: add its line to src/events/schemas`;
  const validate = dataSchemas.get(type) ?? compile(EVENT_TYPES[type].data, schemas);
  dataSchemas.set(type, validate);
  const { errors, value } = validate(sent);
  // In a message a null is absence; in what the service itself says it would be a value that the schema does not have.
  if (value !== sent) return `the data of ${type} have a null that its schema in src/events/schemas does not`;
  if (errors.length === 0) return undefined;
  return `the data of ${type} break its schema in src/events/schemas: ${errors.map((error) => `${error.pointer} ${error.message}`).join('; ')}`;
}

/** Holds every event that the installation has recorded against the schema of its type. */
async function checkEvents(store: Store): Promise<void> {
  const events = await store.read((tx) => tx.selectFrom('events').select(['type', 'data']).execute());
  const errors = events.map(({ type, data }) => errorOfEvent(type, parseJson(data)));
  expect([...new Set(errors.filter((error) => error !== undefined))]).toEqual([]);
}

export interface BackroomOptions {
  /** A store to serve instead of an empty one. */
  store?: Store;
  /** Seed of identifiers and secrets: another one than what made the store's content, or they meet. */
  seed?: string;
  /** Where the clock stands; default NOON. */
  now?: number;
  /** Where the service logs; default: nowhere. */
  log?: Ports['log'];
  /** False: the service knows of no sandbox, as in production. Nothing happens by itself in either case. */
  sandbox?: boolean;
  /** Credentials that the reference page fills in. */
  tryCredentials?: ServerParts['tryCredentials'];
  /** Sends spans. */
  tracing?: ServerParts['tracing'];
  /** Default: next to nothing. `undefined` is the cost of production, 45 ms a sign-in. */
  hashCost?: ServerParts['hashCost'];
}

/** The least that argon2 takes for one lane, with some room. */
const CHEAP = { memory: 64, passes: 1, parallelism: 1 };

/** Opens an empty installation. Every answer is held against the operation's documented statuses and schemas. */
export async function openBackroom(env: Record<string, string> = {}, options: BackroomOptions = {}): Promise<Backroom> {
  const store = options.store ?? (await openTestStore());
  const clock = { now: options.now ?? NOON };
  const ports = seededPorts(options.seed ?? 'tests', clock, options.log ?? createLog('silent'));
  const config = loadConfig({
    BACKROOM_OPERATOR_KEY: OPERATOR_KEY,
    BACKROOM_SECRET: 'ab'.repeat(32),
    LOG_LEVEL: 'silent',
    // The clock stands, so no failure would ever be forgotten.
    FAILED_SIGN_IN_LIMIT: 'none',
    ...env,
  });
  const server = await createServer(config, ports, store, {
    ...(options.sandbox !== false && { clock }),
    tryCredentials: options.tryCredentials,
    tracing: options.tracing,
    hashCost: 'hashCost' in options ? options.hashCost : CHEAP,
  });
  const call = async (request: Call): Promise<Answer> => {
    const payload = request.raw ?? (request.body === undefined ? undefined : stringifyJson(request.body));
    const response = await server.app.inject({
      method: request.method,
      url: request.path,
      headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...request.headers },
      ...(payload !== undefined && { payload }),
    });
    const isJson = /json/.test(response.headers['content-type'] ?? '');
    const body = isJson && response.payload !== '' ? parseJson(response.payload, { maxTokens: 1_000_000 }) : undefined;
    checkAnswer(request, response.statusCode, body);
    return {
      status: response.statusCode,
      body,
      text: response.payload,
      headers: response.headers as Answer['headers'],
    };
  };
  return {
    server,
    store,
    ports,
    clock,
    call,
    operator: (method, path, body) =>
      call({ method, path, body, headers: { authorization: `Bearer ${OPERATOR_KEY}` } }),
    close: () => checkEvents(store).finally(() => server.close()),
  };
}

const patterns = operations.map(
  (operation) => [operation, new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`)] as const,
);

/** The operation that a method and path lead to. */
export function operationOf(method: string, url: string): Operation | undefined {
  const path = url.split('?', 1)[0]!;
  return patterns.find(([operation, pattern]) => operation.method === method && pattern.test(path))?.[0];
}

function checkAnswer(request: Call, status: number, body: unknown): void {
  const operation = operationOf(request.method, request.path);
  if (operation === undefined) return;
  if (!planted) expect(status, `${operation.id}: ${JSON.stringify(body)}`).not.toBe(500);
  expect(documentedStatuses(operation), `${operation.id} answered ${status}: ${JSON.stringify(body)}`).toContain(
    status,
  );
  const schema = operation.replies[status]?.schema;
  if (schema === undefined) return;
  const key = `${operation.id} ${status}`;
  const validate = replySchemas.get(key) ?? compile(schema, schemas);
  replySchemas.set(key, validate);
  const { errors: faults, value } = validate(body);
  expect(faults, `the answer of ${key} breaks its schema`).toEqual([]);
  expect(value === body, `the answer of ${key} has a null that its schema does not: ${JSON.stringify(body)}`).toBe(
    true,
  );
}
