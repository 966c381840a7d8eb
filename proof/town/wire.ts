/**
 * The connection between the people and the service. It loses responses, sends keyed requests again, and records which
 * requests were acknowledged. In a control it falsifies requests or responses, and the comparison of the sums must find
 * the falsified data.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Request, send } from '../../town/service-process.ts';
import type { Credential } from '../../town/small-town.ts';

/** The ways in which the connection falsifies data in a control. */
export const LIES = [
  // Acknowledges a write without sending it.
  'forgets',
  // Sends a write a second time with other identifiers.
  'doubles',
  // Returns each level of stock with one unit less on the shelf.
  'takes',
  // Removes an event from a page of the feed.
  'conceals',
  // Returns an order with one picked unit less.
  'shrinks',
  // Returns each refund with one cent less.
  'cheapens',
] as const;
type Lie = (typeof LIES)[number];

/** With `forgets` and `doubles`, every ninth write is falsified. */
const LIE_EVERY = 9;
/**
 * `LOST`: share of the writes whose response is lost. `AGAIN`: share of the successful writes that are sent again after
 * their response.
 */
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
  /** Returns the current address of the service, which changes with every start. */
  base: () => string;
  fail: (what: string) => void;
}

export class Wire {
  /**
   * Numbers of acknowledged writes, of lost responses, of requests sent again after their response, and of rejected
   * writes.
   */
  readonly counts = { acknowledged: 0, lost: 0, again: 0, rejected: 0 };
  readonly #options: WireOptions;
  /** The last good response for each form of request. With `forgets`, it is returned in place of a new response. */
  readonly #last = new Map<string, Heard>();
  #number = 0;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /**
   * Sends a write with the same key until its outcome is known. Returns the body of a 2xx response, or an empty object
   * if the response has no body. Returns undefined if the service rejects the request.
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

  /** Reads a path. Returns undefined for a 404. */
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

  /** Sends a request until a response shows its outcome. */
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

  /** Returns the body of a read; in a control, the falsified body. */
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

/** Returns the same message with other identifiers. */
function otherIds(body: object): object {
  const text = JSON.stringify(body).replaceAll(
    /"(takeId|number|receiptId|moveId|handOverId|fulfillmentOrderId|webOrderId|omsOrderId)":"([^"]*)"/g,
    '"$1":"$2x"',
  );
  return JSON.parse(text) as object;
}
