/** Fields that the data of many events share, and the functions that declare a type. */

import {
  integer,
  type Options,
  object,
  oneOf,
  ref,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
  text,
} from '../../platform/schema.ts';
import { statusFields } from '../../shared/status.ts';

/** A type of event: the occasion in one sentence, and the schema of its data. */
export interface EventType<S extends TSchema = TSchema> {
  readonly says: string;
  readonly data: S;
}

/** Declares a type with its data; every field is required unless it is `Type.Optional`. */
export function event<P extends TProperties>(says: string, data: P): EventType<TObject<P>> {
  return { says, data: object(data) };
}

/** Declares a type without data. */
export function plain(says: string): EventType<TUnsafe<object>> {
  return { says, data: Type.Unsafe<object>(object({})) };
}

export const optional = Type.Optional;
/** An identifier of any kind. The writer of the row has checked its length. */
export const id = (description?: string) => text(1, 128, description === undefined ? {} : { description });
export const units = (description?: string) =>
  integer(0, Number.MAX_SAFE_INTEGER, description === undefined ? {} : { description });
/** Status of the order after the event. */
export const state = statusFields;
export const reasonCode = () => text(1, 40);
/** A value or null. */
export const orNull = <S extends TSchema>(schema: S, options: Options = {}) =>
  Type.Union([schema, Type.Null()], options);
/** The user that the request names. */
export const by = { userId: id(), modifyAssociateId: id() };
export const some = <S extends TSchema>(schema: S, options: Options = {}) => Type.Array(schema, options);

/** Declares the creation of a resource. The data has the schema of its GET response. */
export function made(says: string, schema: string): EventType<TUnsafe<Record<string, unknown>>> {
  return { says, data: ref<Record<string, unknown>>(schema) };
}

/** Declares the changes of a resource: the value of each changed field before and after (null: absent). */
export function changed(says: string, also: TSchema[] = []): EventType<TUnsafe<Record<string, unknown>>> {
  const change = object({
    from: Type.Unknown({ description: 'Value before the change. Null if there was no value' }),
    to: Type.Unknown({ description: 'Value after the change. Null if there is no value' }),
  });
  const member = also.length === 0 ? change : Type.Union([change, ...also]);
  return { says, data: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: member }) };
}

export { integer, object, oneOf, Type, text };
