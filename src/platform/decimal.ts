/**
 * Exact decimal numbers (docs/decisions/192). A JSON number is a plain number if its double converts back to the same
 * decimal; otherwise a `Decimal` keeps its text. 1.10, 1.1 and 11e-1 are the same decimal.
 */
import { Big } from 'big.js';

declare global {
  interface JSON {
    /**
     * A value that `JSON.stringify` writes as `text`, which must be one JSON scalar (ECMAScript JSON.parse source text
     * access).
     */
    rawJSON(text: string): unknown;
  }
}

const NUMBER_TOKEN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const FEW_DIGITS = /^-?[\d.]{1,15}$/;

/**
 * A decimal number that a double cannot keep unchanged, stored as the text of a JSON number. Throws `RangeError` if
 * `text` is not a JSON number.
 */
export class Decimal {
  readonly text: string;

  constructor(text: string) {
    if (!NUMBER_TOKEN.test(text)) throw new RangeError('a Decimal needs the text of a JSON number');
    this.text = text;
  }

  /** Makes `JSON.stringify` write the digits unchanged. */
  toJSON(): unknown {
    return JSON.rawJSON(this.text);
  }

  toString(): string {
    return this.text;
  }
}

/** A number of a message: a plain number if its double converts back to the same decimal, otherwise a `Decimal`. */
export type Numeric = number | Decimal;

/** Whether the value is a finite number or a `Decimal`. */
export function isNumeric(v: unknown): v is Numeric {
  return typeof v === 'number' ? Number.isFinite(v) : v instanceof Decimal;
}

/**
 * The value as plain decimal text without exponent, leading plus or superfluous zeros ("12.5", "-0.001", "0"): the form
 * of text columns.
 */
export function decimalText(n: Numeric): string {
  if (typeof n === 'number') {
    const text = String(n);
    if (!text.includes('e')) return text;
  }
  const text = big(n).toFixed();
  return text === '-0' ? '0' : text;
}

/** The number of a JSON number token or a stored decimal text. Throws `RangeError` on any other text. */
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

/** The number of a computed value. */
export function numericOf(value: Big): Numeric {
  return numeric(value.toFixed());
}

/** The exact sum of values; 0 without values. */
export function sumOf(values: readonly (Big | Numeric | string)[]): Big {
  return values.reduce<Big>((sum, value) => sum.plus(value instanceof Decimal ? value.text : value), new Big(0));
}
