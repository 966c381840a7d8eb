/**
 * The OpenAPI 3.1 document, made from the table of operations, the named schemas and the responses of the examples. It
 * is committed as contract/openapi.json, which the service serves.
 */

import { eventMembers } from '../../events/schema.ts';
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventTypeName } from '../../events/types.ts';
import { GROUPS } from '../../platform/ctx.ts';
import { needsBody } from '../../platform/http/body.ts';
import {
  type Auth,
  groupsOf,
  isAdding,
  isOperation,
  type Job,
  type Operation,
  pathParams,
  permissionsAsked,
} from '../../platform/http/operation.ts';
import { object, type TSchema } from '../../platform/schema.ts';
import { EDGE, ERROR_SCHEMAS, EVERYWHERE, errorName, errorResponse, sharedErrors } from './openapi/errors.ts';
import { introduction } from './openapi/info.ts';
import type { Table } from './openapi/reference.ts';
import { Components } from './openapi/schemas.ts';
import { share } from './openapi/share.ts';

const PARAMETERS: Record<string, string> = {
  boxId: 'Number of the package in the order',
  clientId: 'Client (retailer), assigned by the operator',
  storeId: 'Web store (seller organization) of the client',
  sellerId: 'Seller, assigned by the operator. A seller belongs to one client',
  nodeId: 'Node: a physical store or a warehouse of the client',
  itemId: 'Item: `<catalogId>-<clientItemId>`',
  fulfillmentOrderId: 'Fulfillment order',
  handOverId: 'Id of the hand-over, from the event order.handedOver',
  pickTicketId: 'Pick ticket',
  countId: 'Id of a count of stock, chosen by its sender',
  requestId: 'Re-source request',
  credentialId: 'Credential, from the response of its creation',
  webhookId: 'Id of the webhook, chosen by its owner at its creation',
  userId: 'User of the console',
  partnerId:
    'Id of the EDI partner, chosen at its creation: 1 to 30 letters, digits, periods, underscores or hyphens, and not `.` or `..`',
  planId: 'Id of the count plan, chosen at its creation',
  interchangeId: 'Interchange',
  returnId: 'Id of the return, assigned by the service',
  refundId: 'Id of the refund, assigned by the service',
  providerId: 'Id of the identity provider, chosen by the operator at its creation',
  deviceId: 'Enrolled device',
  passkeyId: 'Passkey, from the list of your passkeys',
  type: '`ASN` or `PO`. In paths of a node also `BLIND`: goods without papers',
  number: 'Number of the shipment',
};

/** A sample request of an operation. */
interface Sample {
  operationId: string;
  /** Absent if the request only prepares the sample of the next operation. */
  isExample?: true;
  /** Path and query. */
  path: string;
  body?: unknown;
  /** CSV text of an upload. */
  csv?: string;
  /** X12 text of the body. */
  x12?: string;
}

/** The response to an example in contract/examples. */
export interface Answered {
  operationId: string;
  /** The subject of the example, as a sentence. */
  name: string;
  status: number;
  body?: unknown;
}

export interface DocumentParts {
  /** Every operation, grouped by task: each task is followed by its operations. */
  contents: readonly (Job | Operation)[];
  schemas: readonly TSchema[];
  version: string;
  /** Sample requests. The first sample of an operation is the example of its body and of its parameters. */
  samples?: readonly Sample[];
  answered?: readonly Answered[];
  /** One event of each type, in the form of a webhook delivery. */
  events?: readonly { type: string }[];
  /** The table of error codes. */
  errorCodes?: Table;
}

/** Builds the document. The same parts always give the same bytes. */
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
      sample: samples.find(({ operationId, isExample }) => isExample && operationId === one.id),
      answered: answered.filter(({ operationId }) => operationId === one.id),
    });
  }
  const webhooks = EVENT_TYPE_NAMES.map((name) => {
    const example = events.find(({ type }) => type === name);
    return [name, webhook(name, components, example)] as const;
  });
  return share({
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
      schemas: { ...components.all(), [ENVELOPE]: envelope(components), ...ERROR_SCHEMAS },
      responses: sharedErrors(shared),
      headers: HEADERS,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'apiKey', description: 'Key of a client’s credential' },
        basic: { type: 'http', scheme: 'basic', description: 'User name and password of the same credential' },
        accessToken: {
          type: 'oauth2',
          description:
            'Access token of a credential, valid for an hour. The token replaces `apiKey` and `basic`. `POST /oauth/token` accepts client_secret_basic with user name and password of the credential; the scopes are the groups of the credential.',
          flows: {
            clientCredentials: {
              tokenUrl: '/oauth/token',
              scopes: Object.fromEntries(GROUPS.map((group) => [group, `Operations of the group ${group}`])),
            },
          },
        },
        operatorKey: { type: 'http', scheme: 'bearer', description: 'Key of the operator' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-backroom',
          description:
            'Session of a person, from `POST /session`; over http on this machine the cookie has the name `backroom`',
        },
      },
    },
  });
}

function componentsOf(operations: readonly Operation[], schemas: readonly TSchema[]): Components {
  const taken = operations.flatMap(({ message: { body, query } }) => [body, query]);
  const replies = operations.flatMap(({ message: { replies } }) => Object.values(replies).map(({ schema }) => schema));
  const sent = [eventMembers, ...EVENT_TYPE_NAMES.map((name) => EVENT_TYPES[name].data)];
  return new Components(schemas, taken, [...replies, ...sent]);
}

/** The version in development, for operations without `since`. */
const NEXT_VERSION = '0.6.0';

/** The group of webhook deliveries. They are not operations of the service, but the document lists them. */
const EVENTS: Job = { name: 'Deliveries', description: 'Requests that the service sends to your webhooks.' };

const HEADERS = {
  'X-Request-Id': {
    description: 'Identifier of the request: the identifier that you sent, or a new one.',
    schema: { type: 'string' },
    example: '019ca8c1-7000-7000-8000-00000000e0a1',
  },
  'X-Last-Record-Id': {
    description:
      'Id of the last record of the page: the `lastRecordId` of the next request. For an empty page, the header has the id after which the page begins. An empty page at the start of the list has no such header. A page with fewer than `pageSize` records is the last one.',
    schema: { type: 'string' },
    example: '100000000101001',
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the stored response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'RateLimit-Limit': {
    description: 'Requests per minute that the caller may send, if the operator limits them.',
    schema: { type: 'string' },
    example: '600',
  },
  'RateLimit-Remaining': {
    description: 'Requests that the caller can still send now.',
    schema: { type: 'string' },
    example: '599',
  },
  'RateLimit-Reset': {
    description: 'Seconds until the caller can send all requests of the limit again.',
    schema: { type: 'string' },
    example: '1',
  },
  ETag: {
    description: 'The revision of the resource in the response, for `If-Match` of the next change.',
    schema: { type: 'string' },
    example: '"7"',
  },
  Deprecation: {
    description:
      'The time since which the old parameter name or the operation is deprecated, as `@` and seconds since 1970 (RFC 9745). Present only if the request used it.',
    schema: { type: 'string' },
    example: '@1795651200',
  },
  Sunset: {
    description: 'Time until which the old form works at least (RFC 8594). Present only with `Deprecation`.',
    schema: { type: 'string' },
    example: 'Fri, 26 Nov 2027 00:00:00 GMT',
  },
  'Content-Language': {
    description: 'Language of the sentences in the response, by `Accept-Language` of the request: `en`, `de` or `es`.',
    schema: { type: 'string' },
    example: 'en',
  },
  Vary: {
    description: 'Request headers on which the response depends.',
    schema: { type: 'string' },
    example: 'accept-language',
  },
  'Retry-After': {
    description: 'Number of seconds to wait before the request is sent again.',
    schema: { type: 'string' },
    example: '2',
  },
  Allow: {
    description: 'Methods of the path, separated by commas.',
    schema: { type: 'string' },
    example: 'GET',
  },
};

/** Name of the schema with the fields of every delivery. */
const ENVELOPE = 'WebhookEvent';

/** Returns the fields of every delivery: the fields of an event in the feed, and `timestamp`. */
function envelope(components: Components): Record<string, unknown> {
  const { properties } = components.show(object(eventMembers), 'response') as { properties: Record<string, unknown> };
  return {
    type: 'object',
    description: 'Event as a webhook gets it. The schema of its type adds `data`.',
    required: [...Object.keys(properties), 'timestamp'],
    properties: { ...properties, timestamp: { type: 'string', description: 'Other name of `at`.' } },
  };
}

/** Returns the entry of an event type in `webhooks` of the document. */
function webhook(name: EventTypeName, components: Components, example: unknown): Record<string, unknown> {
  const { says, data } = EVENT_TYPES[name];
  const shown = components.show(object({ data: data as ReturnType<typeof object> }), 'response') as {
    properties: { data: Record<string, unknown> };
  };
  const own = {
    type: 'object',
    required: ['data'],
    properties: {
      type: { const: name, description: 'Type of the event.' },
      data: { ...shown.properties.data, description: 'Data of the event.' },
    },
  };
  const schema = { allOf: [{ $ref: `#/components/schemas/${ENVELOPE}` }, own] };
  return {
    post: {
      operationId: `on${name[0]!.toUpperCase()}${name.slice(1).replace(/\.(\w)/, (_dot, letter: string) => letter.toUpperCase())}`,
      tags: [EVENTS.name],
      summary: says,
      description:
        'The service sends this event to each webhook of the client whose `types` include its type. A webhook without `types` gets events of all types. Requests are signed according to Standard Webhooks 1.0.0. Respond with any 2xx after you have stored the event.',
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
        '2XX': {
          description:
            'You have stored the event. After any other response, or none within 15 seconds, the service sends it again.',
        },
        410: { description: 'You want no more events: the service disables the webhook.' },
      },
    },
  };
}

/** Headers of a delivery, with an example. */
const SIGNATURE = [
  ['webhook-id', 'The `eventId`, the same in every attempt.', '019ca8c1-7000-7000-8000-000000000001'],
  ['webhook-timestamp', 'Time of this attempt, in seconds since 1970.', '1772452800'],
  [
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA-256 over `<webhook-id>.<webhook-timestamp>.<body>`. While a secret is being replaced, the header has two such signatures, separated by a space.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
  [
    'traceparent',
    'The trace of the request that caused the event (W3C Trace Context). The delivery has `tracestate` too if the request had one.',
    '00-019ca8c170007000a000000000000001-a000000000000001-01',
  ],
] as const;

const SECURITY: Record<Auth, unknown[]> = {
  basic: [{ apiKey: [], basic: [] }, { session: [] }],
  apiKey: [{ apiKey: [] }, { session: [] }],
  operator: [{ operatorKey: [] }, { session: [] }],
  operatorOrApiKey: [{ operatorKey: [] }, { apiKey: [] }, { session: [] }],
  session: [{ session: [] }],
  browser: [],
  none: [],
};

/**
 * Returns the credentials that an operation accepts. An access token needs one of the operation's groups as a scope.
 */
function securityOf(operation: Operation): unknown[] {
  const own = SECURITY[operation.access.auth];
  const tokens = groupsOf(operation).map((group) => ({ accessToken: [group] }));
  return own.length < 2 ? own : [...own.slice(0, -1), ...tokens, ...own.slice(-1)];
}

/** Parts of the document that the description of an operation needs. */
interface Around {
  tag: string;
  components: Components;
  /** Collects the names of the shared responses that are used. */
  shared: Set<string>;
  sample: Sample | undefined;
  answered: readonly Answered[];
}

function describe(operation: Operation, around: Around): Record<string, unknown> {
  const { tag, components, sample } = around;
  const values = sample === undefined ? {} : valuesIn(operation, sample.path);
  const withExample = (parameter: { name: string; schema: object }) => {
    const example = values[parameter.name];
    if (example === undefined) return parameter;
    const { type } = parameter.schema as { type?: string | string[] };
    const isWhole = [type].flat().includes('integer');
    return { ...parameter, example: isWhole ? Number(example) : example };
  };
  return {
    operationId: operation.id,
    tags: [tag],
    summary: operation.summary,
    description:
      operation.description + repeatOf(operation) + eventsOf(operation) + accessOf(operation) + sinceOf(operation),
    ...(operation.deprecated !== undefined && { deprecated: true, 'x-sunset': operation.deprecated.sunset }),
    'x-since': operation.since ?? NEXT_VERSION,
    'x-access': accessRules(operation),
    ...(operation.kind === 'write' && { 'x-events': operation.events ?? [] }),
    security: securityOf(operation),
    parameters: [
      ...pathParams(operation.path)
        .map((name) => pathParameter(name, operation.path))
        .map(withExample),
      ...queryParameters(operation, components).map(withExample),
      ...headerParameters(operation),
    ],
    ...(requestBody(operation, components, sample) ?? {}),
    responses: responses(operation, around),
  };
}

/** Returns the sentence about retries, for a write that adds something each time (docs/api.md#retries). */
function repeatOf(operation: Operation): string {
  if (!isAdding(operation)) return '';
  const { adds, unless } = operation.run.repeat;
  const ids = [
    unless === undefined ? [] : [`\`${unless}\``],
    operation.message.keyless === true ? [] : ['an Idempotency-Key'],
  ];
  const safe = ids.flat().join(' or ');
  return `\n\nSending the same request again adds ${adds}.${safe === '' ? '' : ` To retry safely, send ${safe}.`}`;
}

/** Returns the sentence with the events that the operation causes (docs/events.md). */
function eventsOf({ events = [] }: Operation): string {
  return events.length === 0 ? '' : `\n\nEvents: ${events.map((name) => `\`${name}\``).join(', ')}.`;
}

/**
 * Returns the sentences with the permissions that the operation needs (docs/people.md,
 * docs/api.md#paths-and-credentials).
 */
function accessOf(operation: Operation): string {
  const {
    access: { permission, wholeClient },
  } = operation;
  const need = (who: string, what: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${who} needs the ${what} ${names.map((name) => `\`${name}\``).join(' or ')}.`];
  const sentences = [
    ...need('A key', 'group', groupsOf(operation)),
    ...(permission === 'any' ? [] : need('A person', 'permission', permissionsAsked(operation))),
    ...(wholeClient === undefined ? [] : [REJECTED[String(wholeClient)]]),
  ];
  return sentences.length === 0 ? '' : `\n\n${sentences.join(' ')}`;
}

function sinceOf({ since, deprecated }: Operation): string {
  const end =
    deprecated === undefined
      ? ''
      : ` Deprecated since ${deprecated.from}; it works until ${deprecated.sunset} at least.`;
  return `\n\nSince version ${since ?? NEXT_VERSION}.${end}`;
}

/** Returns the access rules of an operation for programs, from the declaration that the service itself checks. */
function accessRules({ path, access: { group, permission, wholeClient, fresh }, ...rest }: Operation) {
  const operation = { path, access: { group, permission, wholeClient, fresh }, ...rest } as Operation;
  const groups = groupsOf(operation);
  const permissions = permission === 'any' ? [] : permissionsAsked(operation);
  return {
    ...(groups.length > 0 && { groups }),
    ...(permissions.length > 0 && { permissions }),
    ...(permission === 'any' && { permissions: 'any' }),
    storeLimit: limitOf(path, 'storeId', wholeClient === true || wholeClient === 'allStores'),
    nodeLimit: limitOf(path, 'nodeId', wholeClient === true || wholeClient === 'allNodes'),
    ...(fresh === true && { signInWithin: '15 minutes' }),
  };
}

/** Returns how a limit of the caller to stores or nodes affects the operation, in words. */
function limitOf(path: string, name: 'storeId' | 'nodeId', isRejected: boolean): string {
  if (isRejected) return 'a limited caller is rejected';
  return path.includes(`{${name}}`) ? `the ${name} of the path must be in the limit` : 'only data within the limit';
}

const REJECTED: Record<string, string> = {
  true: 'A credential that is limited to stores or nodes is rejected.',
  allNodes: 'A credential that is limited to nodes is rejected.',
  allStores: 'A credential that is limited to stores is rejected.',
};

/** Returns the values of the path variables and of the query parameters in a request, by name. */
function valuesIn(operation: Operation, path: string): Record<string, string> {
  const [segments = '', query = ''] = path.split('?');
  const sent = segments.split('/');
  const names = operation.path.split('/').map((segment) => /^\{(\w+)\}$/.exec(segment)?.[1]);
  const variables = names.flatMap((name, index) => (name === undefined ? [] : [[name, sent[index] ?? ''] as const]));
  return Object.fromEntries([...variables, ...new URLSearchParams(query)]);
}

function pathParameter(name: string, path: string) {
  const description = name === 'number' && path.includes('/returns/') ? 'Number of the return' : PARAMETERS[name];
  return { name, in: 'path', required: true, description, schema: { type: 'string' } };
}

function queryParameters(operation: Operation, components: Components): { name: string; schema: object }[] {
  if (operation.message.query === undefined) return [];
  const { properties = {}, required = [] } = components.show(operation.message.query, 'request') as {
    properties?: Record<string, Record<string, unknown>>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, deprecated, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(deprecated === true && { deprecated }),
    description: description ?? PARAMETERS[name],
    schema,
  }));
}

function headerParameters(operation: Operation): unknown[] {
  const requestId = {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Identifier of the request, 1 to 128 characters of `A-Z a-z 0-9 . _ -`. Default: a new identifier. The response has the same identifier',
    schema: { type: 'string' },
  };
  if (operation.kind === 'read' || operation.message.keyless === true) return [requestId];
  const ifMatch = {
    name: 'If-Match',
    in: 'header',
    description:
      'Revision that the resource must still have. Send the `ETag` of the last response. If the revision differs, nothing changes',
    schema: { type: 'string' },
  };
  return [
    ...(operation.message.hasRevision === true ? [ifMatch] : []),
    {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'Key that makes a retry safe. A request with the same key and body gets the stored response, with the header `Idempotent-Replayed: true`',
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
  if (operation.message.consumes === 'multipart') {
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
  if (operation.message.consumes === 'x12') {
    const schema = { type: 'string', description: 'X12, from ISA to IEA' };
    const example = sample?.x12 && { example: sample.x12 };
    const content = { 'application/edi-x12': { schema, ...example } };
    const description =
      'The file. `text/plain`, `application/octet-stream` and `application/x-www-form-urlencoded` are accepted, too.';
    return { requestBody: { description, required: true, content } };
  }
  if (operation.message.body === undefined) return undefined;
  const schema = components.show(operation.message.body, 'request');
  const example = sample?.body;
  const content: Record<string, unknown> = {
    'application/json': { schema, ...(example !== undefined && { example }) },
  };
  if (operation.message.consumes === 'json-any-label') {
    const text = {
      type: 'string',
      description: 'The message as JSON. This Content-Type is accepted, but XML is rejected',
    };
    content['application/xml'] = { schema: text, ...(example !== undefined && { example: JSON.stringify(example) }) };
  }
  return { requestBody: { description: 'The message.', required: needsBody(operation), content } };
}

/**
 * Returns the error statuses of an operation, each with the cause that the operation documents; undefined without such
 * a cause.
 */
function errorCauses(operation: Operation): Map<number, string | undefined> {
  const causes = new Map<number, string | undefined>(EVERYWHERE.map((status) => [status, undefined]));
  if (operation.access.auth !== 'none' && operation.access.auth !== 'browser') causes.set(401, undefined);
  if (operation.kind === 'write' && operation.message.keyless !== true) {
    causes.set(409, undefined);
    causes.set(422, undefined);
  }
  if (operation.kind === 'write' && operation.message.hasRevision === true) causes.set(412, undefined);
  if (operation.access.auth === 'browser')
    causes.set(403, 'The request does not come from a page of this site (`CROSS_ORIGIN`).');
  for (const [status, cause] of Object.entries(operation.message.refusals ?? {})) causes.set(Number(status), cause);
  return new Map([...causes].sort(([a], [b]) => a - b));
}

function responses(operation: Operation, { components, shared, answered }: Around): Record<string, unknown> {
  const shape = operation.message.errors ?? 'record';
  const all: Record<string, unknown> = {};
  for (const [status, { description, schema }] of Object.entries(operation.message.replies)) {
    const examples = examplesOf(answered, Number(status));
    // For a body that is not JSON, the schema has the example.
    const { contentMediaType: media = 'application/json', examples: [example] = [] } = (schema ?? {}) as {
      contentMediaType?: string;
      examples?: unknown[];
    };
    const content = schema && {
      [media]: {
        schema: components.show(schema, 'response'),
        ...(examples && { examples }),
        ...(media !== 'application/json' && { example }),
      },
    };
    all[status] = { description, headers: successHeaders(operation), ...(content && { content }) };
  }
  for (const [status, cause] of errorCauses(operation)) {
    const examples = keyed(answered, status);
    if (cause === undefined && examples.length === 0) {
      const name = errorName(shape, status);
      shared.add(name);
      all[status] ??= { $ref: `#/components/responses/${name}` };
    } else
      all[status] ??= errorResponse(
        shape,
        status,
        cause ?? EDGE[status]!.says,
        examples,
        operation.message.ownErrors?.[status],
      );
  }
  return all;
}

const QUOTA = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

function successHeaders(operation: Operation): Record<string, unknown> {
  const { properties: body = {} } = (operation.message.body ?? {}) as { properties?: Record<string, unknown> };
  const names = ['X-Request-Id'];
  if (operation.access.auth !== 'none' && operation.access.auth !== 'browser') names.push(...QUOTA);
  const { properties = {} } = (operation.message.query ?? {}) as { properties?: Record<string, { deprecated?: true }> };
  const hasOldNames = Object.values(properties).some(({ deprecated }) => deprecated === true);
  if (hasOldNames || operation.deprecated !== undefined) names.push('Deprecation', 'Sunset');
  if (operation.kind === 'write' && operation.message.keyless !== true) names.push('Idempotent-Replayed');
  if (operation.message.hasRevision === true) names.push('ETag');
  if ('lastRecordId' in body) names.push('X-Last-Record-Id');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the examples of a status. The key of an example is made from the first words of its name. */
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

/**
 * Returns every documented status of an operation, including the statuses of the edge (errors before the operation
 * runs). A 5xx other than 503 is always a bug.
 */
export function documentedStatuses(operation: Operation): Set<number> {
  return new Set([...Object.keys(operation.message.replies).map(Number), ...errorCauses(operation).keys()]);
}
