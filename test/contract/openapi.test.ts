import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { eventMembers } from '../../src/events/schema.ts';
import { EVENT_TYPE_NAMES } from '../../src/events/types.ts';
import { ORDER_STATES, QUEUE_IDS } from '../../src/kernel/states.ts';
import { PICK_TICKET_STATES } from '../../src/kernel/tickets/states.ts';
import { compile } from '../../src/platform/message/validate.ts';
import { operations, schemas } from '../../src/service/operations.ts';
import { resolved } from '../../src/service/web/openapi/share.ts';
import { type buildOpenApi, documentedStatuses } from '../../src/service/web/openapi.ts';
import { DEFAULT_SETTINGS, SLA_STEPS } from '../../src/shared/client-settings.ts';
import { needsHardware } from '../../town/example-files.ts';
import { openBackroom } from '../support/backroom.ts';

const committed = readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8');
const document = JSON.parse(committed) as ReturnType<typeof buildOpenApi>;
const named = operations.map((operation) => [operation.id, operation] as const);

/** Fields of an operation in the document, including the extensions that begin with `x-`. */
interface Extended {
  operationId: string;
  description: string;
  'x-since': string;
  'x-access': object;
  'x-events'?: string[];
}

/** Returns every value of every `$ref` in a document. */
function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : references(inner),
  );
}

function resolve(reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document);
}

/**
 * Returns the places of objects that the document contains several times. Only objects with at least four fields count.
 */
function repeats(whole: unknown): string[] {
  const places = new Map<string, string[]>();
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { description: _own, type: _mayBeNull, ...rest } = value as { [key: string]: unknown; properties?: object };
    if (Object.keys(rest.properties ?? {}).length >= 4) {
      const text = JSON.stringify(rest);
      places.set(text, [...(places.get(text) ?? []), place]);
    }
    for (const [key, inner] of Object.entries(value)) {
      if (!['example', 'examples', 'enum', 'const'].includes(key)) visit(inner, `${place}/${key}`);
    }
  };
  visit(whole, '');
  return [...places.values()].filter((found) => found.length > 1).map((found) => found.join(' = '));
}

describe('the OpenAPI document', () => {
  it('is served as it is committed', async () => {
    const backroom = await openBackroom();
    const { body } = await backroom.call({ method: 'GET', path: '/openapi.json' });
    expect(body.info).toEqual(document.info);
    expect(Object.keys(body.paths)).toEqual(Object.keys(document.paths));
    await backroom.close();
  });

  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  it('has no unresolved reference', () => {
    expect([...new Set(references(document))].filter((reference) => resolve(reference) === undefined)).toEqual([]);
  });

  it('has no unused component', () => {
    const { securitySchemes: _byName, ...referred } = document.components;
    const places = Object.entries(referred).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    );
    const known = new Set(references(document));
    expect(places.filter((place) => !known.has(place))).toEqual([]);
  });

  it('writes an object of four fields or more out once', () => {
    const hint = 'give the object a name in src/service/web/openapi/objects.ts';
    expect(repeats(document), hint).toEqual([]);
  });

  it('names every schema once', () => {
    const names = schemas.map((schema) => (schema as { $id?: string }).$id);
    expect(names).not.toContain(undefined);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it.each(named)('has an example of each path variable of %s, and a valid example of its body', (_id, operation) => {
    interface Shown {
      parameters: ({ in: string; example?: string } | { $ref: string })[];
      requestBody?: { content: Record<string, { example?: unknown }> };
    }
    const shown = document.paths[operation.path]![operation.method.toLowerCase()] as Shown;
    const variables = shown.parameters
      .map((parameter) => resolved<{ in: string; example?: string }>(document, parameter))
      .filter((parameter) => parameter.in === 'path');
    expect(variables.filter(({ example }) => example === undefined || example === '')).toEqual([]);
    if (operation.message.body === undefined) return;
    const { example } = shown.requestBody!.content['application/json']!;
    expect(example).toBeDefined();
    expect(compile(operation.message.body, schemas)(JSON.parse(JSON.stringify(example))).errors).toEqual([]);
  });

  it('shows every operation of the table at its own method and path', () => {
    const shown = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, shown]) => [
        (shown as { operationId: string }).operationId,
        method.toUpperCase(),
        path,
      ]),
    );
    expect(shown.sort()).toEqual(operations.map(({ id, method, path }) => [id, method, path]).sort());
  });

  it('has the payment error schema, which no operation returns', () => {
    const { PaymentErrors, ErrorRecord, ...others } = document.components.schemas as Record<
      string,
      Record<string, unknown>
    >;
    const { not, ...record } = ErrorRecord!;
    expect(not).toEqual({ $ref: '#/components/schemas/PaymentErrors' });
    expect(PaymentErrors).toMatchObject({
      type: 'object',
      required: ['Errors'],
      additionalProperties: false,
      properties: {
        Errors: {
          type: 'array',
          items: {
            required: ['code', 'description'],
            properties: { code: { type: 'integer' }, description: { type: 'string' } },
          },
        },
      },
    });
    expect(references([document.paths, document.components.responses, record, others])).not.toContain(
      '#/components/schemas/PaymentErrors',
    );
  });
});

interface Response {
  description: string;
  content?: Record<string, { schema: unknown; example?: unknown; examples?: Record<string, { value: unknown }> }>;
}

/** Every response of every operation, with a name for error messages. */
const responses = operations.flatMap((operation) => {
  const { responses: all } = document.paths[operation.path]![operation.method.toLowerCase()] as {
    responses: Record<string, Response | { $ref: string }>;
  };
  return Object.entries(all).map(([status, response]) => {
    return { id: operation.id, name: `${operation.id} ${status}`, response: resolved<Response>(document, response) };
  });
});

/** Returns the schemas of all objects that can be reached from a value. */
function objectsIn(value: unknown, seen = new Set<unknown>()): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  const inner = Object.entries(value)
    .filter(([key]) => !['example', 'examples', 'not'].includes(key))
    .flatMap(([key, one]) => objectsIn(key === '$ref' ? resolve(one as string) : one, seen));
  return 'properties' in value ? [value, ...inner] : inner;
}

/** Returns pointers to the operations, parameters, bodies and properties without a description. */
function silent(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const one = value as Record<string, unknown>;
  // A field of a schema may have the name `content`.
  const hasContent = 'content' in one && !at.endsWith('/properties');
  const isAsked = 'operationId' in one || hasContent || typeof one['in'] === 'string';
  const own = isAsked && !has(one) ? [at] : [];
  const properties = (one['properties'] ?? {}) as Record<string, Record<string, unknown>>;
  const unsaid = Object.entries(properties).filter(([, property]) => !has(property));
  const inner = Object.entries(one)
    .filter(([key]) => !['example', 'examples'].includes(key))
    .flatMap(([key, part]) => silent(part, `${at}/${key}`));
  return [...own, ...unsaid.map(([name]) => `${at}/${name}`), ...inner];
}

function has({ description }: Record<string, unknown>): boolean {
  return typeof description === 'string' && description.length >= 4;
}

describe('the content of the document', () => {
  it('every response with a body has an example', () => {
    // An operation that needs an authenticator, a printer or a receiver may lack an example of a successful response.
    const without = responses.filter(
      ({ id, response }) =>
        !needsHardware(id) &&
        Object.values(response.content ?? {}).some(
          ({ example, examples }) => example === undefined && Object.keys(examples ?? {}).length === 0,
        ),
    );
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it('every operation has each of its errors, with its schema and an example', () => {
    for (const operation of operations) {
      const { responses: shown } = document.paths[operation.path]![operation.method.toLowerCase()] as {
        responses: Record<string, Response | { $ref: string }>;
      };
      expect(Object.keys(shown).map(Number)).toEqual([...documentedStatuses(operation)].sort((a, b) => a - b));
      for (const [status, response] of Object.entries(shown).filter(([one]) => Number(one) >= 400)) {
        const { description, content = {} } = resolved<Response>(document, response);
        const [{ schema, examples = {} } = {}] = Object.values(content);
        const common = { $ref: expect.stringMatching(/\/(?:ErrorRecord|Problem|Inbound(?:Replacement)?Failure)$/) };
        const own = operation.message.ownErrors?.[Number(status)];
        expect([operation.id, status, description, schema, Object.keys(examples)]).toEqual([
          operation.id,
          status,
          expect.stringMatching(/^\S.{10,}/),
          own === undefined ? common : { anyOf: [{ $ref: `#/components/schemas/${own}` }, common] },
          expect.arrayContaining([expect.any(String)]),
        ]);
      }
    }
  });

  it('responses and events are open: fields may be added', () => {
    const bodies = [...responses.map(({ response }) => response.content), ...Object.values(document.webhooks)];
    expect(objectsIn(bodies).filter((schema) => schema['additionalProperties'] === false)).toEqual([]);
  });

  it('requests are closed: the service rejects unknown fields', () => {
    const bodies = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods) as { requestBody?: { content: Record<string, unknown> } }[])
      .map((operation) => operation.requestBody?.content['application/json']);
    expect(objectsIn(bodies).filter((schema) => schema['additionalProperties'] === undefined)).toEqual([]);
  });

  it('every property, parameter, response, request, operation and schema has a description', () => {
    const hint =
      'describe them in their schemas, or in src/service/web/openapi/glossary.ts where a name means the same everywhere';
    expect(
      silent(document.paths, '').concat(silent(document.webhooks, ''), silent(document.components, '')),
      hint,
    ).toEqual([]);
    const schemas = Object.entries(document.components.schemas as Record<string, { description?: string }>);
    expect(schemas.filter(([, { description = '' }]) => description.length < 5).map(([name]) => name)).toEqual([]);
  });

  it('the document refers to no page of the repository', () => {
    const pointers = committed.match(
      /.{0,60}(?:(?:facts|decisions?|design|endpoint) \d|docs\/decisions|\w+\.md\b).{0,20}/g,
    );
    expect(pointers).toBeNull();
  });

  it('every webhook has its own operationId, no credentials of the service, and descriptions of its headers', () => {
    interface Header {
      in: string;
      name: string;
      description: string;
    }
    const posts = Object.values(document.webhooks).map(
      (webhook) => webhook['post'] as { operationId: string; security: unknown; parameters: { $ref: string }[] },
    );
    expect(new Set(posts.map(({ operationId }) => operationId)).size).toBe(EVENT_TYPE_NAMES.length);
    for (const { security, parameters } of posts) {
      expect(security).toEqual([]);
      const headers = parameters.map((parameter) => resolved<Header>(document, parameter));
      expect(headers.map(({ in: place, name }) => `${place} ${name}`)).toEqual([
        'header webhook-id',
        'header webhook-timestamp',
        'header webhook-signature',
        'header traceparent',
      ]);
      expect(headers.every(({ description }) => description.length > 10)).toBe(true);
    }
  });

  it('every webhook has the fields of every event and those of its own type', () => {
    const schemas = document.components.schemas as Record<string, { required?: string[]; properties?: object }>;
    const { required = [], properties = {} } = schemas['WebhookEvent']!;
    expect([...required].sort()).toEqual(Object.keys(properties).sort());
    expect(required.sort()).toEqual([...Object.keys(eventMembers), 'timestamp'].sort());
    for (const [type, webhook] of Object.entries(document.webhooks)) {
      const { requestBody } = webhook['post'] as { requestBody: { content: Record<string, { schema: object }> } };
      expect(requestBody.content['application/json']!.schema).toMatchObject({
        allOf: [
          { $ref: '#/components/schemas/WebhookEvent' },
          { required: ['data'], properties: { type: { const: type }, data: { description: 'Data of the event.' } } },
        ],
      });
    }
  });

  it('every operation has one tag, and every tag has a description and operations', () => {
    const described = [...Object.values(document.paths), ...Object.values(document.webhooks)]
      .flatMap((methods) => Object.values(methods) as { tags: string[] }[])
      .map(({ tags }) => tags);
    expect(described.filter((tags) => tags.length !== 1)).toEqual([]);
    expect(new Set(described.flat())).toEqual(new Set(document.tags.map(({ name }) => name)));
    expect(document.tags.filter(({ description }) => !/^\S.{10,}\.$/.test(description))).toEqual([]);
  });

  it('every operation says since when it exists, who may call it, and which events follow from a write', () => {
    const all = Object.values(document.paths).flatMap((methods) => Object.entries(methods)) as [string, Extended][];
    expect(all).toHaveLength(operations.length);
    for (const [, operation] of all) {
      expect(operation['x-since'], operation.operationId).toMatch(/^0\.[1-6]\.0$/);
      expect(Object.keys(operation['x-access'])).toEqual(expect.arrayContaining(['storeLimit', 'nodeLimit']));
      expect(operation.description).toContain(`Since version ${operation['x-since']}.`);
    }
    const told = all.flatMap(([, operation]) => operation['x-events'] ?? []);
    expect(told.filter((type) => !(EVENT_TYPE_NAMES as readonly string[]).includes(type))).toEqual([]);
    const shown = (id: string) => all.find(([, { operationId }]) => operationId === id)![1];
    expect(shown('replaceInbound')).toMatchObject({
      'x-access': { groups: ['inbound'], permissions: ['installation'], signInWithin: '15 minutes' },
      'x-events': ['inbound.transmitted', 'inbound.voided'],
    });
    expect(shown('listStockTransactions')['x-access']).toEqual({
      groups: ['receiving', 'stock'],
      permissions: ['stock.read'],
      storeLimit: 'a limited caller is rejected',
      nodeLimit: 'the nodeId of the path must be in the limit',
    });
  });

  it('tables have every reason code, queue, state, SLA step, event type and error code', () => {
    const { description } = document.info;
    const codes = [
      ...DEFAULT_SETTINGS.cancelReasons.map(({ code }) => code),
      ...QUEUE_IDS,
      ...ORDER_STATES,
      ...PICK_TICKET_STATES,
      ...SLA_STEPS,
      ...EVENT_TYPE_NAMES,
      'INVALID_REQUEST',
      'OUTCOME_UNKNOWN',
    ];
    expect(codes.filter((code) => !description.includes(`| \`${code}\` |`))).toEqual([]);
  });
});

/** Statuses the interface lists for its operations. */
const LISTED: Record<string, number[]> = {
  'GET /item-service/stores/{storeId}/items/{itemId}': [200, 403, 404, 500],
  'DELETE /item-service/clients/{clientId}/items/{itemId}': [204, 403, 404],
  'POST /poasn-manager-service/sellers/{sellerId}/poasn/create': [200, 400],
  'POST /stores/{storeId}/nodes/{nodeId}/fulfillmentOrders': [200],
  'POST /stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/packslip/generate': [200, 400, 500],
  'POST /stores/{storeId}/fulfillmentOrder/search': [200],
  'POST /stores/{storeId}/nodes/{nodeId}/pickTicket/generate': [201],
  'PUT /stores/{storeId}/nodes/{nodeId}/pickTicket/update': [204],
  'GET /stores/{storeId}/nodes/{nodeId}/fulfillmentOrders/{fulfillmentOrderId}/checkin': [200, 400, 404, 500],
  'POST /stores/{storeId}/nodes/{nodeId}/fulfillmentOrders/{fulfillmentOrderId}/checkin': [204, 400, 500],
};

describe('the ten operations of the interface', () => {
  it.each(Object.entries(LISTED))('%s documents the statuses the interface lists', (route, statuses) => {
    const operation = operations.find(({ method, path }) => `${method} ${path}` === route);
    expect(operation, 'not in src/service/operations.ts').toBeDefined();
    expect([...documentedStatuses(operation!)]).toEqual(expect.arrayContaining(statuses));
    const successes = Object.keys(operation!.message.replies).map(Number);
    expect(successes).toEqual(statuses.filter((status) => status < 300));
  });
});

describe('every operation', () => {
  it('has a unique id of the form verbResource', () => {
    const ids = operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-zA-Z]*)+$/);
  });

  it.each(named)('%s has a summary of one line and a longer description', (_id, operation) => {
    expect(operation.summary).toMatch(/^\S.{5,100}$/);
    expect(operation.description.length).toBeGreaterThan(operation.summary.length);
  });
});
