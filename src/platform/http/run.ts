/**
 * Runs operations: reads on a snapshot, writes in a transaction with the idempotency key. Records in the access log the
 * orders whose personal data a response shows.
 */

import type { FastifyRequest } from 'fastify';
import type { Journal } from '../access-log/journal.ts';
import type { Config } from '../config.ts';
import { type Actor, isWithout, makeCtx } from '../ctx.ts';
import type { Hashing } from '../hashing.ts';
import type { FieldErrorList } from '../message/field-errors.ts';
import { parseJson } from '../message/json.ts';
import type { Ports } from '../ports.ts';
import type { Sandbox } from '../sandbox-clock.ts';
import type { Sealer } from '../secrets.ts';
import type { Site } from '../site.ts';
import type { Store } from '../storage/db.ts';
import { HOUR_MS } from '../time.ts';
import { rawBody, withErrors } from './body.ts';
import { withoutContact } from './contact.ts';
import { badRequest, Refusal } from './errors.ts';
import {
  bodyHashes,
  claimKey,
  findReply,
  type IdempotencyScope,
  noteOrders,
  type RunningKeys,
  readIdempotencyKey,
  releaseKey,
  storeReply,
} from './idempotency.ts';
import { readIfMatch } from './if-match.ts';
import { openLines, streamOf } from './lines.ts';
import { type BeforeRead, type Operation, type Reply, unprepared, withRun } from './operation.ts';
import type { Load } from './overload.ts';
import type { Limits } from './rate-limit.ts';
import { traceToKeep } from './request-trace.ts';
import type { UploadedFile } from './upload.ts';

export interface RunOptions {
  config: Config;
  ports: Ports;
  store: Store;
  sealer: Sealer;
  load: Load;
  hashing: Hashing;
  site: Site;
  /** Records in the access log which orders a response shows. */
  journal?: Journal;
  /** The clock of a sandbox. */
  sandbox?: Sandbox;
  /** Aborted at the stop of the service; a waiting request then gets its response immediately. */
  stopping?: AbortSignal;
}

/** The parts that the edge adds. */
export interface Running extends RunOptions {
  limits: Limits;
}

/** A request with its operation, its caller and its valid message. */
interface Job {
  operation: Operation;
  options: Running;
  running: RunningKeys;
  request: FastifyRequest;
  actor: Actor;
  input: Record<string, unknown>;
}

/** Returns the operation. For a message with errors, its `handle` commits nothing and only finds further errors. */
export function afterErrors(operation: Operation, { errors, total }: FieldErrorList): Operation {
  if (errors.length === 0) return operation;
  if (operation.run.rules !== undefined) return unprepared(operation);
  if (operation.kind === 'write' && operation.run.prepare !== undefined) {
    // `prepare` can have effects outside of the database, for example a bought label.
    const reject = async () => {
      throw badRequest(errors, total);
    };
    return withRun(unprepared(operation), { handle: reject });
  }
  const handle = async (ctx: never, input: never): Promise<Reply> => {
    try {
      await operation.run.handle(ctx, input);
    } catch (error) {
      const refusal = withErrors(error, errors);
      const isRule = refusal instanceof Refusal && refusal.options.errors === undefined && refusal.status !== 403;
      if (!isRule) throw refusal;
    }
    throw badRequest(errors, total);
  };
  return withRun(operation, { handle });
}

async function before(
  work: (parts: BeforeRead, input: never) => Promise<unknown>,
  { options, request, actor, input }: Job,
): Promise<unknown> {
  const { store, ports, config, load, journal, stopping, sandbox } = options;
  const gone = new AbortController();
  const leave = () => gone.abort();
  request.raw.socket.once('close', leave);
  const signal = stopping === undefined ? gone.signal : AbortSignal.any([gone.signal, stopping]);
  const idle = async (wait: Promise<unknown>) => {
    await load.aside('read', () => wait);
  };
  try {
    const checkAccess = async () => request.checkAccess?.();
    const flushAccess = async () => journal?.flush();
    const parts = { store, actor, signal, idle, checkAccess, flushAccess, now: ports.now, config };
    return await work({ ...parts, ...(sandbox !== undefined && { sandbox }) }, input as never);
  } finally {
    request.raw.socket.removeListener('close', leave);
  }
}

/**
 * Runs an operation and records in the access log the orders whose personal data its response shows.
 * @throws Refusal of the operation, whether its changes are committed or not.
 */
export async function run(job: Job): Promise<Reply> {
  const { operation, actor } = job;
  if (operation.message.produces === 'lines') return await runLines(job);
  const response = await perform(job);
  const reply = hidesContact(operation, actor, () => shownBy(response)) ? withoutContactIn(response) : response;
  note(job, () => shownBy(reply));
  return reply;
}

/** Records in the access log the orders that a part of the response reveals. */
function note({ operation, options, request, actor, input }: Job, shown: () => unknown): void {
  const { reveals } = operation.access;
  if (reveals === undefined) return;
  options.journal?.note({
    clientId: input['clientId'] as string,
    operation: operation.id,
    actor,
    requestId: request.id,
    at: options.ports.now(),
    orderIds: reveals(shown() as never, input as never),
  });
}

/**
 * Runs a read with a long response: the first part now, each further part when the connection has taken the part
 * before it.
 */
async function runLines(job: Job): Promise<Reply> {
  const { operation, options, request, actor, input } = job;
  const { store, load, ports, stopping } = options;
  const close = openLines(store, input['clientId'] as string);
  try {
    const { lines: first, ...response } = await perform(job);
    const asking = { actor, requestId: request.id, trace: traceToKeep(request) };
    const isHidden = hidesContact(operation, actor);
    const stream = streamOf(first!, {
      read: async (next) => {
        await request.checkAccess!();
        load.enter('read');
        try {
          return await store.read((db) => next(makeCtx(options, { ...asking, now: ports.now(), db })));
        } finally {
          load.leave('read');
        }
      },
      show: (record) => (isHidden ? withoutContact(record) : record),
      note: (records) => note(job, () => records),
      mustEnd: () => stopping?.aborted === true,
      close,
    });
    return { ...response, stream };
  } catch (error) {
    close();
    throw error;
  }
}

function shownBy({ body, text }: Reply): unknown {
  return body ?? (text === undefined ? undefined : parseJson(text));
}

/** Whether a response to this user has no contact data of customers (docs/people.md#contact-data). */
function hidesContact(
  { access: { reveals, meetsCustomer = false } }: Operation,
  actor: Actor,
  shown?: () => unknown,
): boolean {
  if (reveals === undefined || !isWithout(actor, 'contact')) return false;
  if (isWithout(actor, 'fulfillment.write')) return true;
  return typeof meetsCustomer === 'boolean' ? !meetsCustomer : shown === undefined || !meetsCustomer(shown() as never);
}

function withoutContactIn({ text, ...rest }: Reply): Reply {
  return { ...rest, body: withoutContact(text === undefined ? rest.body : parseJson(text)) };
}

async function perform(job: Job): Promise<Reply> {
  const { operation, options, running, request, actor, input } = job;
  const { ports, store, sealer } = options;
  const asking = { actor, requestId: request.id, trace: traceToKeep(request), now: ports.now() };
  if (operation.kind === 'read') {
    const { before: first } = operation.run;
    const prepared = first && (await before(first, job));
    // `before` can have waited, so the read uses the present time.
    const asked = first === undefined ? asking : { ...asking, now: ports.now() };
    const taken = { ...input, prepared } as never;
    return store.read((db) => operation.run.handle(makeCtx(options, { ...asked, db }), taken), {
      stale: operation.run.stale === true,
      single: operation.run.single === true,
    });
  }
  const ifMatch = readIfMatch(operation, request.headers['if-match']);
  const key = operation.message.keyless === true ? undefined : readIdempotencyKey(request.headers['idempotency-key']);
  const raw = rawBody(request) ?? (input['body'] as Partial<UploadedFile> | undefined)?.content;
  const scope: IdempotencyScope | undefined =
    key === undefined
      ? undefined
      : {
          clientId: actor.clientId ?? '',
          credentialId: actor.id,
          method: operation.method,
          path: request.url,
          key,
          ...bodyHashes(operation.message, actor.clientId ?? '', raw, sealer),
        };
  const leave = scope === undefined ? undefined : running.enter(scope);
  try {
    if (scope !== undefined && operation.run.commitsBefore === true) {
      const keepMs = options.config.idempotencyHours * HOUR_MS;
      const known = await store.read((db) => findReply(db, scope, asking.now - keepMs, sealer));
      if (known !== undefined) return known;
    }
    const prepared = await operation.run.prepare?.(input as never, ports.randomBytes, {
      store,
      sealer,
      hashing: options.hashing,
      site: options.site,
      actor,
      now: asking.now,
      address: request.ip,
      guess: (guess) =>
        options.limits.guess(
          { address: request.ip, headers: request.headers, requestId: request.id },
          asking.now,
          guess,
        ),
      present: ports.now,
      idle: (wait) => options.load.aside('write', wait),
      ctx: (db) => makeCtx(options, { ...asking, db }),
    });
    const result = await store.write(async (tx, onCommit) => {
      const ctx = makeCtx(options, { ...asking, ...(ifMatch !== undefined && { ifMatch }), db: tx, onCommit });
      if (scope === undefined) return operation.run.handle(ctx, { ...input, prepared } as never);
      const stored = await claimKey(
        tx,
        store.dialect,
        scope,
        asking.now,
        options.config.idempotencyHours * HOUR_MS,
        sealer,
      );
      if (stored !== undefined) return stored;
      const response = await operation.run.handle(ctx, { ...input, prepared } as never);
      if (response instanceof Refusal) await releaseKey(tx, scope);
      else {
        await storeReply(tx, scope, response, request.headers['accept-language'], (plain) =>
          sealer.seal(plain, ports.randomBytes(12)),
        );
        const { reveals, forgottenWith = reveals } = operation.access;
        if (forgottenWith !== undefined)
          await noteOrders(
            tx,
            scope,
            input['clientId'] as string,
            forgottenWith(shownBy(response) as never, input as never),
            asking.now,
          );
      }
      return response;
    });
    if (result instanceof Refusal) throw result;
    return result;
  } finally {
    leave?.();
  }
}
