/**
 * The sub-types of an Item, in the order and with the limits of the interface (docs/interface.md#item-sub-types). If
 * the interface gives no limit, a string has at most 255 characters, a count 15 digits, and a list 1000 elements
 * (docs/interface.md#item-rules).
 */
import {
  exact,
  flag,
  isoDate,
  list,
  named,
  type Options,
  object,
  oneOf,
  ref,
  type Static,
  type TSchema,
  Type,
  text,
} from '../platform/schema.ts';
import { say } from './sentences.ts';

const { Optional } = Type;

/** Maximum number of elements of any list of an item. */
export const LIST_MAX = 1000;
/** Maximum length of a string for which the interface gives no limit. */
export const TEXT_MAX = 255;

/** A count: a whole number of at most 15 digits. */
export const count = (options: Options = {}) => exact({ integer: 15, fraction: 0, min: 0 }, options);
/** A measure: at most 14 digits before and 4 after the point. */
export const measure = (options: Options = {}) => exact({ integer: 14, fraction: 4, min: 0 }, options);

export const operationType = Optional(
  text(0, 20, {
    description:
      'With merge=true: `add` (default) adds or changes this element, `delete` deletes the element. The client’s setting operationTypes lists ' +
      'further words for these two values, such as change, update or remove. Case does not matter. The service does not store this field.',
  }),
);

export const BrandDescription = named(
  'BrandDescription',
  object({
    locale: Optional(text(0, 5, { description: 'Language and country, for example en_US' })),
    description: Optional(text(0, 100, { description: 'Name of the brand in this language' })),
  }),
);
export type BrandDescription = Static<typeof BrandDescription>;

export const Brand = named(
  'Brand',
  object({
    name: Optional(text(0, 50, { description: 'Name of the brand' })),
    descriptions: Optional(
      list(ref<BrandDescription>('BrandDescription'), { max: LIST_MAX }, { description: 'Descriptions by locale' }),
    ),
    description: Optional(
      list(
        ref<BrandDescription>('BrandDescription'),
        { max: LIST_MAX },
        { description: 'Other name of `descriptions`, accepted only in requests' },
      ),
    ),
  }),
);
export type Brand = Static<typeof Brand>;

export const ColorDescription = named(
  'ColorDescription',
  object({
    locale: Optional(text(0, 5, { description: 'Language and country, for example en_US' })),
    description: text(1, 4000, { description: 'Name of the color in this language' }),
  }),
);
export type ColorDescription = Static<typeof ColorDescription>;

export const Color = named(
  'Color',
  object({
    code: text(1, 40, { description: 'Code of the color' }),
    descriptions: list(
      ref<ColorDescription>('ColorDescription'),
      { min: 1, max: LIST_MAX },
      { description: 'Name of the color by locale' },
    ),
  }),
);
export type Color = Static<typeof Color>;

export const DropShipSupplier = named(
  'DropShipSupplier',
  object({
    name: text(1, 120, { description: 'Name of the drop shipper' }),
    number: text(1, 15, { description: 'Number of the drop shipper' }),
    partNumber: text(1, 15, { description: 'Number of the item at the drop shipper' }),
  }),
);
export type DropShipSupplier = Static<typeof DropShipSupplier>;

export const Hierarchy = named(
  'Hierarchy',
  object(
    {
      deptNumber: count(),
      deptDescription: Optional(text(0, 25)),
      subDeptNumber: count(),
      subDeptDescription: Optional(text(0, 25)),
      classNumber: count(),
      classDescription: Optional(text(0, 25)),
      subClassNumber: count(),
      subClassDescription: Optional(text(0, 25)),
    },
    { description: 'Department, class and subdivisions of the item, for reports' },
  ),
);
export type Hierarchy = Static<typeof Hierarchy>;

export const Attribute = named(
  'Attribute',
  object({
    name: text(1, 50, { description: 'Name of the attribute, unique in the item' }),
    value: Optional(text(0, 255, { description: 'Value of the attribute' })),
    operationType,
  }),
);
export type Attribute = Static<typeof Attribute>;

export const Image = named(
  'Image',
  object({
    url: text(1, 255, {
      // Of the addresses with a scheme, allows only those that a browser loads as a picture. An address without a
      // scheme belongs to the caller's own system.
      pattern: '^(?:[hH][tT]{2}[pP][sS]?://|[dD][aA][tT][aA]:image/|(?!\\s*[A-Za-z][A-Za-z0-9+.-]*:))',
      'x-hint': say('send a URL that begins with https://, http:// or data:image/'),
      description: 'Address of the picture: https, http, data:image, or a path without a scheme',
    }),
    type: text(1, 32, { description: 'Type of the picture', examples: ['prod_main'] }),
    view: Optional(text(0, 32, { description: 'View that the picture shows', examples: ['main'] })),
    height: count({ description: 'Height in pixels' }),
    width: count({ description: 'Width in pixels' }),
  }),
);
export type Image = Static<typeof Image>;

export const Size = named(
  'Size',
  object({
    locale: Optional(text(0, 5, { description: 'Language and country, for example en_US' })),
    code: text(1, 40, { description: 'Code of the size' }),
    description: text(1, 255, { description: 'Size in words' }),
  }),
);
export type Size = Static<typeof Size>;

export const UPC = named(
  'UPC',
  object({
    upcType: text(1, TEXT_MAX, {
      description:
        'A type of the client’s setting upcTypes: UPC, EAN, IAN, JAN, GTIN, ISBN, ASIN, A (alternate), D (drop-ship vendor), P (primary) and more; case, spaces and hyphens do not matter',
    }),
    upc: text(1, TEXT_MAX, { description: 'Code as a scanner reads it' }),
    operationType,
  }),
);
export type UPC = Static<typeof UPC>;

export const Manufacturer = named(
  'Manufacturer',
  object({
    name: Optional(text(0, 50, { description: 'Name of the manufacturer' })),
    id: Optional(text(0, 50, { description: 'Identifier of the manufacturer' })),
    manufacturingDate: Optional(
      isoDate({ description: 'ISO date of the manufacture. The service keeps the offset as sent' }),
    ),
  }),
);
export type Manufacturer = Static<typeof Manufacturer>;

export const MassDimensions = named(
  'MassDimensions',
  object({
    unit: text(1, TEXT_MAX, {
      pattern: '^[^\\p{Lu}]*$',
      'x-hint': say('write the unit in lower case, for example lb'),
      description:
        'Unit of weight by any of its common names in lower case, for example `lb`. The service returns the name as sent',
    }),
    weight: measure({ description: 'Weight, in the unit' }),
  }),
);
export type MassDimensions = Static<typeof MassDimensions>;

export const PackagingDimensions = named(
  'PackagingDimensions',
  object({
    unit: text(1, TEXT_MAX, {
      description: 'Unit of length by any of its common names, for example `in`. The service returns the name as sent',
    }),
    width: measure({ description: 'Width, in the unit' }),
    length: measure({ description: 'Length, in the unit' }),
    height: measure({ description: 'Height, in the unit' }),
  }),
);
export type PackagingDimensions = Static<typeof PackagingDimensions>;

export const Price = named(
  'Price',
  object({
    currency: text(1, 3, { description: 'ISO 4217 code of the currency', examples: ['USD'] }),
    value: exact(
      { integer: 19, fraction: 2, min: 0 },
      { description: 'Amount: up to 19 digits before and 2 after the point' },
    ),
  }),
);
export type Price = Static<typeof Price>;

export const Supplier = named(
  'Supplier',
  object({
    name: Optional(text(0, 50, { description: 'Name of the supplier' })),
    id: Optional(text(0, 50, { description: 'Identifier of the supplier' })),
    partNumber: Optional(text(0, 15, { description: 'Number of the item at the supplier' })),
  }),
);
export type Supplier = Static<typeof Supplier>;

/** The fulfillment types of eligibilities, in the order of responses. */
export const ELIGIBILITY_TYPES = ['SHIP_TO_HOME', 'SHIP_TO_STORE', 'STORE_PICK_UP'] as const;

export const FulfillmentTypeEligibility = named(
  'FulfillmentTypeEligibility',
  object({ fulfillmentTypeId: oneOf(ELIGIBILITY_TYPES), eligibility: flag() }),
);
export type FulfillmentTypeEligibility = Static<typeof FulfillmentTypeEligibility>;

/** Every sub-type, for the list of named schemas. */
export const itemSubTypes: readonly TSchema[] = [
  Attribute,
  Brand,
  BrandDescription,
  Color,
  ColorDescription,
  DropShipSupplier,
  FulfillmentTypeEligibility,
  Hierarchy,
  Image,
  Manufacturer,
  MassDimensions,
  PackagingDimensions,
  Price,
  Size,
  Supplier,
  UPC,
];
