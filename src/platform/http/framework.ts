/**
 * Errors of requests that reach no operation: broken HTTP, requests that Fastify rejects, unknown paths and methods.
 * Also makes the error response for an unexpected error of an operation.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { stringifyJson } from '../message/json.ts';
import { inEnglish } from '../message/sentence.ts';
import type { Ports } from '../ports.ts';
import { say } from '../sentences.ts';
import type { Site } from '../site.ts';
import { StorageUnavailable } from '../storage/errors.ts';
import { traceBegun } from '../trace.ts';
import { asRefusal, badValue, errorBody, Refusal, titleOf } from './errors.ts';
import { TOKEN_PATH } from './oauth.ts';
import type { Operation } from './operation.ts';
import { OutageLog } from './outage-log.ts';
import { causeOf, refusedEntry } from './request-log.ts';
import { traceIdIn } from './request-trace.ts';
import { sendRefusal } from './response.ts';

/**
 * Responds to bytes that are not a valid request (bad framing, headers too large, too slow) and closes the connection.
 */
export function respondToClientError(ports: Ports) {
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
            inEnglish('The headers are larger than 16 KiB; send fewer or shorter headers.'),
          )
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? new Refusal(408, 'VALIDATION', 'REQUEST_TIMEOUT', say('The request did not arrive in time; send it again.'))
          : badValue('', 'http', inEnglish('the request is not well-formed HTTP; correct it'));
    endWith(ports, socket, refusal);
  };
}

/**
 * Responds to two kinds of requests that Node does not pass on: CONNECT, and an Expect header other than 100-continue.
 * Closes their connections.
 */
export function respondToUnusualRequests(server: Server, ports: Ports): void {
  server.on('connect', (_request, socket: Socket) => {
    const what = inEnglish('CONNECT is not allowed, because the service is not a proxy; send the request itself');
    endWith(ports, socket, new Refusal(405, 'VALIDATION', 'METHOD_NOT_ALLOWED', what));
  });
  server.on('checkExpectation', ({ socket }) => {
    endWith(
      ports,
      socket,
      badValue('header:Expect', 'value', inEnglish("'Expect' must be 100-continue; correct it, or remove the header")),
    );
  });
}

/** Logs the error of a request without a route, sends it, and closes the connection. */
function endWith(ports: Ports, socket: Socket, refusal: Refusal): void {
  const id = ports.newId();
  const { traceId } = traceBegun(id);
  const about = { requestId: id, traceId, status: refusal.status, address: socket.remoteAddress };
  const entry = { ...about, ...causeOf(refusal) };
  ports.log.info(entry, `responded ${refusal.status} to a broken request, request ${id}`);
  const body = stringifyJson(errorBody('record', refusal, id));
  socket.end(
    `HTTP/1.1 ${refusal.status} ${titleOf(refusal.status)}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Cache-Control: no-store\r\nX-Request-Id: ${id}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Responds to a request that Fastify rejects before routing, such as one with a path that cannot be decoded. */
export function respondToFrameworkError(ports: Ports) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = fromFastify(error, ports, request);
    void sendRefusal(request, reply.header('x-request-id', request.id), refusal);
    // Fastify calls no hook here, so the request is logged immediately.
    const about = { requestId: request.id, traceId: traceIdIn(request), status: refusal.status };
    const entry = { ...about, ...refusedEntry(request, refusal) };
    ports.log.info(entry, `responded ${refusal.status} to a request without a route, request ${request.id}`);
  };
}

/** The error response for an error of Fastify or of an operation. */
export function fromFastify(error: Partial<FastifyError>, ports: Ports, request: FastifyRequest): Refusal {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
    case 'FST_REQ_FILE_TOO_LARGE':
      return new Refusal(
        413,
        'VALIDATION',
        'CONTENT_TOO_LARGE',
        say('The body exceeds the limit of this operation (see docs/operating.md); send it in parts.'),
        { headers: { connection: 'close' } },
      );
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return badValue(
        '',
        'content-length',
        inEnglish('Content-Length is not the length of the body; send the actual length'),
      );
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_TYPE':
      return new Refusal(
        415,
        'VALIDATION',
        'UNSUPPORTED_MEDIA_TYPE',
        inEnglish('The Content-Type is malformed; send application/json.'),
      );
    case 'FST_ERR_BAD_URL':
      return badValue(
        'path',
        'encoding',
        inEnglish('the path is not valid percent-encoded UTF-8; encode each segment'),
      );
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Refusal(
        414,
        'VALIDATION',
        'URI_TOO_LONG',
        say('A segment of the path is too long; send a shorter identifier.'),
      );
  }
  if (error.code?.startsWith('FST_') && error.statusCode !== undefined && error.statusCode < 500) {
    return new Refusal(error.statusCode, 'VALIDATION', 'INVALID_REQUEST', inEnglish(error.message ?? ''));
  }
  // On the Wi-Fi of a store, connections often end while a body is sent. This is not an error of the service.
  if (error.code === 'ECONNRESET' && request.raw.readableAborted) {
    const what = say('The connection ended before the body was complete; nothing was changed. Send the request again.');
    return new Refusal(400, 'VALIDATION', 'BODY_INCOMPLETE', what);
  }
  const refusal = asRefusal(error);
  if (error instanceof StorageUnavailable) outageOf(ports.log).note(error, request);
  else if (refusal.status >= 500) {
    const { id: requestId } = request;
    ports.log.error({ err: error, requestId, traceId: traceIdIn(request) }, `request ${requestId} failed`);
  }
  return refusal;
}

const outages = new WeakMap<Ports['log'], OutageLog>();

function outageOf(log: Ports['log']): OutageLog {
  const known = outages.get(log) ?? new OutageLog(log);
  outages.set(log, known);
  return known;
}

/** Returns 405 with Allow if the path exists with another method, otherwise 404. */
export function unknownRoute(operations: readonly Operation[], request: FastifyRequest, site: Site): Refusal {
  const path = request.url.split('?', 1)[0]!;
  const methods: readonly string[] = OTHER_PATHS.get(path) ?? methodsAt(operations, path);
  if (methods.length === 0 || methods.includes(request.method === 'HEAD' ? 'GET' : request.method)) {
    const below = site.path === '' ? '' : `all paths begin with ${site.path}/, and `;
    const what = `There is no such path; ${below}the operations are listed at ${site.path}/docs.`;
    return new Refusal(404, 'RESOURCE', 'NOT_FOUND', inEnglish(what));
  }
  const allow = [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].join(', ');
  return new Refusal(
    405,
    'VALIDATION',
    'METHOD_NOT_ALLOWED',
    say('{method} is not allowed on this path; use {allow}.', { method: request.method, allow }),
    {
      headers: { allow },
    },
  );
}

const methodsAt = (operations: readonly Operation[], path: string) =>
  operations.filter((operation) => pathPattern(operation.path).test(path)).map(({ method }) => method);

/** Paths outside of the API that need no client credential (docs/interface.md#statuses). */
const OPEN_PATHS = ['/livez', '/readyz', '/version', '/metrics', '/openapi.json', '/docs', '/guide'];

/** Methods of the paths that are not operations. */
const OTHER_PATHS = new Map<string, readonly string[]>([
  ...OPEN_PATHS.map((path) => [path, ['GET']] as const),
  [TOKEN_PATH, ['POST']] as const,
]);

const patterns = new Map<string, RegExp>();

function pathPattern(path: string): RegExp {
  let pattern = patterns.get(path);
  if (pattern === undefined) {
    pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    patterns.set(path, pattern);
  }
  return pattern;
}
