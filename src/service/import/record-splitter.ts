/** Cuts a byte stream into lines, or into the elements of a JSON list, each with its position. */
import type { Reason } from './mapping-api.ts';

/** A line without its end, or one JSON value. */
export interface Piece {
  /** Position of the first byte after the piece and its separator. */
  end: number;
  /** The bytes of the piece. A piece that is too long has only its first bytes here. */
  bytes: Buffer;
  error?: Reason;
}

const LF = 10;
const CR = 13;
const KEPT_OF_TOO_LONG = 2000;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Yields lines that end with LF or CR LF. The last line can lack its end. A line longer than `max` bytes has an error.
 */
export async function* cutLines(chunks: AsyncIterable<Buffer>, start: number, max: number): AsyncGenerator<Piece[]> {
  const gathered = new Gatherer(max);
  let position = start;
  for await (const chunk of withoutBom(chunks, start)) {
    const pieces: Piece[] = [];
    let from = 0;
    for (let at = chunk.bytes.indexOf(LF); at !== -1; at = chunk.bytes.indexOf(LF, from)) {
      position = chunk.start + at + 1;
      pieces.push(gathered.take(chunk.bytes.subarray(from, at), position, true));
      from = at + 1;
    }
    gathered.add(chunk.bytes.subarray(from));
    position = chunk.start + chunk.bytes.length;
    if (pieces.length > 0) yield pieces;
  }
  if (gathered.length > 0) yield [gathered.take(Buffer.alloc(0), position, true)];
}

/** Yields the whole content as one value. */
export async function* wholeContent(
  chunks: AsyncIterable<Buffer>,
  start: number,
  max: number,
): AsyncGenerator<Piece[]> {
  const gathered = new Gatherer(max);
  let position = start;
  for await (const { bytes, start: from } of withoutBom(chunks, start)) {
    gathered.add(bytes);
    position = from + bytes.length;
  }
  yield [gathered.take(Buffer.alloc(0), position, false)];
}

/**
 * Yields the elements of a JSON list. The function follows brackets and strings byte by byte, so it can cut out an
 * element that is not valid JSON. An unclosed list, or text after the list, ends with an error. Reading can start after
 * any element.
 */
export async function* cutJsonElements(
  chunks: AsyncIterable<Buffer>,
  start: number,
  max: number,
): AsyncGenerator<Piece[]> {
  const scan = new ElementScan(start > 0);
  const gathered = new Gatherer(max);
  let position = start;
  for await (const chunk of withoutBom(chunks, start)) {
    const { bytes } = chunk;
    const pieces: Piece[] = [];
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const what = scan.see(bytes[at]!);
      if (what === 'inside') continue;
      // The position after the last element is before the closing bracket, so that a resumed reading still finds the bracket.
      const end = chunk.start + at + (what === 'closes' ? 0 : 1);
      const piece = gathered.take(bytes.subarray(from, at), end, false);
      from = at + 1;
      if (piece.bytes.length > 0) pieces.push(piece);
      else if (what === 'separates') pieces.push({ ...piece, error: NO_ELEMENT });
    }
    gathered.add(bytes.subarray(from));
    position = chunk.start + bytes.length;
    if (pieces.length > 0) yield pieces;
  }
  const rest = gathered.take(Buffer.alloc(0), position, false);
  if (scan.isClosed && rest.bytes.length === 0) return;
  yield [rest.error === undefined ? { ...rest, error: NOT_CLOSED } : rest];
}

const NO_ELEMENT: Reason = { code: 'UNREADABLE', message: 'There is no element before this comma of the list.' };
const NOT_CLOSED: Reason = {
  code: 'UNREADABLE',
  message: 'The list is not closed, or there is text after it; if the file was truncated, import the whole file.',
};

/** Distinguishes separators between the elements of a JSON list from separators inside an element. */
class ElementScan {
  /** Whether the closing bracket of the list was read. */
  isClosed = false;
  #isOpen: boolean;
  #depth = 0;
  #inString = false;
  #escaped = false;

  /** `resumed`: reading begins inside a list, after an element. */
  constructor(resumed: boolean) {
    this.#isOpen = resumed;
  }

  /**
   * Classifies a byte. `inside`: a part of an element, or white space around it, or text after the list; `opens` and
   * `closes`: a bracket of the list; `separates`: a comma between elements.
   */
  see(byte: number): 'inside' | 'opens' | 'separates' | 'closes' {
    if (this.isClosed) return 'inside';
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === 0x5c) this.#escaped = true;
      else if (byte === 0x22) this.#inString = false;
      return 'inside';
    }
    switch (byte) {
      case 0x22:
        this.#inString = true;
        return 'inside';
      case 0x5b:
      case 0x7b:
        if (!this.#isOpen) {
          this.#isOpen = true;
          return 'opens';
        }
        this.#depth++;
        return 'inside';
      case 0x5d:
      case 0x7d:
        if (this.#depth > 0) this.#depth--;
        else if (byte === 0x5d) {
          this.isClosed = true;
          return 'closes';
        }
        return 'inside';
      case 0x2c:
        return this.#depth === 0 ? 'separates' : 'inside';
      default:
        return 'inside';
    }
  }
}

/** Collects the bytes of a piece from several chunks. It keeps at most `max` bytes and one chunk. */
class Gatherer {
  readonly #max: number;
  #parts: Buffer[] = [];
  /** Number of bytes of the piece, including the bytes that are not kept. */
  length = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.length <= this.#max) this.#parts.push(bytes);
    this.length += bytes.length;
  }

  /**
   * Ends the piece with its last bytes and returns it. A line is returned without CR at its end, another piece without
   * white space around it.
   */
  take(last: Buffer, end: number, line: boolean): Piece {
    this.add(last);
    const whole = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    const tooLong = this.length > this.#max;
    const length = this.length;
    this.#parts = [];
    this.length = 0;
    if (tooLong) {
      const message = `The row has ${length} bytes; at most ${this.#max} are allowed.`;
      return { end, bytes: Buffer.from(whole.subarray(0, KEPT_OF_TOO_LONG)), error: { code: 'TOO_LONG', message } };
    }
    return { end, bytes: line ? withoutCr(whole) : trimmed(whole) };
  }
}

function withoutCr(bytes: Buffer): Buffer {
  return bytes[bytes.length - 1] === CR ? bytes.subarray(0, -1) : bytes;
}

function trimmed(bytes: Buffer): Buffer {
  let from = 0;
  let to = bytes.length;
  while (from < to && bytes[from]! <= 0x20) from++;
  while (to > from && bytes[to - 1]! <= 0x20) to--;
  return bytes.subarray(from, to);
}

/** Yields the chunks with their positions, without a byte order mark at the start of the file. */
async function* withoutBom(
  chunks: AsyncIterable<Buffer>,
  start: number,
): AsyncGenerator<{ bytes: Buffer; start: number }> {
  let position = start;
  for await (const chunk of chunks) {
    const mark = position === 0 && chunk.subarray(0, 3).equals(BOM) ? 3 : 0;
    yield { bytes: chunk.subarray(mark), start: position + mark };
    position += chunk.length;
  }
}
