/**
 * Decimal numbers that keep their value (docs/decisions/192). A JSON number whose double is not the same decimal stays text in a
 * `Decimal`; every other one is a plain number. "The same" means the same decimal value: 1.10, 1.1 and 11e-1 are one.
 */
import { Big } from 'big.js';

declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes as `text`, which must be one JSON scalar (ECMAScript JSON.parse source text access). */
    rawJSON(text: string): unknown;
  }
}

const NUMBER_TOKEN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const FEW_DIGITS = /^-?[\d.]{1,15}$/;

/** A decimal number that no double holds, as its JSON number token. Throws `RangeError` when `text` is not such a token. */
export class Decimal {
  readonly text: string;

  constructor(text: string) {
    if (!NUMBER_TOKEN.test(text)) throw new RangeError('a Decimal needs the text of a JSON number');
    this.text = text;
  }

  /** Makes `JSON.stringify` write the digits as they are. */
  toJSON(): unknown {
    return JSON.rawJSON(this.text);
  }

  toString(): string {
    return this.text;
  }
}

/** A number of a message: a double where it is exact, else a `Decimal`. */
export type Numeric = number | Decimal;

/** Tells a finite number or a `Decimal` from anything else. */
export function isNumeric(v: unknown): v is Numeric {
  return typeof v === 'number' ? Number.isFinite(v) : v instanceof Decimal;
}

/** The value as plain decimal text without exponent, leading plus or superfluous zeros ("12.5", "-0.001", "0"): the form of text columns. */
export function decimalText(n: Numeric): string {
  if (typeof n === 'number') {
    const text = String(n);
    if (!text.includes('e')) return text;
  }
  const text = big(n).toFixed();
  return text === '-0' ? '0' : text;
}

/** The number that a JSON number token or a stored decimal text means. Throws `RangeError` on any other text. */
export function numeric(text: string): Numeric {
  if (!NUMBER_TOKEN.test(text)) throw new RangeError('not the text of a decimal number');
  const double = Number(text);
  if (double === 0 && !/[1-9]/.test(mantissa(text))) return 0;
  if (FEW_DIGITS.test(text)) return double;
  return Number.isFinite(double) && new Big(double).eq(text) ? double : new Decimal(text);
}

function mantissa(text: string): string {
  return text.split(/[eE]/, 1)[0] ?? text;
}

/** The value for sums and comparisons. */
export function big(n: Numeric | string): Big {
  return new Big(n instanceof Decimal ? n.text : n);
}
