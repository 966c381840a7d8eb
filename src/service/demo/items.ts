/** The catalog of the small town: sixteen items of catalog 21, in the form of the item master's messages. */
import { Decimal } from '../../platform/decimal.ts';

/** An item in the form of the message; loading adds `catalogId`, `clientId` and `itemId`. */
export interface TownItem {
  clientItemId: string;
  [member: string]: unknown;
}

const CATALOG = '21';

/** itemId of a SKU of the town. */
export function itemId(clientItemId: string): string {
  return `${CATALOG}-${clientItemId}`;
}

const image = (name: string) => ({
  url: `https://images.town.example/${name}.jpg`,
  type: 'prod_main',
  view: 'main',
  height: 1200,
  width: 900,
});

const color = (code: string, english: string, french: string) => ({
  color: {
    code,
    descriptions: [
      { locale: 'en_US', description: english },
      { locale: 'fr_CA', description: french },
    ],
  },
});

const size = (code: string, description: string) => ({ sizes: [{ locale: 'en_US', code, description }] });

const shipping = (pounds: number, [width, length, height]: readonly [number, number, number]) => ({
  shippingMassDimensions: { unit: 'lb', weight: pounds },
  shippingPackagingDimensions: { unit: 'in', width, length, height },
});

const hierarchy = (dept: [number, string], subDept: [number, string], clazz: [number, string]) => ({
  hierarchy: {
    deptNumber: dept[0],
    deptDescription: dept[1],
    subDeptNumber: subDept[0],
    subDeptDescription: subDept[1],
    classNumber: clazz[0],
    classDescription: clazz[1],
    subClassNumber: 1,
    subClassDescription: 'All',
  },
});

const clothing = (kind: [number, string]) => hierarchy([992, 'Clothing'], [998, 'Everyday'], kind);
const home = (kind: [number, string]) => hierarchy([410, 'Home'], [412, 'Living'], kind);

const merch = (clientItemId: string, description: string, members: Record<string, unknown>): TownItem => ({
  clientItemId,
  type: 'MERCH',
  status: 'Active',
  salesClass: 'stock',
  description,
  productTitle: description,
  styleId: '',
  taxCode: '76800',
  countryOfOrigin: 'US',
  images: [image(clientItemId.toLowerCase())],
  ...members,
});

const tee = (code: string, colour: ReturnType<typeof color>, letter: string, upc: string): TownItem =>
  merch(`TEE-${code}-${letter}`, `Harbour tee, ${colour.color.descriptions[0]!.description.toLowerCase()}, ${letter}`, {
    productId: 'HARBOUR-TEE',
    productTitle: 'Harbour tee',
    styleId: 'HTEE',
    styleDescription: 'Crew neck tee with the harbour crane',
    countryOfOrigin: 'PT',
    ...colour,
    ...size(letter, letter === 'M' ? 'Medium' : 'Large'),
    upcs: [{ upcType: 'UPC', upc }],
    brand: { name: 'Quayside', descriptions: [{ locale: 'en_US', description: 'Clothes for the waterfront' }] },
    unitCost: { currency: 'USD', value: 7.5 },
    ...clothing([11, 'Tees']),
    ...shipping(0.4, [9, 12, 1]),
  });

const red = color('600', 'Signal red', 'Rouge signal');
const blue = color('410', 'Deep blue', 'Bleu profond');

/** Fields of a gift card of any kind. */
const gift = { giftCardTenderCode: 'SD', maxGCAmount: 500, taxCode: '', infiniteInventory: true };

export const townItems: readonly TownItem[] = [
  tee('RED', red, 'M', '400000000015'),
  tee('RED', red, 'L', '400000000022'),
  tee('BLU', blue, 'M', '400000000039'),
  merch('MUG-WHT', 'Stoneware mug, white', {
    styleId: 'MUG',
    upcs: [
      { upcType: 'UPC', upc: '400000000046' },
      { upcType: 'EAN', upc: '4000000000464' },
    ],
    associateDeliveryEligible: true,
    unitCost: { currency: 'USD', value: 3.25 },
    ...color('100', 'White', 'Blanc'),
    ...size('12OZ', '12 fluid ounces'),
    ...home([21, 'Tableware']),
    ...shipping(1.1, [5, 5, 5]),
  }),
  merch('LAMP-BRS', 'Brass desk lamp', {
    styleId: 'LAMP',
    upcs: [{ upcType: 'UPC', upc: '400000000053' }],
    associateDeliveryEligible: true,
    manufacturer: { name: 'Lumen Works', id: 'LW-77', manufacturingDate: '2025-09-30' },
    supplier: { name: 'Northside Trading', id: 'NT-3', partNumber: 'LW77-BR' },
    unitCost: { currency: 'USD', value: 41.1 },
    ...color('790', 'Brass', 'Laiton'),
    ...home([22, 'Lighting']),
    ...shipping(6.75, [10, 10, 22]),
    dimensionalWeight: { unit: 'lb', weight: 15.8273 },
  }),
  merch('UMBR-NAV', 'Storm umbrella, navy', {
    styleId: 'UMBR',
    countryOfOrigin: 'JP',
    upcs: [{ upcType: 'UPC', upc: '400000000060' }],
    ...color('411', 'Navy', 'Marine'),
    ...clothing([14, 'Rainwear']),
    ...shipping(1.3, [4, 36, 4]),
  }),
  merch('BOOT-BRN-42', 'Dock boot, brown, 42', {
    freightClass: 'ANY',
    styleId: 'BOOT',
    countryOfOrigin: 'IT',
    upcs: [{ upcType: 'UPC', upc: '400000000077' }],
    sizes: [
      { locale: 'en_US', code: '42', description: 'US 9' },
      { locale: 'fr_CA', code: '42', description: 'Pointure 42' },
    ],
    customDynamicAttributes: [
      { name: 'sole', value: 'rubber' },
      { name: 'waterproof', value: 'yes' },
    ],
    ...color('210', 'Brown', 'Brun'),
    ...clothing([17, 'Footwear']),
    ...shipping(3.9, [9, 14, 5]),
  }),
  merch('SOAP-LAV', 'Lavender soap', {
    upcs: [{ upcType: 'UPC', upc: '400000000084' }],
    minOrderableQuantity: 1,
    maxOrderableQuantity: 24,
    associateDeliveryEligible: true,
    ...home([25, 'Bath']),
    ...shipping(0.35, [3, 4, 2]),
  }),
  merch('MATCH-100', 'Box of 100 matches', {
    upcs: [{ upcType: 'UPC', upc: '400000000091' }],
    hazardousMaterialCode: 'ORMD',
    sfsEligible: false,
    ...home([26, 'Hearth']),
    ...shipping(0.2, [3, 5, 1]),
  }),
  merch('CHART-1871', 'Chart of the harbour, 1871, original', {
    upcs: [{ upcType: 'A', upc: '400000000107' }],
    salesClass: 'advanceOrderOpen',
    // A price of maximum length: 19 digits before and 2 after the decimal point.
    unitCost: { currency: 'USD', value: new Decimal('1234567890123456789.01') },
    inventoryCheckEligible: true,
    ...home([29, 'Curiosities']),
    ...shipping(2, [30, 40, 1]),
  }),
  merch('SET-BATH', 'Bath set: mug and two soaps', {
    upcs: [{ upcType: 'UPC', upc: '400000000114' }],
    bundle: true,
    bundleItems: [
      { itemId: itemId('MUG-WHT'), quantity: 1, pricePercentage: 60 },
      { itemId: itemId('SOAP-LAV'), quantity: 2, pricePercentage: 40 },
    ],
    ...home([25, 'Bath']),
  }),
  merch('KAYAK-1', 'One-seat kayak', {
    shipAlone: 'Yes',
    freightClass: 'OVERSIZE',
    sourcingPreference: 'DROP_SHIP_FIRST',
    dropShipped: true,
    dropShipSupplier: { name: 'Riverbend Boats', number: 'RB-100', partNumber: 'KYK1' },
    ispuEligible: false,
    stsEligible: false,
    minShipmentProcessingDays: 3,
    maxShipmentProcessingDays: 10,
    ...hierarchy([500, 'Outdoor'], [510, 'Water'], [51, 'Boats']),
    ...shipping(52, [30, 120, 14]),
  }),
  merch('CANDLE-26', 'Harbour candle 2026', {
    onPreOrder: true,
    streetDate: '2026-09-01',
    salesClass: 'advanceOrderLimited',
    ...home([26, 'Hearth']),
    ...shipping(0.9, [4, 4, 5]),
  }),
  merch('WRAP-STAR', 'Gift wrap, stars', { type: 'GIFT WRAP', ...home([28, 'Gifting']) }),
  merch('GC-PLASTIC', 'Town gift card', { type: 'GC', ...gift, ...shipping(0.05, [4, 6, 0.1]) }),
  merch('VGC-25', 'Town gift card by e-mail', { type: 'VGC', splitToOne: true, ...gift }),
];

/** Node items of Harbour Street: `[clientItemId, retailPrice, pickLocation, onHand]`. */
export const townShelves: readonly (readonly [string, number | undefined, string | undefined, number])[] = [
  ['TEE-RED-M', 19.99, 'A-01-2', 14],
  ['TEE-RED-L', 19.99, 'A-01-3', 9],
  ['TEE-BLU-M', 19.99, 'A-01-4', 11],
  ['MUG-WHT', 9.5, 'B-02-1', 40],
  ['LAMP-BRS', 89, 'B-03-1', 3],
  ['UMBR-NAV', 34.25, 'C-01-1', 8],
  ['BOOT-BRN-42', 129.9, 'C-02-4', 2],
  ['SOAP-LAV', undefined, 'D-01-1', 120],
  ['MATCH-100', 1.2, undefined, 60],
];
