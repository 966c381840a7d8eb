/** Converts the offset of a byte in a file to a line and a column, for the findings of `edi check`. */
import { textOf } from '../../platform/x12/values.ts';

/** Finds line and column of a byte, both from 1. A column counts characters. */
export class Lines {
  readonly #bytes: Uint8Array;
  readonly #starts = [0];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    for (let at = 0; at < bytes.length; at += 1) {
      // CR LF is one line break.
      if (bytes[at] === 0x0a || (bytes[at] === 0x0d && bytes[at + 1] !== 0x0a)) this.#starts.push(at + 1);
    }
  }

  /** The number of lines. A line break at the end of the file does not begin another line. */
  get count(): number {
    return this.#starts.at(-1) === this.#bytes.length ? this.#starts.length - 1 : this.#starts.length;
  }

  placeOf(offset: number): { line: number; column: number } {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    const before = this.#bytes.subarray(this.#starts[low], offset);
    return { line: low + 1, column: textOf(Buffer.from(before).toString('latin1')).length + 1 };
  }
}
