/** Reading the path's variables and the query. */
import type { FastifyRequest } from 'fastify';
import { badRequest } from './errors.ts';
import type { Fault } from '../message/field-errors.ts';
import { isLenient, noteIgnored } from './lenient.ts';
import { sound, type Validator, type Verdict } from '../message/validate.ts';

/** The variables of the path. @throws Refusal 400 for text that no identifier can be. */
export function readParams(names: readonly string[], request: FastifyRequest): Record<string, string> {
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

/** The query; its faults are added to `faults`. */
export function readQuery(request: FastifyRequest, validate: Validator | undefined, faults: Fault[]): Verdict {
  if (!request.url.includes('?') && validate === undefined) return sound({});
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
      return sound({});
    }
    faults.push(
      ...names.map((name) => ({
        pointer: `query:${name}`,
        rule: 'unknown',
        message: `unknown query parameter ${JSON.stringify(name.slice(0, 40))}; this operation takes none, leave it out`,
      })),
    );
    return sound({});
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
  const isText = faults.length === 0;
  const verdict = validate(query, { lenient: isLenient(request) });
  noteIgnored(
    request,
    verdict.ignored.map((pointer) => pointer.replace('/', 'query:')),
  );
  faults.push(...verdict.faults.map((fault) => ({ ...fault, pointer: fault.pointer.replace('/', 'query:') })));
  return isText ? verdict : { ...verdict, sound: undefined };
}
