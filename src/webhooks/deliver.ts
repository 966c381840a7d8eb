/**
 * A run of one webhook (docs/decisions/129 and docs/events.md#webhooks). It sends due retries, then new events, in
 * batches. The outcomes of a batch are written before the next batch. If a process dies in a batch, no outcome of the
 * batch is written, so the next run sends the batch again.
 */

import { findEvents } from '../events/feed.ts';
import { headOf, placeEvents } from '../events/place.ts';
import { record } from '../events/record.ts';
import { typesOf } from '../events/schema.ts';
import { eventText, readTogether, SHOWN_COLUMNS, type ShownRow, SIZE_COLUMNS, type Sized } from '../events/show.ts';
import type { Config } from '../platform/config.ts';
import type { Ctx } from '../platform/ctx.ts';
import type { Gate } from '../platform/http/gate.ts';
import { readJson } from '../platform/json-column.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { Ports } from '../platform/ports.ts';
import { signedHeaders } from '../platform/standard-webhooks.ts';
import type { Reader, Store } from '../platform/storage/db.ts';
import type { WebhookDeliveryRow, WebhookRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { traceHeaders, traceKept } from '../platform/trace.ts';
import type { Tracing } from '../platform/tracing.ts';
import { DISABLE_AFTER_MS, LEASE_MS, nextAttemptAt, pauseUntil } from './schedule.ts';
import type { Outcome, Sending } from './send.ts';
import { saveDeliveries, saveProgress, typesOfRow } from './store.ts';

/** Maximum number of attempts in a batch, and maximum number of attempts at the same time. */
const HANDFUL = 24;
const AT_ONCE = 8;
/** Maximum number of retries in a batch. The other attempts are for new events. */
const RETRIES = HANDFUL / 2;

/** Number of consecutive failures that ends a batch: the receiver is probably down, so more attempts would fail too. */
const FAILURES_IN_A_ROW = 3;

/**
 * A run begins no further batch after this time. The time is much shorter than the lease, so a run ends within its
 * lease.
 */
const RUN_MS = 20_000;

const WINDOW = 10_000;
const LOG_MAX = 20;

export interface Run {
  store: Store;
  config: Pick<Config, 'webhookTimeoutMs' | 'webhookPlainHttp'>;
  ports: Ports;
  write: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>;
  gate: Gate;
  send: (sending: Sending) => Promise<Outcome>;
  /** The currently valid secrets, the newest first. */
  secrets: readonly string[];
  tracing: Tracing | undefined;
  signal: AbortSignal;
}

/** An event to send. `before` is its delivery row, if an earlier attempt was made. */
interface Job {
  event: ShownRow;
  before: WebhookDeliveryRow | undefined;
}

interface Tried extends Job {
  at: number;
  durationMs: number;
  outcome: Outcome;
}

/** Runs a claimed webhook, then releases its lease. */
export async function runWebhook(run: Run, claimed: WebhookRow): Promise<void> {
  const until = performance.now() + RUN_MS;
  let hook = claimed;
  const isStopped = () => run.signal.aborted;
  while (!isStopped()) {
    await placeEvents(run.store, hook.client_id);
    const { jobs, lost, position } = await run.store.read((db) => findJobs(db, run.ports.now(), hook));
    if (lost.length > 0) await run.write((ctx) => endLost(ctx, hook, lost));
    else if (jobs.length === 0 && position === hook.position) break;
    const tried = await tryAll(run, hook, jobs);
    // An attempt that was aborted because the service stops has no outcome. A later run sends the event again.
    if (isStopped()) break;
    const after = await run.write((ctx) => note(ctx, hook, jobs, tried, position));
    if (after === undefined) return;
    hook = after;
    if (hook.enabled === 0 || hook.paused_until !== null || performance.now() > until) break;
  }
  await run.write((ctx) => saveProgress(ctx, hook, { lease_id: null, lease_until: null }));
}

interface Batch {
  jobs: Job[];
  /** Positions of due retries whose event is no longer kept. */
  lost: number[];
  position: number;
}

/**
 * Finds the next batch: due retries, and all new events of the webhook's types up to `position`. Retries and new events
 * alternate, so that events that the receiver cannot process do not hold up the others. Large events end the batch early.
 */
async function findJobs(db: Reader, now: number, hook: WebhookRow): Promise<Batch> {
  const { client_id: clientId, webhook_id: webhookId } = hook;
  const due = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('webhook_id', '=', webhookId)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('position')
    .limit(RETRIES)
    .execute();
  const sizes = new Map((await sizesAt(db, clientId, due)).map(({ position, bytes }) => [position!, bytes] as const));
  const lost = due.map(({ position }) => position).filter((position) => !sizes.has(position));
  const kept = due.filter(({ position }) => sizes.has(position));
  const chosen = kept.slice(0, readTogether(kept.map(({ position }) => ({ bytes: sizes.get(position)! }))));
  const byPosition = new Map((await eventsAt(db, clientId, chosen)).map((event) => [event.position!, event]));
  const again = chosen.flatMap((before) => {
    const event = byPosition.get(before.position);
    return event === undefined ? [] : [{ event, before }];
  });
  const last = Math.min(await headOf(db, clientId), hook.position + WINDOW);
  const patterns = typesOfRow(hook);
  const types = patterns && typesOf(patterns);
  const { rows, next } = await findEvents(db, {
    clientId,
    after: hook.position,
    last,
    limit: HANDFUL - due.length,
    ...(types && { types }),
  });
  const fresh = rows.map((event) => ({ event, before: undefined }));
  return { jobs: alternating(again, fresh), lost, position: next };
}

/** Returns the jobs of both lists in turn, then the rest of the longer list. */
function alternating(one: readonly Job[], other: readonly Job[]): Job[] {
  const length = Math.max(one.length, other.length);
  return Array.from({ length }, (_, index) => [one[index], other[index]])
    .flat()
    .filter((job) => job !== undefined);
}

/** Ends deliveries without an event: nothing can be sent, and while they are due, the retention deletes no event. */
async function endLost(ctx: Ctx, hook: WebhookRow, positions: readonly number[]): Promise<void> {
  await ctx.db
    .updateTable('webhook_deliveries')
    .set({ status: 'DEAD', due_at: null, updated_at: ctx.now })
    .where('client_id', '=', hook.client_id)
    .where('webhook_id', '=', hook.webhook_id)
    .where('position', 'in', positions)
    .execute();
}

type Place = Pick<WebhookDeliveryRow, 'position'>;

async function sizesAt(db: Reader, clientId: string, places: readonly Place[]): Promise<Sized[]> {
  return places.length === 0 ? [] : selectAt(db, clientId, places).select(SIZE_COLUMNS).execute();
}

async function eventsAt(db: Reader, clientId: string, places: readonly Place[]): Promise<ShownRow[]> {
  return places.length === 0 ? [] : selectAt(db, clientId, places).select(SHOWN_COLUMNS).execute();
}

function selectAt(db: Reader, clientId: string, places: readonly Place[]) {
  const positions = places.map(({ position }) => position);
  return db.selectFrom('events').where('client_id', '=', clientId).where('position', 'in', positions);
}

/**
 * Starts the attempts in the order of the jobs. After several consecutive failures, after a 410, or when the service
 * stops, it starts no more attempts.
 */
async function tryAll(run: Run, hook: WebhookRow, jobs: readonly Job[]): Promise<Tried[]> {
  const tried: Tried[] = [];
  let failures = 0;
  let next = 0;
  const lane = async () => {
    while (next < jobs.length && failures < FAILURES_IN_A_ROW && !run.signal.aborted) {
      const job = jobs[next++]!;
      const one = await attempt(run, hook, job);
      failures = one.outcome.ok ? 0 : one.outcome.status === 410 ? FAILURES_IN_A_ROW : failures + 1;
      tried.push(one);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return tried;
}

async function attempt(run: Run, hook: WebhookRow, job: Job): Promise<Tried> {
  const { ports, config, gate, secrets, tracing, signal } = run;
  const at = ports.now();
  const since = performance.now();
  const body = bodyOf(job.event);
  const caused = traceKept(job.event.trace, job.event.request_id);
  const span = tracing?.attempt({
    clientId: hook.client_id,
    webhookId: hook.webhook_id,
    host: new URL(hook.url).hostname,
    eventType: job.event.type,
    position: job.event.position!,
    number: numberOf(job),
    caused,
  });
  const outcome = await run.send({
    url: hook.url,
    headers: {
      ...signedHeaders(secrets, job.event.event_id, at, body),
      ...traceHeaders(span?.trace ?? caused),
    },
    body,
    timeoutMs: config.webhookTimeoutMs,
    isPlainAllowed: config.webhookPlainHttp,
    gate,
    signal,
  });
  span?.end(outcome);
  return { ...job, at, durationMs: Math.round(performance.now() - since), outcome };
}

/** Returns the body of a delivery. */
export function bodyOf(event: ShownRow): string {
  return `{"timestamp":${JSON.stringify(formatDateTime(event.at))},${eventText(event)}}`;
}

/** Returns the number of this attempt since the last replay of the delivery, from 1. */
function numberOf({ before }: Pick<Job, 'before'>): number {
  return (before?.attempts ?? 0) + 1;
}

/**
 * Writes the outcomes of a batch. Returns the changed webhook; undefined if this run no longer has the lease of the
 * webhook.
 */
async function note(
  ctx: Ctx,
  hook: WebhookRow,
  jobs: readonly Job[],
  tried: readonly Tried[],
  position: number,
): Promise<WebhookRow | undefined> {
  const isGone = tried.some(({ outcome }) => outcome.status === 410);
  const isSuccess = tried.some(({ outcome }) => outcome.ok);
  const isFailure = tried.length > 0 && !isSuccess;
  const failures = isFailure ? hook.failures + 1 : isSuccess ? 0 : hook.failures;
  const failingSince = isFailure ? (hook.failing_since ?? tried[0]!.at) : isSuccess ? null : hook.failing_since;
  const askedMs = Math.max(0, ...tried.map(({ outcome }) => (isThrottled(outcome) ? (outcome.askedMs ?? 0) : 0)));
  const isDead = isGone || (isFailure && ctx.now - failingSince! >= DISABLE_AFTER_MS);
  const progress = {
    position: Math.max(hook.position, reached(jobs, tried, position)),
    failures,
    failing_since: failingSince,
    paused_until: isFailure || askedMs > 0 ? pauseUntil(ctx.now, Math.max(1, failures), askedMs) : null,
    lease_until: ctx.now + LEASE_MS,
    ...(isDead && { enabled: 0, disabled_reason: isGone ? 'GONE' : 'FAILING' }),
  };
  if (!(await saveProgress(ctx, hook, progress))) return undefined;
  await saveDeliveries(
    ctx,
    tried.map((one) => deliveryOf(ctx, hook, one)),
  );
  if (isDead) await recordDisabled(ctx, hook, isGone, failingSince);
  return { ...hook, ...progress };
}

function isThrottled({ status }: Outcome): boolean {
  return status === 429 || status === 503;
}

/**
 * Returns the position up to which all new events were tried. If an event has no attempt, this is the position before
 * the first such event.
 */
function reached(jobs: readonly Job[], tried: readonly Tried[], position: number): number {
  const done = new Set(tried.map(({ event }) => event.position));
  const missed = jobs.find(({ event, before }) => before === undefined && !done.has(event.position));
  return missed === undefined ? position : missed.event.position! - 1;
}

function deliveryOf(ctx: Ctx, hook: WebhookRow, tried: Tried): WebhookDeliveryRow {
  const { event, before, at, durationMs, outcome } = tried;
  const attempts = numberOf(tried);
  const log = before === undefined ? [] : readJson(before.log);
  const { ok, askedMs, ...result } = outcome;
  const dueAt = ok ? undefined : nextAttemptAt(ctx.now, attempts, randomOf(ctx), askedMs);
  return {
    client_id: hook.client_id,
    webhook_id: hook.webhook_id,
    position: event.position!,
    status: ok ? 'DELIVERED' : dueAt === undefined ? 'DEAD' : 'PENDING',
    attempts,
    due_at: dueAt ?? null,
    log: stringifyJson([...log, { at, durationMs, ...result }].slice(-LOG_MAX)),
    created_at: before?.created_at ?? ctx.now,
    updated_at: ctx.now,
  };
}

function randomOf(ctx: Pick<Ctx, 'randomBytes'>): number {
  return ctx.randomBytes(4).readUInt32BE() / 2 ** 32;
}

async function recordDisabled(ctx: Ctx, hook: WebhookRow, isGone: boolean, failingSince: number | null): Promise<void> {
  const { client_id: clientId, webhook_id: webhookId } = hook;
  ctx.log.warn({ clientId, webhookId, isGone }, 'a webhook was disabled');
  await record(ctx, {
    clientId,
    type: 'webhook.disabled',
    resource: 'webhook',
    resourceId: webhookId,
    data: {
      reason: isGone ? 'GONE' : 'FAILING',
      ...(failingSince !== null && { failingSince: formatDateTime(failingSince) }),
    },
  });
}
