/** Whether the read replica is used: after a failure it rests, and a probe in the background brings it back. */

/** Time after a failure until the replica is tried again. */
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
