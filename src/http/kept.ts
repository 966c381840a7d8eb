/** Answers of hot reads, kept by whoever knows when they are stale. */

/** Bytes of answers kept at most. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** Keys remembered of which nothing is kept yet. */
const SEEN_KEYS = 10_000;

/** Where the answer of a request is kept, or may be. */
export interface Place {
  key: string;
  answer: Buffer | undefined;
  /** Of the answers at the time of the request: what was read before all were forgotten is not kept after. */
  generation: number;
}

/**
 * An answer is kept when its key comes a second time within a while: where every answer was kept, reads spread evenly over
 * 100,000 items paid for what they never used.
 */
export class KeptAnswers {
  #generation = 0;
  readonly #seen = new Set<string>();
  /** Two halves: what is not asked for while the young one fills up goes with the old one. */
  #young = new Map<string, Buffer>();
  #old = new Map<string, Buffer>();
  #youngBytes = 0;

  find(key: string): Place {
    const young = this.#young.get(key);
    const answer = young ?? this.#old.get(key);
    if (young === undefined && answer !== undefined) this.#keep(key, answer);
    return { key, answer, generation: this.#generation };
  }

  /** Hands in what was read for a place that was empty. */
  fill({ key, generation }: Place, text: string): void {
    if (generation !== this.#generation) return;
    if (this.#seen.delete(key)) {
      // A small buffer of its own: one of the pool would hold its neighbours' memory too.
      const answer = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
      answer.write(text);
      this.#keep(key, answer);
      return;
    }
    if (this.#seen.size >= SEEN_KEYS) this.#seen.clear();
    this.#seen.add(key);
  }

  forget(): void {
    this.#generation += 1;
    this.#seen.clear();
    this.#young.clear();
    this.#old.clear();
    this.#youngBytes = 0;
  }

  #keep(key: string, answer: Buffer): void {
    if (this.#youngBytes + answer.length > KEPT_BYTES / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(key, answer);
    this.#youngBytes += answer.length;
  }
}
