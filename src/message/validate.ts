/**
 * Validation of messages against their schemas (docs/decisions/004 and docs/decisions/192). Ajv, compiled, is the quick and only judge; a value
 * it refuses is walked once more to say every fault in words, at most 100 of them.
 */
import type { TSchema } from '../schema.ts';
import { explain } from './explain.ts';
import { FAULTS_MAX, type Fault, faultsOf } from './field-errors.ts';
import { judgeOf } from './ajv.ts';
import type { Schema } from './keywords.ts';
import { hasNullMember, Pruning } from './prune.ts';
import { type Sound, soundPart } from './valid-part.ts';

export { FAULTS_MAX, type Fault, faultsOf };

/** What a validator found. */
export interface Verdict<T = unknown> {
  /** The first 100 faults: an object's own members before the elements of its lists. Empty when the value is good. */
  faults: readonly Fault[];
  /** How many faults there are, or "100+". */
  total: number | string;
  /** Pointers of the unknown members that leniency dropped, at most the first 100. */
  ignored: string[];
  ignoredTotal: number | string;
  /** The value, without the members that are `null` and what leniency dropped. The value handed in is never changed. */
  value: T;
  /** The value without the parts that have a fault; undefined where nobody can say what that is: more than 100 faults, or one of the whole. */
  sound: Sound<T> | undefined;
}

/** `lenient` drops unknown members instead of refusing them (docs/interface.md#unknown-fields). */
export interface ValidateOptions {
  lenient?: boolean;
}

/** Judges a value; never throws for any JSON value. */
export type Validator = (value: unknown, options?: ValidateOptions) => Verdict;

/** The verdict on a value that has no fault. */
export function sound<T>(value: T): Verdict<T> {
  return { faults: [], total: 0, ignored: [], ignoredTotal: 0, value, sound: value as Sound<T> };
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
  const judge = judgeOf(root, names);
  return (input, options) => {
    const isLenient = options?.lenient === true;
    if (!isLenient && judge(input)) return sound(input);
    const dropped = new Pruning(names, isLenient);
    const value = isLenient || hasNullMember(input) ? dropped.prune(root, input, '') : input;
    const ignored = { ignored: dropped.pointers, ignoredTotal: counted(dropped.pointers, dropped.more), value };
    if (judge(value)) return { ...sound(value), ...ignored };
    const { faults, more } = explain(root, value, names, judge.errors?.[0]);
    return { faults, total: counted(faults, more), ...ignored, sound: more ? undefined : soundPart(value, faults) };
  };
}

function namesOf(named: readonly TSchema[]): Map<string, Schema> {
  return new Map(named.map((one) => [(one as Schema).$id ?? '', one as Schema]));
}

function counted(held: readonly unknown[], more: boolean): number | string {
  return more ? `${FAULTS_MAX}+` : held.length;
}
