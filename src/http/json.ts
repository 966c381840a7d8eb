/**
 * JSON of requests and replies. A scan over the text, before `JSON.parse`, checks the grammar and everything that `JSON.parse`
 * would let through or choke on (decision 10); numbers keep their exact value (decision 12). Most messages show by cheaper
 * signs that the scan would find nothing, and are spared it.
 */
import { isUtf8 } from 'node:buffer';
import { numeric } from '../decimal.ts';

declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/** `maxTokens` counts values (objects and arrays too) and member names. */
export interface JsonLimits {
  maxTokens: number;
}

/** Most tokens of a message, unless its operation says otherwise (decision 10). */
export const JSON_LIMITS: JsonLimits = { maxTokens: 200_000 };
/** Most tokens of an inbound shipment (decision 10). */
export const INBOUND_JSON_LIMITS: JsonLimits = { maxTokens: 1_000_000 };

const MAX_DEPTH = 64;
const MAX_NUMBER_LENGTH = 64;
const MAX_EXPONENT = 400;
/** Within these a double always prints as the decimal it was read from. */
const SAFE_DIGITS = 15;
const SAFE_EXPONENT = 250;

export type JsonRule = 'encoding' | 'syntax' | 'depth' | 'tokens' | 'proto' | 'duplicate' | 'number' | 'character';

/** Why a text is refused, and where: `line` and `column` count from 1, columns in UTF-16 units. The message says how to mend it. */
export class JsonFault extends Error {
  readonly rule: JsonRule;
  readonly line: number;
  readonly column: number;

  constructor(rule: JsonRule, message: string, line: number, column: number) {
    super(`${message} (line ${line}, column ${column})`);
    this.name = 'JsonFault';
    this.rule = rule;
    this.line = line;
    this.column = column;
  }
}

/**
 * The value of a JSON text; numbers that no double holds exactly are `Decimal`. A byte order mark at the start is skipped.
 * Throws `JsonFault` for: bytes that are not UTF-8; any break of the grammar; more than 64 levels; more than `maxTokens` tokens;
 * a member named `__proto__`; a name twice in one object; NUL and lone surrogates; number tokens of more than 64 characters or with
 * an exponent beyond 400. Names are compared after their escapes are read.
 */
export function parseJson(bytes: Buffer | string, limits: JsonLimits = JSON_LIMITS): unknown {
  const text = decode(bytes);
  const plain = parsePlain(text, limits.maxTokens);
  if (plain !== undefined) return plain;
  const scan = new Scan(text, limits.maxTokens);
  scan.run();
  try {
    return scan.exact ? JSON.parse(text) : JSON.parse(text, exactNumbers);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new JsonFault('syntax', 'the body is not JSON; check it with a JSON validator', 1, 1);
  }
}

/** A longer text is always scanned first, so that nothing large is built of a text that is refused. UTF-16 units. */
const PLAIN_MAX = 65_536;

/** Signs of a number that may not be its double (or is a negative zero), and of an escape that may hide what is refused. */
const DOUBTFUL_NUMBER = /[:[,\s]-?(?:[\d.]{16}|[\d.]+[eE])|[:[,\s]-0/;
const DOUBTFUL_ESCAPE = /\\u(?:00[0-7]|[dD][89a-fA-F])/;

/** The list or object of a text that the scan would surely pass with numbers that are their doubles; else undefined. */
function parsePlain(text: string, maxTokens: number): object | undefined {
  // A token needs two characters on average: itself and what separates it.
  if (text.length > PLAIN_MAX || text.length >= maxTokens * 2) return undefined;
  if (DOUBTFUL_NUMBER.test(text) || text.includes('__proto__') || !text.isWellFormed()) return undefined;
  if (text.includes('\\u') && DOUBTFUL_ESCAPE.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // A name that stands twice in an object is there once in the value: then there are fewer members than names.
  const isWhole = typeof value === 'object' && value !== null && countMembers(value, 1) === countNames(text);
  return isWhole ? (value as object) : undefined;
}

/** Quotes before a colon: at least as many as there are member names. */
function countNames(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (text.charCodeAt(before) <= 0x20) before -= 1;
    if (text.charCodeAt(before) === QUOTE) count += 1;
  }
  return count;
}

/** Members of all objects in a value; NaN where it is nested too deep. */
function countMembers(value: object, depth: number): number {
  if (depth > MAX_DEPTH) return Number.NaN;
  const elements: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = elements === value ? 0 : elements.length;
  for (let i = 0; i < elements.length; i += 1) {
    const one = elements[i];
    if (typeof one === 'object' && one !== null) count += countMembers(one, depth + 1);
  }
  return count;
}

/** The JSON text of a value; a `Decimal` is written with its own digits. Throws `TypeError` for what is no JSON value. */
export function stringifyJson(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}

function exactNumbers(this: unknown, _key: string, value: unknown, context: { readonly source?: string }): unknown {
  return typeof value === 'number' && context.source !== undefined ? numeric(context.source) : value;
}

function decode(bytes: Buffer | string): string {
  if (typeof bytes !== 'string' && !isUtf8(bytes)) throw encodingFault(bytes);
  const text = typeof bytes === 'string' ? bytes : bytes.toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

const REPLACEMENT = Buffer.from('\ufffd');

/** The first replacement character of a lenient decoding that does not stand in the bytes themselves is the fault. */
function encodingFault(bytes: Buffer): JsonFault {
  const text = bytes.toString('utf8');
  let at = 0;
  let byte = 0;
  let bad = text.indexOf('\ufffd');
  while (bad >= 0) {
    if (bad > at) byte += Buffer.byteLength(text.slice(at, bad));
    if (!REPLACEMENT.equals(bytes.subarray(byte, byte + 3))) break;
    byte += 3;
    at = bad + 1;
    bad = text.indexOf('\ufffd', at);
  }
  const [line, column] = positionOf(text, Math.max(bad, 0));
  return new JsonFault('encoding', 'the body is not valid UTF-8; encode it as UTF-8', line, column);
}

function positionOf(text: string, at: number): [line: number, column: number] {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return [line, at - start + 1];
}

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

/** Names seen in one open object; `undefined` stands for an array. */
type Level = Set<string> | undefined;

class Scan {
  /** Whether every number token is sure to be its double. */
  exact = true;
  readonly #text: string;
  readonly #maxTokens: number;
  readonly #levels: Level[] = [];
  readonly #spare: Set<string>[] = [];
  #at = 0;
  #tokens = 0;
  /** Whether the string just scanned holds an escape. */
  #escaped = false;
  /** Whether nothing stands yet in the innermost open list or object. */
  #first = false;

  constructor(text: string, maxTokens: number) {
    this.#text = text;
    this.#maxTokens = maxTokens;
  }

  run(): void {
    this.#space();
    if (this.#at >= this.#text.length) this.#fail('syntax', 'the body is empty; send a JSON value');
    this.#value();
    while (this.#levels.length > 0) {
      this.#next();
    }
    if (this.#space() >= 0)
      this.#fail('syntax', `${this.#here()} after the end of the JSON value; remove what follows it`);
  }

  /** One element or member of the innermost open list or object, or its end. */
  #next(): void {
    const names = this.#levels[this.#levels.length - 1];
    const close = names ? CLOSE_OBJECT : CLOSE_ARRAY;
    let code = this.#space();
    if (code === close) {
      this.#close(names);
      return;
    }
    if (!this.#first) {
      if (code !== COMMA) this.#fail('syntax', `${this.#here()} where ',' or '${names ? '}' : ']'}' is needed`);
      this.#at += 1;
      code = this.#space();
      if (code === close) this.#fail('syntax', `',' before '${names ? '}' : ']'}'; remove that comma`);
    }
    if (names) this.#name(names, code);
    this.#value();
  }

  #close(names: Level): void {
    this.#at += 1;
    this.#levels.pop();
    this.#first = false;
    if (names) {
      names.clear();
      this.#spare.push(names);
    }
  }

  #open(names: Level): void {
    if (this.#levels.length >= MAX_DEPTH)
      this.#fail('depth', `more than ${MAX_DEPTH} levels of nesting; flatten the message`);
    this.#levels.push(names);
    this.#at += 1;
  }

  #name(names: Set<string>, code: number): void {
    if (code !== QUOTE) this.#fail('syntax', `${this.#here()} where a member name in double quotes is needed`);
    this.#token();
    const start = this.#at;
    this.#string();
    const raw = this.#text.slice(start + 1, this.#at - 1);
    const name = this.#escaped ? String(JSON.parse(`"${raw}"`)) : raw;
    if (name === '__proto__') this.#fail('proto', "a member named '__proto__' is refused; remove it", start);
    if (names.has(name))
      this.#fail('duplicate', `the member '${short(name)}' stands twice in one object; send it once`, start);
    names.add(name);
    if (this.#space() !== COLON) this.#fail('syntax', `${this.#here()} where ':' is needed after a member name`);
    this.#at += 1;
    this.#space();
  }

  #value(): void {
    const code = this.#space();
    this.#token();
    const opens = code === OPEN_OBJECT || code === OPEN_ARRAY;
    if (opens) this.#open(code === OPEN_OBJECT ? (this.#spare.pop() ?? new Set()) : undefined);
    else if (code === QUOTE) this.#string();
    else if (code === MINUS || isDigit(code)) this.#number();
    else this.#word();
    this.#first = opens;
  }

  #word(): void {
    for (const word of ['true', 'false', 'null']) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return;
      }
    }
    this.#fail('syntax', `${this.#here()} where a value is needed`);
  }

  #string(): void {
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
  }

  /** The position after the escape that begins at `at`. */
  #escape(at: number): number {
    this.#escaped = true;
    const kind = this.#text.charCodeAt(at + 1);
    if (kind !== LOWER_U) {
      if (!'"\\/bfnrt'.includes(this.#text.charAt(at + 1) || 'x')) {
        this.#fail('syntax', 'an unknown escape in a string; write a backslash as \\\\', at);
      }
      return at + 2;
    }
    const unit = this.#unit(at);
    if (unit === 0) this.#fail('character', 'the character NUL is refused in strings; remove it', at);
    if (unit < 0xd800 || unit > 0xdfff) return at + 6;
    const next = this.#text.charCodeAt(at + 6) === BACKSLASH && this.#text.charCodeAt(at + 7) === LOWER_U;
    if (unit > 0xdbff || !next || !isLow(this.#unit(at + 6))) this.#lone(at);
    return at + 12;
  }

  /** The UTF-16 unit of the escape of four hexadecimal digits at `at`. */
  #unit(at: number): number {
    const hex = this.#text.slice(at + 2, at + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(hex)) this.#fail('syntax', 'an escape \\u needs four hexadecimal digits', at);
    return Number.parseInt(hex, 16);
  }

  #lone(at: number): never {
    this.#fail('character', 'half a surrogate pair stands alone in a string; send whole characters', at);
  }

  #unprintable(code: number, at: number, start: number): never {
    if (Number.isNaN(code)) this.#fail('syntax', 'a string that does not end; close it with a double quote', start);
    if (code === 0) this.#fail('character', 'the character NUL is refused; remove it', at);
    this.#fail('syntax', `the control character ${unitName(code)} stands raw in a string; write it as an escape`, at);
  }

  #number(): void {
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
    // A negative zero is a double too, but not the one it shall be.
    const maybeMinusZero = whole > start && text.charCodeAt(whole) === ZERO;
    if (digits > SAFE_DIGITS || Math.abs(exponent) > SAFE_EXPONENT || maybeMinusZero) this.exact = false;
    this.#at = end;
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
    if (this.#tokens > this.#maxTokens) {
      this.#fail('tokens', `more than ${this.#maxTokens} values and member names; split the message`);
    }
  }

  /** Skips white space; the code of the next character, -1 at the end. */
  #space(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      this.#at += 1;
      code = this.#text.charCodeAt(this.#at);
    }
    return Number.isNaN(code) ? -1 : code;
  }

  /** The character at hand, as the beginning of a message. */
  #here(): string {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) return 'the text ends';
    if (code === 0x27) return 'a single quote';
    return code > 0x20 && code < 0x7f ? `'${String.fromCodePoint(code)}'` : `the character ${unitName(code)}`;
  }

  #fail(rule: JsonRule, message: string, at = this.#at): never {
    const [line, column] = positionOf(this.#text, at);
    throw new JsonFault(this.#text.charCodeAt(at) === 0 ? 'character' : rule, message, line, column);
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function unitName(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

function short(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 37).replace(/[\ud800-\udbff]$/, '')}...`;
}
