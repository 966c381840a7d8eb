/**
 * The log line of a request. That of a refusal tells why, so that support can answer the caller from it alone; but nothing of
 * it is a value that the caller sent, which may be anybody's data (docs/decisions/153).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FieldError } from '../message/field-errors.ts';
import { stepsOf } from '../message/pointer.ts';
import type { Refusal } from './errors.ts';
import { credentialNamed } from './rate-limit.ts';
import { traceIdIn } from './request-trace.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request was refused, once it was. */
    refusal: Refusal | undefined;
  }
}

const REASON_MAX = 300;

/** What a request took, and why it was refused. */
export function entryOf(request: FastifyRequest, reply: FastifyReply, operation: string) {
  const { caller, refusal } = request;
  return {
    requestId: request.id,
    traceId: traceIdIn(request),
    operation,
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
    actor: caller?.actor.id,
    clientId: caller?.scope.clientId,
    ...(refusal !== undefined && refusedEntry(request, refusal)),
  };
}

/** Reads that went well are counted by the histogram; a line for each would cost more than many a read. */
export function levelOf({ method, operation }: FastifyRequest, { statusCode }: FastifyReply): 'debug' | 'info' {
  const isRead = operation === undefined ? method === 'GET' || method === 'HEAD' : operation.access === 'read';
  return isRead && statusCode < 300 ? 'debug' : 'info';
}

/** Who asked for what, and why it was refused. */
export function refusedEntry(request: FastifyRequest, refusal: Refusal) {
  const { operation, caller, headers, ip, method } = request;
  const auth = operation?.auth ?? 'none';
  const keyId = caller === undefined ? credentialNamed({ headers, auth }).replace(/_$/, '') : '';
  return {
    method,
    path: operation?.path ?? request.routeOptions.url ?? plainPath(request.url),
    address: ip,
    ...(keyId !== '' && { keyId }),
    ...causeOf(refusal),
  };
}

/** The code, and the first error or the sentence of a refusal that has none. */
export function causeOf({ code, category, message, options: { errors = [], total } }: Refusal) {
  const [first] = errors;
  if (first !== undefined) return { code, ...placeOf(first), errors: total ?? errors.length };
  const tellsWhy = category === 'SECURITY' || category === 'STATE';
  return { code, ...(tellsWhy && { reason: withoutQuoted(message).slice(0, REASON_MAX) }) };
}

/** Pointer and rule. Whoever names a field may name it as he likes, so a name that we do not use is left out. */
function placeOf({ pointer, rule }: FieldError): { pointer: string; rule: string } {
  const isSomewhere = /^(?:path|query|header):/.test(pointer);
  const steps = isSomewhere ? [pointer] : stepsOf(pointer);
  const known = steps.map((step, index) => {
    const isUnknown = rule === 'unknown' && index === steps.length - 1;
    return isUnknown || !/^(?:(?:path|query|header):)?[A-Za-z0-9_-]{1,40}$/.test(step) ? '*' : step;
  });
  return { pointer: isSomewhere ? known.join('') : known.map((step) => `/${step}`).join(''), rule };
}

/** Identifiers stand in quotation marks. */
function withoutQuoted(sentence: string): string {
  return sentence.replace(/"(?:[^"\\]|\\.)*"/g, '"..."');
}

/** A path that leads nowhere, for whoever looks for the misspelling: without its query and what is no plain name. */
function plainPath(url: string): string {
  const steps = url.split('?', 1)[0]!.slice(0, REASON_MAX).split('/');
  return steps.map((step) => (/^[A-Za-z0-9_.-]{0,40}$/.test(step) ? step : '*')).join('/');
}
