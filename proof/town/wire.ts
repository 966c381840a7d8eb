/**
 * The way between the people and the service. It loses responses, sends keyed requests again, and knows which requests
 * were acknowledged. In a control it lies: the judge must notice from the sums alone.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Request, send } from '../../town/service-process.ts';
import type { Credential } from '../../town/small-town.ts';

/** What a lying wire does. */
export const LIES = [
  // Acknowledges a write that it has not sent.
  'forgets',
  // Sends a write a second time under other identifiers.
  'doubles',
  // Shows one unit less on the shelf.
  'takes',
  // Leaves an event out of a page of the feed.
  'conceals',
  // Shows an order with one picked unit less.
  'shrinks',
  // Shows a refund a cent lower.
  'cheapens',
] as const;
type Lie = (typeof LIES)[number];

/** One write in this number is told wrong by a lying wire. */
const LIE_EVERY = 9;
/** Share of the requests whose response is lost, and of those that are sent again after their response. */
const LOST = 0.06;
const AGAIN = 0.08;
const PAUSE_MS = 25;
const PATIENCE_MS = 120_000;

interface Heard {
  status: number;
  body: unknown;
}

interface WireOptions {
  credential: Credential;
  random: () => number;
  lie: string | undefined;
  /** The address of the service now; it changes with every start. */
  base: () => string;
  fail: (what: string) => void;
}

export class Wire {
  /** Number of acknowledged writes, of responses that were lost, and of requests that were sent again. */
  readonly counts = { acknowledged: 0, lost: 0, again: 0, rejected: 0 };
  readonly #options: WireOptions;
  /** The last good response by path without identifiers, for a wire that forgets. */
  readonly #last = new Map<string, Heard>();
  #number = 0;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /**
   * Sends a write until its outcome is known, each time with the same key. Returns the body of a 2xx, an empty object if it has
   * none, and undefined if the service rejects the request.
   */
  async write<T>(method: string, path: string, body: object, form: string): Promise<T | undefined> {
    this.#number += 1;
    const key = `k-${this.#number}`;
    const before = this.#last.get(form);
    if (this.#lies('forgets') && before !== undefined) return before.body as T;
    const heard = await this.#known(method, path, body, key);
    if (heard === undefined) return undefined;
    this.#last.set(form, heard);
    if (this.#lies('doubles')) await this.#known(method, path, otherIds(body), `${key}-x`, false);
    this.counts.acknowledged += 1;
    return heard.body as T;
  }

  async read<T>(path: string): Promise<T> {
    const found = await this.find<T>(path);
    if (found === undefined) throw new Error(`GET ${path}: 404`);
    return found;
  }

  /** Undefined for a 404. */
  async find<T>(path: string): Promise<T | undefined> {
    const answer = await this.#sent({ method: 'GET', path, headers: this.#headers() });
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text}`);
    return this.#told(path, JSON.parse(answer.text)) as T;
  }

  async #known(method: string, path: string, body: object, key: string, isTold = true): Promise<Heard | undefined> {
    const headers = { ...this.#headers(), 'content-type': 'application/json', 'idempotency-key': key };
    const request = { method, path, headers, body: JSON.stringify(body) };
    const { random, fail } = this.#options;
    if (random() < LOST) {
      this.counts.lost += 1;
      await send(this.#options.base(), request, { timeoutMs: 1 + Math.floor(random() * 20) });
    }
    const answer = await this.#sent(request);
    const { status, text } = answer;
    if (status >= 500 && status !== 503 && isTold) fail(`${method} ${path}: ${status} ${text}`);
    if (status >= 300) {
      this.counts.rejected += 1;

      return undefined;
    }
    if (random() < AGAIN) {
      this.counts.again += 1;
      const repeated = await this.#sent(request);
      if (repeated.status !== status || repeated.text !== text)
        fail(`${method} ${path} sent again: ${repeated.status} ${repeated.text}, before ${status} ${text}`);
    }
    return { status, body: text === '' ? {} : JSON.parse(text) };
  }

  /** Sends a request until it gets a response that says what has happened. */
  async #sent(request: Request): Promise<Answer> {
    for (const until = performance.now() + PATIENCE_MS; ; ) {
      const answer = await send(this.#options.base(), request);
      const isOpen = answer === undefined || answer.status === 503 || /IDEMPOTENCY_KEY_IN_USE/.test(answer.text);
      if (!isOpen) return answer;
      if (performance.now() > until) throw new Error(`${request.method} ${request.path} gets no response`);
      await sleep(PAUSE_MS);
    }
  }

  #headers(): Record<string, string> {
    return { ...this.#options.credential };
  }

  #lies(lie: Lie): boolean {
    return this.#options.lie === lie && this.#number % LIE_EVERY === 0;
  }

  /** The body of a read, as a lying wire tells it. */
  #told(path: string, body: unknown): unknown {
    const { lie } = this.#options;
    if (lie === 'takes' && path.includes('/stock?')) {
      for (const level of (body as { stock: { shelf: number }[] }).stock) level.shelf -= 1;
    }
    if (lie === 'conceals' && path.includes('/events?')) (body as { events: unknown[] }).events.splice(3, 1);
    if (lie === 'shrinks' && /fulfillmentOrders\/[^/]+$/.test(path)) {
      const line = (body as { lines: { pickedQuantity: number }[] }).lines.find((one) => one.pickedQuantity > 0);
      if (line !== undefined) line.pickedQuantity -= 1;
    }
    if (lie === 'cheapens' && path.includes('/refunds?')) {
      for (const refund of (body as { refunds: { amount: number }[] }).refunds) refund.amount -= 0.01;
    }
    return body;
  }
}

/** The same message under other identifiers. */
function otherIds(body: object): object {
  const text = JSON.stringify(body).replaceAll(
    /"(takeId|number|receiptId|moveId|handOverId|fulfillmentOrderId|webOrderId|omsOrderId)":"([^"]*)"/g,
    '"$1":"$2x"',
  );
  return JSON.parse(text) as object;
}
