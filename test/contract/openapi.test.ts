import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { tourToRead } from '../../src/demo/tour.ts';
import { buildOpenApi, documentedStatuses } from '../../src/http/openapi.ts';
import { compile } from '../../src/http/validate.ts';
import { operations, schemas } from '../../src/operations.ts';
import { VERSION } from '../../src/version.ts';

const samples = tourToRead();
const document = buildOpenApi(operations, schemas, VERSION, samples);
const contract = new URL('../../contract/', import.meta.url);
const named = operations.map((operation) => [operation.id, operation] as const);

/** Every value of every `$ref` in a document. */
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

describe('the OpenAPI document', () => {
  it('is committed as it is generated', () => {
    const committed = readFileSync(new URL('openapi.json', contract), 'utf8');
    expect(committed, 'run: npx node scripts/openapi.ts').toBe(`${JSON.stringify(document, null, 2)}\n`);
  });

  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  it('has no reference to nothing', () => {
    expect([...new Set(references(document))].filter((reference) => resolve(reference) === undefined)).toEqual([]);
  });

  it('names every schema once', () => {
    const names = schemas.map((schema) => (schema as { $id?: string }).$id);
    expect(names).not.toContain(undefined);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it.each(named)(
    'has an example of each variable of the path of %s, and of its body one that its schema takes',
    (_id, operation) => {
      interface Shown {
        parameters: { in: string; example?: string }[];
        requestBody?: { content: Record<string, { example?: unknown }> };
      }
      const shown = document.paths[operation.path]![operation.method.toLowerCase()] as Shown;
      const variables = shown.parameters.filter((parameter) => parameter.in === 'path');
      expect(variables.filter(({ example }) => example === undefined || example === '')).toEqual([]);
      if (operation.body === undefined) return;
      const { example } = shown.requestBody!.content['application/json']!;
      expect(example).toBeDefined();
      expect(compile(operation.body, schemas)(JSON.parse(JSON.stringify(example))).faults).toEqual([]);
    },
  );

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

  it('shows the payment error schema, which no operation answers', () => {
    const { PaymentErrors, ...others } = document.components.schemas;
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
    expect(references([document.paths, others])).not.toContain('#/components/schemas/PaymentErrors');
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
    expect(operation, 'not in src/operations.ts').toBeDefined();
    expect([...documentedStatuses(operation!)]).toEqual(expect.arrayContaining(statuses));
    const successes = Object.keys(operation!.replies).map(Number);
    expect(successes).toEqual(statuses.filter((status) => status < 300));
  });
});

describe('every operation', () => {
  it('has an id of its own that reads as verbResource', () => {
    const ids = operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-zA-Z]*)+$/);
  });

  it.each(named)('%s says what it does, in one line and in full', (_id, operation) => {
    expect(operation.summary).toMatch(/^\S.{5,100}$/);
    expect(operation.description.length).toBeGreaterThan(operation.summary.length);
  });
});
