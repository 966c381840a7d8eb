/** Fields that the data of many events share, and how a type is declared. */

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

/** What an event of a type says: when it is recorded, in a sentence, and the schema of its data. */
export interface EventType<S extends TSchema = TSchema> {
  readonly says: string;
  readonly data: S;
}

/** Declares a type: what it says, and its data, whose fields are all required unless `Type.Optional`. */
export function event<P extends TProperties>(says: string, data: P): EventType<TObject<P>> {
  return { says, data: object(data) };
}

/** Declares a type without data. */
export function plain(says: string): EventType<TUnsafe<object>> {
  return { says, data: Type.Unsafe<object>(object({})) };
}

export const optional = Type.Optional;
/** An identifier of whatever kind: what wrote it has checked its length. */
export const id = (description?: string) => text(1, 128, description === undefined ? {} : { description });
export const units = (description?: string) =>
  integer(0, Number.MAX_SAFE_INTEGER, description === undefined ? {} : { description });
/** Status of the order afterwards. */
export const state = statusFields;
export const reasonCode = () => text(1, 40);
/** A value or null. */
export const orNull = <S extends TSchema>(schema: S, options: Options = {}) =>
  Type.Union([schema, Type.Null()], options);
/** Who did it, as the request said. */
export const by = { userId: id(), modifyAssociateId: id() };
export const some = <S extends TSchema>(schema: S, options: Options = {}) => Type.Array(schema, options);

/** What a made resource is: as its GET answers it. */
export function made(says: string, schema: string): EventType<TUnsafe<Record<string, unknown>>> {
  return { says, data: ref<Record<string, unknown>>(schema) };
}

/** Changes of a resource: each field that differs, before and after (null: not there). */
export function changed(says: string, also: TSchema[] = []): EventType<TUnsafe<Record<string, unknown>>> {
  const change = object({
    from: Type.Unknown({ description: 'Value before; null where there was none' }),
    to: Type.Unknown({ description: 'Value after; null where there is none' }),
  });
  const member = also.length === 0 ? change : Type.Union([change, ...also]);
  return { says, data: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: member }) };
}

export { integer, object, oneOf, Type, text };
