/** What every answer carries: the headers of security and the request's id. */
import type { IncomingMessage } from 'node:http';
import type { Ports } from '../ports.ts';

/** One constant: a plugin that puts them together each time takes some 10 us of a request. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};

/** The caller's own id of a request where it is valid, else a new one. */
export function requestIdOf(ports: Pick<Ports, 'newId'>): (request: Pick<IncomingMessage, 'headers'>) => string {
  return ({ headers }) => {
    const given = headers['x-request-id'];
    return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : ports.newId();
  };
}

/** Whether Host was sent twice: a host has no comma, and Node joins duplicates with one (`joinDuplicateHeaders`). */
export function hasTwoHosts({ host }: IncomingMessage['headers']): boolean {
  return host?.includes(',') === true;
}
