/**
 * The valid parts of a message. Rules check them even if other parts violate the schema: a rule then gets no value of a
 * wrong type, and does not report an error of the schema again.
 */
import type { Decimal } from '../decimal.ts';
import type { FieldError } from './field-errors.ts';
import { stepsOf } from './pointer.ts';

/** A message without its invalid parts: any part can be absent, at any depth. Elements of lists keep their index. */
export type ValidPart<T> = T extends string | number | boolean | bigint | null | undefined | Decimal
  ? T
  : T extends readonly (infer E)[]
    ? (ValidPart<E> | undefined)[]
    : T extends object
      ? { readonly [M in keyof T]?: ValidPart<T[M]> | undefined }
      : T;

/** Copies a message without its invalid parts; undefined if the message as a whole has an error. */
export function validPartOf(message: unknown, errors: readonly FieldError[]): unknown {
  const copies = new Set<unknown>();
  let part = message;
  for (const { pointer } of errors) {
    if (pointer === '') return undefined;
    part = without(part, stepsOf(pointer), copies);
  }
  return part;
}

/**
 * Removes the part at the given steps from a copy. `copies` has the objects and lists that are already copied and can
 * be changed.
 */
function without(value: unknown, [step, ...rest]: readonly string[], copies: Set<unknown>): unknown {
  if (step === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value;
  const copy = copies.has(value) ? value : copyOf(value);
  copies.add(copy);
  if (rest.length > 0) Reflect.set(copy, step, without(Reflect.get(copy, step), rest, copies));
  else if (Array.isArray(copy)) Reflect.set(copy, step, undefined);
  else Reflect.deleteProperty(copy, step);
  return copy;
}

function copyOf(value: object): object {
  return Array.isArray(value) ? [...(value as unknown[])] : { ...value };
}
