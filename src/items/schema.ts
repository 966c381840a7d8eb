/**
 * The Item (docs/interface.md#item), with its fields in the order of responses. One schema serves requests and
 * responses, so a response can be sent back (docs/interface.md#fields-sent-back). `rules.ts` has the rules between
 * fields, `canonical.ts` the defaults.
 */
import {
  exact,
  flag,
  identifier,
  isoDate,
  list,
  named,
  object,
  oneOf,
  ref,
  type Static,
  type TSchema,
  Type,
  text,
} from '../platform/schema.ts';
import {
  type Attribute,
  type Brand,
  type Color,
  count,
  type DropShipSupplier,
  type FulfillmentTypeEligibility,
  type Hierarchy,
  type Image,
  itemSubTypes,
  LIST_MAX,
  type Manufacturer,
  type MassDimensions,
  measure,
  operationType,
  type PackagingDimensions,
  type Price,
  type Size,
  type Supplier,
  TEXT_MAX,
  type UPC,
} from './sub-types.ts';

declare module '../platform/json-column.ts' {
  interface Shapes {
    Item: Item;
  }
}

const { Optional } = Type;

const yes = (description: string) => Optional(flag({ description }));
const masses = (description: string) => Optional(ref<MassDimensions>('MassDimensions', { description }));
const packaging = (description: string) => Optional(ref<PackagingDimensions>('PackagingDimensions', { description }));
const FOR_SOURCING =
  'Rule for the system that chooses nodes. Backroom does not use this rule. The lines of a re-source request show the rule in `sourcing`';
const days = (description: string) => Optional(exact({ integer: 15, fraction: 4, min: 0 }, { description }));
const many = <T>(name: string, description: string) => Optional(list(ref<T>(name), { max: LIST_MAX }, { description }));

/** An item of a bundle. It may contain a copy of the Item, so the two schemas refer to each other. */
export interface BundleItem {
  itemId: string;
  quantity?: Static<ReturnType<typeof count>>;
  pricePercentage?: Static<ReturnType<typeof measure>>;
  operationType?: Static<typeof operationType>;
  item?: Item;
}

export const BundleItem = named(
  'BundleItem',
  object({
    itemId: text(1, 35, { description: 'Item in the bundle: `<catalogId>-<clientItemId>`' }),
    quantity: Optional(count({ description: 'Units of the item in one bundle' })),
    pricePercentage: Optional(measure({ description: 'Share of this item in the price of the bundle' })),
    operationType,
    item: Optional(
      ref<Item>('Item', {
        description:
          'A copy of the item, stored with the bundle. The itemId of the copy must equal `itemId` of the bundle item.',
      }),
    ),
  }),
);

export const Item = named(
  'Item',
  object({
    catalogId: identifier(4, { description: 'Id of a catalog of the client, assigned by the operator' }),
    clientId: identifier(32, { description: 'Id of the client, assigned by the operator' }),
    clientItemId: identifier(16, {
      description:
        'SKU of the item: the part of `itemId` after the catalog. It cannot be changed; for another SKU, create another item.',
    }),
    itemId: identifier(40, { description: '`<catalogId>-<clientItemId>`' }),
    type: text(1, 100, {
      description:
        'Type of item, for example MERCH, GIFT WRAP, GC, VGC, OGC, WARRANTY; case, space and underscore do not matter',
    }),
    status: Optional(
      text(0, 12, {
        description:
          'Active, Inactive (not displayed in the catalog) or Discontinued. Default, and the meaning of an empty text: Active',
      }),
    ),
    salesClass: text(1, 25, {
      description: 'How the web store sells the item: stock, advanceOrderOpen, advanceOrderLimited, backOrderLimited',
    }),
    description: Optional(text(0, 120, { description: 'Short description in the base language of the catalog' })),
    productId: Optional(text(0, 20, { description: 'Product number; shown on the product page and in item search' })),
    productTitle: Optional(
      text(0, 200, { description: 'Product title; shown on the product page and in item search' }),
    ),
    styleId: Optional(text(0, 15, { description: 'Code of the appearance variety; default: "" (empty)' })),
    styleDescription: Optional(text(0, 255)),
    taxCode: Optional(text(0, 5, { description: 'Tax group, assigned by the operator; default: "" (empty)' })),
    countryOfOrigin: Optional(
      text(0, 2, {
        description:
          'Country in which the goods were made (ISO 3166 alpha-2). An empty text means no country. International shipments need a country',
      }),
    ),
    freightClass: Optional(
      text(0, 20, {
        description:
          'Freight class. The order management system uses it to choose the carrier, the service level and the region. Backroom does not use the freight class; it shows it in `handling`',
      }),
    ),
    hazardousMaterialCode: Optional(text(0, 4)),
    fulfillmentOverride: Optional(
      text(0, 40, { description: 'Override for the sourcing of the item. Agree the values with the operator' }),
    ),
    sourcingOverride: Optional(text(0, TEXT_MAX, { description: FOR_SOURCING })),
    sourcingPreference: Optional(text(0, TEXT_MAX, { description: FOR_SOURCING })),
    gii: Optional(text(0, 40, { description: 'Stored and returned as sent' })),
    shipAlone: Optional(oneOf(['Yes', 'No'], { description: 'Whether the item ships in a separate package' })),
    streetDate: Optional(
      Type.Union([isoDate(), Type.Literal('')], {
        description:
          'ISO date from which units of the item can be allocated to orders (presell); the service keeps the offset as sent. An empty text means no street date',
      }),
    ),
    giftCardTenderCode: Optional(
      text(0, TEXT_MAX, {
        description: 'Tender code of a gift card, by default SD. An empty text means no code. Gift cards need a code',
      }),
    ),
    maxGCAmount: Optional(
      exact(
        { integer: 15, fraction: 2, min: 0 },
        { description: 'Largest amount of a gift card. Required for gift cards' },
      ),
    ),
    maxOrderableQuantity: Optional(count({ description: 'Maximum number of units in one order' })),
    minOrderableQuantity: Optional(count({ description: 'Minimum number of units in one order' })),
    maxShipmentProcessingDays: days(
      'Longest processing time before shipment, in days. The service rounds a part of a day up',
    ),
    minShipmentProcessingDays: days(
      'Shortest processing time before shipment, in days. The service rounds a part of a day down',
    ),
    bundle: yes('true: the item is a bundle of other items'),
    dropShipped: yes('true: a drop shipper can fulfill the item. `dropShipSupplier` is then required'),
    eligibleToModify: yes('true: the item can be changed in an order'),
    infiniteInventory: yes(
      'true: the item is never out of stock, for example a warranty, a virtual item, a gift card or a service; default false',
    ),
    inventoryCheckEligible: yes('true: the inventory of the item is checked; default false'),
    isFeedItem: yes('The service accepts this field, but does not store it'),
    onPreOrder: yes('true: the item is sold before its street date'),
    shipTogether: yes('true: the item ships together with the other `shipTogether` items of the order'),
    splitToOne: yes(
      'true: the system that activates virtual gift cards splits a line into lines of quantity 1. The service does not use this field',
    ),
    sfsEligible: yes(
      'true: the item can be shipped from a store. Other name of SHIP_TO_HOME in `fulfillmentTypeEligibilities`',
    ),
    ispuEligible: yes(
      'true: the item can be picked up in a store. Other name of STORE_PICK_UP in `fulfillmentTypeEligibilities`',
    ),
    stsEligible: yes(
      'true: the item can be shipped to a store. Other name of SHIP_TO_STORE in `fulfillmentTypeEligibilities`',
    ),
    ispuReserveEligible: yes('true: the item can be reserved for pickup in a store; default false'),
    associateDeliveryEligible: yes('true: an associate can deliver the item; default false'),
    fulfillmentTypeEligibilities: many<FulfillmentTypeEligibility>(
      'FulfillmentTypeEligibility',
      'Eligibility by fulfillment type. Default: true for physical types, false for virtual ones',
    ),
    brand: Optional(ref<Brand>('Brand')),
    color: Optional(ref<Color>('Color')),
    sizes: many<Size>('Size', 'Sizes by locale'),
    hierarchy: Optional(ref<Hierarchy>('Hierarchy')),
    upcs: many<UPC>('UPC', 'Bar codes. List a pair of type and code only once'),
    images: many<Image>('Image', 'Pictures of the item'),
    customDynamicAttributes: many<Attribute>(
      'Attribute',
      'Attributes as pairs of name and value. List a name only once',
    ),
    bundleItems: many<BundleItem>('BundleItem', 'Contents of the bundle. List an itemId only once'),
    unitCost: Optional(ref<Price>('Price')),
    dropShipSupplier: Optional(ref<DropShipSupplier>('DropShipSupplier')),
    manufacturer: Optional(ref<Manufacturer>('Manufacturer')),
    supplier: Optional(ref<Supplier>('Supplier')),
    cartonMassDimensions: masses('Mass of the carton'),
    displayMassDimensions: masses('Mass of the item with the packaging in which a store displays it'),
    shippingMassDimensions: masses('Mass of the item with the packaging in which it is shipped'),
    dimensionalWeight: masses('Weight that a carrier uses for the price of a light but bulky package'),
    cartonPackagingDimensions: packaging('Size of the carton'),
    displayPackagingDimensions: packaging('Size of the item with the packaging in which a store displays it'),
    shippingPackagingDimensions: packaging('Size of the item with the packaging in which it is shipped'),
  }),
);
export type Item = Static<typeof Item>;

const byName = new Map([Item, BundleItem, ...itemSubTypes].map((schema) => [(schema as { $id?: string }).$id, schema]));

/** Returns the schema that a reference names, or the schema itself if it is not a reference. */
export function resolve(schema: TSchema): TSchema {
  const reference = (schema as { $ref?: string }).$ref;
  return reference === undefined ? schema : byName.get(reference.replace(/#$/, ''))!;
}

/** Returns the fields of an object schema in order, or undefined for another schema. */
export function membersOf(schema: TSchema): Record<string, TSchema> | undefined {
  return (resolve(schema) as { properties?: Record<string, TSchema> }).properties;
}

/** Returns the schema of a list's elements, or undefined for another schema. */
export function elementOf(schema: TSchema): TSchema | undefined {
  return (schema as { items?: TSchema }).items;
}

/**
 * An Item under `merge=true`: no field is required, not even in nested objects. Elements of lists are complete. Null
 * and absent fields keep the stored value.
 */
export const ItemPatch: TSchema = named('ItemPatch', patchOf(Item));

function patchOf(schema: TSchema): TSchema {
  const members = Object.entries(membersOf(schema) ?? {}).map(([name, member]) => [name, patchMember(member)] as const);
  return { type: 'object', properties: Object.fromEntries(members), additionalProperties: false };
}

function patchMember(member: TSchema): TSchema {
  const patch = membersOf(member) === undefined ? member : patchOf(member);
  return { ...patch, 'x-nullable': true };
}

/** Named schemas of the item master. */
export const itemSchemas: readonly TSchema[] = [Item, ItemPatch, BundleItem, ...itemSubTypes];
