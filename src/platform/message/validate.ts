/**
 * Validation of messages against their schemas (docs/decisions/004 and docs/decisions/192). Ajv, compiled, is the quick and only judge; a value
 * it refuses is walked once more to say every error in words, at most 100 of them.
 */
import type { TSchema } from '../schema.ts';
import { compileWithAjv } from './ajv.ts';
import { explain } from './explain.ts';
import { FIELD_ERRORS_MAX, type FieldError, fieldError } from './field-errors.ts';
import type { Schema } from './keywords.ts';
import { hasNullMember, Pruning } from './prune.ts';
import { type ValidPart, validPartOf } from './valid-part.ts';

export { FIELD_ERRORS_MAX, type FieldError, fieldError };

/** The result of a validation. */
export interface ValidationResult<T = unknown> {
  /** The first 100 errors: an object's own fields before the elements of its lists. Empty when the value is good. */
  errors: readonly FieldError[];
  /** How many errors there are, or "100+". */
  total: number | string;
  /** Pointers of the unknown fields that leniency dropped, at most the first 100. */
  ignored: string[];
  ignoredTotal: number | string;
  /** The value, without the fields that are `null` and what leniency dropped. The value handed in is never changed. */
  value: T;
  /** The value without the parts that have an error; undefined where nobody can say what that is: more than 100 errors, or one of the whole. */
  validPart: ValidPart<T> | undefined;
}

/** `lenient` drops unknown fields instead of refusing them (docs/interface.md#unknown-fields). */
interface ValidateOptions {
  lenient?: boolean;
}

/** Validates a value; never throws for any JSON value. */
export type Validator = (value: unknown, options?: ValidateOptions) => ValidationResult;

/** The result for a value without errors. */
export function valid<T>(value: T): ValidationResult<T> {
  return { errors: [], total: 0, ignored: [], ignoredTotal: 0, value, validPart: value as ValidPart<T> };
}

/**
 * A validator of `schema`; `named` are the schemas that its references name. Made once at start: a reference to nothing or an
 * unknown format throws here.
 */
export function compile(schema: TSchema, named: readonly TSchema[] = NONE): Validator {
  const known = compiled.get(named)?.get(schema);
  if (known !== undefined) return known;
  const validator = compileAnew(schema, namesOf(named));
  if (!compiled.has(named)) compiled.set(named, new WeakMap());
  compiled.get(named)!.set(schema, validator);
  return validator;
}

/** The same, made at its first use: all of an installation's at once are half of the time of a start. */
export function compileLate(schema: TSchema, named: readonly TSchema[] = NONE): Validator {
  let validator: Validator | undefined;
  return (value, options) => {
    validator ??= compile(schema, named);
    return validator(value, options);
  };
}

const NONE: readonly TSchema[] = [];
/** A validator keeps no state, and making one takes milliseconds: every server of a process shares them. */
const compiled = new WeakMap<readonly TSchema[], WeakMap<TSchema, Validator>>();

function compileAnew(root: Schema, names: Map<string, Schema>): Validator {
  const validateWithAjv = compileWithAjv(root, names);
  return (input, options) => {
    const isLenient = options?.lenient === true;
    if (!isLenient && validateWithAjv(input)) return valid(input);
    const dropped = new Pruning(names, isLenient);
    const value = isLenient || hasNullMember(input) ? dropped.prune(root, input, '') : input;
    const ignored = { ignored: dropped.pointers, ignoredTotal: counted(dropped.pointers, dropped.more), value };
    if (validateWithAjv(value)) return { ...valid(value), ...ignored };
    const { errors, more } = explain(root, value, names, validateWithAjv.errors?.[0]);
    return {
      errors,
      total: counted(errors, more),
      ...ignored,
      validPart: more ? undefined : validPartOf(value, errors),
    };
  };
}

function namesOf(named: readonly TSchema[]): Map<string, Schema> {
  return new Map(named.map((one) => [(one as Schema).$id ?? '', one as Schema]));
}

function counted(held: readonly unknown[], more: boolean): number | string {
  return more ? `${FIELD_ERRORS_MAX}+` : held.length;
}
