/** The camera sees a code in every picture. This class decides in which pictures the code counts. */

/**
 * A code has left the view if no picture has shown it for this time. One picture is not enough, because a picture can
 * miss a visible code.
 */
const LEFT_VIEW_MS = 400;
/** Time after which a code that remains in view counts again. */
const AGAIN_MS = 1_500;

export class CameraRepeats {
  readonly #seen = new Map<string, { lastSeen: number; lastCounted: number }>();

  /** Returns the codes of a picture that count now. */
  codesOf(picture: readonly string[], at: number): string[] {
    const counted: string[] = [];
    for (const code of new Set(picture)) {
      const before = this.#seen.get(code);
      const isNew = before === undefined || at - before.lastSeen >= LEFT_VIEW_MS || at - before.lastCounted >= AGAIN_MS;
      if (isNew) counted.push(code);
      this.#seen.set(code, { lastSeen: at, lastCounted: isNew ? at : before.lastCounted });
    }
    for (const [code, { lastSeen }] of this.#seen) if (at - lastSeen >= LEFT_VIEW_MS) this.#seen.delete(code);
    return counted;
  }
}
