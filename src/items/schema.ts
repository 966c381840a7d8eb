/**
 * The Item (docs/interface.md#item), field by field in the order in which a read answers them. One schema serves both ways: what
 * a read answers may be sent back (docs/interface.md#fields-sent-back). Rules between fields stand in `rules.ts`, defaults in `canonical.ts`.
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

const { Optional } = Type;

const yes = (description: string) => Optional(flag({ description }));
const masses = (description: string) => Optional(ref<MassDimensions>('MassDimensions', { description }));
const packaging = (description: string) => Optional(ref<PackagingDimensions>('PackagingDimensions', { description }));
const days = (description: string) => Optional(exact({ integer: 15, fraction: 4, min: 0 }, { description }));
const many = <T>(name: string, description: string) => Optional(list(ref<T>(name), { max: LIST_MAX }, { description }));

/** An item of a bundle. It may carry the Item itself, so the two refer to each other. */
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
    quantity: Optional(count({ description: 'Units of it in one bundle' })),
    pricePercentage: Optional(measure({ description: 'Share of this item in the price of the bundle' })),
    operationType,
    item: Optional(
      ref<Item>('Item', { description: 'The item itself, kept with the bundle. Its itemId is the one beside it.' }),
    ),
  }),
);

export const Item = named(
  'Item',
  object({
    catalogId: identifier(4, { description: 'Catalog of the client, assigned by the operator' }),
    clientId: identifier(32, { description: 'Client, assigned by the operator' }),
    clientItemId: identifier(16, {
      description: 'SKU of the item: the primary key of the item master. A changed value is a different item.',
    }),
    itemId: identifier(40, { description: '`<catalogId>-<clientItemId>`' }),
    type: text(1, 100, {
      description:
        'Type of item, for example MERCH, GIFT WRAP, GC, VGC, OGC, WARRANTY; case, space and underscore do not matter',
    }),
    status: Optional(
      text(0, 12, {
        description: 'Active (default, also where blank), Inactive (not displayed in the catalog) or Discontinued',
      }),
    ),
    salesClass: text(1, 25, {
      description: 'How the web store sells it: stock, advanceOrderOpen, advanceOrderLimited, backOrderLimited',
    }),
    description: Optional(text(0, 120, { description: 'Short description in the base language of the catalog' })),
    productId: Optional(text(0, 20, { description: 'Shown on the product page and in item search' })),
    productTitle: Optional(text(0, 200, { description: 'Shown on the product page and in item search' })),
    styleId: Optional(text(0, 15, { description: 'Code of the appearance variety; default blank' })),
    styleDescription: Optional(text(0, 255)),
    taxCode: Optional(text(0, 5, { description: 'Tax group, assigned by the operator; default blank' })),
    countryOfOrigin: Optional(
      text(0, 2, {
        description:
          'ISO 3166 alpha-2 country where the goods were made; blank is none; needed for international shipments',
      }),
    ),
    freightClass: Optional(
      text(0, 20, { description: 'Governs eligible carrier, service and region; used by order modification' }),
    ),
    hazardousMaterialCode: Optional(text(0, 4)),
    fulfillmentOverride: Optional(
      text(0, 40, { description: 'Overrides fulfillment sourcing; values are agreed beforehand' }),
    ),
    sourcingOverride: Optional(text(0, TEXT_MAX, { description: 'Used only in sourcing' })),
    sourcingPreference: Optional(text(0, TEXT_MAX, { description: 'Used only in sourcing' })),
    gii: Optional(text(0, 40, { description: 'Answered as written' })),
    shipAlone: Optional(oneOf(['Yes', 'No'], { description: 'Whether it ships in a package of its own' })),
    streetDate: Optional(
      Type.Union([isoDate(), Type.Literal('')], {
        description: 'ISO date from which the item may be allocated (presell), kept as sent; blank is none',
      }),
    ),
    giftCardTenderCode: Optional(text(0, TEXT_MAX, { description: 'SD; blank is none; needed for gift cards' })),
    maxGCAmount: Optional(
      exact(
        { integer: 15, fraction: 2, min: 0 },
        { description: 'Largest amount of a gift card; needed for gift cards' },
      ),
    ),
    maxOrderableQuantity: Optional(count({ description: 'Most units in one order' })),
    minOrderableQuantity: Optional(count({ description: 'Fewest units in one order' })),
    maxShipmentProcessingDays: days('Longest processing time before shipment; a part of a day is rounded up'),
    minShipmentProcessingDays: days('Shortest processing time before shipment; a part of a day is rounded down'),
    bundle: yes('The item is a bundle of others'),
    dropShipped: yes('A drop shipper can fulfill it; then `dropShipSupplier` is needed'),
    eligibleToModify: yes('May be changed in an order'),
    infiniteInventory: yes('Never out of stock: warranties, virtual items, gift cards, services (default false)'),
    inventoryCheckEligible: yes('Inventory is checked (default false)'),
    isFeedItem: yes('Accepted, never stored'),
    onPreOrder: yes('Sold before its street date'),
    shipTogether: yes('Ships together with the other items of its order'),
    splitToOne: yes('Virtual gift card: a line is split into lines of quantity 1 at activation'),
    sfsEligible: yes('May be shipped from a store; the same fact as SHIP_TO_HOME in `fulfillmentTypeEligibilities`'),
    ispuEligible: yes('May be picked up in a store; the same fact as STORE_PICK_UP'),
    stsEligible: yes('May be shipped to a store; the same fact as SHIP_TO_STORE'),
    ispuReserveEligible: yes('May be reserved for pickup in a store (default false)'),
    associateDeliveryEligible: yes('May be delivered by an associate (default false)'),
    fulfillmentTypeEligibilities: many<FulfillmentTypeEligibility>(
      'FulfillmentTypeEligibility',
      'Eligibility by fulfillment type. Default: true for physical types, false for virtual ones',
    ),
    brand: Optional(ref<Brand>('Brand')),
    color: Optional(ref<Color>('Color')),
    sizes: many<Size>('Size', 'Sizes by locale'),
    hierarchy: Optional(ref<Hierarchy>('Hierarchy')),
    upcs: many<UPC>('UPC', 'Bar codes; a pair of type and code stands once'),
    images: many<Image>('Image', 'Pictures of the item'),
    customDynamicAttributes: many<Attribute>('Attribute', 'Free pairs of name and value; a name stands once'),
    bundleItems: many<BundleItem>('BundleItem', 'What is in the bundle; an itemId stands once'),
    unitCost: Optional(ref<Price>('Price')),
    dropShipSupplier: Optional(ref<DropShipSupplier>('DropShipSupplier')),
    manufacturer: Optional(ref<Manufacturer>('Manufacturer')),
    supplier: Optional(ref<Supplier>('Supplier')),
    cartonMassDimensions: masses('Mass of the carton'),
    displayMassDimensions: masses('Mass as shown'),
    shippingMassDimensions: masses('Mass as shipped'),
    dimensionalWeight: masses('Weight that prices a bulky light package'),
    cartonPackagingDimensions: packaging('Size of the carton'),
    displayPackagingDimensions: packaging('Size as shown'),
    shippingPackagingDimensions: packaging('Size as shipped'),
  }),
);
export type Item = Static<typeof Item>;

const byName = new Map([Item, BundleItem, ...itemSubTypes].map((schema) => [(schema as { $id?: string }).$id, schema]));

/** The schema that a reference of an item names; any other schema is itself. */
export function resolve(schema: TSchema): TSchema {
  const reference = (schema as { $ref?: string }).$ref;
  return reference === undefined ? schema : byName.get(reference.replace(/#$/, ''))!;
}

/** The fields of an object schema in their order; undefined for what is no object. */
export function membersOf(schema: TSchema): Record<string, TSchema> | undefined {
  return (resolve(schema) as { properties?: Record<string, TSchema> }).properties;
}

/** The schema of a list's elements; undefined for what is no list. */
export function elementOf(schema: TSchema): TSchema | undefined {
  return (schema as { items?: TSchema }).items;
}

/**
 * An Item under `merge=true`: nothing is required, in its objects neither; the elements of lists are whole. A null keeps
 * what is stored, like absence.
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
