import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../src/items/changes.ts';
import { checkItem, checkPatch } from '../../src/items/check.ts';
import { itemReader } from '../../src/items/csv.ts';
import { merged } from '../../src/items/merge.ts';
import type { Item } from '../../src/items/schema.ts';
import { Decimal, numeric } from '../../src/platform/decimal.ts';
import type { Json } from '../../src/platform/json-column.ts';
import { parseJson, stringifyJson } from '../../src/platform/message/json.ts';
import { settingsOf } from '../../src/shared/client-settings.ts';
import type { Loose } from './whole-item.ts';

const client = { client_id: 'TOWN', catalog_ids: '["21"]' as Json<string[]> };
const settings = settingsOf({ settings: '{}' as Json<object> });

const word = (max: number, min = 0) =>
  fc.string({ unit: 'grapheme', minLength: min, maxLength: max }).filter((text) => {
    const length = Array.from(text).length;
    return length >= min && length <= max && !text.includes('\0');
  });
const decimal = (integer: number, fraction: number) =>
  fc
    .tuple(
      fc.bigInt({ min: 0n, max: 10n ** BigInt(integer) - 1n }),
      fc.bigInt({ min: 0n, max: 10n ** BigInt(fraction) - 1n }),
    )
    .map(([whole, part]) => numeric(`${whole}.${String(part).padStart(fraction, '0')}`));
const maybe = <T>(record: Record<string, fc.Arbitrary<T>>) => fc.record(record, { requiredKeys: [] });
const unique = <T>(one: fc.Arbitrary<T>, key: (value: T) => unknown) =>
  fc.uniqueArray(one, { maxLength: 4, selector: key });

const optional: Record<string, fc.Arbitrary<unknown>> = {
  status: fc.constantFrom('Active', 'inactive', 'DISCONTINUED'),
  description: word(120),
  gii: word(40),
  streetDate: fc.constantFrom('', '2026-04-01', '2026-04-01T00:00:00+02:00'),
  countryOfOrigin: fc.constantFrom('US', 'PT'),
  maxGCAmount: decimal(15, 2),
  maxShipmentProcessingDays: decimal(3, 2),
  dropShipped: fc.constant(false),
  infiniteInventory: fc.boolean(),
  isFeedItem: fc.boolean(),
  sfsEligible: fc.boolean(),
  brand: fc.oneof(
    maybe<unknown>({
      name: word(50),
      descriptions: fc.array(maybe({ locale: word(5), description: word(100) }), { maxLength: 3 }),
    }),
    maybe<unknown>({
      name: word(50),
      description: fc.array(maybe({ locale: word(5), description: word(100) }), { maxLength: 3 }),
    }),
  ),
  fulfillmentTypeEligibilities: unique(
    fc.record({ fulfillmentTypeId: fc.constantFrom('SHIP_TO_STORE', 'STORE_PICK_UP'), eligibility: fc.boolean() }),
    (one) => one.fulfillmentTypeId,
  ),
  upcs: unique(
    fc.record({
      upcType: fc.constantFrom('A', 'UPC'),
      upc: word(14, 1),
      operationType: fc.constantFrom('add', 'delete'),
    }),
    (one) => JSON.stringify([one.upcType, one.upc]),
  ),
  customDynamicAttributes: unique(
    fc.record({ name: word(5, 1), value: word(9) }, { requiredKeys: ['name'] }),
    (one) => one.name,
  ),
  sizes: fc.array(fc.record({ code: word(9, 1), description: word(9, 1) }), { maxLength: 3 }),
  unitCost: fc.record({ currency: fc.constant('USD'), value: decimal(19, 2) }),
  shippingMassDimensions: fc.record({ unit: fc.constant('lb'), weight: decimal(14, 4) }),
};

const base = (id: string) => ({
  catalogId: '21',
  clientId: 'TOWN',
  clientItemId: id,
  itemId: `21-${id}`,
  type: 'MERCH',
  salesClass: 'stock',
  styleId: '',
  taxCode: '',
});

const plainItem = maybe(optional).map((members): Loose => ({ ...base('A'), ...members }));
const item = fc.oneof(
  plainItem,
  fc.tuple(plainItem, maybe(optional)).map(
    ([outer, inner]): Loose => ({
      ...outer,
      bundle: true,
      bundleItems: [{ itemId: '21-B', quantity: 2, item: { ...base('B'), styleId: 'S', taxCode: 'T', ...inner } }],
    }),
  ),
);

/** Returns the item in the form of a read. */
function asRead(raw: unknown): Item {
  const verdict = checkItem(client, settings, raw);
  expect(verdict.errors).toEqual([]);
  return parseJson(verdict.checked!.text);
}

const itemFromRecord = (record: Readonly<Record<string, string>>) =>
  itemReader(Object.keys(record))(Object.values(record));

describe('round trip of an item', () => {
  it('an item sent back reads the same, to the last byte', () => {
    fc.assert(
      fc.property(item, (raw) => {
        const read = asRead(raw);
        expect(stringifyJson(asRead(read))).toBe(stringifyJson(read));
      }),
    );
  });

  it('merging nothing, nulls or the item itself changes nothing', () => {
    fc.assert(
      fc.property(item, (raw) => {
        // Custom attributes are merged when the item is written.
        const read = asRead({ ...raw, customDynamicAttributes: undefined });
        const nulls = Object.fromEntries(Object.keys(read).map((name) => [name, null]));
        for (const patch of [{}, nulls, read]) {
          const { checked } = checkPatch(client, settings, read, patch, () => []);
          expect(checked!.text).toBe(stringifyJson(read));
        }
      }),
    );
  });

  it('a patch takes effect: each of its fields reads as if the whole item had been written', () => {
    fc.assert(
      fc.property(plainItem, maybe(optional), (raw, patch) => {
        const scalars = Object.fromEntries(
          Object.entries(patch).filter(([, value]) => typeof value !== 'object' || value instanceof Decimal),
        );
        const { checked } = checkPatch(client, settings, asRead(raw), scalars, () => []);
        expect(parseJson(checked!.text)).toMatchObject(
          pick(asRead({ ...base('A'), ...scalars }), Object.keys(scalars)),
        );
      }),
    );
  });

  it('the changes between two items turn the first into the second', () => {
    fc.assert(
      fc.property(item, item, (first, second) => {
        const [from, to] = [asRead(first), asRead(second)];
        expect(changesBetween(from, from)).toEqual([]);
        expect(applied(from, changesBetween(from, to))).toEqual(applied(to, []));
      }),
    );
  });

  it('neither a check nor a merge changes its input or throws, for any input', () => {
    const anything = fc.anything({ withNullPrototype: false, maxDepth: 3 });
    const members = fc.dictionary(
      fc.constantFrom(
        'itemId',
        'upcs',
        'brand',
        'type',
        'bundleItems',
        'color',
        'fulfillmentTypeEligibilities',
        'customDynamicAttributes',
      ),
      anything,
    );
    fc.assert(
      fc.property(fc.oneof(anything, members, fc.constant({ '': [{}] })), (raw) => {
        const value = JSON.parse(stringOf(raw)) as unknown;
        const before = JSON.stringify(value);
        checkItem(client, settings, value);
        merged(base('A'), value);
        checkPatch(client, settings, base('A'), value, () => []);
        expect(JSON.stringify(value)).toBe(before);
      }),
    );
  });
});

describe('items as CSV', () => {
  it('a record means the item with its fields, flattened by path', () => {
    fc.assert(
      fc.property(item, (raw) => {
        const flat = flattened(raw);
        const { item: read, errors: faults } = itemFromRecord(flat);
        expect(faults).toEqual([]);
        expect(stringifyJson(asRead(read))).toBe(stringifyJson(asRead(dense(raw))));
      }),
    );
  });

  it('leaves out empty values, and elements that are completely empty', () => {
    const { item: read } = itemFromRecord({
      itemId: '21-A',
      description: '',
      styleId: '',
      'upcs.0.upc': '',
      'upcs.2.upc': '5',
      'sizes.0.code': '',
    });
    expect(read).toEqual({ itemId: '21-A', upcs: [{ upc: '5' }] });
  });

  it('keeps cells of a wrong kind as text, so that the check can name them', () => {
    const { item: read } = itemFromRecord({
      bundle: 'maybe',
      maxGCAmount: '1,50',
      'unitCost.value': '1e999',
      minOrderableQuantity: ' 1',
    });
    expect(read).toEqual({
      bundle: 'maybe',
      maxGCAmount: '1,50',
      unitCost: { value: '1e999' },
      minOrderableQuantity: ' 1',
    });
  });

  it('rejects columns that are no field, in any spelling', () => {
    const names = [
      'brand',
      'upcs',
      'upcs.0',
      'upcs.00.upc',
      'upcs.1000.upc',
      'upcs.-1.upc',
      'hierarchy.',
      '.itemId',
      'constructor',
      'toString',
      'color.code.x',
      'itemId.length',
      '',
    ];
    for (const name of names) expect(itemFromRecord({ [name]: 'x' }).errors, name).toHaveLength(1);
  });

  it('ignores an unknown column without values', () => {
    expect(itemFromRecord({ remarks: '' }).errors).toEqual([]);
  });
});

function stringOf(value: unknown): string {
  return value === undefined ? 'null' : JSON.stringify(value);
}

function pick(object: Loose, names: readonly string[]): Loose {
  return Object.fromEntries(names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]]));
}

/** Applies changes to the flat fields of an item, without the code under test. */
function applied(
  from: unknown,
  changes: readonly { path: string; from?: unknown; to?: unknown }[],
): Map<string, unknown> {
  const flat = leaves(from);
  for (const { path } of changes)
    for (const key of [...flat.keys()]) if (key === path || key.startsWith(`${path}/`)) flat.delete(key);
  for (const { path, to } of changes)
    if (to !== undefined) for (const [key, value] of leaves(to, path)) flat.set(key, value);
  return new Map([...flat].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function leaves(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || value instanceof Decimal) return new Map([[path, value]]);
  return new Map(Object.entries(value).flatMap(([name, member]) => [...leaves(member, `${path}/${name}`)]));
}

function flattened(raw: Loose): Record<string, string> {
  const cells = [...leaves(raw)].filter(
    ([, value]) => (value !== undefined && typeof value !== 'object') || value instanceof Decimal,
  );
  return Object.fromEntries(cells.map(([path, value]) => [path.slice(1).replaceAll('/', '.'), String(value)]));
}

/** Returns only the values that a CSV can express for an item; it leaves out empty texts, objects and lists. */
function dense(value: unknown): unknown {
  if (value instanceof Decimal || typeof value !== 'object' || value === null) {
    return value === '' ? undefined : value;
  }
  if (Array.isArray(value)) {
    const elements = value.map((one) => dense(one)).filter((one) => one !== undefined);
    return elements.length === 0 ? undefined : elements;
  }
  const members = Object.entries(value)
    .map(([key, one]) => [key, dense(one)] as const)
    .filter(([, one]) => one !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
