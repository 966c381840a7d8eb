import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { big, Decimal, decimalText, isNumeric, numeric } from '../src/platform/decimal.ts';

const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`));
/** Number tokens of up to 19 + 2 digits, as the interface allows. */
const tokens = fc
  .tuple(fc.constantFrom('', '-'), digits(1, 19), digits(0, 2))
  .map(([sign, whole, part]) => `${sign}${whole.replace(/^0+(?=\d)/, '')}${part === '' ? '' : `.${part}`}`);

describe('a decimal number', () => {
  it('is a plain number where its double is the same decimal value', () => {
    for (const [text, value] of [
      ['0.1', 0.1],
      ['1.10', 1.1],
      ['1e2', 100],
      ['5.0', 5],
      ['1e22', 1e22],
      ['5e-324', 5e-324],
      ['100000000000000000000', 1e20],
      ['9007199254740992', 9007199254740992],
    ] as const) {
      expect(numeric(text), text).toBe(value);
    }
  });

  it('keeps its text where no double is the same decimal value', () => {
    for (const text of ['9007199254740993', '0.12345678901234567', '1e400', '1e-400', '9999999999999999999.99']) {
      const value = numeric(text);
      expect(value, text).toBeInstanceOf(Decimal);
      expect(String(value)).toBe(text);
    }
  });

  it('counts minus zero as zero', () => {
    for (const text of ['-0', '-0.00', '-0e5']) expect(numeric(text)).toBe(0);
    expect(decimalText(-0)).toBe('0');
    expect(decimalText(new Decimal('-0.0'))).toBe('0');
  });

  it('has one text without exponent and superfluous zeros', () => {
    expect(decimalText(12.5)).toBe('12.5');
    expect(decimalText(1e21)).toBe('1000000000000000000000');
    expect(decimalText(1e-7)).toBe('0.0000001');
    expect(decimalText(new Decimal('9007199254740993.10'))).toBe('9007199254740993.1');
    expect(decimalText(new Decimal('1.5e3'))).toBe('1500');
  });

  it('rejects any text that is not a JSON number', () => {
    for (const text of ['', '01', '+1', '1.', '.5', 'NaN', '1 ', '"1"', '1,2', '0x10']) {
      expect(() => new Decimal(text), text).toThrow(RangeError);
      expect(() => numeric(text), text).toThrow(RangeError);
    }
  });

  it('is told from everything else', () => {
    expect([1, new Decimal('1')].every(isNumeric)).toBe(true);
    expect(['1', null, Number.NaN, Number.POSITIVE_INFINITY, {}].some(isNumeric)).toBe(false);
  });

  it('of up to 19 + 2 digits keeps its value through number, text and JSON', () => {
    fc.assert(
      fc.property(tokens, (token) => {
        const value = numeric(token);
        expect(big(value).eq(big(token))).toBe(true);
        expect(big(decimalText(value)).eq(big(token))).toBe(true);
        expect(big(numeric(decimalText(value))).eq(big(value))).toBe(true);
        expect(big(JSON.stringify(value)).eq(big(token))).toBe(true);
      }),
    );
  });

  it('has the same text as every other spelling of its value', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 21n), max: 10n ** 21n }),
        fc.integer({ min: 0, max: 6 }),
        (units, zeros) => {
          const plain = numeric(String(units));
          const longer = numeric(`${units}.${'0'.repeat(zeros + 1)}`);
          // 00e-1 is no JSON number.
          const shifted = numeric(`${units === 0n ? '0' : `${units}${'0'.repeat(zeros)}`}e-${zeros}`);
          expect(decimalText(longer)).toBe(decimalText(plain));
          expect(decimalText(shifted)).toBe(decimalText(plain));
          expect(typeof longer).toBe(typeof plain);
        },
      ),
    );
  });
});
