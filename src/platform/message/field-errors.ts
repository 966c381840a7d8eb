/** Errors of a message: what one is, and the collector in which those of its form and those of the rules come together. */

/** One error of a message. */
export interface FieldError {
  /** RFC 6901. Of a missing field: where it belongs. Of a field whose name is longer than 200 characters: its object. */
  pointer: string;
  /** The keyword of the schema that is broken, or `unknown`, or `integerDigits` and `fractionDigits` of an exact number. */
  rule: string;
  limit?: unknown;
  /** What is wrong and how to fix it; names the field. */
  message: string;
}

/** Errors, at most the first 100, and how many there are or "100+". */
export interface FieldErrorList {
  errors: readonly FieldError[];
  total: number | string;
}

/** Most errors that are ever held (docs/interface.md#error-bodies). */
export const FIELD_ERRORS_MAX = 100;

const NO_ERRORS: FieldErrorList = { errors: [], total: 0 };

/** One error, for a rule that no schema states. */
export function fieldError(pointer: string, rule: string, message: string, limit?: unknown): FieldError {
  return { pointer, rule, ...(limit !== undefined && { limit }), message };
}

/** Two lists as one: those of `first` stand before; where both complain of one place, the error of `second` is enough. */
export function joined(first: readonly FieldError[], second: FieldErrorList): FieldErrorList {
  const places = new Set(second.errors.map((error) => error.pointer));
  const others = first.filter((error) => !places.has(error.pointer));
  const total = typeof second.total === 'number' ? second.total + others.length : second.total;
  return { errors: [...others, ...second.errors].slice(0, FIELD_ERRORS_MAX), total };
}

/** Where rules put what they find. */
export type FieldErrorSink = Pick<FieldErrors, 'add' | 'isBad' | 'isClean'>;

/**
 * Takes the errors that the rules of an operation find, beside those of the message's form. Of a place of which the form
 * was complained already, or that stands in one, a rule is not heard: one error is enough. At most 100 are held; all are counted.
 */
export class FieldErrors {
  readonly #held: FieldError[];
  readonly #bad: ReadonlySet<string>;
  readonly #isCounted: boolean;
  #count: number;

  constructor(form: FieldErrorList = NO_ERRORS) {
    this.#held = form.errors.slice(0, FIELD_ERRORS_MAX);
    this.#bad = new Set(form.errors.map((error) => error.pointer));
    this.#isCounted = typeof form.total === 'number';
    this.#count = typeof form.total === 'number' ? form.total : FIELD_ERRORS_MAX;
  }

  /** Adds an error; the arguments are those of `FieldError`. */
  add(pointer: string, rule: string, message: string, limit?: unknown): void {
    if (this.isBad(pointer)) return;
    this.#count += 1;
    if (this.#held.length < FIELD_ERRORS_MAX) this.#held.push(fieldError(pointer, rule, message, limit));
  }

  /** Adds what a rule found that answers with a list. */
  addAll(errors: Iterable<FieldError>): void {
    for (const { pointer, rule, message, limit } of errors) this.add(pointer, rule, message, limit);
  }

  /**
   * Whether the form of this place, or of one that it stands in, was complained of. A rule asks that before it takes a field
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
  under(place: string): FieldErrorSink {
    let isValid = !this.isBad(place) && this.#bad.values().every((bad) => !bad.startsWith(`${place}/`));
    return {
      add: (pointer, ...what) => {
        isValid = false;
        this.add(place + pointer, ...what);
      },
      isBad: (pointer) => this.isBad(place + pointer),
      isClean: () => isValid,
    };
  }

  /** Whether there is no error so far. */
  isClean(): boolean {
    return this.#count === 0;
  }

  /** How many there are so far. */
  get count(): number {
    return this.#count;
  }

  /** What is answered. */
  get list(): FieldErrorList {
    return { errors: this.#held, total: this.#isCounted ? this.#count : `${FIELD_ERRORS_MAX}+` };
  }
}
