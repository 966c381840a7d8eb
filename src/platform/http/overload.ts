/**
 * Shedding (docs/decisions/088): what cannot be answered in time is refused at once, before anything is spent on it, so that the
 * rest is answered in time. Three signs: so many are worked on that one more would wait too long at the pace of the last
 * ones, more are worked on than allowed at all, or the process has been too busy to look at those that have arrived.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../config.ts';
import { stringifyJson } from '../message/json.ts';
import { type ErrorShape, errorBody, errorType, Refusal, shapeOfPath } from './errors.ts';

/** A single long message, or a burst, is no overload: only when it goes on. */
const BUSY_PATIENCE_MS = 500;
const WAIT_PATIENCE_MS = 200;

/** So few are never too many, whatever the pace of those before them was. */
const ALWAYS_TAKEN = 16;

/** One slow request says little of the next: its part of the pace is bounded, and fades within as many requests. */
const LONGEST_GAP_MS = 100;
const PACE_OVER = 64;

/** How requests whose bodies took their time are bounded: when they are complete, much has been spent on them. */
const COMPLETE_FACTOR = 2;

/** Bodies over this are not waited for after a refusal. */
const SMALL_BODY = 65_536;

/** Never refused: who asks wants to know how it is going. */
const NEVER_REFUSED = new Set(['/livez', '/readyz', '/metrics']);

/** How time passes for `Load`; the default is the process's own. */
export interface Turns {
  /** Milliseconds from any start. */
  now: () => number;
  /** Calls back when all requests that had arrived by now have been looked at. */
  atEnd: (then: () => void) => void;
}

const OF_THE_PROCESS: Turns = { now: () => performance.now(), atEnd: (then) => void setImmediate(then) };

/** Requests of a kind that wait for the same thing, and the pace at which they are done. */
class Lane {
  readonly #maxWaitMs: number;
  #inFlight = 0;
  /** Milliseconds from one answer to the next, while there is something to answer. */
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

  /** It waits for something else for a while; `enter` goes on. */
  pause(): void {
    this.#inFlight -= 1;
  }

  leave(now: number): void {
    const gap = Math.min(LONGEST_GAP_MS, now - this.#lastEvent);
    this.#lastEvent = now;
    this.#pace += (gap - this.#pace) / PACE_OVER;
    this.#inFlight -= 1;
  }

  /** Whether one more would wait too long, as it has been for a while. */
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

/** Reads and writes wait for different things; which of them a request is, its method tells before it is looked at. */
export type Kind = 'read' | 'write';

/** How much there is to do, in one process. */
export class Load {
  readonly #maxInFlight: number;
  readonly #maxBusyMs: number;
  readonly #turns: Turns;
  readonly #lanes: Record<Kind, Lane>;
  /** When the event loop began to look at the requests that wait now. */
  #turnSince: number | undefined;
  #turnEnded = 0;
  /** Since when every turn has been too long, with no rest between them. */
  #busySince: number | undefined;
  /** Requests refused since the start. */
  refused = 0;

  constructor({ maxInFlight, maxWaitMs }: Pick<Config, 'maxInFlight' | 'maxWaitMs'>, turns: Turns = OF_THE_PROCESS) {
    this.#maxInFlight = maxInFlight;
    this.#maxBusyMs = maxWaitMs / 3;
    this.#turns = turns;
    this.#lanes = { read: new Lane(maxWaitMs), write: new Lane(maxWaitMs) };
  }

  /** Work on a request begins, or goes on. */
  enter(kind: Kind): void {
    this.#lanes[kind].enter(this.#turns.now());
  }

  /** It waits for its body, which is the caller's affair. */
  pause(kind: Kind): void {
    this.#lanes[kind].pause();
  }

  /** Awaits what neither the writer nor the event loop does: meanwhile the request counts as none that is worked on. */
  async aside<T>(kind: Kind, work: () => Promise<T>): Promise<T> {
    this.pause(kind);
    try {
      return await work();
    } finally {
      this.enter(kind);
    }
  }

  /** It is answered. */
  leave(kind: Kind): void {
    this.#lanes[kind].leave(this.#turns.now());
  }

  /** Whether a request that has arrived should be refused. Asked for each of them. */
  isTooMuch(kind: Kind): boolean {
    const now = this.#turns.now();
    if (this.#turnSince === undefined) this.#begin(now);
    const isBusy =
      now - this.#turnSince! > this.#maxBusyMs &&
      this.#busySince !== undefined &&
      now - this.#busySince > BUSY_PATIENCE_MS;
    return isBusy || this.#inFlight >= this.#maxInFlight || this.#lanes[kind].isLate(now);
  }

  /** @throws Refusal 503 for a request that is complete, when many more than allowed are worked on. */
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
    'There is more to do than can be done in time; nothing was changed. Send it again after Retry-After.',
    { headers: { 'retry-after': '1' } },
  );
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Puts the refusal before `handler`. It answers by itself: the way through the router would cost several times as much. */
export function guarded(
  handler: Handler,
  load: Load,
  { requestId, headers }: { requestId: (request: IncomingMessage) => string; headers: Record<string, string> },
): Handler {
  const id = '{id}';
  const texts = new Map<ErrorShape, string[]>();
  for (const shape of ['record', 'inbound', 'problem'] as const) {
    texts.set(shape, stringifyJson(errorBody(shape, overloaded(), id)).split(id));
  }
  return (request, response) => {
    const path = request.url ?? '';
    // Asked first, because it must see every request.
    if (!load.isTooMuch(request.method === 'GET' ? 'read' : 'write') || NEVER_REFUSED.has(path.split('?', 1)[0]!)) {
      handler(request, response);
      return;
    }
    load.refused += 1;
    const shape = shapeOfPath(path);
    const ownId = requestId(request);
    const text = texts.get(shape)!.join(ownId);
    const isSmall = Number(request.headers['content-length'] ?? 0) <= SMALL_BODY;
    response.writeHead(503, {
      ...headers,
      'retry-after': '1',
      'x-request-id': ownId,
      'content-type': errorType(shape),
      'content-length': Buffer.byteLength(text),
      ...(!isSmall && { connection: 'close' }),
    });
    response.end(text);
  };
}
