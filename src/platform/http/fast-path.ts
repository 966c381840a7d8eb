/**
 * The short way of hot reads: answered before the router, its hooks and its reply, which cost more than the read. It takes
 * plain requests (no query, no body, nothing encoded) of callers who are known, and answers nothing but 200: every
 * other request goes the usual way, so that each refusal is made in one place.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { makeCtx } from '../ctx.ts';
import type { Store, Watched } from '../storage/db.ts';
import { Outdated } from '../storage/row-state.ts';
import { ACCESS_TABLES } from './auth.ts';
import type { Caller, CallerCache } from './caller-cache.ts';
import { hasTwoHosts, SECURITY_HEADERS } from './headers.ts';
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
  /** Undefined where the store cannot prove that an answer is still good. */
  kept: KeptAnswers | undefined;
}

interface KeptAnswers {
  answers: ResponseCache;
  tables: Watched;
  version: number;
}

/** What a request asks for. */
interface Asked {
  hot: FastOperation;
  params: Record<string, string>;
  caller: Caller;
  place: CacheSlot | undefined;
}

/** Names and values in turn: Node takes them as they are. */
const SAME_HEADERS = Object.entries({
  ...SECURITY_HEADERS,
  'content-type': 'application/json; charset=utf-8',
}).flat();

export class FastPath {
  readonly #options: FastPathOptions;
  readonly #hot: readonly FastOperation[];
  #isOn: boolean;

  constructor(options: FastPathOptions, isOn: boolean) {
    this.#options = options;
    this.#isOn = isOn;
    this.#hot = options.operations
      .filter((operation) => operation.access === 'read')
      .filter((operation) => operation.fastPath !== undefined)
      .map((operation) => hotOf(operation, options.store));
  }

  /** Returns the request, or has `usual` answer it. */
  take(request: IncomingMessage, response: ServerResponse, usual: () => void): void {
    const began = performance.now();
    const asked = this.#asked(request);
    if (asked === undefined) {
      usual();
      return;
    }
    const requestId = this.#options.requestId(request);
    const send = (answer: string | Buffer) => {
      this.#send(response, requestId, answer);
      this.#options.measure(asked.hot.operation.id, 200, (performance.now() - began) / 1000);
    };
    if (asked.place?.answer === undefined) void this.#read(asked, requestId).then(send, usual);
    else send(asked.place.answer);
  }

  /** Everything goes the usual way from now on. */
  stop(): void {
    this.#isOn = false;
  }

  #asked({ method, url = '', headers }: IncomingMessage): Asked | undefined {
    const isPlain =
      method === 'GET' && headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
    if (!this.#isOn || !isPlain || hasTwoHosts(headers)) return undefined;
    const { callers, ports } = this.#options;
    for (const hot of this.#hot) {
      const found = hot.pattern.exec(url);
      if (found === null) continue;
      const params = Object.fromEntries(hot.names.map((name, index) => [name, found[index + 1]!]));
      const now = ports.now();
      const caller =
        callers.known(hot.operation, headers, params, now) ?? callers.toProve(hot.operation, headers, params, now);
      return caller && { hot, params, caller, place: placeOf(hot, `${caller.scope.clientId}\0${url}`) };
    }
    return undefined;
  }

  /** @throws Refusal, for which the usual way has the words. */
  async #read({ hot, params, caller, place }: Asked, requestId: string): Promise<string> {
    const { load } = this.#options;
    load.enter('read');
    try {
      const { store } = this.#options;
      const { actor, scope } = caller;
      const input = { params, query: {}, body: undefined, headers: {}, ...scope };
      const { status, text } = await store.read(
        (db) => hot.operation.handle(makeCtx(this.#options, { db, actor, requestId }), input as never),
        {
          stale: hot.operation.stale === true,
          single: hot.operation.single === true,
          ...(caller.rows !== undefined && { unchanged: caller.rows }),
        },
      );
      if (status !== 200 || text === undefined) throw new Error('What is hot answers a text.');
      if (place !== undefined) hot.kept?.answers.fill(place, text);
      return text;
    } catch (error) {
      if (error instanceof Outdated) this.#options.callers.forget(caller);
      throw error;
    } finally {
      load.leave('read');
    }
  }

  #send(response: ServerResponse, requestId: string, answer: string | Buffer): void {
    const own = ['x-request-id', requestId, 'content-length', String(Buffer.byteLength(answer))];
    response.writeHead(200, [...SAME_HEADERS, ...own]);
    response.end(answer);
  }
}

function hotOf(operation: AnyRead, store: Store): FastOperation {
  const tables = store.watch([...ACCESS_TABLES, ...operation.fastPath!]);
  return {
    operation,
    // Characters that stand for themselves in a path.
    pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([\\w.-]{1,200})')}$`),
    names: pathParams(operation.path),
    kept: tables && { answers: new ResponseCache(), tables, version: tables.version },
  };
}

/** Where the answer is kept, or may be: asked for in the same turn in which the caller was known. */
function placeOf({ kept }: FastOperation, key: string): CacheSlot | undefined {
  if (kept === undefined) return undefined;
  if (kept.version !== kept.tables.version) {
    kept.answers.forget();
    kept.version = kept.tables.version;
  }
  return kept.answers.find(key);
}
