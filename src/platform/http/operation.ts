/**
 * The frame of every operation: its callers, its messages, and the one transaction it runs in.
 *
 * The whole `handle` of a write runs inside one write transaction. Its effect, its events and its idempotency record
 * commit together, and the response is sent only when they are on disk. The handle of a read sees one snapshot. A
 * handle awaits only `ctx.db`.
 *
 * A thrown `Refusal` rolls back all changes of the handle. A *returned* `Refusal` is sent as an error too, but the
 * changes are committed: failed attempts such as a wrong PIN must count. Its response is not stored for the
 * Idempotency-Key, so a retry with the same key counts again. If the message does not match its schema, the response
 * has only the errors of the schema and of the rules, and nothing is committed.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { type Actor, type Ctx, type Group, PERMISSIONS, type Permission, type ReadCtx } from '../ctx.ts';
import type { Hashing } from '../hashing.ts';
import { type FieldErrorList, FieldErrors } from '../message/field-errors.ts';
import type { ValidPart } from '../message/valid-part.ts';
import type { ValidationResult } from '../message/validate.ts';
import type { Sandbox } from '../sandbox-clock.ts';
import type { Static, TSchema } from '../schema.ts';
import type { Sealer } from '../secrets.ts';
import type { Site } from '../site.ts';
import type { Store, Writer } from '../storage/db.ts';
import type { ClientRow, NodeRow, StoreRow, Tables } from '../storage/tables.ts';
import type { Deprecation } from './deprecation.ts';
import { badRequest, type OperationErrors, type Refusal } from './errors.ts';
import type { LinePart } from './lines.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Credentials of an operation. `basic`: Authorization: Basic together with apiKey (items). `apiKey`: only the key
 * (inbound and fulfillment). `operator`: the operator's bearer key. `operatorOrApiKey`: the operator's bearer key or
 * the apiKey (order intake). All four also accept the session of a user with the `permission`. All except `operator`
 * also accept an access token in place of the key of a client. `session` accepts only a session. `browser` needs no
 * credential, but the request must come from a page of this site (signing in). `none` accepts every request.
 */
export type Auth = 'basic' | 'apiKey' | 'operator' | 'operatorOrApiKey' | 'session' | 'browser' | 'none';

/**
 * Effect of a retry without an Idempotency-Key, for example after a lost response. `same`: the retry succeeds and
 * changes nothing. `rejected`: the new state rejects the retry. `Adds`: the retry adds its effect once more, as `adds`
 * describes. If the body has the id that `unless` names, this id identifies the retry, and nothing is added. Entries of
 * the access log do not count as an effect.
 */
type Repeat = 'same' | 'rejected' | Adds;
interface Adds {
  readonly adds: string;
  readonly unless?: string;
}

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/**
 * The edge loads and checks the resources in the path, except the resource of the last segment, which `handle` loads.
 */
type Loaded<Path extends string, Name extends string, Row> = Path extends `${string}{${Name}}/${string}`
  ? Row
  : undefined;

interface Input<Path extends string, Query, Body, Prepared = undefined, Found = undefined> {
  params: Record<ParamNames<Path>, string>;
  query: Query;
  body: Body;
  headers: IncomingHttpHeaders;
  /** The client of the operation: the caller's client; for an operator, the client of the path or of its store. */
  clientId: string;
  client: Loaded<Path, 'clientId', ClientRow>;
  store: Loaded<Path, 'storeId', StoreRow>;
  node: Loaded<Path, 'nodeId', NodeRow>;
  prepared: Prepared;
  /** The result of `rules`. */
  found: Found;
}

/** The input of `rules`: only the valid parts of query and body. */
type RulesInput<Path extends string, Query, Body> = Omit<
  Input<Path, ValidPart<Query>, ValidPart<Body>>,
  'prepared' | 'found'
>;

export interface Reply {
  status: number;
  body?: unknown;
  /**
   * JSON text that is sent unchanged, instead of `body`. If `headers` have another Content-Type, the text is of that
   * type.
   */
  text?: string;
  /** Bytes that are sent unchanged, instead of `body`; `headers` have their Content-Type. */
  bytes?: Buffer;
  /**
   * Records that are sent one per line, part by part, instead of `body`. Permitted only if the message has `produces`.
   */
  lines?: LinePart;
  /** The text of `lines`; the code that runs operations sets it. */
  stream?: Readable;
  headers?: Record<string, string | string[]>;
}

/** A successful response. */
export function reply(status: number, body?: unknown, headers?: Record<string, string | string[]>): Reply {
  return { status, ...(body !== undefined && { body }), ...(headers !== undefined && { headers }) };
}

/**
 * A request that succeeds in the small town. The tour of `backroom demo` and the tests send it; the OpenAPI document
 * shows it. Placeholders such as `{orders.ready}` are replaced by ids of the town (`src/service/demo/names.ts`).
 */
interface Example {
  /** Path and query. */
  path: string;
  body?: unknown;
  /** CSV text of an upload, lines separated by `\n`. */
  csv?: string;
  /** X12 text of the body. */
  x12?: string;
  /**
   * Ids of operations whose examples the tour must send before this example, although the document lists them later.
   */
  after?: readonly string[];
  /** Requests to other operations that are sent immediately before the example, to make the state that it needs. */
  before?: readonly { operationId: string; path: string; body?: unknown }[];
  /** The device or program that the request needs. The document shows such a request, but the tour does not send it. */
  needs?: 'printer' | 'authenticator' | 'receiver';
}

/** Access to the operation, and personal data in its response. */
interface Access {
  auth: Auth;
  /** A client's credential needs one of these groups. */
  group?: Group | readonly [Group, ...Group[]];
  /** A user's session needs this permission, or one of these permissions; `any`: every session. */
  permission?: Permission | readonly [Permission, ...Permission[]] | 'any';
  /** A user of the operator must have signed in with a full credential in the last 15 minutes. */
  fresh?: true;
  /** The operation is permitted before the user has changed a one-time PIN. */
  withOneTimePin?: true;
  /** The operation is permitted during a training. Set this only with `auth: session`. */
  inTraining?: true;
  /** Leads can assign the work to another user with the field `userId`. */
  assigns?: true;
  /** A device can queue the request and send it later in the name of its user (header Outbox-Ticket). */
  offline?: true;
  /**
   * The console sends the request at intervals, so it does not count as use of the session. It prevents neither the end
   * of the session nor the lock of the device.
   */
  background?: true;
  /**
   * The operation concerns the whole client. `true`: callers that are limited to stores or nodes are rejected
   * (docs/events.md#permissions). `allNodes`: only callers limited to nodes are rejected
   * (docs/api.md#paths-and-credentials). `allStores`: only callers limited to stores are rejected, because all stores
   * share the data (docs/stock.md#access).
   */
  wholeClient?: true | 'allNodes' | 'allStores';
  /**
   * Returns the orders whose personal data the response shows, for the access log. `shown` is the body of the response,
   * `asked` is the input of the operation. E-mail addresses and telephone numbers in the response are empty for users
   * without the permission `contact`.
   */
  reveals?: (shown: never, asked: { params: Record<string, string>; body: unknown }) => readonly string[];
  /** Returns the orders whose anonymization deletes the stored response; default: the orders that `reveals` returns. */
  forgottenWith?: (shown: never) => readonly string[];
  /**
   * The user meets the customer: users with `fulfillment.write` see e-mail addresses and telephone numbers in the
   * response even without the permission `contact`. A function decides by the body of the response.
   */
  meetsCustomer?: boolean | ((shown: never) => boolean);
}

/** The request and its responses. */
interface Message<Q extends TSchema, B extends TSchema> {
  query?: Q;
  body?: B;
  /**
   * Documented responses. The OpenAPI document adds the responses of the edge (docs/interface.md#statuses). A response
   * without a schema has no body.
   */
  replies: Record<number, { description: string; schema?: TSchema }>;
  /** Statuses and causes of the operation's own errors. */
  refusals?: Record<number, string>;
  /** Named schema of the operation's own errors, by status, if their bodies differ from the format. */
  ownErrors?: Record<number, string>;
  /** Format of error bodies; default `record`. */
  errors?: OperationErrors;
  /**
   * Content type of the body; default `json`. `json-any-label` also accepts JSON under an XML Content-Type (inbound).
   * `x12`: the bytes of the body, a Buffer.
   */
  consumes?: 'json' | 'json-any-label' | 'multipart' | 'x12';
  /** `lines`: a successful response has `lines`. `reveals` then gets the records of one part. */
  produces?: 'lines';
  /**
   * The operation itself compares its message with the path, because the message has another form or because imports
   * use the same comparison.
   */
  ownAgreement?: boolean;
  /**
   * A field that the comparison of bodies for an Idempotency-Key ignores, at any depth. Otherwise, a caller could guess
   * the value by sending the same key with other values, and these attempts would not count.
   */
  secretMember?: string;
  /**
   * The body can have a password. For an Idempotency-Key, the service then stores a hash of the body that needs the
   * installation's key: from a plain hash, a reader of a backup could guess the password much faster than from argon2id.
   */
  hasPassword?: true;
  /**
   * The operation has no Idempotency-Key, because its response sets a cookie, which must not be stored, or because its
   * effect is outside of the database.
   */
  keyless?: true;
  /**
   * The response has the revision of the resource as ETag, and a write compares it with If-Match by `requireRevision`
   * (docs/api.md#changes-by-several-systems).
   */
  hasRevision?: true;
  /** Setting with the maximum length of the body. */
  limit?: 'bodyLimit' | 'inboundBodyLimit' | 'uploadBodyLimit';
  /**
   * Validates the parsed body of a message with several spellings. If this function is absent, the schema of `body`
   * validates the message. `validate` is this schema, compiled; it is lenient if the caller prefers lenient handling.
   */
  parse?: (
    raw: unknown,
    validate: (value: unknown) => ValidationResult,
    isLenient: boolean,
  ) => ValidationResult<Static<B>> | Promise<ValidationResult<Static<B>>>;
  /** Returns the number of the ASN or PO in the body, for the inbound failure; '' if it has none. */
  poAsnNumber?: (body: Static<B>) => string;
}

interface Common<Path extends string, Q extends TSchema, B extends TSchema> {
  /** camelCase `verbResource`: the operationId, and the name of its example file. */
  id: string;
  /** Version with which the operation was published; absent: it is new in the version that is being prepared. */
  since?: '0.1.0' | '0.2.0' | '0.3.0' | '0.4.0' | '0.5.0';
  method: Method;
  path: Path;
  /** One line for the list of operations. */
  summary: string;
  /** The rule in plain words, with its source (a heading of docs/interface.md, or a decision). */
  description: string;
  example: Example;
  /** The operation still works until `sunset` at least. Its description names its replacement. */
  deprecated?: Deprecation;
  /**
   * Types of the events that a request can record, listed in docs/events.md. The tests compare them with the recorded
   * events.
   */
  events?: readonly string[];
  access: Access;
  message: Message<Q, B>;
}

/**
 * Business rules of a message beyond its schema. They also run if the message violates its schema, so that one response
 * has all errors. They then get only the valid parts; a rule without its part reports nothing. A rule adds its errors
 * to `errors`; it throws only `denied`. The result (rows that the rules read, or undefined) is `found` of `handle`.
 * `handle` runs only if there are no errors, so errors of the message come before 404 and 409.
 */
type Rules<C, Path extends string, Query, Body, Found> = (
  ctx: C,
  input: RulesInput<Path, Query, Body>,
  errors: FieldErrors,
) => Promise<Found> | Found;

/** The input of `before` of a read. */
export interface BeforeRead {
  store: Store;
  actor: Actor;
  /** Aborted when the connection is closed or the service stops. */
  signal: AbortSignal;
  /** Checks the caller's access again. @throws Refusal with the same error as the check at the start of the request */
  checkAccess: () => Promise<unknown>;
  /** Writes the noted entries of the access log. */
  flushAccess: () => Promise<void>;
  /** Awaits an event from outside the service. During the wait, the request does not count as in progress. */
  idle: (wait: Promise<unknown>) => Promise<void>;
  /** The present, by the clock of the installation. */
  now: () => number;
  /** The configuration of the context. */
  config: Ctx['config'];
  /** The clock of a sandbox, which an operation can move. */
  sandbox?: Sandbox;
}

/** A password check. */
export interface Guess<T> {
  judge: () => Promise<T>;
  isRight: (judged: T) => boolean;
  /** Key under which failures count; default: the caller's address. */
  origin?: string;
}

/** The input of `prepare` of a write, besides its message. */
export interface PrepareParts {
  store: Store;
  sealer: Sealer;
  hashing: Hashing;
  actor: Actor;
  now: number;
  /** The caller's address; empty for commands. */
  address: string;
  /** Checks a password, within the limit of failed sign-ins. @throws Refusal 429 as `Limits.guess`. */
  guess: <T>(guess: Guess<T>) => Promise<T>;
  /** The present, by the clock of the installation; `now` is the time of the request. */
  present: () => number;
  /** Awaits an event from outside the service. During the wait, the request does not count as in progress. */
  idle: <T>(wait: () => Promise<T>) => Promise<T>;
  /** Makes the context of a separate transaction, for changes that are committed even if the operation fails. */
  ctx: (db: Writer) => Ctx;
  site?: Site;
}

/** Functions of a read, which makes its response from one snapshot. */
interface ReadRun<Path extends string, Query, Body, P, F> {
  /** `handle` makes at most one statement, so it needs no transaction around it. */
  single?: true;
  /**
   * For the most frequent reads: the response can take the fast path (fast-path.ts) and be cached. It must be a text
   * with status 200 that depends only on the path, on the resources of the path and on the listed tables.
   */
  fastPath?: readonly (keyof Tables)[];
  /** The response can be some seconds old, so it can come from a read replica. */
  stale?: boolean;
  /**
   * Work before the snapshot, for example waiting for new events. It runs only if the message has no errors. `handle`
   * gets its result as `prepared`.
   */
  before?: (parts: BeforeRead, input: Omit<Input<Path, Query, Body>, 'prepared' | 'found'>) => Promise<P>;
  rules?: Rules<ReadCtx, Path, Query, Body, F>;
  handle: (ctx: ReadCtx, input: Input<Path, Query, Body, P | undefined, F>) => Promise<Reply>;
}

/** Functions of a write, which makes its changes in one transaction. */
interface WriteRun<Path extends string, Query, Body, P, F> {
  repeat: Repeat;
  /** `prepare` commits separate changes, or prints, so the Idempotency-Key is looked up before it runs. */
  commitsBefore?: true;
  /**
   * Slow work before the transaction, for example hashes of passwords. Inside the transaction, the work would block
   * other writers.
   */
  prepare?: (
    input: Omit<Input<Path, Query, Body>, 'prepared' | 'found'>,
    randomBytes: Ctx['randomBytes'],
    parts: PrepareParts,
  ) => Promise<P>;
  rules?: Rules<Ctx, Path, Query, Body, F>;
  /** A thrown `Refusal` rolls the changes back; a returned `Refusal` is sent after the commit. */
  handle: (ctx: Ctx, input: Input<Path, Query, Body, P, F>) => Promise<Reply | Refusal>;
}

/** An operation of any type, for the table of operations, the router and the OpenAPI document. */
export type Operation = AnyRead | AnyWrite;
export interface AnyRead extends Common<string, TSchema, TSchema> {
  kind: 'read';
  run: Pick<ReadRun<string, unknown, unknown, unknown, unknown>, 'single' | 'fastPath' | 'stale'> & {
    before?: (parts: BeforeRead, input: never) => Promise<unknown>;
    rules?: HasRules;
    handle: (ctx: ReadCtx, input: never) => Promise<Reply>;
  };
}
export interface AnyWrite extends Common<string, TSchema, TSchema> {
  kind: 'write';
  run: {
    repeat: Repeat;
    commitsBefore?: true;
    prepare?: (input: never, randomBytes: Ctx['randomBytes'], parts: PrepareParts) => Promise<unknown>;
    rules?: HasRules;
    handle: (ctx: Ctx, input: never) => Promise<Reply | Refusal>;
  };
}
/**
 * Type of `rules` of an operation whose `handle` runs the rules first. Such a `handle` also takes a message that the
 * schema rejects: it then gets the valid parts and the errors of the schema.
 */
type HasRules = (ctx: never, input: never, errors: FieldErrors) => unknown;

/** A group of operations in the OpenAPI document: a task of its reader, with the operations that the task needs. */
export interface Job {
  name: string;
  description: string;
}

/** Whether an entry of the table of operations is an operation, not the heading of a group. */
export function isOperation(one: Job | Operation): one is Operation {
  return 'path' in one;
}

/** Whether a retry of the write without an Idempotency-Key repeats its effect. */
export function isAdding(operation: Operation): operation is AnyWrite & { run: { repeat: Adds } } {
  return operation.kind === 'write' && typeof operation.run.repeat !== 'string';
}

/** Declares an operation that only reads. */
export function readOperation<
  const Path extends string,
  Q extends TSchema,
  B extends TSchema,
  P = undefined,
  F = undefined,
>(operation: Common<Path, Q, B> & { run: ReadRun<Path, Static<Q>, Static<B>, P, F> }): Operation {
  return checkingRules({ ...operation, kind: 'read' } as unknown as AnyRead);
}

/** Declares an operation that changes data; callers can send an Idempotency-Key, unless it is `keyless`. */
export function writeOperation<
  const Path extends string,
  Q extends TSchema,
  B extends TSchema,
  P = undefined,
  F = undefined,
>(operation: Common<Path, Q, B> & { run: WriteRun<Path, Static<Q>, Static<B>, P, F> }): Operation {
  return checkingRules({ ...operation, kind: 'write' } as unknown as AnyWrite);
}

/** Makes `handle` run the rules first. @throws Refusal 400 with the errors of form and rules. */
function checkingRules(operation: Operation): Operation {
  const { rules, handle } = operation.run;
  if (rules === undefined) return operation;
  const checked = async (ctx: never, { formErrors, ...input }: { formErrors?: FieldErrorList }) => {
    const errors = new FieldErrors(formErrors);
    const found = await rules(ctx, input as never, errors);
    if (errors.count > 0) throw badRequest(errors.list.errors, errors.list.total);
    return handle(ctx, { ...input, found } as never);
  };
  return withRun(operation, { handle: checked });
}

/** The operation without `prepare` and `before`, for a message with errors. */
export function unprepared(operation: Operation): Operation {
  return withRun(operation, { prepare: undefined, before: undefined });
}

/** Returns the operation with other functions to run. */
export function withRun(operation: Operation, functions: object): Operation {
  return Object.assign({}, operation, { run: Object.assign({}, operation.run, functions) });
}

/** The groups of the operation; a client's credential needs one of them. */
export function groupsOf({ access: { group } }: Pick<Operation, 'access'>): readonly Group[] {
  return group === undefined ? [] : typeof group === 'string' ? [group] : group;
}

/** The permissions of the operation; a user needs one of them. */
export function permissionsAsked({ access: { permission } }: Pick<Operation, 'access'>): readonly Permission[] {
  if (permission === 'any') return PERMISSIONS;
  return permission === undefined ? [] : typeof permission === 'string' ? [permission] : permission;
}

/** The `reveals` of operations whose path names the order. */
export function theOrder(_shown: never, { params }: { params: Record<string, string> }): readonly string[] {
  return [params['fulfillmentOrderId']!];
}

/** Names of the path variables, in their order. */
export function pathParams(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}
