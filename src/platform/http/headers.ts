/** Security headers, the id of a request, and the rejection of a wrong Host header. */
import type { IncomingMessage } from 'node:http';
import { inEnglish } from '../message/sentence.ts';
import type { Ports } from '../ports.ts';
import { say } from '../sentences.ts';
import { badValue, Refusal } from './errors.ts';

/** Constant headers: a plugin would take some 10 us to build them for each request. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};

/** Headers of a site with https: browsers then use https for a year, even if a link has http. */
export const SECURE_HEADERS = { ...SECURITY_HEADERS, 'strict-transport-security': 'max-age=31536000' };

/** Returns the 421 for a Host that is not the name of this service. */
export function misdirected(): Refusal {
  const what = say(
    'The Host header of the request does not name this machine; use http://127.0.0.1, or set PUBLIC_URL, or set TRUST_PROXY if a proxy sends the request.',
  );
  return new Refusal(421, 'VALIDATION', 'MISDIRECTED_REQUEST', what);
}

/** The request id that the caller sent, if it is valid; otherwise a new id. */
export function requestIdOf(ports: Pick<Ports, 'newId'>): (request: Pick<IncomingMessage, 'headers'>) => string {
  return ({ headers }) => {
    const given = headers['x-request-id'];
    return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : ports.newId();
  };
}

/**
 * Returns the error of the Host header, or undefined. Only requests of HTTP/1.0 can be without a Host header. Node
 * joins several Host headers with a comma (`joinDuplicateHeaders`), and no host name has a comma.
 */
export function hostError({ headers: { host }, httpVersion }: IncomingMessage): Refusal | undefined {
  if (host?.includes(',') === true) {
    return badValue('header:Host', 'duplicate', inEnglish('the request has two Host headers; send only one'));
  }
  if (host === undefined && httpVersion === '1.1') {
    return badValue('header:Host', 'required', inEnglish('the request has no Host header; send it'));
  }
  return undefined;
}
