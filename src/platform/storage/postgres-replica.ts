/**
 * Decides whether reads use the replica. After a failure they use the primary, until a probe in the background
 * succeeds.
 */

/** Time between a failure and the next probe of the replica. */
const REST_MS = 5_000;

export class Replica {
  readonly #probe: () => Promise<unknown>;
  #failedAt: number | undefined;
  #isProbed = false;

  /** `probe` rejects while the replica does not respond. */
  constructor(probe: () => Promise<unknown>) {
    this.#probe = probe;
  }

  /** Whether reads go to the replica. No read waits for a probe. */
  isUp(): boolean {
    if (this.#failedAt === undefined) return true;
    if (!this.#isProbed && performance.now() - this.#failedAt >= REST_MS) {
      this.#isProbed = true;
      this.#probe()
        .then(
          () => (this.#failedAt = undefined),
          () => this.fail(),
        )
        .finally(() => (this.#isProbed = false));
    }
    return false;
  }

  fail(): void {
    this.#failedAt = performance.now();
  }
}
