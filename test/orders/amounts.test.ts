import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountsOf, type Dues, shareOf } from '../../src/kernel/money.ts';
import { decimalText } from '../../src/platform/decimal.ts';

/** Minor digits of ISO 4217, written by hand. */
const MINOR: Record<string, number> = { JPY: 0, USD: 2, KWD: 3 };

/** Amounts are whole numbers of the minor unit, so the check needs no decimals. */
const amount = fc.bigInt({ min: 0n, max: 10n ** 21n - 1n });
const line = fc
  .record({ ordered: fc.integer({ min: 1, max: 99_999 }), price: amount, charges: amount, tax: amount })
  .chain((one) => fc.integer({ min: 0, max: one.ordered }).map((picked) => ({ ...one, picked })));
const order = fc.record({
  currency: fc.constantFrom('JPY', 'USD', 'KWD'),
  lines: fc.array(line, { minLength: 1, maxLength: 12 }),
  charges: amount,
  tax: amount,
});

/** Returns minor units as decimal text. `minorOf` is the inverse. */
function text(minor: bigint, digits: number): string {
  const padded = String(minor).padStart(digits + 1, '0');
  return digits === 0 ? padded : `${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}
function minorOf(value: Parameters<typeof decimalText>[0], digits: number): bigint {
  const [whole = '0', fraction = ''] = decimalText(value).split('.');
  expect(fraction.length).toBeLessThanOrEqual(digits);
  return BigInt(whole + fraction.padEnd(digits, '0'));
}

/** Returns the share of `units` in an amount for `of` units: rounded half up, in whole numbers. */
function share(whole: bigint, units: number, of: number): bigint {
  return (2n * whole * BigInt(units) + BigInt(of)) / (2n * BigInt(of));
}

const dues = (charges: string, tax: string): Dues => ({ charges, tax, cash: null, credit: new Big(0) });

describe('amounts of grouped units', () => {
  it('agree to the last digit with a sum in whole minor units', () => {
    fc.assert(
      fc.property(order, ({ currency, lines, charges, tax }) => {
        const digits = MINOR[currency]!;
        const parts = lines.map((one) => ({
          line: {
            ordered: one.ordered,
            unit_price: text(one.price, digits),
            charges: text(one.charges, digits),
            tax: text(one.tax, digits),
          },
          units: one.picked,
          from: 0,
        }));
        fc.pre(lines.some((one) => one.picked > 0));
        const { items: totals, total } = amountsOf(parts, dues(text(charges, digits), text(tax, digits)), currency);
        let [extended, allCharges, allTax] = [0n, charges, tax];
        for (const [index, one] of lines.entries()) {
          const expected = {
            unitPrice: one.price,
            extendedPrice: one.price * BigInt(one.picked),
            charges: share(one.charges, one.picked, one.ordered),
            tax: share(one.tax, one.picked, one.ordered),
          };
          for (const member of ['unitPrice', 'extendedPrice', 'charges', 'tax'] as const) {
            expect(minorOf(totals[index]![member], digits)).toBe(expected[member]);
          }
          extended += expected.extendedPrice;
          allCharges += expected.charges;
          allTax += expected.tax;
        }
        expect(minorOf(total.grandCharges, digits)).toBe(allCharges);
        expect(minorOf(total.grandTax, digits)).toBe(allTax);
        expect(minorOf(total.grandTotal, digits)).toBe(extended + allCharges + allTax);
        expect([minorOf(total.hdrCharges, digits), minorOf(total.hdrTax, digits)]).toEqual([charges, tax]);
      }),
      { numRuns: 300 },
    );
  });

  it('the shares of picked units and of the rest sum to the whole amount', () => {
    fc.assert(
      fc.property(line, fc.constantFrom('JPY', 'USD', 'KWD'), (one, currency) => {
        const whole = text(one.tax, MINOR[currency]!);
        const picked = shareOf(whole, one.picked, one.ordered, currency);
        const rest = shareOf(whole, one.ordered - one.picked, one.ordered, currency, one.picked);
        expect(picked.plus(rest).eq(whole)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('a line that is not split has its whole charges and tax, also with more digits than the currency has', () => {
    const line = { ordered: 3, unit_price: '0.0125', charges: '0.125', tax: '10.5' };
    const { items, total } = amountsOf([{ line, units: 3, from: 0 }], dues('0', '0'), 'JPY');
    expect(items).toEqual([{ unitPrice: 0.0125, extendedPrice: 0.0375, charges: 0.125, tax: 10.5 }]);
    expect(total).toEqual({ grandTotal: 11, grandTax: 11, grandCharges: 0, hdrTax: 0, hdrCharges: 0 });
  });

  it('2000 lines of the largest amounts stay within 28 digits', () => {
    const most = '9999999999999999999.9999';
    const line = { ordered: 99_999, unit_price: most, charges: most, tax: most };
    const parts = new Array(2000).fill({ line, units: 99_999, from: 0 });
    const { total } = amountsOf(parts, dues(most, most), 'USD');
    const [whole = '', fraction = ''] = decimalText(total.grandTotal).split('.');
    expect([whole.length, fraction.length <= 2]).toEqual([28, true]);
  });
});
