/**
 * The frame of every operation: who may call it, what it takes and answers, and the one transaction it runs in.
 *
 * The whole `handle` of a write runs inside one write transaction, so its effect, its events and its idempotency record
 * commit together, and its answer goes out only when they are on disk. The handle of a read sees one snapshot. A handle
 * awaits nothing but `ctx.db`.
 *
 * A `Refusal` that is thrown undoes all that the handle did. A `Refusal` that a write *returns* is answered alike, but what
 * the handle did before it is committed: for what must be counted even though it is refused, such as a wrong PIN. No answer
 * is stored for its Idempotency-Key either, so the same key may come again and counts again. Of a message that has errors
 * of its own besides, only these are told and nothing is committed.
 */
import type { IncomingHttpHeaders } from 'node:http';
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
import { badRequest, type ErrorShape, type Refusal } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Which credentials an operation asks for: `basic` is Authorization: Basic together with apiKey (items), `apiKey` alone
 * (inbound and fulfillment), `operator` the operator's bearer key, `operatorOrApiKey` either (order intake). Each of these also
 * takes the session of a person who has the `permission`. `session` takes nothing else; `browser` needs no credential, but the
 * request of a page of this site (signing in); `none`.
 */
export type Auth = 'basic' | 'apiKey' | 'operator' | 'operatorOrApiKey' | 'session' | 'browser' | 'none';

/**
 * What a write does when the same request is sent again without an Idempotency-Key, as after a response that was lost. `same`:
 * it succeeds and changes nothing. `rejected`: it is rejected, because its state has gone on, and changes nothing. Else it adds
 * what it says, unless the body has the field `unless`: an id by which a repeat is known. The access log is not counted.
 */
type Repeat = 'same' | 'rejected' | Adds;
interface Adds {
  readonly adds: string;
  readonly unless?: string;
}

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** What stands in the path above the resource is loaded and checked before `handle`; the last segment is not. */
type Loaded<Path extends string, Name extends string, Row> = Path extends `${string}{${Name}}/${string}`
  ? Row
  : undefined;

interface Input<Path extends string, Query, Body, Prepared = undefined, Found = undefined> {
  params: Record<ParamNames<Path>, string>;
  query: Query;
  body: Body;
  headers: IncomingHttpHeaders;
  /** Tenant of the operation: the caller's client, or the one the operator named in the path. */
  clientId: string;
  client: Loaded<Path, 'clientId', ClientRow>;
  store: Loaded<Path, 'storeId', StoreRow>;
  node: Loaded<Path, 'nodeId', NodeRow>;
  prepared: Prepared;
  /** What `rules` answered. */
  found: Found;
}

/** What `rules` are given: of query and body the valid parts only. */
type RulesInput<Path extends string, Query, Body> = Omit<
  Input<Path, ValidPart<Query>, ValidPart<Body>>,
  'prepared' | 'found'
>;

export interface Reply {
  status: number;
  body?: unknown;
  /** JSON text that goes out as it is, instead of `body`. */
  text?: string;
  headers?: Record<string, string | string[]>;
}

/** A successful answer. */
export function reply(status: number, body?: unknown, headers?: Record<string, string | string[]>): Reply {
  return { status, ...(body !== undefined && { body }), ...(headers !== undefined && { headers }) };
}

interface Common<Path extends string, Q extends TSchema, B extends TSchema> {
  /** camelCase `verbResource`: the operationId, and the name of its example file. */
  id: string;
  method: Method;
  path: Path;
  auth: Auth;
  /** A client's credential needs one of these groups. */
  group?: Group | readonly [Group, ...Group[]];
  /** A person's session needs this permission, or one of these; `any`: a session is enough. */
  permission?: Permission | readonly [Permission, ...Permission[]] | 'any';
  /** A person of the operator must have signed in with the whole secret in the last 15 minutes. */
  fresh?: true;
  /** Allowed while a one-time PIN waits to be changed. */
  withOneTimePin?: true;
  /** Of `auth: session`: allowed while the person trains. */
  inTraining?: true;
  /** Leads give the work to somebody else: `userId` may name another. */
  assigns?: true;
  /** It shows customers' e-mail addresses and telephone numbers; blank for people without the permission `contact`. */
  showsContact?: true;
  /** May be sent later from a device's outbox, under its owner's name (header Outbox-Ticket). */
  offline?: true;
  /** The console asks by itself: it keeps no session from ending, and no device from being locked, for want of use. */
  background?: true;
  /** Takes no Idempotency-Key: its response sets a cookie, which is stored nowhere. */
  keyless?: true;
  /**
   * It shows or changes what is of the client as a whole: credentials narrowed to stores or nodes are refused
   * (docs/decisions/128). `allNodes`: only those narrowed to nodes are (docs/decisions/166). `allStores`: only those narrowed to
   * stores are, for what belongs to all stores alike (docs/decisions/292).
   */
  wholeClient?: true | 'allNodes' | 'allStores';
  /** One line for the list of operations. */
  summary: string;
  /** The rule in plain words, with its source (a heading of docs/interface.md, or a decision). */
  description: string;
  query?: Q;
  body?: B;
  /** Documented answers; those of the edge (docs/interface.md#statuses) are added to every operation. No schema: no body. */
  replies: Record<number, { description: string; schema?: TSchema }>;
  /** Statuses of refusals beyond the edge's, with their cause. */
  refusals?: Record<number, string>;
  /** Shape of error bodies; default `record`. */
  errors?: ErrorShape;
  /** What the body comes as; default `json`. `json-any-label` also takes JSON labelled as XML (inbound). */
  consumes?: 'json' | 'json-any-label' | 'multipart';
  /** The operation itself holds its message against the path: for messages of another form, or shared with imports. */
  ownAgreement?: boolean;
  /**
   * A field at whatever depth of the body that an Idempotency-Key does not compare: the same key with another value of it
   * would tell right from wrong, and nobody counts.
   */
  secretMember?: string;
  /**
   * The orders of which the response shows people's data, for the access log. `shown` is the body of the response, `asked`
   * the input of the operation.
   */
  reveals?: (shown: never, asked: { params: Record<string, string>; body: unknown }) => readonly string[];
  /** Which configured body limit applies. */
  limit?: 'bodyLimit' | 'inboundBodyLimit' | 'uploadBodyLimit';
  /**
   * Own reading of the parsed body, for messages with several spellings: the validation result with every error of its form.
   * `validate` is the compiled schema of `body`, lenient where the caller prefers it. Without it the schema alone decides.
   */
  parse?: (
    raw: unknown,
    validate: (value: unknown) => ValidationResult,
    isLenient: boolean,
  ) => ValidationResult<Static<B>> | Promise<ValidationResult<Static<B>>>;
}

/**
 * What the business asks of the message itself, beyond its schema. It is asked also where the form is not right throughout,
 * so that one reply names every error: then only the valid parts are there, and a rule that needs a part that is missing is
 * silent. Errors go to `errors`; it throws nothing but `denied`. What it answers (rows that it had to read, or undefined where
 * they cannot be read) is `found` of `handle`, which runs only when there is no error. So errors come before 404 and 409.
 */
type Rules<C, Path extends string, Query, Body, Found> = (
  ctx: C,
  input: RulesInput<Path, Query, Body>,
  errors: FieldErrors,
) => Promise<Found> | Found;

/** What `before` of a read is given. */
export interface BeforeRead {
  store: Store;
  actor: Actor;
  /** Aborted when the caller has gone or the service stops. */
  signal: AbortSignal;
  /** Judges the caller's access anew, as it is now. @throws Refusal as it would be refused on arrival. */
  checkAccess: () => Promise<unknown>;
  /** Writes to the access log what was noted until now. */
  flushAccess: () => Promise<void>;
  /** Awaits what is not work of this service: meanwhile the request counts as none that is worked on. */
  idle: (wait: Promise<unknown>) => Promise<void>;
  /** The present, by the clock of the installation. */
  now: () => number;
  /** As the context has it. */
  config: Ctx['config'];
  /** Where time is moved by hand. */
  sandbox?: Sandbox;
}

/** A password to be judged. */
export interface Guess<T> {
  judge: () => Promise<T>;
  isRight: (judged: T) => boolean;
  /** Whose failures are counted together; left out: those of the caller's address. */
  origin?: string;
}

/** What `prepare` of a write is given beside its input. */
export interface PrepareParts {
  store: Store;
  sealer: Sealer;
  hashing: Hashing;
  actor: Actor;
  now: number;
  /** The caller's address; empty for commands. */
  address: string;
  /** Judges a password within the limit of failed sign-ins. @throws Refusal 429 as `Limits.guess`. */
  guess: <T>(guess: Guess<T>) => Promise<T>;
  /** Makes the context of a transaction of its own, for what must be committed whatever becomes of the operation. */
  ctx: (db: Writer) => Ctx;
  site?: Site;
}

export interface ReadOperation<Path extends string, Q extends TSchema, B extends TSchema, F>
  extends Common<Path, Q, B> {
  access: 'read';
  /** `handle` makes at most one statement, so it needs no transaction around it. */
  single?: true;
  /**
   * Asked for most, so it is answered on the short way (fast-path.ts) and worth keeping: a text with status 200 that depends on
   * the path, on what the path names and on these tables, and on nothing else.
   */
  fastPath?: readonly (keyof Tables)[];
  /** An answer that is some seconds old does no harm, so a read replica may give it, where there is one. */
  stale?: boolean;
  /** What must be done before the snapshot is taken, or waited for; only where the message has no error. */
  before?: (parts: BeforeRead, input: Omit<Input<Path, Static<Q>, Static<B>>, 'prepared' | 'found'>) => Promise<void>;
  rules?: Rules<ReadCtx, Path, Static<Q>, Static<B>, F>;
  handle: (ctx: ReadCtx, input: Input<Path, Static<Q>, Static<B>, undefined, F>) => Promise<Reply>;
}

export interface WriteOperation<Path extends string, Q extends TSchema, B extends TSchema, P, F>
  extends Common<Path, Q, B> {
  access: 'write';
  repeat: Repeat;
  /** Slow work that must not hold the writer, done before the transaction (hashes of passwords). */
  prepare?: (
    input: Omit<Input<Path, Static<Q>, Static<B>>, 'prepared' | 'found'>,
    randomBytes: Ctx['randomBytes'],
    parts: PrepareParts,
  ) => Promise<P>;
  rules?: Rules<Ctx, Path, Static<Q>, Static<B>, F>;
  /** A refusal that is thrown undoes; one that is returned is answered after the commit. */
  handle: (ctx: Ctx, input: Input<Path, Static<Q>, Static<B>, P, F>) => Promise<Reply | Refusal>;
}

/** An operation as the table, the router and the OpenAPI document see it. */
// biome-ignore format: one line reads better
export type Operation = AnyRead | AnyWrite;
export type AnyRead = Common<string, TSchema, TSchema> & {
  access: 'read';
  single?: true;
  fastPath?: readonly (keyof Tables)[];
  stale?: boolean;
  before?: (parts: BeforeRead, input: never) => Promise<void>;
  rules?: HasRules;
  handle: (ctx: ReadCtx, input: never) => Promise<Reply>;
};
type AnyWrite = Common<string, TSchema, TSchema> & {
  access: 'write';
  repeat: Repeat;
  prepare?: (input: never, randomBytes: Ctx['randomBytes'], parts: PrepareParts) => Promise<unknown>;
  rules?: HasRules;
  handle: (ctx: Ctx, input: never) => Promise<Reply | Refusal>;
};
/** `handle` asks the rules first: where there are some it may also be called with the valid parts of a message and its `formErrors`. */
type HasRules = (ctx: never, input: never, errors: FieldErrors) => unknown;

/** A job of a reader, under which its operations stand in the document. */
export interface Job {
  name: string;
  description: string;
}

/** Whether an entry of the table of operations is one, and not the job of those below it. */
export function isOperation(one: Job | Operation): one is Operation {
  return 'path' in one;
}

/** Whether a write has its effect once more when it is sent again. */
export function isAdding(operation: Operation): operation is AnyWrite & { repeat: Adds } {
  return operation.access === 'write' && typeof operation.repeat !== 'string';
}

/** Declares an operation that only reads. */
export function readOperation<const Path extends string, Q extends TSchema, B extends TSchema, F = undefined>(
  operation: Omit<ReadOperation<Path, Q, B, F>, 'access'>,
): Operation {
  return askingFirst({ ...operation, access: 'read' } as unknown as AnyRead);
}

/** Declares an operation that changes something; it takes an Idempotency-Key. */
export function writeOperation<
  const Path extends string,
  Q extends TSchema,
  B extends TSchema,
  P = undefined,
  F = undefined,
>(operation: Omit<WriteOperation<Path, Q, B, P, F>, 'access'>): Operation {
  return askingFirst({ ...operation, access: 'write' } as unknown as AnyWrite);
}

/** The operation with a `handle` that asks its rules first. @throws Refusal 400 with the errors of form and rules. */
function askingFirst(operation: Operation): Operation {
  const { rules, handle } = operation;
  if (rules === undefined) return operation;
  const heard = async (ctx: never, { formErrors, ...input }: { formErrors?: FieldErrorList }) => {
    const errors = new FieldErrors(formErrors);
    const found = await rules(ctx, input as never, errors);
    if (errors.count > 0) throw badRequest(errors.list.errors, errors.list.total);
    return handle(ctx, { ...input, found } as never);
  };
  return { ...operation, handle: heard } as unknown as Operation;
}

/** The operation as it is asked about the valid parts of a message: they are nothing to prepare. */
export function unprepared(operation: Operation): Operation {
  return { ...operation, prepare: undefined, before: undefined } as unknown as Operation;
}

/** The groups of which a client's credential needs one. */
export function groupsOf({ group }: Pick<Operation, 'group'>): readonly Group[] {
  return group === undefined ? [] : typeof group === 'string' ? [group] : group;
}

/** The permissions of which a person needs one. */
export function permissionsAsked({ permission }: Pick<Operation, 'permission'>): readonly Permission[] {
  if (permission === 'any') return PERMISSIONS;
  return permission === undefined ? [] : typeof permission === 'string' ? [permission] : permission;
}

/** `reveals` of an operation about the order that its path names. */
export function theOrder(_shown: never, { params }: { params: Record<string, string> }): readonly string[] {
  return [params['fulfillmentOrderId']!];
}

/** Names of the path variables, in their order. */
export function pathParams(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}
