/** All wiring, in one readable function: configuration and ports in, a server out. */
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Config } from './config.ts';
import { answerClientError, answerFrameworkError, registerOperations } from './http/edge.ts';
import { purgeKeys } from './http/idempotency.ts';
import { buildOpenApi } from './http/openapi.ts';
import { guarded, Load } from './http/overload.ts';
import { registerMetrics, registerStatus, type SumOfMetrics } from './http/status.ts';
import { operations, schemas } from './operations.ts';
import type { Ports } from './ports.ts';
import { createSealer, openSecret } from './secrets.ts';
import type { Store } from './storage/db.ts';
import { VERSION } from './version.ts';

export interface Server {
  app: FastifyInstance;
  /** Starts to listen; answers the address, for example `http://127.0.0.1:8080`. */
  listen: () => Promise<string>;
  /** Stops taking requests, lets those in flight finish, closes the store. */
  close: () => Promise<void>;
}

const HOUR_MS = 3_600_000;
const PURGE_EVERY_MS = 600_000;

/** The reference page runs on its own files alone; styles are inline there. */
const DOCS_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

/** On every answer. One constant: a plugin that puts them together each time takes some 10 us of a request. */
const SECURITY_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};

export interface ServerParts {
  /** Where several processes serve together: how `/metrics` of one answers for all. */
  sumOfMetrics?: SumOfMetrics;
}

/**
 * Builds the service over an opened, migrated store. The store is closed with the server.
 * @throws WrongSecret when the key is not the one that sealed what the store holds.
 */
export async function createServer(
  config: Config,
  ports: Ports,
  store: Store,
  parts: ServerParts = {},
): Promise<Server> {
  const secret = await openSecret(config, store);
  const load = new Load(config);
  const requestId = requestIdOf(ports);
  const app = Fastify({
    serverFactory: (handler) => {
      const shield = guarded(handler, load, { requestId, headers: SECURITY_HEADERS });
      return openHttp(config, shield);
    },
    ...(config.trustProxy.length > 0 && { trustProxy: [...config.trustProxy] }),
    loggerInstance: ports.log,
    logController: new LogController({ disableRequestLogging: true }),
    // Nobody logs through a request; a logger for each would redact anew for each, which costs more than reading an item.
    childLoggerFactory: (logger) => logger,
    bodyLimit: config.bodyLimit,
    routerOptions: { maxParamLength: 512 },
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    genReqId: requestId,
    exposeHeadRoutes: false,
    clientErrorHandler: answerClientError(ports),
    frameworkErrors: answerFrameworkError(ports),
  }) as unknown as FastifyInstance;
  const document = buildOpenApi(operations, schemas, VERSION);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    done();
  });
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: {
      title: 'Backroom API',
      css: [{ filename: 'backroom.css', content: '.swagger-ui .topbar { display: none }' }],
    },
    staticCSP: DOCS_POLICY,
    uiConfig: { docExpansion: 'list', validatorUrl: null } as never,
  });
  registerMetrics(app, ports.log, load, parts.sumOfMetrics);
  registerStatus(app, store, document);
  registerOperations(app, { config, ports, store, sealer: createSealer(secret), operations, schemas, load });
  await app.ready();
  const purge = () =>
    purgeKeys(store, ports.now(), config.idempotencyHours * HOUR_MS).catch((error: unknown) => {
      ports.log.warn({ err: error }, 'old idempotency keys stay until the next purge');
    });
  let timer: NodeJS.Timeout | undefined;
  return {
    app,
    listen: async () => {
      const address = await app.listen({ port: config.port, host: config.host });
      timer = setInterval(() => void purge(), PURGE_EVERY_MS).unref();
      return address;
    },
    close: async () => {
      clearInterval(timer);
      await Promise.race([app.close(), new Promise((resolve) => setTimeout(resolve, config.shutdownGraceMs).unref())]);
      await store.close();
    },
  };
}

/** The caller's own id of a request where it is valid, else a new one. */
function requestIdOf(ports: Pick<Ports, 'newId'>): (request: Pick<IncomingMessage, 'headers'>) => string {
  return ({ headers }) => {
    const given = headers['x-request-id'];
    return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : ports.newId();
  };
}

function openHttp(config: Config, handler: RequestListener): HttpServer {
  return createHttpServer(
    {
      requestTimeout: config.requestTimeoutMs,
      headersTimeout: config.headersTimeoutMs,
      keepAliveTimeout: config.keepAliveTimeoutMs,
      maxHeaderSize: 16_384,
      // Node looks for late requests every 30 s unless told otherwise.
      connectionsCheckingInterval: 1_000,
    },
    handler,
  );
}
