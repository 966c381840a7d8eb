/**
 * Distinguishes the keys of a scanner from those of a user. The reader is pure: the page passes in the events and their
 * times (docs/how-to/scanners.md). A scanner types a code within milliseconds and usually ends it with Enter or Tab.
 */

/** The settings of this device's scanner. The device stores them. */
export interface Profile {
  /** The prefix that the scanner sends before each code; empty: no prefix. */
  prefix: string;
  /** Maximum time in milliseconds between two keys of one code. */
  gapMs: number;
  /** True if a pause ends a code, for scanners that send neither Enter nor Tab. */
  endsByGap: boolean;
}

export const DEFAULT_PROFILE: Profile = { prefix: '', gapMs: 100, endsByGap: true };
export const GAP_MIN_MS = 20;
export const GAP_MAX_MS = 1_500;
/** Minimum length of a code. Exceptions: `FAST_CODE_MIN`, and codes that Enter or Tab ends in the scan target. */
export const CODE_MIN = 3;
/**
 * Minimum length of a code that a scanner sends outside of fields and ends with Enter or Tab. Labels of places are as
 * short as `A1`.
 */
const FAST_CODE_MIN = 2;
/**
 * Maximum time in milliseconds between two keys of a code, for scanners that end their codes with a key. A busy device
 * or a radio scanner pauses within a code, and the end key tells when the code is complete.
 */
const PATIENCE_MS = 500;
/** Mean time between keys below which the keys come from a scanner, even in a text field. Users type more slowly. */
const SCANNER_MEAN_MS = 35;
/** FNC1 of a GS1 code, as scanners transmit it. */
const GROUP_SEPARATOR = '\x1d';

/** The destination of the keys: the page, a field for the user, or the scan target. */
export type KeyPlace = 'page' | 'field' | 'target';

export interface KeyPress {
  key: string;
  /** Time of the key press, in milliseconds of a monotonic clock. */
  at: number;
  place: KeyPlace;
  /** True if Control, Alt or Meta was pressed. */
  isModified?: boolean;
  /** True if the key repeats because it is held down. Scanners do not hold keys down. */
  isRepeat?: boolean;
}

/** The page's reaction to a key. */
export interface KeyOutcome {
  /** True if other listeners must not get the key. */
  isTaken?: boolean;
  /** True if the key can be a shortcut. Other listeners get it only if no code follows. */
  isDelayed?: boolean;
  /** A complete code. */
  code?: string;
  /** True if the keys came as fast as the keys of a scanner. */
  isFast?: boolean;
  /** True if the field gets back the value that it had before the code. */
  isRestored?: boolean;
  /** True if the present value of the field must be saved. It is restored if these keys become a code. */
  isFirst?: boolean;
  /** A character that the console must add to the scan target, because the browser does not add it. */
  insert?: string;
}

const NOTHING: KeyOutcome = {};

/** Reads keys one by one. */
export class KeyReader {
  readonly #profile: () => Profile;
  #text = '';
  /** The value of the scan target before this text. */
  #base = '';
  /**
   * The part of this text that arrived before the scan target got the focus. A page that opens can set the focus in the
   * middle of a code.
   */
  #carried = '';
  #isOutside = false;
  /** True if some of this text is in a field, where it may be text of the user. */
  #isInField = false;
  /** True if the last code ended with Enter or Tab. The next code is then expected to end in the same way. */
  #endsByKey = false;
  /** Sum of the pauses within this text that are longer than the gap, in milliseconds. */
  #pausedMs = 0;
  #firstAt = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  /** Time until which an Enter or Tab belongs to a code that a pause has ended. */
  #endKeyUntil = Number.NEGATIVE_INFINITY;

  constructor(profile: () => Profile) {
    this.#profile = profile;
  }

  /** Handles a pressed key. */
  press({ key, at, place, isModified = false, isRepeat = false }: KeyPress): KeyOutcome {
    if (isRepeat) {
      this.#forget();
      return NOTHING;
    }
    if (isModified || isControl(key)) return this.#control(key, at, place);
    if (key === 'Enter' || key === 'Tab') return this.#end(at, place);
    if (Array.from(key).length !== 1) return NOTHING;
    if (place === 'target') return NOTHING;
    const isFirst = !this.#isRunning(at);
    // A space does not start a code: it scrolls the page and presses buttons.
    if (isFirst && key === ' ' && place === 'page') return NOTHING;
    this.#add(key, at, place === 'field');
    if (place === 'field') return { isFirst };
    return isFirst ? { isDelayed: true } : { isTaken: true };
  }

  /** Handles text that an input method or a scanner app commits to a field in one piece. */
  commit(piece: string, at: number): KeyOutcome {
    const isFirst = !this.#isRunning(at);
    this.#add(piece, at, true);
    return { isFirst };
  }

  /**
   * Handles a new value of the scan target. Keys and committed texts in the scan target arrive this way, except
   * separators.
   *
   * @param keyAt time of the key that changed the value. A busy page handles the key later, at `at`.
   */
  hold(value: string, previous: string, at: number, keyAt = at): void {
    if (!this.#isRunning(keyAt)) {
      this.#begin(at);
      this.#base = previous;
    } else {
      this.#notePause(at);
      if (this.#isOutside) {
        this.#base = previous;
        this.#carried = this.#text;
      }
    }
    this.#isOutside = false;
    this.#text = this.#carried + (value.startsWith(this.#base) ? value.slice(this.#base.length) : value);
    this.#lastAt = at;
  }

  /** The time to call `pause`: the end of the gap after the last key; undefined without a text. */
  get pausesAt(): number | undefined {
    return this.#text === '' ? undefined : this.#lastAt + this.#gapMs();
  }

  /**
   * Handles the end of the gap. If pauses end codes (`endsByGap`), a fast text becomes a code; in a field, it must also
   * begin with the prefix.
   *
   * @param value value of the scan target, if the last key before the pause was in it
   */
  pause(at: number, value?: string): KeyOutcome {
    const { prefix, gapMs, endsByGap } = this.#profile();
    if (this.#text === '' || at - this.#lastAt < this.#gapMs()) return NOTHING;
    const [text, carried] = [this.#text, this.#isOutside ? this.#text : this.#carried];
    const [isFast, isInField] = [this.#isFast(), this.#isInField];
    const isMarked = prefix !== '' && text.startsWith(prefix);
    this.#forget();
    // The user has typed a part of the text, so the text waits for Enter.
    if (value !== undefined && carried + value !== text) return NOTHING;
    if (!endsByGap || !isFast || text.length < prefix.length + CODE_MIN) return NOTHING;
    if (isInField && !isMarked) return NOTHING;
    this.#endKeyUntil = at + Math.max(300, 2 * gapMs);
    this.#endsByKey = false;
    return { code: this.#withoutPrefix(text), isFast, ...(isInField && { isRestored: true }) };
  }

  /**
   * Handles Enter or Tab in the scan target. The value of the scan target is a code of any length, because places have
   * short names such as `A1`.
   */
  submit(value: string, at: number): KeyOutcome {
    const isNow = at - this.#lastAt <= this.#gapMs();
    const whole = isNow ? (this.#isOutside ? this.#text : this.#carried) + value : value;
    const isFast = isNow && whole === this.#text && this.#isFast();
    this.#forget();
    this.#endsByKey ||= isFast || at <= this.#endKeyUntil;
    if (whole === '' && at <= this.#endKeyUntil) return { isTaken: true };
    const code = this.#withoutPrefix(whole);
    return code === '' ? NOTHING : { isTaken: true, code, isFast };
  }

  #end(at: number, place: KeyPlace): KeyOutcome {
    const { prefix } = this.#profile();
    const text = this.#isRunning(at) ? this.#text : '';
    const isFast = text !== '' && this.#isFast();
    this.#forget();
    this.#endsByKey ||= isFast || at <= this.#endKeyUntil;
    if (text === '') return at <= this.#endKeyUntil ? { isTaken: true } : NOTHING;
    const code = this.#withoutPrefix(text);
    if (code.length < (place === 'page' && isFast ? FAST_CODE_MIN : CODE_MIN)) return NOTHING;
    if (place === 'page') return { isTaken: true, code, isFast };
    if (!isFast || (prefix !== '' && !text.startsWith(prefix))) return NOTHING;
    return { isTaken: true, code, isFast, isRestored: true };
  }

  /**
   * Scanners send control characters as Control and another key: GS is Control and ], line ends are Control and J or M.
   */
  #control(key: string, at: number, place: KeyPlace): KeyOutcome {
    const isSeparator = key === ']' || key === GROUP_SEPARATOR;
    if (place === 'target' && isSeparator) {
      this.#add(GROUP_SEPARATOR, at);
      this.#isOutside = false;
      return { isTaken: true, insert: GROUP_SEPARATOR };
    }
    if (!this.#isRunning(at)) return NOTHING;
    if (isSeparator) this.#add(GROUP_SEPARATOR, at);
    else {
      this.#notePause(at);
      this.#lastAt = at;
    }
    return { isTaken: true };
  }

  #isRunning(at: number): boolean {
    return this.#text !== '' && at - this.#lastAt <= this.#gapMs();
  }

  /** Returns the time after the last key within which a further key belongs to this text. */
  #gapMs(): number {
    const { gapMs } = this.#profile();
    // Without a scanner's speed, the keys are shortcuts or text of the user.
    const isPatient = this.#endsByKey && !this.#isInField && this.#text.length >= CODE_MIN && this.#isFast();
    return isPatient ? Math.max(gapMs, PATIENCE_MS) : gapMs;
  }

  #begin(at: number): void {
    this.#text = '';
    this.#carried = '';
    this.#isInField = false;
    this.#pausedMs = 0;
    this.#firstAt = at;
  }

  #notePause(at: number): void {
    const ms = at - this.#lastAt;
    if (ms > this.#profile().gapMs) this.#pausedMs += ms;
  }

  #add(piece: string, at: number, isInField = false): void {
    if (this.#isRunning(at)) this.#notePause(at);
    else this.#begin(at);
    this.#isInField ||= isInField;
    this.#text += piece;
    this.#lastAt = at;
    this.#isOutside = true;
  }

  /**
   * Returns whether the keys are as fast as a scanner's. Pauses beyond the gap do not count. For a slow scanner with a
   * longer gap, the limit of the mean time is higher.
   */
  #isFast(): boolean {
    const { gapMs } = this.#profile();
    const meanMs = (this.#lastAt - this.#firstAt - this.#pausedMs) / Math.max(1, this.#text.length - 1);
    return meanMs < (gapMs <= DEFAULT_PROFILE.gapMs ? SCANNER_MEAN_MS : gapMs * 0.6);
  }

  #withoutPrefix(text: string): string {
    const { prefix } = this.#profile();
    return prefix !== '' && text.startsWith(prefix) ? text.slice(prefix.length) : text;
  }

  #forget(): void {
    this.#begin(0);
    this.#isOutside = false;
    this.#lastAt = Number.NEGATIVE_INFINITY;
  }
}

function isControl(key: string): boolean {
  return key.length === 1 && key < ' ';
}
