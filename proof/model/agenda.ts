/**
 * The deadline of an order's step. The step is first approaching its deadline, then expired. Each of the two states
 * opens an alert, which closes when the next state begins or the step ends.
 */

/**
 * Minutes from the entry into the queue until the step expires. The step approaches its deadline after three quarters
 * of this time, rounded down to whole minutes.
 */
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
  /** Time at which the order entered its queue. */
  since = 0;
  #told: 'nothing' | 'approaching' | 'expired' = 'nothing';
  /** The state of each alert. An alert opens once, and at most one is open at a time. */
  readonly alerts = new Map<string, 'OPEN' | 'CLOSED'>();

  /**
   * Updates queue and step. A change of either closes the open alert; a new queue also restarts the time of the step.
   */
  enter(queue: string | null, step: string | null, now: number): void {
    if (queue === this.queue && step === this.step) return;
    if (queue !== this.queue) this.since = now;
    this.queue = queue;
    this.step = step;
    this.#told = 'nothing';
    this.#close();
  }

  /** Time at which the step expires. */
  get expiresAt(): number {
    return this.since + MINUTES[this.step!]!;
  }

  /** Time of the next alert or expiry; undefined if no alert will follow. */
  get dueAt(): number | undefined {
    if (this.step === null || this.#told === 'expired') return undefined;
    return this.#told === 'approaching' ? this.expiresAt : this.since + Math.floor(MINUTES[this.step]! * 0.75);
  }

  /**
   * Marks the due alert as sent. Returns true if the pick-up time of a customer has expired. The service records an
   * event for this expiry.
   */
  tell(now: number): boolean {
    this.#told = now < this.expiresAt ? 'approaching' : 'expired';
    return this.#told === 'expired' && this.step === 'CUSTOMER_PICKUP';
  }

  /** Opens the alert that `tell` marked last. */
  alert(): void {
    this.#close();
    this.alerts.set(`${this.step}_${this.#told.toUpperCase()}`, 'OPEN');
  }

  #close(): void {
    for (const type of this.alerts.keys()) this.alerts.set(type, 'CLOSED');
  }
}
