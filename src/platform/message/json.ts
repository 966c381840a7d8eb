/**
 * JSON of requests and responses. Our own parser is stricter than `JSON.parse`, keeps the exact value of numbers, and
 * can pause between two tokens, so that a long text does not block other requests. For most messages, cheap checks show
 * that our parser would find no error; `JSON.parse` then reads them.
 */
import { isUtf8 } from 'node:buffer';
import { type Numeric, numeric } from '../decimal.ts';
import type { Json } from '../json-column.ts';
import { Pace } from '../pace.ts';
import { shorten } from './words.ts';

/** Limits of a text. `maxTokens` limits the number of values (including objects and arrays) and field names. */
export interface JsonLimits {
  maxTokens: number;
  /** Maximum number of fields in one object; default `MAX_MEMBERS`. */
  maxMembers?: number;
}

/** Default limits of a message (docs/interface.md#limits-of-a-message). */
export const JSON_LIMITS: JsonLimits = { maxTokens: 200_000 };
/** Limits of an inbound shipment (docs/interface.md#limits-of-a-message). */
export const INBOUND_JSON_LIMITS: JsonLimits = { maxTokens: 1_000_000 };

/** Maximum number of fields in one object; the largest object of the contract has about 130. */
const MAX_MEMBERS = 1_000;

/** Maximum length of a string in UTF-16 units; the longest string of the contract has 4,000. */
const MAX_STRING = 100_000;
const MAX_DEPTH = 64;
const MAX_NUMBER_LENGTH = 64;
const MAX_EXPONENT = 400;
/** Within these limits a double always prints as the decimal that it was read from. */
const SAFE_DIGITS = 15;
const SAFE_EXPONENT = 250;

export type JsonRule =
  | 'encoding'
  | 'syntax'
  | 'depth'
  | 'tokens'
  | 'members'
  | 'length'
  | 'proto'
  | 'duplicate'
  | 'number'
  | 'character';

/** The error of a text: `line` and `column` count from 1, columns in UTF-16 units. The message says how to fix it. */
export class JsonError extends Error {
  readonly rule: JsonRule;
  readonly line: number;
  readonly column: number;

  constructor(rule: JsonRule, message: string, line: number, column: number) {
    super(`${message} (line ${line}, column ${column})`);
    this.name = 'JsonError';
    this.rule = rule;
    this.line = line;
    this.column = column;
  }
}

/**
 * Parses a JSON text. A number that would change as a double becomes a `Decimal`. A byte order mark at the start is
 * skipped. Field names are compared after their escapes are decoded.
 * @throws JsonError for: bytes that are not UTF-8; an error of syntax; more than 64 levels; more than `maxTokens`
 * tokens; more than `maxMembers` fields of one object; a string of more than 100,000 characters; a field named
 * `__proto__`; a field name twice in one object; NUL and lone surrogates; numbers of more than 64 characters or with an
 * exponent beyond 400.
 */
export function parseJson<T>(text: Json<T>, limits?: JsonLimits): T;
export function parseJson(bytes: Buffer | string, limits?: JsonLimits): unknown;
export function parseJson(bytes: Buffer | string, limits: JsonLimits = JSON_LIMITS): unknown {
  const text = decode(bytes);
  const plain = parsePlain(text, limits);
  if (plain !== undefined) return plain;
  const scan = new Scan(text, limits);
  while (!scan.isDone) scan.next();
  return scan.value;
}

/** Like `parseJson`, but lets other work run during a long text: 8 MiB take at least a tenth of a second. */
export async function parseJsonInTurns(bytes: Buffer, limits: JsonLimits = JSON_LIMITS): Promise<unknown> {
  if (bytes.length <= PLAIN_MAX) return parseJson(bytes, limits);
  const pace = new Pace();
  const scan = new Scan(decode(bytes), limits);
  await pace.rest();
  for (let count = 1; !scan.isDone; count += 1) {
    scan.next();
    if (count % TOKENS_A_LOOK === 0) await pace.rest();
  }
  return scan.value;
}

/**
 * Maximum length for `JSON.parse`, in UTF-16 units: `JSON.parse` would build a large value before a check could reject
 * it.
 */
const PLAIN_MAX = 65_536;
/** Tokens between two checks of the clock. */
const TOKENS_A_LOOK = 500;

/**
 * These patterns match numbers that may change as doubles, negative zeros, and escapes of possibly forbidden
 * characters.
 */
const DOUBTFUL_NUMBER = /[:[,\s]-?(?:[\d.]{16}|[\d.]+[eE])|[:[,\s]-0/;
const DOUBTFUL_ESCAPE = /\\u(?:00[0-7]|[dD][89a-fA-F])/;

/**
 * Parses a list or object with `JSON.parse` if our parser would certainly give the same result; otherwise undefined.
 */
function parsePlain(text: string, { maxTokens, maxMembers = MAX_MEMBERS }: JsonLimits): object | undefined {
  // A token needs at least two characters on average: itself and its separator.
  if (text.length > PLAIN_MAX || text.length >= maxTokens * 2) return undefined;
  if (DOUBTFUL_NUMBER.test(text) || text.includes('__proto__') || !text.isWellFormed()) return undefined;
  if (text.includes('\\u') && DOUBTFUL_ESCAPE.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  // If a field name occurs twice in an object, the value has fewer fields than the text has names.
  return countMembers(value, 1, maxMembers) === countNames(text) ? value : undefined;
}

/** Counts the quotes before a colon. The count is at least the number of field names. */
function countNames(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (text.charCodeAt(before) <= 0x20) before -= 1;
    if (text.charCodeAt(before) === QUOTE) count += 1;
  }
  return count;
}

/**
 * Number of fields in all objects of a value; NaN if the value is nested too deeply or an object has more than `most`
 * fields.
 */
function countMembers(value: object, depth: number, most: number): number {
  if (depth > MAX_DEPTH) return Number.NaN;
  const elements: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = elements === value ? 0 : elements.length;
  if (count > most) return Number.NaN;
  for (let i = 0; i < elements.length; i += 1) {
    const one = elements[i];
    if (typeof one === 'object' && one !== null) count += countMembers(one, depth + 1, most);
  }
  return count;
}

/** The JSON text of a value; a `Decimal` keeps its digits. Throws `TypeError` for a value that is not JSON. */
export function stringifyJson<T>(value: T): Json<T> {
  const text = JSON.stringify(value) as Json<T> | undefined;
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}

function decode(bytes: Buffer | string): string {
  if (typeof bytes !== 'string' && !isUtf8(bytes)) throw encodingError(bytes);
  const text = typeof bytes === 'string' ? bytes : bytes.toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Number of bytes in one step of the search for the byte that is not UTF-8. */
const CHUNK = 65_536;

const REPLACEMENT = Buffer.from('\ufffd');

function encodingError(bytes: Buffer): JsonError {
  let start = 0;
  let end = chunkEnd(bytes, start);
  while (end < bytes.length && isUtf8(bytes.subarray(start, end))) {
    start = end;
    end = chunkEnd(bytes, start);
  }
  const before = bytes.toString('utf8', 0, start);
  const [line, column] = positionOf(
    before + bytes.toString('utf8', start, end),
    before.length + badPlace(bytes, start, end),
  );
  return new JsonError('encoding', 'the body is not valid UTF-8; encode it as UTF-8', line, column);
}

/**
 * Returns the index, in the decoded text, of the character that replaced the first invalid byte. The decoder replaces
 * an invalid byte with U+FFFD. A U+FFFD that the bytes themselves encode is valid and is skipped.
 */
function badPlace(bytes: Buffer, start: number, end: number): number {
  const text = bytes.toString('utf8', start, end);
  let at = 0;
  let byte = start;
  let bad = text.indexOf('\ufffd');
  while (bad >= 0) {
    if (bad > at) byte += Buffer.byteLength(text.slice(at, bad));
    if (!REPLACEMENT.equals(bytes.subarray(byte, byte + 3))) break;
    byte += 3;
    at = bad + 1;
    bad = text.indexOf('\ufffd', at);
  }
  return Math.max(bad, 0);
}

/** Returns the end of a chunk. A chunk never ends within a character. */
function chunkEnd(bytes: Buffer, start: number): number {
  let end = Math.min(bytes.length, start + CHUNK);
  for (let back = 0; back < 3 && end < bytes.length && (bytes[end]! & 0xc0) === 0x80; back += 1) end -= 1;
  return end;
}

function positionOf(text: string, at: number): [line: number, column: number] {
  let line = 1;
  let start = 0;
  for (let end = 0; end < at; end += 1) {
    if (text.charCodeAt(end) !== LINE_FEED) continue;
    line += 1;
    start = end + 1;
  }
  return [line, at - start + 1];
}

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const LOWER_U = 0x75;
const PLAIN_ESCAPES = new Set(Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)));
const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

type Members = Record<string, unknown>;

/** An open list or object, and its number of fields. */
interface Level {
  readonly value: unknown[] | Members;
  readonly isObject: boolean;
  count: number;
}

/** Reads a text token by token and builds its value. */
class Scan {
  value: unknown;
  isDone = false;
  readonly #text: string;
  readonly #limits: JsonLimits;
  readonly #levels: Level[] = [];
  #at = 0;
  #tokens = 0;
  /** The name of the current field. */
  #key = '';
  /** Whether the last scanned string has an escape. */
  #escaped = false;
  /** Whether the innermost open list or object is still empty. */
  #first = false;

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  /** Reads the next element or field of the innermost open list or object, or the end of this list or object. */
  next(): void {
    const level = this.#levels[this.#levels.length - 1];
    if (level !== undefined) this.#inside(level);
    else this.#root();
    if (this.#levels.length > 0) return;
    if (this.#space() >= 0)
      this.#fail('syntax', `${this.#here()} after the end of the JSON value; remove what follows it`);
    this.isDone = true;
  }

  #root(): void {
    this.#space();
    if (this.#at >= this.#text.length) this.#fail('syntax', 'the body is empty; send a JSON value');
    this.#value(undefined);
  }

  #inside(level: Level): void {
    const [close, end] = level.isObject ? [CLOSE_OBJECT, '}'] : [CLOSE_ARRAY, ']'];
    let code = this.#space();
    if (code === close) {
      this.#at += 1;
      this.#levels.pop();
      this.#first = false;
      return;
    }
    if (!this.#first) {
      if (code !== COMMA) this.#fail('syntax', `${this.#here()} where ',' or '${end}' is needed`);
      this.#at += 1;
      code = this.#space();
      if (code === close) this.#fail('syntax', `',' before '${end}'; remove that comma`);
    }
    if (level.isObject) this.#name(level, code);
    this.#value(level);
  }

  #open(isObject: boolean): unknown {
    if (this.#levels.length >= MAX_DEPTH)
      this.#fail('depth', `more than ${MAX_DEPTH} levels of nesting; flatten the message`);
    const value = isObject ? {} : [];
    this.#levels.push({ value, isObject, count: 0 });
    this.#at += 1;
    return value;
  }

  #name(level: Level, code: number): void {
    if (code !== QUOTE) this.#fail('syntax', `${this.#here()} where a field name in double quotes is needed`);
    this.#token();
    const start = this.#at;
    const { maxMembers = MAX_MEMBERS } = this.#limits;
    level.count += 1;
    if (level.count > maxMembers)
      this.#fail('members', `an object of more than ${maxMembers} fields; send the documented ones only`);
    const name = this.#string();
    if (name === '__proto__') this.#fail('proto', "a field named '__proto__' is not allowed; remove it", start);
    if (Object.hasOwn(level.value, name))
      this.#fail('duplicate', `the field '${shorten(name, 40)}' occurs twice in one object; send it once`, start);
    if (this.#space() !== COLON) this.#fail('syntax', `${this.#here()} where ':' is needed after a field name`);
    this.#at += 1;
    this.#key = name;
  }

  #value(level: Level | undefined): void {
    const code = this.#space();
    this.#token();
    const key = this.#key;
    const opens = code === OPEN_OBJECT || code === OPEN_ARRAY;
    const value = opens ? this.#open(code === OPEN_OBJECT) : this.#scalar(code);
    this.#first = opens;
    if (level === undefined) this.value = value;
    else if (level.isObject) (level.value as Members)[key] = value;
    else (level.value as unknown[]).push(value);
  }

  #scalar(code: number): unknown {
    if (code === QUOTE) return this.#string();
    return code === MINUS || isDigit(code) ? this.#number() : this.#word();
  }

  #word(): boolean | null {
    for (const [word, value] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#fail('syntax', `${this.#here()} where a value is needed`);
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at;
    this.#escaped = false;
    let at = start + 1;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        at = this.#escape(at);
      } else if (code >= 0x20 && (code < 0xd800 || code > 0xdfff)) {
        at += 1;
      } else if (code >= 0xd800) {
        if (code > 0xdbff || !isLow(text.charCodeAt(at + 1))) this.#lone(at);
        at += 2;
      } else {
        this.#unprintable(code, at, start);
      }
    }
    this.#at = at + 1;
    if (at - start - 1 > MAX_STRING)
      this.#fail('length', `a string of ${at - start - 1} characters; send at most ${MAX_STRING}`, start);
    // The cast is needed because the compiler does not see that `#escape` can have changed `#escaped`.
    return (this.#escaped as boolean) ? String(JSON.parse(text.slice(start, at + 1))) : text.slice(start + 1, at);
  }

  /** The position after the escape that begins at `at`. */
  #escape(at: number): number {
    this.#escaped = true;
    const kind = this.#text.charCodeAt(at + 1);
    if (kind !== LOWER_U) {
      if (!PLAIN_ESCAPES.has(kind)) {
        this.#fail('syntax', 'an unknown escape in a string; write a backslash as \\\\', at);
      }
      return at + 2;
    }
    const unit = this.#unit(at);
    if (unit === 0) this.#fail('character', 'the character NUL is not allowed in strings; remove it', at);
    if (unit < 0xd800 || unit > 0xdfff) return at + 6;
    const next = this.#text.charCodeAt(at + 6) === BACKSLASH && this.#text.charCodeAt(at + 7) === LOWER_U;
    if (unit > 0xdbff || !next || !isLow(this.#unit(at + 6))) this.#lone(at);
    return at + 12;
  }

  /** The UTF-16 unit of the escape with four hexadecimal digits at `at`. */
  #unit(at: number): number {
    let unit = 0;
    for (let digit = at + 2; digit < at + 6; digit += 1) {
      const value = hexDigit(this.#text.charCodeAt(digit));
      if (value < 0) this.#fail('syntax', 'an escape \\u needs four hexadecimal digits', at);
      unit = unit * 16 + value;
    }
    return unit;
  }

  #lone(at: number): never {
    this.#fail('character', 'a string has half a surrogate pair; send whole characters', at);
  }

  #unprintable(code: number, at: number, start: number): never {
    if (Number.isNaN(code)) this.#fail('syntax', 'a string that does not end; close it with a double quote', start);
    if (code === 0) this.#fail('character', 'the character NUL is not allowed; remove it', at);
    this.#fail('syntax', `a string has the control character ${unitName(code)}; write it as an escape`, at);
  }

  #number(): Numeric {
    const text = this.#text;
    const start = this.#at;
    let at = start;
    if (text.charCodeAt(at) === MINUS) at += 1;
    const whole = at;
    at = this.#digits(at);
    if (text.charCodeAt(whole) === ZERO && at > whole + 1)
      this.#fail('syntax', 'a number with a leading zero; remove the zero', start);
    let fraction = 0;
    if (text.charCodeAt(at) === POINT) {
      const from = at + 1;
      at = this.#digits(from);
      fraction = at - from;
    }
    const digits = at - whole - (fraction > 0 ? 1 : 0);
    const lower = text.charCodeAt(at) | 0x20;
    const exponent = lower === 0x65 ? this.#exponent(at + 1) : 0;
    const end = lower === 0x65 ? this.#at : at;
    if (end - start > MAX_NUMBER_LENGTH || Math.abs(exponent) > MAX_EXPONENT) {
      const limits = `${MAX_NUMBER_LENGTH} characters and exponents up to ${MAX_EXPONENT}`;
      this.#fail('number', `a number of ${end - start} characters is beyond ${limits}; shorten it`, start);
    }
    // A double can hold a negative zero, but the parser must return a plain zero.
    const maybeMinusZero = whole > start && text.charCodeAt(whole) === ZERO;
    this.#at = end;
    const token = text.slice(start, end);
    const isDouble = digits <= SAFE_DIGITS && Math.abs(exponent) <= SAFE_EXPONENT && !maybeMinusZero;
    return isDouble ? Number(token) : numeric(token);
  }

  /** The position after one or more digits that begin at `at`. */
  #digits(at: number): number {
    let end = at;
    while (isDigit(this.#text.charCodeAt(end))) end += 1;
    if (end === at) {
      this.#at = at;
      this.#fail('syntax', `${this.#here()} where a number needs a digit`);
    }
    return end;
  }

  #exponent(from: number): number {
    const sign = this.#text.charCodeAt(from);
    this.#at = this.#digits(sign === MINUS || sign === PLUS ? from + 1 : from);
    return Number(this.#text.slice(from, this.#at));
  }

  #token(): void {
    this.#tokens += 1;
    const { maxTokens } = this.#limits;
    if (this.#tokens > maxTokens) {
      this.#fail('tokens', `more than ${maxTokens} values and field names; split the message`);
    }
  }

  /** Skips white space; returns the code of the next character, -1 at the end. */
  #space(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      this.#at += 1;
      code = this.#text.charCodeAt(this.#at);
    }
    return Number.isNaN(code) ? -1 : code;
  }

  /** The current character, as the beginning of a message. */
  #here(): string {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) return 'the text ends';
    if (code === 0x27) return 'a single quote';
    return code > 0x20 && code < 0x7f ? `'${String.fromCodePoint(code)}'` : `the character ${unitName(code)}`;
  }

  #fail(rule: JsonRule, message: string, at = this.#at): never {
    const [line, column] = positionOf(this.#text, at);
    throw new JsonError(this.#text.charCodeAt(at) === 0 ? 'character' : rule, message, line, column);
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The value of a hexadecimal digit; -1 for any other character. */
function hexDigit(code: number): number {
  if (isDigit(code)) return code - ZERO;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function unitName(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
