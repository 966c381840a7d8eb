/** The camera sees a code in every picture. `CameraRepeats` decides in which pictures the code counts. */

/**
 * A code has left the view if no picture has shown it for this time. One picture is not enough, because a picture can
 * miss a visible code.
 */
const LEFT_VIEW_MS = 400;
/** Time after which a code that remains in view counts again. */
const AGAIN_MS = 1_500;

export class CameraRepeats {
  readonly #seen = new Map<string, { lastSeen: number; lastCounted: number }>();

  /**
   * Returns the codes of a picture that count now. `isAsking` is true while the screen asks a question: a code that was
   * in view when the question appeared, or that counted since, must not confirm it, although a picture may miss the code.
   * After the question, it counts again only after it has left the view.
   */
  codesOf(picture: readonly string[], at: number, isAsking = false): string[] {
    const counted: string[] = [];
    for (const code of new Set(picture)) {
      const before = this.#seen.get(code);
      const hasLeft = before === undefined || (!isAsking && at - before.lastSeen >= LEFT_VIEW_MS);
      const isNew = hasLeft || (!isAsking && at - before.lastCounted >= AGAIN_MS);
      if (isNew) counted.push(code);
      // `Infinity`: it does not count again while it stays in view.
      const lastCounted = isAsking ? Number.POSITIVE_INFINITY : isNew ? at : before.lastCounted;
      this.#seen.set(code, { lastSeen: at, lastCounted });
    }
    if (isAsking) return counted;
    for (const [code, { lastSeen }] of this.#seen) if (at - lastSeen >= LEFT_VIEW_MS) this.#seen.delete(code);
    return counted;
  }
}
