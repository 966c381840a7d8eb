/**
 * Converts schemas to the form of the OpenAPI document: references point into its components, annotations of the
 * service are converted or left out, and properties get the descriptions of the glossary. Schemas of responses and
 * events are open, because fields may be added and clients ignore unknown fields. Schemas of requests are closed,
 * because the service rejects unknown fields (docs/decisions/003).
 */
import { isRecord } from '../../../platform/message/record.ts';
import type { TSchema } from '../../../platform/schema.ts';
import { MEMBERS, SCHEMAS } from './glossary.ts';

/** Whether a schema describes messages that the service receives, or messages that it sends. */
export type Side = 'request' | 'response';

type Json = Record<string, unknown>;

/** Keywords whose value is data, not a schema. */
const VALUES: ReadonlySet<string> = new Set(['example', 'examples', 'enum', 'const', 'default']);

/**
 * Patterns for the forms of `isIsoDate`, for validators that do not know the format `iso-date`. A pattern cannot
 * exclude dates that do not exist.
 */
const ISO_DATE =
  '^\\d{4}-\\d{2}-\\d{2}(?:[Tt]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:[Zz]|[+-]\\d{2}(?::?\\d{2})?))?$';

/** Returns the schema of a whole-number parameter, with its range. */
function wholeNumber({ 'x-whole': range, description, deprecated }: Json): Json {
  return {
    type: 'integer',
    ...(range as Json),
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
  };
}

/** Annotations of the service that the document does not show. */
const HIDDEN: ReadonlySet<string> = new Set(['$id', 'x-hint', 'x-secret', 'x-elsewhere', 'x-now']);

/** The named schemas, with their use in requests and responses. */
export class Components {
  private readonly named: ReadonlyMap<string, Json>;
  private readonly used: Record<Side, ReadonlySet<string>>;

  /**
   * `taken` has all schemas of requests, `sent` has the schemas of responses and events. @throws Error for an unknown
   * reference.
   */
  constructor(named: readonly TSchema[], taken: readonly unknown[], sent: readonly unknown[]) {
    this.named = new Map(named.map((schema) => [(schema as Json)['$id'] as string, schema as Json]));
    this.used = { request: this.reachable(taken), response: this.reachable(sent) };
  }

  /** Returns a schema in the document's form for requests or for responses. */
  show(schema: unknown, side: Side): unknown {
    if (Array.isArray(schema)) return schema.map((one) => this.show(one, side));
    if (!isRecord(schema)) return schema;
    if (typeof schema['$id'] === 'string') return { $ref: this.place(schema['$id'], side) };
    return this.convert(schema, side);
  }

  /**
   * Returns every named schema that an operation or event uses. A schema that both requests and responses use has two
   * forms.
   */
  all(): Record<string, unknown> {
    const shown = [...this.named].flatMap(([name, { $id: _name, ...schema }]) =>
      (['response', 'request'] as const)
        .filter((side) => this.used[side].has(name))
        .map((side) => [this.nameOf(name, side), this.described(name, this.convert(schema, side))] as const),
    );
    return Object.fromEntries(shown);
  }

  private described(name: string, schema: Json): Json {
    const description = schema['description'] ?? SCHEMAS[name];
    return description === undefined ? schema : { description, ...schema };
  }

  /** If responses use the schema too, the form for requests gets another name. */
  private nameOf(name: string, side: Side): string {
    return side === 'request' && this.used.response.has(name) ? `${name}Request` : name;
  }

  private place(name: string, side: Side): string {
    return `#/components/schemas/${this.nameOf(name, side)}`;
  }

  private convert(schema: Json, side: Side): Json {
    if ('x-nullable' in schema) {
      const { 'x-nullable': _isNullable, description, ...whole } = schema;
      return { anyOf: [this.show(whole, side), { type: 'null' }], ...(description !== undefined && { description }) };
    }
    if ('x-whole' in schema) return wholeNumber(schema);
    const out: Json = {};
    for (const [key, value] of Object.entries(schema)) {
      if (HIDDEN.has(key) || (key === 'additionalProperties' && value === false && side === 'response')) continue;
      if (key === '$ref') out['$ref'] = this.place(refName(value), side);
      else if (key === 'decimal') out['x-decimal'] = value;
      else if (key === 'format' && value === 'iso-date') {
        out['x-format'] = 'ISO 8601 date or date-time';
        if (side === 'request') out['pattern'] = ISO_DATE;
      } else if (key === 'x-ignored')
        out['description'] ??= 'Accepted and ignored, so that a response can be sent back unchanged.';
      else if (key === 'properties') {
        const required = new Set(schema['required'] as unknown[] | undefined);
        out[key] = this.properties(value as Json, required, side);
      } else out[key] = VALUES.has(key) ? value : this.show(value, side);
    }
    return out;
  }

  private properties(properties: Json, required: ReadonlySet<unknown>, side: Side): Json {
    const shown = Object.entries(properties).map(([name, schema]) => {
      const asked = this.show(schema, side) as Json;
      const property = side === 'request' && !required.has(name) ? orNull(asked) : asked;
      const description = property['description'] ?? MEMBERS[name] ?? this.descriptionOf(schema);
      return [name, { ...property, ...(description !== undefined && { description }) }] as const;
    });
    return Object.fromEntries(shown);
  }

  /** Returns the description of the named schema that a property has. */
  private descriptionOf(schema: unknown): unknown {
    if (!isRecord(schema)) return undefined;
    const name = typeof schema['$ref'] === 'string' ? refName(schema['$ref']) : schema['$id'];
    return this.named.get(String(name))?.['description'] ?? SCHEMAS[String(name)];
  }

  private reachable(roots: readonly unknown[]): ReadonlySet<string> {
    const found = new Set<string>();
    const visit = (value: unknown): void => {
      if (!isRecord(value) && !Array.isArray(value)) return;
      if (Array.isArray(value)) {
        value.forEach(visit);
        return;
      }
      const name = refName(value['$ref'] ?? value['$id'] ?? '');
      if (name !== '') {
        const schema = this.named.get(name);
        if (schema === undefined) throw new Error(`no schema is named ${name}`);
        if (found.has(name)) return;
        found.add(name);
        if (value['$ref'] !== undefined) visit(Object.values(schema));
      }
      for (const [key, inner] of Object.entries(value)) if (!VALUES.has(key)) visit(inner);
    };
    visit(roots);
    return found;
  }
}

/** In a message `null` means absence (docs/api.md#bodies), so an optional property of a request allows `null`. */
function orNull(property: Json): Json {
  const { description, ...schema } = property;
  const described = description === undefined ? {} : { description };
  if (schema['$ref'] !== undefined) return { anyOf: [schema, { type: 'null' }], ...described };
  if (Array.isArray(schema['anyOf'])) {
    const branches = schema['anyOf'] as Json[];
    const takesNull = branches.some(({ type }) => type === 'null');
    return takesNull ? property : { ...property, anyOf: [...branches, { type: 'null' }] };
  }
  if (typeof schema['type'] !== 'string') return property;
  const values = Array.isArray(schema['enum']) ? { enum: [...(schema['enum'] as unknown[]), null] } : {};
  return { ...property, type: [schema['type'], 'null'], ...values };
}

function refName(reference: unknown): string {
  return String(reference).replace(/#$/, '');
}
