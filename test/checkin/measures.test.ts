import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Parcel, totalVolume, totalWeight } from '../../src/checkin/measures.ts';
import { Decimal, decimalText } from '../../src/decimal.ts';
import type { Snapshot } from '../../src/orders/store.ts';

const bare = { itemDetails: {} } as Snapshot;
const parcel = (members: Partial<Parcel>): Parcel => ({ items: [], ...members });
const weighs = (unit: string, value: number | Decimal) => parcel({ weight: { unit, value } });

describe('total weight', () => {
  it('sums the packages in the unit of the first, as it was written', () => {
    expect(totalWeight([weighs('LBS', 1.5), weighs('lb', 2)])).toEqual({ unit: 'LBS', value: 3.5 });
    expect(totalWeight([weighs('kg', 1), weighs('g', 250)])).toEqual({ unit: 'kg', value: 1.25 });
    expect(totalWeight([weighs('g', 1), weighs('kg', 2)])).toEqual({ unit: 'g', value: 2001 });
    expect(totalWeight([weighs('lb', 1), weighs('oz', 8)])).toEqual({ unit: 'lb', value: 1.5 });
    expect(totalWeight([weighs('lb', 1), weighs('kg', 1)])).toEqual({ unit: 'lb', value: 3.2046 });
  });

  it('sums one unknown unit as it is, and leaves out what nobody can compare with it', () => {
    expect(totalWeight([weighs('stone', 1), weighs('stone', 2), weighs('lb', 3)])).toEqual({ unit: 'stone', value: 3 });
  });

  it('takes the items’ shipping weight for a package without one', () => {
    const snapshot: Snapshot = { ...bare, weight: { unit: 'lb', value: 0.4 } };
    expect(totalWeight([weighs('lb', 2), parcel({ items: [{ quantity: 3, snapshot }] })])).toEqual({
      unit: 'lb',
      value: 3.2,
    });
  });

  it('is 0 lb when nothing is known', () => {
    expect(totalWeight([])).toEqual({ unit: 'lb', value: 0 });
    expect(totalWeight([parcel({ items: [{ quantity: 3, snapshot: bare }] })])).toEqual({ unit: 'lb', value: 0 });
  });

  it('keeps 14 + 4 digits exactly', () => {
    const most = new Decimal('99999999999999.9999');
    expect(decimalText(totalWeight([weighs('lb', most), weighs('lb', 0.0001)]).value)).toBe('100000000000000');
    expect(decimalText(totalWeight([weighs('lb', most), weighs('lb', most)]).value)).toBe('199999999999999.9998');
  });

  it('equals a sum in whole ten-thousandths, whatever the weights', () => {
    const value = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), (values) => {
        const text = (n: bigint) => `${n / 10_000n}.${String(n % 10_000n).padStart(4, '0')}`;
        const total = totalWeight(values.map((n) => weighs('kg', new Decimal(text(n)))));
        const [whole = '', fraction = ''] = decimalText(total.value).split('.');
        expect(BigInt(whole + fraction.padEnd(4, '0'))).toBe(values.reduce((sum, n) => sum + n, 0n));
      }),
    );
  });
});

describe('total volume', () => {
  it('sums the packages in the unit of the first', () => {
    const holds = (unit: string, value: number) => parcel({ volume: { unit, value } });
    expect(totalVolume([holds('ft3', 1), holds('in3', 864)])).toEqual({ unit: 'ft3', value: 1.5 });
    expect(totalVolume([holds('cm3', 1), holds('l', 1), holds('m3', 1)])).toEqual({ unit: 'cm3', value: 1_001_001 });
  });

  it('takes width x length x height of the items for a package without one, rounded half up to 4 digits', () => {
    const volume = { unit: 'in', width: 0.05, length: 0.05, height: 0.1 };
    expect(totalVolume([parcel({ items: [{ quantity: 1, snapshot: { ...bare, volume } }] })])).toEqual({
      unit: 'in3',
      value: 0.0003,
    });
    expect(totalVolume([parcel({ items: [{ quantity: 4, snapshot: { ...bare, volume } }] })])).toEqual({
      unit: 'in3',
      value: 0.001,
    });
  });

  it('is 0 in3 when nothing is known', () => {
    expect(totalVolume([parcel({})])).toEqual({ unit: 'in3', value: 0 });
  });
});
