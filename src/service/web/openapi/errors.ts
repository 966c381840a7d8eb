/** Errors in the OpenAPI document: their formats, and the error responses of every operation. */
import {
  type Category,
  errorBody,
  errorType,
  type OperationErrors,
  Refusal,
  type RefusalOptions,
} from '../../../platform/http/errors.ts';
import { inEnglish } from '../../../platform/message/sentence.ts';

/** Name of the error schema of each format. */
const SHAPES: Record<OperationErrors, string> = {
  record: 'ErrorRecord',
  problem: 'Problem',
  inbound: 'InboundFailure',
  replacement: 'InboundReplacementFailure',
};

/** The request id that the examples have. */
const REQUEST_ID = '019ca8c1-7000-7000-8000-00000000e0a1';

interface Edge {
  /** Cause of the error, for the document. */
  says: string;
  category: Category;
  code: string;
  /** The message of the error in the example. */
  message: string;
  options?: RefusalOptions;
}

/** Errors with a cause that does not depend on the operation, by status. */
export const EDGE: Readonly<Record<number, Edge>> = {
  400: {
    says: 'The request is not valid; `errors` lists its errors, at most 100.',
    category: 'VALIDATION',
    code: 'INVALID_REQUEST',
    message: "The request has an error: /nodeId: 'nodeId' is missing; add it",
    options: {
      errors: [{ pointer: '/nodeId', rule: 'required', message: inEnglish("'nodeId' is missing; add it") }],
      total: 1,
    },
  },
  401: {
    says: 'The operator’s key is missing or not valid, or there is no valid session (`SESSION_ENDED`, `SESSION_LOCKED`).',
    category: 'SECURITY',
    code: 'CREDENTIALS_MISSING',
    message: 'Send the operator’s key as Authorization: Bearer.',
  },
  403: {
    says: 'Credentials are missing, not valid or not for this operation, or you have no access to the client, store, node or seller of the path.',
    category: 'SECURITY',
    code: 'ACCESS_DENIED',
    message: 'Access to the resource is denied.',
  },
  404: {
    says: 'There is no such path.',
    category: 'RESOURCE',
    code: 'NOT_FOUND',
    message: 'There is no such path; the operations are listed at /docs.',
  },
  405: {
    says: 'The path has other methods; the header `Allow` names them.',
    category: 'VALIDATION',
    code: 'METHOD_NOT_ALLOWED',
    message: 'PATCH is not allowed on this path; use GET.',
  },
  408: {
    says: 'The request did not arrive in time.',
    category: 'VALIDATION',
    code: 'REQUEST_TIMEOUT',
    message: 'The request did not arrive in time; send it again.',
  },
  409: {
    says: 'The first request with this Idempotency-Key is still running.',
    category: 'STATE',
    code: 'IDEMPOTENCY_KEY_IN_USE',
    message: 'The first request with this Idempotency-Key is still running; send it again.',
  },
  412: {
    says: 'The revision of the resource differs from `If-Match`; `revision` has the current revision.',
    category: 'STATE',
    code: 'REVISION_CHANGED',
    message: 'The resource has revision 8, not the one of If-Match; nothing was changed.',
    options: { extra: { revision: 8 } },
  },
  413: {
    says: 'The body is too large.',
    category: 'VALIDATION',
    code: 'CONTENT_TOO_LARGE',
    message: 'The body exceeds the limit of this operation; send it in parts.',
  },
  414: {
    says: 'A segment of the path is longer than 512 characters.',
    category: 'VALIDATION',
    code: 'URI_TOO_LONG',
    message: 'A segment of the path is too long; send a shorter identifier.',
  },
  415: {
    says: 'The operation does not accept the media type of the body.',
    category: 'VALIDATION',
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the body as application/json; the request has Content-Type "text/plain".',
  },
  422: {
    says: 'The Idempotency-Key was used with another body.',
    category: 'VALIDATION',
    code: 'IDEMPOTENCY_KEY_REUSED',
    message: 'This Idempotency-Key was used with another body; send a new key with a new message.',
  },
  429: {
    says: 'Too many requests; try again after `Retry-After`.',
    category: 'SECURITY',
    code: 'TOO_MANY_REQUESTS',
    message: 'This credential sends too many requests; try again in 2 s.',
  },
  431: {
    says: 'The headers are larger than 16 KiB.',
    category: 'VALIDATION',
    code: 'HEADERS_TOO_LARGE',
    message: 'The headers are larger than 16 KiB; send fewer or shorter headers.',
  },
  500: {
    says: 'A bug of the service. Report it with its `requestId`.',
    category: 'INTERNAL',
    code: 'INTERNAL',
    message: 'An unexpected error occurred; the service logged it with this request id.',
  },
  503: {
    says: 'The service is not available now and changed nothing; try again after `Retry-After`.',
    category: 'INTERNAL',
    code: 'OVERLOADED',
    message: 'The service is overloaded; nothing was changed. Try again.',
  },
};

/** Statuses of errors that every operation has. */
export const EVERYWHERE: readonly number[] = [400, 403, 404, 405, 408, 413, 414, 415, 429, 431, 503];

/** Code and category of the errors that operations document, by status. These values replace those of EDGE. */
const OWN: Readonly<Record<number, Pick<Edge, 'category' | 'code'>>> = { 409: { category: 'STATE', code: 'CONFLICT' } };

const WITH_HEADERS: Readonly<Record<number, string>> = { 405: 'Allow', 429: 'Retry-After', 503: 'Retry-After' };

/** Returns the name of the shared response for a status in a format. */
export function errorName(shape: OperationErrors, status: number): string {
  return `${SHAPES[shape]}${status}`;
}

/** Returns the shared responses with the given names (`components/responses`). */
export function sharedErrors(names: ReadonlySet<string>): Record<string, unknown> {
  const all = (Object.keys(SHAPES) as OperationErrors[]).flatMap((shape) =>
    Object.keys(EDGE).map((status) => [errorName(shape, Number(status)), shape, Number(status)] as const),
  );
  return Object.fromEntries(
    all
      .filter(([name]) => names.has(name))
      .map(([name, shape, status]) => [name, errorResponse(shape, status, EDGE[status]!.says, [exampleOf(status)])]),
  );
}

export interface ErrorExample {
  key: string;
  summary: string;
  /** The body, or the error from which the body is made. */
  value: unknown;
}

/**
 * Returns the response for an error status. `description` is its cause in this operation. Without `examples`, an
 * example is made from the description. `own` names a further schema of errors that only this operation has.
 */
export function errorResponse(
  shape: OperationErrors,
  status: number,
  description: string,
  examples: readonly ErrorExample[],
  own?: string,
): Record<string, unknown> {
  const common = schemaNamed(SHAPES[shape]);
  const schema = own === undefined ? common : { anyOf: [schemaNamed(own), common] };
  const shown = examples.length > 0 ? examples : [exampleOf(status, description)];
  const header = WITH_HEADERS[status];
  const content = {
    schema,
    examples: Object.fromEntries(
      shown.map(({ key, summary, value }) => [
        key,
        { summary, value: value instanceof Refusal ? errorBody(shape, value, REQUEST_ID) : value },
      ]),
    ),
  };
  return {
    description,
    headers: {
      'X-Request-Id': reference('X-Request-Id'),
      'Content-Language': reference('Content-Language'),
      Vary: reference('Vary'),
      ...(header && { [header]: reference(header) }),
    },
    content: { [errorType(shape).split(';')[0]!]: content },
  };
}

function schemaNamed(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

function reference(header: string) {
  return { $ref: `#/components/headers/${header}` };
}

/**
 * Returns an example of an error. With `reason`, it is the error that an operation documents, with the first code that
 * `reason` names. Otherwise it is the error in EDGE.
 */
function exampleOf(status: number, reason?: string): ErrorExample {
  const edge = EDGE[status];
  const common = (reason !== undefined && OWN[status]) || edge || { category: 'STATE', code: 'CONFLICT' };
  const { category } = common;
  const code = /\(`([A-Z][A-Z_]+)`[,)]/.exec(reason ?? '')?.[1] ?? common.code;
  const says = edge?.says ?? reason ?? '';
  // The documented cause of a 400 lists several rules, so its example shows the message of one error instead.
  const message = status === 400 ? edge!.message : (reason ?? edge?.message ?? says);
  const refusal = new Refusal(status, category, code, inEnglish(message), edge?.options ?? {});
  return { key: code.toLowerCase(), summary: plain(reason ?? says), value: refusal };
}

function plain(markdown: string): string {
  return markdown.replace(/[`*]/g, '');
}

/** Schemas of the pointer and the rule of an error. */
const PLACE = {
  pointer: {
    type: 'string',
    description:
      'Place of the error: a JSON pointer into the body, or `path:name`, `query:name` or `header:name`. Empty for the whole body.',
  },
  rule: { type: 'string', description: 'The rule that is broken, for example `required` or `maxLength`.' },
};
const ONE_ERROR = {
  type: 'object',
  description: 'One error of the request.',
  required: ['pointer', 'rule', 'message'],
  properties: {
    ...PLACE,
    limit: { description: 'Limit of the rule. Absent if the rule has no limit.' },
    message: { type: 'string', description: 'Text of the error, and how to fix it.' },
  },
};
const ERRORS = {
  type: 'array',
  maxItems: 100,
  description: 'The errors of the request, at most 100.',
  items: ONE_ERROR,
};
const ERRORS_TOTAL = {
  description: 'Number of errors. "100+" if there are more than 100.',
  type: ['integer', 'string'],
};
const CODE = { type: 'string', description: 'Code of the error, for programs. See Error codes above.' };
const REQUEST = {
  type: 'string',
  description: 'The `X-Request-Id` of the response. Quote this id when you ask the operator.',
};

const text = (description: string) => ({ type: 'string', description });
const texts = (description: string) => ({ type: 'array', description, items: { type: 'string' } });

/** Returns the schema of a list of objects. */
const records = (description: string) => ({ type: 'array', description, items: { type: 'object' } });

/** Fields of an error about the present state of a resource, mostly of a conflict. */
const STATE = {
  orderStatus: text('Status code of the order.'),
  allowedActions: texts('Actions that the order allows now.'),
  holdLocation: text('Hold location of the goods.'),
  refused: {
    type: 'array',
    description: 'The parts of a change that cannot be made now.',
    items: {
      type: 'object',
      properties: { change: text('Name of the change.'), reason: text('Reason why the change cannot be made.') },
    },
  },
  pickTicketId: text('Pick ticket that has the order.'),
  userId: text('Login of the user who has the pick ticket or the carton.'),
  since: text(
    'Time at which the pick ticket was generated, or at which the user received the carton or began to count it.',
  ),
  ticketStatus: text('Status of the pick ticket: NEW, IN_PROGRESS or CLOSED.'),
  outcome: text('Outcome of the pick ticket: CONFIRMED or RESET.'),
  requestStatus: text('Status of the re-source request.'),
  orders: {
    type: 'array',
    description: 'The orders that cannot be put on the ticket.',
    items: {
      type: 'object',
      properties: {
        fulfillmentOrderId: text('The order.'),
        status: text('Status code of the order.'),
        pickTicketId: text('Pick ticket that has the order.'),
        userId: text('Login of the user of the pick ticket.'),
        since: text('Time at which the pick ticket was generated.'),
      },
    },
  },
  followed: {
    type: 'array',
    description: 'Orders that prevent a correction, because they have changed since the CONFIRM.',
    items: {
      type: 'object',
      properties: { fulfillmentOrderId: text('The order.'), what: text('The change since the CONFIRM.') },
    },
  },
  differs: {
    type: 'array',
    description: 'The orders that already exist with different content.',
    items: {
      type: 'object',
      properties: {
        fulfillmentOrderId: text('The order.'),
        members: texts('Names of the fields that differ.'),
      },
    },
  },
  stock: text('Whether the node keeps stock: KEPT or NOT_KEPT.'),
  items: records(
    'Items with fewer available units than wanted, each with `nodeId`, `itemId`, `wanted` and `available`.',
  ),
  state: text(
    'State of the shipment (EXPECTED, RECEIVING or CLOSED), of the return, of the count or of the count plan.',
  ),
  newerCountId: text('A newer count of `itemId` that is posted.'),
  refusals: records(
    'Problems that prevent the action, each with its `code` and the carton, item or line that has the problem.',
  ),
  cartonId: text('Carton that the error is about.'),
  itemId: text('Item that the error is about.'),
  receiptId: text('Earlier receipt of the carton.'),
  sellerIds: texts('Sellers that use the number of the ASN or PO; name one of them in `sellerId`.'),
  asns: texts('Open ASNs of the PO.'),
  matchedTo: {
    type: 'object',
    description: 'Shipment to which the goods without papers were matched.',
    properties: { type: text('ASN or PO.'), number: text('Its number.'), sellerId: text('Its seller.') },
  },
  announcedBy: records('Shipments that announce the carton.'),
  held: records('Items with the number of their held units, by carton if the goods have cartons.'),
  lines: records(
    'Lines on which another user must decide, or lines that cannot be returned, with the rule of each line.',
  ),
  needed: records(
    'Items that need a reason, with their short, over or damaged units, by carton if the goods have cartons.',
  ),
  revision: { type: 'integer', description: 'The current revision of the resource, which differs from `If-Match`.' },
  attemptsLeft: { type: 'integer', description: 'Number of further wrong PINs after which the PIN is locked.' },
  pinLockedUntil: text('End of the lock after too many wrong PINs. Until then no hand-over is possible.'),
};

/** Schemas of errors, by their names in the document. */
export const ERROR_SCHEMAS: Record<string, unknown> = {
  ErrorRecord: {
    type: 'object',
    description: 'Error of an item or fulfillment operation. It never has the form of `PaymentErrors`.',
    required: ['category', 'code', 'description', 'requestId'],
    not: { $ref: '#/components/schemas/PaymentErrors' },
    properties: {
      category: {
        type: 'string',
        enum: ['VALIDATION', 'RESOURCE', 'SECURITY', 'STATE', 'INTERNAL'],
        description: 'Kind of the error.',
      },
      code: CODE,
      description: { type: 'string', description: 'Description of the error, for people.' },
      requestId: REQUEST,
      errors: ERRORS,
      errorsTotal: ERRORS_TOTAL,
      ...STATE,
    },
  },
  Problem: {
    type: 'object',
    description: 'Error of an operation below `/operator/v1`: problem details (RFC 9457).',
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
    properties: {
      type: { type: 'string', description: 'Always `about:blank`; use `title` and `code`.' },
      title: { type: 'string', description: 'Standard phrase of the status.' },
      status: { type: 'integer', description: 'HTTP status.' },
      detail: { type: 'string', description: 'Description of the error, for people.' },
      code: CODE,
      requestId: REQUEST,
      errors: ERRORS,
      errorsTotal: ERRORS_TOTAL,
      ...STATE,
      sellerIds: {
        type: 'array',
        items: { type: 'string' },
        description: 'With code AMBIGUOUS_NUMBER: sellers that use the number.',
      },
      nodeIds: texts('With code WRONG_NODE: nodes that accept the goods.'),
      partnerId: text('With code IDS_TAKEN: EDI partner that has the ids.'),
      waiting: { type: 'integer', description: 'With code WAITING: number of interchanges that wait to be fetched.' },
      finding: {
        type: 'object',
        description: 'With code NO_ENVELOPE: the finding in the file, with its place.',
        additionalProperties: true,
      },
    },
  },
  RefundProblem: {
    type: 'object',
    description: 'Problem of a refund that was not changed. `status` is the status of the refund, not the HTTP status.',
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
    properties: {
      type: { type: 'string', description: 'Always `about:blank`; use `title` and `code`.' },
      title: { type: 'string', description: 'Standard phrase of the HTTP status.' },
      status: { type: 'string', enum: ['DONE', 'CANCELED'], description: 'Status of the refund.' },
      detail: { type: 'string', description: 'Description of the error, for people.' },
      code: {
        type: 'string',
        enum: ['REFUND_DONE', 'NOT_OPEN'],
        description: 'REFUND_DONE: the refund is DONE and has other content. NOT_OPEN: the refund was canceled.',
      },
      requestId: REQUEST,
    },
  },
  InboundFailure: inboundFailure('Failure of an inbound message; no part of it was stored.'),
  InboundReplacementFailure: inboundFailure(
    'Failure of a message that replaces an ASN or PO; the stored message is unchanged.',
    PLACE,
    {
      state: text(
        'State of the shipment: EXPECTED, RECEIVING or CLOSED. Present only if the state does not allow the request.',
      ),
      sellerIds: texts('With code AMBIGUOUS_NUMBER: sellers that use the number; name one of them in `sellerId`.'),
    },
  ),
  PaymentErrors: {
    type: 'object',
    description: 'Payment error schema of the interface. No operation uses it.',
    required: ['Errors'],
    properties: {
      Errors: {
        type: 'array',
        description: 'The errors.',
        items: {
          type: 'object',
          required: ['code', 'description'],
          properties: {
            code: { type: 'integer', description: 'Number of the error.' },
            description: { type: 'string', description: 'Description of the error.' },
          },
        },
      },
    },
    additionalProperties: false,
  },
};

/**
 * Returns the schema of the failure of an inbound message. `place` has the fields that locate each error, `more` the
 * further fields of the body.
 */
function inboundFailure(description: string, place: Record<string, unknown> = {}, more: Record<string, unknown> = {}) {
  return {
    type: 'object',
    description,
    required: ['poAsnData'],
    properties: {
      poAsnData: {
        type: 'array',
        description: 'A list with one entry, which describes the rejected message.',
        items: {
          type: 'object',
          required: ['status', 'poAsnNumber', 'successfull_imported', 'errors'],
          properties: {
            status: { type: 'string', const: 'FAILED', description: 'Always FAILED.' },
            poAsnNumber: { type: 'string', description: 'Number of the ASN or PO; empty if the message has none.' },
            successfull_imported: { type: 'string', description: 'Number of lines that were stored: always "0".' },
            errors: {
              type: 'array',
              description: 'The errors of the message.',
              items: {
                type: 'object',
                required: ['code', 'message', 'poAsnErrorPayload', 'type', ...Object.keys(place)],
                properties: {
                  code: CODE,
                  message: { type: 'string', description: 'Text of the error, and how to fix it.' },
                  poAsnErrorPayload: { type: 'object', description: 'Wrong values by the name of the field.' },
                  type: {
                    type: 'string',
                    enum: ['HEADER_LEVEL_ERROR', 'DETAIL_LEVEL_ERROR'],
                    description: 'Whether the error is in the header or in a line.',
                  },
                  ...place,
                },
              },
            },
          },
        },
      },
      requestId: REQUEST,
      errorsTotal: ERRORS_TOTAL,
      ...more,
    },
  };
}
