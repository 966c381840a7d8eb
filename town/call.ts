/** Requests to a service, responses, and the headers of credentials. */
import type { Secrets, TownCall } from '../src/service/demo/town.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Call {
  method: Method;
  path: string;
  headers?: Record<string, string>;
  /**
   * Body that is sent as JSON; a `Decimal` keeps all its digits. The Content-Type is application/json unless `headers`
   * has another Content-Type.
   */
  body?: unknown;
  /** Text or bytes that are sent unchanged as the body, instead of `body`. */
  raw?: string | Buffer;
}

export interface Answer<Body = unknown> {
  status: number;
  /** Parsed JSON body; undefined if the body is not JSON. A number that a double cannot represent is a `Decimal`. */
  body: Body;
  text: string;
  headers: Record<string, string | undefined>;
}

/** Sends a request as one caller. */
export type Ask = (method: Method, path: string, body?: unknown) => Promise<Answer>;

/** Returns the `authorization` and `apikey` headers of a credential, which suffice for every operation of a client. */
export function clientHeaders({ apiKey, username, password }: Pick<Secrets, 'apiKey' | 'username' | 'password'>) {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`, apikey: apiKey };
}

/** Returns the `authorization` header of an operator. */
export function operatorHeaders(key: string) {
  return { authorization: `Bearer ${key}` };
}

/** Returns the function that the town's loader uses to call a service. */
export function townCall(call: (call: Call) => Promise<Answer>, operatorKey: string): TownCall {
  return (method, path, { as, body, x12 }) => {
    const headers = as === 'operator' ? operatorHeaders(operatorKey) : clientHeaders(as);
    if (x12 === undefined) return call({ method, path, body, headers });
    return call({ method, path, raw: x12, headers: { ...headers, 'content-type': 'application/edi-x12' } });
  };
}
