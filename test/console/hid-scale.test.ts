/**
 * Reports of scales as bytes: reports that manufacturers and drivers publish, and every status and unit of the usage
 * page.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseScaleReport, weightFrom, weightIn } from '../../console/jobs/pack/hid-scale.ts';

const read = (...bytes: number[]) => parseScaleReport(new Uint8Array(bytes));

describe('a report of a scale', () => {
  it.each([
    // Reports of postal scales. The bytes do not include the report id 3.
    ['300 g, stable', [4, 2, 0, 0x2c, 0x01], { status: 'STABLE', value: 300, unit: 'g' }],
    ['2.3 oz, stable', [4, 11, 0xff, 23, 0], { status: 'STABLE', value: 2.3, unit: 'oz' }],
    ['1.25 kg, stable', [4, 3, 0xfe, 0x7d, 0], { status: 'STABLE', value: 1.25, unit: 'kg' }],
    ['12.34 lb, stable', [4, 12, 0xfe, 0xd2, 0x04], { status: 'STABLE', value: 12.34, unit: 'lb' }],
    ['empty', [2, 2, 0, 0, 0], { status: 'ZERO', value: 0, unit: 'g' }],
    ['in motion', [3, 2, 0, 0x10, 0x02], { status: 'MOVING', value: 528, unit: 'g' }],
    ['below zero', [5, 2, 0, 5, 0], { status: 'UNDER_ZERO', value: 5, unit: 'g' }],
    ['over its limit', [6, 12, 0xff, 0xff, 0xff], { status: 'TOO_HEAVY', value: 6553.5, unit: 'lb' }],
    ['a fault', [1, 2, 0, 0, 0], { status: 'FAULT', value: 0, unit: 'g' }],
    ['to be calibrated', [7, 2, 0, 0, 0], { status: 'CALIBRATE', value: 0, unit: 'g' }],
    ['to be set to zero', [8, 2, 0, 0, 0], { status: 'SET_TO_ZERO', value: 0, unit: 'g' }],
    ['20 times 10 kg', [4, 3, 1, 20, 0], { status: 'STABLE', value: 200, unit: 'kg' }],
    ['with bytes behind it', [4, 2, 0, 1, 0, 9, 9], { status: 'STABLE', value: 1, unit: 'g' }],
  ])('of %s is read', (_name, bytes, reading) => {
    expect(read(...bytes)).toEqual(reading);
  });

  it.each([
    ['too few bytes', [4, 2, 0, 1]],
    ['a status that the usage page does not have', [9, 2, 0, 1, 0]],
    ['no status', [0, 2, 0, 1, 0]],
    ['a unit that the usage page does not have', [4, 13, 0, 1, 0]],
    ['an exponent that no parcel has', [4, 2, 100, 1, 0]],
  ])('with %s is no weight', (_name, bytes) => {
    expect(read(...bytes)).toBeUndefined();
  });

  it('of any bytes is a weight of its digits or none, and never an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 8 }), (bytes) => {
        const reading = parseScaleReport(bytes);
        if (reading === undefined) return;
        const exponent = (bytes[2]! << 24) >> 24;
        expect(reading.value * 10 ** -exponent).toBeCloseTo(bytes[3]! + bytes[4]! * 256, 6);
      }),
    );
  });
});

describe('a weight in the units of a client', () => {
  it.each([
    ['g', 300, ['KG', 'G'], 'G', { value: '300', unit: 'G' }],
    ['lb', 12.34, ['LBS', 'KG'], 'LBS', { value: '12.34', unit: 'LBS' }],
    ['lb', 1, ['KG', 'LB'], 'KG', { value: '1', unit: 'LB' }],
    ['g', 1250, ['KG'], 'KG', { value: '1.25', unit: 'KG' }],
    ['oz', 16, ['LB'], 'LB', { value: '1', unit: 'LB' }],
    ['kg', 1, ['LB'], 'LB', { value: '2.2046', unit: 'LB' }],
  ])('from %s %d of %j with %s first', (unit, value, units, preferred, weight) => {
    expect(weightIn({ value, unit }, units, preferred)).toEqual(weight);
  });

  it('is none where the unit of the client is unknown', () => {
    expect(weightIn({ value: 1, unit: 'kg' }, ['STONE'], 'STONE')).toBeUndefined();
  });

  it.each([
    [0.2, 'KG', 'G', '200'],
    [200, 'G', 'KG', '0.2'],
    [1, 'LBS', 'OZ', '16'],
    [1, 'LB', 'LBS', '1'],
    [0.5, 'STONE', 'STONE', '0.5'],
    [1, 'STONE', 'KG', undefined],
    [1, 'KG', 'STONE', undefined],
  ])('of %d %s in %s is %s', (value, from, to, weight) => {
    expect(weightFrom(value, from, to)).toBe(weight);
  });
});
