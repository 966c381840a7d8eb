/** Faults of a message: what one is, and the collector in which those of its form and those of the rules come together. */

/** One fault of a message. */
export interface Fault {
  /** RFC 6901. Of a missing member: where it belongs. Of a member whose name is longer than 200 characters: its object. */
  pointer: string;
  /** The keyword of the schema that is broken, or `unknown`, or `integerDigits` and `fractionDigits` of an exact number. */
  rule: string;
  limit?: unknown;
  /** What is wrong and how to mend it; names the member. */
  message: string;
}

/** Faults, at most the first 100, and how many there are or "100+". */
export interface FaultList {
  faults: readonly Fault[];
  total: number | string;
}

/** Most faults that are ever held (docs/interface.md#error-bodies). */
export const FAULTS_MAX = 100;

const NO_FAULTS: FaultList = { faults: [], total: 0 };

/** One fault, for a rule that no schema states. */
export function faultsOf(pointer: string, rule: string, message: string, limit?: unknown): Fault {
  return { pointer, rule, ...(limit !== undefined && { limit }), message };
}

/** Two lists as one: those of `first` stand before; where both complain of one place, the fault of `second` is enough. */
export function joined(first: readonly Fault[], second: FaultList): FaultList {
  const places = new Set(second.faults.map((fault) => fault.pointer));
  const others = first.filter((fault) => !places.has(fault.pointer));
  const total = typeof second.total === 'number' ? second.total + others.length : second.total;
  return { faults: [...others, ...second.faults].slice(0, FAULTS_MAX), total };
}

/** Where rules put what they find. */
export type FaultSink = Pick<Faults, 'add' | 'isBad' | 'isClean'>;

/**
 * Takes the faults that the rules of an operation find, beside those of the message's form. Of a place of which the form
 * was complained already, or that stands in one, a rule is not heard: one fault is enough. At most 100 are held; all are counted.
 */
export class Faults {
  readonly #held: Fault[];
  readonly #bad: ReadonlySet<string>;
  readonly #isCounted: boolean;
  #count: number;

  constructor(form: FaultList = NO_FAULTS) {
    this.#held = form.faults.slice(0, FAULTS_MAX);
    this.#bad = new Set(form.faults.map((fault) => fault.pointer));
    this.#isCounted = typeof form.total === 'number';
    this.#count = typeof form.total === 'number' ? form.total : FAULTS_MAX;
  }

  /** Adds a fault; the arguments are those of `Fault`. */
  add(pointer: string, rule: string, message: string, limit?: unknown): void {
    if (this.isBad(pointer)) return;
    this.#count += 1;
    if (this.#held.length < FAULTS_MAX) this.#held.push(faultsOf(pointer, rule, message, limit));
  }

  /** Adds what a rule found that answers with a list. */
  addAll(faults: Iterable<Fault>): void {
    for (const { pointer, rule, message, limit } of faults) this.add(pointer, rule, message, limit);
  }

  /**
   * Whether the form of this place, or of one that it stands in, was complained of. A rule asks that before it takes a member
   * that is not there for one that was not sent.
   */
  isBad(pointer: string): boolean {
    if (this.#bad.size === 0) return false;
    for (let place = pointer; place !== ''; place = place.slice(0, Math.max(0, place.lastIndexOf('/')))) {
      if (this.#bad.has(place)) return true;
    }
    return this.#bad.has('');
  }

  /** The same for a part of the message: pointers count from there. */
  under(place: string): FaultSink {
    let isSound = !this.isBad(place) && this.#bad.values().every((bad) => !bad.startsWith(`${place}/`));
    return {
      add: (pointer, ...what) => {
        isSound = false;
        this.add(place + pointer, ...what);
      },
      isBad: (pointer) => this.isBad(place + pointer),
      isClean: () => isSound,
    };
  }

  /** Whether there is no fault so far. */
  isClean(): boolean {
    return this.#count === 0;
  }

  /** How many there are so far. */
  get count(): number {
    return this.#count;
  }

  /** What is answered. */
  get list(): FaultList {
    return { faults: this.#held, total: this.#isCounted ? this.#count : `${FAULTS_MAX}+` };
  }
}
