/** Caches responses of frequent reads; the calling code empties the cache when its responses are stale. */
import { lru } from '../lru.ts';

/** Maximum number of bytes of all cached responses. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** Maximum number of keys that were requested once: the cache has the key, but not the response. */
const SEEN_KEYS = 10_000;

/** The place of a response in the cache, empty or filled. */
export interface CacheSlot {
  key: string;
  response: Buffer | undefined;
  /** Generation of the cache at the time of the request. A response of an older generation is not cached. */
  generation: number;
}

/**
 * Caches a response at the second request for its key, if the cache still has the key. Caching at the first request
 * would cost time for keys that are read only once, for example with reads spread evenly over 100,000 items.
 */
export class ResponseCache {
  #generation = 0;
  readonly #seen = lru<string, true>(SEEN_KEYS);
  readonly #kept = lru<string, Buffer>(KEPT_BYTES, { weigh: (response) => response.length || 1 });

  find(key: string): CacheSlot {
    const response = this.#kept.get(key);
    return { key, response, generation: this.#generation };
  }

  /** Offers the response of a read to the cache, which stores it at the second request for its key. */
  fill({ key, generation }: CacheSlot, text: string): void {
    if (generation !== this.#generation) return;
    if (this.#seen.delete(key)) {
      // The response gets a separate buffer, because a slice of Node's buffer pool would keep the memory of the whole
      // pool.
      const response = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
      response.write(text);
      this.#kept.set(key, response);
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
