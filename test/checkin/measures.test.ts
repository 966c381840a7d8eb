import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal, decimalText } from '../../src/platform/decimal.ts';
import { storeOrder } from '../orders/place.ts';
import type { Answer } from '../support/backroom.ts';
import { type Dock, openDock } from './arrivals.ts';

let dock: Dock;
beforeAll(async () => {
  dock = await openDock();
});
afterAll(() => dock.close());

let made = 0;
type Amount = { unit: string; value: number | Decimal };
interface Sent {
  weight?: Amount;
  volume?: Amount;
  units?: number;
  itemId?: string;
}

/** Creates an order of these packages, each with its own line. Returns the check-in details of the order. */
async function arrived(packages: readonly Sent[]): Promise<Answer> {
  const id = `M-${++made}`;
  const numbered = packages.map((one, index) => ({ units: 1, itemId: '1-BARE', ...one, webLineId: String(index) }));
  await dock.arriving(id, {
    lines: numbered.map(({ webLineId, itemId, units }) => ({ webLineId, itemId, quantity: units, unitPrice: 1 })),
    packages: numbered.map(({ webLineId, units, itemId: _item, ...measures }) => ({
      ...measures,
      trackingNumber: `T-${id}-${webLineId}`,
      items: [{ webLineId, quantity: units }],
    })),
  });
  return dock.read(id);
}

/** Does the same as `arrived`, with packages that an older release stored without checking the units. */
async function arrivedOld(unit: 'weight' | 'volume', written: readonly string[]): Promise<Answer> {
  const known = unit === 'weight' ? 'lb' : 'in3';
  await arrived(written.map(() => ({ [unit]: { unit: known, value: 2 } })));
  const id = `M-${made}`;
  for (const [index, unitWritten] of written.entries()) {
    await dock.store.write((tx) =>
      tx
        .updateTable('checkin_packages')
        .set({ [unit]: JSON.stringify({ unit: unitWritten, value: 2 }) })
        .where('fulfillment_order_id', '=', id)
        .where('package_index', '=', index)
        .execute(),
    );
  }
  return dock.read(id);
}

const weights = (...all: [unit: string, value: number | Decimal][]) =>
  arrived(all.map(([unit, value]) => ({ weight: { unit, value } })));
const volumes = (...all: [unit: string, value: number][]) =>
  arrived(all.map(([unit, value]) => ({ volume: { unit, value } })));
const totals = ({ body, status, text }: Answer) => {
  expect(status, text).toBe(200);
  const { totalWeight, totalVolume, unknownUnits } = body.fulfillmentOrder;
  return { totalWeight, totalVolume, ...(unknownUnits !== undefined && { unknownUnits }) };
};
const weightOf = async (answer: Promise<Answer>) => totals(await answer).totalWeight;
const volumeOf = async (answer: Promise<Answer>) => totals(await answer).totalVolume;

beforeAll(async () => {
  const none = { shippingMassDimensions: undefined, shippingPackagingDimensions: undefined };
  await dock.putItem('1-BARE', { ...none, countryOfOrigin: 'US' });
  const size = (unit: string, width: number, length: number, height: number) => ({ unit, width, length, height });
  await dock.putItem('1-LIGHT', { ...none, shippingMassDimensions: { unit: 'lb', weight: 0.4 } });
  await dock.putItem('1-LONG', { ...none, shippingMassDimensions: { unit: 'in', weight: 3 } });
  await dock.putItem('1-TINY', { ...none, shippingPackagingDimensions: size('in', 0.05, 0.05, 0.1) });
  await dock.putItem('1-INCHES', { ...none, shippingPackagingDimensions: size('Inches', 1, 2, 3) });
  const odd = 'x'.repeat(17);
  const crate = { unit: 'crate', weight: 1 };
  await dock.putItem('1-ODD', { shippingMassDimensions: crate, shippingPackagingDimensions: size(odd, 1, 2, 3) });
});

describe('total weight', () => {
  it('sums the packages in the unit of the first, as it was written', async () => {
    expect(await weightOf(weights(['LBS', 1.5], ['lb', 2]))).toEqual({ unit: 'LBS', value: 3.5 });
    expect(await weightOf(weights(['kg', 1], ['g', 250]))).toEqual({ unit: 'kg', value: 1.25 });
    expect(await weightOf(weights(['g', 1], ['kg', 2]))).toEqual({ unit: 'g', value: 2001 });
    expect(await weightOf(weights(['lb', 1], ['oz', 8]))).toEqual({ unit: 'lb', value: 1.5 });
    expect(await weightOf(weights(['lb', 1], ['kg', 1]))).toEqual({ unit: 'lb', value: 3.2046 });
  });

  it.each([
    ['pounds', 'Pound', 'LB', 'lbs', 'Lbs.', 'LBR'],
    ['ounces', 'Ounce', 'oz', 'ozs', 'OZ.'],
    ['grams', 'Gram', 'g', 'gramme', 'GRM'],
    ['kilograms', 'kilo', 'KG', 'kgs', 'Kilogrammes', 'KGM'],
    ['milligrams', 'mg'],
    ['ton', 'tons', 'short ton', 'Short Tons', 'US ton'],
    ['tonne', 'tonnes', 'metric ton', 'Metric Tons', 't', 'MT'],
    ['stone', 'st', 'stones'],
  ])('knows %s by its other names', async (...names) => {
    const { unit, value } = await weightOf(weights(...names.map((name) => [name, 2] as [string, number])));
    expect({ unit, value }).toEqual({ unit: names[0], value: 2 * names.length });
  });

  it('adds up packages in any mix of units and leaves none out', async () => {
    expect(await weightOf(weights(['pounds', 1], ['short tons', 1], ['Ounces', 16]))).toEqual({
      unit: 'pounds',
      value: 2002,
    });
    expect(await weightOf(weights(['kilograms', 1], ['tonne', 1], ['grams', 500]))).toEqual({
      unit: 'kilograms',
      value: 1001.5,
    });
  });

  it('takes the items’ shipping weight for a package without one', async () => {
    const answer = arrived([{ weight: { unit: 'lb', value: 2 } }, { itemId: '1-LIGHT', units: 3 }]);
    expect(await weightOf(answer)).toEqual({ unit: 'lb', value: 3.2 });
  });

  it('is 0, with the unit in `unknownUnits`, if an item has a mass in inches, unless all items have one', async () => {
    const lengths = [{ itemId: '1-LONG', units: 2 }];
    expect(totals(await arrived([...lengths, { weight: { unit: 'lb', value: 2 } }]))).toMatchObject({
      totalWeight: { unit: 'lb', value: 0 },
      unknownUnits: ['in'],
    });
    expect(await weightOf(arrived(lengths))).toEqual({ unit: 'in', value: 6 });
  });

  it('is 0 lb when nothing is known', async () => {
    expect(totals(await arrived([{ units: 3 }]))).toEqual({
      totalWeight: { unit: 'lb', value: 0 },
      totalVolume: { unit: 'in3', value: 0 },
    });
  });

  it('keeps 14 + 4 digits exactly', async () => {
    const most = new Decimal('99999999999999.9999');
    const sum = async (other: number | Decimal) =>
      decimalText((await weightOf(weights(['lb', most], ['lb', other]))).value as Decimal);
    expect(await sum(0.0001)).toBe('100000000000000');
    expect(await sum(most)).toBe('199999999999999.9998');
  });

  it('equals a sum in whole ten-thousandths, whatever the weights', async () => {
    const value = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n });
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 20 }), async (values) => {
        const text = (n: bigint) => `${n / 10_000n}.${String(n % 10_000n).padStart(4, '0')}`;
        const total = await weightOf(weights(...values.map((n) => ['kg', new Decimal(text(n))] as [string, Decimal])));
        const [whole = '', fraction = ''] = decimalText(total.value as Decimal).split('.');
        expect(BigInt(whole + fraction.padEnd(4, '0'))).toBe(values.reduce((sum, n) => sum + n, 0n));
      }),
      { numRuns: 20 },
    );
  });
});

describe('total volume', () => {
  it('sums the packages in the unit of the first', async () => {
    expect(await volumeOf(volumes(['ft3', 1], ['in3', 864]))).toEqual({ unit: 'ft3', value: 1.5 });
    expect(await volumeOf(volumes(['cm3', 1], ['l', 1], ['m3', 1]))).toEqual({ unit: 'cm3', value: 1_001_001 });
  });

  it.each([
    ['cu in', 'cuin', 'CUIN', 'in3', 'cu. in.', 'in³', 'in^3', 'cubic inches', 'Cubic Inch', 'inches3'],
    ['cu ft', 'cuft', 'ft3', 'cubic feet', 'cubic foot', 'CFT'],
    ['cubic yards', 'cu yd', 'yd3'],
    ['cm3', 'cc', 'ccm', 'cubic centimeters', 'Cubic Centimetres', 'cm³', 'ml', 'Milliliters'],
    ['liters', 'litre', 'L', 'l', 'ltr', 'dm3'],
    ['m3', 'cbm', 'cubic meters', 'cu m', 'M³'],
    ['mm3', 'cubic millimetres', 'cu mm'],
  ])('knows %s by its other names', async (...names) => {
    const { unit, value } = await volumeOf(volumes(...names.map((name) => [name, 3] as [string, number])));
    expect({ unit, value }).toEqual({ unit: names[0], value: 3 * names.length });
  });

  it('takes width x length x height of the items for a package without one, rounded half up to 4 digits', async () => {
    expect(await volumeOf(arrived([{ itemId: '1-TINY', units: 1 }]))).toEqual({ unit: 'in3', value: 0.0003 });
    expect(await volumeOf(arrived([{ itemId: '1-TINY', units: 4 }]))).toEqual({ unit: 'in3', value: 0.001 });
    const inches = arrived([{ itemId: '1-INCHES', units: 2 }, { volume: { unit: 'cu ft', value: 1 } }]);
    expect(await volumeOf(inches)).toEqual({ unit: 'in3', value: 1740 });
  });
});

describe('unknown units', () => {
  it('are rejected at intake with the list of known ones, and nothing is stored', async () => {
    const answer = await dock.intake({
      ...storeOrder('REFUSED'),
      packages: [
        {
          trackingNumber: 'T',
          weight: { unit: 'crates', value: 1 },
          volume: { unit: 'pounds', value: 1 },
          items: [{ webLineId: '1', quantity: 1 }],
        },
      ],
    });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual(
      expect.arrayContaining([
        {
          pointer: '/packages/0/weight/unit',
          rule: 'unit',
          limit: expect.arrayContaining(['lb', 'oz', 'kg', 'g', 'ton', 'tonne']),
          message: expect.stringContaining('must be a unit of weight: mg, g, kg,'),
        },
        expect.objectContaining({ pointer: '/packages/0/volume/unit', rule: 'unit' }),
      ]),
    );
  });

  it('give a whole total when all packages have the same one', async () => {
    expect(totals(await arrivedOld('weight', ['crates', 'Crates']))).toEqual({
      totalWeight: { unit: 'crates', value: 4 },
      totalVolume: { unit: 'in3', value: 0 },
    });
  });

  it('mixed with others give a total of 0 with a note, never a partial sum', async () => {
    for (const kind of ['weight', 'volume'] as const) {
      const known = kind === 'weight' ? 'lb' : 'in3';
      for (const written of [
        ['crates', known],
        [known, 'crates', known],
      ]) {
        const { totalWeight, totalVolume, unknownUnits } = totals(await arrivedOld(kind, written));
        expect([totalWeight.value, totalVolume.value, unknownUnits]).toEqual([0, 0, ['crates']]);
      }
    }
  });

  it('of an item that an older release stored are handled the same way, at any length of text', async () => {
    const unit = 'x'.repeat(17);
    expect(totals(await arrived([{ itemId: '1-ODD', units: 2 }]))).toEqual({
      totalWeight: { unit: 'crate', value: 2 },
      totalVolume: { unit: `${unit}3`, value: 12 },
    });
    const both = await arrived([{ itemId: '1-ODD' }, { itemId: '1-LIGHT' }, { itemId: '1-INCHES' }]);
    expect(totals(both)).toEqual({
      totalWeight: { unit: 'lb', value: 0 },
      totalVolume: { unit: 'in3', value: 0 },
      unknownUnits: [`${unit}3`, 'crate'],
    });
    await dock.putItem('1-ODD', {
      shippingPackagingDimensions: { unit: 'y'.repeat(255), width: 1, length: 1, height: 1 },
    });
    expect(totals(await arrived([{ itemId: '1-ODD' }])).unknownUnits).toEqual(['y'.repeat(40)]);
  });
});
