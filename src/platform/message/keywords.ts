/** The keywords of our schemas, and their checks. */

import { big, decimalText, isNumeric, type Numeric } from '../decimal.ts';
import type { DecimalLimits } from '../schema.ts';
import { say } from '../sentences.ts';
import { isDateTime, isIsoDate, isPlainDate } from '../time.ts';
import { identifierProblem } from './identifiers.ts';
import { isRecord } from './record.ts';
import type { Sentence } from './sentence.ts';

/** The keywords that the walk of explain.ts knows. */
export interface Schema {
  $id?: string;
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  minProperties?: number;
  maxProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  decimal?: DecimalLimits;
  'x-ignored'?: boolean;
  'x-secret'?: boolean;
  'x-hint'?: Sentence;
  'x-whole'?: { minimum: number; maximum?: number };
  'x-elsewhere'?: Readonly<Record<string, Sentence>>;
  'x-now'?: string;
  deprecated?: boolean;
}

/** Checks of the values of `format`. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': isDateTime,
  'iso-date': isIsoDate,
  date: isPlainDate,
  identifier: (text) => identifierProblem(text) === undefined,
};

export function refName(reference: string): string {
  return reference.replace(/#$/, '').replace(/^#\/(?:components\/schemas|\$defs|definitions)\//, '');
}

export function deref(names: ReadonlyMap<string, Schema>, schema: Schema): Schema {
  return names.get(refName(schema.$ref ?? '')) ?? {};
}

export function target(names: ReadonlyMap<string, Schema>, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : target(names, deref(names, schema));
}

/** The schema of a field; undefined if any value is valid, false if the field is unknown. */
export function memberSchema(schema: Schema, name: string): Schema | false | undefined {
  if (Object.hasOwn(schema.properties ?? {}, name)) return schema.properties?.[name];
  const [pattern] = patternsOf(schema, name);
  if (pattern) return pattern;
  const other = schema.additionalProperties;
  return other === false ? false : isRecord(other) ? other : undefined;
}

/** The values that `const` or `enum` of a branch allows; undefined if the branch has neither. */
export function constants(names: ReadonlyMap<string, Schema>, branch: Schema): unknown[] | undefined {
  const known = target(names, branch);
  return 'const' in known ? [known.const] : known.enum;
}

export function mayBe(names: ReadonlyMap<string, Schema>, branch: Schema, value: unknown): boolean {
  const known = target(names, branch);
  if (known.decimal) return isNumeric(value);
  const types = typesOf(known);
  return types.length === 0 || types.some((type) => hasType(type, value));
}

/** Returns the branch with the fewest errors in the value's own fields; a wrong literal counts most. */
export function likeliest(names: ReadonlyMap<string, Schema>, branches: Schema[], value: unknown): Schema {
  let best = branches[0] ?? {};
  let least = Number.POSITIVE_INFINITY;
  for (const branch of branches) {
    const misfit = branches.length === 1 ? 0 : misfits(names, target(names, branch), value);
    if (misfit < least) [best, least] = [branch, misfit];
  }
  return best;
}

/** Maximum number of unknown fields that are counted. A body can have very many, and the count would take too long. */
const UNKNOWN_MAX = 100;

function misfits(names: ReadonlyMap<string, Schema>, schema: Schema, value: unknown): number {
  if (!isRecord(value)) return 0;
  let count = 0;
  for (const name of schema.required ?? []) count += has(value, name) ? 0 : 1;
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(value, name)) continue;
    const literals = constants(names, member);
    if (literals && !literals.includes(value[name])) count += 100;
    else if (!mayBe(names, member, value[name])) count += 1;
  }
  let unknown = 0;
  for (const name of namesIn(value)) {
    if (unknown === UNKNOWN_MAX) break;
    if (memberSchema(schema, name) === false) unknown += 1;
  }
  return count + unknown;
}

export function typesOf(schema: Schema): string[] {
  if (schema.type === undefined) return [];
  return Array.isArray(schema.type) ? schema.type : [schema.type];
}

export function hasType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  if (type === 'integer') return Number.isInteger(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

/** Names of the fields of an object. They are cached, because listing very many names is expensive. */
export function namesIn(value: Record<string, unknown>): readonly string[] {
  let names = listed.get(value);
  if (names === undefined) {
    names = Object.keys(value);
    listed.set(value, names);
  }
  return names;
}

const listed = new WeakMap<object, readonly string[]>();

export function has(value: Record<string, unknown>, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

export function patternsOf(schema: Schema, name: string): Schema[] {
  if (!schema.patternProperties) return [];
  return Object.entries(schema.patternProperties).flatMap(([pattern, one]) =>
    expression(pattern).test(name) ? [one] : [],
  );
}

const expressions = new Map<string, RegExp>();

export function expression(pattern: string): RegExp {
  let made = expressions.get(pattern);
  if (!made) {
    made = new RegExp(pattern, 'u');
    expressions.set(pattern, made);
  }
  return made;
}

interface Breach {
  rule: string;
  limit: unknown;
  requirement: Sentence;
}

export function decimalBreaches(limits: DecimalLimits, value: unknown): Breach[] {
  if (!isNumeric(value)) return [{ rule: 'type', limit: 'number', requirement: say('must be a number') }];
  const { integer, fraction, min, max } = limits;
  const [whole = '', part = ''] = decimalText(value).replace('-', '').split('.');
  const breaches: Breach[] = [];
  if (whole !== '0' && whole.length > integer) {
    const requirement = say('must have at most {integer} {integer|digit|digits} before the point', { integer });
    breaches.push({ rule: 'integerDigits', limit: integer, requirement });
  }
  if (part.length > fraction) {
    const requirement =
      fraction === 0
        ? say('must be a whole number')
        : say('must have at most {fraction} {fraction|digit|digits} after the point', { fraction });
    breaches.push({ rule: 'fractionDigits', limit: fraction, requirement });
  }
  if (min !== undefined && less(value, min)) {
    breaches.push({ rule: 'minimum', limit: min, requirement: say('must be at least {min}', { min }) });
  }
  if (max !== undefined && less(max, value)) {
    breaches.push({ rule: 'maximum', limit: max, requirement: say('must be at most {max}', { max }) });
  }
  return breaches;
}

function less(a: Numeric, b: Numeric): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a < b : big(a).lt(big(b));
}

export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i += 1) {
    const high = text.charCodeAt(i);
    if (high < 0xd800 || high > 0xdbff) continue;
    const low = text.charCodeAt(i + 1);
    if (low < 0xdc00 || low > 0xdfff) continue;
    count -= 1;
    i += 1;
  }
  return count;
}
