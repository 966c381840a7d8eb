/**
 * The frame of every operation: who may call it, what it takes and answers, and the one transaction it runs in.
 *
 * The whole `handle` of a write runs inside one write transaction, so its effect, its events and its idempotency record
 * commit together, and its answer goes out only when they are on disk. The handle of a read sees one snapshot. A handle
 * awaits nothing but `ctx.db`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Ctx, Group, ReadCtx } from '../ctx.ts';
import type { Static, TSchema } from '../schema.ts';
import type { ClientRow, NodeRow, StoreRow } from '../storage/tables.ts';
import type { ErrorShape } from './errors.ts';
import type { Verdict } from './validate.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Which credentials an operation asks for: `basic` is Authorization: Basic together with apiKey (items), `apiKey` alone
 * (inbound and fulfillment), `operator` the operator's bearer key, `operatorOrApiKey` either (order intake), `none`.
 */
export type Auth = 'basic' | 'apiKey' | 'operator' | 'operatorOrApiKey' | 'none';

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** What stands in the path above the resource is loaded and checked before `handle`; the last segment is not. */
type Loaded<Path extends string, Name extends string, Row> = Path extends `${string}{${Name}}/${string}`
  ? Row
  : undefined;

export interface Input<Path extends string, Query, Body, Prepared = undefined> {
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
}

export interface Reply {
  status: number;
  body?: unknown;
  /** JSON text that goes out as it is, instead of `body`. */
  text?: string;
  headers?: Record<string, string>;
}

/** A successful answer. */
export function reply(status: number, body?: unknown, headers?: Record<string, string>): Reply {
  return { status, ...(body !== undefined && { body }), ...(headers !== undefined && { headers }) };
}

interface Common<Path extends string, Q extends TSchema, B extends TSchema> {
  /** camelCase `verbResource`: the operationId, and the name of its example file. */
  id: string;
  method: Method;
  path: Path;
  auth: Auth;
  group?: Group;
  /** One line for the list of operations. */
  summary: string;
  /** The rule in plain words, with its source (section of the interface, or decision). */
  description: string;
  query?: Q;
  body?: B;
  /** Documented answers; those of the edge (decision 15) are added to every operation. No schema: no body. */
  replies: Record<number, { description: string; schema?: TSchema }>;
  /** Statuses of refusals beyond the edge's, with their cause. */
  refusals?: Record<number, string>;
  /** Shape of error bodies; default `record`. */
  errors?: ErrorShape;
  /** What the body comes as; default `json`. `json-any-label` also takes JSON labelled as XML (inbound). */
  consumes?: 'json' | 'json-any-label' | 'multipart';
  /** The operation itself holds its message against the path: for messages of another form, or shared with imports. */
  ownAgreement?: boolean;
  /** Which configured body limit applies. */
  limit?: 'bodyLimit' | 'inboundBodyLimit' | 'uploadBodyLimit';
  /**
   * Own reading of the parsed body, for messages with several spellings. It throws a refusal with every fault; `validate`
   * is the compiled schema of `body`. Without it the schema alone decides.
   */
  parse?: (raw: unknown, validate: (value: unknown) => Verdict) => Static<B>;
}

export interface ReadOperation<Path extends string, Q extends TSchema, B extends TSchema> extends Common<Path, Q, B> {
  access: 'read';
  /** `handle` makes at most one statement, so it needs no transaction around it. */
  single?: true;
  /** Worth keeping: the answer depends on the path, on what the path names and on the database, and on nothing else. */
  hot?: true;
  /** An answer that is some seconds old does no harm, so a read replica may give it, where there is one. */
  stale?: boolean;
  handle: (ctx: ReadCtx, input: Input<Path, Static<Q>, Static<B>>) => Promise<Reply>;
}

export interface WriteOperation<Path extends string, Q extends TSchema, B extends TSchema, P>
  extends Common<Path, Q, B> {
  access: 'write';
  /** Slow work that must not hold the writer, done before the transaction (scrypt). */
  prepare?: (input: Omit<Input<Path, Static<Q>, Static<B>>, 'prepared'>, randomBytes: Ctx['randomBytes']) => Promise<P>;
  handle: (ctx: Ctx, input: Input<Path, Static<Q>, Static<B>, P>) => Promise<Reply>;
}

/** An operation as the table, the router and the OpenAPI document see it. */
// biome-ignore format: one line reads better
export type Operation = AnyRead | AnyWrite;
type AnyRead = Common<string, TSchema, TSchema> & {
  access: 'read';
  single?: true;
  hot?: true;
  stale?: boolean;
  handle: (ctx: ReadCtx, input: never) => Promise<Reply>;
};
type AnyWrite = Common<string, TSchema, TSchema> & {
  access: 'write';
  prepare?: (input: never, randomBytes: Ctx['randomBytes']) => Promise<unknown>;
  handle: (ctx: Ctx, input: never) => Promise<Reply>;
};

/** Declares an operation that only reads. */
export function readOperation<const Path extends string, Q extends TSchema, B extends TSchema>(
  operation: Omit<ReadOperation<Path, Q, B>, 'access'>,
): Operation {
  return { ...operation, access: 'read' } as unknown as Operation;
}

/** Declares an operation that changes something; it takes an Idempotency-Key. */
export function writeOperation<const Path extends string, Q extends TSchema, B extends TSchema, P = undefined>(
  operation: Omit<WriteOperation<Path, Q, B, P>, 'access'>,
): Operation {
  return { ...operation, access: 'write' } as unknown as Operation;
}

/** Names of the path variables, in their order. */
export function pathParams(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}
