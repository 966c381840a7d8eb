/** The place of a value in the caller's message. Errors and echoed values use the caller's spelling. */

import { isRecord } from '../platform/message/record.ts';

export class Location {
  readonly up: Location | undefined;
  readonly step: string;
  /** The value at the place. */
  readonly raw: unknown;
  /** Number of the line, from 1; undefined outside of lines. */
  readonly line: number | undefined;
  /** Maps lower-case names to the caller's names. Built on first use, because a body may have very many fields. */
  #names: Map<string, string> | undefined;

  constructor(raw: unknown, up?: Location, step = '', line?: number) {
    this.raw = raw;
    this.up = up;
    this.step = step;
    this.line = line ?? up?.line;
  }

  /** Returns the place of an element, or of a field as the caller spelled it. */
  below(step: string, raw: unknown, line?: number): Location {
    return new Location(raw, this, step, line);
  }

  /** RFC 6901 pointer into the body as sent. */
  get pointer(): string {
    if (this.up === undefined) return '';
    return `${this.up.pointer}/${this.step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }

  /** Returns the caller's spelling of a field. A missing field gets the spelling style of the fields around it. */
  spell(name: string): string {
    if (isRecord(this.raw) && Object.hasOwn(this.raw, name) && this.raw[name] !== null) return name;
    return this.#written().get(name.toLowerCase()) ?? (this.#isPascal() ? pascal(name) : name);
  }

  /** Returns the place of a field by its canonical name. */
  member(name: string): Location {
    const written = this.spell(name);
    return this.below(written, isRecord(this.raw) ? this.raw[written] : undefined);
  }

  #written(): Map<string, string> {
    if (this.#names !== undefined) return this.#names;
    this.#names = new Map();
    if (!isRecord(this.raw)) return this.#names;
    for (const key of Object.keys(this.raw)) {
      const folded = key.toLowerCase();
      const first = this.#names.get(folded);
      // A null counts as absent: of two spellings of a field, the spelling with a value is used.
      if (first === undefined || this.raw[first] === null) this.#names.set(folded, key);
    }
    return this.#names;
  }

  #isPascal(): boolean {
    const [first] = this.#written().values();
    if (first !== undefined) return /^[A-Z]/.test(first);
    return this.up === undefined ? false : this.up.#isPascal();
  }
}

/** Returns a name in the spelling of the interface's table: `asnNumber` is `ASNNumber`, `poData` is `POData`. */
function pascal(name: string): string {
  return name.replace(/^(?:asn|po)(?=[A-Z])|^./, (start) => start.toUpperCase());
}
