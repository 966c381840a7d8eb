/** What becomes of an order by time alone: its step is approaching, then expired; each is an alert while the step lasts. */

/** Minutes from entering the queue until a step is expired; after three quarters of them, in whole minutes, it is approaching. */
const MINUTES: Record<string, number> = {
  START_PICK: 45,
  COMPLETE_PICK: 90,
  PACK: 120,
  CHECK_IN: 240,
  CUSTOMER_PICKUP: 10_080,
  DELIVERY: 240,
  REVERSE_PICK: 240,
};

export class Agenda {
  queue: string | null = null;
  step: string | null = null;
  /** When it entered its queue. */
  since = 0;
  #told: 'nothing' | 'approaching' | 'expired' = 'nothing';
  /** Each opens once; of all of them at most one is open. */
  readonly alerts = new Map<string, 'OPEN' | 'CLOSED'>();

  /** Another step closes what is open of the one before. */
  enter(queue: string | null, step: string | null, now: number): void {
    if (queue === this.queue && step === this.step) return;
    if (queue !== this.queue) this.since = now;
    this.queue = queue;
    this.step = step;
    this.#told = 'nothing';
    this.#close();
  }

  /** When the step is expired. */
  get expiresAt(): number {
    return this.since + MINUTES[this.step!]!;
  }

  /** When something is to be told next. */
  get dueAt(): number | undefined {
    if (this.step === null || this.#told === 'expired') return undefined;
    return this.#told === 'approaching' ? this.expiresAt : this.since + Math.floor(MINUTES[this.step]! * 0.75);
  }

  /** Tells what is due; returns whether a customer's time is over, who is told by other means. */
  tell(now: number): boolean {
    this.#told = now < this.expiresAt ? 'approaching' : 'expired';
    return this.#told === 'expired' && this.step === 'CUSTOMER_PICKUP';
  }

  /** Opens the alert of what was told. */
  alert(): void {
    this.#close();
    this.alerts.set(`${this.step}_${this.#told.toUpperCase()}`, 'OPEN');
  }

  #close(): void {
    for (const type of this.alerts.keys()) this.alerts.set(type, 'CLOSED');
  }
}
