/** Writing answers: of an operation, and of a refusal in the shape that its caller expects. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { stringifyJson } from '../message/json.ts';
import { type ErrorShape, errorBody, errorType, type Refusal, shapeOfPath } from './errors.ts';
import { tellIgnored } from './lenient.ts';
import type { Reply } from './operation.ts';

/** Writes what an operation answered. */
export function sendReply(request: FastifyRequest, reply: FastifyReply, answer: Reply): FastifyReply {
  reply.code(answer.status);
  if (answer.headers !== undefined) reply.headers(answer.headers);
  tellIgnored(request, reply);
  const text = answer.text ?? (answer.body === undefined ? undefined : stringifyJson(answer.body));
  if (text === undefined) return reply.send();
  if (!reply.hasHeader('content-type')) reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(text);
}

/** Writes a refusal in the shape of the operation it is for. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  request.refusal = refusal;
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
