/**
 * Makes spans with the OpenTelemetry SDK and sends them by OTLP over HTTP. The packages of the SDK have 27 MB and are
 * not installed by default. This file therefore imports them at run time and declares their types (docs/decisions/322).
 */
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { type Trace, traceBegun } from './trace.ts';
import type { Tracing } from './tracing.ts';
import { VERSION } from './version.ts';

/** The packages with the versions that this file supports. */
const OTEL_PACKAGES = [
  '@opentelemetry/api@1',
  '@opentelemetry/sdk-trace@3',
  '@opentelemetry/resources@3',
  '@opentelemetry/exporter-trace-otlp-http@0.301',
] as const;

/** Longest text of a statement in a span. */
const TEXT_MAX = 4_000;

/** Minimum interval between two warnings about a receiver that does not accept spans. */
const SAY_EVERY_MS = 60_000;

/** Longest time that a stop waits for unsent spans. */
const CLOSE_MS = 2_000;

const SERVER = 1;
const CLIENT = 2;
const ERROR = { code: 2 };

type Attributes = Record<string, string | number>;

interface SpanContext {
  traceId: string;
  spanId: string;
  traceFlags: number;
  traceState?: { serialize: () => string };
  isRemote?: boolean;
}

interface Span {
  spanContext: () => SpanContext;
  setAttributes: (attributes: Attributes) => void;
  setStatus: (status: { code: number }) => void;
  updateName: (name: string) => void;
  end: () => void;
}

type Context = object;

interface Api {
  ROOT_CONTEXT: Context;
  trace: {
    setSpan: (context: Context, span: Span) => Context;
    wrapSpanContext: (context: SpanContext) => Span;
  };
  createTraceState: (text: string) => { serialize: () => string };
}

interface Tracer {
  startSpan: (name: string, options: { kind: number; attributes: Attributes }, context: Context) => Span;
}

interface Exporter {
  export: (spans: unknown[], done: (result: { code: number; error?: Error }) => void) => void;
  shutdown: () => Promise<void>;
  forceFlush?: () => Promise<void>;
}

interface Sdk {
  TracerProvider: new (options: {
    resource: unknown;
    sampler: unknown;
    spanProcessors: unknown[];
    idGenerator: { generateTraceId: () => string; generateSpanId: () => string };
  }) => { getTracer: (name: string, version: string) => Tracer; shutdown: () => Promise<void> };
  BatchSpanProcessor: new (options: { exporter: Exporter }) => unknown;
  RandomIdGenerator: new () => { generateTraceId: () => string; generateSpanId: () => string };
  AlwaysOnSampler: new () => object;
  AlwaysOffSampler: new () => object;
  TraceIdRatioBasedSampler: new (ratio: number) => object;
  ParentBasedSampler: new (options: { root: object }) => object;
}

interface Resource {
  merge: (other: Resource) => Resource;
}

interface Resources {
  resourceFromAttributes: (attributes: Attributes) => Resource;
  detectResources: (options: { detectors: unknown[] }) => Resource;
  defaultResource: () => Resource;
  envDetector: unknown;
  serviceInstanceIdDetector: unknown;
}

interface Otlp {
  OTLPTraceExporter: new (options: { url: string }) => Exporter;
}

/** The packages of the SDK are missing, or have unsupported versions. */
export class NoTracingSdk extends Error {
  override readonly name = 'NoTracingSdk';

  readonly found =
    'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the OpenTelemetry packages cannot be loaded: no spans are sent';
  readonly fix =
    `install them where the program is (npm install ${OTEL_PACKAGES.join(' ')}) and restart, or leave the setting out`;

  constructor(cause: unknown) {
    super('', { cause });
    this.message = `${this.found}; ${this.fix}`;
  }
}

/**
 * Starts tracing.
 * @throws NoTracingSdk with the command that installs the missing packages.
 */
export async function openTracing(
  otlp: NonNullable<Config['otlp']>,
  engine: 'sqlite' | 'postgres',
  log: Logger,
): Promise<Tracing> {
  const { api, sdk, resources, exporter } = await loadPackages().catch((error: unknown) => {
    throw new NoTracingSdk(error);
  });
  const random = new sdk.RandomIdGenerator();
  /** Ids for the next span: the trace id of a new trace is derived from the request id. */
  let own: Trace | undefined;
  const provider = new sdk.TracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': 'backroom', 'service.version': VERSION }))
      .merge(resources.detectResources({ detectors: [resources.serviceInstanceIdDetector, resources.envDetector] })),
    sampler: samplerOf(sdk, otlp),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: telling(new exporter.OTLPTraceExporter({ url: otlp.url }), otlp.url, log),
      }),
    ],
    idGenerator: {
      generateTraceId: () => own?.traceId ?? random.generateTraceId(),
      generateSpanId: () => own?.spanId ?? random.generateSpanId(),
    },
  });
  const tracer = provider.getTracer('backroom', VERSION);
  const system = engine === 'postgres' ? 'postgresql' : 'sqlite';
  return {
    begin: ({ method, requestId, sent }) => {
      const parent = sent && api.trace.setSpan(api.ROOT_CONTEXT, api.trace.wrapSpanContext(remote(api, sent)));
      own = sent === undefined ? traceBegun(requestId) : undefined;
      const attributes = { 'http.request.method': method, 'backroom.request_id': requestId };
      const span = tracer.startSpan(method, { kind: SERVER, attributes }, parent ?? api.ROOT_CONTEXT);
      own = undefined;
      const context = api.trace.setSpan(api.ROOT_CONTEXT, span);
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        trace: { traceId, spanId, isSampled: (traceFlags & 1) === 1, ...(sent?.state && { state: sent.state }) },
        statement: (text) => {
          const name = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
          const about = { 'db.system.name': system, 'db.query.text': text.slice(0, TEXT_MAX) };
          const statement = tracer.startSpan(name, { kind: CLIENT, attributes: about }, context);
          return (error) => {
            if (error !== undefined) fail(statement, codeOf(error));
            statement.end();
          };
        },
        end: ({ operation, route, status, code, clientId }) => {
          span.updateName(`${method} ${route}`);
          span.setAttributes({
            'http.route': route,
            'http.response.status_code': status,
            'backroom.operation': operation,
            ...(clientId !== undefined && { 'backroom.client_id': clientId }),
            ...(code !== undefined && { 'backroom.code': code }),
          });
          if (status >= 500) fail(span, code ?? String(status));
          span.end();
        },
      };
    },
    attempt: ({ clientId, webhookId, host, eventType, position, number, caused }) => {
      const parent = api.trace.setSpan(api.ROOT_CONTEXT, api.trace.wrapSpanContext(remote(api, caused)));
      const attributes = {
        'http.request.method': 'POST',
        'server.address': host,
        'backroom.client_id': clientId,
        'backroom.webhook_id': webhookId,
        'backroom.event_type': eventType,
        'backroom.event_position': position,
        'backroom.attempt': number,
      };
      const span = tracer.startSpan(`webhook ${eventType}`, { kind: CLIENT, attributes }, parent);
      const { traceId, spanId, traceFlags } = span.spanContext();
      const isSampled = (traceFlags & 1) === 1;
      return {
        // A span that is not recorded cannot be a parent, so the trace keeps the parent that it has.
        trace: isSampled ? { ...caused, traceId, spanId, isSampled } : { ...caused, isSampled },
        end: ({ ok, status, error }) => {
          if (status !== undefined) span.setAttributes({ 'http.response.status_code': status });
          if (!ok) fail(span, error ?? String(status));
          span.end();
        },
      };
    },
    close: async () => {
      const late = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

/** @throws NoTracingSdk with the command that installs the missing packages. */
export async function mustHaveSdk(): Promise<void> {
  await loadPackages().catch((error: unknown) => {
    throw new NoTracingSdk(error);
  });
}

/** Imports the packages by variables, so that neither the compiler nor the bundle needs them. */
async function loadPackages() {
  const [api, sdk, resources, exporter] = await Promise.all(
    OTEL_PACKAGES.map((name) => import(name.replace(/@[\d.]+$/, '')) as Promise<unknown>),
  );
  if (typeof (sdk as Partial<Sdk>).TracerProvider !== 'function')
    throw new Error('The installed version of @opentelemetry/sdk-trace is not supported.');
  return { api: api as Api, sdk: sdk as Sdk, resources: resources as Resources, exporter: exporter as Otlp };
}

function remote({ createTraceState }: Api, { traceId, spanId, isSampled, state }: Trace): SpanContext {
  return {
    traceId,
    spanId,
    traceFlags: isSampled ? 1 : 0,
    isRemote: true,
    ...(state !== undefined && { traceState: createTraceState(state) }),
  };
}

function samplerOf(sdk: Sdk, { sampler, ratio }: NonNullable<Config['otlp']>): object {
  const root = sampler.endsWith('traceidratio')
    ? new sdk.TraceIdRatioBasedSampler(ratio)
    : sampler.endsWith('always_off')
      ? new sdk.AlwaysOffSampler()
      : new sdk.AlwaysOnSampler();
  return sampler.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root;
}

/** The exporter, with a warning in the log when the receiver does not accept spans. */
function telling(exporter: Exporter, url: string, log: Logger): Exporter {
  let saidAt = Number.NEGATIVE_INFINITY;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const now = performance.now();
        if (result.code !== 0 && now - saidAt > SAY_EVERY_MS) {
          saidAt = now;
          const why = result.error?.message ?? 'no reason was given';
          log.warn({ spans: spans.length }, `spans cannot be sent to ${new URL(url).origin}: ${why}`);
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/**
 * Returns the code or name of an error for its span. The message of the error is left out, because it could have
 * values.
 */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'error';
}

function fail(span: Span, type: string): void {
  span.setStatus(ERROR);
  span.setAttributes({ 'error.type': type });
}
