/** Checks requests and responses against the OpenAPI document, with a validator that the service does not use. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { operationNamed } from '../../src/service/operations.ts';
import { resolved as partOf } from '../../src/service/web/openapi/share.ts';
import { documentedStatuses } from '../../src/service/web/openapi.ts';
import type { Method } from '../../town/call.ts';

export type Schema = { readonly [keyword: string]: unknown };

export interface Described {
  id: string;
  method: Method;
  path: string;
  pathParams: readonly string[];
  query: readonly { name: string; required: boolean; schema: Schema }[];
  /** Schema of a JSON body. */
  body: Schema | undefined;
  /** Whether the body is required. If not, a missing body counts as `{}`. */
  needsBody: boolean;
  /** Whether the body is a form with a CSV file. */
  takesFile: boolean;
  /** Whether the body is an X12 file. */
  takesX12: boolean;
  security: 'client' | 'operator';
  /** Whether the operation needs no credentials. The service ignores credentials that are sent. */
  isOpen: boolean;
  /** Whether the operation is a write, which takes an Idempotency-Key. */
  isWrite: boolean;
  statuses: ReadonlySet<number>;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Schema;
}

interface Response {
  $ref?: string;
  content?: Record<string, { schema: Schema }>;
}

interface DocumentOperation {
  operationId: string;
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
  security: Record<string, unknown>[];
}

interface Document {
  paths: Record<string, Record<string, DocumentOperation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

const document = JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')) as Document;

// The option `optimize` is off. Each validator checks only a few values, so optimizing its code would take longer than
// it saves.
const ajv = new Ajv2020({ strict: false, allErrors: false, code: { optimize: false } });
ajv.addKeyword({ keyword: 'x-decimal', validate: fitsDecimal });
ajv.addKeyword({ keyword: 'x-format', validate: (_text: unknown, value: unknown) => isRealDate(value) });
ajv.addFormat(
  'date-time',
  (text) => isRealDate(text) && /T\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)$/i.test(text),
);
ajv.addFormat('date', (text) => isRealDate(text) && /^\d{4}-\d{2}-\d{2}$/.test(text));
// The rule for identifiers: docs/interface.md#identifiers.
ajv.addFormat('identifier', /^(?!\.{1,2}$)[^\p{Cc}\p{Cf}]*$/u);
ajv.addSchema({ $id: 'document', components: document.components });
ajv.addSchema({ $id: 'closed', components: closed(document.components) });

export const described: readonly Described[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => describe(path, method, operation)),
);

function describe(path: string, method: string, operation: DocumentOperation): Described {
  const content = operation.requestBody?.content;
  const parameters = operation.parameters.map((one) => partOf<Parameter>(document, one));
  return {
    id: operation.operationId,
    method: method.toUpperCase() as Method,
    path,
    pathParams: parameters.filter((one) => one.in === 'path').map(({ name }) => name),
    query: parameters.filter((one) => one.in === 'query'),
    body: content?.['application/json']?.schema,
    needsBody: operation.requestBody?.required === true,
    takesFile: content?.['multipart/form-data'] !== undefined,
    takesX12: content?.['application/edi-x12'] !== undefined,
    security: operation.security.some((one) => 'apiKey' in one) ? 'client' : 'operator',
    isOpen: operationNamed(operation.operationId).access.auth === 'none',
    isWrite: parameters.some(({ name }) => name === 'Idempotency-Key'),
    statuses: documentedStatuses(operationNamed(operation.operationId)),
  };
}

/** Returns the schema itself, or the schema that its `$ref` names. */
export function resolved(schema: Schema): Schema {
  const ref = schema['$ref'];
  return typeof ref === 'string' ? document.components.schemas[ref.slice('#/components/schemas/'.length)]! : schema;
}

/**
 * Validators by operation and part. `sameSchema` has the validators by the text of the schema, because many operations
 * have the same error schemas.
 */
const validators = new Map<string, ValidateFunction>();
const sameSchema = new Map<string, ValidateFunction>();

function validatorOf(key: string, schema: Schema, from: 'document' | 'closed' = 'document'): ValidateFunction {
  const known = validators.get(key);
  if (known !== undefined) return known;
  const meant = from === 'closed' ? closed(schema) : schema;
  const text = JSON.stringify(meant).replaceAll('"#/components', `"${from}#/components`);
  const made = sameSchema.get(text) ?? ajv.compile(JSON.parse(text) as Schema);
  sameSchema.set(text, made);
  validators.set(key, made);
  return made;
}

/**
 * Returns a copy of the schema whose objects allow no other fields. Clients must ignore unknown fields, but the service
 * must not send any.
 */
export function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T;
  if (!isRecord(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return (isRecord(schema['properties']) ? { additionalProperties: false, ...inner } : inner) as T;
}

/** Returns whether the document allows this body. */
export function allowsBody(operation: Described, body: unknown): boolean {
  const read = operation.id === 'transmitInbound' ? inOneForm(body) : body;
  return operation.body !== undefined && validatorOf(operation.id, operation.body)(withoutNulls(read));
}

/** Removes null fields. The text of the document says that null means a field that was not sent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNulls(inner)]));
}

/**
 * Returns the inbound message in the form of its schema. The service also accepts other forms, which only the text of
 * the document describes.
 */
function inOneForm(body: unknown): unknown {
  const named = inCamelCase(body);
  const root = isRecord(named) && isRecord(named['receivingDetail']) ? named['receivingDetail'] : named;
  if (!isRecord(root)) return root;
  const shipments = Object.entries(root).map(([name, value]) => [name, isRecord(value) ? [value] : value]);
  return withAttributeSets(Object.fromEntries(shipments));
}

function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase);
  if (!isRecord(value)) return value;
  const camel = (name: string) => name.replace(/^(ASN|PO)(?=[A-Z])|^[A-Z]/, (start) => start.toLowerCase());
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [camel(name), inCamelCase(inner)]));
}

function withAttributeSets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAttributeSets);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const isPlain = /^(header|detail)ExtendedAttributes$/.test(name) && Array.isArray(inner);
      return [name, isPlain ? { extendedAttributes: inner } : withAttributeSets(inner)];
    }),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether the document allows these query parameters. */
export function allowsQuery(operation: Described, query: Readonly<Record<string, string>>): boolean {
  const known = new Map(operation.query.map((one) => [one.name, one]));
  const isKnown = Object.entries(query).every(([name, value]) => {
    const parameter = known.get(name);
    return (
      parameter !== undefined && validatorOf(`${operation.id} query ${name}`, parameter.schema)(typed(parameter, value))
    );
  });
  return isKnown && operation.query.every(({ name, required }) => !required || name in query);
}

/** Converts the text of a whole number in a query to a number, which is its type in the document. */
function typed({ schema: { type } }: { schema: Schema }, value: string): string | number {
  const isWhole = type === 'integer' || (Array.isArray(type) && type.includes('integer'));
  return isWhole && /^(?:0|[1-9][0-9]*)$/.test(value) ? Number(value) : value;
}

/** Returns how a response violates the document; undefined if it conforms. */
export function faultOfAnswer(
  operation: Described,
  status: number,
  type: string | undefined,
  text: string,
): string | undefined {
  const listed = document.paths[operation.path]![operation.method.toLowerCase()]!.responses[status];
  if (listed === undefined) return `status ${status} is not documented`;
  const response = document.components.responses[listed.$ref?.slice('#/components/responses/'.length) ?? ''] ?? listed;
  const [mediaType, content] = Object.entries(response.content ?? {})[0] ?? [];
  if (content === undefined) return text === '' ? undefined : `status ${status} has no body in the document`;
  if (type?.split(';')[0] !== mediaType) return `status ${status} has the type ${type}, but ${mediaType} is documented`;
  // X12 and NDJSON responses have no schema.
  if (!/[/+]json/.test(mediaType!)) return undefined;
  const validate = validatorOf(`${operation.id} ${status}`, content.schema, 'closed');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return `the body of ${status} is not JSON`;
  }
  if (validate(body)) return undefined;
  return `the body of ${status} breaks its schema: ${ajv.errorsText(validate.errors)}`;
}

interface DecimalLimits {
  integer?: number;
  fraction?: number;
}

function fitsDecimal({ integer = 64, fraction = 64 }: DecimalLimits, value: unknown): boolean {
  if (typeof value !== 'number') return true;
  const [, digits = '', tail = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const shift = Number(exponent);
  return digits.length + shift <= integer && tail.length - shift <= fraction;
}

function isRealDate(value: unknown): boolean {
  if (typeof value !== 'string') return true;
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(value) ?? [];
  if (day === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}
