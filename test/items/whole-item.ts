/** A client for the tests of items, an item with few fields, and an item with almost every field. */
import { type Caller, type OpenTown, openTown } from '../support/town.ts';

/** The id has 32 characters, the maximum for a client. */
export const CLIENT = 'PROBE_CLIENT_OF_32_CHARACTERS_OK';
export const STORE = 'PROBE_US';
const ITEM_ID = '21-WHOLE';

export interface Probe extends OpenTown {
  probe: Caller;
  put: (item: Loose, query?: string) => ReturnType<Caller['put']>;
  read: (itemId?: string) => ReturnType<Caller['get']>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests change any field to anything
export type Loose = Record<string, any>;

/** Opens the town with one more client. Its catalogs are 21, ABCD and X, and its settings have the longest values. */
export async function openProbe(): Promise<Probe> {
  const town = await openTown({ neighbours: true });
  await made(
    town.operator('PUT', `/operator/v1/clients/${CLIENT}`, {
      name: 'Probe',
      catalogIds: ['21', 'ABCD', 'X'],
      settings: { salesClasses: ['stock', 'backOrderLimited', 's'.repeat(25)] },
    }),
  );
  await made(
    town.operator('PUT', `/operator/v1/clients/${CLIENT}/stores/${STORE}`, {
      name: 'Probe',
      catalogId: '21',
      sellerId: 'PROBE',
      storeCode: '1',
      currency: 'USD',
    }),
  );
  const probe = await town.credential({}, CLIENT);
  return {
    ...town,
    probe,
    put: (item, query = '') => probe.put(`/item-service/clients/${CLIENT}/items/${ITEM_ID}${query}`, item),
    read: (itemId = ITEM_ID) => probe.get(`/item-service/stores/${STORE}/items/${itemId}`),
  };
}

async function made(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer;
  if (status !== 201) throw new Error(`not made: ${text}`);
}

/** Returns an item with as few fields as possible. */
export function leastItem(changes: Loose = {}): Loose {
  return {
    catalogId: '21',
    clientId: CLIENT,
    clientItemId: 'WHOLE',
    itemId: ITEM_ID,
    type: 'MERCH',
    salesClass: 'stock',
    styleId: '',
    taxCode: '',
    ...changes,
  };
}

/**
 * Returns an item with every field except `fulfillmentTypeEligibilities`, whose entries state the same facts as boolean
 * fields such as `sfsEligible`.
 */
export function wholeItem(changes: Loose = {}): Loose {
  return {
    ...leastItem(),
    status: 'Inactive',
    description: 'Short description',
    productId: 'P-1',
    productTitle: 'Title',
    styleId: 'STYLE',
    styleDescription: 'Style',
    taxCode: '76800',
    countryOfOrigin: 'PT',
    freightClass: 'ANY',
    hazardousMaterialCode: 'H1',
    fulfillmentOverride: 'StoreOnly',
    sourcingOverride: 'override',
    sourcingPreference: 'preference',
    gii: 'gii',
    shipAlone: 'Yes',
    streetDate: '2026-04-01',
    giftCardTenderCode: 'SD',
    maxGCAmount: 500,
    maxOrderableQuantity: 10,
    minOrderableQuantity: 2,
    maxShipmentProcessingDays: 5,
    minShipmentProcessingDays: 1,
    bundle: true,
    dropShipped: true,
    eligibleToModify: true,
    infiniteInventory: true,
    inventoryCheckEligible: true,
    onPreOrder: true,
    shipTogether: true,
    splitToOne: true,
    sfsEligible: false,
    ispuEligible: false,
    stsEligible: false,
    ispuReserveEligible: true,
    associateDeliveryEligible: true,
    brand: { name: 'Brand', descriptions: [{ locale: 'en_US', description: 'Brand' }] },
    color: { code: '600', descriptions: [{ locale: 'en_US', description: 'Red' }] },
    sizes: [{ locale: 'en_US', code: 'M', description: 'Medium' }],
    hierarchy: {
      deptNumber: 992,
      deptDescription: 'Department',
      subDeptNumber: 998,
      subDeptDescription: 'Part',
      classNumber: 1,
      classDescription: 'Class',
      subClassNumber: 2,
      subClassDescription: 'Subclass',
    },
    upcs: [{ upcType: 'A', upc: '400000000015' }],
    images: [{ url: 'https://images.example/1.jpg', type: 'prod_main', view: 'main', height: 1200, width: 900 }],
    customDynamicAttributes: [{ name: 'sole', value: 'rubber' }],
    bundleItems: [{ itemId: '21-PART', quantity: 2, pricePercentage: 40 }],
    unitCost: { currency: 'USD', value: 7.5 },
    dropShipSupplier: { name: 'Supplier', number: '17', partNumber: 'P17' },
    manufacturer: { name: 'Maker', id: 'M1', manufacturingDate: '2025-09-30' },
    supplier: { name: 'Supplier', id: 'S1', partNumber: 'P1' },
    cartonMassDimensions: { unit: 'lb', weight: 12.5 },
    displayMassDimensions: { unit: 'lb', weight: 1.5 },
    shippingMassDimensions: { unit: 'lb', weight: 2.5 },
    dimensionalWeight: { unit: 'lb', weight: 3.5 },
    cartonPackagingDimensions: { unit: 'in', width: 10, length: 20, height: 30 },
    displayPackagingDimensions: { unit: 'in', width: 1, length: 2, height: 3 },
    shippingPackagingDimensions: { unit: 'in', width: 4, length: 5, height: 6 },
    ...changes,
  };
}

/**
 * Returns a copy of `item` with the field at `path` (`color.descriptions.0.locale`) set, or removed if `value` is
 * undefined.
 */
export function withMember(item: Loose, path: string, value: unknown): Loose {
  const copy = structuredClone(item);
  const steps = path.split('.');
  const last = steps.pop()!;
  const target = steps.reduce<Loose>((inner, step) => inner[step] as Loose, copy);
  if (value === undefined) Reflect.deleteProperty(target, last);
  else target[last] = value;
  return copy;
}

/** Returns the field at `path`, or undefined. */
export function memberAt(item: Loose, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, step) => (inner as Loose | undefined)?.[step], item);
}

/** Returns the errors of a response as `pointer rule`. */
export function faultsIn(answer: { body: Loose }): string[] {
  const errors = (answer.body.errors ?? []) as { pointer: string; rule: string }[];
  return errors.map((fault) => `${fault.pointer} ${fault.rule}`);
}
