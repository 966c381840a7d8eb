/**
 * A proxy on loopback that simulates a bad network. It drops, delays and rejects requests, and loses responses to
 * requests that the service has executed.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The network error of a request.
 * - `drop`: the service does not get the request.
 * - `cut`: the service executes the request, and the response is lost.
 * - `hold`: the request waits for `until`, then the service gets it.
 * - `refuse`: the proxy responds with an error, like an overloaded proxy.
 */
type Fault =
  | { kind: 'drop' }
  | { kind: 'cut' }
  | { kind: 'hold'; until: Promise<unknown> }
  | { kind: 'refuse'; status: number; retryAfter?: number; body?: unknown };

interface Passed {
  method: string;
  /** Path with the query. */
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
  /**
   * Status of the response. Undefined until the response arrives, and for requests that the proxy drops or serves from
   * a file.
   */
  status?: number;
}

/** Selects requests by a part of the path, a pattern or a function. */
type Which = string | RegExp | ((request: Passed) => boolean);

export interface CuttingProxy {
  /** `http://127.0.0.1:PORT` */
  origin: string;
  /** All requests, in the order of their arrival. */
  passed: Passed[];
  /** Applies an error to the next `times` requests (default 1) that match. */
  next: (which: Which, fault: Fault, times?: number) => void;
  /** Applies an error to all requests that match, until the returned function is called. */
  always: (which: Which, fault: Fault) => () => void;
  /**
   * Drops all requests and ends the open ones, like a pulled cable. Returns a function that restores the connection.
   */
  unplug: () => () => void;
  /** Removes all network errors. */
  reset: () => void;
  /** Adds headers to every request to the service, for example a credential for pages without a session. */
  add: (headers: Record<string, string>) => void;
  /** Serves a file of the test under `path` instead of calling the service. */
  serve: (path: string, file: File) => void;
  /**
   * Serves `path` and all paths below it with this function. If the function returns undefined, the response is a 404.
   */
  mount: (path: string, file: (name: string) => File | undefined) => void;
  /**
   * Resolves when a matching request has its response; resolves immediately if a matching request already has a
   * response.
   */
  seen: (which: Which) => Promise<Passed>;
  close: () => Promise<void>;
}

/** A file that the proxy serves without the service. */
export interface File {
  type: string;
  body: string | Buffer;
  headers?: Record<string, string>;
}

interface Rule {
  matches: (request: Passed) => boolean;
  fault: Fault;
  left: number;
}

/** Opens a proxy in front of `target`, for example `http://127.0.0.1:8080`. */
export async function openProxy(target: string): Promise<CuttingProxy> {
  const rules: Rule[] = [];
  const passed: Passed[] = [];
  const files = new Map<string, File>();
  const mounted: { path: string; file: (name: string) => File | undefined }[] = [];
  const added: Record<string, string> = {};
  const waiting: { matches: (request: Passed) => boolean; resolve: (request: Passed) => void }[] = [];
  const done = (request: Passed, status: number) => {
    request.status = status;
    for (const one of waiting.filter(({ matches }) => matches(request))) one.resolve(request);
  };
  const take = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const body = await bodyOf(incoming);
    const request: Passed = { method, url, headers, body: body.toString('utf8') };
    passed.push(request);
    const path = url.split('?', 1)[0]!;
    const folder = mounted.find((one) => path.startsWith(one.path));
    const file = files.get(path) ?? folder?.file(path.slice(folder.path.length));
    const rule = rules.find(({ matches, left }) => left > 0 && matches(request));
    if (rule !== undefined) rule.left -= 1;
    const fault = rule?.fault;
    if (fault?.kind === 'drop') return outgoing.destroy();
    if (fault?.kind === 'hold') await fault.until;
    if (fault?.kind === 'refuse') {
      done(request, fault.status);
      const retry = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
      outgoing.writeHead(fault.status, { 'content-type': 'application/problem+json', ...retry });
      return outgoing.end(JSON.stringify(fault.body ?? { title: 'rejected by the proxy', status: fault.status }));
    }
    if (file !== undefined) {
      outgoing.writeHead(200, { 'content-type': file.type, 'cache-control': 'no-cache', ...file.headers });
      return outgoing.end(file.body);
    }
    if (folder !== undefined) {
      outgoing.writeHead(404, { 'content-type': 'text/plain' });
      return outgoing.end('not there');
    }
    const response = await forward(target, incoming, body, added);
    done(request, response.status);
    if (fault?.kind === 'cut') return outgoing.destroy();
    outgoing.writeHead(response.status, response.headers);
    return outgoing.end(response.body);
  };
  const server: Server = createServer((incoming, outgoing) => {
    take(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const add = (which: Which, fault: Fault, left: number) => {
    const rule = { matches: matcher(which), fault, left };
    rules.push(rule);
    return () => {
      rule.left = 0;
    };
  };
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    next: (which, fault, times = 1) => void add(which, fault, times),
    always: (which, fault) => add(which, fault, Number.POSITIVE_INFINITY),
    unplug: () => {
      server.closeAllConnections();
      const rule = { matches: () => true, fault: { kind: 'drop' } as const, left: Number.POSITIVE_INFINITY };
      rules.unshift(rule);
      return () => {
        rule.left = 0;
      };
    },
    reset: () => void rules.splice(0),
    add: (headers) => void Object.assign(added, headers),
    serve: (path, file) => void files.set(path, file),
    mount: (path, file) => {
      mounted.splice(0, mounted.length, ...mounted.filter((one) => one.path !== path), { path, file });
    },
    seen: (which) => {
      const matches = matcher(which);
      const known = passed.find((request) => request.status !== undefined && matches(request));
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve) => waiting.push({ matches, resolve }));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function matcher(which: Which): (request: Passed) => boolean {
  if (typeof which === 'function') return which;
  if (typeof which === 'string') return ({ url }) => url.includes(which);
  return ({ method, url }) => which.test(`${method} ${url}`);
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

interface Response {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

function forward(target: string, incoming: IncomingMessage, body: Buffer, added: object): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { method, url } = incoming;
    const headers = { ...incoming.headers, ...added };
    const outgoing = send(new URL(url ?? '/', target), { method, headers, agent: false }, (response) => {
      bodyOf(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
