/**
 * The edge: puts operations on Fastify. Reads the request, decides in the order of refusal (403, then 400, then what the
 * operation says; decision 18), runs the operation in its transaction and writes the answer.
 */
import type { Socket } from 'node:net';
import multipart from '@fastify/multipart';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Actor, Ctx } from '../ctx.ts';
import type { Ports } from '../ports.ts';
import type { TSchema } from '../schema.ts';
import type { Sealer } from '../secrets.ts';
import type { Store } from '../storage/db.ts';
import { disagreements } from './agree.ts';
import { type Caller, Callers } from './caller.ts';
import {
  asRefusal,
  badRequest,
  badValue,
  type ErrorShape,
  errorBody,
  errorType,
  Refusal,
  shapeOfPath,
  titleOf,
} from './errors.ts';
import {
  claimKey,
  hashBody,
  type IdempotencyScope,
  RunningKeys,
  readIdempotencyKey,
  storeReply,
} from './idempotency.ts';
import { INBOUND_JSON_LIMITS, JSON_LIMITS, JsonFault, parseJson, stringifyJson } from './json.ts';
import type { Place } from './kept.ts';
import { type Operation, pathParams, type Reply } from './operation.ts';
import type { Load } from './overload.ts';
import { Limits } from './rate-limit.ts';
import { compileLate, FAULTS_MAX, type Fault, type Validator, type Verdict } from './validate.ts';

export interface EdgeOptions {
  config: Config;
  ports: Ports;
  store: Store;
  sealer: Sealer;
  operations: readonly Operation[];
  schemas: readonly TSchema[];
  load: Load;
}

const HOUR_MS = 3_600_000;

/** A CSV that came as `multipart/form-data`. */
export interface UploadedFile {
  fileName: string;
  content: Buffer;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    operation: Operation | undefined;
    ignoredMembers: string[] | undefined;
    kept: Place | undefined;
  }
}

/** Registers every operation, the body parser and the error handlers. */
export function registerOperations(app: FastifyInstance, options: EdgeOptions): void {
  app.decorateRequest('caller', undefined);
  app.decorateRequest('operation', undefined);
  app.decorateRequest('ignoredMembers', undefined);
  app.decorateRequest('kept', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.register(multipart, { limits: { files: 2, fields: 1, fileSize: options.config.uploadBodyLimit } });
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendRefusal(request, reply, fromFastify(error, options.ports, request.id)),
  );
  app.setNotFoundHandler((request, reply) => sendRefusal(request, reply, unknownRoute(options.operations, request)));
  const running = new RunningKeys();
  const callers = new Callers(options.store, options.config);
  const limits = new Limits(options.config);
  // The multipart plugin's parser must be in place before the routes of the same scope are made.
  app.register(async (scope) => {
    for (const operation of options.operations) registerOperation(scope, operation, options, running, callers, limits);
  });
}

function registerOperation(
  app: FastifyInstance,
  operation: Operation,
  options: EdgeOptions,
  running: RunningKeys,
  callers: Callers,
  limits: Limits,
): void {
  const { config, ports, load } = options;
  const validateBody = operation.body && compileLate(operation.body, options.schemas);
  const validateQuery = operation.query && compileLate(operation.query, options.schemas);
  const names = pathParams(operation.path);
  const isHot = operation.access === 'read' && operation.hot === true;
  app.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: config[operation.limit ?? 'bodyLimit'],
    // Not async: a caller that is known costs no turn of the microtasks.
    onRequest: (request, _reply, done) => {
      request.operation = operation;
      const keep = (caller: Caller) => {
        request.caller = caller;
        done();
      };
      try {
        const params = readParams(names, request);
        const { headers } = request;
        const now = ports.now();
        const find = () => callers.find(operation, headers, params, now);
        const found = limits.areOn
          ? limits.find({ address: request.ip, headers, auth: operation.auth }, now, find)
          : find();
        if (found instanceof Promise) {
          load.enter(operation.access);
          found.then(
            (caller) => {
              load.pause(operation.access);
              keep(caller);
            },
            (error: unknown) => {
              load.leave(operation.access);
              done(error as Error);
            },
          );
          return;
        }
        if (isHot && isPlain(request)) request.kept = callers.answers.find(`${found.scope.clientId}\0${request.url}`);
        keep(found);
      } catch (error) {
        done(error as Error);
      }
    },
    handler: async (request, reply) => {
      if (request.kept?.answer !== undefined) return sendText(reply.code(200), request.kept.answer);
      load.mustTake();
      load.enter(operation.access);
      try {
        return await answer(request, reply);
      } finally {
        load.leave(operation.access);
      }
    },
  });
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const params = request.params as Record<string, string>;
    const faults: Fault[] = [];
    const query = readQuery(request, validateQuery, faults);
    const isReadable = faults.length === 0;
    const body = await readBody(operation, request, validateBody, faults);
    if (!isReadable) throw badRequest(faults.slice(0, FAULTS_MAX), faults.length);
    const { actor, scope } = request.caller!;
    const input = { params, query, body, headers: request.headers, ...scope };
    const told = await run(afterFaults(operation, faults), options, running, request, actor, input);
    if (request.kept !== undefined && told.text !== undefined) callers.answers.fill(request.kept, told.text);
    return sendReply(request, reply, told);
  };
}

/**
 * The operation as it answers a message that has faults already: it changes nothing, but what it finds wrong itself is said
 * in the same answer.
 */
function afterFaults(operation: Operation, faults: readonly Fault[]): Operation {
  if (faults.length === 0) return operation;
  const handle = async (ctx: never, input: never): Promise<Reply> => {
    try {
      await operation.handle(ctx, input);
    } catch (error) {
      const refusal = withFaults(error, faults);
      const isRule = refusal instanceof Refusal && refusal.options.faults === undefined && refusal.status !== 403;
      if (!isRule) throw refusal;
    }
    throw badRequest(faults.slice(0, FAULTS_MAX), faults.length);
  };
  return { ...operation, handle } as Operation;
}

async function run(
  operation: Operation,
  options: EdgeOptions,
  running: RunningKeys,
  request: FastifyRequest,
  actor: Actor,
  input: Record<string, unknown>,
): Promise<Reply> {
  const { ports, store, sealer } = options;
  const common = {
    dialect: store.dialect,
    actor,
    requestId: request.id,
    now: ports.now(),
    newId: ports.newId,
    randomBytes: ports.randomBytes,
    sealer,
    log: ports.log,
  };
  if (operation.access === 'read') {
    return store.read((db) => operation.handle({ ...common, db, onCommit: () => undefined }, input as never), {
      stale: operation.stale === true,
      single: operation.single === true,
    });
  }
  const key = readIdempotencyKey(request.headers['idempotency-key']);
  const scope: IdempotencyScope | undefined =
    key === undefined
      ? undefined
      : {
          clientId: actor.clientId ?? '',
          credentialId: actor.id,
          method: operation.method,
          path: request.url,
          key,
          bodyHash: hashBody(rawBody(request) ?? (input['body'] as Partial<UploadedFile> | undefined)?.content),
        };
  const leave = scope === undefined ? undefined : running.enter(scope);
  try {
    const prepared = await operation.prepare?.(input as never, ports.randomBytes);
    return await store.write(async (tx, onCommit) => {
      const ctx: Ctx = { ...common, db: tx, onCommit };
      if (scope === undefined) return operation.handle(ctx, { ...input, prepared } as never);
      const stored = await claimKey(
        tx,
        store.dialect,
        scope,
        common.now,
        options.config.idempotencyHours * HOUR_MS,
        sealer,
      );
      if (stored !== undefined) return stored;
      const answer = await operation.handle(ctx, { ...input, prepared } as never);
      await storeReply(tx, scope, answer, (plain) => sealer.seal(plain, ports.randomBytes(12)));
      return answer;
    });
  } finally {
    leave?.();
  }
}

function readParams(names: readonly string[], request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>;
  const faults = names
    .filter((name) => !isCleanText(params[name] ?? ''))
    .map((name) => ({
      pointer: `path:${name}`,
      rule: 'character',
      message: `${name} in the path must be UTF-8 text without NUL and lone surrogates`,
    }));
  if (faults.length > 0) throw badRequest(faults);
  return params;
}

function isCleanText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The parser of the query leaves what it cannot decode as it came. */
function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.slice(url.indexOf('?') + 1));
    return true;
  } catch {
    return false;
  }
}

function readQuery(request: FastifyRequest, validate: Validator | undefined, faults: Fault[]): unknown {
  if (!request.url.includes('?') && validate === undefined) return {};
  const query = { ...(request.query as Record<string, unknown>) };
  if (!isDecodable(request.url)) {
    faults.push({
      pointer: 'query',
      rule: 'encoding',
      message: 'the query is not valid percent-encoded UTF-8; encode each value',
    });
  }
  if (validate === undefined) {
    const names = Object.keys(query);
    if (names.length === 0 || isLenient(request)) {
      noteIgnored(
        request,
        names.map((name) => `query:${name}`),
      );
      return {};
    }
    faults.push(
      ...names.map((name) => ({
        pointer: `query:${name}`,
        rule: 'unknown',
        message: `unknown query parameter ${JSON.stringify(name.slice(0, 40))}; this operation takes none, leave it out`,
      })),
    );
    return {};
  }
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' && !isCleanText(value)) {
      faults.push({
        pointer: `query:${name}`,
        rule: 'character',
        message: `${name} must be text without NUL and lone surrogates`,
      });
    }
  }
  const verdict = validate(query, { lenient: isLenient(request) });
  noteIgnored(
    request,
    verdict.ignored.map((pointer) => pointer.replace('/', 'query:')),
  );
  faults.push(...verdict.faults.map((fault) => ({ ...fault, pointer: fault.pointer.replace('/', 'query:') })));
  return verdict.value;
}

async function readBody(
  operation: Operation,
  request: FastifyRequest,
  validate: Validator | undefined,
  faults: Fault[],
): Promise<unknown> {
  if (operation.consumes === 'multipart') return readUpload(request);
  const raw = rawBody(request);
  if (validate === undefined) {
    if (raw !== undefined) {
      faults.push({ pointer: '', rule: 'no-body', message: 'this operation takes no body; send none' });
    }
    return undefined;
  }
  checkMediaType(operation, request, raw);
  if (raw === undefined) {
    throw badRequest([
      {
        pointer: '',
        rule: 'required',
        message: 'a JSON body is required; send one with Content-Type: application/json',
      },
    ]);
  }
  const value = parseBody(raw, operation);
  if (operation.ownAgreement !== true) {
    const { params, query } = request as { params: Record<string, string>; query: Record<string, unknown> };
    faults.push(...disagreements(value, params, query));
  }
  const lenient = isLenient(request);
  const judge = (candidate: unknown): Verdict => {
    const verdict = validate(candidate, { lenient });
    noteIgnored(request, verdict.ignored);
    return verdict;
  };
  if (operation.parse !== undefined) {
    try {
      return operation.parse(value, judge);
    } catch (error) {
      throw withFaults(error, faults);
    }
  }
  const verdict = judge(value);
  if (verdict.faults.length > 0) {
    throw withFaults(badRequest(verdict.faults, verdict.total), faults);
  }
  return verdict.value;
}

/** A refusal of the body that also lists the faults found before it; at one place the body's own fault is enough. */
function withFaults(error: unknown, before: readonly Fault[]): unknown {
  if (!(error instanceof Refusal) || error.options.faults === undefined) return error;
  const { faults: own, total = 0, extra } = error.options;
  const places = new Set(own.map((fault) => fault.pointer));
  const others = before.filter((fault) => !places.has(fault.pointer));
  const all = badRequest(
    [...others, ...own].slice(0, FAULTS_MAX),
    typeof total === 'number' ? total + others.length : total,
  );
  return extra === undefined
    ? all
    : new Refusal(all.status, all.category, all.code, all.message, { ...all.options, extra });
}

function parseBody(raw: Buffer, operation: Operation): unknown {
  try {
    return parseJson(raw, operation.limit === 'inboundBodyLimit' ? INBOUND_JSON_LIMITS : JSON_LIMITS);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const isXml =
      operation.consumes === 'json-any-label' && raw.subarray(0, 200).toString('utf8').trimStart().startsWith('<');
    if (isXml) {
      throw new Refusal(
        415,
        'VALIDATION',
        'UNSUPPORTED_MEDIA_TYPE',
        'The body is XML. This operation takes JSON only, also where it is labelled application/xml; send the message as JSON.',
      );
    }
    throw badRequest([{ pointer: '', rule: error.rule, message: `the body is not acceptable JSON: ${error.message}` }]);
  }
}

function checkMediaType(operation: Operation, request: FastifyRequest, raw: Buffer | undefined): void {
  const header = request.headers['content-type'];
  if (raw === undefined && header === undefined) return;
  const [type = '', ...parameters] = (header ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Refusal(
      415,
      'VALIDATION',
      'UNSUPPORTED_MEDIA_TYPE',
      'The body is encoded; send it without Content-Encoding.',
    );
  }
  const accepted =
    operation.consumes === 'json-any-label'
      ? ['application/json', 'application/xml', 'text/xml']
      : ['application/json'];
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (!accepted.includes(type)) {
    throw new Refusal(
      415,
      'VALIDATION',
      'UNSUPPORTED_MEDIA_TYPE',
      `Send the body as ${accepted[0]}; this was labelled ${type === '' ? 'with no Content-Type' : JSON.stringify(type.slice(0, 60))}.`,
    );
  }
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new Refusal(
      415,
      'VALIDATION',
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body in UTF-8; other character sets are not read.',
    );
  }
}

async function readUpload(request: FastifyRequest): Promise<UploadedFile> {
  if (!request.isMultipart()) {
    throw new Refusal(
      415,
      'VALIDATION',
      'INTERNAL',
      'HTTP 415 Unsupported Media Type: send multipart/form-data with one CSV file in the part "filename".',
    );
  }
  try {
    let file: UploadedFile | undefined;
    for await (const part of request.parts()) {
      const isFile = part.type === 'file' && part.fieldname === 'filename';
      if (!isFile || file !== undefined) {
        throw badValue(
          `/${part.fieldname.slice(0, 60)}`,
          'parts',
          'send one CSV file in the part "filename" and no other part',
        );
      }
      file = { fileName: part.filename, content: await part.toBuffer() };
    }
    if (file === undefined) throw badValue('', 'required', 'send one CSV file in the part "filename"');
    return file;
  } catch (error) {
    // What the form's parser says of a body that ends early or has no form has neither a code nor a status.
    const isKnown = error instanceof Refusal || (error as { code?: unknown }).code !== undefined;
    if (isKnown) throw error;
    throw badValue(
      '',
      'multipart',
      'the body is not a whole multipart/form-data message; send it with all its boundaries',
    );
  }
}

function rawBody(request: FastifyRequest): Buffer | undefined {
  // An empty body with a JSON label is no body: the interface's own item DELETE sends one (decision 11).
  return Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body : undefined;
}

function isLenient(request: FastifyRequest): boolean {
  const prefer = request.headers['prefer'];
  return typeof prefer === 'string' && /(^|[,;\s])handling\s*=\s*"?lenient"?($|[,;\s])/i.test(prefer);
}

function noteIgnored(request: FastifyRequest, pointers: readonly string[]): void {
  if (pointers.length > 0) request.ignoredMembers = [...(request.ignoredMembers ?? []), ...pointers];
}

function sendReply(request: FastifyRequest, reply: FastifyReply, answer: Reply): FastifyReply {
  reply.code(answer.status);
  if (answer.headers !== undefined) reply.headers(answer.headers);
  if (request.ignoredMembers !== undefined) {
    reply.header('ignored-members', request.ignoredMembers.slice(0, 20).map(encodeURI).join(', ').slice(0, 2000));
    reply.header('preference-applied', 'handling=lenient');
  }
  const text = answer.text ?? (answer.body === undefined ? undefined : stringifyJson(answer.body));
  if (text === undefined) return reply.send();
  return sendText(reply, text);
}

function sendText(reply: FastifyReply, text: string | Buffer): FastifyReply {
  if (!reply.hasHeader('content-type')) reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(text);
}

/** Neither query nor body: nothing but the path and the headers to judge. */
function isPlain({ url, headers }: FastifyRequest): boolean {
  return !url.includes('?') && headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

/** Writes a refusal in the shape of the operation it is for. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const shape = shapeFor(request);
  return reply
    .code(refusal.status)
    .headers(refusal.options.headers ?? {})
    .header('content-type', errorType(shape))
    .send(stringifyJson(errorBody(shape, refusal, request.id)));
}

function shapeFor(request: FastifyRequest): ErrorShape {
  return request.operation?.errors ?? shapeOfPath(request.url);
}

/** Answers what never became a request (bad framing, headers too large, too slow) on the bare socket, then closes it. */
export function answerClientError(ports: Ports) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const refusal =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? new Refusal(
            431,
            'VALIDATION',
            'HEADERS_TOO_LARGE',
            'The headers are larger than 16 KiB; send fewer or shorter ones.',
          )
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? new Refusal(408, 'VALIDATION', 'REQUEST_TIMEOUT', 'The request did not arrive in time; send it again.')
          : badValue('', 'http', 'this is not a well-formed HTTP request');
    const id = ports.newId();
    const body = stringifyJson(errorBody('record', refusal, id));
    socket.end(
      `HTTP/1.1 ${refusal.status} ${titleOf(refusal.status)}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `X-Request-Id: ${id}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  };
}

/** Answers what Fastify refuses before routing, such as a path that cannot be decoded. */
export function answerFrameworkError(ports: Ports) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    void sendRefusal(request, reply.header('x-request-id', request.id), fromFastify(error, ports, request.id));
  };
}

/** The refusal for an error of Fastify's own, or for one that was thrown by an operation. */
function fromFastify(error: Partial<FastifyError>, ports: Ports, requestId: string): Refusal {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
    case 'FST_REQ_FILE_TOO_LARGE':
      return new Refusal(
        413,
        'VALIDATION',
        'CONTENT_TOO_LARGE',
        'The body is larger than this operation takes; the limits are in docs/operating.md. Send it in parts.',
        { headers: { connection: 'close' } },
      );
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return badValue('', 'content-length', 'the body is shorter or longer than Content-Length says; send them alike');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_TYPE':
      return new Refusal(
        415,
        'VALIDATION',
        'UNSUPPORTED_MEDIA_TYPE',
        'The Content-Type cannot be read; send application/json.',
      );
    case 'FST_ERR_BAD_URL':
      return badValue('path', 'encoding', 'the path is not valid percent-encoded UTF-8; encode each segment');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Refusal(414, 'VALIDATION', 'URI_TOO_LONG', 'A segment of the path is too long.');
  }
  if (error.code?.startsWith('FST_') && error.statusCode !== undefined && error.statusCode < 500) {
    return new Refusal(error.statusCode, 'VALIDATION', 'INVALID_REQUEST', error.message ?? '');
  }
  const refusal = asRefusal(error);
  if (refusal.status >= 500) ports.log.error({ err: error, requestId }, `request ${requestId} failed`);
  return refusal;
}

/** 405 with Allow where the path exists with another method, else 404. */
function unknownRoute(operations: readonly Operation[], request: FastifyRequest): Refusal {
  const path = request.url.split('?', 1)[0]!;
  const methods: string[] = OPEN_PATHS.includes(path)
    ? ['GET']
    : operations.filter((operation) => pathPattern(operation.path).test(path)).map((operation) => operation.method);
  if (methods.length === 0 || methods.includes(request.method)) {
    return new Refusal(404, 'RESOURCE', 'NOT_FOUND', 'There is no such path; the operations are listed at /docs.');
  }
  const allow = [...new Set(methods)].join(', ');
  return new Refusal(405, 'VALIDATION', 'METHOD_NOT_ALLOWED', `${request.method} is not possible here; use ${allow}.`, {
    headers: { allow },
  });
}

/** Paths without credentials (decision 15). */
const OPEN_PATHS = ['/livez', '/readyz', '/version', '/metrics', '/openapi.json', '/docs'];

const patterns = new Map<string, RegExp>();

function pathPattern(path: string): RegExp {
  let pattern = patterns.get(path);
  if (pattern === undefined) {
    pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    patterns.set(path, pattern);
  }
  return pattern;
}
