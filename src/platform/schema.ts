/**
 * Builders of message schemas. A schema is JSON Schema (TypeBox) and the only source of validation
 * (`message/validate.ts`), static types and the OpenAPI document. Annotations beyond JSON Schema:
 * - `decimal`: digits and range of an exact number (docs/decisions/192), checked on its decimal text;
 * - `x-ignored`: any value is accepted, and no code reads it (docs/interface.md#fields-sent-back);
 * - `x-secret`: errors do not show the value, nor any value inside it;
 * - `x-elsewhere`: fields that callers expect here, each with the operation that has the field, as the end of a
 *   sentence;
 * - `x-now`: the present name of a query parameter (old name, `oldName` of src/platform/http/list-page.ts);
 * - `x-whole`: the range of a query parameter that is a whole number; the OpenAPI document shows it instead of the
 *   pattern;
 * - `x-hint`: how to fix a value that does not match `pattern` or `format`, as the end of a sentence.
 */
import Type, {
  type Static,
  type TArray,
  type TBoolean,
  type TInteger,
  type TObject,
  type TObjectOptions,
  type TOptional,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TString,
  type TUnknown,
  type TUnsafe,
} from 'typebox';
import type { Numeric } from './decimal.ts';
import type { Sentence } from './message/sentence.ts';
import { say } from './sentences.ts';

export type { Static, TObject, TOptional, TProperties, TSchema, TUnsafe };
export { Type };

/** Options of every builder: `description`, `examples`, `x-secret` and other annotations. */
export type Options = TSchemaOptions & { 'x-hint'?: Sentence; 'x-elsewhere'?: Readonly<Record<string, Sentence>> };

/** The limits of an exact number: digits before and after the point, and its range (both ends included). */
export interface DecimalLimits {
  integer: number;
  fraction: number;
  min?: number;
  max?: number;
}

/** A string of `min` to `max` code points. */
export function text(min: number, max: number, options: Options = {}): TString {
  return Type.String({ ...(min > 0 && { minLength: min }), maxLength: max, ...options });
}

/** A sentence of the service in a response, in the language of the request. */
export function sentence(min: number, max: number, options: Options = {}): TUnsafe<Sentence> {
  return Type.Unsafe<Sentence>(text(min, max, options));
}

/** Options of a text without white space at either end. */
export const TRIMMED = {
  pattern: '^\\S(?:[\\s\\S]*\\S)?$',
  'x-hint': say('remove the white space at the start or end'),
};
/** The same, but the text can be empty. */
export const TRIMMED_OR_EMPTY = { ...TRIMMED, pattern: '^(?:\\S(?:[\\s\\S]*\\S)?)?$' };

/**
 * An identifier of 1 to `max` code points: case-sensitive, stored as sent, no white space at either end, no control or
 * format character, neither `.` nor `..` (docs/interface.md#identifiers).
 */
export function identifier(max: number, options: Options = {}): TString {
  return text(1, max, {
    ...TRIMMED,
    ...(options.pattern === undefined && { format: 'identifier' }),
    ...options,
  });
}

/** A number that keeps every digit (docs/decisions/192). In the OpenAPI document it is an ordinary `number`. */
export function exact(limits: DecimalLimits, options: Options = {}): TUnsafe<Numeric> {
  return Type.Unsafe<Numeric>({
    type: 'number',
    ...(limits.min !== undefined && { minimum: limits.min }),
    ...(limits.max !== undefined && { maximum: limits.max }),
    decimal: limits,
    ...options,
  });
}

/** A whole number from `min` to `max`, both within the safe range; 5.0 is 5. */
export function integer(min: number, max: number, options: Options = {}): TInteger {
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max))
    throw new RangeError('limits outside the safe integers');
  return Type.Integer({ minimum: min, maximum: max, ...options });
}

/** A JSON boolean; strings and numbers are rejected. */
export function flag(options: Options = {}): TBoolean {
  return Type.Boolean(options);
}

/** One of a few strings, compared exactly. */
export function oneOf<const V extends readonly [string, ...string[]]>(
  values: V,
  options: Options = {},
): TUnsafe<V[number]> {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options });
}

/**
 * An ISO date (docs/interface.md#dates): a date `YYYY-MM-DD` or a date-time with an offset, years 1970 to 9999.
 * `plainForm` is its stored form.
 */
export function isoDate(options: Options = {}): TString {
  return Type.String({ format: 'iso-date', ...options });
}

/** A date-time with `Z` or a numeric offset, years 1970 to 9999. `parseDateTime` reads it. */
export function dateTime(options: Options = {}): TString {
  return Type.String({ format: 'date-time', ...options });
}

/** A date `YYYY-MM-DD`, years 1970 to 9999: a calendar day, in the time zone of its resource. */
export function plainDate(options: Options = {}): TString {
  return Type.String({ format: 'date', ...options });
}

/** A list of `min` (default 0) to `max` elements. */
export function list<T extends TSchema>(
  item: T,
  limits: { min?: number; max: number },
  options: Options = {},
): TArray<T> {
  return Type.Array(item, { ...(limits.min && { minItems: limits.min }), maxItems: limits.max, ...options });
}

/**
 * A reference to the schema of `named(name, ...)`, with the static type `T` (docs/decisions/003). A schema can refer to
 * itself.
 */
export function ref<T>(name: string, options: Options = {}): TUnsafe<T> {
  return Type.Unsafe<T>({ $ref: `${name}#`, ...options });
}

/** A copy of `schema` that the OpenAPI document lists under `name` (its `$id`). */
export function named<T extends TSchema>(name: string, schema: T): T & { $id: string } {
  // TypeBox marks are not enumerable, so a spread would lose them.
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as T;
  return Object.assign(copy, { $id: name });
}

/** An optional field that accepts any value and that no code reads (docs/interface.md#fields-sent-back). */
export function ignored(options: Options = {}): TOptional<TUnknown> {
  return Type.Optional(Type.Unknown({ 'x-ignored': true, ...options }));
}

/** Several ignored fields: spread them into the fields of an object. */
export function ignoredFields<const N extends string>(...names: N[]): Record<N, TOptional<TUnknown>> {
  return Object.fromEntries(names.map((name) => [name, ignored()])) as Record<N, TOptional<TUnknown>>;
}

/** An object with only the fields `props`; all are required unless `Type.Optional`. */
export function object<P extends TProperties>(props: P, options: TObjectOptions = {}): TObject<P> {
  return Type.Object(props, { additionalProperties: false, ...options });
}
