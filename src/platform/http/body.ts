/**
 * Reads a body: checks its Content-Type, parses its JSON, validates it, and compares it with the path and the query.
 */

import type { FastifyRequest } from 'fastify';
import { disagreements } from '../message/agree.ts';
import { type FieldError, joined } from '../message/field-errors.ts';
import { INBOUND_JSON_LIMITS, JSON_LIMITS, JsonError, parseJsonInTurns } from '../message/json.ts';
import { inEnglish } from '../message/sentence.ts';
import { type ValidationResult, type Validator, valid } from '../message/validate.ts';
import { quote } from '../message/words.ts';
import { say } from '../sentences.ts';
import { badRequest, Refusal } from './errors.ts';
import { isLenient, noteIgnored } from './lenient.ts';
import type { Operation } from './operation.ts';
import { asPerson } from './person-fields.ts';
import { readUpload } from './upload.ts';

/** Maximum length in bytes of a body that is examined for an empty object. */
const EMPTY_MAX = 100;

/**
 * Returns the validated body; CSV files and X12 are not validated here. Adds an error to `errors` for each field that
 * differs from the path or the query.
 */
export async function readBody(
  operation: Operation,
  request: FastifyRequest,
  validate: Validator | undefined,
  errors: FieldError[],
): Promise<ValidationResult> {
  if (operation.message.consumes !== undefined) checkEncoding(request);
  if (operation.message.consumes === 'multipart') return valid(await readUpload(request));
  if (operation.message.consumes === 'x12') return valid(rawBody(request) ?? Buffer.alloc(0));
  const raw = rawBody(request);
  if (validate === undefined) {
    if (raw !== undefined && !(operation.method === 'POST' && isEmptyObject(raw))) {
      errors.push({
        pointer: '',
        rule: 'no-body',
        message: say('this operation has no body; send the request without a body'),
      });
    }
    return valid(undefined);
  }
  checkMediaType(operation, request, raw);
  if (raw === undefined && !needsBody(operation)) return validate({}, { lenient: false });
  if (raw === undefined) {
    throw badRequest([
      {
        pointer: '',
        rule: 'required',
        message: say('a JSON body is required; send it with Content-Type: application/json'),
      },
    ]);
  }
  const value = asPerson(operation, request.caller?.actor, await parseBody(raw, operation));
  if (operation.message.ownAgreement !== true) {
    const { params, query } = request as { params: Record<string, string>; query: Record<string, unknown> };
    errors.push(...disagreements(value, params, query));
  }
  const lenient = isLenient(request);
  const check = (candidate: unknown): ValidationResult => validate(candidate, { lenient });
  const validated =
    operation.message.parse === undefined ? check(value) : await operation.message.parse(value, check, lenient);
  noteIgnored(request, validated.ignored);
  return validated;
}

/**
 * Whether an operation needs a body. A POST without `parse` needs no body if it accepts `{}`, because a missing body
 * counts as `{}`.
 */
export function needsBody({ method, message: { body, parse } }: Operation): boolean {
  const {
    type,
    required = [],
    minProperties = 0,
  } = (body ?? {}) as {
    type?: string;
    required?: readonly string[];
    minProperties?: number;
  };
  return !(
    method === 'POST' &&
    type === 'object' &&
    required.length === 0 &&
    minProperties === 0 &&
    parse === undefined
  );
}

const isEmptyObject = (raw: Buffer) => raw.length <= EMPTY_MAX && /^\s*\{\s*\}\s*$/.test(raw.toString('utf8'));

/**
 * Adds earlier errors to an error of the body. If both have an error at the same pointer, only the error of the body
 * remains.
 */
export function withErrors(error: unknown, before: readonly FieldError[]): unknown {
  if (!(error instanceof Refusal) || error.options.errors === undefined) return error;
  const { errors, total = errors.length, extra } = error.options;
  const list = joined(before, { errors, total });
  const all = badRequest(list.errors, list.total);
  return extra === undefined
    ? all
    : new Refusal(all.status, all.category, all.code, all.description, { ...all.options, extra });
}

/** The bytes of the body, or undefined when there are none. */
export function rawBody(request: FastifyRequest): Buffer | undefined {
  // An empty body with a JSON Content-Type counts as no body: clients of item DELETE send such a body
  // (docs/interface.md#delete-an-item).
  return Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body : undefined;
}

/** Accepted content types of X12. The last type is the default of `curl --data-binary`. */
const X12_TYPES = [
  'application/edi-x12',
  'text/plain',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
];

/**
 * Checks the Content-Type of X12 before the body is read.
 * @throws Refusal 415 for another type, or for a Content-Encoding other than `identity`.
 */
export function checkX12Type({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw encoded();
  if (headers['content-type'] === undefined || X12_TYPES.includes(type.trim().toLowerCase())) return;
  const words = say('Send the file as {x12Types}; the request has Content-Type {type}.', {
    x12Types: X12_TYPES[0],
    type: quote(type),
  });
  throw new Refusal(415, 'VALIDATION', 'UNSUPPORTED_MEDIA_TYPE', words);
}

function encoded(): Refusal {
  const words = say('The body has a Content-Encoding; send the body without Content-Encoding.');
  return new Refusal(415, 'VALIDATION', 'UNSUPPORTED_MEDIA_TYPE', words);
}

async function parseBody(raw: Buffer, operation: Operation): Promise<unknown> {
  try {
    return await parseJsonInTurns(
      raw,
      operation.message.limit === 'inboundBodyLimit' ? INBOUND_JSON_LIMITS : JSON_LIMITS,
    );
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const isXml =
      operation.message.consumes === 'json-any-label' &&
      raw.subarray(0, 200).toString('utf8').trimStart().startsWith('<');
    if (isXml) {
      throw new Refusal(
        415,
        'VALIDATION',
        'UNSUPPORTED_MEDIA_TYPE',
        inEnglish(
          'The body is XML. This operation reads only JSON, also under Content-Type application/xml; send the message as JSON.',
        ),
      );
    }
    throw badRequest([
      {
        pointer: '',
        rule: error.rule,
        message:
          error.rule === 'syntax'
            ? say('the body is not valid JSON: {message}', { message: inEnglish(error.message) })
            : say('the body is not accepted: {message}', { message: inEnglish(error.message) }),
      },
    ]);
  }
}

/** @throws Refusal 415 for a compressed body */
function checkEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw encoded();
}

function checkMediaType(operation: Operation, request: FastifyRequest, raw: Buffer | undefined): void {
  const header = request.headers['content-type'];
  if (raw === undefined && header === undefined) return;
  const [type = '', ...parameters] = (header ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  checkEncoding(request);
  const accepted =
    operation.message.consumes === 'json-any-label'
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
      say('Send the body as {accepted}; the request has {part}.', {
        accepted: accepted[0],
        part: type === '' ? say('no Content-Type') : say('Content-Type {type}', { type: quote(type) }),
      }),
    );
  }
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new Refusal(415, 'VALIDATION', 'UNSUPPORTED_MEDIA_TYPE', say('The body is not in UTF-8; send it in UTF-8.'));
  }
}
