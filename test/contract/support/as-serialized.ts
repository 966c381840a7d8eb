/**
 * A message as common serializers write it by default (Jackson, Newtonsoft and System.Text.Json). Optional fields
 * without a value are `null`. Date-times omit seconds of 0. Decimals keep their trailing zeros.
 */
import { Decimal } from '../../../src/platform/decimal.ts';
import type { Operation } from '../../../src/platform/http/operation.ts';
import { contents, schemas } from '../../../src/service/operations.ts';
import { buildOpenApi } from '../../../src/service/web/openapi.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

interface Described {
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const document = buildOpenApi({ contents, schemas, version: '0' }) as unknown as {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
};

/** Returns the schema of an operation's JSON body in the OpenAPI document; undefined if the operation has none. */
export function bodySchema(operation: Operation): Schema | undefined {
  const described = document.paths[operation.path]?.[operation.method.toLowerCase()];
  return described?.requestBody?.content['application/json']?.schema;
}

/** Returns the body of an operation in the form that a serializer writes. */
export function asSerialized(operation: Operation, body: unknown): unknown {
  const schema = bodySchema(operation);
  return schema === undefined ? body : written(schema, body);
}

function written(given: Schema, value: unknown): unknown {
  const schema = chosen(given, value);
  if (typeof value === 'string') return withoutSeconds(value);
  if (typeof value === 'number') return hasType(schema, 'number') ? new Decimal(withDigits(value)) : value;
  if (Array.isArray(value)) return value.map((element) => written(schema.items ?? {}, element));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    written(schema.properties?.[name] ?? {}, member),
  ]);
  const required = new Set(schema.required);
  const others = Object.keys(schema.properties ?? {}).filter(
    (name) => !required.has(name) && !Object.hasOwn(value, name),
  );
  return Object.fromEntries([...members, ...others.map((name) => [name, null])]);
}

/** Returns the branch of a schema that the value matches; an empty schema if it matches none. */
function chosen(given: Schema, value: unknown): Schema {
  const schema = given.$ref === undefined ? given : document.components.schemas[given.$ref.split('/').at(-1)!]!;
  if (schema.anyOf === undefined) return schema;
  const branches = schema.anyOf.map((branch) => chosen(branch, value));
  return branches.find((branch) => isOf(branch, value)) ?? {};
}

function isOf({ type, enum: values, properties = {}, required = [] }: Schema, value: unknown): boolean {
  if (values !== undefined && !values.includes(value)) return false;
  if (Array.isArray(value)) return hasType({ type }, 'array');
  if (typeof value !== 'object' || value === null) return hasType({ type }, typeof value);
  const members = value as Record<string, unknown>;
  if (!hasType({ type }, 'object') || !required.every((name) => Object.hasOwn(members, name))) return false;
  return Object.entries(properties).every(([name, member]) => {
    const inner = members[name];
    return inner === undefined || member.enum === undefined || member.enum.includes(inner);
  });
}

function hasType({ type }: { type?: string | string[] | undefined }, name: string): boolean {
  return [type].flat().includes(name);
}

/** Returns `2026-03-02T12:00Z` for `2026-03-02T12:00:00+00:00`. */
function withoutSeconds(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d):00(?:\+00:00|Z)$/, '$1Z');
}

/** Returns 9.50 for 9.5 and 24.0 for 24, as serializers write decimals with a scale. */
function withDigits(value: number): string {
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : /^-?\d+\.\d$/.test(text) ? `${text}0` : text;
}
