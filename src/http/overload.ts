/**
 * Shedding (decision 088): what cannot be answered in time is refused at once, before anything is spent on it, so that the
 * rest is answered in time. Two signs: more requests are being worked on than allowed, or the process has been too busy to
 * look at those that have arrived.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../config.ts';
import { type ErrorShape, errorBody, errorType, Refusal, shapeOfPath } from './errors.ts';
import { stringifyJson } from './json.ts';

/** A stretch of work as long as that is nothing by itself: a large message takes it. Only when it goes on and on. */
const PATIENCE_MS = 500;

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

/** How much there is to do, in one process. */
export class Load {
  readonly #maxInFlight: number;
  readonly #maxBusyMs: number;
  readonly #turns: Turns;
  #inFlight = 0;
  /** When the event loop began to look at the requests that wait now. */
  #turnSince: number | undefined;
  #turnEnded = 0;
  /** Since when every turn has been too long, with no rest between them. */
  #busySince: number | undefined;
  /** Requests refused since the start. */
  refused = 0;

  constructor(config: Pick<Config, 'maxInFlight' | 'maxBusyMs'>, turns: Turns = OF_THE_PROCESS) {
    this.#maxInFlight = config.maxInFlight;
    this.#maxBusyMs = config.maxBusyMs;
    this.#turns = turns;
  }

  /** Work on a request begins, waiting for its body aside. */
  enter(): void {
    this.#inFlight += 1;
  }

  leave(): void {
    this.#inFlight -= 1;
  }

  /** Whether a request that has arrived should be refused. Asked for each of them. */
  isTooMuch(): boolean {
    const now = this.#turns.now();
    if (this.#turnSince === undefined) this.#begin(now);
    if (this.#inFlight >= this.#maxInFlight) return true;
    return (
      now - this.#turnSince! > this.#maxBusyMs && this.#busySince !== undefined && now - this.#busySince > PATIENCE_MS
    );
  }

  /** @throws Refusal 503 for a request that is complete, when many more than allowed are worked on. */
  mustTake(): void {
    if (this.#inFlight < this.#maxInFlight * COMPLETE_FACTOR) return;
    this.refused += 1;
    throw overloaded();
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
    if (!load.isTooMuch() || NEVER_REFUSED.has(path)) {
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
