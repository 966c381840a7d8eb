/**
 * What of a message is as its schema says, so that rules can be asked of a message whose form is not right throughout: they
 * see the valid parts only, so none of them meets a wrong type or repeats what the schema has said.
 */
import type { Decimal } from '../decimal.ts';
import type { FieldError } from './field-errors.ts';
import { stepsOf } from './pointer.ts';

/** A message of which any part may be missing, at any depth; elements of lists keep their index. A whole message is one too. */
export type ValidPart<T> = T extends string | number | boolean | bigint | null | undefined | Decimal
  ? T
  : T extends readonly (infer E)[]
    ? (ValidPart<E> | undefined)[]
    : T extends object
      ? { readonly [M in keyof T]?: ValidPart<T[M]> | undefined }
      : T;

/** A copy of a message without the places of these errors; undefined where an error is of the message as a whole. */
export function validPartOf(message: unknown, errors: readonly FieldError[]): unknown {
  const copies = new Set<unknown>();
  let part = message;
  for (const { pointer } of errors) {
    if (pointer === '') return undefined;
    part = without(part, stepsOf(pointer), copies);
  }
  return part;
}

/** `copies` are the objects and lists that were made here, and may be changed. */
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
