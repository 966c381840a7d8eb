/** Running an operation: a read on its snapshot, a write in its transaction with its idempotency key. */

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
  claimKey,
  hashBody,
  type IdempotencyScope,
  type RunningKeys,
  readIdempotencyKey,
  releaseKey,
  storeReply,
} from './idempotency.ts';
import { type BeforeRead, type Operation, type Reply, unprepared } from './operation.ts';
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
  /** Notes who was shown which orders. */
  journal?: Journal;
  /** Where time is moved by hand. */
  sandbox?: Sandbox;
  /** Aborted when the service stops: whoever waits for something is answered at once. */
  stopping?: AbortSignal;
}

/** What the edge adds. */
export interface Running extends RunOptions {
  limits: Limits;
}

/**
 * The operation as it answers a message that has errors already: it changes nothing, but what it finds wrong itself is said
 * in the same answer.
 */
export function afterErrors(operation: Operation, { errors, total }: FieldErrorList): Operation {
  if (errors.length === 0) return operation;
  if (operation.rules !== undefined) return unprepared(operation);
  const handle = async (ctx: never, input: never): Promise<Reply> => {
    try {
      await operation.handle(ctx, input);
    } catch (error) {
      const refusal = withErrors(error, errors);
      const isRule = refusal instanceof Refusal && refusal.options.errors === undefined && refusal.status !== 403;
      if (!isRule) throw refusal;
    }
    throw badRequest(errors, total);
  };
  return { ...operation, handle } as Operation;
}

async function before(
  work: (parts: BeforeRead, input: never) => Promise<void>,
  { store, ports, config, load, journal, stopping, sandbox }: RunOptions,
  request: FastifyRequest,
  actor: Actor,
  input: Record<string, unknown>,
): Promise<void> {
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
    await work({ ...parts, ...(sandbox !== undefined && { sandbox }) }, input as never);
  } finally {
    request.raw.socket.removeListener('close', leave);
  }
}

/** What the operation answers, and a note of whose data that shows. @throws Refusal whatever it refuses, committed or not. */
export async function run(
  operation: Operation,
  options: Running,
  running: RunningKeys,
  request: FastifyRequest,
  actor: Actor,
  input: Record<string, unknown>,
): Promise<Reply> {
  const reply = hidingContact(operation, actor, await perform(operation, options, running, request, actor, input));
  const { reveals, id } = operation;
  if (reveals === undefined) return reply;
  const shown = reply.body ?? (reply.text === undefined ? undefined : parseJson(reply.text));
  options.journal?.note({
    clientId: input['clientId'] as string,
    operation: id,
    actor: actor.id,
    requestId: request.id,
    at: options.ports.now(),
    orderIds: reveals(shown as never, input as never),
  });
  return reply;
}

/** The reply as the person may see it. */
function hidingContact({ showsContact }: Operation, actor: Actor, answer: Reply): Reply {
  if (showsContact !== true || !isWithout(actor, 'contact')) return answer;
  const { text, ...rest } = answer;
  return { ...rest, body: withoutContact(text === undefined ? rest.body : parseJson(text)) };
}

async function perform(
  operation: Operation,
  options: Running,
  running: RunningKeys,
  request: FastifyRequest,
  actor: Actor,
  input: Record<string, unknown>,
): Promise<Reply> {
  const { ports, store, sealer } = options;
  const asking = { actor, requestId: request.id, trace: traceToKeep(request), now: ports.now() };
  if (operation.access === 'read') {
    if (operation.before !== undefined) await before(operation.before, options, request, actor, input);
    // Who has waited is answered as of now.
    const asked = operation.before === undefined ? asking : { ...asking, now: ports.now() };
    return store.read((db) => operation.handle(makeCtx(options, { ...asked, db }), input as never), {
      stale: operation.stale === true,
      single: operation.single === true,
    });
  }
  const key = operation.keyless === true ? undefined : readIdempotencyKey(request.headers['idempotency-key']);
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
          bodyHash: hashBody(raw, operation.secretMember),
          ...(operation.secretMember !== undefined && { olderHash: hashBody(raw) }),
        };
  const leave = scope === undefined ? undefined : running.enter(scope);
  try {
    const prepared = await operation.prepare?.(input as never, ports.randomBytes, {
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
      ctx: (db) => makeCtx(options, { ...asking, db }),
    });
    const told = await store.write(async (tx, onCommit) => {
      const ctx = makeCtx(options, { ...asking, db: tx, onCommit });
      if (scope === undefined) return operation.handle(ctx, { ...input, prepared } as never);
      const stored = await claimKey(
        tx,
        store.dialect,
        scope,
        asking.now,
        options.config.idempotencyHours * HOUR_MS,
        sealer,
      );
      if (stored !== undefined) return stored;
      const answer = await operation.handle(ctx, { ...input, prepared } as never);
      if (answer instanceof Refusal) await releaseKey(tx, scope);
      else await storeReply(tx, scope, answer, (plain) => sealer.seal(plain, ports.randomBytes(12)));
      return answer;
    });
    if (told instanceof Refusal) throw told;
    return told;
  } finally {
    leave?.();
  }
}
