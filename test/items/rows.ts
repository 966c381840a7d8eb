/**
 * The fields of an item and of its sub-types, written by hand from the tables of the interface. Each row has the
 * meaning of a field, and values that the service must accept and reject. The statements and the tests of fields are
 * generated from these rows.
 */
import {
  date,
  digits,
  free,
  item,
  list,
  type MemberRow,
  notStored,
  numeric,
  object,
  only,
  sub,
  text,
  yesNo,
} from './probes.ts';

/** Returns the value in a response. A response leaves out an empty text if the default of the field is empty. */
const orNone = (sent: unknown) => (sent === '' ? undefined : sent);

export const itemRows: readonly MemberRow[] = [
  item(
    'countryOfOrigin',
    'string, at most 2 characters, ISO 3166 alpha-2',
    only(
      ['US', 'PT', 'ZW'],
      [
        ['USA', 'maxLength'],
        ['XX', 'country'],
        ['UK', 'country'],
        ['us', 'country'],
        [1, 'type'],
      ],
    ),
  ),
  item('description', 'string, at most 120 characters', text(0, 120)),
  item('freightClass', 'string, at most 20 characters', text(0, 20)),
  item('fulfillmentOverride', 'string, at most 40 characters, default blank', text(0, 40), {
    answered: { path: 'fulfillmentOverride', as: orNone },
  }),
  item(
    'giftCardTenderCode',
    'string, one of: SD',
    only(
      ['SD'],
      [
        ['SP', 'enum'],
        ['sd', 'enum'],
        [1, 'type'],
      ],
    ),
  ),
  item('hazardousMaterialCode', 'string, at most 4 characters', text(0, 4)),
  item('productId', 'string, at most 20 characters', text(0, 20)),
  item('productTitle', 'string, at most 200 characters', text(0, 200)),
  item(
    'salesClass',
    'string, at most 25 characters, required',
    only(
      ['stock', 's'.repeat(25)],
      [
        ['s'.repeat(26), 'maxLength'],
        ['', 'minLength'],
        ['never', 'enum'],
        [1, 'type'],
      ],
    ),
  ),
  item('sourcingOverride', 'string', free(false)),
  item('sourcingPreference', 'string', free(false)),
  item(
    'status',
    'string, at most 12 characters: Active, Inactive, Discontinued',
    only(
      ['Active', 'Inactive', 'Discontinued'],
      [
        ['Discontinued!', 'maxLength'],
        ['Gone', 'enum'],
        [1, 'type'],
      ],
    ),
  ),
  item('styleDescription', 'string, at most 255 characters, default blank', text(0, 255), {
    answered: { path: 'styleDescription', as: orNone },
  }),
  item('styleId', 'string, at most 15 characters, default blank', text(0, 15)),
  item('taxCode', 'string, at most 5 characters, default blank', text(0, 5)),
  item(
    'type',
    'string, one of GIFT WRAP, MERCH and others, required',
    only(
      ['GIFT WRAP', 'MERCH', 'CUSTOM', 'DONATION', 'GC', 'WARRANTY'],
      [
        ['MERCHANT', 'enum'],
        ['', 'minLength'],
        [1, 'type'],
      ],
    ),
  ),
  item(
    'shipAlone',
    'string, Yes or No',
    only(
      ['Yes', 'No'],
      [
        ['yes', 'enum'],
        ['Maybe', 'enum'],
        [true, 'type'],
      ],
    ),
  ),
  item('gii', 'string', text(0, 40)),
  ...[
    'dropShipped',
    'eligibleToModify',
    'infiniteInventory',
    'inventoryCheckEligible',
    'onPreOrder',
    'shipTogether',
    'splitToOne',
  ].map((name) => item(name, 'boolean', yesNo)),
  item('bundle', 'boolean', yesNo, { without: ['bundleItems'] }),
  item('isFeedItem', 'boolean, not persisted', yesNo, { answered: notStored }),
  ...['sfsEligible', 'ispuEligible', 'stsEligible', 'ispuReserveEligible', 'associateDeliveryEligible'].map((name) =>
    item(name, 'boolean, returned on read', yesNo),
  ),
  item('maxGCAmount', 'numeric, up to 15 integer and 2 fraction digits', digits(15, 2)),
  item('maxOrderableQuantity', 'numeric', numeric, { without: ['minOrderableQuantity'] }),
  item('minOrderableQuantity', 'numeric', numeric, { without: ['maxOrderableQuantity'] }),
  item(
    'maxShipmentProcessingDays',
    'numeric, rounded up to a day',
    only(
      [0, 3],
      [
        ['3', 'type'],
        [-1, 'minimum'],
      ],
    ),
    { without: ['minShipmentProcessingDays'] },
  ),
  item(
    'minShipmentProcessingDays',
    'numeric, rounded down to a day',
    only(
      [0, 3],
      [
        ['3', 'type'],
        [-1, 'minimum'],
      ],
    ),
    { without: ['maxShipmentProcessingDays'] },
  ),
  item('streetDate', 'ISO date', date),
  item('brand', 'Brand', object),
  item('color', 'Color', object),
  item('dropShipSupplier', 'DropShipSupplier, required when dropShipped is true', object),
  item('hierarchy', 'Hierarchy', object),
  item('customDynamicAttributes', 'list of Attribute', list, {
    answered: { path: 'customDynamicAttributes', as: () => [{ name: 'sole', value: 'rubber' }] },
  }),
  item('bundleItems', 'list of BundleItem', list),
  item('images', 'list of Image', list),
  item('sizes', 'list of Size', list),
  item('upcs', 'list of UPC', list),
  item('manufacturer', 'Manufacturer', object),
  item('supplier', 'Supplier', object),
  ...['cartonMassDimensions', 'displayMassDimensions', 'shippingMassDimensions', 'dimensionalWeight'].map((name) =>
    item(name, 'MassDimensions', object),
  ),
  ...['cartonPackagingDimensions', 'displayPackagingDimensions', 'shippingPackagingDimensions'].map((name) =>
    item(name, 'PackagingDimensions', object),
  ),
  item('unitCost', 'Price', object),
  item(
    'fulfillmentTypeEligibilities',
    'list of {fulfillmentTypeId, eligibility}, of SHIP_TO_HOME, SHIP_TO_STORE, STORE_PICK_UP',
    only(
      [
        [
          { fulfillmentTypeId: 'SHIP_TO_HOME', eligibility: false },
          { fulfillmentTypeId: 'SHIP_TO_STORE', eligibility: true },
          { fulfillmentTypeId: 'STORE_PICK_UP', eligibility: false },
        ],
      ],
      [
        ['x', 'type'],
        [{}, 'type'],
      ],
    ),
    { without: ['sfsEligible', 'stsEligible', 'ispuEligible'] },
  ),
];

const hierarchyRows = ['dept', 'subDept', 'class', 'subClass'].flatMap((part) => [
  sub(`Hierarchy.${part}Number`, `hierarchy.${part}Number`, 'numeric, required', numeric),
  sub(`Hierarchy.${part}Description`, `hierarchy.${part}Description`, 'string, at most 25 characters', text(0, 25)),
]);

const massRows = (member: string, path: string): MemberRow[] => [
  sub(
    `MassDimensions.unit${member}`,
    `${path}.unit`,
    'string, lower case, required',
    only(
      ['in', 'ft', 'lb', 'pounds', 'oz', 'kg', 'grams', 'short tons', 'tonne'],
      [
        ['LB', 'pattern'],
        ['Lb', 'pattern'],
        ['bushel', 'unit'],
        ['cu in', 'unit'],
        ['in3', 'unit'],
        ['', 'minLength'],
        [1, 'type'],
      ],
    ),
  ),
  sub(
    `MassDimensions.weight${member}`,
    `${path}.weight`,
    'numeric, 14 integer and 4 fraction digits, required',
    digits(14, 4),
  ),
];

const lengths = only(
  ['in', 'IN', 'inches', 'Feet', 'cm', 'centimetres', 'M', 'mm', 'yd.'],
  [
    ['lb', 'unit'],
    ['furlong', 'unit'],
    ['cu in', 'unit'],
    ['x'.repeat(41), 'unit'],
    ['', 'minLength'],
    [5, 'type'],
  ],
);

const packagingRows = (member: string, path: string): MemberRow[] => [
  sub(`PackagingDimensions.unit${member}`, `${path}.unit`, 'string, required', lengths),
  ...['width', 'length', 'height'].map((name) =>
    sub(
      `PackagingDimensions.${name}${member}`,
      `${path}.${name}`,
      'numeric, 14 integer and 4 fraction digits, required',
      digits(14, 4),
    ),
  ),
];

export const subTypeRows: readonly MemberRow[] = [
  sub('Brand.name', 'brand.name', 'string, at most 50 characters', text(0, 50)),
  sub(
    'Brand.descriptions',
    'brand.descriptions',
    'list of BrandDescription, named descriptions in the read response',
    list,
  ),
  sub(
    'Brand.description',
    'brand.description',
    'list of BrandDescription on write',
    only(
      [[], [{ locale: 'de_DE', description: 'Marke' }]],
      [
        ['x', 'type'],
        [{}, 'type'],
      ],
    ),
    {
      without: ['brand.descriptions'],
      answered: { path: 'brand.descriptions', as: (sent) => sent },
    },
  ),
  sub('BrandDescription.locale', 'brand.descriptions.0.locale', 'string, at most 5 characters', text(0, 5)),
  sub(
    'BrandDescription.description',
    'brand.descriptions.0.description',
    'string, at most 100 characters',
    text(0, 100),
  ),
  sub('Color.code', 'color.code', 'string, 1 to 40 characters, required', text(1, 40)),
  sub(
    'Color.descriptions',
    'color.descriptions',
    'list of ColorDescription, at least 1, required',
    only(
      [[{ description: 'Blue' }]],
      [
        [[], 'minItems'],
        ['x', 'type'],
      ],
    ),
  ),
  sub('ColorDescription.locale', 'color.descriptions.0.locale', 'string, at most 5 characters', text(0, 5)),
  sub(
    'ColorDescription.description',
    'color.descriptions.0.description',
    'string, 1 to 4000 characters, required',
    text(1, 4000),
  ),
  sub('DropShipSupplier.name', 'dropShipSupplier.name', 'string, 1 to 120 characters, required', text(1, 120)),
  sub('DropShipSupplier.number', 'dropShipSupplier.number', 'string, 1 to 15 characters, required', text(1, 15)),
  sub(
    'DropShipSupplier.partNumber',
    'dropShipSupplier.partNumber',
    'string, 1 to 15 characters, required',
    text(1, 15),
  ),
  ...hierarchyRows,
  sub(
    'Attribute.name',
    'customDynamicAttributes.0.name',
    'string, at most 50 characters, required',
    only(
      [],
      [
        ['x'.repeat(51), 'maxLength'],
        ['', 'minLength'],
        [5, 'type'],
      ],
    ),
  ),
  sub('Attribute.value', 'customDynamicAttributes.0.value', 'string, at most 255 characters', text(0, 255)),
  sub('BundleItem.itemId', 'bundleItems.0.itemId', 'string, at most 35 characters, required', text(1, 35)),
  sub(
    'BundleItem.operationType',
    'bundleItems.0.operationType',
    'string, add or delete',
    only(
      ['add', 'Add', 'ADD', 'change', 'Update', ''],
      [
        ['chnage', 'enum'],
        ['x'.repeat(21), 'maxLength'],
        [1, 'type'],
      ],
    ),
    { answered: notStored },
  ),
  sub(
    'BundleItem.pricePercentage',
    'bundleItems.0.pricePercentage',
    'numeric',
    only(
      [0, 33.3333, 100],
      [
        ['5', 'type'],
        [-1, 'minimum'],
        [1.00001, 'fractionDigits'],
      ],
    ),
  ),
  sub('BundleItem.quantity', 'bundleItems.0.quantity', 'numeric', numeric),
  sub('Image.url', 'images.0.url', 'string, 1 to 255 characters, required', text(1, 255)),
  sub('Image.type', 'images.0.type', 'string, 1 to 32 characters, required', text(1, 32)),
  sub('Image.view', 'images.0.view', 'string, at most 32 characters', text(0, 32)),
  sub('Image.height', 'images.0.height', 'numeric, required', numeric),
  sub('Image.width', 'images.0.width', 'numeric, required', numeric),
  sub('Size.locale', 'sizes.0.locale', 'string, at most 5 characters', text(0, 5)),
  sub('Size.code', 'sizes.0.code', 'string, 1 to 40 characters, required', text(1, 40)),
  sub('Size.description', 'sizes.0.description', 'string, 1 to 255 characters, required', text(1, 255)),
  sub(
    'UPC.upcType',
    'upcs.0.upcType',
    'string, required',
    only(
      ['A', 'D', 'P', 'UPC', 'IAN', 'EAN', 'JAN', 'GTIN', 'GTIN14', 'ISBN', 'ASIN'],
      [
        ['Z', 'enum'],
        ['', 'minLength'],
        [1, 'type'],
      ],
    ),
  ),
  sub(
    'UPC.upc',
    'upcs.0.upc',
    'string, required',
    only(
      ['1', '400000000015', '0'.repeat(255)],
      [
        ['', 'minLength'],
        ['0'.repeat(256), 'maxLength'],
        [400_000_000_015, 'type'],
      ],
    ),
  ),
  sub(
    'UPC.operationType',
    'upcs.0.operationType',
    'string',
    only(
      ['add', 'Add', 'ADD', 'change', 'Update', ''],
      [
        ['chnage', 'enum'],
        ['x'.repeat(21), 'maxLength'],
        [1, 'type'],
      ],
    ),
    { answered: notStored },
  ),
  sub('Manufacturer.name', 'manufacturer.name', 'string, at most 50 characters', text(0, 50)),
  sub('Manufacturer.id', 'manufacturer.id', 'string, at most 50 characters', text(0, 50)),
  sub('Manufacturer.manufacturingDate', 'manufacturer.manufacturingDate', 'ISO date', date),
  ...massRows('', 'shippingMassDimensions'),
  ...massRows(' (carton)', 'cartonMassDimensions'),
  ...massRows(' (display)', 'displayMassDimensions'),
  ...massRows(' (dimensionalWeight)', 'dimensionalWeight'),
  ...packagingRows('', 'shippingPackagingDimensions'),
  ...packagingRows(' (carton)', 'cartonPackagingDimensions'),
  ...packagingRows(' (display)', 'displayPackagingDimensions'),
  sub('Price.currency', 'unitCost.currency', 'string, 1 to 3 characters, required', text(1, 3)),
  sub('Price.value', 'unitCost.value', 'numeric, 19 integer and 2 fraction digits, required', digits(19, 2)),
  sub('Supplier.name', 'supplier.name', 'string, at most 50 characters', text(0, 50)),
  sub('Supplier.id', 'supplier.id', 'string, at most 50 characters', text(0, 50)),
  sub('Supplier.partNumber', 'supplier.partNumber', 'string, at most 15 characters', text(0, 15)),
];

/** Returns the name of the test of a row. */
export function rowTest(row: MemberRow): string {
  return `${row.member}: ${row.says}`;
}
