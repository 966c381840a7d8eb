/** One attempt of a delivery over HTTP. It never throws: every failure is an outcome. */
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { ADDRESS_REFUSED, type Gate } from '../platform/http/gate.ts';
import { VERSION } from '../platform/version.ts';

/**
 * Maximum number of bytes that are read of a response body before the connection is closed. Only the status of a
 * response matters.
 */
const RESPONSE_MAX = 65_536;

export interface Outcome {
  ok: boolean;
  /** Status of the response, if there was one. */
  status?: number;
  /** Error code of an attempt without a response. It never contains text of the receiver. */
  error?: string;
  /** Retry-After of the response, in milliseconds. */
  askedMs?: number;
}

export interface Sending {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
  gate: Gate;
  isPlainAllowed: boolean;
  /** Aborts the attempt, for example when the service stops. */
  signal?: AbortSignal;
}

/** Posts the body once. Redirects are not followed: a 3xx is a failure. */
export function send({ url, headers, body, timeoutMs, gate, isPlainAllowed, signal }: Sending): Promise<Outcome> {
  const target = new URL(url);
  if (target.protocol !== 'https:' && !isPlainAllowed) return Promise.resolve({ ok: false, error: 'HTTPS_REQUIRED' });
  if (gate.refusesHost(target.hostname)) return Promise.resolve({ ok: false, error: ADDRESS_REFUSED });
  const content = Buffer.from(body, 'utf8');
  return new Promise((resolve) => {
    const late = AbortSignal.timeout(timeoutMs);
    const request = (target.protocol === 'https:' ? tlsRequest : plainRequest)(target, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': content.length,
        'user-agent': `Backroom/${VERSION}`,
      },
      // Each attempt opens a new connection, because the gate checks only the addresses of new connections.
      agent: false,
      lookup: gate.lookup,
      signal: signal === undefined ? late : AbortSignal.any([late, signal]),
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ ok: false, error: late.aborted ? 'TIMEOUT' : codeOf(error) });
    });
    // Without this listener, Node closes the connection after a 101 with neither an error nor a response.
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      resolve({ ok: false, status: statusCode! });
    });
    request.on('response', (response) => {
      const status = response.statusCode!;
      const askedMs = retryAfterOf(response.headers['retry-after']);
      let read = 0;
      response.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read > RESPONSE_MAX) request.destroy();
      });
      response.on('error', () => undefined);
      resolve({ ok: status >= 200 && status < 300, status, ...(askedMs !== undefined && { askedMs }) });
    });
    request.end(content);
  });
}

function codeOf({ code }: NodeJS.ErrnoException): string {
  return code !== undefined && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'FAILED';
}

/** Returns Retry-After in milliseconds. A Retry-After with a date is ignored. */
function retryAfterOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}
