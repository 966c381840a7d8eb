/** Reads the variables of the path, and the query. */
import type { FastifyRequest } from 'fastify';
import type { FieldError } from '../message/field-errors.ts';
import type { Schema } from '../message/keywords.ts';
import { inEnglish } from '../message/sentence.ts';
import { type ValidationResult, type Validator, valid } from '../message/validate.ts';
import type { TSchema } from '../schema.ts';
import { say } from '../sentences.ts';
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
      message: say('{name} in the path must be UTF-8 text without NUL or lone surrogates', { name }),
    }));
  if (errors.length > 0) throw badRequest(errors);
  return params;
}

function isCleanText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Whether the query can be percent-decoded. The parser of queries would keep undecodable values unchanged. */
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
  olds: OldNames,
): ValidationResult {
  if (!request.url.includes('?') && validate === undefined) return valid({});
  const query = { ...(request.query as Record<string, unknown>) };
  if (!isDecodable(request.url)) {
    errors.push({
      pointer: 'query',
      rule: 'encoding',
      message: inEnglish('the query is not valid percent-encoded UTF-8; encode each value'),
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
        message: say('unknown query parameter {name}; this operation has no query parameters, so leave it out', {
          name: JSON.stringify(name.slice(0, 40)),
        }),
      })),
    );
    return valid({});
  }
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' && !isCleanText(value)) {
      errors.push({
        pointer: `query:${name}`,
        rule: 'character',
        message: say('{name} must be text without NUL or lone surrogates', { name }),
      });
    }
  }
  const repeated = Object.keys(query).filter((name) => Array.isArray(query[name]));
  // The first value is validated in place of the list, because no parameter is a list.
  for (const name of repeated) query[name] = (query[name] as unknown[])[0];
  const isText = errors.length === 0;
  const validated = validate(query, { lenient: isLenient(request) });
  errors.push(
    ...repeated
      .filter((name) => Object.hasOwn(validated.value as object, name))
      .map((name) => ({
        pointer: `query:${name}`,
        rule: 'duplicate',
        message: say("'{name}' is in the query several times; send it once", { name }),
      })),
  );
  errors.push(...noteOldNames(request, query, olds));
  noteIgnored(
    request,
    validated.ignored.map((pointer) => pointer.replace('/', 'query:')),
  );
  errors.push(...validated.errors.map((error) => ({ ...error, pointer: error.pointer.replace('/', 'query:') })));
  const named = { ...validated, value: presentNames(validated.value, olds) };
  return { ...named, validPart: isText ? presentNames(validated.validPart, olds) : undefined };
}

/**
 * The current names of the deprecated parameters of a query, by old name; undefined: the parameter has no successor.
 */
export type OldNames = ReadonlyMap<string, string | undefined>;

export function oldNamesOf(query: TSchema | undefined): OldNames {
  const { properties = {} } = (query ?? {}) as Schema;
  return new Map(
    Object.entries(properties).flatMap(([name, one]) => (one.deprecated === true ? [[name, one['x-now']]] : [])),
  );
}

/**
 * Records whether the query uses old names. Returns an error for each parameter that is sent under its old and its new
 * name.
 */
function noteOldNames(request: FastifyRequest, query: Record<string, unknown>, olds: OldNames): FieldError[] {
  const used = [...olds].filter(([old]) => query[old] !== undefined);
  if (used.length > 0) request.hasOldNames = true;
  return used.flatMap(([old, now]) =>
    now === undefined || query[now] === undefined
      ? []
      : [
          {
            pointer: `query:${old}`,
            rule: 'contradiction',
            message: say("'{old}' is the old name of '{now}'; send only '{now}'", { old, now }),
          },
        ],
  );
}

function presentNames<T>(query: T, olds: OldNames): T {
  if (olds.size === 0 || query === undefined) return query;
  const all = Object.entries(query as Record<string, unknown>);
  return Object.fromEntries(all.map(([name, value]) => [olds.get(name) ?? name, value])) as T;
}
