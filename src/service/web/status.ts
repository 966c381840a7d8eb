/**
 * Endpoints outside of the API: liveness, readiness, version, metrics and the OpenAPI document
 * (docs/interface.md#statuses). Metrics need the credential METRICS_TOKEN if the request comes from another machine;
 * the other endpoints need none. This file also measures and logs every request.
 */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Config } from '../../platform/config.ts';
import { acceptsGzip } from '../../platform/http/compress.ts';
import { Refusal } from '../../platform/http/errors.ts';
import type { Measure } from '../../platform/http/measure.ts';
import type { Load } from '../../platform/http/overload.ts';
import type { FailedSignIn } from '../../platform/http/rate-limit.ts';
import { entryOf, levelOf } from '../../platform/http/request-log.ts';
import { inEnglish } from '../../platform/message/sentence.ts';
import type { Ports } from '../../platform/ports.ts';
import { sameSecret, sha256 } from '../../platform/secrets.ts';
import { type Store, UNREADY } from '../../platform/storage/db.ts';
import { currentVersion } from '../../platform/storage/migrate.ts';
import { VERSION } from '../../platform/version.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import { type KeptFor, registerInstallationMetrics } from './installation-metrics.ts';
import { registerReadiness, whyNotReady } from './readiness.ts';

declare module 'fastify' {
  interface FastifyInstance {
    measure: Measure;
    /** Counts and logs wrong credentials and passwords. */
    signInFailed: (failed: FailedSignIn) => void;
  }
}

/**
 * A function that gets the registry of this process, and returns a function. The returned function makes the text with
 * the metrics of all processes.
 */
export type SumOfMetrics = (own: Registry) => () => Promise<string>;

/** Measures every request by operation and status, writes one log line for it, and serves `/metrics`. */
export function registerMetrics(
  app: FastifyInstance,
  { log, now }: Pick<Ports, 'log' | 'now'>,
  store: Store,
  load: Load,
  scheduler: Pick<Scheduler, 'states' | 'removed'>,
  {
    config,
    sumOfMetrics,
    certificate,
  }: {
    config: Pick<Config, 'metricsToken'> & KeptFor;
    sumOfMetrics: SumOfMetrics | undefined;
    certificate: { readonly end: number } | undefined;
  },
): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'backroom_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response, by operation and status',
    labelNames: ['operation', 'status'] as const,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  registerSchedulerMetrics(registry, scheduler);
  registerInstallationMetrics(registry, store, config, now);
  // Readiness is registered last, so that the connection of its database query is not counted.
  registerReadiness(registry, store, certificate);
  new Counter({
    name: 'backroom_requests_shed_total',
    help: 'Requests rejected with 503 OVERLOADED; those rejected on arrival are in no other metric and not in the log',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(load.refused);
    },
  });
  const failedSignIns = new Counter({
    name: 'backroom_sign_in_failures_total',
    help: 'Requests with wrong credentials, by code; SIGN_IN_FAILED: a wrong password; TOO_MANY_REQUESTS: beyond FAILED_SIGN_IN_LIMIT, without a warning in the log',
    labelNames: ['code'] as const,
    registers: [registry],
  });
  for (const code of ['CREDENTIALS_INVALID', 'SIGN_IN_FAILED', 'TOO_MANY_REQUESTS']) failedSignIns.inc({ code }, 0);
  app.decorate('signInFailed', (failed) => {
    failedSignIns.inc({ code: failed.code });
    // Attempts beyond the limit get no log line. Otherwise an attacker could fill the log.
    if (failed.code !== 'TOO_MANY_REQUESTS') log.warn(failed, `sign-in failed from ${failed.address}`);
  });
  app.decorate('measure', (operation, status, seconds) => duration.observe({ operation, status }, seconds));
  // Log lines of requests have no personal data, so they need no redaction. A line then costs 4 µs instead of 28 µs.
  const requests = log.child({}, { redact: { paths: [] } });
  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.operation?.id ?? request.routeOptions.url ?? 'unknown';
    app.measure(operation, reply.statusCode, reply.elapsedTime / 1000);
    const level = levelOf(request, reply);
    if (requests.isLevelEnabled(level)) {
      requests[level](
        entryOf(request, reply, operation),
        `${operation} responded ${reply.statusCode}, request ${request.id}`,
      );
    }
    done();
  });
  const text = sumOfMetrics?.(registry) ?? (() => registry.metrics());
  app.get('/metrics', async (request, reply) => {
    if (!isLocal(request) && !hasToken(request, config.metricsToken)) {
      throw new Refusal(401, 'SECURITY', 'CREDENTIALS_MISSING', inEnglish(METRICS_CLOSED), {
        headers: { 'www-authenticate': 'Bearer realm="metrics"' },
      });
    }
    reply.header('content-type', registry.contentType);
    return text();
  });
}

const METRICS_CLOSED =
  'Metrics are open only on the machine of the service; from other machines send Authorization: Bearer with the METRICS_TOKEN of the service.';

/** Headers that proxies add. Behind a proxy, every request seems to come from this machine. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'];

/** Whether the request comes from this machine and not through a proxy. */
function isLocal({ socket, ip, headers }: FastifyRequest): boolean {
  return isLoopback(socket.remoteAddress) && isLoopback(ip) && FORWARDED.every((name) => headers[name] === undefined);
}

function isLoopback(address = ''): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}

function hasToken({ headers: { authorization = '' } }: FastifyRequest, token: string | undefined): boolean {
  const [, sent] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  return token !== undefined && sent !== undefined && sameSecret(sent, token);
}

function registerSchedulerMetrics(
  registry: Registry,
  { states, removed }: Pick<Scheduler, 'states' | 'removed'>,
): void {
  new Gauge({
    name: 'backroom_scheduler_lag_seconds',
    help: 'Time for which the oldest due work had been due at the last look of the scheduler, by kind; with several processes, the latest',
    labelNames: ['kind'] as const,
    aggregator: 'max',
    registers: [registry],
    collect() {
      for (const [kind, { lagMs }] of states) this.set({ kind }, lagMs / 1000);
    },
  });
  new Counter({
    name: 'backroom_scheduler_due_total',
    help: 'Work that became due, by kind and outcome: done, missed (another process did it, or a mail waits for others), failed (tried again later)',
    labelNames: ['kind', 'outcome'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, state] of states) {
        for (const outcome of ['done', 'missed', 'failed'] as const) this.inc({ kind, outcome }, state[outcome]);
      }
    },
  });
  new Counter({
    name: 'backroom_retention_removed_total',
    help: 'Data deleted at the end of its retention, by kind of data; an order, ticket or shipment with all its rows counts once',
    labelNames: ['kind'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, count] of removed) this.inc({ kind }, count);
    },
  });
}

/** Registers `/livez` (the process runs), `/readyz` (the database is ready), `/version` and `/openapi.json`. */
export function registerStatus(app: FastifyInstance, store: Store, document: () => Promise<unknown>): void {
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const reason = await whyNotReady(store);
    if (reason === undefined) return { status: 'ok', engine: store.engine };
    reply.code(503).header('retry-after', '1');
    return { status: 'unavailable', engine: store.engine, reason: UNREADY[reason] };
  });
  app.get('/version', async () => ({
    version: VERSION,
    node: process.versions.node,
    engine: store.engine,
    schema: await currentVersion(store),
  }));
  let made: Promise<{ text: string; tag: string; zipped: Promise<Buffer> }> | undefined;
  app.get('/openapi.json', async (request, reply) => {
    made ??= document().then((known) => {
      const text = JSON.stringify(known);
      return { text, tag: `W/"${sha256(text).slice(0, 22)}"`, zipped: promisify(gzip)(text) };
    });
    const { text, tag, zipped } = await made;
    // With `no-cache`, a client uses its cached copy only after the service has confirmed its ETag.
    reply.headers({ etag: tag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
    if (request.headers['if-none-match']?.includes(tag) === true) return reply.code(304).send();
    reply.header('content-type', 'application/json; charset=utf-8');
    if (!acceptsGzip(request.headers['accept-encoding'])) return text;
    return reply.header('content-encoding', 'gzip').send(await zipped);
  });
}
