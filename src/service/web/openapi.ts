/**
 * The OpenAPI 3.1 document, made from the table of operations, the named schemas and what the examples answered; committed as
 * contract/openapi.json, which the service serves.
 */

import { eventMembers } from '../../events/schema.ts';
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventTypeName } from '../../events/types.ts';
import { isAdding, isOperation, type Job, type Operation, pathParams } from '../../platform/http/operation.ts';
import { object, type TSchema } from '../../platform/schema.ts';
import { EDGE, ERROR_SCHEMAS, EVERYWHERE, errorName, errorResponse, sharedErrors } from './openapi/errors.ts';
import { introduction } from './openapi/info.ts';
import type { Table } from './openapi/reference.ts';
import { Components } from './openapi/schemas.ts';

const PARAMETERS: Record<string, string> = {
  clientId: 'Client (retailer), assigned by the operator',
  storeId: 'Web store (seller organization) of the client',
  sellerId: 'Seller, assigned by the operator; belongs to one client',
  nodeId: 'Node: a physical store or a warehouse of the client',
  itemId: 'Item: `<catalogId>-<clientItemId>`',
  fulfillmentOrderId: 'Fulfillment order',
  pickTicketId: 'Pick ticket',
  countId: 'Count of stock, named by whoever sends it',
  requestId: 'Re-source request',
  credentialId: 'Credential, as shown when it was made',
  webhookId: 'Webhook, named by its owner when it is made',
  userId: 'User of the console',
  providerId: 'Identity provider, named by the operator when it is made',
  deviceId: 'Enrolled device',
  passkeyId: 'Passkey, as the list of your passkeys has it',
  type: '`ASN` or `PO`',
  number: 'Number of the ASN or PO',
};

/** A request of an operation as somebody may send it. */
interface Sample {
  operationId: string;
  /** With its query. */
  path: string;
  body?: unknown;
  /** CSV text of an upload. */
  csv?: string;
}

/** What an operation answered to an example of contract/examples. */
export interface Answered {
  operationId: string;
  /** What the example shows, as a sentence. */
  name: string;
  status: number;
  body?: unknown;
}

export interface DocumentParts {
  /** Jobs, each before its operations. */
  contents: readonly (Job | Operation)[];
  schemas: readonly TSchema[];
  version: string;
  /** Of several samples of an operation the first is shown, as the example of its body and of its parameters. */
  samples?: readonly Sample[];
  answered?: readonly Answered[];
  /** One event of a type, as a webhook gets it. */
  events?: readonly { type: string }[];
  /** The table of error codes. */
  errorCodes?: Table;
}

/** Builds the document. It is deterministic: the same parts give the same bytes. */
export function buildOpenApi(parts: DocumentParts) {
  const { contents, version, samples = [], answered = [], events = [], errorCodes = [] } = parts;
  const operations = contents.filter(isOperation);
  const jobs = contents.filter((one): one is Job => !isOperation(one));
  const components = componentsOf(operations, parts.schemas);
  const shared = new Set<string>();
  const paths: Record<string, Record<string, unknown>> = {};
  let job: Job | undefined;
  for (const one of contents) {
    if (!isOperation(one)) {
      job = one;
      continue;
    }
    paths[one.path] ??= {};
    paths[one.path]![one.method.toLowerCase()] = describe(one, {
      tag: job?.name ?? '',
      components,
      shared,
      sample: samples.find(({ operationId }) => operationId === one.id),
      answered: answered.filter(({ operationId }) => operationId === one.id),
    });
  }
  const webhooks = EVENT_TYPE_NAMES.map((name) => {
    const example = events.find(({ type }) => type === name);
    return [name, webhook(name, components, example)] as const;
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Backroom',
      version,
      summary: 'Order fulfillment and catalog service for retailers',
      description: introduction(errorCodes),
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The installation that serves this document' }],
    tags: [...jobs.map(({ name, description }) => ({ name, description })), EVENTS],
    paths,
    webhooks: Object.fromEntries(webhooks),
    components: {
      schemas: { ...components.all(), ...ERROR_SCHEMAS },
      responses: sharedErrors(shared),
      headers: HEADERS,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'apiKey', description: 'Key of a client’s credential' },
        basic: { type: 'http', scheme: 'basic', description: 'User name and password of the same credential' },
        operatorKey: { type: 'http', scheme: 'bearer', description: 'Key of the operator' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-backroom',
          description:
            'Session of a person, made by `POST /session`; over http on this machine the cookie is named `backroom`',
        },
      },
    },
  };
}

function componentsOf(operations: readonly Operation[], schemas: readonly TSchema[]): Components {
  const taken = operations.flatMap(({ body, query }) => [body, query]);
  const replies = operations.flatMap(({ replies }) => Object.values(replies).map(({ schema }) => schema));
  const sent = [eventMembers, ...EVENT_TYPE_NAMES.map((name) => EVENT_TYPES[name].data)];
  return new Components(schemas, taken, [...replies, ...sent]);
}

/** Webhooks are no operations of the service, but the document groups them alike. */
const EVENTS: Job = { name: 'Deliveries', description: 'Requests that the service sends to your webhooks.' };

const HEADERS = {
  'X-Request-Id': {
    description: 'Identifier of the request: the caller’s own where it sent one.',
    schema: { type: 'string' },
    example: '019ca8c1-7000-7000-8000-00000000e0a1',
  },
  'X-Last-Record-Id': {
    description:
      'Id of the last record of the page: the `lastRecordId` of the next request. Not there on an empty page.',
    schema: { type: 'string' },
    example: '100000000101001',
  },
  'Idempotent-Replayed': {
    description: '`true` where this is the stored response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Retry-After': {
    description: 'Seconds after which to ask again.',
    schema: { type: 'string' },
    example: '2',
  },
  Allow: {
    description: 'Methods of the path, with commas.',
    schema: { type: 'string' },
    example: 'GET',
  },
};

/** A delivery of an event of a type; the feed shows the same fields but `timestamp`. */
function webhook(name: EventTypeName, components: Components, example: unknown): Record<string, unknown> {
  const { says, data } = EVENT_TYPES[name];
  const members = object({ ...eventMembers, data: data as ReturnType<typeof object> });
  const shown = components.show(members, 'response') as { properties: Record<string, Record<string, unknown>> };
  const properties = { ...shown.properties, data: { ...shown.properties['data'], description: 'What changed.' } };
  const schema = {
    type: 'object',
    properties: {
      ...properties,
      type: { const: name, description: 'What happened.' },
      timestamp: { type: 'string', description: 'The same as `at`.' },
    },
    required: [...Object.keys(properties), 'timestamp'],
  };
  return {
    post: {
      operationId: `on${name[0]!.toUpperCase()}${name.slice(1).replace(/\.(\w)/, (_dot, letter: string) => letter.toUpperCase())}`,
      tags: [EVENTS.name],
      summary: says,
      description:
        'Sent to the webhooks of the client that have this type, signed by the rules of Standard Webhooks 1.0.0. Answer any 2xx once you have stored it.',
      security: [],
      parameters: SIGNATURE.map(([header, description, value]) => ({
        name: header,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
        example: value,
      })),
      requestBody: {
        description: 'The event.',
        required: true,
        content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
      },
      responses: {
        '2XX': { description: 'You have it. After any other answer, or none within 15 seconds, it is sent again.' },
        410: { description: 'You want no more: the webhook is disabled.' },
      },
    },
  };
}

/** Headers of a delivery, with an example. */
const SIGNATURE = [
  ['webhook-id', 'The `eventId`: the same however often it is sent.', '019ca8c1-7000-7000-8000-000000000001'],
  ['webhook-timestamp', 'When this attempt was made, in seconds since 1970.', '1772452800'],
  [
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA-256 over `<webhook-id>.<webhook-timestamp>.<body>`; two of them, with a space, while a secret is being replaced.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
  [
    'traceparent',
    'The trace of the request that caused the event (W3C Trace Context). `tracestate` comes with it if the request had one.',
    '00-019ca8c170007000a000000000000001-a000000000000001-01',
  ],
] as const;

const SECURITY: Record<Operation['auth'], unknown[]> = {
  basic: [{ apiKey: [], basic: [] }, { session: [] }],
  apiKey: [{ apiKey: [] }, { session: [] }],
  operator: [{ operatorKey: [] }, { session: [] }],
  operatorOrApiKey: [{ operatorKey: [] }, { apiKey: [] }, { session: [] }],
  session: [{ session: [] }],
  browser: [],
  none: [],
};

/** What an operation is described with. */
interface Around {
  tag: string;
  components: Components;
  /** Takes the names of the shared responses that are referred to. */
  shared: Set<string>;
  sample: Sample | undefined;
  answered: readonly Answered[];
}

function describe(operation: Operation, around: Around): Record<string, unknown> {
  const { tag, components, sample } = around;
  const values = sample === undefined ? {} : valuesIn(operation, sample.path);
  const withExample = (parameter: { name: string }) => {
    const example = values[parameter.name];
    return example === undefined ? parameter : { ...parameter, example };
  };
  return {
    operationId: operation.id,
    tags: [tag],
    summary: operation.summary,
    description: operation.description + repeatOf(operation),
    security: SECURITY[operation.auth],
    parameters: [
      ...pathParams(operation.path).map(pathParameter).map(withExample),
      ...queryParameters(operation, components).map(withExample),
      ...headerParameters(operation),
    ],
    ...(requestBody(operation, components, sample) ?? {}),
    responses: responses(operation, around),
  };
}

/** A caller that retries a write must know where a repeat adds something (docs/api.md#retries). */
function repeatOf(operation: Operation): string {
  if (!isAdding(operation)) return '';
  const { adds, unless } = operation.repeat;
  const ids = [unless === undefined ? [] : [`\`${unless}\``], operation.keyless === true ? [] : ['an Idempotency-Key']];
  const safe = ids.flat().join(' or ');
  return `\n\nThe same request again adds ${adds}.${safe === '' ? '' : ` To retry safely, send ${safe}.`}`;
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
  return { name, in: 'path', required: true, description: PARAMETERS[name], schema: { type: 'string' } };
}

function queryParameters(operation: Operation, components: Components): { name: string }[] {
  if (operation.query === undefined) return [];
  const { properties = {}, required = [] } = components.show(operation.query, 'request') as {
    properties?: Record<string, Record<string, unknown>>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: description ?? PARAMETERS[name],
    schema,
  }));
}

function headerParameters(operation: Operation): unknown[] {
  const requestId = {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Identifier of the request, echoed; 1 to 128 of `A-Z a-z 0-9 . _ -`, else a new one is made',
    schema: { type: 'string' },
  };
  if (operation.access === 'read' || operation.keyless === true) return [requestId];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description: 'Makes a retry safe: the same key and body get the stored response with `Idempotent-Replayed: true`',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    },
    requestId,
  ];
}

function requestBody(
  operation: Operation,
  components: Components,
  sample: Sample | undefined,
): Record<string, unknown> | undefined {
  if (operation.consumes === 'multipart') {
    const schema = {
      type: 'object',
      required: ['filename'],
      properties: {
        filename: { type: 'string', format: 'binary', contentMediaType: 'text/csv', description: 'The CSV file' },
      },
    };
    const example = sample?.csv && { example: { filename: sample.csv.replaceAll('\\n', '\n') } };
    const content = { 'multipart/form-data': { schema, ...example } };
    return { requestBody: { description: 'A form with the file.', required: true, content } };
  }
  if (operation.body === undefined) return undefined;
  const schema = components.show(operation.body, 'request');
  const example = sample?.body;
  const content: Record<string, unknown> = {
    'application/json': { schema, ...(example !== undefined && { example }) },
  };
  if (operation.consumes === 'json-any-label') {
    const text = { type: 'string', description: 'The same JSON text under this label; XML itself is refused' };
    content['application/xml'] = { schema: text, ...(example !== undefined && { example: JSON.stringify(example) }) };
  }
  return { requestBody: { description: 'The message.', required: true, content } };
}

/** Statuses of errors with their cause where the operation names one itself, else undefined. */
function errorCauses(operation: Operation): Map<number, string | undefined> {
  const causes = new Map<number, string | undefined>(EVERYWHERE.map((status) => [status, undefined]));
  if (operation.auth !== 'none' && operation.auth !== 'browser') causes.set(401, undefined);
  if (operation.access === 'write' && operation.keyless !== true) {
    causes.set(409, undefined);
    causes.set(422, undefined);
  }
  for (const [status, cause] of Object.entries(operation.refusals ?? {})) causes.set(Number(status), cause);
  return new Map([...causes].sort(([a], [b]) => a - b));
}

function responses(operation: Operation, { components, shared, answered }: Around): Record<string, unknown> {
  const shape = operation.errors ?? 'record';
  const all: Record<string, unknown> = {};
  for (const [status, { description, schema }] of Object.entries(operation.replies)) {
    const examples = examplesOf(answered, Number(status));
    const content = schema && {
      'application/json': { schema: components.show(schema, 'response'), ...(examples && { examples }) },
    };
    all[status] = { description, headers: successHeaders(operation), ...(content && { content }) };
  }
  for (const [status, cause] of errorCauses(operation)) {
    const examples = keyed(answered, status);
    if (cause === undefined && examples.length === 0) {
      const name = errorName(shape, status);
      shared.add(name);
      all[status] ??= { $ref: `#/components/responses/${name}` };
    } else all[status] ??= errorResponse(shape, status, cause ?? EDGE[status]!.says, examples);
  }
  return all;
}

function successHeaders(operation: Operation): Record<string, unknown> {
  const body = operation.body as { properties?: Record<string, unknown> } | undefined;
  const names = ['X-Request-Id'];
  if (operation.access === 'write' && operation.keyless !== true) names.push('Idempotent-Replayed');
  if (body?.properties?.['lastRecordId'] !== undefined) names.push('X-Last-Record-Id');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The answers of a status with a key each, made of the first words of their sentence. */
function keyed(answered: readonly Answered[], status: number) {
  const keys = new Set<string>();
  return answered
    .filter((one) => one.status === status && one.body !== undefined)
    .map(({ name, body }) => {
      const words = name
        .normalize('NFKD')
        .replace(/[^\w\s-]/g, '')
        .toLowerCase()
        .split(/\s+/)
        .slice(0, 8)
        .join('-');
      let key = words;
      for (let count = 2; keys.has(key); count += 1) key = `${words}-${count}`;
      keys.add(key);
      return { key, summary: name, value: body };
    });
}

function examplesOf(answered: readonly Answered[], status: number): Record<string, unknown> | undefined {
  const examples = keyed(answered, status);
  if (examples.length === 0) return undefined;
  return Object.fromEntries(examples.map(({ key, summary, value }) => [key, { summary, value }]));
}

/** Every status an operation may answer: its own, its errors' and the edge's. 5xx but 503 is always a bug. */
export function documentedStatuses(operation: Operation): Set<number> {
  return new Set([...Object.keys(operation.replies).map(Number), ...errorCauses(operation).keys()]);
}
