/**
 * Load shedding (docs/decisions/088): if the service is overloaded, a new request gets 503 before any work on it, so
 * that the requests in progress end in time. There are three signs of overload: at the recent pace a new request would
 * wait too long; more requests than the limit are in progress; the event loop has been too busy to read new requests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../config.ts';
import { stringifyJson } from '../message/json.ts';
import { inLanguageOf, LANGUAGES, languageOf } from '../message/sentence.ts';
import { say } from '../sentences.ts';
import { ERROR_SHAPES, errorBody, errorType, Refusal, shapeOfPath } from './errors.ts';
import { languageHeaders } from './languages.ts';

/**
 * Overload begins when the event loop has been busy, or the waits have been too long, for these times. A single long
 * message or a burst takes less time.
 */
const BUSY_PATIENCE_MS = 500;
const WAIT_PATIENCE_MS = 200;

/** While fewer requests than this are in progress, the pace is not considered. */
const ALWAYS_TAKEN = 16;

/**
 * The pace is an average over about `PACE_OVER` gaps between responses. One gap counts at most `LONGEST_GAP_MS`, which
 * limits the effect of one slow request.
 */
const LONGEST_GAP_MS = 100;
const PACE_OVER = 64;

/**
 * Requests with a complete body are rejected only at this multiple of the limit, because a rejection wastes the work of
 * reading the body.
 */
const COMPLETE_FACTOR = 2;

/** After a 503 for overload, the service does not wait for the rest of a body with more than this number of bytes. */
const SMALL_BODY = 65_536;

/** Paths that are never rejected, because they show the state of the service. */
const NEVER_REFUSED = new Set(['/livez', '/readyz', '/metrics']);

/** The clock of `Load`; default: the clock of the process. */
export interface Turns {
  /** Milliseconds from an arbitrary start. */
  now: () => number;
  /** Calls `then` when all requests that have already arrived are examined. */
  atEnd: (then: () => void) => void;
}

const OF_THE_PROCESS: Turns = { now: () => performance.now(), atEnd: (then) => void setImmediate(then) };

/** Requests of one kind, which wait for the same resource, and the pace at which they complete. */
class Lane {
  readonly #maxWaitMs: number;
  #inFlight = 0;
  /** Average milliseconds between two responses, measured while requests are in progress. */
  #pace = 0;
  #lastEvent = 0;
  #lateSince: number | undefined;

  constructor(maxWaitMs: number) {
    this.#maxWaitMs = maxWaitMs;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  enter(now: number): void {
    if (this.#inFlight === 0) this.#lastEvent = now;
    this.#inFlight += 1;
  }

  /** Pauses a request that waits for another resource; `enter` continues it. */
  pause(): void {
    this.#inFlight -= 1;
  }

  leave(now: number): void {
    const gap = Math.min(LONGEST_GAP_MS, now - this.#lastEvent);
    this.#lastEvent = now;
    this.#pace += (gap - this.#pace) / PACE_OVER;
    this.#inFlight -= 1;
  }

  /** Whether the expected wait of a further request has been too long for more than `WAIT_PATIENCE_MS`. */
  isLate(now: number): boolean {
    const wait = this.#inFlight < ALWAYS_TAKEN ? 0 : this.#inFlight * this.#pace;
    if (wait <= this.#maxWaitMs) {
      if (wait < this.#maxWaitMs / 2) this.#lateSince = undefined;
      return false;
    }
    this.#lateSince ??= now;
    return now - this.#lateSince > WAIT_PATIENCE_MS;
  }
}

/** Kind of a request: reads and writes wait for different resources. Before routing, only the method shows the kind. */
export type Kind = 'read' | 'write';

/** The load of one process. */
export class Load {
  readonly #maxInFlight: number;
  readonly #maxBusyMs: number;
  readonly #turns: Turns;
  readonly #lanes: Record<Kind, Lane>;
  /** Time at which the event loop began its present turn with new requests. */
  #turnSince: number | undefined;
  #turnEnded = 0;
  /** Time since which all turns of the event loop have been too long. */
  #busySince: number | undefined;
  /** Number of rejected requests since the start. */
  refused = 0;

  constructor({ maxInFlight, maxWaitMs }: Pick<Config, 'maxInFlight' | 'maxWaitMs'>, turns: Turns = OF_THE_PROCESS) {
    this.#maxInFlight = maxInFlight;
    this.#maxBusyMs = maxWaitMs / 3;
    this.#turns = turns;
    this.#lanes = { read: new Lane(maxWaitMs), write: new Lane(maxWaitMs) };
  }

  /** Starts or continues the work on a request. */
  enter(kind: Kind): void {
    this.#lanes[kind].enter(this.#turns.now());
  }

  /** Pauses a request that waits for its body: the caller determines how long this takes. */
  pause(kind: Kind): void {
    this.#lanes[kind].pause();
  }

  /**
   * Awaits work that uses neither the writer nor the event loop. During this work, the request does not count as in
   * progress.
   */
  async aside<T>(kind: Kind, work: () => Promise<T>): Promise<T> {
    this.pause(kind);
    try {
      return await work();
    } finally {
      this.enter(kind);
    }
  }

  /** Ends the work on a request. */
  leave(kind: Kind): void {
    this.#lanes[kind].leave(this.#turns.now());
  }

  /** Whether a new request must be rejected. Call it for every request that arrives. */
  isTooMuch(kind: Kind): boolean {
    const now = this.#turns.now();
    if (this.#turnSince === undefined) this.#begin(now);
    const isBusy =
      now - this.#turnSince! > this.#maxBusyMs &&
      this.#busySince !== undefined &&
      now - this.#busySince > BUSY_PATIENCE_MS;
    return isBusy || this.#inFlight >= this.#maxInFlight || this.#lanes[kind].isLate(now);
  }

  /**
   * Checks the load before the work on a request whose body is complete.
   * @throws Refusal 503 if twice the maximum number of requests are in progress.
   */
  mustTake(): void {
    if (this.#inFlight < this.#maxInFlight * COMPLETE_FACTOR) return;
    this.refused += 1;
    throw overloaded();
  }

  get #inFlight(): number {
    return this.#lanes.read.inFlight + this.#lanes.write.inFlight;
  }

  #begin(now: number): void {
    this.#turnSince = now;
    if (now - this.#turnEnded > this.#maxBusyMs) this.#busySince = undefined;
    this.#turns.atEnd(() => {
      this.#turnEnded = this.#turns.now();
      const isBusy = this.#turnEnded - now > this.#maxBusyMs;
      this.#busySince = isBusy ? (this.#busySince ?? now) : undefined;
      this.#turnSince = undefined;
    });
  }
}

function overloaded(): Refusal {
  return new Refusal(
    503,
    'INTERNAL',
    'OVERLOADED',
    say('The service is overloaded; nothing was changed. Send the request again after Retry-After.'),
    { headers: { 'retry-after': '1' } },
  );
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Checks the load before `handler`. It sends 503 directly, because the router would cost several times as much. */
export function guarded(
  handler: Handler,
  load: Load,
  { requestId, headers }: { requestId: (request: IncomingMessage) => string; headers: Record<string, string> },
): Handler {
  const id = '{id}';
  const texts = new Map<string, string[]>();
  for (const language of LANGUAGES) {
    for (const shape of ERROR_SHAPES) {
      const { text } = inLanguageOf(language, () => stringifyJson(errorBody(shape, overloaded(), id)));
      texts.set(`${shape} ${language}`, text.split(id));
    }
  }
  return (request, response) => {
    const path = request.url ?? '';
    // `isTooMuch` comes first, because it must see every request, including those that are never rejected.
    if (!load.isTooMuch(request.method === 'GET' ? 'read' : 'write') || NEVER_REFUSED.has(path.split('?', 1)[0]!)) {
      handler(request, response);
      return;
    }
    load.refused += 1;
    const shape = shapeOfPath(request.method, path);
    const ownId = requestId(request);
    const language = languageOf(request.headers['accept-language']);
    const text = texts.get(`${shape} ${language}`)!.join(ownId);
    const isSmall = Number(request.headers['content-length'] ?? 0) <= SMALL_BODY;
    response.writeHead(503, {
      ...headers,
      ...languageHeaders(language),
      'retry-after': '1',
      'x-request-id': ownId,
      'content-type': errorType(shape),
      'content-length': Buffer.byteLength(text),
      ...(!isSmall && { connection: 'close' }),
    });
    response.end(text);
  };
}
