/** Refusals of what reaches no operation: broken HTTP, what Fastify refuses by itself, unknown paths and methods. */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { stringifyJson } from '../message/json.ts';
import type { Ports } from '../ports.ts';
import type { Site } from '../site.ts';
import { traceBegun } from '../trace.ts';
import { sendRefusal } from './answer.ts';
import { asRefusal, badValue, errorBody, Refusal, titleOf } from './errors.ts';
import type { Operation } from './operation.ts';
import { causeOf, refusedEntry } from './request-log.ts';
import { traceIdIn } from './request-trace.ts';

/** Returns what never became a request (bad framing, headers too large, too slow) on the bare socket, then closes it. */
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
    const { traceId } = traceBegun(id);
    const about = { requestId: id, traceId, status: refusal.status, address: socket.remoteAddress };
    const entry = { ...about, ...causeOf(refusal) };
    ports.log.info(entry, `a broken request answered ${refusal.status}, request ${id}`);
    const body = stringifyJson(errorBody('record', refusal, id));
    socket.end(
      `HTTP/1.1 ${refusal.status} ${titleOf(refusal.status)}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Cache-Control: no-store\r\nX-Request-Id: ${id}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  };
}

/** Returns what Fastify refuses before routing, such as a path that cannot be decoded. */
export function answerFrameworkError(ports: Ports) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = fromFastify(error, ports, request);
    void sendRefusal(request, reply.header('x-request-id', request.id), refusal);
    // No hook hears of it.
    const about = { requestId: request.id, traceId: traceIdIn(request), status: refusal.status };
    const entry = { ...about, ...refusedEntry(request, refusal) };
    ports.log.info(entry, `a request without a route answered ${refusal.status}, request ${request.id}`);
  };
}

/** The refusal for an error of Fastify's own, or for one that was thrown by an operation. */
export function fromFastify(error: Partial<FastifyError>, ports: Ports, request: FastifyRequest): Refusal {
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
  if (refusal.status >= 500) {
    const { id: requestId } = request;
    ports.log.error({ err: error, requestId, traceId: traceIdIn(request) }, `request ${requestId} failed`);
  }
  return refusal;
}

/** 405 with Allow where the path exists with another method, else 404. */
export function unknownRoute(operations: readonly Operation[], request: FastifyRequest, site: Site): Refusal {
  const path = request.url.split('?', 1)[0]!;
  const methods: string[] = OPEN_PATHS.includes(path)
    ? ['GET']
    : operations.filter((operation) => pathPattern(operation.path).test(path)).map((operation) => operation.method);
  if (methods.length === 0 || methods.includes(request.method === 'HEAD' ? 'GET' : request.method)) {
    const below = site.path === '' ? '' : `everything is served below ${site.path}/, and `;
    const what = `There is no such path; ${below}the operations are listed at ${site.path}/docs.`;
    return new Refusal(404, 'RESOURCE', 'NOT_FOUND', what);
  }
  const allow = [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].join(', ');
  return new Refusal(405, 'VALIDATION', 'METHOD_NOT_ALLOWED', `${request.method} is not possible here; use ${allow}.`, {
    headers: { allow },
  });
}

/** Paths without credentials (docs/interface.md#statuses). */
const OPEN_PATHS = ['/livez', '/readyz', '/version', '/metrics', '/openapi.json', '/docs', '/guide'];

const patterns = new Map<string, RegExp>();

function pathPattern(path: string): RegExp {
  let pattern = patterns.get(path);
  if (pattern === undefined) {
    pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    patterns.set(path, pattern);
  }
  return pattern;
}
