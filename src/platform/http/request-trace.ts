/**
 * The trace of a request: in its log line, in its events, and as a span if the service sends spans
 * (docs/how-to/trace.md).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { withStatements } from '../storage/spans.ts';
import { traceIdOf, traceSent, traceText } from '../trace.ts';
import type { RequestSpan, Tracing } from '../tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request; undefined if the service sends no spans. */
    span: RequestSpan | undefined;
  }
}

/** Paths without a trace, because monitoring requests them every few seconds. */
const QUIET = new Set(['/livez', '/readyz', '/metrics']);

/**
 * Registers the hooks that trace requests. Call it before you register any hook of `onRequest` that reads the database.
 */
export function registerTracing(app: FastifyInstance, tracing: Tracing | undefined): void {
  app.decorateRequest('span', undefined);
  if (tracing === undefined) return;
  app.addHook('onRequest', (request, _reply, done) => {
    if (QUIET.has(request.routeOptions.url ?? '')) {
      done();
      return;
    }
    const { method, id: requestId, headers } = request;
    request.span = tracing.begin({ method, requestId, sent: traceSent(headers) });
    withStatements(request.span.statement, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { span, operation, refusal, caller, routeOptions } = request;
    const route = operation?.path ?? routeOptions.url ?? 'unknown';
    span?.end({
      operation: operation?.id ?? route,
      route,
      status: reply.statusCode,
      ...(refusal !== undefined && { code: refusal.code }),
      ...(caller?.scope.clientId && { clientId: caller.scope.clientId }),
    });
    done();
  });
}

/** Runs work of a request in its trace. Call it after a body is read, because reading loses the async context. */
export function inTraceOf<T>({ span }: FastifyRequest, work: () => T): T {
  return span === undefined ? work() : withStatements(span.statement, work);
}

/** The trace id for the log. */
export function traceIdIn({ span, headers, id }: FastifyRequest): string {
  return span?.trace.traceId ?? traceIdOf(headers, id);
}

/** The trace to store with the request's events; undefined if it can be derived from the request id. */
export function traceToKeep({ span, headers }: FastifyRequest): string | undefined {
  if (headers.traceparent === undefined && span?.trace.isSampled !== false) return undefined;
  const trace = span?.trace ?? traceSent(headers);
  return trace && traceText(trace);
}
