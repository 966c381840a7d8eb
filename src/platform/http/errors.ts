/**
 * Errors and their wire formats.
 *
 * Throw a `Refusal`, through the helpers below, wherever a rule rejects a request. The edge writes it in the format of
 * the operation: the error record `{category, code, description}` (docs/interface.md#error-bodies), the inbound failure
 * body, or problem details (RFC 9457) under `/operator/v1`. `badRequest` is for errors of the message, `conflict` for
 * actions that the state forbids, `denied` for resources without access, `notFound` for missing resources. A resource
 * of another client gets the same error as a missing resource.
 */

import type { Actor } from '../ctx.ts';
import { FIELD_ERRORS_MAX, type FieldError } from '../message/field-errors.ts';
import type { Sentence } from '../message/sentence.ts';
import { say } from '../sentences.ts';
import { OutcomeUnknown, StorageUnavailable } from '../storage/db.ts';

export type Category = 'VALIDATION' | 'RESOURCE' | 'SECURITY' | 'STATE' | 'INTERNAL';

export interface RefusalOptions {
  errors?: readonly FieldError[];
  /** Number of all errors; "100+" if counting stopped at 100. */
  total?: number | string;
  headers?: Record<string, string>;
  /** Further fields of the body, for example `gone` of EVENTS_GONE. */
  extra?: Record<string, unknown>;
}

export class Refusal extends Error {
  readonly status: number;
  readonly category: Category;
  readonly code: string;
  readonly options: RefusalOptions;
  /** The caller whose access the service denied: the request counts for the limit of this caller. */
  actor?: Actor;
  /** The sentence of the response; `message` is its English text. */
  readonly description: Sentence;

  constructor(status: number, category: Category, code: string, description: Sentence, options: RefusalOptions = {}) {
    super(String(description));
    this.name = 'Refusal';
    this.description = description;
    this.status = status;
    this.category = category;
    this.code = code;
    this.options = options;
  }
}

/** Returns the 400 with the errors of the message, at most the first 100 (docs/interface.md#error-bodies). */
export function badRequest(all: readonly FieldError[], total: number | string = all.length): Refusal {
  const errors = all.slice(0, FIELD_ERRORS_MAX);
  return new Refusal(400, 'VALIDATION', 'INVALID_REQUEST', summaryOf(errors[0], total), { errors, total });
}

function summaryOf(first: FieldError | undefined, total: number | string): Sentence {
  if (first === undefined) return say('The request is not valid.');
  const { message } = first;
  if (total === 1) return say('The request has one error: {message}', { message });
  return say('The request has {total} errors; the first: {message}', { total, message });
}

/**
 * Returns the 400 for one error; `pointer` is an RFC 6901 pointer into the body, or `path:name`, `query:name`,
 * `header:name`.
 */
export function badValue(pointer: string, rule: string, message: Sentence): Refusal {
  return badRequest([{ pointer, rule, message }]);
}

/** Returns the 404 of a resource that does not exist or is not the caller's. */
export function notFound(description: Sentence): Refusal {
  return new Refusal(404, 'RESOURCE', 'NOT_FOUND', description);
}

/**
 * Returns a 400 with code NOT_FOUND, for operations whose documented statuses have no 404 (docs/interface.md#statuses).
 */
export function missing(description: Sentence): Refusal {
  return new Refusal(400, 'RESOURCE', 'NOT_FOUND', description);
}

/** Returns the 409 of an action that the state forbids. The description names the state and the next step. */
export function conflict(description: Sentence, extra?: Record<string, unknown>): Refusal {
  return new Refusal(409, 'STATE', 'CONFLICT', description, extra === undefined ? {} : { extra });
}

/**
 * Returns a 400 with code CONFLICT, for operations whose documented statuses have no 409 (docs/interface.md#statuses).
 */
export function conflictAs400(description: Sentence): Refusal {
  return new Refusal(400, 'STATE', 'CONFLICT', description);
}

/**
 * Returns the 403 for an action or a resource to which the caller has no access; a missing resource gets the same 403.
 * `because` must not name resources of other clients.
 */
export function denied(because?: Sentence): Refusal {
  const description =
    because === undefined
      ? say('Access to the resource is denied.')
      : say('Access to the resource is denied: {because}.', { because });
  return new Refusal(403, 'SECURITY', 'ACCESS_DENIED', description);
}

/** Turns any thrown value into an error response. An unknown value becomes a 500; the calling code must log it. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof OutcomeUnknown) {
    return new Refusal(
      503,
      'INTERNAL',
      'OUTCOME_UNKNOWN',
      say(
        'The database failed during the change, so the change may or may not be stored. Read the resource, or send the request again with the same Idempotency-Key.',
      ),
      { headers: { 'retry-after': '1' } },
    );
  }
  if (error instanceof StorageUnavailable) {
    return new Refusal(
      503,
      'INTERNAL',
      'UNAVAILABLE',
      say('The database is not available now; nothing was changed. Try again.'),
      {
        headers: { 'retry-after': '1' },
      },
    );
  }
  return new Refusal(
    500,
    'INTERNAL',
    'INTERNAL',
    say('An unexpected error occurred; the service logged it with this request id.'),
  );
}

/**
 * Formats of error bodies. `replacement`: the inbound failure with the further fields of the error code; each of its
 * errors also has `pointer` and `rule`. `oauth`: the format of RFC 6749, for `POST /oauth/token` only.
 */
export const ERROR_SHAPES = ['record', 'inbound', 'replacement', 'problem', 'oauth'] as const;
export type ErrorShape = (typeof ERROR_SHAPES)[number];

/** The error formats that an operation can declare. */
export type OperationErrors = Exclude<ErrorShape, 'oauth'>;

/** Paths of the PUTs that replace an ASN or PO. */
const REPLACES = /^\/operator\/v1\/clients\/[^/]+\/inbound\//;

/** The format of errors for a request whose operation is not known yet. */
export function shapeOfPath(method: string | undefined, path: string): ErrorShape {
  if (path.startsWith('/oauth/')) return 'oauth';
  if (method === 'PUT' && REPLACES.test(path)) return 'replacement';
  if (/^\/(?:operator\/|session)/.test(path)) return 'problem';
  return path.startsWith('/poasn-manager-service/') ? 'inbound' : 'record';
}

/** Body of an error in the given format. `poAsnNumber` is the number of the ASN or PO, for the inbound failure. */
export function errorBody(
  shape: ErrorShape,
  refusal: Refusal,
  requestId: string,
  poAsnNumber = '',
): Record<string, unknown> {
  const { errors, total, extra } = refusal.options;
  if (shape === 'inbound' || shape === 'replacement') return inboundFailure(shape, refusal, requestId, poAsnNumber);
  if (shape === 'oauth') return { error: oauthCode(refusal), error_description: printable(refusal.message) };
  const listed = errors === undefined ? {} : { errors, errorsTotal: total ?? errors.length };
  if (shape === 'problem') {
    return {
      type: 'about:blank',
      title: titleOf(refusal.status),
      status: refusal.status,
      detail: refusal.description,
      code: refusal.code,
      requestId,
      ...listed,
      ...extra,
    };
  }
  return {
    category: refusal.category,
    code: refusal.code,
    description: refusal.description,
    requestId,
    ...listed,
    ...extra,
  };
}

/** The code of RFC 6749 for an error. */
function oauthCode({ status, options: { extra } }: Refusal): unknown {
  if (extra?.['error'] !== undefined) return extra['error'];
  if (status === 401 || status === 403) return 'invalid_client';
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** RFC 6749 forbids quotation marks, backslashes and characters outside of ASCII in a description. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]|["\\]/g, "'");
}

/** Media type of the format. */
export function errorType(shape: ErrorShape): string {
  return shape === 'problem' ? 'application/problem+json; charset=utf-8' : 'application/json; charset=utf-8';
}

/** An error of an inbound message, with its level and the rejected values (docs/interface.md#inbound-failure). */
export interface InboundError extends FieldError {
  code?: string;
  type?: 'HEADER_LEVEL_ERROR' | 'DETAIL_LEVEL_ERROR';
  payload?: Record<string, unknown>;
}

function inboundFailure(
  shape: 'inbound' | 'replacement',
  refusal: Refusal,
  requestId: string,
  poAsnNumber: string,
): Record<string, unknown> {
  const errors: readonly InboundError[] = refusal.options.errors ?? [
    { pointer: '', rule: refusal.code, message: refusal.description },
  ];
  const { poAsnNumber: number, ...extra } = refusal.options.extra ?? {};
  const fallback = refusal.status === 400 ? 'FILE_VALIDATION_FAILED' : refusal.code;
  return {
    poAsnData: [
      {
        status: 'FAILED',
        poAsnNumber: typeof number === 'string' ? number : poAsnNumber,
        successfull_imported: '0',
        errors: errors.map((error) => ({
          code: error.code ?? fallback,
          message: error.message,
          poAsnErrorPayload: error.payload ?? {},
          type: error.type ?? 'HEADER_LEVEL_ERROR',
          ...(shape === 'replacement' && { pointer: error.pointer, rule: error.rule }),
        })),
      },
    ],
    requestId,
    ...(refusal.options.total === undefined ? {} : { errorsTotal: refusal.options.total }),
    // The format `inbound` has no further fields, because docs/interface.md lists all its fields.
    ...(shape === 'replacement' && extra),
  };
}

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  423: 'Locked',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

/** Standard phrase of a status. */
export function titleOf(status: number): string {
  return TITLES[status] ?? 'Error';
}
