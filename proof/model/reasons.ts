/** The model of reasons: the damaged and held units of a key that have one. */
export interface Reasoned {
  damaged: number;
  held: number;
}

export class Reasons {
  /** Held units with a reason. */
  held = 0;
  /** Damaged units of each receipt or match after its corrections, and those with a reason, booked and corrected. */
  readonly #told = new Map<number, { units: number; reasoned: number; back: number }>();
  /** Held units that were decided as damaged, and those with a reason. */
  #decided = 0;
  #decidedReasoned = 0;

  /**
   * Books units, of which `reasoned` have a reason. `told` is the receipt or match that has the units, and for units
   * that a correction takes back the receipt that it corrects. `held` are the held units of the key after the booking.
   */
  book(told: number, damaged: number, reasoned: Reasoned, held: number): void {
    const before = this.#told.get(told) ?? { units: 0, reasoned: 0, back: 0 };
    this.#told.set(told, {
      units: before.units + damaged,
      reasoned: before.reasoned + Math.max(0, reasoned.damaged),
      back: before.back - Math.min(0, reasoned.damaged),
    });
    this.held = Math.max(0, Math.min(held, this.held + reasoned.held));
  }

  /** Decides all held units of the key; `damaged` of them are damaged. */
  decide(damaged: number): void {
    this.#decided += damaged;
    this.#decidedReasoned += Math.min(damaged, this.held);
    this.held = 0;
  }

  /** The damaged units with a reason. A correction takes units that its receipt does not have from the decisions. */
  get damaged(): number {
    let found = 0;
    let decided = this.#decided;
    for (const { units, reasoned, back } of this.#told.values()) {
      found += Math.max(0, Math.min(units, reasoned - back));
      decided += Math.min(0, units);
    }
    return found + Math.max(0, Math.min(this.#decidedReasoned, decided));
  }
}
