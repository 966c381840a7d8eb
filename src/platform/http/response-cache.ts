/** Responses of hot reads, kept by whoever knows when they are stale. */
import { lru } from '../lru.ts';

/** Bytes of answers kept at most. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** Keys remembered of which nothing is kept yet. */
const SEEN_KEYS = 10_000;

/** Where the answer of a request is kept, or may be. */
export interface CacheSlot {
  key: string;
  answer: Buffer | undefined;
  /** Of the answers at the time of the request: what was read before all were forgotten is not kept after. */
  generation: number;
}

/**
 * An answer is kept when its key comes a second time within a while: where every answer was kept, reads spread evenly over
 * 100,000 items paid for what they never used.
 */
export class ResponseCache {
  #generation = 0;
  readonly #seen = lru<string, true>(SEEN_KEYS);
  readonly #kept = lru<string, Buffer>(KEPT_BYTES, { weigh: (answer) => answer.length || 1 });

  find(key: string): CacheSlot {
    const answer = this.#kept.get(key);
    return { key, answer, generation: this.#generation };
  }

  /** Hands in what was read for a place that was empty. */
  fill({ key, generation }: CacheSlot, text: string): void {
    if (generation !== this.#generation) return;
    if (this.#seen.delete(key)) {
      // A small buffer of its own: one of the pool would hold its neighbours' memory too.
      const answer = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
      answer.write(text);
      this.#kept.set(key, answer);
      return;
    }
    this.#seen.set(key, true);
  }

  forget(): void {
    this.#generation += 1;
    this.#seen.clear();
    this.#kept.clear();
  }
}
