/**
 * The edge registers the operations with Fastify. For each request it checks access (403), then the message (400), then
 * runs the operation (docs/interface.md#order-of-checks). query.ts, body.ts and upload.ts read the message, run.ts runs
 * the operation, response.ts and framework.ts write the response.
 */
import multipart from '@fastify/multipart';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FieldError, joined } from '../message/field-errors.ts';
import { compileLate } from '../message/validate.ts';
import type { TSchema } from '../schema.ts';
import type { CredentialRow } from '../storage/tables.ts';
import { type AccessToken, isSigned } from './access-token.ts';
import { checkX12Type, readBody, withErrors } from './body.ts';
import { type Caller, CallerCache } from './caller-cache.ts';
import { badRequest } from './errors.ts';
import { FastPath } from './fast-path.ts';
import { fromFastify, unknownRoute } from './framework.ts';
import { requestIdOf } from './headers.ts';
import { RunningKeys } from './idempotency.ts';
import { registerTokens } from './oauth.ts';
import { type Operation, pathParams } from './operation.ts';
import { oldNamesOf, readParams, readQuery } from './query.ts';
import { callerNamed, Limits, LongBodies, type Quota, quotaHeaders } from './rate-limit.ts';
import { inTraceOf } from './request-trace.ts';
import { sendRefusal, sendReply } from './response.ts';
import { afterErrors, type Running, type RunOptions, run } from './run.ts';
import { Sessions } from './sessions.ts';

export interface EdgeOptions extends RunOptions {
  operations: readonly Operation[];
  schemas: readonly TSchema[];
  /**
   * Whether the service sends spans of requests. If so, every request goes through the router, which makes the spans.
   */
  isTraced?: boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The fast path, which gets every request before the router. */
    fastPath: FastPath;
  }
  interface FastifyRequest {
    caller: Caller | undefined;
    operation: Operation | undefined;
    ignoredMembers: string[] | undefined;
    /** Whether the query has an old name of a parameter. */
    hasOldNames: boolean;
    /** Path of PUBLIC_URL, for links to pages; '' if it has none. */
    sitePath: string;
    /** Number of the ASN or PO in the body; '' if the body has none or is not read yet. */
    poAsnNumber: string;
    /** Checks the caller again after a wait, during which the access can have ended. */
    checkAccess: (() => Caller | Promise<Caller>) | undefined;
  }
}

/** Registers every operation, the body parser and the error handlers. */
export function registerOperations(app: FastifyInstance, options: EdgeOptions): void {
  app.decorateRequest('caller', undefined);
  app.decorateRequest('operation', undefined);
  app.decorateRequest('ignoredMembers', undefined);
  app.decorateRequest('hasOldNames', false);
  app.decorateRequest('sitePath', options.site.path);
  app.decorateRequest('poAsnNumber', '');
  app.decorateRequest('refusal', undefined);
  app.decorateRequest('checkAccess', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.register(multipart, { limits: { files: 2, fields: 1, fileSize: options.config.uploadBodyLimit } });
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendRefusal(request, reply, fromFastify(error, options.ports, request)),
  );
  app.setNotFoundHandler((request, reply) =>
    sendRefusal(request, reply, unknownRoute(options.operations, request, options.site)),
  );
  const running = new RunningKeys();
  const access = {
    operatorKey: options.config.operatorKey,
    isSigned: (token: AccessToken, row: CredentialRow) => isSigned(options.sealer, token, row),
  };
  const callers = new CallerCache(options.store, access, new Sessions(options.store, options.site));
  const limits = new Limits(options.config, (failed) => app.signInFailed(failed));
  const longBodies = new LongBodies(options.config);
  // The fast path takes no tokens of the rate limit, makes no spans and writes no lines of level debug, so it is used
  // only if none of these are needed.
  const isShort = options.isTraced !== true && !limits.countsRequests && !options.ports.log.isLevelEnabled('debug');
  const fastPath = new FastPath(
    { ...options, callers, measure: app.measure, requestId: requestIdOf(options.ports) },
    isShort,
  );
  app.decorate('fastPath', fastPath);
  app.addHook('preClose', async () => fastPath.stop());
  const stop = new AbortController();
  app.addHook('preClose', async () => stop.abort());
  const stoppable = { ...options, limits, stopping: stop.signal };
  registerTokens(app, options, limits);
  // The multipart plugin must register its parser before the routes of the same scope.
  app.register(async (scope) => {
    for (const operation of options.operations) {
      registerOperation(scope, operation, stoppable, running, callers, longBodies);
    }
  });
}

function registerOperation(
  app: FastifyInstance,
  operation: Operation,
  options: EdgeOptions & Running,
  running: RunningKeys,
  callers: CallerCache,
  longBodies: LongBodies,
): void {
  const { config, ports, load, limits } = options;
  const validateBody = operation.message.body && compileLate(operation.message.body, options.schemas);
  const validateQuery = operation.message.query && compileLate(operation.message.query, options.schemas);
  const names = pathParams(operation.path);
  const olds = oldNamesOf(operation.message.query);
  const bodyLimit = config[operation.message.limit ?? 'bodyLimit'];
  app.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit,
    // This hook is not async, so that a cached caller needs no turn of the microtask queue.
    onRequest: (request, reply, done) => {
      request.operation = operation;
      const keep = (caller: Caller) => {
        request.caller = caller;
        try {
          if (operation.message.consumes === 'x12') checkX12Type(request);
          if (operation.method !== 'GET')
            longBodies.take(callerNamed(caller.actor), request.headers, bodyLimit, ports.now());
        } catch (error) {
          done(error as Error);
          return;
        }
        done();
      };
      try {
        const params = readParams(names, request);
        const { headers } = request;
        const now = ports.now();
        const find = () => callers.find(operation, headers, params, now);
        const canWait = operation.kind === 'read' && operation.run.before !== undefined;
        if (canWait || operation.message.produces === 'lines') {
          request.checkAccess = () => callers.find(operation, headers, params, ports.now());
        }
        const signIn = {
          address: request.ip,
          headers,
          auth: operation.access.auth,
          requestId: request.id,
          tell: (quota: Quota) => void reply.headers(quotaHeaders(quota)),
        };
        const found = limits.find(signIn, now, find);
        if (found instanceof Promise) {
          load.enter(operation.kind);
          found.then(
            (caller) => {
              load.pause(operation.kind);
              keep(caller);
            },
            (error: unknown) => {
              load.leave(operation.kind);
              done(error as Error);
            },
          );
          return;
        }
        keep(found);
      } catch (error) {
        done(error as Error);
      }
    },
    handler: async (request, reply) => {
      load.mustTake();
      load.enter(operation.kind);
      try {
        return await inTraceOf(request, () => respond(request, reply));
      } finally {
        load.leave(operation.kind);
      }
    },
  });
  const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const params = request.params as Record<string, string>;
    const errors: FieldError[] = [];
    const query = readQuery(request, validateQuery, errors, olds);
    const isQueryValid = errors.length === 0;
    const body = await readBody(operation, request, validateBody, errors).catch((error: unknown) => {
      throw withErrors(error, errors);
    });
    if (operation.message.poAsnNumber !== undefined) request.poAsnNumber = operation.message.poAsnNumber(body.value);
    const { actor, scope } = request.caller!;
    const form = joined(errors, body);
    const isBodyChecked = validateBody === undefined || body.validPart !== undefined;
    const runsRules = operation.run.rules !== undefined && query.validPart !== undefined && isBodyChecked;
    // If query and body are valid, `errors` has only differences of the body from path and query. They do not reject
    // the request of an operation with a body here, because its `handle` can find further errors.
    const isReadable = isQueryValid && body.errors.length === 0 && (validateBody !== undefined || errors.length === 0);
    if (!runsRules && !isReadable) throw badRequest(form.errors, form.total);
    const message = runsRules
      ? { query: query.validPart, body: body.validPart, formErrors: form }
      : { query: query.value, body: body.value };
    const input = { params, ...message, headers: request.headers, ...scope };
    const response = await run({ operation: afterErrors(operation, form), options, running, request, actor, input });
    return await sendReply(request, reply, response);
  };
}
