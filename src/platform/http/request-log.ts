/**
 * The log line of a request. The line of an error has its cause, so that support can help the caller. Log lines have no
 * values of messages, because such values can be personal data (docs/operating.md#logs).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FieldError } from '../message/field-errors.ts';
import { stepsOf } from '../message/pointer.ts';
import type { Refusal } from './errors.ts';
import { credentialNamed } from './rate-limit.ts';
import { traceIdIn } from './request-trace.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The error of the response; undefined before the response and for a success. */
    refusal: Refusal | undefined;
  }
}

const REASON_MAX = 300;

/** The fields of a request's log line, with the cause of an error. */
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

/**
 * Level of the line. Successful reads have `debug`: the metrics count them, and a line would cost more than the read.
 */
export function levelOf({ method, operation }: FastifyRequest, { statusCode }: FastifyReply): 'debug' | 'info' {
  const isRead = operation === undefined ? method === 'GET' || method === 'HEAD' : operation.kind === 'read';
  return isRead && statusCode < 300 ? 'debug' : 'info';
}

/** The caller, the operation and the cause of an error. */
export function refusedEntry(request: FastifyRequest, refusal: Refusal) {
  const { operation, caller, headers, ip, method } = request;
  const auth = operation?.access.auth ?? 'none';
  const keyId = caller === undefined ? credentialNamed({ headers, auth }).replace(/_$/, '') : '';
  return {
    method,
    path: operation?.path ?? request.routeOptions.url ?? plainPath(request.url),
    address: ip,
    ...(keyId !== '' && { keyId }),
    ...causeOf(refusal),
  };
}

/**
 * The code, the first field error and the number of field errors. Without field errors, the description if the category
 * is SECURITY or STATE, without quoted values.
 */
export function causeOf({ code, category, message, options: { errors = [], total } }: Refusal) {
  const [first] = errors;
  if (first !== undefined) return { code, ...placeOf(first), errors: total ?? errors.length };
  const tellsWhy = category === 'SECURITY' || category === 'STATE';
  return { code, ...(tellsWhy && { reason: withoutQuoted(message).slice(0, REASON_MAX) }) };
}

/** Pointer and rule. `*` replaces the name of an unknown field, because the caller has chosen that name. */
function placeOf({ pointer, rule }: FieldError): { pointer: string; rule: string } {
  const isSomewhere = /^(?:path|query|header):/.test(pointer);
  const steps = isSomewhere ? [pointer] : stepsOf(pointer);
  const known = steps.map((step, index) => {
    const isUnknown = rule === 'unknown' && index === steps.length - 1;
    return isUnknown || !/^(?:(?:path|query|header):)?[A-Za-z0-9_-]{1,40}$/.test(step) ? '*' : step;
  });
  return { pointer: isSomewhere ? known.join('') : known.map((step) => `/${step}`).join(''), rule };
}

/** Removes the texts in quotation marks, which are identifiers. */
function withoutQuoted(sentence: string): string {
  return sentence.replace(/"(?:[^"\\]|\\.)*"/g, '"..."');
}

/**
 * Returns an unknown path without its query, at most 300 characters, and with `*` for segments that can be data. With
 * the path in the log, support can see that a caller has misspelled it.
 */
function plainPath(url: string): string {
  const steps = url.split('?', 1)[0]!.slice(0, REASON_MAX).split('/');
  return steps.map((step) => (/^[A-Za-z0-9_.-]{0,40}$/.test(step) ? step : '*')).join('/');
}
