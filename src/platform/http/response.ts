/** Writes responses: of an operation, and of an error in the format of its operation. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { stringifyJson } from '../message/json.ts';
import { longJson } from '../message/long-json.ts';
import { inLanguageOf } from '../message/sentence.ts';
import { compressed } from './compress.ts';
import { tellDeprecated } from './deprecation.ts';
import { type ErrorShape, errorBody, errorType, type Refusal, shapeOfPath } from './errors.ts';
import { languageHeaders } from './languages.ts';
import { tellIgnored } from './lenient.ts';
import { sendLines } from './lines.ts';
import type { Reply } from './operation.ts';

/** Writes the response of an operation. */
export async function sendReply(request: FastifyRequest, reply: FastifyReply, response: Reply): Promise<FastifyReply> {
  reply.code(response.status);
  if (response.headers !== undefined) reply.headers(response.headers);
  tellIgnored(request, reply);
  tellDeprecated(request, reply);
  if (response.stream !== undefined) return sendLines(request, reply, response.stream);
  if (response.bytes !== undefined) return reply.send(response.bytes);
  const text = response.text ?? (response.body === undefined ? undefined : bodyOf(request, reply, response.body));
  if (text === undefined) return reply.send();
  if (!reply.hasHeader('content-type')) reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(await compressed(request, reply, text));
}

/** The JSON of a body; sentences in the body are in the language of the request. */
function bodyOf(request: FastifyRequest, reply: FastifyReply, body: unknown): string | Buffer {
  const { text, languages } = inLanguageOf(request.headers['accept-language'], () => jsonOf(body));
  if (languages !== undefined) reply.headers(languageHeaders(languages));
  return text;
}

function jsonOf(body: unknown): string | Buffer {
  return (typeof body === 'object' && body !== null ? longJson(body) : undefined) ?? stringifyJson(body);
}

/** Writes an error in the format of the operation. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  request.refusal = refusal;
  const shape = shapeFor(request);
  tellDeprecated(request, reply);
  const { text, languages } = inLanguageOf(request.headers['accept-language'], () =>
    stringifyJson(errorBody(shape, refusal, request.id, request.poAsnNumber)),
  );
  return reply
    .code(refusal.status)
    .headers(languages === undefined ? {} : languageHeaders(languages))
    .headers(refusal.options.headers ?? {})
    .header('content-type', errorType(shape))
    .send(text);
}

function shapeFor(request: FastifyRequest): ErrorShape {
  return request.operation?.message.errors ?? shapeOfPath(request.method, request.url);
}
