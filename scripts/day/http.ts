/**
 * HTTP calls of the day. Counts the calls of every operation. After the import, the day uses the service only through
 * these calls.
 */
import { parseJson, stringifyJson } from '../../src/platform/message/json.ts';
import { operations } from '../../src/service/operations.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Credentials of a client, from the response to their creation. */
export interface Credentials {
  apiKey: string;
  username: string;
  password: string;
}

const routes = operations.map(({ id, method, path }) => ({
  id,
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}));

export class Caller {
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly counts: Record<string, number>;

  private constructor(base: string, headers: Record<string, string>, counts: Record<string, number>) {
    this.#base = base;
    this.#headers = headers;
    this.counts = counts;
  }

  static operator(base: string, key: string): Caller {
    return new Caller(base, { authorization: `Bearer ${key}` }, {});
  }

  /** Returns a caller with other credentials. The calls of both callers are counted together. */
  as({ apiKey, username, password }: Credentials): Caller {
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    return new Caller(this.#base, { apikey: apiKey, authorization: `Basic ${basic}` }, this.counts);
  }

  /** Sends a request and returns the body of the response. @throws Error if the status is not 2xx. */
  async send<T>(method: Method, path: string, body?: unknown): Promise<T> {
    const answer = await this.ask(method, path, body);
    if (answer.status < 300) return answer.body as T;
    throw new Error(`${method} ${path} returned ${answer.status}: ${stringifyJson(answer.body).slice(0, 500)}`);
  }

  /** Sends a request and returns the response of any status. */
  async ask(method: Method, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const id = routes.find((route) => route.method === method && route.pattern.test(path.split('?')[0]!))?.id ?? path;
    this.counts[id] = (this.counts[id] ?? 0) + 1;
    const answer = await fetch(this.#base + path, {
      method,
      headers: { ...this.#headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: stringifyJson(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : parseJson(text) };
  }
}
