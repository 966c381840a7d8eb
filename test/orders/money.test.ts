import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shareOf } from '../../src/kernel/money.ts';
import { isCurrency, minorDigits } from '../../src/platform/currencies.ts';
import { big } from '../../src/platform/decimal.ts';

describe('shares of an amount', () => {
  test.each([
    ['10', 1, 3, 'USD', 0, '3.33'],
    ['10', 1, 3, 'USD', 1, '3.34'],
    ['10', 1, 3, 'USD', 2, '3.33'],
    ['0.05', 1, 2, 'EUR', 0, '0.03'],
    ['0.05', 1, 2, 'EUR', 1, '0.02'],
    ['100', 1, 3, 'JPY', 0, '33'],
    ['1', 1, 3, 'KWD', 0, '0.333'],
    ['-0.05', 1, 2, 'USD', 0, '-0.03'],
    ['9999999999999999999.99', 1, 2, 'USD', 0, '5000000000000000000'],
  ])('of %s the share of %i of %i units in %s after %i is %s', (total, units, of, currency, from, share) => {
    expect(shareOf(total, units, of, currency, from).toFixed()).toBe(share);
  });

  test('parts of a line sum to the whole for every split', () => {
    const amount = fc.tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.integer({ min: 0, max: 4 }));
    const parts = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(amount, parts, fc.constantFrom('USD', 'JPY', 'KWD', 'CLF'), ([digits, point], cut, currency) => {
        const ofUnits = cut.reduce((sum, units) => sum + units, 0);
        fc.pre(ofUnits > 0);
        const total = big(`${digits}e-${point}`).toFixed();
        let from = 0;
        let sum = big(0);
        for (const units of cut) {
          sum = sum.plus(shareOf(total, units, ofUnits, currency, from));
          from += units;
        }
        expect(sum.toFixed()).toBe(big(total).toFixed());
      }),
    );
  });

  test('a share differs from the exact one by less than one minor unit and never has more digits than the currency', () => {
    const line = fc.record({
      cents: fc.integer({ min: 0, max: 10_000_000 }),
      ofUnits: fc.integer({ min: 1, max: 99_999 }),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(line, ({ cents, ofUnits, at }) => {
        const units = Math.floor(at * ofUnits);
        const share = shareOf(big(cents).div(100).toFixed(), units, ofUnits, 'USD');
        const exact = big(cents).times(units).div(ofUnits).div(100);
        expect(share.minus(exact).abs().lte(0.005)).toBe(true);
        expect(share.round(2).eq(share)).toBe(true);
      }),
    );
  });

  test('units outside the line throw an error', () => {
    expect(() => shareOf('1', 2, 1, 'USD')).toThrow(RangeError);
    expect(() => shareOf('1', 1, 2, 'USD', 2)).toThrow(RangeError);
    expect(() => shareOf('1', -1, 2, 'USD')).toThrow(RangeError);
    expect(() => shareOf('1', 0.5, 2, 'USD')).toThrow(RangeError);
  });
});

describe('currencies', () => {
  test.each([
    ['USD', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['CLF', 4],
  ])('%s has %i minor digits', (code, digits) => {
    expect(minorDigits(code)).toBe(digits);
    expect(isCurrency(code)).toBe(true);
  });

  test('a code outside ISO 4217 is no currency', () => {
    expect(isCurrency('XXZ')).toBe(false);
    expect(isCurrency('')).toBe(false);
  });
});
