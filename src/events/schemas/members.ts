/** Members that the data of many events share, and how a type is declared. */
import { statusFields } from '../../kernel/status.ts';
import {
  exact,
  integer,
  type Options,
  object,
  oneOf,
  ref,
  type TProperties,
  type TSchema,
  Type,
  text,
} from '../../schema.ts';

/** What an event of a type says: when it is recorded, in a sentence, and the schema of its data. */
export interface EventType {
  readonly says: string;
  readonly data: TSchema;
}

/** Declares a type: what it says, and its data, whose members are all required unless `Type.Optional`. */
export function event(says: string, data: TProperties = {}): EventType {
  return { says, data: object(data) };
}

export const optional = Type.Optional;
/** An identifier of whatever kind: what wrote it has checked its length. */
export const id = () => text(1, 128);
export const units = (description?: string) =>
  integer(0, Number.MAX_SAFE_INTEGER, description === undefined ? {} : { description });
/** Status of the order afterwards. */
export const state = statusFields;
export const reasonCode = () => text(1, 40);
/** A value or null. */
export const orNull = (schema: TSchema, options: Options = {}) => Type.Union([schema, Type.Null()], options);
/** Who did it, as the request said. */
export const by = { userId: id(), modifyAssociateId: id() };
export const some = (schema: TSchema) => Type.Array(schema);

/** What a made resource is: as its GET answers it. */
export function made(says: string, schema: string): EventType {
  return { says, data: ref(schema) };
}

/** Changes of a resource: each member that differs, before and after (null: not there). */
export function changed(says: string, also: TSchema[] = []): EventType {
  const change = object({
    from: Type.Unknown({ description: 'Value before; null where there was none' }),
    to: Type.Unknown({ description: 'Value after; null where there is none' }),
  });
  const member = also.length === 0 ? change : Type.Union([change, ...also]);
  return { says, data: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: member }) };
}

export { exact, integer, object, oneOf, Type, text };
