/** Sends one request of the outbox and returns its outcome. */
import { isOfProxy } from '../of-proxy.ts';
import { type Kept, requestOf } from './commands.ts';
import type { Outcome } from './queue.ts';

/** A response, with the data that the outbox needs. */
export interface Reply {
  outcome: Outcome;
  /** Fields of the body; empty if there is no body. */
  body: Record<string, unknown>;
}

/** The service that gets the commands, and the language of the user. */
export interface Destination {
  /** Base URL of the service, without a slash at its end. */
  service: string;
  language?: () => string;
}

/** Time limit of a request. Without a response by then, the service counts as unreachable. */
const PATIENCE_MS = 30_000;

/**
 * Sends commands in one request.
 * @param ticket the owner's ticket: the service then attributes the commands to the owner, even if another user is
 * signed in now
 */
export async function transmit(
  { service, language }: Destination,
  commands: readonly [Kept, ...Kept[]],
  ticket?: string,
): Promise<Reply> {
  const { method, path, body, key } = requestOf(commands);
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${service}${path}`, {
      method,
      body,
      headers: {
        accept: 'application/json',
        ...(language && { 'accept-language': language() }),
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(ticket !== undefined && { 'outbox-ticket': ticket }),
      },
      credentials: 'same-origin',
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    text = await response.text();
  } catch {
    return { outcome: { kind: 'network' }, body: {} };
  }
  // An HTML page comes from a sign-in page of the network or from a proxy, not from the service.
  if (isOfProxy(response) || (response.ok && /html/.test(response.headers.get('content-type') ?? ''))) {
    return { outcome: { kind: 'network' }, body: {} };
  }
  const shown = parsed(text);
  const code = textOf(shown, 'code');
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const outcome: Outcome = {
    kind: 'response',
    status: response.status,
    ...(code !== undefined && { code }),
    ...(Number.isFinite(seconds) && { retryAfter: seconds }),
  };
  const requestId = textOf(shown, 'requestId') ?? response.headers.get('x-request-id') ?? undefined;
  return { outcome, body: { ...shown, ...(requestId !== undefined && { requestId }) } };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Returns a text field of a body; undefined if it is empty or no text. */
export function textOf(body: Record<string, unknown>, name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
