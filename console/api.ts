/**
 * Access to the service: the typed client of its interface, and one error class for its errors and for failed
 * connections.
 */
import createClient from 'openapi-fetch';
import type { components, paths } from '../contract/client.d.ts';
import { isOfProxy } from './of-proxy.ts';
import { online } from './preferences.ts';
import { language } from './texts/index.ts';

/** The base URL of the service: the parent of `/console/`, also behind a proxy with a path prefix. */
export const SERVICE = new URL('..', location.href).href.replace(/\/$/, '');

/** One error of a message: the field, the violated rule and the fix. */
export type FieldError = components['schemas']['FieldError'];

/** An error of the service, or a failed connection (`status` 0, code OFFLINE). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldError[];
  readonly requestId: string | undefined;
  /** Seconds to wait before the next try. */
  readonly retryAfter: number | undefined;
  /**
   * The whole body of the error. Some errors also name the holder of the order, or the later change that prevents the
   * request.
   */
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>, response?: Response) {
    const said = (name: string) => (typeof body[name] === 'string' ? body[name] : undefined);
    super(said('description') ?? said('detail') ?? '');
    this.name = 'ApiError';
    this.status = status;
    this.code = said('code') ?? (status === 0 ? 'OFFLINE' : `HTTP_${status}`);
    this.errors = Array.isArray(body['errors']) ? (body['errors'] as FieldError[]) : [];
    this.requestId = said('requestId') ?? response?.headers.get('x-request-id') ?? undefined;
    const wait = Number(response?.headers.get('retry-after') ?? Number.NaN);
    this.retryAfter = Number.isFinite(wait) ? wait : undefined;
    this.body = body;
  }

  /** True if a retry of the same request can succeed. */
  get passes(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status === 503;
  }

  /**
   * Returns the message of the first error of a field or of an element of its list. `field` is the end of the pointer, or
   * the whole pointer if other objects of the body have a field of this name.
   */
  of(field: string): string | undefined {
    const wanted = new RegExp(`(^(path:)?|/)${field}(/\\d+)?$`);
    return this.errors.find(({ pointer }) => wanted.test(pointer))?.message;
  }
}

/**
 * `begin` is called for every request. Its result is called if the response is a 401: the session that sent the request
 * has ended or is locked.
 */
export const whenSignedOut: { begin: () => (error: ApiError) => void } = { begin: () => () => undefined };

/** The typed client. Await its requests through `send`, which throws errors as `ApiError`. */
export const api = createClient<paths>({ baseUrl: SERVICE, credentials: 'same-origin' });
api.use({
  onRequest: ({ request }) => {
    request.headers.set('accept-language', language.peek());
  },
});

interface Result<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Returns the body of a successful response. @throws ApiError */
export async function send<T>(request: Promise<Result<T>>): Promise<T> {
  const onRefused = whenSignedOut.begin();
  const result = await request.catch((cause: unknown) => {
    if ((cause as Error).name === 'AbortError') throw cause;
  });
  const isReached = result !== undefined && !isOfProxy(result.response);
  online.value = isReached;
  if (!isReached) throw new ApiError(0, {});
  const { data, error, response } = result;
  if (response.ok) return data as T;
  const body = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  const refused = new ApiError(response.status, body, response);
  if (refused.status === 401) onRefused(refused);
  throw refused;
}

/**
 * Returns a signal that aborts a look-up after `ms` milliseconds. The look-up then throws an AbortError, which does not
 * set `online` to false: a slow service does not mean that the network is lost.
 */
export function giveUpAfter(ms: number): AbortSignal {
  const late = new AbortController();
  setTimeout(() => late.abort(), ms);
  return late.signal;
}

/** Returns a new id for a command. Create it when the user taps, and send it with every retry. */
export function newId(): string {
  // An insecure page (plain http on another host) has no randomUUID. Users cannot sign in on such a page, so it needs
  // no fallback.
  return crypto.randomUUID();
}

/**
 * Sends a request that the typed client does not know. A `Blob` is sent unchanged, with its own content type. @throws
 * ApiError
 */
export async function call<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { body, signal, headers }: { body?: unknown; signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<T> {
  const fetched = fetch(`${SERVICE}${path}`, {
    method,
    ...(signal && { signal }),
    headers: {
      accept: 'application/json',
      'accept-language': language.peek(),
      ...(body !== undefined && { 'content-type': body instanceof Blob ? body.type : 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
  });
  return send<T>(
    fetched.then(async (response) => {
      const text = await response.text();
      const read = text === '' ? undefined : (JSON.parse(text) as unknown);
      return response.ok ? { data: read as T, response } : { error: read, response };
    }),
  );
}
