/**
 * The fast path of frequent reads responds before the router, which would take longer than the read itself. It handles
 * only requests of cached callers, without a query, a body or percent-encoding, and sends only responses with status
 * 200. Every other request goes through the router, so that only the router sends errors.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { makeCtx } from '../ctx.ts';
import type { Store, Watched } from '../storage/db.ts';
import { Outdated } from '../storage/row-state.ts';
import { ACCESS_TABLES } from './auth.ts';
import type { Caller, CallerCache } from './caller-cache.ts';
import { hostError, SECURE_HEADERS, SECURITY_HEADERS } from './headers.ts';
import type { Measure } from './measure.ts';
import { type AnyRead, type Operation, pathParams } from './operation.ts';
import type { Load } from './overload.ts';
import { type CacheSlot, ResponseCache } from './response-cache.ts';
import type { RunOptions } from './run.ts';

export interface FastPathOptions extends RunOptions {
  operations: readonly Operation[];
  callers: CallerCache;
  load: Load;
  measure: Measure;
  requestId: (request: IncomingMessage) => string;
}

interface FastOperation {
  operation: AnyRead;
  pattern: RegExp;
  names: readonly string[];
  /** Cached responses; undefined if the store cannot check whether a cached response is still valid. */
  kept: CachedResponses | undefined;
}

interface CachedResponses {
  responses: ResponseCache;
  tables: Watched;
  version: number;
}

/** A request that the fast path can handle. */
interface Asked {
  fast: FastOperation;
  params: Record<string, string>;
  caller: Caller;
  place: CacheSlot | undefined;
}

/** Returns the headers of each response as a flat list of names and values, which Node writes without conversion. */
function sameHeaders(isSecure: boolean): string[] {
  const headers = {
    ...(isSecure ? SECURE_HEADERS : SECURITY_HEADERS),
    'content-type': 'application/json; charset=utf-8',
  };
  return Object.entries(headers).flat();
}

export class FastPath {
  readonly #options: FastPathOptions;
  readonly #operations: readonly FastOperation[];
  readonly #headers: readonly string[];
  #isOn: boolean;

  constructor(options: FastPathOptions, isOn: boolean) {
    this.#options = options;
    this.#headers = sameHeaders(options.site.isSecure);
    this.#isOn = isOn;
    this.#operations = options.operations
      .filter((operation) => operation.kind === 'read')
      .filter((operation) => operation.run.fastPath !== undefined)
      .map((operation) => fastOperation(operation, options.store));
  }

  /** Responds to the request, or passes it to `usual`, which starts the router. */
  take(request: IncomingMessage, response: ServerResponse, usual: () => void): void {
    const began = performance.now();
    const asked = this.#asked(request);
    if (asked === undefined) {
      usual();
      return;
    }
    const requestId = this.#options.requestId(request);
    const send = (body: string | Buffer) => {
      this.#send(response, requestId, body);
      this.#options.measure(asked.fast.operation.id, 200, (performance.now() - began) / 1000);
    };
    if (asked.place?.response === undefined) void this.#read(asked, requestId).then(send, usual);
    else send(asked.place.response);
  }

  /** Stops the fast path: every further request goes through the router. */
  stop(): void {
    this.#isOn = false;
  }

  #asked(request: IncomingMessage): Asked | undefined {
    const { method, url = '', headers } = request;
    const isPlain =
      method === 'GET' && headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
    if (!this.#isOn || !isPlain || hostError(request) !== undefined) return undefined;
    const { callers, ports, site } = this.#options;
    if (!site.isFor(headers.host)) return undefined;
    for (const fast of this.#operations) {
      const found = fast.pattern.exec(url);
      if (found === null) continue;
      const params = Object.fromEntries(fast.names.map((name, index) => [name, found[index + 1]!]));
      const now = ports.now();
      const caller =
        callers.known(fast.operation, headers, params, now) ?? callers.toProve(fast.operation, headers, params, now);
      return caller && { fast, params, caller, place: placeOf(fast, `${caller.scope.clientId}\0${url}`) };
    }
    return undefined;
  }

  /**
   * Runs the read and returns the text of its response.
   * @throws Error of any kind: the request then goes through the router, which runs the read again.
   */
  async #read({ fast, params, caller, place }: Asked, requestId: string): Promise<string> {
    const { load } = this.#options;
    load.enter('read');
    try {
      const { store } = this.#options;
      const { actor, scope } = caller;
      const input = { params, query: {}, body: undefined, headers: {}, ...scope };
      const { status, text } = await store.read(
        (db) => fast.operation.run.handle(makeCtx(this.#options, { db, actor, requestId }), input as never),
        {
          stale: fast.operation.run.stale === true,
          single: fast.operation.run.single === true,
          ...(caller.rows !== undefined && { unchanged: caller.rows }),
        },
      );
      if (status !== 200 || text === undefined)
        throw new Error('An operation with `fastPath` must respond with a text and status 200.');
      if (place !== undefined) fast.kept?.responses.fill(place, text);
      return text;
    } catch (error) {
      if (error instanceof Outdated) this.#options.callers.forget(caller);
      throw error;
    } finally {
      load.leave('read');
    }
  }

  #send(response: ServerResponse, requestId: string, body: string | Buffer): void {
    const own = ['x-request-id', requestId, 'content-length', String(Buffer.byteLength(body))];
    response.writeHead(200, [...this.#headers, ...own]);
    response.end(body);
  }
}

function fastOperation(operation: AnyRead, store: Store): FastOperation {
  const tables = store.watch([...ACCESS_TABLES, ...operation.run.fastPath!]);
  return {
    operation,
    // Path variables with characters outside of this pattern can be percent-encoded, so such requests go through the
    // router.
    pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([\\w.-]{1,200})')}$`),
    names: pathParams(operation.path),
    kept: tables && { responses: new ResponseCache(), tables, version: tables.version },
  };
}

/**
 * Returns the slot of the cached response; undefined if the store watches no tables. Call this function synchronously
 * after the look-up of the caller, so that both see the same versions of the tables.
 */
function placeOf({ kept }: FastOperation, key: string): CacheSlot | undefined {
  if (kept === undefined) return undefined;
  if (kept.version !== kept.tables.version) {
    kept.responses.forget();
    kept.version = kept.tables.version;
  }
  return kept.responses.find(key);
}
