/** The OpenAPI 3.1 document, made from the operations table and the named schemas; committed as contract/openapi.json. */

import { eventMembers } from '../events/schema.ts';
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventTypeName } from '../events/types.ts';
import { object, type TSchema } from '../schema.ts';
import { groupsOf, type Operation, pathParams } from './operation.ts';

const PARAMETERS: Record<string, string> = {
  clientId: 'Client (retailer), assigned by the operator',
  storeId: 'Web store (seller organization) of the client',
  sellerId: 'Seller, assigned by the operator; belongs to one client',
  nodeId: 'Node: a physical store or a warehouse of the client',
  itemId: 'Item: `<catalogId>-<clientItemId>`',
  fulfillmentOrderId: 'Fulfillment order',
  credentialId: 'Credential, as answered when it was made',
  webhookId: 'Webhook, named by who makes it',
  userId: 'User of the console',
  type: 'ASN or PO',
  number: 'Number of the ASN or PO',
};

/** Statuses that any operation can answer (decision 15). */
export const EDGE_STATUSES: Record<number, string> = {
  400: 'The request is not valid; `errors` lists every fault.',
  403: 'Credentials are missing or not valid, or the path names what is not the caller’s.',
  404: 'There is no such path.',
  405: 'The path has other methods; see `Allow`.',
  408: 'The request did not arrive in time.',
  413: 'The body is too large.',
  414: 'The path is too long.',
  415: 'The body’s media type is not read here.',
  429: 'Too many requests; see `Retry-After`.',
  431: 'The headers are too large.',
  503: 'The service cannot answer now and changed nothing; see `Retry-After`.',
};

const GROUP_TAGS: Record<string, string> = {
  items: 'Item master',
  inbound: 'Inbound receiving',
  fulfillment: 'Store fulfillment',
  intake: 'Order intake',
  events: 'Events and webhooks',
  supervise: 'Store fulfillment',
};

/** A request of an operation as somebody may send it. */
export interface Sample {
  operationId: string;
  /** With its query. */
  path: string;
  body?: unknown;
}

/**
 * Builds the document. It is deterministic: the same table and the same samples give the same bytes. Of several samples of an
 * operation the first is shown, as the example of its body and of its parameters.
 */
export function buildOpenApi(
  operations: readonly Operation[],
  schemas: readonly TSchema[],
  version: string,
  samples: readonly Sample[] = [],
) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const sample = samples.find(({ operationId }) => operationId === operation.id);
    paths[operation.path] ??= {};
    paths[operation.path]![operation.method.toLowerCase()] = describe(operation, sample);
  }
  const named = schemas.map((schema) => {
    const { $id, ...rest } = schema as TSchema & { $id: string };
    return [$id, toDocument(rest)] as const;
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Backroom',
      version,
      summary: 'Order fulfillment and catalog service for retailers',
      description:
        'Item master, inbound shipments and store fulfillment. Conventions, error codes and known quirks are in docs/api.md. ' +
        'In every request body a member that is null counts as not sent; no response contains null where a schema does not say so.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set([...Object.values(GROUP_TAGS), 'Operator'])].map((name) => ({ name })),
    paths,
    webhooks: Object.fromEntries(EVENT_TYPE_NAMES.map((name) => [name, webhook(name)])),
    components: {
      schemas: { ...Object.fromEntries(named), ...ERROR_SCHEMAS },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'apiKey', description: 'Key of a client’s credential' },
        basic: { type: 'http', scheme: 'basic', description: 'User name and password of the same credential' },
        operatorKey: { type: 'http', scheme: 'bearer', description: 'Key of the operator' },
      },
    },
  };
}

/** A delivery of an event of a type; the feed shows the same members but `timestamp`. */
function webhook(name: EventTypeName): Record<string, unknown> {
  const { says, data } = EVENT_TYPES[name];
  const properties = {
    ...(toDocument(object(eventMembers)) as { properties: Record<string, unknown> }).properties,
    type: { const: name },
    timestamp: { type: 'string', description: 'The same as `at`' },
    data: toDocument(data),
  };
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  return {
    post: {
      tags: [GROUP_TAGS['events']],
      summary: says,
      description: 'Sent to webhooks of the client, signed by the rules of Standard Webhooks; see docs/events.md.',
      parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((header) => ({
        name: header,
        in: 'header',
        required: true,
        schema: { type: 'string' },
      })),
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { '2XX': { description: 'Taken; whatever else is answered, the event is sent again.' } },
    },
  };
}

const SECURITY: Record<Operation['auth'], unknown[]> = {
  basic: [{ apiKey: [], basic: [] }],
  apiKey: [{ apiKey: [] }],
  operator: [{ operatorKey: [] }],
  operatorOrApiKey: [{ operatorKey: [] }, { apiKey: [] }],
  none: [],
};

function describe(operation: Operation, sample: Sample | undefined): Record<string, unknown> {
  const values = sample === undefined ? {} : valuesIn(operation, sample.path);
  const withExample = (parameter: { name: string }) => {
    const example = values[parameter.name];
    return example === undefined ? parameter : { ...parameter, example };
  };
  return {
    operationId: operation.id,
    tags: [operation.auth === 'operator' ? 'Operator' : (GROUP_TAGS[groupsOf(operation)[0] ?? ''] ?? 'Operator')],
    summary: operation.summary,
    description: operation.description,
    security: SECURITY[operation.auth],
    parameters: [
      ...pathParams(operation.path).map(pathParameter).map(withExample),
      ...queryParameters(operation).map(withExample),
      ...headerParameters(operation),
    ],
    ...(requestBody(operation, sample) ?? {}),
    responses: responses(operation),
  };
}

/** The values of the path's variables and of the query, by name. */
function valuesIn(operation: Operation, path: string): Record<string, string> {
  const [segments = '', query = ''] = path.split('?');
  const sent = segments.split('/');
  const names = operation.path.split('/').map((segment) => /^\{(\w+)\}$/.exec(segment)?.[1]);
  const variables = names.flatMap((name, index) => (name === undefined ? [] : [[name, sent[index] ?? ''] as const]));
  return Object.fromEntries([...variables, ...new URLSearchParams(query)]);
}

function pathParameter(name: string) {
  return { name, in: 'path', required: true, description: PARAMETERS[name] ?? name, schema: { type: 'string' } };
}

function queryParameters(operation: Operation): { name: string }[] {
  const query = operation.query as { properties?: Record<string, TSchema>; required?: string[] } | undefined;
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = toDocument(schema) as { description?: string };
    return {
      name,
      in: 'query',
      required: query?.required?.includes(name) ?? false,
      ...(description && { description }),
      schema: rest,
    };
  });
}

function headerParameters(operation: Operation): unknown[] {
  const requestId = {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Identifier of the request, echoed; 1 to 128 of `A-Z a-z 0-9 . _ -`, else a new one is made',
    schema: { type: 'string' },
  };
  if (operation.access === 'read') return [requestId];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description: 'Makes a repeat safe: the same key and body get the stored answer with `Idempotent-Replayed: true`',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    },
    requestId,
  ];
}

function requestBody(operation: Operation, sample: Sample | undefined): Record<string, unknown> | undefined {
  if (operation.consumes === 'multipart') {
    const schema = {
      type: 'object',
      required: ['filename'],
      properties: { filename: { type: 'string', contentMediaType: 'text/csv', description: 'The CSV file' } },
    };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (operation.body === undefined) return undefined;
  const schema = toDocument(operation.body);
  const example = sample?.body === undefined ? {} : { example: sample.body };
  const content: Record<string, unknown> = { 'application/json': { schema, ...example } };
  if (operation.consumes === 'json-any-label')
    content['application/xml'] = {
      schema: { type: 'string', description: 'The same JSON text under this label; XML itself is refused' },
    };
  return { requestBody: { required: true, content } };
}

function responses(operation: Operation): Record<string, unknown> {
  const shape = operation.errors ?? 'record';
  const type = shape === 'problem' ? 'application/problem+json' : 'application/json';
  const name = shape === 'problem' ? 'Problem' : shape === 'inbound' ? 'InboundFailure' : 'ErrorRecord';
  const refusals: Partial<Record<number, string>> = { ...EDGE_STATUSES, ...operation.refusals };
  if (operation.auth === 'operator' || operation.auth === 'operatorOrApiKey') {
    refusals[401] = 'No operator key, or not a valid one.';
  }
  if (operation.access === 'write') {
    refusals[409] ??= 'The first request with this Idempotency-Key is still running.';
    refusals[422] = 'The Idempotency-Key was used with another body.';
  }
  const all: Record<string, unknown> = {};
  for (const [status, { description, schema }] of Object.entries(operation.replies)) {
    all[status] = {
      description,
      headers: { 'X-Request-Id': { schema: { type: 'string' } } },
      ...(schema && { content: { 'application/json': { schema: toDocument(schema) } } }),
    };
  }
  for (const [status, description] of Object.entries(refusals)) {
    all[status] ??= { description, content: { [type]: { schema: { $ref: `#/components/schemas/${name}` } } } };
  }
  return all;
}

/** Every status an operation may answer: its own, its refusals' and the edge's. 5xx but 503 is always a bug. */
export function documentedStatuses(operation: Operation): Set<number> {
  return new Set(Object.keys(responses(operation)).map(Number));
}

const FAULT = {
  type: 'object',
  required: ['pointer', 'rule', 'message'],
  properties: {
    pointer: { type: 'string', description: 'JSON pointer into the body, or `path:name`, `query:name`, `header:name`' },
    rule: { type: 'string', description: 'The rule that is broken' },
    limit: { description: 'The limit of the rule, where it has one' },
    message: { type: 'string', description: 'What is wrong and how to mend it' },
  },
};
const ERRORS = { type: 'array', maxItems: 100, items: FAULT };
const ERRORS_TOTAL = {
  description: 'How many faults there are; "100+" when counting stopped',
  type: ['integer', 'string'],
};

const ERROR_SCHEMAS: Record<string, unknown> = {
  ErrorRecord: {
    type: 'object',
    description: 'Refusal of an item or fulfillment operation. A conflict also names the ticket that holds an order.',
    required: ['category', 'code', 'description', 'requestId'],
    properties: {
      category: { type: 'string', enum: ['VALIDATION', 'RESOURCE', 'SECURITY', 'STATE', 'INTERNAL'] },
      code: { type: 'string' },
      description: { type: 'string' },
      requestId: { type: 'string' },
      errors: ERRORS,
      errorsTotal: ERRORS_TOTAL,
      pickTicketId: { type: 'string', description: 'Ticket that holds an order' },
      userId: { type: 'string', description: 'User of that ticket' },
      since: { type: 'string', description: 'When that ticket was generated' },
    },
  },
  Problem: {
    type: 'object',
    description: 'Problem details (RFC 9457).',
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
    properties: {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      code: { type: 'string' },
      requestId: { type: 'string' },
      errors: ERRORS,
      errorsTotal: ERRORS_TOTAL,
    },
  },
  InboundFailure: {
    type: 'object',
    description: 'Failure of an inbound message; nothing of it was stored.',
    required: ['poAsnData'],
    properties: {
      poAsnData: {
        type: 'array',
        items: {
          type: 'object',
          required: ['status', 'poAsnNumber', 'successfull_imported', 'errors'],
          properties: {
            status: { type: 'string', const: 'FAILED' },
            poAsnNumber: { type: 'string', description: 'May be empty' },
            successfull_imported: { type: 'string' },
            errors: {
              type: 'array',
              items: {
                type: 'object',
                required: ['code', 'message', 'poAsnErrorPayload', 'type'],
                properties: {
                  code: { type: 'string' },
                  message: { type: 'string' },
                  poAsnErrorPayload: { type: 'object', description: 'The values complained of' },
                  type: { type: 'string', enum: ['HEADER_LEVEL_ERROR', 'DETAIL_LEVEL_ERROR'] },
                },
              },
            },
          },
        },
      },
      requestId: { type: 'string' },
      errorsTotal: ERRORS_TOTAL,
    },
  },
  PaymentErrors: {
    type: 'object',
    description: 'Payment error schema of the interface. No operation answers it.',
    required: ['Errors'],
    properties: {
      Errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['code', 'description'],
          properties: { code: { type: 'integer' }, description: { type: 'string' } },
        },
      },
    },
    additionalProperties: false,
  },
};

/** A schema as it stands in the document: references into components, own annotations as words. */
function toDocument(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toDocument);
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('x-nullable' in schema) {
    const { 'x-nullable': _isNullable, description, ...whole } = schema as { 'x-nullable': true; description?: string };
    return { anyOf: [toDocument(whole), { type: 'null' }], ...(description !== undefined && { description }) };
  }
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$ref') out['$ref'] = `#/components/schemas/${String(value).replace(/#$/, '')}`;
    else if (key === '$id' || key === 'x-mend' || key === 'x-secret') continue;
    else if (key === 'decimal') out['x-decimal'] = value;
    else if (key === 'format' && value === 'iso-date') out['x-format'] = 'ISO 8601 date or date-time';
    else if (key === 'examples' || key === 'enum' || key === 'const' || key === 'default') out[key] = value;
    else if (key === 'x-ignored')
      out['description'] ??= 'Accepted and ignored, so that what a reply shows may be sent back.';
    else out[key] = toDocument(value);
  }
  if (typeof (schema as { $id?: string }).$id === 'string')
    return { $ref: `#/components/schemas/${(schema as { $id: string }).$id}` };
  return out;
}
