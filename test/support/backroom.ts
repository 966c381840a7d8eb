/** The service in the process of the test, on a real database, with a clock that the test sets. */
import { expect } from 'vitest';
import { EVENT_TYPES, type EventTypeName } from '../../src/events/types.ts';
import { loadConfig } from '../../src/platform/config.ts';
import type { Operation } from '../../src/platform/http/operation.ts';
import { createLog } from '../../src/platform/log.ts';
import { parseJson } from '../../src/platform/message/json.ts';
import { compile, type Validator } from '../../src/platform/message/validate.ts';
import { type Ports, seededPorts } from '../../src/platform/ports.ts';
import type { Store } from '../../src/platform/storage/db.ts';
import { isTraining } from '../../src/platform/training.ts';
import { operations, schemas } from '../../src/service/operations.ts';
import { createServer, type Server, type ServerParts } from '../../src/service/server.ts';
import { documentedStatuses } from '../../src/service/web/openapi.ts';
import { type Call, operatorHeaders, type Answer as Sent } from '../../town/call.ts';
import { inject } from '../../town/in-process.ts';
import { openTestStore } from './store.ts';

export const OPERATOR_KEY = 'operator-key-of-the-tests';

/** Noon of a working day: 2026-03-02T12:00:00Z. */
export const NOON = Date.UTC(2026, 2, 2, 12);

export type { Call };
// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
export type Answer = Sent<any>;

export interface Backroom {
  server: Server;
  store: Store;
  ports: Ports;
  /** `clock.now` is the time of the service in milliseconds; a test can set it. */
  clock: { now: number };
  call: (call: Call) => Promise<Answer>;
  /** Sends a request with the operator's key. */
  operator: (method: Call['method'], path: string, body?: unknown) => Promise<Answer>;
  close: () => Promise<void>;
}

let planted = false;

/**
 * Allows responses with status 500 while `work` runs. Elsewhere a 500 fails the test, even where the operation
 * documents it.
 */
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

function isEventType(name: string): name is EventTypeName {
  return Object.hasOwn(EVENT_TYPES, name);
}

/**
 * Checks an event against the schema of its type (src/events/types.ts) and returns the error, or undefined. The
 * compiler already checks the names and types of the data; this function also checks lengths and ranges.
 */
export function errorOfEvent(type: string, sent: unknown): string | undefined {
  if (!isEventType(type)) return `the type ${type} is not in src/events/types.ts: add its line to src/events/schemas`;
  const validate = dataSchemas.get(type) ?? compile(EVENT_TYPES[type].data, schemas);
  dataSchemas.set(type, validate);
  const { errors, value } = validate(sent);
  // In a request, null means absent. The service's own events must not contain a null that the schema does not allow.
  if (value !== sent) return `the data of ${type} have a null that its schema in src/events/schemas does not`;
  if (errors.length === 0) return undefined;
  return `the data of ${type} break its schema in src/events/schemas: ${errors.map((error) => `${error.pointer} ${String(error.message)}`).join('; ')}`;
}

/**
 * Checks every recorded event against the schema of its type, and against the events that the operation of its request
 * declares. Skips the second check for the clients of trainings: one request to start a training records events of many
 * operations.
 */
async function checkEvents(store: Store, asked: ReadonlyMap<string, Operation>): Promise<void> {
  const events = await store.read((tx) =>
    tx.selectFrom('events').select(['client_id', 'type', 'data', 'request_id']).execute(),
  );
  const errors = events.map(({ client_id, type, data, request_id }) => {
    const operation = isTraining(client_id) ? undefined : asked.get(request_id);
    const isDeclared = operation === undefined || operation.events?.includes(type) === true;
    return isDeclared ? errorOfEvent(type, parseJson(data)) : `${operation.id} does not declare the event ${type}`;
  });
  expect([...new Set(errors.filter((error) => error !== undefined))]).toEqual([]);
}

export interface BackroomOptions {
  /** The store to serve; default: an empty store. */
  store?: Store;
  /**
   * Seed of identifiers and secrets. The same seed creates the same identifiers again. So a filled store needs another
   * seed than the seed that filled it.
   */
  seed?: string;
  /** The time of the clock; default NOON. */
  now?: number;
  /** The service's log; default: silent. */
  log?: Ports['log'];
  /** False disables the sandbox operations, as in production. The scheduler runs only on request in both cases. */
  sandbox?: boolean;
  /** Credentials prefilled in the API reference page. */
  tryCredentials?: ServerParts['tryCredentials'];
  tryPeople?: ServerParts['tryPeople'];
  /** Sends spans. */
  tracing?: ServerParts['tracing'];
  /** Cost of password hashing; default: `CHEAP`. `undefined` is the cost of production, 45 ms per sign-in. */
  hashCost?: ServerParts['hashCost'];
}

/** A low cost: 64 KiB of memory. The minimum of argon2 is 8 KiB for one lane. */
const CHEAP = { memory: 64, passes: 1, parallelism: 1 };

/**
 * Opens an empty installation, or one on `options.store`. Checks every response against the operation's documented
 * statuses and schemas.
 */
export async function openBackroom(env: Record<string, string> = {}, options: BackroomOptions = {}): Promise<Backroom> {
  const store = options.store ?? (await openTestStore());
  const clock = { now: options.now ?? NOON };
  const ports = seededPorts(options.seed ?? 'tests', clock, options.log ?? createLog('silent'));
  const config = loadConfig({
    BACKROOM_OPERATOR_KEY: OPERATOR_KEY,
    BACKROOM_SECRET: 'ab'.repeat(32),
    LOG_LEVEL: 'silent',
    // Failed sign-ins have no limit here. The clock does not advance, so failures would never expire, and the limit would
    // reject later sign-ins.
    FAILED_SIGN_IN_LIMIT: 'none',
    ...env,
  });
  const server = await createServer(config, ports, store, {
    ...(options.sandbox !== false && { clock }),
    tryCredentials: options.tryCredentials,
    tryPeople: options.tryPeople,
    tracing: options.tracing,
    hashCost: 'hashCost' in options ? options.hashCost : CHEAP,
  });
  const asked = new Map<string, Operation>();
  const call = async (request: Call): Promise<Answer> => {
    const answer: Answer = await inject(server, request);
    const operation = operationOf(request.method, request.path);
    const requestId = answer.headers['x-request-id'];
    // A test that sends its own request id may send the same id again.
    if (operation !== undefined && requestId !== undefined && !('x-request-id' in (request.headers ?? {})))
      asked.set(requestId, operation);
    checkAnswer(request, answer);
    return answer;
  };
  return {
    server,
    store,
    ports,
    clock,
    call,
    operator: (method, path, body) => call({ method, path, body, headers: operatorHeaders(OPERATOR_KEY) }),
    close: async () => {
      try {
        await checkEvents(store, asked);
      } finally {
        await server.close();
      }
    },
  };
}

const patterns = operations.map(
  (operation) => [operation, new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`)] as const,
);

/** Returns the operation that serves a method and path; undefined if none does. */
export function operationOf(method: string, url: string): Operation | undefined {
  const path = url.split('?', 1)[0]!;
  return patterns.find(([operation, pattern]) => operation.method === method && pattern.test(path))?.[0];
}

function checkAnswer(request: Call, { status, body, headers }: Answer): void {
  const operation = operationOf(request.method, request.path);
  if (operation === undefined) return;
  if (!planted) expect(status, `${operation.id}: ${JSON.stringify(body)}`).not.toBe(500);
  expect(documentedStatuses(operation), `${operation.id} returned ${status}: ${JSON.stringify(body)}`).toContain(
    status,
  );
  const schema = operation.message.replies[status]?.schema;
  // Responses in X12 or NDJSON have no schema.
  if (schema === undefined || !/[/+]json/.test(headers['content-type'] ?? 'application/json')) return;
  const key = `${operation.id} ${status}`;
  const validate = replySchemas.get(key) ?? compile(schema, schemas);
  replySchemas.set(key, validate);
  const { errors: faults, value } = validate(body);
  expect(faults, `the response of ${key} violates its schema`).toEqual([]);
  expect(
    value === body,
    `the response of ${key} has a null that its schema does not allow: ${JSON.stringify(body)}`,
  ).toBe(true);
}
