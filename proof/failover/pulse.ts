/**
 * Sends writes one after the other, each under an Idempotency-Key, and retries each write until it is acknowledged. The
 * gaps between acknowledgments show the longest time in which no write was possible. The events show that each retried
 * request had exactly one effect, and that the effects are in the order of the responses.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Store } from '../../src/platform/storage/db.ts';
import { send } from '../../town/service-process.ts';
import type { Credential } from '../../town/small-town.ts';
import { itemBody } from '../support/clerk/goods.ts';
import { rows } from '../support/judge/invariants.ts';
import { isToBeRepeated } from '../support/load.ts';

const PAUSE_MS = 100;
/** Time limit of a request. It is longer than the service's time-out for its database. */
const ANSWER_MS = 40_000;
/** Time limit for the acknowledgment of the last request. */
const LAST_MS = 30_000;

/** Measures the longest time without an acknowledged write. */
export class Gap {
  #last = performance.now();
  #longestMs = 0;

  /** Records an acknowledged write. */
  readonly beat = (): void => {
    const now = performance.now();
    this.#longestMs = Math.max(this.#longestMs, now - this.#last);
    this.#last = now;
  };

  /** Starts the measurement again. */
  reset(): void {
    this.#last = performance.now();
    this.#longestMs = 0;
  }

  get seconds(): number {
    return Math.max(this.#longestMs, performance.now() - this.#last) / 1000;
  }
}

export class Pulse {
  readonly faults: string[] = [];
  acknowledged = 0;
  /** Requests that were sent more than once. */
  repeated = 0;
  readonly #name: string;
  readonly #credential: Credential;
  readonly #onWrite: () => void;
  #isStopped = false;
  #giveUpAt = Number.POSITIVE_INFINITY;
  #running: Promise<void> = Promise.resolve();

  /** `name` must be unique in its database. */
  constructor(name: string, credential: Credential, onWrite: () => void) {
    this.#name = name;
    this.#credential = credential;
    this.#onWrite = onWrite;
  }

  start(bases: readonly string[]): void {
    this.#running = this.#run(bases);
  }

  /** Stops after the pending request. Resolves when this request is acknowledged or given up. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#giveUpAt = performance.now() + LAST_MS;
    await this.#running;
  }

  async #run(bases: readonly string[]): Promise<void> {
    while (!this.#isStopped) {
      await this.#write(bases, this.acknowledged + 1);
      await sleep(PAUSE_MS);
    }
  }

  async #write(bases: readonly string[], number: number): Promise<void> {
    const id = this.#id(number);
    const itemId = `21-${this.#name.toUpperCase()}`;
    const body = itemBody(itemId, id);
    const headers = {
      ...this.#credential,
      'content-type': 'application/json',
      'x-request-id': id,
      'idempotency-key': id,
    };
    const request = { method: 'PUT', path: `/item-service/clients/TOWN/items/${itemId}`, headers };
    for (let attempt = 0; ; attempt += 1) {
      const base = bases[attempt % bases.length]!;
      const answer = await send(base, { ...request, body: JSON.stringify(body) }, { timeoutMs: ANSWER_MS });
      if (answer !== undefined && answer.status < 300) break;
      if (attempt === 0) this.repeated += 1;
      if (answer === undefined || !isToBeRepeated(answer))
        this.faults.push(`${id}: ${answer?.status ?? 'no response'} ${answer?.text.slice(0, 200) ?? ''}`);
      if (performance.now() > this.#giveUpAt) {
        this.faults.push(`${id} was never acknowledged`);
        return;
      }
      await sleep(PAUSE_MS);
    }
    this.acknowledged = number;
    this.#onWrite();
  }

  /**
   * Checks that each acknowledged request has one event, that the events are in the order of the responses, and that
   * the last acknowledged write is stored.
   */
  async judge(store: Store): Promise<string[]> {
    const faults = [...this.faults];
    await store.read(async (db) => {
      // The last events may not have a position yet. Their positions will follow the order in which they were written.
      const found = sql`select request_id as id from events where client_id = 'TOWN'
        and request_id >= ${`${this.#name}-`} and request_id < ${`${this.#name}-~`} order by position, written, event_id`;
      const ids = (await rows<{ id: string }>(db, found)).map(({ id }) => id);
      const must = Array.from({ length: this.acknowledged }, (_, index) => this.#id(index + 1));
      const wrong = must.findIndex((id, index) => ids[index] !== id);
      if (wrong >= 0 || ids.length !== must.length) {
        const at = wrong >= 0 ? wrong : must.length;
        faults.push(
          `${this.#name}: ${must.length} acknowledged, ${ids.length} events; in place of ${must[at]} is ${ids[at]}`,
        );
      }
      const item = sql`select doc from items where client_id = 'TOWN' and item_id = ${`21-${this.#name.toUpperCase()}`}`;
      const [row] = await rows<{ doc: string }>(db, item);
      const last = row && (JSON.parse(row.doc) as { description?: string }).description;
      if (last !== must.at(-1)) faults.push(`${this.#name}: stored is ${last}, acknowledged ${must.at(-1)}`);
    });
    return faults;
  }

  #id(number: number): string {
    return `${this.#name}-${number}`;
  }
}
