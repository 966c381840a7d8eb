/** The trace of a request: in its log line, in what it leaves behind, and as a span where spans are sent (docs/how-to/trace.md). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { withStatements } from '../storage/spans.ts';
import { traceIdOf, traceSent, traceText } from '../trace.ts';
import type { RequestSpan, Tracing } from '../tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where spans are sent. */
    span: RequestSpan | undefined;
  }
}

/** Asked every few seconds, by programs that have no trace. */
const QUIET = new Set(['/livez', '/readyz', '/metrics']);

/** Before every other hook of `onRequest` that asks the database. */
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

/** Work of a request, whose body has been read meanwhile: that takes the async context away. */
export function inTraceOf<T>({ span }: FastifyRequest, work: () => T): T {
  return span === undefined ? work() : withStatements(span.statement, work);
}

/** For the log. */
export function traceIdIn({ span, headers, id }: FastifyRequest): string {
  return span?.trace.traceId ?? traceIdOf(headers, id);
}

/** What is kept with the request's events; undefined where its trace follows from its id. */
export function traceToKeep({ span, headers }: FastifyRequest): string | undefined {
  if (headers.traceparent === undefined && span?.trace.isSampled !== false) return undefined;
  const trace = span?.trace ?? traceSent(headers);
  return trace && traceText(trace);
}
