/** Headers of every response: security and the request id. */
import type { IncomingMessage } from 'node:http';
import type { Ports } from '../ports.ts';

/** Constant headers: a plugin would take some 10 us to build them for each request. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};

/** The request id that the caller sent, if it is valid; otherwise a new one. */
export function requestIdOf(ports: Pick<Ports, 'newId'>): (request: Pick<IncomingMessage, 'headers'>) => string {
  return ({ headers }) => {
    const given = headers['x-request-id'];
    return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : ports.newId();
  };
}

/** Whether Host was sent twice: Node joins duplicates with a comma (`joinDuplicateHeaders`), which no host name has. */
export function hasTwoHosts({ host }: IncomingMessage['headers']): boolean {
  return host?.includes(',') === true;
}
