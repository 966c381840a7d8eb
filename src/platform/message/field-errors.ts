/** Errors of a message, and the collector that joins the errors of form with the errors of the rules. */
import { Sentence, type SentenceParts } from './sentence.ts';

/** One error of a message. */
export interface FieldError {
  /**
   * JSON pointer (RFC 6901). For a missing field, it names the place where the field is missing. A field with a name
   * over 200 characters has the pointer of its object.
   */
  pointer: string;
  /**
   * Name of the violated rule: a keyword of the schema, `unknown`, `integerDigits`, `fractionDigits`, or a rule beyond
   * the schema.
   */
  rule: string;
  limit?: unknown;
  /** Names the field, says what is wrong and how to fix it. */
  message: Sentence;
}

/** An error in the form that can be sent to another thread. */
export type PortableError = Omit<FieldError, 'message'> & { message: SentenceParts };

/** Converts errors so that they can be sent to another thread. */
export function portable(errors: readonly FieldError[]): PortableError[] {
  return errors.map((error) => ({ ...error, message: error.message.parts }));
}

/** Returns the errors that another thread has sent. */
export function received(errors: readonly PortableError[]): FieldError[] {
  return errors.map((error) => ({ ...error, message: Sentence.of(error.message) }));
}

/** Errors, at most the first 100, and their number or "100+". */
export interface FieldErrorList {
  errors: readonly FieldError[];
  total: number | string;
}

/** Maximum number of errors in a response (docs/interface.md#error-bodies). */
export const FIELD_ERRORS_MAX = 100;

const NO_ERRORS: FieldErrorList = { errors: [], total: 0 };

/** Makes an error; an undefined `limit` is left out. */
export function fieldError(pointer: string, rule: string, message: Sentence, limit?: unknown): FieldError {
  return { pointer, rule, ...(limit !== undefined && { limit }), message };
}

/**
 * Joins two lists, `first` before `second`. If both have an error at the same pointer, only the error of `second`
 * remains.
 */
export function joined(first: readonly FieldError[], second: FieldErrorList): FieldErrorList {
  const places = new Set(second.errors.map((error) => error.pointer));
  const others = first.filter((error) => !places.has(error.pointer));
  const total = typeof second.total === 'number' ? second.total + others.length : second.total;
  return { errors: [...others, ...second.errors].slice(0, FIELD_ERRORS_MAX), total };
}

/** Collects the errors of rules. */
export type FieldErrorSink = Pick<FieldErrors, 'add' | 'isBad' | 'isClean'>;

/**
 * Collects the errors of an operation's rules after those of the schema. A field that violates the schema gets no
 * further error, and neither do fields inside it. At most 100 errors are kept; all are counted.
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
  add(pointer: string, rule: string, message: Sentence, limit?: unknown): void {
    if (this.isBad(pointer)) return;
    this.#count += 1;
    if (this.#held.length < FIELD_ERRORS_MAX) this.#held.push(fieldError(pointer, rule, message, limit));
  }

  /** Adds a list of errors. */
  addAll(errors: Iterable<FieldError>): void {
    for (const { pointer, rule, message, limit } of errors) this.add(pointer, rule, message, limit);
  }

  /**
   * Whether this field, or one that contains it, violates the schema. A rule must check this before it treats an absent
   * field as not sent: invalid parts are absent too.
   */
  isBad(pointer: string): boolean {
    if (this.#bad.size === 0) return false;
    for (let place = pointer; place !== ''; place = place.slice(0, Math.max(0, place.lastIndexOf('/')))) {
      if (this.#bad.has(place)) return true;
    }
    return this.#bad.has('');
  }

  /** A collector for a part of the message, with pointers relative to `place`. */
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

  /** Number of errors so far. */
  get count(): number {
    return this.#count;
  }

  /** The errors for the response. */
  get list(): FieldErrorList {
    return { errors: this.#held, total: this.#isCounted ? this.#count : `${FIELD_ERRORS_MAX}+` };
  }
}
