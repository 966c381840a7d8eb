/**
 * Tells a scanner's keys from a person's. Pure: the page hands in what happened and when (docs/how-to/scanners.md). A scanner types a
 * code within milliseconds and mostly ends it with Enter or Tab.
 */

/** How the scanner of this device is set. Kept by the device. */
export interface Profile {
  /** What the scanner puts in front of each code; empty where it puts nothing. */
  prefix: string;
  /** Milliseconds between two keys of one code at most. */
  gapMs: number;
  /** Whether a pause ends a code, for scanners that send neither Enter nor Tab. */
  endsByGap: boolean;
}

export const DEFAULT_PROFILE: Profile = { prefix: '', gapMs: 100, endsByGap: true };
export const GAP_MIN_MS = 20;
export const GAP_MAX_MS = 1_500;
/** Shorter texts are no code: they are keys of a person. */
export const CODE_MIN = 3;
/** Outside of fields a scanner's keys with Enter are a code from this length on: labels of places are as short as `A1`. */
const FAST_CODE_MIN = 2;
/** People type more slowly on average: faster keys are those of a scanner, even in a text field. */
const SCANNER_MEAN_MS = 35;
/** FNC1 of a GS1 code, as scanners transmit it. */
const GROUP_SEPARATOR = '\x1d';

/** Where the keys go: to the page, to a field that a person fills, or to the scan target. */
export type KeyPlace = 'page' | 'field' | 'target';

export interface KeyPress {
  key: string;
  /** When it was pressed, in milliseconds of any clock that only goes forward. */
  at: number;
  place: KeyPlace;
  /** Control, Alt or Meta was held. */
  isModified?: boolean;
  /** The key is held down: no scanner does that. */
  isRepeat?: boolean;
}

/** What the page does about a key. */
export interface KeyOutcome {
  /** Nothing else may see the key. */
  isTaken?: boolean;
  /** The key may be a shortcut: show it to others only when no code follows. */
  isDelayed?: boolean;
  /** A code that is complete. */
  code?: string;
  /** Whether a scanner typed it, by its speed. */
  isFast?: boolean;
  /** The field gets the value back that it had before the code. */
  isRestored?: boolean;
  /** The field's value now is what to give back if these keys become a code. */
  isFirst?: boolean;
  /** A character to add to the scan target, which no key adds. */
  insert?: string;
}

const NOTHING: KeyOutcome = {};

/** Reads keys as they come. */
export class KeyReader {
  readonly #profile: () => Profile;
  #text = '';
  /** What the scan target held before this text. */
  #base = '';
  /** What came of this text before the scan target got the focus: a page that opens takes it in the middle of a code. */
  #carried = '';
  #isOutside = false;
  #firstAt = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  /** Until when an Enter or Tab belongs to a code that a pause has ended. */
  #endKeyUntil = Number.NEGATIVE_INFINITY;

  constructor(profile: () => Profile) {
    this.#profile = profile;
  }

  /** A key was pressed. */
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
    // A blank starts no code: it scrolls, and taps buttons.
    if (isFirst && key === ' ' && place === 'page') return NOTHING;
    this.#add(key, at);
    if (place === 'field') return { isFirst };
    return isFirst ? { isDelayed: true } : { isTaken: true };
  }

  /** Text came into a field in one piece, as input methods and scanner apps commit it. */
  commit(piece: string, at: number): KeyOutcome {
    const isFirst = !this.#isRunning(at);
    this.#add(piece, at);
    return { isFirst };
  }

  /** The scan target holds another value: there every key and every committed text arrives this way. */
  hold(value: string, previous: string, at: number): void {
    if (!this.#isRunning(at)) {
      this.#firstAt = at;
      this.#base = previous;
      this.#carried = '';
    } else if (this.#isOutside) {
      this.#base = previous;
      this.#carried = this.#text;
    }
    this.#isOutside = false;
    this.#text = this.#carried + (value.startsWith(this.#base) ? value.slice(this.#base.length) : value);
    this.#lastAt = at;
  }

  /** When to call `pause`: after the gap nothing more belongs to this code. */
  get pausesAt(): number | undefined {
    return this.#text === '' ? undefined : this.#lastAt + this.#profile().gapMs;
  }

  /**
   * The gap has passed. A field's text is a person's unless a key ends it; elsewhere a fast text is a code.
   *
   * @param value what the scan target holds
   */
  pause(at: number, place: KeyPlace, value?: string): KeyOutcome {
    const { prefix, gapMs, endsByGap } = this.#profile();
    if (this.#text === '' || at - this.#lastAt < gapMs) return NOTHING;
    const [text, carried] = [this.#text, this.#isOutside ? this.#text : this.#carried];
    const isFast = this.#isFast();
    const isMarked = prefix !== '' && text.startsWith(prefix);
    this.#forget();
    // A person was typing before: the text waits for its Enter.
    if (value !== undefined && carried + value !== text) return NOTHING;
    if (!endsByGap || !isFast || text.length < prefix.length + CODE_MIN) return NOTHING;
    if (place === 'field' && !isMarked) return NOTHING;
    this.#endKeyUntil = at + Math.max(300, 2 * gapMs);
    return { code: this.#withoutPrefix(text), isFast, ...(place === 'field' && { isRestored: true }) };
  }

  /** Enter or Tab in the scan target: what it holds is the code, however short: places are called `A1`. */
  submit(value: string, at: number): KeyOutcome {
    const isNow = at - this.#lastAt <= this.#profile().gapMs;
    const whole = isNow ? (this.#isOutside ? this.#text : this.#carried) + value : value;
    const isFast = isNow && whole === this.#text && this.#isFast();
    this.#forget();
    if (whole === '' && at <= this.#endKeyUntil) return { isTaken: true };
    const code = this.#withoutPrefix(whole);
    return code === '' ? NOTHING : { isTaken: true, code, isFast };
  }

  #end(at: number, place: KeyPlace): KeyOutcome {
    const { prefix } = this.#profile();
    const text = this.#isRunning(at) ? this.#text : '';
    const isFast = this.#isFast();
    this.#forget();
    if (text === '') return at <= this.#endKeyUntil ? { isTaken: true } : NOTHING;
    const code = this.#withoutPrefix(text);
    if (code.length < (place === 'page' && isFast ? FAST_CODE_MIN : CODE_MIN)) return NOTHING;
    if (place === 'page') return { isTaken: true, code, isFast };
    if (!isFast || (prefix !== '' && !text.startsWith(prefix))) return NOTHING;
    return { isTaken: true, code, isFast, isRestored: true };
  }

  /** Scanners send control characters as Control and a letter: GS is Control and ], line ends are J and M. */
  #control(key: string, at: number, place: KeyPlace): KeyOutcome {
    const isSeparator = key === ']' || key === GROUP_SEPARATOR;
    if (place === 'target' && isSeparator) {
      this.#add(GROUP_SEPARATOR, at);
      this.#isOutside = false;
      return { isTaken: true, insert: GROUP_SEPARATOR };
    }
    if (!this.#isRunning(at)) return NOTHING;
    if (isSeparator) this.#add(GROUP_SEPARATOR, at);
    else this.#lastAt = at;
    return { isTaken: true };
  }

  #isRunning(at: number): boolean {
    return this.#text !== '' && at - this.#lastAt <= this.#profile().gapMs;
  }

  #add(piece: string, at: number): void {
    if (!this.#isRunning(at)) {
      this.#text = '';
      this.#carried = '';
      this.#firstAt = at;
    }
    this.#text += piece;
    this.#lastAt = at;
    this.#isOutside = true;
  }

  /** Slow scanners need a longer gap, so with it the speed that tells them from people falls. */
  #isFast(): boolean {
    const { gapMs } = this.#profile();
    const meanMs = (this.#lastAt - this.#firstAt) / Math.max(1, this.#text.length - 1);
    return meanMs < (gapMs <= DEFAULT_PROFILE.gapMs ? SCANNER_MEAN_MS : gapMs * 0.6);
  }

  #withoutPrefix(text: string): string {
    const { prefix } = this.#profile();
    return prefix !== '' && text.startsWith(prefix) ? text.slice(prefix.length) : text;
  }

  #forget(): void {
    this.#text = '';
    this.#carried = '';
    this.#isOutside = false;
    this.#lastAt = Number.NEGATIVE_INFINITY;
  }
}

function isControl(key: string): boolean {
  return key.length === 1 && key < ' ';
}
