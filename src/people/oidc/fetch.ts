/** Requests to identity providers, with a check of each address and limits of the size and time of a response. */
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { CustomFetchOptions } from 'openid-client';
import { ADDRESS_REFUSED, type Gate } from '../../platform/http/gate.ts';
import { VERSION } from '../../platform/version.ts';

/** Time limit for one response of a provider. */
const TIMEOUT_MS = 5_000;
/** Maximum bytes of a response; usual discovery documents and key sets have a few KiB. */
const RESPONSE_MAX = 1024 * 1024;

/** Thrown if a provider sends no usable response: it is down, too slow or not allowed, or its response is too long. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** A fetch with the signature that openid-client and jose need. It does not follow redirects. */
export type ProviderFetch = (url: string, options: CustomFetchOptions) => Promise<Response>;

/**
 * Returns a function for requests to identity providers.
 * @param gate checks the addresses of new connections.
 */
export function providerFetch(gate: Gate): ProviderFetch {
  return async (url, { method, headers, body, signal }) => {
    const target = new URL(url);
    if (gate.refusesHost(target.hostname)) throw new ProviderUnavailable(ADDRESS_REFUSED);
    const late = AbortSignal.timeout(TIMEOUT_MS);
    const content = body === undefined || body === null ? undefined : textOf(body);
    try {
      return await new Promise<Response>((resolve, reject) => {
        const request = (target.protocol === 'https:' ? tlsRequest : plainRequest)(target, {
          method,
          headers: {
            ...headers,
            'user-agent': `Backroom/${VERSION}`,
            ...(content !== undefined && { 'content-length': Buffer.byteLength(content) }),
          },
          // Each request has a new connection, because the gate checks the address of new connections only.
          agent: false,
          lookup: gate.lookup,
          signal: signal === undefined ? late : AbortSignal.any([late, signal]),
        });
        request.on('error', reject);
        // Without this listener, Node closes the connection after a 101 with neither an error nor a response.
        request.on('upgrade', (_response, socket) => {
          socket.destroy();
          reject(new ProviderUnavailable('the provider switches to another protocol'));
        });
        request.on('response', (response) => {
          read(response).then(resolve, (error: unknown) => {
            request.destroy();
            reject(error);
          });
        });
        request.end(content);
      });
    } catch (error) {
      throw new ProviderUnavailable('the provider did not respond', { cause: error });
    }
  };
}

function textOf(body: NonNullable<CustomFetchOptions['body']>): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('requests to providers have a text or a form');
}

async function read(response: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > RESPONSE_MAX) throw new ProviderUnavailable('the response of the provider is too long');
    chunks.push(chunk);
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
  }
  const status = response.statusCode!;
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers });
}
