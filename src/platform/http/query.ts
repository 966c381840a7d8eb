/** Reads the variables of the path, and the query. */
import type { FastifyRequest } from 'fastify';
import type { FieldError } from '../message/field-errors.ts';
import { type ValidationResult, type Validator, valid } from '../message/validate.ts';
import { badRequest } from './errors.ts';
import { isLenient, noteIgnored } from './lenient.ts';

/** The variables of the path. @throws Refusal 400 for text that no identifier can have. */
export function readParams(names: readonly string[], request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>;
  const errors = names
    .filter((name) => !isCleanText(params[name] ?? ''))
    .map((name) => ({
      pointer: `path:${name}`,
      rule: 'character',
      message: `${name} in the path must be UTF-8 text without NUL and lone surrogates`,
    }));
  if (errors.length > 0) throw badRequest(errors);
  return params;
}

function isCleanText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Whether the query can be percent-decoded; its parser would pass other values on unchanged. */
function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.slice(url.indexOf('?') + 1));
    return true;
  } catch {
    return false;
  }
}

/** Reads the query; its errors are added to `errors`. */
export function readQuery(
  request: FastifyRequest,
  validate: Validator | undefined,
  errors: FieldError[],
): ValidationResult {
  if (!request.url.includes('?') && validate === undefined) return valid({});
  const query = { ...(request.query as Record<string, unknown>) };
  if (!isDecodable(request.url)) {
    errors.push({
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
      return valid({});
    }
    errors.push(
      ...names.map((name) => ({
        pointer: `query:${name}`,
        rule: 'unknown',
        message: `unknown query parameter ${JSON.stringify(name.slice(0, 40))}; this operation has none, leave it out`,
      })),
    );
    return valid({});
  }
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' && !isCleanText(value)) {
      errors.push({
        pointer: `query:${name}`,
        rule: 'character',
        message: `${name} must be text without NUL and lone surrogates`,
      });
    }
  }
  const isText = errors.length === 0;
  const validated = validate(query, { lenient: isLenient(request) });
  noteIgnored(
    request,
    validated.ignored.map((pointer) => pointer.replace('/', 'query:')),
  );
  errors.push(...validated.errors.map((error) => ({ ...error, pointer: error.pointer.replace('/', 'query:') })));
  return isText ? validated : { ...validated, validPart: undefined };
}
