/**
 * Validates messages with their schemas (docs/decisions/004 and docs/decisions/192). A compiled Ajv function decides
 * whether a value is valid. For a rejected value, explain.ts makes the errors with their texts, at most 100.
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
  /** The first 100 errors: an object's own fields before the elements of its lists. Empty when the value is valid. */
  errors: readonly FieldError[];
  /** Number of errors, or "100+". */
  total: number | string;
  /** Pointers of the unknown fields that lenient handling removed, at most the first 100. */
  ignored: string[];
  ignoredTotal: number | string;
  /** The value without `null` fields and without the fields that lenient handling removed. The input never changes. */
  value: T;
  /**
   * The value without its invalid parts; undefined if there are more than 100 errors, or an error of the value as a
   * whole.
   */
  validPart: ValidPart<T> | undefined;
}

/** `lenient` removes unknown fields instead of rejecting them (docs/interface.md#unknown-fields). */
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
 * Compiles a validator of `schema`; `named` are the schemas of its references. Call it at the start: an unknown
 * reference or format throws here.
 */
export function compile(schema: TSchema, named: readonly TSchema[] = NONE): Validator {
  const known = compiled.get(named)?.get(schema);
  if (known !== undefined) return known;
  const validator = compileAnew(schema, namesOf(named));
  if (!compiled.has(named)) compiled.set(named, new WeakMap());
  compiled.get(named)!.set(schema, validator);
  return validator;
}

/** Compiles a validator at its first use: compiling all schemas at the start would take half of the start time. */
export function compileLate(schema: TSchema, named: readonly TSchema[] = NONE): Validator {
  let validator: Validator | undefined;
  return (value, options) => {
    validator ??= compile(schema, named);
    return validator(value, options);
  };
}

const NONE: readonly TSchema[] = [];
/**
 * A validator has no state and takes milliseconds to compile, so all servers of a process share the compiled
 * validators.
 */
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
