/**
 * Moves repeated parts of the document into `components` and replaces them with references. The meaning does not
 * change, and the diff of the document shows each change once.
 */
import { isRecord } from '../../../platform/message/record.ts';
import { OBJECTS } from './objects.ts';

type Json = Record<string, unknown>;

/** The parts of an operation or a webhook that can be shared. */
interface Described {
  parameters: unknown[];
  responses: Record<string, unknown>;
}

interface Shareable {
  paths: Record<string, Record<string, unknown>>;
  webhooks: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, unknown>; responses: Record<string, unknown> };
}

interface Shared {
  components: { parameters: Record<string, unknown> };
}

/** Keywords whose value is data, not a schema. */
const VALUES: ReadonlySet<string> = new Set(['example', 'examples', 'enum', 'const', 'default']);

/** Moves repeated parameters, responses and objects of a document into its components. */
export function share<Document extends Shareable>(document: Document): Document & Shared {
  const all = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap(
    (methods) => Object.values(methods) as Described[],
  );
  const parameters = repeated(all.flatMap((one) => one.parameters.map(withParameterName)));
  const responses = repeated(all.flatMap((one) => Object.entries(one.responses).map(withResponseName)));
  const referTo = (methods: Record<string, unknown>) =>
    mapValues(methods, (one) => referring(one as Described, { parameters, responses }));
  const { schemas, ...others } = document.components;
  return sharedObjects({
    ...document,
    paths: mapValues(document.paths, referTo),
    webhooks: mapValues(document.webhooks, referTo),
    components: {
      schemas,
      parameters: parameters.components,
      ...others,
      responses: { ...document.components.responses, ...responses.components },
    },
  });
}

/** Returns a part of a document, or the component that it refers to. */
export function resolved<Part extends object>(document: { components: object }, part: Part | { $ref: string }): Part {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part as Part;
  const [kind = '', name = ''] = part.$ref.slice('#/components/'.length).split('/');
  const found = (document.components as Record<string, Record<string, Part> | undefined>)[kind]?.[name];
  if (found === undefined) throw new Error(`the document has no ${part.$ref}`);
  return found;
}

type Named = readonly [name: string, part: unknown];

function withParameterName(parameter: unknown): Named {
  const { in: place, name } = parameter as { in: string; name: string };
  return [`${place}.${name}`, parameter];
}

/** Returns the name of a response: its status, the schema of its body and the first words of its description. */
function withResponseName([status, response]: readonly [string, unknown]): Named {
  const { $ref, description = '', content = {} } = response as { $ref?: string; description?: string; content?: Json };
  if ($ref !== undefined) return ['', response];
  const [{ schema } = {}] = Object.values(content) as { schema?: { $ref?: string } }[];
  const form = schema?.$ref?.slice(schema.$ref.lastIndexOf('/') + 1) ?? '';
  const words = description
    .normalize('NFKD')
    .replace(/[^\w\s-]/g, '')
    .toLowerCase()
    .split(/\s+/);
  return [`${form}${status}.${words.slice(0, 6).join('-')}`, response];
}

interface Repeated {
  components: Record<string, unknown>;
  /** Names of components, by the JSON text of their content. */
  names: ReadonlyMap<string, string>;
}

/**
 * Returns the parts that occur at least twice. If several parts would have the same name, the most frequent part gets
 * it; among equally frequent parts, the first.
 */
function repeated(named: readonly Named[]): Repeated {
  const counts = new Map<string, { name: string; part: unknown; count: number }>();
  for (const [name, part] of named) {
    if (name === '') continue;
    const text = JSON.stringify(part);
    const known = counts.get(text) ?? { name, part, count: 0 };
    counts.set(text, { ...known, count: known.count + 1 });
  }
  const most = new Map<string, { text: string; part: unknown; count: number }>();
  for (const [text, { name, part, count }] of counts) {
    if (count > 1 && count > (most.get(name)?.count ?? 0)) most.set(name, { text, part, count });
  }
  return {
    components: Object.fromEntries(
      [...most].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, { part }]) => [name, part]),
    ),
    names: new Map([...most].map(([name, { text }]) => [text, name])),
  };
}

function referring(described: Described, { parameters, responses }: Record<'parameters' | 'responses', Repeated>) {
  const reference = (part: unknown, kind: string, { names }: Repeated) => {
    const name = names.get(JSON.stringify(part));
    return name === undefined ? part : { $ref: `#/components/${kind}/${name}` };
  };
  return {
    ...described,
    parameters: described.parameters.map((one) => reference(one, 'parameters', parameters)),
    responses: mapValues(described.responses, (one) => reference(one, 'responses', responses)),
  };
}

/** Returns the document with each object of `OBJECTS` as a schema under its name. */
function sharedObjects<Document extends Shareable>(document: Document): Document {
  const names = new Map<string, string>();
  const found = OBJECTS.map(([name, place, description]) => {
    const object = at(document, place);
    names.set(keyOf(object), name);
    const { description: _own, ...rest } = notNull(object);
    return [name, { description, ...rest }] as const;
  });
  const convert = (value: unknown, isNamed = false): unknown => {
    if (Array.isArray(value)) return value.map((one) => convert(one));
    if (!isRecord(value)) return value;
    const name = isNamed || !isRecord(value['properties']) ? undefined : names.get(keyOf(value));
    if (name !== undefined) return referenceTo(name, value);
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, VALUES.has(key) ? inner : convert(inner)]),
    );
  };
  const { components, ...rest } = document;
  const own = Object.fromEntries(found.map(([name, schema]) => [name, convert(schema, true)]));
  const { schemas, ...others } = components;
  return {
    ...(convert(rest) as Document),
    components: { schemas: { ...(convert(schemas) as Json), ...own }, ...others },
  };
}

function referenceTo(name: string, { type, description }: Json): Json {
  const reference = { $ref: `#/components/schemas/${name}` };
  const shown = Array.isArray(type) ? { anyOf: [reference, { type: 'null' }] } : reference;
  return description === undefined ? shown : { ...shown, description };
}

/** Returns the JSON text of an object schema, without its description and `null`, which differ between places. */
function keyOf(object: Json): string {
  const { description: _own, ...rest } = notNull(object);
  return JSON.stringify(rest);
}

function notNull(object: Json): Json {
  return Array.isArray(object['type']) ? { ...object, type: 'object' } : object;
}

/**
 * Returns the schema of a field. `place` is the name of a schema or event, followed by names of fields. In it, `[]` is
 * an element of a list, `*` a field of any name, and `?` the object of a field that can be null.
 */
function at(document: Shareable, place: string): Json {
  const [start = '', ...steps] = place.split(' ');
  const whole = document.components.schemas[start] ?? dataOf(document.webhooks[start]);
  const found = steps.reduce<unknown>((schema, step) => {
    const { items, properties, additionalProperties, anyOf } = (schema ?? {}) as {
      items?: unknown;
      properties?: Json;
      additionalProperties?: unknown;
      anyOf?: unknown[];
    };
    if (step === '[]') return items;
    if (step === '*') return additionalProperties;
    return step === '?' ? anyOf?.[0] : properties?.[step];
  }, whole);
  if (!isRecord(found)) throw new Error(`the document has no ${place}`);
  return found;
}

function dataOf(webhook: Json | undefined): unknown {
  const { requestBody } = (webhook?.['post'] ?? {}) as { requestBody?: { content: Record<string, { schema: Json }> } };
  const [, own] = (requestBody?.content['application/json']?.schema['allOf'] ?? []) as { properties: Json }[];
  return own?.properties['data'];
}

function mapValues<From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
