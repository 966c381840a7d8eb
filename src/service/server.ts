/** Builds the server. All parts are connected in this file. */

import { readFile } from 'node:fs/promises';
import type { Server as HttpServer, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { mailsDone } from '../contact/due.ts';
import { registerOidc } from '../people/oidc/routes.ts';
import { Journal } from '../platform/access-log/journal.ts';
import type { Config } from '../platform/config.ts';
import { type HashCost, Hashing } from '../platform/hashing.ts';
import { boundConnections } from '../platform/http/connections.ts';
import { registerOperations } from '../platform/http/edge.ts';
import { cleanForwarded } from '../platform/http/forwarded.ts';
import { respondToClientError, respondToFrameworkError, respondToUnusualRequests } from '../platform/http/framework.ts';
import { hostError, misdirected, requestIdOf, SECURE_HEADERS, SECURITY_HEADERS } from '../platform/http/headers.ts';
import { guarded, Load } from '../platform/http/overload.ts';
import { registerTracing } from '../platform/http/request-trace.ts';
import type { Ports } from '../platform/ports.ts';
import { type ManualClock, Sandbox } from '../platform/sandbox-clock.ts';
import { createSealer, openSecret, otherSecret } from '../platform/secrets.ts';
import { Site } from '../platform/site.ts';
import type { Store } from '../platform/storage/db.ts';
import type { Tracing } from '../platform/tracing.ts';
import { PACKAGE_ROOT } from '../platform/version.ts';
import { freeWebhooks, stopWebhookRuns, webhookRunsDone } from '../webhooks/due.ts';
import { operations, schemas } from './operations.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import { Certificate } from './tls.ts';
import { registerConsole, type TryPerson } from './web/console.ts';
import { registerDocs, type TryCredentials } from './web/docs.ts';
import { registerGuide } from './web/guide.ts';
import { registerHome } from './web/home.ts';
import { registerMetrics, registerStatus, type SumOfMetrics } from './web/status.ts';

const DOCUMENT = join(PACKAGE_ROOT, 'contract/openapi.json');

export interface Server {
  app: FastifyInstance;
  /**
   * Starts to accept requests (default: on the configured port) and, except in a sandbox, to do due work. Returns the
   * address, for example `http://127.0.0.1:8080`.
   */
  listen: (port?: number) => Promise<string>;
  /** Does the work that is due now, like the scheduler of a listening service. Returns the number of pieces of work. */
  runDue: () => Promise<number>;
  /**
   * Reads the certificate again, the only setting that can change while the service runs
   * (docs/operating.md#start-and-stop).
   */
  reload: () => void;
  /** Accepts no new connections, completes requests in progress, closes the store. */
  close: () => Promise<void>;
}

export interface ServerParts {
  /** With several worker processes: returns the sum of their metrics for `/metrics`. */
  sumOfMetrics?: SumOfMetrics;
  /** The clock of a sandbox, which `ports.now` reads: only the operation advanceClock moves it. */
  clock?: ManualClock;
  /** Sends spans of requests and statements. */
  tracing?: Tracing | undefined;
  /** Credentials that the reference page fills in for a browser on this machine; only the demo has such credentials. */
  tryCredentials?: (() => TryCredentials | undefined) | undefined;
  /** Users whom the sign-in page offers to a browser on this machine; only the demo has such users. */
  tryPeople?: (() => readonly TryPerson[] | undefined) | undefined;
  /** Cost of a hash of a password or PIN; default: the cost of production. */
  hashCost?: HashCost | undefined;
}

/**
 * Builds the service over an opened, migrated store. Closing the server closes the store.
 * @throws WrongSecret when the key is not the one that encrypted the data of the store.
 */
export async function createServer(
  config: Config,
  ports: Ports,
  store: Store,
  parts: ServerParts = {},
): Promise<Server> {
  const secret = await openSecret(config, store);
  const sealer = createSealer(secret, otherSecret(config));
  const load = new Load(config);
  const site = new Site(config);
  const journal = new Journal(store, ports.log);
  const scheduler = new Scheduler({ config, ports, store, sealer, tracing: parts.tracing });
  const sandbox = parts.clock && new Sandbox(parts.clock, scheduler, store, () => backgroundDone(scheduler, store));
  const requestId = requestIdOf(ports);
  const certificate = config.tls && new Certificate(config.tls, ports.log);
  let cutConnections = () => {};
  const app = Fastify({
    serverFactory: (handler) => {
      const quick: typeof handler = (request, response) =>
        app.fastPath.take(request, response, () => handler(request, response));
      const handle = belowPath(site, guarded(quick, load, { requestId, headers: SECURITY_HEADERS }));
      const server = openHttp(config, handle, certificate, ports);
      cutConnections = boundConnections(server, config);
      return server;
    },
    ...(config.trustProxy.length > 0 && { trustProxy: [...config.trustProxy] }),
    loggerInstance: ports.log,
    logController: new LogController({ disableRequestLogging: true }),
    // No code uses `request.log`. A child logger per request would set up the redaction again, which costs more than
    // reading an item.
    childLoggerFactory: (logger) => logger,
    bodyLimit: config.bodyLimit,
    routerOptions: { maxParamLength: 512 },
    forceCloseConnections: 'idle',
    // While the server stops, a request on an open connection still gets its response. Then the connection is closed.
    return503OnClosing: false,
    genReqId: requestId,
    // HEAD gets the response of GET without its body.
    exposeHeadRoutes: true,
    clientErrorHandler: respondToClientError(ports),
    frameworkErrors: respondToFrameworkError(ports),
  }) as unknown as FastifyInstance;
  let read: Promise<unknown> | undefined;
  const document = () => {
    read ??= readFile(DOCUMENT, 'utf8').then((text) => documentAt(site, JSON.parse(text) as Described));
    return read;
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (config.trustProxy.length > 0) cleanForwarded(request.raw);
    reply.headers(site.isSecure ? SECURE_HEADERS : SECURITY_HEADERS).header('x-request-id', request.id);
    const error = hostError(request.raw);
    if (error !== undefined) done(error);
    else done(site.isFor(request.headers.host) ? undefined : misdirected());
  });
  registerTracing(app, parts.tracing);
  registerMetrics(app, ports, store, load, scheduler, {
    config,
    certificate,
    sumOfMetrics: parts.sumOfMetrics,
  });
  registerStatus(app, store, document);
  registerDocs(app, site, document, () => parts.tryCredentials?.());
  registerGuide(app, site);
  registerConsole(app, store, config, () => parts.tryPeople?.());
  registerHome(app, site);
  registerOidc(app, { config, ports, store, sealer, site, ...(sandbox !== undefined && { sandbox }) });
  registerOperations(app, {
    config,
    ports,
    store,
    sealer,
    operations,
    schemas,
    load,
    site,
    hashing: new Hashing((work) => load.aside('write', work), parts.hashCost),
    journal,
    isTraced: parts.tracing !== undefined,
    ...(sandbox !== undefined && { sandbox }),
  });
  await app.ready();
  return {
    app,
    runDue: () => scheduler.runDue(),
    listen: async (port = config.port) => {
      const listening = await app.listen({ port, host: config.host });
      const address = config.tls === undefined ? listening : listening.replace(/^http:/, 'https:');
      site.listensOn((app.server.address() as AddressInfo).port);
      // In a sandbox, only a move of the clock starts due work.
      if (sandbox === undefined) {
        await freeWebhooks(store);
        scheduler.start();
        journal.start();
      }
      return address;
    },
    reload: () => {
      if (certificate === undefined) ports.log.info(NOTHING_TO_READ);
      else certificate.reload();
    },
    close: async () => {
      const quiet = async () => {
        await scheduler.stop();
        await stopWebhookRuns(store);
        await mailsDone(store);
      };
      // The port closes first: due work can take long.
      const ended = Promise.all([app.close(), quiet()]);
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, config.shutdownGraceMs).unref())]);
      // The process ends only when no connection is open. A caller can keep a connection open without a complete request, so
      // the service cuts the remaining connections.
      cutConnections();
      await journal.stop();
      await parts.tracing?.close();
      await store.close();
    },
  };
}

async function backgroundDone(scheduler: Scheduler, store: Store): Promise<void> {
  await webhookRunsDone(store);
  // The outcome of a mail is an event, which can cause a webhook delivery. A finished mail also makes room for the next
  // mail, so the loop runs until no mail is left.
  while (await mailsDone(store)) {
    await scheduler.runDue();
    await webhookRunsDone(store);
  }
}

interface Described {
  servers: { url: string; description: string }[];
}

/** Returns the OpenAPI document with the path of PUBLIC_URL, if PUBLIC_URL has a path. */
function documentAt({ path }: Site, document: Described): Described {
  if (path === '') return document;
  return { ...document, servers: document.servers.map((server) => ({ ...server, url: path })) };
}

/** Prefix for paths outside of PUBLIC_URL. No route has it. */
const OUTSIDE = '/.outside';

/**
 * Removes the path of PUBLIC_URL from requests, because the routes do not have it. A request outside of this path
 * matches no route.
 */
function belowPath(site: Site, handler: RequestListener): RequestListener {
  if (site.path === '') return handler;
  return (request, response) => {
    const target = request.url ?? '/';
    request.url = site.within(target) ?? `${OUTSIDE}${target}`;
    handler(request, response);
  };
}

const NOTHING_TO_READ =
  'there is no certificate to reload, because TLS_CERT is not set. The service reads other settings only at its start';

/** Creates a server for https if there is a certificate, otherwise for http. */
function openHttp(
  config: Config,
  handler: RequestListener,
  certificate: Certificate | undefined,
  ports: Ports,
): HttpServer {
  const options = {
    requestTimeout: config.requestTimeoutMs,
    headersTimeout: config.headersTimeoutMs,
    keepAliveTimeout: config.keepAliveTimeoutMs,
    maxHeaderSize: 16_384,
    // By default Node checks only every 30 s for requests that exceed their time limit.
    connectionsCheckingInterval: 1_000,
    // By default Node silently drops the second of two headers with the same name.
    joinDuplicateHeaders: true,
    // Node's own response has no X-Request-Id and no log line. The hook `onRequest` responds instead.
    requireHostHeader: false,
  };
  const server =
    certificate === undefined
      ? // A named import of `node:http` loads the whole fetch of Node, which costs 30 ms of the start.
        process.getBuiltinModule('node:http').createServer(options, handler)
      : certificate.serve(options, handler);
  respondToUnusualRequests(server, ports);
  return server;
}
