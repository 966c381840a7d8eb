/** Errors as the document shows them: their three shapes, and the responses that any operation may give. */
import {
  type Category,
  type ErrorShape,
  errorBody,
  errorType,
  Refusal,
  type RefusalOptions,
} from '../../../platform/http/errors.ts';

/** Name of the schema of an error in each shape. */
const SHAPES: Record<ErrorShape, string> = { record: 'ErrorRecord', problem: 'Problem', inbound: 'InboundFailure' };

/** Request id of the examples. */
const REQUEST_ID = '019ca8c1-7000-7000-8000-00000000e0a1';

interface Edge {
  /** When it comes, for the document. */
  says: string;
  category: Category;
  code: string;
  /** The description of the example. */
  message: string;
  options?: RefusalOptions;
}

/** Statuses that any operation may answer, before it is asked itself. */
export const EDGE: Readonly<Record<number, Edge>> = {
  400: {
    says: 'The request is not valid; `errors` lists everything that is wrong.',
    category: 'VALIDATION',
    code: 'INVALID_REQUEST',
    message: "The request has an error: /nodeId: 'nodeId' is missing; add it",
    options: { errors: [{ pointer: '/nodeId', rule: 'required', message: "'nodeId' is missing; add it" }], total: 1 },
  },
  401: {
    says: 'The operator’s key is missing or not valid, or nobody is signed in (`SESSION_ENDED`, `SESSION_LOCKED`).',
    category: 'SECURITY',
    code: 'CREDENTIALS_MISSING',
    message: 'Send the operator’s key as Authorization: Bearer.',
  },
  403: {
    says: 'Credentials are missing or not valid, they are not for this operation, or the path names a client, store, node or seller that is not the caller’s.',
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
    message: 'PATCH is not possible here; use GET.',
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
    message: 'The first request with this Idempotency-Key is still running; ask again.',
  },
  413: {
    says: 'The body is too large.',
    category: 'VALIDATION',
    code: 'CONTENT_TOO_LARGE',
    message: 'The body is larger than this operation takes. Send it in parts.',
  },
  414: {
    says: 'A segment of the path is longer than 512 characters.',
    category: 'VALIDATION',
    code: 'URI_TOO_LONG',
    message: 'A segment of the path is too long.',
  },
  415: {
    says: 'The media type of the body is not accepted here.',
    category: 'VALIDATION',
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'The Content-Type cannot be read; send application/json.',
  },
  422: {
    says: 'The Idempotency-Key was used with another body.',
    category: 'VALIDATION',
    code: 'IDEMPOTENCY_KEY_REUSED',
    message: 'This Idempotency-Key was used with another body; take a new key for a new message.',
  },
  429: {
    says: 'Too many requests; ask again after `Retry-After`.',
    category: 'SECURITY',
    code: 'TOO_MANY_REQUESTS',
    message: 'The credential asks too often; ask again in 2 s.',
  },
  431: {
    says: 'The headers are larger than 16 KiB.',
    category: 'VALIDATION',
    code: 'HEADERS_TOO_LARGE',
    message: 'The headers are larger than 16 KiB; send fewer or shorter ones.',
  },
  500: {
    says: 'A bug of the service. Report it with its `requestId`.',
    category: 'INTERNAL',
    code: 'INTERNAL',
    message: 'An unexpected error occurred; the log has it under this request id.',
  },
  503: {
    says: 'The service cannot answer now and changed nothing; ask again after `Retry-After`.',
    category: 'INTERNAL',
    code: 'OVERLOADED',
    message: 'There is more to do than can be done in time; nothing was changed. Try again.',
  },
};

/** Statuses of errors that every operation has. */
export const EVERYWHERE: readonly number[] = [400, 403, 404, 405, 408, 413, 414, 415, 429, 431, 503];

/** Code and category of an error that an operation gives itself, where its status has others at the edge. */
const OWN: Readonly<Record<number, Pick<Edge, 'category' | 'code'>>> = { 409: { category: 'STATE', code: 'CONFLICT' } };

const WITH_HEADERS: Readonly<Record<number, string>> = { 405: 'Allow', 429: 'Retry-After', 503: 'Retry-After' };

/** Name of the shared response of a status in a shape. */
export function errorName(shape: ErrorShape, status: number): string {
  return `${SHAPES[shape]}${status}`;
}

/** The shared responses that `names` asks for (`components/responses`). */
export function sharedErrors(names: ReadonlySet<string>): Record<string, unknown> {
  const all = (Object.keys(SHAPES) as ErrorShape[]).flatMap((shape) =>
    Object.keys(EDGE).map((status) => [errorName(shape, Number(status)), shape, Number(status)] as const),
  );
  return Object.fromEntries(
    all
      .filter(([name]) => names.has(name))
      .map(([name, shape, status]) => [name, errorResponse(shape, status, EDGE[status]!.says, [exampleOf(status)])]),
  );
}

/** An example of an error, as an operation or the edge gives it. */
export interface ErrorExample {
  key: string;
  summary: string;
  /** The body, or the refusal it is made of. */
  value: unknown;
}

/** The response of a status with what it means here; without executed examples it is shown as it would come. */
export function errorResponse(
  shape: ErrorShape,
  status: number,
  description: string,
  examples: readonly ErrorExample[],
): Record<string, unknown> {
  const schema = { $ref: `#/components/schemas/${SHAPES[shape]}` };
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
    headers: { 'X-Request-Id': reference('X-Request-Id'), ...(header && { [header]: reference(header) }) },
    content: { [errorType(shape).split(';')[0]!]: content },
  };
}

function reference(header: string) {
  return { $ref: `#/components/headers/${header}` };
}

/** The error of a status as it comes from the edge, or from an operation that gives it for `reason`. */
function exampleOf(status: number, reason?: string): ErrorExample {
  const edge = EDGE[status];
  const { category, code } = (reason !== undefined && OWN[status]) || edge || { category: 'STATE', code: 'CONFLICT' };
  const says = edge?.says ?? reason ?? '';
  // The cause of a 400 says which rules there are; its example shows how one that is broken is told.
  const message = status === 400 ? edge!.message : (reason ?? edge?.message ?? says);
  const refusal = new Refusal(status, category, code, message, edge?.options ?? {});
  return { key: code.toLowerCase(), summary: plain(reason ?? says), value: refusal };
}

function plain(markdown: string): string {
  return markdown.replace(/[`*]/g, '');
}

const ONE_ERROR = {
  type: 'object',
  description: 'One thing that is wrong with the request.',
  required: ['pointer', 'rule', 'message'],
  properties: {
    pointer: {
      type: 'string',
      description: 'JSON pointer into the body, or `path:name`, `query:name`, `header:name`; empty is the whole body.',
    },
    rule: { type: 'string', description: 'The rule that is broken, for example `required` or `maxLength`.' },
    limit: { description: 'The limit of the rule, where it has one.' },
    message: { type: 'string', description: 'What is wrong and how to fix it.' },
  },
};
const ERRORS = {
  type: 'array',
  maxItems: 100,
  description: 'Everything that is wrong with the request, at most 100.',
  items: ONE_ERROR,
};
const ERRORS_TOTAL = {
  description: 'How many errors there are; "100+" when counting stopped.',
  type: ['integer', 'string'],
};
const CODE = { type: 'string', description: 'What happened, for programs; see Error codes above.' };
const REQUEST = {
  type: 'string',
  description: 'The `X-Request-Id` of the response; quote it when you ask the operator.',
};

const text = (description: string) => ({ type: 'string', description });
const texts = (description: string) => ({ type: 'array', description, items: { type: 'string' } });

/** A list of objects. */
const records = (description: string) => ({ type: 'array', description, items: { type: 'object' } });

/** What an error says besides of the state of things, each where it helps: mostly a conflict. */
const STATE = {
  orderStatus: text('Status code of the order.'),
  allowedActions: texts('What may be done with the order now.'),
  holdLocation: text('Where the goods lie.'),
  refused: {
    type: 'array',
    description: 'What of a change cannot be made now.',
    items: {
      type: 'object',
      properties: { change: text('What would be changed.'), reason: text('Why it cannot be.') },
    },
  },
  pickTicketId: text('Pick ticket that has the order.'),
  userId: text('Login of the user of that ticket.'),
  since: text('When that ticket was generated.'),
  ticketStatus: text('Status of that ticket: NEW, IN_PROGRESS or CLOSED.'),
  outcome: text('How that ticket was closed: CONFIRMED or RESET.'),
  requestStatus: text('Status of the re-source request.'),
  orders: {
    type: 'array',
    description: 'The orders that cannot be put on the ticket.',
    items: {
      type: 'object',
      properties: {
        fulfillmentOrderId: text('The order.'),
        status: text('Its status code.'),
        pickTicketId: text('Pick ticket that has it.'),
        userId: text('Login of the user of that ticket.'),
        since: text('When that ticket was generated.'),
      },
    },
  },
  followed: {
    type: 'array',
    description: 'The orders of a correction that have gone on since the CONFIRM.',
    items: {
      type: 'object',
      properties: { fulfillmentOrderId: text('The order.'), what: text('What followed from the CONFIRM.') },
    },
  },
  differs: {
    type: 'array',
    description: 'The orders that are there already with other content.',
    items: {
      type: 'object',
      properties: {
        fulfillmentOrderId: text('The order.'),
        members: texts('Names of the properties that differ.'),
      },
    },
  },
  stock: text('Whether the node keeps stock: KEPT or NOT_KEPT.'),
  items: records('Items of which less is available than is wanted, with `nodeId`, `itemId`, `wanted` and `available`.'),
  state: text('State of the shipment: EXPECTED, RECEIVING or CLOSED.'),
  refusals: records('Everything that is in the way, each with its `code` and what it is about.'),
  cartonId: text('The carton.'),
  itemId: text('The item.'),
  receiptId: text('Receipt that took the carton.'),
  sellerIds: texts('Sellers that use this number; name one in `sellerId`.'),
  asns: texts('Open ASNs of this PO.'),
  announcedBy: records('Shipments that announce the carton, with what is known of each.'),
  held: records('Keys with held units, each with how many.'),
  lines: records('Lines that somebody else must decide.'),
  needed: records('Keys that need a reason, each with what is short, over or damaged.'),
  attemptsLeft: { type: 'integer', description: 'How often the PIN may still be wrong.' },
  pinLockedUntil: text('The PIN was wrong too often: until then nothing is handed over.'),
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
      description: { type: 'string', description: 'What happened, for people.' },
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
      type: { type: 'string', description: 'Always `about:blank`: `title` and `code` say it all.' },
      title: { type: 'string', description: 'Standard phrase of the status.' },
      status: { type: 'integer', description: 'HTTP status.' },
      detail: { type: 'string', description: 'What happened, for people.' },
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
    },
  },
  InboundFailure: {
    type: 'object',
    description: 'Failure of an inbound message; nothing of it was stored.',
    required: ['poAsnData'],
    properties: {
      poAsnData: {
        type: 'array',
        description: 'One entry: the message.',
        items: {
          type: 'object',
          required: ['status', 'poAsnNumber', 'successfull_imported', 'errors'],
          properties: {
            status: { type: 'string', const: 'FAILED', description: 'Always FAILED.' },
            poAsnNumber: { type: 'string', description: 'Number of the ASN or PO; empty where the message has none.' },
            successfull_imported: { type: 'string', description: 'Number of lines that were stored: always "0".' },
            errors: {
              type: 'array',
              description: 'Everything that is wrong with the message.',
              items: {
                type: 'object',
                required: ['code', 'message', 'poAsnErrorPayload', 'type'],
                properties: {
                  code: CODE,
                  message: { type: 'string', description: 'What is wrong and how to fix it.' },
                  poAsnErrorPayload: { type: 'object', description: 'The values that are wrong, by name.' },
                  type: {
                    type: 'string',
                    enum: ['HEADER_LEVEL_ERROR', 'DETAIL_LEVEL_ERROR'],
                    description: 'Whether the header or a line is wrong.',
                  },
                },
              },
            },
          },
        },
      },
      requestId: REQUEST,
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
        description: 'The errors.',
        items: {
          type: 'object',
          required: ['code', 'description'],
          properties: {
            code: { type: 'integer', description: 'Number of the error.' },
            description: { type: 'string', description: 'What happened.' },
          },
        },
      },
    },
    additionalProperties: false,
  },
};
